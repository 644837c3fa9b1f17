import Foundation
import Glibc

/// One load: finds out what a file is, reads it, and gathers warnings.
package final class SceneLoader {
    private let options: SceneDocument.Options
    /// What was found so far; after a throw too.
    package let warnings: SceneWarnings
    private let budget: PictureBudget

    private var limits: SceneLimits { options.limits }

    package init(_ options: SceneDocument.Options) {
        self.options = options
        warnings = SceneWarnings(limit: options.limits.warnings)
        budget = PictureBudget(bytes: options.limits.decodedImageBytes)
    }

    /// Loads a file or folder.
    package func load(path: String) throws -> SceneDocument {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw SceneError(file: path, message: "can't be read: \(String(cString: strerror(errno)))")
        }
        if status.st_mode & S_IFMT == S_IFDIR { return try loadFolder(path) }
        let bytes: [UInt8]
        do throws(FileFault) {
            bytes = try readRegularFile(path, limit: limits.archiveFileBytes)
        } catch {
            throw SceneError(file: path, message: "the file \(error.message)")
        }
        let folder = NSString(string: path).deletingLastPathComponent
        if let bundle = try enclosingBundle(of: path, folder: folder) { return try loadFolder(bundle) }
        let files = try FolderFiles(path: folder.isEmpty ? "." : folder, name: folder, entryLimit: limits.entries)
        return try load(bytes, name: path, files: files)
    }

    /// Loads a file in memory with nothing beside it.
    package func load(_ bytes: [UInt8], name: String) throws -> SceneDocument {
        try load(bytes, name: name, files: NoFiles())
    }

    private func load(_ bytes: [UInt8], name: String, files: any SceneFiles) throws -> SceneDocument {
        if SceneContent.isArchive(bytes) {
            let archive = try ZipArchive(bytes, name: name, limits: limits)
            return try document(
                name, try BundleFinder(archive, options, warnings).sheets { try readBundle($0, archive) })
        }
        guard bytes.count <= limits.documentBytes else {
            throw SceneError(file: name, message: "the file is over the limit of \(limits.documentBytes) bytes")
        }
        let text = try SourceText(bytes, file: name)
        if let only = options.only {
            throw SceneError(
                file: name, message: "there is no \"\(only)\": one file, not a wallpaper of several bundles")
        }
        switch SceneContent.kind(of: text) {
        case .xml:
            let sheet = try readCAML(text, files: files, folder: .top, index: BundleIndex())
            return try document(name, [sheet])
        case .json:
            let scene = try SceneJSONReader.read(
                try JSONReader.read(text, limits: limits), folder: .top, pictures: pictures(files, root: .top),
                layerLimit: limits.elements, warnings: warnings)
            let sheet = SceneSheet(
                tree: scene.tree, size: scene.size, isGeometryFlipped: true, placesRootInCorner: false,
                scale: scene.scale,
                background: scene.background, file: name)
            return try document(name, [sheet], sceneName: scene.name)
        case .unknown:
            throw text.error(
                at: 0, "not a scene: CAML begins with <, a JSON scene with {, a bundle is a folder or a zip archive")
        }
    }

    private func loadFolder(_ path: String) throws -> SceneDocument {
        let files = try FolderFiles(path: path, name: path, entryLimit: limits.entries)
        return try document(path, try BundleFinder(files, options, warnings).sheets { try readBundle($0, files) })
    }

    /// The `.ca` folder whose index names this very file, or whose index this is.
    private func enclosingBundle(of path: String, folder: String) throws -> String? {
        guard folder.hasSuffix(".ca") else { return nil }
        let name = NSString(string: path).lastPathComponent
        if name.lowercased() == "index.xml" { return folder }
        let files = try FolderFiles(path: folder, name: folder, entryLimit: limits.entries)
        guard let index = try readIndex(in: .top, files) else { return nil }
        return index.rootDocument == name ? folder : nil
    }

    // MARK: Bundles

    private func readBundle(_ folder: BundlePath, _ files: any SceneFiles) throws -> SceneSheet {
        let index = try readIndex(in: folder, files)
        let rootDocument = index?.rootDocument ?? "main.caml"
        let path: BundlePath
        do throws(BundlePath.Fault) {
            let candidates = try BundlePath.candidates(rootDocument, from: folder, root: folder)
            path = candidates.first { files.contains($0) } ?? candidates[0]
        } catch {
            throw SceneError(
                file: files.name(of: folder),
                message: "rootDocument \"\(rootDocument.prefix(200))\" of index.xml \(error.message)")
        }
        let text = try SourceText(try bytes(of: path, files, limit: limits.documentBytes), file: files.name(of: path))
        return try readCAML(text, files: files, folder: path.parent, root: folder, index: index ?? BundleIndex())
    }

    private func readIndex(in folder: BundlePath, _ files: any SceneFiles) throws -> BundleIndex? {
        for name in ["index.xml", "Index.xml"] {
            let path = folder.appending(name)
            guard files.contains(path) else { continue }
            let bytes = try bytes(of: path, files, limit: BundleFinder.propertyListBytes)
            return try BundleIndex(try PropertyListFile(bytes, file: files.name(of: path), limits: limits))
        }
        return nil
    }

    private func readCAML(
        _ text: SourceText, files: any SceneFiles, folder: BundlePath, root: BundlePath = .top, index: BundleIndex
    ) throws -> SceneSheet {
        let markup = try MarkupReader.read(text, limits: limits)
        let tree = try CAMLReader.read(
            markup, folder: folder, pictures: pictures(files, root: root), warnings: warnings)
        return SceneSheet(
            tree: tree, size: index.documentSize ?? tree.rootSize, isGeometryFlipped: index.isGeometryFlipped,
            placesRootInCorner: true, file: text.file)
    }

    private func bytes(of path: BundlePath, _ files: any SceneFiles, limit: Int) throws -> [UInt8] {
        do throws(FileFault) {
            return try files.bytes(of: path, limit: limit)
        } catch {
            throw SceneError(file: files.name(of: path), message: "the file \(error.message)")
        }
    }

    private func pictures(_ files: any SceneFiles, root: BundlePath) -> PictureLibrary {
        PictureLibrary(files: files, root: root, limits: limits, budget: budget, warnings: warnings)
    }

    // MARK: The document

    private func document(_ path: String, _ sheets: [SceneSheet], sceneName: String? = nil) throws -> SceneDocument {
        let stage = SceneStage(sheets, warnings: warnings)
        warnings.sort()
        if options.strict { try warnings.throwFirst() }
        let file = NSString(string: NSString(string: path).lastPathComponent).deletingPathExtension
        return SceneDocument(name: sceneName ?? file, stage: stage, warnings: warnings)
    }
}

/// What kind of file some bytes are.
package enum SceneContent {
    case xml, json, unknown

    package static func isArchive(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0x50, 0x4B, 3, 4]) || bytes.starts(with: [0x50, 0x4B, 5, 6])
    }

    package static func kind(of text: SourceText) -> SceneContent {
        switch text.bytes.first(where: { $0 > 0x20 }) {
        case UInt8(ascii: "<"): .xml
        case UInt8(ascii: "{"), UInt8(ascii: "["): .json
        default: .unknown
        }
    }
}

extension SceneTree {
    /// Points: the size of the root's bounds, with the key paths that change it.
    fileprivate var rootSize: CGSize {
        guard let root = nodes.first, case .rect(let bounds) = root.value(of: .bounds) else { return .zero }
        var (width, height) = (bounds.size.width, bounds.size.height)
        for setting in root.keyPaths {
            if setting.keyPath == "bounds.size.width" { width = setting.value }
            if setting.keyPath == "bounds.size.height" { height = setting.value }
        }
        return CGSize(width: abs(width), height: abs(height))
    }
}
