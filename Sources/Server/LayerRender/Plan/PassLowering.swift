// From surfaces and quads to passes, batches and vertices.
//
// A quad becomes rectangles: one where it covers whole pixels, the spans and tiles of its mask otherwise. A rectangle may
// join an earlier batch of its kind if it touches nothing drawn since, so that many layers share few calls and the
// picture stays the same. Vertices are written last, batch by batch.

import LayerModel
import Paths

struct PassLowering {
    /// One rectangle of a quad on its way into a batch.
    private struct Piece {
        var x0, y0, x1, y1: Int32
        var quad: Int32
        var batch: Int32
        var coverage: Float
        /// The tile's first pixel in its atlas page.
        var tileX: Int32
        var tileY: Int32
        /// One column, or row, of the tile serves for all.
        var repeatsColumns = false
        var repeatsRows = false
    }

    /// What the rectangles of a batch have in common, in words that compare at once.
    private struct BatchKey: Equatable {
        var texture: UInt64 = 0
        var coverage: UInt64 = 0
        var levelBias: Float = 0
        var program: DrawProgram
        var blend: DrawBlend
        var sampling: TextureSampling = .nearest
        /// A surface whose alpha multiplies, or -1.
        var maskSurface: Int32 = -1
        /// A number of its own for each drawing that reads what lies below; 0 for all others.
        var composite: Int32 = 0

        init(_ program: DrawProgram, _ blend: DrawBlend) {
            self.program = program
            self.blend = blend
        }

        static func == (a: BatchKey, b: BatchKey) -> Bool {
            a.texture == b.texture && a.coverage == b.coverage && a.levelBias == b.levelBias && a.program == b.program
                && a.blend == b.blend && a.sampling == b.sampling && a.maskSurface == b.maskSurface
                && a.composite == b.composite
        }
    }

    private struct OpenBatch {
        var key: BatchKey
        var layer: LayerID
        var copy: (from: PixelPoint, to: PixelRect)?
        var count = 0
        /// What its rectangles touch, target pixels.
        var touched: PixelRect

        /// Its rectangles replace what lies below.
        var isOpaque: Bool { key.blend == .copy && key.composite == 0 && key.maskSurface < 0 && copy == nil }
    }

    /// How far back a rectangle may look for a batch of its kind.
    private static let lookBack = 8

    /// Up to this many pixels, scaled images are weighed exactly instead of by the sampler: 512 by 512.
    private static let preciseArea = 262_144

    private var pieces: ContiguousArray<Piece> = []
    private var open: ContiguousArray<OpenBatch> = []
    private var firsts: [Int] = []
    /// Vertices of the plan that are written; what lies behind them is left from an earlier plan.
    private var used = 0

    /// What a lowering reads, fixed for a frame.
    private struct Frame {
        var session: UInt32
        var switches: Switches
        var mappings: ContiguousArray<ImageMapping>
        var coverage: CoverageCache
        var surfaces: [PlannedSurface]
        var backdrops: [PlannedBackdrop]
    }

    /// The slot of each surface, once it is drawn.
    private var slots: [Int] = []
    private var slotSizes: [PixelSize] = []
    private var pool = SlotPool()
    /// Where each backdrop's result lies while its surface is drawn.
    private var filtered: [(slot: Int, bounds: PixelRect)] = []
    /// Of the display, in this frame; nil is all of it.
    private var damage: [PixelRect]?
    /// What the backdrops of each name see in the surface being drawn, and the copy of it once there is one.
    private var groups: [String: PixelRect] = [:]
    private var groupCopies: [String: Int] = [:]
    /// The drawing whose surface is being drawn onto a copy of what lies below it, and that copy.
    private var outer: (quad: Quad, copy: Int, region: PixelRect)?
    /// How often each surface will still be read.
    private var readers: [Int] = []
    /// What the numbers in keys stand for.
    private var composites: [DrawComposite] = []

