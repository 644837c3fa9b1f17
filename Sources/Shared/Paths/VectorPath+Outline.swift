// From a path to contours in device pixels: curves become chords in the path's own space, as fine as they will be large
// on the screen, then the contours are projected and cut as those of other shapes.

import Glibc
import LayerModel

extension VectorPath {
    /// How far a rim may be off, device pixels.
    static let tolerance = 1.0 / 256
    /// Largest distance of a chord from its curve, device pixels. Chords lie on one side of it, by two thirds of this in the
    /// mean: a third of a level.
    static let curveTolerance = tolerance / 2
    /// Chords of one curve, at most.
    private static let mostChords = 1_024

    /// The contours under a homography, cut to a little more than `clip`. Open ones are closed.
    package func outline(projectedBy plane: Homography, near clip: PixelRect) -> Outline {
        guard !isEmpty, !clip.isEmpty, plane.isFinite, isFinite else { return Outline() }
        return flattened(scale(of: plane)).projected(by: plane, near: clip)
    }

    /// The contours in the path's own space, as finely as `scale` pixels a unit ask for.
    func flattened(_ scale: Double) -> Outline {
        var outline = Outline()
        outline.reserveCapacity(points: points.count + 8)
        points.withUnsafeBufferPointer { points in
            var next = 0
            var start = Point.zero
            var current = Point.zero
            for verb in verbs {
                // Who draws on after a contour was closed begins where it began.
                if outline.isBetweenContours, verb != .move, verb != .close { outline.append(start) }
                switch verb {
                case .move:
                    outline.endContour()
                    start = points[next]
                    current = start
                    outline.append(start)
                    next += 1
                case .line:
                    current = points[next]
                    outline.append(current)
                    next += 1
                case .quad:
                    Self.addQuad(current, points[next], points[next + 1], scale, to: &outline)
                    current = points[next + 1]
                    next += 2
                case .cubic:
                    Self.addCubic(current, points[next], points[next + 1], points[next + 2], scale, to: &outline)
                    current = points[next + 2]
                    next += 3
                case .close:
                    outline.endContour()
                    current = start
                }
            }
        }
        outline.endContour()
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
        return Int(min(max((error / curveTolerance).squareRoot().rounded(.up), 1), Double(mostChords)))
    }

    private static func addQuad(_ a: Point, _ b: Point, _ c: Point, _ scale: Double, to outline: inout Outline) {
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

    private static func addCubic(
        _ a: Point, _ b: Point, _ c: Point, _ d: Point, _ scale: Double, to outline: inout Outline
    ) {
        // The second derivative is at most 6 times the larger of these; chords are off by an eighth of it, over n².
        let bend = max(
            hypot(a.x - 2 * b.x + c.x, a.y - 2 * b.y + c.y), hypot(b.x - 2 * c.x + d.x, b.y - 2 * c.y + d.y))
        let count = chords(bend * scale * 0.75)
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
