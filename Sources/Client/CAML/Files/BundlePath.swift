// Paths inside a bundle. A reference in a scene file (`src="assets/a%20b.png"`) comes from a stranger: it is turned into
// names below the bundle's top, or refused. Nothing here touches a file.

import Foundation

/// A file's place below the top of a folder or archive: names without empty ones, "." and "..".
package struct BundlePath: Hashable, Sendable, Comparable, CustomStringConvertible {
    package var names: [String]

    package init(_ names: [String]) {
        self.names = names
    }

    package static let top = BundlePath([])

    package var last: String { names.last ?? "" }
    package var parent: BundlePath { BundlePath(Array(names.dropLast())) }
    package var description: String { names.joined(separator: "/") }

    package func appending(_ name: String) -> BundlePath {
        BundlePath(names + [name])
    }

    package func isInside(_ folder: BundlePath) -> Bool {
        names.count > folder.names.count && names.starts(with: folder.names)
    }

    package static func < (a: BundlePath, b: BundlePath) -> Bool {
        (a.names.count, a.description) < (b.names.count, b.description)
    }

    package enum Fault: Error, Equatable {
        case empty, absolute, leavesBundle, address, notAName

        package var message: String {
            switch self {
            case .empty: "names no file"
            case .absolute: "is an absolute path; files are named relative to the scene"
            case .leavesBundle: "leaves the bundle"
            case .address: "is an address; only files of the bundle are read"
            case .notAName: "is not a file name"
            }
        }
    }

    /// Resolves a relative reference, as it is written or after percent-decoding, below `folder`; `..` may climb as far as
    /// `root`.
    package static func resolve(_ reference: String, from folder: BundlePath, root: BundlePath = .top) throws(Fault)
        -> BundlePath
    {
        guard !reference.isEmpty else { throw .empty }
        guard reference.utf8.count <= 4096, !reference.utf8.contains(0) else { throw .notAName }
        guard !reference.hasPrefix("/"), !reference.hasPrefix("\\") else { throw .absolute }
        guard !hasScheme(reference) else { throw .address }
        var names = folder.names
        for piece in reference.split(separator: "/", omittingEmptySubsequences: true) {
            switch piece {
            case ".": continue
            case "..":
                guard names.count > root.names.count else { throw .leavesBundle }
                names.removeLast()
            default: names.append(String(piece))
            }
        }
        guard names.count > root.names.count else { throw .empty }
        return BundlePath(names)
    }

    /// The places that a reference may mean: as it is written, then percent-decoded.
    package static func candidates(_ reference: String, from folder: BundlePath, root: BundlePath = .top) throws(Fault)
        -> [BundlePath]
    {
        let literal = try resolve(reference, from: folder, root: root)
        guard reference.utf8.contains(UInt8(ascii: "%")), let decoded = reference.removingPercentEncoding,
            decoded != reference
        else { return [literal] }
        return [literal, try resolve(decoded, from: folder, root: root)]
    }

    /// "http:", "file:", "data:" and drive letters: letters, then a colon, before any slash.
    private static func hasScheme(_ reference: String) -> Bool {
        guard let colon = reference.firstIndex(of: ":"), colon != reference.startIndex else { return false }
        return reference[..<colon].allSatisfy { $0.isASCII && $0.isLetter }
    }
}
