// A line cut where it goes into and out of an area.
//
// Curves become chords. Each piece of the line is cut where it meets an edge of the area, a little too often rather than too
// seldom; each part is then inside or outside as its middle is, by the windings to the right of it. The area's edges are
// sorted into rows, so that a piece meets those at its own height only. Where a line runs along an edge it counts as either.

import LayerModel

extension VectorPath {
    /// The parts of the line along this path that lie inside an area, or those that don't: open lines, but for a closed contour
    /// of which nothing is left out.
    ///
    /// - Parameters:
    ///   - tolerance: How far chords may be from their curves, units of the paths.
    /// - Returns: Nil where a number is not finite, or there are hundreds of millions of pairs of neighbors.
    package func line(
        inside: Bool, of area: VectorPath, _ rule: FillRule, tolerance: Double
    ) -> VectorPath? {
        guard isFinite, area.isFinite, tolerance > 0 else { return nil }
        let line = FlatPath(self, tolerance: tolerance)
        guard var rows = EdgeRows(area.flattened(1 / (256 * tolerance)), rule) else {
            return inside ? VectorPath() : VectorPath(line)
        }
        var result = VectorPath()
        for contour in line.contours {
            guard let runs = rows.runs(of: line.pieces[contour.pieces], inside) else { return nil }
            let isWhole = runs.count == 1 && runs[0].count == contour.pieces.count + 1
            Self.append(runs, isClosed: contour.isClosed, isWhole, to: &result)
        }
        return result
    }

    private static func append(_ runs: [[Point]], isClosed: Bool, _ isWhole: Bool, to result: inout VectorPath) {
        var runs = runs
        if isClosed, runs.count > 1, let first = runs.first, let last = runs.last, last.last == first.first {
            // The line's beginning is in the middle of a part.
            runs[0] = last + first.dropFirst()
            runs.removeLast()
        }
        for run in runs {
            let points = isClosed && isWhole ? run.dropLast() : run[...]
            for (index, point) in points.enumerated() {
                if index == 0 { result.move(to: point) } else { result.line(to: point) }
            }
            if isClosed, isWhole { result.close() }
        }
    }
}

/// Edges of an area, by height.
private struct EdgeRows {
    private var edges: [(a: Point, b: Point)] = []
    private let rule: FillRule
    private let top: Double
    private let height: Double
    private let count: Int
    /// The edges of each row, one row after the other, and where each begins.
    private var places: [Int32] = []
    private var starts: [Int] = []
    /// Comparisons that may still be made.
    private var budget = 200_000_000
    /// Entries of edges in rows, at most.
    private static let most = 1 << 23

    /// Nil where nothing is inside.
    init?(_ outline: Outline, _ rule: FillRule) {
        guard let first = outline.points.first, outline.points.count < Int32.max else { return nil }
        self.rule = rule
        var (low, high) = (first.y, first.y)
        for point in outline.points { (low, high) = (min(low, point.y), max(high, point.y)) }
        guard high > low, (high - low).isFinite else { return nil }
        (top, height) = (low, high - low)
        var list: [(a: Point, b: Point)] = []
        outline.forEachEdge { list.append(($0, $1)) }
        var rows = min(max(list.count / 2, 1), 4_096)
        func span(_ edge: (a: Point, b: Point)) -> ClosedRange<Int> {
            Self.row(
                min(edge.a.y, edge.b.y), low, high - low, rows)...Self.row(
                    max(edge.a.y, edge.b.y), low, high - low, rows)
        }
        while rows > 1, list.reduce(0, { $0 + span($1).count }) > Self.most { rows /= 2 }
        count = rows
        var counts = [Int](repeating: 0, count: rows + 1)
        for edge in list { for row in span(edge) { counts[row + 1] += 1 } }
        for row in 0..<rows { counts[row + 1] += counts[row] }
        starts = counts
        places = [Int32](repeating: 0, count: counts[rows])
        for (index, edge) in list.enumerated() {
            for row in span(edge) {
                places[counts[row]] = Int32(index)
                counts[row] += 1
            }
        }
        edges = list
    }

