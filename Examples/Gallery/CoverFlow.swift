import CoreAnimation
import Rostrum

/// Covers in a row, the middle one flat, the others turned aside, seen in perspective.
final class CoverFlow: CALayer, @unchecked Sendable {
    var covers: [CALayer] = [] {
        didSet {
            for cover in oldValue { cover.removeFromSuperlayer() }
            for cover in covers { addSublayer(cover) }
            setNeedsLayout()
        }
    }

    /// Which cover is in front. A change moves them all, with the transaction's duration.
    var selection = 0 {
        didSet { layoutSublayers() }
    }

    var spacing: CGFloat = 44
    /// Points from the middle cover to the ones beside it, besides the spacing.
    var gap: CGFloat = 58
    /// Radians.
    var tilt: CGFloat = 1.05

    override init() {
        super.init()
        sublayerTransform.m34 = -1 / 420
    }

    override init(layer: Any) {
        super.init(layer: layer)
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func layoutSublayers() {
        for (index, cover) in covers.enumerated() {
            let offset = index - selection
            let side: CGFloat = offset == 0 ? 0 : offset < 0 ? -1 : 1
            cover.position = CGPoint(x: bounds.midX + CGFloat(offset) * spacing + side * gap, y: bounds.midY)
            cover.zPosition = offset == 0 ? 0 : -90 - CGFloat(abs(offset)) * 6
            cover.transform = CATransform3DMakeRotation(-side * tilt, 0, 1, 0)
        }
    }
}

/// A cover that stands on a polished floor.
final class Cover: CAReplicatorLayer, @unchecked Sendable {
    private let art: CALayer

    init(_ art: CALayer) {
        self.art = art
        super.init()
        instanceCount = 2
        instanceColor = .hex(0xFFFFFF)
        instanceRedOffset = -0.7
        instanceGreenOffset = -0.7
        instanceBlueOffset = -0.7
        addSublayer(art)
    }

