// Paths made of paths: what a line along one covers, its dashes, a part of it; and measures along it.
//
// What comes out is made of straight pieces. They are off by at most a 256th of a unit of the path, or of its size if that is
// less than a unit; so a path that will be enlarged much is better enlarged first.

import Foundation
import LayerModel
import Paths

/// How lines end.
public enum CGLineCap: Int32, Sendable {
    /// At the end of the path.
    case butt = 0
    /// With half a disc.
    case round = 1
    /// Half a width beyond.
    case square = 2
}

/// How lines turn at corners.
public enum CGLineJoin: Int32, Sendable {
    /// To a point, unless it would be longer than the miter limit; then as `bevel`.
    case miter = 0
    case round = 1
    /// Straight across.
    case bevel = 2
}

extension CGPath {
    /// The area that a line along the path covers, to be filled by the winding rule.
    ///
    /// - Parameters:
    ///   - width: Of the line, centered on the path. Empty where it is not above 0.
    ///   - miterLimit: A miter longer than this many widths becomes a bevel.
    ///   - transform: Applied to the path first.
    public final func copy(
        strokingWithWidth width: CGFloat, lineCap: CGLineCap, lineJoin: CGLineJoin, miterLimit: CGFloat,
        transform: CGAffineTransform = .identity
    ) -> CGPath {
        let path = vectorPath.applying(transform)
        let style = StrokeStyle(
            width: Double(width), cap: LineCap(lineCap), join: LineJoin(lineJoin), miterLimit: Double(miterLimit))
        return CGPath(path.stroked(style, tolerance: path.tolerance))
    }

    /// The path in dashes.
    ///
    /// - Parameters:
    ///   - phase: How far into the pattern each contour begins.
    ///   - lengths: Of dashes and gaps in turn; an odd number is gone through twice. Without any that is above 0, a copy.
    ///   - transform: Applied to the path first.
    public final func copy(
        dashingWithPhase phase: CGFloat, lengths: [CGFloat], transform: CGAffineTransform = .identity
    ) -> CGPath {
        let path = vectorPath.applying(transform)
        guard lengths.contains(where: { $0 > 0 }) else { return CGPath(path) }
        return CGPath(path.dashed(lengths.map { Double($0) }, phase: Double(phase), tolerance: path.tolerance))
    }

    /// The part between two fractions of the length of all contours: what a shape layer's `strokeStart` and `strokeEnd` leave.
    package final func trimmed(from start: Double, to end: Double) -> CGPath {
        CGPath(VectorPath(FlatPath(vectorPath, tolerance: vectorPath.tolerance).trimmed(from: start, to: end)))
    }

    /// The length of all contours.
    package final var length: Double { FlatPath(vectorPath, tolerance: vectorPath.tolerance).length }

    /// A point on the path and the direction there, radians; nil for a path without lines.
    package final func place(atFraction fraction: Double) -> (point: CGPoint, angle: Double)? {
        FlatPath(vectorPath, tolerance: vectorPath.tolerance).place(at: fraction).map {
            (CGPoint($0.point), atan2($0.direction.y, $0.direction.x))
        }
    }
}

extension CGPath {
    /// A layer's outline.
    package convenience init(outlineOf rect: Rect, radius: Double, corners: CornerMask, curve: CornerCurve) {
        self.init(
            rect.isFinite && radius.isFinite
                ? VectorPath(roundedRect: rect, radius: radius, corners: corners, curve: curve) : VectorPath())
    }
}

extension VectorPath {
    /// Units of the path.
    var tolerance: Double {
        guard let box = controlBox else { return 1 }
        let size = max(box.width, box.height)
        return size > 0 && size.isFinite ? min(size, 1) / 256 : 1
    }
}

extension LineCap {
    package init(_ cap: CGLineCap) {
        self =
            switch cap {
            case .butt: .butt
            case .round: .round
            case .square: .square
            }
    }
}

extension LineJoin {
    package init(_ join: CGLineJoin) {
        self =
            switch join {
            case .miter: .miter
            case .round: .round
            case .bevel: .bevel
            }
    }
}
