// How far we are from the exact area, next to how far FreeType and cairo are.
//
// Bytes that round exact areas are off by 0.25 levels in the mean over the pixels of a rim, since what is rounded is off by
// anything from 0 to a half. So no program can do better, and two that round in other ways are further apart than that.

import Glibc
import LayerModel
import Paths
import Testing

@Suite("Coverage next to the exact area")
struct ExactAreaTests {
    private let clip = PixelRect(x: 0, y: 0, width: 200, height: 160)

    /// A star with many points on FreeType's grid, so that all programs are told the same.
    private func star(_ seed: UInt64) -> [Point] {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
        let count = 5 + Int(seed % 4) * 9
        return (0..<count).map { index in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let radius = 20 + 55 * Double(state >> 33) / Double(1 << 31)
            let angle = 2 * Double.pi * Double(index) / Double(count)
            return Point(
                ((100 + radius * cos(angle)) * 64).rounded() / 64, ((80 + radius * sin(angle)) * 64).rounded() / 64)
        }
    }

    private func ours(_ outline: Outline) -> CoveredPixels {
        var rasterizer = CoverageRasterizer()
        return CoveredPixels(rasterizer.rasterize(outline, rule: .nonZero, clip: clip), width: 200, height: 160)
    }

    @Test("A polygon's coverage is its exact area, rounded; FreeType's and cairo's are further off", arguments: 0..<12)
    func polygons(seed: UInt64) throws {
        let points = star(seed)
        let exact = ExactAreas(polygon: points)
        let outline = Outline.polygon(points)
        let ours = exact.distance(to: ours(outline))
        #expect(ours.meanToBest < 0.01 && ours.worst < 0.501 && ours.wrongElsewhere == 0, "\(ours)")
        let freeType = exact.distance(to: try Peers.freeType(outline))
        let cairo = exact.distance(to: try Peers.cairo(VectorPath(outline), nil))
        #expect(ours.mean < freeType.mean && freeType.worst < 3, "FreeType: \(freeType)")
        #expect(ours.mean < cairo.mean && cairo.worst < 20, "cairo: \(cairo)")
    }

    /// The circle of `ShapeSamples`, or its parallel: 2,000 chords a quarter, off by a millionth of a pixel.
    private func circle(_ center: Point, _ radius: Double, parallelAt offset: Double = 0) -> [Point] {
        let k = 0.5522847498307936
        return (0..<8_000).map { index in
            let (t, quarter) = (Double(index % 2_000) / 2_000, index / 2_000)
            let s = 1 - t
            let (x, y) = (s * s * s + 3 * s * s * t + 3 * s * t * t * k, 3 * s * s * t * k + 3 * s * t * t + t * t * t)
            let (dx, dy) = (
                -6 * s * t + 3 * t * t * -k + 6 * s * t * k, 3 * s * s * k + 6 * s * t * (1 - k) + 3 * t * t * 0
            )
            let size = hypot(dx, dy)
            var (px, py) = (radius * x + offset * dy / size, radius * y - offset * dx / size)
            for _ in 0..<quarter { (px, py) = (-py, px) }
            return Point(center.x + px, center.y + py)
        }
    }

    @Test("A small disc's coverage is that of a circle, to a rounding", arguments: [0.7, 3.7, 12])
    func discs(radius: Double) throws {
        let center = Point(100.3, 80.4)
        let exact = ExactAreas(center: center, radius: radius)
        let ours = exact.distance(to: CoveredPixels.inside(ShapeSamples.circle(center.x, center.y, radius), .nonZero))
        // Four cubics are off a circle by up to 1 / 3,700 of its radius.
        #expect(ours.mean < 0.45 && ours.worst < 1 + 255 * radius / 3_700 && ours.wrongElsewhere == 0, "\(ours)")
    }

    @Test("What four cubics enclose is covered by its exact area, to a rounding", arguments: [3.7, 12, 33.3, 70])
    func cubics(radius: Double) throws {
        let center = Point(100.3, 80.4)
        let exact = ExactAreas(polygon: circle(center, radius))
        let path = ShapeSamples.circle(center.x, center.y, radius)
        let ours = exact.distance(to: CoveredPixels.inside(path, .nonZero))
        #expect(ours.meanToBest < 0.28 && ours.worst < 1 && ours.wrongElsewhere == 0, "\(ours)")
    }

    @Test(
        "A line along four cubics covers what is between their parallels, to a rounding",
        arguments: [1.3, 2.5, 6, 11, 40])
    func rings(width: Double) throws {
        let center = Point(100.3, 80.4)
        let exact = ExactAreas(polygon: circle(center, 50, parallelAt: width / 2))
            .without(ExactAreas(polygon: circle(center, 50, parallelAt: -width / 2)))
        let path = ShapeSamples.circle(center.x, center.y, 50)
        let ours = exact.distance(to: CoveredPixels.line(path, StrokeStyle(width: width)))
        #expect(ours.meanToBest < 0.2 && ours.worst < 1 && ours.wrongElsewhere == 0, "\(ours)")
    }

    @Test("Round ends and corners cover their exact area to a rounding", arguments: [1.5, 2, 5, 9, 30])
    func capsules(width: Double) throws {
        let (a, b) = (Point(40.2, 50.7), Point(150.9, 101.3))
        let way = atan2(b.y - a.y, b.x - a.x)
        // Arcs of 4,000 chords are off by a millionth of a pixel.
        let rim = (0..<8_000).map { index in
            let center = index < 4_000 ? b : a
            let angle = way - .pi / 2 + .pi * (Double(index) / 4_000)
            return Point(center.x + width / 2 * cos(angle), center.y + width / 2 * sin(angle))
        }
        let exact = ExactAreas(polygon: rim)
        let style = StrokeStyle(width: width, cap: .round, join: .round)
        let path = ShapeSamples.lines([(a.x, a.y), (b.x, b.y)])
        let ours = exact.distance(to: CoveredPixels.line(path, style))
        // There and back again, the far end is a corner.
        let corner = exact.distance(
            to: CoveredPixels.line(ShapeSamples.lines([(a.x, a.y), (b.x, b.y), (a.x, a.y)]), style))
        for off in [ours, corner] {
            #expect(off.meanToBest < 0.1 && off.worst < 3.5 && off.wrongElsewhere == 0, "\(off)")
        }
    }
}
