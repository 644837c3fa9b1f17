import CAML
import CoreAnimation
import Foundation
import Testing

/// A document with a box and two states, and transitions between them.
private func document(_ states: String, _ transitions: String = "", box: String = "") throws -> SceneDocument {
    try load(
        """
        <caml><CALayer id="root" bounds="0 0 100 100" position="7 7"><sublayers>
        <CALayer id="box" name="Box" bounds="0 0 10 10" position="20 30" opacity="0.5">\(box)</CALayer>
        <CALayer id="other" name="Other"/></sublayers>
        <states>\(states)</states><stateTransitions>\(transitions)</stateTransitions></CALayer></caml>
        """)
}

private func set(_ keyPath: String, _ value: String, target: String = "box", type: String = "real") -> String {
    "<LKStateSetValue targetId=\"\(target)\" keyPath=\"\(keyPath)\"><value type=\"\(type)\" value=\"\(value)\"/></LKStateSetValue>"
}

private func state(_ name: String, _ elements: String, _ more: String = "") -> String {
    "<LKState name=\"\(name)\" \(more)><elements>\(elements)</elements></LKState>"
}

private func transition(_ from: String, _ to: String, _ elements: String, _ more: String = "") -> String {
    "<LKStateTransition fromState=\"\(from)\" toState=\"\(to)\" \(more)><elements>\(elements)</elements></LKStateTransition>"
}

private func element(
    _ keyPath: String, _ animation: String = "duration=\"0.8\"", type: String = "CASpringAnimation", more: String = ""
) -> String {
    "<LKStateTransitionElement targetId=\"box\" key=\"\(keyPath)\" \(more)><animation type=\"\(type)\" \(animation)/></LKStateTransitionElement>"
}

extension SceneDocument {
    fileprivate var box: CALayer { layer(withID: "box")! }
}

@Suite("States")
struct StateTests {
    @Test("A state that is marked initial is chosen when that is asked for, and not before")
    func initial() throws {
        let document = try document(
            state("A", set("position.x", "50")) + state("B", set("position.x", "70"), "initial=\"1\"")
                + state("C", set("position.x", "90"), "initial=\"1\""))
        #expect(document.warnings.isEmpty && document.box.position.x == 20)
        document.stateController.setInitialStates()
        #expect(document.box.position.x == 70)
        #expect(document.stateController.state(of: document.documentRoots[0]) == "B")
    }

