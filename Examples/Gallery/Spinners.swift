import CoreAnimation
import Rostrum

/// A layer that goes round: one spoke, repeated and each time a little later.
final class Spinner: CAReplicatorLayer, @unchecked Sendable {
    var color = CGColor.hex(0xFFFFFF) {
        didSet { spoke.backgroundColor = color }
    }

    private lazy var spoke: CALayer = {
        let spoke = CALayer()
        spoke.backgroundColor = color
        spoke.opacity = 0.15
        addSublayer(spoke)
        return spoke
    }()

    override init() {
        super.init()
        instanceCount = 12
        instanceTransform = CATransform3DMakeRotation(2 * .pi / 12, 0, 0, 1)
        instanceDelay = 1.2 / 12
        let fade = CABasicAnimation(keyPath: "opacity")
        fade.fromValue = 1
        fade.toValue = 0.15
        fade.duration = 1.2
        fade.repeatCount = .infinity
        spoke.add(fade, forKey: "fade")
    }

    override init(layer: Any) {
        super.init(layer: layer)
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func layoutSublayers() {
        spoke.bounds.size = CGSize(width: bounds.width * 0.085, height: bounds.height * 0.26)
        spoke.cornerRadius = spoke.bounds.width / 2
        spoke.position = CGPoint(x: bounds.midX, y: spoke.bounds.height / 2)
    }
}

/// Rings that grow and fade away, one after another.
final class Radar: CAReplicatorLayer, @unchecked Sendable {
    private lazy var ring: CAShapeLayer = {
        let ring = CAShapeLayer()
        ring.fillColor = .hex(0x64D2FF, alpha: 0.4)
        ring.strokeColor = .hex(0x64D2FF)
        ring.lineWidth = 2
        ring.opacity = 0
        addSublayer(ring)
        return ring
    }()

    override init() {
        super.init()
        instanceCount = 3
        instanceDelay = 0.6
        let grow = CABasicAnimation(keyPath: "transform.scale")
        grow.fromValue = 0.15
        grow.toValue = 1
        let fade = CABasicAnimation(keyPath: "opacity")
        fade.fromValue = 1
        fade.toValue = 0
        let pulse = CAAnimationGroup()
        pulse.animations = [grow, fade]
        pulse.duration = 1.8
        pulse.repeatCount = .infinity
        grow.timingFunction = CAMediaTimingFunction(name: .easeOut)

        ring.add(pulse, forKey: "pulse")
    }

    override init(layer: Any) {
        super.init(layer: layer)
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func layoutSublayers() {
        ring.frame = bounds
        ring.path = CGPath(ellipseIn: bounds.insetBy(dx: 1, dy: 1), transform: nil)
    }
}

/// Bars that go up and down, each behind the one before it.
final class Equalizer: CAReplicatorLayer, @unchecked Sendable {
    private lazy var bar: CALayer = {
        let bar = CALayer()
        bar.backgroundColor = .hex(0xFFA35A)
        bar.cornerRadius = 3
        addSublayer(bar)
        return bar
    }()

    override init() {
        super.init()
        instanceCount = 7
        instanceDelay = 0.13
        instanceTransform = CATransform3DMakeTranslation(12, 0, 0)
        // From orange to pink.
        instanceColor = .hex(0xFFFFFF)
        instanceGreenOffset = -0.11
        let dance = CAKeyframeAnimation(keyPath: "bounds.size.height")
        dance.values = [12, 70, 26, 52, 12]
        dance.keyTimes = [0, 0.28, 0.5, 0.75, 1]
        dance.calculationMode = .cubic
        dance.duration = 1.2
        dance.repeatCount = .infinity
        bar.add(dance, forKey: "dance")
    }

    override init(layer: Any) {
        super.init(layer: layer)
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func layoutSublayers() {
        bar.bounds.size = CGSize(width: 7, height: 12)
        bar.position = CGPoint(x: bounds.midX - 36, y: bounds.midY)
    }
}

/// A field of dots: a row of a replicator's, repeated by another; their delays add up to a wave across.
final class DotField: CAReplicatorLayer, @unchecked Sendable {
    private lazy var row: CAReplicatorLayer = {
        let row = CAReplicatorLayer()
        row.instanceCount = 6
        row.instanceDelay = 0.1
        row.instanceTransform = CATransform3DMakeTranslation(14, 0, 0)
        row.instanceColor = .hex(0xFFFFFF)
        row.instanceRedOffset = -0.13
        addSublayer(row)
        return row
    }()

    private lazy var dot: CALayer = {
        let dot = CALayer()
        dot.backgroundColor = .hex(0xBF9AFF)
        dot.bounds.size = CGSize(width: 11, height: 11)
        dot.cornerRadius = 5.5
        row.addSublayer(dot)
        return dot
    }()

    override init() {
        super.init()
        instanceCount = 6
        instanceDelay = 0.1
        instanceTransform = CATransform3DMakeTranslation(0, 14, 0)
        let breathe = CABasicAnimation(keyPath: "transform.scale")
        breathe.fromValue = 1
        breathe.toValue = 0.25
        breathe.duration = 0.6
        breathe.autoreverses = true
        breathe.repeatCount = .infinity
        breathe.timingFunction = CAMediaTimingFunction(name: .easeInEaseOut)
        dot.add(breathe, forKey: "breathe")
    }

    override init(layer: Any) {
        super.init(layer: layer)
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func layoutSublayers() {
        row.frame = bounds
        dot.position = CGPoint(x: bounds.midX - 35, y: bounds.midY - 35)
    }
}

extension Example {
    static let spinners = Example(
        name: "spinners", caption: "One layer each; replicators repeat it, each instance a little later",
        duration: 3.6, stillTime: 2
    ) { display in
        let root = display.rootLayer
        root.backgroundColor = .hex(0x17181D)
        let places: [(layer: CALayer, x: CGFloat, y: CGFloat, side: CGFloat)] = [
            (Spinner(), 96, 66, 66), (Radar(), 264, 66, 84), (Equalizer(), 96, 174, 90), (DotField(), 264, 174, 96),
        ]
        for (layer, x, y, side) in places {
            let card = CALayer()
            card.bounds.size = CGSize(width: 156, height: 96)
            card.position = CGPoint(x: x, y: y)
            card.backgroundColor = .hex(0x24262E)
            card.cornerRadius = 16
            card.cornerCurve = .continuous
            root.addSublayer(card)
            layer.bounds.size = CGSize(width: side, height: side)
            layer.position = CGPoint(x: x, y: y)
            root.addSublayer(layer)
        }
    }
}
