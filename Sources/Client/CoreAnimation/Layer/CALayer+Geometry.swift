// From a layer's coordinates to its superlayer's:
//
//     layer → superlayer = F · T(-anchor) · transform · T(position) · S'
//
// F mirrors a flipped layer's coordinates inside its bounds; anchor is bounds.origin + anchorPoint · bounds.size (and
// anchorPointZ); position includes zPosition; S' is the superlayer's sublayerTransform about the superlayer's anchor. The
// superlayer's bounds origin does not enter: position is in its bounds coordinates. `frame` uses the same without F and S'.
// A mask lies in its owner's coordinates, so without S' too.
// Source: semantic reference, §1.2 and §1.3.

import LayerModel

extension LayerProperties {
    /// The anchor point in the layer's own coordinates.
    var anchor: Point {
        Point(bounds.minX + anchorPoint.x * bounds.width, bounds.minY + anchorPoint.y * bounds.height)
    }

    /// T(-anchor) · transform · T(position): without the layer's own flip.
    var placement: Transform {
        let anchor = anchor
        return transform.translatedBefore(-anchor.x, -anchor.y, -anchorPointZ)
            .translatedAfter(position.x, position.y, zPosition)
    }

    /// S': what the layer does to its sublayers.
    var sublayerPlacement: Transform {
        guard !sublayerTransform.isIdentity else { return .identity }
        let anchor = anchor
        return sublayerTransform.translatedBefore(-anchor.x, -anchor.y, -anchorPointZ)
            .translatedAfter(anchor.x, anchor.y, anchorPointZ)
    }

    /// F: y' = 2 · min y + height - y.
    var flip: Transform {
        Transform(1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0, 0, 2 * bounds.minY + bounds.height, 0, 1)
    }
}

extension CALayer {
    /// From the layer's coordinates to its superlayer's, or to what contains the topmost layer.
    final var matrixToSuperlayer: Transform {
        let own =
            properties.isGeometryFlipped ? properties.flip.concatenating(properties.placement) : properties.placement
        guard let superlayer = treeSuperlayer, !superlayer.properties.sublayerTransform.isIdentity,
            !isMask
        else { return own }
        return own.concatenating(superlayer.properties.sublayerPlacement)
    }

    final var countsContentsFlipped: Bool {
        var flipped = (hosting.context ?? modelLayer?.hosting.context)?.displayIsFlipped ?? false
        var layer = modelLayer ?? self
        flipped = flipped != properties.isGeometryFlipped
        while let parent = layer.parent {
            flipped = flipped != parent.properties.isGeometryFlipped
            layer = parent
        }
        return flipped
    }

    // MARK: Frame

    final var frameRect: Rect {
        let p = properties
        if p.transform.isIdentity {
            let (size, anchor) = (p.bounds.size, p.anchorPoint)
            return Rect(
                p.position.x - anchor.x * size.width, p.position.y - anchor.y * size.height, size.width, size.height)
        }
        return p.bounds.image(under: p.placement.planar)
    }

    /// Keeps the bounds' origin, the anchor point and the transform. Where the transform has no inverse in the plane, the
    /// size stays as it was.
    final func changeFrame(to value: Rect) {
        guard value.isFinite else { return refuseNotFinite("frame") }
        let frame = value.standardized
        let t = properties.transform
        var box = properties.bounds
        let det = t.m11 * t.m22 - t.m12 * t.m21
        if t.isIdentity {
            box.size = frame.size
        } else if det != 0, det.isFinite {
            box.size = Size(
                abs(t.m22 / det) * frame.width + abs(t.m21 / det) * frame.height,
                abs(t.m12 / det) * frame.width + abs(t.m11 / det) * frame.height)
        }
        bounds = CGRect(box)
        // Where the frame would be at position (0, 0).
        var unplaced = properties
        unplaced.position = .zero
        let origin =
            t.isIdentity
            ? Point(
                -unplaced.anchorPoint.x * unplaced.bounds.width, -unplaced.anchorPoint.y * unplaced.bounds.height)
            : unplaced.bounds.image(under: unplaced.placement.planar).origin
        position = CGPoint(Point(frame.minX - origin.x, frame.minY - origin.y))
    }

    // MARK: Affine transform

    /// The transform, or the identity where it is not affine.
    public final func affineTransform() -> CGAffineTransform { CATransform3DGetAffineTransform(transform) }

    /// Sets the transform to an affine one.
    public final func setAffineTransform(_ m: CGAffineTransform) { transform = CATransform3DMakeAffineTransform(m) }
}

extension Rect {
    /// The smallest rectangle around the images of the four corners.
    func image(under h: Homography) -> Rect {
        let c = corners
        return Rect(around: (h.apply(c.0), h.apply(c.1), h.apply(c.2), h.apply(c.3)))
    }
}
