// Which of the siblings in a 3D space meet on the display at all.
//
// A binary space partition cuts along whole planes, also where there is nothing of the one that is cut along. A row of
// tilted cards that don't touch would be cut all over. So siblings are first parted into groups with nothing between them
// in common, and only those of one group are ordered and cut.

import LayerModel

/// Convex polygons in groups: two that come nearer to each other than `margin` are in one group, and so are those that
/// are in one with a third.
/// - Returns: Each in ascending order, by their first members.
/// - Complexity: O(n²) where all overlap; those that overlap little are found in O(n log n). After `pairLimit` pairs
///   that were compared, all are one group.
func overlapGroups(_ polygons: [[Point]], margin: Double, pairLimit: Int = 1 << 22) -> [[Int]] {
    var pairsLeft = pairLimit
    var parents = Array(polygons.indices)
    func root(_ index: Int) -> Int {
        var index = index
        while parents[index] != index {
            parents[index] = parents[parents[index]]
            index = parents[index]
        }
        return index
    }
    let boxes = polygons.map { polygon in
        polygon.reduce(Box()) { $0.including($1) }
    }
    let sorted = polygons.indices.filter { polygons[$0].count > 2 }.sorted {
        boxes[$0].minX != boxes[$1].minX ? boxes[$0].minX < boxes[$1].minX : $0 < $1
    }
    for (position, a) in sorted.enumerated() {
        for b in sorted[(position + 1)...] {
            if boxes[b].minX > boxes[a].maxX + margin { break }
            pairsLeft -= 1
            guard pairsLeft > 0 else { return [Array(polygons.indices)] }
            if boxes[b].minY > boxes[a].maxY + margin || boxes[a].minY > boxes[b].maxY + margin { continue }
            let (first, second) = (root(a), root(b))
            if first == second || areApart(polygons[a], polygons[b], margin) { continue }
            parents[max(first, second)] = min(first, second)
        }
    }
    var groups: [[Int]] = []
    var places = [Int](repeating: -1, count: polygons.count)
    for index in polygons.indices {
        let first = root(index)
        if places[first] < 0 {
            places[first] = groups.count
            groups.append([])
        }
        groups[places[first]].append(index)
    }
    return groups
}

private struct Box {
    var minX = Double.infinity
    var minY = Double.infinity
    var maxX = -Double.infinity
    var maxY = -Double.infinity

    func including(_ p: Point) -> Box {
        Box(minX: min(minX, p.x), minY: min(minY, p.y), maxX: max(maxX, p.x), maxY: max(maxY, p.y))
    }
}

/// True when a line along a side of one of them has them on different sides, `margin` apart.
private func areApart(_ a: [Point], _ b: [Point], _ margin: Double) -> Bool {
    separates(a, b, margin) || separates(b, a, margin)
}

private func separates(_ polygon: [Point], _ other: [Point], _ margin: Double) -> Bool {
    guard var from = polygon.last else { return false }
    for to in polygon {
        defer { from = to }
        let (dx, dy) = (to.x - from.x, to.y - from.y)
        let length = (dx * dx + dy * dy).squareRoot()
        guard length > 0 else { continue }
        func distance(_ p: Point) -> Double { ((p.x - from.x) * dy - (p.y - from.y) * dx) / length }
        let mine = polygon.map(distance)
        let theirs = other.map(distance)
        guard let low = mine.min(), let high = mine.max(), let otherLow = theirs.min(), let otherHigh = theirs.max()
        else { return false }
        if otherLow > high + margin || otherHigh < low - margin { return true }
    }
    return false
}
