import LayerModel
import ReferenceCompositor
import Testing

@Suite("Scene, differences, random scenes")
struct SceneAndDifferenceTests {
    private let display = ReferenceDisplay(pixelSize: PixelSize(width: 20, height: 20), background: .white)

    @Test("A change that makes no sense is refused with its place")
    func refusals() {
        func code(_ ops: [TransactionOp]) -> TransactionError.Code? {
            do {
                _ = try ReferenceScene([Transaction(time: 0, ops: ops)], display: display)
                return nil
            } catch { return error.opIndex == ops.count - 1 ? error.code : nil }
        }
        let (a, b) = (LayerID(1), LayerID(2))
        let both: [TransactionOp] = [.createLayer(a, .layer), .createLayer(b, .layer)]
        #expect(code([.set(a, .opacity, .number(1))]) == .unknownLayer)
        #expect(code(both + [.createLayer(a, .layer)]) == .duplicateLayer)
        #expect(code(both + [.setSublayers(a, [b]), .setSublayers(b, [a])]) == .cycle)
        #expect(code(both + [.setSublayers(a, [b, b])]) == .repeatedSublayer)
        #expect(code(both + [.set(a, .opacity, .number(.nan))]) == .badValue)
        #expect(code(both + [.set(a, .contents, .image(ImageID(3)))]) == .unknownImage)
        let short = ImageContent(width: 4, height: 4, bytesPerRow: 16, isOpaque: true, pixels: PixelStorage([1, 2]))
        #expect(code([.defineImage(ImageID(1), short)]) == .badImage)
    }

    @Test("A layer moves when another layer's list takes it, and leaves when it is destroyed")
    func moves() throws {
        let ids = (1...3).map { LayerID(UInt32($0)) }
        let scene = try ReferenceScene(
            [
                Transaction(
                    time: 0,
                    ops: ids.map { .createLayer($0, .layer) } + [
                        .setSublayers(ids[0], [ids[1], ids[2]]), .setSublayers(ids[1], [ids[2]]), .setRoot(ids[0]),
                    ])
            ], display: display)
        #expect(scene.root?.sublayers.map(\.id) == [ids[1]])
        #expect(scene.layer(ids[1])?.sublayers.map(\.id) == [ids[2]])
        try scene.apply(Transaction(time: 0, ops: [.destroyLayer(ids[1])]))
        #expect(scene.root?.sublayers.isEmpty == true)
        #expect(scene.layer(ids[2])?.superlayer == nil)
    }

    @Test("A difference says where, how much, and what is drawn there")
    func difference() throws {
        let tree = root(20, 20, [box(Rect(5, 5, 10, 10), red) { $0.name = "card" }]) { $0.backgroundColor = .white }
        let scene = try ReferenceScene([tree.transaction()], display: display)
        let image = ReferenceCompositor.render(scene)
        #expect(ImageDifference(image.pixels, to: image, scene: scene).isWithinTolerance)
        // The same with padded rows, and one pixel wrong.
        var padded: [UInt8] = []
        for y in 0..<20 { padded += image.pixels[y * 80..<y * 80 + 80] + [9, 9, 9, 9] }
        padded[7 * 84 + 6 * 4 + 1] = 40
        let difference = ImageDifference(padded, bytesPerRow: 84, to: image, scene: scene)
        #expect(!difference.isWithinTolerance)
        #expect(difference.offenseCount == 1 && difference.maxInside == 40)
        #expect(difference.firstOffense.map { [$0.x, $0.y] } == [6, 7])
        #expect(difference.drawings.map(\.name) == [nil, "card"])
        #expect(difference.description.contains("background of layer 2 'card'"))
        #expect(ImageDifference([0, 0], to: image).fault != nil)
    }

    @Test("Edge pixels have a tolerance of their own, doubtful ones are left out")
    func tolerances() throws {
        let soft = root(20, 20, [box(Rect(5.5, 5, 10, 10), red)])
        var image = try draw(soft, 20, 20)
        var bytes = image.pixels
        bytes[(8 * 20 + 5) * 4] += 15
        #expect(ImageDifference(bytes, to: image).isWithinTolerance)
        bytes[(8 * 20 + 5) * 4] += 6
        #expect(!ImageDifference(bytes, to: image).isWithinTolerance)
        let hard = root(20, 20, [box(Rect(5.5, 5, 10, 10), red) { $0.allowsEdgeAntialiasing = false }])
        image = try draw(hard, 20, 20)
        bytes = image.pixels
        bytes[(8 * 20 + 5) * 4] ^= 255
        #expect(ImageDifference(bytes, to: image).isWithinTolerance)
    }

