import LayerModel

/// A premultiplied color in units of 8-bit levels, 0…255, not rounded yet.
struct Ink: Equatable {
    var blue: Double
    var green: Double
    var red: Double
    var alpha: Double

    static let clear = Ink(blue: 0, green: 0, red: 0, alpha: 0)

    init(blue: Double, green: Double, red: Double, alpha: Double) {
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

/// The 8-bit value nearest to a level, halves upward.
func roundedByte(_ value: Double) -> UInt8 {
    // Plain comparisons: this is called for every component of every draw, and debug builds don't specialize `min`.
    if !(value > 0) { return 0 }
    return value >= 255 ? 255 : UInt8(value + 0.5)
}
