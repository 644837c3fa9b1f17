import CCairo
import Foundation
import LayerModel

extension CGContext {
    /// User space to base space. In a bitmap context that is pixels, y up.
    public var ctm: CGAffineTransform { state.ctm }

    /// The same as `ctm`.
    public var userSpaceToDeviceSpaceTransform: CGAffineTransform { state.ctm }

    /// From now on, drawing goes through `transform` first. One that is not finite is ignored.
    public func concatenate(_ transform: CGAffineTransform) {
        let new = transform.concatenating(state.ctm)
        guard new.isFinite else { return warn("a transform that is not finite is ignored") }
        state.ctm = new
    }

    /// From now on, drawing is moved first.
    public func translateBy(x tx: CGFloat, y ty: CGFloat) {
        concatenate(CGAffineTransform(translationX: tx, y: ty))
    }

    /// From now on, drawing is scaled first.
    public func scaleBy(x sx: CGFloat, y sy: CGFloat) { concatenate(CGAffineTransform(scaleX: sx, y: sy)) }

    /// - Parameter angle: Radians from the x axis towards the y axis.
    public func rotate(by angle: CGFloat) { concatenate(CGAffineTransform(rotationAngle: angle)) }

    /// From user space to base space.
    public func convertToDeviceSpace(_ point: CGPoint) -> CGPoint { point.applying(state.ctm) }
    /// From base space to user space. Where the ctm has no inverse, through the ctm itself.
    public func convertToUserSpace(_ point: CGPoint) -> CGPoint { point.applying(state.ctm.inverted()) }
    /// From user space to base space, as a direction.
    public func convertToDeviceSpace(_ size: CGSize) -> CGSize { size.applying(state.ctm) }
    /// From base space to user space, as a direction.
    public func convertToUserSpace(_ size: CGSize) -> CGSize { size.applying(state.ctm.inverted()) }
    /// The smallest upright rectangle around its corners in base space.
    public func convertToDeviceSpace(_ rect: CGRect) -> CGRect { rect.applying(state.ctm) }
    /// The smallest upright rectangle around its corners in user space.
    public func convertToUserSpace(_ rect: CGRect) -> CGRect { rect.applying(state.ctm.inverted()) }

    /// User space to device pixels.
    var userToDevice: CGAffineTransform { state.ctm.concatenating(baseToDevice) }
}

extension CGAffineTransform {
    var isFinite: Bool { (a + b + c + d).isFinite && (tx + ty).isFinite }

    /// For cairo, which refuses what has no inverse. Nil for that, and for what would leave its numbers.
    var cairoMatrix: cairo_matrix_t? {
        let determinant = a * d - b * c
        guard isFinite, abs(determinant) > 1e-18, abs(determinant) < 1e18 else { return nil }
        guard max(abs(a), abs(b), abs(c), abs(d)) < 1e9, max(abs(tx), abs(ty)) < 1e9 else { return nil }
        return cairo_matrix_t(
            xx: Double(a), yx: Double(b), xy: Double(c), yy: Double(d), x0: Double(tx), y0: Double(ty))
    }

    /// How far a unit reaches at most.
    var largestScale: Double { max(hypot(Double(a), Double(b)), hypot(Double(c), Double(d))) }

    /// A unit's mean length: the square root of the area of a unit square.
    var meanScale: Double { abs(Double(a * d - b * c)).squareRoot() }
}
