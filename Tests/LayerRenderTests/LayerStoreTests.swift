import LayerModel
import Testing

@testable import LayerRender

private func blur(_ radius: Double, mask: ImageID? = nil) -> LayerFilter {
    var filter = LayerFilter(.variableBlur, inputs: [.inputRadius: .number(radius)])
    if let mask { filter.inputs[.inputMaskImage] = .image(mask) }
    return filter
}

@Suite("The layer store")
struct LayerStoreTests {
    private func store(_ ops: [TransactionOp]) throws -> LayerStore {
        var store = LayerStore()
        try store.apply(Transaction(time: 0, ops: ops))
        return store
    }

    private func image(_ width: Int, _ height: Int) -> ImageContent {
        ImageContent(
            width: width, height: height, bytesPerRow: width * 4, isOpaque: true,
            pixels: PixelStorage([UInt8](repeating: 255, count: width * height * 4)))
    }

    private func sublayers(_ store: LayerStore, _ id: LayerID) -> [LayerID] {
        store.index(of: id).map { store.records[Int($0)].sublayers.map { store.records[Int($0)].id } } ?? []
    }

    @Test("A transaction that fails at its last op leaves nothing behind")
    func allOrNothing() throws {
        var store = try store([
            .createLayer(LayerID(1), .layer), .createLayer(LayerID(2), .layer),
            .setSublayers(LayerID(1), [LayerID(2)]), .setRoot(LayerID(1)),
            .set(LayerID(2), .opacity, .number(0.5)), .defineImage(ImageID(1), image(2, 2)),
        ])
        let generation = store.generation
        let bytes = store.imageBytes
        #expect(throws: TransactionError.self) {
            try store.apply(
                Transaction(
                    time: 1,
                    ops: [
                        .createLayer(LayerID(3), .layer), .set(LayerID(2), .opacity, .number(0.25)),
                        .setSublayers(LayerID(1), [LayerID(3)]), .destroyLayer(LayerID(2)),
                        .defineImage(ImageID(2), image(4, 4)), .releaseImage(ImageID(1)), .setRoot(LayerID(3)),
                        .set(LayerID(9), .opacity, .number(1)),
                    ]))
        }
        #expect(store.generation == generation)
        #expect(store.layerCount == 2)
        #expect(sublayers(store, LayerID(1)) == [LayerID(2)])
        #expect(store.records[Int(store.index(of: LayerID(2))!)].properties.opacity == 0.5)
        #expect(store.imageBytes == bytes)
        #expect(store.images.keys.map(\.rawValue) == [1])
        #expect(store.takeForgottenImages().isEmpty)
        #expect(store.records[Int(store.root)].id == LayerID(1))
        // And the same layers can still be changed.
        try store.apply(Transaction(time: 2, ops: [.destroyLayer(LayerID(2)), .createLayer(LayerID(3), .layer)]))
        #expect(sublayers(store, LayerID(1)).isEmpty)
    }

    @Test(
        "What can't be is refused by name and op",
        arguments: [
            ([.createLayer(LayerID(1), .layer)], TransactionError.Code.duplicateLayer),
            ([.createLayer(.none, .layer)], .duplicateLayer),
            ([.set(LayerID(7), .opacity, .number(1))], .unknownLayer),
            ([.destroyLayer(LayerID(2)), .set(LayerID(2), .opacity, .number(1))], .unknownLayer),
            ([.setSublayers(LayerID(2), [LayerID(1)])], .cycle),
            ([.setSublayers(LayerID(1), [LayerID(1)])], .cycle),
            ([.setSublayers(LayerID(1), [LayerID(2), LayerID(2)])], .repeatedSublayer),
            ([.set(LayerID(1), .position, .point(Point(.nan, 0)))], .badValue),
            ([.set(LayerID(1), .bounds, .rect(Rect(0, 0, .infinity, 1)))], .badValue),
            ([.set(LayerID(1), .opacity, .bool(true))], .badValue),
            ([.set(LayerID(1), .contentsGravity, .code(200))], .badValue),
            ([.set(LayerID(1), .contents, .image(ImageID(5)))], .unknownImage),
            ([.releaseImage(ImageID(5))], .unknownImage),
            ([.setRoot(LayerID(9))], .unknownLayer),
            ([.set(LayerID(1), .mask, .layer(LayerID(9)))], .unknownLayer),
            ([.set(LayerID(2), .mask, .layer(LayerID(2)))], .cycle),
            ([.set(LayerID(2), .mask, .layer(LayerID(1)))], .cycle),
            ([.set(LayerID(1), .mask, .layer(LayerID(2))), .setSublayers(LayerID(2), [LayerID(1)])], .cycle),
            ([.set(LayerID(1), .mask, .image(.none))], .badValue),
            ([.set(LayerID(1), .filters, .filters([blur(.nan)]))], .badValue),
            ([.set(LayerID(1), .filters, .filters([blur(1, mask: ImageID(5))]))], .unknownImage),
            ([.set(LayerID(1), .compositingFilter, .code(200))], .badValue),
        ] as [([TransactionOp], TransactionError.Code)])
    func refusals(ops: [TransactionOp], code: TransactionError.Code) throws {
        var store = try store([
            .createLayer(LayerID(1), .layer), .createLayer(LayerID(2), .layer),
            .setSublayers(LayerID(1), [LayerID(2)]),
        ])
        let error = #expect(throws: TransactionError.self) { try store.apply(Transaction(time: 0, ops: ops)) }
        #expect(error?.code == code)
        #expect(error?.opIndex == ops.count - 1)
    }

    @Test("A layer in a new list leaves its old superlayer")
    func moving() throws {
        let store = try store([
            .createLayer(LayerID(1), .layer), .createLayer(LayerID(2), .layer), .createLayer(LayerID(3), .layer),
            .setSublayers(LayerID(1), [LayerID(3)]), .setSublayers(LayerID(2), [LayerID(3)]),
        ])
        #expect(sublayers(store, LayerID(1)).isEmpty)
        #expect(sublayers(store, LayerID(2)) == [LayerID(3)])
    }

    @Test("1,024 layers deep is allowed, one more is not", arguments: [(1_024, true), (1_025, false), (3_000, false)])
    func depth(count: Int, isAllowed: Bool) throws {
        for bottomUp in [false, true] {
            var ops: [TransactionOp] = (1...count).map { .createLayer(LayerID(UInt32($0)), .layer) }
            let links: [TransactionOp] = (1..<count).map {
                .setSublayers(LayerID(UInt32($0)), [LayerID(UInt32($0 + 1))])
            }
            ops += bottomUp ? links.reversed() : links
            var store = LayerStore()
            if isAllowed {
                try store.apply(Transaction(time: 0, ops: ops))
            } else {
                let error = #expect(throws: TransactionError.self) {
                    try store.apply(Transaction(time: 0, ops: ops))
                }
                #expect(error?.code == .tooDeep)
                #expect(store.layerCount == 0)
            }
        }
    }

    @Test("An image lives as long as the client or a layer uses it")
    func imageLife() throws {
        var store = try store([
            .createLayer(LayerID(1), .layer), .defineImage(ImageID(1), image(3, 2)),
            .set(LayerID(1), .contents, .image(ImageID(1))), .releaseImage(ImageID(1)),
        ])
        #expect(store.images[ImageID(1)] != nil)
        #expect(store.imageBytes == 24)
        try store.apply(Transaction(time: 0, ops: [.set(LayerID(1), .contents, .image(.none))]))
        #expect(store.images.isEmpty)
        #expect(store.imageBytes == 0)
        #expect(store.takeForgottenImages() == [ImageID(1)])
        #expect(store.takeForgottenImages().isEmpty)
    }

    @Test("Images that are no images are refused")
    func badImages() throws {
        let short = ImageContent(
            width: 4, height: 4, bytesPerRow: 16, isOpaque: true, pixels: PixelStorage([UInt8](repeating: 0, count: 63))
        )
        let thin = ImageContent(
            width: 4, height: 4, bytesPerRow: 15, isOpaque: true, pixels: PixelStorage([UInt8](repeating: 0, count: 64))
        )
        let wide = ImageContent(
            width: 20_000, height: 1, bytesPerRow: 80_000, isOpaque: true,
            pixels: PixelStorage([UInt8](repeating: 0, count: 80_000)))
        let huge = ImageContent(
            width: 4, height: 4, bytesPerRow: .max / 2, isOpaque: true, pixels: PixelStorage([0]))
        for (content, code) in [
            (short, TransactionError.Code.badImage), (thin, .badImage), (wide, .imageTooLarge), (huge, .badImage),
        ] {
            let error = #expect(throws: TransactionError.self) { try store([.defineImage(ImageID(1), content)]) }
            #expect(error?.code == code)
        }
    }
}
