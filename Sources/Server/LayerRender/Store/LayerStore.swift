// The server's table of one session's layers: flat, by index, changed only by whole transactions.
//
// A transaction is applied in order under a journal: the first change of a record saves it, and an error puts every saved
// record back. So "all or nothing" costs what the transaction touches, not what the table holds.

import LayerModel

/// The layers, images and root of one session.
package struct LayerStore: Sendable {
    package internal(set) var records: ContiguousArray<LayerRecord> = []
    /// What happened to each record's layer, by the same indices; there may be more.
    package internal(set) var motions: ContiguousArray<LayerMotion> = []
    /// Numbers of what layers show.
    var revisions: UInt64 = 0
    /// Applied transactions.
    package private(set) var commits: UInt64 = 0
    package internal(set) var images: [ImageID: ImageRecord] = [:]
    /// Index of the root's record, or -1.
    package private(set) var root: Int32 = -1
    /// Grows with every applied transaction that changed something, and with every time that shows something else.
    package internal(set) var generation: UInt64 = 0
    /// Bytes of all images together.
    package internal(set) var imageBytes = 0
    /// What the next plan has to know.
    var changes = LayerChanges()
    /// Layers that have animations, or had some at the last `present(at:)`.
    var animatedLayers: [AnimatedEntry] = []
    var animationTotals = AnimationTotals()
    /// The replicators among the layers.
    var replications: [Replication] = []
    /// By the indices of their records.
    package internal(set) var emitters: [Int32: EmitterState] = [:]
    /// Images that nothing uses any more since the last `takeForgottenImages`.
    var forgotten: [ImageID] = []

    private var indexByID: [LayerID: Int32] = [:]
    var freeIndices: [Int32] = []
    var journal = Journal()
    /// Counts transactions, applied or not: the journal's stamp.
    private var attempt: UInt64 = 0
    /// Counts walks upward.
    private var walk: UInt64 = 0
    let limits: StoreLimits

    package init(limits: StoreLimits = StoreLimits()) {
        self.limits = limits
    }

    package var layerCount: Int { indexByID.count }

    package func index(of layer: LayerID) -> Int32? { indexByID[layer] }

    /// Images that no layer shows and the client has released: their textures and memory may go.
    package mutating func takeForgottenImages() -> [ImageID] {
        defer { forgotten.removeAll() }
        return forgotten
    }

    /// Applies every change of a transaction, or none and says which one can't be.
    /// - Parameter confirm: Called with the result when everything is checked; what it throws undoes all of it.
    /// - Complexity: linear in the transaction; where lists of sublayers change, also in the table, once, and in the depth
    ///   of the tree for each list.
    package mutating func apply(
        _ transaction: Transaction, confirm: (LayerStore) throws(TransactionError) -> Void = { _ in }
    ) throws(TransactionError) {
        guard !transaction.isEmpty else { return }
        if !emitters.isEmpty { _ = advanceEmitters(to: transaction.time, shows: false) }
        let changesTime = !animatedLayers.isEmpty && transaction.ops.contains(where: \.changesTime)
        // An old picture holds instances as they are then.
        let keepsInstances = !replications.isEmpty && transaction.ops.contains(where: \.addsTransition)
        if changesTime || keepsInstances || needsRoom(for: transaction) {
            expire(animatedLayers.map(\.index), at: transaction.time)
        }
        if keepsInstances { settleInstances(at: transaction.time, presents: false) }
        attempt += 1
        journal.begin(
            stamp: attempt, root: root, forgotten: forgotten.count, imageBytes: imageBytes, records: records.count,
            free: freeIndices, animations: animationTotals)
        journal.time = transaction.time
        journal.animatedLayers = animatedLayers.count
        journal.replications = replications.count
        do {
            for (index, op) in transaction.ops.enumerated() {
                try apply(op, at: index)
            }
            try settleStructure()
            settlePictures()
            try confirm(self)
        } catch {
            rollBack()
            throw error
        }
        freeIndices.append(contentsOf: journal.freed)
        let changed = changesTime ? animatedLayers.map(\.index) : journal.animated
        journal.end()
        noteEmitters(of: transaction)
        if !changed.isEmpty { expire(changed, at: transaction.time) }
        generation += 1
        commits += 1
        settleInstances(at: transaction.time, presents: false)
    }
}

