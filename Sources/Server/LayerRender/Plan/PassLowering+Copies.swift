// What reads the target that it is drawn to: the pass ends, what is there so far is copied and filtered, and the pass goes
// on. And the steps of filters, one pass each.

import LayerModel

/// A surface that is being drawn over a copy of what lies below it.
struct OuterSurface {
    /// How the surface will be drawn.
    var quad: Quad
    /// What lies below, as it was before; its pixels lie in `region`.
    var copy: Int
    var region: PixelRect

    var cuts: Bool { quad.mask != nil || quad.maskSurface >= 0 || quad.color != .white }
}

extension PassLowering {
    /// Ends the pass, copies what it drew, filters the copy where it is a backdrop, and goes on drawing with it.
    mutating func drawOverCopy(
        _ quad: Quad, _ index: Int32, _ surface: PlannedSurface, into pass: inout RenderPass, _ plan: inout FramePlan,
        _ frame: Frame, _ copies: inout [Int]
    ) {
        let target = pass.slot
        var region = quad.bounds.intersection(surface.bounds)
        guard !region.isEmpty else { return }
        writeBatches(surface.quads, into: &pass, &plan, frame)
        plan.passes.append(pass)
        begin()
        // What the pass that ended drew with has served.
        for slot in copies { pool.giveBack(slot) }
        copies.removeAll(keepingCapacity: true)
        var operation = DrawComposite.Operation.mode(quad.mode)
        if quad.looksBelow { operation = .replace }
        switch quad.paint {
        case .backdrop(let number): region = frame.backdrops[Int(number)].capture
        case .over(let number): region = frame.surfaces[Int(number)].bounds
        default: break
        }
        let asked = SurfaceCause(quad.looksBelow ? .backdrop : .blend)
        let name = label(of: quad.layer, frame.store)
        let copy = copied(region, of: target, surface.bounds, asked, quad.layer, name, &plan)
        copies.append(copy)
        switch quad.paint {
        case .backdrop(let number):
            let backdrop = frame.backdrops[Int(number)]
            var source = asSeen(copy, number, region, asked, quad.layer, name, &plan, frame, &copies)
            if let group = backdrop.group, let all = groups[group] {
                // What the first of the name saw.
                let seen: Int
                if let known = groupCopies[group] {
                    seen = known
                } else {
                    let first = copied(all, of: target, surface.bounds, asked, quad.layer, name, &plan)
                    seen = asSeen(first, number, all, asked, quad.layer, name, &plan, frame, &copies)
                    groupCopies[group] = seen
                    copies.removeAll { $0 == seen }
                    if first != seen { copies.append(first) }
                }
                if backdrop.result >= 0 {
                    source = seen
                } else {
                    source = copied(region, of: seen, all, asked, quad.layer, name, &plan)
                    copies.append(source)
                }
            }
            let known = groupResults[backdrop.result]
            if let known { source = known }
            for step in known == nil ? backdrop.steps : [] {
                let slot = pool.take(step.bounds.size, &plan)
                copies.append(slot)
                var stepPass = RenderPass(
                    slot: slot, label: name, reason: .filterStep, layer: quad.layer,
                    origin: PixelPoint(x: step.bounds.minX, y: step.bounds.minY), size: step.bounds.size,
                    load: .discard)
                stepPass.cause = asked
                write(step.effect, of: source, into: &stepPass, &plan)
                plan.passes.append(stepPass)
                source = slot
            }
            if backdrop.result >= 0, known == nil {
                groupResults[backdrop.result] = source
                copies.removeAll { $0 == source }
            }
            filtered[Int(number)] = (source, backdrop.steps.last?.bounds ?? backdrop.capture)
        case .over(let number):
            let inner = frame.surfaces[Int(number)]
            slots[Int(number)] = pool.take(region.size, &plan)
            copies.append(slots[Int(number)])
            var below = (slot: copy, region: region)
            if let shared = inner.sharedCopy {
                let slot =
                    sharedCopies[shared.number]
                    ?? copied(shared.region, of: target, surface.bounds, asked, quad.layer, name, &plan)
                sharedCopies[shared.number] = slot
                below = (slot, shared.region)
            }
            slotSizes = plan.slots.map(\.size)
            var onCopy = RenderPass(
                slot: slots[Int(number)], label: name, reason: .backdrop, layer: quad.layer,
                origin: PixelPoint(x: region.minX, y: region.minY), size: region.size, load: .discard)
            onCopy.cause = asked
            addCopy(of: below.slot, region, below.region, quad.layer, to: &onCopy)
            let around = outer
            // One of several orders is what is seen; its share of the pixels is no clip.
            if inner.sharedCopy == nil { outer.append(OuterSurface(quad: quad, copy: copy, region: region)) }
            draw(inner, into: &onCopy, &plan, frame)
            outer = around
            plan.passes.append(onCopy)
            release(inner, within: nil, frame)
            begin()
        default: break
        }
        slotSizes = plan.slots.map(\.size)
        let cause = pass.cause
        pass = RenderPass(
            slot: target, label: pass.label, reason: pass.reason, layer: pass.layer, origin: pass.origin,
            size: pass.size, load: .keep)
        pass.cause = cause
        if target == 0, let damage { pass.scissors = damage }
        composites.append(
            DrawComposite(
                operation,
                backdrop: AlignedSlot(
                    slot: copy,
                    offset: PixelPoint(x: pass.origin.x - region.minX, y: pass.origin.y - region.minY))))
        cut(quad, index, pass, &plan, frame)
    }

