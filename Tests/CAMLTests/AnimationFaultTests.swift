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

/// Key paths go into filters and emitter cells by names, which may name nothing.
@Suite("Key paths to filters and emitter cells that are not there") struct MissingPartTests {
    private func caml(_ body: String) -> String {
        """
        <caml><CALayer bounds="0 0 9 9"><sublayers>
        <CALayer id="t" name="box" bounds="0 0 9 9">
        <animations>
        \(body)
        </animations>
        <filters><CAFilter filter="gaussianBlur" name="soft" inputRadius="2"/></filters>
        </CALayer></sublayers></CALayer></caml>
        """
    }

    private func warnings(_ text: String, strict: Bool = false) throws -> [SceneWarning] {
        var options = SceneDocument.Options()
        options.strict = strict
        return try SceneDocument.load(Data(text.utf8), name: "scene", options: options).warnings
    }

    private func basic(_ path: String) -> String {
        "<animation type=\"CABasicAnimation\" key=\"a\" keyPath=\"\(path)\" duration=\"1\" fromValue=\"0\" toValue=\"9\"/>"
    }

    @Test(
        "In CAML a warning at the key path, with the layer and the key, that a strict load throws",
        arguments: [
            ("filters.nosuch.inputRadius", "filters have no \"nosuch\"; there is soft"),
            ("backgroundFilters.soft.inputRadius", "the layer has no backgroundFilters"),
            ("filters.soft.inputAngle", "a gaussianBlur has no inputAngle; there are inputRadius"),
        ])
    func caml(path: String, message: String) throws {
        let text = caml(basic(path))
        let found = try warnings(text)
        #expect(found.count == 1 && found.first?.line == 4, "\(found)")
        #expect(found.first.map { $0.column > 20 } == true, "\(found)")
        let said = found.first?.message ?? ""
        #expect(said.contains(message) && said.contains("\"a\" of \"box\"") && said.contains(path), "\(said)")
        #expect(throws: (any Error).self) { try warnings(text, strict: true) }
        // In a group, too.
        let group = try warnings(
            caml(
                "<animation type=\"CAAnimationGroup\" duration=\"1\"><animations>\(basic(path))</animations></animation>"
            ))
        #expect(group.count == 1, "\(group)")
    }

    @Test("What is there is no warning: by name, by type, in whatever order, and where a state adds it")
    func present() throws {
        #expect(try warnings(caml(basic("filters.soft.inputRadius"))).isEmpty)
        #expect(try warnings(caml(basic("filters.gaussianBlur.inputRadius"))).isEmpty)
        let state = """
            <caml><CALayer id="r" bounds="0 0 9 9">
            <states><LKState name="A"><elements>
            <LKStateAddElement keyPath="filters"><object><CAFilter filter="colorInvert" name="late"/></object></LKStateAddElement>
            <LKStateAddElement keyPath="filters"><object><CAFilter filter="gaussianBlur" name="blur"/></object></LKStateAddElement>
            <LKStateAddAnimation key="k">\(basic("filters.blur.inputRadius"))</LKStateAddAnimation>
            <LKStateSetValue keyPath="filters.blur.inputRadius"><value type="real" value="3"/></LKStateSetValue>
            </elements></LKState></states></CALayer></caml>
            """
        #expect(try warnings(state).isEmpty)
    }

    @Test("A state that sets what is not there is a warning where it is written, and sets nothing")
    func states() throws {
        let text = """
            <caml><CALayer id="r" bounds="0 0 9 9">
            <states><LKState name="A"><elements>
            <LKStateSetValue keyPath="filters.blur.inputRadius"><value type="real" value="3"/></LKStateSetValue>
            </elements></LKState></states></CALayer></caml>
            """
        let document = try SceneDocument.load(Data(text.utf8), name: "scene")
        #expect(document.warnings.count == 1 && document.warnings.first?.line == 3, "\(document.warnings)")
        #expect(document.warnings.first?.message.contains("the layer has no filters") == true, "\(document.warnings)")
        #expect(document.stateController.setState("A"))
    }

    @Test("In CAML and JSON alike for emitter cells, also those inside others")
    func cells() throws {
        func caml(_ path: String) -> String {
            """
            <caml><CAEmitterLayer bounds="0 0 9 9">
            <animations>\(basic(path))</animations>
            <emitterCells><CAEmitterCell name="spark"><emitterCells><CAEmitterCell name="smoke"/></emitterCells></CAEmitterCell>
            </emitterCells></CAEmitterLayer></caml>
            """
        }
        func json(_ path: String) -> String {
            """
            {"size": [9, 9], "root": {"class": "CAEmitterLayer",
            "animations": [{"class": "CABasicAnimation", "keyPath":
            "\(path)", "toValue": 2}],
            "emitterCells": [{"name": "spark", "emitterCells": [{"name": "smoke"}]}]}}
            """
        }
        for path in ["emitterCells.spark.scale", "emitterCells.spark.emitterCells.smoke.velocity"] {
            #expect(try warnings(caml(path)).isEmpty)
            #expect(try warnings(json(path)).isEmpty)
        }
        for path in ["emitterCells.nosuch.scale", "emitterCells.spark.emitterCells.nosuch.scale"] {
            for (text, line) in [(caml(path), 2), (json(path), 3)] {
                let found = try warnings(text)
                #expect(found.count == 1 && found.first?.line == line, "\(found)")
                #expect(found.first?.message.contains("has no emitter cell") == true, "\(found)")
                #expect(throws: (any Error).self) { try warnings(text, strict: true) }
            }
        }
    }

    @Test("In JSON a filter that is not there is a warning at the key path")
    func json() throws {
        func scene(_ path: String) -> String {
            """
            {"size": [9, 9], "root": {
            "animations": [{"class": "CABasicAnimation", "keyPath":
            "\(path)", "toValue": 2}],
            "filters": [{"type": "colorInvert", "name": "x"}]}}
            """
        }
        let found = try warnings(scene("filters.y.inputRadius"))
        #expect(found.count == 1 && found.first?.line == 3, "\(found)")
        #expect(found.first?.message.contains("root.animations[0] shows nothing") == true, "\(found)")
    }

    @Test("An empty key path is named for what it is")
    func empty() throws {
        for path in ["", "  "] {
            let element = "<animation type=\"CABasicAnimation\" keyPath=\"\(path)\" toValue=\"9\"/>"
            let found = try warnings(caml(element)).map(\.message)
            #expect(
                found == [
                    "the animation is ignored: it names no keyPath (\(path.isEmpty ? "an animation" : "animation \"  \"") of \"box\")"
                ])
        }
        let json = try warnings(
            "{\"size\": [9, 9], \"root\": {\"animations\": [{\"class\": \"CABasicAnimation\", \"keyPath\": \"\"}]}}")
        #expect(json.map(\.message).first?.contains("keyPath is empty") == true, "\(json)")
    }
}
