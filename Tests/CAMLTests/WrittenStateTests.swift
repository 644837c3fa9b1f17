import CAML
import CoreAnimation
import Foundation
import Testing

@Suite("States that were written")
struct WrittenStateTests {
    private static let source = """
        <caml><CALayer id="root" name="Root" bounds="0 0 100 100" position="7 7"><sublayers>
        <CALayer id="box" name="Box" bounds="0 0 10 10" position="20 30"><filters>
        <CAFilter id="f" filter="gaussianBlur" name="blur" inputRadius="2"/></filters></CALayer>
        <CALayer name="Nameless"/><CALayer id="gone" name="Gone"/></sublayers>
        <states>
        <LKState name="Base"><elements>
          <LKStateSetValue targetId="box" keyPath="position.x"><value type="real" value="50"/></LKStateSetValue>
        </elements></LKState>
        <LKState name="A &quot;quoted&quot;" basedOn="Base" initial="1"><elements>
          <LKStateSetValue targetId="box" keyPath="backgroundColor"><value type="CGColor" value="1 0 0" opacity="0.5"/></LKStateSetValue>
          <LKStateSetValue targetId="box" keyPath="transform"><value type="CATransform3D" value="rotate(45deg)"/></LKStateSetValue>
          <LKStateSetValue keyPath="speed"><value type="real" value="1.5"/></LKStateSetValue>
          <LKStateAddAnimation targetId="box" key="spin"><animation type="CABasicAnimation" keyPath="transform.rotation.z" toValue="6" duration="2"/></LKStateAddAnimation>
          <LKStateAddElement targetId="root" keyPath="sublayers" beforeObject="#box"><CALayer id="new" name="New" bounds="0 0 5 5"/></LKStateAddElement>
          <LKStateRemoveElement targetId="root" keyPath="sublayers" object="#gone"/>
          <LKStateAddElement targetId="box" keyPath="filters" beforeObject="#f"><CAFilter filter="colorInvert" name="inv"/></LKStateAddElement>
        </elements></LKState>
        <LKState name="B"><elements>
          <LKStateAddElement targetId="root" keyPath="sublayers" object="#new"/>
          <LKStateRemoveElement targetId="box" keyPath="filters" object="#f"/>
          <LKStateRemoveAnimation targetId="box" key="spin"/>
        </elements></LKState>
        </states>
        <stateTransitions><LKStateTransition fromState="*" toState="B"><elements>
          <LKStateTransitionElement targetId="box" key="position.x" beginTime="0.25"><animation type="CASpringAnimation" damping="50" mass="2" stiffness="300" duration="0.8" fillMode="backwards"/></LKStateTransitionElement>
        </elements></LKStateTransition></stateTransitions></CALayer></caml>
        """

    /// What a document is like in each of its states.
    private func look(_ document: SceneDocument) -> [String] {
        document.states.map { name in
            document.stateController.setState(nil, transitionSpeed: 0)
            document.stateController.setState(name)
            var lines = [name]
            var pending = document.documentRoots
            while let layer = pending.popLast() {
                lines.append(
                    "\(layer.name ?? "-") \(layer.position) \(layer.speed) \(layer.backgroundColor?.components ?? []) "
                        + "\(layer.transform) \(layer.filters ?? []) \(layer.animationKeys() ?? [])")
                for (_, animation) in layer.addedAnimations {
                    lines.append("\(animation.duration) \(animation.fillMode.rawValue) \(animation.beginTime)")
                }
                pending += layer.sublayers ?? []
            }
            return lines.joined(separator: "\n")
        }
    }

    @Test(
        "Every change, transition, base and mark of a state is there again after it was written",
        arguments: ["Scene.ca", "s.caml"])
    func roundTrip(name: String) throws {
        let document = try load(Self.source, strict: true)
        try SceneTestInputs.withFolder { folder in
            try document.write(to: folder + "/" + name, options: .init(strict: true))
            let read = try SceneDocument.load(path: folder + "/" + name, options: .init(strict: true))
            #expect(read.states == ["Base", "A \"quoted\"", "B"])
            #expect(read.layer(withID: "box")?.name == "Box" && read.layer(withID: "new")?.superlayer == nil)
            for (a, b) in zip(look(document), look(read)) { #expect(a == b) }
            read.stateController.setState(nil, transitionSpeed: 0)
            read.stateController.setInitialStates()
            #expect(read.stateController.state(of: read.documentRoots[0]) == "A \"quoted\"")
            #expect(read.layer(withID: "root")?.sublayers?.map { $0.name ?? "" } == ["New", "Box", "Nameless"])
        }
    }

    @Test("A layer that is in a state is an error: its base values can't be seen")
    func chosen() throws {
        let document = try load(Self.source)
        document.stateController.setState("B")
        try SceneTestInputs.withFolder { folder in
            let message = sceneError { try document.write(to: folder + "/a.ca") }
            #expect(message.contains("CALayer \"Root\": is in the state \"B\""))
            document.stateController.setState(nil)
            try document.write(to: folder + "/a.ca")
        }
    }

    @Test("A JSON scene has no states and no ids, and a warning says so")
    func json() throws {
        try SceneTestInputs.withFolder { folder in
            let warnings = try load(Self.source).write(to: folder + "/a.json").map(\.message)
            #expect(
                warnings == [
                    "4 ids are left out: JSON scenes have none",
                    "CALayer \"Root\": states are left out (3): JSON scenes have none",
                ], "\(warnings)")
        }
    }
}
