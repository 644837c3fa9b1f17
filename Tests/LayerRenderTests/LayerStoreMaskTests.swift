import LayerModel
import Testing

@testable import LayerRender

@Suite("Masks in the layer store")
struct LayerStoreMaskTests {
    /// Layers 1 to 9, 2 to 4 below 1.
    private func store(_ ops: TransactionOp...) throws -> LayerStore {
        var store = LayerStore()
        let creates: [TransactionOp] = (1...9).map { .createLayer(LayerID($0), .layer) }
        try store.apply(Transaction(time: 0, ops: creates + [sublayers(1, 2, 3, 4)]))
        if !ops.isEmpty { try store.apply(Transaction(time: 0, ops: ops)) }
        return store
    }

    private func sublayers(_ layer: UInt32, _ list: UInt32...) -> TransactionOp {
        .setSublayers(LayerID(layer), list.map { LayerID($0) })
    }

    private func mask(_ layer: UInt32, _ mask: UInt32) -> TransactionOp {
        .set(LayerID(layer), .mask, .layer(LayerID(mask)))
    }

    /// "4: 2 3 mask 5 in 1", without what it does not have.
    private func describe(_ store: LayerStore, _ layer: UInt32) -> String {
        guard let index = store.index(of: LayerID(layer)) else { return "\(layer) is gone" }
        let record = store.records[Int(index)]
        var text = "\(layer):" + record.sublayers.map { " \(store.records[Int($0)].id.rawValue)" }.joined()
        if record.mask >= 0 { text += " mask \(store.records[Int(record.mask)].id.rawValue)" }
        if record.parent >= 0 { text += " in \(store.records[Int(record.parent)].id.rawValue)" }
        let property = record.properties.mask
        let inTree = record.mask < 0 ? LayerID.none : store.records[Int(record.mask)].id
        #expect(property == inTree, "the property of layer \(layer) and the tree say the same")
        return text
    }

    private func expect(_ store: LayerStore, _ lines: String...) {
        for line in lines {
            let layer = UInt32(line.prefix { $0 != ":" && $0 != " " })!
            #expect(describe(store, layer) == line)
        }
    }

    @Test("A mask's parent is the layer it masks; none takes it away again")
    func setting() throws {
        var store = try store(mask(2, 5))
        expect(store, "2: mask 5 in 1", "5: in 2", "1: 2 3 4")
        try store.apply(Transaction(time: 0, ops: [mask(2, 0)]))
        expect(store, "2: in 1", "5:")
    }

    @Test("A second mask sends the first one off; the same one again changes nothing")
    func replacing() throws {
        var store = try store(mask(2, 5))
        try store.apply(Transaction(time: 0, ops: [mask(2, 5)]))
        expect(store, "2: mask 5 in 1", "5: in 2")
        try store.apply(Transaction(time: 0, ops: [mask(2, 6)]))
        expect(store, "2: mask 6 in 1", "5:", "6: in 2")
    }

    @Test("A mask that another layer takes leaves the first, also there and back in one transaction")
    func moving() throws {
        var store = try store(mask(2, 5))
        try store.apply(Transaction(time: 0, ops: [mask(3, 5)]))
        expect(store, "2: in 1", "3: mask 5 in 1", "5: in 3")
        try store.apply(Transaction(time: 0, ops: [mask(2, 5), mask(3, 5)]))
        expect(store, "2: in 1", "3: mask 5 in 1", "5: in 3")
        try store.apply(Transaction(time: 0, ops: [mask(2, 5), mask(3, 6), mask(3, 5), mask(2, 6)]))
        expect(store, "2: mask 6 in 1", "3: mask 5 in 1", "5: in 3", "6: in 2")
    }

    @Test("A mask becomes a sublayer, of the same layer and of another")
    func maskToSublayer() throws {
        var same = try store(mask(1, 5))
        try same.apply(Transaction(time: 0, ops: [sublayers(1, 2, 5, 3, 4)]))
        expect(same, "1: 2 5 3 4", "5: in 1")
        var other = try store(mask(1, 5))
        try other.apply(Transaction(time: 0, ops: [sublayers(2, 5)]))
        expect(other, "1: 2 3 4", "2: 5 in 1", "5: in 2")
    }

    @Test("A sublayer becomes the mask of its own superlayer, with and without a new list")
    func sublayerToMask() throws {
        expect(try store(mask(1, 3)), "1: 2 4 mask 3", "3: in 1")
        expect(try store(mask(1, 3), sublayers(1, 2, 4)), "1: 2 4 mask 3", "3: in 1")
        expect(try store(sublayers(1, 2, 4), mask(1, 3)), "1: 2 4 mask 3", "3: in 1")
        expect(try store(mask(1, 3), sublayers(1)), "1: mask 3", "2:", "3: in 1")
        expect(try store(mask(1, 3), mask(1, 0)), "1: 2 4", "3:")
        expect(try store(mask(1, 3), sublayers(1, 3, 2)), "1: 3 2", "3: in 1")
        expect(try store(mask(1, 3), sublayers(1, 3, 2), mask(1, 3)), "1: 2 mask 3", "3: in 1")
    }

