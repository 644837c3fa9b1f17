import CLinux
import Glibc
import LayerModel

/// Writes messages to a recording.
///
/// A recording that is *whole* appears at its path when `finish` is called, and replaces what was there; until then, and
/// after a failure, nothing shows. A *growing* one is there from the start and complete up to its last flush, for servers
/// that record until somebody ends them.
package final class RecordingWriter {
    package enum Mode: Sendable {
        case whole
        case growing
    }

    package let path: String
    package private(set) var messageCount = 0

    private let descriptor: Int32
    /// Where links at the path lead: what is replaced.
    private let place: String
    /// Beside the path; nil when the file is written in place.
    package private(set) var draft: String?
    private var writer = ByteWriter()
    private var isOpen = true
    private static let bufferBytes = 256 << 10

    /// Makes the file, or a draft beside it, with mode 0600: scenes may be private.
    /// - Throws: `SystemError` naming the path.
    package init(path: String, mode: Mode) throws(SystemError) {
        self.path = path
        var followed = [CChar](repeating: 0, count: Int(PATH_MAX))
        let kind = clinux_output_place(path, &followed, followed.count)
        place =
            kind == 0
            ? String(decoding: followed.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : path
        switch kind == 1 ? .growing : mode {
        case .growing:
            descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw SystemError(path, errno) }
        case .whole:
            let (draft, descriptor) = RecordingWriter.makeDraft(beside: place)
            guard descriptor >= 0 else { throw SystemError(path, errno) }
            (self.draft, self.descriptor) = (draft, descriptor)
        }
        RecordingFormat.magic.withUnsafeBytes { writer.write(raw: $0) }
        writer.write(RecordingFormat.version)
        writer.write(UInt16(0))
    }

    deinit { abandon() }

    /// A file of a name that nothing has, in the folder of the place. Below 0, with errno, where none can be made.
    private static func makeDraft(beside place: String) -> (path: String, descriptor: Int32) {
        let folder = place.lastIndex(of: "/").map { place[...$0] } ?? ""
        var (path, descriptor): (String, Int32) = ("", -1)
        for number in 0..<64 {
            path = "\(folder).rostrum-\(getpid())-r\(number).part"
            descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            if descriptor >= 0 || errno != EEXIST { break }
        }
        return (path, descriptor)
    }

    /// Appends a message; one that shapes no frame is left out.
    /// - Throws: `SystemError` when the disk is full, or a message is larger than a recording's may be.
    package func append(_ message: ClientMessage, serial: UInt32) throws(SystemError) {
        guard isOpen, message.isRecorded else { return }
        let start = writer.count
        writer.write(UInt32(0))
        writer.write(message.type.rawValue)
        writer.write(UInt16(0))
        writer.write(serial)
        message.encode(into: &writer)
        let length = writer.count - start - MessageChannel.headerBytes
        guard length <= RecordingFormat.messageBytes else {
            writer.truncate(to: start)
            throw SystemError("a message of \(length) bytes for \(path)", EFBIG)
        }
        writer.overwrite(UInt32(length), at: start)
        messageCount += 1
        if writer.count >= Self.bufferBytes { try flush() }
    }

    /// Hands everything to the file.
    package func flush() throws(SystemError) {
        guard isOpen else { return }
        var written = 0
        while written < writer.count {
            let count = writer.bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress! + written, $0.count - written)
            }
            guard count >= 0 else {
                if errno == EINTR { continue }
                throw SystemError(path, errno)
            }
            written += count
        }
        writer.removeAll()
    }

    /// Ends the recording; a whole one takes its place.
    package func finish() throws(SystemError) {
        guard isOpen else { return }
        try flush()
        isOpen = false
        guard close(descriptor) == 0 else {
            removeDraft()
            throw SystemError(path, errno)
        }
        guard let draft else { return }
        guard rename(draft, place) == 0 else {
            let error = errno
            removeDraft()
            throw SystemError(path, error)
        }
        self.draft = nil
    }

    /// Leaves a whole recording unmade; a growing one keeps what was flushed.
    package func abandon() {
        guard isOpen else { return }
        isOpen = false
        close(descriptor)
        removeDraft()
    }

    private func removeDraft() {
        if let draft { unlink(draft) }
        draft = nil
    }
}
