// Straight pieces on a grid of whole numbers, cut until they meet at their ends only.
//
// On the grid every question of sides has an exact answer: products of differences fit into 64 bits. Where two pieces cross, the
// crossing is rounded to the grid, which moves them by less than a step, so that they may cross others anew; so the search is
// repeated until it finds nothing. Pieces that lie upon each other become one that knows how often each path runs along it.
// Neighbors are found by a raster of squares, about as many as pieces.

import LayerModel

/// A point of the grid, in order by x, then y.
struct GridPoint: Hashable, Comparable {
    var x: Int64
    var y: Int64

    static func < (a: GridPoint, b: GridPoint) -> Bool { a.x != b.x ? a.x < b.x : a.y < b.y }

    /// Twice the area of the triangle; above 0 where `c` lies left of the way from `a` to `b`, y up.
    @inline(__always)
    static func cross(_ a: GridPoint, _ b: GridPoint, _ c: GridPoint) -> Int64 {
        (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
    }
}

/// From the smaller end to the larger one, with what it adds to the windings of two paths for who crosses it upwards.
struct GridSegment {
    var a: GridPoint
    var b: GridPoint
    var first: Int32
    var second: Int32
}

/// Cuts segments where they meet.
struct SegmentNoder {
    private(set) var segments: [GridSegment]
    /// Comparisons of two segments so far.
    private(set) var tests = 0
    /// Comparisons of two segments, at most.
    private static let mostTests = 200_000_000
    private static let mostPasses = 24
    static let mostSegments = 4_000_000

    init(_ segments: [GridSegment]) {
        self.segments = segments
    }

    /// False where there were too many crossings.
    mutating func cut() -> Bool {
        merge()
        for _ in 0..<Self.mostPasses {
            guard let cuts = findCuts() else { return false }
            if cuts.isEmpty { return true }
            split(cuts)
            merge()
            guard segments.count <= Self.mostSegments else { return false }
        }
        // What still crosses does so by less than a step.
        return true
    }

    /// One segment for all between two points.
    private mutating func merge() {
        segments.sort { $0.a != $1.a ? $0.a < $1.a : $0.b < $1.b }
        var kept: [GridSegment] = []
        kept.reserveCapacity(segments.count)
        for segment in segments {
            if let last = kept.last, last.a == segment.a, last.b == segment.b {
                kept[kept.count - 1].first &+= segment.first
                kept[kept.count - 1].second &+= segment.second
            } else {
                if let last = kept.last, last.first == 0, last.second == 0 { kept.removeLast() }
                kept.append(segment)
            }
        }
        if let last = kept.last, last.first == 0, last.second == 0 { kept.removeLast() }
        segments = kept
    }

    private struct Cut {
        var segment: Int32
        var point: GridPoint
    }

    // MARK: Finding

    private mutating func findCuts() -> [Cut]? {
        guard let first = segments.first else { return [] }
        var (low, high) = (first.a, first.a)
        for segment in segments {
            low.x = min(low.x, segment.a.x)
            high.x = max(high.x, segment.b.x)
            low.y = min(low.y, segment.a.y, segment.b.y)
            high.y = max(high.y, segment.a.y, segment.b.y)
        }
        let side = min(max(Int(Double(segments.count).squareRoot()), 1), 512)
        let (width, height) = (Double(high.x - low.x + 1), Double(high.y - low.y + 1))
        func column(_ x: Double) -> Int { min(max(Int((x - Double(low.x)) / width * Double(side)), 0), side - 1) }
        func row(_ y: Double) -> Int { min(max(Int((y - Double(low.y)) / height * Double(side)), 0), side - 1) }
        /// Every square that a segment passes.
        func forEachSquare(_ s: GridSegment, _ body: (Int) -> Void) {
            let (lowY, highY) = (Double(min(s.a.y, s.b.y)), Double(max(s.a.y, s.b.y)))
            let (firstRow, lastRow) = (row(lowY), row(highY))
            let (ax, ay) = (Double(s.a.x), Double(s.a.y))
            let slope = s.a.y == s.b.y ? 0 : (Double(s.b.x) - ax) / (Double(s.b.y) - ay)
            for r in firstRow...lastRow {
                var (from, to) = (ax, Double(s.b.x))
                if firstRow != lastRow {
                    // A step more on each side is more than rounding loses.
                    let top = max(Double(low.y) + height * Double(r) / Double(side) - 1, lowY)
                    let bottom = min(Double(low.y) + height * Double(r + 1) / Double(side) + 1, highY)
                    let (x0, x1) = (ax + (top - ay) * slope, ax + (bottom - ay) * slope)
                    (from, to) = (max(min(x0, x1) - 1, ax), min(max(x0, x1) + 1, Double(s.b.x)))
                }
                let (firstColumn, lastColumn) = (column(from), column(to))
                for c in firstColumn...max(firstColumn, lastColumn) { body(r * side + c) }
            }
        }
        var starts = [Int32](repeating: 0, count: side * side + 1)
        for segment in segments { forEachSquare(segment) { starts[$0 + 1] &+= 1 } }
        for index in 1..<starts.count { starts[index] &+= starts[index - 1] }
        var members = [Int32](repeating: 0, count: Int(starts[side * side]))
        var places = starts
        for index in segments.indices {
            forEachSquare(segments[index]) {
                members[Int(places[$0])] = Int32(index)
                places[$0] &+= 1
            }
        }
        var cuts: [Cut] = []
        for square in 0..<side * side {
            let own = Int(starts[square])..<Int(starts[square + 1])
            tests += own.count * own.count / 2
            guard tests <= Self.mostTests else { return nil }
            for i in own {
                for j in own.lowerBound..<i { meet(members[i], members[j], &cuts) }
            }
        }
        return cuts
    }

