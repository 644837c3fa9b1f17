import Foundation
import Quartz2D
import Rostrum

/// The font files of this machine, by their folders: what text will be drawn with.
struct FontFiles {
    /// Folders in which fonts were found, with how many.
    private(set) var folders: [(path: String, count: Int)] = []

    /// What text is set in: of the folders that `--font-dir` names where it is given.
    let families = HeadlessDisplay.fontFamilies
    /// The family that stands for the usual font.
    let standard = CTFont("Helvetica", size: 12).familyName

    var count: Int { folders.reduce(0) { $0 + $1.count } }

    /// Looks where fontconfig looks without a configuration of its own.
    init() {
        var roots = ["/usr/share/fonts", "/usr/local/share/fonts"]
        if let home = environment("HOME") { roots += ["\(home)/.fonts", "\(home)/.local/share/fonts"] }
        for root in roots {
            let count = Self.count(in: root)
            if count > 0 { folders.append((root, count)) }
        }
    }

    private static func count(in folder: String) -> Int {
        guard let files = FileManager.default.enumerator(atPath: folder) else { return 0 }
        var count = 0
        for case let file as String in files {
            let name = file.lowercased()
            if [".ttf", ".otf", ".ttc", ".otc"].contains(where: name.hasSuffix) { count += 1 }
        }
        return count
    }
}
