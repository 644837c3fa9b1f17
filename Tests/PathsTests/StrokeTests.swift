import Glibc
import LayerModel
import Paths
import ReferenceCompositor
import Testing

@Suite("Lines along paths")
struct StrokeTests {
    private static let samples: [(name: String, path: VectorPath)] = [
        ("circle", ShapeSamples.circle(100, 80, 60)), ("triangle", ShapeSamples.triangle),
        ("mixed", ShapeSamples.mixed),
        ("zigzag", ShapeSamples.lines([(20, 130), (60, 20), (100, 130), (140, 25), (180, 130)])),
    ]

    /// The reference is a union of many small pieces, looked at along 32 lines a pixel: a near-horizontal edge is off by up to
    /// 8 levels there. The tip of a miter hangs on the direction of a curve's end, which the reference's chords miss.
    @Test(
        "A line covers what its pieces cover together", arguments: 0..<4,
        [
            StrokeStyle(width: 1.5), StrokeStyle(width: 9, cap: .round, join: .round),
            StrokeStyle(width: 9, cap: .square, join: .bevel), StrokeStyle(width: 24, miterLimit: 3),
        ])
    func union(sample: Int, style: StrokeStyle) {
        let (name, path) = Self.samples[sample]
        let drawn = CoveredPixels.line(path, style)
        let reference = CoveredPixels(
            ReferenceShape.line(along: path, style, width: 200, height: 160), width: 200, height: 160)
        let off = drawn.difference(to: reference)
        let isTip = name == "mixed" && style.join == .miter
        #expect((off.worst <= 10 || isTip && off.far <= 12) && off.meanOfEdges <= 2, "\(name): \(off)")
    }

    @Test("A straight line's area is its length times its width, and its ends'")
    func areas() {
        let path = ShapeSamples.lines([(40.25, 60.5), (140.25, 60.5)])
        #expect(abs(CoveredPixels.line(path, StrokeStyle(width: 10)).area - 1_000) < 0.5)
        #expect(abs(CoveredPixels.line(path, StrokeStyle(width: 10, cap: .square)).area - 1_100) < 0.5)
        let round = CoveredPixels.line(path, StrokeStyle(width: 10, cap: .round)).area
        #expect(abs(round - 1_000 - Double.pi * 25) < 0.5, "\(round)")
    }

