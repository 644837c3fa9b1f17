// Exact answers about a path, from its curves and not from flattened ones.
//
// The box: a curve's extremes along an axis lie at its ends and where its derivative along that axis is 0, a polynomial of
// degree 2 at most. Windings: a ray from the point towards +x crosses a piece that is monotone in y at most once, at a
// parameter that bisection finds; so curves are cut at their extremes in y first. A piece takes the y of its lower end and not
// that of its upper one, so that a vertex on the ray counts once. Quadratic curves are raised to cubics, which changes nothing.

import LayerModel

/// A line or curve from point to point, as a cubic.
private struct Cubic {
    var p0: Point
    var p1: Point
    var p2: Point
    var p3: Point
    var isLine = false

    init(_ p0: Point, _ p1: Point, _ p2: Point, _ p3: Point) {
        (self.p0, self.p1, self.p2, self.p3) = (p0, p1, p2, p3)
    }

    init(line p0: Point, _ p3: Point) {
        self.init(p0, p0, p3, p3)
        isLine = true
    }

    init(quad p0: Point, _ control: Point, _ p3: Point) {
        func third(_ a: Double, _ b: Double) -> Double { a + (b - a) * (2.0 / 3) }
        self.init(
            p0, Point(third(p0.x, control.x), third(p0.y, control.y)),
            Point(third(p3.x, control.x), third(p3.y, control.y)), p3)
    }

    func value(_ axis: KeyPath<Point, Double>, at t: Double) -> Double {
        let u = 1 - t
        let (a, b) = (u * u * u * p0[keyPath: axis], 3 * u * u * t * p1[keyPath: axis])
        return a + b + 3 * u * t * t * p2[keyPath: axis] + t * t * t * p3[keyPath: axis]
    }

    /// Parameters strictly between 0 and 1 where the curve turns round along an axis, in order.
    func turns(_ axis: KeyPath<Point, Double>) -> [Double] {
        guard !isLine else { return [] }
        let (v0, v1, v2, v3) = (p0[keyPath: axis], p1[keyPath: axis], p2[keyPath: axis], p3[keyPath: axis])
        // The derivative over 3, a·t² + 2·b·t + c, brought to numbers around 1.
        let size = max(abs(v1 - v0), max(abs(v2 - v1), abs(v3 - v2)))
        guard size > 0 else { return [] }
        let (d0, d1, d2) = ((v1 - v0) / size, (v2 - v1) / size, (v3 - v2) / size)
        let (a, b, c) = (d0 - 2 * d1 + d2, d1 - d0, d0)
        let discriminant = b * b - a * c
        guard discriminant.isFinite, discriminant >= 0 else { return [] }
        // The sum of two numbers of one sign loses no digits; the other root follows from the product.
        let q = -(b + (b < 0 ? -1 : 1) * discriminant.squareRoot())
        return [q / a, c / q].filter { $0 > 0 && $0 < 1 }.sorted()
    }
}

extension VectorPath {
    /// The smallest rectangle around the lines and curves; nil for an empty path.
    package var exactBox: Rect? {
        guard let first = points.first else { return nil }
        var (minX, minY, maxX, maxY) = (first.x, first.y, first.x, first.y)
        func take(x: Double) { (minX, maxX) = (min(minX, x), max(maxX, x)) }
        func take(y: Double) { (minY, maxY) = (min(minY, y), max(maxY, y)) }
        var next = 0
        for verb in verbs {
            next += verb.pointCount
            guard verb != .close else { continue }
            take(x: points[next - 1].x)
            take(y: points[next - 1].y)
        }
        forEachSegment(closing: false) { curve in
            for t in curve.turns(\.x) { take(x: curve.value(\.x, at: t)) }
            for t in curve.turns(\.y) { take(y: curve.value(\.y, at: t)) }
        }
        return Rect(minX: minX, minY: minY, maxX: maxX, maxY: maxY)
    }

    /// How often the contours, each closed, go around a point: turns with their sign, and edges that a ray crosses.
    package func windings(around point: Point) -> (turns: Int, crossings: Int) {
        var (turns, crossings) = (0, 0)
        guard point.isFinite else { return (0, 0) }
        forEachSegment(closing: true) { curve in
            var from = 0.0
            for to in curve.turns(\.y) + [1] {
                defer { from = to }
                let (y0, y1) = (curve.value(\.y, at: from), curve.value(\.y, at: to))
                let (low, high) = (min(y0, y1), max(y0, y1))
                guard low <= point.y, point.y < high else { continue }
                guard curve.x(where: point.y, from: from, to: to, growing: y1 > y0) > point.x else { continue }
                turns += y1 > y0 ? 1 : -1
                crossings += 1
            }
        }
        return (turns, crossings)
    }

    /// The rectangle, where the path is one upright rectangle and nothing else.
    package var uprightRect: Rect? {
        var corners = points
        switch verbs {
        case [.move, .line, .line, .line, .close]: break
        case [.move, .line, .line, .line, .line, .close], [.move, .line, .line, .line, .line]:
            guard corners.removeLast() == corners[0] else { return nil }
        default: return nil
        }
        let (a, b, c, d) = (corners[0], corners[1], corners[2], corners[3])
        let firstIsHorizontal = a.y == b.y && b.x == c.x && c.y == d.y && d.x == a.x
        let firstIsVertical = a.x == b.x && b.y == c.y && c.x == d.x && d.y == a.y
        guard firstIsHorizontal || firstIsVertical else { return nil }
        return Rect(minX: min(a.x, c.x), minY: min(a.y, c.y), maxX: max(a.x, c.x), maxY: max(a.y, c.y))
    }

    /// Lines and curves in order. A contour that goes on after its end begins where it began.
    ///
    /// - Parameter closing: Contours get the line back to their start, also where the path does not close them.
    private func forEachSegment(closing: Bool, _ body: (Cubic) -> Void) {
        var start = Point.zero
        var current = Point.zero
        var next = 0
        for verb in verbs {
            switch verb {
            case .move:
                if closing, current != start { body(Cubic(line: current, start)) }
                start = points[next]
                current = start
            case .line: body(Cubic(line: current, points[next]))
            case .quad: body(Cubic(quad: current, points[next], points[next + 1]))
            case .cubic: body(Cubic(current, points[next], points[next + 1], points[next + 2]))
            case .close:
                if closing, current != start { body(Cubic(line: current, start)) }
                current = start
            }
            next += verb.pointCount
            if verb != .move, verb != .close { current = points[next - 1] }
        }
        if closing, current != start { body(Cubic(line: current, start)) }
    }
}

extension Cubic {
    /// The x of the only point at a height, on a piece that is monotone in y.
    fileprivate func x(where y: Double, from: Double, to: Double, growing: Bool) -> Double {
        if isLine { return p0.x + (p3.x - p0.x) * ((y - p0.y) / (p3.y - p0.y)) }
        var (low, high) = (from, to)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if (value(\.y, at: middle) <= y) == growing { low = middle } else { high = middle }
        }
        return value(\.x, at: (low + high) / 2)
    }
}
