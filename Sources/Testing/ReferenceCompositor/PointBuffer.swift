import LayerModel

/// The points of a convex polygon in memory that is used again and again: cutting by lines along the axes is the
/// innermost work of the coverage. Freed by `deallocate`.
struct PointBuffer {
    private let points: UnsafeMutablePointer<Point>
    let room: Int
    private(set) var count: Int

    init(_ list: [Point], room: Int) {
        self.room = max(room, list.count, 1)
        points = .allocate(capacity: self.room)
        points.initialize(repeating: .zero, count: self.room)
        count = list.count
        for (i, point) in list.enumerated() { points[i] = point }
    }

    func deallocate() { points.deallocate() }

    /// The part with y ≤ limit.
    func cut(belowY limit: Double, into result: inout PointBuffer) {
        result.count = 0
        var i = 0
        var p = count > 0 ? points[count - 1] : .zero
        while i < count {
            let q = points[i]
            if (p.y <= limit) != (q.y <= limit) { result.append(crossing(p, q, y: limit)) }
            if q.y <= limit { result.append(q) }
            p = q
            i += 1
        }
    }

    /// The part with y ≥ limit.
    func cut(aboveY limit: Double, into result: inout PointBuffer) {
        result.count = 0
        var i = 0
        var p = count > 0 ? points[count - 1] : .zero
        while i < count {
            let q = points[i]
            if (p.y >= limit) != (q.y >= limit) { result.append(crossing(p, q, y: limit)) }
            if q.y >= limit { result.append(q) }
            p = q
            i += 1
        }
    }

    /// The part with x ≤ limit.
    func cut(belowX limit: Double, into result: inout PointBuffer) {
        result.count = 0
        var i = 0
        var p = count > 0 ? points[count - 1] : .zero
        while i < count {
            let q = points[i]
            if (p.x <= limit) != (q.x <= limit) { result.append(crossing(p, q, x: limit)) }
            if q.x <= limit { result.append(q) }
            p = q
            i += 1
        }
    }

    /// The part with x ≥ limit.
    func cut(aboveX limit: Double, into result: inout PointBuffer) {
        result.count = 0
        var i = 0
        var p = count > 0 ? points[count - 1] : .zero
        while i < count {
            let q = points[i]
            if (p.x >= limit) != (q.x >= limit) { result.append(crossing(p, q, x: limit)) }
            if q.x >= limit { result.append(q) }
            p = q
            i += 1
        }
    }

    func area() -> Double {
        guard count >= 3 else { return 0 }
        // Relative to the first point: the numbers stay small.
        let origin = points[0]
        var sum = 0.0
        var i = 1
        while i + 1 < count {
            let p = points[i]
            let q = points[i + 1]
            sum += (p.x - origin.x) * (q.y - origin.y) - (q.x - origin.x) * (p.y - origin.y)
            i += 1
        }
        return sum / 2
    }

    /// The smallest and largest x.
    func extent() -> (low: Double, high: Double) {
        var low = Double.infinity
        var high = -Double.infinity
        var i = 0
        while i < count {
            let x = points[i].x
            if x < low { low = x }
            if x > high { high = x }
            i += 1
        }
        return (low, high)
    }

    /// The smallest and largest x of the points on a line; empty (low above high) when there is none.
    func extent(atY y: Double) -> (low: Double, high: Double) {
        var low = Double.infinity
        var high = -Double.infinity
        var i = 0
        while i < count {
            let p = points[i]
            if p.y == y {
                if p.x < low { low = p.x }
                if p.x > high { high = p.x }
            }
            i += 1
        }
        return (low, high)
    }

    private mutating func append(_ point: Point) {
        precondition(count < room, "a cut made \(count + 1) points, there is room for \(room)")
        points[count] = point
        count += 1
    }

    private func crossing(_ p: Point, _ q: Point, y: Double) -> Point {
        Point(p.x + (q.x - p.x) * (y - p.y) / (q.y - p.y), y)
    }

    private func crossing(_ p: Point, _ q: Point, x: Double) -> Point {
        Point(x, p.y + (q.y - p.y) * (x - p.x) / (q.x - p.x))
    }
}
