import LayerModel
import Testing

@testable import LayerRender

private let root = LayerID(1)
private let replicator = LayerID(2)
private let dot = LayerID(3)

/// Layer 1, the root, 100 × 50; in it a replicator of 20 × 20 at (10, 10) with one red square of 10 × 10 in its middle,
/// shown three times, each 20 points to the right of the one before.
private func makeStore(limits: StoreLimits = StoreLimits(), _ more: TransactionOp...) throws -> LayerStore {
    var store = LayerStore(limits: limits)
    try store.apply(
        Transaction(
            time: 0,
            ops: [
                .createLayer(root, .layer), .createLayer(replicator, .replicatorLayer), .createLayer(dot, .layer),
                .set(root, .bounds, .rect(Rect(0, 0, 100, 50))), .set(root, .anchorPoint, .point(.zero)),
                .set(replicator, .bounds, .rect(Rect(0, 0, 20, 20))),
                .set(replicator, .position, .point(Point(20, 20))),
                .set(replicator, .instanceCount, .number(3)),
                .set(replicator, .instanceTransform, .transform(.translation(20, 0, 0))),
                .set(dot, .bounds, .rect(Rect(0, 0, 10, 10))), .set(dot, .position, .point(Point(10, 10))),
                .set(dot, .backgroundColor, .color(Color(1, 0, 0))),
                .setSublayers(root, [replicator]), .setSublayers(replicator, [dot]), .setRoot(root),
            ] + more))
    return store
}

private func apply(_ store: inout LayerStore, at time: Double = 0, _ ops: TransactionOp...) throws {
    try store.apply(Transaction(time: time, ops: ops))
}

/// Red, green, blue, alpha in levels and the place of each drawing, back to front.
private func drawings(_ store: LayerStore, at time: Double = 0) -> [String] {
    var planner = FramePlanner(session: 1)
    let display = DisplayGeometry(size: PixelSize(width: 100, height: 50), scale: 1, background: .white)
    _ = planner.plan(store, at: time, on: display, coverage: CoverageCache())
    return (planner.shownSurfaces.last?.quads ?? []).map { quad in
        func level(_ value: Float) -> Int { Int((value * 255).rounded()) }
        let (c, b) = (quad.color, quad.bounds)
        return "\(level(c.red)),\(level(c.green)),\(level(c.blue)),\(level(c.alpha)) \(b.minX),\(b.minY)"
    }
}

