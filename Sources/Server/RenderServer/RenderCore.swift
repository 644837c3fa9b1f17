// The render thread's own: GL, the stores of all sessions, their planners. No sockets and no threads in here: the server
// calls it from its render thread, tests from their own.

import CLinux
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
    /// The display, or something on it, is larger than the driver can draw.
    case tooLarge(String)
    /// The session has used up what it may have.
    case limit(String)
    /// The manual clock can't go back.
    case timeWentBack(from: Double, to: Double)
    case unknownSession

    package var description: String {
        switch self {
        case .graphics(let text), .tooLarge(let text), .limit(let text): text
        case .timeWentBack(let from, let to): "time went back from \(from) s to \(to) s; a manual clock only goes on"
        case .unknownSession: "the session has ended"
        }
    }
}

/// One drawn frame, without its pixels: `RenderCore.read` copies those out.
package struct RenderedFrame: Sendable {
    package var plan: FramePlan
    /// The picture is the last one again: no pass was drawn.
    package var isUnchanged: Bool
    /// One a pass; empty when timing was not asked for or nothing was drawn.
    package var timings: [PassTiming]
    /// CPU time of presenting and planning.
    package var planNanoseconds: UInt64
    /// From the first bind to the last fence; 0 when nothing was drawn.
    package var executeNanoseconds: UInt64
}

