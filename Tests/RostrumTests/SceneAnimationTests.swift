import CAML
import CoreAnimation
import Foundation
import Rostrum
import Testing

/// Draws a scene at some times, one after the other.
private func frames(_ text: String, at times: [Double], prepare: (SceneDocument) -> Void = { _ in }) throws -> [CGImage]
{
    let document = try SceneDocument.load(Data(text.utf8), name: "scene")
    prepare(document)
    let display = try HeadlessDisplay(width: document.size.width, height: document.size.height)
    document.rootLayer.isGeometryFlipped = !document.isGeometryFlipped
    display.rootLayer.addSublayer(document.rootLayer)
    return try times.map { try display.snapshot(at: $0) as CGImage }
}

private func frame(_ text: String) throws -> CGImage { try frames(text, at: [0])[0] }

/// The largest difference of a channel.
private func difference(_ a: CGImage, _ b: CGImage) -> Int {
    var largest = 0
    for y in 0..<a.height {
        for x in 0..<a.width {
            let (p, q) = (a.pixel(x: x, y: y), b.pixel(x: x, y: y))
            for (v, w) in [(p.red, q.red), (p.green, q.green), (p.blue, q.blue), (p.alpha, q.alpha)] {
                largest = max(largest, abs(Int(v) - Int(w)))
            }
        }
    }
    return largest
}

@Suite("Scenes over time")
struct SceneAnimationTests {
    private func square(_ attributes: String, _ children: String = "") -> String {
        """
        <caml><CALayer bounds="0 0 60 60" backgroundColor="1 1 1"><sublayers>
        <CALayer id="box" bounds="0 0 30 10" position="30 30" backgroundColor="1 0 0" \(attributes)>\(children)</CALayer>
        </sublayers></CALayer></caml>
        """
    }

    @Test("A square turns by an animation as the formula says, also across the repeat", arguments: ["0", "1e-100"])
    func rotation(begin: String) throws {
        let animation = """
            <animations><animation type="CAKeyframeAnimation" keyPath="transform.rotation.z" beginTime="\(begin)" duration="1"
             removedOnCompletion="0" repeatCount="inf" repeatDuration="inf" calculationMode="linear">
             <values><real value="1.5707963267948966"/><real value="0"/></values></animation></animations>
            """
        let times = [0, 0.25, 0.6, 1, 1.25, 7.9]
        for (time, picture) in zip(times, try frames(square("", animation), at: times)) {
            let angle = Double.pi / 2 * (1 - time.truncatingRemainder(dividingBy: 1))
            let expected = try frame(square("transform.rotation.z=\"\(angle)\""))
            #expect(difference(picture, expected) <= 1, "at \(time)")
        }
    }

    @Test("A JSON scene's animation is the same as CAML's")
    func json() throws {
        let layer = #""bounds": [0, 0, 20, 10], "position": [30, 30], "backgroundColor": [1, 0, 0, 1]"#
        func scene(_ more: String) -> String {
            #"{"size": [60, 60], "root": {"anchorPoint": [0, 0], "sublayers": [{\#(layer)\#(more)}]}}"#
        }
        let text = scene(
            #", "animations": [{"class": "CABasicAnimation", "keyPath": "position.x", "fromValue": 10, "toValue": 50, "duration": 2}]"#
        )
        for (time, picture) in zip([0, 0.5, 1.5, 2], try frames(text, at: [0, 0.5, 1.5, 2])) {
            // At its end it is gone.
            let x = time < 2 ? 10 + 20 * time : 30
            let still = scene("").replacingOccurrences(of: "[30, 30]", with: "[\(x), 30]")
            #expect(difference(picture, try frame(still)) <= 1, "at \(time)")
        }
    }

    @Test("A filter's input animates by its key path")
    func filterInput() throws {
        func blurred(_ radius: Double, _ children: String = "") -> String {
            square(
                "",
                "<filters><CAFilter filter=\"gaussianBlur\" name=\"soft\" inputRadius=\"\(radius)\"/></filters>"
                    + children)
        }
        let animation = """
            <animations><animation type="CABasicAnimation" keyPath="filters.soft.inputRadius" fromValue="0" toValue="8" duration="4"/></animations>
            """
        let picture = try frames(blurred(1, animation), at: [2])[0]
        #expect(difference(picture, try frame(blurred(4))) <= 1)
    }

