// From a path to contours in device pixels: curves become chords in the path's own space, as fine as they will be large
// on the screen, then the contours are projected and cut as those of other shapes.

import Glibc
import LayerModel

extension VectorPath {
    /// Largest distance of a chord from its curve, device pixels.
    static let tolerance = 1.0 / 256
    /// Chords of one curve, at most.
    private static let mostChords = 1_024

    /// The contours under a homography, cut to a little more than `clip`. Open ones are closed.
    package func outline(projectedBy plane: Homography, near clip: PixelRect) -> Outline {
        var outline = Outline()
        guard !isEmpty, !clip.isEmpty, plane.isFinite, isFinite else { return outline }
        let clipper = ContourClipper(clip)
        let scale = scale(of: plane)
        var contour: [Point] = []
        func flush() {
            if contour.count >= 3 { outline.addContour(clipper.clip(contour, under: plane)) }
            contour.removeAll(keepingCapacity: true)
        }
        var next = 0
        var start = Point.zero
        for verb in verbs {
            let p = points[next..<next + verb.pointCount]
            next += verb.pointCount
            let current = contour.last ?? start
            if contour.isEmpty, verb != .move, verb != .close { contour.append(start) }
            switch verb {
            case .move:
                flush()
                start = p[p.startIndex]
                contour.append(start)
            case .line: contour.append(p[p.startIndex])
            case .quad: Self.addQuad(current, p[p.startIndex], p[p.startIndex + 1], scale, to: &contour)
            case .cubic:
                Self.addCubic(
                    current, p[p.startIndex], p[p.startIndex + 1], p[p.startIndex + 2], scale, to: &contour)
            case .close: flush()
            }
        }
        flush()
        return outline
    }

    /// Device pixels a unit of the path, at most, at the corners of its box.
    func scale(of plane: Homography) -> Double {
        guard let box = controlBox else { return 1 }
        var largest = 0.0
        let (a, b, c, d) = box.corners
        for corner in [a, b, c, d] {
            let (x, y, w) = plane.homogeneous(corner)
            guard w > 1e-9 else { return 64 }
            let dx = hypot(plane.a11 - x / w * plane.a13, plane.a12 - y / w * plane.a13) / w
            let dy = hypot(plane.a21 - x / w * plane.a23, plane.a22 - y / w * plane.a23) / w
            largest = max(largest, dx, dy)
        }
        return largest.isFinite ? min(largest, 1e6) : 64
    }

    private static func chords(_ error: Double) -> Int {
        guard error.isFinite, error > 0 else { return error > 0 ? mostChords : 1 }
        return Int(min(max((error / tolerance).squareRoot().rounded(.up), 1), Double(mostChords)))
    }

    private static func addQuad(_ a: Point, _ b: Point, _ c: Point, _ scale: Double, to contour: inout [Point]) {
        // n chords of a quadratic are off by |a - 2b + c| / (4 n²).
        let count = chords(hypot(a.x - 2 * b.x + c.x, a.y - 2 * b.y + c.y) * scale / 4)
        for step in 1...count {
            let t = Double(step) / Double(count)
            let s = 1 - t
            contour.append(
                Point(
                    s * s * a.x + 2 * s * t * b.x + t * t * c.x, s * s * a.y + 2 * s * t * b.y + t * t * c.y))
        }
    }

    private static func addCubic(
        _ a: Point, _ b: Point, _ c: Point, _ d: Point, _ scale: Double, to contour: inout [Point]
    ) {
        // The second derivative is at most 6 times the larger of these; chords are off by an eighth of it, over n².
        let bend = max(
            hypot(a.x - 2 * b.x + c.x, a.y - 2 * b.y + c.y), hypot(b.x - 2 * c.x + d.x, b.y - 2 * c.y + d.y))
        let count = chords(bend * scale * 0.75)
        for step in 1...count {
            let t = Double(step) / Double(count)
            let s = 1 - t
            let (w0, w1, w2, w3) = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
            contour.append(
                Point(
                    w0 * a.x + w1 * b.x + w2 * c.x + w3 * d.x, w0 * a.y + w1 * b.y + w2 * c.y + w3 * d.y))
        }
    }
}
