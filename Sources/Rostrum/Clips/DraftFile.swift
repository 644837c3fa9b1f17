// A file that grows for a while and appears whole or not at all: the bytes go to a draft beside the path, which takes the
// path's place at the end. A pipe or a device can't be replaced; it is written to as it is.

import CLinux
import Foundation
import Glibc
import Quartz2D
import Synchronization

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

    /// Makes an empty draft, or opens what can't be replaced.
    ///
    /// - Parameters:
    ///   - path: The file's; `-` is stdout.
    ///   - canStream: Whether a pipe or a device will do.
    /// - Throws: `ClipError.unwritable`, and `.badFormat` for a pipe that won't do.
    package init(_ path: String, canStream: Bool = true) throws(ClipError) {
        self.path = path
        guard path != "-" else {
            guard canStream else {
                throw .badFormat("this format needs a file, not a pipe; .y4m, .apng and .bgra go through pipes")
            }
            place = path
            draft = nil
            descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
            guard descriptor >= 0 else { throw .unwritable(path: "stdout", Self.text(errno)) }
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
            descriptor = open(path, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw .unwritable(path: path, Self.text(errno)) }
            waitsForReader = Self.waitsForReader(descriptor)
            return
        }
        let ending = path.split(separator: "/").last.flatMap { name in
            name.lastIndex(of: ".").map { String(name[$0...].prefix(16)) }
        }
        let name = try Self.name(beside: place, ending: ending ?? "") { name in
            open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        }
        draft = name.path
        descriptor = name.result
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
        guard error == 0 else { throw .unwritable(path: path == "-" ? "stdout" : path, Self.text(error)) }
    }

    private func writeAll(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        waitsForReader ? writePatiently(bytes) : Self.write(bytes, to: descriptor)
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
                if lock.withLock({ isGivenUp }) { return ECANCELED }
            }
            // What POSIX guarantees a pipe to take as one.
            let end = min(start + 4_096, bytes.count)
            let error = Self.write(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), to: descriptor)
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
        lock.lock()
        defer { lock.unlock() }
        guard descriptor >= 0 else { throw .unwritable(path: path, "it was given up") }
        let closed = close(descriptor)
        descriptor = -1
        // EINTR: Linux has closed it all the same.
        guard closed == 0 || errno == EINTR else { throw .unwritable(path: path, Self.text(errno)) }
        if let draft, rename(draft, place) != 0 { throw .unwritable(path: path, Self.text(errno)) }
        isPublished = true
    }

    /// Takes the draft away. Any thread may call it; an append under way goes nowhere.
    package func abandon() {
        lock.lock()
        defer { lock.unlock() }
        isGivenUp = true
        if !isPublished, let draft { unlink(draft) }
    }

    // MARK: Names

    /// Makes something with a name of its own in the folder of `path`.
    ///
    /// - Parameter make: Returns below 0, with errno, where it can't; is tried again with another name where one is there.
    static func name(
        beside path: String, ending: String = "", _ make: (String) -> Int32
    ) throws(ClipError) -> (path: String, result: Int32) {
        let trimmed = path.hasSuffix("/") ? String(path.dropLast()) : path
        var folder = trimmed.lastIndex(of: "/").map { String(trimmed[..<$0]) } ?? "."
        if folder.isEmpty { folder = "/" }
        var status = stat()
        guard stat(folder, &status) == 0 else { throw .unwritable(path: path, "there is no folder \(folder)") }
        for _ in 0..<64 {
            // Never a name of before: a draft that is given up may be taken away once more, when its last thread lets go of it.
            let number = names.wrappingAdd(1, ordering: .relaxed).newValue
            let name = "\(folder)/.rostrum-\(getpid())-\(number).part\(ending)"
            let result = make(name)
            if result >= 0 { return (name, result) }
            guard errno == EEXIST else { break }
        }
        throw .unwritable(path: path, "nothing can be made in \(folder): \(text(errno))")
    }

    private static let names = Atomic<Int>(0)

    static func text(_ error: Int32) -> String { String(cString: clinux_error_text(error)) }

    /// Writes all of it: 0, or the error's number. A broken pipe is an error, never a signal.
    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
        var written = 0
        while written < bytes.count {
            let count = Glibc.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
            if count >= 0 {
                written += count
            } else if errno == EAGAIN {
                _ = clinux_poll(descriptor, CLINUX_WRITABLE, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }
}
