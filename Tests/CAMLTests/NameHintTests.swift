import CAML
import CoreAnimation
import Foundation
import Testing

@Suite("Names that are not known")
struct NameHintTests {
    static let markup: [(String, String, String)] = [
        ("opacty=\"1\"", "", "the attribute opacty is not known (did you mean opacity?); it is ignored"),
        (
            "cornerradius=\"1\"", "",
            "the attribute cornerradius is not known (did you mean cornerRadius?); it is ignored"
        ),
        (
            "lineWidht=\"1\"", "",
            "the attribute lineWidht is not known (did you mean lineWidth, which only a CAShapeLayer has?)"
        ),
        ("lineWidth=\"1\"", "", "lineWidth is ignored: only a CAShapeLayer has it"),
        ("instanceCount=\"2\"", "", "instanceCount is ignored: only a CAReplicatorLayer has it"),
        ("fontSize=\"2\"", "", "fontSize is ignored: only a CATextLayer has it"),
        ("preservesDepth=\"1\"", "", "preservesDepth is ignored: only a CAReplicatorLayer or a CAEmitterLayer has it"),
        ("xyzzy=\"1\"", "", "the attribute xyzzy is not known; it is ignored"),
        (
            "transform.rotaton.z=\"1\"", "",
            "the key path transform.rotaton.z is not known (did you mean transform.rotation.z?)"
        ),
        ("", "<colors><CGColor value=\"1 0 0\"/></colors>", "<colors> is ignored: only a CAGradientLayer has it"),
        ("", "<subayers/>", "the element <subayers> is not known (did you mean sublayers?); it is ignored"),
        (
            "", "<sublayers><CAShapLayer/></sublayers>",
            "CAShapLayer is not a known layer class (did you mean CAShapeLayer?)"
        ),
        (
            "", "<filters><CAFilter filter=\"gausianBlur\"/></filters>",
            "gausianBlur is not known (did you mean gaussianBlur?)"
        ),
        (
            "", "<filters><CAFilter filter=\"gaussianBlur\" inputRadus=\"1\"/></filters>",
            "the attribute inputRadus of <CAFilter> is not known (did you mean inputRadius?)"
        ),
        ("", "<compositingFilter filter=\"multiplyBlendmode\"/>", "(did you mean multiplyBlendMode?)"),
        (
            "", "<animations><animation type=\"CABasicAnimaton\" keyPath=\"opacity\"/></animations>",
            "CABasicAnimaton is no animation that is played (did you mean CABasicAnimation?)"
        ),
        (
            "", "<animations><animation type=\"CABasicAnimation\" keyPath=\"opacity\" duraton=\"1\"/></animations>",
            "duraton of the CABasicAnimation is not known (did you mean duration?)"
        ),
        (
            "", "<animations><animation type=\"CABasicAnimation\" keyPath=\"postion.x\"/></animations>",
            "the key path is not known (did you mean position.x?)"
        ),
        (
            "", "<animations><animation type=\"CABasicAnimation\" keyPath=\"strokeEnd\"/></animations>",
            "the animation of strokeEnd is ignored: only a CAShapeLayer has it"
        ),
        (
            "", "<states><LKState name=\"A\"><elements><LKStateSetVale/></elements></LKState></states>",
            "<LKStateSetVale> in a state is not known (did you mean LKStateSetValue?)"
        ),
    ]

    @Test("A warning names the known name that may have been meant, or the class that has it", arguments: markup)
    func caml(attributes: String, children: String, expected: String) throws {
        let (_, warnings) = try layer(attributes, children)
        #expect(warnings.first?.contains(expected) == true, "\(warnings)")
    }

    @Test("What says nothing of a layer that doesn't have the key is no warning")
    func neutral() throws {
        #expect(try layer("enabled=\"1\" preservesDepth=\"0\"").1.isEmpty)
    }

    @Test(
        "So does a warning of a JSON scene",
        arguments: [
            ("\"opacty\": 1", "the key root.opacty is not known (did you mean opacity?)"),
            ("\"lineWidth\": 1", "root.lineWidth is ignored: only a CAShapeLayer has it"),
            ("\"class\": \"CAShapLayer\"", "CAShapLayer is not a known layer class (did you mean CAShapeLayer?)"),
            ("\"filters\": [{\"type\": \"gausianBlur\"}]", "gausianBlur is not known (did you mean gaussianBlur?)"),
            (
                "\"animations\": [{\"class\": \"CABasicAnimation\", \"keyPath\": \"opacity\", \"duraton\": 1}]",
                "duraton is not known (did you mean duration?)"
            ),
        ])
    func json(member: String, expected: String) throws {
        let document = try load("{\"size\": [1, 1], \"root\": {\(member)}}")
        #expect(document.warnings.first?.message.contains(expected) == true, "\(document.warnings)")
    }
}
