import CAML
import CoreAnimation
import Foundation
import Rostrum
import Testing

/// Animations of keys that the client draws: text's size and color, an app's own keys. Each frame is what its time says,
/// however the clock came there; and the end is what a layer shows that has that value.
@Suite("Animated keys that the client draws") struct DrivenKeyTests {
    /// One text layer on a display of its own.
    private struct Stage {
        let display: HeadlessDisplay
        let text = CATextLayer()

        init(size: Double = 10, color: CGColor = .black, string: String = "Ag") throws {
            display = try HeadlessDisplay(width: 64, height: 32, background: CGColor(gray: 1, alpha: 1))
            text.frame = CGRect(x: 2, y: 1, width: 60, height: 30)
            (text.font, text.fontSize, text.string) = ("DejaVuSans", CGFloat(size), string)
            text.foregroundColor = color
            display.rootLayer.addSublayer(text)
            _ = try display.snapshot()
        }

        func bytes(at time: Double? = nil) throws -> [UInt8] {
            try display.withPixels(at: time) { bytes, _ in [UInt8](bytes) }
        }

        /// What shows without any animation.
        static func still(size: Double = 10, color: CGColor = .black, string: String = "Ag") throws -> [UInt8] {
            try Stage(size: size, color: color, string: string).bytes()
        }
    }

    private static func sizes(_ prepare: (CABasicAnimation) -> Void = { _ in }) -> CABasicAnimation {
        let animation = CABasicAnimation(keyPath: "fontSize")
        (animation.fromValue, animation.toValue) = (6, 20)
        animation.duration = 0.55
        prepare(animation)
        return animation
    }

    private static func held(_ animation: CAAnimation) -> CAAnimation {
        animation.fillMode = .both
        animation.isRemovedOnCompletion = false
        return animation
    }

    enum Ending: String, CaseIterable {
        case removed, kept, held, groupHeld, memberHeldOfShortGroup, halfACycleMore, discrete, fast, removedByTheApp

        var size: Double {
            switch self {
            case .removed, .kept, .removedByTheApp: 10
            case .held, .groupHeld, .fast: 20
            // Half of 0.55 s.
            case .memberHeldOfShortGroup, .halfACycleMore: 13
            case .discrete: 16
            }
        }

        func add(to text: CATextLayer) {
            let animation: CAAnimation
            switch self {
            case .removed, .removedByTheApp: animation = sizes()
            case .kept: animation = sizes { $0.isRemovedOnCompletion = false }
            case .held: animation = DrivenKeyTests.held(sizes())
            case .groupHeld, .memberHeldOfShortGroup:
                let group = CAAnimationGroup()
                group.animations = [DrivenKeyTests.held(sizes())]
                group.duration = self == .groupHeld ? 0.6 : 0.275
                animation = DrivenKeyTests.held(group)
            case .halfACycleMore: animation = DrivenKeyTests.held(sizes { $0.repeatCount = 1.5 })
            case .discrete:
                let frames = CAKeyframeAnimation(keyPath: "fontSize")
                frames.values = [8, 12, 16]
                frames.calculationMode = .discrete
                frames.duration = 0.55
                animation = DrivenKeyTests.held(frames)
            case .fast:
                text.speed = 2
                animation = DrivenKeyTests.held(sizes())
            }
            text.add(animation, forKey: "size")
        }
    }

    @Test(
        "After its end an animation shows what it holds, or the model, after a jump and after any steps",
        arguments: Ending.allCases)
    func ends(_ ending: Ending) throws {
        let expected = try Stage.still(size: ending.size)
        for rate in [0, 3, 10, 60] {
            let stage = try Stage()
            ending.add(to: stage.text)
            let until = ending == .removedByTheApp ? 0.3 : 1
            if rate > 0 {
                for frame in 0..<rate where Double(frame) / Double(rate) < until {
                    _ = try stage.bytes(at: Double(frame) / Double(rate))
                }
            }
            if ending == .removedByTheApp {
                _ = try stage.bytes(at: 0.3)
                stage.text.removeAnimation(forKey: "size")
                #expect(try stage.bytes() == expected, "\(ending), removed, at \(rate) frames a second")
            }
            for time in [1.0, 1.1, 2] {
                let isEqual = try stage.bytes(at: time) == expected
                #expect(isEqual, "\(ending), at \(time) s, \(rate) frames a second before")
            }
        }
    }

