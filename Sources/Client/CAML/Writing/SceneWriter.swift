import CoreAnimation
import Foundation
import LayerModel
import Quartz2D

/// The forms that a scene can be written in; their files' endings choose them.
public enum SceneFormat: String, Sendable, CaseIterable {
    /// A `.ca` bundle: a folder with `index.xml`, `main.caml` and `assets`.
    case bundle = "ca"
    /// A `.caml` file, with its images in a folder beside it.
    case caml
    /// A `.json` scene, with its images in a folder beside it.
    case json

    /// By the ending of a file's name; nil for any other.
    public init?(path: String) {
        let name = NSString(string: path).lastPathComponent
        guard let format = SceneFormat(rawValue: NSString(string: name).pathExtension.lowercased()) else { return nil }
        self = format
    }
}

/// Writes layer trees as files that `SceneDocument.load` reads: the same layers, the same picture at every time and in every state.
///
/// Values are exact, and only what differs from a class's default is written; the same tree gives the same bytes. A file or bundle
/// appears whole or not at all. What a file can't say (values under keys of the app's own, attributes of strings, classes of
/// the app's own) is a warning with the layer and the key. Delegates, layout managers and actions are code and in no file. Source:
/// docs/caml.md, "Writing".
public struct SceneWriter: Sendable {
    /// How to write.
    public struct Options: Hashable, Sendable {
        /// Nil: what the ending of the path says.
        public var format: SceneFormat?
        /// Replaces what is there already; otherwise that is an error.
        public var overwrites = false
        /// Every warning is an error, and nothing is written.
        public var strict = false

        /// Options; without arguments the defaults.
        public init(format: SceneFormat? = nil, overwrites: Bool = false, strict: Bool = false) {
            self.format = format
            self.overwrites = overwrites
            self.strict = strict
        }
    }

    /// Writes a document, as it was loaded or as it has become. No layer may be in a state: the base values are written.
    ///
    /// - Returns: What can't be said in the file.
    /// - Throws: `SceneError` where no file can say it, `SceneFileError` where it can't be written; what was there is as it was.
    @discardableResult
    public static func write(
        _ document: SceneDocument, to path: String, options: Options = Options()
    ) throws -> [SceneWarning] {
        try write(SceneSource(document), to: path, options)
    }

    /// The same, for whoever may give it up meanwhile.
    package static func write(
        _ document: SceneDocument, to path: String, options: Options, watch: WritingWatch
    ) throws -> [SceneWarning] {
        try write(SceneSource(document), to: path, options, watch)
    }

    /// Writes a layer with all that is below it. Its bounds are the document; its own position and transform don't count.
    ///
    /// - Parameter isGeometryFlipped: True: y grows downwards, as under the root layer of a `HeadlessDisplay`.
    /// - Returns: What can't be said in the file.
    /// - Throws: `SceneError` where no file can say it, `SceneFileError` where it can't be written; what was there is as it was.
    @discardableResult
    public static func write(
        _ layer: CALayer, isGeometryFlipped: Bool = true, to path: String, options: Options = Options()
    ) throws -> [SceneWarning] {
        let file = NSString(string: NSString(string: path).lastPathComponent)
        return try write(
            SceneSource(layer, name: file.deletingPathExtension, isGeometryFlipped: isGeometryFlipped), to: path,
            options)
    }

    /// The scene file alone, without its images, for fuzzers.
    package static func text(of document: SceneDocument, as format: SceneFormat) throws -> String {
        try text(of: SceneSource(document), as: format, WritingSession(file: "scene", pictures: .bundle))
    }

    private static func text(
        of source: SceneSource, as format: SceneFormat, _ session: WritingSession
    ) throws -> String {
        switch format {
        case .bundle: try CAMLWriter.write(source, hasIndex: true, session: session)
        case .caml: try CAMLWriter.write(source, hasIndex: false, session: session)
        case .json: try SceneJSONWriter.write(source, session: session)
        }
    }

    private static func write(
        _ source: SceneSource, to path: String, _ options: Options, _ watch: WritingWatch = WritingWatch()
    ) throws -> [SceneWarning] {
        guard let format = options.format ?? SceneFormat(path: path) else {
            throw SceneError(
                file: path, message: "a scene is written as .ca, .caml or .json; the name says none of them")
        }
        var output = try SceneOutput(path, isFolder: format == .bundle, overwrites: options.overwrites)
        let name = NSString(string: NSString(string: path).lastPathComponent).deletingPathExtension
        let session = WritingSession(
            file: path, pictures: format == .bundle ? .bundle : .folder(name + ".assets"))
        let text = try text(of: source, as: format, session)
        try session.checkPictures()
        if options.strict, let first = session.warnings.first {
            throw SceneError(file: path, message: first.message + "; strict writing takes no warnings")
        }
        let bytes = [UInt8](text.utf8)
        guard bytes.count <= session.limits.documentBytes else {
            throw SceneError(file: path, message: "would be over the limit of \(session.limits.documentBytes) bytes")
        }
        output.isGivenUp = watch.isGivenUp
        watch.willWrite()
        if format == .bundle {
            let index = [UInt8](BundleIndex.text(size: source.size, isGeometryFlipped: source.isGeometryFlipped).utf8)
            try output.writeFolder([("index.xml", index), ("main.caml", bytes)] + session.pictures)
        } else {
            try output.writeFile(bytes, pictures: session.pictures)
        }
        return session.warnings
    }
}

extension SceneDocument {
    /// Writes the document: `SceneWriter.write(_:to:options:)`.
    @discardableResult
    public func write(to path: String, options: SceneWriter.Options = SceneWriter.Options()) throws -> [SceneWarning] {
        try SceneWriter.write(self, to: path, options: options)
    }
}

extension BundleIndex {
    /// `index.xml`. A size that is none is left out: then the root's bounds count.
    static func text(size: CGSize, isGeometryFlipped: Bool) -> String {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>

            """
        if size.width > 0, size.height > 0 {
            text += "\t<key>documentHeight</key>\n\t<real>\(NumberText.text(Double(size.height)))</real>\n"
            text += "\t<key>documentWidth</key>\n\t<real>\(NumberText.text(Double(size.width)))</real>\n"
        }
        text += "\t<key>geometryFlipped</key>\n\t<\(isGeometryFlipped)/>\n"
        text += "\t<key>rootDocument</key>\n\t<string>main.caml</string>\n</dict>\n</plist>\n"
        return text
    }
}
