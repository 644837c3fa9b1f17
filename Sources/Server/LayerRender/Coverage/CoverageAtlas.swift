/// Where a tile lies: a page and the pixel of its first byte.
struct AtlasPlace: Hashable {
    var page: Int32
    var x: Int32
    var y: Int32
}

/// Hands out places of one size, a tile each, in as many pages as are needed.
struct CoverageAtlas {
    private static let side = 32
    private static let perRow = FramePlan.coveragePageSide / side
    private static let perPage = perRow * perRow

    /// Free places by page, the next one last.
    private var free: [[Int32]] = []

    var pageCount: Int { free.count }

    mutating func allocate() -> AtlasPlace {
        for page in free.indices {
            if let cell = free[page].popLast() { return place(page, cell) }
        }
        free.append((0..<Int32(Self.perPage)).reversed())
        return place(free.count - 1, free[free.count - 1].removeLast())
    }

    private func place(_ page: Int, _ cell: Int32) -> AtlasPlace {
        let row = Int(cell) / Self.perRow
        let column = Int(cell) % Self.perRow
        return AtlasPlace(page: Int32(page), x: Int32(column * Self.side), y: Int32(row * Self.side))
    }

    mutating func free(_ place: AtlasPlace) {
        let cell = Int(place.y) / Self.side * Self.perRow + Int(place.x) / Self.side
        free[Int(place.page)].append(Int32(cell))
    }

    /// Forgets empty pages at the end.
    mutating func trim() {
        while let last = free.last, last.count == Self.perPage { free.removeLast() }
    }
}
