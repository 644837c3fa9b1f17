import CoreAnimation
import Rostrum

/// Jets of drops that rise, fall and glow.
final class Fountain: CAEmitterLayer, @unchecked Sendable {
    /// Points a second: how fast the drops leave the nozzle.
    var pressure: CGFloat = 270 {
        didSet { emitterCells = cells() }
    }

    override init() {
        super.init()
        masksToBounds = true
        emitterShape = .line
        emitterSize = CGSize(width: 6, height: 0)
        renderMode = .additive
        seed = 7
        emitterCells = cells()
    }

    override init(layer: Any) {
        super.init(layer: layer)
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func layoutSublayers() {
        emitterPosition = CGPoint(x: bounds.midX, y: bounds.maxY)
    }

    /// Five jets, the middle one the highest.
    private func cells() -> [CAEmitterCell] {
        let jets: [(lean: CGFloat, pressure: CGFloat, color: UInt32)] = [
            (0, 1, 0x3AB8FF), (-8, 0.94, 0x5E6BFF), (8, 0.94, 0x5E6BFF), (-17, 0.84, 0xD24BFF), (17, 0.84, 0xD24BFF),
        ]
        return jets.map { jet in
            let drop = CAEmitterCell()
            drop.contents = spark
            drop.contentsScale = 2
            drop.birthRate = 150
            drop.lifetime = 1.9
            drop.lifetimeRange = 0.5
            // Degrees from upright.
            drop.emissionLongitude = (jet.lean - 90) * .pi / 180
            drop.emissionRange = 5 * .pi / 180
            drop.velocity = pressure * jet.pressure
            drop.velocityRange = 26
            drop.yAcceleration = 260
            drop.scale = 0.13
            drop.scaleRange = 0.1
            drop.scaleSpeed = 0.05
            drop.color = .hex(jet.color, alpha: 0.8)
            drop.redRange = 0.3
            drop.greenRange = 0.3
            drop.alphaRange = 0.3
            drop.alphaSpeed = -0.22
            return drop
        }
    }

    /// A soft disc.
    private var spark: CGImage? {
        let side = 64
        guard
            let ctx = CGContext(
                data: nil, width: side, height: side, bitsPerComponent: 8, bytesPerRow: 0,
                space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue),
            let glow = CGGradient(
                colorsSpace: CGColorSpaceCreateDeviceRGB(),
                colors: [CGColor.hex(0xFFFFFF), CGColor.hex(0xFFFFFF, alpha: 0.5), CGColor.hex(0xFFFFFF, alpha: 0)],
                locations: [0, 0.25, 1])
        else { return nil }
        let middle = CGPoint(x: side / 2, y: side / 2)
        ctx.drawRadialGradient(
            glow, startCenter: middle, startRadius: 0, endCenter: middle, endRadius: CGFloat(side) / 2, options: [])
        return ctx.makeImage()
    }
}

extension Example {
    static let fountain = Example(
        name: "fountain", caption: "An emitter with five cells; a replicator mirrors it in the pool",
        duration: 4, stillTime: 3
    ) { display in
        let root = display.rootLayer
        let night = CAGradientLayer()
        night.frame = root.bounds
        night.colors = [CGColor.hex(0x05060F), CGColor.hex(0x0D1030), CGColor.hex(0x05060F), CGColor.hex(0x0A0C22)]
        night.locations = [0, 0.775, 0.78, 1]
        root.addSublayer(night)

        // The second instance hangs below the first, upside down and dimmer.
        let pool = CAReplicatorLayer()
        pool.frame = root.bounds
        pool.anchorPoint = CGPoint(x: 0.5, y: 186 / 240)
        pool.position = CGPoint(x: 180, y: 186)
        pool.instanceCount = 2
        pool.instanceTransform = CATransform3DMakeScale(1, -0.45, 1)
        pool.instanceColor = .hex(0xFFFFFF)
        pool.instanceAlphaOffset = -0.72
        root.addSublayer(pool)

        let fountain = Fountain()
        fountain.frame = CGRect(x: 0, y: 0, width: 360, height: 186)
        fountain.beginTime = CACurrentMediaTime() - 0.2
        pool.addSublayer(fountain)
        // The pressure rises and falls.
        let breath = CABasicAnimation(keyPath: "velocity")
        breath.fromValue = 0.88
        breath.toValue = 1.06
        breath.duration = 1.5
        breath.autoreverses = true
        breath.repeatCount = .infinity
        breath.timingFunction = CAMediaTimingFunction(name: .easeInEaseOut)
        fountain.add(breath, forKey: "breath")
    }
}