// MARK: - The ops

extension LayerStore {
    private mutating func apply(_ op: TransactionOp, at opIndex: Int) throws(TransactionError) {
        switch op {
        case .createLayer(let id, let layerClass): try create(id, layerClass, opIndex)
        case .destroyLayer(let id): try destroy(id, opIndex)
        case .set(let id, let property, let value): try set(id, property, value, opIndex)
        case .setSublayers(let id, let sublayers): try setSublayers(id, sublayers, opIndex)
        case .setRoot(let id):
            root = id == .none ? -1 : try require(id, opIndex)
            changes.noteAll()
        case .defineImage(let id, let content): try define(id, content, opIndex)
        case .releaseImage(let id): try release(id, opIndex)
        case .addAnimation(let id, let animation, let key, let description):
            let index = try require(id, opIndex)
            save(index)
            try add(description, as: animation, key: key, to: index, opIndex)
            changes.note(index)
            noteOwnChange(of: index)
        case .removeAnimation(let id, let animation):
            let index = try require(id, opIndex)
            save(index)
            removeAnimation(animation, of: index)
            changes.note(index)
            noteOwnChange(of: index)
        }
    }

    private func require(_ id: LayerID, _ opIndex: Int) throws(TransactionError) -> Int32 {
        guard let index = indexByID[id] else {
            throw TransactionError(.unknownLayer, opIndex: opIndex, layer: id, "\(id) does not exist")
        }
        return index
    }

    private mutating func create(_ id: LayerID, _ layerClass: LayerClass, _ opIndex: Int) throws(TransactionError) {
        guard id != .none, indexByID[id] == nil else {
            throw TransactionError(.duplicateLayer, opIndex: opIndex, layer: id, "\(id) exists already")
        }
        guard indexByID.count + animationTotals.pictures < limits.layers else {
            throw TransactionError(
                .tooManyLayers, opIndex: opIndex, layer: id, "a session has at most \(limits.layers) layers")
        }
        let index = place(LayerRecord(id: id, layerClass: layerClass))
        journal.indices.append((id, nil))
        indexByID[id] = index
        if layerClass == .replicatorLayer { noteReplicator(index) }
    }

    /// Puts a new record into the table.
    mutating func place(_ record: LayerRecord) -> Int32 {
        var record = record
        record.journalStamp = journal.stamp
        guard let free = freeIndices.popLast() else {
            records.append(record)
            noteCreation(of: Int32(records.count - 1))
            return Int32(records.count - 1)
        }
        save(free)
        record.journalPlace = records[Int(free)].journalPlace
        record.isListedAsAnimated = records[Int(free)].isListedAsAnimated
        records[Int(free)] = record
        noteCreation(of: free)
        return free
    }

    private mutating func destroy(_ id: LayerID, _ opIndex: Int) throws(TransactionError) {
        let index = try require(id, opIndex)
        changes.noteAll()
        save(index)
        detach(index)
        for child in records[Int(index)].sublayers where records[Int(child)].parent == index {
            save(child)
            records[Int(child)].parent = -1
        }
        dropMask(of: index)
        removeAnimations(of: index)
        unuse(records[Int(index)].properties.contents)
        for image in records[Int(index)].properties.filterImages { unuse(image) }
        for image in records[Int(index)].model.emitterImages { unuse(image) }
        if root == index { root = -1 }
        records[Int(index)].sublayers = []
        records[Int(index)].properties = LayerProperties()
        records[Int(index)].id = .none
        journal.indices.append((id, index))
        indexByID[id] = nil
        journal.freed.append(index)
    }

