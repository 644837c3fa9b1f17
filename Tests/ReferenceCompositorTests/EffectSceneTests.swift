import LayerModel
import ReferenceCompositor
import Testing

@Suite("Random scenes with effects")
struct EffectSceneTests {
    private static let every = RandomScene.Options.all.union(.effects)
    private static let flat = every.subtracting([.depth, .crossings, .hardEdges])

    @Test("Without the effects' options a seed gives the scene it gives with none of them, and with them others")
    func options() {
        for seed: UInt64 in [3, 99] {
            #expect(RandomScene(seed: seed).transactions == RandomScene(seed: seed, options: .all).transactions)
            #expect(RandomScene(seed: seed).transactions != RandomScene(seed: seed, options: Self.every).transactions)
        }
    }

    @Test("Every effect occurs, also below one another")
    func variety() throws {
        var properties: Set<LayerProperty> = []
        var kinds: Set<LayerFilter.Kind> = []
        var modes: Set<CompositingMode> = []
        var deepest = 0
        func visit(_ layer: ReferenceLayer, _ effects: Int) {
            let p = layer.properties
            let rare: [LayerProperty] = [
                .shadowOpacity, .shadowPath, .mask, .compositingFilter, .filters, .backgroundFilters, .shouldRasterize,
                .groupName,
            ]
            let here = rare.filter { p[$0] != LayerProperties()[$0] }
            properties.formUnion(here)
            kinds.formUnion((p.filters + p.backgroundFilters).map(\.kind))
            modes.insert(p.compositingMode)
            let depth = effects + (here.isEmpty ? 0 : 1)
            deepest = max(deepest, depth)
            for sublayer in layer.sublayers + [layer.mask].compactMap({ $0 }) { visit(sublayer, depth) }
        }
        for seed in 0..<300 as Range<UInt64> {
            if let root = try RandomScene(seed: seed, options: Self.flat).scene().root { visit(root, 0) }
        }
        #expect(properties.count == 8, "\(properties.map(\.key))")
        #expect(kinds == Set(LayerFilter.Kind.allCases), "\(kinds)")
        #expect(modes.count == CompositingMode.allCases.count)
        #expect(deepest >= 3)
    }

