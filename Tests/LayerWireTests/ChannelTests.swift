import CLinux
import Glibc
import LayerModel
import LayerWire
import TestFiles
import Testing

/// Two ends of a socket: ours as a channel, theirs as it is.
struct ChannelPair: ~Copyable {
    let channel: MessageChannel
    let other: Int32

    init() throws {
        var (a, b): (Int32, Int32) = (-1, -1)
        try #require(clinux_socket_pair(&a, &b) == 0)
        clinux_set_blocking(a, false)
        clinux_set_blocking(b, false)
        channel = MessageChannel(descriptor: a)
        other = b
    }

    deinit { close(other) }

    func send(_ bytes: [UInt8], descriptors: [Int32] = []) {
        let sent = bytes.withUnsafeBytes {
            clinux_send(other, $0.baseAddress!, $0.count, descriptors, descriptors.count)
        }
        #expect(sent == bytes.count)
    }

    /// What arrives, or what is wrong with it.
    func receive(maximumBytes: Int = 1 << 20, maximumDescriptors: Int = 16) -> Result<IncomingMessage?, ProtocolError> {
        do throws(ProtocolError) {
            _ = try channel.receive()
            return .success(try channel.next(maximumBytes: maximumBytes, maximumDescriptors: maximumDescriptors))
        } catch {
            return .failure(error)
        }
    }

    func fault(maximumBytes: Int = 1 << 20) -> ProtocolError.Code? {
        if case .failure(let error) = receive(maximumBytes: maximumBytes) { error.code } else { nil }
    }
}

func header(length: UInt32, type: UInt16, descriptors: UInt16 = 0, serial: UInt32 = 1) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(length)
    writer.write(type)
    writer.write(descriptors)
    writer.write(serial)
    return writer.bytes
}

@Suite("Messages over a socket", .serialized)
struct ChannelTests {
    @Test("Messages that wait leave together, in their order, up to those with descriptors")
    func joined() throws {
        let pair = try ChannelPair()
        let file = try SealedFile.storage(copying: UnsafeRawBufferPointer(start: nil, count: 0))
        let steps: [(serial: UInt32, isWithFile: Bool)] = [(1, false), (2, false), (3, true), (4, false), (5, true)]
        for step in steps {
            pair.channel.enqueue(
                step.isWithFile ? .attach : .ping, serial: step.serial,
                descriptors: step.isWithFile ? [file.descriptor] : [], owners: [file]
            ) { _ in }
        }
        #expect(pair.channel.unsentBytes == steps.count * MessageChannel.headerBytes)
        guard case .moved = pair.channel.send() else {
            Issue.record("the socket took nothing")
            return
        }
        #expect(pair.channel.unsentBytes == 0)
        let reader = MessageChannel(descriptor: dup(pair.other))
        var read: [UInt32] = []
        while case .moved = try reader.receive() {
            while let message = try reader.next(maximumBytes: 64, maximumDescriptors: 2) {
                #expect(message.descriptors.descriptors.count == (steps[read.count].isWithFile ? 1 : 0))
                read.append(message.serial)
            }
        }
        #expect(read == steps.map(\.serial))
    }

    @Test("A message may come byte by byte, and several at once")
    func pieces() throws {
        let pair = try ChannelPair()
        let capture = payload(.capture(time: 2, .pixels))
        let whole = header(length: UInt32(capture.count), type: 5, serial: 77) + capture
        for byte in whole.dropLast() {
            pair.send([byte])
            guard case .success(nil) = pair.receive() else {
                Issue.record("a message before its end")
                return
            }
        }
        #expect(pair.channel.hasPartialMessage)
        pair.send([whole.last!] + whole + whole)
        for _ in 0..<3 {
            let message = try #require(try pair.receive().get())
            #expect(message.serial == 77)
            #expect(message.payload == capture)
        }
        #expect(!pair.channel.hasPartialMessage)
    }

    @Test("A length over the limit is refused when the header is there; nothing waits for the bytes")
    func longMessage() throws {
        for length in [UInt32.max, 1 << 31, (1 << 20) + 1] as [UInt32] {
            let pair = try ChannelPair()
            pair.send(header(length: length, type: 2))
            #expect(pair.fault() == .messageTooLong, "\(length)")
        }
    }

