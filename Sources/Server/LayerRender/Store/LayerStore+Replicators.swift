// Replicators: a layer shows its sublayers several times, each time in another place, another color, at another time.
//
// The first instance is the sublayers themselves, as long as its color is opaque white. Every other one is a *copy*: records
// of its own, with the values that the sublayers have at the instance's time. A copy is kept from frame to frame and brought
// up to date where something below the replicator changed or is animated. A replicator in a copy has copies of its
// own. So everything behind the store sees plain layers, and caches know the instances apart.
//
// The color of an instance is a filter on each of its sublayers, their shadows' color, and their opacity. Copies have the
// ids of the layers they are of, but are not found by them. A session has a bounded number of them; what is beyond it is left
// out, and the plan says so. Source: semantic reference, §6.4; docs/replicators.md.

import LayerModel

/// A replicator of the tree, and what its copies were made from.
struct Replication: Sendable {
    let index: Int32
    let id: LayerID
    /// Of what is below it, when that was.
    var revision: UInt64 = 0
    /// The display's.
    var time = -Double.infinity
    /// Some instance has another time than the layers themselves, and some layer is animated.
    var isTimed = false
    /// It or some layer below it is animated.
    var isAnimated = false
    /// Instances and copied records.
    var count = 0
    /// Not all of them fit.
    var isCut = false
}

extension LayerStore {
    /// What one walk below a replicator comes to.
    private struct Pass {
        /// Instances and records that may still be made.
        var left: Int
        /// Records came or went.
        var isOther = false
        var hasDelay = false
        var hasAnimations = false
        var isCut = false
    }

    /// Replicators whose instances were not all made.
    package var cutReplicators: [LayerID] { replications.filter(\.isCut).map(\.id) }

    mutating func noteReplicator(_ index: Int32) {
        replications.append(Replication(index: index, id: records[Int(index)].id))
    }

    /// Brings the copies of all replicators to a time. Outside of transactions.
    /// - Complexity: linear in the copies of the replicators below which something changed.
    /// - Parameter presents: The layers themselves were brought to the time. Otherwise copies of animated ones are ahead of them
    ///   until that is done, and are made anew then.
    mutating func settleInstances(at time: Double, presents: Bool) {
        guard !replications.isEmpty else { return }
        for gone in replications where records[Int(gone.index)].id != gone.id {
            // Nothing has taken the record's place yet.
            for list in records[Int(gone.index)].instances ?? [] { for copy in list { free(copy) } }
            records[Int(gone.index)].instances = nil
        }
        replications.removeAll { records[Int($0.index)].id != $0.id }
        let stale = replications.indices.filter { isStale(replications[$0], at: time, presents) }
        guard !stale.isEmpty else { return }
        revisions += 1
        // Where there is not room for all, each takes what those before it leave.
        let isShort = replications.contains(where: \.isCut)
        var total = replications.reduce(0) { $0 + $1.count }
        for position in isShort ? Array(replications.indices) : stale {
            total -= replications[position].count
            settle(position, at: time, presents, besides: total)
            total += replications[position].count
        }
    }

    private func isStale(_ replication: Replication, at time: Double, _ presents: Bool) -> Bool {
        replication.revision != motions[Int(replication.index)].revision
            || (replication.isTimed || !presents && replication.isAnimated) && replication.time != time
    }

    /// - Parameter others: Instances and copies of the other replicators.
    private mutating func settle(_ position: Int, at time: Double, _ presents: Bool, besides others: Int) {
        let index = Int(replications[position].index)
        let local = localTime(of: Int32(index), at: time)
        let properties = records[index].animated?.properties(at: local) ?? records[index].properties
        var pass = Pass(left: max(limits.instances - others, 0))
        pass.hasAnimations = records[index].animated?.animations.isEmpty == false
        let before = pass.left
        let old = records[index].instances
        let (lists, hasChanged) = instances(
            of: records[index].sublayers, properties.replicator, insteadOf: old ?? [],
            below: Int32(index), isOriginal: true, at: local, .white, &pass)
        if old != lists { pass.isOther = true }
        records[index].instances = lists
        let shell = records[index].shell
        if shell >= 0, records[Int(shell)].newPicture >= 0 {
            records[Int(records[Int(shell)].newPicture)].instances = lists
        }
        replications[position].count = before - pass.left
        if replications[position].isCut != pass.isCut { pass.isOther = true }
        replications[position].isCut = pass.isCut
        replications[position].isAnimated = pass.hasAnimations
        replications[position].isTimed = pass.hasDelay && pass.hasAnimations
        if hasChanged || pass.isOther {
            if pass.isOther { changes.noteAll() }
            noteShown(of: Int32(index))
            generation += 1
        }
        replications[position].revision = presents || !pass.hasAnimations ? motions[index].revision : .max
        replications[position].time = time
    }

