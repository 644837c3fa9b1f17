import LayerGPU
import LayerModel
import LayerRender

/// What the render thread keeps for one session.
struct RenderSession {
    let number: UInt32
    var store: LayerStore
    let display: DisplayGeometry
    /// Seconds: where the client's clock was last seen.
    var time = 0.0
    /// The clock is the machine's: a time that has just passed is now.
    var isLive = false
    /// Drawn at each refresh.
    var isRefreshed = false
    /// A refresh drew something that no capture has shown yet.
    var hasNewRefresh = false
    private(set) var planner: FramePlanner
    /// Its tiles lie in the root target's atlas, so it can't be shared.
    private(set) var coverage = CoverageCache()
    var root: RootTarget?
    /// The root target holds the last plan's picture.
    var isDrawn = false
    /// Counts up to the last frame.
    var counted = FrameWork()

    init(_ number: UInt32, display: DisplayGeometry, _ configuration: RenderConfiguration) {
        self.number = number
        self.display = display
        store = LayerStore(limits: configuration.storeLimits)
        planner = FramePlanner(session: number, switches: configuration.switches)
        planner.limits = configuration.planLimits
        planner.recordsDrawings = configuration.recordsDrawings
    }

    /// What is shown at the session's time. `isUnchanged`: the root holds it already.
    /// - Parameter textureSide: Pixels, of the driver that draws it; another one only after `forgetDrawing`.
    mutating func plan(textureSide: Int) -> (plan: FramePlan, isUnchanged: Bool) {
        planner.limits.textureSide = textureSide
        store.present(at: time)
        let (plan, isSame) = planner.plan(store, at: time, on: display, coverage: coverage)
        store.beginChanges()
        return (plan, isSame && isDrawn)
    }

    /// Starts over with the root, its atlas, and all that was planned for them: after an error nobody knows which tiles
    /// arrived, and in a new context there are none.
    mutating func forgetDrawing() {
        root = nil
        isDrawn = false
        coverage = CoverageCache()
        let old = planner
        planner = FramePlanner(session: number, switches: old.switches)
        planner.limits = old.limits
        planner.recordsDrawings = old.recordsDrawings
        counted.masksFound = 0
        counted.masksMade = 0
        counted.evictions = 0
    }

    /// What happened since the last call. Counts of the graphics are those of all sessions.
    mutating func takeWork(_ counters: GPUCounters) -> FrameWork {
        var now = FrameWork()
        now.masksFound = Int(clamping: coverage.hits)
        now.masksMade = Int(clamping: coverage.misses)
        now.evictions = Int(clamping: coverage.evictions)
        now.targetsMade = counters.targetsMade
        now.targetsReused = counters.targetsReused
        now.imagePixelsUploaded = counters.imagePixelsUploaded
        now.coveragePixelsUploaded = counters.coveragePixelsUploaded
        now.targetBytes = counters.targetBytesAlive
        now.imageBytes = counters.imageBytesAlive
        defer { counted = now }
        return now - counted
    }

    /// The first layer in the table that shows an image.
    func layer(showing image: ImageID) -> LayerID {
        store.records.first { $0.id != .none && $0.properties.contents == image }?.id ?? .none
    }
}
