// One epoll loop for the listener, every session and the replies of the render thread. It never blocks on a client: what
// a client does not read is queued up to a limit, what it does not finish sending is waited for up to a deadline.

import CLinux
import Glibc
import LayerModel
import LayerRender
import LayerWire
import Synchronization

enum WireCommand: Sendable {
    /// A session over a descriptor that this server made itself.
    case adopt(Int32)
    case stop
}

final class WireThread: @unchecked Sendable {
    let commands: Mailbox<WireCommand>
    private let jobs: Mailbox<RenderJob>
    private let replies: Mailbox<RenderReply>
    private let configuration: ServerConfiguration
    private var listener: ServerListener?
    private let epoll: Int32
    private var sessions: [UInt32: WireSession] = [:]
    private var nextSession: UInt32 = 1
    private let published = Mutex(ServerStatistics())

    /// Keys of what epoll watches besides sessions, whose keys are their numbers.
    private enum Key {
        static let listener = UInt64.max
        static let commands = UInt64.max - 1
        static let replies = UInt64.max - 2
    }

    init(
        _ configuration: ServerConfiguration, jobs: Mailbox<RenderJob>, replies: Mailbox<RenderReply>,
        listener: ServerListener?
    ) throws(ServerError) {
        self.configuration = configuration
        self.jobs = jobs
        self.replies = replies
        self.listener = listener
        commands = try Mailbox()
        epoll = clinux_epoll()
        guard epoll >= 0 else { throw ServerError("epoll: \(String(cString: clinux_error_text(-epoll)))") }
        _ = clinux_epoll_control(epoll, 1, commands.descriptor, CLINUX_READABLE, Key.commands)
        _ = clinux_epoll_control(epoll, 1, replies.descriptor, CLINUX_READABLE, Key.replies)
        if let listener { _ = clinux_epoll_control(epoll, 1, listener.descriptor, CLINUX_READABLE, Key.listener) }
    }

    deinit { close(epoll) }

    var statistics: ServerStatistics { published.withLock { $0 } }

    func run() {
        var events = [clinux_event](repeating: clinux_event(), count: 64)
        while true {
            let count = clinux_epoll_wait(epoll, &events, Int32(events.count), nextTimeout())
            for event in events.prefix(max(Int(count), 0)) {
                switch event.key {
                case Key.commands: if !handleCommands() { return }
                case Key.replies: handleReplies()
                case Key.listener: while let fd = listener?.accept() { add(fd) }
                default:
                    if let session = sessions[UInt32(truncatingIfNeeded: event.key)] {
                        serve(session, events: event.events)
                    }
                }
            }
            endSlowSessions()
        }
    }

    // MARK: Sessions come and go

    private func handleCommands() -> Bool {
        var isStopping = false
        func handle(_ command: WireCommand) {
            switch command {
            case .adopt(let fd):
                _ = clinux_set_blocking(fd, false)
                if isStopping { close(fd) } else { add(fd) }
            case .stop: isStopping = true
            }
        }
        commands.takeAll().forEach(handle)
        guard isStopping else { return true }
        commands.close().forEach(handle)
        for session in Array(sessions.values) { end(session) }
        // Nobody can connect any more: whoever tries is told at once.
        listener = nil
        jobs.put(.stop)
        replies.close()
        return false
    }

    private func add(_ fd: Int32) {
        published.withLock { $0.accepted += 1 }
        let session = WireSession(number: nextSession, descriptor: fd, patience: configuration.limits.patience)
        guard sessions.count < Int(configuration.limits.sessions) else {
            let error = ProtocolError(
                .tooManySessions, "the server has \(sessions.count) sessions, which is its limit")
            session.channel.enqueue(
                .refused(
                    Fault(error, serial: 0, isFatal: true), oldest: WireVersion.oldest, newest: WireVersion.newest),
                serial: 0)
            _ = session.channel.send()
            log("refused a client: \(error.message)")
            return
        }
        nextSession &+= 1
        sessions[session.number] = session
        _ = clinux_epoll_control(epoll, 1, fd, CLINUX_READABLE, UInt64(session.number))
        publish()
    }

    private func end(_ session: WireSession) {
        guard sessions.removeValue(forKey: session.number) != nil else { return }
        _ = clinux_epoll_control(epoll, 3, session.channel.descriptor, 0, 0)
        if session.isOpen {
            jobs.put(.close(session.number))
            configuration.observe?(session.number, 0, .goodbye)
        }
        publish()
    }

    private func publish() {
        let count = sessions.count
        published.withLock { $0.sessions = count }
    }

    private func log(_ line: String) { configuration.log(line) }

    /// Milliseconds until somebody's patience ends; -1 for nobody's.
    private func nextTimeout() -> Int32 {
        var nearest: UInt64?
        for session in sessions.values {
            if let deadline = session.deadline { nearest = min(nearest ?? deadline, deadline) }
        }
        guard let nearest else { return -1 }
        let now = clinux_monotonic_nanoseconds()
        return nearest <= now ? 0 : Int32(clamping: (nearest - now) / 1_000_000 + 1)
    }

