// A path as positions to move along. Every line, curve or close is one segment; a move starts elsewhere without one, so the
// point jumps. Source: semantic reference, §5.3.

/// The segments of a path, as motion.
struct KeyframePath: Sendable {
    /// A straight line is a cubic whose control points lie on it at thirds.
    private(set) var segments: [CubicSegment] = []

    init(_ path: VectorPath) {
        var points = path.points.makeIterator()
        var start = Point.zero
        var current = Point.zero
        func next() -> Point { points.next() ?? current }
        for verb in path.verbs {
            switch verb {
            case .move:
                current = next()
                start = current
            case .line:
                let end = next()
                segments.append(CubicSegment(from: current, to: end))
                current = end
            case .quad:
                let (control, end) = (next(), next())
                segments.append(CubicSegment(from: current, control: control, to: end))
                current = end
            case .cubic:
                let (control1, control2, end) = (next(), next(), next())
                segments.append(CubicSegment(p0: current, p1: control1, p2: control2, p3: end))
                current = end
            case .close:
                segments.append(CubicSegment(from: current, to: start))
                current = start
            }
        }
    }

    var displacement: Point {
        guard let first = segments.first, let last = segments.last else { return .zero }
        return Point(last.p3.x - first.p0.x, last.p3.y - first.p0.y)
    }
}

/// A cubic Bézier curve.
struct CubicSegment: Hashable, Sendable {
    var p0, p1, p2, p3: Point
    var isLine = false

    init(p0: Point, p1: Point, p2: Point, p3: Point) {
        (self.p0, self.p1, self.p2, self.p3) = (p0, p1, p2, p3)
    }

    init(from a: Point, to b: Point) {
        self.init(
            p0: a, p1: Point(a.x + (b.x - a.x) / 3, a.y + (b.y - a.y) / 3),
            p2: Point(b.x + (a.x - b.x) / 3, b.y + (a.y - b.y) / 3), p3: b)
        isLine = true
    }

    init(from a: Point, control c: Point, to b: Point) {
        self.init(
            p0: a, p1: Point(a.x + (c.x - a.x) * 2 / 3, a.y + (c.y - a.y) * 2 / 3),
            p2: Point(b.x + (c.x - b.x) * 2 / 3, b.y + (c.y - b.y) * 2 / 3), p3: b)
    }

    func point(at s: Double) -> Point {
        if isLine { return Point(mix(p0.x, p3.x, s), mix(p0.y, p3.y, s)) }
        let r = 1 - s
        let (a, b, c, d) = (r * r * r, 3 * r * r * s, 3 * r * s * s, s * s * s)
        return Point(
            a * p0.x + b * p1.x + c * p2.x + d * p3.x, a * p0.y + b * p1.y + c * p2.y + d * p3.y)
    }

    private func derivative(at s: Double) -> Point {
        let r = 1 - s
        let (a, b, c) = (3 * r * r, 6 * r * s, 3 * s * s)
        return Point(
            a * (p1.x - p0.x) + b * (p2.x - p1.x) + c * (p3.x - p2.x),
            a * (p1.y - p0.y) + b * (p2.y - p1.y) + c * (p3.y - p2.y))
    }

    /// Radians, of the direction of travel; where the curve stands still, of the way ahead. Nil for a single point.
    func angle(at s: Double) -> Double? {
        let here = point(at: s)
        let ahead = s < 0.5 ? [p1, p2, p3] : [p3]
        var candidates = [derivative(at: s)]
        candidates += ahead.map { Point($0.x - here.x, $0.y - here.y) }
        candidates += [p2, p1, p0].map { Point(here.x - $0.x, here.y - $0.y) }
        let size = max(abs(p1.x - p0.x), abs(p1.y - p0.y), abs(p3.x - p0.x), abs(p3.y - p0.y))
        guard let direction = candidates.first(where: { max(abs($0.x), abs($0.y)) > size * 1e-9 && $0.isFinite }) else {
            return nil
        }
        return arcTangent(direction.y, direction.x)
    }

    // MARK: Length

    /// How many chords a curve is measured by. Core Animation's paced motion is not exact either: with 17 chords the point
    /// that was read out of it (semantic reference, §5.3) comes out to its last digit; the true length is 0.1 off there.
    private static let chords = 17

    /// Lengths from the begin to the end of each chord.
    var measure: [Double] {
        if isLine { return [0, hypotenuse(p3.x - p0.x, p3.y - p0.y)] }
        var lengths = [0.0]
        var last = p0
        for chord in 1...Self.chords {
            let next = point(at: Double(chord) / Double(Self.chords))
            lengths.append(lengths[chord - 1] + hypotenuse(next.x - last.x, next.y - last.y))
            last = next
        }
        return lengths
    }

    /// The parameter at which a part of the length, 0…1, is reached.
    /// - Parameter measure: The segment's own.
    static func parameter(atPart part: Double, of measure: [Double]) -> Double {
        guard let total = measure.last, total > 0, total.isFinite else { return part }
        let wanted = part * total
        let chord = (measure.dropFirst().firstIndex { $0 >= wanted } ?? measure.count - 1) - 1
        let length = measure[chord + 1] - measure[chord]
        let fraction = length > 0 ? (wanted - measure[chord]) / length : 0
        return (Double(chord) + fraction) / Double(measure.count - 1)
    }
}

private func hypotenuse(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
