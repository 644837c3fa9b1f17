// Points and rectangles between layers, through their lowest common ancestor.
//
// Each plain layer flattens its sublayers into its own plane, so a point goes from plane to plane; a transform layer does
// not, so matrices are multiplied across it. Upwards a plane is projected (and divided by w), downwards the line of sight is
// cut with the layer's plane: the inverse of the same 3×3 matrix. Nil is the space that contains the topmost layer; layers
// of different trees meet there. Source: semantic reference, §1.2 and §1.4.

import LayerModel

extension CALayer {
    /// A point of `layer`'s coordinates, or of the space around the tree, in this layer's coordinates. Not finite where
    /// the layer is seen edge-on.
    public final func convert(_ p: CGPoint, from layer: CALayer?) -> CGPoint {
        CGPoint(LayerRoute(from: layer, to: self).convert(Point(p)))
    }

    /// A point of this layer's coordinates in `layer`'s, or in the space around the tree.
    public final func convert(_ p: CGPoint, to layer: CALayer?) -> CGPoint {
        CGPoint(LayerRoute(from: self, to: layer).convert(Point(p)))
    }

    /// The smallest rectangle around the four converted corners.
    public final func convert(_ r: CGRect, from layer: CALayer?) -> CGRect {
        CGRect(LayerRoute(from: layer, to: self).convert(Rect(r)))
    }

    /// The smallest rectangle around the four converted corners.
    public final func convert(_ r: CGRect, to layer: CALayer?) -> CGRect {
        CGRect(LayerRoute(from: self, to: layer).convert(Rect(r)))
    }
}

/// The way between two layers' coordinates: up some planes, then down some others.
private struct LayerRoute {
    private var up: [Homography] = []
    /// From the lowest plane to the highest: taken backwards, inverted.
    private var down: [Homography] = []

    init(from source: CALayer?, to target: CALayer?) {
        guard !LayerRoute.isSame(source, target) else { return }
        let ancestor = LayerRoute.commonAncestor(source, target)
        up = LayerRoute.planes(from: source, below: ancestor)
        down = LayerRoute.planes(from: target, below: ancestor)
    }

    func convert(_ point: Point) -> Point {
        var point = point
        for plane in up { point = plane.apply(point) }
        for plane in down.reversed() {
            guard let inverse = plane.inverse else { return Point(.nan, .nan) }
            point = inverse.apply(point)
        }
        return point
    }

    func convert(_ rect: Rect) -> Rect {
        guard !(up.isEmpty && down.isEmpty) else { return rect }
        let c = rect.standardized.corners
        return Rect(around: (convert(c.0), convert(c.1), convert(c.2), convert(c.3)))
    }

    /// The steps from a layer up to `ancestor`, or out of the tree.
    private static func planes(from layer: CALayer?, below ancestor: CALayer?) -> [Homography] {
        var planes: [Homography] = []
        var current = layer
        while let layer = current, !isSame(layer, ancestor) {
            var matrix = layer.matrixToSuperlayer
            var next = layer.treeSuperlayer
            while let space = next, space.passesThrough, !isSame(space, ancestor) {
                matrix = matrix.concatenating(space.matrixToSuperlayer)
                next = space.treeSuperlayer
            }
            planes.append(matrix.planar)
            current = next
        }
        return planes
    }

    /// Nil for layers of different trees, and where one of the two is the space around them.
    private static func commonAncestor(_ a: CALayer?, _ b: CALayer?) -> CALayer? {
        guard var a, var b else { return nil }
        var (depthA, depthB) = (depth(of: a), depth(of: b))
        while depthA > depthB, let parent = a.treeSuperlayer { (a, depthA) = (parent, depthA - 1) }
        while depthB > depthA, let parent = b.treeSuperlayer { (b, depthB) = (parent, depthB - 1) }
        while !isSame(a, b) {
            guard let parentA = a.treeSuperlayer, let parentB = b.treeSuperlayer else { return nil }
            (a, b) = (parentA, parentB)
        }
        return a
    }

    /// True for one layer, and for presentation copies of one layer.
    private static func isSame(_ a: CALayer?, _ b: CALayer?) -> Bool {
        guard a !== b else { return true }
        guard let model = a?.modelLayer else { return false }
        return model === b?.modelLayer
    }

    private static func depth(of layer: CALayer) -> Int {
        var depth = 0
        var ancestor = layer.treeSuperlayer
        while let layer = ancestor {
            depth += 1
            ancestor = layer.treeSuperlayer
        }
        return depth
    }
}