    @Test("A ring's area is that between two circles, at any width", arguments: [0.5, 2, 11, 40, 99])
    func rings(width: Double) {
        let area = CoveredPixels.line(ShapeSamples.circle(100, 80, 50), StrokeStyle(width: width), height: 160).area
        // A quarter circle's cubic is off by 0.03 % of the radius at most, 0.014 % on average.
        let expected = 2 * Double.pi * 50 * width
        let visible = width == 99 ? area : expected
        #expect(abs(area - visible) < max(expected * 0.0005, 0.6), "\(area), expected \(expected)")
        if width == 99 { #expect(area > 0.9 * (Double.pi * 79 * 79)) }
    }

    @Test("A frame on whole pixels is exact, also at its inner corners")
    func frame() {
        let drawn = CoveredPixels.line(VectorPath(rect: Rect(40, 40, 80, 60)), StrokeStyle(width: 6))
        let wrong = (0..<200 * 160).filter { index in
            let (x, y) = (index % 200, index / 200)
            let isOuter = (37..<123).contains(x) && (37..<103).contains(y)
            let isInner = (43..<117).contains(x) && (43..<97).contains(y)
            return drawn.value(x, y) != (isOuter && !isInner ? 255 : 0)
        }
        #expect(wrong.isEmpty, "\(wrong.count) pixels, first \(wrong.first.map { ($0 % 200, $0 / 200) } ?? (0, 0))")
    }

    @Test("The inner corner of a frame off the pixel grid has its exact area")
    func innerCorner() {
        let drawn = CoveredPixels.line(VectorPath(rect: Rect(40.5, 40.5, 80, 60)), StrokeStyle(width: 6))
        // A quarter of the pixel is left open.
        #expect(drawn.value(43, 43) == 191)
        #expect(drawn.value(37, 37) == 64)
    }

    @Test("A miter that is longer than its limit becomes a bevel", arguments: [(1.41, false), (1.42, true)])
    func miterLimit(limit: Double, isMiter: Bool) {
        // A right angle's miter is √2 widths long.
        let path = ShapeSamples.lines([(40, 100), (100, 100), (100, 40)])
        let drawn = CoveredPixels.line(path, StrokeStyle(width: 20, miterLimit: limit))
        #expect(drawn.value(109, 109) == (isMiter ? 255 : 0))
        #expect(drawn.value(103, 103) == 255)
    }

    @Test("What a line covers twice counts once: a path there and back again")
    func thereAndBack() {
        let path = ShapeSamples.lines([(30, 60), (150, 60), (30, 60)])
        let once = CoveredPixels.line(ShapeSamples.lines([(30, 60), (150, 60)]), StrokeStyle(width: 8))
        let off = CoveredPixels.line(path, StrokeStyle(width: 8)).difference(to: once)
        #expect(off.worst == 0, "\(off)")
    }

    @Test("Curves that are tighter than the line is wide have no holes", arguments: [8, 14, 30, 50])
    func tightCurves(width: Double) {
        var path = VectorPath()
        path.move(to: Point(30, 60))
        path.line(to: Point(120, 60))
        path.cubic(to: Point(120, 68), Point(126, 60), Point(126, 68))
        path.line(to: Point(30, 100))
        let style = StrokeStyle(width: width)
        let reference = ReferenceShape.line(along: path, style, width: 200, height: 160)
        let drawn = CoveredPixels.line(path, style)
        let holes = reference.indices.filter { reference[$0] > 0.999 && drawn.bytes[$0] < 250 }
        let spills = reference.indices.filter { reference[$0] == 0 && drawn.bytes[$0] > 5 }
        #expect(holes.isEmpty && spills.isEmpty, "\(holes.count) holes, \(spills.count) spills")
    }

    @Test("A cusp is round")
    func cusp() {
        var path = VectorPath()
        path.move(to: Point(40, 130))
        path.cubic(to: Point(160, 130), Point(160, 10), Point(40, 10))
        let drawn = CoveredPixels.line(path, StrokeStyle(width: 20))
        // The curve turns on the spot at (100, 40).
        #expect(drawn.value(100, 32) > 250 && drawn.value(93, 36) > 200 && drawn.value(107, 36) > 200)
        #expect(drawn.value(100, 27) == 0)
    }

    @Test(
        "A contour of no length is a dot with round and square ends, and nothing with butt ends",
        arguments: [(LineCap.butt, 0.0), (.round, Double.pi * 25), (.square, 100)])
    func dots(cap: LineCap, area: Double) {
        for closed in [false, true] {
            let path = ShapeSamples.lines([(50, 50), (50, 50)], closed: closed)
            let drawn = CoveredPixels.line(path, StrokeStyle(width: 10, cap: cap)).area
            #expect(abs(drawn - area) < 0.5, "closed \(closed): \(drawn)")
        }
        #expect(CoveredPixels.line(ShapeSamples.lines([(50, 50)]), StrokeStyle(width: 10, cap: cap)).area == 0)
    }

    @Test("A line under a slanted plane is the line's picture: pens become ellipses")
    func planes() {
        let clip = PixelRect(x: 0, y: 0, width: 200, height: 160)
        var rasterizer = CoverageRasterizer()
        let plane = Homography(2, 0, 0, 0, 0.5, 0, 10, 40, 1)
        let outline = ShapeSamples.circle(40, 80, 30).strokeOutline(
            StrokeStyle(width: 8), projectedBy: plane, near: clip)
        let drawn = CoveredPixels(
            rasterizer.rasterize(outline, rule: .nonZero, clip: clip), width: 200, height: 160)
        #expect(abs(drawn.area - 2 * Double.pi * 30 * 8) < 2, "\(drawn.area)")
        // 8 points wide at the side are 16 pixels, at the top 4.
        #expect((0..<200).filter { drawn.value($0, 80) >= 240 && $0 < 90 }.count == 16)
        #expect((0..<160).filter { drawn.value(90, $0) >= 250 && $0 < 80 }.count == 4)
    }
}
