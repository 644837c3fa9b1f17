// A session that explains its frames: the scenes are committed and drawn by a render core of this process, without a socket.
// Where no driver is, the frames are only planned, and their times are unknown. All of it runs on one thread with the stack
// that a planner needs.

import LayerGPU
import LayerModel
import LayerRender
import RenderServer

/// One frame of the session.
struct ExplainedFrame {
    var account: FrameAccount
    var work: FrameWork
    var plan: FramePlan
}

final class ExplainedSession {
    private enum Drawer {
        case core(RenderCore)
        case planner(LayerStore, FramePlanner, CoverageCache)
    }

    private static let number: UInt32 = 1
    private let first: SceneCanvas
    private var drawer: Drawer
    private let timing: TimingMode

    /// Frames are drawn, not only planned.
    var isDrawn: Bool {
        if case .core = drawer { return true }
        return false
    }

    /// - Parameters:
    ///   - canvas: The first scene: its canvas is the session's.
    ///   - configuration: How to draw.
    ///   - isSynchronous: Wait for the end of each pass.
    init(_ canvas: SceneCanvas, _ configuration: RenderConfiguration, isSynchronous: Bool) {
        first = canvas
        timing = isSynchronous ? .synchronous : .queries
        var configuration = configuration
        configuration.recordsDrawings = true
        configuration.storeLimits = .ofSession
        let core = RenderCore(configuration)
        do throws(RenderFault) {
            _ = try core.graphics()
            drawer = .core(core)
        } catch {
            Console.warn("nothing is drawn, times are unknown: \(error)")
            var planner = FramePlanner(session: Self.number, switches: configuration.switches)
            planner.recordsDrawings = true
            drawer = .planner(LayerStore(limits: .ofSession), planner, CoverageCache())
        }
    }

    /// Commits each scene in place of the one before and draws it, a sixtieth of a second after the one before.
    ///
    /// Everything is drawn once before, in another session: a program that is compiled meanwhile would count for a pass.
    func frames(of canvases: [SceneCanvas]) throws -> [ExplainedFrame] {
        var sequence = SceneSequence()
        let commits = try canvases.enumerated().map { index, canvas in
            sequence.commit(try canvas.transaction(on: first.size).ops, at: first.time + Double(index) / 60)
        }
        if case .core(let core) = drawer {
            let rehearsal = Self.number + 1
            core.open(rehearsal, display: first.display)
            for commit in commits { _ = try draw(commit, core, rehearsal) }
            core.close(rehearsal)
            do throws(RenderFault) { try core.trim() } catch { throw Self.failed(error) }
            core.open(Self.number, display: first.display)
        }
        return try commits.map(show)
    }

    private func show(_ transaction: Transaction) throws -> ExplainedFrame {
        let time = transaction.time
        switch drawer {
        case .core(let core): return try draw(transaction, core, Self.number)
        case .planner(var store, var planner, let coverage):
            do { try store.apply(transaction) } catch { throw Self.refused(error) }
            store.present(at: time)
            let (plan, isUnchanged) = planner.plan(store, at: time, on: first.display, coverage: coverage)
            drawer = .planner(store, planner, coverage)
            var work = FrameWork()
            work.isUnchanged = isUnchanged
            return ExplainedFrame(account: FrameAccount(plan, store), work: work, plan: plan)
        }
    }

    private func draw(
        _ transaction: Transaction, _ core: RenderCore, _ session: UInt32
    ) throws -> ExplainedFrame {
        do throws(CommitFault) { _ = try core.commit(transaction, to: session) } catch {
            switch error {
            case .transaction(let error): throw Self.refused(error)
            case .render(let fault): throw Self.failed(fault)
            }
        }
        do throws(RenderFault) {
            let frame = try core.render(session, at: transaction.time, timing: timing)
            let store = core.layers(of: session) ?? LayerStore()
            return ExplainedFrame(account: frame.account(store), work: frame.work, plan: frame.plan)
        } catch {
            throw Self.failed(error)
        }
    }

    /// The last frame's pixels: premultiplied BGRA rows from the top, as many bytes a row as pixels times four.
    func pixels() throws -> [UInt8] {
        guard case .core(let core) = drawer else {
            throw CommandFailure(.environment, "there is no picture without a driver", help: "rostrum doctor says more")
        }
        let size = first.pixels
        var bytes = [UInt8](repeating: 0, count: size.area * 4)
        do {
            try bytes.withUnsafeMutableBytes { memory in
                guard let base = memory.baseAddress else { return }
                try core.read(
                    Self.number, PixelRect(x: 0, y: 0, width: size.width, height: size.height), into: base,
                    bytesPerRow: size.width * 4)
            }
        } catch let fault as RenderFault {
            throw Self.failed(fault)
        }
        return bytes
    }

    private static func refused(_ error: TransactionError) -> CommandFailure {
        CommandFailure(.limit, "\(error)", help: "a server would refuse this scene, too")
    }

    private static func failed(_ fault: RenderFault) -> CommandFailure {
        switch fault {
        case .limit, .tooLarge, .outOfMemory:
            CommandFailure(.limit, "\(fault)", help: "draw less or smaller")
        case .timeWentBack: CommandFailure(.badInput, "\(fault)")
        case .graphics, .contextLost, .contentsLost, .unknownSession:
            CommandFailure(.environment, "\(fault)", help: "rostrum doctor shows what is there and what is missing")
        }
    }
}
