import Glibc
import LayerModel
import Paths
import ReferenceCompositor
import Testing

@Suite("Dashes, trimmed lines and lengths")
struct DashTests {
    private let line = ShapeSamples.lines([(10, 50), (110, 50)])

    /// Where a row begins and ends to be covered.
    private func runs(_ style: StrokeStyle, _ path: VectorPath? = nil) -> [[Int]] {
        let drawn = CoveredPixels.line(path ?? line, style)
        var runs: [[Int]] = []
        for x in 0..<200 where drawn.value(x, 50) == 255 {
            if runs.last?[1] == x { runs[runs.count - 1][1] = x + 1 } else { runs.append([x, x + 1]) }
        }
        return runs
    }

    @Test("Dashes begin at the first point with the first length")
    func pattern() {
        #expect(
            runs(StrokeStyle(width: 4, dashes: [20, 10])) == [[10, 30], [40, 60], [70, 90], [100, 110]])
    }

    @Test("An odd number of lengths is gone through twice")
    func oddPattern() {
        #expect(runs(StrokeStyle(width: 4, dashes: [30])) == [[10, 40], [70, 100]])
        #expect(runs(StrokeStyle(width: 4, dashes: [10, 20, 5])) == [[10, 20], [40, 45], [55, 75], [80, 90]])
    }

    @Test("The phase says how far into the pattern a contour begins, backwards too", arguments: [5.0, 35, -25, 3_005])
    func phase(phase: Double) {
        #expect(
            runs(StrokeStyle(width: 4, dashes: [20, 10], dashPhase: phase)) == [
                [10, 25], [35, 55], [65, 85], [95, 110],
            ])
    }

    @Test("No pattern, and one of nothing but zeros, is a solid line", arguments: [[], [0], [0, 0], [-5.0]])
    func solid(pattern: [Double]) {
        #expect(runs(StrokeStyle(width: 4, dashes: pattern)) == [[10, 110]])
    }

    @Test("Dashes without a length are dots with round and square ends")
    func dots() {
        #expect(runs(StrokeStyle(width: 4, dashes: [0, 25])).isEmpty)
        #expect(
            runs(StrokeStyle(width: 4, cap: .square, dashes: [0, 25])) == [
                [8, 12], [33, 37], [58, 62], [83, 87],
            ])
        let round = CoveredPixels.line(line, StrokeStyle(width: 10, cap: .round, dashes: [0, 25])).area
        #expect(abs(round - 4 * Double.pi * 25) < 1, "\(round)")
    }

    @Test("The pattern begins anew in each contour")
    func contours() {
        var path = ShapeSamples.lines([(10, 50), (35, 50)])
        path.move(to: Point(50, 50))
        path.line(to: Point(75, 50))
        #expect(runs(StrokeStyle(width: 4, dashes: [20, 10]), path) == [[10, 30], [50, 70]])
    }

    @Test("P1: dashes of a closed contour begin and end where it does, without a corner between them")
    func measuredStart() {
        // A square inset by a point, at 2 pixels a point: its last dash ends where the first one begins.
        let path = VectorPath(rect: Rect(2, 2, 196, 156))
        for (pattern, on, off) in [([10.0, 10], 10, 10), ([20, 10], 20, 10)] {
            let drawn = CoveredPixels.line(path, StrokeStyle(width: 4, dashes: pattern))
            for x in 0..<60 {
                let isOn = x >= 2 && (x - 2) % (on + off) < on
                #expect(drawn.value(x, 0) == (isOn ? 255 : 0), "\(pattern), x = \(x)")
            }
        }
    }

    @Test("Where a line begins and ends counts by the length of all contours, before the dashes")
    func trimming() {
        var path = ShapeSamples.lines([(10, 50), (50, 50)])
        path.move(to: Point(70, 50))
        path.line(to: Point(130, 50))
        #expect(runs(StrokeStyle(width: 4, start: 0.2, end: 0.7), path) == [[30, 50], [70, 100]])
        #expect(
            runs(StrokeStyle(width: 4, dashes: [10, 10], start: 0.25, end: 1), path)
                == [[35, 45], [70, 80], [90, 100], [110, 120]])
    }

    @Test(
        "Nothing is left where the start is not before the end", arguments: [(1.0, 1.0), (0.6, 0.4), (0, -1), (1.5, 2)])
    func nothing(start: Double, end: Double) {
        let style = StrokeStyle(width: 4, cap: .round, start: start, end: end)
        #expect(CoveredPixels.line(line, style).area == 0)
    }

    @Test("Starts and ends outside of 0…1 are brought into it")
    func clamped() {
        #expect(runs(StrokeStyle(width: 4, start: -3, end: 7)) == [[10, 110]])
    }

    @Test("P3: a circle of radius 106 leaves 274.5, 184.5 and 94.5 degrees of arc", arguments: [0.25, 0.5, 0.75])
    func measuredTrim(start: Double) {
        let style = StrokeStyle(width: 8, cap: .round, start: start)
        let drawn = CoveredPixels.line(ShapeSamples.circle(128, 128, 106), style, width: 256, height: 256)
        let covered = (0..<3_600).filter { step in
            let angle = Double(step) / 1_800 * Double.pi
            return drawn.value(Int(128 + 106 * cos(angle)), Int(128 + 106 * sin(angle))) >= 128
        }
        let degrees = Double(covered.count) / 10
        #expect(abs(degrees - (360 * (1 - start) + 4.5)) < 0.8, "\(degrees) degrees")
    }

    /// Where round ends of two dashes meet, and where a dash ends less than a width from a corner, single pixels may be darker.
    @Test("Dashes look as their pieces do", arguments: [[20.0, 13], [7], [0, 12], [9, 4, 2, 4]], [0.0, -6, 11])
    func pieces(pattern: [Double], phase: Double) {
        for path in [ShapeSamples.circle(100, 80, 60), ShapeSamples.triangle, ShapeSamples.mixed] {
            let style = StrokeStyle(width: 6, cap: .round, join: .round, dashes: pattern, dashPhase: phase)
            let reference = CoveredPixels(
                ReferenceShape.line(along: path, style, width: 200, height: 160), width: 200, height: 160)
            let off = CoveredPixels.line(path, style).difference(to: reference)
            #expect(off.far <= 40 && off.meanOfEdges <= 3, "\(off)")
        }
    }

    @Test("A circle's length, and where points on it lie")
    func measures() throws {
        let path = FlatPath(ShapeSamples.circle(100, 80, 50), tolerance: 1.0 / 256)
        #expect(abs(path.length - 100 * Double.pi) < 0.05, "\(path.length)")
        let quarter = try #require(path.place(at: 0.25))
        #expect(abs(quarter.point.x - 100) < 0.02 && abs(quarter.point.y - 130) < 0.02, "\(quarter.point)")
        #expect(abs(quarter.direction.x + 1) < 1e-3 && abs(quarter.direction.y) < 0.01, "\(quarter.direction)")
        #expect(FlatPath(VectorPath(), tolerance: 1).place(at: 0.5) == nil)
    }
}
