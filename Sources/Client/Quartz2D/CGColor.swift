import Foundation
import LayerModel

/// A color: components in extended sRGB, encoded, with straight alpha. Values outside 0…1 are kept and clamped when
/// drawn; a component that is not finite becomes 0.
public final class CGColor: Sendable, Hashable {
    package let color: Color

    /// How `components` gives the color back: gray colors stay gray.
    public let colorSpace: CGColorSpace?

    package convenience init(_ color: Color) {
        self.init(color, in: .standard)
    }

    private init(_ color: Color, in space: CGColorSpace) {
        self.color = Color(
            Self.finite(color.red), Self.finite(color.green), Self.finite(color.blue), Self.finite(color.alpha))
        colorSpace = space
    }

    private static func finite(_ component: Double) -> Double { component.isFinite ? component : 0 }

    /// A color from sRGB components, nominally 0…1.
    public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.init(Color(Double(red), Double(green), Double(blue), Double(alpha)), in: .standard)
    }

    /// A color from sRGB components, nominally 0…1.
    public convenience init(srgbRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.init(red: red, green: green, blue: blue, alpha: alpha)
    }

    /// A gray: red, green and blue alike.
    public convenience init(gray: CGFloat, alpha: CGFloat) {
        self.init(Color(Double(gray), Double(gray), Double(gray), Double(alpha)), in: .gray)
    }

    /// A gray of gamma 2.2, which is drawn as sRGB of equal components.
    public convenience init(genericGrayGamma2_2Gray gray: CGFloat, alpha: CGFloat) {
        self.init(gray: gray, alpha: alpha)
    }

    /// A color from inks, 0…1: light that each of them, and black, takes away. Without a press's profile; kept as sRGB.
    public convenience init(
        genericCMYKCyan cyan: CGFloat, magenta: CGFloat, yellow: CGFloat, black: CGFloat, alpha: CGFloat
    ) {
        self.init(
            red: (1 - cyan) * (1 - black), green: (1 - magenta) * (1 - black), blue: (1 - yellow) * (1 - black),
            alpha: alpha)
    }

    /// A color from a space's components, alpha last. Nil for fewer components than the space has plus alpha; more are
    /// not looked at.
    public convenience init?(colorSpace: CGColorSpace, components: [CGFloat]) {
        guard components.count > colorSpace.numberOfComponents else { return nil }
        let values = components.map { Double($0) }
        switch colorSpace.space {
        case .sRGB, .extendedSRGB:
            self.init(Color(values[0], values[1], values[2], values[3]), in: colorSpace)
        case .genericGrayGamma2_2:
            self.init(Color(values[0], values[0], values[0], values[1]), in: colorSpace)
        }
    }

    /// The components in the color's own space, alpha last: four for RGB, two for gray.
    public var components: [CGFloat]? {
        colorSpace?.space == .genericGrayGamma2_2
            ? [CGFloat(color.red), CGFloat(color.alpha)]
            : [CGFloat(color.red), CGFloat(color.green), CGFloat(color.blue), CGFloat(color.alpha)]
    }

    /// With alpha.
    public var numberOfComponents: Int { (colorSpace?.numberOfComponents ?? 3) + 1 }

    /// How opaque it is: 0 is clear, 1 opaque. Kept as it was given.
    public var alpha: CGFloat { CGFloat(color.alpha) }

    /// The same color with another alpha.
    public func copy(alpha: CGFloat) -> CGColor? {
        var copied = color
        copied.alpha = Double(alpha)
        return CGColor(copied, in: colorSpace ?? .standard)
    }

    /// Opaque black, a gray.
    public static let black = CGColor(gray: 0, alpha: 1)
    /// Opaque white, a gray.
    public static let white = CGColor(gray: 1, alpha: 1)
    /// Black with an alpha of 0, a gray.
    public static let clear = CGColor(gray: 0, alpha: 0)

    /// Equal when they are drawn alike: the space in which `components` are given back does not count, so that a gray
    /// equals the RGB color it is.
    public static func == (a: CGColor, b: CGColor) -> Bool { a.color == b.color }

    public func hash(into hasher: inout Hasher) { hasher.combine(color) }
}
