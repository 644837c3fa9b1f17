import CoreAnimation
import LayerModel
import Testing

@Suite("The tree")
struct TreeTests {
    private func names(_ layer: CALayer) -> [String] { layer.sublayers?.map { $0.name ?? "" } ?? [] }

    private func parent(_ names: String...) -> (CALayer, [CALayer]) {
        let parent = CALayer()
        let children = names.map { layer(0, 0, 1, 1, name: $0) }
        for child in children { parent.addSublayer(child) }
        return (parent, children)
    }

    @Test("sublayers is nil when there are none, and again once emptied")
    func emptyIsNil() {
        let (parent, children) = parent("a")
        #expect(CALayer().sublayers == nil)
        #expect(parent.sublayers == children)
        children[0].removeFromSuperlayer()
        #expect(parent.sublayers == nil)
        #expect(children[0].superlayer == nil)
    }

    @Test("Inserting at an index, below and above puts a layer there; past the end is the end")
    func insertion() {
        let (parent, children) = parent("a", "b", "c")
        parent.insertSublayer(layer(0, 0, 1, 1, name: "d"), at: 1)
        #expect(names(parent) == ["a", "d", "b", "c"])
        parent.insertSublayer(layer(0, 0, 1, 1, name: "e"), below: children[2])
        #expect(names(parent) == ["a", "d", "b", "e", "c"])
        parent.insertSublayer(layer(0, 0, 1, 1, name: "f"), above: children[0])
        #expect(names(parent) == ["a", "f", "d", "b", "e", "c"])
        parent.insertSublayer(layer(0, 0, 1, 1, name: "g"), at: 4_000_000_000)
        #expect(names(parent).last == "g")
        parent.insertSublayer(layer(0, 0, 1, 1, name: "h"), below: nil)
        #expect(names(parent).first == "h")
    }

    @Test("A layer that is in the list already moves")
    func reinsertion() {
        let (parent, children) = parent("a", "b", "c")
        parent.addSublayer(children[0])
        #expect(names(parent) == ["b", "c", "a"])
        parent.insertSublayer(children[0], at: 0)
        #expect(names(parent) == ["a", "b", "c"])
        parent.insertSublayer(children[0], above: children[1])
        #expect(names(parent) == ["b", "a", "c"])
        parent.insertSublayer(children[2], below: children[1])
        #expect(names(parent) == ["c", "b", "a"])
        parent.insertSublayer(children[2], above: children[2])
        #expect(names(parent) == ["c", "b", "a"])
    }

    @Test("Adding takes a layer out of the superlayer it had")
    func reparenting() {
        let (first, children) = parent("a", "b")
        let second = CALayer()
        second.addSublayer(children[0])
        #expect(names(first) == ["b"] && names(second) == ["a"])
        #expect(children[0].superlayer === second)
    }

    @Test("Replacing keeps the place")
    func replacing() {
        let (parent, children) = parent("a", "b", "c")
        parent.replaceSublayer(children[1], with: layer(0, 0, 1, 1, name: "d"))
        #expect(names(parent) == ["a", "d", "c"])
        #expect(children[1].superlayer == nil)
        parent.replaceSublayer(children[2], with: children[0])
        #expect(names(parent) == ["d", "a"])
        #expect(parent.takeFaults().isEmpty)
    }

    @Test("Setting sublayers removes, keeps and adds")
    func settingSublayers() {
        let (parent, children) = parent("a", "b", "c")
        let (other, others) = self.parent("x", "y")
        parent.sublayers = [children[2], others[0], children[0]]
        #expect(names(parent) == ["c", "x", "a"])
        #expect(children[1].superlayer == nil)
        #expect(names(other) == ["y"])
        #expect(others[0].superlayer === parent)
        parent.sublayers = nil
        #expect(parent.sublayers == nil && children[0].superlayer == nil)
    }

    @Test("A layer in a list of sublayers twice is taken once, with a fault")
    func duplicates() {
        let (parent, children) = parent("a", "b")
        parent.sublayers = [children[1], children[0], children[1]]
        #expect(names(parent) == ["b", "a"])
        #expect(parent.takeFaults().map(\.key) == ["sublayers"])
    }

    @Test("A layer can't go into itself or its descendants: a fault, and the tree stays")
    func cycles() {
        let (a, children) = parent("b")
        let b = children[0]
        let c = layer(0, 0, 1, 1, name: "c")
        b.addSublayer(c)
        c.addSublayer(a)
        b.addSublayer(b)
        c.insertSublayer(b, at: 0)
        c.sublayers = [a]
        b.replaceSublayer(c, with: a)
        #expect(a.superlayer == nil && b.superlayer === a && c.superlayer === b)
        #expect(c.sublayers == nil && b.sublayers == [c])
        #expect(c.takeFaults().map(\.key) == ["addSublayer", "insertSublayer(at:)", "sublayers"])
        let faults = b.takeFaults()
        #expect(faults.map(\.key) == ["addSublayer", "replaceSublayer"])
        #expect(faults.map(\.layer) == ["CALayer \"b\"", "CALayer \"b\""])
    }

    @Test("A sibling that is none is a fault, and the tree stays")
    func notASibling() {
        let (parent, _) = parent("a")
        let stranger = CALayer()
        parent.insertSublayer(CALayer(), below: stranger)
        parent.insertSublayer(CALayer(), above: stranger)
        parent.replaceSublayer(stranger, with: CALayer())
        #expect(names(parent) == ["a"])
        #expect(parent.takeFaults().count == 3)
    }

    @Test("A sublayer that outlives its superlayer has none")
    func superlayerGoes() {
        let child = CALayer()
        do {
            let parent = CALayer()
            parent.addSublayer(child)
        }
        #expect(child.superlayer == nil)
    }

    @Test(
        "A chain of 100,000 layers is built from either end, committed, converted, hit and let go",
        .timeLimit(.minutes(1)))
    func deepChain() {
        let depth = 100_000
        let root = layer(0, 0, 10, 10)
        var last = root
        for _ in 1..<depth {
            let next = layer(0, 0, 10, 10)
            last.addSublayer(next)
            last = next
        }
        var top = last
        do {
            // Another one from the bottom up.
            top = layer(0, 0, 10, 10)
            for _ in 1..<depth / 10 {
                let next = layer(0, 0, 10, 10)
                next.addSublayer(top)
                top = next
            }
        }
        #expect(last.convert(point(1, 1), to: root) == point(1, 1))
        #expect(root.hitTest(point(1, 1)) === last)
        let context = LayerContext()
        context.rootLayer = root
        last.addSublayer(top)
        last.setNeedsDisplay()
        let ops = context.takeTransaction(time: 0)?.ops.count ?? 0
        #expect(ops > 2 * depth)
        last.name = "last"
        #expect(context.takeTransaction(time: 0)?.ops.count == 1)
        context.rootLayer = nil
        #expect(context.takeTransaction(time: 0)?.ops.count == depth + depth / 10 + 1)
    }

    @Test("Adding and removing 20,000 sublayers is linear", .timeLimit(.minutes(1)))
    func wide() {
        let context = LayerContext()
        let parent = CALayer()
        context.rootLayer = parent
        let children = (0..<20_000).map { _ in CALayer() }
        for child in children { parent.addSublayer(child) }
        #expect(context.takeTransaction(time: 0)?.ops.count == 20_003)
        for child in children { child.removeFromSuperlayer() }
        for child in children { parent.addSublayer(child) }
        for child in children.reversed() { child.removeFromSuperlayer() }
        #expect(parent.sublayers == nil)
        #expect(context.takeTransaction(time: 0)?.ops.count == 20_001)
    }
}
