// How shapes become lines and cubics.
//
// An arc is cut into equal pieces of at most a quarter turn; a piece of angle θ has handles of 4/3 · tan(θ/4) radii. Source:
// semantic reference, §7.2, and the decisions on where ellipses start and what degenerate shapes do.

import Foundation
import LayerModel

/// Part of a circle.
struct Arc {
    var center: Point
    var radius: Double
    /// Radians from the x axis towards the y axis.
    var start: Double
    /// Radians; positive: the angle grows.
    var sweep: Double

    private static let turn = 2 * Double.pi

    /// From one angle to another with the angle growing or falling. A turn or more stays one: it is not nothing.
    static func sweep(from start: Double, to end: Double, falling: Bool) -> Double {
        let difference = end - start
        guard difference.isFinite else { return .nan }
        // What the angle must grow by, less than a turn. Rounding must not make a full turn of nothing, nor the reverse.
        var rest = (falling ? -difference : difference).truncatingRemainder(dividingBy: turn)
        if abs(abs(rest) - turn) < 1e-9 || abs(rest) < 1e-9 { rest = 0 }
        if rest < 0 { rest += turn }
        let size = abs(difference) >= turn - 1e-9 ? turn + rest : rest
        return falling ? -size : size
    }

    /// The same end, and no more than two turns: more draw nothing else.
    static func atMostTwoTurns(_ sweep: Double) -> Double {
        guard abs(sweep) > 2 * turn else { return sweep }
        let rest = sweep.truncatingRemainder(dividingBy: turn)
        return sweep > 0 ? turn + rest : rest - turn
    }

    init(center: Point, radius: Double, start: Double, sweep: Double) {
        self.center = center
        self.radius = radius
        self.start = start
        self.sweep = sweep
    }

    /// The arc that touches the lines from `from` to `corner` and on to `to`; nil where they are one line or there is no
    /// radius.
    init?(rounding corner: Point, from: Point, to: Point, radius: Double) {
        let a = Vector(from: corner, to: from)
        let b = Vector(from: corner, to: to)
        guard radius > 0, radius.isFinite, a.length > 0, b.length > 0 else { return nil }
        let cross = (a.dx * b.dy - a.dy * b.dx) / (a.length * b.length)
        let dot = (a.dx * b.dx + a.dy * b.dy) / (a.length * b.length)
        guard cross.isFinite, dot.isFinite, abs(cross) > 1e-12 else { return nil }
        let half = atan2(abs(cross), dot) / 2
        let along = radius / tan(half)
        let touchA = Point(corner.x + a.dx / a.length * along, corner.y + a.dy / a.length * along)
        // From a point of touch the center lies at a right angle, on the side of the other line.
        let side = cross > 0 ? 1.0 : -1.0
        center = Point(
            touchA.x - side * a.dy / a.length * radius, touchA.y + side * a.dx / a.length * radius)
        self.radius = radius
        start = atan2(touchA.y - center.y, touchA.x - center.x)
        sweep = -side * (.pi - 2 * half)
        guard center.isFinite, start.isFinite else { return nil }
    }

    private struct Vector {
        var dx: Double
        var dy: Double
        var length: Double { (dx * dx + dy * dy).squareRoot() }

        init(from: Point, to: Point) {
            dx = to.x - from.x
            dy = to.y - from.y
        }
    }
}

extension VectorPath {
    enum Shape {
        case rect(CGRect)
        case ellipse(CGRect)
        case roundedRect(CGRect, CGFloat, CGFloat)
    }

    /// Handle of a quarter circle's cubic, in radii.
    private static let quarterHandle = 4.0 / 3 * tan(Double.pi / 8)