    private static func row(_ y: Double, _ top: Double, _ height: Double, _ count: Int) -> Int {
        Int(min(max((y - top) / height * Double(count), 0), Double(count - 1)))
    }

    private func row(_ y: Double) -> Int { Self.row(y, top, height, count) }

    /// The parts of a contour that are inside or not; nil where that would take too long.
    mutating func runs(of pieces: ArraySlice<FlatPath.Piece>, _ inside: Bool) -> [[Point]]? {
        var runs: [[Point]] = []
        var isGoingOn = false
        for piece in pieces {
            guard let cuts = cuts(piece.from, piece.to) else { return nil }
            for (from, to) in zip(cuts, cuts.dropFirst()) {
                let start = from == 0 ? piece.from : mix(piece.from, piece.to, from)
                let end = to == 1 ? piece.to : mix(piece.from, piece.to, to)
                guard let isInside = isInside(mix(piece.from, piece.to, (from + to) / 2)) else { return nil }
                guard isInside == inside else {
                    isGoingOn = false
                    continue
                }
                if isGoingOn, from > 0 {
                    // It was cut in the middle of a part.
                    runs[runs.count - 1][runs[runs.count - 1].count - 1] = end
                } else if isGoingOn {
                    runs[runs.count - 1].append(end)
                } else {
                    runs.append([start, end])
                }
                isGoingOn = true
            }
        }
        return runs
    }

    private mutating func spend(_ rows: ClosedRange<Int>) -> Bool {
        budget -= starts[rows.upperBound + 1] - starts[rows.lowerBound] + 1
        return budget >= 0
    }

    /// Where a piece meets edges, as fractions of it, with 0 and 1.
    private mutating func cuts(_ p: Point, _ q: Point) -> [Double]? {
        let (low, high) = (min(p.y, q.y), max(p.y, q.y))
        guard high >= top, low <= top + height else { return [0, 1] }
        let rows = row(low)...row(high)
        guard spend(rows) else { return nil }
        var found = [0.0, 1]
        let (ux, uy) = (q.x - p.x, q.y - p.y)
        let square = ux * ux + uy * uy
        guard square > 0, square.isFinite else { return found }
        func add(_ t: Double) { if t > 1e-12, t < 1 - 1e-12 { found.append(t) } }
        for place in places[starts[rows.lowerBound]..<starts[rows.upperBound + 1]] {
            let (a, b) = edges[Int(place)]
            let (vx, vy) = (b.x - a.x, b.y - a.y)
            let (wx, wy) = (a.x - p.x, a.y - p.y)
            let turn = ux * vy - uy * vx
            if abs(turn) > 1e-9 * (abs(ux) + abs(uy)) * (abs(vx) + abs(vy)) {
                let s = (wx * uy - wy * ux) / turn
                if s >= -1e-9, s <= 1 + 1e-9 { add((wx * vy - wy * vx) / turn) }
            } else {
                // As good as parallel: its ends.
                add((wx * ux + wy * uy) / square)
                add(((b.x - p.x) * ux + (b.y - p.y) * uy) / square)
            }
        }
        found.sort()
        var result: [Double] = []
        for t in found where t == 1 || result.isEmpty || t - result[result.count - 1] > 1e-12 { result.append(t) }
        return result
    }

    private mutating func isInside(_ point: Point) -> Bool? {
        guard point.y >= top, point.y <= top + height else { return false }
        let row = row(point.y)
        guard spend(row...row) else { return nil }
        var winding = 0
        for place in places[starts[row]..<starts[row + 1]] {
            let (a, b) = edges[Int(place)]
            guard (a.y <= point.y) != (b.y <= point.y) else { continue }
            let x = a.x + (b.x - a.x) * ((point.y - a.y) / (b.y - a.y))
            if x > point.x { winding += a.y < b.y ? 1 : -1 }
        }
        switch rule {
        case .nonZero: return winding != 0
        case .evenOdd: return winding & 1 != 0
        }
    }
}
