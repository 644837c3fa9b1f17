// Points, sizes, rectangles of the shared floor. Doubles, no Foundation; the client converts to CGPoint and its kin in
// one file (Quartz2D/GeometryConversion.swift).

/// A point, in the space its owner names.
package struct Point: Hashable, Sendable {
    package var x: Double
    package var y: Double

    @inlinable
    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    @inlinable
    package init(_ x: Double, _ y: Double) {
        self.init(x: x, y: y)
    }

    @inlinable
    package static var zero: Point { Point(0, 0) }

    @inlinable
    package static func == (a: Point, b: Point) -> Bool {
        a.x == b.x && a.y == b.y
    }

    @inlinable
    package var isFinite: Bool { x.isFinite && y.isFinite }
}

/// A width and a height, in the unit of the space its owner names.
package struct Size: Hashable, Sendable {
    package var width: Double
    package var height: Double

    @inlinable
    package init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    @inlinable
    package init(_ width: Double, _ height: Double) {
        self.init(width: width, height: height)
    }

    @inlinable
    package static var zero: Size { Size(0, 0) }

    @inlinable
    package static func == (a: Size, b: Size) -> Bool {
        a.width == b.width && a.height == b.height
    }

    @inlinable
    package var isFinite: Bool { width.isFinite && height.isFinite }
}

/// A rectangle by origin and size. A negative size is allowed as input; `standardized` turns it around.
package struct Rect: Hashable, Sendable {
    package var origin: Point
    package var size: Size

    @inlinable
    package init(origin: Point, size: Size) {
        self.origin = origin
        self.size = size
    }

    @inlinable
    package init(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
        self.init(origin: Point(x, y), size: Size(width, height))
    }

    /// The rectangle between two corners, whichever way round they are.
    @inlinable
    package init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
        self.init(minX, minY, maxX - minX, maxY - minY)
    }

    @inlinable
    package static var zero: Rect { Rect(0, 0, 0, 0) }
    @inlinable
    package static var unit: Rect { Rect(0, 0, 1, 1) }

    @inlinable
    package static func == (a: Rect, b: Rect) -> Bool {
        a.origin == b.origin && a.size == b.size
    }

    @inlinable
    package var minX: Double { origin.x }
    @inlinable
    package var minY: Double { origin.y }
    @inlinable
    package var maxX: Double { origin.x + size.width }
    @inlinable
    package var maxY: Double { origin.y + size.height }
    @inlinable
    package var midX: Double { origin.x + size.width / 2 }
    @inlinable
    package var midY: Double { origin.y + size.height / 2 }
    @inlinable
    package var width: Double { size.width }
    @inlinable
    package var height: Double { size.height }

    @inlinable
    package var isFinite: Bool { origin.isFinite && size.isFinite }
    @inlinable
    package var isEmpty: Bool { !(size.width > 0 && size.height > 0) }

    /// The same rectangle with a size that is not negative.
    @inlinable
    package var standardized: Rect {
        var rect = self
        if rect.size.width < 0 {
            rect.origin.x += rect.size.width
            rect.size.width = -rect.size.width
        }
        if rect.size.height < 0 {
            rect.origin.y += rect.size.height
            rect.size.height = -rect.size.height
        }
        return rect
    }

    /// Half-open: the left and top edges belong to the rectangle, the right and bottom ones do not.
    @inlinable
    package func contains(_ point: Point) -> Bool {
        point.x >= minX && point.x < maxX && point.y >= minY && point.y < maxY
    }

    /// Empty (`Rect.zero`) where the two do not overlap.
    @inlinable
    package func intersection(_ other: Rect) -> Rect {
        let left = max(minX, other.minX)
        let top = max(minY, other.minY)
        let right = min(maxX, other.maxX)
        let bottom = min(maxY, other.maxY)
        guard right > left, bottom > top else { return .zero }
        return Rect(minX: left, minY: top, maxX: right, maxY: bottom)
    }

    @inlinable
    package func insetBy(dx: Double, dy: Double) -> Rect {
        Rect(minX + dx, minY + dy, width - 2 * dx, height - 2 * dy)
    }

    @inlinable
    package func offsetBy(dx: Double, dy: Double) -> Rect {
        Rect(minX + dx, minY + dy, width, height)
    }

    /// The corners in the order min-min, max-min, max-max, min-max.
    @inlinable
    package var corners: (Point, Point, Point, Point) {
        (Point(minX, minY), Point(maxX, minY), Point(maxX, maxY), Point(minX, maxY))
    }
}
