// From a layer's own plane to the picture, one projection after the other: a plain layer flattens its subtree into its
// plane, that plane is projected into the plane of the next flattening ancestor, and so on to the pixels.
//
// In each of these steps what lies behind the viewer (w ≤ 0) is cut off before the division. Multiplying the matrices
// first would lose that: two negative w make a positive one.

import LayerModel

/// Where the plane z = 0 of a layer is in the picture.
struct Plane {
    /// The first belongs to the layer, the last goes to device pixels (y down, from the top left).
    private let stages: [Homography]
    private let toPixels: Homography
    private let fromPixels: Homography

    /// Nearer to the viewer's eye than this is cut off.
    private static let smallestW = 1e-5

    /// The plane of the display's space.
    init(_ display: ReferenceDisplay) {
        stages = [display.toPixels]
        toPixels = display.toPixels
        fromPixels = display.toPixels.inverse ?? .identity
    }

    /// A plane within another one. Nil when it is seen edge-on, or from nowhere.
    init?(_ homography: Homography, in parent: Plane) {
        stages = [homography] + parent.stages
        toPixels = homography.concatenating(parent.toPixels)
        guard toPixels.isFinite, let inverse = toPixels.inverse else { return nil }
        fromPixels = inverse
    }

    /// A plane of its own, mapped to pixels: the bitmap of a layer.
    init?(toPixels homography: Homography) {
        guard homography.isFinite, let inverse = homography.inverse else { return nil }
        stages = [homography]
        toPixels = homography
        fromPixels = inverse
    }

    /// The same plane with everything in it moved. Nil when the numbers get too large.
    func moved(by offset: Point) -> Plane? {
        let move = Homography.translation(offset.x, offset.y)
        return Plane(stages: [move.concatenating(stages[0])] + stages.dropFirst(), move.concatenating(toPixels))
    }

    private init?(stages: [Homography], _ toPixels: Homography) {
        guard toPixels.isFinite, let inverse = toPixels.inverse else { return nil }
        self.stages = stages
        self.toPixels = toPixels
        fromPixels = inverse
    }

    /// How a step of one point along x, and one along y, moves on the picture, around a point of this plane: exact
    /// unless there is perspective. Nil where the point is not in front of the viewer.
    func linearMap(at place: Point) -> (x: Point, y: Point)? {
        guard toPixels.homogeneous(place).w > Self.smallestW else { return nil }
        let (x, y) = Self.derivative(of: toPixels, at: place)
        return x.isFinite && y.isFinite ? (x, y) : nil
    }

    /// By how much w differs over a rectangle of this plane, and what it is in its middle.
    func perspective(over rect: Rect) -> (change: Double, w: Double) {
        (
            abs(toPixels.a13) * rect.width + abs(toPixels.a23) * rect.height,
            toPixels.homogeneous(Point(rect.midX, rect.midY)).w
        )
    }

    /// A point of this plane on the picture; nil when it is not in front of the viewer.
    func pixel(of place: Point) -> Point? {
        guard toPixels.homogeneous(place).w > Self.smallestW else { return nil }
        let result = toPixels.apply(place)
        return result.isFinite ? result : nil
    }

    /// A shape of this plane in device pixels.
    func project(_ shape: ConvexPolygon) -> ConvexPolygon {
        var result = shape
        for stage in stages {
            if stage.a13 != 0 || stage.a23 != 0 || stage.a33 < Self.smallestW {
                result = result.clipped(stage.a13, stage.a23, stage.a33 - Self.smallestW)
            }
            for i in result.vertices.indices {
                result.vertices[i].point = stage.apply(result.vertices[i].point)
            }
        }
        return result
    }

    /// The point of this plane that is seen at a point of the picture.
    func point(at pixel: Point) -> Point { fromPixels.apply(pixel) }

    /// The line a·x + b·y + c = 0 of this plane, as a line of the picture.
    func line(_ a: Double, _ b: Double, _ c: Double) -> (a: Double, b: Double, c: Double) {
        let h = fromPixels
        return (
            h.a11 * a + h.a12 * b + h.a13 * c, h.a21 * a + h.a22 * b + h.a23 * c, h.a31 * a + h.a32 * b + h.a33 * c
        )
    }

    /// False where the plane is behind the viewer, as beyond its horizon.
    func isInFront(at pixel: Point) -> Bool { fromPixels.homogeneous(pixel).w > 0 }

    /// How a step of one pixel to the right, and one down, moves the point that is seen.
    func steps(at pixel: Point) -> (right: Point, down: Point) { Self.derivative(of: fromPixels, at: pixel) }

    /// The largest number of pixels that a point of length has at any of the places, at least 1, at most 1000: how fine
    /// a curve must be cut.
    func largestScale(at places: [Point]) -> Double {
        var largest = 1.0
        for place in places where toPixels.homogeneous(place).w > Self.smallestW {
            let (x, y) = Self.derivative(of: toPixels, at: place)
            largest = max(largest, (x.x * x.x + x.y * x.y + y.x * y.x + y.y * y.y).squareRoot())
        }
        return largest.isFinite ? min(largest, 1000) : 1000
    }

    private static func derivative(of h: Homography, at p: Point) -> (Point, Point) {
        let (x, y, w) = h.homogeneous(p)
        return (
            Point((h.a11 - h.a13 * x / w) / w, (h.a12 - h.a13 * y / w) / w),
            Point((h.a21 - h.a23 * x / w) / w, (h.a22 - h.a23 * y / w) / w)
        )
    }
}
