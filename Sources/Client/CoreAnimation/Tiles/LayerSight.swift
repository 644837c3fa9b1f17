// The part of a layer that its display can see, and how large it is seen.
//
// Everything that hides something is a straight line in the layer's plane: the display's edges and the bounds of each layer
// above that clips, seen through the matrices between, and the line where a plane goes behind the eye. An edge such as
// x ≥ minX of a plane up there is X - minX · W ≥ 0 in its homogeneous coordinates, which are linear in the layer's own. So
// the bounds are a polygon, cut by one half-plane after the other; perspective needs nothing more.
//
// Not looked at: corners, masks, other layers in front, which way the layer faces. Below a replicator only what clips inside
// of it counts: its instances may show the layer anywhere.

import LayerModel

/// What of a layer can be seen.
struct LayerSight {
    /// Convex, in the layer's coordinates; empty when nothing is to be seen.
    private(set) var polygon: [Point]
    /// Pixels of the display that a point of the layer is long, where it is seen largest, in the middle of the polygon.
    private(set) var scale = 1.0
    /// A layer on the way is hidden.
    private(set) var isHidden = false
    /// The layer, or one above it, is just now elsewhere than its model values say.
    private(set) var isMoving = false

    /// - Parameters:
    ///   - values: What a layer shows now.
    ///   - display: In the coordinates that contain the topmost layer, points.
    init(
        of layer: CALayer, display: Rect, pixelsPerPoint: Double, values: (CALayer) -> LayerProperties
    ) {
        var shown = values(layer)
        polygon = shown.bounds.width > 0 && shown.bounds.height > 0 ? shown.bounds.cornersInOrder : []
        var plane = Homography.identity
        var current = layer
        var isRepeated = false
        isHidden = shown.isHidden
        isMoving = !shown.isPlaced(as: layer.properties)
        while true {
            var matrix = current.matrix(with: shown, in: current.parent.map(values))
            var next = current.parent
            var nextShown = next.map(values)
            func meet(_ layer: CALayer, _ shown: LayerProperties) {
                isHidden = isHidden || shown.isHidden
                isMoving = isMoving || !shown.isPlaced(as: layer.properties)
                isRepeated = isRepeated || layer is CAReplicatorLayer && shown.replicator.instances != 1
            }
            while let space = next, let spaceShown = nextShown, space.passesThrough {
                meet(space, spaceShown)
                matrix = matrix.concatenating(space.matrix(with: spaceShown, in: space.parent.map(values)))
                (next, nextShown) = (space.parent, space.parent.map(values))
            }
            plane = plane.concatenating(matrix.planar)
            cut(plane.a13, plane.a23, plane.a33 - 1e-9)
            guard let above = next, let aboveShown = nextShown else { break }
            meet(above, aboveShown)
            if aboveShown.masksToBounds, !isRepeated { cut(to: aboveShown.bounds, plane) }
            (current, shown) = (above, aboveShown)
        }
        if !isRepeated { cut(to: display, plane) }
        guard polygon.allSatisfy(\.isFinite) else {
            polygon = []
            return
        }
        guard !polygon.isEmpty else { return }
        scale = pixelsPerPoint * plane.largestScale(at: middle)
        if !scale.isFinite { polygon = [] }
    }

    /// Of the polygon's corners.
    var middle: Point {
        let sum = polygon.reduce(Point.zero) { Point($0.x + $1.x, $0.y + $1.y) }
        return Point(sum.x / Double(polygon.count), sum.y / Double(polygon.count))
    }

    private mutating func cut(to rect: Rect, _ h: Homography) {
        cut(h.a11 - rect.minX * h.a13, h.a21 - rect.minX * h.a23, h.a31 - rect.minX * h.a33)
        cut(rect.maxX * h.a13 - h.a11, rect.maxX * h.a23 - h.a21, rect.maxX * h.a33 - h.a31)
        cut(h.a12 - rect.minY * h.a13, h.a22 - rect.minY * h.a23, h.a32 - rect.minY * h.a33)
        cut(rect.maxY * h.a13 - h.a12, rect.maxY * h.a23 - h.a22, rect.maxY * h.a33 - h.a32)
    }

    /// Keeps where a · x + b · y + c ≥ 0.
    private mutating func cut(_ a: Double, _ b: Double, _ c: Double) {
        polygon = polygon.cut(a, b, c)
    }
}

extension [Point] {
    /// The part of a convex polygon where a · x + b · y + c ≥ 0; empty when it has no area.
    func cut(_ a: Double, _ b: Double, _ c: Double) -> [Point] {
        guard var last else { return [] }
        func distance(_ p: Point) -> Double { a * p.x + b * p.y + c }
        var kept: [Point] = []
        var before = distance(last)
        for point in self {
            let here = distance(point)
            if (before < 0) != (here < 0) {
                let t = before / (before - here)
                kept.append(Point(last.x + (point.x - last.x) * t, last.y + (point.y - last.y) * t))
            }
            if here >= 0 { kept.append(point) }
            (last, before) = (point, here)
        }
        return kept.count >= 3 ? kept : []
    }
}

extension Homography {
    /// How much longer a short line at a point becomes, in the direction in which it grows most.
    fileprivate func largestScale(at p: Point) -> Double {
        let (x, y, w) = homogeneous(p)
        let (a, b) = ((a11 * w - x * a13) / (w * w), (a12 * w - y * a13) / (w * w))
        let (c, d) = ((a21 * w - x * a23) / (w * w), (a22 * w - y * a23) / (w * w))
        // The larger singular value of (a b; c d).
        let sum = a * a + b * b + c * c + d * d
        let determinant = a * d - b * c
        return ((sum + max(sum * sum - 4 * determinant * determinant, 0).squareRoot()) / 2).squareRoot()
    }
}

extension Rect {
    fileprivate var cornersInOrder: [Point] {
        [Point(minX, minY), Point(maxX, minY), Point(maxX, maxY), Point(minX, maxY)]
    }
}

extension LayerProperties {
    /// True where nothing that says where a layer and its sublayers are differs.
    fileprivate func isPlaced(as other: LayerProperties) -> Bool {
        bounds == other.bounds && position == other.position && anchorPoint == other.anchorPoint
            && transform == other.transform && sublayerTransform == other.sublayerTransform
            && zPosition == other.zPosition && anchorPointZ == other.anchorPointZ
    }
}

extension CALayer {
    /// As `matrixToSuperlayer`, with other values than the model's.
    fileprivate func matrix(with shown: LayerProperties, in superlayer: LayerProperties?) -> Transform {
        let own = shown.isGeometryFlipped ? shown.flip.concatenating(shown.placement) : shown.placement
        guard let superlayer, !superlayer.sublayerTransform.isIdentity, !isMask else { return own }
        return own.concatenating(superlayer.sublayerPlacement)
    }
}
