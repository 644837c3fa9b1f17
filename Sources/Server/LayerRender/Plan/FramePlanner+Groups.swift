// Clips and group opacity: multiplied into the quads where that is exact, a surface of their own otherwise.

import LayerModel
import Paths

extension FramePlanner {
    /// Above this many quads a group is not searched for overlaps: it gets its surface.
    static let foldLimit = 256

    // MARK: Clips

    /// Clips what was emitted from `first` on to a mask.
    ///
    /// - Parameter isolates: What looks below itself sees nothing but what is clipped with it.
    mutating func applyClip(
        _ mask: MaskUse, reason: SurfaceReason, isolates: Bool, within clip: PixelRect, from first: Int,
        _ layer: LayerID, _ walk: Walk
    ) {
        let count = quads.count - first
        guard count > 0 else { return }
        if count == 1, quads[first].looksBelow, !isolates {
            clipQuad(first, to: mask, clip, walk)
            dropEmptyQuads(from: first)
            return
        }
        var rim: [Int] = []
        walk.coverage.withMask(mask.entry) { shape, _ in
            for index in first..<quads.count {
                if !covers(shape, mask, all: quads[index].bounds) { rim.append(index) }
            }
        }
        let readsBackdrop = self.readsBackdrop(from: first)
        if rim.isEmpty, !readsBackdrop { return }
        let isFast = !readsBackdrop && switches.contains(.fastClips) && (rim.count == 1 || !overlap(rim))
        if isFast {
            for index in rim { clipQuad(index, to: mask, clip, walk) }
            dropEmptyQuads(from: first)
            notes.append(PlanNote(layer: layer, kind: .fastClip(quads: rim.count)))
            return
        }
        let obstacle = clipObstacle(rim: rim, from: first)
        guard
            readsBackdrop && !isolates
                ? makeOver(from: first, layer, within: clip)
                : makeSurface(from: first, reason: reason, layer, within: clip, because: obstacle)
        else {
            for index in rim { clipQuad(index, to: mask, clip, walk) }
            dropEmptyQuads(from: first)
            return
        }
        clipQuad(first, to: mask, clip, walk)
    }

    mutating func clipQuad(_ index: Int, to mask: MaskUse, _ clip: PixelRect, _ walk: Walk) {
        unite(index)
        let clipped: MaskUse?
        if let own = quads[index].mask {
            clipped = walk.coverage.product(own, mask)
        } else {
            clipped = mask
        }
        guard let clipped else {
            quads[index].bounds = .empty
            return
        }
        let shown = walk.coverage.withMask(clipped.entry) { _, bounds in
            bounds.offsetBy(x: Int(clipped.x), y: Int(clipped.y))
        }
        quads[index].mask = clipped
        quads[index].bounds = quads[index].bounds.intersection(shown)
    }

    mutating func dropEmptyQuads(from first: Int) {
        var kept = first
        for index in first..<quads.count where !quads[index].bounds.isEmpty {
            if kept != index { quads[kept] = quads[index] }
            kept += 1
        }
        quads.removeLast(quads.count - kept)
    }

    /// True when a mask covers every pixel of a rectangle fully.
    func covers(_ mask: borrowing CoverageMask, _ use: MaskUse, all rect: PixelRect) -> Bool {
        let local = rect.offsetBy(x: -Int(use.x), y: -Int(use.y))
        var area = 0
        for span in mask.spans where span.coverage >= 1 { area += span.rect.intersection(local).area }
        if area == local.area { return true }
        for tile in mask.tiles {
            let part = tile.rect.intersection(local)
            guard !part.isEmpty else { continue }
            for y in part.minY..<part.maxY {
                for x in part.minX..<part.maxX where mask.bytes[tile.index(x, y)] != 255 { return false }
            }
            area += part.area
        }
        return area == local.area
    }

    /// What must be drawn of a group that clips: where backdrops inside look beyond the clip, what is there.
    mutating func seenInside(_ index: Int, _ clip: PixelRect, _ walk: Walk) -> PixelRect {
        guard let reach = backdropReach(below: index, walk) else { return clip }
        return PixelRect(
            minX: clip.minX - reach, minY: clip.minY - reach, maxX: clip.maxX + reach, maxY: clip.maxY + reach)
    }

    /// Makes a surface of what was emitted from `first` on before it is cut, if something in it looks below itself.
    mutating func isolate(from first: Int, clippedTo clip: PixelRect, _ layer: LayerID) {
        if readsBackdrop(from: first) { _ = makeSurface(from: first, reason: .clip, layer, within: nil) }
        crop(from: first, to: clip)
    }

    // MARK: Opacity

    /// Fades what was emitted from `first` on as one group.
    mutating func applyOpacity(
        _ opacity: Float, from first: Int, _ layer: LayerID, askedBy property: LayerProperty? = nil
    ) {
        let count = quads.count - first
        guard count > 0 else { return }
        if count == 1 { unite(first) }
        if count == 1 && !readsBackdrop(from: first)
            || switches.contains(.foldedOpacity) && count <= Self.foldLimit && !overlap(Array(first..<quads.count))
                && !hasParticles(from: first)
                && !readsBackdrop(from: first)
        {
            if count > 1 { notes.append(PlanNote(layer: layer, kind: .foldedOpacity(quads: count))) }
        } else if !makeSurface(
            from: first, reason: .groupOpacity, layer, within: nil, because: opacityObstacle(from: first),
            askedBy: property)
        {
            notes.append(PlanNote(layer: layer, kind: .flattenedOpacity))
        }
        fade(from: first, by: opacity)
    }

    /// A blend mode or a backdrop among what was emitted from `first` on looks at what is drawn below.
    func readsBackdrop(from first: Int) -> Bool { quads[first...].contains(where: \.readsBackdrop) }

