// A path as short straight pieces that remember which way the path went at both of their ends.
//
// Strokes are offset from the path, so chords alone will not do: where a curve is cut, both pieces must be offset in the
// same direction, or the line's rim would have a step at every cut. A piece is short enough when it turns so little that
// neither the curve itself nor its parallel at half the line's width is further from its chord than the tolerance: for a
// chord c that turns by θ, with the parallel at h, that is (c·θ + h·θ²) / 8.
//
// Where a curve turns on the spot (a cusp) no piece is short enough; there the line gets a round corner, which is what the
// parallels of the smooth curves nearby tend to.

import Glibc
import LayerModel

/// Contours of pieces, in the path's own space.
package struct FlatPath: Sendable {
    /// How a piece begins after the one before it.
    enum Joint: UInt8, Sendable {
        /// As the style says.
        case corner
        /// The direction is that of the piece before.
        case smooth
        /// The curve turns on the spot.
        case cusp
    }

    struct Piece: Sendable {
        var from: Point
        var to: Point
        /// Unit vectors.
        var fromDirection: Point
        var toDirection: Point
        var length: Double
        var joint: Joint
    }

    struct Contour: Sendable {
        var pieces: Range<Int>
        var isClosed: Bool
    }

    var pieces: ContiguousArray<Piece> = []
    var contours: [Contour] = []
    /// Of all contours.
    package private(set) var length = 0.0

    /// Pieces of one path, at most; beyond, curves are cut less finely.
    static let mostPieces = 1 << 21

    init() {}

    /// - Parameters:
    ///   - tolerance: Largest distance from the curve and its parallels, units of the path; above 0.
    ///   - halfWidth: How far away the parallels are.
    package init(_ path: VectorPath, tolerance: Double, halfWidth: Double = 0) {
        self.init(path, tolerance: tolerance, halfWidth: halfWidth, sight: nil)
    }

    /// - Parameter sight: Curves that it misses become one piece each, so that lengths are not theirs. Nil misses none.
    init(_ path: VectorPath, tolerance: Double, halfWidth: Double, sight: PathSight?) {
        guard path.isFinite, tolerance > 0 else { return }
        pieces.reserveCapacity(path.verbs.count)
        let curves = path.curveCount(in: sight)
        var depth = 12
        while depth > 0, curves << depth > Self.mostPieces { depth -= 1 }
        let cutter = CurveCutter(tolerance: tolerance, halfWidth: halfWidth, mostCuts: depth, sight: sight)
        var next = 0
        var start = Point.zero
        var current = Point.zero
        var first = 0
        /// Something beyond a move was there, so that the contour is at least a dot.
        var isDrawn = false
        let points = path.points
        func line(to end: Point, into pieces: inout ContiguousArray<Piece>) {
            let (dx, dy) = (end.x - current.x, end.y - current.y)
            let length = (dx * dx + dy * dy).squareRoot()
            guard length > 0, length.isFinite else { return }
            let direction = Point(dx / length, dy / length)
            pieces.append(
                Piece(
                    from: current, to: end, fromDirection: direction, toDirection: direction, length: length,
                    joint: .corner))
        }
        func finish(closed: Bool, _ pieces: inout ContiguousArray<Piece>, _ contours: inout [Contour]) {
            if isDrawn, pieces.count == first {
                // No direction is known: the ends of a dot are upright.
                pieces.append(
                    Piece(
                        from: start, to: start, fromDirection: Point(1, 0), toDirection: Point(1, 0), length: 0,
                        joint: .corner))
                contours.append(Contour(pieces: first..<pieces.count, isClosed: false))
            } else if pieces.count > first {
                contours.append(Contour(pieces: first..<pieces.count, isClosed: closed))
            }
            first = pieces.count
            isDrawn = false
        }
        for verb in path.verbs {
            switch verb {
            case .move:
                finish(closed: false, &pieces, &contours)
                start = points[next]
                current = start
            case .line:
                isDrawn = true
                line(to: points[next], into: &pieces)
                current = points[next]
            case .quad:
                isDrawn = true
                let (control, end) = (points[next], points[next + 1])
                cutter.cut(
                    current, mix(current, control, 2.0 / 3), mix(end, control, 2.0 / 3), end, into: &pieces)
                current = end
            case .cubic:
                isDrawn = true
                cutter.cut(current, points[next], points[next + 1], points[next + 2], into: &pieces)
                current = points[next + 2]
            case .close:
                isDrawn = true
                line(to: start, into: &pieces)
                finish(closed: true, &pieces, &contours)
                current = start
            }
            next += verb.pointCount
        }
        finish(closed: false, &pieces, &contours)
        sumLengths()
    }

    mutating func sumLengths() {
        length = pieces.reduce(0) { $0 + $1.length }
    }
}

extension FlatPath.Piece {
    /// The part between two fractions of its length.
    func part(from a: Double, to b: Double) -> FlatPath.Piece {
        var part = self
        if a > 0 {
            part.from = mix(from, to, a)
            part.fromDirection = direction(at: a)
        }
        if b < 1 {
            part.to = mix(from, to, b)
            part.toDirection = direction(at: b)
        }
        part.length = length * (b - a)
        return part
    }

    func direction(at fraction: Double) -> Point {
        let between = mix(fromDirection, toDirection, fraction)
        let size = hypot(between.x, between.y)
        return size > 1e-9 ? Point(between.x / size, between.y / size) : fromDirection
    }
}

/// Cuts cubics into pieces.
private struct CurveCutter {
    var tolerance: Double
    var halfWidth: Double
    var mostCuts: Int
    var sight: PathSight?

