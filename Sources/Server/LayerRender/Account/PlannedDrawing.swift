// What a plan draws, quad by quad, for overlays and the account of a frame: where, whose, and how it was come by. A plan
// carries it only when it is asked for.

import LayerModel

/// One quad of a plan, before it was cut into rectangles.
package struct PlannedDrawing: Sendable, Equatable {
    package enum Paint: Sendable, Equatable {
        case color
        case image
        /// What another pass drew: a group, a shadow, a backdrop.
        case surface
    }

    /// How much of each pixel is covered.
    package enum Mask: Sendable, Equatable {
        case none
        /// A mask that an earlier frame made.
        case kept
        /// A mask that this frame had to make.
        case made
    }

    /// How an image's pixels lie on the target's.
    package enum Fit: Sendable, Equatable {
        /// One to one.
        case exact
        /// One to one in size, but between pixels.
        case misaligned
        /// Scaled, turned or projected.
        case stretched
    }

    package var layer: LayerID
    /// Device pixels.
    package var bounds: PixelRect
    package var paint: Paint
    /// Nil for anything but an image.
    package var fit: Fit?
    package var mask: Mask
    /// Every pixel of the bounds is replaced.
    package var isOpaque: Bool
    /// Drawn by the pass of the picture itself.
    package var isInRoot: Bool
    /// Its pixels were copied for it first: what lies below it, or an image larger than a texture, cut into tiles.
    package var isCopied: Bool
    /// What another pass drew goes into it.
    package var readsSurface: Bool
}

extension FramePlanner {
    /// Every drawing of the surfaces of the frame that was just planned, in the order they are drawn, without what opaque
    /// ones hide.
    func drawings(_ store: LayerStore, _ coverage: CoverageCache) -> [PlannedDrawing] {
        var drawings: [PlannedDrawing] = []
        for (number, surface) in surfaces.enumerated() {
            let hidden = switches.contains(.occlusion) ? lowering.hiddenQuads(surface.quads) : []
            for (offset, quad) in surface.quads.enumerated() {
                if !hidden.isEmpty, hidden[offset] { continue }
                let bounds = quad.bounds.intersection(surface.bounds)
                guard !bounds.isEmpty else { continue }
                drawings.append(
                    drawing(of: quad, in: bounds, isInRoot: number == surfaces.count - 1, store, coverage))
            }
        }
        return drawings
    }

    private func drawing(
        of quad: Quad, in bounds: PixelRect, isInRoot: Bool, _ store: LayerStore, _ coverage: CoverageCache
    ) -> PlannedDrawing {
        var drawing = PlannedDrawing(
            layer: quad.layer, bounds: bounds, paint: .color, fit: nil, mask: .none, isOpaque: quad.isOpaque,
            isInRoot: isInRoot, isCopied: quad.readsBackdrop, readsSurface: quad.maskSurface >= 0)
        if let mask = quad.mask { drawing.mask = coverage.isNew(mask.entry) ? .made : .kept }
        switch quad.paint {
        case .solid: break
        case .image(let key, let mapping, _, _):
            drawing.paint = .image
            let tiling = ImageTiling(
                store.images[key.image]?.size ?? PixelSize(width: 1, height: 1), limit: limits.textureSide)
            let texels = tiling.texels(of: Int(key.tile))
            drawing.fit = mappings[Int(mapping)].fit(of: PixelSize(width: texels.width, height: texels.height))
            if !tiling.isWhole { drawing.isCopied = true }
        case .surface, .surfaceAlpha, .backdrop:
            drawing.paint = .surface
            drawing.readsSurface = true
        }
        return drawing
    }
}

extension ImageMapping {
    /// - Parameter size: The image's, pixels.
    func fit(of size: PixelSize) -> PlannedDrawing.Fit {
        if copyOffset != nil { return .exact }
        guard isAffine, toImage.a12 == 0, toImage.a21 == 0 else { return .stretched }
        func isOne(_ step: Double, _ length: Int) -> Bool { abs(step * Double(length) - 1) < 1e-6 }
        return isOne(toImage.a11, size.width) && isOne(toImage.a22, size.height) ? .misaligned : .stretched
    }
}