@Suite("Replicators")
struct ReplicatorTests {
    @Test("Each instance goes through the transform once more, about the anchor point; only the sublayers are repeated")
    func places() throws {
        var store = try makeStore(.set(replicator, .backgroundColor, .color(Color(0, 0, 1))))
        #expect(
            drawings(store) == ["0,0,255,255 10,10", "255,0,0,255 15,15", "255,0,0,255 35,15", "255,0,0,255 55,15"])
        // Half turns about the corner (10, 10) of the replicator: the square's middle is at (18, 18), then at (2, 2).
        try apply(
            &store, .set(replicator, .backgroundColor, .color(nil)), .set(replicator, .anchorPoint, .point(.zero)),
            .set(replicator, .position, .point(Point(10, 10))), .set(dot, .position, .point(Point(8, 8))),
            .set(replicator, .instanceCount, .number(2)),
            .set(
                replicator, .instanceTransform, .transform(Transform(-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)))
        )
        #expect(drawings(store) == ["255,0,0,255 13,13", "255,0,0,255 0,0"])
    }

    @Test("The count is rounded down; none, one and many; it comes back to what it was")
    func counts() throws {
        var store = try makeStore()
        let full = store.records.count
        for (count, shown) in [(0.0, 0), (-3, 0), (0.9, 0), (1, 1), (1.99, 1), (2, 2), (5.5, 5), (3, 3)] {
            try apply(&store, .set(replicator, .instanceCount, .number(count)))
            #expect(drawings(store).count == min(shown, 5), "\(count)")
        }
        #expect(store.records.count <= full + 2)
        #expect(store.records.filter(\.isCopy).count == 2)
    }

    @Test("Colors are the first one plus so many offsets, kept in 0…1, multiplied into the sublayers")
    func colors() throws {
        let store = try makeStore(
            .set(dot, .backgroundColor, .color(Color(1, 0.8, 0.4))),
            .set(replicator, .instanceColor, .color(Color(1, 0.5, 1))),
            .set(replicator, .instanceRedOffset, .number(-0.6)), .set(replicator, .instanceGreenOffset, .number(0.25)),
            .set(replicator, .instanceAlphaOffset, .number(-0.2)))
        func drawing(_ k: Double) -> String {
            func clamped(_ value: Double) -> Double { min(max(value, 0), 1) }
            let alpha = clamped(1 - 0.2 * k)
            func level(_ value: Double) -> Int { Int((value * alpha * 255).rounded()) }
            let color = (clamped(1 - 0.6 * k), 0.8 * clamped(0.5 + 0.25 * k), 0.4)
            return "\(level(color.0)),\(level(color.1)),\(level(color.2)),\(level(1)) \(15 + 20 * Int(k)),15"
        }
        #expect(drawings(store) == [drawing(0), drawing(1), drawing(2)])
    }

    @Test("An instance that lets nothing through is not drawn, and none has a copy for it")
    func clear() throws {
        let store = try makeStore(.set(replicator, .instanceAlphaOffset, .number(-0.5)))
        #expect(drawings(store).count == 2)
        #expect(store.records.filter(\.isCopy).count == 1)
    }

    @Test("Instances show what was so many delays earlier, whichever frames were drawn")
    func delays() throws {
        var store = try makeStore(.set(replicator, .instanceDelay, .number(0.25)))
        var timing = AnimationTiming(duration: 1)
        timing.fillMode = .backwards
        let description = AnimationDescription(
            .property(
                PropertyAnimation(
                    .property(.opacity), .basic(MotionEnds(from: .number(0.2), to: .number(1))))), timing: timing)
        try apply(&store, at: 0, .addAnimation(dot, AnimationID(1), key: "a", description))
        var other = store
        for time in [0.1, 0.3, 0.31, 0.5] { other.present(at: time) }
        store.present(at: 0.5)
        func level(_ at: Double) -> Int { Int(((0.2 + 0.8 * at) * 255).rounded()) }
        let wanted = [(0.5, 15), (0.25, 35), (0, 55)].map { "\(level($0.0)),0,0,\(level($0.0)) \($0.1),15" }
        #expect(drawings(store, at: 0.5) == wanted)
        #expect(drawings(other, at: 0.5) == wanted)
        // Over and removed: over everywhere.
        store.present(at: 1.01)
        #expect(drawings(store, at: 1.01) == ["255,0,0,255 15,15", "255,0,0,255 35,15", "255,0,0,255 55,15"])
    }

    @Test("Replicators in replicators multiply places, colors and counts")
    func nested() throws {
        let inner = LayerID(4)
        let store = try makeStore(
            .createLayer(inner, .replicatorLayer), .setSublayers(replicator, [inner]), .setSublayers(inner, [dot]),
            .set(inner, .bounds, .rect(Rect(0, 0, 20, 20))), .set(inner, .position, .point(Point(10, 10))),
            .set(inner, .instanceCount, .number(2)),
            .set(inner, .instanceTransform, .transform(.translation(0, 15, 0))),
            .set(inner, .instanceRedOffset, .number(-0.4)), .set(replicator, .instanceRedOffset, .number(-0.2)))
        var wanted: [String] = []
        for outer in 0..<3 {
            for own in 0..<2 {
                let red = Int(((1 - 0.2 * Double(outer)) * (1 - 0.4 * Double(own)) * 255).rounded())
                wanted.append("\(red),0,0,255 \(15 + 20 * outer),\(15 + 15 * own)")
            }
        }
        #expect(drawings(store) == wanted)
        // The inner one and its square, twice more; another square for each inner instance.
        #expect(store.records.filter(\.isCopy).count == 2 * 3 + 1)
    }

    @Test("Changes below a replicator reach every instance: values, order, what comes and goes")
    func follows() throws {
        var store = try makeStore()
        try apply(&store, .set(dot, .backgroundColor, .color(Color(0, 1, 0))))
        #expect(drawings(store) == ["0,255,0,255 15,15", "0,255,0,255 35,15", "0,255,0,255 55,15"])
        let more = LayerID(4)
        try apply(
            &store, .createLayer(more, .layer), .set(more, .bounds, .rect(Rect(0, 0, 4, 4))),
            .set(more, .position, .point(Point(2, 2))), .set(more, .backgroundColor, .color(Color(0, 0, 1))),
            .setSublayers(replicator, [more, dot]))
        #expect(
            drawings(store) == [
                "0,0,255,255 10,10", "0,255,0,255 15,15", "0,0,255,255 30,10", "0,255,0,255 35,15",
                "0,0,255,255 50,10", "0,255,0,255 55,15",
            ])
        try apply(&store, .destroyLayer(dot))
        #expect(drawings(store) == ["0,0,255,255 10,10", "0,0,255,255 30,10", "0,0,255,255 50,10"])
        try apply(&store, .destroyLayer(replicator))
        #expect(store.records.filter(\.isCopy).isEmpty && store.cutReplicators.isEmpty)
        #expect(drawings(store).isEmpty)
    }

    @Test("A refused commit leaves the instances as they were")
    func refused() throws {
        var store = try makeStore()
        let before = drawings(store)
        #expect(throws: TransactionError.self) {
            try apply(
                &store, .createLayer(LayerID(9), .replicatorLayer), .set(dot, .hidden, .bool(true)),
                .set(LayerID(77), .hidden, .bool(true)))
        }
        #expect(drawings(store) == before)
        try apply(&store, .createLayer(LayerID(9), .replicatorLayer), .destroyLayer(LayerID(9)))
        #expect(drawings(store) == before)
    }

    @Test("More instances than a session may have are left out, with a note, and are back when there is room")
    func limit() throws {
        var limits = StoreLimits()
        limits.instances = 7
        var store = try makeStore(limits: limits)
        // An instance and a copied square are two; the first instance is one.
        for (count, shown) in [(1e9, 4), (1e300, 4), (3, 3)] {
            try apply(&store, .set(replicator, .instanceCount, .number(count)))
            var planner = FramePlanner(session: 1)
            let display = DisplayGeometry(size: PixelSize(width: 100, height: 50), scale: 1, background: .white)
            let plan = planner.plan(store, at: 0, on: display, coverage: CoverageCache()).plan
            #expect(drawings(store).count == shown, "\(count)")
            let notes = plan.notes.filter { $0.kind == .instancesLeftOut(limit: 7) }.map(\.layer)
            #expect(notes == (count > 3 ? [replicator] : []))
            #expect(plan.text.contains("degraded: instances left out") == (count > 3))
        }
    }

    @Test("Replicators of replicators of replicators, each a thousand times, are bounded")
    func hostile() throws {
        var ops: [TransactionOp] = []
        for number in 10..<40 {
            let layer = LayerID(UInt32(number))
            ops.append(.createLayer(layer, .replicatorLayer))
            ops.append(.set(layer, .instanceCount, .number(1_000)))
            ops.append(.set(layer, .instanceTransform, .transform(.scale(1e30, 1e30, 1))))
            if number > 10 { ops.append(.setSublayers(LayerID(UInt32(number - 1)), [layer])) }
        }
        var limits = StoreLimits()
        limits.instances = 5_000
        var store = try makeStore(limits: limits)
        ops += [.setSublayers(replicator, [LayerID(10)]), .setSublayers(LayerID(39), [dot])]
        try store.apply(Transaction(time: 0, ops: ops))
        #expect(store.records.filter(\.isCopy).count <= 5_000)
        _ = drawings(store)
        try apply(&store, .setSublayers(replicator, []))
        #expect(!store.cutReplicators.isEmpty)
    }

    @Test("With its depth preserved a replicator draws nothing itself, and its sublayers go by the depth around it")
    func depth() throws {
        let other = LayerID(4)
        var store = try makeStore(
            .set(replicator, .backgroundColor, .color(Color(0, 0, 1))), .set(replicator, .preservesDepth, .bool(true)),
            .set(replicator, .instanceTransform, .transform(.translation(20, 0, 5))),
            .createLayer(other, .layer), .set(other, .bounds, .rect(Rect(0, 0, 100, 50))),
            .set(other, .position, .point(Point(50, 25))), .set(other, .zPosition, .number(7)),
            .set(other, .backgroundColor, .color(Color(0, 1, 0, 0.5))), .setSublayers(root, [replicator, other]))
        #expect(
            drawings(store) == ["255,0,0,255 15,15", "255,0,0,255 35,15", "0,128,0,128 0,0", "255,0,0,255 55,15"])
        try apply(&store, .set(replicator, .preservesDepth, .bool(false)))
        #expect(
            drawings(store) == [
                "0,0,255,255 10,10", "255,0,0,255 15,15", "255,0,0,255 35,15", "255,0,0,255 55,15", "0,128,0,128 0,0",
            ])
    }

    @Test("A transition below a replicator, or of it, ends without anything left over", arguments: [false, true])
    func transitions(ofReplicator: Bool) throws {
        var store = try makeStore(.set(replicator, .instanceDelay, .number(0.1)))
        let fade = AnimationDescription(
            .transition(LayerTransition(.fade, .fromLeft)), timing: AnimationTiming(duration: 1))
        try apply(
            &store, at: 0, .addAnimation(ofReplicator ? replicator : dot, AnimationID(1), key: "transition", fade),
            .set(dot, .backgroundColor, .color(Color(0, 0, 1))))
        for time in [0.05, 0.4, 0.8] {
            store.present(at: time)
            #expect(!drawings(store, at: time).isEmpty)
        }
        store.present(at: 1.5)
        #expect(drawings(store, at: 1.5) == ["0,0,255,255 15,15", "0,0,255,255 35,15", "0,0,255,255 55,15"])
        #expect(store.animationTotals.pictures == 0 && store.records.filter(\.isCopy).count == 2)
    }
}

