// Transitions: a layer shows a mix of what it looked like before a commit and of what it looks like now.
//
// A running transition has records of its own. The *old picture* is a copy of the layer's subtree as it was before the
// transaction that added the transition, with the values it showed at the transaction's time: it is taken from the records
// that the journal saved and from those that did not change. So it does not depend on which frames were drawn. The *new
// picture* is the layer itself with what belongs to its picture: background, contents, sublayers, border, clip, filters,
// shadow. The *shell* is what stays outside: place, transform, opacity, mask, blend mode, what shows the backdrop, bitmap.
// While the transition is under way the shell is shown instead of the layer, with the two pictures as its sublayers; all
// three have the id of the layer, but are not found by it. They count against the session's layers.
//
// What a picture shows of another transition stays as it was then: a shell with two pictures. Source: semantic reference,
// §5.5; docs/layer-order.md, "Transitions".

import LayerModel

extension LayerStore {
    /// How many transitions may lie inside one another. What is deeper shows its new picture.
    static let pictureNesting = 8

    /// The record that is shown in the root's place, or -1.
    var shownRoot: Int32 { root >= 0 && records[Int(root)].standIn >= 0 ? records[Int(root)].standIn : root }

    // MARK: Taking

    /// Makes the records of a transition that was just added.
    mutating func takePictures(of index: Int32, _ opIndex: Int) throws(TransactionError) {
        changes.noteAll()
        // It draws nothing itself, and hands its sublayers to another space.
        guard !records[Int(index)].passesThrough else { return }
        dropPictures(of: index)
        var old: Int32 = -1
        if wasShown(index) {
            let time = timeBefore(above: index)
            old = try copy(index, superlayerTime: time, nesting: 1, isPicture: true, opIndex)
        }
        var shell = LayerRecord(id: records[Int(index)].id, layerClass: .layer)
        shell.parent = index
        shell.oldPicture = old
        let new = try keep(LayerRecord(id: shell.id, layerClass: .layer), opIndex)
        shell.newPicture = new
        records[Int(index)].shell = try keep(shell, opIndex)
    }

    /// True for the root, and what lay below it, before the transaction.
    private func wasShown(_ index: Int32) -> Bool {
        guard journal.root >= 0, existed(index) else { return false }
        var above = index
        while above >= 0 {
            if above == journal.root { return true }
            above = parentBefore(above)
        }
        return false
    }

    /// The superlayer's time before the transaction, at its time.
    private func timeBefore(above index: Int32) -> Double {
        var chain = TimingChain()
        var above = parentBefore(index)
        while above >= 0 {
            chain.append(timingBefore(above))
            above = parentBefore(above)
        }
        return chain.localTime(from: journal.time)
    }

    /// Copies a layer with all below it as it was before the transaction. Returns the index of the copy.
    /// - Parameter isPicture: Without what stays outside of a layer's picture.
    private mutating func copy(
        _ index: Int32, superlayerTime: Double, nesting: Int, isPicture: Bool, _ opIndex: Int
    ) throws(TransactionError) -> Int32 {
        let before = recordBefore(index)
        let isPane = before.layerClass == .backdropLayer
        let time = before.model.timing.localTime(ofParent: superlayerTime)
        let properties = before.animated?.properties(at: time) ?? before.properties
        var result = before
        result.animated = nil
        result.isListedAsAnimated = false
        result.standIn = -1
        result.shell = -1
        result.parent = -1
        result.ancestorStamp = 0
        result.journalPlace = -1
        result.sublayers = []
        result.instances = nil
        result.isCopy = false
        result.copiesAnimated = false
        result.isStill = true

        if before.shell >= 0, nesting < Self.pictureNesting,
            let shown = ShownTransition(before.animated?.transition(at: time), properties)
        {
            // A picture of two pictures.
            let shell = recordBefore(before.shell)
            var old: Int32 = -1
            if shell.oldPicture >= 0 {
                old = try copy(
                    shell.oldPicture, superlayerTime: time, nesting: nesting + 1, isPicture: false, opIndex)
                records[Int(old)].stand(at: shown.oldOffset, in: properties)
            }
            var new = result
            new.layerClass = .layer
            new.mask = -1
            new.wasFlipped = properties.isGeometryFlipped
            new.setProperties(properties.picture(isPane: isPane))
            new.stand(at: shown.newOffset, in: properties)
            new.sublayers = try copies(of: before.sublayers, time, nesting + 1, opIndex)
            new.instances = try copies(of: before.instances, first: new.sublayers, before, time, nesting + 1, opIndex)
            let newIndex = try keep(new, opIndex)
            result.oldPicture = old
            result.newPicture = newIndex
            result.setProperties(properties.shell(isPane: isPane, slides: shown.slides))
            result.show(shown)
        } else if before.newPicture >= 0 {
            // Such a one once more; what lies too deep goes over to its new picture.
            result.oldPicture = -1
            if before.oldPicture >= 0, nesting < Self.pictureNesting {
                result.oldPicture = try copy(
                    before.oldPicture, superlayerTime: time, nesting: nesting + 1, isPicture: false, opIndex)
            }
            result.newPicture = try copy(
                before.newPicture, superlayerTime: time, nesting: nesting + 1, isPicture: false, opIndex)
            if result.oldPicture < 0 { result.dissolve = -1 }
            result.sublayers = before.sublayers.map {
                $0 == before.newPicture ? result.newPicture : result.oldPicture
            }.filter { $0 >= 0 }
        } else {
            result.setProperties(properties)
            result.sublayers = try copies(of: before.sublayers, time, nesting, opIndex)
            result.instances = try copies(of: before.instances, first: result.sublayers, before, time, nesting, opIndex)
        }
        if isPicture {
            result.wasFlipped = properties.isGeometryFlipped
            result.layerClass = .layer
            result.mask = -1
            result.setProperties(result.properties.picture(isPane: isPane))
        } else if before.mask >= 0 {
            result.mask = try copy(before.mask, superlayerTime: time, nesting: nesting, isPicture: false, opIndex)
            result.noteEffects()
        }
        return try keep(result, opIndex)
    }

