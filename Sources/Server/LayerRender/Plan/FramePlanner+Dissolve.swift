// Two pictures of which each counts by a share: old·(1-p) + new·p, and the mix laid over what is below. That is not the new
// one drawn over the old one: where both are translucent, more would be covered than either covers.
//
// Shares are whole levels of 255 that add up to 255, so that what is the same in both pictures stays as it is. Where both
// are opaque and cover the same whole pixels, the new one at p over the old one is the same sum; where only one is there,
// it fades. Anything else is added up in a surface. Source: semantic reference, §5.5 and §5.8.

import LayerModel

extension FramePlanner {
    /// Contents on their way from one image to another.
    mutating func emitFade(
        _ fade: ContentsFade, _ presented: PresentedLayer, _ record: UnsafePointer<LayerRecord>, _ clip: PixelRect,
        isClipped: Bool, _ walk: Walk
    ) {
        let first = quads.count
        emitImage(fade.from, presented, record, clip, isClipped: isClipped, walk)
        let middle = quads.count
        emitImage(record.pointee.properties.contents, presented, record, clip, isClipped: isClipped, walk)
        dissolve(from: first, to: middle, by: fade.progress, reason: .contentsFade, record.pointee.id)
    }

    /// The pictures of a layer before and after a commit, which are its two sublayers.
    mutating func emitDissolve(
        _ progress: Double, _ presented: PresentedLayer, _ record: UnsafePointer<LayerRecord>,
        clippedTo clip: PixelRect, _ walk: Walk
    ) {
        let first = quads.count
        let layer = record.pointee.id
        var middle = first
        var progress = progress
        var child = Int(presented.firstSublayer)
        let end = Int(presented.subtreeEnd)
        while child < end {
            let start = quads.count
            let isOld = tree.layers[child].record == record.pointee.oldPicture
            child = emit(child, clippedTo: clip, fadedBy: 1, walk)
            guard quads.count > start else { continue }
            if quads.count > start + 1 || quads[start].readsBackdrop {
                let isSimple =
                    switches.contains(.foldedOpacity) && quads.count - start <= Self.foldLimit
                    && !overlap(Array(start..<quads.count)) && !readsBackdrop(from: start)
                if !isSimple,
                    !makeSurface(from: start, reason: .transition, layer, within: clip, because: .twoPictures)
                {
                    // Without room for both the new one shows.
                    if isOld { quads.removeLast(quads.count - start) }
                    progress = 1
                }
            }
            if isOld { middle = quads.count }
        }
        dissolve(from: first, to: middle, by: progress, reason: .transition, layer)
    }

    /// Mixes what was emitted from `first` to `middle` with what was emitted after. Nothing in either overlaps.
    private mutating func dissolve(
        from first: Int, to middle: Int, by progress: Double, reason: SurfaceReason, _ layer: LayerID
    ) {
        let share = Float((min(max(progress, 0), 1) * 255).rounded()) / 255
        if quads.count == middle + 1, middle == first + 1, quads[first].isOpaque, quads[middle].isOpaque,
            quads[first].bounds == quads[middle].bounds
        {
            quads[middle].color = quads[middle].color * share
            return
        }
        let hasBoth = middle > first && quads.count > middle
        for index in first..<middle { quads[index].color = quads[index].color * (1 - share) }
        for index in middle..<quads.count { quads[index].color = quads[index].color * share }
        guard hasBoth else { return }
        for index in middle..<quads.count { quads[index].mode = .plusLighter }
        if !makeSurface(from: first, reason: reason, layer, within: nil, because: .twoPictures) {
            for index in middle..<quads.count { quads[index].mode = .normal }
        }
    }
}
