// The client's end of a session: plain calls that block, with a deadline on every wait, so that a server that dies or
// hangs is an error and never a hang.

import CLinux
import Glibc
import LayerModel

/// Why a session with a server can't begin or go on.
package enum ConnectionError: Error, Sendable, CustomStringConvertible {
    /// Nothing can be reached at the path.
    case cannotConnect(path: String, String)
    case refused(Fault, oldest: UInt16, newest: UInt16)
    /// The server can't do what was asked; the session goes on.
    case rejected(Fault)
    case closed(String)
    case timedOut(String, seconds: Double)
    /// Whoever waited for the server does not want to any more.
    case givenUp(String)
    /// What the server sent makes no sense.
    case confused(ProtocolError)
    case system(String)
    case limit(String)

    package var description: String {
        switch self {
        case .cannotConnect(let path, let why):
            "no render server at \(path): \(why). Start one with: rostrum serve --socket \(path)"
        case .refused(let fault, let oldest, let newest):
            "the render server refused the session: \(fault.message) (it speaks versions \(oldest) to \(newest))"
        case .rejected(let fault): fault.message
        case .closed(let why): "the render server ended the session: \(why)"
        case .timedOut(let what, let seconds): "no \(what) from the render server within \(seconds) s"
        case .givenUp(let what): "the wait for the render server's \(what) was given up"
        case .confused(let error): "the render server's reply can't be read: \(error)"
        case .system(let text): text
        case .limit(let text): text
        }
    }
}

/// A frame with its pixels, if they were asked for.
package struct CapturedFrame: Sendable {
    package var reply: FrameReply
    /// Premultiplied BGRA rows from the top. Give it back with `ClientConnection.release`.
    package var buffer: FrameBuffer?
}

