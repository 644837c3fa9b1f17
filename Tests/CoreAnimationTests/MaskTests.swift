import CoreAnimation
import LayerModel
import Testing

@Suite("Masks")
struct MaskTests {
    private let context = LayerContext()

    private func ops() -> [TransactionOp] { (context.takeTransaction(time: 0)?.ops ?? []).ofValues }

    @Test("A mask has the masked layer as superlayer and is no sublayer; nil lets it go")
    func place() {
        let (owner, mask) = (CALayer(), CALayer())
        owner.mask = mask
        #expect(mask.superlayer === owner && owner.sublayers == nil && owner.mask === mask)
        owner.mask = nil
        #expect(mask.superlayer == nil && owner.mask == nil)
    }

    @Test("A mask leaves any other place it had: a list, another layer, the same layer's list")
    func moving() {
        let (a, b, mask) = (CALayer(), CALayer(), CALayer())
        a.addSublayer(mask)
        b.mask = mask
        #expect(a.sublayers == nil && mask.superlayer === b)
        a.mask = mask
        #expect(b.mask == nil && mask.superlayer === a)
        a.addSublayer(mask)
        #expect(a.mask == nil && a.sublayers == [mask])
        a.mask = mask
        #expect(a.sublayers == nil && a.mask === mask)
        a.sublayers = [b, mask]
        #expect(a.mask == nil && a.sublayers == [b, mask] && mask.superlayer === a)
        a.mask = mask
        mask.removeFromSuperlayer()
        #expect(a.mask == nil && mask.superlayer == nil && a.sublayers == [b])
    }

    @Test("Another mask sends the first one off")
    func replacing() {
        let (owner, first, second) = (CALayer(), CALayer(), CALayer())
        owner.mask = first
        owner.mask = second
        #expect(first.superlayer == nil && second.superlayer === owner)
    }

    @Test("What would be above itself is refused, with a fault")
    func cycles() {
        let (a, b, c) = (layer(0, 0, 1, 1, name: "a"), CALayer(), CALayer())
        a.mask = b
        b.addSublayer(c)
        a.mask = a
        c.mask = a
        c.mask = b
        c.addSublayer(a)
        #expect(a.mask === b && c.mask == nil && c.sublayers == nil && b.sublayers == [c])
        #expect(a.takeFaults().count == 1 && c.takeFaults().count == 3)
        b.takeFaults().forEach { Issue.record("\($0)") }
    }

    @Test("A mask is no sibling to insert beside, nor one to replace")
    func noSibling() {
        let (owner, mask) = (CALayer(), CALayer())
        owner.mask = mask
        owner.insertSublayer(CALayer(), above: mask)
        owner.replaceSublayer(mask, with: CALayer())
        #expect(owner.sublayers == nil && owner.mask === mask && owner.takeFaults().count == 2)
    }

    @Test("A mask lies in its owner's coordinates, without the owner's sublayerTransform")
    func coordinates() {
        let owner = layer(100, 50, 40, 40)
        owner.sublayerTransform = CATransform3DMakeScale(2, 2, 1)
        let mask = layer(5, 6, 10, 10)
        owner.mask = mask
        #expect(mask.convert(point(0, 0), to: owner) == point(5, 6))
        #expect(mask.convert(point(1, 1), to: nil) == point(106, 57))
    }

    @Test("Hit tests look neither at a mask nor for one")
    func hits() {
        let root = layer(0, 0, 100, 100)
        let card = layer(10, 10, 50, 50)
        card.mask = layer(0, 0, 1, 1)
        root.addSublayer(card)
        #expect(root.hitTest(point(40, 40)) === card && root.hitTest(point(10.5, 10.5)) === card)
    }

