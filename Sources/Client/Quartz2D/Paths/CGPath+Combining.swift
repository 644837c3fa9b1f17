// Paths as sets of points, combined. Spelling: CGPath of iOS 16 and macOS 13.
//
// What comes out is made of straight pieces, off by at most a 256th of a unit of the paths, or of their size if that is less than
// a unit; contours do not cross themselves, so both fill rules say the same of it. A path whose numbers are not finite has
// nothing inside, and neither has what would take hundreds of millions of comparisons.

import Foundation
import LayerModel
import Paths

extension CGPath {
    /// The points inside this path or another.
    public final func union(_ other: CGPath, using rule: CGPathFillRule = .winding) -> CGPath {
        combined(with: other, .union, rule)
    }

    /// The points inside both.
    public final func intersection(_ other: CGPath, using rule: CGPathFillRule = .winding) -> CGPath {
        combined(with: other, .intersection, rule)
    }

    /// The points inside this path and not inside another.
    public final func subtracting(_ other: CGPath, using rule: CGPathFillRule = .winding) -> CGPath {
        combined(with: other, .subtraction, rule)
    }

    /// The points inside one of them and not inside the other.
    public final func symmetricDifference(_ other: CGPath, using rule: CGPathFillRule = .winding) -> CGPath {
        combined(with: other, .symmetricDifference, rule)
    }

    /// The points inside, by contours that do not cross themselves.
    public final func normalized(using rule: CGPathFillRule = .winding) -> CGPath {
        combined(with: CGPath(VectorPath()), .union, rule)
    }

    /// Whether any point is inside both.
    public final func intersects(_ other: CGPath, using rule: CGPathFillRule = .winding) -> Bool {
        !intersection(other, using: rule).isEmpty
    }

    /// The parts of the line along this path that are inside another: open lines, but for contours that are inside whole. The
    /// rule says what is inside the other.
    public final func lineIntersection(_ other: CGPath, using rule: CGPathFillRule = .winding) -> CGPath {
        line(inside: true, of: other, rule)
    }

    /// The parts of the line along this path that are not inside another.
    public final func lineSubtracting(_ other: CGPath, using rule: CGPathFillRule = .winding) -> CGPath {
        line(inside: false, of: other, rule)
    }

    private func line(inside: Bool, of other: CGPath, _ rule: CGPathFillRule) -> CGPath {
        let tolerance = min(vectorPath.tolerance, other.vectorPath.tolerance)
        return CGPath(
            vectorPath.line(
                inside: inside, of: other.vectorPath, rule == .winding ? .nonZero : .evenOdd, tolerance: tolerance)
                ?? VectorPath())
    }

    private func combined(with other: CGPath, _ operation: PathOperation, _ rule: CGPathFillRule) -> CGPath {
        let tolerance = min(vectorPath.tolerance, other.vectorPath.tolerance)
        return CGPath(
            vectorPath.combined(
                with: other.vectorPath, operation, rule == .winding ? .nonZero : .evenOdd, tolerance: tolerance)
                ?? VectorPath())
    }
}