    private func endSlowSessions() {
        let now = clinux_monotonic_nanoseconds()
        for session in Array(sessions.values) where session.deadline.map({ $0 <= now }) ?? false {
            let what = session.isOpen ? "a message" : "the handshake"
            fail(
                session, 0,
                ProtocolError(.tooSlow, "\(what) was not complete within \(configuration.limits.patience) s"))
        }
    }

    // MARK: Talking

    private func serve(_ session: WireSession, events: Int32) {
        if events & CLINUX_WRITABLE != 0 { flush(session) }
        guard events & (CLINUX_READABLE | CLINUX_HUNG_UP) != 0, sessions[session.number] != nil else { return }
        guard !session.isOverloaded else {
            // Not read, so a client that is gone would be reported again and again.
            if events & CLINUX_HUNG_UP != 0 { end(session) }
            return
        }
        do {
            // A few reads a turn: a client that floods does not keep others waiting.
            for _ in 0..<4 {
                switch try session.channel.receive() {
                case .moved: break
                case .wouldBlock: return
                case .closed:
                    if session.isOpen { log("session \(session.number) (\(session.name)) left") }
                    return end(session)
                }
                try takeMessages(of: session)
                guard sessions[session.number] != nil, !session.isOverloaded else { return }
            }
        } catch {
            fail(session, session.serial, error)
        }
    }

    /// Deals with every whole message that has come, as long as the session's commits under way are not too much.
    private func takeMessages(of session: WireSession) throws(ProtocolError) {
        let limits = configuration.limits
        var count = 0
        while sessions[session.number] != nil, !session.isOverloaded,
            let message = try session.channel.next(
                maximumBytes: Int(limits.messageBytes), maximumDescriptors: Int(limits.messageDescriptors))
        {
            session.serial = message.serial
            try handle(message, from: session)
            count += 1
        }
        guard sessions[session.number] != nil else { return }
        session.noteProgress(now: clinux_monotonic_nanoseconds(), isNewMessage: count > 0)
        watch(session)
    }

    /// Tells epoll what to look at.
    private func watch(_ session: WireSession) {
        let events =
            (session.isOverloaded ? 0 : CLINUX_READABLE) | (session.isWaitingToWrite ? CLINUX_WRITABLE : 0)
        guard events != session.watchedEvents else { return }
        session.watchedEvents = events
        _ = clinux_epoll_control(epoll, 2, session.channel.descriptor, events, UInt64(session.number))
    }

    private func handle(_ message: IncomingMessage, from session: WireSession) throws(ProtocolError) {
        guard session.isOpen || message.type == .hello else {
            throw ProtocolError(.unexpectedMessage, "a \(message.type) before the hello")
        }
        if message.type == .commit || message.type == .commitInFile {
            guard session.credits > 0 else {
                throw ProtocolError(
                    .noCredit, "a commit without a credit; \(configuration.limits.credits) are under way")
            }
            session.credits -= 1
        }
        let received = clinux_monotonic_nanoseconds()
        let decoded: ClientMessage
        do throws(ProtocolError) {
            guard let message = try session.decode(message, configuration.limits) else { return }
            decoded = message
        } catch {
            guard session.isOpen, error.code.leavesSession else { throw error }
            return refuse(session, message.serial, error)
        }
        if case .hello(let hello) = decoded {
            try open(session, hello)
            configuration.observe?(session.number, message.serial, decoded)
            return
        }
        if decoded != .goodbye { configuration.observe?(session.number, message.serial, decoded) }
        switch decoded {
        case .hello, .attach, .commitInFile: break
        case .commit(let transaction):
            session.noteCommit(transaction)
            let arrival = session.takeArrival(received: received, decoded: clinux_monotonic_nanoseconds())
            jobs.put(.commit(session.number, serial: message.serial, transaction, arrival))
        case .capture(let time, let options):
            guard session.captures < Int(configuration.limits.frames) * 2 else {
                throw ProtocolError(.tooManyFrames, "\(session.captures) captures are under way")
            }
            session.captures += 1
            jobs.put(.capture(session.number, serial: message.serial, time: time, options, asked: received))
        case .releaseFrame(let buffer):
            guard session.heldFrames.remove(buffer) != nil else {
                let error = ProtocolError(.badValue, offset: 0, "frame buffer \(buffer) is not the client's to release")
                return report(session, message.serial, error)
            }
            jobs.put(.releaseFrame(session.number, buffer: buffer))
        case .ping:
            guard session.pings < 64 else {
                throw ProtocolError(.doesNotRead, "64 pings without a look at the answers")
            }
            session.pings += 1
            jobs.put(.ping(session.number, serial: message.serial))
        case .goodbye: end(session)
        case .phases(let phases): session.note(phases)
        case .live: jobs.put(.live(session.number))
        }
    }

