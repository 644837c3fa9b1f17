// The filters that are a matrix of straight colors. Formulas: semantic reference, §6.14; CSS filter effects where it is
// silent.

import Glibc
import LayerModel

extension LayerFilter {
    /// 20 numbers, four rows of five; nil for a filter of another kind.
    var straightMatrix: [Float]? {
        let amount = number(.inputAmount)
        let input = color(.inputColor)
        let luma = (0.2126, 0.7152, 0.0722)
        switch kind {
        case .colorMatrix: return colorMatrix.map(Float.init)
        case .colorSaturate: return Self.mixed(luma, amount)
        case .colorBrightness: return Self.scaled(1, amount)
        case .colorContrast: return Self.scaled(amount, 0.5 - 0.5 * amount)
        case .colorInvert: return Self.scaled(-1, 1)
        case .colorHueRotate: return Self.hueRotation(number(.inputAngle))
        case .colorMonochrome:
            let bias = number(.inputBias) * amount
            return [input.red, input.green, input.blue].enumerated().flatMap { (row, tint) -> [Double] in
                var weights = [luma.0 * tint * amount, luma.1 * tint * amount, luma.2 * tint * amount, 0, bias]
                weights[row] += 1 - amount
                return weights
            }.map(Float.init) + [0, 0, 0, 1, 0]
        case .colorAdd, .colorSubtract:
            let sign = (kind == .colorAdd ? 1 : -1) * input.alpha
            return [
                1, 0, 0, 0, Float(sign * input.red), 0, 1, 0, 0, Float(sign * input.green), 0, 0, 1, 0,
                Float(sign * input.blue), 0, 0, 0, 1, 0,
            ]
        case .multiplyColor:
            return [
                Float(input.red), 0, 0, 0, 0, 0, Float(input.green), 0, 0, 0, 0, 0, Float(input.blue), 0, 0, 0, 0, 0,
                Float(input.alpha), 0,
            ]
        case .gaussianBlur, .variableBlur, .luminanceToAlpha, .alphaThreshold, .pixellate, .dropShadow: return nil
        }
    }

    /// Every component times a factor plus an offset.
    private static func scaled(_ factor: Double, _ offset: Double) -> [Float] {
        let (f, o) = (Float(factor), Float(offset))
        return [f, 0, 0, 0, o, 0, f, 0, 0, o, 0, 0, f, 0, o, 0, 0, 0, 1, 0]
    }

    /// From the luma (0) to the color itself (1).
    private static func mixed(_ luma: (Double, Double, Double), _ amount: Double) -> [Float] {
        var matrix: [Double] = []
        for row in 0..<3 {
            var weights = [luma.0 * (1 - amount), luma.1 * (1 - amount), luma.2 * (1 - amount), 0, 0]
            weights[row] += amount
            matrix += weights
        }
        return (matrix + [0, 0, 0, 1, 0]).map(Float.init)
    }

    /// The matrix of CSS.
    private static func hueRotation(_ angle: Double) -> [Float] {
        let (c, s) = (cos(angle), sin(angle))
        let matrix = [
            0.213 + c * 0.787 - s * 0.213, 0.715 - c * 0.715 - s * 0.715, 0.072 - c * 0.072 + s * 0.928, 0, 0,
            0.213 - c * 0.213 + s * 0.143, 0.715 + c * 0.285 + s * 0.140, 0.072 - c * 0.072 - s * 0.283, 0, 0,
            0.213 - c * 0.213 - s * 0.787, 0.715 - c * 0.715 + s * 0.715, 0.072 + c * 0.928 + s * 0.072, 0, 0,
            0, 0, 0, 1, 0,
        ]
        return matrix.map(Float.init)
    }
}
