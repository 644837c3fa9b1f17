// A frame in which few layers show something else is the last one with their drawings exchanged: they are presented and
// emitted once more, everything else stays where it is, and what differs between their old and their new drawings is the
// damage. So a ring that turns among ten thousand layers costs what the ring does.
//
// What is patched comes out as a whole plan would have it. Where that is not sure, a whole plan is made: layers came, went
// or changed their order, something shows what lies behind it, a limit was reached, or most of the tree would be done
// again. A layer that has no place of its own (FrameLayout.swift) is patched by the lowest one above it that has one.
// Switch: `cache-reuse`, with `damage`.

import LayerModel

extension FramePlanner {
    /// A layer that is emitted once more.
    private struct Patch {
        /// Of the presented tree.
        var index: Int
        /// Where its old drawings and notes are, and what they depend on.
        var place: FrameLayout.Place
        /// Its new ones: after all others.
        var quads = 0..<0
        var notes = 0..<0
    }

    /// The last plan, brought to what the store shows now; nil where that takes a whole one.
    mutating func patch(
        _ store: LayerStore, at time: Double, on display: DisplayGeometry, _ coverage: CoverageCache
    ) -> (plan: FramePlan, isUnchanged: Bool)? {
        guard layout.isUsable, !recordsDrawings, switches.contains(.cacheReuse), switches.contains(.damage),
            let changed = changes(of: store, on: display, coverage), !isFragmented, !coverage.isOverfull,
            var patches = store.records.withUnsafeBufferPointer({ patches(of: changed, $0, root: store.root) }),
            presentAgain(patches, store, on: display)
        else { return nil }
        coverage.continueFrame()
        var frame = takeMemory()
        let old = (
            surfaces: surfaces.count, mappings: mappings.count, quads: quads.count, notes: notes.count,
            particles: particleGroups.count
        )
        let replaced = surfaces(of: patches)
        let redraws = redrawsLeft
        for index in replaced {
            surfaceBytes -= min(surfaceBytes, SlotPool.bytes(surfaces[index].bounds.size))
            if surfaces[index].reason == .baked { bakedArea -= surfaces[index].bounds.area }
        }
        let isWhole = emitAgain(&patches, store, coverage)
        redrawsLeft = redraws
        guard isWhole else {
            quads.removeLast(quads.count - old.quads)
            mappings.removeLast(mappings.count - old.mappings)
            surfaces.removeLast(surfaces.count - old.surfaces)
            particleGroups.removeLast(particleGroups.count - old.particles)
            putBack(&frame)
            return nil
        }
        let before = frame.contents
        let damage = exchange(patches, replaced, old.surfaces, &frame, store)
        return conclude(frame, before: before, damage: damage, store, at: time, on: display, coverage)
    }

    /// What is no longer drawn takes as much as what is.
    private var isFragmented: Bool {
        guard let memory else { return true }
        return memory.mappings.count > 2 * layout.mappings + 1_024
            || memory.surfaces.count > 2 * layout.surfaces + 64 || memory.particles.count > 2 * layout.particles + 64
            || tree.bitmapPlaces.count > 2 * layout.bitmaps + 64 || layout.contexts.count > tree.layers.count + 4_096
    }

    /// The sublayers of a layer get places.
    mutating func placeSublayers(of layer: PresentedLayer, _ scissor: PixelRect, _ opacity: Float) {
        guard tree.parts.isEmpty || !tree.cutsSublayers(of: layer) else { return }
        placing = layout.number(of: FrameLayout.Context(scissor: scissor, opacity: opacity, carriage: carriage))
    }

    /// A layer's drawings and notes are all from some on.
    mutating func notePlace(of index: Int, _ context: Int32, _ firstQuad: Int32, _ firstNote: Int32) {
        layout.places[index] = FrameLayout.Place(
            context: context, quads: firstQuad..<Int32(quads.count), notes: firstNote..<Int32(notes.count))
    }

    // MARK: Which layers

    /// The layers to emit once more for records that changed, in paint order, none below another.
    private func patches(
        of changed: [Int32], _ records: UnsafeBufferPointer<LayerRecord>, root: Int32
    ) -> [Patch]? {
        var found: [Int] = []
        for record in changed {
            switch placeAbove(record, records, root: root) {
            case .unknown: return nil
            case .nothing: continue
            case .layer(let index): found.append(index)
            }
        }
        found.sort()
        var patches: [Patch] = []
        var end = 0
        var count = 0
        for index in found where index >= end {
            patches.append(Patch(index: index, place: layout.places[index]))
            end = Int(tree.layers[index].subtreeEnd)
            count += end - index
        }
        return 2 * count <= tree.layers.count ? patches : nil
    }

