import CAML
import CoreAnimation
import Foundation
import Testing

/// Files that the tests read and write.
enum SceneTestInputs {
    static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Files of other people, beside the project; the tests that read them are skipped where they are not there.
    static let shared = package.deletingLastPathComponent().appendingPathComponent("shared")

    static let areThere = FileManager.default.fileExists(atPath: shared.appendingPathComponent("inputs").path)

    static func path(_ relative: String) -> String { shared.appendingPathComponent(relative).path }

    /// A folder that lives as long as `body` runs, with some text files in it.
    static func withFolder<R>(_ files: [String: String] = [:], _ body: (String) throws -> R) throws -> R {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("caml-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files {
            let file = folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        return try body(folder.path)
    }
}

/// The error that `body` throws, as "line:column message".
func sceneError<R>(_ body: () throws -> R) -> String {
    do {
        _ = try body()
        return "no error"
    } catch let error as SceneError {
        return "\(error.line):\(error.column) \(error.message)"
    } catch {
        return "another error: \(error)"
    }
}

/// A document from text.
func load(_ text: String, strict: Bool = false, limits: SceneLimits = SceneLimits()) throws -> SceneDocument {
    try SceneDocument.load(Data(text.utf8), name: "scene", options: .init(strict: strict, limits: limits))
}

/// A CAML file with one layer, of which the attributes and children are given.
func caml(_ attributes: String = "", _ children: String = "") -> String {
    "<caml><CALayer bounds=\"0 0 100 50\" \(attributes)>\(children)</CALayer></caml>"
}

/// The one layer of `caml(…)`, with the warnings as "line:column message".
func layer(_ attributes: String = "", _ children: String = "") throws -> (CALayer, [String]) {
    let document = try load(caml(attributes, children))
    return (
        try #require(document.documentRoots.first), document.warnings.map { "\($0.line):\($0.column) \($0.message)" }
    )
}

extension SceneDocument {
    /// All layers below the canvas.
    var layerCount: Int {
        var count = 0
        var pending = documentRoots
        while let layer = pending.popLast() {
            count += 1
            pending += layer.sublayers ?? []
        }
        return count
    }
}
