// From pieces of a path to the contours of a line along it.
//
// The filled area is the union of what the pen covers, by the non-zero rule. Two things must hold for that:
//
// - Every contour turns the same way, whatever the path does, so that windings add up and never cancel. A contour runs along
//   the left side and comes back along the right one. Where a curve is tighter than half the line's width, its inner side
//   runs backwards and would turn the other way: there the contour ends, the piece is cut where its two ends cross, and both
//   triangles are added the right way round. Neighbors share their edges exactly, which cancel.
// - What is covered twice within a pixel costs more (SharedCells). So the inner side of a corner goes to where the two parallels cross, also when that is several
//   pieces away from the corner, and the two sides of a corner overlap nowhere. Only where they don't cross, as on pieces
//   that are shorter than the line is wide, do both ends overlap.
//
// It works in the path's own space: what a transform makes of a pen is made of its contours.

import Glibc
import LayerModel

/// Collects the contours of lines.
struct Stroker {
    typealias Piece = FlatPath.Piece

    private let half: Double
    private let style: StrokeStyle
    /// Of round ends and corners: what a chord turns by, how many there are at most, and how far out they reach, in radii.
    private let arcSine: Double
    private let arcCosine: Double
    private let mostChords: Int
    private let arcReach: Double
    /// How many pieces away from a corner its parallels may cross.
    private static let mostSkipped = 24

    /// Its last contour, which has not ended, is the left side of the line so far.
    private(set) var outline = Outline()
    /// Pairs of parallels that were looked at for where they cross, so far.
    private(set) var crossingTests = 0
    private var right: [Point] = []
    /// The first point of each side that a corner may take back.
    private var leftFloor = 0
    private var rightFloor = 0
    /// How many of the next pieces end before the crossing that a side went to.
    private var leftSkips = 0
    private var rightSkips = 0

    init(_ style: StrokeStyle, tolerance: Double) {
        self.style = style
        half = style.width / 2
        // Chords of arcs lie as much outside as inside (see addArc), so that they may be longer; half a pixel, which is 128 times
        // the tolerance, in any case.
        let share = min(max(2 * tolerance / max(half, 1e-300), 1e-8), 1)
        let step = min(max(2 * acos(1 - share), 128 * tolerance / max(half, 1e-300)), .pi / 4)
        (arcSine, arcCosine) = (sin(step), cos(step))
        mostChords = Int((.pi / step).rounded(.up))
        arcReach = (step / sin(step)).squareRoot()
    }

    mutating func add(_ path: FlatPath) {
        // Corners of zigzags take some seven points. What isn't used is never touched, what must grow is copied.
        let count = path.pieces.count
        outline.reserveCapacity(points: min(count * 10, count * 4 + 1 << 17))
        right.reserveCapacity(min(count * 4, count * 2 + 1 << 16))
        for contour in path.contours {
            path.pieces.withUnsafeBufferPointer { pieces in
                let part = UnsafeBufferPointer(rebasing: pieces[contour.pieces])
                if contour.isClosed { addClosed(part) } else { addOpen(part) }
            }
        }
    }

    // MARK: Contours

    private mutating func addOpen(_ pieces: UnsafeBufferPointer<Piece>) {
        guard let first = pieces.first, let last = pieces.last else { return }
        if pieces.count == 1, first.length == 0, style.cap == .butt { return }
        begin(at: first.from, first.fromDirection, cap: true)
        follow(pieces)
        end(at: last.to, last.toDirection)
    }

    /// Begins in the middle of the longest piece, so that beginning and end are the same straight edge, and cancel.
    private mutating func addClosed(_ pieces: UnsafeBufferPointer<Piece>) {
        guard var longest = pieces.indices.first else { return }
        for index in pieces.indices where pieces[index].length > pieces[longest].length { longest = index }
        var turned: ContiguousArray<Piece> = []
        turned.reserveCapacity(pieces.count + 1)
        let middle = pieces[longest]
        var second = middle.part(from: 0.5, to: 1)
        second.joint = .smooth
        turned.append(second)
        turned.append(contentsOf: pieces[(longest + 1)...])
        turned.append(contentsOf: pieces[..<longest])
        var half = middle.part(from: 0, to: 0.5)
        half.toDirection = second.fromDirection
        turned.append(half)
        turned.withUnsafeBufferPointer {
            begin(at: $0[0].from, $0[0].fromDirection, cap: false)
            follow($0)
        }
        flush()
    }

    private mutating func follow(_ pieces: UnsafeBufferPointer<Piece>) {
        for index in pieces.indices {
            if index > 0 { join(pieces, index) }
            extend(pieces[index])
        }
    }

