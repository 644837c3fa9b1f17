// From curves to chords, for areas.

import Glibc
import LayerModel

/// Cuts curves into chords that are as far from them as `VectorPath.curveTolerance` at most.
struct ChordCutter {
    /// Device pixels a unit of the path.
    let scale: Double
    let sight: PathSight?
    /// How many times fewer chords there are than the tolerance asks for.
    var coarseness = 1.0

    /// How often a curve is halved to find what is seen of it.
    private static let mostHalvings = 16
    /// Chords that are not worth halving a curve for.
    private static let fewChords = 4

    init(scale: Double, sight: PathSight?) {
        self.scale = scale
        self.sight = sight
    }

    private func chords(_ error: Double) -> Int {
        let most = Double(VectorPath.mostChords)
        guard error.isFinite, error > 0 else { return error > 0 ? VectorPath.mostChords : 1 }
        return Int(max(min((error / VectorPath.curveTolerance).squareRoot().rounded(.up), most) / coarseness, 1))
    }

    /// Of a cubic.
    private func chords(_ a: Point, _ b: Point, _ c: Point, _ d: Point) -> Int {
        // The second derivative is at most 6 times the larger of these; chords are off by an eighth of it, over n².
        let bend = max(
            hypot(a.x - 2 * b.x + c.x, a.y - 2 * b.y + c.y), hypot(b.x - 2 * c.x + d.x, b.y - 2 * c.y + d.y))
        return chords(bend * scale * 0.75)
    }

    func addQuad(_ a: Point, _ b: Point, _ c: Point, to outline: inout Outline) {
        if let sight, !sight.holds(a, b, b, c) {
            return addCubic(a, mix(a, b, 2.0 / 3), mix(c, b, 2.0 / 3), c, to: &outline)
        }
        // n chords of a quadratic are off by |a - 2b + c| / (4 n²).
        let count = chords(hypot(a.x - 2 * b.x + c.x, a.y - 2 * b.y + c.y) * scale / 4)
        for step in 1...count {
            let t = Double(step) / Double(count)
            let s = 1 - t
            outline.append(
                Point(
                    s * s * a.x + 2 * s * t * b.x + t * t * c.x, s * s * a.y + 2 * s * t * b.y + t * t * c.y))
        }
    }

    func addCubic(_ a: Point, _ b: Point, _ c: Point, _ d: Point, to outline: inout Outline) {
        cut(a, b, c, d, Self.mostHalvings) { a, b, c, d, count in
            for step in 1...count {
                let t = Double(step) / Double(count)
                let s = 1 - t
                let (w0, w1, w2, w3) = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
                outline.append(
                    Point(
                        w0 * a.x + w1 * b.x + w2 * c.x + w3 * d.x, w0 * a.y + w1 * b.y + w2 * c.y + w3 * d.y))
            }
        }
    }

    /// How many chords a cubic takes.
    func count(_ a: Point, _ b: Point, _ c: Point, _ d: Point) -> Int {
        var total = 0
        cut(a, b, c, d, Self.mostHalvings) { total += $4 }
        return total
    }

    /// Calls `body` with parts of a cubic and how many chords each takes.
    @inline(__always)
    private func cut(
        _ a: Point, _ b: Point, _ c: Point, _ d: Point, _ halvings: Int,
        _ body: (Point, Point, Point, Point, Int) -> Void
    ) {
        let count = chords(a, b, c, d)
        guard let sight, count > 1, !sight.holds(a, b, c, d) else { return body(a, b, c, d, count) }
        halve(a, b, c, d, count, halvings, sight, body)
    }

    private func halve(
        _ a: Point, _ b: Point, _ c: Point, _ d: Point, _ count: Int, _ halvings: Int, _ sight: PathSight,
        _ body: (Point, Point, Point, Point, Int) -> Void
    ) {
        if count == 1 || sight.misses(a, b, c, d) { return body(a, b, c, d, 1) }
        if halvings == 0 || count <= Self.fewChords || sight.holds(a, b, c, d) { return body(a, b, c, d, count) }
        let (ab, bc, cd) = (mix(a, b, 0.5), mix(b, c, 0.5), mix(c, d, 0.5))
        let (abc, bcd) = (mix(ab, bc, 0.5), mix(bc, cd, 0.5))
        let middle = mix(abc, bcd, 0.5)
        halve(a, ab, abc, middle, chords(a, ab, abc, middle), halvings - 1, sight, body)
        halve(middle, bcd, cd, d, chords(middle, bcd, cd, d), halvings - 1, sight, body)
    }
}