@Suite("Replicated emitters")
struct ReplicatedEmitterTests {
    /// An emitter of still particles, born 1, 2, 3 … s after its beginning at 0.5 s, each alive for 3 s, in a replicator of two instances.
    private func makeStore(delay: Double) throws -> LayerStore {
        var cell = EmitterCell()
        cell.birthRate = 1
        cell.lifetime = EmitterRange(3)
        cell.contents = ImageID(1)
        let image = ImageContent(
            width: 4, height: 4, bytesPerRow: 16, isOpaque: true,
            pixels: PixelStorage([UInt8](repeating: 255, count: 64)))
        var store = LayerStore()
        try store.apply(
            Transaction(
                time: 0,
                ops: [
                    .createLayer(root, .layer), .createLayer(replicator, .replicatorLayer),
                    .createLayer(dot, .emitterLayer), .defineImage(ImageID(1), image),
                    .set(root, .bounds, .rect(Rect(0, 0, 100, 50))), .set(root, .anchorPoint, .point(.zero)),
                    .set(dot, .beginTime, .number(0.5)), .set(dot, .emitterPosition, .point(Point(10, 10))),
                    .set(dot, .emitterCells, .cells([cell])), .set(replicator, .instanceCount, .number(2)),
                    .set(replicator, .instanceDelay, .number(delay)),
                    .set(replicator, .instanceTransform, .transform(.translation(40, 0, 0))),
                    .setSublayers(root, [replicator]), .setSublayers(replicator, [dot]), .setRoot(root),
                ]))
        return store
    }

