import CAML
import CoreAnimation
import Foundation
import Testing

/// What an animation can't do is said where it is written, in both kinds of scene files; a strict load throws it.
@Suite("Animations that can't be played as written") struct AnimationFaultTests {
    /// The warnings of a CAML layer of a class that has an animation.
    private func caml(_ animation: String, of layerClass: String = "CALayer", _ more: String = "") -> String {
        """
        <caml><CALayer bounds="0 0 9 9"><sublayers><\(layerClass) id="t" bounds="0 0 9 9">
        <animations>\(animation)</animations>
        </\(layerClass)></sublayers>\(more)</CALayer></caml>
        """
    }

    private func warnings(_ text: String) throws -> [SceneWarning] {
        try SceneDocument.load(Data(text.utf8), name: "scene").warnings
    }

    private func json(_ animation: String, of layerClass: String = "CALayer") -> String {
        "{\"size\": [9, 9], \"root\": {\n\"class\": \"\(layerClass)\", \"animations\": [\n\(animation)]}}"
    }

    private func isRefusedStrictly(_ text: String) -> Bool {
        var options = SceneDocument.Options()
        options.strict = true
        return (try? SceneDocument.load(Data(text.utf8), name: "scene", options: options)) == nil
    }

    @Test("A key that only text layers have is a warning with its place on any other layer")
    func keysOfOtherClasses() throws {
        for path in ["fontSize", "foregroundColor"] {
            let element = "<animation type=\"CABasicAnimation\" keyPath=\"\(path)\" duration=\"1\"/>"
            let written = caml(element)
            let found = try warnings(written)
            #expect(
                found.count == 1 && found[0].line == 2 && found[0].message.contains("only a CATextLayer"), "\(found)")
            #expect(isRefusedStrictly(written))
            #expect(try warnings(caml(element, of: "CATextLayer")).isEmpty)

            let object = "{\"class\": \"CABasicAnimation\", \"keyPath\": \"\(path)\", \"duration\": 1}"
            let scene = json(object)
            let foundInJSON = try warnings(scene)
            #expect(foundInJSON.count == 1 && foundInJSON[0].line == 3, "\(foundInJSON)")
            #expect(foundInJSON[0].message.contains("only a CATextLayer has"), "\(foundInJSON)")
            #expect(isRefusedStrictly(scene))
            #expect(try warnings(json(object, of: "CATextLayer")).isEmpty)
        }
    }

    @Test("So is one that a state sets, or a transition animates")
    func states() throws {
        let states = """
            <states><LKState name="A"><elements><LKStateSetValue targetId="t" keyPath="fontSize"><value type="real" value="9"/>
            </LKStateSetValue></elements></LKState></states>
            """
        #expect(try warnings(caml("", states)).map(\.message).filter { $0.contains("only a CATextLayer") }.count == 1)
        #expect(try warnings(caml("", of: "CATextLayer", states)).isEmpty)
    }

    @Test(
        "Numbers out of their range are a warning each, and ignored",
        arguments: [
            ("CABasicAnimation", "speed", "1e300"), ("CABasicAnimation", "repeatCount", "-1"),
            ("CABasicAnimation", "repeatDuration", "-1"), ("CABasicAnimation", "duration", "-2"),
            ("CASpringAnimation", "mass", "0"), ("CASpringAnimation", "stiffness", "-1"),
            ("CASpringAnimation", "damping", "-1"),
        ])
    func numbers(type: String, name: String, value: String) throws {
        let element = caml("<animation type=\"\(type)\" keyPath=\"opacity\" toValue=\"0\" \(name)=\"\(value)\"/>")
        let object = json("{\"class\": \"\(type)\", \"keyPath\": \"opacity\", \"toValue\": 0, \"\(name)\": \(value)}")
        for (text, line) in [(element, 2), (object, 3)] {
            let found = try warnings(text)
            #expect(found.count == 1 && found[0].line == line && found[0].message.contains(name), "\(found)")
            #expect(isRefusedStrictly(text))
        }
    }

    @Test(
        "What CAML's attributes and elements say that can't be is a warning",
        arguments: [
            (#"<animation type="CABasicAnimation" keyPath="opacity" enabled="2"/>"#, "enabled"),
            (#"<animation type="CABasicAnimation" keyPath="opacity" enabled=""/>"#, "enabled"),
            (#"<animation type="CABasicAnimation" keyPath="opacity" fillMode=""/>"#, "fillMode"),
            (#"<animation type="CABasicAnimation" keyPath="opacity" duration="-inf"/>"#, "duration"),
            (#"<animation type="CABasicAnimation" keyPath="opacity" duration="1e400"/>"#, "too large"),
            (#"<animation type="CATransition" keyPath="opacity"/>"#, "keyPath"),
            (
                #"<animation type="CAKeyframeAnimation" keyPath="opacity"><values><real value="0"/></values><values><real value="1"/></values></animation>"#,
                "second <values>"
            ),
            (#"words <animation type="CABasicAnimation" keyPath="opacity"/>"#, "text in <animations>"),
            (
                #"<animation type="CAKeyframeAnimation" keyPath="opacity"><values><real value="0"/><real value="1"/></values><timingFunctions><f name="linear"/><f name="linear"/></timingFunctions></animation>"#,
                "2 timingFunctions where 1"
            ),
            (
                #"<animation type="CAKeyframeAnimation" keyPath="opacity" calculationMode="cubic" tensionValues="1"><values><real value="0"/><real value="1"/></values></animation>"#,
                "1 tensionValues where 2"
            ),
            (#"<animation type="CAKeyframeAnimation" keyPath="position" path="M 1 1"/>"#, "without a segment"),
        ])
    func elements(element: String, part: String) throws {
        let found = try warnings(caml(element))
        #expect(found.count == 1 && found[0].message.contains(part), "\(found)")
    }

    @Test("A path moves points alone")
    func paths() throws {
        let found = try warnings(caml(#"<animation type="CAKeyframeAnimation" keyPath="opacity" path="M 1 1 L 2 2"/>"#))
        #expect(found.contains { $0.message.contains("moves points") }, "\(found)")
        let object = #"{"class": "CAKeyframeAnimation", "keyPath": "opacity", "path": "M 1 1 L 2 2"}"#
        let inJSON = try warnings(json(object))
        #expect(inJSON.contains { $0.message.contains("moves points") && $0.line == 3 }, "\(inJSON)")
    }

    @Test("A delay of a transition's element below 0 is a warning")
    func delay() throws {
        let transition = """
            <stateTransitions><LKStateTransition fromState="*" toState="A"><elements>
            <LKStateTransitionElement targetId="t" keyPath="opacity" beginTime="-1"><animation type="CABasicAnimation" keyPath="opacity" duration="1"/>
            </LKStateTransitionElement></elements></LKStateTransition></stateTransitions>
            """
        let found = try warnings(caml("", transition))
        #expect(found.count == 1 && found[0].message.contains("beginTime"), "\(found)")
    }

    @Test("Groups may lie 16 deep in CAML, too")
    func depth() throws {
        func nested(_ count: Int) -> String {
            (0..<count).reduce("<p type=\"CABasicAnimation\" keyPath=\"opacity\" toValue=\"0\" duration=\"1\"/>") {
                inner, _ in
                "<animation type=\"CAAnimationGroup\"><animations>\(inner)</animations></animation>"
            }
        }
        #expect(try warnings(caml(nested(16))).isEmpty)
        #expect(try warnings(caml(nested(17))).count == 1)
    }
}
