// The short way to emit a layer that shows its background and contents and nothing else, as most layers of large trees do.
// It emits what the long way would; what any step of that might do more for a layer sends it there.

import LayerModel

extension FramePlanner {
    /// Emits a layer the short way; false where it has to take the long one, and nothing is emitted then.
    mutating func emitLeaf(
        _ index: Int, clippedTo scissor: PixelRect, fadedBy inherited: Float, _ walk: Walk
    ) -> Bool {
        let presented = tree.layers[index]
        guard Int(presented.subtreeEnd) == index + 1, presented.part < 0, presented.space < 0 else { return false }
        let record = walk.records.baseAddress! + Int(presented.record)
        guard record.pointee.properties.rare == nil, presented.opacity * inherited == 1,
            !record.pointee.properties.masksToBounds, !(record.pointee.properties.borderWidth > 0),
            record.pointee.layerClass == .layer, record.pointee.dissolve < 0,
            !mayBeCarried(presented.record, record, walk)
        else { return false }
        let first = Int32(quads.count)
        emitBackground(presented, record, scissor, isClipped: false, walk)
        if record.pointee.properties.contents != .none {
            emitImage(record.pointee.properties.contents, presented, record, scissor, isClipped: false, walk)
        }
        if placing >= 0 { notePlace(of: index, placing, first, Int32(notes.count)) }
        return true
    }

    /// The layer moves, itself or with one above it: baking it has to be thought of.
    private func mayBeCarried(_ index: Int32, _ record: UnsafePointer<LayerRecord>, _ walk: Walk) -> Bool {
        let motion = walk.motions.baseAddress! + Int(index)
        let moved = max(carriage.moved, motion.pointee.moved.before, motion.pointee.scrolled.before)
        return moved > max(carriage.jumped, motion.pointee.jumped) && !carriage.isAnimated && !record.pointee.isAnimated
    }
}
