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

    // MARK: Arc length

    var length: Double { length(to: 1) }

    /// Of the part up to a parameter.
    func length(to s: Double) -> Double {
        if isLine { return hypotenuse(p3.x - p0.x, p3.y - p0.y) * s }
        return integral(0, s, depth: 0)
    }

    /// The parameter at which a part of the length is reached.
    /// - Parameter total: The segment's length.
    func parameter(atLength wanted: Double, of total: Double) -> Double {
        guard total > 0, total.isFinite else { return 0 }
        if isLine { return wanted / total }
        guard wanted > 0 else { return 0 }
        guard wanted < total else { return 1 }
        var (low, high) = (0.0, 1.0)
        var s = wanted / total
        for _ in 0..<60 {
            let error = length(to: s) - wanted
            if abs(error) < 1e-13 * total { break }
            if error > 0 { high = s } else { low = s }
            let d = derivative(at: s)
            let speed = hypotenuse(d.x, d.y)
            let next = speed > 0 ? s - error / speed : low
            s = next > low && next < high ? next : (low + high) / 2
        }
        return s
    }

    /// Five-point Gauss-Legendre, halved until both halves agree with the whole.
    private func integral(_ a: Double, _ b: Double, depth: Int) -> Double {
        let whole = gauss(a, b)
        let middle = (a + b) / 2
        let halves = gauss(a, middle) + gauss(middle, b)
        if depth >= 12 || abs(whole - halves) <= 1e-12 * abs(halves) || !halves.isFinite { return halves }
        return integral(a, middle, depth: depth + 1) + integral(middle, b, depth: depth + 1)
    }

    private func gauss(_ a: Double, _ b: Double) -> Double {
        let (center, half) = ((a + b) / 2, (b - a) / 2)
        var sum = 0.0
        for (node, weight) in Self.gaussRule {
            let d = derivative(at: center + half * node)
            sum += weight * hypotenuse(d.x, d.y)
        }
        return sum * half
    }

    /// Nodes ±(1/3)√(5 ∓ 2√(10/7)) and 0, with their weights (322 ± 13√70)/900 and 128/225.
    private static let gaussRule: [(Double, Double)] = {
        let inner = (5 - 2 * (10.0 / 7).squareRoot()).squareRoot() / 3
        let outer = (5 + 2 * (10.0 / 7).squareRoot()).squareRoot() / 3
        let (heavy, light) = ((322 + 13 * 70.0.squareRoot()) / 900, (322 - 13 * 70.0.squareRoot()) / 900)
        return [(0, 128.0 / 225), (-inner, heavy), (inner, heavy), (-outer, light), (outer, light)]
    }()
}

private func hypotenuse(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
