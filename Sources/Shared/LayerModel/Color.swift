/// A color as an app gives it: extended sRGB, encoded (not linear), straight alpha. Clamped only when drawn.
package struct Color: Hashable, Sendable {
    package var red: Double
    package var green: Double
    package var blue: Double
    package var alpha: Double

    @inlinable
    package init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    @inlinable
    package init(_ red: Double, _ green: Double, _ blue: Double, _ alpha: Double = 1) {
        self.init(red: red, green: green, blue: blue, alpha: alpha)
    }

    package static let black = Color(0, 0, 0)
    package static let white = Color(1, 1, 1)
    package static let clear = Color(0, 0, 0, 0)

    @inlinable
    package var isFinite: Bool { (red + green + blue + alpha).isFinite }

    /// Clamped to 0…1, color times alpha.
    @inlinable
    package var premultiplied: PremultipliedColor {
        let a = min(max(alpha, 0), 1)
        return PremultipliedColor(
            red: Float(min(max(red, 0), 1) * a), green: Float(min(max(green, 0), 1) * a),
            blue: Float(min(max(blue, 0), 1) * a), alpha: Float(a))
    }
}

/// A color as it is drawn: components in 0…1, already multiplied by alpha.
package struct PremultipliedColor: Hashable, Sendable {
    package var red: Float
    package var green: Float
    package var blue: Float
    package var alpha: Float

    @inlinable
    package init(red: Float, green: Float, blue: Float, alpha: Float) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    @inlinable
    package static var clear: PremultipliedColor { PremultipliedColor(red: 0, green: 0, blue: 0, alpha: 0) }
    @inlinable
    package static var white: PremultipliedColor { PremultipliedColor(red: 1, green: 1, blue: 1, alpha: 1) }

    @inlinable
    package static func == (a: PremultipliedColor, b: PremultipliedColor) -> Bool {
        a.red == b.red && a.green == b.green && a.blue == b.blue && a.alpha == b.alpha
    }

    @inlinable
    package static func * (color: PremultipliedColor, factor: Float) -> PremultipliedColor {
        PremultipliedColor(
            red: color.red * factor, green: color.green * factor, blue: color.blue * factor,
            alpha: color.alpha * factor)
    }
}
