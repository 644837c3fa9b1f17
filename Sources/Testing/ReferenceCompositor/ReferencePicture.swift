// An image and how one point of it is sampled.
//
// Texel space: x from 0 to the width, y from 0 (the top of the first row) to the height. Texel (i, j) covers the square
// from (i, j) to (i+1, j+1); its color holds at its center. Outside the image the nearest edge texel goes on.

import LayerModel

/// The pixels of one image, with its mip chain.
final class ReferencePicture {
    /// One level: premultiplied BGRA, 0…255, rows from the top, no padding.
    struct Level {
        var width: Int
        var height: Int
        var bytes: [UInt8]
    }

    private var levels: [Level]

    var width: Int { levels[0].width }
    var height: Int { levels[0].height }

    /// Nil when the bytes do not hold what the sizes promise.
    init?(_ content: ImageContent) {
        let (rowBytes, overflow) = content.width.multipliedReportingOverflow(by: 4)
        guard !overflow, content.width > 0, content.height > 0, content.bytesPerRow >= rowBytes else { return nil }
        let (lastRow, tooMany) = content.bytesPerRow.multipliedReportingOverflow(by: content.height - 1)
        guard !tooMany, lastRow <= content.pixels.count - rowBytes else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rowBytes * content.height)
        content.pixels.withBytes { source in
            for row in 0..<content.height {
                let start = row * content.bytesPerRow
                bytes.append(contentsOf: source[start..<start + rowBytes])
            }
        }
        levels = [Level(width: content.width, height: content.height, bytes: bytes)]
    }

    /// Premultiplied BGRA without padding.
    init(width: Int, height: Int, bytes: [UInt8]) {
        levels = [Level(width: width, height: height, bytes: bytes)]
    }

    /// The texel that holds the point. `columns` and `rows` are the texels allowed, at least one each.
    func nearest(_ p: Point, columns: ClosedRange<Int>, rows: ClosedRange<Int>) -> Ink {
        let level = levels[0]
        let i = min(max(Self.cell(p.x, level.width), columns.lowerBound), columns.upperBound)
        let j = min(max(Self.cell(p.y, level.height), rows.lowerBound), rows.upperBound)
        return Self.texel(level, i, j)
    }

    /// Bilinear between the four texel centers around the point.
    func linear(_ p: Point) -> Ink { Self.bilinear(levels[0], p) }

    /// Bilinear on the two mip levels around `lod`, then linear between them.
    ///
    /// - Parameter lod: Log2 of the texels a pixel, bias included. Below 0: the image itself.
    func trilinear(_ p: Point, lod: Double) -> Ink {
        makeMipChain()
        let clamped = min(max(lod, 0), Double(levels.count - 1))
        let lower = Int(clamped)
        let near = bilinear(level: lower, p)
        guard lower + 1 < levels.count, clamped > Double(lower) else { return near }
        let t = clamped - Double(lower)
        return near * (1 - t) + bilinear(level: lower + 1, p) * t
    }

    private func bilinear(level index: Int, _ p: Point) -> Ink {
        let level = levels[index]
        let x = p.x * Double(level.width) / Double(width)
        let y = p.y * Double(level.height) / Double(height)
        return Self.bilinear(level, Point(x, y))
    }

    // MARK: Texels

    /// The index of the texel, kept within one of the image so that any number will do, even none.
    private static func cell(_ x: Double, _ count: Int) -> Int {
        !(x >= 0) ? -1 : x > Double(count) ? count : Int(x.rounded(.down))
    }

    private static func texel(_ level: Level, _ i: Int, _ j: Int) -> Ink {
        let x = i < 0 ? 0 : i < level.width ? i : level.width - 1
        let y = j < 0 ? 0 : j < level.height ? j : level.height - 1
        let at = (y * level.width + x) * 4
        return Ink(
            blue: Double(level.bytes[at]), green: Double(level.bytes[at + 1]), red: Double(level.bytes[at + 2]),
            alpha: Double(level.bytes[at + 3]))
    }

    private static func bilinear(_ level: Level, _ p: Point) -> Ink {
        // Texel centers lie at halves.
        let i = cell(p.x - 0.5, level.width)
        let j = cell(p.y - 0.5, level.height)
        let s = share(p.x - 0.5 - Double(i))
        let t = share(p.y - 0.5 - Double(j))
        let upper = texel(level, i, j) * (1 - s) + texel(level, i + 1, j) * s
        let lower = texel(level, i, j + 1) * (1 - s) + texel(level, i + 1, j + 1) * s
        return upper * (1 - t) + lower * t
    }

    /// Within 0…1 although the cell was kept near the image.
    private static func share(_ value: Double) -> Double { value > 0 ? value < 1 ? value : 1 : 0 }

    /// Each level half the size of the one before, rounded down but at least 1; a texel is the average of the area it
    /// covers there (2×2 texels where the size is even), rounded to 8 bits.
    private func makeMipChain() {
        guard levels.count == 1 else { return }
        while let last = levels.last, last.width > 1 || last.height > 1 {
            levels.append(Self.halved(last))
        }
    }

    private static func halved(_ source: Level) -> Level {
        let width = max(source.width / 2, 1)
        let height = max(source.height / 2, 1)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(width * height * 4)
        let columns = (0..<width).map { footprint($0, of: width, over: source.width) }
        let rows = (0..<height).map { footprint($0, of: height, over: source.height) }
        for row in rows {
            for column in columns {
                var sum = Ink.clear
                for (j, q) in row {
                    for (i, p) in column { sum = sum + texel(source, i, j) * (p * q) }
                }
                for value in [sum.blue, sum.green, sum.red, sum.alpha] { bytes.append(roundedByte(value)) }
            }
        }
        return Level(width: width, height: height, bytes: bytes)
    }

    /// The texels under cell `index` of `count` cells, each with its share of the cell.
    private static func footprint(_ index: Int, of count: Int, over size: Int) -> [(Int, Double)] {
        let ratio = Double(size) / Double(count)
        let from = Double(index) * ratio
        let to = Double(index + 1) * ratio
        return (Int(from)..<min(Int(to.rounded(.up)), size)).compactMap { texel in
            let share = (min(to, Double(texel + 1)) - max(from, Double(texel))) / ratio
            return share > 1e-9 ? (texel, share) : nil
        }
    }
}
