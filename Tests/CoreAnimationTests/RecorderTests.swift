import CoreAnimation
import LayerModel
import Testing

@Suite("What a commit becomes")
struct RecorderTests {
    private let context = LayerContext()

    private func ops(_ context: LayerContext? = nil) -> [TransactionOp] {
        ((context ?? self.context).takeTransaction(time: 0)?.ops ?? []).ofValues
    }

    /// root > a, b, committed: ids 1, 2, 3.
    private func committedTree() -> (CALayer, CALayer, CALayer) {
        let (root, a, b) = (CALayer(), CALayer(), CALayer())
        root.sublayers = [a, b]
        // Images that pass into one another are used for that long.
        for layer in [a, b] { layer.actions = ["contents": NSNull()] }
        context.rootLayer = root
        _ = ops()
        return (root, a, b)
    }

    private let r = LayerID(1)
    private let a = LayerID(2)
    private let b = LayerID(3)
    private let c = LayerID(4)
    private let d = LayerID(5)

    @Test("The first commit: creates, then what differs from the defaults, then lists, then the root")
    func first() {
        let root = layer(bounds: rect(0, 0, 10, 20), name: "root")
        let child = CATransformLayer()
        child.opacity = 0.5
        child.opacity = 1
        child.isHidden = true
        root.addSublayer(child)
        root.addSublayer(CALayer())
        context.rootLayer = root
        #expect(
            ops() == [
                .createLayer(r, .layer), .createLayer(a, .transformLayer), .createLayer(b, .layer),
                .set(r, .bounds, .rect(Rect(0, 0, 10, 20))), .set(r, .name, .string("root")),
                .set(a, .hidden, .bool(true)), .setSublayers(r, [a, b]), .setRoot(r),
            ])
        #expect(context.id(of: child) == a)
    }

    @Test("Nothing changed: no transaction. The time is the one that was given")
    func nothing() {
        let (root, _, _) = committedTree()
        #expect(context.takeTransaction(time: 3) == nil)
        root.opacity = 1
        #expect(context.takeTransaction(time: 3) == nil)
        root.opacity = 0.5
        #expect(context.takeTransaction(time: 3)?.time == 3)
    }

    @Test("Many sets of one property become the last; one that is back to the committed value becomes none")
    func collapse() {
        let (_, a, b) = committedTree()
        for x in 0..<10 { a.position = point(Double(x), 0) }
        b.zPosition = 4
        b.zPosition = 0
        a.cornerRadius = 2
        #expect(
            ops() == [
                .set(self.a, .position, .point(Point(9, 0))), .set(self.a, .cornerRadius, .number(2)),
            ])
        b.cornerRadius = 1
        #expect(ops() == [.set(self.b, .cornerRadius, .number(1))])
    }

    @Test("A new sublayer: created with its values, then the one list that changed")
    func newSublayer() {
        let (_, a, _) = committedTree()
        let new = layer(bounds: rect(0, 0, 1, 1))
        a.addSublayer(new)
        #expect(
            ops() == [
                .createLayer(c, .layer), .set(c, .bounds, .rect(Rect(0, 0, 1, 1))), .setSublayers(self.a, [c]),
            ])
    }

    @Test("What leaves is destroyed with everything below; what comes back later is made anew with all its values")
    func leaving() {
        let (root, a, b) = committedTree()
        let leaf = layer(bounds: rect(0, 0, 1, 1))
        a.addSublayer(leaf)
        _ = ops()
        a.removeFromSuperlayer()
        #expect(ops() == [.setSublayers(r, [self.b]), .destroyLayer(self.a), .destroyLayer(c)])
        a.opacity = 0.5
        root.insertSublayer(a, below: b)
        #expect(
            ops() == [
                .createLayer(d, .layer), .createLayer(LayerID(6), .layer), .set(d, .opacity, .number(0.5)),
                .set(LayerID(6), .bounds, .rect(Rect(0, 0, 1, 1))), .setSublayers(d, [LayerID(6)]),
                .setSublayers(r, [d, self.b]),
            ])
    }

    @Test("What leaves and comes back in one transaction is not destroyed, and its changes are sent")
    func leavingAndReturning() {
        let (root, a, b) = committedTree()
        a.removeFromSuperlayer()
        a.opacity = 0.5
        b.addSublayer(a)
        #expect(
            ops() == [
                .set(self.a, .opacity, .number(0.5)), .setSublayers(r, [self.b]), .setSublayers(self.b, [self.a]),
            ])
        #expect(root.sublayers == [b])
        a.opacity = 0.25
        #expect(ops() == [.set(self.a, .opacity, .number(0.25))])
    }

    @Test("What joins and leaves in one transaction leaves no trace but the list")
    func joiningAndLeaving() {
        let (root, _, _) = committedTree()
        let new = CALayer()
        root.addSublayer(new)
        new.opacity = 0.5
        new.removeFromSuperlayer()
        #expect(ops() == [.setSublayers(r, [a, b])])
    }

    @Test("A layer that goes without ever coming back is destroyed though its object is gone")
    func objectGone() {
        let root = CALayer()
        do {
            let child = CALayer()
            root.addSublayer(child)
        }
        context.rootLayer = root
        _ = ops()
        root.sublayers = nil
        #expect(ops() == [.setSublayers(r, []), .destroyLayer(a)])
    }

    @Test("Lists go from the root downwards when layers moved, so that no step makes a cycle")
    func swappingParentAndChild() {
        let (root, a, b) = committedTree()
        b.removeFromSuperlayer()
        a.addSublayer(b)
        _ = ops()
        // root > a > b becomes root > new > b > a.
        let new = CALayer()
        new.addSublayer(b)
        b.addSublayer(a)
        root.addSublayer(new)
        #expect(root.sublayers == [new])
        let changes = ops()
        #expect(
            changes.filter { if case .setSublayers = $0 { true } else { false } } == [
                .setSublayers(r, [c]), .setSublayers(c, [self.b]), .setSublayers(self.b, [self.a]),
                .setSublayers(self.a, []),
            ])
    }

    @Test(
        "Random moves: applied one by one, lists and masks never make a cycle and give the client's tree",
        arguments: 0..<40)
    func randomMoves(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        var server = Server()
        let layers = (0..<12).map { layer(0, 0, 1, 1, name: "\($0)") }
        context.rootLayer = layers[0]
        for _ in 0..<30 {
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let x = layers.randomElement(using: &random)!
                // Not the root: as a sublayer of a layer outside it would leave the display.
                let y = layers.dropFirst().randomElement(using: &random)!
                switch Int.random(in: 0..<8, using: &random) {
                case 0: x.removeFromSuperlayer()
                case 1: x.opacity = Float.random(in: 0...1, using: &random)
                case 2: x.insertSublayer(y, at: UInt32.random(in: 0...3, using: &random))
                case 3: x.mask = y
                case 4: x.mask = Bool.random(using: &random) ? nil : x.sublayers?.first
                case 5: x.sublayers = (x.sublayers ?? []) + (x.mask.map { [$0] } ?? [])
                default: x.addSublayer(y)
                }
            }
            for op in ops() { try server.apply(op) }
            #expect(server.root.flatMap(server.text) == LayerText(layers[0]).text, "seed \(seed)")
            #expect(server.layers.count == LayerText(layers[0]).count, "seed \(seed)")
            #expect(layers.allSatisfy { $0.mask == nil || $0.mask?.superlayer === $0 }, "seed \(seed)")
        }
        #expect(context.takeFaults().allSatisfy { $0.message.contains("unchanged") })
    }

    // MARK: Roots and displays

    @Test("Another root takes the place of the first; none shows nothing")
    func roots() {
        _ = committedTree()
        let other = CALayer()
        context.rootLayer = other
        #expect(
            ops() == [
                .createLayer(c, .layer), .destroyLayer(r), .destroyLayer(a), .destroyLayer(b), .setRoot(c),
            ])
        context.rootLayer = nil
        #expect(ops() == [.destroyLayer(c), .setRoot(.none)])
    }

    @Test("A sublayer becomes the root and the root its sublayer")
    func rootInversion() {
        let (root, a, _) = committedTree()
        context.rootLayer = a
        a.addSublayer(root)
        #expect(
            ops() == [.setSublayers(self.a, [r]), .setSublayers(r, [b]), .setRoot(self.a)])
    }

    @Test("A layer that moves to another display is destroyed there and created here")
    func otherDisplay() {
        let (root, a, _) = committedTree()
        let second = LayerContext()
        let secondRoot = CALayer()
        second.rootLayer = secondRoot
        _ = ops(second)
        secondRoot.addSublayer(a)
        a.opacity = 0.5
        #expect(ops() == [.setSublayers(r, [b]), .destroyLayer(self.a)])
        #expect(
            ops(second) == [
                .createLayer(LayerID(2), .layer), .set(LayerID(2), .opacity, .number(0.5)),
                .setSublayers(LayerID(1), [LayerID(2)]),
            ])
        // There and back in one transaction: the first display has forgotten it.
        root.addSublayer(a)
        secondRoot.addSublayer(a)
        root.addSublayer(a)
        #expect(ops(second) == [.setSublayers(LayerID(1), []), .destroyLayer(LayerID(2))])
        #expect(ops() == [.createLayer(c, .layer), .set(c, .opacity, .number(0.5)), .setSublayers(r, [b, c])])
    }

    @Test("A root that goes into another display's tree leaves its own display empty")
    func rootMoves() {
        let (root, _, _) = committedTree()
        let second = LayerContext()
        let secondRoot = CALayer()
        second.rootLayer = secondRoot
        secondRoot.addSublayer(root)
        #expect(context.rootLayer == nil)
        #expect(ops() == [.destroyLayer(r), .destroyLayer(a), .destroyLayer(b), .setRoot(.none)])
        #expect(ops(second).count == 4 + 2 + 1)
    }

    @Test("After a restart everything is made again, with new ids from the start")
    func restart() {
        let (root, a, _) = committedTree()
        a.opacity = 0.5
        context.restart()
        root.name = "r"
        #expect(
            ops() == [
                .createLayer(r, .layer), .createLayer(self.a, .layer), .createLayer(b, .layer),
                .set(r, .name, .string("r")), .set(self.a, .opacity, .number(0.5)), .setSublayers(r, [self.a, b]),
                .setRoot(r),
            ])
    }

    // MARK: Images

    @Test("An image is defined once, before it is shown, and shared by the layers that show it")
    func images() {
        let (_, a, b) = committedTree()
        let picture = image()
        a.contents = picture
        b.contents = picture
        let id = ImageID(1)
        #expect(
            ops() == [
                .defineImage(id, picture.content), .set(self.a, .contents, .image(id)),
                .set(self.b, .contents, .image(id)),
            ])
        a.contents = nil
        #expect(ops() == [.set(self.a, .contents, .image(.none))])
        a.contents = picture
        #expect(ops() == [.set(self.a, .contents, .image(id))])
        a.contents = nil
        a.contents = picture
        #expect(ops().isEmpty)
    }

    @Test("An image is released when its object is gone, not while the app may show it again")
    func imageRelease() {
        let (_, a, _) = committedTree()
        let kept = image()
        a.contents = kept
        _ = ops()
        a.contents = image()
        #expect(ops().count == 2)
        a.contents = kept
        #expect(ops() == [.set(self.a, .contents, .image(ImageID(1))), .releaseImage(ImageID(2))])
        a.contents = nil
        #expect(ops() == [.set(self.a, .contents, .image(.none))])
        #expect(ops().isEmpty)
        withExtendedLifetime(kept) {}
    }

    @Test("The image of a layer that left is released when both are gone")
    func imageOfDestroyedLayer() {
        let root = CALayer()
        do {
            let child = CALayer()
            child.contents = image()
            root.addSublayer(child)
        }
        context.rootLayer = root
        _ = ops()
        root.sublayers = nil
        #expect(ops() == [.setSublayers(r, []), .destroyLayer(a), .releaseImage(ImageID(1))])
    }

    @Test("A thousand images that come and go leave nothing behind")
    func imageChurn() {
        let (_, a, _) = committedTree()
        var (defined, released) = (0, 0)
        for _ in 0..<1000 {
            a.contents = image()
            for op in ops() {
                if case .defineImage = op { defined += 1 }
                if case .releaseImage = op { released += 1 }
            }
        }
        #expect(defined == 1000 && released == 999)
    }

    // MARK: Cost

    /// The time of 200 commits of one change each, in a tree of some layers.
    private func commits(in count: Int) -> Duration {
        let context = LayerContext()
        let root = CALayer()
        let children = (0..<count).map { _ in CALayer() }
        root.sublayers = children
        context.rootLayer = root
        _ = ops(context)
        return ContinuousClock().measure {
            for child in children.prefix(200) {
                child.opacity = 0.5
                if ops(context).count != 1 { Issue.record("one change, one op") }
            }
        }
    }

    @Test("A commit of one change costs the same in 200 layers and in 40,000")
    func cost() {
        let (few, many) = (commits(in: 200), commits(in: 40_000))
        // A walk of the tree would make it 200 times as much.
        #expect(many < few * 20 + .milliseconds(50), "\(many) in 40,000 layers, \(few) in 200")
    }
}

