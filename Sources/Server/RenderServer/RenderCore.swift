// The render thread's own: GL, the stores of all sessions, their planners. No sockets and no threads in here: the server
// calls it from its render thread, tests from their own.

import CLinux
import LayerGPU
import LayerModel
import LayerRender

package final class RenderCore {
    private let configuration: RenderConfiguration
    private var executor: PassExecutor?
    private var sessions: [UInt32: RenderSession] = [:]
    /// Contexts that were lost, each with everything in it.
    package private(set) var contextsLost = 0
    /// How often the driver had no memory; what it was asked for is tried once more without what is kept in reserve.
    package private(set) var outOfMemory = 0
    /// Nanoseconds of giving images to the driver, of the last commit.
    private(set) var uploadNanoseconds: UInt64 = 0
    /// When freed memory was last given back to the system.
    private var lastTrim = clinux_monotonic_nanoseconds()
    private static let trimInterval: UInt64 = 10_000_000_000
    /// Told what concerns every session.
    var log: (String) -> Void = { _ in }

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
        holdings.contextsLost = contextsLost
        holdings.outOfMemory = outOfMemory
        for session in sessions.values {
            holdings.layers += session.store.layerCount
            holdings.images += session.store.images.count
        }
        if let executor { holdings.graphics = executor.counters }
        if debugErrorCount > 0 { holdings.graphicsErrors = debugMessages }
        return holdings
    }

    package func open(_ session: UInt32, display: DisplayGeometry) {
        sessions[session] = RenderSession(session, display: display, configuration)
    }

    package func close(_ session: UInt32) {
        guard let closed = sessions.removeValue(forKey: session) else { return }
        if closed.isRefreshed { refreshed.removeAll { $0 == session } }
        try? executor?.releaseSession(session)
        // Pixels that sessions and drivers free leave holes of many megabytes, which the allocator keeps for itself.
        let now = clinux_monotonic_nanoseconds()
        guard now - lastTrim >= Self.trimInterval else { return }
        lastTrim = now
        clinux_trim_heap()
    }

    // MARK: Commits

    /// An image that a commit defines.
    private struct Upload {
        var op: Int
        var image: ImageID
        var content: ImageContent
    }

    /// Applies a commit whole, or says why it can't be. Returns the images that are no longer read.
    ///
    /// Images are uploaded when everything else is found to be right, quotas above all: what can't be kept is not even
    /// begun. What the driver refuses undoes the commit like anything else it asks for. A context that is lost meanwhile
    /// undoes it too; it is applied once more with a new one.
    package func commit(
        _ transaction: Transaction, to session: UInt32
    ) throws(CommitFault) -> [ImageID] {
        uploadNanoseconds = 0
        guard sessions[session] != nil else { throw .render(.unknownSession) }
        var uploads: [Upload] = []
        for (index, op) in transaction.ops.enumerated() {
            if case .defineImage(let image, let content) = op {
                uploads.append(Upload(op: index, image: image, content: content))
            }
        }
        do {
            try apply(transaction, uploads, to: session)
        } catch {
            guard case .render(.contextLost) = error else { throw error }
            try apply(transaction, uploads, to: session)
        }
        let forgotten = sessions[session]!.store.takeForgottenImages()
        for image in forgotten { try? self.executor?.release(image: ImageKey(session: session, image: image)) }
        return forgotten
    }

    private func apply(
        _ transaction: Transaction, _ uploads: [Upload], to session: UInt32
    ) throws(CommitFault) {
        var executor: PassExecutor?
        if !uploads.isEmpty {
            do { executor = try openGraphics() } catch { throw .render(error) }
        }
        var lost: GPUError?
        do {
            try sessions[session]!.store.apply(transaction) { store throws(TransactionError) in
                var defined: [ImageKey] = []
                for upload in uploads where store.images[upload.image] != nil {
                    let key = ImageKey(session: session, image: upload.image)
                    do throws(TransactionError) {
                        try define(upload, key, executor!, &lost)
                        defined.append(key)
                    } catch {
                        for key in defined { try? executor!.release(image: key) }
                        throw error
                    }
                }
            }
        } catch {
            guard let lost else { throw .transaction(error) }
            loseGraphics(lost)
            throw .render(.contextLost(lost.description))
        }
    }

    /// - Parameter lost: Set where the error is the context's end.
    private func define(
        _ upload: Upload, _ key: ImageKey, _ executor: PassExecutor, _ lost: inout GPUError?
    ) throws(TransactionError) {
        let all = executor.counters.imageBytesAlive
        let content = upload.content
        let started = clinux_monotonic_nanoseconds()
        defer { uploadNanoseconds += clinux_monotonic_nanoseconds() - started }
        guard content.width * content.height * content.format.bytesPerPixel <= configuration.imageBytes - all else {
            throw TransactionError(
                .tooManyBytes, opIndex: upload.op,
                "\(upload.image): the images of all sessions take \(all) bytes; the limit is \(configuration.imageBytes)"
            )
        }
        do throws(GPUError) {
            do throws(GPUError) {
                try executor.define(image: key, content: content)
            } catch {
                guard case .outOfMemory = error else { throw error }
                outOfMemory += 1
                try executor.trim()
                try executor.define(image: key, content: content)
            }
        } catch {
            if error.endsContext { lost = error }
            throw TransactionError(.imageTooLarge, opIndex: upload.op, "\(upload.image): \(error)")
        }
    }

    // MARK: Frames

    /// Moves a session's manual clock to a time and draws what is shown then.
    ///
    /// A lost context, or memory that the driver does not have, is met once by a new context, or by giving up the targets
    /// that are kept in reserve; then it is the frame's error.
    package func render(
        _ session: UInt32, at time: Double, timing: TimingMode
    ) throws(RenderFault) -> RenderedFrame {
        guard var state = sessions.removeValue(forKey: session) else { throw .unknownSession }
        defer { sessions[session] = state }
        guard time >= state.time || state.isLive else { throw .timeWentBack(from: state.time, to: time) }
        state.time = max(time, state.time)
        let frame = try drawTwice(&state, timing)
        for image in state.store.takeForgottenImages() {
            try? executor?.release(image: ImageKey(session: session, image: image))
        }
        configuration.observeFrame?(frame, state.store)
        return frame
    }

    // MARK: Live clocks

    /// Sessions that are drawn at each refresh.
    private(set) var refreshed: [UInt32] = []

    func startRefreshing(_ session: UInt32) {
        sessions[session]?.isLive = true
        setRefreshed(session, true)
    }

    func stopRefreshing(_ session: UInt32) { setRefreshed(session, false) }

    private func setRefreshed(_ session: UInt32, _ isRefreshed: Bool) {
        sessions[session]?.isRefreshed = isRefreshed
        refreshed = sessions.values.filter(\.isRefreshed).map(\.number).sorted()
    }

    /// What a session shows at a refresh.
    func refresh(_ session: UInt32, at time: Double, timing: TimingMode) throws(RenderFault) -> RenderedFrame {
        let frame = try render(session, at: time, timing: timing)
        if !frame.isUnchanged { sessions[session]!.hasNewRefresh = true }
        return frame
    }

    /// True, once, where a refresh drew something since the last call.
    func takeNewRefresh(of session: UInt32) -> Bool {
        guard sessions[session]?.hasNewRefresh == true else { return false }
        sessions[session]!.hasNewRefresh = false
        return true
    }

    private func drawTwice(_ state: inout RenderSession, _ timing: TimingMode) throws(RenderFault) -> RenderedFrame {
        do {
            return try draw(&state, timing)
        } catch {
            switch error {
            case .contextLost: break
            case .outOfMemory: try? executor?.trim()
            default: throw error
            }
            return try draw(&state, timing)
        }
    }

    private func draw(_ state: inout RenderSession, _ timing: TimingMode) throws(RenderFault) -> RenderedFrame {
        let executor = try openGraphics()
        let started = clinux_monotonic_nanoseconds()
        let (plan, isUnchanged) = state.plan(textureSide: executor.device.info.maxTextureSize)
        let planned = clinux_monotonic_nanoseconds()
        var frame = RenderedFrame(
            plan: plan, isUnchanged: isUnchanged, timings: [], planNanoseconds: planned - started,
            executeNanoseconds: 0)
        frame.started = started
        if isUnchanged {
            frame.work = state.takeWork(executor.counters)
            frame.work.isUnchanged = true
            return frame
        }
        // An open timer query keeps llvmpipe off its fast road: other times, and pixels that are a level or two off.
        let timing = timing == .queries && executor.device.info.isSoftware ? .synchronous : timing
        do {
            if state.root == nil { state.root = try executor.makeRootTarget(size: state.display.size) }
            frame.timings = try executor.execute(plan, into: state.root!, timing: timing)
        } catch {
            state.forgetDrawing()
            try? executor.releaseRasters(of: state.number)
            throw fault(from: error, in: state)
        }
        state.isDrawn = true
        frame.executeNanoseconds = clinux_monotonic_nanoseconds() - planned
        frame.work = state.takeWork(executor.counters)
        frame.work.notePictures(of: plan)
        return frame
    }

    /// Gives up targets that are kept in reserve.
    package func trim() throws(RenderFault) {
        do { try executor?.trim() } catch {
            if error.endsContext { loseGraphics(error) }
            throw .graphics(error.description)
        }
    }

    /// The layers of a session as committed; nil for one that is not there.
    package func layers(of session: UInt32) -> LayerStore? { sessions[session]?.store }

    /// Copies pixels of the last drawn frame: premultiplied BGRA rows from the top.
    package func read(
        _ session: UInt32, _ rect: PixelRect, into memory: UnsafeMutableRawPointer, bytesPerRow: Int
    ) throws(RenderFault) {
        guard let state = sessions[session], let root = state.root, let executor else { throw .unknownSession }
        do {
            try executor.read(root, rect, into: memory, bytesPerRow: bytesPerRow)
        } catch {
            throw fault(from: error, in: state)
        }
    }

    // MARK: The driver's faults

    private func fault(from error: GPUError, in session: RenderSession) -> RenderFault {
        if error.endsContext {
            loseGraphics(error)
            return .contextLost(error.description)
        }
        switch error {
        case .targetTooLarge: return .tooLarge(error.description)
        case .imageUnknown(let key, _): return .contentsLost(session.layer(showing: key.image), key.image)
        case .outOfMemory:
            outOfMemory += 1
            return .outOfMemory(error.description)
        default: return .graphics(error.description)
        }
    }

    /// Lets go of everything that lived in the context: roots, atlases, images, programs. What comes next opens another.
    /// The stores stay. A session that shows an image hears that it is lost, and has it defined again.
    private func loseGraphics(_ error: GPUError) {
        contextsLost += 1
        let images = executor?.counters.imagesAlive ?? 0
        for session in Array(sessions.keys) { sessions[session]!.forgetDrawing() }
        executor = nil
        log("graphics: \(error); \(images) images of \(sessions.count) other sessions went with it")
    }

    /// Messages of the driver that were errors since it was opened; 0 without a debug context.
    package var debugErrorCount: Int { executor?.device.debugErrorCount ?? 0 }

    package var debugMessages: [String] { executor?.device.debugMessages.map(\.description) ?? [] }

    private func openGraphics() throws(RenderFault) -> PassExecutor {
        if let executor { return executor }
        do {
            let opened = try PassExecutor(
                GraphicsDevice.open(
                    configuration.device, debug: configuration.debug, library: configuration.library))
            if configuration.warmsUp { try opened.warmUp() }
            executor = opened
            return opened
        } catch {
            throw .graphics("\(error)")
        }
    }
}