    /// The sublayers once for each instance.
    /// - Parameters:
    ///   - old: The lists as they were: their records serve again.
    ///   - isOriginal: The replicator is none that is a copy itself: the first instance may be the sublayers.
    ///   - color: Of what the replicator is in, where it passes that on.
    private mutating func instances(
        of sublayers: [Int32], _ replicator: ReplicatorProperties, insteadOf old: [[Int32]], below holder: Int32,
        isOriginal: Bool, at time: Double, _ color: Color, _ pass: inout Pass
    ) -> (lists: [[Int32]], hasChanged: Bool) {
        let count = sublayers.isEmpty ? 0 : replicator.instances
        if replicator.delay != 0, count > 1 { pass.hasDelay = true }
        var lists: [[Int32]] = []
        var hasChanged = false
        // The first list may be the sublayers, as they were: those are not ours, nor what took their places.
        func copies(_ instance: Int) -> [Int32] {
            guard instance < old.count else { return [] }
            return old[instance].filter { records[Int($0)].isCopy && records[Int($0)].parent == holder }
        }
        while lists.count < count {
            let instance = lists.count
            let tint = replicator.tint(of: instance).times(color)
            let reused = copies(instance)
            if instance == 0, isOriginal, tint == .white {
                for copy in reused { free(copy) }
                lists.append(sublayers)
                continue
            }
            guard pass.left > 0 else {
                for copy in reused { free(copy) }
                pass.isCut = true
                break
            }
            pass.left -= 1
            // What lets nothing through is not drawn.
            let shown = tint.alpha > 0 ? sublayers : []
            let late = time - Double(instance) * replicator.delay
            let (list, isOther) = self.copies(of: shown, insteadOf: reused, below: holder, at: late, tint, &pass)
            if isOther { hasChanged = true }
            lists.append(list)
        }
        if old.count > lists.count {
            for instance in lists.count..<old.count {
                for copy in copies(instance) { free(copy) }
                pass.isOther = true
            }
        }
        return (lists, hasChanged)
    }

    private mutating func copies(
        of layers: [Int32], insteadOf old: [Int32], below holder: Int32, at time: Double, _ tint: Color,
        _ pass: inout Pass
    ) -> (list: [Int32], hasChanged: Bool) {
        var list: [Int32] = []
        list.reserveCapacity(layers.count)
        var hasChanged = layers.count != old.count
        for (number, layer) in layers.enumerated() {
            let reused = number < old.count ? old[number] : -1
            guard let made = copy(of: layer, insteadOf: reused, below: holder, at: time, tint, &pass) else {
                hasChanged = true
                continue
            }
            if made.hasChanged || made.index != reused { hasChanged = true }
            list.append(made.index)
        }
        if old.count > layers.count {
            for surplus in old[layers.count...] { free(surplus) }
            pass.isOther = true
        }
        return (list, hasChanged)
    }