    @Test("A layer that is destroyed leaves its owner without a mask; a mask outlives its owner")
    func destroying() throws {
        var store = try store(mask(2, 5), sublayers(5, 6))
        try store.apply(Transaction(time: 0, ops: [.destroyLayer(LayerID(5))]))
        expect(store, "2: in 1", "6:", "5 is gone")
        try store.apply(Transaction(time: 0, ops: [mask(2, 6), .destroyLayer(LayerID(2))]))
        expect(store, "1: 3 4", "6:")
        // Whoever comes into the freed places has no part of it.
        try store.apply(
            Transaction(
                time: 0, ops: [.createLayer(LayerID(10), .layer), .createLayer(LayerID(11), .layer), mask(10, 11)]))
        expect(store, "10: mask 11", "11: in 10", "6:")
    }

    @Test("A mask may have sublayers and a mask of its own; none of them is above itself")
    func nesting() throws {
        var store = try store(mask(2, 5), mask(5, 6), sublayers(6, 7))
        expect(store, "5: mask 6 in 2", "6: 7 in 5")
        for op in [mask(7, 1), mask(7, 2), mask(7, 5), mask(7, 6), mask(7, 7), sublayers(7, 5), sublayers(6, 2)] {
            let error = #expect(throws: TransactionError.self) {
                try store.apply(Transaction(time: 0, ops: [.set(LayerID(1), .opacity, .number(0)), op]))
            }
            #expect(error?.code == .cycle && error?.opIndex == 1, "\(op)")
        }
        expect(store, "1: 2 3 4", "2: mask 5 in 1", "5: mask 6 in 2", "6: 7 in 5", "7: in 6")
        #expect(store.records[Int(store.index(of: LayerID(1))!)].properties.opacity == 1)
    }

    @Test("What a failing transaction did to masks is undone")
    func rollback() throws {
        var store = try store(mask(2, 5), mask(3, 6))
        #expect(throws: TransactionError.self) {
            try store.apply(
                Transaction(
                    time: 0,
                    ops: [
                        mask(3, 5), mask(2, 4), sublayers(1, 6), .destroyLayer(LayerID(5)),
                        .createLayer(LayerID(12), .layer), mask(12, 1), .destroyLayer(LayerID(99)),
                    ]))
        }
        expect(store, "1: 2 3 4", "2: mask 5 in 1", "3: mask 6 in 1", "5: in 2", "6: in 3", "12 is gone")
    }

    @Test("Masks count as levels: 1,024 are allowed, one more is not", arguments: [(1_024, true), (1_025, false)])
    func depth(count: Int, isAllowed: Bool) throws {
        for bottomUp in [false, true] {
            var ops: [TransactionOp] = (1...count).map { .createLayer(LayerID(UInt32($0)), .layer) }
            let links = (1..<count).map { mask(UInt32($0), UInt32($0 + 1)) }
            ops += bottomUp ? links.reversed() : links
            var store = LayerStore()
            if isAllowed {
                try store.apply(Transaction(time: 0, ops: ops))
                #expect(store.layerCount == count)
            } else {
                let error = #expect(throws: TransactionError.self) { try store.apply(Transaction(time: 0, ops: ops)) }
                #expect(error?.code == .tooDeep)
                #expect(store.layerCount == 0)
            }
        }
    }

    @Test("An image that a filter reads lives as long as the filter")
    func filterImages() throws {
        func filter(_ image: ImageID) -> LayerFilter {
            LayerFilter(.variableBlur, inputs: [.inputMaskImage: .image(image)])
        }
        let pixels = ImageContent(
            width: 2, height: 2, bytesPerRow: 8, isOpaque: true,
            pixels: PixelStorage([UInt8](repeating: 255, count: 16)))
        var store = try store(
            .defineImage(ImageID(1), pixels), .set(LayerID(1), .filters, .filters([filter(ImageID(1))])),
            .set(LayerID(1), .backgroundFilters, .filters([filter(ImageID(1)), filter(ImageID(1))])),
            .releaseImage(ImageID(1)))
        #expect(store.images[ImageID(1)]?.uses == 3)
        // Another list without it, and with an error: nothing happened.
        #expect(throws: TransactionError.self) {
            try store.apply(
                Transaction(
                    time: 0,
                    ops: [
                        .set(LayerID(1), .backgroundFilters, .filters([])), .set(LayerID(1), .filters, .filters([])),
                        .destroyLayer(LayerID(99)),
                    ]))
        }
        #expect(store.images[ImageID(1)]?.uses == 3)
        try store.apply(Transaction(time: 0, ops: [.set(LayerID(1), .backgroundFilters, .filters([]))]))
        #expect(store.images[ImageID(1)]?.uses == 1)
        try store.apply(Transaction(time: 0, ops: [.destroyLayer(LayerID(1))]))
        #expect(store.images.isEmpty && store.imageBytes == 0)
        #expect(store.takeForgottenImages() == [ImageID(1)])
    }
}
