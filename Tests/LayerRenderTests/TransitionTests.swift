import Foundation
import LayerModel
import Testing

@testable import LayerRender

private func transition(
    _ kind: LayerTransition.Kind = .fade, _ direction: LayerTransition.Direction = .fromLeft, begin: Double = 0
) -> AnimationDescription {
    AnimationDescription(
        .transition(LayerTransition(kind, direction)), timing: AnimationTiming(beginTime: begin, duration: 1))
}

private let red = PropertyValue.color(Color(1, 0, 0))
private let blue = PropertyValue.color(Color(0, 0, 1))

/// Layer 1, the root, 100 × 50; layer 2 in it at (10, 10), 40 × 20, red.
private func makeStore(limits: StoreLimits = StoreLimits()) throws -> LayerStore {
    var store = LayerStore(limits: limits)
    try store.apply(
        Transaction(
            time: 0,
            ops: [
                .createLayer(LayerID(1), .layer), .createLayer(LayerID(2), .layer),
                .set(LayerID(1), .bounds, .rect(Rect(0, 0, 100, 50))), .set(LayerID(1), .anchorPoint, .point(.zero)),
                .set(LayerID(2), .bounds, .rect(Rect(0, 0, 40, 20))),
                .set(LayerID(2), .position, .point(Point(30, 20))),
                .set(LayerID(2), .backgroundColor, red), .setSublayers(LayerID(1), [LayerID(2)]),
                .setRoot(LayerID(1)),
            ]))
    return store
}

private func apply(_ store: inout LayerStore, at time: Double, _ ops: TransactionOp...) throws {
    try store.apply(Transaction(time: time, ops: ops))
}

/// What is drawn: colors of solid drawings with their bounds, back to front, those of surfaces by themselves.
private func drawings(_ store: LayerStore, at time: Double) -> (root: [String], surfaces: [String]) {
    var planner = FramePlanner(session: 1)
    let display = DisplayGeometry(size: PixelSize(width: 100, height: 50), scale: 1, background: .white)
    _ = planner.plan(store, at: time, on: display, coverage: CoverageCache())
    let texts = planner.shownSurfaces.map { surface in
        surface.quads.map { quad in
            func level(_ value: Float) -> Int { Int((value * 255).rounded()) }
            let color = quad.color
            let what: String
            switch quad.paint {
            case .solid: what = "\(level(color.red)),\(level(color.blue)),\(level(color.alpha))"
            case .surface(let number): what = "surface \(planner.shownSurfaces[Int(number)].reason.rawValue)"
            default: what = "?"
            }
            let b = quad.bounds
            return "\(what) \(b.minX),\(b.minY) \(b.width)x\(b.height)\(quad.mode == .normal ? "" : " \(quad.mode)")"
        }
    }
    return (texts.last ?? [], texts.dropLast().flatMap { $0 })
}

@Suite("Transitions")
struct TransitionTests {
    @Test("A fade between opaque pictures of the same pixels draws the new one over the old one, without a surface")
    func opaqueFade() throws {
        var store = try makeStore()
        try apply(
            &store, at: 0, .set(LayerID(2), .backgroundColor, blue),
            .addAnimation(LayerID(2), AnimationID(1), key: "transition", transition()))
        store.present(at: 0.2)
        #expect(drawings(store, at: 0.2).root == ["255,0,255 10,10 40x20", "0,51,51 10,10 40x20"])
        store.present(at: 1)
        #expect(drawings(store, at: 1).root == ["0,255,255 10,10 40x20"])
        #expect(store.animationTotals.pictures == 0)
    }