    private mutating func copies(
        of layers: [Int32], _ time: Double, _ nesting: Int, _ opIndex: Int
    ) throws(TransactionError) -> [Int32] {
        var copies: [Int32] = []
        copies.reserveCapacity(layers.count)
        for layer in layers {
            copies.append(try copy(layer, superlayerTime: time, nesting: nesting, isPicture: false, opIndex))
        }
        return copies
    }

    /// Copies what a replicator shows of its sublayers. The first instance may be they, and stands for them in any case.
    private mutating func copies(
        of instances: [[Int32]]?, first: [Int32], _ before: LayerRecord, _ time: Double, _ nesting: Int, _ opIndex: Int
    ) throws(TransactionError) -> [[Int32]]? {
        guard let instances else { return nil }
        var lists: [[Int32]] = []
        for (number, list) in instances.enumerated() {
            lists.append(
                number == 0 && list == before.sublayers ? first : try copies(of: list, time, nesting, opIndex))
        }
        return lists
    }

    /// Puts a picture's record into the table, and counts it and what it shows.
    private mutating func keep(_ record: LayerRecord, _ opIndex: Int) throws(TransactionError) -> Int32 {
        animationTotals.pictures += 1
        journal.copied += 1
        guard layerCount + animationTotals.pictures <= limits.layers, journal.copied <= limits.layers else {
            throw TransactionError(
                .tooManyLayers, opIndex: opIndex, layer: record.id,
                "a session has at most \(limits.layers) layers; the old picture of a transition is a copy of some")
        }
        for image in record.properties.shownImages { try reuse(image, opIndex) }
        let index = place(record)
        for below in record.sublayers { records[Int(below)].parent = index }
        for list in record.instances ?? [] { for below in list { records[Int(below)].parent = index } }
        for below in [record.mask, record.oldPicture, record.newPicture] where below >= 0 {
            records[Int(below)].parent = index
        }
        return index
    }

    // MARK: Letting go

    /// Frees the records of a transition.
    mutating func dropPictures(of index: Int32) {
        let shell = records[Int(index)].shell
        guard shell >= 0 else { return }
        changes.noteAll()
        records[Int(index)].shell = -1
        records[Int(index)].standIn = -1
        let (old, new) = (records[Int(shell)].oldPicture, records[Int(shell)].newPicture)
        release(shell)
        release(new)
        var pending = old >= 0 ? [old] : []
        while let next = pending.popLast() {
            // The sublayers of a shell are its pictures.
            let isShell = records[Int(next)].newPicture >= 0
            if !isShell {
                let sublayers = records[Int(next)].sublayers
                pending.append(contentsOf: sublayers)
                for list in records[Int(next)].instances ?? [] where list != sublayers {
                    pending.append(contentsOf: list)
                }
            }
            for below in [records[Int(next)].mask, records[Int(next)].oldPicture, records[Int(next)].newPicture]
            where below >= 0 {
                pending.append(below)
            }
            for image in records[Int(next)].properties.shownImages { unuse(image) }
            release(next)
        }
    }

    private mutating func release(_ index: Int32) {
        save(index)
        let (stamp, place) = (records[Int(index)].journalStamp, records[Int(index)].journalPlace)
        let isListed = records[Int(index)].isListedAsAnimated
        records[Int(index)] = LayerRecord(id: .none, layerClass: .layer)
        records[Int(index)].isListedAsAnimated = isListed
        records[Int(index)].journalStamp = stamp
        records[Int(index)].journalPlace = place
        journal.freed.append(index)
        animationTotals.pictures -= 1
    }

    // MARK: Showing