    private mutating func set(
        _ id: LayerID, _ property: LayerProperty, _ value: PropertyValue, _ opIndex: Int
    ) throws(TransactionError) {
        let index = try require(id, opIndex)
        save(index)
        switch (property, value) {
        case (.contents, .image(let image)):
            try use(image, "contents", id, opIndex)
            unuse(records[Int(index)].model.contents)
        case (.filters, .filters(let filters)), (.backgroundFilters, .filters(let filters)):
            for filter in filters { try use(filter.maskImage, property.key, id, opIndex) }
            let model = records[Int(index)].model
            let old = property == .filters ? model.filters : model.backgroundFilters
            for filter in old { unuse(filter.maskImage) }
        case (.emitterCells, .cells(let cells)):
            for image in cells.images { try use(image, property.key, id, opIndex) }
            for image in records[Int(index)].model.emitterImages { unuse(image) }
        case (.mask, .layer(let mask)): try setMask(of: index, to: mask, id, opIndex)
        default: break
        }
        note(MotionKind(property, value, records[Int(index)].model), of: index)
        do {
            if let animated = records[Int(index)].animated {
                // What is shown follows at the next `present(at:)`.
                records[Int(index)].animated = try animated.setting(property, to: value)
                if property != .mask { return }
            }
            try records[Int(index)].properties.set(property, to: value)
            switch property {
            case .transform, .geometryFlipped, .zPosition, .anchorPointZ, .preservesDepth:
                records[Int(index)].notePlacement()
            case .mask, .shadowOpacity, .compositingFilter, .filters, .backgroundFilters, .shouldRasterize:
                records[Int(index)].noteEffects()
            default: break
            }
        } catch {
            throw TransactionError(.badValue, opIndex: opIndex, layer: id, "\(id): \(error)")
        }
    }

    /// A mask leaves the tree it was in, as a sublayer does.
    private mutating func setMask(
        of index: Int32, to mask: LayerID, _ id: LayerID, _ opIndex: Int
    ) throws(TransactionError) {
        let new = mask == .none ? -1 : try require(mask, opIndex)
        let old = records[Int(index)].mask
        if new == old, new < 0 || records[Int(new)].parent == index { return }
        if new >= 0, new == index || records[Int(new)].isAboveOthers {
            try markAncestors(of: index, id, opIndex)
            guard records[Int(new)].ancestorStamp != walk else {
                let why = new == index ? "it is the same layer" : "it is above it"
                throw TransactionError(
                    .cycle, opIndex: opIndex, layer: id, "\(mask) can't be the mask of \(id): \(why)")
            }
        }
        dropMask(of: index)
        if new >= 0 {
            detach(new)
            save(new)
            records[Int(new)].parent = index
            journal.lastStructuralOp = opIndex
        }
        records[Int(index)].mask = new
    }

    private mutating func dropMask(of index: Int32) {
        let mask = records[Int(index)].mask
        guard mask >= 0 else { return }
        if records[Int(mask)].parent == index {
            save(mask)
            records[Int(mask)].parent = -1
        }
        records[Int(index)].mask = -1
        records[Int(index)].properties.mask = .none
        if let animated = records[Int(index)].animated {
            records[Int(index)].animated = animated.changing { $0.mask = .none }
        }
        records[Int(index)].noteEffects()
    }

    private mutating func setSublayers(
        _ id: LayerID, _ sublayers: [LayerID], _ opIndex: Int
    ) throws(TransactionError) {
        let index = try require(id, opIndex)
        var children: [Int32] = []
        children.reserveCapacity(sublayers.count)
        for sublayer in sublayers { children.append(try require(sublayer, opIndex)) }

        // A layer above this one can't also be below it. What has no sublayers is above nothing.
        if children.contains(where: { $0 == index || records[Int($0)].isAboveOthers }) {
            try markAncestors(of: index, id, opIndex)
            for (position, child) in children.enumerated() where records[Int(child)].ancestorStamp == walk {
                let why = child == index ? "it is the same layer" : "it is above it"
                throw TransactionError(
                    .cycle, opIndex: opIndex, layer: id, "\(sublayers[position]) can't be a sublayer of \(id): \(why)")
            }
        }

        save(index)
        // A sublayer that became the mask in this transaction may still be in the list.
        let mask = records[Int(index)].mask
        for child in records[Int(index)].sublayers where child != mask && records[Int(child)].parent == index {
            save(child)
            records[Int(child)].parent = -1
        }
        // A mask of this layer that becomes its sublayer is its mask no more.
        if children.contains(records[Int(index)].mask) { dropMask(of: index) }
        for (position, child) in children.enumerated() {
            guard records[Int(child)].parent != index else {
                throw TransactionError(
                    .repeatedSublayer, opIndex: opIndex, layer: id, "\(sublayers[position]) is twice in the list")
            }
            detach(child)
            save(child)
            records[Int(child)].parent = index
        }
        records[Int(index)].sublayers = children
        journal.lastStructuralOp = opIndex
        changes.noteAll()
        noteChange(of: index)
    }

