// How much of each pixel a shape covers.
//
// The definition, pixel by pixel: cut the pixel's square with every antialiased side of the shape; the area that is
// left, times 1 or 0 for each side that is not antialiased (is the pixel's center on its inner side?). To be quick the
// shape is first cut into rows of pixels; in a row the pixels that lie wholly inside are known from where the row's
// upper and lower line enter and leave the shape (it is convex), and only the others are cut.
//
// An area that differs from 0 or 1 by less than a rounding error is 0 or 1.

import LayerModel

/// Coverage of the pixels in a rectangle; 0 outside.
struct Coverage {
    let bounds: PixelRect
    /// 0…1, row by row.
    private(set) var values: [Double]
    /// Where the answer of a hard side is not sure; empty when all are.
    private var doubts: [Bool] = []

    static let rounding = 1e-6
    /// How near, in pixels, a hard side may pass a pixel's center before the answer is called doubtful.
    static let doubtDistance = 1.0 / 256

    static let none = Coverage(bounds: .empty, value: 0)

    /// The same coverage everywhere in a rectangle.
    init(bounds: PixelRect, value: Double) {
        self.bounds = bounds
        values = Array(repeating: value, count: bounds.area)
    }

    /// What `fill` makes of zeros, row by row; a rounding error away from 0 or 1 is 0 or 1. The result's bounds are the
    /// pixels that are covered at all.
    init(bounds limits: PixelRect, _ fill: (inout [Double]) -> Void) {
        var values = Array(repeating: 0.0, count: limits.area)
        fill(&values)
        var box = PixelRect.empty
        for y in limits.minY..<limits.maxY {
            for x in limits.minX..<limits.maxX {
                let at = (y - limits.minY) * limits.width + x - limits.minX
                values[at] = Self.snapped(values[at])
                if values[at] > 0 { box = box.union(PixelRect(x: x, y: y, width: 1, height: 1)) }
            }
        }
        self.init(bounds: box, value: 0)
        var at = 0
        for y in box.minY..<box.maxY {
            for x in box.minX..<box.maxX {
                self.values[at] = values[(y - limits.minY) * limits.width + x - limits.minX]
                at += 1
            }
        }
    }

    /// The coverage of a shape in device pixels.
    ///
    /// - Parameter limits: Pixels of interest; the result's bounds lie in it.
    init(of shape: ConvexPolygon, in limits: PixelRect) {
        let shape = shape.positivelyOriented
        guard !limits.isEmpty, shape.isFinite, shape.signedDoubleArea > 0 else {
            self = .none
            return
        }
        let kinds = shape.vertices.map(\.edge)
        // What is bounded on all sides lies in its box, however its sides are.
        let limits = kinds.contains(.open) ? limits : Self.box(of: shape.clipped(to: limits), in: limits)
        let region =
            kinds.allSatisfy { $0 == .soft }
            ? shape.clipped(to: limits)
            : ConvexPolygon(limits).clipped(bySidesOf: shape, kind: .soft)
        self.init(areaOf: region, in: limits)
        if kinds.contains(.hard) {
            keepCenters(inside: ConvexPolygon(limits).clipped(bySidesOf: shape, kind: .hard))
        }
    }

    func value(x: Int, y: Int) -> Double {
        guard x >= bounds.minX, x < bounds.maxX, y >= bounds.minY, y < bounds.maxY else { return 0 }
        return values[(y - bounds.minY) * bounds.width + x - bounds.minX]
    }

    func isDoubtful(x: Int, y: Int) -> Bool {
        guard !doubts.isEmpty, x >= bounds.minX, x < bounds.maxX, y >= bounds.minY, y < bounds.maxY else {
            return false
        }
        return doubts[(y - bounds.minY) * bounds.width + x - bounds.minX]
    }

    /// Calls `body` for each pixel of `area` that is covered, or may be.
    func forEachPixel(in area: PixelRect, _ body: (_ x: Int, _ y: Int, _ share: Double, _ flags: PixelFlags) -> Void) {
        let area = area.intersection(bounds)
        let hasDoubts = !doubts.isEmpty
        values.withUnsafeBufferPointer { values in
            var y = area.minY
            while y < area.maxY {
                var at = (y - bounds.minY) * bounds.width + area.minX - bounds.minX
                var x = area.minX
                while x < area.maxX {
                    let share = values[at]
                    var flags = PixelFlags.none
                    if share > 0, share < 1 { flags = .edge }
                    if hasDoubts, doubts[at] { flags = flags | .doubtful }
                    if share > 0 || !flags.isNone { body(x, y, share, flags) }
                    x += 1
                    at += 1
                }
                y += 1
            }
        }
    }

    /// This coverage without the part that `inner` covers; `inner` lies within.
    func subtracting(_ inner: Coverage) -> Coverage {
        var result = self
        let hasDoubts = !doubts.isEmpty || !inner.doubts.isEmpty
        if hasDoubts, doubts.isEmpty { result.doubts = Array(repeating: false, count: values.count) }
        var at = 0
        for y in bounds.minY..<bounds.maxY {
            for x in bounds.minX..<bounds.maxX {
                result.values[at] = Self.snapped(values[at] - inner.value(x: x, y: y))
                if hasDoubts, inner.isDoubtful(x: x, y: y) { result.doubts[at] = true }
                at += 1
            }
        }
        return result
    }