    private enum Patchable {
        case layer(Int)
        /// It wasn't shown, and isn't.
        case nothing
        case unknown
    }

    /// The lowest layer with a place of its own that shows what a record does.
    private func placeAbove(
        _ record: Int32, _ records: UnsafeBufferPointer<LayerRecord>, root: Int32
    ) -> Patchable {
        var record = record
        while record >= 0, Int(record) < layout.shown.count {
            let layer = records.baseAddress! + Int(record)
            if layer.pointee.standIn >= 0 || layer.pointee.shell >= 0 { return .unknown }
            let index = Int(layout.shown[Int(record)])
            let parent = layer.pointee.parent
            if layer.pointee.passesThrough {
                // It is nowhere itself, and its sublayers are above it.
                record = parent
                continue
            }
            if index == -1 { return isHidden(record, records) ? .nothing : .unknown }
            if index >= 0, record != root, parent >= 0, Int(parent) < layout.shown.count {
                let above = records.baseAddress! + Int(parent)
                let superlayer = Int(layout.shown[Int(parent)])
                if layout.places[index].context >= 0, superlayer >= 0,
                    !above.pointee.passesThrough, above.pointee.mask != record,
                    tree.layers[superlayer].order != .byDepth, tree.layers[index].part < 0
                {
                    return .layer(index)
                }
            }
            record = parent
        }
        return .unknown
    }

    /// A layer that wasn't shown still isn't: it is hidden, or one above it is.
    private func isHidden(_ record: Int32, _ records: UnsafeBufferPointer<LayerRecord>) -> Bool {
        var above = record
        while above >= 0, Int(above) < layout.shown.count, layout.shown[Int(above)] == -1 {
            let properties = records.baseAddress! + Int(above)
            if properties.pointee.properties.isHidden || !(properties.pointee.properties.opacity > 0) { return true }
            if properties.pointee.standIn >= 0 { return false }
            above = properties.pointee.parent
        }
        return false
    }

    // MARK: Presenting

    /// Puts layers into the tree as they are now, where they were; false, and nothing is changed, where they don't fit.
    private mutating func presentAgain(
        _ patches: [Patch], _ store: LayerStore, on display: DisplayGeometry
    ) -> Bool {
        scratch.begin(on: display)
        for patch in patches {
            let start = scratch.layers.count
            let old = tree.layers[patch.index]
            guard scratch.show(old.record, below: tree.layers[superlayer(of: old, store)], of: store, on: display),
                scratch.layers.count - start == Int(old.subtreeEnd) - patch.index
            else { return false }
        }
        guard scratch.parts.isEmpty, scratch.uncut.isEmpty, scratch.unrasterized.isEmpty,
            !scratch.layers.contains(where: { store.records[Int($0.record)].showsBackdrop })
        else { return false }
        let bitmaps = Int32(tree.bitmapPlaces.count)
        tree.bitmapPlaces.append(contentsOf: scratch.bitmapPlaces)
        var start = 0
        for patch in patches {
            let range = patch.index..<Int(tree.layers[patch.index].subtreeEnd)
            layout.forget(range, in: tree)
            for place in range {
                var layer = scratch.layers[start + place - patch.index]
                layer.subtreeEnd += Int32(patch.index - start)
                layer.firstSublayer += Int32(patch.index - start)
                if layer.space >= 0 { layer.space += bitmaps }
                tree.layers[place] = layer
            }
            layout.note(range, in: tree)
            start += range.count
            let layer = tree.layers[patch.index]
            if !store.records[Int(layer.record)].isPlainlyPlaced {
                tree.layers[superlayer(of: layer, store)].order = .flat
            }
        }
        return true
    }

    private func superlayer(of layer: PresentedLayer, _ store: LayerStore) -> Int {
        Int(layout.shown[Int(store.records[Int(layer.record)].parent)])
    }

    // MARK: Emitting

    /// Emits layers after all that is there; false where something came out that only a whole plan can place.
    private mutating func emitAgain(
        _ patches: inout [Patch], _ store: LayerStore, _ coverage: CoverageCache
    ) -> Bool {
        lastShadow = .none
        isBaking = !switches.contains(.baking)
        let firstNote = notes.count
        store.records.withUnsafeBufferPointer { records in
            store.motions.withUnsafeBufferPointer { motions in
                let walk = Walk(
                    records: records, motions: motions, images: store.images, coverage: coverage, root: store.shownRoot,
                    emitters: store.emitters)
                for number in patches.indices {
                    let start = (quads: quads.count, notes: notes.count)
                    placing = patches[number].place.context
                    let context = layout.contexts[Int(placing)]
                    carriage = context.carriage
                    _ = emit(patches[number].index, clippedTo: context.scissor, fadedBy: context.opacity, walk)
                    patches[number].quads = start.quads..<quads.count
                    patches[number].notes = start.notes..<notes.count
                }
            }
        }
        placing = -1
        carriage = Carriage()
        return backdrops.isEmpty && coverage.leftOut == 0 && hasBirthsToSpare
            && !notes[firstNote...].contains(where: \.isDegradation)
    }

