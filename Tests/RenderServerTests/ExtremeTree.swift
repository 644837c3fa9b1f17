import LayerModel

/// A random tree of a few layers with effects of every kind, whose numbers are of every size. The seed is the whole tree.
struct ExtremeTree {
    private var random: Numbers

    init(seed: UInt64) { random = Numbers(state: seed) }

    private static let sizes: [Double] = [
        0, 1e-300, 1e-9, 0.3, 1, 3.7, 16, 1_000, 16_385, 1e5, 1e6, 1e9, 0x1p31, 0x1p53, 1e19, 1e38, 1e100, 1e155, 1e300,
        .greatestFiniteMagnitude,
    ]

    /// Ordinary two times of three.
    private mutating func number() -> Double {
        if random.below(3) > 0 { return Double(random.below(200)) / 10 }
        let size = Self.sizes[random.below(Self.sizes.count)]
        return random.below(2) == 0 ? size : -size
    }

    private mutating func point() -> Point { Point(number(), number()) }

    private mutating func color() -> Color {
        Color(Double(random.below(5)) / 4, Double(random.below(5)) / 4, 0.5, Double(1 + random.below(4)) / 4)
    }

    private mutating func flag() -> Bool { random.below(2) == 0 }

    private mutating func path() -> VectorPath? {
        guard flag() else { return nil }
        var path = VectorPath()
        path.move(to: point())
        for _ in 0..<1 + random.below(4) {
            switch random.below(4) {
            case 0: path.line(to: point())
            case 1: path.quad(to: point(), control: point())
            case 2: path.cubic(to: point(), point(), point())
            default: path.close()
            }
        }
        return path
    }

    private mutating func transform() -> Transform {
        var matrix = Transform.rotation(Double(random.below(63)) / 10, number(), number(), 1)
        if random.below(3) == 0 { matrix.m34 = [-0.01, 0.1, number()][random.below(3)] }
        if random.below(3) == 0 { matrix.m11 = number() }
        if random.below(3) == 0 { (matrix.m41, matrix.m43) = (number(), number()) }
        return matrix.isFinite ? matrix : .identity
    }

    private mutating func filters() -> [LayerFilter] {
        (0..<1 + random.below(3)).map { _ in
            let kind = LayerFilter.Kind.allCases[random.below(LayerFilter.Kind.allCases.count)]
            return LayerFilter(
                kind,
                inputs: [
                    .inputRadius: .number(number()), .inputAmount: .number(number()), .inputAngle: .number(number()),
                    .inputScale: .number(number()), .inputOffset: .point(point()), .inputColor: .color(color()),
                    .inputHardEdges: .flag(flag()), .inputNormalizeEdges: .flag(flag()),
                    .inputMaskImage: .image(ImageID(1)),
                ])
        }
    }

    /// A property and its value; a few of each layer's.
    private mutating func property() -> (LayerProperty, PropertyValue) {
        switch random.below(18) {
        case 0: (.shadowOpacity, .number(1))
        case 1: (.shadowOffset, .point(point()))
        case 2: (.shadowRadius, .number(number()))
        case 3: (.shadowPath, .path(path()))
        case 4: (.filters, .filters(filters()))
        case 5: (.backgroundFilters, .filters(filters()))
        case 6: (.compositingFilter, .code(UInt8(random.below(CompositingMode.allCases.count))))
        case 7: (.shouldRasterize, .bool(true))
        case 8: (.rasterizationScale, .number(number()))
        case 9: (.opacity, .number(0.6))
        case 10: (.cornerRadius, .number(number()))
        case 11: (.masksToBounds, .bool(true))
        case 12: (.transform, .transform(transform()))
        case 13: (.sublayerTransform, .transform(transform()))
        case 14: (.zPosition, .number(number()))
        case 15: (.bounds, .rect(Rect(number(), number(), number(), number())))
        case 16: (.contents, .image(ImageID(1)))
        default: (.borderWidth, .number(number()))
        }
    }

    mutating func ops() -> [TransactionOp] {
        var tree = HostileTree()
        let image = ImageContent(
            width: 4, height: 4, bytesPerRow: 16, isOpaque: false,
            pixels: PixelStorage([UInt8](repeating: 128, count: 64)))
        tree.ops.append(.defineImage(ImageID(1), image))
        let root = tree.layer(.layer, 48, 32, at: Point(24, 16))
        var layers = [root]
        var sublayers: [LayerID: [LayerID]] = [:]
        for _ in 0..<8 {
            let layer = tree.layer(
                random.below(5) == 0 ? .backdropLayer : .layer, 16, 16,
                at: Point(Double(random.below(48)), Double(random.below(32))))
            for _ in 0..<2 + random.below(6) {
                let (property, value) = property()
                tree.ops.append(.set(layer, property, value))
            }
            let above = layers[random.below(layers.count)]
            if above != root, random.below(4) == 0 {
                tree.ops.append(.set(above, .mask, .layer(layer)))
            } else {
                sublayers[above, default: []].append(layer)
            }
            layers.append(layer)
        }
        for layer in layers {
            if let below = sublayers[layer] { tree.ops.append(.setSublayers(layer, below)) }
        }
        return tree.ops + [.setRoot(root)]
    }
}
