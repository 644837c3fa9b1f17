import Foundation
import Glibc

/// The files of a folder on disk. Links are followed only while they stay inside it.
package final class FolderFiles: SceneFiles {
    package let name: String
    /// The folder's real path, without a slash at the end.
    private let root: String
    private let entryLimit: Int

    /// - Parameter name: How messages call it; an empty one makes them say the file's name alone.
    /// - Throws: `SceneError` if `path` is not a folder.
    package init(path: String, name: String, entryLimit: Int) throws {
        guard let real = realPath(path) else {
            throw SceneError(file: path, message: "no such folder")
        }
        root = real == "/" ? "" : real
        self.name = name
        self.entryLimit = entryLimit
    }

    package func paths() throws -> [BundlePath] {
        var found: [BundlePath] = []
        var folders = [BundlePath.top]
        var seen = 0
        while let folder = folders.popLast() {
            guard let directory = opendir(root + "/" + folder.description) else { continue }
            defer { closedir(directory) }
            while let entry = readdir(directory) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                guard name != ".", name != ".." else { continue }
                seen += 1
                guard seen <= entryLimit, folder.names.count < 32 else {
                    throw SceneError(
                        file: self.name, message: "the folder is over the limit of \(entryLimit) files, 32 folders deep"
                    )
                }
                let path = folder.appending(name)
                var status = stat()
                guard lstat(root + "/" + path.description, &status) == 0 else { continue }
                switch status.st_mode & S_IFMT {
                case S_IFDIR: folders.append(path)
                case S_IFREG: found.append(path)
                default: break
                }
            }
        }
        return found.sorted()
    }

    package func contains(_ path: BundlePath) -> Bool {
        guard let real = realPath(root + "/" + path.description), real.hasPrefix(root + "/") else { return false }
        var status = stat()
        return stat(real, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    package func bytes(of path: BundlePath, limit: Int) throws(FileFault) -> [UInt8] {
        guard let real = realPath(root + "/" + path.description) else { throw .missing }
        guard real.hasPrefix(root + "/") else { throw .leavesBundle }
        return try readRegularFile(real, limit: limit)
    }
}

/// The path without links, or nil if nothing is there.
package func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
}

/// Reads a regular file; never waits for a pipe or a device.
package func readRegularFile(_ path: String, limit: Int) throws(FileFault) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
        if errno == ENOENT || errno == ENOTDIR { throw .missing }
        throw .unreadable(String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
    guard status.st_size <= limit else { throw .tooLarge(limit: limit) }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var filled = 0
    while filled < bytes.count {
        let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress! + filled, $0.count - filled) }
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw .unreadable(String(cString: strerror(errno))) }
        if count == 0 { break }
        filled += count
    }
    bytes.removeLast(bytes.count - filled)
    return bytes
}
