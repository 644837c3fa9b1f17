import CoreAnimation
import Foundation
import Testing

// Code as it is written for Apple's platforms: what it says must compile as it is, and behave as it does there. `import
// QuartzCore` would do as well.

/// Bars that grow one after the other, and scroll to make room for the next.
private final class ScoreChart: NSObject, CAAnimationDelegate {
    let layer = CALayer()
    let content = CALayer()
    var bars: [CALayer] { content.sublayers ?? [] }
    private(set) var finished: [String] = []

    override init() {
        super.init()
        layer.masksToBounds = true
        layer.bounds = CGRect(x: 0, y: 0, width: 120, height: 100)
        layer.position = CGPoint(x: 60, y: 50)
        content.anchorPoint = .zero
        content.bounds = layer.bounds
        content.actions = ["sublayers": NSNull(), "bounds": NSNull()]
        layer.addSublayer(content)
    }

    func append(_ score: CGFloat) {
        let bar = CALayer()
        bar.anchorPoint = CGPoint(x: 0.5, y: 0)
        bar.bounds = CGRect(x: 0, y: 0, width: 20, height: score)
        bar.position = CGPoint(x: CGFloat(bars.count) * 30 + 15, y: 0)
        bar.backgroundColor = CGColor(red: 0.2, green: 0.5, blue: 1, alpha: 1)
        bar.cornerRadius = 3
        bar.maskedCorners = [.layerMinXMaxYCorner, .layerMaxXMaxYCorner]
        content.addSublayer(bar)

        let grow = CABasicAnimation(keyPath: "bounds.size.height")
        grow.fromValue = 0
        grow.duration = 0.4
        grow.beginTime = layer.convertTime(CACurrentMediaTime(), from: nil) + 0.1
        grow.fillMode = .backwards
        grow.timingFunction = CAMediaTimingFunction(controlPoints: 0.2, 0.8, 0.2, 1)
        grow.setValue("bar\(bars.count)", forKey: "name")
        grow.delegate = self
        bar.add(grow, forKey: "grow")

        let overflow = CGFloat(bars.count) * 30 - layer.bounds.width
        guard overflow > 0 else { return }
        CATransaction.begin()
        CATransaction.setAnimationDuration(0.3)
        CATransaction.setAnimationTimingFunction(CAMediaTimingFunction(name: .easeOut))
        content.position.x = -overflow
        CATransaction.commit()
    }

    func animationDidStop(_ anim: CAAnimation, finished flag: Bool) {
        if flag, let name = anim.value(forKey: "name") as? String { finished.append(name) }
    }
}

/// A gauge whose value is a key of its own.
private final class Ring: CALayer, CALayerCopying, @unchecked Sendable {
    var progress: CGFloat {
        get { value(forKeyPath: "progress", as: CGFloat.self) ?? 0 }
        set { setValue(newValue, forKey: "progress") }
    }
    var shown: [CGFloat] = []

    override init() { super.init() }
    required override init(layer: Any) { super.init(layer: layer) }
    required init?(coder: NSCoder) { super.init(coder: coder) }

    override class func needsDisplay(forKey key: String) -> Bool {
        key == "progress" || super.needsDisplay(forKey: key)
    }

    override func action(forKey event: String) -> CAAction? {
        guard event == "progress" else { return super.action(forKey: event) }
        let animation = CABasicAnimation(keyPath: event)
        animation.fromValue = presentation()?.value(forKey: event) ?? progress
        animation.timingFunction = CAMediaTimingFunction(name: .linear)
        animation.duration = CATransaction.animationDuration()
        return animation
    }

    override func display() { shown.append(progress) }
}

/// A card that follows a finger, and springs back from wherever it is let go.
private final class Card: NSObject, CALayerDelegate {
    let layer = CALayer()
    private var grip = CGPoint.zero

    override init() {
        super.init()
        layer.bounds = CGRect(x: 0, y: 0, width: 80, height: 40)
        layer.position = CGPoint(x: 100, y: 100)
        layer.delegate = self
    }

    func action(for layer: CALayer, forKey event: String) -> CAAction? { NSNull() }

