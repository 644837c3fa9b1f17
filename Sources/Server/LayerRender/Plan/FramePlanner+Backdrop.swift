// What lies behind a layer, filtered: `backgroundFilters` of any layer, the filters of a backdrop layer. The planner
// emits a quad that stands for it; while its surface is being drawn, the lowering copies what is there so far, takes the
// copy through the steps and draws the result in place of what it was made of. Source: semantic reference, §1.11.

import LayerModel
import Paths

extension LayerRecord {
    /// The lists of filters that what lies behind goes through, one after the other.
    var backdropFilters: [[LayerFilter]] {
        guard hasEffects else { return [] }
        var lists = [properties.backgroundFilters.filter(\.isEnabled)]
        // A backdrop layer of scale 0 is switched off.
        if layerClass == .backdropLayer, properties.backdropScale > 0 {
            lists.append(properties.filters.filter(\.isEnabled))
        }
        return lists.filter { !$0.isEmpty }
    }

    var showsBackdrop: Bool {
        guard hasEffects else { return false }
        return properties.backgroundFilters.contains(where: \.isEnabled)
            || layerClass == .backdropLayer && properties.backdropScale > 0
                && properties.filters.contains(where: \.isEnabled)
    }

    /// A clip by the bounds ends what backdrops inside can see.
    var hasRoundCorners: Bool { properties.cornerRadius > 0 && !properties.maskedCorners.isEmpty }
}

extension FramePlanner {
    mutating func emitBackdrop(
        _ presented: PresentedLayer, _ record: UnsafePointer<LayerRecord>, _ lists: [[LayerFilter]],
        clippedTo clip: PixelRect, _ walk: Walk
    ) {
        let layer = record.pointee.id
        let coverage = coverBounds(of: record, on: presented.toDevice, clip: clip, walk)
        let bounds = coverage.bounds.intersection(screen)
        guard !bounds.isEmpty else { return }
        let all = grown(bounds, by: lists[0], presented, record)
        let capture = all.intersection(screen)
        var steps = FilterSteps(source: capture)
        for (number, list) in lists.enumerated() {
            var limits = screen
            if number > 0 {
                // The second list sees the first one's result, which ends at the bounds.
                steps.frame(to: bounds)
                limits = grown(bounds, by: list, presented, record)
                steps.frame(to: limits, repeats: true)
            } else if all != capture, !isOneBlur(list) {
                // Beyond the picture its nearest pixel counts.
                limits = all
                steps.frame(to: all, repeats: true)
            }
            addSteps(of: list, to: &steps, for: bounds, within: limits, presented, record, walk)
        }
        let group = record.pointee.layerClass == .backdropLayer ? record.pointee.properties.groupName : nil
        if !steps.bounds.contains(bounds) { steps.frame(to: bounds) }
        let sides = steps.steps.map { max($0.bounds.width, $0.bounds.height) }
        guard sides.allSatisfy({ $0 <= limits.textureSide }) else {
            notes.append(PlanNote(layer: layer, kind: .degraded(.backdrop, .side(limits.textureSide))))
            return
        }
        let cost = steps.steps.reduce(2 * SlotPool.bytes(capture.size)) { $0 + SlotPool.bytes($1.bounds.size) }
        guard cost <= limits.surfaceBytes - surfaceBytes else {
            notes.append(PlanNote(layer: layer, kind: .degraded(.backdrop, .bytes(limits.surfaceBytes))))
            return
        }
        // Nothing of it comes as far as what is seen.
        if steps.steps.contains(where: \.bounds.isEmpty) { return }
        surfaceBytes += cost
        let shared = group != nil && lists.count == 1 ? sharedFilters(lists[0], presented, record) : nil
        backdrops.append(
            PlannedBackdrop(
                layer: layer, group: group, capture: capture, steps: steps.steps, filters: shared, shown: bounds,
                seesPixel: group == nil && !lists.contains { $0.contains(where: \.movesPixels) }))
        let paint = Paint.backdrop(Int32(backdrops.count - 1))
        switch coverage.cropped(to: screen) {
        case .nothing: break
        case .whole(let rect): append(paint, .white, rect, nil, layer, isOpaque: false)
        case .mask(let mask, let rect): append(paint, .white, rect, mask, layer, isOpaque: false)
        }
    }

