// What happens to a layer as a whole: clip, mask, opacity, compositing mode.
//
// A layer that needs it is a *group*: drawn by itself on transparent pixels of the picture's own grid, then laid over its
// target once, times clip coverage times mask times opacity, by its compositing mode. What is open in the reference is
// settled so:
//
// - A group ends what a compositing mode or a backdrop inside can see. Groups are: a layer with group opacity below 1, a
//   mask, filters, shouldRasterize, a compositing mode of its own, and a clip with rounded corners. A clip with square
//   corners and a shadow make no group: modes inside see what lies under the layer.
// - Opacity that makes no group (allowsGroupOpacity false, a transform layer) multiplies into each drawing of the layer
//   itself and into the opacity of each of its sublayers. A sublayer that allows groups is then a group with the
//   product, so the multiplication ends there; one that does not passes it on. A layer that is flattened anyway, for
//   its mask, filters, mode, bitmap or backdrop, fades as one.
// - The operators that change a backdrop where the source is transparent (copy, clear, sourceIn, destIn, sourceOut,
//   destAtop) do so where the layer's bounds with their corners are, and where it draws beyond them. There the coverage
//   of the bounds, or the alpha if it is more, says how much of the pixel is changed.
// - A mask's own mode is ignored, and a backdrop in it shows nothing.

import LayerModel

extension PlacedLayer {
    var mode: CompositingMode { isMask ? .normal : properties.compositingMode }

    var isFaded: Bool { properties.allowsGroupOpacity && opacity < 1 }

    /// The filters that act on what the layer draws.
    var activeFilters: [LayerFilter] {
        layer.layerClass == .backdropLayer ? [] : properties.filters.filter(\.isEnabled)
    }

    /// Drawn as one picture before anything else is done with it.
    var isFlat: Bool {
        mode != .normal || layer.mask != nil || properties.shouldRasterize || !activeFilters.isEmpty
    }

    /// True when modes and backdrops inside see only what the layer itself draws.
    var isGroup: Bool {
        isFlat || isFaded || (properties.masksToBounds && !Outline(properties).rounded.isEmpty)
    }
}

extension ReferenceLayer {
    /// True when something below the layer may look at what is drawn behind it.
    var mayMix: Bool {
        dissolve == nil && (addsParticles || sublayers.contains { $0.shown.mixes || $0.shown.mayMix })
    }

    /// Its particles are added to what lies below.
    private var addsParticles: Bool {
        layerClass == .emitterLayer && properties.emitter.renderMode == .additive && !properties.emitter.cells.isEmpty
    }

    var mixes: Bool { properties.compositingMode != .normal || showsBackdrop }
}

extension LayerPainter {
    func paint(_ placed: PlacedLayer, into canvas: Canvas) {
        guard placed.opacity > 0 else { return }
        if placed.layer.showsBackdrop, !placed.isMask, !placed.isRoot {
            paintOnBackdrop(placed, into: canvas)
        } else {
            paintOver(placed, into: canvas)
        }
    }

    /// The layer over its target, as its properties want it.
    private func paintOver(_ placed: PlacedLayer, into canvas: Canvas) {
        if placed.isGroup || (placed.properties.masksToBounds && !placed.layer.mayMix) {
            let (group, cover) = group(of: placed, in: canvas.bounds)
            lay(group, over: canvas, cover, placed.mode, of: placed)
        } else if placed.properties.masksToBounds {
            // Modes inside see through: drawn onto a copy of the target, which counts where the clip is.
            let cover = self.cover(of: placed, in: canvas.bounds, opacity: 1)
            mix(into: canvas, cover) { paintUncut(placed, opacity: placed.opacity, into: $0) }
        } else {
            paintUncut(placed, opacity: placed.opacity, into: canvas)
        }
    }

    /// The layer by itself, and how much of it counts.
    private func group(of placed: PlacedLayer, in bounds: PixelRect) -> (Canvas, Cover) {
        if placed.bitmapScale != nil {
            return (bitmapPicture(of: placed, in: bounds), Cover(bounds: bounds, opacity: placed.opacity))
        }
        let fades = placed.isFlat || placed.isFaded
        let cover = self.cover(of: placed, in: bounds, opacity: fades ? placed.opacity : 1)
        let group = Canvas(bounds: placed.layer.mayMix ? bounds : cover.bounds)
        if !cover.bounds.isEmpty { paintUncut(placed, opacity: fades ? 1 : placed.opacity, into: group) }
        return (group, cover)
    }

