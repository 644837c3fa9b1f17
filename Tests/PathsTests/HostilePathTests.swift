import Glibc
import LayerModel
import Testing

@testable import Paths

@Suite("Paths that no one would draw")
struct HostilePathTests {
    private let clip = PixelRect(x: 0, y: 0, width: 300, height: 200)

    private func draw(_ path: VectorPath, _ style: StrokeStyle, _ plane: Homography = .identity) -> CoverageMask {
        var rasterizer = CoverageRasterizer()
        _ = rasterizer.rasterize(path.outline(projectedBy: plane, near: clip), rule: .evenOdd, clip: clip)
        return rasterizer.rasterize(
            path.strokeOutline(style, projectedBy: plane, near: clip), rule: .nonZero, clip: clip)
    }

    private static let numbers = [
        0, 1, -1, 1e-300, 1e-30, 1e-9, 0.5, 100, 1e4, 1e9, 1e18, 1e30, 1e100, 1e160, 1e300, -1e308,
        Double.greatestFiniteMagnitude, .infinity, .nan,
    ]

    @Test("Numbers of any size do no harm", arguments: 0..<120)
    func extremes(seed: UInt64) {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
        func next(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        func number() -> Double { Self.numbers[next(Self.numbers.count)] * (next(2) == 0 ? 1 : 0.7) }
        func point() -> Point { Point(number(), number()) }
        var path = VectorPath()
        for _ in 0..<8 {
            switch next(5) {
            case 0: path.move(to: point())
            case 1: path.line(to: point())
            case 2: path.quad(to: point(), control: point())
            case 3: path.cubic(to: point(), point(), point())
            default: path.close()
            }
        }
        let style = StrokeStyle(
            width: number(), cap: LineCap.allCases[next(3)], join: LineJoin.allCases[next(3)], miterLimit: number(),
            dashes: (0..<next(4)).map { _ in number() }, dashPhase: number(), start: number(), end: number())
        let planes = [Homography.identity, .scale(1e-12, 1e12), Homography(1, 0, 0.01, 0, 1, 0.02, 0, 0, 1)]
        for plane in planes {
            let mask = draw(path, style, plane)
            #expect(
                mask.spans.allSatisfy { clip.contains($0.rect) } && mask.tiles.allSatisfy { clip.contains($0.rect) })
        }
        _ = path.dashed(style.dashes, phase: style.dashPhase, tolerance: 0.01)
        _ = FlatPath(path, tolerance: 0.01).place(at: 0.3)
    }

    @Test("A pattern with more dashes than there are pixels is a solid line")
    func fineDashes() {
        let path = ShapeSamples.lines([(0, 50), (300, 50)])
        let mask = draw(path, StrokeStyle(width: 4, dashes: [1e-9, 1e-9]))
        #expect(mask == draw(path, StrokeStyle(width: 4)))
    }

    @Test("A path as long as the limit, of curves that turn as they can, is flattened into a bounded number of pieces")
    func longCurves() {
        var path = VectorPath()
        path.move(to: .zero)
        for index in 0..<60_000 {
            let x = Double(index % 300)
            path.cubic(to: Point(x, 100), Point(1e7, -1e7), Point(-1e7, 1e7))
        }
        let flat = FlatPath(path, tolerance: 1e-6, halfWidth: 1_000)
        #expect(flat.length > 0)
        let outline = path.strokeOutline(StrokeStyle(width: 2), projectedBy: .identity, near: clip)
        #expect(outline.points.count < 40_000_000)
    }

    @Test("The work for a polyline grows with its points, not with their square")
    func longLines() {
        func work(_ count: Int) -> (tests: Int, points: Int) {
            var path = VectorPath()
            for index in 0..<count {
                let x = Double(index) / Double(count) * 300
                path.line(to: Point(x, 100 + 60 * sin(Double(index) * 1.7)))
            }
            let style = StrokeStyle(width: 12, cap: .round, join: .round)
            var stroker = Stroker(style, tolerance: VectorPath.tolerance)
            stroker.add(path.flattened(style, tolerance: VectorPath.tolerance))
            return (stroker.crossingTests, stroker.outline.points.count)
        }
        let (short, long) = (work(2_000), work(16_000))
        #expect(long.tests < short.tests * 8 * 2, "\(short) for 2,000 points, \(long) for 16,000")
        #expect(long.points < short.points * 8 * 2, "\(short) for 2,000 points, \(long) for 16,000")
        #expect(short.tests > 2_000)
    }
}
