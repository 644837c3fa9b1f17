// The thread that owns GL: does the sessions' jobs in turn, answers to the wire thread. What one session does wrong ends
// at its own reply.

import CLinux
import LayerGPU
import LayerModel
import LayerRender
import LayerWire

/// What the wire thread asks for.
enum RenderJob: Sendable {
    case open(UInt32, DisplayGeometry)
    case commit(UInt32, serial: UInt32, Transaction, CommitArrival = CommitArrival())
    /// `asked`: when the message was whole, nanoseconds.
    case capture(UInt32, serial: UInt32, time: Double, CaptureOptions, asked: UInt64 = 0)
    case releaseFrame(UInt32, buffer: UInt32)
    case ping(UInt32, serial: UInt32)
    /// The session's clock is the machine's monotonic one.
    case live(UInt32)
    case close(UInt32)
    case inspect(@Sendable (ServerHoldings) -> Void)
    case stop
}

/// What goes back to a session.
struct RenderReply: Sendable {
    var session: UInt32
    var serial: UInt32
    var message: ServerMessage
    /// Sent along, for the first frame in a buffer.
    var buffer: FrameBuffer?
    var answersCapture = false
}

final class RenderThread: @unchecked Sendable {
    let jobs: Mailbox<RenderJob>
    /// Readable for good when the thread has let go of everything.
    let ended: Mailbox<Void>
    private let replies: Mailbox<RenderReply>
    /// Answers on their way out. Those to commits wait where the next job is their session's frame: the client wakes once.
    private var unsent: [RenderReply] = []
    private let configuration: RenderConfiguration
    private let frameLimit: Int
    private let frameBytes: Int
    private let log: @Sendable (String) -> Void
    private var core: RenderCore
    private var chronicle: FrameChronicle
    private var buffers: [UInt32: [HeldBuffer]] = [:]
    private var nextBuffer: UInt32 = 1
    private var refreshes: RefreshGrid?

    /// A frame's memory and whether the client has it.
    private struct HeldBuffer {
        var buffer: FrameBuffer
        var isOut: Bool
        /// The parts whose pixels are older than the session's last frame; nil is all of it.
        var stale: [PixelRect]?
    }

    init(
        _ configuration: RenderConfiguration, frameLimit: Int, frameBytes: Int, replies: Mailbox<RenderReply>,
        log: @escaping @Sendable (String) -> Void
    ) throws(ServerError) {
        self.configuration = configuration
        self.frameLimit = frameLimit
        self.frameBytes = frameBytes
        self.replies = replies
        self.log = log
        jobs = try Mailbox()
        ended = try Mailbox()
        core = RenderCore(configuration)
        chronicle = FrameChronicle(configuration)
        refreshes = configuration.refresh.map { RefreshGrid(rate: $0) }
        core.log = log
    }

    /// Does jobs until `.stop` comes; what waits then is dropped, as its sessions are over.
    func run() {
        var queue = JobQueue()
        while true {
            for job in queue.isEmpty ? waitForJobs() : jobs.takeAll() {
                if case .stop = job {
                    jobs.close()
                    if let summary = chronicle.deadlines?.summary { log(summary) }
                    core = RenderCore(configuration)
                    buffers = [:]
                    ended.put(())
                    return
                }
                queue.add(job)
            }
            // A refresh goes before what waits: that is what keeps a motion even while commits come in.
            refreshIfDue(othersWait: !queue.isEmpty)
            if let job = queue.next() {
                if !isFrame(job, of: unsent) { sendReplies() }
                perform(job)
                if case .commit = job { continue }
                sendReplies()
            }
        }
    }

    private func isFrame(_ job: RenderJob, of answered: [RenderReply]) -> Bool {
        guard case .capture(let session, _, _, _, _) = job else { return false }
        return answered.allSatisfy { $0.session == session }
    }

    private func sendReplies() {
        guard !unsent.isEmpty else { return }
        replies.put(all: unsent)
        unsent.removeAll(keepingCapacity: true)
    }

    private func waitForJobs() -> [RenderJob] {
        sendReplies()
        guard let refreshes, !core.refreshed.isEmpty else { return jobs.waitForAll() }
        return jobs.takeAll(waitingUntil: refreshes.next)
    }

    /// Draws what sessions with a live clock show at a refresh, for the time of the refresh. Nobody asked for these frames and
    /// nobody gets them, but a capture that follows finds them drawn.
    private func refreshIfDue(othersWait: Bool) {
        guard refreshes != nil, !core.refreshed.isEmpty, let refresh = refreshes!.take(at: FrameChronicle.now) else {
            return
        }
        sendReplies()
        defer { if othersWait { refreshes!.leaveRoom(after: FrameChronicle.now) } }
        for session in core.refreshed {
            let started = FrameChronicle.now
            do throws(RenderFault) {
                let timing: TimingMode = chronicle.trace == nil ? .off : .queries
                let frame = try core.refresh(session, at: refresh.time, timing: timing)
                noteDamage(of: frame, session)
                let times = FrameChronicle.FrameTimes(
                    asked: refresh.nanoseconds, started: started, ended: FrameChronicle.now)
                let (_, line) = chronicle.noteFrame(frame, session, times, core.counters, isRefresh: true)
                if let line { log(line) }
            } catch {
                core.stopRefreshing(session)
                log("session \(session) is refreshed no further: \(error)")
            }
        }
    }

