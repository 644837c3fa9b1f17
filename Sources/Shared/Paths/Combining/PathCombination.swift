// Paths as sets of points: union, intersection, difference.
//
// Curves become chords. All points are brought to a grid of whole numbers, at most 2^28 steps for the larger side of what both paths
// cover, by a power of two from a whole number of units, so that rectangles on whole units, halves or 64ths stay exactly where
// they are. Then every edge is cut where it meets another (SegmentNoder), a sweep says which pieces have the result on one side
// only (SegmentWindings), and those are joined into contours that do not cross themselves and go the same way round: outer
// ones one way, holes the other.

import LayerModel

/// What is made of two sets.
package enum PathOperation: Sendable, CaseIterable {
    case union
    case intersection
    /// The first without the second.
    case subtraction
    /// What lies in one of them only.
    case symmetricDifference

    @inline(__always)
    func callAsFunction(_ first: Bool, _ second: Bool) -> Bool {
        switch self {
        case .union: first || second
        case .intersection: first && second
        case .subtraction: first && !second
        case .symmetricDifference: first != second
        }
    }
}

extension VectorPath {
    /// The points inside this path and another combined, as contours of lines to be filled by either rule. Open contours
    /// are closed.
    ///
    /// - Parameters:
    ///   - rule: Says what is inside, for both paths.
    ///   - tolerance: How far chords may be from their curves, units of the paths.
    /// - Returns: Nil where a number is not finite, or the paths cross too often: hundreds of millions of pairs of neighboring
    ///   edges.
    /// - Complexity: O(n log n + crossings), for paths whose edges are spread out.
    package func combined(
        with other: VectorPath, _ operation: PathOperation, _ rule: FillRule, tolerance: Double
    ) -> VectorPath? {
        guard isFinite, other.isFinite, tolerance > 0 else { return nil }
        let (first, second) = (flattened(1 / (256 * tolerance)), other.flattened(1 / (256 * tolerance)))
        guard let grid = PathGrid(first.points + second.points) else { return VectorPath() }
        var segments: [GridSegment] = []
        segments.reserveCapacity(first.points.count + second.points.count)
        grid.add(first, to: &segments) { ($0, 0) }
        grid.add(second, to: &segments) { (0, $0) }
        var noder = SegmentNoder(segments)
        guard noder.cut() else { return nil }
        var windings = SegmentWindings(noder.segments)
        let edges =
            switch rule {
            case .nonZero: windings.bounds { operation($0 != 0, $1 != 0) }
            case .evenOdd: windings.bounds { operation($0 & 1 != 0, $1 & 1 != 0) }
            }
        var result = VectorPath()
        for contour in ContourJoiner(edges).contours() {
            for (index, point) in contour.enumerated() {
                if index == 0 { result.move(to: grid.point(point)) } else { result.line(to: grid.point(point)) }
            }
            result.close()
        }
        return result
    }
}

/// Between a path's space and whole numbers.
struct PathGrid {
    private let originX, originY: Double
    /// Steps a unit, a power of two.
    private let scale: Double

    /// Nil without points, or where they are too far apart.
    init?(_ points: [Point]) {
        guard let first = points.first else { return nil }
        var (minX, minY, maxX, maxY) = (first.x, first.y, first.x, first.y)
        for point in points {
            (minX, maxX) = (min(minX, point.x), max(maxX, point.x))
            (minY, maxY) = (min(minY, point.y), max(maxY, point.y))
        }
        let size = max(maxX - minX, maxY - minY) + 1
        guard size.isFinite, abs(minX) < 1e300, abs(minY) < 1e300 else { return nil }
        (originX, originY) = (minX.rounded(.down), minY.rounded(.down))
        // size + 1 units are at most 2^28 steps.
        scale = Double(sign: .plus, exponent: 27 - size.exponent, significand: 1)
        guard scale.isFinite, scale > 0 else { return nil }
    }

    func point(_ p: GridPoint) -> Point { Point(originX + Double(p.x) / scale, originY + Double(p.y) / scale) }

    private func gridPoint(_ p: Point) -> GridPoint {
        GridPoint(x: Int64(((p.x - originX) * scale).rounded()), y: Int64(((p.y - originY) * scale).rounded()))
    }

    /// Adds an outline's edges.
    func add(_ outline: Outline, to segments: inout [GridSegment], _ windings: (Int32) -> (Int32, Int32)) {
        outline.forEachEdge { from, to in
            let (a, b) = (gridPoint(from), gridPoint(to))
            guard a != b else { return }
            let (first, second) = windings(a < b ? 1 : -1)
            segments.append(GridSegment(a: min(a, b), b: max(a, b), first: first, second: second))
        }
    }
}

/// Joins directed edges into contours.
struct ContourJoiner {
    private let edges: [(from: GridPoint, to: GridPoint)]

    init(_ edges: [(from: GridPoint, to: GridPoint)]) {
        self.edges = edges.sorted { $0.from != $1.from ? $0.from < $1.from : $0.to < $1.to }
    }

    /// Closed contours without points in the middle of a straight line.
    func contours() -> [[GridPoint]] {
        var isUsed = [Bool](repeating: false, count: edges.count)
        var result: [[GridPoint]] = []
        for start in edges.indices where !isUsed[start] {
            var contour: [GridPoint] = []
            var index = start
            while true {
                isUsed[index] = true
                contour.append(edges[index].from)
                guard edges[index].to != edges[start].from, let next = next(after: index, isUsed) else { break }
                index = next
            }
            let corners = Self.withoutStraightOnes(contour)
            if corners.count >= 3 { result.append(corners) }
        }
        return result
    }

    /// The edge that goes on from another's end: the first one, turning left from the way back, so that contours that touch at a
    /// point stay apart.
    private func next(after index: Int, _ isUsed: [Bool]) -> Int? {
        let point = edges[index].to
        var (low, high) = (0, edges.count)
        while low < high {
            let middle = (low + high) / 2
            if edges[middle].from < point { low = middle + 1 } else { high = middle }
        }
        var best: Int?
        while low < edges.count, edges[low].from == point {
            if !isUsed[low] {
                if let other = best {
                    if isSooner(edges[low].to, edges[other].to, from: point, back: edges[index].from) { best = low }
                } else {
                    best = low
                }
            }
            low += 1
        }
        return best
    }

    /// Whether the way to `a` comes before the way to `b`, turning right from the way back.
    private func isSooner(_ a: GridPoint, _ b: GridPoint, from point: GridPoint, back: GridPoint) -> Bool {
        let (sideA, sideB) = (GridPoint.cross(point, back, a), GridPoint.cross(point, back, b))
        // Right of the way back is the first half turn.
        let (isFirstA, isFirstB) = (sideA < 0, sideB < 0)
        if isFirstA != isFirstB { return isFirstA }
        return GridPoint.cross(point, a, b) < 0
    }

    private static func withoutStraightOnes(_ contour: [GridPoint]) -> [GridPoint] {
        var result: [GridPoint] = []
        for index in contour.indices {
            let before = result.last ?? contour[(index + contour.count - 1) % contour.count]
            let after = contour[(index + 1) % contour.count]
            if GridPoint.cross(before, contour[index], after) != 0 { result.append(contour[index]) }
        }
        return result
    }
}
