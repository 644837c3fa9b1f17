// The order inside a layer that has effects: what it draws with its sublayers, then its filters on that, the shadow
// behind it, the clip and the mask of the whole, its opacity, and its blend mode onto what lies below in the nearest
// group. Source: semantic reference, §1.6.
//
// Each step looks at the quads it got, as clips and group opacity do, and makes a surface only where it must.

import LayerModel
import Paths

extension FramePlanner {
    mutating func emitWithEffects(
        _ index: Int, _ presented: PresentedLayer, _ record: UnsafePointer<LayerRecord>,
        clippedTo scissor: PixelRect, fadedBy inherited: Float, _ walk: Walk
    ) {
        let layer = record.pointee.id
        let first = quads.count
        let isBackdrop =
            record.pointee.layerClass == .backdropLayer && record.pointee.properties.backdropScale > 0
        let hasBitmap = presented.space >= 0
        let isFlat =
            record.pointee.layerClass != .backdropLayer && !record.pointee.properties.filters.isEmpty
            || record.pointee.mask >= 0 || blends(record) || isBackdrop || hasBitmap
            || !record.pointee.properties.backgroundFilters.isEmpty
        let isGroup = record.pointee.properties.allowsGroupOpacity || isFlat
        let opacity = presented.opacity * inherited

        let parts: Int
        var placed = presented
        var clip = scissor
        if hasBitmap {
            emitBitmap(index, presented, record, clippedTo: scissor, walk)
            placed.toDevice = tree.bitmapPlaces[Int(presented.space)]
            parts = first
        } else {
            guard
                let whole = emitWhole(
                    index, presented, record, clippedTo: scissor, fadedBy: isGroup ? 1 : opacity, walk)
            else { return }
            (parts, clip) = (whole.parts, whole.clip)
        }
        if isGroup, opacity < 1 {
            if parts > first { quads[first].color = quads[first].color * opacity }
            applyOpacity(opacity, from: parts, layer)
        }
        if blends(record) { applyMode(record, placed, clippedTo: clip, from: parts, walk) }
    }

    /// The layer with its filters, shadow, clip and mask. What lies behind it, if it shows that, is one drawing before
    /// `parts`. Nil when nothing can be seen.
    mutating func emitWhole(
        _ index: Int, _ presented: PresentedLayer, _ record: UnsafePointer<LayerRecord>,
        clippedTo scissor: PixelRect, fadedBy opacity: Float, _ walk: Walk
    ) -> (parts: Int, clip: PixelRect)? {
        let layer = record.pointee.id
        let first = quads.count
        var clip = scissor
        var clipMask: MaskUse?
        if record.pointee.properties.masksToBounds {
            switch coverBounds(of: record, on: presented.toDevice, clip: scissor, walk) {
            case .nothing: return nil
            case .whole(let rect): clip = rect
            case .mask(let mask, let rect):
                clip = rect
                clipMask = mask
            }
        }
        let filters = record.pointee.properties.filters.filter(\.isEnabled)
        // A backdrop layer of scale 0 is switched off.
        let isBackdrop =
            record.pointee.layerClass == .backdropLayer && record.pointee.properties.backdropScale > 0
        let ownFilters = record.pointee.layerClass == .backdropLayer ? [] : filters

        // What lies behind takes the shape of the bounds; from `parts` on comes what the layer itself draws.
        let behind =
            record.pointee.properties.backgroundFilters.filter(\.isEnabled) + (isBackdrop ? filters : [])
        if !behind.isEmpty { emitBackdrop(presented, record, behind, clippedTo: clip, walk) }
        let parts = quads.count
        let shadow = shadowGeometry(presented, record)
        let wanted = ownFilters.isEmpty ? clip : grown(clip, by: ownFilters, presented, record)
        if let shadow, record.pointee.properties.shadowPath == nil, mustDrawTwice(shadow, opacity, clipMask) {
            emitOwn(
                index, presented, record, ownFilters, wanted: wanted, clip: clip, isClipped: clipMask != nil,
                fadedBy: opacity, walk)
            emitTwice(shadow, index, presented, record, ownFilters, clippedTo: clip, fadedBy: opacity, at: parts, walk)
        } else {
            var seen = wanted
            if let shadow, record.pointee.properties.shadowPath == nil { seen = shadow.seen(from: seen) }
            emitOwn(
                index, presented, record, ownFilters, wanted: seen, clip: seen, isClipped: clipMask != nil,
                fadedBy: opacity, walk)
            if let shadow {
                emitShadow(shadow, presented, record, clippedTo: clip, fadedBy: opacity, from: parts, walk)
            }
        }
        crop(from: parts, to: clip)

        if let clipMask { applyClip(clipMask, reason: .clip, within: clip, from: parts, layer, walk) }
        if record.pointee.mask >= 0 {
            applyMask(index, presented, record, clippedTo: clip, behind: first..<parts, from: parts, walk)
        }
        return (parts, clip)
    }

