// A PNG file a frame. All of them are made in a folder of their own and moved when the last one is whole: as one step where the
// folder they belong in is new, one by one where it is there already. Files that are not the sequence's are never touched; files
// that have its names are an error, or replaced where that is asked for.

import Foundation
import Glibc
import Quartz2D

final class PNGSequenceWriter: ClipWriter, @unchecked Sendable {
    private let names: SequenceNames
    private let shape: ClipShape
    private let numbers: [Int]
    /// Where the files are until all are there.
    private let folder: String
    var draft: String? { folder }
    private let folderIsNew: Bool
    private let replaces: Bool
    private let lock = NSLock()
    private var isPublished = false
    private(set) var warnings: [String] = []

    /// - Throws: `ClipError.alreadyThere`, `.unwritable`, `.badFormat`.
    init(_ path: String, _ shape: ClipShape, numbers: [Int], replaces: Bool) throws {
        self.shape = shape
        self.numbers = numbers
        self.replaces = replaces
        var status = stat()
        let isThere = stat(path, &status) == 0
        names = try SequenceNames(path, isFolder: isThere && status.st_mode & S_IFMT == S_IFDIR)
        folderIsNew = stat(names.folder, &status) != 0
        guard folderIsNew || status.st_mode & S_IFMT == S_IFDIR else {
            throw ClipError.unwritable(path: names.folder, "it is a file, not a folder")
        }
        if !folderIsNew {
            let taken = try Self.taken(names, numbers, path)
            guard taken.same.isEmpty || replaces else {
                let more = taken.same.count > 1 ? " and \(taken.same.count - 1) more" : ""
                throw ClipError.alreadyThere(
                    path: names.folder, "\(taken.same[0])\(more) of the sequence's files are there already")
            }
            if taken.others > 0 {
                warnings.append(
                    "\(names.folder) has \(taken.others) other files that are called like frames of this sequence")
            }
        }
        let place = folderIsNew ? names.folder : names.folder + "/frames"
        folder = try DraftFile.made(beside: place) { place throws(OutputFault) in
            try OutputDraft(beside: place) { mkdir($0, 0o777) }
        }.path
    }

    deinit { abandon() }

    /// What of the sequence's names is there already.
    private static func taken(
        _ names: SequenceNames, _ numbers: [Int], _ path: String
    ) throws(ClipError) -> (same: [String], others: Int) {
        let present: Set<String>
        do {
            present = Set(try FileManager.default.contentsOfDirectory(atPath: names.folder))
        } catch {
            throw .unwritable(path: names.folder, "it can't be read")
        }
        guard !present.isEmpty else { return ([], 0) }
        let same = numbers.lazy.map(names.name).filter(present.contains)
        let count = same.count
        return (Array(same), present.filter(names.matches).count - count)
    }

    func prepare(_ frame: ClipFrame) throws -> PreparedFrame {
        PreparedFrame(try PNGPacking.file(of: frame.pixels, width: shape.width, height: shape.height))
    }

    func append(_ prepared: PreparedFrame, of frame: ClipFrame) throws {
        let path = "\(folder)/\(names.name(frame.number))"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw failure(frame.number, errno) }
        let error = prepared.bytes.withUnsafeBytes { OutputPlace.write($0, to: descriptor) }
        let closed = close(descriptor)
        guard error == 0, closed == 0 else { throw failure(frame.number, error == 0 ? errno : error) }
    }

    private func failure(_ number: Int, _ error: Int32) -> ClipError {
        .unwritable(path: "\(names.folder)/\(names.name(number))", OutputFault.text(error))
    }

    func finish() throws {
        lock.lock()
        defer { lock.unlock() }
        if folderIsNew {
            // Fails where somebody has made the folder meanwhile and put something in it.
            guard rename(folder, names.folder) == 0 else {
                throw ClipError.unwritable(path: names.folder, OutputFault.text(errno))
            }
        } else {
            for number in numbers {
                let target = "\(names.folder)/\(names.name(number))"
                guard replaces || access(target, F_OK) != 0 else {
                    throw ClipError.alreadyThere(path: target, "it was made meanwhile")
                }
                guard rename("\(folder)/\(names.name(number))", target) == 0 else { throw failure(number, errno) }
            }
            rmdir(folder)
        }
        isPublished = true
    }

    func abandon() {
        lock.lock()
        defer { lock.unlock() }
        if !isPublished { try? FileManager.default.removeItem(atPath: folder) }
    }
}
