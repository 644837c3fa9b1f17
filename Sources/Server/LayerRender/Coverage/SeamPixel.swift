import LayerModel

/// A pixel at the seam of planes that cross.
struct SeamPixel {
    /// Row, column, value: as one number in reading order.
    let word: UInt64

    /// - Parameters: Coordinates within ±2²³.
    init(x: Int, y: Int, value: UInt8) {
        word = UInt64(y + Self.origin) << 32 | UInt64(x + Self.origin) << 8 | UInt64(value)
    }

    private static let origin = 1 << 23

    var x: Int { Int(word >> 8 & 0xFF_FFFF) - Self.origin }
    var y: Int { Int(word >> 32) - Self.origin }

    /// The pixel's value in a list in reading order; nil where it is not in it.
    static func value(in list: [SeamPixel], x: Int, y: Int) -> UInt8? {
        let place = UInt64(y + origin) << 24 | UInt64(x + origin)
        var (low, high) = (0, list.count)
        while low < high {
            let middle = (low + high) / 2
            if list[middle].word >> 8 < place { low = middle + 1 } else { high = middle }
        }
        guard low < list.count, list[low].word >> 8 == place else { return nil }
        return UInt8(truncatingIfNeeded: list[low].word)
    }
}

extension PixelRect {
    /// The smallest rectangle around some pixels.
    static func box(of pixels: [SeamPixel]) -> PixelRect {
        pixels.reduce(.empty) { $0.union(PixelRect(x: $1.x, y: $1.y, width: 1, height: 1)) }
    }
}
