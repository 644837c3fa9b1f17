// A line along a path as many convex pieces that overlap: what is in one of them is covered. A rectangle a straight piece,
// a wedge a corner, half a disc or a rectangle an end.
//
// - Curves are 96 chords; between two of one curve the wedge is round, since a smooth line has no corner.
// - The part from `start` to `end` is taken first, by the length of all contours together; then dashes, anew in each contour.
//   Dashes that end and begin where a closed contour does are two.
// - A contour of no length is a disc with round ends, an upright square with square ones, and nothing with butt ends.

import Glibc
import LayerModel

struct LinePieces {
    /// In the path's own space, all the same way round.
    private(set) var pieces: [[Point]] = []
    private let style: StrokeStyle
    private let half: Double

    private struct Chord {
        var from: Point
        var to: Point
        /// The curve goes on from the chord before.
        var isSmooth: Bool
        var length: Double { hypot(to.x - from.x, to.y - from.y) }
        var direction: Point { Point((to.x - from.x) / length, (to.y - from.y) / length) }

        func part(_ a: Double, _ b: Double) -> Chord {
            func at(_ t: Double) -> Point { Point(from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t) }
            return Chord(from: at(a), to: at(b), isSmooth: a == 0 && isSmooth)
        }
    }

    private struct Contour {
        var chords: [Chord] = []
        var isClosed = false
        var start: Point
        var length: Double { chords.reduce(0) { $0 + $1.length } }
    }

    init(_ path: VectorPath, _ style: StrokeStyle) {
        self.style = style
        half = style.width / 2
        let contours = Self.contours(path)
        let total = contours.reduce(0) { $0 + $1.length }
        let (first, last) = (min(max(style.start, 0), 1) * total, min(max(style.end, 0), 1) * total)
        guard min(max(style.start, 0), 1) < min(max(style.end, 0), 1) else { return }
        var position = 0.0
        for contour in contours {
            let length = contour.length
            defer { position += length }
            if length == 0 {
                if style.start <= 0, style.end >= 1 { addDot(at: contour.start, Point(1, 0)) }
                continue
            }
            let (from, to) = (max(first - position, 0), min(last - position, length))
            guard from < to else { continue }
            let isWhole = from == 0 && to == length && contour.isClosed
            let period = style.dashes.reduce(0) { $0 + max($1, 0) }
            if period > 0 {
                for stretch in dashes(from, to) { add(contour, stretch, isWhole: false) }
            } else {
                add(contour, (from, to), isWhole: isWhole)
            }
        }
    }

    /// Stretches of a contour, by the length from its start.
    private func dashes(_ from: Double, _ to: Double) -> [(Double, Double)] {
        let lengths = style.dashes.map { max($0, 0) }
        let all = lengths.count % 2 == 1 ? lengths + lengths : lengths
        let period = all.reduce(0, +)
        var at = from - (style.dashPhase - (style.dashPhase / period).rounded(.down) * period)
        var result: [(Double, Double)] = []
        while at < to {
            for (index, length) in all.enumerated() {
                if index % 2 == 0, at + length > from, at < to { result.append((max(at, from), min(at + length, to))) }
                if index % 2 == 0, length == 0, at >= from, at < to { result.append((at, at)) }
                at += length
            }
        }
        return result
    }

    private mutating func add(_ contour: Contour, _ stretch: (Double, Double), isWhole: Bool) {
        var chords: [Chord] = []
        var position = 0.0
        for chord in contour.chords {
            let size = chord.length
            defer { position += size }
            let (a, b) = ((stretch.0 - position) / size, (stretch.1 - position) / size)
            if stretch.0 == stretch.1, a >= 0, a < 1 {
                return addDot(at: chord.part(a, a).from, chord.direction)
            }
            guard a < 1, b > 0, min(b, 1) - max(a, 0) > 1e-12 else { continue }
            chords.append(chord.part(max(a, 0), min(b, 1)))
        }
        guard let first = chords.first, let last = chords.last else { return }
        for (index, chord) in chords.enumerated() {
            addBody(chord)
            if index > 0 { addCorner(chords[index - 1], chord) }
        }
        if isWhole {
            addCorner(last, first)
        } else {
            addEnd(at: first.from, Point(-first.direction.x, -first.direction.y))
            addEnd(at: last.to, last.direction)
        }
    }

    // MARK: Pieces