    private func meet(_ i: Int32, _ j: Int32, _ cuts: inout [Cut]) {
        let (s, t) = (segments[Int(i)], segments[Int(j)])
        guard s.a.x <= t.b.x, t.a.x <= s.b.x else { return }
        let (sLow, sHigh) = s.a.y < s.b.y ? (s.a.y, s.b.y) : (s.b.y, s.a.y)
        let (tLow, tHigh) = t.a.y < t.b.y ? (t.a.y, t.b.y) : (t.b.y, t.a.y)
        guard sLow <= tHigh, tLow <= sHigh else { return }
        let (ta, tb) = (GridPoint.cross(s.a, s.b, t.a), GridPoint.cross(s.a, s.b, t.b))
        let (sa, sb) = (GridPoint.cross(t.a, t.b, s.a), GridPoint.cross(t.a, t.b, s.b))
        /// A point of the segment's line that is strictly between its ends.
        func cut(_ index: Int32, _ segment: GridSegment, at point: GridPoint) {
            if point != segment.a, point != segment.b { cuts.append(Cut(segment: index, point: point)) }
        }
        func isBetween(_ p: GridPoint, _ s: GridSegment, _ low: Int64, _ high: Int64) -> Bool {
            p.x >= s.a.x && p.x <= s.b.x && p.y >= low && p.y <= high
        }
        if ta == 0, isBetween(t.a, s, sLow, sHigh) { cut(i, s, at: t.a) }
        if tb == 0, isBetween(t.b, s, sLow, sHigh) { cut(i, s, at: t.b) }
        if sa == 0, isBetween(s.a, t, tLow, tHigh) { cut(j, t, at: s.a) }
        if sb == 0, isBetween(s.b, t, tLow, tHigh) { cut(j, t, at: s.b) }
        guard ta != 0, tb != 0, sa != 0, sb != 0, (ta > 0) != (tb > 0), (sa > 0) != (sb > 0) else { return }
        let share = Double(ta) / (Double(ta) - Double(tb))
        let point = GridPoint(
            x: t.a.x + Int64((Double(t.b.x - t.a.x) * share).rounded()),
            y: t.a.y + Int64((Double(t.b.y - t.a.y) * share).rounded()))
        cut(i, s, at: point)
        cut(j, t, at: point)
    }

    // MARK: Cutting

    private mutating func split(_ found: [Cut]) {
        let cuts = found.sorted { $0.segment < $1.segment }
        var pieces: [GridSegment] = []
        pieces.reserveCapacity(segments.count + cuts.count)
        var next = 0
        for index in segments.indices {
            let segment = segments[index]
            guard next < cuts.count, cuts[next].segment == index else {
                pieces.append(segment)
                continue
            }
            var points: [GridPoint] = []
            while next < cuts.count, cuts[next].segment == index {
                points.append(cuts[next].point)
                next += 1
            }
            let (dx, dy) = (segment.b.x - segment.a.x, segment.b.y - segment.a.y)
            func along(_ p: GridPoint) -> Int64 { (p.x - segment.a.x) * dx + (p.y - segment.a.y) * dy }
            points.sort { along($0) < along($1) }
            points.append(segment.b)
            var from = segment.a
            for to in points where to != from {
                pieces.append(
                    from < to
                        ? GridSegment(a: from, b: to, first: segment.first, second: segment.second)
                        : GridSegment(a: to, b: from, first: -segment.first, second: -segment.second))
                from = to
            }
        }
        segments = pieces
    }
}
