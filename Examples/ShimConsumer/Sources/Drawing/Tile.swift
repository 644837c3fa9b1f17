import CoreGraphics

/// A square that is turned about its own center.
public struct Tile: Sendable {
    public var center: CGPoint
    public var side: CGFloat
    public var angle: CGFloat
    public var color: CGColor

    public init(center: CGPoint, side: CGFloat, angle: CGFloat, color: CGColor) {
        self.center = center
        self.side = side
        self.angle = angle
        self.color = color
    }

    public var transform: CGAffineTransform {
        CGAffineTransform(translationX: center.x, y: center.y).rotated(by: angle)
    }

    /// The upright rectangle that the turned square fits in.
    public var bounds: CGRect {
        CGRect(x: -side / 2, y: -side / 2, width: side, height: side).applying(transform)
    }
}
