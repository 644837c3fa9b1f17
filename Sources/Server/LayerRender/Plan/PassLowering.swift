// From surfaces and quads to passes, batches and vertices.
//
// A quad becomes rectangles: one where it covers whole pixels, the spans and tiles of its mask otherwise. A rectangle may
// join an earlier batch of its kind if it touches nothing drawn since, so that many layers share few calls and the
// picture stays the same. Vertices are written last, batch by batch.

import LayerModel
import Paths

struct PassLowering {
    /// One rectangle of a quad on its way into a batch.
    struct Piece {
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
    struct BatchKey: Equatable {
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
        /// A number of its own for each run of particles; 0 for all others.
        var particles: Int32 = 0

        init(_ program: DrawProgram, _ blend: DrawBlend) {
            self.program = program
            self.blend = blend
        }

        static func == (a: BatchKey, b: BatchKey) -> Bool {
            a.texture == b.texture && a.coverage == b.coverage && a.levelBias == b.levelBias && a.program == b.program
                && a.blend == b.blend && a.sampling == b.sampling && a.maskSurface == b.maskSurface
                && a.composite == b.composite && a.particles == b.particles
        }
    }

    struct OpenBatch {
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
    static let lookBack = 8

    /// Up to this many pixels, scaled images are weighed exactly instead of by the sampler: 512 by 512.
    static let preciseArea = 262_144

    var pieces: ContiguousArray<Piece> = []
    var open: ContiguousArray<OpenBatch> = []
    var firsts: [Int] = []
    /// See PassLowering+Particles.swift.
    var spriteRuns: [SpriteRun] = []
    var cutVertices: ContiguousArray<PlanVertex> = []
    /// Vertices of the plan that are written; what lies behind them is left from an earlier plan.
    var used = 0

    /// What a lowering reads, fixed for a frame.
    struct Frame {
        var session: UInt32
        var switches: Switches
        var mappings: ContiguousArray<ImageMapping>
        var coverage: CoverageCache
        var surfaces: [PlannedSurface]
        var backdrops: [PlannedBackdrop]
        var particles: [ParticleGroup]
        var store: LayerStore
    }

    /// The slot of each surface, once it is drawn.
    var slots: [Int] = []
    var slotSizes: [PixelSize] = []
    var pool = SlotPool()
    /// Where each backdrop's result lies while its surface is drawn.
    var filtered: [(slot: Int, bounds: PixelRect)] = []
    /// Of the display, in this frame; nil is all of it.
    var damage: [PixelRect]?
    /// What the backdrops of each name see in the surface being drawn, and the copy of it once there is one.
    var groups: [String: PixelRect] = [:]
    var groupCopies: [String: Int] = [:]
    /// What becomes of those copies, by the backdrop whose steps others of the name share.
    var groupResults: [Int32: Int] = [:]
    /// Copies that several surfaces begin as.
    var sharedCopies: [Int32: Int] = [:]
    /// The surfaces, one in another, that are being drawn onto copies of what lies below them; the innermost last.
    var outer: [OuterSurface] = []
    /// How often each surface will still be read.
    var readers: [Int] = []
    /// What the numbers in keys stand for.
    var composites: [DrawComposite] = []

    /// Fills in passes, slots, vertices and uploads. The last surface is the root's. Vertices that the plan has from an
    /// earlier one are memory to write into.
    mutating func lower(
        _ surfaces: [PlannedSurface], _ backdrops: [PlannedBackdrop], _ particles: [ParticleGroup],
        _ treatments: [SurfaceLedger.Treatment], into plan: inout FramePlan,
        background: PremultipliedColor, session: UInt32, switches: Switches,
        mappings: ContiguousArray<ImageMapping>, coverage: CoverageCache, store: LayerStore
    ) {
        var surfaces = surfaces
        if let damage = plan.damage, backdrops.isEmpty {
            // Of the display, only what is drawn is looked at.
            let root = surfaces.count - 1
            surfaces[root].quads = surfaces[root].quads.filter { quad in
                damage.contains { $0.intersects(quad.bounds) }
            }
        }
        used = 0
        defer { plan.vertices.removeLast(plan.vertices.count - used) }
        let frame = Frame(
            session: session, switches: switches, mappings: mappings, coverage: coverage, surfaces: surfaces,
            backdrops: backdrops, particles: particles, store: store)
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
            release(surface, within: isRoot ? damage : nil, frame)
        }
    }

    /// A surface is drawn: what it read may go. What begins as a copy is drawn for each drawing of it, and has gone already.
    mutating func release(_ surface: PlannedSurface, within parts: [PixelRect]?, _ frame: Frame) {
        surface.forEachSource(within: parts) { source in
            readers[source] -= 1
            if readers[source] == 0, slots[source] >= 0, !frame.surfaces[source].isOver { pool.giveBack(slots[source]) }
        }
    }

    /// How often each surface is read by one that is drawn: by one that begins as a copy, each time that is drawn.
    static func readers(
        of surfaces: [PlannedSurface], _ treatments: [SurfaceLedger.Treatment], _ damage: [PixelRect]?
    ) -> [Int] {
        var readers = [Int](repeating: 0, count: surfaces.count)
        for index in surfaces.indices.reversed() {
            let isRoot = index == surfaces.count - 1
            if !isRoot, readers[index] == 0 { continue }
            if case .kept = treatments[index] { continue }
            let times = surfaces[index].isOver ? readers[index] : 1
            surfaces[index].forEachSource(within: isRoot ? damage : nil) { readers[$0] += times }
        }
        return readers
    }

    func label(of layer: LayerID, _ store: LayerStore) -> String {
        guard layer != .none, let index = store.index(of: layer) else { return "display" }
        return store.records[Int(index)].properties.name ?? layer.description
    }
}

// MARK: - One pass

extension PassLowering {
    mutating func draw(
        _ surface: PlannedSurface, into pass: inout RenderPass, _ plan: inout FramePlan, _ frame: Frame
    ) {
        begin()
        if !surface.isOver {
            // What is drawn over something sees the same copies as that.
            outer = []
            groups = FrameMemory.captures(of: surface.quads, frame.surfaces, frame.backdrops)
            groupCopies = [:]
            groupResults = [:]
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
                if case .image(let key, _, _, _) = quad.paint {
                    frame.coverage.rasters.place(key, uploads: &plan.rasters)
                }
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
        giveBackSharedCopies(of: surface, frame)
        if !surface.isOver {
            for slot in groupCopies.values { pool.giveBack(slot) }
            for slot in groupResults.values { pool.giveBack(slot) }
        }
    }

    mutating func begin() {
        pieces.removeAll(keepingCapacity: true)
        spriteRuns.removeAll(keepingCapacity: true)
        cutVertices.removeAll(keepingCapacity: true)
        open.removeAll(keepingCapacity: true)
        composites.removeAll(keepingCapacity: true)
    }
}
