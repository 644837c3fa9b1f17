// Drawings that are emitted again as they were: of subtrees that no commit touched since the last plan, in the same place.
//
// A spinner turns on a screen full of cards: only what is above the spinner changed, so each of its siblings is a subtree
// that needn't be walked. The highest such subtrees are remembered, in the second plan that finds them unchanged and in
// place, with their drawings, image mappings and notes. Those that make surfaces aren't: surfaces are numbered anew in each
// plan. What is remembered is what the walk would emit, so no picture depends on it. Switch: `cache-reuse`.

import LayerModel

/// What a subtree's drawings depend on besides the commits.
struct RetainedPlace: Equatable {
    var revision: UInt64
    var toDevice: Homography
    var isFlipped: Bool
    var opacity: Float
    var scissor: PixelRect
    /// Decides what in it is baked.
    var carriage: Carriage
    /// Masks mean the same as long as this does.
    var evictions: UInt64
}

/// A subtree's drawings.
struct RetainedDrawings {
    var place: RetainedPlace
    /// Nil: they can't be remembered, or it isn't known yet that they should be.
    var drawn: (quads: ContiguousArray<Quad>, mappings: ContiguousArray<ImageMapping>, notes: [PlanNote])?
    var isHopeless = false
    /// The plan that last came by.
    var used: UInt64
}

extension FramePlanner {
    /// As `emitCarried`, from what the plan before emitted where nothing changed.
    mutating func emitRetained(
        _ index: Int, clippedTo scissor: PixelRect, fadedBy inherited: Float, _ walk: Walk
    ) -> Int {
        let presented = tree.layers[index]
        let end = Int(presented.subtreeEnd)
        guard !isRetaining, end - index >= 4, !isInMask, silhouetteDepth == 0, switches.contains(.cacheReuse),
            !isOfTransition(presented.record, walk)
        else {
            return emitCarried(index, clippedTo: scissor, fadedBy: inherited, walk)
        }
        let layer = presented.record
        let place = RetainedPlace(
            revision: walk.motions[Int(presented.record)].revision, toDevice: presented.toDevice,
            isFlipped: presented.contentsAreFlipped,
            opacity: presented.opacity * inherited, scissor: scissor, carriage: carriage,
            evictions: walk.coverage.evictions)
        guard let known = retained[layer], known.place == place, !known.isHopeless else {
            if retained[layer]?.place != place {
                retained[layer] = RetainedDrawings(place: place, used: planNumber)
            } else {
                retained[layer]!.used = planNumber
            }
            retainedInUse += 1
            return emitCarried(index, clippedTo: scissor, fadedBy: inherited, walk)
        }
        retained[layer]!.used = planNumber
        retainedInUse += 1
        if let drawn = known.drawn {
            emitAgain(drawn.quads, drawn.mappings, walk)
            notes.append(contentsOf: drawn.notes)
            return end
        }
        let start = (quads: quads.count, mappings: mappings.count, notes: notes.count)
        let made = (surfaces: surfaces.count, backdrops: backdrops.count, particles: particleGroups.count)
        isRetaining = true
        _ = emitCarried(index, clippedTo: scissor, fadedBy: inherited, walk)
        isRetaining = false
        if surfaces.count == made.surfaces, backdrops.count == made.backdrops, particleGroups.count == made.particles,
            !tree.layers[index..<end].contains(where: { $0.part >= 0 || $0.space >= 0 })
        {
            var own = ContiguousArray(quads[start.quads...])
            for number in own.indices { own[number].moveMapping(by: -Int32(start.mappings)) }
            retained[layer]!.drawn = (
                own, ContiguousArray(mappings[start.mappings...]), Array(notes[start.notes...])
            )
        } else {
            retained[layer]!.isHopeless = true
        }
        return end
    }

    /// What stands in for a layer during its transition, or the new picture in that: what is below belongs to the layer, and
    /// changes there are not noted in these.
    private func isOfTransition(_ record: Int32, _ walk: Walk) -> Bool {
        let layer = walk.records.baseAddress! + Int(record)
        if layer.pointee.newPicture >= 0 { return true }
        let parent = Int(layer.pointee.parent)
        return parent >= 0 && (walk.records.baseAddress! + parent).pointee.newPicture == record
    }

    /// Forgets what this plan did not come by, when that is the larger part.
    mutating func forgetUnused() {
        if retained.count > 64 + 2 * retainedInUse { retained = retained.filter { $0.value.used == planNumber } }
        retainedInUse = 0
        planNumber += 1
    }

    private mutating func emitAgain(
        _ drawn: ContiguousArray<Quad>, _ maps: ContiguousArray<ImageMapping>, _ walk: Walk
    ) {
        let first = quads.count
        let shift = Int32(mappings.count)
        quads.append(contentsOf: drawn)
        mappings.append(contentsOf: maps)
        for number in first..<quads.count {
            if shift > 0 { quads[number].moveMapping(by: shift) }
            if let mask = quads[number].mask { walk.coverage.use(mask.entry) }
            if case .image(let key, _, _, _) = quads[number].paint { walk.coverage.rasters.use(key) }
        }
    }
}

extension Quad {
    fileprivate mutating func moveMapping(by shift: Int32) {
        switch paint {
        case .image(let key, let mapping, let sampling, let bias):
            paint = .image(key, mapping: mapping + shift, sampling: sampling, levelBias: bias)
        case .sprite(let surface, let mapping, let sampling):
            paint = .sprite(surface, mapping: mapping + shift, sampling: sampling)
        case .solid, .surface, .surfaceAlpha, .backdrop, .over, .particles: break
        }
    }
}
