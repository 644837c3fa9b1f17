// Closed contours in device pixels, made of straight lines: what the rasteriser fills.

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
        guard contour.count >= 3, contour.allSatisfy(\.isFinite) else { return }
        points.append(contentsOf: contour)
        contourEnds.append(points.count)
    }

    /// A contour along one list, through a point, and back along another. Nothing is checked.
    mutating func addContour(_ there: [Point], through point: Point?, back: [Point]) {
        guard there.count + back.count >= 3 else { return }
        points.append(contentsOf: there)
        if let point { points.append(point) }
        var index = back.count
        while index > 0 {
            index -= 1
            points.append(back[index])
        }
        contourEnds.append(points.count)
    }

    /// A contour, forwards or backwards. Nothing is checked.
    mutating func addContour(_ contour: [Point], backwards: Bool) {
        addContour(backwards ? [] : contour, through: nil, back: backwards ? contour : [])
    }

    var isFinite: Bool { points.allSatisfy(\.isFinite) }

    /// The contours with their points moved; they stay as many.
    func mapped(_ move: (Point) -> Point) -> Outline {
        var outline = self
        for index in points.indices { outline.points[index] = move(points[index]) }
        return outline
    }

    /// Calls `body` for every edge of every contour, closing ones included.
    package func forEachEdge(_ body: (Point, Point) -> Void) {
        var start = 0
        for end in contourEnds {
            var from = points[end - 1]
            for index in start..<end {
                body(from, points[index])
                from = points[index]
            }
            start = end
        }
    }
}
