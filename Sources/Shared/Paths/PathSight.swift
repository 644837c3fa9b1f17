// What of a path can be seen: four linear tests of its points, before anything is worked out.
//
// A homography takes a point to (x, y, w), and what lies before the eye is seen at x/w and y/w. So "left of the clip" is
// x - minX · w < 0, a linear function of the point: where it is below 0 at all points of a curve's control polygon, nothing of the
// curve is seen, in perspective too. Along it no line need be drawn; of an area the way from end to end is enough, since chord
// and curve lie on the same side of all that is seen, and windings there don't tell them apart.

import LayerModel

/// Which parts of a path's space are not seen at all.
struct PathSight {
    /// Half a plane: what it is below 0 for is not seen.
    private struct Side {
        var x, y, constant: Double

        @inline(__always)
        func value(_ point: Point) -> Double { x * point.x + y * point.y + constant }
    }

    private let left, right, top, bottom: Side

    /// - Parameters:
    ///   - clip: What is seen, device pixels; two more on each side count as seen, as for outlines that are cut.
    ///   - reach: How far a line along the path may reach from it, units of the path: what is that near counts as seen.
    init(_ plane: Homography, _ clip: PixelRect, reach: Double = 0) {
        // Without a perspective the sign says nothing.
        let sign: Double = plane.isAffine && plane.a33 < 0 ? -1 : 1
        let x = (plane.a11 * sign, plane.a21 * sign, plane.a31 * sign)
        let y = (plane.a12 * sign, plane.a22 * sign, plane.a32 * sign)
        let w = (plane.a13 * sign, plane.a23 * sign, plane.a33 * sign)
        func side(_ a: (Double, Double, Double), _ bound: Int, _ way: Double) -> Side {
            let bound = Double(bound) - 2 * way
            let (x, y) = ((a.0 - bound * w.0) * way, (a.1 - bound * w.1) * way)
            return Side(x: x, y: y, constant: (a.2 - bound * w.2) * way + reach * (abs(x) + abs(y)))
        }
        left = side(x, clip.minX, 1)
        right = side(x, clip.maxX, -1)
        top = side(y, clip.minY, 1)
        bottom = side(y, clip.maxY, -1)
    }

    /// The fractions of the way from one point to another between which it may be seen; nil where it isn't.
    @inline(__always)
    func part(from a: Point, to b: Point) -> (from: Double, to: Double)? {
        var (first, last) = (0.0, 1.0)
        func cut(_ side: Side) {
            let (start, end) = (side.value(a), side.value(b))
            if start < 0 { first = end < 0 ? 2 : max(first, start / (start - end)) }
            if end < 0 { last = start < 0 ? -1 : min(last, start / (start - end)) }
        }
        cut(left)
        cut(right)
        cut(top)
        cut(bottom)
        return first <= last ? (first, last) : nil
    }

    /// Nothing of the straight way between two points is seen. False where numbers are no numbers.
    @inline(__always)
    func misses(_ a: Point, _ b: Point) -> Bool {
        func miss(_ side: Side) -> Bool { side.value(a) < 0 && side.value(b) < 0 }
        return miss(left) || miss(right) || miss(top) || miss(bottom)
    }

    /// Nothing of a curve is seen: all of it lies on one side of the clip. False where numbers are no numbers.
    @inline(__always)
    func misses(_ a: Point, _ b: Point, _ c: Point, _ d: Point) -> Bool {
        func miss(_ side: Side) -> Bool {
            side.value(a) < 0 && side.value(b) < 0 && side.value(c) < 0 && side.value(d) < 0
        }
        return miss(left) || miss(right) || miss(top) || miss(bottom)
    }

    /// All of a curve is seen.
    @inline(__always)
    func holds(_ a: Point, _ b: Point, _ c: Point, _ d: Point) -> Bool {
        func hold(_ side: Side) -> Bool {
            side.value(a) >= 0 && side.value(b) >= 0 && side.value(c) >= 0 && side.value(d) >= 0
        }
        return hold(left) && hold(right) && hold(top) && hold(bottom)
    }
}
