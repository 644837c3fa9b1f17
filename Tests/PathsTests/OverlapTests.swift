import Glibc
import LayerModel
import Paths
import ReferenceCompositor
import Testing

/// What is covered twice in a pixel counts once: areas by geometry, pixel by pixel.
@Suite("Contours that overlap")
struct OverlapTests {
    private let clip = PixelRect(x: 0, y: 0, width: 80, height: 80)

    private func draw(_ outline: Outline, _ rule: FillRule = .nonZero) -> CoveredPixels {
        var rasterizer = CoverageRasterizer()
        return CoveredPixels(rasterizer.rasterize(outline, rule: rule, clip: clip), width: 80, height: 80)
    }

    private func outline(_ rects: [Rect], reversed: Set<Int> = []) -> Outline {
        var outline = Outline()
        for (index, rect) in rects.enumerated() {
            let (a, b, c, d) = rect.corners
            outline.addContour(reversed.contains(index) ? [d, c, b, a] : [a, b, c, d])
        }
        return outline
    }

    /// How much of a pixel lies in at least one of the rectangles, or in an odd number of them: the pixel is cut at all their
    /// sides.
    private func area(_ rects: [Rect], _ x: Int, _ y: Int, isInside: (Int) -> Bool) -> Double {
        func cuts(_ values: [Double], _ from: Int) -> [Double] {
            [Double(from)] + values.filter { $0 > Double(from) && $0 < Double(from + 1) }.sorted() + [Double(from + 1)]
        }
        let (columns, rows) = (
            cuts(rects.flatMap { [$0.minX, $0.maxX] }, x), cuts(rects.flatMap { [$0.minY, $0.maxY] }, y)
        )
        var sum = 0.0
        for (left, right) in zip(columns, columns.dropFirst()) {
            for (top, bottom) in zip(rows, rows.dropFirst()) {
                let middle = Point((left + right) / 2, (top + bottom) / 2)
                let count = rects.filter { $0.contains(middle) }.count
                if isInside(count) { sum += (right - left) * (bottom - top) }
            }
        }
        return sum
    }

    private func expectExact(_ pixels: CoveredPixels, _ name: String, _ expected: (Int, Int) -> Double) {
        for y in 0..<80 {
            for x in 0..<80 {
                let wanted = expected(x, y) * 255
                if abs(Double(pixels.value(x, y)) - wanted) > 0.51 {
                    Issue.record("\(name), pixel (\(x), \(y)): \(pixels.value(x, y)), should be \(wanted)")
                    return
                }
            }
        }
    }

