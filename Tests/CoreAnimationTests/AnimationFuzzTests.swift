import CoreAnimation
import Foundation
import LayerModel
import Testing

/// Animations of whatever an app may hand over: numbers that are none, wrong types, key paths of nothing.
@Suite("Any animation whatever")
struct AnimationFuzzTests {
    private struct Dice {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33
        }

        mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }
        mutating func isOne(in count: Int) -> Bool { below(count) == 0 }
        mutating func pick<T>(_ list: [T]) -> T { list[below(list.count)] }

        static let numbers: [Double] = [
            0, 1, -1, 0.25, 2, 1e-100, 1e-9, 1e9, 1e300, -1e300, .nan, .infinity, -.infinity, .leastNonzeroMagnitude,
            .greatestFiniteMagnitude, 0.1, 3,
        ]
        static let keyPaths = [
            "position", "position.x", "opacity", "transform", "transform.rotation.z", "transform.scale", "bounds",
            "bounds.size.width", "backgroundColor", "contents", "hidden", "filters.soft.inputRadius", "shadowPath",
            "zPosition", "frame", "sublayers", "mask", "speed", "progress", "", ".", "a.b", "position.x.y", "name",
        ]

        mutating func number() -> Double { pick(Self.numbers) }

        mutating func value() -> Any? {
            switch below(14) {
            case 0: nil
            case 1: CGPoint(x: number(), y: number())
            case 2: CGRect(x: number(), y: number(), width: number(), height: number())
            case 3: CATransform3DMakeTranslation(number(), number(), number())
            case 4: CGColor(red: number(), green: 0, blue: 1, alpha: number())
            case 5: "text"
            case 6: [number(), number()]
            case 7: NSNull()
            case 8: CGSize(width: number(), height: number())
            case 9: [CGColor(gray: number(), alpha: 1)]
            case 10: CGMutablePath()
            default: number()
            }
        }

        mutating func set(_ timing: CAMediaTiming & CAAnimation) {
            if isOne(in: 2) { timing.duration = number() }
            if isOne(in: 4) { timing.beginTime = number() }
            if isOne(in: 4) { timing.timeOffset = number() }
            if isOne(in: 4) { timing.speed = Float(number()) }
            if isOne(in: 3) { timing.repeatCount = Float(number()) }
            if isOne(in: 4) { timing.repeatDuration = number() }
            timing.autoreverses = isOne(in: 3)
            timing.fillMode = pick([.removed, .forwards, .backwards, .both, .init(rawValue: "odd")])
            timing.isRemovedOnCompletion = !isOne(in: 4)
            if isOne(in: 4) {
                timing.timingFunction = CAMediaTimingFunction(
                    controlPoints: Float(number()), Float(number()), Float(number()), Float(number()))
            }
        }

        mutating func animation(depth: Int = 0) -> CAAnimation {
            let animation: CAAnimation
            switch below(depth < 3 ? 6 : 4) {
            case 0, 1:
                let basic = isOne(in: 3) ? CASpringAnimation() : CABasicAnimation()
                (basic.fromValue, basic.toValue, basic.byValue) = (value(), value(), isOne(in: 3) ? value() : nil)
                if let spring = basic as? CASpringAnimation {
                    spring.mass = CGFloat(number())
                    spring.damping = CGFloat(number())
                    spring.stiffness = CGFloat(number())
                    spring.initialVelocity = CGFloat(number())
                }
                animation = basic
            case 2:
                let frames = CAKeyframeAnimation()
                frames.values = (0..<below(6)).compactMap { _ in value() }
                if isOne(in: 2) { frames.keyTimes = (0..<below(6)).map { _ in NSNumber(value: number()) } }
                if isOne(in: 3) { frames.tensionValues = [NSNumber(value: number())] }
                if isOne(in: 4) {
                    let path = CGMutablePath()
                    path.move(to: CGPoint(x: number(), y: 0))
                    path.addLine(to: CGPoint(x: 1, y: number()))
                    frames.path = path
                }
                frames.calculationMode = pick([.linear, .discrete, .paced, .cubic, .cubicPaced, .init(rawValue: "odd")])
                frames.rotationMode = pick([nil, .rotateAuto, .rotateAutoReverse])
                animation = frames
            case 3:
                let transition = CATransition()
                transition.startProgress = Float(number())
                transition.endProgress = Float(number())
                transition.type = pick([.fade, .push, .init(rawValue: "cube")])
                animation = transition
            default:
                let group = CAAnimationGroup()
                group.animations = (0..<below(4)).map { _ in self.animation(depth: depth + 1) }
                animation = group
            }
            if let property = animation as? CAPropertyAnimation {
                property.keyPath = pick(Self.keyPaths)
                property.isAdditive = isOne(in: 3)
                property.isCumulative = isOne(in: 3)
                if isOne(in: 4) { property.valueFunction = CAValueFunction(name: .scale) }
            }
            set(animation)
            return animation
        }
    }

    @Test(
        "Nothing traps; each begins once at most, before it ends, which it does once; and what is taken away keeps nobody waiting",
        arguments: 0..<40)
    func anything(seed: Int) {
        var dice = Dice(state: UInt64(seed) &* 7_919 &+ 1)
        let clock = ManualClock()
        let journal = Journal()
        let layers = (0..<4).map { _ in clock.addLayer(name: "any") }
        layers[1].addSublayer(layers[2])
        withoutActions {
            for layer in layers where dice.isOne(in: 2) {
                layer.speed = Float(dice.pick([1, 2, 0.5, 0, -1, 1e9]))
                layer.timeOffset = dice.pick([0, 5, -3, 1e6])
                layer.beginTime = dice.pick([0, 0, 2, -1])
                layer.filters = [blur(1, name: "soft")]
                layer.setValue(1.0, forKey: "progress")
            }
        }
        var time = 0.0
        var blocks = 0
        var names: [String] = []
        for round in 0..<12 {
            CATransaction.begin()
            CATransaction.setCompletionBlock { blocks += 1 }
            for index in 0..<6 {
                let animation = dice.animation()
                let name = "\(round)-\(index)"
                animation.delegate = AnimationJournal(name, journal) { 0 }
                names.append(name)
                // Few names: a process says only so many different warnings.
                dice.pick(layers).add(animation, forKey: dice.isOne(in: 2) ? nil : "k")
            }
            CATransaction.commit()
            time += dice.pick([0, 0.01, 0.3, 1, 100])
            clock.go(to: time)
            for layer in layers { _ = layer.presentation()?.position }
        }
        clock.go(to: time + 1e7)
        for layer in layers {
            _ = layer.presentation()?.backgroundColor
            layer.removeFromSuperlayer()
        }
        clock.go(to: time + 1e7)
        #expect(blocks == 12)
        for name in names {
            let heard = journal.entries.filter { $0.hasPrefix(name + " ") }
            let starts = heard.count { $0.contains(" start ") }
            #expect(heard.last?.contains(" stop ") == true && starts <= 1 && heard.count - starts == 1, "\(heard)")
        }
    }

    @Test("What has an end comes to it: of ordinary layers, nothing waits longer than its times say", arguments: 0..<40)
    func ends(seed: Int) {
        var dice = Dice(state: UInt64(seed) &* 104_729 &+ 3)
        let clock = ManualClock()
        let layer = clock.addLayer(name: "any")
        var open = 0
        for _ in 0..<40 {
            let animation = dice.animation()
            // What has no end by its own numbers: for ever, standing still, or later than any clock.
            let times = [animation.duration, animation.repeatDuration, Double(animation.repeatCount)]
            if times.contains(.infinity) || animation.speed == 0 || times.contains(where: { $0 > 1e12 }) { continue }
            if animation.beginTime > 1e12 || abs(animation.speed) < 1e-6 || animation.timeOffset > 1e12 { continue }
            open += 1
            CATransaction.begin()
            CATransaction.setCompletionBlock { open -= 1 }
            layer.add(animation, forKey: nil)
            CATransaction.commit()
        }
        clock.go(to: 1e30)
        #expect(open == 0, "\(open) wait for ever")
    }
}
