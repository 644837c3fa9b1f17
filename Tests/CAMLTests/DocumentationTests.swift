import CAML
import Foundation
import LayerModel
import Testing

@Suite("The pages")
struct DocumentationTests {
    private func page(_ name: String) throws -> String {
        try String(contentsOf: SceneTestInputs.package.appendingPathComponent("docs/\(name)"), encoding: .utf8)
    }

    @Test("docs/caml.md names every attribute and class that the reader knows")
    func caml() throws {
        let text = try page("caml.md")
        let names = CAMLVocabulary.table.keys.sorted() + LayerProperty.allCases.map(\.key)
        for name in names + CAMLVocabulary.laterClasses.keys.sorted() {
            #expect(text.contains("`\(name)`"), "\(name)")
        }
    }

    @Test("docs/caml.md names every class and attribute of animations, and every element of states")
    func motion() throws {
        let text = try page("caml.md")
        let states = ["SetValue", "AddAnimation", "RemoveAnimation", "AddElement", "RemoveElement"].map {
            "LKState" + $0
        }
        for name in AnimationVocabulary.classes + AnimationVocabulary.fields.keys.sorted() + states {
            #expect(text.contains("`\(name)`"), "\(name)")
        }
    }

    @Test("docs/scene-json.md names every property with its default")
    func json() throws {
        let text = try page("scene-json.md")
        for property in LayerProperty.allCases { #expect(text.contains("`\(property.key)`"), "\(property.key)") }
    }
}