    /// Draws the layer on targets with the same bounds, again and again: what does not look at its target is drawn once.
    func repeatable(_ placed: PlacedLayer, in bounds: PixelRect) -> (extent: PixelRect, draw: (Canvas) -> Void) {
        let showsBackdrop = placed.layer.showsBackdrop && !placed.isMask && !placed.isRoot
        if placed.opacity <= 0 { return (.empty, { _ in }) }
        if showsBackdrop || (!placed.isGroup && placed.layer.mayMix) {
            return (bounds, { self.paint(placed, into: $0) })
        }
        if placed.isGroup {
            let (group, cover) = group(of: placed, in: bounds)
            let extent = placed.mode.reachesBeyondSource ? bounds : group.touched
            return (extent, { self.lay(group, over: $0, cover, placed.mode, of: placed) })
        }
        let alone = Canvas(bounds: bounds)
        paint(placed, into: alone)
        return (alone.touched, { self.lay(alone, over: $0, Cover(bounds: bounds), .normal, of: placed) })
    }

    /// The layer with its shadow and filters; no mask, no clip, no mode.
    func paintUncut(_ placed: PlacedLayer, opacity: Double, into canvas: Canvas) {
        paintShadow(of: placed, opacity: opacity, into: canvas)
        paintFiltered(placed, opacity: opacity, into: canvas)
    }

    /// The layer's clip, mask and opacity.
    func cover(of placed: PlacedLayer, in limits: PixelRect, opacity: Double) -> Cover {
        let clip = placed.properties.masksToBounds ? clipCoverage(of: placed, in: limits) : nil
        var mask: Canvas?
        if let layer = placed.layer.mask {
            let canvas = Canvas(bounds: clip?.bounds ?? limits)
            var space = SublayerSpace(
                plane: placed.plane, matrix: .identity, opacity: 1, contentsAreFlipped: placed.contentsAreFlipped,
                isMirrored: false)
            space.isOfMask = true
            let wasRecording = isRecording
            isRecording = false
            paintSiblings([layer], in: space, canvas)
            isRecording = wasRecording
            mask = canvas
        }
        return Cover(bounds: limits, clip: clip, mask: mask, opacity: opacity)
    }

    func clipCoverage(of placed: PlacedLayer, in limits: PixelRect) -> Coverage {
        coverage(of: Outline(placed.properties), placed, in: limits)
    }

    // MARK: Laying over

    /// Lays a group over its target.
    func lay(
        _ group: Canvas, over canvas: Canvas, _ cover: Cover, _ mode: CompositingMode, of placed: PlacedLayer
    ) {
        let area = group.touched.intersection(canvas.bounds).intersection(cover.bounds)
        noteGroup(of: placed, area, cover)
        if mode == .normal {
            var y = area.minY
            while y < area.maxY {
                var x = area.minX
                while x < area.maxX {
                    if group.isTouched(x: x, y: y) {
                        let (share, flags, slack) = cover.value(x: x, y: y)
                        if share > 0 {
                            canvas.blend(
                                x: x, y: y, group.ink(x: x, y: y), weight: share,
                                flags: flags | group.flags(x: x, y: y), slack: slack + group.slack(x: x, y: y))
                        } else if !flags.isNone {
                            canvas.blend(x: x, y: y, .clear, weight: 0, flags: flags)
                        }
                    }
                    x += 1
                }
                y += 1
            }
            canvas.touch(area)
        } else {
            let shape = mode.reachesBeyondSource ? clipCoverage(of: placed, in: canvas.bounds) : nil
            let all = shape.map { area.union($0.bounds) } ?? area
            var blender = PixelBlender(mode: mode, shape: shape)
            for y in all.minY..<all.maxY {
                for x in all.minX..<all.maxX {
                    blender.blend(x, y, group: group, cover, into: canvas)
                }
            }
            canvas.touch(all)
        }
    }

