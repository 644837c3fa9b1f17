import LayerModel

extension LayerStore {
    /// What must be put back if the transaction fails.
    struct Journal: Sendable {
        var stamp: UInt64 = 0
        var records: [(index: Int32, old: LayerRecord)] = []
        var motions: [(index: Int32, old: LayerMotion)] = []
        var indices: [(id: LayerID, old: Int32?)] = []
        var images: [(id: ImageID, old: ImageRecord?)] = []
        var freed: [Int32] = []
        /// Layers whose lists hold sublayers that moved elsewhere.
        var left: Set<Int32> = []
        var lastStructuralOp: Int?
        var recordCount = 0
        var free: [Int32] = []
        var root: Int32 = -1
        var forgotten = 0
        /// As they were last.
        var forgottenImages: [ImageID: ImageRecord] = [:]
        var imageBytes = 0
        var animations = AnimationTotals()
        /// The transaction's.
        var time = 0.0
        /// Layers that got an animation.
        var animated: [Int32] = []
        /// How many there were in the list.
        var animatedLayers = 0
        var replications = 0
        /// How many records pictures of layers took in this transaction, those that went again included.
        var copied = 0

        mutating func begin(
            stamp: UInt64, root: Int32, forgotten: Int, imageBytes: Int, records: Int, free: [Int32],
            animations: AnimationTotals
        ) {
            self.animations = animations
            self.stamp = stamp
            self.root = root
            self.forgotten = forgotten
            self.imageBytes = imageBytes
            recordCount = records
            copied = 0
            self.free = free
        }

        mutating func end() {
            records.removeAll(keepingCapacity: true)
            motions.removeAll(keepingCapacity: true)
            indices.removeAll(keepingCapacity: true)
            images.removeAll(keepingCapacity: true)
            freed.removeAll(keepingCapacity: true)
            animated.removeAll(keepingCapacity: true)
            left.removeAll(keepingCapacity: true)
            forgottenImages.removeAll()
            lastStructuralOp = nil
            free = []
        }
    }
}