package final class ClientConnection {
    package let welcome: Welcome
    /// Seconds to wait for a frame.
    package var patience = 60.0

    private let channel: MessageChannel
    /// Up to this many bytes of commits wait to be sent with something else.
    private static let waitingBytes = 16 << 10
    private var serial: UInt32 = 0
    private var credits: UInt32
    private var buffers: [UInt32: FrameBuffer] = [:]
    private var faults: [Fault] = []
    private var ending: ConnectionError?

    /// Sees each message that shapes frames as it is sent, with its serial: for recordings.
    package typealias Observer = (UInt32, ClientMessage) -> Void
    private let observer: Observer?

    /// Asked ten times a second while the server is waited for; true ends the session with `.givenUp`.
    package typealias GivingUp = () -> Bool
    private let isGivenUp: GivingUp

    /// Connects to a server's socket and shakes hands.
    package convenience init(
        path: String, hello: Hello, observer: Observer? = nil, isGivenUp: @escaping GivingUp = { false }
    ) throws(ConnectionError) {
        let fd = clinux_connect(path)
        guard fd >= 0 else {
            let why: String
            switch -fd {
            case ENOENT: why = "the path does not exist"
            case ECONNREFUSED: why = "nothing listens there any more"
            case ENAMETOOLONG: why = "the path is longer than \(clinux_socket_path_limit()) bytes"
            default: why = String(cString: clinux_error_text(-fd))
            }
            throw .cannotConnect(path: path, why)
        }
        try self.init(descriptor: fd, hello: hello, observer: observer, isGivenUp: isGivenUp)
    }

    /// Takes one end of a socket pair over and shakes hands.
    package init(
        descriptor: Int32, hello: Hello, patience: Double = 30, observer: Observer? = nil,
        isGivenUp: @escaping GivingUp = { false }
    ) throws(ConnectionError) {
        channel = MessageChannel(descriptor: descriptor)
        self.observer = observer
        self.isGivenUp = isGivenUp
        _ = clinux_set_blocking(descriptor, false)
        channel.enqueue(.hello, serial: 0) { ClientMessage.hello(hello).encode(into: &$0) }
        let wait = Wait(seconds: patience, isGivenUp)
        // A server that refuses at once may have closed already: what it said is read all the same.
        do { try Self.flush(channel, wait) } catch {
            guard case .closed = error else { throw error }
        }
        let first = try Self.receive(channel, "welcome", wait)
        switch first.message {
        case .welcome(let welcome):
            self.welcome = welcome
            credits = welcome.limits.credits
        case .refused(let fault, let oldest, let newest): throw .refused(fault, oldest: oldest, newest: newest)
        case .fault(let fault): throw .refused(fault, oldest: WireVersion.oldest, newest: WireVersion.newest)
        default: throw .confused(ProtocolError(.unexpectedMessage, "\(first.message.type) instead of a welcome"))
        }
        observer?(0, .hello(hello))
    }

    // MARK: Commits

    /// Sends a commit. Waits for a credit where none is left.
    /// - Parameters:
    ///   - phases: What was done for it so far; the encoding is added here. Nil says nothing.
    ///   - canWait: A small one goes out with what is sent next. For sessions in which nothing shows by itself.
    /// - Returns: The serial that faults of this commit carry.
    @discardableResult
    package func commit(
        _ transaction: Transaction, phases: CommitPhases? = nil, canWait: Bool = false
    ) throws(ConnectionError) -> UInt32 {
        try checkOpen()
        if credits == 0 {
            try flush()
            let wait = Wait(seconds: patience, isGivenUp)
            while credits == 0 { try handle(Self.receiveOrFail(self, "credit", wait)) }
        }
        credits -= 1
        serial &+= 1
        let started = clinux_monotonic_nanoseconds()
        var files: [PixelStorage] = []
        do {
            for case .defineImage(_, let content) in transaction.ops {
                files.append(
                    content.pixels.descriptor >= 0
                        ? content.pixels : try content.pixels.withBytes { try SealedFile.storage(copying: $0) })
            }
        } catch {
            throw fail(.system("pixels can't be shared: \(error)"))
        }
        guard files.count <= UInt16.max else { throw fail(.limit("a commit defines at most \(UInt16.max) images")) }
        var next: UInt16 = 0
        var writer = ByteWriter()
        ClientMessage.commit(transaction).encode(into: &writer) { _ in
            defer { next += 1 }
            return next
        }
        if var phases {
            phases.sent = clinux_monotonic_nanoseconds()
            phases.encode += phases.sent - started
            channel.enqueue(.phases, serial: serial) { ClientMessage.phases(phases).encode(into: &$0) }
        }
        try enqueue(writer.bytes, files)
        if !canWait || !files.isEmpty || channel.unsentBytes > Self.waitingBytes { try flush() }
        observer?(serial, .commit(transaction))
        return serial
    }

    /// In one message where it fits; in a sealed file, with the descriptors ahead of it, where it doesn't.
    private func enqueue(_ payload: [UInt8], _ files: [PixelStorage]) throws(ConnectionError) {
        let limits = welcome.limits
        let perMessage = min(max(Int(limits.messageDescriptors), 1), 32)
        let isLong = payload.count > Int(limits.messageBytes)
        guard payload.count <= Int(limits.commitBytes) else {
            throw fail(.limit("a commit of \(payload.count) bytes; the server takes \(limits.commitBytes)"))
        }
        // The message of a long commit carries the file itself, too.
        let last = isLong ? perMessage - 1 : perMessage
        var sent = 0
        while files.count - sent > last {
            let part = files[sent..<min(sent + perMessage, files.count)]
            channel.enqueue(.attach, serial: serial, descriptors: part.map(\.descriptor), owners: Array(part)) { _ in }
            sent += part.count
        }
        let rest = Array(files[sent...])
        if isLong {
            let file: PixelStorage
            do { file = try payload.withUnsafeBytes { try SealedFile.storage(copying: $0) } } catch {
                throw fail(.system("the commit can't be shared: \(error)"))
            }
            channel.enqueue(
                .commitInFile, serial: serial, descriptors: [file.descriptor] + rest.map(\.descriptor),
                owners: [file] + rest
            ) { $0.write(UInt32(payload.count)) }
        } else {
            channel.enqueue(.commit, serial: serial, descriptors: rest.map(\.descriptor), owners: rest) { writer in
                payload.withUnsafeBytes { writer.write(raw: $0) }
            }
        }
    }

    // MARK: Frames

    /// Moves the session's clock to a time and waits for what shows then.
    package func capture(at time: Double, _ options: CaptureOptions) throws(ConnectionError) -> CapturedFrame {
        try checkOpen()
        serial &+= 1
        let mine = serial
        channel.enqueue(.capture, serial: mine) { ClientMessage.capture(time: time, options).encode(into: &$0) }
        try flush()
        observer?(mine, .capture(time: time, options))
        let wait = Wait(seconds: patience, isGivenUp)
        while true {
            let received = try Self.receiveOrFail(self, "frame", wait)
            if case .frame(let reply) = received.message, received.serial == mine {
                return CapturedFrame(reply: reply, buffer: try buffer(for: reply, received.descriptors))
            }
            if case .fault(let fault) = received.message, fault.serial == mine, !fault.isFatal {
                throw .rejected(fault)
            }
            try handle(received)
        }
    }

    private func buffer(
        for reply: FrameReply, _ descriptors: ReceivedDescriptors
    ) throws(ConnectionError) -> FrameBuffer? {
        guard reply.buffer != 0 else { return nil }
        let (count, overflow) = Int(reply.bytesPerRow).multipliedReportingOverflow(by: Int(reply.height))
        guard !overflow, count > 0, Int(reply.bytesPerRow) >= Int(reply.width) * 4 else {
            throw fail(
                .confused(
                    ProtocolError(
                        .badImage, "a frame of \(reply.width)x\(reply.height) with \(reply.bytesPerRow) bytes a row")))
        }
        if let known = buffers[reply.buffer] {
            guard count <= known.count else {
                throw fail(.confused(ProtocolError(.badImage, "a frame larger than its memory")))
            }
            return known
        }
        guard let fd = descriptors.takeFirst() else {
            throw fail(.confused(ProtocolError(.missingDescriptor, "a frame without its memory")))
        }
        do {
            let buffer = try FrameBuffer(id: reply.buffer, mapping: fd, count: count)
            buffers[reply.buffer] = buffer
            return buffer
        } catch {
            throw fail(.confused(error))
        }
    }

    /// Lets the server draw into a frame's memory again. It goes out with what is sent next: nobody needs it before.
    package func release(_ buffer: FrameBuffer) {
        guard ending == nil else { return }
        channel.enqueue(.releaseFrame, serial: 0) { ClientMessage.releaseFrame(buffer.id).encode(into: &$0) }
    }

    // MARK: Replies

    /// What the server found fault with since the last call.
    package func takeFaults() -> [Fault] {
        defer { faults.removeAll() }
        return faults
    }

    /// Says that the session's clock is the machine's monotonic one. It goes out with what is sent next.
    package func noteLiveClock() {
        guard ending == nil else { return }
        channel.enqueue(.live, serial: 0) { _ in }
    }

    /// Waits until the server has dealt with everything sent so far.
    package func synchronize() throws(ConnectionError) {
        try checkOpen()
        serial &+= 1
        let mine = serial
        channel.enqueue(.ping, serial: mine) { _ in }
        try flush()
        let wait = Wait(seconds: patience, isGivenUp)
        while true {
            let received = try Self.receiveOrFail(self, "answer", wait)
            if case .pong = received.message, received.serial == mine { return }
            try handle(received)
        }
    }

    /// Says goodbye and closes. Later calls throw `.closed`.
    package func close() {
        guard ending == nil else { return }
        channel.enqueue(.goodbye, serial: 0) { _ in }
        _ = channel.send()
        ending = .closed("it was closed")
        shutdown(channel.descriptor, Int32(SHUT_WR))
    }

    private func handle(_ received: Received) throws(ConnectionError) {
        switch received.message {
        case .credits(let count): credits = UInt32(clamping: UInt64(credits) + UInt64(count))
        case .fault(let fault):
            if fault.isFatal { throw fail(.closed(fault.description)) }
            faults.append(fault)
        case .released, .pong: break
        case .frame(let reply):
            // A frame nobody waits for any more.
            if let buffer = try buffer(for: reply, received.descriptors) { release(buffer) }
        case .welcome, .refused:
            throw fail(.confused(ProtocolError(.unexpectedMessage, "a second \(received.message.type)")))
        }
    }

    private func checkOpen() throws(ConnectionError) {
        if let ending { throw ending }
    }

    private func fail(_ error: ConnectionError) -> ConnectionError {
        if ending == nil { ending = error }
        return error
    }

    // MARK: Waiting

    private struct Received {
        var message: ServerMessage
        var serial: UInt32
        var descriptors: ReceivedDescriptors
    }

    /// How long an answer is waited for.
    private struct Wait {
        let seconds: Double
        let isGivenUp: GivingUp
        let end: UInt64

        init(seconds: Double, _ isGivenUp: @escaping GivingUp) {
            self.seconds = seconds
            self.isGivenUp = isGivenUp
            end = clinux_monotonic_nanoseconds() + UInt64(max(seconds, 0) * 1e9)
        }
    }

    private func flush() throws(ConnectionError) {
        do {
            try Self.flush(channel, Wait(seconds: patience, isGivenUp))
        } catch {
            throw fail(lastWords() ?? error)
        }
    }

    /// What a server that closed the session said before.
    private func lastWords() -> ConnectionError? {
        while true {
            guard let progress = try? channel.receive() else { return nil }
            while let message = try? channel.next(maximumBytes: WireLimits.replyBytes, maximumDescriptors: 16) {
                let decoded = message.payload.withUnsafeBytes { try? ServerMessage.decode(message.type, $0) }
                if case .fault(let fault) = decoded, fault.isFatal { return .closed(fault.description) }
                if case .refused(let fault, _, _) = decoded { return .closed(fault.description) }
            }
            guard case .moved = progress else { return nil }
        }
    }

    private static func receiveOrFail(
        _ connection: ClientConnection, _ what: String, _ wait: Wait
    ) throws(ConnectionError) -> Received {
        do {
            return try receive(connection.channel, what, wait)
        } catch {
            throw connection.fail(error)
        }
    }

    private static func flush(_ channel: MessageChannel, _ wait: Wait) throws(ConnectionError) {
        while true {
            switch channel.send() {
            case .moved: return
            case .closed: throw .closed("the connection broke")
            case .wouldBlock: try poll(channel, CLINUX_WRITABLE, "progress", wait)
            }
        }
    }

    private static func receive(
        _ channel: MessageChannel, _ what: String, _ wait: Wait
    ) throws(ConnectionError) -> Received {
        do {
            while true {
                if let message = try channel.next(maximumBytes: WireLimits.replyBytes, maximumDescriptors: 16) {
                    let decoded = try message.payload.withUnsafeBytes { bytes throws(ProtocolError) in
                        try ServerMessage.decode(message.type, bytes)
                    }
                    return Received(message: decoded, serial: message.serial, descriptors: message.descriptors)
                }
                switch try channel.receive() {
                case .moved: continue
                case .closed: throw ConnectionError.closed("the connection broke; the server may have died")
                case .wouldBlock: try poll(channel, CLINUX_READABLE, what, wait)
                }
            }
        } catch let error as ConnectionError {
            throw error
        } catch let error as ProtocolError {
            throw .confused(error)
        } catch {
            throw .system("\(error)")
        }
    }

    private static func poll(
        _ channel: MessageChannel, _ events: Int32, _ what: String, _ wait: Wait
    ) throws(ConnectionError) {
        let now = clinux_monotonic_nanoseconds()
        guard now < wait.end else { throw .timedOut(what, seconds: wait.seconds) }
        guard !wait.isGivenUp() else { throw .givenUp(what) }
        let result = clinux_poll(channel.descriptor, events, Int32(min((wait.end - now) / 1_000_000 + 1, 100)))
        guard result >= 0 || result == -EINTR else {
            throw .system("poll: \(String(cString: clinux_error_text(-result)))")
        }
    }
}
