import Glibc
import LayerModel
import Testing

@testable import Paths

@Suite("Paths combined as sets of points")
struct CombiningTests {
    private func combine(
        _ a: VectorPath, _ b: VectorPath, _ operation: PathOperation, _ rule: FillRule = .nonZero
    ) throws -> VectorPath {
        try #require(a.combined(with: b, operation, rule, tolerance: 1.0 / 256))
    }

    /// Twice the area with its sign, contour by contour; a path of lines.
    private func areas(_ path: VectorPath) -> [Double] {
        var result: [Double] = []
        var contour: [Point] = []
        var next = 0
        for verb in path.verbs {
            if verb == .close {
                var sum = 0.0
                for (index, p) in contour.enumerated() {
                    let q = contour[(index + 1) % contour.count]
                    sum += p.x * q.y - q.x * p.y
                }
                result.append(sum / 2)
                contour = []
            } else {
                contour.append(path.points[next])
                next += 1
            }
        }
        return result
    }

    private func area(_ path: VectorPath) -> Double { abs(areas(path).reduce(0, +)) }

    @Test("Two rectangles that overlap have the areas of the formulas, exactly")
    func rectangles() throws {
        let (a, b) = (VectorPath(rect: Rect(1, 2, 10, 8)), VectorPath(rect: Rect(6.5, 5.25, 20, 20)))
        // They share 4.5 by 4.75.
        let shared = 4.5 * 4.75
        #expect(area(try combine(a, b, .union)) == 80 + 400 - shared)
        #expect(area(try combine(a, b, .intersection)) == shared)
        #expect(area(try combine(a, b, .subtraction)) == 80 - shared)
        #expect(area(try combine(b, a, .subtraction)) == 400 - shared)
        #expect(area(try combine(a, b, .symmetricDifference)) == 480 - 2 * shared)
        let union = try combine(a, b, .union)
        #expect(union.points.count == 8 && areas(union).count == 1)
    }

    @Test("Nothing, itself and what lies apart, inside or side by side")
    func simple() throws {
        let square = VectorPath(rect: Rect(0, 0, 10, 10))
        for operation in PathOperation.allCases {
            let none = try combine(square, VectorPath(), operation)
            #expect(area(none) == (operation == .intersection ? 0 : 100), "\(operation)")
            let same = try combine(square, square, operation)
            #expect(area(same) == (operation == .union || operation == .intersection ? 100 : 0), "\(operation)")
        }
        let hole = try combine(square, VectorPath(rect: Rect(2, 3, 4, 5)), .subtraction)
        #expect(areas(hole).count == 2 && area(hole) == 80)
        let beside = try combine(square, VectorPath(rect: Rect(10, 0, 5, 10)), .union)
        #expect(areas(beside).count == 1 && area(beside) == 150)
        #expect(beside.points.count == 4)
        // Corner to corner: two contours that touch.
        let touching = try combine(square, VectorPath(rect: Rect(10, 10, 5, 5)), .union)
        #expect(areas(touching).count == 2 && area(touching) == 125)
    }

    @Test("A star normalized has ten corners by the non-zero rule, and five points by the other")
    func star() throws {
        let points = (0..<5).map { index in
            let angle = Double(index) * 4 * Double.pi / 5
            return (50 + 40 * cos(angle), 50 + 40 * sin(angle))
        }
        let star = ShapeSamples.lines(points, closed: true)
        let whole = try combine(star, VectorPath(), .union)
        #expect(areas(whole).count == 1 && whole.points.count == 10)
        let open = try combine(star, VectorPath(), .union, .evenOdd)
        // Five triangles that touch at their corners; without the pentagon in the middle.
        #expect(areas(open).count == 5 && open.points.count == 15)
        let ratio = cos(2 * Double.pi / 5) / cos(Double.pi / 5)
        let pentagon = 2.5 * (40 * ratio) * (40 * ratio) * sin(2 * Double.pi / 5)
        #expect(abs(area(whole) - area(open) - pentagon) < 1e-3, "\(area(whole)), \(area(open))")
    }

    @Test("Circles: union and intersection have the areas of the lens")
    func circles() throws {
        let (a, b) = (ShapeSamples.circle(100, 80, 50), ShapeSamples.circle(150, 80, 50))
        // Two circles a radius apart share (2π/3 - √3/2)·r².
        let lens = (2 * Double.pi / 3 - 3.0.squareRoot() / 2) * 2_500
        let tolerance = Double.pi * 5_000 * 0.0005
        #expect(abs(area(try combine(a, b, .intersection)) - lens) < tolerance)
        #expect(abs(area(try combine(a, b, .union)) - (2 * Double.pi * 2_500 - lens)) < tolerance)
    }

