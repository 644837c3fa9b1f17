import CoreAnimation
import Rostrum

/// One ring: a track, an arc whose color changes along it, and a tip that casts a shadow ahead on what it runs over.
final class ActivityRing: CALayer, @unchecked Sendable {
    /// Points.
    var lineWidth: CGFloat = 22 {
        didSet { setNeedsLayout() }
    }

    /// 1 is the whole ring; more runs over its own beginning.
    private(set) var progress: CGFloat = 0

    private let startColor: CGColor
    private let endColor: CGColor

    private lazy var track: CAShapeLayer = {
        let track = line()
        track.strokeColor = startColor
        track.opacity = 0.18
        addSublayer(track)
        return track
    }()

    private lazy var arc: CAGradientLayer = {
        let arc = CAGradientLayer()
        arc.type = .conic
        arc.startPoint = CGPoint(x: 0.5, y: 0.5)
        arc.endPoint = CGPoint(x: 0.5, y: 0)
        arc.colors = [startColor, endColor]
        arc.mask = arcMask
        addSublayer(arc)
        return arc
    }()

    private lazy var arcMask: CAShapeLayer = {
        let mask = line()
        mask.strokeEnd = 0
        return mask
    }()

    /// The round beginning of the arc, under it: just before its start a conic gradient has its end color.
    private lazy var root: CALayer = {
        let root = disc(startColor)
        addSublayer(root)
        return root
    }()

    /// Keeps the tip's shadow on the ring.
    private lazy var band: CALayer = {
        let band = CALayer()
        band.mask = line()
        addSublayer(band)
        return band
    }()

    /// Turns about the middle of the ring, and the tip with it.
    private lazy var hand: CALayer = {
        let hand = CALayer()
        band.addSublayer(hand)
        return hand
    }()

    /// The half of the ring ahead of the tip: what is behind gets no shadow.
    private lazy var ahead: CALayer = {
        let ahead = CALayer()
        ahead.masksToBounds = true
        hand.addSublayer(ahead)
        return ahead
    }()

    private lazy var shadow: CALayer = {
        let shadow = CALayer()
        shadow.shadowColor = .hex(0x000000)
        shadow.shadowOpacity = 0.6
        shadow.shadowRadius = 5
        shadow.shadowOffset = CGSize(width: 5, height: 0)
        ahead.addSublayer(shadow)
        return shadow
    }()

    private lazy var tip: CALayer = {
        let tip = disc(startColor)
        hand.addSublayer(tip)
        return tip
    }()

    init(from startColor: CGColor, to endColor: CGColor) {
        self.startColor = startColor
        self.endColor = endColor
        super.init()
        _ = (track, root, arc, band, hand, ahead, shadow, tip)
    }

