import CAML
import CoreAnimation
import Foundation
import Testing

/// Ctrl-C in the middle of a conversion: whenever it comes, the folder is as it was, or the scene is there whole.
@Suite("A writing that is given up") struct GivenUpWritingTests {
    private func scene() -> CALayer {
        var random = RandomLayers(seed: 5)
        let root = CALayer()
        root.bounds.size = CGSize(width: 10, height: 10)
        for _ in 0..<3 {
            let layer = CALayer()
            layer.contents = random.image()
            root.addSublayer(layer)
        }
        return root
    }

    /// Every file below a folder with its bytes.
    private func files(_ folder: String) -> [String: Data] {
        var found: [String: Data] = [:]
        for case let name as String in FileManager.default.enumerator(atPath: folder)! {
            found[name] = FileManager.default.contents(atPath: folder + "/" + name) ?? Data()
        }
        return found
    }

    /// A document of these layers.
    private func document() throws -> SceneDocument {
        var document: SceneDocument?
        try SceneTestInputs.withFolder { folder in
            try SceneWriter.write(scene(), to: folder + "/In.ca")
            document = try SceneDocument.load(path: folder + "/In.ca")
        }
        return try #require(document)
    }

    @Test(
        "At each moment it leaves the folder as it was, in every form, also where a scene is there already",
        arguments: ["Out.ca", "out.caml", "out.json"], [false, true])
    func everyMoment(name: String, replaces: Bool) throws {
        let document = try document()
        try SceneTestInputs.withFolder { folder in
            let path = folder + "/" + name
            let other = CALayer()
            other.bounds.size = CGSize(width: 5, height: 5)
            if replaces { try SceneWriter.write(other, to: path) }
            let before = files(folder)
            var moments = 0
            for moment in 0..<100 {
                var asked = 0
                let watch = WritingWatch {
                } isGivenUp: {
                    asked += 1
                    return asked > moment
                }
                do {
                    _ = try SceneWriter.write(document, to: path, options: .init(overwrites: replaces), watch: watch)
                    break
                } catch {
                    #expect("\(error)".contains("canceled"), "\(error)")
                }
                moments += 1
                #expect(Set(files(folder).keys) == Set(before.keys), "moment \(moment)")
                let isSame = files(folder) == before
                #expect(isSame, "moment \(moment)")
            }
            // Once a file at least: three images and the scene.
            #expect(moments >= 4 && moments < 100, "\(moments)")
            let read = try SceneDocument.load(path: path, options: .init(strict: true))
            #expect(read.warnings.isEmpty)
        }
    }

    @Test("Until the first file is touched nothing is asked: there is nothing to tidy up")
    func nothingBefore() throws {
        let document = try document()
        try SceneTestInputs.withFolder { folder in
            var order: [String] = []
            let watch = WritingWatch {
                order.append("will write")
            } isGivenUp: {
                order.append("asked")
                return false
            }
            _ = try SceneWriter.write(document, to: folder + "/a.json", options: .init(), watch: watch)
            #expect(order.first == "will write" && order.count > 4, "\(order)")
        }
    }
}
