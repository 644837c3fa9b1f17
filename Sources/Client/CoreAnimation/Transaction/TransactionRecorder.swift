// From what changed in a tree to one transaction.
//
// Layers report: one that joins the tree, one that leaves, one that is about to change. Recording walks these lists, never
// the tree, so a commit costs what changed. The order of the changes in a transaction:
//
//     createLayer    every new layer, superlayers before sublayers
//     defineImage    every image that is shown for the first time
//     set            new layers: what differs from the defaults; others: what differs from the last commit
//     removeAnimation, addAnimation
//     setSublayers   of each layer whose list changed, and set of each mask that changed
//     destroyLayer   what left and did not come back, by id
//     releaseImage   images nobody has any more
//     setRoot        when it changed
//
// The lists of sublayers are given one after the other, and in between no layer may become its own ancestor. Only layers
// that moved can bring that about; if there are any, lists go from the root downwards: then everything above a list is
// final already when it is applied, and what it takes in can't be above it. A mask counts as a list of one.

import LayerModel
import Quartz2D

/// The changes of one tree since its last commit, for one session with a server.
package final class TransactionRecorder {
    private struct ChangedLayer {
        let layer: CALayer
        /// The values as they were committed; nil when they are not known any more, and everything marked must be sent.
        let committed: LayerProperties?
        let contents: CGImage?
        let effects: SharedEffects?
        let animations: [LayerAnimation]
    }

    /// Tells this session's ids from those of others that a layer may still carry.
    let session = TransactionRecorder.nextSession()
    private var arrivals: [CALayer] = []
    private(set) var emitters = WeakLayers<CAEmitterLayer>()
    private(set) var tiles = WeakLayers<CATiledLayer>()
    private var changed: [ChangedLayer] = []
    /// Layers that left, with the images the server uses for them.
    private var departures: [LayerID: SentImages] = [:]
    private var hasMoves = false
    private var rootChanged = false
    private var lastID: UInt32 = 0
    var images = ImageTable()
    var lastAnimationID: UInt32 = 0
    /// What the server has of animations.
    var sentAnimations = (count: 0, values: 0)
    var removals: [TransactionOp] = []

    package init() {}

    package var isEmpty: Bool {
        arrivals.isEmpty && changed.isEmpty && departures.isEmpty && removals.isEmpty && !rootChanged
    }

    // MARK: What layers report

    func noteRootChange() { rootChanged = true }

    func noteMove(of layer: CALayer) {
        if layer.hosting.session == session, layer.hosting.id != .none { hasMoves = true }
    }

    func noteArrival(of layer: CALayer) {
        if layer.hosting.session == session, layer.hosting.id != .none,
            departures.removeValue(forKey: layer.hosting.id) != nil
        {
            hasMoves = true
            if !layer.hosting.changed.isEmpty || layer.hosting.sublayersChanged || layer.hosting.animationsChanged {
                list(layer, committed: nil)
            }
            return
        }
        layer.hosting.session = session
        layer.hosting.id = .none
        layer.hosting.sentImages = SentImages()
        layer.hosting.sentMask = .none
        guard layer.hosting.awaitedBy != session else { return }
        layer.hosting.awaitedBy = session
        arrivals.append(layer)
    }

    func noteDeparture(of layer: CALayer) {
        guard layer.hosting.session == session, layer.hosting.id != .none else { return }
        departures[layer.hosting.id] = layer.hosting.sentImages
    }

    /// Called before a value of the layer changes.
    func noteChange(of layer: CALayer) {
        guard layer.hosting.id != .none, layer.hosting.listedBy != session else { return }
        list(layer, committed: layer.hosting.changed.isEmpty ? layer.properties : nil)
    }

    private func list(_ layer: CALayer, committed: LayerProperties?) {
        guard layer.hosting.listedBy != session else { return }
        layer.hosting.listedBy = session
        layer.hosting.listIndex = changed.count
        changed.append(
            ChangedLayer(
                layer: layer, committed: committed, contents: layer.storedContents, effects: layer.effects,
                animations: layer.animationList))
    }

    /// The values of a changed layer at its last commit; nil when they are the current ones, or not known.
    func committedValues(of layer: CALayer) -> (LayerProperties, CGImage?, SharedEffects?)? {
        guard layer.hosting.listedBy == session, let entry = changed[safe: layer.hosting.listIndex],
            let properties = entry.committed
        else { return nil }
        return (properties, entry.contents, entry.effects)
    }

    /// The animations of a layer at its last commit.
    func committedAnimations(of layer: CALayer) -> [LayerAnimation] {
        guard layer.hosting.listedBy == session, let entry = changed[safe: layer.hosting.listIndex] else {
            return layer.animationList
        }
        return entry.animations
    }

    // MARK: Recording

    /// What a call of `record` made.
    struct Recorded {
        var ops: [TransactionOp] = []
        /// Animations that run from now on.
        var newAnimations: [LayerAnimation] = []
        /// Times of layers that have animations may not be what they were.
        var timingChanged = false
    }

    /// Everything that changed since the last call, as one list of changes; empty when nothing did.
    ///
    /// - Parameters:
    ///   - context: The display; only its tree's layers are recorded.
    ///   - root: The topmost layer.
    ///   - time: The display's clock, seconds: where animations without a begin start.
    ///   - fault: Called with what can't be recorded.
    func record(
        for context: LayerContext, root: CALayer?, at time: Double, fault: (CALayer, String) -> Void
    ) -> Recorded {
        var record = Record()
        record.timingChanged = hasMoves
        let new = createArrivals(of: context, into: &record, fault: fault)
        for layer in new {
            recordValues(ofNew: layer, into: &record, fault: fault)
            recordAnimations(of: layer, at: time, into: &record, fault: fault)
        }
        var parents: [Parent] = []
        for layer in new {
            let hasList = !layer.children.isEmpty || !layer.ownSublayers.isEmpty
            if hasList || layer.storedMask != nil { parents.append(Parent(layer: layer, hasNewList: hasList)) }
        }
        for entry in changed {
            let layer = entry.layer
            guard layer.hosting.listedBy == session else { continue }
            layer.hosting.listedBy = 0
            guard layer.hosting.context === context, layer.hosting.session == session else { continue }
            guard layer.hosting.id != .none else { continue }
            let hasNewList = layer.hosting.sublayersChanged
            if hasNewList || layer.hosting.changed.contains(.mask) {
                parents.append(Parent(layer: layer, hasNewList: hasNewList))
            }
            layer.hosting.sublayersChanged = false
            if !layer.hosting.changed.isDisjoint(with: .timing) { record.timingChanged = true }
            recordChanges(of: entry, into: &record, fault: fault)
            recordAnimations(of: layer, at: time, into: &record, fault: fault)
        }
        if hasMoves { sortByDepth(&parents) }
        for parent in parents {
            let layer = parent.layer
            if parent.hasNewList {
                let own = layer.ownSublayers
                let all = own.isEmpty ? layer.children : own + layer.children
                let ids = all.map(\.hosting.id).filter { $0 != .none }
                record.structure.append(.setSublayers(layer.hosting.id, ids))
            }
            let mask = layer.storedMask?.hosting.id ?? .none
            if mask != layer.hosting.sentMask { record.structure.append(.set(layer.hosting.id, .mask, .layer(mask))) }
            layer.hosting.sentMask = mask
        }

        var ops = record.creates + record.images + record.values
        ops.append(contentsOf: removals)
        removals.removeAll()
        ops.append(contentsOf: record.animations)
        ops.append(contentsOf: record.structure)
        for id in departures.keys.sorted() {
            ops.append(.destroyLayer(id))
            endUse(of: departures[id]!)
        }
        departures.removeAll()
        // What was only kept for this commit must be gone before images are looked at.
        changed.removeAll(keepingCapacity: changed.count <= 65_536)
        arrivals.removeAll(keepingCapacity: arrivals.count <= 65_536)
        ops.append(contentsOf: images.takeReleased().map { .releaseImage($0) })
        if rootChanged { ops.append(.setRoot(root?.hosting.id ?? .none)) }
        rootChanged = false
        hasMoves = false
        return Recorded(ops: ops, newAnimations: record.newAnimations, timingChanged: record.timingChanged)
    }

    struct Record {
        var creates: [TransactionOp] = []
        var images: [TransactionOp] = []
        var values: [TransactionOp] = []
        var animations: [TransactionOp] = []
        var newAnimations: [LayerAnimation] = []
        var timingChanged = false
        var structure: [TransactionOp] = []
    }

    /// A layer whose place for others changed.
    private struct Parent {
        let layer: CALayer
        let hasNewList: Bool
    }

    private func createArrivals(
        of context: LayerContext, into record: inout Record, fault: (CALayer, String) -> Void
    ) -> [CALayer] {
        var new: [CALayer] = []
        for layer in arrivals {
            if layer.hosting.awaitedBy == session { layer.hosting.awaitedBy = 0 }
            guard layer.hosting.context === context, layer.hosting.session == session, layer.hosting.id == .none else {
                continue
            }
            guard lastID < UInt32.max else {
                fault(layer, "the display has used up its layer ids; open a new one")
                break
            }
            lastID += 1
            layer.hosting.id = LayerID(lastID)
            record.creates.append(.createLayer(layer.hosting.id, layer.layerClass))
            new.append(layer)
            if let emitter = layer as? CAEmitterLayer { emitters.add(emitter) }
            if let tiled = layer as? CATiledLayer { tiles.add(tiled) }
        }
        return new
    }

    private func recordValues(ofNew layer: CALayer, into record: inout Record, fault: (CALayer, String) -> Void) {
        for property in PropertyBits(layer.assigned) {
            switch property {
            case .contents, .mask: continue
            case .filters, .backgroundFilters:
                recordFilters(property, of: layer, .defaultValues, into: &record, fault: fault)
            case .emitterCells: recordCells(of: layer, .defaultValues, into: &record, fault: fault)
            default:
                let value = layer.properties[property]
                if value != LayerProperties.defaultValues[property] {
                    record.values.append(.set(layer.hosting.id, property, value))
                }
            }
        }
        if layer.storedContents != nil { recordContents(of: layer, into: &record, fault: fault) }
        layer.hosting.changed = []
        layer.hosting.sublayersChanged = false
    }

    private func recordChanges(
        of entry: ChangedLayer, into record: inout Record, fault: (CALayer, String) -> Void
    ) {
        let layer = entry.layer
        for property in PropertyBits(layer.hosting.changed) {
            switch property {
            case .mask: continue
            case .contents: recordContents(of: layer, into: &record, fault: fault)
            case .filters, .backgroundFilters:
                recordFilters(property, of: layer, entry.committed, into: &record, fault: fault)
            case .emitterCells: recordCells(of: layer, entry.committed, into: &record, fault: fault)
            default:
                let value = layer.properties[property]
                if let committed = entry.committed, committed[property] == value { continue }
                record.values.append(.set(layer.hosting.id, property, value))
            }
        }
        layer.hosting.changed = []
    }

    /// Nothing when the server shows the image already.
    private func recordContents(of layer: CALayer, into record: inout Record, fault: (CALayer, String) -> Void) {
        var id = ImageID.none
        if let image = layer.storedContents {
            guard let (imageID, definition) = images.use(image) else {
                return fault(layer, "the display has used up its image ids; open a new one")
            }
            id = imageID
            if let definition { record.images.append(.defineImage(id, definition)) }
        }
        let old = layer.hosting.sentImages.contents
        if old != .none { images.endUse(old) }
        layer.hosting.sentImages.contents = id
        if id != old { record.values.append(.set(layer.hosting.id, .contents, .image(id))) }
    }

    /// One of the two lists of filters, with the ids of its images. Nothing when the server has it already.
    ///
    /// - Parameter committed: What the server has but for the images; nil when that is not known.
    private func recordFilters(
        _ property: LayerProperty, of layer: CALayer, _ committed: LayerProperties?, into record: inout Record,
        fault: (CALayer, String) -> Void
    ) {
        let sent = SentImages.list(of: property)
        var ids: [ImageID] = []
        for image in layer.effectObjects[keyPath: EffectObjects.list(of: property)].images {
            guard let (id, definition) = images.use(image) else {
                fault(layer, "the display has used up its image ids; open a new one")
                ids.append(.none)
                continue
            }
            ids.append(id)
            if let definition { record.images.append(.defineImage(id, definition)) }
        }
        let old = layer.hosting.sentImages[keyPath: sent]
        for id in old { images.endUse(id) }
        layer.hosting.sentImages[keyPath: sent] = ids

        guard case .filters(var filters) = layer.properties[property] else { return }
        if let committed, committed[property] == .filters(filters), old == ids { return }
        var next = ids.makeIterator()
        for index in filters.indices {
            if case .image? = filters[index].inputs[.inputMaskImage] {
                filters[index].inputs[.inputMaskImage] = .image(next.next() ?? .none)
            }
        }
        record.values.append(.set(layer.hosting.id, property, .filters(filters)))
    }

    /// An emitter's cells, with the ids of their images. Nothing when the server has them already.
    private func recordCells(
        of layer: CALayer, _ committed: LayerProperties?, into record: inout Record, fault: (CALayer, String) -> Void
    ) {
        guard let emitter = layer as? CAEmitterLayer else { return }
        var ids: [ImageID] = []
        for image in emitter.cellImages {
            guard let (id, definition) = images.use(image) else {
                fault(layer, "the display has used up its image ids; open a new one")
                ids.append(.none)
                continue
            }
            ids.append(id)
            if let definition { record.images.append(.defineImage(id, definition)) }
        }
        let old = layer.hosting.sentImages.cells
        for id in old { images.endUse(id) }
        layer.hosting.sentImages.cells = ids
        let cells = layer.properties.emitter.cells
        if let committed, committed.emitter.cells == cells, old == ids { return }
        var next = ids.makeIterator()
        record.values.append(
            .set(layer.hosting.id, .emitterCells, .cells(cells.map { $0.mappingImages { _ in next.next() ?? .none } })))
    }

    private func endUse(of sent: SentImages) {
        images.endUse(sent.contents)
        for id in sent.filters + sent.backgroundFilters + sent.cells { images.endUse(id) }
    }

    /// Superlayers before sublayers. Each layer above a parent is looked at once.
    private func sortByDepth(_ parents: inout [Parent]) {
        var depths: [ObjectIdentifier: Int] = [:]
        for parent in parents {
            var chain: [CALayer] = []
            var depth = -1
            var current: CALayer? = parent.layer
            while let layer = current {
                if let known = depths[ObjectIdentifier(layer)] {
                    depth = known
                    break
                }
                chain.append(layer)
                current = layer.parent
            }
            for layer in chain.reversed() {
                depth += 1
                depths[ObjectIdentifier(layer)] = depth
            }
        }
        parents.sort {
            (depths[ObjectIdentifier($0.layer)]!, $0.layer.hosting.id)
                < (depths[ObjectIdentifier($1.layer)]!, $1.layer.hosting.id)
        }
    }

    private static func nextSession() -> UInt64 {
        sessionLock.withLock {
            lastSession += 1
            return lastSession
        }
    }

    private static let sessionLock = NSLock()
    nonisolated(unsafe) private static var lastSession: UInt64 = 0
}

/// The properties of a set, in the order of their raw values.
private struct PropertyBits: Sequence, IteratorProtocol {
    private var rest: UInt128

    init(_ set: LayerPropertySet) { rest = set.rawValue }

    mutating func next() -> LayerProperty? {
        while rest != 0 {
            let bit = rest.trailingZeroBitCount
            rest &= rest - 1
            if let property = LayerProperty(rawValue: UInt16(bit)) { return property }
        }
        return nil
    }
}

extension LayerPropertySet {
    static let timing: LayerPropertySet = [.init(.beginTime), .init(.timeOffset), .init(.speed)]
}

extension LayerProperties {
    /// What a layer has before anything is set.
    static let defaultValues = LayerProperties()
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
