import Foundation
import LayerModel

/// A colour: components in extended sRGB, encoded, with straight alpha.
public final class CGColor: Sendable {
    package let color: Color

    /// A colour from sRGB components, nominally 0…1; values outside are kept and clamped when drawn.
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        color = Color(Double(red), Double(green), Double(blue), Double(alpha))
    }

    package init(_ color: Color) {
        self.color = color
    }
}
