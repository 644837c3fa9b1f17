/// How a layer meets what is drawn below it in its group: Core Animation's `compositingFilter` by name.
/// Formulas: semantic reference, §6.15. Raw values are the wire's: never renumber, only append.
package enum CompositingMode: UInt8, Sendable, CaseIterable {
    case normal = 0

    // Separable blend modes
    case multiply = 1
    case screen = 2
    case overlay = 3
    case darken = 4
    case lighten = 5
    case colorDodge = 6
    case colorBurn = 7
    case softLight = 8
    case hardLight = 9
    case difference = 10
    case exclusion = 11
    case linearBurn = 12
    case linearDodge = 13
    case linearLight = 14
    case pinLight = 15
    case subtract = 16
    case divide = 17

    // Blend modes of all three components together
    case hue = 18
    case saturation = 19
    case color = 20
    case luminosity = 21

    // Porter-Duff
    case copy = 22
    case clear = 23
    case destination = 24
    case destinationOver = 25
    case sourceIn = 26
    case destinationIn = 27
    case sourceOut = 28
    case destinationOut = 29
    case sourceAtop = 30
    case destinationAtop = 31
    case xor = 32
    case plusLighter = 33
    case plusDarker = 34

    @inlinable @inline(__always)
    package static func == (a: CompositingMode, b: CompositingMode) -> Bool { a.rawValue == b.rawValue }

    @inlinable @inline(__always)
    package static func != (a: CompositingMode, b: CompositingMode) -> Bool { a.rawValue != b.rawValue }

    /// The name that Core Animation writes.
    package var filterName: String {
        switch self {
        case .normal: "sourceOver"
        case .copy: "copy"
        case .clear: "clear"
        case .destination: "dest"
        case .destinationOver: "destOver"
        case .sourceIn: "sourceIn"
        case .destinationIn: "destIn"
        case .sourceOut: "sourceOut"
        case .destinationOut: "destOut"
        case .sourceAtop: "sourceAtop"
        case .destinationAtop: "destAtop"
        case .xor: "xor"
        case .plusLighter: "plusL"
        case .plusDarker: "plusD"
        default: "\(self)BlendMode"
        }
    }

    /// True for the operators that change what lies below although the source is transparent there: they need to know
    /// where the source ends.
    package var reachesBeyondSource: Bool {
        switch self {
        case .copy, .clear, .sourceIn, .destinationIn, .sourceOut, .destinationAtop: true
        default: false
        }
    }

    /// Any of the names in use: `multiplyBlendMode`, `CIMultiplyBlendMode`, `multiply`, `plusL`, `plusLighter`,
    /// `destOver`, `CISourceOverCompositing`.
    package init?(filterName name: String) {
        guard let mode = CompositingMode.byName[name] else { return nil }
        self = mode
    }

    private static let byName: [String: CompositingMode] = {
        var names: [String: CompositingMode] = [
            "normalBlendMode": .normal, "normal": .normal, "destination": .destination,
            "destinationOver": .destinationOver,
            "destinationIn": .destinationIn, "destinationOut": .destinationOut, "destinationAtop": .destinationAtop,
            "plusLighter": .plusLighter, "plusDarker": .plusDarker, "linearLightBlendMode": .linearLight,
            "CISourceOverCompositing": .normal, "CISourceInCompositing": .sourceIn,
            "CISourceOutCompositing": .sourceOut, "CISourceAtopCompositing": .sourceAtop,
            "CIAdditionCompositing": .plusLighter, "CIMultiplyCompositing": .multiply,
            "CIMinimumCompositing": .darken, "CIMaximumCompositing": .lighten,
        ]
        for mode in allCases {
            names[mode.filterName] = mode
            let base = "\(mode)"
            if mode.rawValue >= 1, mode.rawValue <= 21 {
                names[base] = names[base] ?? mode
                names["CI" + base.prefix(1).uppercased() + base.dropFirst() + "BlendMode"] = mode
            }
        }
        return names
    }()
}