    /// Along a piece, whose beginning both sides have reached.
    private mutating func extend(_ piece: Piece) {
        let (a, b) = (offset(piece.fromDirection), offset(piece.toDirection))
        let (l0, l1) = (piece.from + a, piece.to + b)
        let (r0, r1) = (piece.from - a, piece.to - b)
        let way = piece.to - piece.from
        let isLeftBack = dot(l1 - l0, way) < 0
        let isRightBack = dot(r1 - r0, way) < 0
        if isLeftBack || isRightBack {
            flush(through: piece.from)
            addTwisted(l0, l1, r0, r1)
            restart(l1, r1)
            return
        }
        if leftSkips > 0 { leftSkips -= 1 } else { outline.append(l1) }
        if rightSkips > 0 { rightSkips -= 1 } else { right.append(r1) }
    }

    /// A piece with a side that runs backwards.
    private mutating func addTwisted(_ l0: Point, _ l1: Point, _ r0: Point, _ r1: Point) {
        let (u, v) = (r0 - l0, r1 - l1)
        let turn = cross(u, v)
        let share = turn == 0 ? -1 : cross(l1 - l0, v) / turn
        guard share >= 0, share <= 1 else {
            addTriangle(l0, l1, r1)
            addTriangle(l0, r1, r0)
            return
        }
        let crossing = l0 + u * share
        addTriangle(crossing, r1, r0)
        addTriangle(l0, l1, crossing)
    }

    /// A triangle, the way round that all contours go.
    private mutating func addTriangle(_ a: Point, _ b: Point, _ c: Point) {
        let isBackwards = cross(b - a, c - a) > 0
        outline.append(a)
        outline.append(isBackwards ? c : b)
        outline.append(isBackwards ? b : c)
        outline.endContour()
    }

    // MARK: Runs

    /// Begins a contour; none is under way.
    private mutating func restart(_ l: Point, _ r: Point) {
        (leftFloor, rightFloor, leftSkips, rightSkips) = (outline.count, 0, 0, 0)
        outline.append(l)
        right.append(r)
    }

    /// Ends the contour where the line is now: left side forwards, right side back.
    private mutating func flush(through point: Point? = nil) {
        outline.endContour(through: point, back: right)
        right.removeAll(keepingCapacity: true)
    }

    // MARK: Ends

    private mutating func begin(at point: Point, _ direction: Point, cap: Bool) {
        let side = offset(direction)
        restart(point + side, point - side)
        guard cap, style.cap != .butt else { return }
        let back = direction * -half
        outline.removeLast()
        right.removeLast()
        if style.cap == .square {
            outline.append(point + back + side)
            right.append(point + back - side)
        } else {
            outline.append(point + back)
            addArc(around: point, from: back, to: side, turning: -1, onLeft: true)
            addArc(around: point, from: back, to: side * -1, turning: 1, onLeft: false)
        }
        outline.append(point + side)
        right.append(point - side)
        (leftFloor, rightFloor) = (outline.count - 1, right.count - 1)
    }

    private mutating func end(at point: Point, _ direction: Point) {
        let side = offset(direction)
        let ahead = direction * half
        switch style.cap {
        case .butt: break
        case .square:
            outline.append(point + ahead + side)
            right.append(point + ahead - side)
        case .round:
            addArc(around: point, from: side, to: ahead, turning: -1, onLeft: true)
            addArc(around: point, from: side * -1, to: ahead, turning: 1, onLeft: false)
            outline.append(point + ahead)
        }
        flush()
    }

    // MARK: Corners

    private mutating func join(_ pieces: UnsafeBufferPointer<Piece>, _ index: Int) {
        let (before, after) = (pieces[index - 1], pieces[index])
        if after.joint == .smooth { return }
        let turn = cross(before.toDirection, after.fromDirection)
        let along = dot(before.toDirection, after.fromDirection)
        if abs(turn) < 1e-7, along > 0 { return }
        let corner = after.from
        let isLeftInner = turn > 0
        let (a, b) = (offset(before.toDirection), offset(after.fromDirection))
        let (from, to) = isLeftInner ? (a * -1, b * -1) : (a, b)
        let join = after.joint == .cusp ? .round : style.join
        if goToCrossing(pieces, index, onLeft: isLeftInner) {
            addJoin(join, around: corner, from: from, to: to, turn: turn, along: along, onLeft: !isLeftInner)
            return
        }
        // The inner side comes to the corner and goes out again: what both pieces and the wedge between them have for borders,
        // the three of them added.
        if isLeftInner {
            outline.append(corner)
            outline.append(corner + to * -1)
        } else {
            right.append(corner)
            right.append(corner + to * -1)
        }
        addJoin(join, around: corner, from: from, to: to, turn: turn, along: along, onLeft: !isLeftInner)
        (leftFloor, rightFloor) = (outline.count - 1, right.count - 1)
    }

