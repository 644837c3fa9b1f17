// Two outputs that are one file: the second would take the first one's place, and the command would call that a success. Paths are
// compared by where they lead, so links, `./` and `..` hide nothing.

import Glibc
import Rostrum

extension OutputFile {
    /// What a flag or an operand names.
    struct Named {
        var name: String
        var file: OutputFile

        init(_ name: String, _ file: OutputFile) {
            self.name = name
            self.file = file
        }
    }

    /// - Parameter input: What is read; no output may take its place.
    /// - Throws: `CommandFailure` with code `usage` where two are one file.
    static func refuseSharing(_ outputs: [Named?], input: String? = nil) throws {
        var seen: [(name: String, path: String, identity: Identity)] = []
        for output in outputs.compactMap({ $0 }) {
            let identity = output.file.identity
            if let other = seen.first(where: { $0.identity.isSame(as: identity) }) {
                throw CommandFailure.usage(
                    "\(other.name) and \(output.name) are the same file, \(output.file.path)",
                    help: "give each of them a file of its own")
            }
            if let input, input != "-", case .path(let read, _) = OutputFile(input).identity,
                case .path(let written, _) = identity, read == written
            {
                throw CommandFailure.usage(
                    "\(output.name) is the file that is read, \(output.file.path)", help: "give it a file of its own")
            }
            seen.append((output.name, output.file.path, identity))
        }
    }

    /// - Throws: `CommandFailure` with code `usage` where an output is called like a picture of a sequence beside it.
    static func refuseSharing(_ outputs: [Named?], with sequence: SequenceNames) throws {
        guard let folder = realFolder(sequence.folder) else { return }
        for output in outputs.compactMap({ $0 }) {
            guard case .path(let path, _) = output.file.identity, let slash = path.lastIndex(of: "/") else { continue }
            let isThere = (slash == path.startIndex ? "/" : String(path[..<slash])) == folder
            guard isThere, sequence.matches(String(path[path.index(after: slash)...])) else { continue }
            throw CommandFailure.usage(
                "\(output.name) is called like a picture of the sequence, \(output.file.path)",
                help: "give it a file of its own")
        }
    }

    private enum Identity {
        /// Where a file is or will be, and the file that is there.
        case path(String, FileNumber?)
        /// What is written to as it is.
        case stream(FileNumber)
        /// Terminals, `/dev/null`: any number of outputs may go there.
        case device

        func isSame(as other: Identity) -> Bool {
            switch (self, other) {
            case (.path(let a, _), .path(let b, _)): a == b
            case (.stream(let a), .stream(let b)): a == b
            case (.stream(let a), .path(_, let b?)), (.path(_, let b?), .stream(let a)): a == b
            default: false
            }
        }
    }

    private struct FileNumber: Equatable {
        var device: UInt
        var number: UInt

        init?(_ status: stat) {
            guard status.st_mode & S_IFMT != S_IFCHR else { return nil }
            (device, number) = (UInt(status.st_dev), UInt(status.st_ino))
        }
    }

    private var identity: Identity {
        var status = stat()
        if isStandardOutput {
            return fstat(STDOUT_FILENO, &status) == 0 ? FileNumber(status).map { .stream($0) } ?? .device : .device
        }
        let isThere = stat(path, &status) == 0
        guard !isStream else { return isThere ? FileNumber(status).map { .stream($0) } ?? .device : .device }
        let name = place.split(separator: "/").last.map(String.init) ?? place
        let folder = Self.realFolder(folder) ?? folder
        return .path((folder == "/" ? "" : folder) + "/" + name, isThere ? FileNumber(status) : nil)
    }

    /// Without links; nil where it is not there.
    private static func realFolder(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
