import CAML
import CoreAnimation
import Foundation
import LayerModel
import Quartz2D
import Testing

/// Written, read again, compared.
@Suite("Written scenes")
struct WritingTests {
    /// The only root of what is read after `layer` was written.
    private func roundTrip(_ layer: CALayer, as name: String, isGeometryFlipped: Bool = true) throws -> (
        CALayer, SceneDocument, [String]
    ) {
        try SceneTestInputs.withFolder { folder in
            let path = folder + "/" + name
            let written = try SceneWriter.write(layer, isGeometryFlipped: isGeometryFlipped, to: path)
            let document = try SceneDocument.load(path: path, options: .init(strict: true))
            var root = try #require(document.documentRoots.first)
            // Where a file can't say which way y runs, a layer around all of it does.
            if name.hasSuffix("caml"), isGeometryFlipped { root = try #require(root.sublayers?.first) }
            if name.hasSuffix("json"), !isGeometryFlipped { root = try #require(root.sublayers?.first) }
            return (root, document, written.map(\.message))
        }
    }

    @Test("Random trees are the same, property by property, after they were written and read", arguments: 0..<60)
    func randomTrees(seed: Int) throws {
        for name in ["Scene.ca", "Scene.caml", "scene.json"] {
            var random = RandomLayers(seed: UInt64(seed))
            let layer = random.layer()
            let isFlipped = seed % 2 == 0
            let (read, document, warnings) = try roundTrip(layer, as: name, isGeometryFlipped: isFlipped)
            #expect(warnings.isEmpty, "\(name), seed \(seed): \(warnings.prefix(5))")
            #expect(document.size == CGSize(width: 40, height: 30), "\(name)")
            layer.position = read.position
            layer.zPosition = read.zPosition
            let differences = layerDifferences(layer, read)
            #expect(differences.isEmpty, "\(name), seed \(seed):\n\(differences.joined(separator: "\n"))")
        }
    }
}
