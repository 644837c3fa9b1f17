import LayerModel
import ReferenceCompositor
import Testing

@testable import LayerRender

@Suite("Weights at seams")
struct SeamWeightTests {
    /// The half of the pixel (0, 0) on one side of x = `x`.
    private func side(_ plane: Int, right: Bool, of x: Double, alpha: Double) -> SeamWeights.Part {
        let polygon =
            right
            ? [Point(x, -9), Point(9, -9), Point(9, 9), Point(x, 9)]
            : [Point(-9, -9), Point(x, -9), Point(x, 9), Point(-9, 9)]
        return SeamWeights.Part(plane: plane, area: right ? 1 - x : x, alpha: alpha, polygon: polygon)
    }

    @Test("The back part of an opaque plane is whole, its front part has its area")
    func opaque() {
        let weights = SeamWeights.weights(
            [side(1, right: false, of: 0.3, alpha: 1), side(1, right: true, of: 0.3, alpha: 1)], atX: 0, y: 0)
        #expect(weights.map { $0.value(alpha: 1) } == [1, 0.7])
    }

    @Test("The back part of a translucent plane takes f / (1 - F·a)")
    func translucent() {
        let weights = SeamWeights.weights(
            [side(1, right: false, of: 0.25, alpha: 0.5), side(1, right: true, of: 0.25, alpha: 0.5)], atX: 0, y: 0)
        #expect(abs(weights[0].value(alpha: 0.5) - 0.25 / (1 - 0.75 * 0.5)) < 1e-9)
        #expect(abs(weights[1].value(alpha: 0.5) - 0.75) < 1e-9)
    }

    /// Up to four planes, each cut in two or three by lines through the pixel, drawn in a random order of the parts.
    @Test(
        "Parts drawn one after the other with their weights are the pieces of the pixel, each by its area",
        arguments: 0..<80)
    func anyNumber(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let pixel = [Point(3, 5), Point(4, 5), Point(4, 6), Point(3, 6)]
        let square = [Point(-20, -20), Point(30, -20), Point(30, 30), Point(-20, 30)]
        let count = random.integer(1...4)
        var parts: [SeamWeights.Part] = []
        for plane in 0..<count {
            let alpha = random.pick([1, 0, 0.5, 0.9, random.unit()])
            var polygons = [square]
            for _ in 0..<random.integer(1...2) {
                let middle = Point(3 + random.unit(), 5 + random.unit())
                let toward = Point(random.number(-1, 1), random.number(-1, 1))
                let line = HalfPlane(
                    a: toward.x, b: toward.y, c: -toward.x * middle.x - toward.y * middle.y)
                let last = polygons.removeLast()
                polygons += [clip(last, line), clip(last, line.opposite)]
            }
            for polygon in polygons where polygon.count > 2 {
                var inside = pixel
                let turns = area(polygon) < 0 ? -1.0 : 1.0
                for (from, to) in zip(polygon, polygon.dropFirst() + polygon.prefix(1)) {
                    let (dx, dy) = ((to.x - from.x) * turns, (to.y - from.y) * turns)
                    inside = clip(inside, HalfPlane(a: -dy, b: dx, c: from.x * dy - from.y * dx))
                }
                let covered = abs(area(inside))
                if covered > 1e-6 {
                    parts.append(SeamWeights.Part(plane: plane, area: covered, alpha: alpha, polygon: polygon))
                }
            }
        }
        for index in parts.indices.reversed() { parts.swapAt(index, random.integer(0...index)) }
        let weights = SeamWeights.weights(parts, atX: 3, y: 5)

        // Light: what of a plane is seen, and of what lies below all.
        var drawn = [Double](repeating: 0, count: count)
        var below = 1.0
        for (part, weight) in zip(parts, weights) {
            let alpha = weight.value(alpha: part.alpha) * part.alpha
            for plane in drawn.indices { drawn[plane] *= 1 - alpha }
            drawn[part.plane] += alpha
            below *= 1 - alpha
        }
        var expected = [Double](repeating: 0, count: count)
        var expectedBelow = 0.0
        // Many points of the pixel stand for its pieces.
        let side = 40
        for x in 0..<side {
            for y in 0..<side {
                let point = Point(3 + (Double(x) + 0.5) / Double(side), 5 + (Double(y) + 0.5) / Double(side))
                var light = 1 / Double(side * side)
                for part in parts.reversed() where contains(part.polygon, point) {
                    expected[part.plane] += light * part.alpha
                    light *= 1 - part.alpha
                }
                expectedBelow += light
            }
        }
        for plane in drawn.indices {
            #expect(
                abs(drawn[plane] - expected[plane]) < 0.03,
                "plane \(plane): \(drawn[plane]), by pieces \(expected[plane])")
        }
        #expect(abs(below - expectedBelow) < 0.03, "below: \(below), by pieces \(expectedBelow)")
        #expect(zip(parts, weights).allSatisfy { (0...1).contains($1.value(alpha: $0.alpha)) })
    }

    private func area(_ polygon: [Point]) -> Double {
        zip(polygon, polygon.dropFirst() + polygon.prefix(1)).reduce(0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y } / 2
    }

    private func contains(_ polygon: [Point], _ point: Point) -> Bool {
        let turns = area(polygon)
        return zip(polygon, polygon.dropFirst() + polygon.prefix(1)).allSatisfy { from, to in
            ((to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x)) * turns >= 0
        }
    }
}