    /// The layer's parts and its filters on them.
    mutating func emitOwn(
        _ index: Int, _ presented: PresentedLayer, _ record: UnsafePointer<LayerRecord>, _ filters: [LayerFilter],
        wanted: PixelRect, clip: PixelRect, isClipped: Bool, fadedBy opacity: Float, _ walk: Walk
    ) {
        let first = quads.count
        emitParts(
            index, presented, record, clippedTo: wanted,
            isClipped: isClipped && !filters.contains(where: \.movesPixels),
            fadedBy: opacity, walk)
        if !filters.isEmpty { applyFilters(filters, presented, record, clippedTo: clip, from: first, walk) }
    }

    private func blends(_ record: UnsafePointer<LayerRecord>) -> Bool {
        record.pointee.properties.compositingMode != .normal && !isInMask
    }

    /// Cuts what was emitted from `first` on to a rectangle of whole pixels.
    mutating func crop(from first: Int, to rect: PixelRect) {
        var hasEmpty = false
        for index in first..<quads.count where !rect.contains(quads[index].bounds) {
            quads[index].bounds = quads[index].bounds.intersection(rect)
            if quads[index].bounds.isEmpty { hasEmpty = true }
        }
        if hasEmpty { dropEmptyQuads(from: first) }
    }

    // MARK: Mask

    /// Multiplies what was emitted from `first` on by the alpha of the layer's mask.
    private mutating func applyMask(
        _ index: Int, _ presented: PresentedLayer, _ record: UnsafePointer<LayerRecord>, clippedTo clip: PixelRect,
        behind: Range<Int>, from first: Int, _ walk: Walk
    ) {
        let layer = record.pointee.id
        var bounds = PixelRect.empty
        for quad in quads[behind.lowerBound...] { bounds = bounds.union(quad.bounds) }
        guard !bounds.isEmpty else { return }
        let maskFirst = quads.count
        let wasInMask = isInMask
        isInMask = true
        var next = index + 1
        while next < Int(presented.firstSublayer) {
            next = emit(next, clippedTo: bounds.intersection(clip), fadedBy: 1, walk)
        }
        isInMask = wasInMask
        guard quads.count > maskFirst else {
            quads.removeLast(quads.count - behind.lowerBound)
            return
        }
        if quads.count == maskFirst + 1, let alpha = quads[maskFirst].evenAlpha {
            let shape = quads.removeLast()
            for index in behind {
                if let mask = shape.mask { clipQuad(index, to: mask, clip, walk) }
                quads[index].bounds = quads[index].bounds.intersection(shape.bounds)
                quads[index].color = quads[index].color * alpha
            }
            crop(from: first, to: shape.bounds)
            if let mask = shape.mask { applyClip(mask, reason: .mask, within: shape.bounds, from: first, layer, walk) }
            if alpha < 1 { applyOpacity(alpha, from: first, layer, askedBy: .mask) }
            notes.append(PlanNote(layer: layer, kind: .maskAsClip))
            return
        }
        let obstacle = maskObstacle(from: maskFirst)
        guard makeSurface(from: maskFirst, reason: .mask, layer, within: clip, because: obstacle),
            case .surface(let surface) = quads[maskFirst].paint
        else {
            quads.removeLast(quads.count - behind.lowerBound)
            return
        }
        let area = quads.removeLast().bounds
        for index in behind {
            quads[index].bounds = quads[index].bounds.intersection(area)
            quads[index].maskSurface = surface
        }
        crop(from: first, to: area)
        guard quads.count > first else { return }
        if quads.count > first + 1 || quads[first].maskSurface >= 0 || quads[first].readsBackdrop {
            let obstacle = groupObstacle(from: first)
            guard makeSurface(from: first, reason: .masked, layer, within: area, because: obstacle) else { return }
        }
        quads[first].maskSurface = surface
    }