    /// Fills in passes, slots, vertices and uploads. The last surface is the root's. Vertices that the plan has from an
    /// earlier one are memory to write into.
    mutating func lower(
        _ surfaces: [PlannedSurface], _ backdrops: [PlannedBackdrop], _ treatments: [SurfaceLedger.Treatment],
        into plan: inout FramePlan,
        background: PremultipliedColor, session: UInt32, switches: Switches,
        mappings: ContiguousArray<ImageMapping>, coverage: CoverageCache, store: LayerStore
    ) {
        used = 0
        defer { plan.vertices.removeLast(plan.vertices.count - used) }
        let frame = Frame(
            session: session, switches: switches, mappings: mappings, coverage: coverage, surfaces: surfaces,
            backdrops: backdrops)
        slots = [Int](repeating: -1, count: surfaces.count)
        slots[surfaces.count - 1] = 0
        pool = SlotPool(reuses: switches.contains(.pooling))
        filtered = [(slot: Int, bounds: PixelRect)](repeating: (-1, .empty), count: backdrops.count)
        damage = plan.damage
        readers = Self.readers(of: surfaces, treatments, damage)
        for (index, surface) in surfaces.enumerated() {
            let isRoot = index == surfaces.count - 1
            if !isRoot {
                if readers[index] == 0 || surface.isOver { continue }
                switch treatments[index] {
                case .draw: slots[index] = pool.take(surface.bounds.size, &plan)
                case .drawAndKeep(let number): slots[index] = SlotPool.keep(surface.bounds.size, number, &plan)
                case .kept(let number):
                    slots[index] = SlotPool.keep(surface.bounds.size, number, &plan)
                    continue
                }
            }
            slotSizes = plan.slots.map(\.size)
            var pass = RenderPass(
                slot: slots[index], label: label(of: surface.layer, store), reason: surface.reason,
                layer: surface.layer, origin: PixelPoint(x: surface.bounds.minX, y: surface.bounds.minY),
                size: surface.bounds.size, load: .clear(isRoot ? background : .clear))
            pass.cause = surface.cause
            if let (effect, source) = surface.step {
                write(effect, of: slots[Int(source)], into: &pass, &plan)
                plan.passes.append(pass)
            } else {
                draw(surface, into: &pass, &plan, frame)
                plan.passes.append(pass)
            }
            release(surface, within: isRoot ? damage : nil)
        }
    }

    /// A surface is drawn: what it read may go.
    private mutating func release(_ surface: PlannedSurface, within parts: [PixelRect]?) {
        surface.forEachSource(within: parts) { source in
            readers[source] -= 1
            if readers[source] == 0, slots[source] >= 0 { pool.giveBack(slots[source]) }
        }
    }

    /// How often each surface is read by one that is drawn.
    private static func readers(
        of surfaces: [PlannedSurface], _ treatments: [SurfaceLedger.Treatment], _ damage: [PixelRect]?
    ) -> [Int] {
        var readers = [Int](repeating: 0, count: surfaces.count)
        for index in surfaces.indices.reversed() {
            let isRoot = index == surfaces.count - 1
            if !isRoot, readers[index] == 0 { continue }
            if case .kept = treatments[index] { continue }
            surfaces[index].forEachSource(within: isRoot ? damage : nil) { readers[$0] += 1 }
        }
        return readers
    }

    private func label(of layer: LayerID, _ store: LayerStore) -> String {
        guard layer != .none, let index = store.index(of: layer) else { return "display" }
        return store.records[Int(index)].properties.name ?? layer.description
    }
}

// MARK: - One pass