    private static func snapped(_ area: Double) -> Double {
        area < rounding ? 0 : area > 1 - rounding ? 1 : area
    }

    // MARK: Hard sides

    /// Sets pixels to 0 whose centers are not in the region.
    private mutating func keepCenters(inside region: ConvexPolygon) {
        let points = region.vertices.map(\.point)
        doubts = Array(repeating: false, count: values.count)
        let e = Self.doubtDistance
        var at = 0
        for y in bounds.minY..<bounds.maxY {
            let middle = Double(y) + 0.5
            let here = Self.span(of: points, y: middle)
            let above = Self.span(of: points, y: middle - e)
            let below = Self.span(of: points, y: middle + e)
            for x in bounds.minX..<bounds.maxX {
                let center = Double(x) + 0.5
                let isIn = here.contains(center)
                let isSure =
                    here.contains(center - e) == isIn && here.contains(center + e) == isIn
                    && above.contains(center) == isIn && below.contains(center) == isIn
                if !isSure { doubts[at] = true }
                if !isIn { values[at] = 0 }
                at += 1
            }
        }
    }

    /// Where a horizontal line runs inside a convex polygon: half-open, so that of two shapes that share a side one
    /// has a pixel whose center is on it.
    private static func span(of points: [Point], y: Double) -> Range<Double> {
        var low = Double.infinity
        var high = -Double.infinity
        for (i, p) in points.enumerated() {
            let q = points[(i + 1) % points.count]
            guard (p.y <= y) != (q.y <= y) else { continue }
            let x = p.x + (q.x - p.x) * (y - p.y) / (q.y - p.y)
            low = min(low, x)
            high = max(high, x)
        }
        return low < high ? low..<high : 0..<0
    }

    // MARK: Areas

    /// Exact areas of a positively oriented convex region that lies in `limits`.
    private init(areaOf region: ConvexPolygon, in limits: PixelRect) {
        let box = Self.box(of: region, in: limits)
        self.init(bounds: box, value: 0)
        guard !box.isEmpty else { return }
        let points = Self.points(of: region, in: limits)
        // A cut adds at most one point, and at most four cuts act on one piece.
        var below = PointBuffer(points, room: points.count + 2 * box.height + 8)
        var rest = PointBuffer([], room: below.room)
        var row = PointBuffer([], room: below.room)
        var cut = PointBuffer([], room: below.room)
        var pixel = PointBuffer([], room: below.room)
        defer { for buffer in [below, rest, row, cut, pixel] { buffer.deallocate() } }
        for y in box.minY..<box.maxY {
            below.cut(belowY: Double(y + 1), into: &row)
            below.cut(aboveY: Double(y + 1), into: &rest)
            swap(&below, &rest)
            fillRow(y, of: row, cut: &cut, pixel: &pixel)
        }
    }

    /// The points of a polygon that was cut to `limits`: with huge numbers a cut misses by rounding.
    private static func points(of polygon: ConvexPolygon, in limits: PixelRect) -> [Point] {
        polygon.vertices.map {
            Point(
                min(max($0.point.x, Double(limits.minX)), Double(limits.maxX)),
                min(max($0.point.y, Double(limits.minY)), Double(limits.maxY)))
        }
    }

    /// The pixels that a polygon touches which was cut to `limits`.
    private static func box(of polygon: ConvexPolygon, in limits: PixelRect) -> PixelRect {
        guard polygon.isFinite, !polygon.vertices.isEmpty else { return .empty }
        let points = points(of: polygon, in: limits)
        let xs = points.map(\.x)
        let ys = points.map(\.y)
        return PixelRect(
            minX: Int(xs.min()!.rounded(.down)), minY: Int(ys.min()!.rounded(.down)),
            maxX: Int(xs.max()!.rounded(.up)), maxY: Int(ys.max()!.rounded(.up))
        ).intersection(limits)
    }

    /// The areas of one row of pixels, from the part of the region in it.
    private mutating func fillRow(
        _ y: Int, of row: PointBuffer, cut: inout PointBuffer, pixel: inout PointBuffer
    ) {
        guard row.count >= 3 else { return }
        let start = (y - bounds.minY) * bounds.width - bounds.minX
        let (low, high) = row.extent()
        let whole = Self.wholePixels(row, top: Double(y), bottom: Double(y + 1))
        var x = max(Int(low.rounded(.down)), bounds.minX)
        let end = min(Int(high.rounded(.up)), bounds.maxX)
        while x < end {
            if x >= whole.lowerBound, x < whole.upperBound {
                values[start + x] = 1
            } else {
                row.cut(aboveX: Double(x), into: &cut)
                cut.cut(belowX: Double(x + 1), into: &pixel)
                values[start + x] = Self.snapped(pixel.area())
            }
            x += 1
        }
    }

    /// The pixels of a row that lie wholly in a convex piece: those whose four corners do.
    private static func wholePixels(_ row: PointBuffer, top: Double, bottom: Double) -> Range<Int> {
        let (topLow, topHigh) = row.extent(atY: top)
        let (bottomLow, bottomHigh) = row.extent(atY: bottom)
        let low = max(topLow, bottomLow)
        let high = min(topHigh, bottomHigh)
        guard low <= high else { return 0..<0 }
        let first = Int(low.rounded(.up))
        let last = Int(high.rounded(.down))
        return first < last ? first..<last : 0..<0
    }
}
