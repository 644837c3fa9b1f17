import Glibc
import LayerModel
import Paths
import Testing

@Suite("Lines cut by areas")
struct LineCuttingTests {
    private func cut(
        _ line: VectorPath, _ area: VectorPath, inside: Bool, _ rule: FillRule = .nonZero
    ) throws -> VectorPath {
        try #require(line.line(inside: inside, of: area, rule, tolerance: 1.0 / 256))
    }

    private func length(_ path: VectorPath) -> Double { FlatPath(path, tolerance: 1e-3).length }

    /// Of a closed contour of lines, by the angles that its corners are seen at.
    private func contains(_ area: VectorPath, _ point: Point, _ rule: FillRule) -> Bool {
        var sum = 0.0
        for index in area.points.indices {
            let (a, b) = (area.points[index], area.points[(index + 1) % area.points.count])
            let (ax, ay, bx, by) = (a.x - point.x, a.y - point.y, b.x - point.x, b.y - point.y)
            sum += atan2(ax * by - ay * bx, ax * bx + ay * by)
        }
        let winding = Int((sum / (2 * .pi)).rounded())
        return rule == .nonZero ? winding != 0 : winding & 1 != 0
    }

    @Test("A line through a rectangle has its middle inside and two ends outside")
    func rectangle() throws {
        let line = ShapeSamples.lines([(0, 5), (30, 5)])
        let area = VectorPath(rect: Rect(10, 0, 10, 10))
        #expect(try cut(line, area, inside: true) == ShapeSamples.lines([(10, 5), (20, 5)]))
        var ends = ShapeSamples.lines([(0, 5), (10, 5)])
        ends.move(to: Point(20, 5))
        ends.line(to: Point(30, 5))
        #expect(try cut(line, area, inside: false) == ends)
    }

    @Test("The rule says what is inside: the common part of two rectangles is a hole, or none")
    func rules() throws {
        var area = VectorPath(rect: Rect(0, 0, 20, 10))
        area.move(to: Point(10, 0))
        for (x, y) in [(30.0, 0.0), (30, 10), (10, 10)] { area.line(to: Point(x, y)) }
        area.close()
        let line = ShapeSamples.lines([(-5, 4), (40, 4)])
        #expect(length(try cut(line, area, inside: true)) == 30)
        #expect(length(try cut(line, area, inside: true, .evenOdd)) == 20)
        #expect(length(try cut(line, area, inside: false, .evenOdd)) == 25)
    }

    @Test("A closed contour inside stays closed and whole; one that begins inside is no shorter for it")
    func closed() throws {
        let area = ShapeSamples.circle(50, 50, 40)
        let square = ShapeSamples.lines([(40, 40), (60, 40), (60, 60), (40, 60)], closed: true)
        #expect(try cut(square, area, inside: true) == square)
        #expect(try cut(square, area, inside: false).isEmpty)
        // A square's corner at the centre of the circle: two sides as long as its radius, in one line.
        let corner = ShapeSamples.lines([(50, 50), (150, 50), (150, 150), (50, 150)], closed: true)
        let inside = try cut(corner, area, inside: true)
        #expect(inside.verbs == [.move, .line, .line] && inside.points[1] == Point(50, 50), "\(inside)")
        #expect(abs(length(inside) - 80) < 0.02)
    }

    @Test("What is inside and what is not add up to the line, and lie where they should", arguments: 0..<40)
    func random(seed: UInt64) throws {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 7
        func number() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 33) / Double(1 << 31) * 100
        }
        let line = ShapeSamples.lines((0..<8).map { _ in (number(), number()) }, closed: seed % 2 == 0)
        let area = ShapeSamples.lines((0..<7).map { _ in (number(), number()) }, closed: true)
        let rule: FillRule = seed % 3 == 0 ? .evenOdd : .nonZero
        let (inside, outside) = (try cut(line, area, inside: true, rule), try cut(line, area, inside: false, rule))
        #expect(abs(length(inside) + length(outside) - length(line)) < 1e-6)
        for (path, isInside) in [(inside, true), (outside, false)] {
            for index in path.verbs.indices.dropFirst() where path.verbs[index] == .line {
                let (a, b) = (path.points[index - 1], path.points[index])
                // Ends lie on the rim.
                guard hypot(b.x - a.x, b.y - a.y) > 1e-6 else { continue }
                for share in [0.1, 0.5, 0.9] {
                    let point = Point(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share)
                    #expect(isInside == contains(area, point, rule), "seed \(seed): \(point)")
                }
            }
            if path.verbs.contains(.close) { break }
        }
    }

    @Test("Hostile paths end: nothing that is not finite, no endless work")
    func hostile() throws {
        let line = ShapeSamples.lines([(0, 0), (10, 10)])
        let area = VectorPath(rect: Rect(0, 0, 5, 5))
        #expect(ShapeSamples.lines([(0, .nan), (1, 1)]).line(inside: true, of: area, .nonZero, tolerance: 0.01) == nil)
        #expect(
            line.line(
                inside: true, of: ShapeSamples.lines([(0, 0), (.infinity, 1), (2, 2)]), .nonZero, tolerance: 0.01)
                == nil)
        let huge = VectorPath(rect: Rect(-1e300, -1e300, 2e300, 2e300))
        #expect(line.line(inside: true, of: huge, .nonZero, tolerance: 0.01) != nil)
        #expect(try cut(line, VectorPath(), inside: false) == line)
        // Every piece meets every edge.
        let zigzag = ShapeSamples.lines((0..<30_000).map { (Double($0 % 2) * 100, Double($0) * 1e-3) })
        let comb = ShapeSamples.lines((0..<30_000).map { (Double($0) * 1e-3, Double($0 % 2) * 100) })
        #expect(zigzag.line(inside: true, of: comb, .evenOdd, tolerance: 0.01) == nil)
    }
}