    /// The outer side of a corner: from one parallel's end, which the side has reached, to where the next begins.
    private mutating func addJoin(
        _ join: LineJoin, around corner: Point, from: Point, to: Point, turn: Double, along: Double, onLeft: Bool
    ) {
        switch join {
        case .bevel: break
        case .round:
            addArc(around: corner, from: from, to: to, turning: turn, onLeft: onLeft)
        case .miter:
            // The miter is 1 / cos(θ/2) of the width, for a turn by θ.
            let cosine = ((1 + along) / 2).squareRoot()
            if cosine > 1e-6, 1 / cosine <= style.miterLimit * (1 + 1e-12) {
                append(corner + (from + to) * (1 / (1 + along)), onLeft)
            }
        }
        append(corner + to, onLeft)
    }

    /// Points between the ends of an arc of at most half a turn, without them: so far outside that the chords enclose what the
    /// arc does. Where `turning` is not above 0 it turns to the right.
    private mutating func addArc(around center: Point, from: Point, to: Point, turning: Double, onLeft: Bool) {
        let sine = turning > 0 ? arcSine : -arcSine
        var spoke = from * arcReach
        for _ in 0..<mostChords {
            spoke = Point(spoke.x * arcCosine - spoke.y * sine, spoke.x * sine + spoke.y * arcCosine)
            let left = turning > 0 ? cross(spoke, to) : -cross(spoke, to)
            if left <= 0, dot(spoke, to) > 0 { break }
            append(center + spoke, onLeft)
        }
    }

    @inline(__always)
    private mutating func append(_ point: Point, _ onLeft: Bool) {
        if onLeft { outline.append(point) } else { right.append(point) }
    }

    /// Takes the inner side back to where it crosses the next pieces' parallel; false where it doesn't.
    private mutating func goToCrossing(_ pieces: UnsafeBufferPointer<Piece>, _ index: Int, onLeft: Bool) -> Bool {
        guard (onLeft ? leftSkips : rightSkips) == 0 else { return false }
        let count = onLeft ? outline.count : right.count
        let floor = onLeft ? leftFloor : rightFloor
        let sign = onLeft ? 1.0 : -1.0
        var q0 = pieces[index].from + offset(pieces[index].fromDirection) * sign
        for ahead in 0..<min(Self.mostSkipped, pieces.count - index) {
            let piece = pieces[index + ahead]
            if ahead > 0, piece.joint != .smooth { return false }
            let q1 = piece.to + offset(piece.toDirection) * sign
            if dot(q1 - q0, piece.to - piece.from) < 0 { return false }
            var last = count - 1
            let lowest = max(floor, count - 1 - Self.mostSkipped)
            while last > lowest {
                let (p0, p1) = onLeft ? (outline[last - 1], outline[last]) : (right[last - 1], right[last])
                crossingTests &+= 1
                if let crossing = crossing(p0, p1, q0, q1) {
                    if onLeft {
                        outline.removeLast(outline.count - last)
                        outline.append(crossing)
                        (leftFloor, leftSkips) = (last, ahead)
                    } else {
                        right.removeLast(right.count - last)
                        right.append(crossing)
                        (rightFloor, rightSkips) = (last, ahead)
                    }
                    return true
                }
                last -= 1
            }
            q0 = q1
        }
        return false
    }

    private func crossing(_ p0: Point, _ p1: Point, _ q0: Point, _ q1: Point) -> Point? {
        let (u, v) = (p1 - p0, q1 - q0)
        let turn = cross(u, v)
        guard abs(turn) > 1e-12 * (abs(u.x) + abs(u.y)) * (abs(v.x) + abs(v.y)) else { return nil }
        let between = q0 - p0
        let (s, t) = (cross(between, v) / turn, cross(between, u) / turn)
        guard s >= 0, s <= 1, t >= 0, t <= 1 else { return nil }
        return p0 + u * s
    }

    /// From the path to the left parallel.
    @inline(__always)
    private func offset(_ direction: Point) -> Point { Point(-direction.y * half, direction.x * half) }
}

@inline(__always)
private func + (a: Point, b: Point) -> Point { Point(a.x + b.x, a.y + b.y) }

@inline(__always)
private func - (a: Point, b: Point) -> Point { Point(a.x - b.x, a.y - b.y) }

@inline(__always)
private func * (a: Point, b: Double) -> Point { Point(a.x * b, a.y * b) }

@inline(__always)
private func dot(_ a: Point, _ b: Point) -> Double { a.x * b.x + a.y * b.y }

@inline(__always)
private func cross(_ a: Point, _ b: Point) -> Double { a.x * b.y - a.y * b.x }
