// Closed contours in device pixels, made of straight lines: what the rasterizer fills.

import LayerModel

/// Closed polygons. The last point of a contour joins its first.
package struct Outline: Sendable, Equatable {
    package private(set) var points: [Point] = []
    /// Index just past the last point of each contour.
    package private(set) var contourEnds: [Int] = []

    package init() {}

    package static func polygon(_ points: [Point]) -> Outline {
        var outline = Outline()
        outline.addContour(points)
        return outline
    }

    package var isEmpty: Bool { points.isEmpty }

    /// Contours with fewer than three points enclose nothing and are dropped; so are ones with points that are not finite.
    package mutating func addContour(_ contour: [Point]) {
        guard contour.count >= 3, contour.areFinite else { return }
        points.append(contentsOf: contour)
        contourEnds.append(points.count)
    }

    // MARK: Point by point

    mutating func reserveCapacity(points count: Int) { points.reserveCapacity(count) }

    /// No point was added since the last contour ended.
    var isBetweenContours: Bool { points.count == (contourEnds.last ?? 0) }

    /// Adds a point to the contour at hand. Nothing is checked.
    @inline(__always)
    mutating func append(_ point: Point) { points.append(point) }

    /// Of all contours, and the one at hand.
    @inline(__always) var count: Int { points.count }

    /// A point by its place among all.
    @inline(__always)
    subscript(_ index: Int) -> Point { points[index] }

    /// Takes back points of the contour at hand.
    @inline(__always)
    mutating func removeLast(_ count: Int = 1) {
        if count == 1 { points.removeLast() } else { points.removeLast(count) }
    }

    /// Ends the contour at hand through a point and back along a list.
    mutating func endContour(through point: Point?, back: [Point]) {
        if points.count - (contourEnds.last ?? 0) + back.count > 2 {
            if let point { points.append(point) }
            points.append(contentsOf: back.reversed())
        }
        endContour()
    }

    /// Ends the contour at hand, which goes again if it encloses nothing.
    mutating func endContour() {
        let count = points.count - (contourEnds.last ?? 0)
        if count >= 3 { contourEnds.append(points.count) } else { points.removeLast(count) }
    }

    // MARK: Moved

    var isFinite: Bool { points.areFinite }

    /// The contours under a homography, cut to a little more than `clip`.
    consuming func projected(by plane: Homography, near clip: PixelRect) -> Outline {
        let clipper = ContourClipper(clip)
        if plane.isAffine {
            if plane != .identity {
                points.withUnsafeMutableBufferPointer { points in
                    for index in points.indices { points[index] = plane.apply(points[index]) }
                }
            }
            var areHeld = true
            points.withUnsafeBufferPointer { points in
                for point in points where !clipper.holds(point) { areHeld = false }
            }
            if areHeld { return self }
        }
        var result = Outline()
        var start = 0
        for end in contourEnds {
            let contour = Array(points[start..<end])
            result.addContour(clipper.clip(contour, under: plane.isAffine ? .identity : plane))
            start = end
        }
        return result
    }

    /// Calls `body` for every edge of every contour, closing ones included.
    package func forEachEdge(_ body: (Point, Point) -> Void) {
        points.withUnsafeBufferPointer { forEachEdge($0, body) }
    }

    /// The same for who has the points already.
    @inline(__always)
    func forEachEdge(_ points: UnsafeBufferPointer<Point>, _ body: (Point, Point) -> Void) {
        guard let base = points.baseAddress else { return }
        var start = 0
        for end in contourEnds {
            var from = base[end - 1]
            for index in start..<end {
                let to = base[index]
                body(from, to)
                from = to
            }
            start = end
        }
    }
}