    override init(layer: Any) {
        startColor = .hex(0)
        endColor = .hex(0)
        super.init(layer: layer)
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func layoutSublayers() {
        let center = CGPoint(x: bounds.midX, y: bounds.midY)
        let radius = (bounds.width - lineWidth) / 2
        let circle = CGMutablePath()
        circle.addArc(center: center, radius: radius, startAngle: -.pi / 2, endAngle: 1.5 * .pi, clockwise: false)
        for line in [track, arcMask, band.mask as? CAShapeLayer] {
            line?.path = circle
            line?.lineWidth = lineWidth
        }
        for layer in [track, arc, arcMask, band, hand] { layer.frame = bounds }
        band.mask?.frame = bounds
        for disc in [root, tip] {
            disc.bounds.size = CGSize(width: lineWidth, height: lineWidth)
            disc.cornerRadius = lineWidth / 2
            disc.position = CGPoint(x: center.x, y: lineWidth / 2)
        }
        ahead.frame = CGRect(x: center.x, y: 0, width: bounds.width / 2, height: center.y)
        shadow.position = CGPoint(x: 0, y: lineWidth / 2)
        shadow.shadowPath = CGPath(
            ellipseIn: CGRect(x: -lineWidth / 2, y: -lineWidth / 2, width: lineWidth, height: lineWidth), transform: nil
        )
    }

    /// Runs the ring to a progress.
    func run(to end: CGFloat, duration: CFTimeInterval) {
        progress = end
        let pace = CAMediaTimingFunction(controlPoints: 0.5, 0, 0.15, 1)
        let full = min(end, 1)
        let keyTimes: [NSNumber] = [0, NSNumber(value: Double(full / end)), 1]

        // The arc grows up to the whole circle; from there on it turns.
        let grow = CAKeyframeAnimation(keyPath: "strokeEnd")
        grow.values = [0, full, full]
        let turn = CAKeyframeAnimation(keyPath: "transform.rotation.z")
        turn.values = [0, 0, 2 * .pi * (end - full)]
        for animation in [grow, turn] { animation.keyTimes = keyTimes }
        let sweep = CABasicAnimation(keyPath: "transform.rotation.z")
        sweep.fromValue = 0
        sweep.toValue = 2 * .pi * end
        let tint = CAKeyframeAnimation(keyPath: "backgroundColor")
        let endTint = mixed(full)
        tint.values = [startColor, endTint, endTint]
        tint.keyTimes = keyTimes
        for animation in [grow, turn, sweep, tint] {
            animation.duration = duration
            animation.timingFunction = pace
        }

        CATransaction.begin()
        CATransaction.setDisableActions(true)
        arcMask.strokeEnd = full
        arc.transform = CATransform3DMakeRotation(2 * .pi * (end - full), 0, 0, 1)
        hand.transform = CATransform3DMakeRotation(2 * .pi * end, 0, 0, 1)
        tip.backgroundColor = endTint
        CATransaction.commit()
        arcMask.add(grow, forKey: "run")
        arc.add(turn, forKey: "run")
        hand.add(sweep, forKey: "run")
        tip.add(tint, forKey: "run")
    }

    /// The color of the arc at a part of the circle.
    private func mixed(_ part: CGFloat) -> CGColor {
        let (a, b) = (startColor.components ?? [], endColor.components ?? [])
        let mix = zip(a, b).map { $0 + ($1 - $0) * part }
        return CGColor(red: mix[0], green: mix[1], blue: mix[2], alpha: mix[3])
    }

    private func line() -> CAShapeLayer {
        let line = CAShapeLayer()
        line.fillColor = nil
        line.strokeColor = .hex(0xFFFFFF)
        return line
    }

    private func disc(_ color: CGColor) -> CALayer {
        let disc = CALayer()
        disc.backgroundColor = color
        return disc
    }
}

extension Example {
    static let activityRings = Example(
        name: "activity-rings", caption: "Conic gradients masked by lines; tips that cast shadows on their own rings",
        duration: 3, stillTime: 2.6
    ) { display in
        let root = display.rootLayer
        root.backgroundColor = .hex(0x000000)
        let goals: [(name: String, value: String, from: UInt32, to: UInt32, progress: CGFloat)] = [
            ("Move", "512/400 KCAL", 0xE3002B, 0xFF3C8E, 1.28),
            ("Exercise", "31/30 MIN", 0x7AE600, 0xC6FF3D, 1.06),
            ("Stand", "9/12 HRS", 0x00D3E6, 0x3DF5C8, 0.75),
        ]
        for (index, goal) in goals.enumerated() {
            let inset = CGFloat(index) * 26
            let ring = ActivityRing(from: .hex(goal.from), to: .hex(goal.to))
            ring.lineWidth = 24
            ring.frame = CGRect(x: 20, y: 20, width: 200, height: 200).insetBy(dx: inset, dy: inset)
            root.addSublayer(ring)

            let title = CATextLayer(goal.name, size: 15, color: .hex(0xFFFFFF), scale: root.contentsScale)
            title.frame = CGRect(x: 240, y: 50 + CGFloat(index) * 50, width: 110, height: 20)
            let value = CATextLayer(
                goal.value, "Helvetica-Bold", size: 14, color: .hex(goal.to), scale: root.contentsScale)
            value.frame = CGRect(x: 240, y: 70 + CGFloat(index) * 50, width: 112, height: 20)
            root.addSublayer(title)
            root.addSublayer(value)

            display.play([.init(0.2 + 0.15 * Double(index)) { ring.run(to: goal.progress, duration: 1.8) }])
        }
    }
}
