import CoreAnimation
import Rostrum

/// A button that shows how far a download is. A tap starts it, another one gives it up: the ring runs back from wherever it is
/// seen at that moment, and a third tap picks it up from there.
final class DownloadRing: CALayer, @unchecked Sendable {
    enum State {
        case idle, loading, done
    }

    var tint = CGColor.hex(0x0A84FF) {
        didSet {
            ring.strokeColor = tint
            stop.backgroundColor = tint
            arrow.strokeColor = tint
        }
    }

    private(set) var state = State.idle {
        didSet { showState() }
    }

    private lazy var track = circle(color: .hex(0xE3E6EE))

    private lazy var ring: CAShapeLayer = {
        let ring = circle(color: tint)
        ring.lineCap = .round
        ring.strokeEnd = 0
        return ring
    }()

    private lazy var stop: CALayer = {
        let stop = CALayer()
        stop.backgroundColor = tint
        stop.cornerRadius = 5
        stop.cornerCurve = .continuous
        stop.opacity = 0
        addSublayer(stop)
        return stop
    }()

    private lazy var arrow = glyph(color: tint, width: 6)

    private lazy var check: CAShapeLayer = {
        let check = glyph(color: .hex(0xFFFFFF), width: 7)
        check.strokeEnd = 0
        return check
    }()

    private lazy var disc: CALayer = {
        let disc = CALayer()
        disc.backgroundColor = .hex(0x30D158)
        disc.opacity = 0
        disc.transform = CATransform3DMakeScale(0.4, 0.4, 1)
        addSublayer(disc)
        return disc
    }()

    /// How much of the ring is seen now, 0…1.
    var shownProgress: CGFloat { ring.presentation()?.strokeEnd ?? 0 }

    override init() {
        super.init()
        _ = (track, ring, stop, arrow, disc, check)
    }

    override init(layer: Any) {
        super.init(layer: layer)
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func layoutSublayers() {
        let center = CGPoint(x: bounds.midX, y: bounds.midY)
        let radius = bounds.width / 2 - 5
        let path = CGMutablePath()
        path.addArc(center: center, radius: radius, startAngle: -.pi / 2, endAngle: 1.5 * .pi, clockwise: false)
        for circle in [track, ring] { circle.path = path }
        stop.bounds.size = CGSize(width: bounds.width / 4, height: bounds.width / 4)
        disc.bounds.size = bounds.size
        disc.cornerRadius = bounds.width / 2
        for layer in [track, ring, stop, arrow, disc, check] { layer.position = center }
        for layer in [track, ring, arrow, check] { layer.bounds = bounds }

        let down = CGMutablePath()
        down.addLines(between: [(0, -19), (0, 17)].map { CGPoint(x: center.x + $0.0, y: center.y + $0.1) })
        down.addLines(between: [(-14, 4), (0, 18), (14, 4)].map { CGPoint(x: center.x + $0.0, y: center.y + $0.1) })
        arrow.path = down
        let tick = CGMutablePath()
        tick.addLines(between: [(-21, 2), (-6, 17), (23, -15)].map { CGPoint(x: center.x + $0.0, y: center.y + $0.1) })
        check.path = tick
    }

    func tap() {
        switch state {
        case .idle: start()
        case .loading: cancel()
        case .done: break
        }
    }

    private func start() {
        state = .loading
        // From what is seen: the ring may still be on its way back.
        let from = shownProgress
        let run = CABasicAnimation(keyPath: "strokeEnd")
        run.fromValue = from
        run.toValue = 1
        run.duration = 2.4 * (1 - from)
        CATransaction.begin()
        CATransaction.setCompletionBlock { [weak self] in
            guard let self, state == .loading, shownProgress >= 1 else { return }
            state = .done
        }
        set(strokeEnd: 1, with: run)
        CATransaction.commit()
    }

    private func cancel() {
        state = .idle
        let back = CABasicAnimation(keyPath: "strokeEnd")
        back.fromValue = shownProgress
        back.toValue = 0
        back.duration = 0.7
        back.timingFunction = CAMediaTimingFunction(name: .easeInEaseOut)
        set(strokeEnd: 0, with: back)
    }

    private func set(strokeEnd: CGFloat, with animation: CAAnimation) {
        CATransaction.begin()
        CATransaction.setDisableActions(true)
        ring.strokeEnd = strokeEnd
        CATransaction.commit()
        ring.add(animation, forKey: "progress")
    }

    /// Values of layers, each with the animation that its change implies.
    private func showState() {
        stop.opacity = state == .loading ? 1 : 0
        stop.transform = state == .loading ? CATransform3DIdentity : CATransform3DMakeScale(0.3, 0.3, 1)
        arrow.opacity = state == .idle ? 1 : 0
        guard state == .done else { return }
        disc.opacity = 1
        let pop = CASpringAnimation(perceptualDuration: 0.4, bounce: 0.45)
        pop.keyPath = "transform.scale"
        pop.fromValue = 0.4
        pop.toValue = 1
        CATransaction.begin()
        CATransaction.setDisableActions(true)
        disc.transform = CATransform3DIdentity
        CATransaction.commit()
        disc.add(pop, forKey: "pop")
        CATransaction.begin()
        CATransaction.setAnimationDuration(0.35)
        check.strokeEnd = 1
        CATransaction.commit()
    }

    private func circle(color: CGColor) -> CAShapeLayer {
        let circle = CAShapeLayer()
        circle.fillColor = nil
        circle.strokeColor = color
        circle.lineWidth = 10
        addSublayer(circle)
        return circle
    }

    private func glyph(color: CGColor, width: CGFloat) -> CAShapeLayer {
        let glyph = circle(color: color)
        glyph.lineWidth = width
        glyph.lineCap = .round
        glyph.lineJoin = .round
        return glyph
    }
}

extension Example {
    static let downloadRing = Example(
        name: "download-ring", caption: "A ring that can be interrupted: it goes on from what `presentation()` shows",
        duration: 5, stillTime: 3.2
    ) { display in
        let root = display.rootLayer
        root.backgroundColor = .hex(0xF6F7FB)

        let ring = DownloadRing()
        ring.frame = CGRect(x: 120, y: 34, width: 120, height: 120)
        root.addSublayer(ring)

        let percent = CATextLayer(
            "0 %", "Helvetica-Bold", size: 22, color: .hex(0x1C1C1E), alignment: .center, scale: root.contentsScale)
        percent.frame = CGRect(x: 60, y: 168, width: 240, height: 30)
        root.addSublayer(percent)
        let status = CATextLayer(
            "Tap to download", size: 14, color: .hex(0x8A8F9C), alignment: .center, scale: root.contentsScale)
        status.frame = CGRect(x: 60, y: 198, width: 240, height: 22)
        root.addSublayer(status)

        display.displayLink { _ in
            percent.string = "\(Int((ring.shownProgress * 100).rounded())) %"
            status.string =
                switch ring.state {
                case .idle: "Tap to download"
                case .loading: "Downloading…"
                case .done: "Ready"
                }
        }
        // The second tap comes half-way, the third one while the ring still runs back.
        display.play([.init(0.3) { ring.tap() }, .init(1.7) { ring.tap() }, .init(2.15) { ring.tap() }])
    }
}