    private func open(_ session: WireSession, _ hello: Hello) throws(ProtocolError) {
        guard !session.isOpen else { throw ProtocolError(.unexpectedMessage, "a second hello") }
        let side = configuration.limits.imageSide
        guard hello.width > 0, hello.height > 0, hello.width <= side, hello.height <= side else {
            throw ProtocolError(
                .badDisplay, "a display of \(hello.width)x\(hello.height) pixels; each side must be 1 to \(side)")
        }
        guard hello.scale.isFinite, hello.scale > 0, hello.scale <= 1_000, hello.background.isFinite else {
            throw ProtocolError(.badDisplay, "a display's scale must be above 0 and at most 1000, its color finite")
        }
        let bytes = UInt64(hello.width) * UInt64(hello.height) * 4
        guard bytes <= configuration.limits.imageBytes else {
            throw ProtocolError(
                .badDisplay,
                "a display of \(hello.width)x\(hello.height) pixels takes \(bytes) bytes a frame; the limit is \(configuration.limits.imageBytes)"
            )
        }
        session.isOpen = true
        session.name = String(RecordingText.escaped(hello.clientName).prefix(80))
        session.credits = configuration.limits.credits
        log("session \(session.number): \(session.name), \(hello.width)x\(hello.height) at scale \(hello.scale)")
        jobs.put(
            .open(
                session.number,
                DisplayGeometry(
                    size: PixelSize(width: Int(hello.width), height: Int(hello.height)), scale: hello.scale,
                    isFlipped: hello.isFlipped, background: hello.background)))
        session.channel.enqueue(
            .welcome(Welcome(limits: configuration.limits, serverName: "rostrum \(serverVersion)")), serial: 0)
        flush(session)
    }

    private func handleReplies() {
        var relieved: [WireSession] = []
        var answered: [UInt32] = []
        for reply in replies.takeAll() {
            guard let session = sessions[reply.session] else { continue }
            switch reply.message {
            case .credits(let count):
                session.credits += count
                let wasOverloaded = session.isOverloaded
                session.noteCommitDone()
                if wasOverloaded, !session.isOverloaded { relieved.append(session) }
            case .frame(let frame): if frame.buffer != 0 { session.heldFrames.insert(frame.buffer) }
            case .fault: published.withLock { $0.faults += 1 }
            case .pong: session.pings -= 1
            default: break
            }
            if reply.answersCapture { session.captures -= 1 }
            session.channel.enqueue(
                reply.message, serial: reply.serial, descriptors: reply.buffer.map { [$0.descriptor] } ?? [],
                owners: reply.buffer.map { [$0] } ?? [])
            session.noteQueued(reply.message)
            if answered.last != reply.session { answered.append(reply.session) }
        }
        for number in answered {
            if let session = sessions[number] { flush(session) }
        }
        for session in relieved where sessions[session.number] != nil {
            do throws(ProtocolError) { try takeMessages(of: session) } catch { fail(session, session.serial, error) }
        }
    }

    private func flush(_ session: WireSession) {
        switch session.channel.send() {
        case .closed: return end(session)
        case .moved:
            session.isWaitingToWrite = false
            watch(session)
        case .wouldBlock:
            guard session.unreadBytes <= Int(configuration.limits.unreadBytes) else {
                log("session \(session.number) (\(session.name)) does not read its replies; ended")
                published.withLock { $0.faults += 1 }
                return end(session)
            }
            session.isWaitingToWrite = true
            watch(session)
        }
    }

    /// Tells a client that nothing of a commit was taken, and goes on.
    private func refuse(_ session: WireSession, _ serial: UInt32, _ error: ProtocolError) {
        session.credits += 1
        session.channel.enqueue(.credits(1), serial: serial)
        report(session, serial, error)
    }

    /// Tells a client what it did wrong, and goes on.
    private func report(_ session: WireSession, _ serial: UInt32, _ error: ProtocolError) {
        log("session \(session.number) (\(session.name)): \(error)")
        published.withLock { $0.faults += 1 }
        session.channel.enqueue(.fault(Fault(error, serial: serial, isFatal: false)), serial: serial)
        flush(session)
    }

    /// Tells a client what it did wrong and ends its session.
    private func fail(_ session: WireSession, _ serial: UInt32, _ error: ProtocolError) {
        log("session \(session.number) (\(session.name)): \(error)")
        published.withLock { $0.faults += 1 }
        let fault = Fault(error, serial: serial, isFatal: true)
        if session.isOpen {
            session.channel.enqueue(.fault(fault), serial: serial)
        } else {
            session.channel.enqueue(
                .refused(fault, oldest: WireVersion.oldest, newest: WireVersion.newest), serial: serial)
        }
        _ = session.channel.send()
        end(session)
    }
}
