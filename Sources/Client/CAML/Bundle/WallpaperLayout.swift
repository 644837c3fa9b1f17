import Foundation

/// Which bundles a wallpaper stacks: found by `Wallpaper.plist`, or by their names where it is silent.
package struct WallpaperLayout {
    /// From the back to the front. Source: the semantic reference, §8.1.
    package static let roles = ["Background", "Floating", "Foreground"]

    /// One bundle of the stack.
    package struct Entry: Equatable {
        /// "Background", "Floating", "Foreground", or the bundle's own name.
        package var role: String
        package var folder: BundlePath
    }

    package var entries: [Entry] = []

    /// - Parameters:
    ///   - folder: Where the wallpaper stands, with its `.ca` folders directly inside.
    ///   - bundles: All bundles that were found, wherever they stand.
    package init(list: PropertyListFile?, folder: BundlePath, bundles: [BundlePath], warnings: SceneWarnings) {
        let own = bundles.filter { $0.isInside(folder) }
        let named = list.map { WallpaperLayout.fileNames(in: $0) } ?? [:]
        for role in WallpaperLayout.roles {
            if let name = named[role] {
                if let bundle = own.first(where: { $0.last == name }) {
                    entries.append(Entry(role: role, folder: bundle))
                    continue
                }
                let (line, column) = list?.position(of: role.lowercased() + "AnimationFileName") ?? (0, 0)
                warnings.add(
                    file: list?.file ?? "", line: line, column: column, "the \(role) bundle \"\(name)\" is not there")
            }
            if let bundle = own.first(where: { $0.last.contains(role) }) {
                entries.append(Entry(role: role, folder: bundle))
            }
        }
        if entries.isEmpty { entries = own.map { Entry(role: $0.last, folder: $0) } }
    }

    /// File names by role: `<role>AnimationFileName`, also with `Key` behind it as some files have, anywhere in the list.
    private static func fileNames(in list: PropertyListFile) -> [String: String] {
        var found: [String: String] = [:]
        var pending: [[String: Any]] = [list.dictionary]
        while let dictionary = pending.popLast() {
            for role in roles where found[role] == nil {
                let key = role.lowercased() + "AnimationFileName"
                if let name = (dictionary[key] ?? dictionary[key + "Key"]) as? String { found[role] = name }
            }
            for key in dictionary.keys.sorted().reversed() {
                if let inner = dictionary[key] as? [String: Any] { pending.append(inner) }
            }
        }
        return found
    }
}