    private func stateful(_ attributes: String = "position=\"20 10\"") -> String {
        """
        <caml><CALayer bounds="0 0 60 60" backgroundColor="1 1 1"><sublayers>
        <CALayer id="box" bounds="0 0 10 10" \(attributes) backgroundColor="0 0 1"/></sublayers>
        <states><LKState name="Up"><elements><LKStateSetValue targetId="box" keyPath="position.y"><value type="integer" value="50"/></LKStateSetValue>
        <LKStateSetValue targetId="box" keyPath="position.x"><value type="integer" value="40"/></LKStateSetValue></elements></LKState>
        <LKState name="Down"><elements/></LKState></states>
        <stateTransitions><LKStateTransition fromState="*" toState="Up"><elements>
        <LKStateTransitionElement targetId="box" keyPath="position.y"><animation type="CASpringAnimation" damping="50" mass="2" stiffness="300"
         velocity="0" duration="0.8" fillMode="backwards" keyPath="position.y"/></LKStateTransitionElement></elements></LKStateTransition>
        </stateTransitions></CALayer></caml>
        """
    }

    @Test("A state shows at once; a transition springs to it as the closed form says, and what has no element jumps")
    func transition() throws {
        let state = try frames(stateful(), at: [0]) { $0.stateController.setState("Up", transitionSpeed: 0) }[0]
        #expect(difference(state, try frame(stateful("position=\"40 50\""))) == 0)
        let times = [0, 0.1, 0.25, 0.5, 0.9]
        let moving = try frames(stateful(), at: times) { document in
            document.stateController.setState("Down", transitionSpeed: 0)
            document.stateController.setState("Up")
        }
        // 50 / (2·√600) is above 1 and counts as 1: critical.
        let w = 150.0.squareRoot()
        for (time, picture) in zip(times, moving) {
            let progress = time < 0.8 ? 1 - exp(-w * time) * (1 + w * time) : 1
            let expected = try frame(stateful("position=\"40 \(10 + 40 * progress)\""))
            #expect(difference(picture, expected) <= 1, "at \(time)")
        }
    }

    @Test("A state chosen while another's transition runs goes on from what is on screen")
    func interrupted() throws {
        let text = stateful().replacingOccurrences(
            of: "fromState=\"*\" toState=\"Up\"", with: "fromState=\"*\" toState=\"*\"")
        let document = try SceneDocument.load(Data(text.utf8), name: "scene")
        let display = try HeadlessDisplay(width: 60, height: 60)
        display.rootLayer.addSublayer(document.rootLayer)
        _ = try display.snapshot() as CGImage
        let before = try display.perform {
            document.stateController.setState("Up")
            return try display.snapshot(at: 0.2) as CGImage
        }
        document.stateController.setState("Down")
        let after = try display.snapshot(at: 0.2) as CGImage
        // x has no element and jumps by 20; y stays.
        func rows(_ image: CGImage) -> [Int] {
            (0..<60).map { y in (0..<60).reduce(0) { $0 + Int(image.pixel(x: $1, y: y).red) } }
        }
        #expect(zip(rows(before), rows(after)).allSatisfy { abs($0 - $1) <= 10 })
    }

    @Test("Speed and time of layers scale the animations below them")
    func layerTiming() throws {
        let animation = """
            <animations><animation type="CABasicAnimation" keyPath="position.x" beginTime="1e-100" fromValue="10" toValue="50" duration="2"/></animations>
            """
        for (timing, local) in [("speed=\"0.5\"", 0.25), ("timeOffset=\"1\"", 1.5), ("beginTime=\"-1\"", 1.5)] {
            let picture = try frames(square(timing, animation), at: [0.5])[0]
            let expected = try frame(
                square("").replacingOccurrences(of: "position=\"30 30\"", with: "position=\"\(10 + 20 * local) 30\""))
            #expect(difference(picture, expected) <= 1, "\(timing)")
        }
    }
}
