import LayerGPU
import LayerModel
import LayerRender

/// How a server renders.
package struct RenderConfiguration: Sendable {
    package var device: DeviceChoice
    /// A debug context: the driver reports every error. Slower; tests use it.
    package var debug: Bool
    package var switches: Switches
    package var storeLimits: StoreLimits
    package var planLimits: PlanLimits
    /// Bytes of the images of all sessions together.
    package var imageBytes = 2 << 30
    /// Compile every program before the first frame: right for a server that stays, slow for one picture.
    package var warmsUp: Bool
    /// The loaded driver; nil for the system's. Tests bring one that fails when they say so.
    package var library: GraphicsLibrary?
    /// Plans carry their drawings, for overlays and accounts of frames.
    package var recordsDrawings = false
    /// Where both threads write what happened when.
    package var trace: FrameTrace?
    /// Refreshes a second. Sessions with a live clock are drawn at each, whoever asks; and a frame that is ready later than one
    /// refresh after it was asked for, or was due, has missed its deadline. Nil: frames are drawn when they are asked for.
    package var refresh: Double?
    /// Sees each frame after it is drawn, with the layers it shows. Called on the thread that draws.
    package var observeFrame: (@Sendable (RenderedFrame, LayerStore) -> Void)?

    package init(
        device: DeviceChoice = .automatic, debug: Bool = false, switches: Switches = .all,
        storeLimits: StoreLimits = StoreLimits(),
        planLimits: PlanLimits = PlanLimits(), warmsUp: Bool = false
    ) {
        self.device = device
        self.debug = debug
        self.switches = switches
        self.storeLimits = storeLimits
        self.planLimits = planLimits
        self.warmsUp = warmsUp
    }
}

/// Why a frame can't be drawn.
package enum RenderFault: Error, Sendable, CustomStringConvertible {
    /// No GL, or it failed: the environment's.
    case graphics(String)
    /// The graphics context is gone with everything in it. The next frame is drawn with a new one.
    case contextLost(String)
    /// What a layer shows was in a context that is gone. The client has the pixels and can define them again.
    case contentsLost(LayerID, ImageID)
    /// The driver has no memory left, not even after what was kept in reserve was given up.
    case outOfMemory(String)
    /// The display, or something on it, is larger than the driver can draw.
    case tooLarge(String)
    /// The session has used up what it may have.
    case limit(String)
    /// The manual clock can't go back.
    case timeWentBack(from: Double, to: Double)
    case unknownSession

    package var description: String {
        switch self {
        case .graphics(let text), .contextLost(let text), .outOfMemory(let text), .tooLarge(let text), .limit(let text):
            text
        case .contentsLost(let layer, let image):
            "the contents of \(layer), \(image), were lost with the graphics context; define them again"
        case .timeWentBack(let from, let to): "time went back from \(from) s to \(to) s; a manual clock only goes on"
        case .unknownSession: "the session has ended"
        }
    }
}

/// Why a commit was refused.
package enum CommitFault: Error, Sendable {
    /// Also an image that the driver can't keep.
    case transaction(TransactionError)
    case render(RenderFault)
}

/// One drawn frame, without its pixels: `RenderCore.read` copies those out.
package struct RenderedFrame: Sendable {
    package var plan: FramePlan
    /// The picture is the last one again: no pass was drawn.
    package var isUnchanged: Bool
    /// One a pass; empty when timing was not asked for or nothing was drawn.
    package var timings: [PassTiming]
    /// The machine's monotonic clock when planning began, nanoseconds.
    package var started: UInt64 = 0
    /// CPU time of presenting and planning.
    package var planNanoseconds: UInt64
    /// From the first bind to the last fence; 0 when nothing was drawn.
    package var executeNanoseconds: UInt64
    /// What was kept and what was made anew since the session's frame before.
    package var work = FrameWork()

    /// Who asked for its passes and what they cost.
    ///
    /// - Parameter store: The layers it shows.
    package func account(_ store: LayerStore) -> FrameAccount {
        FrameAccount(plan, store, times: timings.map(\.gpuNanoseconds))
    }
}