    /// A drawing of many parts is among what was emitted from `first` on.
    func hasParticles(from first: Int) -> Bool {
        !particleGroups.isEmpty
            && quads[first...].contains { if case .particles = $0.paint { true } else { false } }
    }

    /// Multiplies an opacity into each drawing from `first` on.
    mutating func fade(from first: Int, by opacity: Float) {
        for index in first..<quads.count { quads[index].color = quads[index].color * opacity }
    }

    // MARK: Surfaces

    /// Puts what was emitted from `first` on into a surface and a quad of it in their place; false when a limit of the
    /// frame is reached, with a note.
    mutating func makeSurface(
        from first: Int, reason: SurfaceReason, _ layer: LayerID, within clip: PixelRect?,
        because obstacle: SurfaceCause.Obstacle = .none, askedBy property: LayerProperty? = nil
    ) -> Bool {
        guard quads.count > first else { return false }
        var bounds = PixelRect.empty
        var nesting = 1
        for quad in quads[first...] {
            bounds = bounds.union(quad.bounds)
            quad.forEachSurface { nesting = max(nesting, surfaces[$0].nesting + 1) }
        }
        if let clip { bounds = bounds.intersection(clip) }
        guard nesting <= limits.nesting else {
            notes.append(PlanNote(layer: layer, kind: .degraded(reason, .nesting(limits.nesting))))
            return false
        }
        guard takeTarget(bounds.size, reason, layer) else { return false }
        surfaces.append(
            PlannedSurface(
                reason: reason, layer: layer, bounds: bounds, quads: ContiguousArray(quads[first...]), nesting: nesting,
                cause: SurfaceCause(reason, obstacle, property: property)))
        quads.removeLast(quads.count - first)
        append(.surface(Int32(surfaces.count - 1)), .white, bounds, nil, layer, isOpaque: false)
        return true
    }

    /// As `makeSurface`, but what was emitted is drawn onto a copy of what lies below, which takes its place: what looks
    /// below itself sees through.
    mutating func makeOver(from first: Int, _ layer: LayerID, within clip: PixelRect?) -> Bool {
        guard makeSurface(from: first, reason: .backdrop, layer, within: clip),
            case .surface(let surface) = quads[first].paint
        else { return false }
        // Where it is seen from, too.
        let shown = surfaces[Int(surface)].bounds
        var seen = captures(of: surfaces[Int(surface)].quads, shown).intersection(screen.union(shown))
        if max(seen.width, seen.height) > limits.textureSide {
            notes.append(PlanNote(layer: layer, kind: .degraded(.backdrop, .side(limits.textureSide))))
            seen = shown
        }
        surfaceBytes += SlotPool.bytes(seen.size) - SlotPool.bytes(shown.size)
        surfaces[Int(surface)].bounds = seen
        surfaces[Int(surface)].isOver = true
        surfaces[Int(surface)].overs = 1 + overs(in: surfaces[Int(surface)].quads)
        quads[first].paint = .over(surface)
        return true
    }

    /// How many surfaces are drawn onto copies for these drawings.
    func overs(in quads: some Sequence<Quad>) -> Int {
        quads.reduce(0) { sum, quad in
            guard case .over(let surface) = quad.paint else { return sum }
            return sum + surfaces[Int(surface)].overs
        }
    }

    /// A rectangle and what the backdrops among drawings see.
    private func captures(of quads: ContiguousArray<Quad>, _ rect: PixelRect) -> PixelRect {
        var result = rect
        for quad in quads {
            switch quad.paint {
            case .backdrop(let number): result = result.union(backdrops[Int(number)].capture)
            case .over(let surface): result = result.union(surfaces[Int(surface)].bounds)
            default: break
            }
        }
        return result
    }

    /// Counts a target of the frame; false where a limit is reached, with a note.
    private mutating func takeTarget(_ size: PixelSize, _ reason: SurfaceReason, _ layer: LayerID) -> Bool {
        guard max(size.width, size.height) <= limits.textureSide else {
            notes.append(PlanNote(layer: layer, kind: .degraded(reason, .side(limits.textureSide))))
            return false
        }
        let bytes = SlotPool.bytes(size)
        guard bytes <= limits.surfaceBytes - surfaceBytes else {
            notes.append(PlanNote(layer: layer, kind: .degraded(reason, .bytes(limits.surfaceBytes))))
            return false
        }
        surfaceBytes += bytes
        return true
    }

    /// Adds a surface that a step makes of another; nil when the frame's limit is reached, with a note.
    mutating func makeStep(
        _ effect: DrawEffect, of source: Int32, bounds: PixelRect, reason: SurfaceReason, _ layer: LayerID,
        because obstacle: SurfaceCause.Obstacle = .none
    ) -> Int32? {
        guard takeTarget(bounds.size, reason, layer) else { return nil }
        surfaces.append(
            PlannedSurface(
                reason: reason, layer: layer, bounds: bounds, quads: [], step: (effect, source),
                nesting: surfaces[Int(source)].nesting, cause: SurfaceCause(reason, obstacle)))
        return Int32(surfaces.count - 1)
    }

    /// True when any two of the quads may paint the same pixel. Sorted by top edge, then each against those it reaches.
    func overlap(_ indices: [Int]) -> Bool {
        guard indices.count <= Self.foldLimit else { return true }
        let sorted = indices.map { quads[$0].bounds }.sorted { $0.minY < $1.minY }
        for a in sorted.indices {
            var b = a + 1
            while b < sorted.count, sorted[b].minY < sorted[a].maxY {
                if sorted[a].intersects(sorted[b]) { return true }
                b += 1
            }
        }
        return false
    }
}