    func touchesBegan(_ point: CGPoint) -> Bool {
        guard let shown = layer.presentation(), shown.hitTest(point) != nil else { return false }
        grip = CGPoint(x: point.x - shown.position.x, y: point.y - shown.position.y)
        layer.position = shown.position
        layer.removeAnimation(forKey: "back")
        return true
    }

    func touchesMoved(_ point: CGPoint) { layer.position = CGPoint(x: point.x - grip.x, y: point.y - grip.y) }

    func touchesEnded() {
        let spring = CASpringAnimation(keyPath: "position")
        spring.fromValue = layer.presentation()?.position ?? layer.position
        layer.position = CGPoint(x: 100, y: 100)
        spring.toValue = layer.position
        spring.damping = 12
        spring.duration = spring.settlingDuration
        layer.add(spring, forKey: "back")
    }
}

@Suite("Code as it is written for Apple's platforms")
struct AppleSourceTests {
    @Test("A score chart grows its bars and scrolls")
    func scoreChart() throws {
        let clock = ManualClock()
        let chart = ScoreChart()
        clock.root.addSublayer(chart.layer)
        clock.go(to: 0)
        for score in [40, 80, 60, 90, 30] as [CGFloat] { MediaClockReader(clock).read { chart.append(score) } }
        clock.go(to: 0.05)
        #expect(chart.bars.allSatisfy { $0.presentation()?.bounds.height == 0 })
        // 5 bars of 30 in 120: 30 over. easeOut at a sixth of 0.3 s is on its way.
        let shift = try #require(chart.content.presentation()?.position.x)
        #expect(shift < 0 && shift > -30)
        clock.go(to: 0.6)
        #expect(chart.content.presentation()?.position.x == -30)
        #expect(chart.finished == ["bar1", "bar2", "bar3", "bar4", "bar5"])
        #expect(chart.bars.map { $0.presentation()?.bounds.height } == [40, 80, 60, 90, 30])
    }

    @Test("A ring fills: each step of the clock draws its value, and a second change goes on from what is seen")
    func ring() {
        let clock = ManualClock()
        let ring = Ring()
        clock.root.addSublayer(ring)
        clock.go(to: 0)
        ring.shown = []
        CATransaction.begin()
        CATransaction.setAnimationDuration(1)
        ring.progress = 1
        CATransaction.commit()
        for step in 1...2 { clock.go(to: Double(step) / 4) }
        #expect(ring.shown.contains(0.25) && ring.shown.last == 0.5)
        CATransaction.begin()
        CATransaction.setAnimationDuration(1)
        ring.progress = 0
        CATransaction.commit()
        clock.go(to: 1)
        #expect(ring.shown.last == 0.25)
        clock.go(to: 2)
        #expect(ring.shown.last == 0 && ring.progress == 0 && ring.animationKeys() == nil)
    }

    @Test("A ring of a shape layer fills: the line of a mask runs along, implied or told, from what is seen")
    func shapeRing() throws {
        let clock = ManualClock()
        let disc = CALayer()
        disc.frame = CGRect(x: 0, y: 0, width: 100, height: 100)
        disc.backgroundColor = CGColor(red: 1, green: 0.3, blue: 0.2, alpha: 1)
        let ring = CAShapeLayer()
        ring.frame = disc.bounds
        ring.path = CGPath(ellipseIn: disc.bounds.insetBy(dx: 10, dy: 10), transform: nil)
        ring.fillColor = nil
        ring.strokeColor = CGColor(gray: 0, alpha: 1)
        ring.lineWidth = 12
        ring.lineCap = .round
        ring.strokeEnd = 0
        disc.mask = ring
        clock.root.addSublayer(disc)
        clock.go(to: 0)

        let fill = CABasicAnimation(keyPath: "strokeEnd")
        fill.fromValue = 0
        fill.toValue = 0.8
        fill.duration = 1
        ring.strokeEnd = 0.8
        ring.add(fill, forKey: "strokeEnd")
        clock.go(to: 0.5)
        #expect(abs((ring.presentation()?.strokeEnd ?? 0) - 0.4) < 1e-6)
        CATransaction.begin()
        CATransaction.setAnimationDuration(1)
        CATransaction.setAnimationTimingFunction(CAMediaTimingFunction(name: .linear))
        ring.strokeEnd = 0
        CATransaction.commit()
        clock.go(to: 1)
        #expect(abs((ring.presentation()?.strokeEnd ?? 0) - 0.2) < 1e-6)
        clock.go(to: 2)
        #expect(ring.presentation()?.strokeEnd == 0 && ring.animationKeys() == nil)
    }