    // Semantic reference, §4.2: before its begin an animation applies only where it fills backwards. The change itself is in the tree.
    @Test(
        "A transition that begins later shows the new picture until then, unless it fills backwards",
        arguments: FillMode.allCases)
    func delayed(fill: FillMode) throws {
        var store = try makeStore()
        var description = transition(begin: 1)
        description.timing.fillMode = fill
        try apply(
            &store, at: 0, .set(LayerID(2), .backgroundColor, blue),
            .addAnimation(LayerID(2), AnimationID(1), key: "transition", description))
        store.present(at: 0.5)
        let before = fill.fillsBackwards ? "255,0,255 10,10 40x20" : "0,255,255 10,10 40x20"
        // The old picture lies below the new one, of which nothing shows.
        #expect(drawings(store, at: 0.5).root.first == before, "\(fill)")
        #expect(
            drawings(store, at: 0.5).root.dropFirst().allSatisfy { $0.contains(",0 10,10") || $0.contains("0,0,0") })
        store.present(at: 1.5)
        #expect(drawings(store, at: 1.5).root == ["255,0,255 10,10 40x20", "0,128,128 10,10 40x20"], "\(fill)")
    }

    @Test("Pictures that don't match are added up in a surface, each by its share")
    func fadeInSurface() throws {
        var store = try makeStore()
        try apply(
            &store, at: 0, .addAnimation(LayerID(2), AnimationID(1), key: "transition", transition()),
            .set(LayerID(2), .backgroundColor, blue), .set(LayerID(2), .bounds, .rect(Rect(0, 0, 40, 10))))
        store.present(at: 0.4)
        let (root, surfaces) = drawings(store, at: 0.4)
        #expect(root == ["surface transition 10,10 40x20"])
        #expect(surfaces == ["153,0,153 10,10 40x20", "0,102,102 10,15 40x10 plusLighter"])
    }

    @Test("What changes below a layer whose transition stands still is drawn")
    func still() throws {
        var store = try makeStore()
        let dots = (4...8).map { LayerID(UInt32($0)) }
        for dot in dots {
            try apply(
                &store, at: 0, .createLayer(dot, .layer), .set(dot, .bounds, .rect(Rect(0, 0, 2, 2))),
                .set(dot, .position, .point(Point(Double(dot.rawValue) * 2 - 7, 10))), .set(dot, .backgroundColor, blue)
            )
        }
        var push = transition(.push, .fromRight)
        push.timing.speed = 0
        push.timing.timeOffset = 0.25
        try apply(
            &store, at: 0, .setSublayers(LayerID(2), dots), .createLayer(LayerID(3), .layer),
            .addAnimation(LayerID(2), AnimationID(1), key: "transition", push))
        var planner = FramePlanner(session: 1)
        let coverage = CoverageCache()
        let display = DisplayGeometry(size: PixelSize(width: 100, height: 50), scale: 1, background: .white)
        /// How many drawings have a color.
        func count(_ green: Float, after time: Double) -> Int {
            store.present(at: time)
            _ = planner.plan(store, at: time, on: display, coverage: coverage)
            return planner.shownSurfaces.flatMap(\.quads).filter { $0.color.green == green && $0.color.blue == 0 }.count
        }
        for step in 1...5 {
            // What comes and goes makes whole plans.
            try apply(
                &store, at: Double(step),
                .setSublayers(LayerID(1), step % 2 == 0 ? [LayerID(2)] : [LayerID(2), LayerID(3)]))
            #expect(count(1, after: Double(step)) == 0)
        }
        try apply(
            &store, at: 6, .set(LayerID(4), .backgroundColor, .color(Color(0, 1, 0))),
            .setSublayers(LayerID(1), [LayerID(2)]))
        #expect(count(1, after: 6) == 1)
    }

    @Test("What was not shown before fades in, what is hidden now fades out")
    func oneSided() throws {
        var store = try makeStore()
        try apply(
            &store, at: 0, .createLayer(LayerID(3), .layer), .set(LayerID(3), .bounds, .rect(Rect(0, 0, 10, 10))),
            .set(LayerID(3), .position, .point(Point(90, 5))), .set(LayerID(3), .backgroundColor, blue),
            .setSublayers(LayerID(1), [LayerID(2), LayerID(3)]), .set(LayerID(2), .hidden, .bool(true)),
            .addAnimation(LayerID(2), AnimationID(1), key: "transition", transition()),
            .addAnimation(LayerID(3), AnimationID(2), key: "transition", transition()))
        store.present(at: 0.2)
        #expect(drawings(store, at: 0.2).root == ["204,0,204 10,10 40x20", "0,51,51 85,0 10x10"])
        store.present(at: 1)
        #expect(drawings(store, at: 1).root == ["0,255,255 85,0 10x10"])
    }

    @Test(
        "Pictures slide by the layer's size from the side that is named, cut off at the bounds; top is max y",
        arguments: [
            (
                LayerTransition.Kind.push, LayerTransition.Direction.fromLeft,
                ["255,0,255 20,10 30x20", "0,255,255 10,10 10x20"]
            ),
            (.push, .fromRight, ["255,0,255 10,10 30x20", "0,255,255 40,10 10x20"]),
            (.push, .fromTop, ["255,0,255 10,10 40x15", "0,255,255 10,25 40x5"]),
            (.push, .fromBottom, ["255,0,255 10,15 40x15", "0,255,255 10,10 40x5"]),
            (.moveIn, .fromRight, ["255,0,255 10,10 40x20", "0,255,255 40,10 10x20"]),
            (.reveal, .fromLeft, ["0,255,255 10,10 40x20", "255,0,255 20,10 30x20"]),
        ])
    func slides(kind: LayerTransition.Kind, direction: LayerTransition.Direction, expected: [String]) throws {
        var store = try makeStore()
        try apply(
            &store, at: 0, .set(LayerID(2), .backgroundColor, blue),
            .addAnimation(LayerID(2), AnimationID(1), key: "transition", transition(kind, direction)))
        store.present(at: 0.25)
        #expect(drawings(store, at: 0.25).root == expected)
    }

    @Test("Place, transform and opacity stay live; the old picture keeps its values and its sublayers")
    func liveOutside() throws {
        var store = try makeStore()
        try apply(
            &store, at: 0, .createLayer(LayerID(3), .layer), .set(LayerID(3), .bounds, .rect(Rect(0, 0, 10, 10))),
            .set(LayerID(3), .position, .point(Point(5, 5))), .set(LayerID(3), .backgroundColor, blue),
            .setSublayers(LayerID(2), [LayerID(3)]), .set(LayerID(2), .backgroundColor, .color(nil)))
        try apply(
            &store, at: 0.5, .addAnimation(LayerID(2), AnimationID(1), key: "transition", transition(begin: 0.5)),
            .destroyLayer(LayerID(3)))
        try apply(&store, at: 0.6, .set(LayerID(2), .position, .point(Point(40, 30))))
        store.present(at: 0.7)
        #expect(drawings(store, at: 0.7).root == ["0,204,204 20,20 10x10"])
        try apply(&store, at: 0.7, .set(LayerID(2), .opacity, .number(0.5)))
        store.present(at: 0.7)
        #expect(drawings(store, at: 0.7).root == ["0,102,102 20,20 10x10"])
    }

    @Test("A second transition goes on from what showed")
    func interrupted() throws {
        var store = try makeStore()
        try apply(
            &store, at: 0, .set(LayerID(2), .backgroundColor, blue),
            .addAnimation(LayerID(2), AnimationID(1), key: "transition", transition()))
        try apply(
            &store, at: 0.2, .set(LayerID(2), .hidden, .bool(true)),
            .addAnimation(LayerID(2), AnimationID(2), key: "transition", transition(begin: 0.2)))
        #expect(store.animationCount == 1)
        store.present(at: 0.2)
        // Red, and over it a fifth of blue: what showed at 0.2.
        #expect(drawings(store, at: 0.2).root == ["255,0,255 10,10 40x20", "0,51,51 10,10 40x20"])
        store.present(at: 0.4)
        let (root, surfaces) = drawings(store, at: 0.4)
        #expect(root == ["surface transition 10,10 40x20"])
        #expect(surfaces == ["255,0,255 10,10 40x20", "0,51,51 10,10 40x20"])
        store.present(at: 2)
        #expect(drawings(store, at: 2).root.isEmpty && store.animationTotals.pictures == 0)
        #expect(store.records.indices.filter { store.records[$0].id != .none }.count == 2)
    }

    @Test("The old picture is what showed at the transaction's time, whichever frames were drawn before")
    func oldValues() throws {
        func make(_ presented: [Double]) throws -> LayerStore {
            var store = try makeStore()
            let move = AnimationDescription(
                .property(
                    PropertyAnimation(
                        .component(.bounds, .sizeWidth), .basic(MotionEnds(from: .number(0), to: .number(40))))),
                timing: AnimationTiming(duration: 2))
            try apply(&store, at: 0, .addAnimation(LayerID(2), AnimationID(1), key: "w", move))
            for time in presented { store.present(at: time) }
            try apply(
                &store, at: 1, .removeAnimation(LayerID(2), AnimationID(1)),
                .set(LayerID(2), .backgroundColor, blue),
                .addAnimation(LayerID(2), AnimationID(2), key: "transition", transition(begin: 1)))
            store.present(at: 1.2)
            return store
        }
        for presented in [[], [0.3], [0.3, 0.9, 1]] {
            let (_, surfaces) = drawings(try make(presented), at: 1.2)
            #expect(surfaces == ["204,0,204 20,10 20x20", "0,51,51 10,10 40x20 plusLighter"], "\(presented)")
        }
    }

    @Test("An image that only the old picture shows lives as long as it, though the commit lets go of it")
    func images() throws {
        var store = try makeStore()
        let image = ImageContent(
            width: 2, height: 2, bytesPerRow: 8, isOpaque: true,
            pixels: PixelStorage([UInt8](repeating: 255, count: 16)))
        try apply(&store, at: 0, .defineImage(ImageID(1), image), .set(LayerID(2), .contents, .image(ImageID(1))))
        try apply(
            &store, at: 1, .set(LayerID(2), .contents, .image(.none)), .releaseImage(ImageID(1)),
            .addAnimation(LayerID(2), AnimationID(1), key: "transition", transition(begin: 1)))
        #expect(store.images.count == 1 && store.imageBytes == 16 && store.takeForgottenImages().isEmpty)
        store.present(at: 2)
        #expect(store.images.isEmpty && store.imageBytes == 0 && store.takeForgottenImages() == [ImageID(1)])
    }

    @Test("A transaction that fails leaves neither pictures nor uses; one that succeeds after it has them")
    func rollBack() throws {
        var store = try makeStore()
        for _ in 0..<3 {
            #expect(throws: TransactionError.self) {
                try apply(
                    &store, at: 0, .addAnimation(LayerID(1), AnimationID(1), key: "transition", transition()),
                    .addAnimation(LayerID(2), AnimationID(2), key: "transition", transition()),
                    .set(LayerID(9), .opacity, .number(1)))
            }
        }
        #expect(store.records.count == 2 && store.animationTotals.pictures == 0)
        try apply(
            &store, at: 0, .addAnimation(LayerID(1), AnimationID(1), key: "transition", transition()),
            .addAnimation(LayerID(2), AnimationID(2), key: "transition", transition()))
        // Shell, new and two copies for the root; shell, new and one copy for the other.
        #expect(store.animationTotals.pictures == 7)
        #expect(throws: TransactionError.self) {
            try apply(
                &store, at: 0.5, .destroyLayer(LayerID(2)), .removeAnimation(LayerID(1), AnimationID(1)),
                .set(LayerID(9), .opacity, .number(1)))
        }
        store.present(at: 0.5)
        #expect(store.animationTotals.pictures == 7)
        #expect(drawings(store, at: 0.5).root.count >= 1)
        try apply(&store, at: 0.6, .destroyLayer(LayerID(2)), .destroyLayer(LayerID(1)))
        #expect(store.animationTotals.pictures == 0)
        #expect(store.records.allSatisfy { $0.id == .none })
    }

    @Test("Pictures count as layers of the session, and a commit copies no more than it may have")
    func limits() throws {
        var limits = StoreLimits()
        limits.layers = 6
        var store = try makeStore(limits: limits)
        try apply(&store, at: 0, .addAnimation(LayerID(2), AnimationID(1), key: "transition", transition()))
        do {
            try apply(&store, at: 0, .addAnimation(LayerID(1), AnimationID(2), key: "transition", transition()))
            Issue.record("nine of six")
        } catch {
            #expect((error as? TransactionError)?.code == .tooManyLayers)
        }
        #expect(throws: TransactionError.self) {
            try store.apply(
                Transaction(
                    time: 0.1,
                    ops: (2...9).map {
                        .addAnimation(LayerID(2), AnimationID($0), key: "transition", transition(begin: 0.1))
                    }))
        }
        #expect(store.animationCount == 1 && store.animationTotals.pictures == 3)
    }

    @Test("Transitions that replace each other in every frame nest so deep and no deeper")
    func chain() throws {
        var store = try makeStore()
        for number in 1...60 {
            let time = Double(number) / 60
            try apply(
                &store, at: time, .set(LayerID(2), .backgroundColor, number % 2 == 0 ? red : blue),
                .addAnimation(
                    LayerID(2), AnimationID(UInt32(number)), key: "transition", transition(begin: time)))
            store.present(at: time + 0.01)
            _ = drawings(store, at: time)
        }
        #expect(store.animationTotals.pictures <= 3 * (LayerStore.pictureNesting + 1))
        store.present(at: 9)
        #expect(store.animationTotals.pictures == 0)
    }

    @Test("A transition on every layer of a deep tree is drawn without running out of stack")
    func deep() throws {
        var store = LayerStore()
        var ops: [TransactionOp] = []
        for layer in 1...1_000 as ClosedRange<UInt32> {
            ops.append(.createLayer(LayerID(layer), .layer))
            ops.append(.set(LayerID(layer), .bounds, .rect(Rect(0, 0, 100, 50))))
            ops.append(.set(LayerID(layer), .backgroundColor, red))
            if layer > 1 { ops.append(.setSublayers(LayerID(layer - 1), [LayerID(layer)])) }
        }
        ops.append(.setRoot(LayerID(1)))
        try store.apply(Transaction(time: 0, ops: ops))
        try store.apply(
            Transaction(
                time: 0,
                ops: (901...1_000 as ClosedRange<UInt32>).map {
                    .addAnimation(LayerID($0), AnimationID(1), key: "transition", transition())
                }))
        store.present(at: 0.5)
        // As much as the server's render thread has.
        let done = DispatchSemaphore(value: 0)
        let shown = store
        let thread = Thread {
            _ = drawings(shown, at: 0.5)
            done.signal()
        }
        thread.stackSize = FramePlanner.stackBytes
        thread.start()
        done.wait()
    }

    @Test("What a transform layer shows has no picture, and a layer without size nothing to slide over")
    func without() throws {
        var store = try makeStore()
        try apply(
            &store, at: 0, .createLayer(LayerID(3), .transformLayer), .createLayer(LayerID(4), .layer),
            .setSublayers(LayerID(1), [LayerID(2), LayerID(3), LayerID(4)]))
        try apply(
            &store, at: 0, .addAnimation(LayerID(3), AnimationID(1), key: "transition", transition()),
            .addAnimation(LayerID(4), AnimationID(2), key: "transition", transition(.push)))
        store.present(at: 0.5)
        #expect(drawings(store, at: 0.5).root == ["255,0,255 10,10 40x20"])
        #expect(store.records.allSatisfy { $0.standIn < 0 })
    }
}
