import CoreAnimation
import Rostrum

/// One part of a ticket: a card with round corners, and quarter-round notches at the side where it was torn off.
final class TicketPart: CALayer, @unchecked Sendable {
    enum Edge {
        case left, right
    }

    var tornEdge = Edge.right {
        didSet { setNeedsLayout() }
    }
    var notchRadius: CGFloat = 11 {
        didSet { setNeedsLayout() }
    }

    /// The paper and what is printed on it, cut out together.
    private(set) lazy var paper: CALayer = {
        let paper = CALayer()
        paper.backgroundColor = .hex(0xFFF8EC)
        paper.mask = outline
        addSublayer(paper)
        return paper
    }()

    private lazy var outline = CAShapeLayer()

    private lazy var perforation: CAShapeLayer = {
        let perforation = CAShapeLayer()
        perforation.strokeColor = .hex(0xB9A98F)
        perforation.lineWidth = 1.5
        perforation.lineDashPattern = [4, 4]
        addSublayer(perforation)
        return perforation
    }()

    override init() {
        super.init()
        _ = (paper, perforation)
    }

    override init(layer: Any) {
        super.init(layer: layer)
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func layoutSublayers() {
        outline.path = ticketPath()
        paper.frame = bounds
        let x = tornEdge == .right ? bounds.maxX - 0.75 : bounds.minX + 0.75
        let line = CGMutablePath()
        line.addLines(between: [
            CGPoint(x: x, y: bounds.minY + notchRadius + 5), CGPoint(x: x, y: bounds.maxY - notchRadius - 5),
        ])
        perforation.path = line
    }

    private func ticketPath() -> CGPath {
        let (corner, notch) = (CGFloat(14), notchRadius)
        let path = CGMutablePath()
        // As if the right edge were torn off; the other way around, it is mirrored.
        path.move(to: CGPoint(x: bounds.minX + corner, y: bounds.minY))
        path.addLine(to: CGPoint(x: bounds.maxX - notch, y: bounds.minY))
        path.addArc(
            center: CGPoint(x: bounds.maxX, y: bounds.minY), radius: notch, startAngle: .pi, endAngle: .pi / 2,
            clockwise: true)
        path.addLine(to: CGPoint(x: bounds.maxX, y: bounds.maxY - notch))
        path.addArc(
            center: CGPoint(x: bounds.maxX, y: bounds.maxY), radius: notch, startAngle: -.pi / 2, endAngle: -.pi,
            clockwise: true)
        let (bottom, top) = (
            CGPoint(x: bounds.minX, y: bounds.maxY), CGPoint(x: bounds.minX, y: bounds.minY)
        )
        path.addArc(tangent1End: bottom, tangent2End: top, radius: corner)
        path.addArc(tangent1End: top, tangent2End: CGPoint(x: bounds.maxX, y: bounds.minY), radius: corner)
        path.closeSubpath()
        guard tornEdge == .left else { return path }
        var mirror = CGAffineTransform(a: -1, b: 0, c: 0, d: 1, tx: bounds.minX + bounds.maxX, ty: 0)
        return path.copy(using: &mirror) ?? path
    }
}

/// A ticket of two parts, and a gleam that runs over it. `tear()` takes the stub off.
final class Ticket: CALayer, @unchecked Sendable {
    private(set) lazy var main: TicketPart = part(.right)
    private(set) lazy var stub: TicketPart = part(.left)

    /// Over both parts.
    private lazy var gleams: [CAGradientLayer] = [main, stub].map { part in
        let gleam = CAGradientLayer()
        gleam.colors = [
            CGColor.hex(0xFFFFFF, alpha: 0), CGColor.hex(0xFFFFFF, alpha: 0.75), CGColor.hex(0xFFFFFF, alpha: 0),
        ]
        gleam.startPoint = CGPoint(x: 0, y: 0.4)
        gleam.endPoint = CGPoint(x: 1, y: 0.6)
        gleam.zPosition = 1
        part.paper.addSublayer(gleam)
        return gleam
    }

    override init() {
        super.init()
        // The shadow of both parts together: none of them casts one on the other.
        shadowColor = .hex(0x2A0F05)
        shadowOpacity = 0.35
        shadowRadius = 9
        shadowOffset = CGSize(width: 0, height: 7)
        _ = (main, stub, gleams)
    }