    @Test("A drag takes a card that springs back, where it is seen")
    func drag() throws {
        let clock = ManualClock()
        let card = Card()
        clock.root.addSublayer(card.layer)
        clock.go(to: 0)
        #expect(card.touchesBegan(CGPoint(x: 110, y: 105)))
        card.touchesMoved(CGPoint(x: 310, y: 205))
        clock.go(to: 0.1)
        #expect(card.layer.presentation()?.position == CGPoint(x: 300, y: 200) && card.layer.animationKeys() == nil)
        card.touchesEnded()
        clock.go(to: 0.25)
        let shown = try #require(card.layer.presentation()?.position)
        #expect(shown.x < 300 && shown.x > 100 && card.layer.position == CGPoint(x: 100, y: 100))
        #expect(!card.touchesBegan(CGPoint(x: 305, y: 205)), "where it was")
        #expect(card.touchesBegan(shown))
        #expect(card.layer.position == shown && card.layer.animationKeys() == nil)
        clock.go(to: 5)
        #expect(card.layer.presentation()?.position == shown)
    }

    @Test("What articles on animations write compiles, and does what they say")
    func phrases() throws {
        let clock = ManualClock()
        let layer = clock.addLayer()
        let shake = CAKeyframeAnimation(keyPath: "position.x")
        shake.values = [0, 10, -10, 10, 0]
        shake.keyTimes = [0, 0.16, 0.5, 0.83, 1]
        shake.duration = 0.4
        shake.isAdditive = true
        layer.add(shake, forKey: "shake")

        let fade = CABasicAnimation(keyPath: "opacity")
        fade.fromValue = 1.0
        fade.toValue = 0.0
        let scale = CABasicAnimation(keyPath: "transform.scale")
        scale.byValue = 0.5
        let group = CAAnimationGroup()
        group.animations = [fade, scale]
        group.duration = 2
        group.fillMode = .forwards
        group.isRemovedOnCompletion = false
        group.timingFunction = .init(name: .easeInEaseOut)
        layer.add(group, forKey: "group")

        let push = CATransition()
        push.type = .push
        push.subtype = .fromRight
        layer.add(push, forKey: kCATransition)

        layer.setValue(CGFloat.pi / 2, forKeyPath: "transform.rotation.z")
        #expect(layer.value(forKeyPath: "transform.rotation.z") as? Double == .pi / 2)
        layer.transform = CATransform3DRotate(CATransform3DMakeScale(2, 2, 1), .pi, 0, 0, 1)
        layer.setAffineTransform(.identity)
        CATransaction.setValue(true, forKey: kCATransactionDisableActions)
        layer.zPosition = 3
        CATransaction.setValue(false, forKey: kCATransactionDisableActions)
        #expect(layer.animation(forKey: "zPosition") == nil)
        clock.go(to: 1)
        #expect(layer.presentation()?.opacity == 0.5)
        clock.go(to: 3)
        #expect(layer.presentation()?.opacity == 0 && layer.animationKeys() == ["group"])

        let spring = CASpringAnimation(perceptualDuration: 0.5, bounce: 0.2)
        spring.keyPath = "position.y"
        spring.fromValue = -100
        spring.isAdditive = true
        layer.add(spring, forKey: nil)
        layer.sublayers?.forEach { $0.removeFromSuperlayer() }
        layer.removeAllAnimations()
        #expect(layer.animationKeys() == nil)
    }
}