    override init(layer: Any) {
        art = CALayer()
        super.init(layer: layer)
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func layoutSublayers() {
        art.frame = bounds
        // About the middle: down by a height and a point, and upside down.
        instanceTransform = CATransform3DScale(CATransform3DMakeTranslation(0, bounds.height + 1, 0), 1, -1, 1)
    }
}

/// Drawn covers: a ground of two colors and a few shapes.
private func artwork(_ index: Int) -> CALayer {
    let palettes: [[UInt32]] = [
        [0x0F2027, 0x2C7A7B, 0xF6E05E], [0x41295A, 0x8E2DE2, 0xFFC857], [0xB3253A, 0xFF7E5F, 0xFFE3C2],
        [0x11326B, 0x3F8CFF, 0xFFFFFF], [0x0B4F3C, 0x38C172, 0xE9FFD9], [0x1F1C2C, 0x6B5B95, 0xFF6F91],
        [0x7A3B00, 0xFFB347, 0x40210F],
    ]
    let palette = palettes[index % palettes.count].map { CGColor.hex($0) }
    let art = CAGradientLayer()
    art.colors = [palette[0], palette[1]]
    art.bounds = CGRect(x: 0, y: 0, width: 120, height: 120)
    art.masksToBounds = true
    art.cornerRadius = 4

    let shapes = CAShapeLayer()
    let path = CGMutablePath()
    let middle = CGPoint(x: 60, y: 56)
    shapes.fillColor = nil
    shapes.strokeColor = palette[2]
    shapes.lineWidth = 3
    switch index % 7 {
    case 0:  // The sun over waves.
        path.addEllipse(in: CGRect(x: 38, y: 22, width: 44, height: 44))
        for row in 0..<4 {
            let y = 76 + CGFloat(row) * 10
            path.move(to: CGPoint(x: -10, y: y))
            for wave in 0..<7 {
                let x = -10 + CGFloat(wave) * 20
                path.addCurve(
                    to: CGPoint(x: x + 20, y: y), control1: CGPoint(x: x + 7, y: y - 7),
                    control2: CGPoint(x: x + 13, y: y + 7))
            }
        }
    case 1:  // Grooves.
        for ring in 1...6 {
            let radius = CGFloat(ring) * 8
            path.addEllipse(in: CGRect(x: 60 - radius, y: 60 - radius, width: 2 * radius, height: 2 * radius))
        }
    case 2:  // Rays.
        for ray in 0..<18 {
            path.move(to: middle.turned(CGFloat(ray) / 18, radius: 18))
            path.addLine(to: middle.turned(CGFloat(ray) / 18, radius: ray % 2 == 0 ? 46 : 34))
        }
    case 3:  // Bars.
        for (bar, height) in [24, 48, 70, 40, 58, 30, 18].enumerated() {
            let x = 24 + CGFloat(bar) * 12
            path.move(to: CGPoint(x: x, y: 60 - CGFloat(height) / 2))
            path.addLine(to: CGPoint(x: x, y: 60 + CGFloat(height) / 2))
        }
        shapes.lineWidth = 6
        shapes.lineCap = .round
    case 4:  // Mountains.
        path.addLines(between: [(0, 96), (34, 44), (52, 70), (80, 28), (120, 92)].map { CGPoint(x: $0.0, y: $0.1) })
        path.addLines(between: [(0, 112), (26, 84), (58, 108), (90, 70), (120, 108)].map { CGPoint(x: $0.0, y: $0.1) })
        shapes.lineJoin = .round
    case 5:  // A star of one line.
        path.addLines(between: (0...7).map { middle.turned(CGFloat($0) * 3 / 7, radius: 44) })
        shapes.lineJoin = .round
    default:  // Petals.
        for petal in 0..<6 {
            let center = middle.turned(CGFloat(petal) / 6, radius: 20)
            path.addEllipse(in: CGRect(x: center.x - 20, y: center.y - 20, width: 40, height: 40))
        }
    }
    shapes.path = path
    art.addSublayer(shapes)

    let gloss = CAGradientLayer()
    gloss.frame = art.bounds
    gloss.colors = [
        CGColor.hex(0xFFFFFF, alpha: 0.28), CGColor.hex(0xFFFFFF, alpha: 0.06), CGColor.hex(0xFFFFFF, alpha: 0),
    ]
    gloss.locations = [0, 0.45, 0.46]
    gloss.startPoint = .zero
    gloss.endPoint = CGPoint(x: 1, y: 1)
    art.addSublayer(gloss)
    return art
}

extension Example {
    static let coverFlow = Example(
        name: "cover-flow", caption: "Perspective by `sublayerTransform`; reflections are second instances",
        duration: 5, stillTime: 2.4
    ) { display in
        let root = display.rootLayer
        let room = CAGradientLayer()
        room.frame = root.bounds
        room.colors = [CGColor.hex(0x15161B), CGColor.hex(0x000000), CGColor.hex(0x24262E), CGColor.hex(0x000000)]
        room.locations = [0, 0.66, 0.69, 1]
        root.addSublayer(room)

        let flow = CoverFlow()
        flow.frame = CGRect(x: 0, y: 28, width: 360, height: 150)
        flow.covers = (0..<7).map { index in
            let cover = Cover(artwork(index))
            cover.bounds.size = CGSize(width: 120, height: 120)
            return cover
        }
        flow.selection = 1
        root.addSublayer(flow)

        let floor = CAGradientLayer()
        floor.frame = CGRect(x: 0, y: 160, width: 360, height: 80)
        floor.colors = [CGColor.hex(0x000000, alpha: 0), CGColor.hex(0x000000, alpha: 0.8), CGColor.hex(0x000000)]
        root.addSublayer(floor)

        let names = ["Tide Table", "Groove Study", "Noon", "Meter", "Ridgeline", "One Line", "Six Petals"]
        let title = CATextLayer(
            names[1], "Helvetica-Bold", size: 13, color: .hex(0xFFFFFF), alignment: .center, scale: root.contentsScale)
        title.frame = CGRect(x: 60, y: 208, width: 240, height: 20)
        root.addSublayer(title)

        func select(_ index: Int) {
            CATransaction.begin()
            CATransaction.setAnimationDuration(0.7)
            CATransaction.setAnimationTimingFunction(CAMediaTimingFunction(controlPoints: 0.3, 0, 0.1, 1))
            flow.selection = index
            CATransaction.commit()
            title.string = names[index]
        }
        display.play(
            [3, 4, 5, 2].enumerated().map { step, index in
                .init(0.4 + 1.1 * Double(step)) { select(index) }
            })
    }
}
