import LayerModel
import ReferenceCompositor
import Testing

@Suite("Masks")
struct MaskTests {
    /// A blue layer over white with a mask.
    private func masked(
        _ mask: LayerTree, _ sublayers: [LayerTree] = [], _ configure: (inout LayerProperties) -> Void = { _ in }
    ) throws -> ReferenceImage {
        var layer = box(Rect(20, 20, 60, 60), blue, sublayers, configure)
        layer.mask = mask
        return try draw(root(100, 100, [layer]), 100, 100)
    }

    private let white = [255, 255, 255, 255]

    @Test("Only the mask's alpha counts, in the masked layer's own space")
    func alphaOnly() throws {
        for color in [Color.black, .white, red] {
            let image = try masked(box(Rect(10, 10, 20, 60), color))
            expect(image, 35, 50, [0, 0, 255, 255], within: 0)
            for (x, y) in [(25, 50), (55, 50), (35, 25), (35, 82)] { expect(image, x, y, white, within: 0) }
        }
        let half = try masked(box(Rect(10, 10, 20, 20), Color(0, 0, 0, 0.5)))
        expect(half, 35, 35, [127, 127, 255, 255], within: 1)
    }

    @Test("A mask covers the whole subtree with border, shadow and what sticks out")
    func wholeSubtree() throws {
        let part = box(Rect(50, 50, 30, 30), red)
        let image = try masked(box(Rect(0, 0, 70, 70), .black), [part]) {
            $0.shadowOpacity = 1
            $0.shadowRadius = 0
            $0.shadowOffset = Point(15, 0)
        }
        expect(image, 85, 85, [255, 0, 0, 255], within: 0)
        expect(image, 95, 85, white, within: 0)
        expect(image, 85, 40, [0, 0, 0, 255], within: 0)
        expect(image, 92, 40, white, within: 0)
    }

    @Test("A mask has its own opacity, sublayers, corners, clip and mask; a hidden or empty one hides everything")
    func maskTree() throws {
        let faded = box(Rect(0, 0, 60, 60), nil, [box(Rect(0, 0, 30, 60), .black)]) { $0.opacity = 0.5 }
        let image = try masked(faded)
        expect(image, 30, 50, [127, 127, 255, 255], within: 1)
        expect(image, 70, 50, white, within: 0)
        var own = box(Rect(0, 0, 60, 60), .black)
        own.mask = box(Rect(0, 0, 60, 30), .black)
        let nested = try masked(own)
        expect(nested, 50, 30, [0, 0, 255, 255], within: 0)
        expect(nested, 50, 70, white, within: 0)
        let round = try masked(box(Rect(0, 0, 60, 60), .black) { $0.cornerRadius = 30 })
        expect(round, 22, 22, white, within: 0)
        expect(round, 50, 22, [0, 0, 255, 255], within: 0)
        for hidden in [box(Rect(0, 0, 60, 60), .black) { $0.isHidden = true }, LayerTree { _ in }] {
            expect(try masked(hidden), 50, 50, white, within: 0)
        }
    }

    @Test("Mask and clip multiply; a mask's compositing mode is ignored")
    func multiply() throws {
        let half = box(Rect(-10, -10, 80, 80), Color(0, 0, 0, 0.5)) { $0.compositingMode = .destinationOut }
        let image = try masked(half, [box(Rect(-10, 0, 30, 30), red)]) { $0.masksToBounds = true }
        expect(image, 30, 30, [255, 127, 127, 255], within: 1)
        expect(image, 15, 30, white, within: 0)
    }

    @Test("A mask turns with its layer and is turned by itself")
    func turned() throws {
        let bar = box(Rect(20, 0, 20, 60), .black) { $0.transform = turnedZ(.pi / 2) }
        let image = try masked(bar)
        expect(image, 22, 50, [0, 0, 255, 255], within: 0)
        expect(image, 50, 22, white, within: 0)
    }

    @Test("F2: what is filtered inside a mask counts by its alpha")
    func filteredMask() throws {
        let soft = box(Rect(0, 0, 30, 60), red) {
            $0.filters = [LayerFilter(.gaussianBlur, inputs: [.inputRadius: .number(4)])]
        }
        let image = try masked(soft)
        // At the edge of the blurred half-plane, half.
        expect(image, 49, 50, [115, 115, 255, 255], within: 4)
        expect(image, 40, 50, [3, 3, 255, 255], within: 4)
        #expect(image.isBlurred[50 * 100 + 49])
    }

    @Test("A mask that becomes a sublayer is no mask any more, and one layer masks one other")
    func moves() throws {
        let ids = (0...3).map { LayerID(UInt32($0)) }
        let create = (1...3).map { TransactionOp.createLayer(ids[$0], .layer) }
        let display = ReferenceDisplay(pixelSize: PixelSize(width: 4, height: 4))
        func scene(_ ops: [TransactionOp]) throws -> ReferenceScene {
            try ReferenceScene([Transaction(time: 0, ops: create + ops)], display: display)
        }
        let masked = try scene([.set(ids[1], .mask, .layer(ids[2]))])
        #expect(masked.layer(ids[1])?.mask?.id == ids[2] && masked.layer(ids[2])?.superlayer?.id == ids[1])
        let moved = try scene([.set(ids[1], .mask, .layer(ids[2])), .set(ids[3], .mask, .layer(ids[2]))])
        #expect(moved.layer(ids[1])?.mask == nil && moved.layer(ids[3])?.mask?.id == ids[2])
        #expect(moved.layer(ids[1])?.properties.mask == LayerID.none)
        let sublayer = try scene([.set(ids[1], .mask, .layer(ids[2])), .setSublayers(ids[1], [ids[2]])])
        #expect(sublayer.layer(ids[1])?.mask == nil && sublayer.layer(ids[1])?.sublayers.map(\.id) == [ids[2]])
        let destroyed = try scene([.set(ids[1], .mask, .layer(ids[2])), .destroyLayer(ids[2])])
        #expect(destroyed.layer(ids[1])?.mask == nil)
        #expect(throws: TransactionError.self) {
            try scene([.setSublayers(ids[1], [ids[2]]), .set(ids[2], .mask, .layer(ids[1]))])
        }
        #expect(throws: TransactionError.self) { try scene([.set(ids[1], .mask, .layer(ids[1]))]) }
    }
}
