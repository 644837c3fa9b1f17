// The tiles of a tiled layer: where each lies, and which ones cover a part of it.
//
// Level k is drawn with contentsScale · 2^k pixels a point. There are `levelsOfDetail` of them, the largest is the bias. A
// tile has tileSize pixels at every level; the grid starts at (0, 0) of the layer's coordinates, so scrolling the layer's own
// bounds moves no tile. Source: semantic reference, §6.7.

import LayerModel

/// One tile of one level.
struct TileKey: Hashable {
    var level: Int
    var column: Int
    var row: Int
}

/// Everything that the tiles of a layer depend on but what is drawn in them: another grid is drawn anew.
struct TileGrid: Equatable {
    /// Pixels, whole.
    var tileWidth: Double
    var tileHeight: Double
    var contentsScale: Double
    var lowestLevel: Int
    var highestLevel: Int
    var isOpaque: Bool
    var isGray: Bool
    var isFlipped: Bool

    /// Tiles at a time, and their pixels; the display may have more.
    static let mostTiles = 16_384
    static let mostPixels = 64.0 * 1_048_576

    /// Pixels a point.
    func scale(ofLevel level: Int) -> Double { contentsScale * Double(sign: .plus, exponent: level, significand: 1) }

    /// The level that is nearest to a size on the display, in doublings.
    ///
    /// - Parameter scale: Pixels of the display a point.
    func level(at scale: Double) -> Int {
        let exact = log2(scale / contentsScale).rounded()
        guard exact > Double(lowestLevel) else { return lowestLevel }
        return exact < Double(highestLevel) ? Int(exact) : highestLevel
    }

    /// The same, or a smaller one where there are that many tiles to see.
    func level(at scale: Double, for polygon: [Point], limit: Int) -> Int {
        var level = level(at: scale)
        let area = abs(polygon.area)
        while level > lowestLevel {
            let size = size(ofLevel: level)
            if area / (size.width * size.height) <= Double(limit) { break }
            level -= 1
        }
        return level
    }

    /// Points.
    func size(ofLevel level: Int) -> Size {
        let scale = scale(ofLevel: level)
        return Size(tileWidth / scale, tileHeight / scale)
    }

    func rect(of key: TileKey) -> Rect {
        let size = size(ofLevel: key.level)
        return Rect(
            minX: Double(key.column) * size.width, minY: Double(key.row) * size.height,
            maxX: Double(key.column + 1) * size.width, maxY: Double(key.row + 1) * size.height)
    }

    /// The tiles that a convex polygon touches, from its middle outwards, at most `limit` of them.
    func tiles(of polygon: [Point], around middle: Point, level: Int, limit: Int) -> [TileKey] {
        let size = size(ofLevel: level)
        let ys = polygon.lazy.map(\.y)
        guard let low = ys.min(), let high = ys.max(), let rows = TileGrid.places(low, high, size.height),
            let home = TileGrid.places(middle.y, middle.y, size.height)
        else { return [] }
        let first = min(max(home.lowerBound, rows.lowerBound), rows.upperBound)
        var keys: [TileKey] = []
        var distance = 0
        var isDone = false
        while !isDone, keys.count < limit {
            isDone = true
            for row in distance == 0 ? [first] : [first + distance, first - distance] where rows.contains(row) {
                isDone = false
                let band = polygon.cut(0, 1, -Double(row) * size.height).cut(0, -1, Double(row + 1) * size.height)
                let xs = band.lazy.map(\.x)
                guard let left = xs.min(), let right = xs.max(),
                    let columns = TileGrid.places(left, right, size.width)
                else { continue }
                let room = limit - keys.count
                let start =
                    columns.count <= room
                    ? columns.lowerBound
                    : TileGrid.places(middle.x, middle.x, size.width).map {
                        min(max($0.lowerBound - room / 2, columns.lowerBound), columns.upperBound - room + 1)
                    } ?? columns.lowerBound
                for column in start..<(start + min(columns.count, room)) {
                    keys.append(TileKey(level: level, column: column, row: row))
                }
            }
            distance += 1
        }
        return keys
    }

    /// The numbers of the tiles along one side between two places; nil when they can't be counted.
    private static func places(_ low: Double, _ high: Double, _ length: Double) -> ClosedRange<Int>? {
        // What is a rounding error beyond a seam is on this side of it.
        let (first, last) = ((low / length + 1e-9).rounded(.down), (high / length - 1e-9).rounded(.up) - 1)
        guard abs(first) < 1e12, abs(last) < 1e12 else { return nil }
        return Int(first)...max(Int(first), Int(last))
    }
}

extension [Point] {
    /// Of a polygon; below 0 where it turns the other way.
    fileprivate var area: Double {
        guard let first else { return 0 }
        // About a corner: far from the origin no digits are lost.
        return zip(self, dropFirst()).reduce(0) { sum, edge in
            sum + (edge.0.x - first.x) * (edge.1.y - first.y) - (edge.1.x - first.x) * (edge.0.y - first.y)
        } / 2
    }
}