    /// Particles by instance.
    private func particles(_ store: inout LayerStore, at time: Double) -> [Int] {
        store.present(at: time)
        var planner = FramePlanner(session: 1)
        let display = DisplayGeometry(size: PixelSize(width: 100, height: 50), scale: 1, background: .white)
        let plan = planner.plan(store, at: time, on: display, coverage: CoverageCache()).plan
        var counts = [0, 0]
        for batch in plan.passes.flatMap(\.batches) {
            guard case .quads(_, let first, let count) = batch.kind,
                batch.texture == .image(ImageKey(session: 1, image: ImageID(1)))
            else { continue }
            for quad in 0..<count { counts[plan.vertices[first + 6 * quad].x < 40 ? 0 : 1] += 1 }
        }
        return counts
    }

    @Test("An emitter emits in every instance, in each by its own time")
    func instances() throws {
        var together = try makeStore(delay: 0)
        #expect(particles(&together, at: 2.75) == [2, 2])
        var late = try makeStore(delay: 1)
        #expect(particles(&late, at: 1.75) == [1, 0])
        #expect(particles(&late, at: 2.75) == [2, 1])
        // What is jumped to is what is stepped to.
        var jumped = try makeStore(delay: 1)
        #expect(particles(&jumped, at: 2.75) == [2, 1])
        try late.apply(Transaction(time: 3, ops: [.set(replicator, .instanceCount, .number(1))]))
        #expect(particles(&late, at: 3) == [2, 0])
    }
}