    private mutating func add(_ piece: [Point]) {
        var area = 0.0
        for (index, p) in piece.enumerated() {
            let q = piece[(index + 1) % piece.count]
            area += p.x * q.y - q.x * p.y
        }
        pieces.append(area < 0 ? piece.reversed() : piece)
    }

    private func side(_ direction: Point) -> Point { Point(-direction.y * half, direction.x * half) }

    private mutating func addBody(_ chord: Chord) {
        let s = side(chord.direction)
        add([
            Point(chord.from.x + s.x, chord.from.y + s.y), Point(chord.to.x + s.x, chord.to.y + s.y),
            Point(chord.to.x - s.x, chord.to.y - s.y), Point(chord.from.x - s.x, chord.from.y - s.y),
        ])
    }

    private mutating func addCorner(_ before: Chord, _ after: Chord) {
        let (u, v) = (before.direction, after.direction)
        let turn = atan2(u.x * v.y - u.y * v.x, u.x * v.x + u.y * v.y)
        guard abs(turn) > 1e-9 else { return }
        let outward = turn > 0 ? -1.0 : 1
        let (a, b) = (side(u), side(v))
        let corner = after.from
        let from = Point(corner.x + a.x * outward, corner.y + a.y * outward)
        let to = Point(corner.x + b.x * outward, corner.y + b.y * outward)
        if after.isSmooth || style.join == .round {
            add(fan(around: corner, from: Point(a.x * outward, a.y * outward), turn))
            return
        }
        let miter = 1 / cos(turn / 2)
        if style.join == .miter, miter <= style.miterLimit, abs(turn) < 3.14 {
            let middle = Point(a.x + b.x, a.y + b.y)
            let size = hypot(middle.x, middle.y)
            let reach = half * miter * outward / size
            add([corner, from, Point(corner.x + middle.x * reach, corner.y + middle.y * reach), to])
        } else {
            add([corner, from, to])
        }
    }

    private func fan(around center: Point, from spoke: Point, _ turn: Double) -> [Point] {
        let count = max(Int((abs(turn) / 0.05).rounded(.up)), 1)
        return [center]
            + (0...count).map { step in
                let angle = turn * Double(step) / Double(count)
                return Point(
                    center.x + spoke.x * cos(angle) - spoke.y * sin(angle),
                    center.y + spoke.x * sin(angle) + spoke.y * cos(angle))
            }
    }

    private mutating func addEnd(at point: Point, _ direction: Point) {
        let s = side(direction)
        switch style.cap {
        case .butt: break
        case .round: add(fan(around: point, from: s, -.pi))
        case .square:
            let ahead = Point(direction.x * half, direction.y * half)
            add([
                Point(point.x + s.x, point.y + s.y), Point(point.x + s.x + ahead.x, point.y + s.y + ahead.y),
                Point(point.x - s.x + ahead.x, point.y - s.y + ahead.y), Point(point.x - s.x, point.y - s.y),
            ])
        }
    }

    private mutating func addDot(at point: Point, _ direction: Point) {
        addEnd(at: point, direction)
        addEnd(at: point, Point(-direction.x, -direction.y))
    }

    // MARK: Chords

    private static func contours(_ path: VectorPath) -> [Contour] {
        var result: [Contour] = []
        var contour = Contour(start: .zero)
        var current = Point.zero
        var isDrawn = false
        func finish() {
            if isDrawn { result.append(contour) }
            contour = Contour(start: contour.start)
            isDrawn = false
        }
        func line(to end: Point, isSmooth: Bool = false) {
            if end != current { contour.chords.append(Chord(from: current, to: end, isSmooth: isSmooth)) }
            current = end
        }
        var next = 0
        for verb in path.verbs {
            let p = Array(path.points[next..<next + verb.pointCount])
            next += verb.pointCount
            if verb != .move { isDrawn = true }
            switch verb {
            case .move:
                finish()
                current = p[0]
                contour.start = p[0]
            case .line: line(to: p[0])
            case .quad, .cubic:
                let from = current
                for step in 1...96 {
                    let t = Double(step) / 96
                    let s = 1 - t
                    let weights =
                        verb == .quad
                        ? [s * s, 2 * s * t, t * t] : [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t]
                    var x = 0.0
                    var y = 0.0
                    for (weight, point) in zip(weights, [from] + p) {
                        x += weight * point.x
                        y += weight * point.y
                    }
                    line(to: step == 96 ? p[p.count - 1] : Point(x, y), isSmooth: step > 1)
                }
            case .close:
                line(to: contour.start)
                contour.isClosed = true
                finish()
            }
        }
        finish()
        return result
    }
}
