import Glibc
import LayerModel
import Testing

@testable import Paths

/// Expected values are the same path drawn in a clip that holds all of it.
@Suite("Paths that are seen in part")
struct SightTests {
    private let clip = PixelRect(x: 100, y: 80, width: 90, height: 70)
    private let all = PixelRect(x: -6_000, y: -6_000, width: 12_000, height: 12_000)

    private struct Random {
        var state: UInt64
        mutating func next(_ range: ClosedRange<Double>) -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return range.lowerBound + Double(state >> 33) / Double(1 << 31) * (range.upperBound - range.lowerBound)
        }
        mutating func next(_ count: Int) -> Int { min(Int(next(0...Double(count))), count - 1) }
        /// Near the clip, or far out.
        mutating func point() -> Point {
            next(3) == 0 ? Point(next(-800...900), next(-800...900)) : Point(next(60...230), next(40...190))
        }
    }

    private func path(_ random: inout Random) -> VectorPath {
        var path = VectorPath()
        path.move(to: random.point())
        for _ in 0..<5 {
            switch random.next(6) {
            case 0: path.line(to: random.point())
            case 1: path.quad(to: random.point(), control: random.point())
            case 2: path.close()
            case 3: path.move(to: random.point())
            default: path.cubic(to: random.point(), random.point(), random.point())
            }
        }
        if random.next(2) == 0 { path.close() }
        return path
    }

    private static let planes = [
        Homography.identity, Homography(0.8, 0.5, 0, -0.4, 0.9, 0, 30, 10, 1),
        Homography(1, 0, 0.000_3, 0, 1, 0.000_2, 10, 10, 1),
    ]

    /// How far apart two masks are in the clip: pixels that differ by more than two levels, and by how much the worst does.
    private func difference(_ drawn: CoverageMask, _ whole: CoverageMask) -> (count: Int, worst: Float, first: String) {
        var (count, worst, first) = (0, Float(0), "")
        for y in clip.minY..<clip.maxY {
            for x in clip.minX..<clip.maxX {
                let off = abs(drawn.coverage(x: x, y: y) - whole.coverage(x: x, y: y)) * 255
                worst = max(worst, off)
                guard off > 2 else { continue }
                if count == 0 { first = "(\(x), \(y))" }
                count += 1
            }
        }
        return (count, worst, first)
    }

    @Test("An area is the same where its curves leave the clip and come back", arguments: 0..<60)
    func areas(seed: UInt64) {
        var random = Random(state: seed &* 0x9E37_79B9_7F4A_7C15 &+ 3)
        let path = path(&random)
        let rule: FillRule = seed % 2 == 0 ? .nonZero : .evenOdd
        for plane in Self.planes {
            var rasterizer = CoverageRasterizer()
            let drawn = rasterizer.rasterize(path.outline(projectedBy: plane, near: clip), rule: rule, clip: clip)
            let whole = rasterizer.rasterize(path.outline(projectedBy: plane, near: all), rule: rule, clip: clip)
            let off = difference(drawn, whole)
            #expect(off.count == 0, "\(off.count) pixels, \(off.worst) levels, first \(off.first)")
        }
    }

    @Test("A line is the same where it leaves the clip and comes back: corners, ends and dashes", arguments: 0..<60)
    func lines(seed: UInt64) {
        var random = Random(state: seed &* 0x9E37_79B9_7F4A_7C15 &+ 7)
        let path = path(&random)
        let style = StrokeStyle(
            width: random.next(1...30), cap: LineCap.allCases[random.next(3)],
            join: LineJoin.allCases[random.next(3)], miterLimit: random.next(1...8),
            dashes: seed % 3 == 0 ? [random.next(2...40), random.next(2...40), random.next(0...9)] : [],
            dashPhase: random.next(-50...50), start: seed % 4 == 0 ? 0.1 : 0, end: seed % 5 == 0 ? 0.8 : 1)
        for plane in Self.planes {
            var rasterizer = CoverageRasterizer()
            let drawn = rasterizer.rasterize(
                path.strokeOutline(style, projectedBy: plane, near: clip), rule: .nonZero, clip: clip)
            let whole = rasterizer.rasterize(
                path.strokeOutline(style, projectedBy: plane, near: all), rule: .nonZero, clip: clip)
            let off = difference(drawn, whole)
            #expect(off.count == 0, "\(off.count) pixels, \(off.worst) levels, first \(off.first): \(style)")
        }
    }

    /// Pieces of a line along the path, as far as they are seen.
    private func pieces(_ path: VectorPath, _ style: StrokeStyle) -> Int {
        let sight = PathSight(.identity, clip, reach: style.reach * 1.125)
        return path.flattened(style, tolerance: VectorPath.tolerance, in: sight).pieces.count
    }

    @Test("Curves that are not seen are one chord each of an area, and nothing of a line")
    func unseen() {
        var path = VectorPath()
        path.move(to: Point(2_000, 0))
        for index in 0..<20_000 {
            let y = Double(index % 977) * 1_000
            path.cubic(to: Point(2_000, y), Point(1e6, -y), Point(3_000, 1e6))
        }
        #expect(path.flattened(1, in: PathSight(.identity, clip)).points.count <= 20_001)
        #expect(pieces(path, StrokeStyle(width: 50)) == 0)
        // Behind the eye, too.
        let plane = Homography(1, 0, -0.001, 0, 1, 0, 0, 0, 1)
        #expect(path.flattened(1, in: PathSight(plane, clip)).points.count <= 20_001)
    }

    @Test("A curve of any size takes as many chords as what is seen of it", arguments: [1e3, 1e4, 1e5, 1e6, 1e7])
    func huge(size: Double) {
        // A circle through the clip's middle.
        let path = ShapeSamples.circle(145 + size, 115, size)
        let chords = path.flattened(1, in: PathSight(.identity, clip)).points.count
        // Halved until it is seen or not: two chords each time, in four quarters; and some in the clip.
        #expect(chords <= 4 * 2 * 16 + 64, "\(chords)")
        var rasterizer = CoverageRasterizer()
        let mask = rasterizer.rasterize(path.outline(projectedBy: .identity, near: clip), rule: .nonZero, clip: clip)
        // The circle's left end lies on x = 145: 45 of 90 columns are inside, but for its bend.
        let area = (clip.minY..<clip.maxY).reduce(Float(0)) { sum, y in
            (clip.minX..<clip.maxX).reduce(sum) { $0 + mask.coverage(x: $1, y: y) }
        }
        let bend = 70.0 * 70 * 70 / 24 / size
        #expect(abs(Double(area) - (45 * 70 - bend)) < 0.03 * size * 1e-3 + 1, "\(area)")
    }

    @Test("All curves of a path together have a bounded number of chords")
    func budget() {
        var path = VectorPath()
        path.move(to: Point(145, 115))
        for index in 0..<43_000 {
            let x = 100 + Double(index % 89)
            path.cubic(to: Point(x, 90), Point(-900, Double(index % 700)), Point(x, 1_500))
        }
        let chords = path.flattened(64).points.count
        #expect(chords <= VectorPath.mostPathChords + 43_001, "\(chords)")
        #expect(chords > VectorPath.mostPathChords / 2)
    }

    @Test("Dashes are made where they are seen, however long the line is", arguments: [1e4, 1e6, 1e9, 1e12])
    func dashes(length: Double) {
        let path = ShapeSamples.lines([(-length, 115), (length, 115)])
        let style = StrokeStyle(width: 4, join: .round, dashes: [3, 2])
        let count = pieces(path, style)
        // 90 pixels, 2 more and the reach on each side: 98.5 and a dash cut at each end.
        #expect((18...22).contains(count), "\(count)")
        // The pattern begins where the line does, far out: a dash every 5 from there.
        var rasterizer = CoverageRasterizer()
        let mask = rasterizer.rasterize(
            path.strokeOutline(style, projectedBy: .identity, near: clip), rule: .nonZero, clip: clip)
        for x in clip.minX..<clip.maxX where length <= 1e9 {
            let isOn = (x + Int(length)) % 5 < 3
            #expect(abs(mask.coverage(x: x, y: 115) - (isOn ? 1 : 0)) < 0.01, "column \(x)")
        }
    }
}