    private struct Random {
        var state: UInt64
        mutating func number(_ most: Double) -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 40) / Double(1 << 24) * most
        }

        /// A polygon that crosses itself as it likes; on whole units half of the time, so that much falls together.
        mutating func polygon(_ count: Int, snaps: Bool) -> VectorPath {
            ShapeSamples.lines(
                (0..<count).map { _ in
                    let (x, y) = (number(60), number(60))
                    return snaps ? ((x / 6).rounded() * 6, (y / 6).rounded() * 6) : (x, y)
                }, closed: true)
        }
    }

    /// How often a path goes around a point, from the angles that its corners are seen under.
    private func winding(_ path: VectorPath, _ point: Point) -> Int {
        var turns = 0.0
        for (index, p) in path.points.enumerated() {
            let q = path.points[(index + 1) % path.points.count]
            let (a, b) = (Point(p.x - point.x, p.y - point.y), Point(q.x - point.x, q.y - point.y))
            turns += atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y)
        }
        return Int((turns / (2 * .pi)).rounded())
    }

    private func distance(_ path: VectorPath, _ point: Point) -> Double {
        var least = Double.infinity
        for (index, p) in path.points.enumerated() {
            let q = path.points[(index + 1) % path.points.count]
            let (dx, dy) = (q.x - p.x, q.y - p.y)
            let square = dx * dx + dy * dy
            let t = square > 0 ? min(max(((point.x - p.x) * dx + (point.y - p.y) * dy) / square, 0), 1) : 0
            least = min(least, hypot(p.x + dx * t - point.x, p.y + dy * t - point.y))
        }
        return least
    }

    @Test("Random polygons: a point is inside the result where the operation says so", arguments: 0..<40)
    func randomPolygons(seed: UInt64) throws {
        var random = Random(state: seed &+ 5)
        let a = random.polygon(3 + Int(seed % 14), snaps: seed % 2 == 0)
        let b = random.polygon(3 + Int(seed % 9), snaps: seed % 2 == 0)
        var rasterizer = CoverageRasterizer()
        let clip = PixelRect(x: -1, y: -1, width: 63, height: 63)
        for rule in [FillRule.nonZero, .evenOdd] {
            func isIn(_ path: VectorPath, _ point: Point) -> Bool {
                let turns = winding(path, point)
                return rule == .nonZero ? turns != 0 : turns % 2 != 0
            }
            for operation in PathOperation.allCases {
                let result = try combine(a, b, operation, rule)
                // Its pixels are the same by both rules.
                let masks = [FillRule.nonZero, .evenOdd].map {
                    rasterizer.rasterize(result.outline(projectedBy: .identity, near: clip), rule: $0, clip: clip)
                }
                for _ in 0..<60 {
                    let point = Point(random.number(60).rounded(.down) + 0.5, random.number(60).rounded(.down) + 0.5)
                    guard distance(a, point) > 0.75, distance(b, point) > 0.75 else { continue }
                    let wanted: Bool =
                        switch operation {
                        case .union: isIn(a, point) || isIn(b, point)
                        case .intersection: isIn(a, point) && isIn(b, point)
                        case .subtraction: isIn(a, point) && !isIn(b, point)
                        case .symmetricDifference: isIn(a, point) != isIn(b, point)
                        }
                    for mask in masks {
                        let seen = mask.coverage(x: Int(point.x), y: Int(point.y))
                        #expect(seen == (wanted ? 1 : 0), "seed \(seed), \(operation), \(rule), \(point)")
                    }
                }
            }
        }
    }

    @Test("Numbers of any size do no harm", arguments: [1e-300, 1e-9, 1e9, 1e150, 1e300, .infinity, .nan])
    func extremes(number: Double) {
        let path = ShapeSamples.lines([(0, 0), (number, 1), (-number, number), (3, -number)], closed: true)
        for operation in PathOperation.allCases {
            let result = path.combined(with: ShapeSamples.triangle, operation, .nonZero, tolerance: 0.01)
            #expect(result == nil || result?.isFinite == true)
        }
    }

    @Test("The comparisons for many small shapes grow with their number, not with its square")
    func manyShapes() throws {
        func comparisons(_ side: Int) throws -> Int {
            var path = VectorPath()
            for index in 0..<side * side {
                let (x, y) = (Double(index % side) * 5, Double(index / side) * 5)
                path.move(to: Point(x, y))
                for (dx, dy) in [(6.0, 1.0), (4.5, 6.5), (-1.0, 4.0)] { path.line(to: Point(x + dx, y + dy)) }
                path.close()
            }
            let outline = path.flattened(1)
            let grid = try #require(PathGrid(outline.points))
            var segments: [GridSegment] = []
            grid.add(outline, to: &segments) { ($0, 0) }
            var noder = SegmentNoder(segments)
            let isCut = noder.cut()
            #expect(isCut)
            return noder.tests
        }
        let (few, many) = (try comparisons(16), try comparisons(64))
        #expect(many < few * 16 * 2, "\(few) for 256 shapes, \(many) for 4,096")
    }
}
