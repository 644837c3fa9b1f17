// Files and folders that appear whole or not at all. What is made gets a name of its own in the folder of its place, and takes
// the place with one rename: a reader sees the old file or the new one, and what can't be written leaves what was there.

import CLinux
import Glibc
import Synchronization

/// Why an output can't be written: the system's reason.
package struct OutputFault: Error, CustomStringConvertible {
    /// An errno.
    package var number: Int32
    /// The folder in which no draft can be made; nil where what is in it can't be written or moved.
    package var folder: String?

    package init(_ number: Int32, folder: String? = nil) {
        (self.number, self.folder) = (number, folder)
    }

    package var description: String {
        let reason = OutputFault.text(number)
        return folder.map { "nothing can be made in \($0): \(reason)" } ?? reason
    }

    /// What an errno means.
    package static func text(_ number: Int32) -> String { String(cString: clinux_error_text(number)) }
}

/// A file or folder under a name of its own, beside the place that it is for.
package struct OutputDraft {
    /// In the folder of the place: `.rostrum-….part` and the ending.
    package let path: String
    /// What `make` returned; of a file its descriptor.
    package let result: Int32

    private static let names = Atomic<Int>(0)

    /// - Parameters:
    ///   - place: A path; a slash at its end does not count.
    ///   - ending: Of the draft's name, for programs that go by it.
    ///   - make: Makes it at a path. Below 0, with errno, where it can't; is tried again with another name where one is there.
    /// - Throws: `OutputFault` with the folder.
    package init(beside place: String, ending: String = "", _ make: (String) -> Int32) throws(OutputFault) {
        let folder = OutputPlace.folder(of: place)
        for _ in 0..<64 {
            // Never a name of before: a draft that is given up may be taken away once more, when its last thread lets go of it.
            let number = OutputDraft.names.wrappingAdd(1, ordering: .relaxed).newValue
            let name = "\(folder)/.rostrum-\(getpid())-\(number).part\(ending)"
            let result = make(name)
            if result >= 0 {
                (path, self.result) = (name, result)
                return
            }
            guard errno == EEXIST else { break }
        }
        throw OutputFault(errno, folder: folder)
    }

    /// An empty file, open for reading and writing, with the permissions that a new file there gets.
    package static func file(beside place: String, ending: String = "") throws(OutputFault) -> OutputDraft {
        try OutputDraft(beside: place, ending: ending) { open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
    }
}

extension OutputPlace {
    /// The folder that a path is in; a slash at its end does not count.
    package static func folder(of path: String) -> String {
        let trimmed = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        guard let slash = trimmed.lastIndex(of: "/") else { return "." }
        return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
    }

    /// Puts these bytes there, whole or not at all; a stream takes what it takes.
    ///
    /// - Parameters:
    ///   - watch: Called with the draft's path when it is there, and with nil when it has taken its place or is gone.
    ///   - isGivenUp: Asked again and again meanwhile; true ends it.
    /// - Throws: `OutputFault`, `ECANCELED` where it was given up; then the file that was there is as it was.
    package func put(
        _ bytes: UnsafeRawBufferPointer, watch: (String?) -> Void = { _ in }, isGivenUp: () -> Bool = { false }
    ) throws(OutputFault) {
        switch self {
        case .stream(let path):
            let descriptor = open(path, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw OutputFault(errno) }
            try OutputPlace.fill(descriptor, bytes, isGivenUp: isGivenUp)
        case .file(let path):
            let draft = try OutputDraft.file(beside: path)
            watch(draft.path)
            defer { watch(nil) }
            do throws(OutputFault) {
                try OutputPlace.fill(draft.result, bytes, isGivenUp: isGivenUp)
                guard rename(draft.path, path) == 0 else { throw OutputFault(errno) }
            } catch {
                unlink(draft.path)
                throw error
            }
        }
    }

    /// What is written between two looks at whether it is given up.
    private static let pieceBytes = 4 << 20

    /// Writes all of it and closes the descriptor.
    package static func fill(
        _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, isGivenUp: () -> Bool = { false }
    ) throws(OutputFault) {
        var (error, start): (Int32, Int) = (0, 0)
        repeat {
            let piece = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + pieceBytes, bytes.count)])
            error = isGivenUp() ? ECANCELED : write(piece, to: descriptor)
            start += piece.count
        } while error == 0 && start < bytes.count
        let closed = close(descriptor)
        guard error == 0 else { throw OutputFault(error) }
        // EINTR: Linux has closed it all the same.
        guard closed == 0 || errno == EINTR else { throw OutputFault(errno) }
    }

    /// Writes all of it: 0, or the error's number. Waits for a reader where the descriptor does not by itself.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
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
