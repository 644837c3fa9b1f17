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
        let hasBitmap = presented.space >= 0
        let isGroup =
            record.pointee.properties.allowsGroupOpacity || isFlat(record) || showsBackdrop(presented, record, walk)
        let opacity = presented.opacity * inherited

        var placed = presented
        var whole = (parts: first, clip: scissor, isBlended: false)
        if hasBitmap {
            emitBitmap(index, presented, record, clippedTo: scissor, walk)
            placed.toDevice = tree.bitmapPlaces[Int(presented.space)]
        } else {
            guard
                let emitted = emitWhole(
                    index, presented, record, clippedTo: scissor, fadedBy: isGroup ? 1 : opacity,
                    groupOpacity: isGroup ? opacity : 1, walk)
            else { return }
            whole = emitted
        }
        if isGroup, opacity < 1 {
            for index in first..<whole.parts { quads[index].color = quads[index].color * opacity }
            applyOpacity(opacity, from: whole.parts, layer)
        }
        if blends(record), !whole.isBlended {
            applyMode(record, placed, clippedTo: whole.clip, from: whole.parts, walk)
        }
    }

    /// Drawn as one picture before anything else is done with it.
    private func isFlat(_ record: UnsafePointer<LayerRecord>) -> Bool {
        blends(record) || record.pointee.mask >= 0 || record.pointee.properties.shouldRasterize
            || record.pointee.layerClass != .backdropLayer
                && record.pointee.properties.filters.contains(where: \.isEnabled)
    }

    /// The root has nothing behind it, and a mask shows nothing of it.
    private func showsBackdrop(
        _ presented: PresentedLayer, _ record: UnsafePointer<LayerRecord>, _ walk: Walk
    ) -> Bool {
        !isInMask && presented.record != walk.root && record.pointee.showsBackdrop
    }

    /// The layer with its filters, shadow, clip and mask. What lies behind it, if it shows that, is one drawing before
    /// `parts`. Nil when nothing can be seen.
    ///
    /// - Parameters:
    ///   - opacity: Of each drawing.
    ///   - groupOpacity: What the whole will be faded by.
    mutating func emitWhole(
        _ index: Int, _ presented: PresentedLayer, _ record: UnsafePointer<LayerRecord>,
        clippedTo scissor: PixelRect, fadedBy opacity: Float, groupOpacity: Float, _ walk: Walk
    ) -> (parts: Int, clip: PixelRect, isBlended: Bool)? {
        let layer = record.pointee.id
        let first = quads.count
        let clips = record.pointee.properties.masksToBounds
        var clip = scissor
        var clipMask: MaskUse?
        if clips {
            switch coverBounds(of: record, on: presented.toDevice, clip: scissor, walk) {
            case .nothing: return nil
            case .whole(let rect): clip = rect
            case .mask(let mask, let rect):
                clip = rect
                clipMask = mask
            }
        }
        let isPane = record.pointee.layerClass == .backdropLayer
        let ownFilters = isPane ? [] : record.pointee.properties.filters.filter(\.isEnabled)
        let isIsolated = isFlat(record) || groupOpacity < 1 || presented.space >= 0

        // What lies behind takes the shape of the bounds; from `parts` on comes what the layer itself draws.
        let shows = showsBackdrop(presented, record, walk)
        if shows { emitBackdrop(presented, record, record.pointee.backdropFilters, clippedTo: clip, walk) }
        var parts = quads.count
        let isolates = isIsolated || (clips || shows) && record.pointee.hasRoundCorners
        let inner = clips && isolates ? seenInside(index, clip, walk) : clip
        let shadows = emitOwnAndShadow(
            index, presented, record, ownFilters, clippedTo: inner, isClipped: clipMask != nil || inner != clip,
            clipMask, fadedBy: opacity, walk)
        if inner != clip { isolate(from: parts, clippedTo: clip, layer) }
        crop(from: parts, to: clip)

        if parts > first, case .backdrop(let number) = quads[first].paint,
            backdrops[Int(number)].group == nil, backdrops[Int(number)].steps.isEmpty, !blends(record),
            !readsBackdrop(from: parts)
        {
            // It shows what is there as it is.
            quads.remove(at: first)
            parts = first
        }
        let reaches = blends(record) && record.pointee.properties.compositingMode.reachesBeyondSource
        if shows, parts > first, quads.count > parts || reaches {
            return emitOnBackdrop(
                index, presented, record, clipMask, within: clip, from: first, hasShadow: shadows && inner == clip,
                isolates: isolates, fadedBy: groupOpacity, walk)
        }
        if let clipMask {
            applyClip(
                clipMask, reason: .clip, isolates: isolates, within: clip, from: parts, layer, walk)
        }
        if record.pointee.mask >= 0 {
            applyMask(index, presented, record, clippedTo: clip, behind: first..<parts, from: parts, walk)
        }
        // A mask that hides everything hides what lies behind, too.
        return (min(parts, quads.count), clip, false)
    }

    /// Both what lies behind a layer and what it draws: its clip, mask and opacity say how much of both counts.
    private mutating func emitOnBackdrop(
        _ index: Int, _ presented: PresentedLayer, _ record: UnsafePointer<LayerRecord>, _ clipMask: MaskUse?,
        within clip: PixelRect, from first: Int, hasShadow: Bool, isolates: Bool, fadedBy groupOpacity: Float,
        _ walk: Walk
    ) -> (parts: Int, clip: PixelRect, isBlended: Bool) {
        let layer = record.pointee.id
        let isPane = record.pointee.layerClass == .backdropLayer
        let parts = first + 1
        if !isPane, isolates, readsBackdrop(from: parts) {
            _ = makeSurface(from: parts, reason: .blend, layer, within: clip)
        }
        var pane = first
        if isPane, hasShadow, !blends(record), case .backdrop(let number) = quads[first].paint {
            // A backdrop layer shows what lies behind it over its shadow, any other below. It is seen before there is
            // a shadow: by a drawing of nothing, of a name that both share.
            let group = backdrops[Int(number)].group ?? "\u{0}\(number)"
            backdrops[Int(number)].group = group
            var look = quads[first]
            backdrops.append(
                PlannedBackdrop(layer: layer, group: group, capture: backdrops[Int(number)].capture, steps: []))
            look.paint = .backdrop(Int32(backdrops.count - 1))
            look.color = .clear
            quads.swapAt(first, parts)
            quads.insert(look, at: first)
            pane = parts + 1
        }
        guard clipMask != nil || record.pointee.mask >= 0 || groupOpacity < 1 else {
            return pane > first ? (quads.count, clip, true) : (parts, clip, false)
        }
        // The clip's own coverage makes the edge, once for everything.
        if clipMask != nil { quads[pane].mask = nil }
        if blends(record) { applyMode(record, presented, clippedTo: clip, from: parts, walk) }
        guard makeOver(from: first, layer, within: clip) else { return (parts, clip, true) }
        if let clipMask {
            clipQuad(first, to: clipMask, clip, walk)
            dropEmptyQuads(from: first)
        }
        if record.pointee.mask >= 0, quads.count > first {
            applyMask(index, presented, record, clippedTo: clip, behind: first..<parts, from: parts, walk)
        }
        return (quads.count, clip, true)
    }

    /// What the layer draws with its filters, and its shadow below that. True when there is one.
    mutating func emitOwnAndShadow(
        _ index: Int, _ presented: PresentedLayer, _ record: UnsafePointer<LayerRecord>, _ filters: [LayerFilter],
        clippedTo clip: PixelRect, isClipped: Bool, _ clipMask: MaskUse?, fadedBy opacity: Float, _ walk: Walk
    ) -> Bool {
        let parts = quads.count
        let shadow = shadowGeometry(presented, record)
        let isOfPath = record.pointee.properties.shadowPath != nil
        let isProjected =
            shadow != nil && silhouetteDepth < 3
            && presented.toDevice.isProjective(over: record.pointee.properties.bounds)
        // What lies outside may cast a shadow inside, and be blurred into what does.
        var shown = clip
        if let shadow, !isOfPath, !isProjected { shown = shadow.seen(from: clip) }
        let wanted = filters.isEmpty ? shown : grown(shown, by: filters, presented, record)
        emitOwn(
            index, presented, record, filters, wanted: wanted, clip: shown, isClipped: isClipped, fadedBy: opacity, walk
        )
        lastShadow = .none
        defer {
            if filters.isEmpty, !isClipped, opacity == 1 {
                bakeDecoration(presented, record, clippedTo: clip, from: parts, walk)
            }
        }
        guard let shadow else { return false }
        if isProjected {
            emitProjectedShadow(
                index, presented, record, filters, clippedTo: clip, fadedBy: opacity, at: parts, walk)
            return lastShadow == record.pointee.id
        }
        if shadow.isLimited {
            notes.append(
                PlanNote(layer: record.pointee.id, kind: .degraded(.shadow, .deviation(GaussianShape.widest))))
        }
        // What looks below itself sees the shadow.
        let looksBelow = silhouetteDepth < 3 && readsBackdrop(from: parts)
        if !isOfPath, looksBelow || mustDrawTwice(index, shadow, opacity, clipMask, walk),
            mayRedraw(index, record.pointee.id)
        {
            emitTwice(shadow, index, presented, record, filters, clippedTo: clip, fadedBy: opacity, at: parts, walk)
        } else {
            emitShadow(shadow, presented, record, clippedTo: clip, fadedBy: opacity, from: parts, walk)
        }
        return lastShadow == record.pointee.id
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

    func blends(_ record: UnsafePointer<LayerRecord>) -> Bool {
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
        if readsBackdrop(from: first) {
            // What is behind what is cut away may be seen beside it.
            guard makeSurface(from: first, reason: .masked, layer, within: nil) else { return }
        }
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
            if let mask = shape.mask {
                applyClip(mask, reason: .mask, isolates: true, within: shape.bounds, from: first, layer, walk)
            }
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
            unite(index)
            quads[index].maskSurface = surface
        }
        crop(from: first, to: area)
        guard quads.count > first else { return }
        if quads.count > first + 1 || quads[first].maskSurface >= 0 || quads[first].readsBackdrop {
            let obstacle = groupObstacle(from: first)
            guard makeSurface(from: first, reason: .masked, layer, within: area, because: obstacle) else { return }
        }
        unite(first)
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
        setMode(mode, of: first, layer)
    }

    /// Makes a drawing meet what lies below it by a mode, as long as a frame may still read so many pixels of that.
    private mutating func setMode(_ mode: CompositingMode, of index: Int, _ layer: LayerID) {
        unite(index)
        quads[index].mode = mode
        guard quads[index].fixedBlend == nil else { return }
        let area = quads[index].bounds.area
        guard area <= limits.pixelsReadBelow - pixelsReadBelow else {
            quads[index].mode = .normal
            notes.append(PlanNote(layer: layer, kind: .degraded(.blend, .pixelsReadBelow(limits.pixelsReadBelow))))
            return
        }
        pixelsReadBelow += area
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
            setMode(mode, of: first, layer)
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
        unite(first)
        quads[first].maskSurface = cover
        setMode(mode, of: first, layer)
    }
}

extension Quad {
    /// The alpha of a drawing that has the same everywhere it covers; nil for any other.
    fileprivate var evenAlpha: Float? {
        guard maskSurface < 0, mode == .normal else { return nil }
        switch paint {
        case .solid: return color.alpha
        case .image: return isOpaquePaint ? color.alpha : nil
        case .surface, .surfaceAlpha, .sprite, .backdrop, .over, .particles: return nil
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
