import CAML
import CoreAnimation
import Foundation
import LayerModel
import Quartz2D
import ReferenceCompositor
import Synchronization
import Testing

/// One of the scenes in Tests/Goldens/scenes, by the name of its file. A new file is a new scene: the goldens and every
/// variant take it up.
struct GoldenScene: Sendable, CustomTestStringConvertible {
    let name: String

    var testDescription: String { name }

    static let folder =
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path
        + "/Goldens"

    static let all: [GoldenScene] = names(in: "scenes", ending: ".json").map(GoldenScene.init)

    /// The names of the files of one kind in a folder of the goldens, in order.
    static func names(in folder: String, ending: String) -> [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: Self.folder + "/" + folder)) ?? []
        return files.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }.sorted()
    }

    func planFile(in folder: String = folder) -> String { "\(folder)/plans/\(name).txt" }
    func imageFile(in folder: String = folder) -> String { "\(folder)/images/\(name).png" }

    /// A scene of ours draws everything that it says: a warning is an error.
    func load() throws -> SceneDocument {
        try SceneDocument.load(path: "\(Self.folder)/scenes/\(name).json", options: .init(strict: true))
    }

    /// The scene as `rostrum render` shows it.
    ///
    /// - Parameters:
    ///   - scale: Pixels a point; nil: what the file says.
    ///   - background: Instead of the file's; nil inside is transparent.
    ///   - isTurned: Width and height of the display are exchanged.
    ///   - arrange: Puts the scene's canvas under the display's root in some other way than straight.
    func staging(
        scale: Double? = nil, background: CGColor?? = nil, isTurned: Bool = false,
        arrange: ((_ canvas: CALayer, _ root: CALayer, _ document: SceneDocument) -> Void)? = nil
    ) throws -> Staging {
        let document = try load()
        let (width, height) = (Double(document.size.width), Double(document.size.height))
        return Staging(
            isTurned ? height : width, isTurned ? width : height, scale: scale ?? Double(document.scale),
            background: background ?? document.background
        ) { root in
            if let arrange { arrange(document.rootLayer, root, document) } else { root.addSublayer(document.rootLayer) }
        }
    }

    // MARK: What everything is compared with

    /// The plain picture, and what the reference makes of it. Drawn once.
    struct Base: Sendable {
        var picture: ServedPicture
        var reference: ReferenceImage
    }

    private static let bases = Mutex<[String: Base]>([:])

    func base() throws -> Base {
        if let base = Self.bases.withLock({ $0[name] }) { return base }
        let picture = try ServedPicture.draw(staging())
        let base = Base(picture: picture, reference: try picture.reference())
        Self.bases.withLock { $0[name] = base }
        return base
    }
}

extension ServedPicture {
    /// What the compositor makes of the same transactions.
    func reference() throws -> ReferenceImage {
        ReferenceCompositor.render(try ReferenceScene(transactions, display: display))
    }
}
