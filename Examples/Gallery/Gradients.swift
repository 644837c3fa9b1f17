import CoreAnimation
import Rostrum

/// A tile with a gradient, and its name below.
final class GradientTile: CALayer, @unchecked Sendable {
    let gradient = CAGradientLayer()
    private let title: CATextLayer

    init(_ name: String, scale: CGFloat) {
        title = CATextLayer(name, size: 12, color: .hex(0x5A6072), alignment: .center, scale: scale)
        super.init()
        gradient.cornerRadius = 18
        gradient.cornerCurve = .continuous
        addSublayer(gradient)
        addSublayer(title)
    }

    override init(layer: Any) {
        title = CATextLayer()
        super.init(layer: layer)
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func layoutSublayers() {
        gradient.frame = CGRect(x: 0, y: 0, width: bounds.width, height: bounds.height - 20)
        title.frame = CGRect(x: 0, y: bounds.height - 16, width: bounds.width, height: 16)
    }
}

extension Example {
    static let gradients = Example(
        name: "gradients", caption: "Axial, radial, conic, and one masked by text; each of them animated",
        duration: 4, stillTime: 1.3
    ) { display in
        let root = display.rootLayer
        root.backgroundColor = .hex(0xF6F7FB)
        let names = ["axial", "radial", "conic", "masked"]
        let tiles = names.enumerated().map { index, name in
            let tile = GradientTile(name, scale: root.contentsScale)
            tile.frame = CGRect(
                x: index % 2 == 0 ? 18 : 186, y: index < 2 ? 14 : 126, width: 156, height: 108)
            root.addSublayer(tile)
            return tile.gradient
        }
        func animate(_ layer: CALayer, _ keyPath: String, from: Any? = nil, to: Any, _ duration: CFTimeInterval = 2) {
            let animation = CABasicAnimation(keyPath: keyPath)
            animation.fromValue = from ?? layer.value(forKeyPath: keyPath)
            animation.toValue = to
            animation.duration = duration
            animation.autoreverses = duration == 2
            animation.repeatCount = .infinity
            if animation.autoreverses { animation.timingFunction = CAMediaTimingFunction(name: .easeInEaseOut) }
            layer.add(animation, forKey: keyPath)
        }

        let axial = tiles[0]
        axial.startPoint = .zero
        axial.endPoint = CGPoint(x: 1, y: 1)
        axial.colors = [CGColor.hex(0x5E5CE6), CGColor.hex(0xFF2D78), CGColor.hex(0xFF9F0A)]
        animate(axial, "colors", to: [CGColor.hex(0x00C7BE), CGColor.hex(0x5E5CE6), CGColor.hex(0xFF375F)])

        let radial = tiles[1]
        radial.type = .radial
        radial.startPoint = CGPoint(x: 0.3, y: 0.35)
        // An ellipse: half as high again as wide in the unit square, round on the tile.
        radial.endPoint = CGPoint(x: 1, y: 0.35 + 0.7 * 156 / 88)
        radial.colors = [CGColor.hex(0xFFF3B0), CGColor.hex(0xFFB200), CGColor.hex(0xE8402A), CGColor.hex(0x5B1647)]
        radial.locations = [0, 0.25, 0.6, 1]
        animate(radial, "startPoint", to: CGPoint(x: 0.7, y: 0.6))
        animate(radial, "endPoint", to: CGPoint(x: 1.4, y: 0.6 + 0.7 * 156 / 88))

        let conic = tiles[2]
        conic.type = .conic
        conic.startPoint = CGPoint(x: 0.5, y: 0.5)
        conic.endPoint = CGPoint(x: 0.5, y: 0)
        let wheel: [CGColor] = [0xFF453A, 0xFF9F0A, 0xFFD60A, 0x30D158, 0x64D2FF, 0x5E5CE6, 0xBF5AF2, 0xFF453A].map {
            .hex($0)
        }
        conic.colors = wheel
        // The end runs around the start.
        let turn = CAKeyframeAnimation(keyPath: "endPoint")
        turn.values = (0...32).map { CGPoint(x: 0.5, y: 0.5).turned(CGFloat($0) / 32, radius: 0.5) }
        turn.duration = 4
        turn.repeatCount = .infinity
        conic.add(turn, forKey: "turn")

        let masked = tiles[3]
        let card = CALayer()
        card.backgroundColor = .hex(0x14161F)
        card.cornerRadius = masked.cornerRadius
        card.cornerCurve = .continuous
        masked.superlayer?.insertSublayer(card, below: masked)
        card.frame = CGRect(x: 0, y: 0, width: 156, height: 88)
        masked.startPoint = CGPoint(x: 0, y: 0.4)
        masked.endPoint = CGPoint(x: 1, y: 0.6)
        masked.colors = [
            CGColor.hex(0xE4E7F2), CGColor.hex(0xE4E7F2), CGColor.hex(0x0A84FF), CGColor.hex(0xFF2D78),
            CGColor.hex(0xE4E7F2), CGColor.hex(0xE4E7F2),
        ]
        let text = CATextLayer(
            "Rostrum", "Helvetica-Bold", size: 31, color: .hex(0), alignment: .center, scale: root.contentsScale)
        text.frame = CGRect(x: 0, y: 24, width: 156, height: 48)
        masked.mask = text
        animate(
            masked, "locations", from: [-1, -0.9, -0.6, -0.4, -0.1, 0] as [NSNumber],
            to: [1, 1.1, 1.4, 1.6, 1.9, 2] as [NSNumber], 2.0001)
    }
}