    @Test("A seed gives the same commits and the same picture every time")
    func determinism() throws {
        for seed: UInt64 in [1, 77] {
            let (a, b) = (RandomScene(seed: seed), RandomScene(seed: seed))
            #expect(a.transactions == b.transactions)
            #expect(
                try ReferenceCompositor.render(a.scene()).pixels == ReferenceCompositor.render(b.scene()).pixels)
        }
        #expect(RandomScene(seed: 1).transactions != RandomScene(seed: 2).transactions)
        // The generator's published first number for seed 1234567.
        var random = SplitMix64(seed: 1_234_567)
        #expect(random.next() == 6_457_827_717_110_365_317)
    }

    @Test("Random scenes show much, are mostly not edge, and draw quickly")
    func plausibility() throws {
        var shares: [Double] = []
        var doubtful = 0
        var slowest = (time: 0.0, seed: UInt64(0))
        var total = 0.0
        for seed in 0..<60 as Range<UInt64> {
            let scene = try RandomScene(seed: seed).scene()
            let start = threadSeconds()
            let image = ReferenceCompositor.render(scene)
            let time = threadSeconds() - start
            total += time
            if time > slowest.time { slowest = (time, seed) }
            shares.append(image.edgeShare)
            doubtful += image.isDoubtful.count { $0 }
            #expect(image.edgeShare < 0.5, "seed \(seed): \(image.edgeShare)")
            #expect(Set(image.pixels).count > 3, "seed \(seed) shows nothing")
        }
        let mean = shares.reduce(0, +) / Double(shares.count)
        #expect(mean < 0.2)
        #expect(doubtful < 60 * 100, "\(doubtful) pixels are doubtful")
        // Of this thread alone: tests beside this one do not count.
        #expect(
            total / 60 < 0.05,
            "mean \(total / 60 * 1000) ms, slowest \(slowest.time * 1000) ms with seed \(slowest.seed)")
    }

    @Test("Extreme numbers draw something or nothing, and never trap", arguments: 0..<150 as Range<UInt64>)
    func extremeNumbers(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let extremes = [
            0, -1, 1e-300, 1e-9, 1e9, -1e9, 1e18, 1e154, 1e300, -1e300, 1.7e308, -1.7e308, 0.5, .leastNonzeroMagnitude,
        ]
        let scene = RandomScene(seed: seed)
        var transaction = scene.transactions[0]
        for (i, op) in transaction.ops.enumerated() where random.chance(0.15) {
            guard case .set(let layer, let property, let value) = op else { continue }
            func number() -> Double { random.pick(extremes) }
            let changed: PropertyValue
            switch value {
            case .number: changed = .number(number())
            case .point(let p): changed = .point(random.chance(0.5) ? Point(number(), p.y) : Point(p.x, number()))
            case .rect(let r):
                changed = .rect(
                    random.chance(0.5) ? Rect(number(), r.minY, number(), r.height) : Rect(r.minX, r.minY, number(), 9))
            case .transform(let t):
                var elements = t.elements
                elements[random.integer(0...15)] = number()
                changed = .transform(Transform(elements: elements)!)
            default: continue
            }
            transaction.ops[i] = .set(layer, property, changed)
        }
        let small = PixelSize(width: 40, height: 30)
        let display = ReferenceDisplay(pixelSize: small, scale: scene.display.scale, background: .white)
        // A sum that overflows is refused like any number that is not finite.
        guard let tree = try? ReferenceScene([transaction], display: display) else { return }
        #expect(ReferenceCompositor.render(tree).pixels.count == 40 * 30 * 4)
    }

    // MARK: Pictures that must not change

    @Test(
        "A y-up display with a flipped layer around everything is a y-down display", arguments: 0..<20 as Range<UInt64>)
    func flipAround(seed: UInt64) throws {
        let scene = RandomScene(seed: seed)
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
        let turned = ReferenceCompositor.render(
            try ReferenceScene(scene.transactions + [around], display: display))
        // The flip moves numbers by a rounding error: what hangs on a yes or no is left out.
        let difference = ImageDifference(turned.pixels, to: plain, tolerance: .init(inside: 1, edge: 1))
        #expect(difference.isWithinTolerance, "seed \(seed): \(difference)")
    }

    @Test(
        "A group or a clip of the picture's size around everything changes nothing but rounding",
        arguments: 0..<20 as Range<UInt64>)
    func clipAround(seed: UInt64) throws {
        let scene = RandomScene(seed: seed)
        let outer = LayerID(1_000)
        let size = Size(
            Double(scene.display.pixelSize.width) / scene.display.scale,
            Double(scene.display.pixelSize.height) / scene.display.scale)
        let around = Transaction(
            time: 0,
            ops: [
                .createLayer(outer, .layer), .set(outer, .bounds, .rect(Rect(origin: .zero, size: size))),
                .set(outer, .anchorPoint, .point(.zero)), .set(outer, .masksToBounds, .bool(true)),
                .setSublayers(outer, [LayerID(1)]), .setRoot(outer),
            ])
        let plain = ReferenceCompositor.render(try scene.scene())
        let clipped = ReferenceCompositor.render(
            try ReferenceScene(scene.transactions + [around], display: scene.display))
        let difference = ImageDifference(clipped.pixels, to: plain, tolerance: .init(inside: 2, edge: 2))
        #expect(difference.isWithinTolerance, "seed \(seed): \(difference)")
    }
}