extension PassLowering {
    private mutating func draw(
        _ surface: PlannedSurface, into pass: inout RenderPass, _ plan: inout FramePlan, _ frame: Frame
    ) {
        begin()
        if !surface.isOver {
            // What is drawn over something sees the same copies as that.
            outer = nil
            groups = FrameMemory.captures(of: surface.quads, frame.surfaces, frame.backdrops)
            groupCopies = [:]
        }
        let shown = pass.slot == 0 ? damage : nil
        if let shown { pass.scissors = shown }
        let hidden = frame.switches.contains(.occlusion) ? hiddenQuads(surface.quads) : []
        var isFirst = !surface.isOver
        var copies: [Int] = []
        for index in surface.quads.indices {
            if !hidden.isEmpty, hidden[index - surface.quads.startIndex] { continue }
            let quad = surface.quads[index]
            if quad.mode == .destination { continue }
            if let shown, !shown.contains(where: { $0.intersects(quad.bounds) }) { continue }
            if isFirst, quad.isOpaque, quad.bounds.contains(surface.bounds) { pass.load = .discard }
            if isFirst, shown == nil, let copy = copyBatch(quad, pass, frame) {
                open.append(copy)
                pass.quadCount += 1
                pass.pixelCount += quad.bounds.area
            } else if quad.readsBackdrop, quad.fixedBlend == nil {
                drawOverCopy(quad, Int32(index), surface, into: &pass, &plan, frame, &copies)
            } else {
                cut(quad, Int32(index), pass, &plan, frame)
            }
            isFirst = false
        }
        writeBatches(surface.quads, into: &pass, &plan, frame)
        for slot in copies { pool.giveBack(slot) }
        if !surface.isOver {
            for slot in groupCopies.values { pool.giveBack(slot) }
        }
    }

    private mutating func begin() {
        pieces.removeAll(keepingCapacity: true)
        open.removeAll(keepingCapacity: true)
        composites.removeAll(keepingCapacity: true)
    }