    /// Stamps a layer and all above it.
    private mutating func markAncestors(
        of index: Int32, _ id: LayerID, _ opIndex: Int
    ) throws(TransactionError) {
        walk += 1
        var above = index
        var depth = 0
        while above >= 0 {
            guard depth <= limits.depth else { throw tooDeep(id, opIndex) }
            depth += 1
            records[Int(above)].ancestorStamp = walk
            above = records[Int(above)].parent
        }
    }

    private func tooDeep(_ id: LayerID, _ opIndex: Int) -> TransactionError {
        TransactionError(
            .tooDeep, opIndex: opIndex, layer: id, "\(id) lies deeper than \(limits.depth) layers, the limit")
    }

    /// Drops the entries that moved elsewhere from the lists they left, then looks for layers that lie too deep.
    /// Once a transaction, so that neither costs more than the table is long.
    private mutating func settleStructure() throws(TransactionError) {
        for parent in journal.left {
            save(parent)
            changes.noteAll()
            noteChange(of: parent)
            let mask = records[Int(parent)].mask
            records[Int(parent)].sublayers = records[Int(parent)].sublayers.filter {
                $0 != mask && records[Int($0)].parent == parent
            }
            if mask >= 0, records[Int(mask)].parent != parent { dropMask(of: parent) }
        }
        guard let opIndex = journal.lastStructuralOp else { return }
        var level: [Int32] = []
        for index in records.indices where records[index].parent < 0 && records[index].isAboveOthers {
            level.append(Int32(index))
        }
        var depth = 1
        while !level.isEmpty {
            guard depth <= limits.depth else { throw tooDeep(records[Int(level[0])].id, opIndex) }
            var next: [Int32] = []
            for index in level {
                next.append(contentsOf: records[Int(index)].sublayers)
                if records[Int(index)].mask >= 0 { next.append(records[Int(index)].mask) }
            }
            level = next
            depth += 1
        }
    }
}

// MARK: - Bookkeeping

extension LayerStore {
    /// Takes a layer from its superlayer, whose list `settleStructure` puts right.
    private mutating func detach(_ index: Int32) {
        let parent = records[Int(index)].parent
        guard parent >= 0 else { return }
        save(index)
        records[Int(index)].parent = -1
        journal.left.insert(parent)
    }

    private mutating func rollBack() {
        for (index, old) in journal.motions.reversed() { motions[Int(index)] = old }
        for (index, old) in journal.records.reversed() { records[Int(index)] = old }
        records.removeLast(records.count - journal.recordCount)
        for (id, old) in journal.indices.reversed() { indexByID[id] = old }
        for (id, old) in journal.images.reversed() { images[id] = old }
        freeIndices = journal.free
        root = journal.root
        forgotten.removeLast(forgotten.count - journal.forgotten)
        imageBytes = journal.imageBytes
        animationTotals = journal.animations
        animatedLayers.removeLast(animatedLayers.count - journal.animatedLayers)
        replications.removeLast(replications.count - journal.replications)
        journal.end()
    }

    mutating func save(_ index: Int32) {
        guard records[Int(index)].journalStamp != journal.stamp else { return }
        records[Int(index)].journalPlace = Int32(journal.records.count)
        journal.records.append((index, records[Int(index)]))
        records[Int(index)].journalStamp = journal.stamp
    }
}