/// Runs code as a display's callback does: with its clock as the current media time.
private struct MediaClockReader {
    let clock: ManualClock
    init(_ clock: ManualClock) { self.clock = clock }

    func read(_ body: () -> Void) {
        let bound = MediaClock.DisplayClock({ [clock] in clock.time }, context: clock.context)
        MediaClock.$current.withValue(bound, operation: body)
    }
}

/// Calls of a requirement are not told of its deprecation: the names are meant to be used here.
private protocol EarlierSource { func make() -> [CALayer] }

private struct EarlierNames: EarlierSource {
    @available(*, deprecated)
    func make() -> [CALayer] {
        let plain = CALayer()
        plain.contentsGravity = kCAGravityResizeAspectFill
        plain.magnificationFilter = kCAFilterNearest
        let shape = CAShapeLayer()
        shape.fillRule = kCAFillRuleEvenOdd
        shape.lineCap = kCALineCapRound
        shape.lineJoin = kCALineJoinBevel
        let gradient = CAGradientLayer()
        gradient.type = kCAGradientLayerAxial
        let text = CATextLayer()
        text.alignmentMode = kCAAlignmentCenter
        text.truncationMode = kCATruncationEnd
        let emitter = CAEmitterLayer()
        emitter.emitterShape = kCAEmitterLayerLine
        emitter.emitterMode = kCAEmitterLayerOutline
        emitter.renderMode = kCAEmitterLayerAdditive
        let scroll = CAScrollLayer()
        scroll.scrollMode = kCAScrollVertically
        let keyframes = CAKeyframeAnimation(keyPath: "position")
        keyframes.calculationMode = kCAAnimationPaced
        keyframes.rotationMode = kCAAnimationRotateAuto
        keyframes.fillMode = kCAFillModeForwards
        keyframes.timingFunction = CAMediaTimingFunction(name: kCAMediaTimingFunctionEaseInEaseOut)
        keyframes.valueFunction = CAValueFunction(name: kCAValueFunctionRotateZ)
        let transition = CATransition()
        transition.type = kCATransitionPush
        transition.subtype = kCATransitionFromLeft
        plain.add(keyframes, forKey: "move")
        plain.add(transition, forKey: kCATransition)
        return [plain, shape, gradient, text, emitter, scroll]
    }
}

@Suite("Constants by their earlier names") struct EarlierNameTests {
    @Test("Source from before the constants had types compiles, and means the same")
    func names() throws {
        let source: any EarlierSource = EarlierNames()
        let layers = source.make()
        #expect(layers[0].contentsGravity == .resizeAspectFill && layers[0].magnificationFilter == .nearest)
        let shape = try #require(layers[1] as? CAShapeLayer)
        #expect(shape.fillRule == .evenOdd && shape.lineCap == .round && shape.lineJoin == .bevel)
        let text = try #require(layers[3] as? CATextLayer)
        #expect(text.alignmentMode == .center && text.truncationMode == .end)
        let emitter = try #require(layers[4] as? CAEmitterLayer)
        #expect(emitter.emitterShape == .line && emitter.emitterMode == .outline && emitter.renderMode == .additive)
        #expect((layers[5] as? CAScrollLayer)?.scrollMode == .vertically)
        let move = try #require(layers[0].animation(forKey: "move") as? CAKeyframeAnimation)
        #expect(move.calculationMode == .paced && move.rotationMode == .rotateAuto && move.fillMode == .forwards)
        let push = try #require(layers[0].animation(forKey: kCATransition) as? CATransition)
        #expect(push.type == .push && push.subtype == .fromLeft)
    }

    @Test("Inks take light away: red is magenta and yellow, and black is the absence of all")
    func inks() {
        let red = CGColor(genericCMYKCyan: 0, magenta: 1, yellow: 1, black: 0, alpha: 0.5)
        #expect(red == CGColor(red: 1, green: 0, blue: 0, alpha: 0.5))
        let black = CGColor(genericCMYKCyan: 0, magenta: 0, yellow: 0, black: 1, alpha: 1)
        #expect(black == CGColor(red: 0, green: 0, blue: 0, alpha: 1))
    }
}