/// What a server does with the changes of the tree, in the plainest way.
private struct Server {
    struct Failure: Error { var text: String }
    var layers: [LayerID: [LayerID]] = [:]
    var names: [LayerID: String] = [:]
    var parents: [LayerID: LayerID] = [:]
    var masks: [LayerID: LayerID] = [:]
    var root: LayerID?

    mutating func apply(_ op: TransactionOp) throws {
        switch op {
        case .createLayer(let id, _):
            guard layers[id] == nil else { throw Failure(text: "\(id) twice") }
            layers[id] = []
        case .destroyLayer(let id):
            guard let children = layers.removeValue(forKey: id) else { throw Failure(text: "no \(id)") }
            for child in children { parents[child] = nil }
            if let mask = masks.removeValue(forKey: id) { parents[mask] = nil }
            leave(id)
            if root == id { root = nil }
        case .set(let id, let property, let value):
            guard layers[id] != nil else { throw Failure(text: "no \(id)") }
            if property == .name, case .string(let name) = value { names[id] = name }
            if property == .mask, case .layer(let mask) = value {
                if let old = masks.removeValue(forKey: id), parents[old] == id { parents[old] = nil }
                if mask != .none { try put(mask, below: id) }
                masks[id] = mask == .none ? nil : mask
            }
        case .setSublayers(let id, let list):
            guard let old = layers[id] else { throw Failure(text: "no \(id)") }
            for child in old { parents[child] = nil }
            layers[id] = []
            for child in list { try put(child, below: id) }
            layers[id] = list
        case .setRoot(let id): root = id == .none ? nil : id
        case .defineImage, .releaseImage, .addAnimation, .removeAnimation: break
        }
    }

