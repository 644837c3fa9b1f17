// The chain of matrices from a layer to its superlayer. Source: semantic reference, §1.2.

import LayerModel

extension LayerProperties {
    /// The point that `transform` and `position` refer to, in the layer's own space.
    private var anchor: Point {
        Point(bounds.minX + anchorPoint.x * bounds.width, bounds.minY + anchorPoint.y * bounds.height)
    }

    /// L: from the layer's space to the one its position is given in.
    var toSuperlayer: Transform {
        // y' = 2·minY + height − y.
        let flip =
            isGeometryFlipped
            ? Transform(1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0, 0, bounds.minY + bounds.maxY, 0, 1) : .identity
        return
            flip
            .concatenating(.translation(-anchor.x, -anchor.y, -anchorPointZ))
            .concatenating(transform)
            .concatenating(.translation(position.x, position.y, zPosition))
    }

    /// S': what the layer does to its sublayers on top, about its own anchor.
    var aroundSublayers: Transform {
        aroundAnchor(sublayerTransform)
    }

    /// A transform about the layer's own anchor.
    func aroundAnchor(_ transform: Transform) -> Transform {
        Transform.translation(-anchor.x, -anchor.y, -anchorPointZ)
            .concatenating(transform)
            .concatenating(.translation(anchor.x, anchor.y, anchorPointZ))
    }
}