    private func perform(_ job: RenderJob) {
        switch job {
        case .open(let session, let display):
            core.open(session, display: display)
            // The client is still building its tree: open the driver meanwhile.
            do { _ = try core.graphics() } catch { log("graphics: \(error)") }
        case .commit(let session, let serial, let transaction, let arrival):
            commit(session, serial, transaction, arrival)
        case .capture(let session, let serial, let time, let options, let asked):
            capture(session, serial, time, options, asked: asked)
        case .releaseFrame(let session, let id):
            if let index = buffers[session]?.firstIndex(where: { $0.buffer.id == id }) {
                buffers[session]![index].isOut = false
            }
        case .ping(let session, let serial):
            unsent.append(RenderReply(session: session, serial: serial, message: .pong))
        case .live(let session):
            if refreshes != nil { core.startRefreshing(session) }
        case .close(let session):
            core.close(session)
            chronicle.close(session)
            buffers[session] = nil
        case .inspect(let answer):
            var holdings = core.holdings
            holdings.missedDeadlines = chronicle.deadlines?.missed ?? 0
            holdings.frameBuffers = buffers.values.reduce(0) { $0 + $1.count }
            answer(holdings)
        case .stop: break
        }
    }

    private func commit(
        _ session: UInt32, _ serial: UInt32, _ transaction: Transaction, _ arrival: CommitArrival
    ) {
        let started = FrameChronicle.now
        defer {
            chronicle.noteCommit(
                session, serial, transaction, arrival, started: started, upload: core.uploadNanoseconds)
        }
        do {
            let released = try core.commit(transaction, to: session)
            if !released.isEmpty {
                unsent.append(RenderReply(session: session, serial: serial, message: .released(released)))
            }
        } catch {
            switch error {
            case .transaction(let error): refuse(session, serial, Fault(error, serial: serial))
            case .render(let fault): refuse(session, serial, self.fault(fault, serial))
            }
        }
        unsent.append(RenderReply(session: session, serial: serial, message: .credits(1)))
    }

    private func capture(
        _ session: UInt32, _ serial: UInt32, _ time: Double, _ options: CaptureOptions, asked: UInt64
    ) {
        var times = FrameChronicle.FrameTimes(asked: asked, started: FrameChronicle.now, ended: 0)
        do throws(RenderFault) {
            let isTimed = options.contains(.timings) || chronicle.trace != nil
            let timing: TimingMode = options.contains(.synchronous) ? .synchronous : isTimed ? .queries : .off
            var frame = try core.render(session, at: time, timing: timing)
            noteDamage(of: frame, session)
            var buffer: FrameBuffer?
            var isNew = false
            if options.contains(.pixels) {
                (buffer, isNew) = try takeBuffer(session, frame.plan.size)
                times.readStarted = FrameChronicle.now
                do throws(RenderFault) {
                    try read(&frame, session, timing, into: buffer!)
                    setStale(buffer!, session, [])
                } catch {
                    takeBack(buffer!, session, isNew: isNew)
                    throw error
                }
            }
            times.ended = FrameChronicle.now
            let (commits, line) = chronicle.noteFrame(frame, session, times, core.counters)
            if let line { log(line) }
            let isUnchanged = !core.takeNewRefresh(of: session) && frame.isUnchanged
            unsent.append(
                RenderReply(
                    session: session, serial: serial,
                    message: .frame(reply(frame, isUnchanged, buffer?.id ?? 0, options, commits)),
                    buffer: isNew ? buffer : nil,
                    answersCapture: true))
        } catch {
            refuse(session, serial, fault(error, serial), answersCapture: true)
        }
    }

    /// Copies a frame's pixels. A context that is lost meanwhile took them along: the frame is drawn again in the next one.
    private func read(
        _ frame: inout RenderedFrame, _ session: UInt32, _ timing: TimingMode, into buffer: FrameBuffer
    ) throws(RenderFault) {
        let size = frame.plan.size
        let rowBytes = size.width * 4
        func read(_ parts: [PixelRect]) throws(RenderFault) {
            for part in parts {
                try core.read(
                    session, part, into: buffer.memory + part.minY * rowBytes + part.minX * 4, bytesPerRow: rowBytes)
            }
        }
        let whole = [PixelRect(x: 0, y: 0, width: size.width, height: size.height)]
        let stale = buffers[session]?.first { $0.buffer.id == buffer.id }?.stale
        do {
            try read((stale ?? nil) ?? whole)
        } catch {
            guard case .contextLost = error else { throw error }
            frame = try core.render(session, at: frame.plan.time, timing: timing)
            noteDamage(of: frame, session)
            try read(whole)
        }
    }

