import Foundation

/// Finds the bundles in a folder or archive: one `.ca`, a wallpaper's stack, or a single CAML file.
package struct BundleFinder {
    /// Bytes of one `index.xml` or `Wallpaper.plist`.
    package static let propertyListBytes = 1 << 20

    private let files: any SceneFiles
    private let options: SceneDocument.Options
    private let warnings: SceneWarnings

    package init(_ files: any SceneFiles, _ options: SceneDocument.Options, _ warnings: SceneWarnings) {
        self.files = files
        self.options = options
        self.warnings = warnings
    }

    /// Reads what there is to read, from the back to the front.
    ///
    /// - Parameter read: Reads the bundle in a folder.
    /// - Throws: `SceneError` if nothing or too much is found, or `only` names none of it.
    package func sheets(_ read: (BundlePath) throws -> SceneSheet) throws -> [SceneSheet] {
        let entries = try select(try find())
        return try entries.map { entry in
            var sheet = try read(entry.folder)
            sheet.role = entry.role
            return sheet
        }
    }

    private func find() throws -> [WallpaperLayout.Entry] {
        let paths = try files.paths().filter { path in
            !path.names.contains("__MACOSX") && !path.last.hasPrefix("._")
        }
        var bundles: [BundlePath] = []
        var seen: Set<BundlePath> = []
        for path in paths where ["index.xml", "main.caml"].contains(path.last.lowercased()) {
            if seen.insert(path.parent).inserted { bundles.append(path.parent) }
        }
        if seen.contains(.top) { return [WallpaperLayout.Entry(role: "", folder: .top)] }
        if let plist = paths.first(where: { $0.last == "Wallpaper.plist" }) {
            let others = paths.filter { $0.last == "Wallpaper.plist" && $0 != plist }
            if !others.isEmpty {
                warnings.add(
                    file: files.name, "\(others.count + 1) wallpapers; only the first, \(plist.parent), is read")
            }
            return try wallpaper(plist, bundles)
        }
        if bundles.count == 1 { return [WallpaperLayout.Entry(role: bundles[0].last, folder: bundles[0])] }
        guard !bundles.isEmpty else {
            throw SceneError(file: files.name, message: "holds no bundle: no index.xml, main.caml or Wallpaper.plist")
        }
        let layout = WallpaperLayout(list: nil, folder: .top, bundles: bundles, warnings: warnings)
        let isStack = layout.entries.allSatisfy { WallpaperLayout.roles.contains($0.role) }
        guard isStack || options.only != nil else {
            let names = CAMLReader.list(bundles.map(\.last), limit: 8)
            throw SceneError(file: files.name, message: "holds \(bundles.count) bundles (\(names)); choose one by name")
        }
        return layout.entries
    }

    private func wallpaper(_ plist: BundlePath, _ bundles: [BundlePath]) throws -> [WallpaperLayout.Entry] {
        let bytes: [UInt8]
        do throws(FileFault) {
            bytes = try files.bytes(of: plist, limit: BundleFinder.propertyListBytes)
        } catch {
            throw SceneError(file: files.name(of: plist), message: "the file \(error.message)")
        }
        let list = try PropertyListFile(bytes, file: files.name(of: plist), limits: options.limits)
        let layout = WallpaperLayout(list: list, folder: plist.parent, bundles: bundles, warnings: warnings)
        guard !layout.entries.isEmpty else {
            throw SceneError(file: files.name(of: plist.parent), message: "the wallpaper holds no bundle")
        }
        return layout.entries
    }

    private func select(_ entries: [WallpaperLayout.Entry]) throws -> [WallpaperLayout.Entry] {
        guard let only = options.only else { return entries }
        let wanted = only.lowercased()
        let chosen = entries.filter { entry in
            [entry.role.lowercased(), entry.folder.last.lowercased()].contains {
                !$0.isEmpty && ($0 == wanted || $0 == wanted + ".ca")
            }
        }
        guard !chosen.isEmpty else {
            let names = entries.map(\.role).filter { !$0.isEmpty }
            let there = names.isEmpty ? "it is one bundle" : "there are \(CAMLReader.list(names, limit: 8))"
            throw SceneError(file: files.name, message: "there is no \"\(only.prefix(100))\": \(there)")
        }
        return chosen
    }
}