    @Test(
        "Rectangles off the pixel grid that overlap cover each pixel once, in any order and by both rules",
        arguments: 0..<40)
    func rectangles(seed: UInt64) {
        var state = seed &+ 1
        func number(_ most: Double) -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            // Eighths often fall together.
            return (Double(state >> 40) / Double(1 << 24) * most * 8).rounded() / 8
        }
        let rects = (0..<Int(2 + seed % 4)).map { _ in
            Rect(number(40) - 4, number(40) - 4, number(50) + 0.125, number(50) + 0.125)
        }
        expectExact(draw(outline(rects)), "non-zero, seed \(seed)") { area(rects, $0, $1) { $0 > 0 } }
        expectExact(draw(outline(rects, reversed: [1]), .evenOdd), "even-odd, seed \(seed)") {
            area(rects, $0, $1) { $0 % 2 == 1 }
        }
    }

    @Test("A contour drawn twice covers what it covers once", arguments: [0.0, 0.25, 0.6])
    func twice(offset: Double) {
        let circle = (0..<200).map {
            Point(40 + offset + 30.3 * cos(Double($0) * .pi / 100), 40 + 30.3 * sin(Double($0) * .pi / 100))
        }
        var both = Outline.polygon(circle)
        both.addContour(circle)
        let off = draw(both).difference(to: draw(.polygon(circle)))
        #expect(off.worst <= 1, "\(off)")
        both.addContour(circle.reversed())
        let three = draw(both).difference(to: draw(.polygon(circle)))
        #expect(three.worst <= 1, "\(three)")
        #expect(draw(both, .evenOdd).difference(to: draw(.polygon(circle))).worst <= 1)
    }

    @Test("Two half planes that cross cover their union: the area between a line and another is a triangle")
    func crossing() {
        // From one corner of pixel (10, 10) to the others: each covers half of it, both three quarters.
        var outline = Outline()
        outline.addContour([Point(10, 10), Point(11, 11), Point(11, 20), Point(0, 20), Point(0, 10)].reversed())
        outline.addContour([Point(11, 10), Point(10, 11), Point(10, 20), Point(30, 20), Point(30, 10)])
        let pixels = draw(outline)
        #expect([191, 192].contains(pixels.value(10, 10)), "\(pixels.value(10, 10))")
        #expect(pixels.value(9, 10) == 255 && pixels.value(12, 10) == 255)
    }

    @Test("A star with five points is whole inside by the non-zero rule, and its pentagon is open by the other")
    func star() {
        let points = (0..<5).map { index in
            let angle = Double(index) * 4 * Double.pi / 5 - Double.pi / 2 + 0.1
            return Point(40.3 + 35 * cos(angle), 40.6 + 35 * sin(angle))
        }
        // A corner of the pentagon lies on each side of two others: the outline of the union has ten points.
        let inner = 35 * cos(2 * Double.pi / 5) / cos(Double.pi / 5)
        let around = (0..<10).map { index in
            let angle = Double(index) * Double.pi / 5 - Double.pi / 2 + 0.1
            let radius = index % 2 == 0 ? 35 : inner
            return Point(40.3 + radius * cos(angle), 40.6 + radius * sin(angle))
        }
        let pentagon = stride(from: 1, to: 10, by: 2).map { around[$0] }
        let off = draw(.polygon(points)).difference(to: draw(.polygon(around)))
        #expect(off.worst <= 1, "\(off)")
        var open = Outline.polygon(around)
        open.addContour(pentagon.reversed())
        let openOff = draw(.polygon(points), .evenOdd).difference(to: draw(open))
        #expect(openOff.worst <= 1, "\(openOff)")
    }

    @Test(
        "A line that goes back over itself off the pixel grid covers what it covers once", arguments: LineCap.allCases)
    func thereAndBack(cap: LineCap) {
        let once = ShapeSamples.lines([(10.3, 20.7), (64.9, 51.2)])
        let back = ShapeSamples.lines([(10.3, 20.7), (64.9, 51.2), (10.3, 20.7), (64.9, 51.2)])
        let style = StrokeStyle(width: 5.5, cap: cap, join: .bevel)
        let off = CoveredPixels.line(back, style).difference(to: CoveredPixels.line(once, style))
        #expect(off.worst <= 1, "\(off)")
    }

    @Test("Dashes with round ends that overlap cover the line")
    func overlappingDashes() {
        let line = ShapeSamples.lines([(20.2, 40.3), (120.2, 75.3)])
        // Gaps shorter than the ends are long.
        let dashed = CoveredPixels.line(line, StrokeStyle(width: 9, cap: .round, dashes: [6, 0.001]))
        let solid = CoveredPixels.line(line, StrokeStyle(width: 9, cap: .round))
        let off = dashed.difference(to: solid)
        #expect(off.worst <= 1, "\(off)")
    }

    /// The reference is looked at along 32 lines a pixel where it has many pieces.
    @Test(
        "A thick closed line with sharp turns covers what its pieces cover together", arguments: LineJoin.allCases,
        [3.5, 11])
    func sharpTurns(join: LineJoin, width: Double) {
        let path = ShapeSamples.lines(
            [(12.3, 20.1), (70.2, 28.4), (14.9, 33.3), (66.1, 60.8), (20.4, 52.7), (40.6, 9.8)], closed: true)
        let style = StrokeStyle(width: width, join: join, miterLimit: 4)
        let drawn = CoveredPixels.line(path, style, width: 80, height: 80)
        let reference = CoveredPixels(
            ReferenceShape.line(along: path, style, width: 80, height: 80), width: 80, height: 80)
        let off = drawn.difference(to: reference)
        #expect(off.worst <= 8 && off.meanOfEdges <= 1, "\(off)")
    }

    @Test("A cross of two lines covers the area of both less what they share", arguments: [0.0, 17, 45, 73])
    func cross(degrees: Double) {
        let (c, s) = (cos(degrees * .pi / 180) * 30, sin(degrees * .pi / 180) * 30)
        var path = VectorPath()
        path.move(to: Point(40.1 - c, 40.7 - s))
        path.line(to: Point(40.1 + c, 40.7 + s))
        path.move(to: Point(40.1 + s, 40.7 - c))
        path.line(to: Point(40.1 - s, 40.7 + c))
        let area = CoveredPixels.line(path, StrokeStyle(width: 3.5)).area
        // Rounding to bytes is by half a level at most in each of some 500 pixels.
        #expect(abs(area - (2 * 60 * 3.5 - 3.5 * 3.5)) < 500 * 0.5 / 255, "\(area)")
    }
}
