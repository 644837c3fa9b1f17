// From a path to contours in device pixels: curves become chords in the path's own space, as fine as they will be large
// on the screen, then the contours are projected and cut as those of other shapes.
//
// The work is bounded by what is seen. A curve that lies on one side of the clip is one chord. One that reaches in and out is
// halved until its parts are seen or not; so a curve of any size takes as many chords as its part in the clip needs. And all
// curves of a path together have a number of chords: where they would be more, each has fewer.

import Glibc
import LayerModel

extension VectorPath {
    /// How far a rim may be off, device pixels.
    static let tolerance = 1.0 / 256
    /// Largest distance of a chord from its curve, device pixels. Chords lie on one side of it, by two thirds of this in the
    /// mean: a third of a level.
    static let curveTolerance = tolerance / 2
    /// Chords of one curve, or of a part of it, at most.
    static let mostChords = 1_024
    /// Chords of all curves of a path, about.
    static let mostPathChords = 1 << 22

    /// The contours under a homography, cut to a little more than `clip`. Open ones are closed.
    package func outline(projectedBy plane: Homography, near clip: PixelRect) -> Outline {
        guard !isEmpty, !clip.isEmpty, plane.isFinite, isFinite else { return Outline() }
        return flattened(scale(of: plane), in: PathSight(plane, clip)).projected(by: plane, near: clip)
    }

    /// The contours in the path's own space, as finely as `scale` pixels a unit ask for.
    ///
    /// - Parameter sight: Curves that it misses become one chord each. Nil misses none.
    func flattened(_ scale: Double, in sight: PathSight? = nil) -> Outline {
        var outline = Outline()
        outline.reserveCapacity(points: points.count + 8)
        var cutter = ChordCutter(scale: scale, sight: sight)
        // Few curves can't be too many chords.
        if verbs.count > Self.mostPathChords / Self.mostChords {
            var count = 0
            forEachCurve { count += cutter.count($0, $1, $2, $3) }
            cutter.coarseness = max(Double(count) / Double(Self.mostPathChords), 1)
        }
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
                    cutter.addQuad(current, points[next], points[next + 1], to: &outline)
                    current = points[next + 1]
                    next += 2
                case .cubic:
                    cutter.addCubic(current, points[next], points[next + 1], points[next + 2], to: &outline)
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

    /// How many curves may be seen.
    func curveCount(in sight: PathSight?) -> Int {
        guard let sight else { return verbs.reduce(0) { $0 + ($1 == .quad || $1 == .cubic ? 1 : 0) } }
        var count = 0
        forEachCurve { if !sight.misses($0, $1, $2, $3) { count += 1 } }
        return count
    }

    /// Calls `body` with each curve as a cubic.
    private func forEachCurve(_ body: (Point, Point, Point, Point) -> Void) {
        var next = 0
        var start = Point.zero
        var current = Point.zero
        for verb in verbs {
            switch verb {
            case .move:
                start = points[next]
                current = start
            case .line: current = points[next]
            case .quad:
                let (control, end) = (points[next], points[next + 1])
                body(current, mix(current, control, 2.0 / 3), mix(end, control, 2.0 / 3), end)
                current = end
            case .cubic:
                body(current, points[next], points[next + 1], points[next + 2])
                current = points[next + 2]
            case .close: current = start
            }
            next += verb.pointCount
        }
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
}