    @Test("No state is chosen by itself; choosing sets the values, leaving puts the base values back")
    func values() throws {
        let document = try document(
            state("A", set("position.x", "50") + set("opacity", "1") + set("backgroundColor", "1 0 0", type: "CGColor"))
                + state("B", set("position.y", "60", type: "integer") + set("hidden", "1")) + state("Empty", ""))
        #expect(document.warnings.isEmpty, "\(document.warnings)")
        #expect(document.states == ["A", "B", "Empty"])
        let (box, controller) = (document.box, document.stateController)
        let root = document.documentRoots[0]
        #expect(controller.layers.count == 1 && controller.layers[0] === root && controller.state(of: root) == nil)
        #expect(box.position == CGPoint(x: 20, y: 30))
        #expect(controller.setState("A"))
        #expect(box.position == CGPoint(x: 50, y: 30) && box.opacity == 1 && box.backgroundColor != nil)
        #expect(controller.state(of: root) == "A")
        controller.setState("B")
        #expect(
            box.position == CGPoint(x: 20, y: 60) && box.opacity == 0.5 && box.backgroundColor == nil && box.isHidden)
        for name in ["Empty", nil] {
            controller.setState("A")
            controller.setState(name)
            #expect(box.position == CGPoint(x: 20, y: 30) && box.opacity == 0.5 && !box.isHidden, "\(name ?? "none")")
        }
    }

    @Test("A name that no layer has changes nothing")
    func unknownName() throws {
        let document = try document(state("A", set("position.x", "50")))
        document.stateController.setState("A")
        #expect(!document.stateController.setState("C"))
        #expect(document.stateController.state(of: document.documentRoots[0]) == "A" && document.box.position.x == 50)
    }

    @Test("A state has the changes of the one it is based on first; a base that leads back ends the chain")
    func basedOn() throws {
        let document = try document(
            state("Base", set("position.x", "1") + set("position.y", "2"))
                + state("A", set("position.y", "3"), "basedOn=\"Base\"")
                + state("Round", set("position.x", "9"), "basedOn=\"Trip\"")
                + state("Trip", set("position.y", "9"), "basedOn=\"Round\"")
                + state("Lost", set("position.y", "8"), "basedOn=\"Nowhere\""))
        #expect(document.warnings.map(\.message) == ["the state Lost is based on Nowhere, which is not there"])
        for (name, point) in [
            ("A", CGPoint(x: 1, y: 3)), ("Round", CGPoint(x: 9, y: 9)), ("Lost", CGPoint(x: 20, y: 8)),
        ] {
            document.stateController.setState(name)
            #expect(document.box.position == point, "\(name)")
        }
        document.stateController.setState(nil)
        #expect(document.box.position == CGPoint(x: 20, y: 30))
    }

    @Test("Overlapping changes are taken back in the other order")
    func overlapping() throws {
        let document = try document(
            state("A", set("position", "1 2", type: "CGPoint") + set("position.x", "5") + set("position.x", "6")))
        document.stateController.setState("A")
        #expect(document.box.position == CGPoint(x: 6, y: 2))
        document.stateController.setState(nil)
        #expect(document.box.position == CGPoint(x: 20, y: 30))
    }

    @Test("The place of a file's root counts no more in a state than in the file")
    func root() throws {
        let document = try document(
            state("A", set("position.x", "50", target: "root") + set("opacity", "0.25", target: "root")))
        let corner = document.documentRoots[0].position
        document.stateController.setState("A")
        #expect(document.documentRoots[0].position == corner && document.documentRoots[0].opacity == 0.25)
    }

    @Test("States add and remove animations, layers and filters, and take that back")
    func elements() throws {
        let document = try document(
            state(
                "A",
                """
                <LKStateAddAnimation targetId="box" key="spin"><animation type="CABasicAnimation" keyPath="transform.rotation.z" toValue="6"/></LKStateAddAnimation>
                <LKStateRemoveAnimation targetId="box" key="opacity"/>
                <LKStateAddElement targetId="root" keyPath="sublayers" beforeObject="#other"><CALayer name="New"><sublayers><CALayer name="Inner"/></sublayers></CALayer></LKStateAddElement>
                <LKStateRemoveElement targetId="root" keyPath="sublayers" object="#box"/>
                <LKStateAddElement targetId="box" keyPath="filters"><CAFilter filter="gaussianBlur" name="blur" inputRadius="3"/></LKStateAddElement>
                """),
            box: "<animations><animation type=\"CABasicAnimation\" keyPath=\"opacity\" toValue=\"1\"/></animations>")
        #expect(document.warnings.isEmpty, "\(document.warnings)")
        let (root, box) = (document.documentRoots[0], document.box)
        let names = { root.sublayers?.map { $0.name ?? "" } ?? [] }
        #expect(names() == ["Box", "Other"] && box.animationKeys() == ["opacity"])
        document.stateController.setState("A")
        #expect(names() == ["New", "Other"] && box.animationKeys() == ["spin"])
        #expect(root.sublayers?.first?.sublayers?.first?.name == "Inner")
        #expect((box.filters?.first as? CAFilter)?.name == "blur")
        document.stateController.setState(nil)
        #expect(names() == ["Box", "Other"] && box.animationKeys() == ["opacity"] && box.filters?.isEmpty != false)
    }

    @Test("A layer is never added into itself")
    func circle() throws {
        let document = try document(
            state("A", "<LKStateAddElement targetId=\"box\" keyPath=\"sublayers\" object=\"#root\"/>"))
        document.stateController.setState("A")
        #expect(document.box.sublayers?.isEmpty != false && document.layerCount == 3)
    }

    // MARK: Transitions

    @Test(
        "The transition is the exact one, then one to the state, then one from it, then one with both stars",
        arguments: [
            (["A:B", "*:B", "A:*", "*:*"], "A:B"), (["*:*", "A:*", "*:B"], "*:B"), (["*:*", "A:*"], "A:*"),
            (["*:*"], "*:*"),
            (["B:A", "C:*", "*:A"], ""),
        ])
    func choice(transitions: [String], expected: String) throws {
        let text = transitions.enumerated().map { index, name in
            let parts = name.split(separator: ":")
            return transition(String(parts[0]), String(parts[1]), element("position.x", "duration=\"\(index + 1)\""))
        }
        let document = try document(
            state("A", set("position.x", "1")) + state("B", set("position.x", "2")) + state("C", ""), text.joined())
        document.stateController.setState("A", transitionSpeed: 0)
        #expect(document.box.animationKeys() ?? [] == [])
        document.stateController.setState("B")
        let duration = document.box.animation(forKey: "position.x")?.duration
        #expect(duration == transitions.firstIndex(of: expected).map { Double($0 + 1) })
    }

    @Test("What changes and has an element runs from the old to the new value, the rest changes at once")
    func transitionElements() throws {
        let document = try document(
            state("A", set("position.x", "50") + set("opacity", "1"))
                + state("B", set("position.x", "70") + set("opacity", "1")),
            transition(
                "*", "*",
                element(
                    "position.x", "keyPath=\"position.x\" damping=\"50\" mass=\"2\" stiffness=\"300\" duration=\"0.8\"")
                    + element("opacity") + element("position.y")))
        #expect(document.warnings.isEmpty, "\(document.warnings)")
        let (box, controller) = (document.box, document.stateController)
        controller.setState("A", transitionSpeed: 2)
        #expect(Set(box.animationKeys() ?? []) == ["position.x", "opacity"])
        let spring = try #require(box.animation(forKey: "position.x") as? CASpringAnimation)
        #expect(spring.fromValue as? NSNumber == 20 && spring.toValue as? NSNumber == 50)
        #expect(spring.damping == 50 && spring.speed == 2 && spring.keyPath == "position.x")
        box.removeAllAnimations()
        controller.setState("B")
        #expect(box.animationKeys() == ["position.x"])
        controller.setState("B")
        #expect(box.animationKeys() == ["position.x"])
    }

    @Test("An element's beginTime is a delay, its duration stands in for one that the animation lacks")
    func delays() throws {
        let document = try document(
            state("A", set("position.x", "50") + set("position.y", "1") + set("opacity", "1")),
            transition(
                "*", "A",
                element("position.x", "duration=\"1\"", type: "CABasicAnimation", more: "beginTime=\"0.5\"")
                    + element("position.y", "", more: "duration=\"3\"") + element("opacity", ""), "duration=\"2\""))
        #expect(document.warnings.isEmpty, "\(document.warnings)")
        document.stateController.setState("A")
        let group = try #require(document.box.animation(forKey: "position.x") as? CAAnimationGroup)
        #expect(group.duration == 1.5 && group.animations?.first?.beginTime == 0.5 && group.beginTime == 0)
        #expect(document.box.animation(forKey: "position.y")?.duration == 3)
        #expect(document.box.animation(forKey: "opacity")?.duration == 2)
    }

    @Test(
        "What a state can't change is reported where it stands",
        arguments: [
            (state("A", set("position.x", "1", target: "nobody")), "targetId=\"nobody\" names no layer"),
            (state("A", set("emitterSize", "1")), "emitterSize is ignored: only a CAEmitterLayer has it"),
            (state("A", set("wobble", "1")), "wobble is ignored: the key path is not known"),
            (state("A", set("position.x", "undefined")), "value=\"undefined\" of <value> is not a number"),
            (
                state("A", "<LKStateSetValue targetId=\"box\"><value value=\"1\"/></LKStateSetValue>"),
                "names no keyPath"
            ),
            (state("A", "<LKStateSetValue targetId=\"box\" keyPath=\"opacity\"/>"), "has no value"),
            (state("A", "<LKStateWobble/>"), "<LKStateWobble> in a state is not known"),
            (state("A", "<LKStateAddAnimation targetId=\"box\"/>"), "holds no animation"),
            (state("A", "<LKStateAddElement targetId=\"box\"/>"), "names no object"),
            (state("A", "<LKStateRemoveElement keyPath=\"wobbles\" object=\"#box\"/>"), "of wobbles is ignored"),
            ("<LKState><elements/></LKState>", "it has no name"),
            (state("A", "") + state("A", ""), "the layer has one of that name"),
            (state("A", "", "nextDelay=\"2\""), "states don't follow by themselves"),
            (state("A", "", "wobble=\"2\""), "the attribute wobble of <LKState> is not known"),
            ("<wobble/>", "<wobble> is ignored: it is not a state"),
        ])
    func reports(states: String, part: String) throws {
        let warnings = try document(states).warnings
        #expect(warnings.count == 1 && warnings[0].message.contains(part), "\(warnings)")
        #expect(warnings.allSatisfy { $0.line == 4 })
    }

    @Test("What a transition can't play is reported where it stands")
    func transitionReports() throws {
        let document = try document(
            state("A", ""),
            transition(
                "*", "A",
                element("", "keyPath=\"opacity\"") + element("emitterSize")
                    + "<LKStateTransitionElement targetId=\"box\" key=\"opacity\"/><wobble/>",
                "wobble=\"1\" duration=\"x\"") + "<wobble/>")
        let parts = [
            "attribute wobble", "duration=\"x\"", "names no key", "only a CAEmitterLayer has it", "holds no animation",
            "<wobble> in a state transition", "<wobble> is ignored: it is not a state transition",
        ]
        #expect(document.warnings.count == parts.count, "\(document.warnings)")
        for (warning, part) in zip(document.warnings, parts) { #expect(warning.message.contains(part), "\(part)") }
    }
}
