/// Whole device pixels, from the top left.
package struct PixelSize: Hashable, Sendable, CustomStringConvertible {
    package var width: Int
    package var height: Int

    @inlinable
    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    @inlinable
    package var area: Int { width * height }
    @inlinable
    package var isEmpty: Bool { width <= 0 || height <= 0 }
    package var description: String { "\(width)x\(height)" }
}

/// A rectangle of whole device pixels: half-open, y down.
package struct PixelRect: Hashable, Sendable, CustomStringConvertible {
    package var minX: Int
    package var minY: Int
    package var maxX: Int
    package var maxY: Int

    @inlinable
    package init(minX: Int, minY: Int, maxX: Int, maxY: Int) {
        self.minX = minX
        self.minY = minY
        self.maxX = maxX
        self.maxY = maxY
    }

    @inlinable
    package init(x: Int, y: Int, width: Int, height: Int) {
        self.init(minX: x, minY: y, maxX: x + width, maxY: y + height)
    }

    @inlinable
    package static var empty: PixelRect { PixelRect(minX: 0, minY: 0, maxX: 0, maxY: 0) }

    @inlinable @inline(__always)
    package static func == (a: PixelRect, b: PixelRect) -> Bool {
        a.minX == b.minX && a.minY == b.minY && a.maxX == b.maxX && a.maxY == b.maxY
    }

    @inlinable @inline(__always)
    package static func != (a: PixelRect, b: PixelRect) -> Bool { !(a == b) }

    @inlinable
    package var width: Int { max(maxX - minX, 0) }
    @inlinable
    package var height: Int { max(maxY - minY, 0) }
    @inlinable
    package var size: PixelSize { PixelSize(width: width, height: height) }
    @inlinable
    package var area: Int { width * height }
    @inlinable @inline(__always)
    package var isEmpty: Bool { maxX <= minX || maxY <= minY }
    package var description: String { "(\(minX),\(minY) \(width)x\(height))" }

    @inlinable @inline(__always)
    package func intersection(_ b: PixelRect) -> PixelRect {
        let r = PixelRect(
            minX: max(minX, b.minX), minY: max(minY, b.minY), maxX: min(maxX, b.maxX), maxY: min(maxY, b.maxY))
        return r.isEmpty ? .empty : r
    }

    @inlinable @inline(__always)
    package func union(_ b: PixelRect) -> PixelRect {
        if isEmpty { return b }
        if b.isEmpty { return self }
        return PixelRect(
            minX: min(minX, b.minX), minY: min(minY, b.minY), maxX: max(maxX, b.maxX), maxY: max(maxY, b.maxY))
    }

    @inlinable @inline(__always)
    package func intersects(_ b: PixelRect) -> Bool {
        minX < b.maxX && b.minX < maxX && minY < b.maxY && b.minY < maxY
    }

    @inlinable @inline(__always)
    package func contains(_ b: PixelRect) -> Bool {
        minX <= b.minX && minY <= b.minY && maxX >= b.maxX && maxY >= b.maxY
    }

    @inlinable @inline(__always)
    package func offsetBy(x: Int, y: Int) -> PixelRect {
        PixelRect(minX: minX + x, minY: minY + y, maxX: maxX + x, maxY: maxY + y)
    }
}
