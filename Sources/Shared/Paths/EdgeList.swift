// The edges of an outline by the band of 32 pixel rows they begin in, in the order of their contours.

import LayerModel

/// Edges cut to the rows of a box, relative to its corner; keeps its buffers between outlines.
struct EdgeList {
    /// From the upper end to the lower one; a level edge goes the way of its contour.
    struct Edge {
        var x0, y0, x1, y1: Double
        /// +1 when the contour runs downwards, and for level edges.
        var direction: Double

        /// Where the contour enters and leaves it.
        @inline(__always) var start: Point { direction > 0 ? Point(x0, y0) : Point(x1, y1) }
        @inline(__always) var end: Point { direction > 0 ? Point(x1, y1) : Point(x0, y0) }
    }

    private(set) var edges: ContiguousArray<Edge> = []
    /// Where the edges of each band begin; one more at the end.
    private(set) var bands: ContiguousArray<Int32> = []

    func withPointers(_ body: (UnsafePointer<Edge>, UnsafePointer<Int32>) -> Void) {
        edges.withUnsafeBufferPointer { edges in
            bands.withUnsafeBufferPointer { bands in
                // Without edges there is nothing to draw.
                if let edges = edges.baseAddress, let bands = bands.baseAddress { body(edges, bands) }
            }
        }
    }

    /// The smallest box around an outline; empty where a number is not one, or so large that it could be no index.
    static func boundingBox(of outline: Outline) -> PixelRect {
        outline.points.withUnsafeBufferPointer { points in
            guard let first = points.first else { return .empty }
            var (minX, minY, maxX, maxY) = (first.x, first.y, first.x, first.y)
            var largest = 0.0
            for p in points {
                minX = p.x < minX ? p.x : minX
                minY = p.y < minY ? p.y : minY
                maxX = p.x > maxX ? p.x : maxX
                maxY = p.y > maxY ? p.y : maxY
                // 0 but for what is not finite.
                largest += p.x * 0 + p.y * 0
            }
            let limit = 1e9
            guard largest == 0, minX > -limit, minY > -limit, maxX < limit, maxY < limit else { return .empty }
            return PixelRect(
                minX: Int(minX.rounded(.down)), minY: Int(minY.rounded(.down)), maxX: Int(maxX.rounded(.up)),
                maxY: Int(maxY.rounded(.up)))
        }
    }

    /// Takes an outline's edges.
    ///
    /// - Parameter keepsLevel: Also those between two rows' borders that run along them, which have no area of their own.
    mutating func collect(_ outline: Outline, in box: PixelRect, keepsLevel: Bool) {
        let (ox, oy) = (Double(box.minX), Double(box.minY))
        let height = Double(box.height)
        let bandCount = (box.height + CoverageMask.tileSide - 1) / CoverageMask.tileSide
        bands.removeAll(keepingCapacity: true)
        bands.append(contentsOf: repeatElement(0, count: bandCount + 2))
        /// Its band, below 0 for an edge that doesn't count.
        @inline(__always)
        func band(_ a: Point, _ b: Point) -> Int {
            let (ya, yb) = (a.y - oy, b.y - oy)
            let (y0, y1) = ya < yb ? (ya, yb) : (yb, ya)
            if y0 == y1 {
                guard keepsLevel, y0 > 0, y0 < height, y0 != y0.rounded(.down), a.x != b.x else { return -1 }
            } else if y1 <= 0 || y0 >= height {
                return -1
            }
            return y0 > 0 ? Int(truncatingIfNeeded: UInt32(y0) >> 5) : 0
        }
        outline.points.withUnsafeBufferPointer { points in
            bands.withUnsafeMutableBufferPointer { bands in
                let starts = bands.baseAddress!
                outline.forEachEdge(points) { a, b in
                    let index = band(a, b)
                    if index >= 0 { starts[index + 2] &+= 1 }
                }
                for index in 2..<bands.count { starts[index] &+= starts[index - 1] }
            }
            let count = Int(bands[bandCount + 1])
            if edges.count < count {
                edges = ContiguousArray(
                    repeating: Edge(x0: 0, y0: 0, x1: 0, y1: 0, direction: 0), count: max(count, edges.count * 3 / 2))
            }
            edges.withUnsafeMutableBufferPointer { edges in
                bands.withUnsafeMutableBufferPointer { bands in
                    let (starts, places) = (bands.baseAddress!, edges.baseAddress)
                    outline.forEachEdge(points) { a, b in
                        let index = band(a, b)
                        if index < 0 { return }
                        let place = Int(starts[index + 1])
                        starts[index + 1] &+= 1
                        let (ya, yb) = (a.y - oy, b.y - oy)
                        places![place] =
                            ya <= yb
                            ? Edge(x0: a.x - ox, y0: ya, x1: b.x - ox, y1: yb, direction: 1)
                            : Edge(x0: b.x - ox, y0: yb, x1: a.x - ox, y1: ya, direction: -1)
                    }
                }
            }
        }
    }
}

extension Outline {
    /// One contour that turns the same way all along, and once around: nothing can be covered twice.
    var isConvex: Bool {
        guard contourEnds.count == 1 else { return false }
        return points.withUnsafeBufferPointer { points in
            var before = points[points.count - 1]
            var way = Point(before.x - points[points.count - 2].x, before.y - points[points.count - 2].y)
            var (least, most) = (0.0, 0.0)
            /// How often x turns round: twice in one turn.
            var reversals = 0
            var side = 0.0
            var firstSide = 0.0
            for point in points {
                let next = Point(point.x - before.x, point.y - before.y)
                let turn = way.x * next.y - way.y * next.x
                least = min(least, turn)
                most = max(most, turn)
                if least < 0, most > 0 { return false }
                // A turn back on the spot.
                if turn == 0, way.x * next.x + way.y * next.y < 0 { return false }
                if next.x != 0 {
                    let now = next.x < 0 ? -1.0 : 1
                    if side == 0 { firstSide = now } else if now != side { reversals += 1 }
                    side = now
                }
                before = point
                if next.x != 0 || next.y != 0 { way = next }
            }
            if side != firstSide { reversals += 1 }
            return reversals <= 2
        }
    }
}
