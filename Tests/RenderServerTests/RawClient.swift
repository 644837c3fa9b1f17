import CLinux
import Foundation
import LayerModel
import LayerWire
import Testing

/// A client that can say anything.
final class RawClient {
    private let channel: MessageChannel
    private(set) var isClosed = false
    private var serial: UInt32 = 0
    /// Milliseconds to wait for a server that reads nothing.
    var patience = 1_000
    /// Owners of descriptors that came with frames.
    private(set) var frameMemory: [UInt32: FrameBuffer] = [:]

    struct Reply {
        var message: ServerMessage
        var serial: UInt32
    }

    /// - Parameter overPair: By a socket pair instead of through the listener.
    init(_ server: LiveServer, overPair: Bool = false) throws {
        let fd = overPair ? try server.server.connect() : clinux_connect(server.path)
        try #require(fd >= 0)
        _ = clinux_set_blocking(fd, false)
        channel = MessageChannel(descriptor: fd)
    }

    // MARK: Sending

    /// Bytes of the last send that the server's side took.
    private(set) var sent = 0

    /// Sends bytes as they are; false when the server has closed or takes no more for as long as `patience`.
    @discardableResult
    func send(raw bytes: [UInt8], descriptors: [Int32] = []) -> Bool {
        sent = 0
        var tries = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                clinux_send(
                    channel.descriptor, $0.baseAddress! + sent, $0.count - sent, descriptors,
                    sent == 0 ? descriptors.count : 0)
            }
            if count > 0 {
                sent += count
                tries = 0
            } else if count == -Int(EAGAIN), tries < patience {
                tries += 1
                _ = clinux_poll(channel.descriptor, CLINUX_WRITABLE, 1)
            } else {
                return false
            }
        }
        return true
    }

    /// A message whose header tells the truth, or lies about its length or its descriptors.
    @discardableResult
    func send(
        _ type: UInt16, _ payload: [UInt8] = [], descriptors: [Int32] = [], serial: UInt32 = 0, length: UInt32? = nil,
        announced: UInt16? = nil
    ) -> Bool {
        var writer = ByteWriter()
        writer.write(length ?? UInt32(payload.count))
        writer.write(type)
        writer.write(announced ?? UInt16(descriptors.count))
        writer.write(serial)
        payload.withUnsafeBytes { writer.write(raw: $0) }
        return send(raw: writer.bytes, descriptors: descriptors)
    }

    @discardableResult
    func send(_ message: ClientMessage, serial: UInt32 = 0) -> Bool {
        send(message.type.rawValue, bytes(of: message), serial: serial)
    }

    func bytes(of message: ClientMessage) -> [UInt8] {
        var writer = ByteWriter()
        message.encode(into: &writer)
        return writer.bytes
    }

    static let hello = Hello(
        clientName: "hostile", width: 16, height: 16, scale: 1, isFlipped: true, background: .clear)

    /// Says hello and waits for the welcome.
    func greet(_ hello: Hello = RawClient.hello) throws {
        send(.hello(hello))
        let reply = try #require(next(), "no welcome")
        guard case .welcome = reply.message else {
            Issue.record("\(reply.message) instead of a welcome")
            return
        }
    }

    /// Sends ops with inline pixels.
    @discardableResult
    func commit(_ ops: [TransactionOp], time: Double = 0) -> UInt32 {
        serial += 1
        send(.commit(Transaction(time: time, ops: ops)), serial: serial)
        return serial
    }

    /// Sends a commit as bytes.
    @discardableResult
    func commit(raw payload: [UInt8], descriptors: [Int32] = []) -> UInt32 {
        serial += 1
        send(2, payload, descriptors: descriptors, serial: serial)
        return serial
    }

    // MARK: Receiving

    /// The next reply; nil when the server has closed, or after `seconds`.
    func next(seconds: Double = 5) -> Reply? {
        let end = clinux_monotonic_nanoseconds() + UInt64(seconds * 1e9)
        while true {
            if let message = try? channel.next(maximumBytes: WireLimits.replyBytes, maximumDescriptors: 16) {
                guard let decoded = message.payload.withUnsafeBytes({ try? ServerMessage.decode(message.type, $0) })
                else {
                    Issue.record("a \(message.type) that can't be read")
                    return nil
                }
                if case .frame(let frame) = decoded, let fd = message.descriptors.takeFirst() {
                    frameMemory[frame.buffer] = try? FrameBuffer(
                        id: frame.buffer, mapping: fd, count: Int(frame.bytesPerRow * frame.height))
                }
                return Reply(message: decoded, serial: message.serial)
            }
            guard !isClosed, let progress = try? channel.receive() else { return nil }
            switch progress {
            case .moved: continue
            case .closed:
                isClosed = true
                return nil
            case .wouldBlock:
                guard clinux_monotonic_nanoseconds() < end else { return nil }
                _ = clinux_poll(channel.descriptor, CLINUX_READABLE, 5)
            }
        }
    }

    /// Everything until the server closes, or until `seconds` are over.
    func rest(seconds: Double = 5) -> [Reply] {
        var replies: [Reply] = []
        while let reply = next(seconds: seconds) { replies.append(reply) }
        return replies
    }

    /// The fatal fault, or refusal, that the server ends the session with. Nil when it does not end it, or says nothing.
    func lastWords(seconds: Double = 5) -> Fault? {
        let replies = rest(seconds: seconds)
        guard isClosed else { return nil }
        switch replies.last?.message {
        case .fault(let fault): return fault.isFatal ? fault : nil
        case .refused(let fault, _, _): return fault
        default: return nil
        }
    }

    /// The answer to a capture and everything before it. Nil when there is none.
    func capture(at time: Double = 0, _ options: CaptureOptions = .pixels) -> (frame: FrameReply?, faults: [Fault])? {
        serial += 1
        let mine = serial
        send(.capture(time: time, options), serial: mine)
        var faults: [Fault] = []
        while let reply = next(seconds: 20) {
            switch reply.message {
            case .frame(let frame) where reply.serial == mine: return (frame, faults)
            case .fault(let fault):
                faults.append(fault)
                if reply.serial == mine { return (nil, faults) }
            default: break
            }
        }
        return nil
    }

    /// Pixels of a frame: premultiplied BGRA.
    func pixels(of frame: FrameReply) -> [UInt8] {
        guard let buffer = frameMemory[frame.buffer] else { return [] }
        return Array(UnsafeRawBufferPointer(start: buffer.memory, count: buffer.count))
    }

    func release(_ frame: FrameReply) { send(.releaseFrame(frame.buffer)) }

    /// Ends the connection without a word.
    func vanish() { shutdown(channel.descriptor, Int32(SHUT_RDWR)) }
}

/// Fields one after the other.
func bytes(_ body: (inout ByteWriter) -> Void) -> [UInt8] {
    var writer = ByteWriter()
    body(&writer)
    return writer.bytes
}

/// A commit at 0 s of ops as bytes.
func commitPayload(_ ops: [UInt8], count: UInt32 = 1, time: Double = 0) -> [UInt8] {
    bytes { writer in
        writer.write(time)
        writer.write(count)
        ops.withUnsafeBytes { writer.write(raw: $0) }
    }
}

/// `defineImage` with pixels in a descriptor, every field as given.
func imageOp(
    _ id: UInt32 = 1, width: UInt32 = 4, height: UInt32 = 4, format: UInt8 = 1, row: UInt32 = 16,
    descriptor: UInt16 = 0,
    offset: UInt64 = 0
) -> [UInt8] {
    bytes {
        $0.write(UInt8(6))
        $0.write(id)
        $0.write(width)
        $0.write(height)
        $0.write(format)
        $0.write(true)
        $0.write(row)
        $0.write(UInt8(0))
        $0.write(descriptor)
        $0.write(offset)
    }
}
