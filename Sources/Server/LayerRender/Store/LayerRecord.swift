// What the store keeps of one layer, and of one image.

import LayerModel

/// One layer.
package struct LayerRecord: Sendable {
    package var id: LayerID
    package var layerClass: LayerClass
    /// What is shown: the committed values, with those that are animated as they were at the last `present(at:)`.
    package var properties = LayerProperties()
    /// Nil for a layer without animations.
    var animated: AnimatedLayer?
    /// The store's list of animated layers has it.
    var isListedAsAnimated = false
    /// Index of the superlayer's record, or -1.
    package var parent: Int32 = -1
    /// Indices of the sublayers' records, back to front.
    package var sublayers: [Int32] = []
    /// Index of the mask's record, or -1. A mask's parent is the layer it masks.
    package var mask: Int32 = -1
    /// Index of the record that is shown instead while a transition is under way, or -1: LayerStore+Transitions.swift.
    var standIn: Int32 = -1
    /// Index of the record that a running transition shows, or is to show, instead; or -1.
    var shell: Int32 = -1
    /// Of a shell: its two pictures, or -1.
    var oldPicture: Int32 = -1
    var newPicture: Int32 = -1
    /// Of a shell: how much of the new picture is mixed with the old one, 0…1; -1 mixes nothing.
    var dissolve = -1.0
    /// Of what shows its sublayers several times: for each instance the indices of the records that are shown. The first
    /// may be the sublayers. See LayerStore+Replicators.swift.
    var instances: [[Int32]]?
    /// One of a replicator's.
    var isCopy = false
    /// Of such a one: the layer that it is of is animated.
    var copiesAnimated = false
    /// Of an old picture: nothing in it changes any more.
    var isStill = false
    /// Of a picture: the layer's `isGeometryFlipped` was true.
    var wasFlipped = false
    /// Placed by a translation within its superlayer's plane and nothing else, as most layers are.
    package private(set) var isPlainlyPlaced = true
    /// A shadow, mask, filter, blend mode or rasterization has to be looked at.
    package private(set) var hasEffects = false
    /// The transaction that last saved this record in the journal.
    var journalStamp: UInt64 = 0
    /// Where it is there; -1 for a record that this transaction made.
    var journalPlace: Int32 = -1
    /// The walk upward that last came by.
    var ancestorStamp: UInt64 = 0

    init(id: LayerID, layerClass: LayerClass) {
        self.id = id
        self.layerClass = layerClass
        notePlacement()
        noteEffects()
    }

    mutating func notePlacement() {
        isPlainlyPlaced =
            !passesThrough && !properties.isGeometryFlipped && properties.zPosition == 0
            && properties.anchorPointZ == 0 && (properties.rare == nil || properties.transform.isIdentity)
    }

    mutating func noteEffects() {
        hasEffects =
            layerClass == .backdropLayer
            || properties.rare != nil
                && (mask >= 0 || properties.shadowOpacity > 0 || properties.compositingMode != .normal
                    || !properties.filters.isEmpty || !properties.backgroundFilters.isEmpty
                    || properties.shouldRasterize)
    }

    /// It has no plane of its own: its sublayers are in the space that it is in.
    package var passesThrough: Bool { layerClass.passesThrough(properties) }

    /// No sublayer is shown in it.
    var showsNoOthers: Bool { sublayers.isEmpty && instances == nil }

    var isAboveOthers: Bool { !sublayers.isEmpty || mask >= 0 }

    /// Time may change what it shows.
    @inline(__always)
    var isAnimated: Bool {
        animated?.animations.isEmpty == false || newPicture >= 0 || copiesAnimated || layerClass == .emitterLayer
    }

    /// The values as committed.
    var model: LayerProperties { animated?.model ?? properties }
}

/// An image as committed, with who still shows it.
package struct ImageRecord: Sendable {
    package var size: PixelSize
    package var isOpaque: Bool
    package var byteCount: Int
    /// Layers whose contents it is, and filters that read it.
    package var uses = 0
    /// The client uses it no more: it goes with its last use.
    package var isReleased = false
}
