// The walk in paint order that emits quads: each layer's own drawing, its sublayers, and what its clip and its opacity make
// of them.

import LayerModel
import Paths

extension FramePlanner {
    /// What the walk reads, fixed for a frame.
    struct Walk {
        let records: UnsafeBufferPointer<LayerRecord>
        let motions: UnsafeBufferPointer<LayerMotion>
        let images: [ImageID: ImageRecord]
        let coverage: CoverageCache
        /// Index of the root's record.
        let root: Int32
        let emitters: [Int32: EmitterState]
    }

    /// Emits a layer and its subtree; returns the index of the next layer.
    ///
    /// Opacity that makes no group (`inherited`) multiplies into the layer's own drawings and into the opacity of its
    /// sublayers; a sublayer that allows groups fades as one by the product, and there it ends.
    mutating func emit(
        _ index: Int, clippedTo scissor: PixelRect, fadedBy inherited: Float, _ walk: Walk
    ) -> Int {
        let part = tree.layers[index].part
        if part < 0 {
            let context = placing
            let start = (quads: Int32(quads.count), notes: Int32(notes.count))
            placing = -1
            isPlaced = context >= 0
            let end =
                isBaking
                ? emitWhole(index, clippedTo: scissor, fadedBy: inherited, walk)
                : emitRetained(index, clippedTo: scissor, fadedBy: inherited, walk)
            placing = context
            isPlaced = false
            if context >= 0 { notePlace(of: index, context, start.quads, start.notes) }
            return end
        }
        let context = placing
        placing = -1
        defer { placing = context }
        let wasBaking = isBaking
        isBaking = true
        emitPart(Int(part), of: index, clippedTo: scissor, fadedBy: inherited, walk)
        isBaking = wasBaking
        return Int(tree.layers[index].subtreeEnd)
    }

    /// As `emit`, without the cuts along planes that the layer crosses.
    @discardableResult
    mutating func emitWhole(
        _ index: Int, clippedTo scissor: PixelRect, fadedBy inherited: Float, _ walk: Walk
    ) -> Int {
        let presented = tree.layers[index]
        let end = Int(presented.subtreeEnd)
        let record = walk.records.baseAddress! + Int(presented.record)
        let first = quads.count
        let isPlaced = self.isPlaced
        self.isPlaced = false
        if record.pointee.hasEffects {
            emitWithEffects(index, presented, record, clippedTo: scissor, fadedBy: inherited, walk)
        } else {
            var clip = scissor
            var clipMask: MaskUse?
            if record.pointee.properties.masksToBounds {
                switch coverBounds(of: record, on: presented.toDevice, clip: scissor, walk) {
                case .nothing: return end
                case .whole(let rect): clip = rect
                case .mask(let mask, let rect):
                    clip = rect
                    clipMask = mask
                }
            }
            let opacity = presented.opacity * inherited
            let isGroup = record.pointee.properties.allowsGroupOpacity
            let clips = record.pointee.properties.masksToBounds
            let isolates = isGroup && opacity < 1 || clips && record.pointee.hasRoundCorners
            let seen = isolates && clips ? seenInside(index, clip, walk) : clip
            let staysAsItIs = isPlaced && clipMask == nil && seen == clip && !(isGroup && opacity < 1)
            emitParts(
                index, presented, record, clippedTo: seen, isClipped: clipMask != nil || seen != clip,
                fadedBy: isGroup ? 1 : opacity, placesSublayers: staysAsItIs,
                mayBake: clipMask == nil && seen == clip && (isGroup || opacity == 1), walk)
            if seen != clip { isolate(from: first, clippedTo: clip, record.pointee.id) }
            if let clipMask {
                applyClip(
                    clipMask, reason: .clip, isolates: isolates, within: clip, from: first, record.pointee.id, walk)
            }
            if isGroup, opacity < 1 { applyOpacity(opacity, from: first, record.pointee.id) }
        }
        return end
    }

    /// What a layer draws itself and its sublayers, in paint order, each drawing faded by an opacity that makes no group.
    mutating func emitParts(
        _ index: Int, _ presented: PresentedLayer, _ record: UnsafePointer<LayerRecord>, clippedTo clip: PixelRect,
        isClipped: Bool, fadedBy opacity: Float, placesSublayers: Bool = false, mayBake: Bool = false, _ walk: Walk
    ) {
        if record.pointee.dissolve >= 0 {
            emitDissolve(record.pointee.dissolve, presented, record, clippedTo: clip, walk)
            return
        }
        let first = quads.count
        emitBackground(presented, record, clip, isClipped: isClipped, walk)
        // Most layers have nothing that is rare.
        let isRare = record.pointee.properties.rare != nil
        if isRare, record.pointee.properties.drawsGradient {
            emitGradient(presented, record, clip, isClipped: isClipped, walk)
        }
        if record.pointee.properties.contents != .none || isRare && record.pointee.properties.contentsFade != nil {
            emitContents(presented, record, clip, isClipped: isClipped, walk)
        }
        if isRare, record.pointee.properties.drawsShape { emitShape(presented, record, clip, walk) }
        if opacity < 1 { fade(from: first, by: opacity) }
        if mayBake { bakeDecoration(presented, record, clippedTo: clip, from: first, walk) }
        var child = Int(presented.firstSublayer)
        let end = Int(presented.subtreeEnd)
        if placesSublayers, child < end { placeSublayers(of: presented, clip, opacity) }
        while child < end {
            child =
                emitLeaf(child, clippedTo: clip, fadedBy: opacity, walk)
                ? child + 1 : emit(child, clippedTo: clip, fadedBy: opacity, walk)
        }
        placing = -1
        if record.pointee.properties.borderWidth > 0 {
            let own = quads.count
            emitBorder(presented, record, clip, isClipped: isClipped, walk)
            if opacity < 1 { fade(from: own, by: opacity) }
        }
        if record.pointee.layerClass == .emitterLayer {
            let own = quads.count
            emitParticles(presented, record, clip, walk)
            if opacity < 1 { fade(from: own, by: opacity) }
        }
    }

    // MARK: Own drawing

    mutating func emitBackground(
        _ presented: PresentedLayer, _ record: UnsafePointer<LayerRecord>, _ clip: PixelRect, isClipped: Bool,
        _ walk: Walk
    ) {
        guard let color = record.pointee.properties.backgroundColor?.premultiplied, color.alpha > 0 else { return }
        if isClipped {
            // The clip's own coverage makes the edge, once for everything inside.
            append(.solid, color, clip, nil, record.pointee.id, isOpaque: color.alpha == 1)
            return
        }
        append(.solid, color, coverBounds(of: record, on: presented.toDevice, clip: clip, walk), record.pointee.id)
    }

    private mutating func emitBorder(
        _ presented: PresentedLayer, _ record: UnsafePointer<LayerRecord>, _ clip: PixelRect, isClipped: Bool,
        _ walk: Walk
    ) {
        guard let color = record.pointee.properties.borderColor?.premultiplied, color.alpha > 0 else { return }
        let ring = ShapeGeometry.border(
            of: record, on: presented.toDevice, outerEdgeIsClipped: isClipped)
        let smooth = record.pointee.properties.smoothEdges
        append(.solid, color, cover(ring, on: presented.toDevice, smooth: smooth, clip: clip, walk), record.pointee.id)
    }
}