    @Test("In between, it is drawn with the value that the timing says")
    func between() throws {
        let stage = try Stage()
        stage.text.add(Self.sizes { $0.duration = 1 }, forKey: nil)
        let color = CABasicAnimation(keyPath: "foregroundColor")
        (color.fromValue, color.toValue) = (
            CGColor(red: 1, green: 0, blue: 0, alpha: 1), CGColor(red: 0, green: 0, blue: 1, alpha: 1)
        )
        color.duration = 1
        stage.text.add(color, forKey: nil)
        let expected = try Stage.still(size: 13, color: CGColor(red: 0.5, green: 0, blue: 0.5, alpha: 1))
        #expect(try stage.bytes(at: 0.5) == expected)
    }

    @Test("A string changed while a size is held is drawn in that size")
    func changedWhileHeld() throws {
        let stage = try Stage()
        stage.text.add(Self.held(Self.sizes()), forKey: nil)
        _ = try stage.bytes(at: 1)
        stage.text.string = "Xy"
        #expect(try stage.bytes(at: 1) == Stage.still(size: 20, string: "Xy"))
        #expect(try stage.bytes(at: 1.1) == Stage.still(size: 20, string: "Xy"))
    }

    @Test("A state's transition of a text's size ends in the state's, by steps and by a jump")
    func transition() throws {
        let caml = """
            <caml><CALayer bounds="0 0 64 32" backgroundColor="1 1 1" geometryFlipped="1"><sublayers>
            <CATextLayer id="t" string="Ag" font="DejaVuSans" fontSize="10" foregroundColor="0 0 0" bounds="0 0 60 30" position="32 16"/>
            </sublayers><states><LKState name="Big"><elements><LKStateSetValue targetId="t" keyPath="fontSize">
            <value type="real" value="20"/></LKStateSetValue></elements></LKState></states>
            <stateTransitions><LKStateTransition fromState="*" toState="Big"><elements>
            <LKStateTransitionElement targetId="t" keyPath="fontSize"><animation type="CABasicAnimation" keyPath="fontSize" duration="0.55"/>
            </LKStateTransitionElement></elements></LKStateTransition></stateTransitions></CALayer></caml>
            """
        func frames(_ times: [Double], speed: Float = 1) throws -> [[UInt8]] {
            let document = try SceneDocument.load(Data(caml.utf8), name: "scene")
            let display = try HeadlessDisplay(width: 64, height: 32)
            display.rootLayer.addSublayer(document.rootLayer)
            if speed > 0 { _ = try display.snapshot() }
            document.stateController.setState("Big", transitionSpeed: speed)
            return try times.map { try display.withPixels(at: $0) { bytes, _ in [UInt8](bytes) } }
        }
        let still = try frames([0], speed: 0)[0]
        let steps = try frames((0...10).map { Double($0) / 10 })
        #expect(Set(steps).count == 7, "six pictures of the way, and the end's")
        #expect(steps.last == still)
        for (number, step) in steps.enumerated() {
            #expect(try frames([Double(number) / 10])[0] == step, "frame \(number)")
        }
        #expect(try frames([3])[0] == still)
    }

    @Test("What a delegate changes at an end fades from what shows there, by steps and by a jump")
    func callback() throws {
        final class Changes: CAAnimationDelegate {
            let text: CATextLayer
            init(_ text: CATextLayer) { self.text = text }
            func animationDidStop(_ anim: CAAnimation, finished flag: Bool) {
                text.removeAnimation(forKey: "size")
                text.string = "Xy"
            }
        }
        func frames(_ times: [Double], held: Bool) throws -> [[UInt8]] {
            let stage = try Stage()
            let animation = Self.sizes()
            if held { _ = Self.held(animation) }
            animation.delegate = Changes(stage.text)
            stage.text.add(animation, forKey: "size")
            return try times.map { try stage.bytes(at: $0) }
        }
        for held in [true, false] {
            let times = [0.1, 0.5, 0.6, 0.7, 0.9]
            let steps = try frames(times, held: held)
            #expect(Set(steps).count == 5)
            for (time, step) in zip(times, steps) {
                let isEqual = try frames([time], held: held)[0] == step
                #expect(isEqual, "at \(time) s, \(held ? "held" : "over")")
            }
        }
    }