    @Test("They show much, can be compared, and draw quickly", arguments: [flat, every])
    func plausibility(options: RandomScene.Options) throws {
        var (edges, doubtful, loose) = (0.0, 0.0, 0.0)
        var slowest = (time: 0.0, seed: UInt64(0))
        var total = 0.0
        let count = 25.0
        for seed in 0..<UInt64(count) {
            let scene = try RandomScene(seed: seed, options: options).scene()
            let start = threadSeconds()
            let image = ReferenceCompositor.render(scene)
            let time = threadSeconds() - start
            total += time
            if time > slowest.time { slowest = (time, seed) }
            let pixels = Double(image.size.area)
            edges += image.edgeShare / count
            doubtful += Double(image.isDoubtful.count { $0 }) / pixels / count
            loose += Double(image.slack.count { $0 > 20 }) / pixels / count
            #expect(image.edgeShare < 0.5, "seed \(seed): \(image.edgeShare)")
            #expect(Set(image.pixels).count > 3, "seed \(seed) shows nothing")
        }
        #expect(edges < 0.2)
        #expect(doubtful < 0.01, "\(doubtful)")
        // Where a steep formula makes any comparison worthless.
        #expect(loose < 0.03, "\(loose)")
        #expect(
            total / count < 0.6,
            "mean \(total / count * 1000) ms, slowest \(slowest.time * 1000) ms with seed \(slowest.seed)")
    }

    @Test("Extreme numbers draw something or nothing, and never trap", arguments: 0..<25 as Range<UInt64>)
    func extremeNumbers(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let extremes = [0, -1, 1e-300, 1e-9, 1e9, -1e9, 1e18, 1e154, 1e300, -1e300, 0.5, .leastNonzeroMagnitude]
        var transaction = RandomScene(seed: seed, options: Self.every).transactions[0]
        func number() -> Double { random.pick(extremes) }
        for (i, op) in transaction.ops.enumerated() {
            guard case .set(let layer, let property, let value) = op, random.chance(0.1) || value.kind == .filters
            else {
                continue
            }
            switch value {
            case .number: transaction.ops[i] = .set(layer, property, .number(number()))
            case .point(let p): transaction.ops[i] = .set(layer, property, .point(Point(number(), p.y)))
            case .path:
                var path = VectorPath(rect: Rect(0, 0, 20, 20))
                path.cubic(to: Point(number(), number()), Point(number(), 0), Point(0, number()))
                transaction.ops[i] = .set(layer, property, .path(path))
            case .filters(var filters):
                for j in filters.indices {
                    for (input, value) in filters[j].inputs where random.chance(0.4) {
                        if case .number = value { filters[j].inputs[input] = .number(number()) }
                        if case .point = value { filters[j].inputs[input] = .point(Point(number(), number())) }
                    }
                }
                transaction.ops[i] = .set(layer, property, .filters(filters))
            default: continue
            }
        }
        let display = ReferenceDisplay(pixelSize: PixelSize(width: 40, height: 30), background: .white)
        guard let tree = try? ReferenceScene([transaction], display: display) else { return }
        #expect(ReferenceCompositor.render(tree).pixels.count == 40 * 30 * 4)
    }

    @Test(
        "Every effect is the same when y runs the other way, above a layer that is flipped",
        arguments: 0..<40 as Range<UInt64>)
    func flipAround(seed: UInt64) throws {
        let scene = RandomScene(seed: seed, options: Self.flat)
        var display = scene.display
        display.isFlipped.toggle()
        let outer = LayerID(1_000)
        let size = Size(
            Double(display.pixelSize.width) / display.scale, Double(display.pixelSize.height) / display.scale)
        let around = Transaction(
            time: 0,
            ops: [
                .createLayer(outer, .layer), .set(outer, .bounds, .rect(Rect(origin: .zero, size: size))),
                .set(outer, .anchorPoint, .point(.zero)), .set(outer, .geometryFlipped, .bool(true)),
                .setSublayers(outer, [LayerID(1)]), .setRoot(outer),
            ])
        let plain = ReferenceCompositor.render(try scene.scene())
        let turned = ReferenceCompositor.render(try ReferenceScene(scene.transactions + [around], display: display))
        let difference = ImageDifference(turned.pixels, to: plain, tolerance: .init(inside: 1, edge: 2, blur: 1))
        #expect(difference.isWithinTolerance, "seed \(seed): \(difference)")
    }

    @Test(
        "A bitmap of the whole picture at its own scale, or a mask over all of it, changes nothing but rounding",
        arguments: 0..<20 as Range<UInt64>)
    func wholePicture(seed: UInt64) throws {
        // Over nothing, so that it makes no difference to be a group.
        let random = RandomScene(seed: seed, options: Self.flat)
        var display = random.display
        display.background = .clear
        let plain = ReferenceCompositor.render(try ReferenceScene(random.transactions, display: display))
        let outer = LayerID(1_000)
        let mask = LayerID(1_001)
        let size = Size(
            Double(display.pixelSize.width) / display.scale, Double(display.pixelSize.height) / display.scale)
        let frame: [TransactionOp] = [outer, mask].flatMap {
            [
                .createLayer($0, .layer), .set($0, .bounds, .rect(Rect(origin: .zero, size: size))),
                .set($0, .anchorPoint, .point(.zero)),
            ]
        }
        let inside: [TransactionOp] = [.setSublayers(outer, [LayerID(1)]), .setRoot(outer)]
        let ways: [(String, [TransactionOp])] = [
            (
                "bitmap",
                [
                    .set(outer, .shouldRasterize, .bool(true)),
                    .set(outer, .rasterizationScale, .number(display.scale)),
                ]
            ),
            (
                "mask",
                [
                    .set(mask, .backgroundColor, .color(.black)), .set(outer, .mask, .layer(mask)),
                ]
            ),
        ]
        for (name, ops) in ways {
            let scene = try ReferenceScene(
                random.transactions + [Transaction(time: 0, ops: frame + inside + ops)], display: display)
            let difference = ImageDifference(
                ReferenceCompositor.render(scene).pixels, to: plain, tolerance: .init(inside: 1, edge: 2, blur: 1))
            #expect(difference.isWithinTolerance, "seed \(seed), \(name): \(difference)")
        }
    }
}