    /// Adds a closed contour; nothing for a null rectangle.
    mutating func add(_ shape: Shape, _ transform: CGAffineTransform) {
        func point(_ x: Double, _ y: Double) -> Point { Point(CGPoint(x: x, y: y).applying(transform)) }
        switch shape {
        case .rect(let rect):
            guard !rect.isNull else { return }
            let r = Rect(rect).standardized
            move(to: point(r.minX, r.minY))
            line(to: point(r.maxX, r.minY))
            line(to: point(r.maxX, r.maxY))
            line(to: point(r.minX, r.maxY))
        case .ellipse(let rect):
            guard !rect.isNull else { return }
            let r = Rect(rect).standardized
            addCorners(of: r, width: r.width / 2, height: r.height / 2, withSides: false, point)
        case .roundedRect(let rect, let cornerWidth, let cornerHeight):
            guard !rect.isNull else { return }
            let r = Rect(rect).standardized
            let width = min(max(Double(cornerWidth), 0), r.width / 2)
            let height = min(max(Double(cornerHeight), 0), r.height / 2)
            addCorners(of: r, width: width, height: height, withSides: true, point)
        }
        close()
    }

    /// Quarter ellipses in the four corners, the one at max x and max y first, from the right side on.
    private mutating func addCorners(
        of r: Rect, width: Double, height: Double, withSides: Bool, _ point: (Double, Double) -> Point
    ) {
        let (kx, ky) = (width * (1 - VectorPath.quarterHandle), height * (1 - VectorPath.quarterHandle))
        let middle = r.minY + r.height / 2
        move(to: point(r.maxX, middle))
        if withSides { line(to: point(r.maxX, r.maxY - height)) }
        cubic(to: point(r.maxX - width, r.maxY), point(r.maxX, r.maxY - ky), point(r.maxX - kx, r.maxY))
        if withSides { line(to: point(r.minX + width, r.maxY)) }
        cubic(to: point(r.minX, r.maxY - height), point(r.minX + kx, r.maxY), point(r.minX, r.maxY - ky))
        if withSides { line(to: point(r.minX, r.minY + height)) }
        cubic(to: point(r.minX + width, r.minY), point(r.minX, r.minY + ky), point(r.minX + kx, r.minY))
        if withSides { line(to: point(r.maxX - width, r.minY)) }
        cubic(
            to: point(r.maxX, withSides ? r.minY + height : middle), point(r.maxX - kx, r.minY),
            point(r.maxX, r.minY + ky))
    }

    /// A line to the arc's start, or a move where there is no current point, then the arc.
    mutating func addArc(_ arc: Arc, _ transform: CGAffineTransform) {
        guard arc.radius >= 0, arc.radius.isFinite, arc.start.isFinite, arc.sweep.isFinite else { return }
        func point(_ angle: Double, _ handle: Double) -> Point {
            let (sine, cosine) = (sin(angle), cos(angle))
            return Point(
                CGPoint(
                    x: arc.center.x + arc.radius * (cosine - handle * sine),
                    y: arc.center.y + arc.radius * (sine + handle * cosine)
                ).applying(transform))
        }
        let first = point(arc.start, 0)
        if isEmpty { move(to: first) } else if currentPoint != first { line(to: first) }
        // Sweeps are at most two turns.
        let pieces = (abs(arc.sweep) / (.pi / 2) - 1e-9).rounded(.up)
        guard pieces > 0 else { return }
        let step = arc.sweep / pieces
        let handle = 4.0 / 3 * tan(step / 4)
        for piece in 0..<Int(pieces) {
            let from = arc.start + step * Double(piece)
            let to = piece + 1 == Int(pieces) ? arc.start + arc.sweep : from + step
            cubic(to: point(to, 0), point(from, handle), point(to, -handle))
        }
    }

    /// Where the next line begins: the last point, or where a closed contour began.
    var currentPoint: Point? {
        guard let last = verbs.last else { return nil }
        guard last == .close else { return points.last }
        var next = points.count
        for verb in verbs.reversed() {
            next -= verb.pointCount
            if verb == .move { return points[next] }
        }
        return nil
    }

    /// Adds another path's contours.
    mutating func append(_ other: VectorPath) {
        var next = 0
        let points = other.points
        for verb in other.verbs {
            switch verb {
            case .move: move(to: points[next])
            case .line: line(to: points[next])
            case .quad: quad(to: points[next + 1], control: points[next])
            case .cubic: cubic(to: points[next + 2], points[next], points[next + 1])
            case .close: close()
            }
            next += verb.pointCount
        }
    }

    func applying(_ transform: CGAffineTransform) -> VectorPath {
        guard !transform.isIdentity else { return self }
        return VectorPath(verbs: verbs, points: points.map { Point(CGPoint($0).applying(transform)) }) ?? self
    }
}