    @Test("Layout and display reach into masks")
    func passes() {
        let journal = Journal()
        final class Noting: CALayer, @unchecked Sendable {
            var journal: Journal?
            override func layoutSublayers() { journal?.note("layout") }
            override func display() { journal?.note("display") }
        }
        let (root, mask, inner) = (CALayer(), CALayer(), Noting())
        inner.journal = journal
        mask.addSublayer(inner)
        root.mask = mask
        context.rootLayer = root
        _ = ops()
        journal.entries = []
        inner.setNeedsLayout()
        inner.setNeedsDisplay()
        #expect(context.hasPendingChanges)
        _ = ops()
        #expect(journal.entries == ["layout", "display"])
    }

    @Test("A mask with its subtree is created before it is set, and follows its values")
    func committing() {
        let (root, mask, inner) = (CALayer(), CALayer(), CALayer())
        mask.addSublayer(inner)
        root.addSublayer(CALayer())
        root.mask = mask
        inner.opacity = 0.5
        context.rootLayer = root
        #expect(
            ops() == [
                .createLayer(LayerID(1), .layer), .createLayer(LayerID(2), .layer), .createLayer(LayerID(3), .layer),
                .createLayer(LayerID(4), .layer), .set(LayerID(4), .opacity, .number(0.5)),
                .setSublayers(LayerID(1), [LayerID(2)]), .set(LayerID(1), .mask, .layer(LayerID(3))),
                .setSublayers(LayerID(3), [LayerID(4)]), .setRoot(LayerID(1)),
            ])
        inner.opacity = 1
        #expect(ops() == [.set(LayerID(4), .opacity, .number(1))])
        root.mask = nil
        #expect(
            ops() == [
                .set(LayerID(1), .mask, .layer(.none)), .destroyLayer(LayerID(3)), .destroyLayer(LayerID(4)),
            ])
        root.mask = mask
        root.mask = nil
        #expect(ops().isEmpty)
    }

    @Test("A mask that moves keeps its id; what it leaves and joins is told")
    func committedMoves() {
        let (root, a, b, mask) = (CALayer(), CALayer(), CALayer(), CALayer())
        root.sublayers = [a, b]
        a.mask = mask
        context.rootLayer = root
        _ = ops()
        let (idA, idB, idMask) = (context.id(of: a)!, context.id(of: b)!, context.id(of: mask)!)
        b.mask = mask
        #expect(ops() == [.set(idA, .mask, .layer(.none)), .set(idB, .mask, .layer(idMask))])
        b.addSublayer(mask)
        #expect(ops() == [.setSublayers(idB, [idMask]), .set(idB, .mask, .layer(.none))])
        b.mask = mask
        #expect(ops() == [.setSublayers(idB, []), .set(idB, .mask, .layer(idMask))])
        // There and back is nothing.
        b.mask = nil
        b.mask = mask
        #expect(ops().isEmpty)
    }

    @Test("A context gone or started again holds no mask back")
    func contexts() {
        let (root, mask) = (CALayer(), CALayer())
        root.mask = mask
        context.rootLayer = root
        let first = ops()
        context.restart()
        #expect(ops() == first)
        context.rootLayer = nil
        #expect(ops() == [.destroyLayer(LayerID(1)), .destroyLayer(LayerID(2)), .setRoot(.none)])
        let other = LayerContext()
        other.rootLayer = mask
        #expect(root.mask == nil && other.takeTransaction(time: 0)?.ops.count == 2)
    }

    @Test("A presentation copy's mask is a presentation copy")
    func presentation() {
        let (root, mask) = (CALayer(), CALayer())
        root.mask = mask
        context.rootLayer = root
        _ = ops()
        mask.opacity = 0.25
        let copy = root.presentation()?.mask
        #expect(copy !== mask && copy?.model() === mask && copy?.opacity == 1)
        #expect(copy?.superlayer?.model() === root)
    }

    @Test("100,000 masks of masks are let go without recursion")
    func deep() {
        weak var deepest: CALayer?
        do {
            var layer = CALayer()
            deepest = layer
            for _ in 0..<100_000 {
                let owner = CALayer()
                owner.mask = layer
                layer = owner
            }
            #expect(deepest?.superlayer != nil)
        }
        #expect(deepest == nil)
    }
}
