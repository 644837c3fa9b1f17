// Filters that change each pixel by itself. Source: semantic reference, §6.14: on straight colors, clamped to 0…1 and
// rounded to 8 bits after each filter. What is open there is settled so:
//
// - A pixel with alpha 0 stays as it is: a filter has no extent of its own.
// - Luma is .2126 red + .7152 green + .0722 blue; hue rotation uses the matrix of CSS with its rounded weights.
// - luminanceToAlpha weighs the premultiplied color, so a soft edge stays soft.
// - alphaThreshold: at the threshold and above a pixel becomes opaque, below it nothing.
// - colorAdd and colorSubtract add and subtract the input's color times its alpha and keep alpha; multiplyColor
//   multiplies alpha too.
// - colorMonochrome: luma times the color plus the bias, mixed in by the amount.

import Glibc
import LayerModel

/// One filter of colors.
struct ColorFilter {
    /// A straight color, 0…1 when it comes in.
    private typealias Change = (Color) -> Color

    private let filter: LayerFilter
    private let change: Change

    init(_ filter: LayerFilter) {
        self.filter = filter
        change = Self.change(filter)
    }

    /// A pixel after the filter, premultiplied levels, not rounded.
    func result(_ ink: Ink) -> Ink {
        guard ink.alpha > 0 else { return .clear }
        switch filter.kind {
        case .luminanceToAlpha:
            return Ink(
                blue: 0, green: 0, red: 0, alpha: 0.2126 * ink.red + 0.7152 * ink.green + 0.0722 * ink.blue)
        default:
            let a = ink.alpha
            return Ink(change(Color(min(ink.red / a, 1), min(ink.green / a, 1), min(ink.blue / a, 1), a / 255)))
        }
    }

    /// How far the result may move when each component moves by so many levels.
    func uncertainty(_ ink: Ink, by levels: Double) -> Double {
        let exact = result(ink)
        var sum = Ink.clear
        for component in 0..<4 {
            var largest = Ink.clear
            for sign in [-1.0, 1] {
                var moved = ink
                if component < 3 {
                    moved = ink.moved(component, by: sign * levels)
                } else {
                    moved.alpha += sign * levels
                    moved = moved.clamped
                }
                if moved.alpha > 0 { largest = largest.larger(result(moved).distance(to: exact)) }
            }
            sum = sum + largest
        }
        return sum.largest
    }

    func applied(to canvas: Canvas) -> Canvas {
        let output = Canvas(bounds: canvas.bounds)
        // Most neighbors are alike.
        var last: (ink: Ink, levels: Double, result: Ink, slack: Double)?
        canvas.forEachTouched(in: canvas.bounds) { x, y in
            let ink = canvas.ink(x: x, y: y)
            let levels = canvas.uncertainty(x: x, y: y)
            if last == nil || last!.ink != ink || last!.levels != levels {
                last = (ink, levels, result(ink), uncertainty(ink, by: levels))
            }
            var flags = canvas.flags(x: x, y: y)
            var slack = last!.slack
            if filter.kind == .alphaThreshold {
                let isNear = abs(ink.alpha - filter.number(.inputAmount) * 255) <= max(levels, 2)
                if isNear { flags = flags | .doubtful }
                slack = isNear ? 255 : levels
            }
            output.replace(x: x, y: y, with: last!.result, flags: flags, slack: slack)
        }
        output.touch(canvas.touched)
        return output
    }

    // MARK: Formulas

    private static func luma(_ c: Color) -> Double { 0.2126 * c.red + 0.7152 * c.green + 0.0722 * c.blue }

    private static func change(_ filter: LayerFilter) -> Change {
        let amount = filter.number(.inputAmount)
        let input = filter.color(.inputColor)
        func each(_ f: @escaping (Double) -> Double) -> Change {
            { Color(f($0.red), f($0.green), f($0.blue), $0.alpha) }
        }
        switch filter.kind {
        case .colorMatrix: return matrix(filter.colorMatrix)
        case .colorSaturate:
            return { c in
                let gray = luma(c)
                return each { gray + ($0 - gray) * amount }(c)
            }
        case .colorBrightness: return each { $0 + amount }
        case .colorContrast: return each { ($0 - 0.5) * amount + 0.5 }
        case .colorHueRotate: return matrix(hueRotation(filter.number(.inputAngle)))
        case .colorInvert: return each { 1 - $0 }
        case .colorMonochrome:
            let bias = filter.number(.inputBias)
            return { c in
                let gray = luma(c)
                return Color(
                    c.red + (gray * input.red + bias - c.red) * amount,
                    c.green + (gray * input.green + bias - c.green) * amount,
                    c.blue + (gray * input.blue + bias - c.blue) * amount, c.alpha)
            }
        case .colorAdd, .colorSubtract:
            let sign = (filter.kind == .colorAdd ? 1 : -1) * input.alpha
            return {
                Color(
                    $0.red + sign * input.red, $0.green + sign * input.green, $0.blue + sign * input.blue, $0.alpha)
            }
        case .multiplyColor:
            return {
                Color($0.red * input.red, $0.green * input.green, $0.blue * input.blue, $0.alpha * input.alpha)
            }
        case .alphaThreshold:
            return { c in
                var result = c
                // Alphas are whole levels; 0.5 of 255 lies between two.
                result.alpha = c.alpha >= amount ? 1 : 0
                return result
            }
        default: return { $0 }
        }
    }

    /// Four rows of five.
    private static func matrix(_ m: [Double]) -> Change {
        { c in
            func row(_ i: Int) -> Double {
                m[i] * c.red + m[i + 1] * c.green + m[i + 2] * c.blue + m[i + 3] * c.alpha + m[i + 4]
            }
            return Color(row(0), row(5), row(10), row(15))
        }
    }

    private static func hueRotation(_ angle: Double) -> [Double] {
        let c = cos(angle)
        let s = sin(angle)
        return [
            0.213 + c * 0.787 - s * 0.213, 0.715 - c * 0.715 - s * 0.715, 0.072 - c * 0.072 + s * 0.928, 0, 0,
            0.213 - c * 0.213 + s * 0.143, 0.715 + c * 0.285 + s * 0.140, 0.072 - c * 0.072 - s * 0.283, 0, 0,
            0.213 - c * 0.213 - s * 0.787, 0.715 - c * 0.715 + s * 0.715, 0.072 + c * 0.928 + s * 0.072, 0, 0,
            0, 0, 0, 1, 0,
        ]
    }
}