    /// The copies go that surfaces drawn in this one began as.
    mutating func giveBackSharedCopies(of surface: PlannedSurface, _ frame: Frame) {
        if sharedCopies.isEmpty { return }
        for quad in surface.quads {
            guard case .over(let number) = quad.paint, let shared = frame.surfaces[Int(number)].sharedCopy,
                let slot = sharedCopies.removeValue(forKey: shared.number)
            else { continue }
            pool.giveBack(slot)
        }
    }

    /// What a backdrop sees of a copy: where the surfaces that it is drawn in will be cut or faded, what is below them.
    mutating func asSeen(
        _ copy: Int, _ number: Int32, _ region: PixelRect, _ cause: SurfaceCause, _ layer: LayerID, _ label: String,
        _ plan: inout FramePlan, _ frame: Frame, _ copies: inout [Int]
    ) -> Int {
        // A layer looks before it is cut itself.
        let cutting = (outer.last?.quad.layer == layer ? outer.dropLast() : outer[...]).filter(\.cuts)[...]
        return asSeen(copy, through: cutting, number, region, cause, layer, label, &plan, frame, &copies)
    }

    private mutating func asSeen(
        _ copy: Int, through cutting: ArraySlice<OuterSurface>, _ number: Int32, _ region: PixelRect,
        _ cause: SurfaceCause, _ layer: LayerID, _ label: String, _ plan: inout FramePlan, _ frame: Frame,
        _ copies: inout [Int]
    ) -> Int {
        guard let nearest = cutting.last else { return copy }
        var below = nearest.copy
        var belowRegion = nearest.region
        if cutting.count > 1 {
            let whole = copied(region, of: below, belowRegion, cause, layer, label, &plan)
            copies.append(whole)
            below = asSeen(
                whole, through: cutting.dropLast(), number, region, cause, layer, label, &plan, frame, &copies)
            belowRegion = region
        }
        var quad = nearest.quad
        quad.bounds = quad.bounds.intersection(region)
        let seen = copied(region, of: below, belowRegion, cause, layer, label, &plan)
        copies.append(seen)
        guard !quad.bounds.isEmpty else { return seen }
        quad.paint = .backdrop(number)
        filtered[Int(number)] = (copy, region)
        slotSizes = plan.slots.map(\.size)
        var pass = RenderPass(
            slot: seen, label: label, reason: .backdrop, layer: layer,
            origin: PixelPoint(x: region.minX, y: region.minY), size: region.size, load: .keep)
        pass.cause = cause
        begin()
        composites.append(
            DrawComposite(
                .replace,
                backdrop: AlignedSlot(
                    slot: below,
                    offset: PixelPoint(x: region.minX - belowRegion.minX, y: region.minY - belowRegion.minY))))
        cut(quad, 0, pass, &plan, frame)
        writeBatches([quad], into: &pass, &plan, frame)
        plan.passes.append(pass)
        begin()
        return seen
    }

    /// A copy of a rectangle of what a slot holds, whose pixels lie in `bounds`; nothing beyond them.
    mutating func copied(
        _ region: PixelRect, of slot: Int, _ bounds: PixelRect, _ cause: SurfaceCause, _ layer: LayerID,
        _ label: String,
        _ plan: inout FramePlan
    ) -> Int {
        let copy = pool.take(region.size, &plan)
        var copying = RenderPass(
            slot: copy, label: label, reason: cause.property == .compositingFilter ? .blend : .backdrop, layer: layer,
            origin: PixelPoint(x: region.minX, y: region.minY), size: region.size,
            load: bounds.contains(region) ? .discard : .clear(.clear))
        copying.cause = cause
        addCopy(of: slot, region, bounds, layer, to: &copying)
        plan.passes.append(copying)
        return copy
    }

    func addCopy(
        of slot: Int, _ region: PixelRect, _ bounds: PixelRect, _ layer: LayerID, to pass: inout RenderPass
    ) {
        let part = region.intersection(bounds)
        guard !part.isEmpty else { return }
        pass.batches.append(
            DrawBatch(
                kind: .copy(
                    from: PixelPoint(x: part.minX - bounds.minX, y: part.minY - bounds.minY),
                    to: part.offsetBy(x: -region.minX, y: -region.minY)), blend: .copy, texture: .slot(slot),
                layer: layer))
        pass.quadCount += 1
        pass.pixelCount += part.area
    }

    /// One step of a filter: a rectangle as large as its pass.
    mutating func write(
        _ effect: DrawEffect, of source: Int, into pass: inout RenderPass, _ plan: inout FramePlan
    ) {
        pass.load = .discard
        let (width, height) = (Float(pass.size.width), Float(pass.size.height))
        func vertex(_ x: Float, _ y: Float) -> PlanVertex {
            PlanVertex(x: x, y: y, red: 1, green: 1, blue: 1, alpha: 1)
        }
        let (a, b, c, d) = (vertex(0, 0), vertex(width, 0), vertex(0, height), vertex(width, height))
        plan.vertices.removeLast(plan.vertices.count - used)
        plan.vertices.append(contentsOf: [a, b, c, c, b, d])
        pass.batches.append(
            DrawBatch(
                kind: .quads(program: .effect, firstVertex: used, quads: 1), blend: .copy, texture: .slot(source),
                effect: effect, layer: pass.layer))
        used += 6
        pass.quadCount = 1
        pass.pixelCount = pass.size.area
    }
}