    /// What a frame changed is old in every buffer that held an earlier one.
    private func noteDamage(of frame: RenderedFrame, _ session: UInt32) {
        guard !frame.isUnchanged, let held = buffers[session] else { return }
        for index in held.indices {
            guard let damage = frame.plan.damage, let stale = held[index].stale else {
                buffers[session]![index].stale = nil
                continue
            }
            buffers[session]![index].stale = PixelRect.covering(stale + damage)
        }
    }

    private func setStale(_ buffer: FrameBuffer, _ session: UInt32, _ stale: [PixelRect]) {
        guard let index = buffers[session]?.firstIndex(where: { $0.buffer.id == buffer.id }) else { return }
        buffers[session]![index].stale = stale
    }

    private func takeBuffer(_ session: UInt32, _ size: PixelSize) throws(RenderFault) -> (FrameBuffer, Bool) {
        var held = buffers[session] ?? []
        if let index = held.firstIndex(where: { !$0.isOut }) {
            buffers[session]![index].isOut = true
            return (held[index].buffer, false)
        }
        guard held.count < frameLimit else {
            throw .limit("all \(frameLimit) frames of the session are held by the client; release some")
        }
        guard held.isEmpty || (held.count + 1) * size.area * 4 <= frameBytes else {
            throw .limit(
                "the client holds \(held.count) frames of \(size); more than \(frameBytes) bytes; release some")
        }
        do {
            let buffer = try FrameBuffer(id: nextBuffer, count: size.area * 4)
            nextBuffer &+= 1
            held.append(HeldBuffer(buffer: buffer, isOut: true))
            buffers[session] = held
            return (buffer, true)
        } catch {
            throw .limit("\(error)")
        }
    }

    /// A buffer that the client does not get after all.
    private func takeBack(_ buffer: FrameBuffer, _ session: UInt32, isNew: Bool) {
        guard let index = buffers[session]?.firstIndex(where: { $0.buffer.id == buffer.id }) else { return }
        if isNew { buffers[session]!.remove(at: index) } else { buffers[session]![index].isOut = false }
    }

    private func reply(
        _ frame: RenderedFrame, _ isUnchanged: Bool, _ buffer: UInt32, _ options: CaptureOptions, _ commits: [CommitRow]
    ) -> FrameReply {
        let size = frame.plan.size
        var rows: [PassRow] = []
        if options.contains(.timings), !frame.isUnchanged {
            rows = frame.timings.map { row in
                PassRow(
                    label: row.label, reason: row.reason.rawValue, layer: row.layer,
                    width: UInt32(row.size.width), height: UInt32(row.size.height), quads: UInt32(row.quads),
                    draws: UInt32(row.draws), pixels: UInt64(row.pixels), cpuNanoseconds: row.cpuNanoseconds,
                    gpuNanoseconds: row.gpuNanoseconds)
            }
        }
        return FrameReply(
            time: frame.plan.time, width: UInt32(size.width), height: UInt32(size.height),
            bytesPerRow: UInt32(size.width * 4), buffer: buffer, isUnchanged: isUnchanged,
            passesDrawn: frame.isUnchanged ? 0 : UInt32(frame.plan.passes.count),
            planNanoseconds: frame.planNanoseconds, drawNanoseconds: frame.executeNanoseconds,
            plan: options.contains(.plan) ? frame.plan.text : "", passes: rows,
            degradations: frame.plan.notes.filter(\.isDegradation).prefix(64).map { "\($0.layer): \($0.kind.text)" },
            commits: options.contains(.timings) ? commits : [])
    }

    private func fault(_ fault: RenderFault, _ serial: UInt32) -> Fault {
        let code: ProtocolError.Code
        var layer: LayerID?
        switch fault {
        case .graphics, .contextLost, .outOfMemory: code = .graphics
        case .contentsLost(let shows, _):
            code = .contentsLost
            layer = shows
        case .tooLarge, .limit: code = .limit
        case .timeWentBack: code = .timeWentBack
        case .unknownSession: code = .unexpectedMessage
        }
        return Fault(code: code.rawValue, isFatal: false, serial: serial, layer: layer, message: fault.description)
    }

    private func refuse(_ session: UInt32, _ serial: UInt32, _ fault: Fault, answersCapture: Bool = false) {
        log("session \(session): \(fault)")
        unsent.append(
            RenderReply(session: session, serial: serial, message: .fault(fault), answersCapture: answersCapture))
    }
}
