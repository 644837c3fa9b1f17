import LayerModel

/// A premultiplied color in units of 8-bit levels, 0…255, not rounded yet.
package struct Ink: Equatable {
    package var blue: Double
    package var green: Double
    package var red: Double
    package var alpha: Double

    static let clear = Ink(blue: 0, green: 0, red: 0, alpha: 0)

    package init(blue: Double, green: Double, red: Double, alpha: Double) {
        self.blue = blue
        self.green = green
        self.red = red
        self.alpha = alpha
    }

    /// Clamped to 0…1, then color times alpha, all in encoded sRGB.
    init(_ color: Color) {
        func clamped(_ value: Double) -> Double { min(max(value, 0), 1) }
        alpha = 255 * clamped(color.alpha)
        blue = alpha * clamped(color.blue)
        green = alpha * clamped(color.green)
        red = alpha * clamped(color.red)
    }

    static func * (a: Ink, factor: Double) -> Ink {
        Ink(blue: a.blue * factor, green: a.green * factor, red: a.red * factor, alpha: a.alpha * factor)
    }

    static func + (a: Ink, b: Ink) -> Ink {
        Ink(blue: a.blue + b.blue, green: a.green + b.green, red: a.red + b.red, alpha: a.alpha + b.alpha)
    }

    /// Source-over on encoded, premultiplied components.
    func over(_ below: Ink) -> Ink {
        self + below * (1 - alpha / 255)
    }
}

extension Ink {
    /// Within 0…255, no color above alpha.
    var clamped: Ink {
        let a = min(max(alpha, 0), 255)
        return Ink(blue: min(max(blue, 0), a), green: min(max(green, 0), a), red: min(max(red, 0), a), alpha: a)
    }

    /// All colors moved by so many levels, alpha kept.
    func moved(by levels: Double) -> Ink {
        Ink(blue: blue + levels, green: green + levels, red: red + levels, alpha: alpha).clamped
    }

    /// One color (0 blue, 1 green, 2 red) moved.
    func moved(_ component: Int, by levels: Double) -> Ink {
        var result = self
        switch component {
        case 0: result.blue += levels
        case 1: result.green += levels
        default: result.red += levels
        }
        return result.clamped
    }

    /// The difference of each component, without its sign.
    func distance(to other: Ink) -> Ink {
        Ink(
            blue: abs(blue - other.blue), green: abs(green - other.green), red: abs(red - other.red),
            alpha: abs(alpha - other.alpha))
    }

    func larger(_ b: Ink) -> Ink {
        Ink(blue: max(blue, b.blue), green: max(green, b.green), red: max(red, b.red), alpha: max(alpha, b.alpha))
    }

    var largest: Double { max(blue, green, red, alpha) }

    /// From here to another color: 0 is this one, 1 the other.
    func mixed(with other: Ink, _ share: Double) -> Ink { self * (1 - share) + other * share }
}

/// The 8-bit value nearest to a level, halves upward.
func roundedByte(_ value: Double) -> UInt8 {
    // Plain comparisons: this is called for every component of every draw, and debug builds don't specialize `min`.
    if !(value > 0) { return 0 }
    return value >= 255 ? 255 : UInt8(value + 0.5)
}
