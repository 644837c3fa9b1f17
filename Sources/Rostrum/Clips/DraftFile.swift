// A file that grows for a while and appears whole or not at all: the bytes go to a draft beside the path, which takes the
// path's place at the end. A pipe or a device can't be replaced; it is written to as it is.

import CLinux
import Foundation
import Glibc
import Quartz2D

package final class DraftFile: @unchecked Sendable {
    package let path: String
    /// Where the bytes are until `publish`; nil for what is written in place.
    package let draft: String?
    /// Where links at the path lead: what the draft takes the place of.
    private let place: String
    private let lock = NSLock()
    private var descriptor: Int32
    private var isPublished = false
    private var isGivenUp = false
    /// A write may wait for whoever reads.
    private var waitsForReader = false
    /// A named pipe that is opened by the first write: only then is there somebody who can give up waiting for its reader.
    private var isUnopened = false
    /// Asked while a reader is waited for; true gives up.
    private let isLetGo: () -> Bool

    /// Makes an empty draft, or opens what can't be replaced.
    ///
    /// - Parameters:
    ///   - path: The file's; `-` is stdout.
    ///   - canStream: Whether a pipe or a device will do.
    ///   - isGivenUp: Asked while a pipe's reader is waited for, where nobody else can call `abandon` meanwhile; true ends the write.
    /// - Throws: `ClipError.unwritable`, and `.badFormat` for a pipe that won't do.
    package init(
        _ path: String, canStream: Bool = true, isGivenUp: @escaping () -> Bool = { false }
    ) throws(ClipError) {
        self.path = path
        isLetGo = isGivenUp
        guard path != "-" else {
            guard canStream else {
                throw .badFormat("this format needs a file, not a pipe; .y4m, .apng and .bgra go through pipes")
            }
            place = path
            draft = nil
            descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
            guard descriptor >= 0 else { throw .unwritable(path: "stdout", OutputFault.text(errno)) }
            waitsForReader = Self.waitsForReader(descriptor)
            return
        }
        switch OutputPlace(path) {
        case .file(let file):
            place = file
            var status = stat()
            guard stat(file, &status) != 0 || status.st_mode & S_IFMT != S_IFDIR else {
                throw .unwritable(path: path, "it is a folder")
            }
        case .stream:
            guard canStream else {
                throw .badFormat("\(path) is no file, and this format needs one; .y4m, .apng and .bgra do without")
            }
            place = path
            draft = nil
            var status = stat()
            guard stat(path, &status) != 0 || status.st_mode & S_IFMT != S_IFIFO else {
                (descriptor, isUnopened, waitsForReader) = (-1, true, true)
                return
            }
            descriptor = open(path, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw .unwritable(path: path, OutputFault.text(errno)) }
            waitsForReader = Self.waitsForReader(descriptor)
            return
        }
        let ending = path.split(separator: "/").last.flatMap { name in
            name.lastIndex(of: ".").map { String(name[$0...].prefix(16)) }
        }
        let made = try Self.made(beside: place) { place throws(OutputFault) in
            try OutputDraft.file(beside: place, ending: ending ?? "")
        }
        draft = made.path
        descriptor = made.result
    }

    deinit {
        abandon()
        if descriptor >= 0 { close(descriptor) }
    }

    /// Writes at the end.
    package func append(_ bytes: UnsafeRawBufferPointer) throws(ClipError) {
        try check(writeAll(bytes))
    }

    package func append(_ bytes: [UInt8]) throws(ClipError) {
        try check(bytes.withUnsafeBytes { writeAll($0) })
    }

    private func check(_ error: Int32) throws(ClipError) {
        guard error == 0 else { throw .unwritable(path: path == "-" ? "stdout" : path, OutputFault.text(error)) }
    }

    private func writeAll(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        if isUnopened {
            let error = openPatiently()
            guard error == 0 else { return error }
        }
        return waitsForReader ? writePatiently(bytes) : OutputPlace.write(bytes, to: descriptor)
    }

    /// What waits goes on no longer.
    private var isOver: Bool { lock.withLock { isGivenUp } || isLetGo() }

    /// A named pipe, when somebody reads from it: 0, or the error's number.
    private func openPatiently() -> Int32 {
        while true {
            let opened = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
            if opened >= 0 {
                // Reads that are slow are waited for, as of any pipe.
                _ = fcntl(opened, F_SETFL, fcntl(opened, F_GETFL) & ~O_NONBLOCK)
                (descriptor, isUnopened) = (opened, false)
                return 0
            }
            guard errno == ENXIO || errno == EINTR else { return errno }
            if isOver { return ECANCELED }
            usleep(20_000)
        }
    }

    private static func waitsForReader(_ descriptor: Int32) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return true }
        return status.st_mode & S_IFMT == S_IFIFO || status.st_mode & S_IFMT == S_IFSOCK || isatty(descriptor) == 1
    }

    /// To a reader that may never read: in pieces that a pipe with room takes at once, so that giving up ends the wait.
    private func writePatiently(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        var start = 0
        while start < bytes.count {
            while clinux_poll(descriptor, CLINUX_WRITABLE, 100) == 0 {
                if isOver { return ECANCELED }
            }
            // What POSIX guarantees a pipe to take as one.
            let end = min(start + 4_096, bytes.count)
            let error = OutputPlace.write(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), to: descriptor)
            guard error == 0 else { return error }
            start = end
        }
        return 0
    }

    package func append(_ text: String) throws(ClipError) { try append(Array(text.utf8)) }

    /// Bytes in the draft. 0 for what is no file.
    var size: Int { Int(clamping: clinux_file_size(descriptor)) }

    /// Puts the draft in the path's place.
    package func publish() throws(ClipError) {
        // A reader waits for the end of what has no byte.
        if isUnopened { try check(openPatiently()) }
        lock.lock()
        defer { lock.unlock() }
        guard descriptor >= 0 else { throw .unwritable(path: path, "it was given up") }
        let closed = close(descriptor)
        descriptor = -1
        // EINTR: Linux has closed it all the same.
        guard closed == 0 || errno == EINTR else { throw .unwritable(path: path, OutputFault.text(errno)) }
        if let draft, rename(draft, place) != 0 { throw .unwritable(path: path, OutputFault.text(errno)) }
        isPublished = true
    }

    /// Takes the draft away. Any thread may call it; an append under way goes nowhere.
    package func abandon() {
        lock.lock()
        defer { lock.unlock() }
        isGivenUp = true
        if !isPublished, let draft { unlink(draft) }
    }

    /// A draft beside a place, made by `make`.
    static func made(
        beside place: String, _ make: (String) throws(OutputFault) -> OutputDraft
    ) throws(ClipError) -> OutputDraft {
        let folder = OutputPlace.folder(of: place)
        guard access(folder, F_OK) == 0 else {
            throw .unwritable(path: place, "there is no folder \(folder)")
        }
        do {
            return try make(place)
        } catch {
            throw .unwritable(path: place, "\(error)")
        }
    }
}
