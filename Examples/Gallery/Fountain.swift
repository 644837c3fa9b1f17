import QuartzCore
import Rostrum

/// Drops that rise, fall and glow, in four colors.
final class Fountain: CAEmitterLayer, @unchecked Sendable {
    /// Points a second: how fast the drops leave the nozzle.
    var pressure: CGFloat = 250 {
        didSet { emitterCells = cells() }
    }

    override init() {
        super.init()
        emitterShape = .line
        emitterSize = CGSize(width: 10, height: 0)
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

    private func cells() -> [CAEmitterCell] {
        let tints: [UInt32] = [0x2F7BFF, 0x21D4FD, 0xA04BFF, 0xFF4F9A]
        return tints.enumerated().map { index, tint in
            let drop = CAEmitterCell()
            drop.name = "drop\(index)"
            drop.contents = spark
            drop.contentsScale = 2
            drop.birthRate = 130
            drop.lifetime = 2.2
            drop.lifetimeRange = 0.4
            // Up, and a little to each side.
            drop.emissionLongitude = -.pi / 2
            drop.emissionRange = .pi / 6.5
            drop.velocity = pressure
            drop.velocityRange = 70
            drop.yAcceleration = 250
            drop.scale = 0.34
            drop.scaleRange = 0.2
            drop.scaleSpeed = -0.09
            drop.color = .hex(tint, alpha: 0.85)
            drop.redRange = 0.15
            drop.greenRange = 0.2
            drop.alphaSpeed = -0.34
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
        name: "fountain", caption: "An emitter with four cells; a replicator mirrors it in the pool",
        duration: 4, stillTime: 2.5
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
        breath.fromValue = 0.8
        breath.toValue = 1.1
        breath.duration = 1
        breath.autoreverses = true
        breath.repeatCount = .infinity
        breath.timingFunction = CAMediaTimingFunction(name: .easeInEaseOut)
        fountain.add(breath, forKey: "breath")
    }
}
