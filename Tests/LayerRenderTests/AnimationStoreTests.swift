import LayerModel
import Testing

@testable import LayerRender

/// What one layer shows.
private func shown(_ store: LayerStore, _ layer: UInt32) -> LayerProperties {
    store.index(of: LayerID(layer)).map { store.records[Int($0)].properties } ?? LayerProperties()
}

private func fade(
    from: Double = 0, to: Double = 1, begin: Double = 0, duration: Double = 1, stays: Bool = false
) -> AnimationDescription {
    var description = AnimationDescription(
        .property(PropertyAnimation(.property(.opacity), .basic(MotionEnds(from: .number(from), to: .number(to))))),
        timing: AnimationTiming(beginTime: begin, duration: duration))
    description.isRemovedOnCompletion = !stays
    if stays { description.timing.fillMode = .both }
    return description
}

private func crossFade(_ from: UInt32, _ to: UInt32) -> AnimationDescription {
    AnimationDescription(
        .property(
            PropertyAnimation(
                .property(.contents),
                .basic(MotionEnds(from: .image(ImageID(from)), to: .image(ImageID(to)))))),
        timing: AnimationTiming(duration: 1))
}

private func image() -> ImageContent {
    ImageContent(
        width: 2, height: 2, bytesPerRow: 8, isOpaque: true, pixels: PixelStorage([UInt8](repeating: 255, count: 16)))
}

private func apply(_ store: inout LayerStore, at time: Double = 0, _ ops: TransactionOp...) throws {
    try store.apply(Transaction(time: time, ops: ops))
}

private func code(_ body: () throws -> Void) -> TransactionError.Code? {
    do {
        try body()
        return nil
    } catch {
        return (error as? TransactionError)?.code
    }
}

@Suite("Animations in the layer store")
struct AnimationStoreTests {
    private func store(limits: StoreLimits = StoreLimits(), images: UInt32 = 0) throws -> LayerStore {
        var store = LayerStore(limits: limits)
        var ops: [TransactionOp] = [
            .createLayer(LayerID(1), .layer), .createLayer(LayerID(2), .layer),
            .setSublayers(LayerID(1), [LayerID(2)]), .setRoot(LayerID(1)),
        ]
        for image in 0..<images { ops.append(.defineImage(ImageID(image + 1), LayerRenderTests.image())) }
        try store.apply(Transaction(time: 0, ops: ops))
        return store
    }

    @Test("A layer shows its animations one after the other, and its committed values when they are over")
    func values() throws {
        var store = try store()
        try apply(&store, .addAnimation(LayerID(2), AnimationID(1), key: "a", fade()))
        for (time, value) in [(0.0, 0.0), (0.25, 0.25), (0.75, 0.75)] {
            store.present(at: time)
            #expect(shown(store, 2).opacity == value, "at \(time)")
        }
        try apply(
            &store, at: 0.75, .addAnimation(LayerID(2), AnimationID(2), key: "b", fade(from: 0.5, to: 0.5, begin: 0.75))
        )
        store.present(at: 0.9)
        #expect(shown(store, 2).opacity == 0.5)
        try apply(&store, at: 0.9, .removeAnimation(LayerID(2), AnimationID(2)))
        store.present(at: 0.9)
        #expect(shown(store, 2).opacity == 0.9)
        store.present(at: 1)
        #expect(shown(store, 2).opacity == 1 && store.animationCount == 0)
    }

    @Test("A committed value that is set meanwhile shows where the animation leaves it, and when it is over")
    func modelMeanwhile() throws {
        var store = try store()
        try apply(&store, .addAnimation(LayerID(2), AnimationID(1), key: "a", fade()))
        store.present(at: 0.5)
        try apply(
            &store, at: 0.5, .set(LayerID(2), .opacity, .number(0.25)), .set(LayerID(2), .cornerRadius, .number(7)))
        store.present(at: 0.5)
        #expect(shown(store, 2).opacity == 0.5 && shown(store, 2).cornerRadius == 7)
        store.present(at: 2)
        #expect(shown(store, 2).opacity == 0.25)
    }

    @Test("An animation that is to stay fills, and goes when it is removed")
    func stays() throws {
        var store = try store()
        try apply(&store, .addAnimation(LayerID(2), AnimationID(1), key: "a", fade(to: 0.5, begin: 1, stays: true)))
        store.present(at: 0)
        #expect(shown(store, 2).opacity == 0)
        store.present(at: 1_000)
        #expect(shown(store, 2).opacity == 0.5 && store.animationCount == 1)
        let generation = store.generation
        store.present(at: 2_000)
        #expect(store.generation == generation, "a layer that rests makes no new frame")
        try apply(&store, at: 2_000, .removeAnimation(LayerID(2), AnimationID(1)))
        store.present(at: 2_000)
        #expect(shown(store, 2).opacity == 1)
    }