    func cut(
        _ a: Point, _ b: Point, _ c: Point, _ d: Point, into pieces: inout ContiguousArray<FlatPath.Piece>
    ) {
        let size = max(
            abs(b.x - a.x) + abs(b.y - a.y), abs(c.x - b.x) + abs(c.y - b.y), abs(d.x - c.x) + abs(d.y - c.y))
        guard size > 0, size.isFinite, size < 1e150 else { return }
        // Shorter control arms say nothing about a direction.
        let shortest = size * size * 1e-18
        var joint = FlatPath.Joint.corner
        halve(a, b, c, d, mostCuts, shortest, &joint, &pieces)
    }

    private func halve(
        _ a: Point, _ b: Point, _ c: Point, _ d: Point, _ cutsLeft: Int, _ shortest: Double,
        _ joint: inout FlatPath.Joint, _ pieces: inout ContiguousArray<FlatPath.Piece>
    ) {
        if cutsLeft > 0, !isShort(a, b, c, d, shortest) {
            if let sight, sight.misses(a, b, c, d) { return addUnseen(from: a, to: d, &joint, &pieces) }
            let (ab, bc, cd) = (mix(a, b, 0.5), mix(b, c, 0.5), mix(c, d, 0.5))
            let (abc, bcd) = (mix(ab, bc, 0.5), mix(bc, cd, 0.5))
            let middle = mix(abc, bcd, 0.5)
            halve(a, ab, abc, middle, cutsLeft - 1, shortest, &joint, &pieces)
            halve(middle, bcd, cd, d, cutsLeft - 1, shortest, &joint, &pieces)
            return
        }
        let (dx, dy) = (d.x - a.x, d.y - a.y)
        let length = (dx * dx + dy * dy).squareRoot()
        let from = firstDirection(a, b, c, d, shortest)
        let to = firstDirection(d, c, b, a, shortest)
        guard length > 0, let from, let to else {
            if length > 0 {
                let direction = Point(dx / length, dy / length)
                pieces.append(
                    FlatPath.Piece(
                        from: a, to: d, fromDirection: direction, toDirection: direction, length: length, joint: joint))
                joint = .cusp
            } else if joint == .smooth {
                joint = .cusp
            }
            return
        }
        let (start, end) = (from, Point(-to.x, -to.y))
        if joint == .smooth, let before = pieces.last?.toDirection, before.x * start.x + before.y * start.y < 0.9 {
            // It was cut right at the cusp.
            joint = .cusp
        }
        if start.x * end.x + start.y * end.y < 0.9 {
            // A cusp, cut as often as may be: straight across.
            let direction = Point(dx / length, dy / length)
            pieces.append(
                FlatPath.Piece(
                    from: a, to: d, fromDirection: direction, toDirection: direction, length: length,
                    joint: joint == .smooth ? .cusp : joint))
            joint = .cusp
        } else {
            pieces.append(
                FlatPath.Piece(from: a, to: d, fromDirection: start, toDirection: end, length: length, joint: joint))
            joint = .smooth
        }
    }

    /// One piece for a curve that nothing is drawn along. What follows it begins anew.
    private func addUnseen(
        from a: Point, to d: Point, _ joint: inout FlatPath.Joint, _ pieces: inout ContiguousArray<FlatPath.Piece>
    ) {
        let length = hypot(d.x - a.x, d.y - a.y)
        let direction = length > 0 ? Point((d.x - a.x) / length, (d.y - a.y) / length) : Point(1, 0)
        pieces.append(
            FlatPath.Piece(
                from: a, to: d, fromDirection: direction, toDirection: direction, length: length, joint: .corner))
        joint = .corner
    }

    /// A unit vector from the first point towards the first other one that is away from it.
    private func firstDirection(_ a: Point, _ b: Point, _ c: Point, _ d: Point, _ shortest: Double) -> Point? {
        direction(from: a, to: b, shortest) ?? direction(from: a, to: c, shortest)
            ?? direction(
                from: a, to: d, shortest)
    }

    @inline(__always)
    private func direction(from a: Point, to b: Point, _ shortest: Double) -> Point? {
        let (dx, dy) = (b.x - a.x, b.y - a.y)
        let square = dx * dx + dy * dy
        guard square > shortest else { return nil }
        let size = square.squareRoot()
        return Point(dx / size, dy / size)
    }

    /// How much the second arm turns away from the first: the angle at least, and not much more while it is small.
    @inline(__always)
    private func turn(_ a: Point, _ b: Point, _ shortest: Double) -> Double {
        let dot = a.x * b.x + a.y * b.y
        let cross = abs(a.x * b.y - a.y * b.x)
        guard dot > 0 else {
            let isArm = a.x * a.x + a.y * a.y > shortest && b.x * b.x + b.y * b.y > shortest
            return isArm ? .infinity : 0
        }
        return cross / dot
    }

    /// Whether its chord will do.
    private func isShort(_ a: Point, _ b: Point, _ c: Point, _ d: Point, _ shortest: Double) -> Bool {
        let (u, v, w) = (Point(b.x - a.x, b.y - a.y), Point(c.x - b.x, c.y - b.y), Point(d.x - c.x, d.y - c.y))
        var turning = 0.0
        if v.x * v.x + v.y * v.y > shortest {
            turning = turn(u, v, shortest) + turn(v, w, shortest)
        } else {
            turning = turn(u, w, shortest)
        }
        guard turning > 0 else { return true }
        guard turning < 0.6 else { return false }
        let chord = ((d.x - a.x) * (d.x - a.x) + (d.y - a.y) * (d.y - a.y)).squareRoot()
        return (chord * turning + halfWidth * turning * turning) / 8 <= tolerance
    }
}

@inline(__always)
func mix(_ a: Point, _ b: Point, _ t: Double) -> Point {
    Point(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t)
}