package final class RenderCore {
    private struct Session {
        var store: LayerStore
        var planner: FramePlanner
        var display: DisplayGeometry
        var time: Double
        var root: RootTarget?
        /// The root target holds the last plan's picture.
        var isDrawn = false
        /// Its tiles lie in the root target's atlas, so it can't be shared.
        let coverage = CoverageCache()
    }

    private let configuration: RenderConfiguration
    private var executor: PassExecutor?
    private var sessions: [UInt32: Session] = [:]

    package init(_ configuration: RenderConfiguration) {
        self.configuration = configuration
    }

    /// What the driver is; opens it if it isn't yet.
    package func graphics() throws(RenderFault) -> GraphicsInfo {
        try openGraphics().device.info
    }

    /// Counters of the executor; nil before anything was drawn.
    package var counters: GPUCounters? { executor?.counters }

    var holdings: ServerHoldings {
        var holdings = ServerHoldings()
        holdings.sessions = sessions.count
        for session in sessions.values {
            holdings.layers += session.store.layerCount
            holdings.images += session.store.images.count
        }
        if let executor { holdings.graphics = executor.counters }
        if debugErrorCount > 0 { holdings.graphicsErrors = debugMessages }
        return holdings
    }

    package func open(_ session: UInt32, display: DisplayGeometry) {
        var planner = FramePlanner(session: session, switches: configuration.switches)
        planner.limits = configuration.planLimits
        sessions[session] = Session(
            store: LayerStore(limits: configuration.storeLimits), planner: planner, display: display, time: 0)
    }

    package func close(_ session: UInt32) {
        guard sessions.removeValue(forKey: session) != nil else { return }
        try? executor?.releaseSession(session)
    }

    /// Applies a commit whole, or says why it can't be. Returns the images that are no longer read.
    ///
    /// Images are uploaded when everything else is found to be right, quotas above all: what can't be kept is not even
    /// begun. What the driver refuses undoes the commit like anything else it asks for.
    package func commit(
        _ transaction: Transaction, to session: UInt32
    ) throws(CommitFault) -> [ImageID] {
        guard sessions[session] != nil else { throw .render(.unknownSession) }
        var uploads: [(op: Int, image: ImageID, content: ImageContent)] = []
        for (index, op) in transaction.ops.enumerated() {
            if case .defineImage(let image, let content) = op { uploads.append((index, image, content)) }
        }
        var executor: PassExecutor?
        if !uploads.isEmpty {
            do { executor = try openGraphics() } catch { throw .render(error) }
        }
        do {
            try sessions[session]!.store.apply(transaction) { store throws(TransactionError) in
                var defined: [ImageKey] = []
                for (op, image, content) in uploads where store.images[image] != nil {
                    let key = ImageKey(session: session, image: image)
                    do throws(TransactionError) {
                        try upload(image, content, key, op, executor!)
                        defined.append(key)
                    } catch {
                        for key in defined { try? executor!.release(image: key) }
                        throw error
                    }
                }
            }
        } catch {
            throw .transaction(error)
        }
        let forgotten = sessions[session]!.store.takeForgottenImages()
        for image in forgotten { try? self.executor?.release(image: ImageKey(session: session, image: image)) }
        return forgotten
    }

    private func upload(
        _ image: ImageID, _ content: ImageContent, _ key: ImageKey, _ op: Int, _ executor: PassExecutor
    ) throws(TransactionError) {
        let all = executor.counters.imageBytesAlive
        guard content.width * content.height * content.format.bytesPerPixel <= configuration.imageBytes - all else {
            throw TransactionError(
                .tooManyBytes, opIndex: op,
                "\(image): the images of all sessions take \(all) bytes; the limit is \(configuration.imageBytes)")
        }
        do {
            try executor.define(image: key, content: content)
        } catch {
            throw TransactionError(.imageTooLarge, opIndex: op, "\(image): \(error)")
        }
    }

    /// Moves a session's manual clock to a time and draws what is shown then.
    package func render(
        _ session: UInt32, at time: Double, timing: TimingMode
    ) throws(RenderFault) -> RenderedFrame {
        guard var state = sessions.removeValue(forKey: session) else { throw .unknownSession }
        defer { sessions[session] = state }
        guard time >= state.time else { throw .timeWentBack(from: state.time, to: time) }
        state.time = time
        let executor = try openGraphics()
        let started = clinux_monotonic_nanoseconds()
        let (plan, isSame) = state.planner.plan(state.store, at: time, on: state.display, coverage: state.coverage)
        let planned = clinux_monotonic_nanoseconds()
        var frame = RenderedFrame(
            plan: plan, isUnchanged: isSame && state.isDrawn, timings: [], planNanoseconds: planned - started,
            executeNanoseconds: 0)
        if frame.isUnchanged { return frame }
        // An open timer query keeps llvmpipe off its fast road: other times, and pixels that are a level or two off.
        let timing = timing == .queries && executor.device.info.isSoftware ? .synchronous : timing
        do {
            if state.root == nil { state.root = try executor.makeRootTarget(size: state.display.size) }
            frame.timings = try executor.execute(plan, into: state.root!, timing: timing)
        } catch {
            state.isDrawn = false
            throw fault(from: error)
        }
        state.isDrawn = true
        frame.executeNanoseconds = clinux_monotonic_nanoseconds() - planned
        return frame
    }

    /// Copies pixels of the last drawn frame: premultiplied BGRA rows from the top.
    package func read(
        _ session: UInt32, _ rect: PixelRect, into memory: UnsafeMutableRawPointer, bytesPerRow: Int
    ) throws(RenderFault) {
        guard let root = sessions[session]?.root, let executor else { throw .unknownSession }
        do {
            try executor.read(root, rect, into: memory, bytesPerRow: bytesPerRow)
        } catch {
            throw .graphics("\(error)")
        }
    }

    private func fault(from error: GPUError) -> RenderFault {
        switch error {
        case .targetTooLarge, .imageTooLarge: return .tooLarge(error.description)
        case .contextLost:
            // Everything that lived in the context is gone; the next frame starts with a new one.
            executor = nil
            return .graphics(error.description)
        default: return .graphics(error.description)
        }
    }

    /// Messages of the driver that were errors since it was opened; 0 without a debug context.
    package var debugErrorCount: Int { executor?.device.debugErrorCount ?? 0 }

    package var debugMessages: [String] { executor?.device.debugMessages.map(\.description) ?? [] }

    private func openGraphics() throws(RenderFault) -> PassExecutor {
        if let executor { return executor }
        do {
            let opened = try PassExecutor(
                GraphicsDevice.open(configuration.device, debug: configuration.debug))
            if configuration.warmsUp { try opened.warmUp() }
            executor = opened
            return opened
        } catch {
            throw .graphics("\(error)")
        }
    }
}

/// Why a commit was refused.
package enum CommitFault: Error, Sendable {
    /// Also an image that the driver can't keep.
    case transaction(TransactionError)
    case render(RenderFault)
}
