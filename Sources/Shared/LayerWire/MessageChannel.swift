// Messages over a stream socket: a header of 12 bytes, the payload, descriptors beside its first byte.
//
// Receiving keeps what has come until a message is whole; sending keeps what the socket would not take. Both are bounded
// by whoever owns the channel: the server looks at `unsentBytes`, and at how long a message has been incomplete.

import CLinux
import Glibc
import LayerModel

/// Descriptors that came with a message; closed with the object unless taken.
package final class ReceivedDescriptors: @unchecked Sendable {
    package private(set) var descriptors: [Int32]

    init(_ descriptors: [Int32]) {
        self.descriptors = descriptors
    }

    deinit {
        for fd in descriptors { close(fd) }
    }

    /// Hands the first descriptor over to the caller.
    package func takeFirst() -> Int32? { descriptors.isEmpty ? nil : descriptors.removeFirst() }
}

package struct IncomingMessage: Sendable {
    package var type: MessageType
    package var serial: UInt32
    package var payload: [UInt8]
    package var descriptors: ReceivedDescriptors
}

package final class MessageChannel {
    package static let headerBytes = 12
    /// A message without descriptors joins one that waits, up to this many bytes.
    private static let joinedBytes = 16 << 10

    package let descriptor: Int32
    private var incoming: [UInt8] = []
    private var incomingStart = 0
    private var incomingDescriptors: [Int32] = []
    private var scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)

    private struct Outgoing {
        var bytes: [UInt8]
        var sent = 0
        var descriptors: [Int32]
        /// Keeps the descriptors open until they are sent.
        var owners: [AnyObject]
    }

    private var outgoing: [Outgoing] = []
    package private(set) var unsentBytes = 0
    private var writer = ByteWriter()

    /// Takes a connected socket over.
    package init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
        for fd in incomingDescriptors { close(fd) }
        scratch.deallocate()
    }

    package enum Progress: Sendable {
        case moved
        case wouldBlock
        /// The other side is gone.
        case closed
    }

    // MARK: Receiving

    /// True while a message has begun and is not whole.
    package var hasPartialMessage: Bool { incoming.count > incomingStart }

    /// Takes what the socket has, once.
    package func receive() throws(ProtocolError) -> Progress {
        var fds = [Int32](repeating: -1, count: 32)
        var count = 0
        var truncated = false
        let received = fds.withUnsafeMutableBufferPointer {
            clinux_receive(
                descriptor, scratch.baseAddress!, scratch.count, $0.baseAddress!, $0.count, &count, &truncated)
        }
        if received == -Int(EAGAIN) { return .wouldBlock }
        incomingDescriptors.append(contentsOf: fds[0..<count])
        if truncated {
            throw ProtocolError(.tooManyDescriptors, "more descriptors at once than can be received")
        }
        guard received > 0 else { return .closed }
        if incomingStart > 0, incomingStart == incoming.count {
            incoming.removeAll(keepingCapacity: true)
            incomingStart = 0
        }
        incoming.append(contentsOf: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(scratch)[0..<received]))
        return .moved
    }

    /// The next whole message, or nil until more has come.
    package func next(
        maximumBytes: Int, maximumDescriptors: Int
    ) throws(ProtocolError) -> IncomingMessage? {
        guard incomingDescriptors.count <= maximumDescriptors * 2 else {
            throw ProtocolError(.tooManyDescriptors, "\(incomingDescriptors.count) descriptors without their messages")
        }
        let available = incoming.count - incomingStart
        guard available >= Self.headerBytes else { return nil }
        let header = incoming.withUnsafeBytes {
            MessageHeader(UnsafeRawBufferPointer(rebasing: $0[incomingStart..<incomingStart + Self.headerBytes]))
        }
        let (length, descriptors) = (header.length, header.descriptors)
        guard let messageType = MessageType(rawValue: header.type) else {
            throw ProtocolError(.unknownMessage, "there is no message \(header.type)")
        }
        guard length <= maximumBytes else {
            throw ProtocolError(.messageTooLong, "a message of \(length) bytes; the limit is \(maximumBytes)")
        }
        guard descriptors <= maximumDescriptors else {
            throw ProtocolError(
                .tooManyDescriptors, "a message with \(descriptors) descriptors; the limit is \(maximumDescriptors)")
        }
        guard descriptors == 0 || messageType.takesDescriptors else {
            throw ProtocolError(.tooManyDescriptors, "a \(messageType) comes without descriptors")
        }
        guard available >= Self.headerBytes + length else { return nil }
        guard incomingDescriptors.count >= descriptors else {
            throw ProtocolError(
                .missingDescriptor, "\(descriptors) descriptors announced, \(incomingDescriptors.count) came")
        }
        let start = incomingStart + Self.headerBytes
        let message = IncomingMessage(
            type: messageType, serial: header.serial, payload: Array(incoming[start..<start + length]),
            descriptors: ReceivedDescriptors(Array(incomingDescriptors[0..<descriptors])))
        incomingDescriptors.removeFirst(descriptors)
        incomingStart = start + length
        if incomingStart > 1 << 20 {
            incoming.removeFirst(incomingStart)
            incomingStart = 0
        }
        return message
    }

    // MARK: Sending

    /// Puts a message at the end of what is to be sent.
    /// - Parameter descriptors: Sent with it, not closed; `owners` keep them open until then.
    package func enqueue(
        _ type: MessageType, serial: UInt32, descriptors: [Int32] = [], owners: [AnyObject] = [],
        _ payload: (inout ByteWriter) -> Void
    ) {
        writer.removeAll()
        writer.write(UInt32(0))
        writer.write(type.rawValue)
        writer.write(UInt16(descriptors.count))
        writer.write(serial)
        payload(&writer)
        writer.overwrite(UInt32(writer.count - Self.headerBytes), at: 0)
        unsentBytes += writer.count
        if descriptors.isEmpty, let last = outgoing.indices.last, outgoing[last].bytes.count < Self.joinedBytes {
            // One call, and one time that the other side wakes.
            writer.bytes.withUnsafeBytes { outgoing[last].bytes.append(contentsOf: $0) }
        } else {
            outgoing.append(Outgoing(bytes: writer.bytes, descriptors: descriptors, owners: owners))
        }
    }

    package func enqueue(_ message: ServerMessage, serial: UInt32, descriptors: [Int32] = [], owners: [AnyObject] = [])
    {
        enqueue(message.type, serial: serial, descriptors: descriptors, owners: owners) { message.encode(into: &$0) }
    }

    /// Sends as much as the socket takes.
    package func send() -> Progress {
        while !outgoing.isEmpty {
            let item = outgoing[0]
            let sent = item.bytes.withUnsafeBytes { bytes in
                item.descriptors.withUnsafeBufferPointer { fds in
                    clinux_send(
                        descriptor, bytes.baseAddress! + item.sent, bytes.count - item.sent, fds.baseAddress,
                        item.sent == 0 ? fds.count : 0)
                }
            }
            if sent == -Int(EAGAIN) { return .wouldBlock }
            guard sent > 0 else { return .closed }
            unsentBytes -= sent
            outgoing[0].sent += sent
            if outgoing[0].sent == item.bytes.count { outgoing.removeFirst() }
        }
        return .moved
    }
}
