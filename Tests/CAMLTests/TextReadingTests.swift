import CAML
import CoreAnimation
import Foundation
import LayerModel
import Quartz2D
import Testing

@Suite("Text layers in scene files") struct TextReadingTests {
    private func textLayer(_ text: String) throws -> (CATextLayer, [String]) {
        let document = try load("<caml>\(text)</caml>")
        return (
            try #require(document.documentRoots.first as? CATextLayer),
            document.warnings.map { "\($0.line):\($0.column) \($0.message)" }
        )
    }

    @Test("Attributes and property elements of a CATextLayer are read; resizingMode says nothing")
    func caml() throws {
        let (layer, warnings) = try textLayer(
            """
            <CATextLayer bounds="0 0 100 50" fontSize="20" foregroundColor="1 0.5 0" alignmentMode="center" wrapped="1"
              resizingMode="none" truncationMode="end" allowsFontSubpixelQuantization="1">
            <string type="string" value="Über &amp; الف"/><font type="string" value="DejaVuSans-Bold"/>
            </CATextLayer>
            """)
        #expect(warnings == [])
        #expect(layer.string as? String == "Über & الف" && layer.font as? String == "DejaVuSans-Bold")
        #expect(layer.fontSize == 20 && layer.foregroundColor == CGColor(red: 1, green: 0.5, blue: 0, alpha: 1))
        #expect(layer.alignmentMode == .center && layer.isWrapped && layer.truncationMode == .end)
        #expect(layer.allowsFontSubpixelQuantization)
        let (other, none) = try textLayer(
            """
            <CATextLayer bounds="0 0 9 9" string="a"><foregroundColor value="0 0 1" opacity="0.5"/><fontSize type="real" value="9"/><font type="null"/></CATextLayer>
            """)
        #expect(
            none == [] && other.string as? String == "a" && other.fontSize == 9 && other.foregroundColor?.alpha == 0.5)
    }

    @Test("What is wrong says where: a size that is no number, text on a layer that shows none")
    func wrong() throws {
        let (layer, warnings) = try textLayer("<CATextLayer fontSize=\"big\" string=\"a\" bounds=\"0 0 9 9\"/>")
        #expect(layer.fontSize == 36 && warnings.count == 1 && warnings[0].hasPrefix("1:20 fontSize=\"big\""))
        let document = try load("<caml><CALayer fontSize=\"9\" bounds=\"0 0 9 9\"/></caml>")
        #expect(document.warnings.map(\.message) == ["fontSize is ignored: only a CATextLayer has it"])
    }

    @Test("The color is animated, states change the string")
    func motion() throws {
        let document = try load(
            """
            <caml><CATextLayer id="t" bounds="0 0 100 50" string="a"><animations><animation type="CABasicAnimation"
            keyPath="foregroundColor" duration="2"><toValue type="CGColor" value="0 1 0"/></animation></animations>
            <states><LKState name="S"><elements><LKStateSetValue targetId="t" keyPath="string"><value type="string"
            value="b"/></LKStateSetValue></elements></LKState></states></CATextLayer></caml>
            """)
        #expect(document.warnings.map(\.message) == [])
        let layer = try #require(document.documentRoots.first as? CATextLayer)
        #expect((layer.animation(forKey: "foregroundColor") as? CABasicAnimation)?.keyPath == "foregroundColor")
    }

    @Test("JSON scenes have text layers under the same names")
    func json() throws {
        let document = try load(
            """
            {"size": [200, 100], "root": {"class": "CATextLayer", "string": "Hi", "font": "DejaVu Sans", "fontSize": 12,
             "foregroundColor": [1, 0, 0, 1], "wrapped": true, "alignmentMode": "right"}}
            """, strict: true)
        let layer = try #require(document.documentRoots.first as? CATextLayer)
        #expect(layer.string as? String == "Hi" && layer.fontSize == 12 && layer.isWrapped)
        #expect(layer.foregroundColor == CGColor(red: 1, green: 0, blue: 0, alpha: 1) && layer.alignmentMode == .right)
        let plain = try load("{\"size\": [2, 1], \"root\": {\"string\": \"Hi\"}}")
        #expect(plain.warnings.map(\.message) == ["root.string is ignored: only a CATextLayer has it"])
    }
}
