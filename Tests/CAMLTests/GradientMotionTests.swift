import CAML
import CoreAnimation
import Foundation
import LayerModel
import Quartz2D
import Testing

@Suite("Animations of gradients in files")
struct GradientMotionTests {
    private func gradient(_ children: String) throws -> (CAGradientLayer, [String]) {
        let document = try load(
            caml("", "<sublayers><CAGradientLayer id=\"g\">\(children)</CAGradientLayer></sublayers>"))
        let layer = try #require(document.layer(withID: "g") as? CAGradientLayer)
        return (layer, document.warnings.map(\.message))
    }

    @Test("Colors and locations are animated by lists, as ends and as key frames")
    func lists() throws {
        let (layer, warnings) = try gradient(
            """
            <animations>
            <animation type="CABasicAnimation" keyPath="colors" duration="1">
              <fromValue type="NSArray"><CGColor value="1 0 0"/><CGColor value="0 0 1" opacity="0.5"/></fromValue>
              <toValue><NSArray><CGColor value="0 1 0"/></NSArray></toValue>
            </animation>
            <animation type="CAKeyframeAnimation" keyPath="locations" duration="1">
              <values><NSArray><real value="0"/><real value="1"/></NSArray><NSArray><real value="0.25"/><real value="0.5"/></NSArray></values>
            </animation>
            </animations>
            """)
        #expect(warnings.isEmpty, "\(warnings)")
        let basic = try #require(layer.animation(forKey: "colors") as? CABasicAnimation)
        #expect(sameObjects(basic.fromValue, [CGColor(Color(1, 0, 0)), CGColor(Color(0, 0, 1, 0.5))]))
        #expect(sameObjects(basic.toValue, [CGColor(Color(0, 1, 0))]))
        let frames = try #require(layer.animation(forKey: "locations") as? CAKeyframeAnimation)
        #expect(sameObjects(frames.values, [[0.0, 1.0], [0.25, 0.5]]))
    }

    @Test("A JSON scene has lists for them, too; another value is an error with its place")
    func json() throws {
        func scene(_ value: String) throws -> SceneDocument {
            try load(
                """
                {"size": [1, 1], "root": {"class": "CAGradientLayer", "animations": [
                  {"class": "CABasicAnimation", "keyPath": "colors", "toValue": \(value), "duration": 1}]}}
                """)
        }
        let document = try scene("[[1, 0, 0, 1], [0, 0, 1, 0.5]]")
        let basic = document.documentRoots[0].animation(forKey: "colors") as? CABasicAnimation
        #expect(sameObjects(basic?.toValue, [CGColor(Color(1, 0, 0)), CGColor(Color(0, 0, 1, 0.5))]))
        #expect(sceneError { try scene("[[1, 0, 0, 1], null]") }.contains("toValue[1] is null, not a color"))
        #expect(sceneError { try scene("3") }.contains("toValue is a number, not a list of at most"))
    }

    @Test("A list with something else in it is a warning, and the value is left out")
    func wrong() throws {
        let (layer, warnings) = try gradient(
            """
            <animations><animation type="CABasicAnimation" keyPath="colors" duration="1">
            <toValue type="NSArray"><CGColor value="1 0"/></toValue></animation></animations>
            """)
        #expect(warnings.count == 1 && warnings[0].contains("has 2 numbers where 3 to 4 are expected"), "\(warnings)")
        #expect((layer.animation(forKey: "colors") as? CABasicAnimation)?.toValue == nil)
    }
}