    @Test("A number that is no message is refused at the header", arguments: [0, 11, 127, 135, 0xFFFF] as [UInt16])
    func unknownMessage(type: UInt16) throws {
        let pair = try ChannelPair()
        pair.send(header(length: 0, type: type))
        #expect(pair.fault() == .unknownMessage)
    }

    @Test("Descriptors that a header announces must come")
    func missingDescriptors() throws {
        let pair = try ChannelPair()
        pair.send(header(length: 0, type: 4, descriptors: 1))
        #expect(pair.fault() == .missingDescriptor)
    }

    @Test("More descriptors than allowed are refused by the header's count")
    func tooManyDescriptors() throws {
        let pair = try ChannelPair()
        pair.send(header(length: 0, type: 4, descriptors: 17))
        #expect(pair.fault() == .tooManyDescriptors)
    }

    @Test("A message that takes no descriptors may announce none", arguments: [1, 5, 6, 7, 8, 128, 133] as [UInt16])
    func unwantedDescriptors(type: UInt16) throws {
        let pair = try ChannelPair()
        pair.send(header(length: 0, type: type, descriptors: 1))
        #expect(pair.fault() == .tooManyDescriptors)
    }

    @Test("Descriptors are those of their message, in order, and closed with it")
    func ownDescriptors() throws {
        let files = (1...3).map { NamedFile(bytes: $0) }
        do {
            let pair = try ChannelPair()
            pair.send(
                header(length: 0, type: 4, descriptors: 2), descriptors: [files[0].descriptor, files[1].descriptor])
            pair.send(header(length: 0, type: 4, descriptors: 1), descriptors: [files[2].descriptor])
            for file in files { file.close() }
            let first = try #require(try pair.receive().get())
            let second = try #require(try pair.receive().get())
            #expect(first.descriptors.descriptors.map { clinux_file_size($0) } == [1, 2])
            #expect(second.descriptors.descriptors.map { clinux_file_size($0) } == [3])
            #expect(files.map(\.openCount) == [1, 1, 1])
        }
        #expect(files.map(\.openCount) == [0, 0, 0])
    }

    @Test("Descriptors that no header announces are refused when they pile up, and closed")
    func strayDescriptors() throws {
        let file = NamedFile()
        do {
            let pair = try ChannelPair()
            var fault: ProtocolError.Code?
            for _ in 0..<5 where fault == nil {
                pair.send(header(length: 0, type: 7), descriptors: [Int32](repeating: file.descriptor, count: 10))
                fault = pair.fault()
            }
            file.close()
            #expect(fault == .tooManyDescriptors)
        }
        #expect(file.openCount == 0)
    }

    @Test("More descriptors at once than can be received are all closed")
    func truncatedDescriptors() throws {
        let file = NamedFile()
        do {
            let pair = try ChannelPair()
            pair.send(
                header(length: 0, type: 4, descriptors: 16), descriptors: [Int32](repeating: file.descriptor, count: 60)
            )
            file.close()
            #expect(pair.fault() == .tooManyDescriptors)
        }
        #expect(file.openCount == 0)
    }

    @Test("What the socket does not take waits and is counted; the rest goes when it is read")
    func sending() throws {
        let pair = try ChannelPair()
        let words = [UInt8](repeating: 3, count: 100_000)
        for serial in 0..<20 {
            pair.channel.enqueue(.pong, serial: UInt32(serial)) { writer in
                words.withUnsafeBytes { writer.write(raw: $0) }
            }
        }
        let total = 20 * (12 + words.count)
        #expect(pair.channel.unsentBytes == total)
        guard case .wouldBlock = pair.channel.send() else {
            Issue.record("the socket took 2 MB")
            return
        }
        var received = 0
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while received < total {
            let count = read(pair.other, &buffer, buffer.count)
            if count > 0 { received += count } else { _ = pair.channel.send() }
        }
        #expect(pair.channel.unsentBytes == 0)
    }

    @Test("A side that is gone is told as closed, whole messages before it are kept")
    func gone() throws {
        let pair = try ChannelPair()
        pair.send(header(length: 0, type: 7) + [1, 2, 3])
        shutdown(pair.other, Int32(SHUT_WR))
        #expect(try pair.receive().get()?.type == .ping)
        guard case .closed = try pair.channel.receive() else {
            Issue.record("the other side is not reported gone")
            return
        }
        #expect(pair.channel.hasPartialMessage)
    }
}