    /// At most one filter looks beyond its pixel, and that is a plain blur: then the edge of what is captured can stand
    /// for what lies beyond.
    private func isOneBlur(_ list: [LayerFilter]) -> Bool {
        let moving = list.filter(\.movesPixels)
        return moving.isEmpty || moving.count == 1 && moving[0].isPlainBlur
    }

    private mutating func addSteps(
        of list: [LayerFilter], to steps: inout FilterSteps, for bounds: PixelRect, within limits: PixelRect,
        _ presented: PresentedLayer, _ record: UnsafePointer<LayerRecord>, _ walk: Walk
    ) {
        var isCut = false
        for (index, filter) in list.enumerated() {
            let wanted = grown(bounds, by: Array(list[(index + 1)...]), presented, record).intersection(limits)
            if filter.isPlainBlur {
                let shape = gaussian(filter.number(.inputRadius), presented, record)
                if shape.isPoint { continue }
                noteLimit(of: filter, presented, record)
                if isCut {
                    steps.blur(shape, result: steps.bounds.reached(by: shape).intersection(wanted))
                } else {
                    steps.blur(shape, edges: .nearest, result: wanted.intersection(steps.bounds))
                }
            } else {
                addSteps(of: filter, to: &steps, presented, record, wanted, walk)
                if isBounded(filter, presented, record) {
                    isCut = true
                    if index < list.count - 1,
                        let plane = FilterPlane(presented.toDevice, record.pointee.properties.bounds)
                    {
                        steps.cut(plane)
                    }
                }
            }
        }
    }

    /// Where the first backdrop of a name is drawn onto a copy of what lies below, that copy shows what all of the name see.
    mutating func widenFirstLooks() {
        for surface in surfaces.indices where !surfaces[surface].isOver {
            let all = FrameMemory.captures(of: surfaces[surface].quads, surfaces, backdrops)
            guard !all.isEmpty else { continue }
            var known: Set<String> = []
            for quad in surfaces[surface].quads { widen(quad, all, &known) }
        }
    }

    private mutating func widen(_ quad: Quad, _ all: [String: PixelRect], _ known: inout Set<String>) {
        switch quad.paint {
        case .backdrop(let number): if let group = backdrops[Int(number)].group { known.insert(group) }
        case .over(let surface):
            let before = known
            for inner in surfaces[Int(surface)].quads { widen(inner, all, &known) }
            for name in known.subtracting(before) {
                let wide = surfaces[Int(surface)].bounds.union(all[name] ?? .empty)
                if max(wide.width, wide.height) <= limits.textureSide { surfaces[Int(surface)].bounds = wide }
            }
        default: break
        }
    }

    /// How far backdrops of the layers below one see, pixels; nil where there are none.
    mutating func backdropReach(below index: Int, _ walk: Walk) -> Int? {
        guard hasBackdrops else { return nil }
        if backdropReaches.isEmpty { findBackdropReaches(walk) }
        return backdropReaches[index] < 0 ? nil : Int(backdropReaches[index])
    }

    /// From the last layer to the first: what lies below one is known before it is reached.
    private mutating func findBackdropReaches(_ walk: Walk) {
        var reaches = [Int32](repeating: -1, count: tree.layers.count)
        for index in tree.layers.indices.reversed() {
            let end = Int(tree.layers[index].subtreeEnd)
            var child = index + 1
            while child < end {
                reaches[index] = max(reaches[index], reaches[child], ownBackdropReach(tree.layers[child], walk))
                child = Int(tree.layers[child].subtreeEnd)
            }
        }
        backdropReaches = reaches
    }

    /// How far a layer's own backdrop sees, pixels; -1 without one.
    private func ownBackdropReach(_ layer: PresentedLayer, _ walk: Walk) -> Int32 {
        let record = walk.records.baseAddress! + Int(layer.record)
        var reach: Int32 = -1
        for list in record.pointee.hasEffects ? record.pointee.backdropFilters : [] {
            let seen = grown(PixelRect(x: 0, y: 0, width: 1, height: 1), by: list, layer, record)
            reach = max(reach, Int32(clamping: max(seen.width, seen.height) / 2 + 1))
        }
        return reach
    }
}

extension LayerFilter {
    var isPlainBlur: Bool {
        kind == .gaussianBlur && !flag(.inputHardEdges) && !flag(.inputNormalizeEdges)
    }
}
