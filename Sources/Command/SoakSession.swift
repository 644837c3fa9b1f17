import CoreAnimation
import LayerModel
import LayerWire
import Quartz2D
import RenderServer

/// One client of the soak: a tree of layers with effects of every kind, some of which change before each frame.
struct SoakSession {
    private let connection: ClientConnection
    private let context = LayerContext()
    private let root = CALayer()
    private let picture: CGImage
    private var layers: [CALayer] = []
    private var random: SoakNumbers
    private let size: (width: Int, height: Int)

    /// - Parameter seed: The whole life: its canvas, its layers, and what becomes of them.
    init(_ server: RenderServer, _ picture: CGImage, seed: UInt64) throws {
        random = SoakNumbers(state: seed)
        self.picture = picture
        size = (160 + random.below(480), 120 + random.below(360))
        connection = try ClientConnection(
            descriptor: server.connect(),
            hello: Hello(
                clientName: "soak", width: UInt32(size.width), height: UInt32(size.height), scale: 1, isFlipped: true,
                background: .white))
        root.bounds = CGRect(x: 0, y: 0, width: size.width, height: size.height)
        root.anchorPoint = .zero
        root.backgroundColor = color()
        for _ in 0..<10 + random.below(20) { add() }
        context.displayIsFlipped = true
        context.rootLayer = root
    }

    func end() { connection.close() }

    /// Draws a frame at a time, seconds; returns how much was left out of it.
    ///
    /// - Parameter isChanging: Effects and the tree change; otherwise one layer moves to and fro.
    @discardableResult
    mutating func draw(_ time: Double, changing isChanging: Bool) throws -> Int {
        CATransaction.begin()
        CATransaction.setDisableActions(true)
        if isChanging {
            for _ in 0..<1 + random.below(3) { change() }
        } else if let first = layers.first {
            first.position = CGPoint(x: 40 + Int(time) % 2, y: 40)
        }
        CATransaction.commit()
        if let transaction = context.takeTransaction(time: time) { try connection.commit(transaction) }
        let frame = try connection.capture(at: time, .pixels)
        if let buffer = frame.buffer { connection.release(buffer) }
        if let fault = connection.takeFaults().first {
            throw CommandFailure(.environment, "the soak's commit was refused: \(fault)")
        }
        return frame.reply.degradations.count
    }

    // MARK: Changes

    private mutating func change() {
        let layer = layers[random.below(layers.count)]
        switch random.below(12) {
        case 0: add()
        case 1:
            guard layers.count > 8 else { return }
            layer.removeFromSuperlayer()
            layers = layers.filter(isInTree)
            if layers.isEmpty { add() }
        case 2...5:
            layer.position = CGPoint(x: random.below(size.width), y: random.below(size.height))
        default: setEffect(of: layer)
        }
    }

    private func isInTree(_ layer: CALayer) -> Bool {
        var above = layer
        while let next = above.superlayer { above = next }
        return above === root
    }

    private mutating func add() {
        let layer = random.below(8) == 0 ? CABackdropLayer() : CALayer()
        layer.bounds = CGRect(x: 0, y: 0, width: 20 + random.below(160), height: 20 + random.below(120))
        layer.position = CGPoint(x: random.below(size.width), y: random.below(size.height))
        layer.backgroundColor = color()
        if random.below(4) == 0 { layer.contents = random.below(2) == 0 ? picture : ownPicture() }
        for _ in 0..<random.below(3) { setEffect(of: layer) }
        let above = layers.isEmpty || random.below(2) == 0 ? root : layers[random.below(layers.count)]
        above.addSublayer(layer)
        layers.append(layer)
    }

    /// One that goes with its layer.
    private mutating func ownPicture() -> CGImage {
        let side = 8 + random.below(40)
        return (try? BenchPictures.waves(side, side, scale: 0.2) { _ in 255 }) ?? picture
    }

    private mutating func color() -> CGColor {
        CGColor(
            red: Double(random.below(9)) / 8, green: Double(random.below(9)) / 8, blue: Double(random.below(9)) / 8,
            alpha: random.below(3) == 0 ? 0.6 : 1)
    }

    private mutating func filters() -> [CAFilter] {
        let types = [
            "gaussianBlur", "colorSaturate", "colorInvert", "colorHueRotate", "pixellate", "dropShadow",
            "luminanceToAlpha",
        ]
        return (0..<1 + random.below(2)).map { _ in
            let filter = CAFilter(type: types[random.below(types.count)])
            if filter.type == "gaussianBlur" { filter.setValue(Double(1 + random.below(24)), forKey: "inputRadius") }
            return filter
        }
    }

    private mutating func setEffect(of layer: CALayer) {
        switch random.below(14) {
        case 0: layer.opacity = Float(1 + random.below(8)) / 8
        case 1:
            layer.cornerRadius = Double(random.below(20))
            layer.masksToBounds = random.below(2) == 0
        case 2, 3:
            layer.shadowOpacity = Float(random.below(3)) / 2
            layer.shadowRadius = Double(random.below(16))
            layer.shadowOffset = CGSize(width: Double(random.below(12)) / 2, height: 3)
            layer.shadowPath = random.below(3) == 0 ? CGPath(ellipseIn: layer.bounds, transform: nil) : nil
        case 4, 5: layer.filters = random.below(3) == 0 ? nil : filters()
        case 6: layer.backgroundFilters = random.below(3) == 0 ? nil : filters()
        case 7:
            let modes = CompositingMode.allCases
            layer.compositingFilter = random.below(3) == 0 ? nil : modes[random.below(modes.count)].filterName
        case 8, 9:
            layer.shouldRasterize = random.below(3) > 0
            layer.rasterizationScale = Double(1 + random.below(3)) / 2
        case 10: layer.mask = random.below(3) == 0 ? nil : mask(of: layer)
        case 11: layer.setAffineTransform(CGAffineTransform(rotationAngle: Double(random.below(63)) / 10))
        case 12:
            var turned = CATransform3DMakeRotation(Double(random.below(63)) / 10, 0.2, 1, 0)
            turned.m34 = -1 / 400
            layer.transform = turned
        default: layer.borderWidth = Double(random.below(5))
        }
    }

    private mutating func mask(of layer: CALayer) -> CALayer {
        let mask = CALayer()
        mask.frame = layer.bounds.insetBy(dx: 4, dy: 6)
        mask.cornerRadius = Double(random.below(24))
        mask.backgroundColor = color()
        if random.below(2) == 0 {
            let inner = CALayer()
            inner.frame = CGRect(x: 2, y: 2, width: 30, height: 90)
            inner.backgroundColor = color()
            mask.addSublayer(inner)
        }
        return mask
    }
}

/// The same numbers for the same seed: SplitMix64.
struct SoakNumbers {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
