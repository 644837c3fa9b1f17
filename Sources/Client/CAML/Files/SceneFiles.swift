/// Where the files of a scene are read from: a folder, an archive, or nowhere.
package protocol SceneFiles: AnyObject {
    /// How messages call the whole, and how they begin the name of a file in it.
    var name: String { get }

    /// Every regular file, sorted: shallow ones first, then by name.
    func paths() throws -> [BundlePath]

    func contains(_ path: BundlePath) -> Bool

    /// The bytes of a file, at most `limit`.
    func bytes(of path: BundlePath, limit: Int) throws(FileFault) -> [UInt8]
}

extension SceneFiles {
    /// How messages call one file of it.
    package func name(of path: BundlePath) -> String {
        path.names.isEmpty ? name : name.isEmpty ? path.description : "\(name)/\(path)"
    }
}

/// Why a file of a scene can't be read.
package enum FileFault: Error, Equatable {
    case missing
    case leavesBundle
    case notAFile
    case tooLarge(limit: Int)
    case unreadable(String)

    package var message: String {
        switch self {
        case .missing: "is not there"
        case .leavesBundle: "leads out of the bundle"
        case .notAFile: "is not a regular file"
        case .tooLarge(let limit): "is over the limit of \(limit) bytes"
        case .unreadable(let reason): "can't be read: \(reason)"
        }
    }
}

/// No files: what a scene in memory has beside it.
package final class NoFiles: SceneFiles {
    package let name = ""

    package init() {}

    package func paths() -> [BundlePath] { [] }
    package func contains(_ path: BundlePath) -> Bool { false }
    package func bytes(of path: BundlePath, limit: Int) throws(FileFault) -> [UInt8] { throw .missing }
}
