// Baking single decorations: a card that is carried about while something in it changes is no picture that can be kept, but
// what it draws itself below its sublayers is: background, contents, shadow. Those drawings become one surface, drawn where
// the whole pixels of the layer's origin are taken away, so that they are the same in each frame and keep their pixels.
//
// As with whole pictures (FramePlanner+Baking.swift), the commits alone and what is drawn decide. Only drawings that nothing
// cuts are taken: at the rim of the display a card would be another picture in each frame. Source: docs/effects/baking.md.

import LayerModel

extension FramePlanner {
    /// Bakes what a layer drew itself first of what was emitted from `first` on, where that is worth it.
    /// - Parameter clip: What the drawings were cut to.
    mutating func bakeDecoration(
        _ presented: PresentedLayer, _ record: UnsafePointer<LayerRecord>, clippedTo clip: PixelRect, from first: Int,
        _ walk: Walk
    ) {
        guard !isBaking, !isInMask, silhouetteDepth == 0, presented.space < 0, presented.record != walk.root,
            carriage.moved > carriage.jumped, !carriage.isAnimated,
            walk.motions[Int(presented.record)].own.isSettled(carried: carriage.moved), !record.pointee.showsBackdrop,
            let (_, whole) = presented.toDevice.withoutWholePixels
        else { return }
        let inner = PixelRect(minX: clip.minX + 1, minY: clip.minY + 1, maxX: clip.maxX - 1, maxY: clip.maxY - 1)
        var bounds = PixelRect.empty
        var effort = 0
        var end = first
        while end < quads.count, quads[end].isPlainDrawing(of: record.pointee.id) {
            guard inner.contains(quads[end].bounds) else { return }
            bounds = bounds.union(quads[end].bounds)
            effort += self.effort(of: quads[end], walk)
            end += 1
        }
        guard end > first, isWorthBaking(bounds, takes: effort),
            bakedArea + bounds.area <= screen.area * 3 / 2, limits.nesting > 0,
            SlotPool.bytes(bounds.size) <= limits.surfaceBytes - surfaceBytes,
            max(bounds.width, bounds.height) <= limits.textureSide
        else { return }
        surfaceBytes += SlotPool.bytes(bounds.size)
        bakedArea += bounds.area
        let drawn = ContiguousArray(quads[first..<end].map { moved($0, by: PixelPoint(x: -whole.x, y: -whole.y)) })
        surfaces.append(
            PlannedSurface(
                reason: .baked, layer: record.pointee.id, bounds: bounds.offsetBy(x: -whole.x, y: -whole.y),
                quads: drawn, nesting: 1, cause: SurfaceCause(.baked)))
        let offset = PixelPoint(x: -bounds.minX, y: -bounds.minY)
        mappings.append(
            ImageMapping(
                toImage: .translation(Double(offset.x), Double(offset.y)), isAffine: true, copyOffset: offset))
        quads[first] = Quad(
            bounds: bounds, mask: nil,
            paint: .sprite(Int32(surfaces.count - 1), mapping: Int32(mappings.count - 1), sampling: .nearest),
            color: .white, isOpaquePaint: false, layer: record.pointee.id)
        quads.removeSubrange((first + 1)..<end)
    }

    /// A drawing, whole pixels further on.
    private mutating func moved(_ quad: Quad, by offset: PixelPoint) -> Quad {
        var quad = quad
        quad.bounds = quad.bounds.offsetBy(x: offset.x, y: offset.y)
        quad.mask?.x += Int32(offset.x)
        quad.mask?.y += Int32(offset.y)
        if case .image(let key, let mapping, let sampling, let bias) = quad.paint {
            let old = mappings[Int(mapping)]
            var toImage = Homography.translation(Double(-offset.x), Double(-offset.y)).concatenating(old.toImage)
            // What rounding adds would be something else in each place.
            let steps = Double(1 << 30)
            toImage.a31 = (toImage.a31 * steps).rounded() / steps
            toImage.a32 = (toImage.a32 * steps).rounded() / steps
            mappings.append(
                ImageMapping(
                    toImage: toImage, isAffine: old.isAffine,
                    copyOffset: old.copyOffset.map { PixelPoint(x: $0.x - offset.x, y: $0.y - offset.y) }))
            quad.paint = .image(key, mapping: Int32(mappings.count - 1), sampling: sampling, levelBias: bias)
        }
        return quad
    }
}

extension Quad {
    /// A color or an image of this layer, that nothing was done with yet.
    fileprivate func isPlainDrawing(of layer: LayerID) -> Bool {
        guard self.layer == layer, maskSurface < 0, mode == .normal, !isAtSeam, !isLargeScaledImage else {
            return false
        }
        switch paint {
        case .solid, .image: return true
        case .surface, .surfaceAlpha, .sprite, .backdrop, .over, .particles: return false
        }
    }
}
