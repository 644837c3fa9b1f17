// Files that appear whole or not at all: the bytes go to a draft beside the path, which then takes the path's place. Ctrl-C
// meanwhile takes the draft away.

import Glibc
import Quartz2D

/// A place for a result: a path, or `-` for stdout.
struct OutputFile: Sendable {
    let path: String
    /// Where links at the path lead: what is replaced.
    let place: String
    /// The path leads to a pipe or a device: it is written to.
    let isStream: Bool

    var isStandardOutput: Bool { path == "-" }

    init(_ path: String) {
        self.path = path
        switch OutputPlace(path) {
        case .file(let file): (place, isStream) = (file, false)
        case .stream: (place, isStream) = (path, true)
        }
    }

    /// Refuses a path that can't be written, before the work for it is done.
    func check() throws {
        guard !isStandardOutput, !isStream else { return }
        var status = stat()
        let exists = stat(path, &status) == 0
        guard !exists || status.st_mode & S_IFMT != S_IFDIR else {
            throw refused("it is a folder", help: "name a file in it")
        }
        guard stat(folder, &status) == 0 else {
            throw refused("there is no folder \(folder)", help: "make it first: mkdir -p \(folder)")
        }
        guard access(folder, W_OK) == 0 else {
            throw refused("the folder \(folder) can't be written: \(String(cString: strerror(errno)))")
        }
    }

    func write(_ text: String) throws {
        var text = text
        try text.withUTF8 { try write(UnsafeRawBufferPointer($0)) }
    }

    func write(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try write($0) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        guard !isStandardOutput else { return try Console.result(bytes) }
        if isStream { return try writeInPlace(bytes) }
        let (descriptor, draft) = try createDraft()
        Interruption.watch(draft: draft)
        defer { Interruption.watch(draft: nil) }
        let error = Console.write(bytes, to: descriptor)
        let closed = close(descriptor)
        guard error == 0, closed == 0, rename(draft, place) == 0 else {
            let reason = error == 0 ? errno : error
            unlink(draft)
            throw refused(String(cString: strerror(reason)))
        }
    }

    private func writeInPlace(_ bytes: UnsafeRawBufferPointer) throws {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw refused(String(cString: strerror(errno))) }
        defer { close(descriptor) }
        let error = Console.write(bytes, to: descriptor)
        guard error == 0 else { throw refused(String(cString: strerror(error))) }
    }

    private func createDraft() throws -> (descriptor: Int32, path: String) {
        for attempt in 0..<16 {
            let draft = "\(folder)/.rostrum-\(getpid())-\(attempt).part"
            let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if descriptor >= 0 { return (descriptor, draft) }
            guard errno == EEXIST else { break }
        }
        throw refused("no file can be made beside it: \(String(cString: strerror(errno)))")
    }

    var folder: String {
        guard let slash = place.lastIndex(of: "/") else { return "." }
        return slash == place.startIndex ? "/" : String(place[..<slash])
    }

    private func refused(_ reason: String, help: String? = nil) -> CommandFailure {
        CommandFailure(
            .environment, "can't write \(path): \(reason)", help: help ?? "choose another place for the output")
    }
}