    // MARK: Random scenes

    private struct Dice {
        var state: UInt64
        mutating func roll(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        mutating func number(_ range: ClosedRange<Double>) -> Double {
            range.lowerBound + (range.upperBound - range.lowerBound) * Double(roll(1000)) / 1000
        }
    }

    private static func random(_ seed: UInt64) throws -> HeadlessDisplay {
        var dice = Dice(state: seed &* 977)
        let display = try HeadlessDisplay(width: 96, height: 64, background: CGColor(gray: 1, alpha: 1))
        var texts: [CATextLayer] = []
        for index in 0..<2 + dice.roll(2) {
            let text = CATextLayer()
            text.frame = CGRect(x: 4, y: 2 + 20 * Double(index), width: 90, height: 24)
            (text.font, text.string, text.fontSize) = ("DejaVuSans", "Ag\(index)", CGFloat(dice.number(8...16)))
            text.foregroundColor = .black
            text.speed = ([1, 1, 2, 0.5] as [Float])[dice.roll(4)]
            texts.append(text)
            display.rootLayer.addSublayer(text)
        }
        _ = try display.snapshot()
        func value(_ path: String) -> Any {
            if path == "fontSize" { return dice.number(5...20) }
            return CGColor(red: dice.number(0...1), green: dice.number(0...1), blue: dice.number(0...1), alpha: 1)
        }
        for text in texts {
            for _ in 0..<1 + dice.roll(2) {
                let path = dice.roll(2) == 0 ? "fontSize" : "foregroundColor"
                var animation: CAAnimation
                if dice.roll(3) == 0 {
                    let frames = CAKeyframeAnimation(keyPath: path)
                    frames.values = (0..<2 + dice.roll(3)).map { _ in value(path) }
                    frames.calculationMode = dice.roll(2) == 0 ? .discrete : .linear
                    animation = frames
                } else {
                    let basic = CABasicAnimation(keyPath: path)
                    basic.fromValue = value(path)
                    if dice.roll(3) > 0 { basic.toValue = value(path) }
                    animation = basic
                }
                func time(_ animation: CAAnimation) {
                    animation.duration = dice.number(0.1...0.8)
                    animation.beginTime = dice.roll(3) == 0 ? dice.number(0...0.4) : 0
                    animation.repeatCount = ([0, 1.5, 2] as [Float])[dice.roll(3)]
                    animation.autoreverses = dice.roll(4) == 0
                    animation.fillMode = [.removed, .forwards, .backwards, .both][dice.roll(4)]
                    animation.isRemovedOnCompletion = dice.roll(2) == 0
                }
                time(animation)
                if dice.roll(3) == 0 {
                    let group = CAAnimationGroup()
                    group.animations = [animation]
                    time(group)
                    animation = group
                }
                text.add(animation, forKey: dice.roll(2) == 0 ? path : nil)
            }
            // Another size of its own accord, which the class animates.
            if dice.roll(3) == 0 { text.fontSize = 18 }
        }
        return display
    }

    @Test("Frames of any rate are the same bytes as jumps to their times", arguments: 1...24)
    func steps(_ seed: Int) throws {
        let seed = UInt64(seed)
        func bytes(_ display: HeadlessDisplay, _ time: Double) throws -> [UInt8] {
            try display.withPixels(at: time) { bytes, _ in [UInt8](bytes) }
        }
        for rate in [4.0, 10, 15] {
            let display = try Self.random(seed)
            var different: [Int] = []
            for frame in 0..<Int(rate * 1.5) {
                let time = Double(frame) / rate
                if try bytes(display, time) != bytes(Self.random(seed), time) { different.append(frame) }
            }
            #expect(different.isEmpty, "scene \(seed) at \(rate) frames a second: frames \(different)")
        }
    }
}