    /// Draws onto a copy of the target, of which the cover's share goes back.
    func mix(into canvas: Canvas, _ cover: Cover, _ draw: (Canvas) -> Void) {
        let copy = canvas.copy()
        copy.base = (canvas, cover)
        draw(copy)
        canvas.captures = copy.captures
        let area = cover.bounds.intersection(canvas.bounds)
        for y in area.minY..<area.maxY {
            for x in area.minX..<area.maxX {
                let (share, flags, slack) = cover.value(x: x, y: y)
                let above = copy.ink(x: x, y: y)
                let below = canvas.ink(x: x, y: y)
                let aboveFlags = copy.flags(x: x, y: y)
                let belowFlags = canvas.flags(x: x, y: y)
                if above == below, aboveFlags.rawValue == belowFlags.rawValue { continue }
                canvas.replace(
                    x: x, y: y, with: below.mixed(with: above, share),
                    flags: share >= 1 ? aboveFlags : share > 0 ? flags | aboveFlags | belowFlags : flags | belowFlags,
                    slack: slack + copy.slack(x: x, y: y) * share + canvas.slack(x: x, y: y) * (1 - share))
            }
        }
        canvas.touch(copy.touched)
    }
}

/// One pixel of a group after the other, by a mode other than normal.
private struct PixelBlender {
    let mode: CompositingMode
    /// Where the operator acts although the source is transparent.
    let shape: Coverage?
    // The last colors and what became of them: most neighbors are alike.
    private var last: (source: Ink, backdrop: Ink, sourceLevels: Double, backdropLevels: Double) = (
        .clear, .clear, -1, -1
    )
    private var lastUncertainty = 0.0

    init(mode: CompositingMode, shape: Coverage?) {
        self.mode = mode
        self.shape = shape
    }

    mutating func blend(_ x: Int, _ y: Int, group: Canvas, _ cover: Cover, into canvas: Canvas) {
        var source = Ink.clear
        var flags = PixelFlags.none
        var slack = 0.0
        var levels = 1.0
        if cover.bounds.contains(x, y), group.bounds.contains(x, y) {
            let (share, coverFlags, coverSlack) = cover.value(x: x, y: y)
            source = group.ink(x: x, y: y) * share
            flags = share > 0 ? coverFlags | group.flags(x: x, y: y) : coverFlags
            slack = coverSlack + group.slack(x: x, y: y) * share
            levels = max(group.uncertainty(x: x, y: y), coverFlags.contains(.edge) ? 20 : coverSlack)
        }
        let backdrop = canvas.ink(x: x, y: y)
        var result: Ink
        if let shape {
            let covered = shape.value(x: x, y: y)
            if covered > 0, covered < 1 { flags = flags | .edge }
            let share = max(covered, source.alpha / 255)
            guard share > 0 else { return }
            result = backdrop.mixed(with: mode.result((source * (1 / share)).clamped, backdrop), share)
        } else {
            guard source.alpha > 0 || !flags.isNone else { return }
            result = mode.result(source, backdrop)
        }
        slack += canvas.slack(x: x, y: y)
        if mode.isSteep {
            slack = max(slack, uncertainty(source, levels, backdrop, canvas.uncertainty(x: x, y: y)))
        }
        if source.alpha > 0, backdrop.alpha > 0 { flags = flags | .mixed }
        canvas.replace(x: x, y: y, with: result, flags: flags | canvas.flags(x: x, y: y), slack: slack)
    }

    private mutating func uncertainty(
        _ source: Ink, _ sourceLevels: Double, _ backdrop: Ink, _ backdropLevels: Double
    ) -> Double {
        if source != last.source || backdrop != last.backdrop || sourceLevels != last.sourceLevels
            || backdropLevels != last.backdropLevels
        {
            last = (source, backdrop, sourceLevels, backdropLevels)
            lastUncertainty = mode.uncertainty(source, by: sourceLevels, backdrop, by: backdropLevels)
        }
        return lastUncertainty
    }
}

extension PixelRect {
    func contains(_ x: Int, _ y: Int) -> Bool { x >= minX && x < maxX && y >= minY && y < maxY }

    /// Larger on all sides. An empty one stays empty.
    func inflated(by pixels: Int) -> PixelRect { inflated(x: pixels, y: pixels) }

    func inflated(x: Int, y: Int) -> PixelRect {
        isEmpty ? self : PixelRect(minX: minX - x, minY: minY - y, maxX: maxX + x, maxY: maxY + y)
    }
}
