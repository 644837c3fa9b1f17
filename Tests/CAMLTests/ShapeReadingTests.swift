import CAML
import CoreAnimation
import Foundation
import LayerModel
import Testing

@Suite("Shapes in scene files")
struct ShapeReadingTests {
    private func shape(_ attributes: String, _ children: String = "") throws -> (CAShapeLayer, [String]) {
        let document = try load(
            "<caml><CAShapeLayer bounds=\"0 0 100 50\" \(attributes)>\(children)</CAShapeLayer></caml>")
        return (
            try #require(document.documentRoots.first as? CAShapeLayer),
            document.warnings.map { "\($0.line):\($0.column) \($0.message)" }
        )
    }

    @Test("Every property is an attribute")
    func attributes() throws {
        let (made, warnings) = try shape(
            """
            path="M0 0H5V5Z" fillColor="1 0 0 0.5" fillRule="even-odd" strokeColor="0 0 1" strokeStart="0.25" \
            strokeEnd="0.5" lineWidth="3" miterLimit="4" lineCap="round" lineJoin="bevel" lineDashPhase="2" \
            lineDashPattern="5, 2.5"
            """)
        #expect(warnings == [])
        #expect(made.path?.boundingBox == CGRect(x: 0, y: 0, width: 5, height: 5) && made.fillRule == .evenOdd)
        #expect(made.fillColor?.color == Color(1, 0, 0, 0.5) && made.strokeColor?.color == Color(0, 0, 1))
        #expect(made.strokeStart == 0.25 && made.strokeEnd == 0.5 && made.lineWidth == 3 && made.miterLimit == 4)
        #expect(made.lineCap == .round && made.lineJoin == .bevel && made.lineDashPhase == 2)
        #expect(made.lineDashPattern == [5, 2.5])
    }

    @Test("Every property is an element, too")
    func elements() throws {
        let (made, warnings) = try shape(
            "",
            """
            <path type="CGPath" value="M0 0h4v4z"/><fillColor type="null"/><strokeColor value="0 1 0" opacity="0.5"/>\
            <lineWidth value="2"/><lineCap value="square"/>\
            <lineDashPattern><NSNumber value="3"/><NSNumber value="1"/></lineDashPattern>
            """)
        #expect(warnings == [])
        #expect(made.path?.boundingBox == CGRect(x: 0, y: 0, width: 4, height: 4) && made.fillColor == nil)
        #expect(made.strokeColor?.color == Color(0, 1, 0, 0.5) && made.lineWidth == 2 && made.lineCap == .square)
        #expect(made.lineDashPattern == [3, 1])
        let (none, _) = try shape("path=\"M0 0h1\" lineDashPattern=\"\"", "<path type=\"null\"/>")
        #expect(none.path == nil && none.lineDashPattern == nil)
    }

    @Test("What is wrong is a warning where it stands, and ignored")
    func wrong() throws {
        let (made, warnings) = try shape("lineCap=\"pointed\" path=\"L1 1\" lineDashPattern=\"5 x\" string=\"a\"")
        #expect(made.lineCap == .butt && made.path == nil && made.lineDashPattern == nil && warnings.count == 4)
        #expect(warnings.first?.contains("lineCap=\"pointed\" is not one of: butt round square") == true, "\(warnings)")
        let (_, plain) = try layer("lineWidth=\"3\"")
        #expect(plain.count == 1 && plain[0].contains("lineWidth is ignored: only a CAShapeLayer has it"), "\(plain)")
    }

    @Test("Lines grow by animations")
    func animations() throws {
        let (made, warnings) = try shape(
            "path=\"M0 0h9\"",
            """
            <animations><animation type="CABasicAnimation" keyPath="strokeEnd" duration="1"><fromValue type="real" \
            value="0"/><toValue type="real" value="1"/></animation></animations>
            """)
        #expect(warnings == [])
        let key = try #require(made.animationKeys()?.first)
        #expect((made.animation(forKey: key) as? CABasicAnimation)?.keyPath == "strokeEnd")
    }

    @Test("The neutral format has every property under its name")
    func json() throws {
        let document = try load(
            """
            {"format": "layerscene-0", "size": [100, 50], "scale": 1, "root": {"class": "CAShapeLayer",
            "bounds": [0, 0, 100, 50], "path": "M0 0 H5 V5 Z", "fillColor": null, "fillRule": "even-odd",
            "strokeColor": [0, 0, 1, 1], "strokeStart": 0.25, "strokeEnd": 0.5, "lineWidth": 3, "miterLimit": 4,
            "lineCap": "round", "lineJoin": "bevel", "lineDashPhase": 2, "lineDashPattern": [5, 2.5]}}
            """)
        #expect(document.warnings.isEmpty, "\(document.warnings)")
        let made = try #require(document.documentRoots.first as? CAShapeLayer)
        #expect(made.path?.boundingBox == CGRect(x: 0, y: 0, width: 5, height: 5) && made.fillColor == nil)
        #expect(made.fillRule == .evenOdd && made.strokeColor?.color == Color(0, 0, 1) && made.strokeStart == 0.25)
        #expect(made.strokeEnd == 0.5 && made.lineWidth == 3 && made.miterLimit == 4 && made.lineCap == .round)
        #expect(made.lineJoin == .bevel && made.lineDashPhase == 2 && made.lineDashPattern == [5, 2.5])
    }
}
