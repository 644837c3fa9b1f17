import CoreAnimation
import LayerModel
import Testing

@Suite("Animation classes")
struct AnimationClassTests {
    @Test("The defaults are Apple's: measured fact A5, and the reference's list")
    func defaults() {
        let animation = CAAnimation()
        #expect(animation.beginTime == 0 && animation.duration == 0 && animation.speed == 1)
        #expect(animation.timeOffset == 0 && animation.repeatCount == 0 && animation.repeatDuration == 0)
        #expect(!animation.autoreverses && animation.fillMode == .removed)
        #expect(animation.timingFunction == nil && animation.delegate == nil && animation.isRemovedOnCompletion)
        #expect(animation.preferredFrameRateRange == .default)
        let property = CABasicAnimation(keyPath: "opacity")
        #expect(property.keyPath == "opacity" && !property.isAdditive && !property.isCumulative)
        #expect(property.valueFunction == nil && property.fromValue == nil && property.byValue == nil)
        let frames = CAKeyframeAnimation()
        #expect(frames.calculationMode == .linear && frames.rotationMode == nil && frames.values == nil)
        let transition = CATransition()
        #expect(transition.type == .fade && transition.subtype == nil)
        #expect(transition.startProgress == 0 && transition.endProgress == 1)
        let spring = CASpringAnimation()
        #expect(spring.mass == 1 && spring.stiffness == 100 && spring.damping == 10)
        #expect(spring.initialVelocity == 0 && !spring.allowsOverdamping)
        #expect(CAAnimationGroup().animations == nil)
    }

    @Test(
        "Default values by key are nil where they are zero",
        arguments: ["beginTime", "duration", "repeatCount", "delegate", "timingFunction", "unknown"])
    func zeroDefaults(key: String) {
        #expect(CAAnimation.defaultValue(forKey: key) == nil)
    }

    @Test(
        "Settling durations are those that CASpringAnimation gives",
        arguments: [
            (1, 100, 10, 1.4727003346780927), (1, 100, 1, 13.91321015404625), (1, 100, 20, 1.0),
            (1, 16 * Double.pi * Double.pi, 6.4 * Double.pi, 0.7714094006693448),
            (1, 16 * Double.pi * Double.pi / 9, 0.8 * Double.pi, 5.71461784505134),
        ])
    func settling(mass: Double, stiffness: Double, damping: Double, seconds: Double) {
        let spring = CASpringAnimation()
        spring.mass = CGFloat(mass)
        spring.stiffness = CGFloat(stiffness)
        spring.damping = CGFloat(damping)
        #expect(abs(spring.settlingDuration - seconds) < 1e-12)
    }

    @Test("A spring ignores a mass or stiffness that is not above 0, and a damping below it")
    func springSetters() {
        let spring = CASpringAnimation()
        spring.mass = 0
        spring.stiffness = -1
        spring.damping = -0.5
        spring.initialVelocity = .nan
        #expect(spring.mass == 1 && spring.stiffness == 100 && spring.damping == 10 && spring.initialVelocity == 0)
    }

    @Test("A spring by perceptual duration and bounce: k = (2π/d)², ζ = 1 - b, and its duration is the settling one")
    func perceptual() {
        let spring = CASpringAnimation(perceptualDuration: 0.5, bounce: 0.25)
        #expect(abs(spring.stiffness - 157.91367041742973) < 1e-9)
        #expect(abs(spring.damping - 2 * 0.75 * 4 * .pi) < 1e-9)
        #expect(spring.allowsOverdamping && spring.duration == spring.settlingDuration)
        #expect(abs(spring.perceptualDuration - 0.5) < 1e-12 && abs(spring.bounce - 0.25) < 1e-12)
        let standard = CASpringAnimation()
        #expect(abs(standard.perceptualDuration - 0.62832) < 1e-5 && abs(standard.bounce - 0.5) < 1e-12)
        #expect(CASpringAnimation(perceptualDuration: .nan, bounce: .infinity).stiffness == 100)
    }

    @Test("Values under keys of the app's own are stored, and copied with the animation")
    func ownKeys() throws {
        let animation = CABasicAnimation(keyPath: "opacity")
        animation.setValue("card", forKey: "tag")
        animation.setValue(0.5, forKey: "duration")
        animation.setValue("both", forKey: "fillMode")
        animation.setValue(false, forKey: "removedOnCompletion")
        animation.setValue(CGPoint(x: 1, y: 2), forKey: "place")
        animation.toValue = 0.25
        let copy = try #require(animation.copy() as? CABasicAnimation)
        animation.setValue("other", forKey: "tag")
        #expect(copy.value(forKey: "tag") as? String == "card")
        #expect(copy.duration == 0.5 && copy.fillMode == .both && !copy.isRemovedOnCompletion)
        #expect(copy.toValue as? Double == 0.25 && copy.keyPath == "opacity")
        #expect(copy.value(forKey: "duration") as? NSNumber == 0.5)
        #expect(copy.value(forKeyPath: "place.y") as? NSNumber == 2)
        #expect(copy.value(forKey: "nothing") == nil)
    }

    @Test("A value of the wrong type by key changes nothing")
    func wrongType() {
        let animation = CAKeyframeAnimation(keyPath: "position")
        animation.setValue("soon", forKey: "beginTime")
        animation.setValue(["a"], forKey: "keyTimes")
        #expect(animation.beginTime == 0 && animation.keyTimes == nil)
        animation.setValue([0, 0.5, 1], forKey: "keyTimes")
        #expect(animation.keyTimes == [0, 0.5, 1])
    }

    @Test("A copied group has copies of its animations")
    func groupCopy() throws {
        let member = CABasicAnimation(keyPath: "opacity")
        let group = CAAnimationGroup()
        group.animations = [member]
        let copy = try #require(group.copy() as? CAAnimationGroup)
        member.keyPath = "position"
        #expect((copy.animations?.first as? CABasicAnimation)?.keyPath == "opacity")
    }

    @Test("A value function has one of the eleven names, and is equal to another of that name")
    func valueFunctions() {
        #expect(CAValueFunction(name: .rotateZ) == CAValueFunction(name: .rotateZ))
        #expect(CAValueFunction(name: .init(rawValue: "shear")) == nil)
        let names: [CAValueFunctionName] = [
            .rotateX, .rotateY, .rotateZ, .scale, .scaleX, .scaleY, .scaleZ, .translate, .translateX, .translateY,
            .translateZ,
        ]
        for name in names { #expect(CAValueFunction(name: name)?.name == name) }
    }

    @Test("Swift key paths name what Core Animation's key paths name, also by way of a subclass")
    func typedKeyPaths() {
        #expect(CABasicAnimation(keyPath: \CALayer.opacity).keyPath == "opacity")
        #expect(CABasicAnimation(keyPath: \CALayer.position.x).keyPath == "position.x")
        #expect(CABasicAnimation(keyPath: \CALayer.bounds.size.width).keyPath == "bounds.size.width")
        #expect(CABasicAnimation(keyPath: \CATransformLayer.zPosition).keyPath == "zPosition")
        #expect(CABasicAnimation(keyPath: \CABackdropLayer.scale).keyPath == "scale")
        #expect(CAKeyframeAnimation(keyPath: \CALayer.isHidden).keyPath == "hidden")
        #expect(CASpringAnimation(keyPath: \CALayer.transform).keyPath == "transform")
        #expect(CABasicAnimation(keyPath: \CALayer.name).keyPath == nil)
    }
}