    /// Ends the pass, copies what it drew, filters the copy where it is a backdrop, and goes on drawing with it.
    private mutating func drawOverCopy(
        _ quad: Quad, _ index: Int32, _ surface: PlannedSurface, into pass: inout RenderPass, _ plan: inout FramePlan,
        _ frame: Frame, _ copies: inout [Int]
    ) {
        let target = pass.slot
        var region = quad.bounds.intersection(surface.bounds)
        guard !region.isEmpty else { return }
        writeBatches(surface.quads, into: &pass, &plan, frame)
        plan.passes.append(pass)
        begin()
        var operation = DrawComposite.Operation.mode(quad.mode)
        if quad.looksBelow { operation = .replace }
        switch quad.paint {
        case .backdrop(let number): region = frame.backdrops[Int(number)].capture
        case .over(let number): region = frame.surfaces[Int(number)].bounds
        default: break
        }
        let asked = SurfaceCause(.backdrop, property: quad.looksBelow ? .backgroundFilters : .compositingFilter)
        let copy = copied(region, of: target, surface.bounds, asked, quad.layer, pass.label, &plan)
        copies.append(copy)
        switch quad.paint {
        case .backdrop(let number):
            let backdrop = frame.backdrops[Int(number)]
            var source = asSeen(copy, number, region, asked, quad.layer, pass.label, &plan, frame, &copies)
            if let group = backdrop.group, let all = groups[group] {
                // What the first of the name saw.
                let seen: Int
                if let known = groupCopies[group] {
                    seen = known
                } else {
                    let first = copied(all, of: target, surface.bounds, asked, quad.layer, pass.label, &plan)
                    seen = asSeen(first, number, all, asked, quad.layer, pass.label, &plan, frame, &copies)
                    groupCopies[group] = seen
                    copies.removeAll { $0 == seen }
                    if first != seen { copies.append(first) }
                }
                source = copied(region, of: seen, all, asked, quad.layer, pass.label, &plan)
                copies.append(source)
            }
            for step in backdrop.steps {
                let slot = pool.take(step.bounds.size, &plan)
                copies.append(slot)
                var stepPass = RenderPass(
                    slot: slot, label: pass.label, reason: .filterStep, layer: quad.layer,
                    origin: PixelPoint(x: step.bounds.minX, y: step.bounds.minY), size: step.bounds.size,
                    load: .discard)
                stepPass.cause = asked
                write(step.effect, of: source, into: &stepPass, &plan)
                plan.passes.append(stepPass)
                source = slot
            }
            filtered[Int(number)] = (source, backdrop.steps.last?.bounds ?? backdrop.capture)
        case .over(let number):
            let inner = frame.surfaces[Int(number)]
            slots[Int(number)] = pool.take(region.size, &plan)
            slotSizes = plan.slots.map(\.size)
            var onCopy = RenderPass(
                slot: slots[Int(number)], label: pass.label, reason: .backdrop, layer: quad.layer,
                origin: PixelPoint(x: region.minX, y: region.minY), size: region.size, load: .discard)
            onCopy.cause = asked
            addCopy(of: copy, region, region, quad.layer, to: &onCopy)
            let around = outer
            outer = (quad, copy, region)
            draw(inner, into: &onCopy, &plan, frame)
            outer = around
            plan.passes.append(onCopy)
            release(inner, within: nil)
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

    /// What a backdrop sees of a copy: where the surface that it is drawn in will be cut or faded, what is below that.
    private mutating func asSeen(
        _ copy: Int, _ number: Int32, _ region: PixelRect, _ cause: SurfaceCause, _ layer: LayerID, _ label: String,
        _ plan: inout FramePlan, _ frame: Frame, _ copies: inout [Int]
    ) -> Int {
        guard let outer, outer.quad.mask != nil || outer.quad.maskSurface >= 0 || outer.quad.color != .white else {
            return copy
        }
        var quad = outer.quad
        quad.bounds = quad.bounds.intersection(region)
        let seen = copied(region, of: outer.copy, outer.region, cause, layer, label, &plan)
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
                    slot: outer.copy,
                    offset: PixelPoint(x: region.minX - outer.region.minX, y: region.minY - outer.region.minY))))
        cut(quad, 0, pass, &plan, frame)
        writeBatches([quad], into: &pass, &plan, frame)
        plan.passes.append(pass)
        begin()
        return seen
    }

    /// A copy of a rectangle of what a slot holds, whose pixels lie in `bounds`; nothing beyond them.
    private mutating func copied(
        _ region: PixelRect, of slot: Int, _ bounds: PixelRect, _ cause: SurfaceCause, _ layer: LayerID,
        _ label: String,
        _ plan: inout FramePlan
    ) -> Int {
        let copy = pool.take(region.size, &plan)
        var copying = RenderPass(
            slot: copy, label: label, reason: .backdrop, layer: layer,
            origin: PixelPoint(x: region.minX, y: region.minY), size: region.size,
            load: bounds.contains(region) ? .discard : .clear(.clear))
        copying.cause = cause
        addCopy(of: slot, region, bounds, layer, to: &copying)
        plan.passes.append(copying)
        return copy
    }

    private func addCopy(
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
    private mutating func write(
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

    /// Quads that a later opaque rectangle covers whole.
    func hiddenQuads(_ quads: ContiguousArray<Quad>) -> [Bool] {
        var covers: [PixelRect] = []
        var hidden: [Bool] = []
        for (offset, quad) in quads.reversed().enumerated() {
            if quad.looksBelow {
                // It may show what a later drawing hides beside it.
                covers.removeAll()
            } else if covers.contains(where: { $0.contains(quad.bounds) }) {
                if hidden.isEmpty { hidden = [Bool](repeating: false, count: quads.count) }
                hidden[quads.count - 1 - offset] = true
            } else if quad.isOpaque, quad.bounds.area >= 1_024 {
                if covers.count < 8 {
                    covers.append(quad.bounds)
                } else if let smallest = covers.indices.min(by: { covers[$0].area < covers[$1].area }),
                    covers[smallest].area < quad.bounds.area
                {
                    covers[smallest] = quad.bounds
                }
            }
        }
        return hidden
    }

    /// Rectangles that a later opaque one covers whole, such as the middle of a shadow under its card. Those that come
    /// soon after are looked at, and the largest.
    private mutating func dropHiddenPieces(_ quads: ContiguousArray<Quad>) {
        guard pieces.count > 1 else { return }
        var recent = InlineArray<16, PixelRect>(repeating: .empty)
        var next = 0
        var count = 0
        var dropped = 0
        var position = pieces.count - 1
        while position >= 0 {
            let piece = pieces[position]
            let rect = PixelRect(
                minX: Int(piece.x0), minY: Int(piece.y0), maxX: Int(piece.x1), maxY: Int(piece.y1))
            var isHidden = false
            for index in 0..<count where recent[index].contains(rect) {
                isHidden = true
                break
            }
            if isHidden {
                open[Int(piece.batch)].count -= 1
                pieces[position].batch = -1
                dropped += 1
            } else if open[Int(piece.batch)].isOpaque, rect.area >= 256 {
                recent[next] = rect
                next = (next + 1) % 16
                count = min(count + 1, 16)
            }
            position -= 1
        }
        if dropped > 0 { pieces.removeAll { $0.batch < 0 } }
    }

    /// Opaque unscaled contents at the bottom of a pass: a plain copy beats a textured quad by far.
    private func copyBatch(_ quad: Quad, _ pass: RenderPass, _ frame: Frame) -> OpenBatch? {
        guard frame.switches.contains(.blitCopies), quad.isOpaque, quad.bounds.area * 4 >= pass.size.area,
            case .image(let key, let mapping, _, _) = quad.paint,
            let offset = frame.mappings[Int(mapping)].copyOffset
        else { return nil }
        let from = PixelPoint(x: quad.bounds.minX + offset.x, y: quad.bounds.minY + offset.y)
        // Rows and columns outside the image would be undefined; the quad's road extends the edge instead.
        let m = frame.mappings[Int(mapping)].toImage
        guard from.x >= 0, from.y >= 0, Double(from.x + quad.bounds.width) * m.a11 <= 1 + 1e-9,
            Double(from.y + quad.bounds.height) * m.a22 <= 1 + 1e-9
        else { return nil }
        let to = quad.bounds.offsetBy(x: -pass.origin.x, y: -pass.origin.y)
        var batch = BatchKey(.image, .copy)
        batch.texture = TextureSource.image(key).word
        return OpenBatch(key: batch, layer: quad.layer, copy: (from, to), count: 1, touched: to)
    }

    /// Cuts a quad into rectangles and finds each its batch.
    private mutating func cut(
        _ quad: Quad, _ index: Int32, _ pass: RenderPass, _ plan: inout FramePlan, _ frame: Frame
    ) {
        guard let use = quad.mask else {
            add(quad.bounds, quad, index, coverage: 1, tile: nil, pass, frame)
            return
        }
        frame.coverage.place(use.entry, uploads: &plan.uploads)
        let (x, y) = (Int(use.x), Int(use.y))
        for span in frame.coverage.spans(of: use.entry) {
            let rect = span.rect.offsetBy(x: x, y: y).intersection(quad.bounds)
            if !rect.isEmpty { add(rect, quad, index, coverage: span.coverage, tile: nil, pass, frame) }
        }
        let places = frame.coverage.places(of: use.entry)
        for (number, tile) in frame.coverage.tiles(of: use.entry).enumerated() {
            let whole = tile.rect.offsetBy(x: x, y: y)
            let rect = whole.intersection(quad.bounds)
            guard !rect.isEmpty else { continue }
            var inside = places[number]
            let repeats = (columns: tile.columns < tile.rect.width, rows: tile.rows < tile.rect.height)
            if !repeats.columns { inside.x += Int32(rect.minX - whole.minX) }
            if !repeats.rows { inside.y += Int32(rect.minY - whole.minY) }
            add(rect, quad, index, coverage: 1, tile: inside, pass, frame)
            pieces[pieces.count - 1].repeatsColumns = repeats.columns
            pieces[pieces.count - 1].repeatsRows = repeats.rows
        }
    }

    private mutating func add(
        _ rect: PixelRect, _ quad: Quad, _ index: Int32, coverage: Float, tile: AtlasPlace?, _ pass: RenderPass,
        _ frame: Frame
    ) {
        let target = rect.offsetBy(x: -pass.origin.x, y: -pass.origin.y)
        let key = kind(of: quad, coverage, tile, frame)
        let number: Int
        if let found = findBatch(key, target, reaching: frame.switches.contains(.batching) ? Self.lookBack : 1) {
            open[found].touched = open[found].touched.union(target)
            open[found].count += 1
            number = found
        } else {
            open.append(OpenBatch(key: key, layer: quad.layer, copy: nil, count: 1, touched: target))
            number = open.count - 1
        }
        pieces.append(
            Piece(
                x0: Int32(rect.minX), y0: Int32(rect.minY), x1: Int32(rect.maxX), y1: Int32(rect.maxY), quad: index,
                batch: Int32(number), coverage: coverage, tileX: tile?.x ?? 0, tileY: tile?.y ?? 0))
    }

    private func findBatch(_ key: BatchKey, _ rect: PixelRect, reaching: Int) -> Int? {
        open.withUnsafeBufferPointer { open in
            var position = open.count - 1
            let last = max(open.count - reaching, 0)
            while position >= last {
                let batch = open.baseAddress! + position
                if batch.pointee.key == key, batch.pointee.copy == nil { return position }
                if batch.pointee.touched.intersects(rect) { return nil }
                position -= 1
            }
            return nil
        }
    }

    /// Which program, blend and textures a rectangle of a quad needs.
    private func kind(of quad: Quad, _ coverage: Float, _ tile: AtlasPlace?, _ frame: Frame) -> BatchKey {
        let isOpaque =
            quad.isOpaquePaint && quad.color.alpha == 1 && coverage == 1 && tile == nil && quad.maskSurface < 0
            && quad.mode == .normal
        var batch = BatchKey(.solid, isOpaque ? .copy : .sourceOver)
        let page = tile.map { TextureSource.coverage(page: Int($0.page)).word } ?? 0
        var takesCoverage = page != 0
        if quad.maskSurface >= 0 || quad.mode != .normal {
            batch.maskSurface = quad.maskSurface
            if quad.maskSurface >= 0 { takesCoverage = true }
            if let blend = quad.fixedBlend {
                batch.blend = blend
            } else if quad.mode != .normal {
                batch.composite = Int32(composites.count)
                batch.blend = .copy
                takesCoverage = true
            }
        }
        switch quad.paint {
        case .solid:
            if takesCoverage, page == 0 || batch.maskSurface >= 0 || batch.composite > 0 {
                batch.program = .coveredImage
                batch.coverage = page
            } else if page != 0 {
                batch.program = .tintedImage
                batch.texture = page
            }
        case .image(let key, let mapping, let sampling, let bias):
            batch.texture = TextureSource.image(key).word
            batch.sampling = sampling
            batch.levelBias = bias
            batch.coverage = page
            let isAffine = frame.mappings[Int(mapping)].isAffine
            if sampling != .nearest, !isAffine || quad.bounds.area <= Self.preciseArea {
                batch.program = .preciseImage
            } else if takesCoverage || !isAffine {
                batch.program = .coveredImage
            } else {
                batch.program = quad.color == .white && coverage == 1 && quad.mode != .clear ? .image : .tintedImage
            }
        case .surface(let surface):
            batch.texture = TextureSource.slot(slots[Int(surface)]).word
            batch.coverage = page
            if quad.isAtSeam, batch.maskSurface < 0, batch.composite == 0 {
                batch.program = .seamImage
            } else if takesCoverage {
                batch.program = .coveredImage
            } else {
                batch.program = quad.color == .white && coverage == 1 && quad.mode != .clear ? .image : .tintedImage
            }
        case .surfaceAlpha(let surface):
            batch.texture = TextureSource.slot(slots[Int(surface)]).word
            batch.coverage = page
            batch.program = .coveredAlpha
        case .sprite(let surface, _, let sampling):
            batch.texture = TextureSource.slot(slots[Int(surface)]).word
            batch.sampling = sampling
            batch.coverage = page
            batch.program = sampling == .nearest ? .coveredImage : .preciseImage
        case .backdrop, .over:
            batch.texture = TextureSource.slot(place(of: quad.paint, frame).slot).word
            batch.coverage = page
            batch.program = .coveredImage
            batch.composite = Int32(composites.count)
            batch.blend = .copy
        }
        return batch
    }
}

// MARK: - Vertices

extension PassLowering {
    private mutating func writeBatches(
        _ quads: ContiguousArray<Quad>, into pass: inout RenderPass, _ plan: inout FramePlan, _ frame: Frame
    ) {
        if frame.switches.contains(.occlusion) { dropHiddenPieces(quads) }
        firsts.removeAll(keepingCapacity: true)
        let first = quads.startIndex
        var next = used
        for batch in open {
            firsts.append(next)
            if batch.count == 0 { continue }
            if let copy = batch.copy {
                pass.batches.append(
                    DrawBatch(
                        kind: .copy(from: copy.from, to: copy.to), blend: .copy,
                        texture: TextureSource(word: batch.key.texture, session: frame.session), layer: batch.layer))
                continue
            }
            pass.batches.append(
                DrawBatch(
                    kind: .quads(program: batch.key.program, firstVertex: next, quads: batch.count),
                    blend: batch.key.blend, texture: TextureSource(word: batch.key.texture, session: frame.session),
                    sampling: batch.key.sampling, levelBias: batch.key.levelBias,
                    coverage: TextureSource(word: batch.key.coverage, session: frame.session),
                    mask: alignedMask(batch.key.maskSurface, pass, frame),
                    composite: batch.key.composite > 0 ? composites[Int(batch.key.composite) - 1] : nil,
                    layer: batch.layer))
            next += batch.count * 6
        }
        if plan.vertices.count < next {
            let empty = PlanVertex(x: 0, y: 0, red: 0, green: 0, blue: 0, alpha: 0)
            plan.vertices.append(contentsOf: repeatElement(empty, count: next - plan.vertices.count))
        }
        used = next
        // Plain memory: an array counts references at each access.
        plan.vertices.withUnsafeMutableBufferPointer { vertices in
            quads.withUnsafeBufferPointer { quads in
                frame.mappings.withUnsafeBufferPointer { mappings in
                    for piece in pieces {
                        let batch = Int(piece.batch)
                        let quad = quads.baseAddress! + Int(piece.quad) - first
                        write(piece, quad, vertices.baseAddress! + firsts[batch], pass.origin, mappings, frame)
                        firsts[batch] += 6
                    }
                }
            }
        }
        pass.quadCount += pieces.count
        for piece in pieces { pass.pixelCount += area(of: piece, in: pass) }
    }

    /// The pixels of a rectangle that are drawn.
    private func area(of piece: Piece, in pass: RenderPass) -> Int {
        let rect = PixelRect(
            minX: Int(piece.x0) - pass.origin.x, minY: Int(piece.y0) - pass.origin.y,
            maxX: Int(piece.x1) - pass.origin.x, maxY: Int(piece.y1) - pass.origin.y)
        if pass.scissors.isEmpty { return rect.area }
        return pass.scissors.reduce(0) { $0 + $1.intersection(rect).area }
    }

    /// The slot that a paint reads and where its first pixel lies.
    private func place(of paint: Paint, _ frame: Frame) -> (slot: Int, bounds: PixelRect) {
        switch paint {
        case .surface(let surface), .surfaceAlpha(let surface), .over(let surface):
            (slots[Int(surface)], frame.surfaces[Int(surface)].bounds)
        case .backdrop(let number): filtered[Int(number)]
        case .solid, .image, .sprite: (0, .empty)
        }
    }

    private func alignedMask(_ surface: Int32, _ pass: RenderPass, _ frame: Frame) -> AlignedSlot? {
        guard surface >= 0 else { return nil }
        let bounds = frame.surfaces[Int(surface)].bounds
        return AlignedSlot(
            slot: slots[Int(surface)],
            offset: PixelPoint(x: pass.origin.x - bounds.minX, y: pass.origin.y - bounds.minY))
    }

    /// Two triangles: top left, top right, bottom left; bottom left, top right, bottom right.
    private func write(
        _ piece: Piece, _ quad: UnsafePointer<Quad>, _ vertices: UnsafeMutablePointer<PlanVertex>,
        _ origin: PixelPoint, _ mappings: UnsafeBufferPointer<ImageMapping>, _ frame: Frame
    ) {
        let color =
            quad.pointee.mode == .clear && quad.pointee.maskSurface < 0 ? .clear : quad.pointee.color * piece.coverage
        let page = Float(FramePlan.coveragePageSide)
        var s0 = Float(piece.tileX) / page
        var t0 = Float(piece.tileY) / page
        var s1 = Float(piece.tileX + piece.x1 - piece.x0) / page
        var t1 = Float(piece.tileY + piece.y1 - piece.y0) / page
        if piece.repeatsColumns {
            s0 = (Float(piece.tileX) + 0.5) / page
            s1 = s0
        }
        if piece.repeatsRows {
            t0 = (Float(piece.tileY) + 0.5) / page
            t1 = t0
        }

        func vertex(_ x: Int32, _ y: Int32, _ s: Float, _ t: Float) -> PlanVertex {
            PlanVertex(
                x: Float(Int(x) - origin.x), y: Float(Int(y) - origin.y), s: s, t: t, red: color.red,
                green: color.green, blue: color.blue, alpha: color.alpha)
        }
        var topLeft = vertex(piece.x0, piece.y0, s0, t0)
        var topRight = vertex(piece.x1, piece.y0, s1, t0)
        var bottomLeft = vertex(piece.x0, piece.y1, s0, t1)
        var bottomRight = vertex(piece.x1, piece.y1, s1, t1)
        switch quad.pointee.paint {
        case .solid:
            (topLeft.u, topLeft.v) = (s0, t0)
            (topRight.u, topRight.v) = (s1, t0)
            (bottomLeft.u, bottomLeft.v) = (s0, t1)
            (bottomRight.u, bottomRight.v) = (s1, t1)
        case .image(_, let number, _, _):
            let mapping = mappings.baseAddress! + Int(number)
            (topLeft.u, topLeft.v, topLeft.q) = mapping.pointee.corner(piece.x0, piece.y0)
            (topRight.u, topRight.v, topRight.q) = mapping.pointee.corner(piece.x1, piece.y0)
            (bottomLeft.u, bottomLeft.v, bottomLeft.q) = mapping.pointee.corner(piece.x0, piece.y1)
            (bottomRight.u, bottomRight.v, bottomRight.q) = mapping.pointee.corner(piece.x1, piece.y1)
        case .sprite(let surface, let number, _):
            // The mapping gives the surface's pixels; the slot may be larger.
            let mapping = mappings.baseAddress! + Int(number)
            let size = slotSizes[slots[Int(surface)]]
            func corner(_ x: Int32, _ y: Int32) -> (Float, Float, Float) {
                let (u, v, q) = mapping.pointee.corner(x, y)
                return (u / Float(size.width), v / Float(size.height), q)
            }
            (topLeft.u, topLeft.v, topLeft.q) = corner(piece.x0, piece.y0)
            (topRight.u, topRight.v, topRight.q) = corner(piece.x1, piece.y0)
            (bottomLeft.u, bottomLeft.v, bottomLeft.q) = corner(piece.x0, piece.y1)
            (bottomRight.u, bottomRight.v, bottomRight.q) = corner(piece.x1, piece.y1)
        case .surface, .surfaceAlpha, .backdrop, .over:
            let (slot, bounds) = place(of: quad.pointee.paint, frame)
            let size = slotSizes[slot]
            let u0 = Float(Int(piece.x0) - bounds.minX) / Float(size.width)
            let u1 = Float(Int(piece.x1) - bounds.minX) / Float(size.width)
            let v0 = Float(Int(piece.y0) - bounds.minY) / Float(size.height)
            let v1 = Float(Int(piece.y1) - bounds.minY) / Float(size.height)
            (topLeft.u, topLeft.v) = (u0, v0)
            (topRight.u, topRight.v) = (u1, v0)
            (bottomLeft.u, bottomLeft.v) = (u0, v1)
            (bottomRight.u, bottomRight.v) = (u1, v1)
        }
        vertices[0] = topLeft
        vertices[1] = topRight
        vertices[2] = bottomLeft
        vertices[3] = bottomLeft
        vertices[4] = topRight
        vertices[5] = bottomRight
    }
}