    /// One layer with all below it, as it is at a time of its superlayer; nil where there is no room.
    private mutating func copy(
        of source: Int32, insteadOf old: Int32, below holder: Int32, at superlayerTime: Double, _ tint: Color,
        _ pass: inout Pass
    ) -> (index: Int32, hasChanged: Bool)? {
        var index = old
        if index >= 0, pass.left <= 0 || records[Int(index)].id != records[Int(source)].id {
            free(index)
            index = -1
            pass.isOther = true
        }
        guard pass.left > 0 else {
            pass.isCut = true
            return nil
        }
        pass.left -= 1
        let isNew = index < 0
        if isNew {
            index = placeCopy(LayerRecord(id: records[Int(source)].id, layerClass: .layer))
            pass.isOther = true
        }
        let original = records[Int(source)]
        let before = records[Int(index)]
        let time = original.model.timing.localTime(ofParent: superlayerTime)
        var properties = original.properties
        if let animated = original.animated {
            properties = animated.properties(at: time)
            if !animated.animations.isEmpty { pass.hasAnimations = true }
        }
        var result = before
        result.layerClass = original.layerClass
        result.parent = holder
        result.isCopy = true
        result.copiesAnimated = original.isAnimated
        result.dissolve = original.dissolve
        result.wasFlipped = original.wasFlipped
        var hasChanged = isNew

        if original.mask >= 0 {
            guard
                let mask = copy(of: original.mask, insteadOf: before.mask, below: index, at: time, .white, &pass)
            else {
                records[Int(index)].mask = -1
                free(index)
                return nil
            }
            result.mask = mask.index
            if mask.hasChanged || mask.index != before.mask { hasChanged = true }
        } else if before.mask >= 0 {
            free(before.mask)
            result.mask = -1
            pass.isOther = true
            hasChanged = true
        }

        // What passes its sublayers through has no picture of its own to color: they are.
        let passesOn = original.layerClass.passesThrough(properties)
        let below = passesOn ? Color(tint.red, tint.green, tint.blue) : .white
        let shown = original.shell >= 0 ? ShownTransition(original.animated?.transition(at: time), properties) : nil
        if let shown {
            let made = pictures(of: original, shown, properties, insteadOf: before, at: index, time, &pass)
            result.instances = nil
            result.sublayers = made.list
            result.oldPicture = made.old
            result.newPicture = made.new
            result.dissolve = shown.dissolve
            if made.hasChanged { hasChanged = true }
            properties = properties.shell(isPane: original.layerClass == .backdropLayer, slides: shown.slides)
        } else if original.layerClass == .replicatorLayer, !original.isStill, original.newPicture < 0 {
            let kept = before.instances ?? [before.sublayers]
            let made = instances(
                of: original.sublayers, properties.replicator, insteadOf: kept, below: index, isOriginal: false,
                at: time, below, &pass)
            result.instances = made.lists
            result.sublayers = made.lists.first ?? []
            result.oldPicture = -1
            result.newPicture = -1
            if made.hasChanged || before.instances != made.lists { hasChanged = true }
        } else {
            if let lists = before.instances {
                // It was another kind of thing.
                for list in lists.dropFirst() { for copy in list { free(copy) } }
                pass.isOther = true
            }
            // Of a replicator in an old picture the first instance has its color already.
            let shown = original.isStill ? original.instances?.first ?? original.sublayers : original.sublayers
            let made = copies(of: shown, insteadOf: before.sublayers, below: index, at: time, below, &pass)
            if made.hasChanged { hasChanged = true }
            result.sublayers = made.list
            result.instances = nil
            result.oldPicture = -1
            result.newPicture = -1
            if original.newPicture >= 0 {
                // One that was kept of a transition.
                for (picture, copy) in zip(shown, made.list) {
                    if picture == original.oldPicture { result.oldPicture = copy }
                    if picture == original.newPicture { result.newPicture = copy }
                }
                if result.newPicture < 0 { result.newPicture = result.oldPicture }
            }
            if let lists = original.instances, original.isStill {
                result.instances = [made.list] + stillCopies(of: lists.dropFirst(), before, below: index, time, &pass)
                hasChanged = true
            }
        }
        result.setProperties(
            tint == .white ? properties : properties.tinted(tint, passesThrough: passesOn && shown == nil))
        if hasChanged || before.properties != result.properties || before.dissolve != result.dissolve
            || before.layerClass != result.layerClass
        {
            hasChanged = true
        }
        if original.layerClass == .emitterLayer {
            pass.hasAnimations = true
            if emit(index, as: source, at: time) { hasChanged = true }
        }
        records[Int(index)] = result
        motions[Int(index)].follow(motions[Int(source)])
        if hasChanged { motions[Int(index)].noteShown(revisions) }
        return (index, hasChanged)
    }

    /// The further instances of a replicator in the old picture of a transition: they stay as they are.
    private mutating func stillCopies(
        of lists: ArraySlice<[Int32]>, _ before: LayerRecord, below holder: Int32, _ time: Double, _ pass: inout Pass
    ) -> [[Int32]] {
        lists.map { copies(of: $0, insteadOf: [], below: holder, at: time, .white, &pass).list }
    }