    /// Of the births that a frame looks at, at least half are left. Emitters that are patched have the other half: so all
    /// together never have more than there are, and none is left out that a whole plan would show.
    var hasBirthsToSpare: Bool { 2 * birthsLeft >= limits.births }

    /// The surfaces that layers are drawn with, and those that these are made of.
    private func surfaces(of patches: [Patch]) -> [Int] {
        guard !surfaces.isEmpty else { return [] }
        var found: [Int] = []
        for patch in patches {
            for quad in quads[patch.place.quads.whole] { quad.forEachSurface { found.append($0) } }
        }
        var next = 0
        while next < found.count {
            surfaces[found[next]].forEachSource(within: nil) { if !found.contains($0) { found.append($0) } }
            next += 1
        }
        return found
    }

    /// Puts new drawings in the place of the old ones. Returns what differs.
    private mutating func exchange(
        _ patches: [Patch], _ replaced: [Int], _ firstSurface: Int, _ frame: inout FrameMemory, _ store: LayerStore
    ) -> [PixelRect]? {
        let drawn = patches.map { ContiguousArray(quads[$0.quads]) }
        let said = patches.map { Array(notes[$0.notes]) }
        if let first = patches.first {
            quads.removeLast(quads.count - first.quads.lowerBound)
            notes.removeLast(notes.count - first.notes.lowerBound)
        }
        frame.mappings = mappings
        frame.particles = particleGroups
        let root = frame.surfaces.removeLast()
        frame.surfaces = surfaces + [root]
        ledger.number(&frame, from: firstSurface, insteadOf: replaced)
        var damage = FrameDamage(screen: screen)
        for (patch, new) in zip(patches, drawn) {
            damage.compare(quads[patch.place.quads.whole], frame, new[...], frame)
            if new.contains(where: \.readsBackdrop) { frame.looksBelow = true }
        }
        for patch in patches { forgetParticles(of: quads[patch.place.quads.whole], in: &frame) }
        for (number, patch) in patches.enumerated().reversed() {
            let old = patch.place
            let layer = tree.layers[patch.index]
            replace(&quads, old.quads.whole, with: drawn[number])
            if !said[number].isEmpty || !old.notes.isEmpty {
                notes.replaceSubrange(old.notes.whole, with: said[number])
            }
            layout.move(
                patch.index..<Int(layer.subtreeEnd), quads: Int(old.quads.lowerBound) - patch.quads.lowerBound,
                notes: Int(old.notes.lowerBound) - patch.notes.lowerBound)
            let more = (
                quads: drawn[number].count - old.quads.count, notes: said[number].count - old.notes.count
            )
            if more.quads != 0 || more.notes != 0 {
                layout.move(Int(layer.subtreeEnd)..<tree.layers.count, quads: more.quads, notes: more.notes)
                lengthen(above: layer.record, by: more, store)
            }
        }
        for index in replaced {
            forgetParticles(of: frame.surfaces[index].quads[...], in: &frame)
            frame.surfaces[index].quads = []
            frame.surfaces[index].step = nil
            frame.surfaces[index].token = 0
            frame.contents[index] = 0
        }
        swap(&frame.surfaces[frame.surfaces.count - 1].quads, &quads)
        damage.conclude(frame)
        return damage.rects
    }

    /// Particles that are drawn no more take no memory.
    private func forgetParticles(of quads: ArraySlice<Quad>, in frame: inout FrameMemory) {
        for quad in quads {
            if case .particles(let number, _, _) = quad.paint { frame.particles[Int(number)] = ParticleGroup() }
        }
    }

    private func replace(
        _ quads: inout ContiguousArray<Quad>, _ old: Range<Int>, with new: ContiguousArray<Quad>
    ) {
        if old.count == new.count {
            for (index, quad) in zip(old, new) { quads[index] = quad }
        } else {
            quads.replaceSubrange(old, with: new)
        }
    }

    /// The drawings of what is above a layer are more than they were.
    private mutating func lengthen(above record: Int32, by more: (quads: Int, notes: Int), _ store: LayerStore) {
        var above = store.records[Int(record)].parent
        while above >= 0 {
            let index = Int(layout.shown[Int(above)])
            if index >= 0, layout.places[index].context >= 0 {
                layout.places[index].quads = layout.places[index].quads.lengthened(by: more.quads)
                layout.places[index].notes = layout.places[index].notes.lengthened(by: more.notes)
            }
            above = store.records[Int(above)].parent
        }
    }
}
