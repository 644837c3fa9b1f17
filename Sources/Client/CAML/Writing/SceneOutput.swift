// Files that appear whole or not at all. A bundle is made in a folder beside its place, a file beside its; then it takes the place with one
// rename. Where a bundle is there already, both change places, and the old one is taken away. What can't be written leaves
// what was there.

import CLinux
import Foundation
import Glibc
import Quartz2D

/// A place that a scene can't be written to: nothing was written, and what was there is as it was.
public struct SceneFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// As the caller named it.
    public let path: String
    /// What is in the way.
    public let reason: String
    /// A file or bundle is there that was not to be replaced.
    public let isAlreadyThere: Bool

    package init(path: String, reason: String, isAlreadyThere: Bool = false) {
        self.path = path
        self.reason = reason
        self.isAlreadyThere = isAlreadyThere
    }

    public var description: String { "can't write \(path): \(reason)" }
}

/// What a writing tells whoever may give it up, and asks.
package struct WritingWatch {
    /// Called before the first file is touched: until then, nothing has to be tidied up.
    package var willWrite: () -> Void
    /// Asked before each file and again and again meanwhile; true ends the writing, and what it made is taken away.
    package var isGivenUp: () -> Bool

    package init(willWrite: @escaping () -> Void = {}, isGivenUp: @escaping () -> Bool = { false }) {
        self.willWrite = willWrite
        self.isGivenUp = isGivenUp
    }
}

/// Where a scene is written to.
package struct SceneOutput {
    /// True ends the writing with a fault.
    package var isGivenUp: () -> Bool = { false }
    private let path: String
    private let folder: String
    private let name: String

    /// - Throws: `SceneFileError` where nothing can be written there.
    package init(_ path: String, isFolder: Bool, overwrites: Bool) throws {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        self.path = path
        let slash = path.lastIndex(of: "/")
        name = String(slash.map { path[path.index(after: $0)...] } ?? path[...])
        folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        guard !name.isEmpty, name != ".", name != "..", !path.utf8.contains(0) else {
            throw SceneFileError(path: path, reason: "it is no name for a scene")
        }
        var status = stat()
        guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw fault("there is no folder \(folder)")
        }
        guard lstat(path, &status) == 0 else { return }
        let isThere = status.st_mode & S_IFMT
        if isFolder {
            guard isThere == S_IFDIR else { throw fault("there is a file, not a bundle; it is not replaced") }
        } else {
            // Pictures lie beside the file, under names that the link's folder doesn't have.
            guard isThere != S_IFLNK else { throw fault("it is a symbolic link; name the file that it leads to") }
            guard isThere == S_IFREG else {
                throw fault("there is something else than a file; it is not replaced")
            }
        }
        guard overwrites else { throw SceneFileError(path: path, reason: "it is there already", isAlreadyThere: true) }
        // A folder of something else is no bundle to replace.
        if isFolder, !SceneOutput.isBundle(path) {
            throw fault("the folder is no bundle (it holds no index.xml and no main.caml); it is not replaced")
        }
    }

    private static func isBundle(_ path: String) -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? ["?"]
        return names.isEmpty || names.contains { ["index.xml", "main.caml"].contains($0.lowercased()) }
    }

    private func fault(_ reason: String) -> SceneFileError { SceneFileError(path: path, reason: reason) }

    private func systemFault() -> SceneFileError { fault(String(cString: strerror(errno))) }

    // MARK: Bundles

    /// Writes a folder with these files.
    package func writeFolder(_ files: [(name: String, bytes: [UInt8])]) throws {
        let draft = try naming { try OutputDraft(beside: path) { mkdir($0, 0o777) } }.path
        var remains: String? = draft
        defer { remains.map { try? FileManager.default.removeItem(atPath: $0) } }
        for file in files {
            let target = draft + "/" + file.name
            try makeFolders(to: target, below: draft)
            let descriptor = open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o666)
            guard descriptor >= 0 else { throw systemFault() }
            try naming { try file.bytes.withUnsafeBytes { try OutputPlace.fill(descriptor, $0, isGivenUp: isGivenUp) } }
        }
        if rename(draft, path) == 0 {
            remains = nil
            return
        }
        guard errno == ENOTEMPTY || errno == EEXIST else { throw systemFault() }
        // The old one becomes the draft, which is taken away.
        let exchanged = clinux_exchange(draft, path)
        guard exchanged != 0 else { return }
        guard exchanged == -EINVAL || exchanged == -ENOSYS else { throw fault(String(cString: strerror(-exchanged))) }
        // This file system can't: for a moment nothing is there.
        let old = draft + ".old"
        guard rename(path, old) == 0 else { throw systemFault() }
        guard rename(draft, path) == 0 else {
            let failure = systemFault()
            rename(old, path)
            throw failure
        }
        remains = old
    }

    /// - Returns: Those that were not there, the outer one first.
    @discardableResult
    private func makeFolders(to file: String, below top: String) throws -> [String] {
        var place = top
        var made: [String] = []
        for piece in file.dropFirst(top.count + 1).split(separator: "/").dropLast() {
            place += "/" + piece
            if mkdir(place, 0o777) == 0 {
                made.append(place)
            } else if errno != EEXIST {
                throw systemFault()
            }
        }
        return made
    }

    // MARK: Files

    /// Writes a file; those that it names first, into folders beside it. They are named by their content: a file that is there is
    /// the same, and until the last step nobody asks for a new one. Where that fails, the new ones are taken away.
    package func writeFile(_ bytes: [UInt8], pictures: [(name: String, bytes: [UInt8])]) throws {
        var folders: [String] = []
        var files: [(path: String, identity: FileIdentity)] = []
        do {
            for picture in pictures {
                let target = folder + "/" + picture.name
                folders += try makeFolders(to: target, below: folder)
                let isNew = FileIdentity(target) == nil
                try replace(target, picture.bytes)
                if isNew, let identity = FileIdentity(target) { files.append((target, identity)) }
            }
            try replace(path, bytes)
        } catch {
            // One that another writing has put there meanwhile is that one's.
            for file in files where FileIdentity(file.path) == file.identity { unlink(file.path) }
            for folder in folders.reversed() { rmdir(folder) }
            throw error
        }
    }

    private func replace(_ target: String, _ bytes: [UInt8]) throws {
        try naming { try bytes.withUnsafeBytes { try OutputPlace.file(target).put($0, isGivenUp: isGivenUp) } }
    }

    /// Does something; what is in the way is a fault of this place.
    private func naming<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let problem as OutputFault {
            throw fault("\(problem)")
        }
    }
}

/// Which file is at a path, whatever it is called.
private struct FileIdentity: Equatable {
    let device: dev_t
    let number: ino_t

    /// Nil where there is none.
    init?(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        (device, number) = (status.st_dev, status.st_ino)
    }
}