    /// The two pictures of a layer with a transition that is under way in an instance.
    private mutating func pictures(
        of original: LayerRecord, _ shown: ShownTransition, _ properties: LayerProperties,
        insteadOf before: LayerRecord, at index: Int32, _ time: Double, _ pass: inout Pass
    ) -> (list: [Int32], old: Int32, new: Int32, hasChanged: Bool) {
        // They are made anew: a transition changes at every time anyway.
        for list in before.instances ?? [before.sublayers] { for copy in list { free(copy) } }
        pass.isOther = true
        var old: Int32 = -1
        let kept = records[Int(original.shell)].oldPicture
        if kept >= 0, let made = copy(of: kept, insteadOf: -1, below: index, at: time, .white, &pass) {
            old = made.index
            records[Int(old)].stand(at: shown.oldOffset, in: properties)
        }
        let isPane = original.layerClass == .backdropLayer
        var picture = LayerRecord(id: original.id, layerClass: .layer)
        picture.isCopy = true
        picture.parent = index
        let new = placeCopy(picture)
        pass.left -= 1
        if original.layerClass == .replicatorLayer {
            let made = instances(
                of: original.sublayers, properties.replicator, insteadOf: [], below: new, isOriginal: false, at: time,
                .white, &pass)
            records[Int(new)].instances = made.lists
            records[Int(new)].sublayers = made.lists.first ?? []
        } else {
            let made = copies(of: original.sublayers, insteadOf: [], below: new, at: time, .white, &pass)
            records[Int(new)].sublayers = made.list
        }
        records[Int(new)].wasFlipped = properties.isGeometryFlipped
        records[Int(new)].setProperties(properties.picture(isPane: isPane))
        records[Int(new)].stand(at: shown.newOffset, in: properties)
        let order = (shown.isOldAbove ? [new, old] : [old, new]).filter { $0 >= 0 }
        if !shown.showsNew {
            free(new)
            return (order.filter { $0 != new }, old, old, true)
        }
        return (order, old, new, true)
    }

    // MARK: The table

    private mutating func placeCopy(_ record: LayerRecord) -> Int32 {
        var record = record
        record.isCopy = true
        let index: Int32
        if let free = freeIndices.popLast() {
            record.isListedAsAnimated = records[Int(free)].isListedAsAnimated
            records[Int(free)] = record
            index = free
        } else {
            records.append(record)
            index = Int32(records.count - 1)
        }
        if motions.count < records.count {
            motions.append(contentsOf: repeatElement(LayerMotion(), count: records.count - motions.count))
        }
        motions[Int(index)] = LayerMotion()
        motions[Int(index)].noteShown(revisions)
        return index
    }

    /// Lets a copy go, with all below it.
    private mutating func free(_ index: Int32) {
        var pending = [index]
        while let next = pending.popLast() {
            let record = records[Int(next)]
            guard record.isCopy else { continue }
            for list in record.instances ?? [record.sublayers] { pending.append(contentsOf: list) }
            if record.mask >= 0 { pending.append(record.mask) }
            var blank = LayerRecord(id: .none, layerClass: .layer)
            blank.isListedAsAnimated = record.isListedAsAnimated
            records[Int(next)] = blank
            if !emitters.isEmpty { emitters[next] = nil }
            freeIndices.append(next)
        }
        changes.noteAll()
    }
}

extension Color {
    fileprivate func times(_ other: Color) -> Color {
        Color(red * other.red, green * other.green, blue * other.blue, alpha * other.alpha)
    }
}

extension LayerProperties {
    /// With a color multiplied into everything the layer shows.
    fileprivate func tinted(_ tint: Color, passesThrough: Bool) -> LayerProperties {
        var result = self
        if tint.alpha < 1 { result.opacity = min(max(opacity, 0), 1) * tint.alpha }
        guard !passesThrough, tint.red < 1 || tint.green < 1 || tint.blue < 1 else { return result }
        let color = Color(tint.red, tint.green, tint.blue)
        result.filters.append(LayerFilter(.multiplyColor, inputs: [.inputColor: .color(color)]))
        if shadowOpacity > 0, let shadow = shadowColor {
            result.shadowColor = Color(
                shadow.red * tint.red, shadow.green * tint.green, shadow.blue * tint.blue, shadow.alpha)
        }
        return result
    }
}
