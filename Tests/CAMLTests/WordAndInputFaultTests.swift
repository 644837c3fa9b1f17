import CAML
import CoreAnimation
import Foundation
import LayerModel
import Testing

/// Words that are none of those known, and inputs that a filter doesn't have: one rule in CAML and in JSON, a warning where it
/// stands, and an error in a strict load.
@Suite("Words and inputs that mean nothing") struct WordAndInputFaultTests {
    private func load(_ text: String, strict: Bool = false) throws -> SceneDocument {
        try SceneDocument.load(Data(text.utf8), name: "scene", options: .init(strict: strict))
    }

    private func expectWarning(_ text: String, _ line: Int, _ column: Int, _ part: String) throws {
        let warnings = try load(text).warnings
        #expect(warnings.count == 1, "\(warnings)")
        let first = try #require(warnings.first)
        #expect(first.line == line && first.column == column && first.message.contains(part), "\(first)")
        #expect(throws: SceneError.self) { try load(text, strict: true) }
    }

    @Test(
        "A word that an animation doesn't know is a warning in both, and ignored",
        arguments: [
            ("CATransition", "type", "cube", "is not one of: fade moveIn push reveal"),
            ("CATransition", "subtype", "fromAfar", "is not one of: fromLeft fromRight fromTop fromBottom"),
            ("CABasicAnimation", "fillMode", "frozen", "is not one of: removed forwards backwards both"),
            ("CABasicAnimation", "timingFunction", "swing", "is not one of linear easeIn"),
            ("CAKeyframeAnimation", "calculationMode", "wobbly", "is not one of: linear discrete"),
            ("CAKeyframeAnimation", "rotationMode", "off", "is not one of: auto autoReverse"),
        ])
    func words(className: String, key: String, word: String, part: String) throws {
        let isProperty = className != "CATransition"
        let values = className == "CAKeyframeAnimation" ? "<values><real value=\"0\"/><real value=\"1\"/></values>" : ""
        let path = isProperty ? "keyPath=\"opacity\" " : ""
        try expectWarning(
            """
            <caml><CALayer bounds="0 0 9 9"><animations>
            <animation type="\(className)" \(path)duration="1">\(values)
            <\(key) value="\(word)"/></animation></animations></CALayer></caml>
            """, 3, key.count + 3, part)
        let members = className == "CAKeyframeAnimation" ? ", \"values\": [0, 1]" : ""
        let target = isProperty ? ", \"keyPath\": \"opacity\"" : ""
        try expectWarning(
            """
            {"size": [9, 9], "root": {"animations": [
            {"class": "\(className)"\(target), "duration": 1\(members),
            "\(key)": "\(word)"}]}}
            """, 3, key.count + 5, part)
    }

    @Test("A timing function's word in a list is one, too")
    func listedWord() throws {
        let warnings = try load(
            #"""
            {"size": [9, 9], "root": {"animations": [{"class": "CAKeyframeAnimation", "keyPath": "opacity", "values": [0, 1],
            "timingFunctions": ["swing"]}]}}
            """#
        ).warnings
        #expect(warnings.map(\.line) == [2] && warnings[0].message.contains("timingFunctions[0] is not one of linear"))
    }

    @Test(
        "An input that a filter's type doesn't have is a warning where it stands, and is not set",
        arguments: LayerFilter.Kind.allCases)
    func inputs(kind: LayerFilter.Kind) throws {
        for input in LayerFilter.Input.allCases {
            guard case .number = FilterInputKind(input) else { continue }
            let caml = """
                <caml><CALayer bounds="0 0 9 9"><filters><CAFilter filter="\(kind.typeName)"
                \(input)="2"/></filters></CALayer></caml>
                """
            let json = """
                {"size": [9, 9], "root": {"filters": [{"type": "\(kind.typeName)",
                "\(input)": 2}]}}
                """
            for text in [caml, json] {
                if kind.inputs.contains(input) {
                    #expect(try load(text, strict: true).warnings.isEmpty)
                    continue
                }
                try expectWarning(text, 2, 1, "\(input) makes no difference to a \(kind.typeName), which has ")
                let filter = try #require(try load(text).documentRoots.first?.filters?.first as? CAFilter)
                #expect(filter.value(forKey: "\(input)") == nil)
            }
        }
    }

    @Test(
        "So is any input of a compositing filter, as an attribute and as an element; one of an unknown filter is not said twice"
    )
    func compositing() throws {
        try expectWarning(
            """
            <caml><CALayer bounds="0 0 9 9"><compositingFilter type="CAFilter" filter="multiplyBlendMode"
            inputAmount="2"/></CALayer></caml>
            """, 2, 1, "inputAmount makes no difference to a multiplyBlendMode, which has no inputs")
        try expectWarning(
            """
            <caml><CALayer bounds="0 0 9 9"><filters><CAFilter filter="colorInvert">
            <inputColor value="1 0 0"/></CAFilter></filters></CALayer></caml>
            """, 2, 1, "inputColor makes no difference to a colorInvert, which has no inputs")
        try expectWarning(
            """
            <caml><CALayer bounds="0 0 9 9"><filters>
            <CAFilter filter="wobble" inputAmount="2"/></filters></CALayer></caml>
            """, 2, 1, "the filter wobble is not known")
    }
}