    /// What lies below layers and their masks, for the records that show them. After the ops of a transaction.
    mutating func settlePictures() {
        guard animationTotals.pictures > 0 else { return }
        for entry in animatedLayers where Int(entry.index) < records.count {
            let layer = Int(entry.index)
            let shell = records[layer].shell
            guard shell >= 0 else { continue }
            let new = records[Int(shell)].newPicture
            if records[Int(new)].sublayers != records[layer].sublayers {
                save(new)
                records[Int(new)].sublayers = records[layer].sublayers
            }
            if records[Int(shell)].mask != records[layer].mask {
                save(shell)
                records[Int(shell)].mask = records[layer].mask
                records[Int(shell)].noteEffects()
            }
        }
    }

    /// Brings a layer's shell and pictures to how far the transition is. True when something has changed.
    mutating func showPictures(of index: Int32, _ transition: (LayerTransition, Double)?) -> Bool {
        let layer = Int(index)
        let shell = Int(records[layer].shell)
        guard let shown = ShownTransition(transition, records[layer].properties) else {
            guard records[layer].standIn >= 0 else { return false }
            records[layer].standIn = -1
            changes.noteAll()
            return true
        }
        let properties = records[layer].properties
        let isPane = records[layer].layerClass == .backdropLayer
        let (old, new) = (records[shell].oldPicture, Int(records[shell].newPicture))
        var hasChanged = records[layer].standIn < 0
        records[layer].standIn = Int32(shell)
        records[shell].layerClass = records[layer].layerClass

        let before = (records[shell].properties, records[shell].dissolve, records[new].properties)
        records[shell].setProperties(properties.shell(isPane: isPane, slides: shown.slides))
        records[shell].show(shown)
        records[new].wasFlipped = properties.isGeometryFlipped
        records[new].setProperties(properties.picture(isPane: isPane))
        records[new].stand(at: shown.newOffset, in: properties)
        if before != (records[shell].properties, records[shell].dissolve, records[new].properties) {
            hasChanged = true
        }
        if old >= 0 {
            let before = (records[Int(old)].properties.position, records[Int(old)].properties.isGeometryFlipped)
            records[Int(old)].stand(at: shown.oldOffset, in: properties)
            if before != (records[Int(old)].properties.position, records[Int(old)].properties.isGeometryFlipped) {
                hasChanged = true
            }
        }
        guard hasChanged else { return false }
        changes.noteAll()
        for picture in [Int32(new), old] where picture >= 0 { noteShown(of: picture) }
        return true
    }
}

// MARK: - Records before the transaction

extension LayerStore {
    /// Where the journal has a record; nil for one that did not change.
    private func saved(_ index: Int32) -> Int? {
        records[Int(index)].journalStamp == journal.stamp ? Int(records[Int(index)].journalPlace) : nil
    }

    private func existed(_ index: Int32) -> Bool {
        guard let place = saved(index) else { return true }
        return place >= 0 && journal.records[place].old.id != .none
    }

    private func recordBefore(_ index: Int32) -> LayerRecord {
        saved(index).map { journal.records[$0].old } ?? records[Int(index)]
    }

    private func parentBefore(_ index: Int32) -> Int32 {
        if let place = saved(index) { return journal.records[place].old.parent }
        return records[Int(index)].parent
    }

    private func timingBefore(_ index: Int32) -> LayerTiming {
        if let place = saved(index) { return journal.records[place].old.committedTiming }
        return records[Int(index)].committedTiming
    }
}

extension LayerRecord {
    fileprivate var committedTiming: LayerTiming { animated?.model.timing ?? properties.timing }

    mutating func setProperties(_ new: LayerProperties) {
        properties = new
        notePlacement()
        noteEffects()
    }

    /// Orders a shell's pictures.
    fileprivate mutating func show(_ shown: ShownTransition) {
        let order = shown.isOldAbove ? [newPicture, oldPicture] : [oldPicture, newPicture]
        sublayers = order.filter { $0 >= 0 }
        dissolve = shown.dissolve
        if !shown.showsNew { sublayers.removeAll { $0 == newPicture } }
    }

    /// Puts a picture where the layer is: anchor point on anchor point, as if its bounds had changed and nothing else.
    /// - Parameters:
    ///   - offset: In the layer's own coordinates.
    ///   - shell: The layer's values now.
    mutating func stand(at offset: Point, in shell: LayerProperties) {
        let anchor = properties.anchorInBounds
        let now = shell.anchorInBounds
        var y = now.y
        if shell.isGeometryFlipped {
            // Both lie behind the layer's mirror, each about its own bounds.
            let (mine, its) = (properties.bounds, shell.bounds)
            y = its.minY + its.maxY - mine.minY - mine.maxY - now.y + 2 * anchor.y
        }
        properties.position = Point(now.x + offset.x, y + offset.y)
        properties.isGeometryFlipped = wasFlipped != shell.isGeometryFlipped
        notePlacement()
    }
}

extension AnimatedLayer {
    /// The transition and how far it is; nil while none shows.
    func transition(at time: Double) -> (LayerTransition, Double)? {
        for running in animations where !running.animation.isOver(at: time) {
            if let shown = running.animation.transitionProgress(at: time) { return shown }
        }
        return nil
    }
}

extension PreparedAnimation {
    var isTransition: Bool {
        if case .transition = description.content { true } else { false }
    }
}
