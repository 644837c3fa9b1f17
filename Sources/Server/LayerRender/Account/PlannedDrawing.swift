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

    /// What of it is kept between frames: a mask, or the pixels of a surface that it shows.
    package enum Cache: Sendable, Equatable {
        /// Nothing.
        case none
        /// Found from an earlier frame.
        case hit
        /// Made by this frame.
        case miss
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
    package var cache: Cache
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
    /// Every drawing of the surfaces that a frame draws, in the order they are drawn, without what opaque ones hide.
    /// Surfaces with pixels of another size than the display's are left out: where they show counts.
    func drawings(
        _ frame: FrameMemory, _ treatments: [SurfaceLedger.Treatment], _ store: LayerStore, _ coverage: CoverageCache
    ) -> [PlannedDrawing] {
        let isShown = Self.surfacesOnGrid(frame, treatments)
        var drawings: [PlannedDrawing] = []
        for (number, surface) in frame.surfaces.enumerated() where isShown[number] {
            let hidden = switches.contains(.occlusion) ? lowering.hiddenQuads(surface.quads) : []
            for (offset, quad) in surface.quads.enumerated() {
                if !hidden.isEmpty, hidden[offset] { continue }
                var drawing = drawing(of: quad, frame, treatments, store, coverage)
                drawing.bounds = quad.bounds.intersection(surface.bounds)
                drawing.isInRoot = number == frame.surfaces.count - 1
                if !drawing.bounds.isEmpty { drawings.append(drawing) }
            }
        }
        return drawings
    }

    /// Surfaces that are drawn in this frame, pixel for pixel on the display's grid.
    private static func surfacesOnGrid(_ frame: FrameMemory, _ treatments: [SurfaceLedger.Treatment]) -> [Bool] {
        var isShown = [Bool](repeating: false, count: frame.surfaces.count)
        isShown[frame.surfaces.count - 1] = true
        for index in frame.surfaces.indices.reversed() where isShown[index] {
            if case .kept = treatments[index] {
                isShown[index] = false
                continue
            }
            let surface = frame.surfaces[index]
            if let step = surface.step { isShown[Int(step.source)] = true }
            for quad in surface.quads {
                if case .sprite = quad.paint { continue }
                quad.forEachSurface { isShown[$0] = true }
            }
        }
        return isShown
    }

    private func drawing(
        of quad: Quad, _ frame: FrameMemory, _ treatments: [SurfaceLedger.Treatment], _ store: LayerStore,
        _ coverage: CoverageCache
    ) -> PlannedDrawing {
        var drawing = PlannedDrawing(
            layer: quad.layer, bounds: quad.bounds, paint: .color, fit: nil, cache: .none, isOpaque: quad.isOpaque,
            isInRoot: false, isCopied: quad.readsBackdrop && quad.fixedBlend == nil, readsSurface: false)
        drawing.readsSurface = drawing.isCopied
        if let mask = quad.mask { drawing.cache = coverage.isNew(mask.entry) ? .miss : .hit }
        quad.forEachSurface { surface in
            drawing.readsSurface = true
            switch treatments[surface] {
            case .draw: break
            case .drawAndKeep: drawing.cache = .miss
            case .kept: if drawing.cache == .none { drawing.cache = .hit }
            }
        }
        switch quad.paint {
        case .solid: break
        case .particles: drawing.paint = .image
        case .image(let key, _, _, _) where key.isRaster: break
        case .image(let key, let mapping, _, _):
            drawing.paint = .image
            let tiling = ImageTiling(
                store.images[key.image]?.size ?? PixelSize(width: 1, height: 1), limit: limits.textureSide)
            let texels = tiling.texels(of: Int(key.tile))
            drawing.fit = frame.mappings[Int(mapping)].fit(of: PixelSize(width: texels.width, height: texels.height))
            if !tiling.isWhole { drawing.isCopied = true }
        case .surface, .surfaceAlpha, .backdrop, .sprite, .over:
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
