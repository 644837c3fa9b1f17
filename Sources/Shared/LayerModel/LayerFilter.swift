// Filters of a layer as they travel: a kind, and the inputs that differ from the kind's defaults.
// Source: semantic reference, §6.14, and the measured facts F1 to F5.

/// One entry of `filters` or `backgroundFilters`.
package struct LayerFilter: Hashable, Sendable {
    package enum Kind: UInt8, Sendable, CaseIterable {
        case gaussianBlur = 1
        case variableBlur = 2
        case colorMatrix = 3
        case colorSaturate = 4
        case colorBrightness = 5
        case colorContrast = 6
        case colorHueRotate = 7
        case colorInvert = 8
        case colorMonochrome = 9
        case luminanceToAlpha = 10
        case alphaThreshold = 11
        case colorAdd = 12
        case colorSubtract = 13
        case multiplyColor = 14
        case pixellate = 15
        case dropShadow = 16

        /// Core Animation's type string.
        package var typeName: String { "\(self)" }

        package init?(typeName: String) {
            guard let kind = Kind.allCases.first(where: { $0.typeName == typeName }) else { return nil }
            self = kind
        }
    }

    package enum Input: UInt8, Sendable, CaseIterable {
        /// Standard deviation of a blur, points.
        case inputRadius = 1
        case inputAmount = 2
        /// Radians.
        case inputAngle = 3
        case inputColor = 4
        case inputBias = 5
        /// 20 numbers, four rows of five: the weights of red, green, blue, alpha and 1.
        case inputColorMatrix = 6
        /// A blur divides by the weight that fell inside: edges don't fade.
        case inputNormalizeEdges = 7
        /// Pixels outside count as the nearest one inside.
        case inputHardEdges = 8
        /// An image whose alpha scales the radius.
        case inputMaskImage = 9
        /// Side of a pixellate's squares, points.
        case inputScale = 10
        /// Of a drop shadow, points.
        case inputOffset = 11

        package init?(name: String) {
            guard let input = Input.allCases.first(where: { "\($0)" == name }) else { return nil }
            self = input
        }
    }

    package enum Value: Hashable, Sendable {
        case number(Double)
        case flag(Bool)
        case color(Color)
        case numbers([Double])
        case point(Point)
        case image(ImageID)

        package var isFinite: Bool {
            switch self {
            case .number(let number): number.isFinite
            case .color(let color): color.isFinite
            case .numbers(let numbers): numbers.allSatisfy(\.isFinite)
            case .point(let point): point.isFinite
            case .flag, .image: true
            }
        }
    }

    package var kind: Kind
    /// For key paths: `filters.NAME.INPUT`.
    package var name: String?
    package var isEnabled: Bool
    /// What was set; the others have the kind's defaults.
    package var inputs: [Input: Value]

    package init(_ kind: Kind, name: String? = nil, isEnabled: Bool = true, inputs: [Input: Value] = [:]) {
        self.kind = kind
        self.name = name
        self.isEnabled = isEnabled
        self.inputs = inputs
    }

    package var isFinite: Bool { inputs.values.allSatisfy(\.isFinite) }

    // MARK: Inputs with their defaults

    package func number(_ input: Input) -> Double {
        if case .number(let number)? = inputs[input] { return number }
        switch (kind, input) {
        case (.gaussianBlur, .inputRadius), (.variableBlur, .inputRadius), (.dropShadow, .inputRadius): return 10
        case (.colorSaturate, .inputAmount), (.colorContrast, .inputAmount), (.colorMonochrome, .inputAmount): return 1
        case (.alphaThreshold, .inputAmount): return 0.5
        case (.pixellate, .inputScale): return 8
        default: return 0
        }
    }

    package func flag(_ input: Input) -> Bool {
        if case .flag(let flag)? = inputs[input] { return flag }
        if case .number(let number)? = inputs[input] { return number != 0 }
        return false
    }

    package func color(_ input: Input) -> Color {
        if case .color(let color)? = inputs[input] { return color }
        switch kind {
        case .colorMonochrome, .multiplyColor: return .white
        case .dropShadow: return .black
        default: return .clear
        }
    }

    /// The identity without 20 numbers.
    package var colorMatrix: [Double] {
        if case .numbers(let numbers)? = inputs[.inputColorMatrix], numbers.count == 20 { return numbers }
        return [1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0]
    }

    package var offset: Point {
        if case .point(let point)? = inputs[.inputOffset] { return point }
        return .zero
    }

    package var maskImage: ImageID {
        if case .image(let image)? = inputs[.inputMaskImage] { return image }
        return .none
    }
}