    @Test("A transaction that fails puts animations, values, image uses and counts back")
    func rollBack() throws {
        var store = try store(images: 2)
        try apply(
            &store, .addAnimation(LayerID(2), AnimationID(1), key: "a", fade()),
            .addAnimation(LayerID(2), AnimationID(2), key: "c", crossFade(1, 2)))
        store.present(at: 0.5)
        let (totals, uses) = (store.animationTotals, store.images.mapValues(\.uses))
        #expect(
            code {
                try apply(
                    &store, at: 0.5, .removeAnimation(LayerID(2), AnimationID(1)),
                    .removeAnimation(LayerID(2), AnimationID(2)),
                    .addAnimation(LayerID(1), AnimationID(3), key: "b", crossFade(2, 1)),
                    .addAnimation(
                        LayerID(1), AnimationID(4), key: "t", AnimationDescription(.transition(LayerTransition()))),
                    .destroyLayer(LayerID(2)), .releaseImage(ImageID(1)), .set(LayerID(9), .opacity, .number(1)))
            } == .unknownLayer)
        #expect(store.animationTotals.count == totals.count && store.animationTotals.values == totals.values)
        #expect(store.animationTotals.pictures == 0)
        #expect(store.images.mapValues(\.uses) == uses)
        #expect(store.animatedLayers.count == 1)
        store.present(at: 0.75)
        #expect(shown(store, 2).opacity == 0.75)
        #expect(shown(store, 2).contentsFade?.from == ImageID(1) && shown(store, 2).contentsFade?.progress == 0.75)
    }

    @Test("An image lives as long as an animation names it")
    func images() throws {
        var store = try store(images: 2)
        try apply(&store, .addAnimation(LayerID(2), AnimationID(1), key: "c", crossFade(1, 2)))
        try apply(&store, at: 0.1, .releaseImage(ImageID(1)), .releaseImage(ImageID(2)))
        #expect(store.images.count == 2 && store.takeForgottenImages().isEmpty)
        store.present(at: 0.5)
        #expect(shown(store, 2).contents == ImageID(2))
        store.present(at: 1)
        #expect(shown(store, 2).contents == .none)
        #expect(store.images.isEmpty && store.imageBytes == 0)
        #expect(store.takeForgottenImages().map(\.rawValue).sorted() == [1, 2])
    }

    @Test("A layer that is destroyed takes its animations along; its place in the table serves again")
    func destroyed() throws {
        var store = try store(images: 1)
        for round in 1...4 {
            try apply(
                &store, at: Double(round),
                .addAnimation(LayerID(2), AnimationID(1), key: "a", fade(begin: Double(round))),
                .addAnimation(LayerID(2), AnimationID(2), key: "c", crossFade(1, 1)))
            if round % 2 == 0 { store.present(at: Double(round) + 0.25) }
            try apply(&store, at: Double(round) + 0.5, .destroyLayer(LayerID(2)))
            #expect(store.animationCount == 0 && store.images[ImageID(1)]?.uses == 0)
            try apply(
                &store, at: Double(round) + 0.5, .createLayer(LayerID(2), .layer),
                .setSublayers(LayerID(1), [LayerID(2)]))
            #expect(store.records.count == 2)
        }
        try apply(&store, at: 9, .addAnimation(LayerID(2), AnimationID(1), key: "a", fade(begin: 9)))
        #expect(store.animatedLayers.filter { $0.index == store.index(of: LayerID(2)) }.count == 1)
        store.present(at: 9.5)
        #expect(shown(store, 2).opacity == 0.5)
        store.present(at: 11)
        #expect(store.animatedLayers.isEmpty && shown(store, 2).opacity == 1)
    }

    @Test("A layer's time follows those above it; what is paused rests")
    func layerTime() throws {
        var store = try store()
        try apply(
            &store, .set(LayerID(1), .speed, .number(2)), .set(LayerID(2), .beginTime, .number(1)),
            .set(LayerID(2), .timeOffset, .number(0.25)),
            .addAnimation(LayerID(2), AnimationID(1), key: "a", fade(duration: 4)))
        // Above: 2 · t. Here: that - 1, plus 0.25; 0 before it begins.
        for (time, value) in [(0.25, 0.0), (0.5, 0.0625), (1.5, 0.5625)] {
            store.present(at: time)
            #expect(shown(store, 2).opacity == value, "at \(time)")
        }
        try apply(
            &store, at: 1.5, .set(LayerID(1), .speed, .number(0)), .set(LayerID(1), .timeOffset, .number(3)))
        store.present(at: 1.5)
        #expect(shown(store, 2).opacity == 0.5625)
        let generation = store.generation
        store.present(at: 100)
        #expect(shown(store, 2).opacity == 0.5625 && store.generation == generation)
        // Backwards: 3 seconds in at 100, less from then on.
        try apply(
            &store, at: 100, .set(LayerID(1), .speed, .number(-1)), .set(LayerID(1), .beginTime, .number(100)))
        store.present(at: 101)
        #expect(shown(store, 2).opacity == 0.3125)
    }

    @Test("The limits of a session and of a layer are errors that name the layer")
    func limits() throws {
        var limits = StoreLimits()
        limits.animationsOfLayer = 3
        limits.animations = 4
        limits.animationValues = 40
        var store = try store(limits: limits)
        for number in 1...3 {
            try apply(&store, .addAnimation(LayerID(2), AnimationID(UInt32(number)), key: "", fade()))
        }
        #expect(
            code { try apply(&store, .addAnimation(LayerID(2), AnimationID(4), key: "", fade())) } == .tooManyAnimations
        )
        #expect(
            code { try apply(&store, .addAnimation(LayerID(2), AnimationID(3), key: "", fade())) }
                == .duplicateAnimation)
        let long = AnimationDescription(
            .property(
                PropertyAnimation(
                    .property(.opacity), .keyframes(Keyframes([PropertyValue](repeating: .number(1), count: 40))))))
        #expect(
            code { try apply(&store, .addAnimation(LayerID(1), AnimationID(9), key: "", long)) } == .tooManyAnimations)
        #expect(store.animationTotals.values == 9, "what was refused is not counted")
        try apply(&store, .addAnimation(LayerID(1), AnimationID(9), key: "", fade()))
        #expect(
            code { try apply(&store, .addAnimation(LayerID(1), AnimationID(10), key: "", fade())) }
                == .tooManyAnimations)
        store.present(at: 5)
        #expect(store.animationTotals.count == 0 && store.animationTotals.values == 0)
    }

    @Test(
        "What is over makes room at the time of the next commit, though no frame was drawn since", arguments: [0, 1, 2])
    func room(limit: Int) throws {
        var limits = StoreLimits()
        switch limit {
        case 0: limits.animationsOfLayer = 3
        case 1: limits.animations = 3
        default: limits.animationValues = 9
        }
        var store = try store(limits: limits)
        func add(_ first: UInt32, at time: Double) throws {
            try apply(
                &store, at: time,
                .addAnimation(LayerID(2), AnimationID(first), key: "", fade(begin: time, duration: 1)),
                .addAnimation(LayerID(2), AnimationID(first + 1), key: "", fade(begin: time, duration: 1)),
                .addAnimation(LayerID(2), AnimationID(first + 2), key: "", fade(begin: time, duration: 1)))
        }
        try add(1, at: 0)
        #expect(code { try add(4, at: 0.9) } == .tooManyAnimations)
        try add(4, at: 1)
        #expect(store.animationTotals.count == 3)
    }

    @Test("It makes no difference whether a time is reached in steps or at once, rests and repeats included")
    func steps() throws {
        func make() throws -> LayerStore {
            var store = try store()
            var repeated = fade(from: 0.2, to: 0.8, begin: 0.3, duration: 0.4)
            repeated.timing.repeatCount = 2.5
            repeated.timing.autoreverses = true
            try apply(
                &store, .addAnimation(LayerID(2), AnimationID(1), key: "", repeated),
                .addAnimation(LayerID(2), AnimationID(2), key: "", fade(from: 1, to: 0.5, begin: 1.1, stays: true)),
                .addAnimation(LayerID(1), AnimationID(3), key: "", fade(begin: 0.2, duration: 0.1)))
            return store
        }
        var stepped = try make()
        for step in 0...60 {
            let time = Double(step) / 20
            stepped.present(at: time)
            var jumped = try make()
            jumped.present(at: time)
            #expect(shown(stepped, 1) == shown(jumped, 1) && shown(stepped, 2) == shown(jumped, 2), "at \(time)")
            #expect(stepped.animationCount == jumped.animationCount, "at \(time)")
        }
    }

    @Test("What is sampled in plain numbers is what the animation makes of a layer's values, to the last bit")
    func tracks() throws {
        let ends: [(AnimationTarget, PropertyValue, PropertyValue)] = [
            (.property(.opacity), .number(0.1), .number(0.7)),
            (.property(.position), .point(Point(3, 0.1)), .point(Point(-7.3, 99))),
            (.component(.position, .x), .number(0.1), .number(31)),
            (.component(.position, .y), .number(0.3), .number(-2)),
            (.property(.cornerRadius), .number(1.1), .number(9)), (.property(.borderWidth), .number(0), .number(3.3)),
            (.component(.transform, .rotationZ), .number(0.2), .number(5)),
        ]
        for (target, from, to) in ends {
            for base in [Transform.identity, .rotation(1, 1, 2, 3)] {
                var timing = AnimationTiming(beginTime: 0.25, duration: 0.7)
                timing.repeatCount = 2.5
                timing.autoreverses = true
                timing.fillMode = .forwards
                var description = AnimationDescription(
                    .property(PropertyAnimation(target, .basic(MotionEnds(from: from, to: to)))), timing: timing,
                    curve: .easeInEaseOut)
                description.isRemovedOnCompletion = false
                let animation = PreparedAnimation(description)
                var store = try store()
                try apply(
                    &store, .set(LayerID(2), .transform, .transform(base)),
                    .addAnimation(LayerID(2), AnimationID(1), key: "", description))
                for step in 0...90 {
                    let time = Double(step) / 20
                    var expected = LayerProperties()
                    expected.transform = base
                    animation.apply(to: &expected, at: time)
                    store.present(at: time)
                    #expect(shown(store, 2) == expected, "\(target) at \(time)")
                }
            }
        }
    }
}
