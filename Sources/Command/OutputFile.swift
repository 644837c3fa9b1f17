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
        do {
            let output = isStream ? OutputPlace.stream(path) : .file(place)
            try output.put(bytes) { Interruption.watch(draft: $0) }
        } catch {
            throw refused("\(error)")
        }
    }

    var folder: String { OutputPlace.folder(of: place) }

    private func refused(_ reason: String, help: String? = nil) -> CommandFailure {
        CommandFailure(
            .environment, "can't write \(path): \(reason)", help: help ?? "choose another place for the output")
    }
}