    override init(layer: Any) {
        super.init(layer: layer)
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func layoutSublayers() {
        let split = (bounds.width * 0.68).rounded()
        main.frame = CGRect(x: 0, y: 0, width: split, height: bounds.height)
        // It turns about its lower left corner when it is torn off.
        stub.anchorPoint = CGPoint(x: 0, y: 1)
        stub.bounds.size = CGSize(width: bounds.width - split, height: bounds.height)
        stub.position = CGPoint(x: split, y: bounds.height)
        for (gleam, part) in zip(gleams, [main, stub]) {
            gleam.bounds.size = CGSize(width: 90, height: bounds.height)
            gleam.position = CGPoint(x: -100 - part.frame.minX, y: bounds.midY)
        }
    }

    func gleam(duration: CFTimeInterval) {
        for gleam in gleams {
            let run = CABasicAnimation(keyPath: "position.x")
            run.byValue = bounds.width + 200
            run.duration = duration
            run.timingFunction = CAMediaTimingFunction(name: .easeInEaseOut)
            gleam.add(run, forKey: "run")
        }
    }

    func tear() {
        CATransaction.begin()
        CATransaction.setAnimationDuration(0.8)
        CATransaction.setAnimationTimingFunction(CAMediaTimingFunction(controlPoints: 0.3, 1.4, 0.5, 1))
        stub.transform = CATransform3DRotate(CATransform3DMakeTranslation(8, 4, 0), .pi / 22, 0, 0, 1)
        CATransaction.commit()
    }

    private func part(_ edge: TicketPart.Edge) -> TicketPart {
        let part = TicketPart()
        part.tornEdge = edge
        addSublayer(part)
        return part
    }
}

extension Example {
    static let ticket = Example(
        name: "ticket", caption: "Paths with notches, one shadow for both of them, a gleam inside their outlines",
        duration: 4, stillTime: 3
    ) { display in
        let root = display.rootLayer
        let ground = CAGradientLayer()
        ground.frame = root.bounds
        ground.colors = [CGColor.hex(0xFF9A56), CGColor.hex(0xF0524B)]
        ground.endPoint = CGPoint(x: 1, y: 1)
        ground.startPoint = .zero
        root.addSublayer(ground)

        let ticket = Ticket()
        ticket.frame = CGRect(x: 26, y: 52, width: 300, height: 136)
        root.addSublayer(ticket)

        func write(
            _ text: String, _ font: String, _ size: CGFloat, _ color: UInt32, at x: CGFloat, _ y: CGFloat,
            on part: TicketPart
        ) {
            let label = CATextLayer(text, font, size: size, color: .hex(color), scale: root.contentsScale)
            label.frame = CGRect(x: x, y: y, width: 190, height: size * 1.5)
            part.paper.addSublayer(label)
        }
        let stripe = CALayer()
        stripe.backgroundColor = .hex(0xF0524B)
        stripe.frame = CGRect(x: 0, y: 0, width: 14, height: 136)
        ticket.main.paper.addSublayer(stripe)
        write("ADMIT ONE", "Helvetica-Bold", 10, 0xF0524B, at: 30, 16, on: ticket.main)
        write("The Long Take", "Helvetica-Bold", 20, 0x2A1A14, at: 30, 30, on: ticket.main)
        write("Rostrum Picture House", "Helvetica", 12, 0x8A7666, at: 30, 60, on: ticket.main)
        for (index, (title, value)) in [("DATE", "14 Nov"), ("TIME", "20:30"), ("ROW", "F"), ("SEAT", "12")]
            .enumerated()
        {
            let x = [30, 88, 138, 164][index] as CGFloat
            write(title, "Helvetica", 8, 0xA8937F, at: x, 94, on: ticket.main)
            write(value, "Helvetica-Bold", 13, 0x2A1A14, at: x, 105, on: ticket.main)
        }

        // A bar code: one picture, drawn once, in pixels of the display.
        let code = BarCode(seed: 0x2F6A91)
        code.contentsScale = root.contentsScale
        code.frame = CGRect(x: 24, y: 20, width: 46, height: 96)
        code.setNeedsDisplay()
        ticket.stub.paper.addSublayer(code)
        let number = CATextLayer(
            "No 004 127", size: 9, color: .hex(0x8A7666), alignment: .center, scale: root.contentsScale)
        number.bounds.size = CGSize(width: 96, height: 12)
        number.position = CGPoint(x: 81, y: 68)
        number.transform = CATransform3DMakeRotation(-.pi / 2, 0, 0, 1)
        ticket.stub.paper.addSublayer(number)

        let drop = CASpringAnimation(perceptualDuration: 0.5, bounce: 0.3)
        drop.keyPath = "position.y"
        drop.fromValue = -90
        ticket.add(drop, forKey: "drop")
        display.play([.init(1) { ticket.gleam(duration: 1) }, .init(2) { ticket.tear() }])
    }
}

/// Bars of 1 to 3 units, from the bits of a number.
final class BarCode: CALayer, @unchecked Sendable {
    private let seed: UInt32

    init(seed: UInt32) {
        self.seed = seed
        super.init()
    }

    override init(layer: Any) {
        seed = (layer as? BarCode)?.seed ?? 0
        super.init(layer: layer)
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func draw(in ctx: CGContext) {
        ctx.setFillColor(.hex(0x2A1A14))
        var (bits, y) = (seed, CGFloat(0))
        while y < bounds.height {
            let bar = CGFloat(bits & 3) + 1
            ctx.fill(CGRect(x: 0, y: y, width: bounds.width, height: min(bar, bounds.height - y)))
            y += bar + CGFloat(bits >> 2 & 1) + 1.5
            bits = bits >> 3 ^ bits << 29 ^ bits << 7
        }
    }
}