    private mutating func put(_ child: LayerID, below id: LayerID) throws {
        guard layers[child] != nil else { throw Failure(text: "no \(child)") }
        var ancestor: LayerID? = id
        while let current = ancestor {
            guard current != child else { throw Failure(text: "\(child) under itself in \(id)") }
            ancestor = parents[current]
        }
        leave(child)
        parents[child] = id
    }

    private mutating func leave(_ child: LayerID) {
        guard let parent = parents.removeValue(forKey: child) else { return }
        layers[parent]?.removeAll { $0 == child }
        if masks[parent] == child { masks[parent] = nil }
    }

    func text(_ id: LayerID) -> String {
        "\(names[id] ?? "")(" + (layers[id] ?? []).map(text).joined(separator: " ")
            + (masks[id].map { " mask \(text($0))" } ?? "") + ")"
    }
}

/// The client's tree in the same form.
private struct LayerText {
    var text: String
    var count: Int

    init(_ layer: CALayer) {
        let children = (layer.sublayers ?? []).map { LayerText($0) }
        let mask = layer.mask.map { LayerText($0) }
        text =
            "\(layer.name ?? "")(" + children.map(\.text).joined(separator: " ")
            + (mask.map { " mask \($0.text)" } ?? "") + ")"
        count = 1 + children.reduce(0) { $0 + $1.count } + (mask?.count ?? 0)
    }
}

private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
