import CAML
import CoreAnimation
import Foundation
import Quartz2D
import Rostrum
import Testing

/// Scenes that Core Animation, editors and people wrote: written again and read, they draw the same pixels.
@Suite("Pictures of written scenes")
struct WrittenPictureTests {
    private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let inputs = package.deletingLastPathComponent().appendingPathComponent("shared/inputs").path

    /// The examples, and where they are, files of other people.
    static let scenes: [String] = {
        let names = [
            "apple-written/FavoriteView.ca", "apple-written/LayeringShadowsView.ca", "apple-written/TelevisionView.ca",
            "apple-written/ToggleView.ca", "hand-written/openposter.ca", "hand-written/micasa-emitter.caml",
            "wallpapers/GitHub.tendies", "wallpapers/Spinning_Squares.tendies",
        ]
        return [package.path + "/Examples/Demo.ca"]
            + names.map { inputs + "/" + $0 }.filter { FileManager.default.fileExists(atPath: $0) }
    }()

    /// The pictures of a scene at some times: of its base values, and after each of its states was chosen at time 0.5.
    private func pictures(_ path: String, states: Bool) throws -> [(String, [UInt8])] {
        var pictures: [(String, [UInt8])] = []
        let names = try SceneDocument.load(path: path).states
        for state in [nil] + (states ? names.prefix(4).map { Optional($0) } : []) {
            let document = try SceneDocument.load(path: path)
            let longest = max(document.size.width, document.size.height)
            let display = try HeadlessDisplay(
                width: document.size.width, height: document.size.height, scale: min(1, 300 / longest))
            document.rootLayer.isGeometryFlipped = !document.isGeometryFlipped
            display.rootLayer.addSublayer(document.rootLayer)
            for time in [0, 0.3, 0.8, 2.5] {
                if time == 0.8, let state { document.stateController.setState(state) }
                let image = try display.snapshot(at: time)
                pictures.append(("\(state ?? "no state") at \(time) s", try image.pngData(level: 1)))
            }
        }
        return pictures
    }

    @Test(
        "A scene that was written and read draws the same pixels, at every time and in every state", arguments: scenes)
    func same(scene: String) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("written-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let document = try SceneDocument.load(path: scene)
        var expected: [Bool: [(String, [UInt8])]] = [:]
        for name in ["Scene.ca", "Scene.caml", "scene.json"] {
            let hasStates = !name.hasSuffix("json")
            let path = folder.appendingPathComponent(name).path
            let warnings = try document.write(to: path)
            #expect(!hasStates || warnings.isEmpty, "\(name): \(warnings.prefix(3))")
            if expected[hasStates] == nil { expected[hasStates] = try pictures(scene, states: hasStates) }
            let read = try pictures(path, states: hasStates)
            let wanted = expected[hasStates] ?? []
            #expect(read.map(\.0) == wanted.map(\.0), "\(name): other states")
            for (picture, other) in zip(read, wanted) {
                let isSame = picture.1 == other.1
                #expect(isSame, "\(name) of \(scene), \(picture.0)")
            }
            // Written once more, the file is the same.
            let again = folder.appendingPathComponent("Again-" + name).path
            try SceneDocument.load(path: path).write(to: again)
            let main = name.hasSuffix(".ca") ? "/main.caml" : ""
            let (first, second) = try (
                String(contentsOfFile: path + main, encoding: .utf8),
                String(contentsOfFile: again + main, encoding: .utf8)
            )
            if name.hasSuffix(".ca") {
                let isSame = first == second
                #expect(isSame, "\(name) of \(scene), written again")
            }
        }
    }
}
