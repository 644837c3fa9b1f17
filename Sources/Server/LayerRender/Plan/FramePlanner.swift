// From a committed tree to a frame plan.
//
// One walk in paint order emits quads. A layer that clips or fades looks, after its subtree was emitted, at the quads it
// got: where no two of them overlap (opacity), or none overlap at the clip's rim (clips), the effect is multiplied into
// the quads, which is exact; otherwise the quads become a surface, drawn first into a target of its own, and one quad
// takes their place. So every subtree that goes offscreen has a reason that was seen, not guessed.

import LayerModel
import Paths

/// Bounds on what one frame may cost. Source: the hostile-input limits.
package struct PlanLimits: Sendable, Equatable {
    /// Surfaces inside one another.
    package var nesting = 64
    /// Bytes of all surfaces of a frame, each as large as the target it takes.
    package var surfaceBytes = 1 << 30
    /// Pixels that blend modes read of what lies below them, of all layers of a frame.
    package var pixelsReadBelow = 1 << 30
    /// Layers that are drawn once more where their shadows fall, besides eight times those of the frame.
    package var redraws = 4_096
    /// Births of particles that are looked at for a frame; emitters that come by when none are left draw nothing.
    package var births = 8 * EmitterProperties.mostParticles
    /// Pixels along a side of the driver's textures: images are kept in tiles of that, and no surface is larger.
    package var textureSide = Int.max
    /// A picture is baked where drawing it takes this much of what laying it down takes, and so many pixels more.
    package var bakingGainPercent = 150
    package var bakingGainPixels = 10_000

    package init() {}
}

