// A zip archive, read without unpacking it. Names, counts and sizes are checked from the directory before a byte is
// inflated, and a stream that yields more than its entry declared is refused, so an archive costs at most its limits.

import CZip
import Foundation
import Glibc

/// The files of a zip archive.
package final class ZipArchive: SceneFiles {
    package let name: String
    private let archive: OpaquePointer
    private var entries: [BundlePath: Entry] = [:]
    private var sorted: [BundlePath] = []

    private struct Entry {
        var index: UInt64
        var size: Int
        var isLink: Bool
    }

    /// Opens an archive in memory.
    ///
    /// - Throws: `SceneError` if it is damaged, encrypted, over a limit, or names a file outside itself.
    package init(_ bytes: [UInt8], name: String, limits: SceneLimits) throws {
        self.name = name
        var fault = zip_error_t()
        zip_error_init(&fault)
        defer { zip_error_fini(&fault) }
        // libzip frees the copy.
        guard let copy = malloc(max(bytes.count, 1)) else {
            throw SceneError(file: name, message: "no memory for an archive of \(bytes.count) bytes")
        }
        bytes.withUnsafeBytes { if let base = $0.baseAddress { memcpy(copy, base, $0.count) } }
        guard let source = zip_source_buffer_create(copy, UInt64(bytes.count), 1, &fault) else {
            free(copy)
            throw SceneError(file: name, message: "can't be read: \(String(cString: zip_error_strerror(&fault)))")
        }
        guard let archive = zip_open_from_source(source, ZIP_RDONLY, &fault) else {
            zip_source_free(source)
            throw SceneError(
                file: name, message: "not a readable zip archive: \(String(cString: zip_error_strerror(&fault)))")
        }
        self.archive = archive
        try index(limits)
    }

    deinit {
        zip_discard(archive)
    }

    package func paths() -> [BundlePath] { sorted }

    package func contains(_ path: BundlePath) -> Bool { entries[path] != nil }

    package func bytes(of path: BundlePath, limit: Int) throws(FileFault) -> [UInt8] {
        guard let entry = entries[path] else { throw .missing }
        guard !entry.isLink else { throw .notAFile }
        guard entry.size <= limit else { throw .tooLarge(limit: limit) }
        guard let file = zip_fopen_index(archive, entry.index, 0) else {
            throw .unreadable(String(cString: zip_strerror(archive)))
        }
        defer { zip_fclose(file) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = block.withUnsafeMutableBytes { zip_fread(file, $0.baseAddress, UInt64($0.count)) }
            guard count >= 0 else { throw .unreadable(String(cString: zip_file_strerror(file))) }
            if count == 0 { break }
            guard bytes.count + Int(count) <= entry.size else {
                throw .unreadable("it holds more than the \(entry.size) bytes that the archive declares")
            }
            bytes.append(contentsOf: block[..<Int(count)])
        }
        guard bytes.count == entry.size else {
            throw .unreadable("it ends after \(bytes.count) of \(entry.size) bytes")
        }
        return bytes
    }

    private func index(_ limits: SceneLimits) throws {
        let count = zip_get_num_entries(archive, 0)
        guard count >= 0, count <= limits.entries else {
            throw SceneError(file: name, message: "\(count) entries; the limit is \(limits.entries)")
        }
        var total = 0
        for index in 0..<UInt64(count) {
            var status = zip_stat_t()
            zip_stat_init(&status)
            guard zip_stat_index(archive, index, 0, &status) == 0, let raw = status.name else {
                throw SceneError(file: name, message: "entry \(index): \(String(cString: zip_strerror(archive)))")
            }
            let entryName = String(cString: raw)
            let needed = UInt64(ZIP_STAT_SIZE)
            guard status.valid & needed == needed, let size = Int(exactly: status.size) else {
                throw SceneError(file: name, message: "entry \"\(entryName)\" declares no size")
            }
            guard size <= limits.entryBytes, total <= limits.archiveBytes - size else {
                throw SceneError(
                    file: name,
                    message: "entry \"\(entryName)\" would inflate to \(size) bytes: "
                        + "the limits are \(limits.entryBytes) an entry and \(limits.archiveBytes) in all")
            }
            total += size
            let isFolder = entryName.hasSuffix("/")
            let path = try safePath(entryName)
            guard !isFolder else { continue }
            if status.valid & UInt64(ZIP_STAT_ENCRYPTION_METHOD) != 0, status.encryption_method != 0 {
                throw SceneError(
                    file: name, message: "entry \"\(entryName)\" is encrypted; store it without a password")
            }
            if entries[path] == nil {
                entries[path] = Entry(index: index, size: size, isLink: isLink(index))
                sorted.append(path)
            }
        }
        sorted.sort()
    }

    private func safePath(_ entryName: String) throws -> BundlePath {
        let escapes = entryName.hasPrefix("/") || entryName.hasPrefix("\\") || entryName.contains("..\\")
        let names = entryName.split(separator: "/").map(String.init)
        guard !escapes, !names.contains("..") else {
            throw SceneError(file: name, message: "entry \"\(entryName)\" names a file outside the archive")
        }
        return BundlePath(names.filter { $0 != "." })
    }

    /// True for a symbolic link stored by a Unix: the upper half of the attributes is the mode.
    private func isLink(_ index: UInt64) -> Bool {
        var system: UInt8 = 0
        var attributes: UInt32 = 0
        guard zip_file_get_external_attributes(archive, index, 0, &system, &attributes) == 0 else { return false }
        return system == UInt8(ZIP_OPSYS_UNIX) && (attributes >> 16) & 0o170000 == 0o120000
    }
}