    // MARK: Blend mode

    private mutating func applyMode(
        _ record: UnsafePointer<LayerRecord>, _ presented: PresentedLayer, clippedTo clip: PixelRect,
        from first: Int, _ walk: Walk
    ) {
        let mode = record.pointee.properties.compositingMode
        let layer = record.pointee.id
        if mode.reachesBeyondSource {
            applyReachingMode(
                mode, layer, coverBounds(of: record, on: presented.toDevice, clip: clip, walk), clip, first)
            return
        } else {
            guard quads.count > first else { return }
            if quads.count > first + 1 || quads[first].readsBackdrop {
                let obstacle = groupObstacle(from: first)
                guard makeSurface(from: first, reason: .blend, layer, within: clip, because: obstacle) else { return }
            }
        }
        quads[first].mode = mode
    }
}

extension FramePlanner {
    /// An operator that changes what lies below where the layer draws nothing: there its bounds say how much of a pixel
    /// it changes, or what it draws, if that is more.
    private mutating func applyReachingMode(
        _ mode: CompositingMode, _ layer: LayerID, _ shape: Coverage, _ clip: PixelRect, _ first: Int
    ) {
        let bounds = shape.bounds
        if !bounds.isEmpty { append(.solid, .clear, bounds, nil, layer, isOpaque: false) }
        guard quads.count > first else { return }
        let isInside = quads[first...].allSatisfy { bounds.contains($0.bounds) }
        if case .whole = shape, isInside {
            // The bounds are whole pixels, and all of them count.
            if quads.count > first + 1 {
                guard makeSurface(from: first, reason: .blend, layer, within: clip) else { return }
            }
            quads[first].mode = mode
            return
        }
        guard makeSurface(from: first, reason: .blend, layer, within: clip) else { return }
        let area = quads[first].bounds
        append(.solid, .white, shape, layer)
        append(.solid, .clear, area, nil, layer, isOpaque: false)
        guard makeSurface(from: first + 1, reason: .blend, layer, within: nil),
            case .surface(let cover) = quads[first + 1].paint
        else {
            quads.removeLast(quads.count - first - 1)
            return
        }
        quads.removeLast()
        quads[first].maskSurface = cover
        quads[first].mode = mode
    }
}

extension Quad {
    /// The alpha of a drawing that has the same everywhere it covers; nil for any other.
    fileprivate var evenAlpha: Float? {
        guard maskSurface < 0, mode == .normal else { return nil }
        switch paint {
        case .solid: return color.alpha
        case .image: return isOpaquePaint ? color.alpha : nil
        case .surface, .surfaceAlpha, .sprite, .backdrop: return nil
        }
    }
}

extension CompositingMode {
    /// Changes what lies below although the source is transparent there.
    package var reachesBeyondSource: Bool {
        switch self {
        case .copy, .clear, .sourceIn, .destinationIn, .sourceOut, .destinationAtop: true
        default: false
        }
    }
}

extension LayerFilter {
    /// A pixel of the result depends on others of the source.
    var movesPixels: Bool {
        switch kind {
        case .gaussianBlur, .variableBlur, .pixellate, .dropShadow: true
        default: false
        }
    }
}