/// Plans the frames of one session.
package struct FramePlanner {
    package var switches: Switches
    package var limits = PlanLimits()
    /// Plans carry their drawings, for overlays and accounts.
    package var recordsDrawings = false
    let session: UInt32

    /// Bytes of stack that planning may need. Trees may be 1,024 layers deep, each with a mask or a shadow that is drawn
    /// twice, and are walked recursively: some 50 KB a layer where nothing is optimized.
    #if DEBUG
        package static let stackBytes = 128 << 20
    #else
        package static let stackBytes = 32 << 20
    #endif

    var tree = PresentedTree()
    var quads: ContiguousArray<Quad> = []
    var mappings: ContiguousArray<ImageMapping> = []
    var surfaces: [PlannedSurface] = []
    var backdrops: [PlannedBackdrop] = []
    /// See Emitter/FramePlanner+Particles.swift.
    var particleGroups: [ParticleGroup] = []
    var simulation = EmitterSimulation()
    /// Births that may still be looked at in this frame.
    var birthsLeft = 0
    /// Some layer of the frame shows what lies behind it.
    var hasBackdrops = false
    /// A mask's subtree is being emitted: only its alpha counts.
    var isInMask = false
    /// Whose shadow was emitted last.
    var lastShadow = LayerID.none
    /// Layers around that are drawn a second time, for their shadows.
    var silhouetteDepth = 0
    /// Layers that cross others in a space that is being drawn: see FramePlanner+Seams.swift.
    var crossings: [Int32: [CrossingPlane]] = [:]
    var surfaceBytes = 0
    /// See FramePlanner+Baking.swift: of the layers being emitted; what is known of layers that may be baked.
    var carriage = Carriage()
    var verdicts: [Int32: BakeVerdict] = [:]
    var lastToken: UInt64 = 0
    /// See FramePlanner+Retained.swift.
    var retained: [Int32: RetainedDrawings] = [:]
    var isRetaining = false
    /// See FramePlanner+Patch.swift: where drawings lie; the number of the context of the layers being emitted, or -1
    /// where they get no place; what the layer being emitted draws stays as it is.
    var layout = FrameLayout()
    var placing: Int32 = -1
    var isPlaced = false
    var scratch = PresentedTree()
    var planNumber: UInt64 = 0
    var retainedInUse = 0
    /// What is known of the bitmaps that layers ask for.
    var bitmaps: [Int32: BitmapVerdict] = [:]
    /// A picture is being baked, or drawn to a bitmap: nothing in it is.
    var isBaking = false
    /// Pixels of the frame's baked pictures.
    var bakedArea = 0
    /// The display's pixels.
    var pixelsReadBelow = 0
    /// Surfaces that begin as copies and may still be drawn once more in this frame, for parts of layers that cross others.
    var oversLeft = 0
    /// Layers that may still be drawn once more in this frame, for their shadows.
    var redrawsLeft = 0
    /// Where something shows what lies behind it: for each layer how far backdrops below it see, pixels, or -1. Empty
    /// until it is asked for.
    var backdropReaches: [Int32] = []
    /// The display's pixels; inside a bitmap, what is drawn of that.
    var screen = PixelRect.empty
    /// Pixels along the longer side of the display.
    var displaySide = 0
    var notes: [PlanNote] = []
    var lowering = PassLowering()
    private var last: (plan: FramePlan, key: ReuseKey)?
    private(set) var memory: FrameMemory?
    /// What the last plan draws: in order, the display's own last.
    var shownSurfaces: [PlannedSurface] { memory?.surfaces ?? [] }
    private var memoryKey: (display: DisplayGeometry, switches: Switches)?
    var ledger = SurfaceLedger()
    /// Sprites that no plan told yet are needed no more.
    private var unusedSprites: [UInt64] = []

    /// A plan may be shown again as long as this is the same.
    private struct ReuseKey: Equatable {
        var generation: UInt64
        var display: DisplayGeometry
        var switches: Switches
        var evictions: UInt64
    }

    /// - Parameter session: Goes into the keys of the session's images.
    package init(session: UInt32, switches: Switches = .all) {
        self.session = session
        self.switches = switches
    }

    /// The plan for a time. `isUnchanged` says that it is the last one again, so nothing has to be drawn.
    /// - Complexity: O(layers); O(1) when nothing changed.
    package mutating func plan(
        _ store: LayerStore, at time: Double, on display: DisplayGeometry, coverage: CoverageCache
    ) -> (plan: FramePlan, isUnchanged: Bool) {
        let keeps = switches.contains(.cacheReuse)
        if keeps, var last, last.key == reuseKey(store, display, coverage) {
            last.plan.time = time
            last.plan.uploads = []
            return (last.plan, true)
        }
        if let patched = patch(store, at: time, on: display, coverage) { return patched }
        var plan = beginPlan(at: time, on: display)
        coverage.beginFrame(keeping: keeps)
        quads.removeAll(keepingCapacity: true)
        mappings.removeAll(keepingCapacity: true)
        surfaces.removeAll(keepingCapacity: true)
        backdrops.removeAll(keepingCapacity: true)
        particleGroups.removeAll(keepingCapacity: true)
        birthsLeft = limits.births
        crossings.removeAll()
        notes.removeAll(keepingCapacity: true)
        surfaceBytes = 0
        bakedArea = 0
        carriage = Carriage()
        if memoryKey.map({ $0.display == display && $0.switches == switches }) != true {
            verdicts.removeAll(keepingCapacity: true)
            bitmaps.removeAll(keepingCapacity: true)
            retained.removeAll(keepingCapacity: true)
            ledger.forgetTokens()
        }
        pixelsReadBelow = 0
        backdropReaches.removeAll(keepingCapacity: true)

        tree.present(store, at: time, on: display)
        let screen = PixelRect(x: 0, y: 0, width: display.size.width, height: display.size.height)
        store.records.withUnsafeBufferPointer { records in
            store.motions.withUnsafeBufferPointer { motions in
                oversLeft = 1_024
                redrawsLeft = 8 * tree.layers.count + limits.redraws
                let walk = Walk(
                    records: records, motions: motions, images: store.images, coverage: coverage, root: store.shownRoot,
                    emitters: store.emitters)
                var index = 0
                self.screen = screen
                displaySide = max(screen.width, screen.height)
                isBaking = !switches.contains(.baking)
                hasBackdrops = tree.layers.contains { records[Int($0.record)].showsBackdrop }
                placing = beginLayout(records.count)
                while index < tree.layers.count { index = emit(index, clippedTo: screen, fadedBy: 1, walk) }
                placing = -1
            }
        }
        for superlayer in tree.uncut {
            let id = superlayer >= 0 ? store.records[Int(superlayer)].id : .none
            notes.append(PlanNote(layer: id, kind: .uncutCrossing))
        }
        for record in tree.unrasterized {
            notes.append(
                PlanNote(layer: store.records[Int(record)].id, kind: .degraded(.rasterize, .bitmap(tree.bitmapLimit))))
        }
        for replicator in store.cutReplicators {
            notes.append(PlanNote(layer: replicator, kind: .instancesLeftOut(limit: store.limits.instances)))
        }
        if coverage.leftOut > 0 {
            notes.append(PlanNote(layer: .none, kind: .shapesLeftOut(coverage.leftOut, bytes: coverage.ceiling)))
        }
        let rootLayer = store.root >= 0 ? store.records[Int(store.root)] : nil
        surfaces.append(
            PlannedSurface(
                reason: .root, layer: rootLayer?.id ?? .none, bounds: screen, quads: quads, nesting: 0))
        if hasBackdrops {
            widenFirstLooks()
            shareBackdrops()
        }
        let isUnchanged = finish(&plan, display, coverage, store)
        forgetUnused()
        last = (plan, reuseKey(store, display, coverage))
        return (plan, isUnchanged)
    }

    private mutating func beginPlan(at time: Double, on display: DisplayGeometry) -> FramePlan {
        var plan = FramePlan(time: time, size: display.size)
        if let vertices = last?.plan.vertices {
            // The last plan is history: where nobody else holds it, its memory serves again.
            last = nil
            plan.vertices = vertices
        }
        return plan
    }

    /// Returns the number of the context of the root.
    private mutating func beginLayout(_ records: Int) -> Int32 {
        layout.isUsable = false
        guard switches.contains(.cacheReuse), switches.contains(.damage), !recordsDrawings, !hasBackdrops else {
            return -1
        }
        layout.begin(tree, records: records)
        return layout.number(of: FrameLayout.Context(scissor: screen, opacity: 1, carriage: carriage))
    }

    /// The records of layers that show something else than in the last plan; nil where that isn't known, or nothing is.
    func changes(of store: LayerStore, on display: DisplayGeometry, _ coverage: CoverageCache) -> [Int32]? {
        guard memory != nil, let last, last.key.display == display, last.key.switches == switches,
            last.key.evictions == coverage.evictions
        else { return nil }
        return store.changes.since(last.key.generation)
    }

    /// Compares with the last frame, decides what is drawn, and writes the passes. True when nothing has to be.
    private mutating func finish(
        _ plan: inout FramePlan, _ display: DisplayGeometry, _ coverage: CoverageCache, _ store: LayerStore
    ) -> Bool {
        var new = FrameMemory(
            surfaces: surfaces, mappings: mappings, backdrops: backdrops, evictions: coverage.evictions)
        new.particles = particleGroups
        new.looksBelow = quads.contains(where: \.readsBackdrop)
        var old = memoryKey.map { $0.display == display && $0.switches == switches } == true ? memory : nil
        memory = nil
        ledger.number(&new, after: old)
        if switches.contains(.damage) { plan.damage = FrameDamage(from: old, to: new, screen: screen).rects }
        let isUnchanged = draw(new, before: old?.contents ?? [], into: &plan, display, coverage, store)
        if notes.contains(where: \.isDegradation) || coverage.leftOut > 0 || !hasBirthsToSpare {
            layout.isUsable = false
        }
        layout.mappings = mappings.count
        layout.surfaces = surfaces.count
        layout.bitmaps = tree.bitmapPlaces.count
        layout.particles = particleGroups.count
        // The memory of the frame before last serves the next one.
        surfaces = []
        quads = old?.surfaces.popLast()?.quads ?? []
        mappings = old?.mappings ?? []
        old = nil
        memory = new
        memoryKey = (display, switches)
        return isUnchanged
    }

    /// Decides what is drawn of a frame, and writes the passes. True when nothing has to be.
    private mutating func draw(
        _ frame: FrameMemory, before: [UInt64], into plan: inout FramePlan, _ display: DisplayGeometry,
        _ coverage: CoverageCache, _ store: LayerStore
    ) -> Bool {
        var treatments = [SurfaceLedger.Treatment](repeating: .draw, count: frame.surfaces.count)
        if switches.contains(.sprites) {
            let (decided, forgotten) = ledger.treat(
                frame, after: before, at: plan.time, damage: plan.damage, byteLimit: display.size.area * 4 * 5 / 2)
            treatments = decided
            unusedSprites += forgotten
        }
        plan.notes = notes
        let isUnchanged = plan.damage?.isEmpty == true
        if !isUnchanged {
            plan.forgottenSprites = unusedSprites
            plan.forgottenRasters = coverage.rasters.takeForgotten()
            unusedSprites = []
            lowering.lower(
                frame.surfaces, frame.backdrops, frame.particles, treatments, into: &plan,
                background: display.background.premultiplied,
                session: session, switches: switches, mappings: frame.mappings, coverage: coverage, store: store)
        }
        if recordsDrawings { plan.drawings = drawings(frame, treatments, store, coverage) }
        return isUnchanged
    }

    // MARK: Patches

    /// The last frame's drawings, to be exchanged: those of the display and the mappings take the place of what is
    /// emitted, and what comes next is emitted after them.
    mutating func takeMemory() -> FrameMemory {
        var frame = memory!
        memory = nil
        backdrops.removeAll(keepingCapacity: true)
        swap(&mappings, &frame.mappings)
        var root = frame.surfaces.removeLast()
        swap(&quads, &root.quads)
        surfaces = frame.surfaces
        frame.surfaces = [root]
        particleGroups = frame.particles
        frame.particles = []
        birthsLeft = limits.births
        return frame
    }

    /// As it was.
    mutating func putBack(_ frame: inout FrameMemory) {
        swap(&mappings, &frame.mappings)
        var root = frame.surfaces.removeLast()
        swap(&quads, &root.quads)
        frame.surfaces = surfaces + [root]
        surfaces = []
        frame.particles = particleGroups
        memory = frame
    }

    /// Makes a plan of a frame whose drawings were exchanged.
    mutating func conclude(
        _ frame: FrameMemory, before: [UInt64], damage: [PixelRect]?, _ store: LayerStore, at time: Double,
        on display: DisplayGeometry, _ coverage: CoverageCache
    ) -> (plan: FramePlan, isUnchanged: Bool) {
        var plan = beginPlan(at: time, on: display)
        plan.damage = damage
        let isUnchanged = draw(frame, before: before, into: &plan, display, coverage, store)
        surfaces = []
        mappings = []
        memory = frame
        last = (plan, reuseKey(store, display, coverage))
        return (plan, isUnchanged)
    }

    private func reuseKey(_ store: LayerStore, _ display: DisplayGeometry, _ coverage: CoverageCache) -> ReuseKey {
        ReuseKey(
            generation: store.generation, display: display, switches: switches, evictions: coverage.evictions)
    }
}
