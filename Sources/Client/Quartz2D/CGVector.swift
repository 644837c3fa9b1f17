import Foundation

/// A direction and a length; unlike a point it has no place.
public struct CGVector: Hashable, Sendable, Codable {
    /// Along x.
    public var dx: CGFloat
    /// Along y.
    public var dy: CGFloat

    /// No length.
    public init() {
        self.init(dx: 0, dy: 0)
    }

    /// A vector of its two parts.
    public init(dx: CGFloat, dy: CGFloat) {
        self.dx = dx
        self.dy = dy
    }

    /// A vector of its two parts.
    public init(dx: Double, dy: Double) {
        self.init(dx: CGFloat(dx), dy: CGFloat(dy))
    }

    /// A vector of its two parts.
    public init(dx: Int, dy: Int) {
        self.init(dx: CGFloat(dx), dy: CGFloat(dy))
    }

    /// No length.
    public static let zero = CGVector()
}
