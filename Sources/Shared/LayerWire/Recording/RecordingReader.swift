import CLinux
import Glibc
import LayerModel

/// Reads a recording message by message; holds one of them at a time.
///
/// A damaged recording gives every whole message before the damage, then one error with the byte of the file. Lengths are
/// checked against the file's size before anything is allocated for them.
package final class RecordingReader {
    private let descriptor: Int32
    private let size: Int
    private var offset = 0
    private var index = 0
    private var ending: ProtocolError?
    private var hasHello = false

    /// - Throws: `ProtocolError` with code `badRecording`: no such file, no recording, a version that can't be read.
    package init(path: String) throws(ProtocolError) {
        // Without O_NONBLOCK, opening a pipe nobody writes to would wait for ever.
        let fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard fd >= 0 else { throw ProtocolError(.badRecording, String(cString: clinux_error_text(errno))) }
        var info = stat()
        guard fstat(fd, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            close(fd)
            throw ProtocolError(.badRecording, "a recording is a regular file")
        }
        descriptor = fd
        size = Int(info.st_size)
        try readHeader()
    }

    deinit { close(descriptor) }

    private func readHeader() throws(ProtocolError) {
        let header = try read(min(RecordingFormat.headerBytes, size), at: 0)
        guard header.starts(with: RecordingFormat.magic) else {
            throw ProtocolError(.badRecording, offset: 0, "this is no recording of Rostrum's")
        }
        guard header.count == RecordingFormat.headerBytes else {
            throw ProtocolError(.badRecording, offset: header.count, "the recording ends in its first line")
        }
        let version = UInt16(header[8]) | UInt16(header[9]) << 8
        guard version == RecordingFormat.version, header[10] == 0, header[11] == 0 else {
            throw ProtocolError(
                .badRecording, offset: 8,
                "a recording of version \(version); this program reads version \(RecordingFormat.version)")
        }
        offset = RecordingFormat.headerBytes
    }

    /// The next message; nil after the last. After an error every call throws it again.
    package func next() throws(ProtocolError) -> RecordedMessage? {
        if let ending { throw ending }
        do throws(ProtocolError) {
            return try readMessage()
        } catch {
            ending = error
            throw error
        }
    }

    private func readMessage() throws(ProtocolError) -> RecordedMessage? {
        guard offset < size else { return nil }
        let start = offset
        let headerBytes = MessageChannel.headerBytes
        guard size - start >= headerBytes else {
            throw damage(at: start, "the recording ends within message \(index)'s header")
        }
        let fields = try read(headerBytes, at: start).withUnsafeBytes { MessageHeader($0) }
        guard let type = MessageType(rawValue: fields.type) else {
            throw damage(at: start + 4, "message \(index): there is no message \(fields.type)")
        }
        guard type == .hello || type == .commit || type == .capture else {
            throw damage(at: start + 4, "message \(index): a recording has no \(type)")
        }
        guard fields.descriptors == 0 else {
            throw damage(at: start + 6, "message \(index): a recording has no descriptors")
        }
        guard (type == .hello) != hasHello else {
            throw damage(
                at: start + 4,
                hasHello ? "message \(index): a second hello" : "message \(index): a \(type) before the hello")
        }
        guard fields.length <= size - start - headerBytes else {
            throw damage(
                at: start,
                "the recording ends within message \(index), a \(type) of \(fields.length) bytes, "
                    + "of which \(size - start - headerBytes) are there")
        }
        guard fields.length <= RecordingFormat.messageBytes else {
            throw damage(
                at: start, "message \(index): \(fields.length) bytes; at most \(RecordingFormat.messageBytes) are read")
        }
        let payload = try read(fields.length, at: start + headerBytes)
        let message = try decode(type, payload, at: start + headerBytes)
        if type == .hello { hasHello = true }
        defer { index += 1 }
        offset = start + headerBytes + fields.length
        return RecordedMessage(serial: fields.serial, message: message, offset: start, index: index)
    }

    private func decode(
        _ type: MessageType, _ payload: [UInt8], at start: Int
    ) throws(ProtocolError) -> ClientMessage {
        let result: Result<ClientMessage, ProtocolError> = payload.withUnsafeBytes { bytes in
            do throws(ProtocolError) {
                return .success(
                    try ClientMessage.decode(type, bytes) { _, _, _ throws(ProtocolError) in
                        throw ProtocolError(.missingDescriptor, "pixels of a descriptor; a recording has them inline")
                    })
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let message): return message
        case .failure(let error):
            throw ProtocolError(
                .badRecording, offset: start + (error.offset ?? 0), op: error.op,
                "message \(index), a \(type): \(error.message)")
        }
    }

    private func damage(at offset: Int, _ message: String) -> ProtocolError {
        ProtocolError(.badRecording, offset: offset, message)
    }

    /// Bytes that the size says are there.
    private func read(_ count: Int, at start: Int) throws(ProtocolError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress! + done, count - done, off_t(start + done))
            }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else {
                let why = got < 0 ? String(cString: clinux_error_text(errno)) : "the file became shorter"
                throw ProtocolError(.badRecording, offset: start + done, why)
            }
            done += got
        }
        return bytes
    }
}
