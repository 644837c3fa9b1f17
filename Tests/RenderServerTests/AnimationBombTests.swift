import LayerModel
import LayerWire
import RenderServer
import Testing

extension RawClient {
    /// Waits until a commit is dealt with; returns what was wrong with it.
    @discardableResult
    fileprivate func awaitCredit() -> [Fault] {
        var faults: [Fault] = []
        while let reply = next(seconds: 20) {
            switch reply.message {
            case .fault(let fault): faults.append(fault)
            case .credits: return faults
            default: break
            }
        }
        return faults
    }
}

extension ServerTests {
    /// Animations that ask for too much, for ever, or for times that no clock has.
    @Suite("Animation bombs")
    struct AnimationBombTests {
        let server = LiveServer.shared
        let witness: Witness

        init() throws { witness = try Witness(.shared) }

        private static let tree: [TransactionOp] =
            [
                .createLayer(LayerID(1), .layer), .createLayer(LayerID(2), .layer),
                .set(LayerID(1), .backgroundColor, .color(Color(0, 0, 1))), .setSublayers(LayerID(1), [LayerID(2)]),
                .setRoot(LayerID(1)),
            ] + place(LayerID(1), 16, 16, at: Point(8, 8)) + place(LayerID(2), 8, 8, at: Point(8, 8))

        private static func basic(_ timing: AnimationTiming) -> AnimationDescription {
            AnimationDescription(
                .property(
                    PropertyAnimation(
                        .property(.position),
                        .basic(MotionEnds(from: .point(.zero), to: .point(Point(16, 16)))))), timing: timing)
        }

        private static func keyframes(_ frames: Keyframes, _ timing: AnimationTiming) -> AnimationDescription {
            AnimationDescription(
                .property(PropertyAnimation(.property(.opacity), .keyframes(frames))), timing: timing)
        }

        /// A session with a tree; what `attack` does to it, then captures at some times, each in bounded time.
        private func survives(
            _ what: Comment, within limit: Double = 3, refusing code: TransactionError.Code? = nil,
            _ location: SourceLocation = #_sourceLocation,
            _ attack: (RawClient) throws -> Void
        ) throws {
            let client = try RawClient(server)
            try client.greet()
            client.commit(Self.tree)
            client.awaitCredit()
            try attack(client)
            for time in [0, 0.5, 1e6] {
                var answer: (frame: FrameReply?, faults: [Fault])?
                let took = seconds { answer = client.capture(at: time) }
                #expect(took < limit, "\(took) s at \(time): \(what)", sourceLocation: location)
                if time == 0 {
                    #expect(
                        answer?.faults.allSatisfy { $0.code == code.map { $0.rawValue + 100 } } == true,
                        "\(answer?.faults ?? []) \(what)", sourceLocation: location)
                }
                let frame = try #require(answer?.frame, "no frame at \(time): \(what)", sourceLocation: location)
                client.release(frame)
            }
            client.commit([
                .destroyLayer(LayerID(2)), .set(LayerID(1), .backgroundColor, .color(Color(1, 0, 0))),
            ])
            let frame = try #require(client.capture(at: 2e6)?.frame, what, sourceLocation: location)
            #expect(Array(client.pixels(of: frame).prefix(4)) == [0, 0, 255, 255], what, sourceLocation: location)
            client.vanish()
            try witness.check(location)
        }

        @Test("Animations without end: as many as a session may have, then refusals, and the session goes on")
        func tooMany() throws {
            try survives("too many", within: 10) { client in
                let animation = Self.basic(AnimationTiming(duration: 0.25))
                var next: UInt32 = 1
                var refusals = 0
                client.commit((0..<1_100).map { .createLayer(LayerID($0 + 10), .layer) })
                client.awaitCredit()
                // A thousand layers with a hundred each are all that fit.
                for _ in 0..<110 {
                    var ops: [TransactionOp] = []
                    for _ in 0..<1_000 {
                        ops.append(
                            .addAnimation(LayerID((next - 1) / 100 + 10), AnimationID(next), key: "", animation))
                        next += 1
                    }
                    client.commit(ops)
                    for fault in client.awaitCredit() {
                        refusals += 1
                        #expect(fault.code == TransactionError.Code.tooManyAnimations.rawValue + 100, "\(fault)")
                    }
                }
                #expect(refusals == 10)
            }
        }

        @Test("Timing that no clock has ends the session, at its place")
        func unsound() throws {
            let numbers: [WritableKeyPath<AnimationTiming, Double>: [Double]] = [
                \.duration: [0, -1, .nan], \.beginTime: [.nan, .infinity], \.timeOffset: [.nan, -.infinity],
                \.speed: [.nan, .infinity], \.repeatCount: [.nan, -1], \.repeatDuration: [.nan, -1],
            ]
            for (path, values) in numbers {
                for value in values {
                    let client = try RawClient(server)
                    try client.greet()
                    var timing = AnimationTiming(duration: 1)
                    timing[keyPath: path] = value
                    client.commit(Self.tree + [.addAnimation(LayerID(2), AnimationID(1), key: "", Self.basic(timing))])
                    let fault = try #require(client.lastWords(), "\(path) \(value) was taken")
                    #expect(
                        fault.code == ProtocolError.Code.badValue.rawValue && fault.isFatal,
                        "\(path) \(value): \(fault)")
                    #expect(fault.op == UInt32(Self.tree.count), "\(path) \(value): \(fault)")
                }
            }
            try witness.check()
        }

        @Test("Timing at the end of what numbers can say is sampled")
        func extremeTiming() throws {
            let tiny = Double.leastNonzeroMagnitude
            let huge = 1e308
            try survives("extreme timing") { client in
                var ops: [TransactionOp] = []
                var next: UInt32 = 1
                for begin in [0, 1e300, -1e300, tiny] {
                    for duration in [1, tiny, 1e-300, huge, .infinity] {
                        for (speed, offset) in [
                            (1.0, 0.0), (0, 0.5), (0, huge), (-1, 1), (-1, huge), (huge, -huge), (tiny, 0),
                        ] {
                            for (count, length) in [(0.0, 0.0), (.infinity, 0), (1e9, 0), (0, .infinity), (huge, tiny)]
                            {
                                var timing = AnimationTiming(beginTime: begin, duration: duration)
                                (timing.speed, timing.timeOffset) = (speed, offset)
                                (timing.repeatCount, timing.repeatDuration) = (count, length)
                                timing.autoreverses = next % 2 == 0
                                timing.fillMode = .both
                                var frames = Keyframes([.number(0.2), .number(1), .number(0.4)])
                                frames.mode = Keyframes.Mode.allCases[Int(next) % 5]
                                var animation =
                                    next % 3 == 0 ? Self.basic(timing) : Self.keyframes(frames, timing)
                                if case .property(var property) = animation.content {
                                    property.isCumulative = next % 4 == 0
                                    property.isAdditive = next % 5 == 0
                                    animation.content = .property(property)
                                }
                                animation.isRemovedOnCompletion = next % 7 == 0
                                ops.append(.addAnimation(LayerID(2), AnimationID(next), key: "", animation))
                                next += 1
                            }
                        }
                    }
                }
                client.commit(ops)
            }
        }

        @Test("Times of layers at the end of what numbers can say")
        func extremeLayerTimes() throws {
            for number in [1e300, -1e300, 1e308, -1, 0, Double.leastNonzeroMagnitude] {
                try survives("layer times \(number)") { client in
                    var timing = AnimationTiming(duration: 1)
                    timing.repeatCount = .infinity
                    client.commit([
                        .set(LayerID(1), .speed, .number(number)), .set(LayerID(1), .timeOffset, .number(number)),
                        .set(LayerID(2), .beginTime, .number(number)), .set(LayerID(2), .speed, .number(-number)),
                        .addAnimation(LayerID(2), AnimationID(1), key: "", Self.basic(timing)),
                        .addAnimation(
                            LayerID(2), AnimationID(2), key: "",
                            AnimationDescription(.transition(LayerTransition(.push)), timing: timing)),
                    ])
                }
            }
        }

        @Test("Key times out of order, too many, too few, and outside of 0…1 are sampled as if there were none")
        func keyTimes() throws {
            try survives("key times") { client in
                var next: UInt32 = 1
                var ops: [TransactionOp] = []
                for times in [
                    [0, 0.9, 0.1, 1], [1, 0], [5, -5, 1e300, 2], [0, 0, 0, 0], [0.5], [0, 1, 1, 1, 1, 1],
                ] {
                    for mode in Keyframes.Mode.allCases {
                        var frames = Keyframes([.number(0), .number(1), .number(0.5), .number(1)])
                        frames.keyTimes = times
                        frames.mode = mode
                        frames.tensions = [1e300, -1e300]
                        ops.append(
                            .addAnimation(
                                LayerID(2), AnimationID(next), key: "",
                                Self.keyframes(frames, AnimationTiming(duration: 1))))
                        next += 1
                    }
                }
                client.commit(ops)
            }
        }

        @Test("A hundred thousand key frames, and a path of as many curves")
        func longKeyframes() throws {
            try survives("100,000 key frames", within: 5) { client in
                let values = (0..<100_000).map { PropertyValue.number(Double($0 % 10) / 10) }
                for (index, mode) in Keyframes.Mode.allCases.enumerated() {
                    var frames = Keyframes(values)
                    frames.mode = mode
                    client.commit([
                        .addAnimation(
                            LayerID(2), AnimationID(UInt32(index + 1)), key: "",
                            Self.keyframes(frames, AnimationTiming(duration: 1)))
                    ])
                    #expect(client.awaitCredit().isEmpty)
                }
                var path = VectorPath()
                path.move(to: .zero)
                for step in 0..<15_000 {
                    let x = Double(step % 17)
                    path.cubic(to: Point(x, 3), Point(x, 9), Point(16 - x, 5))
                }
                var frames = Keyframes()
                frames.path = path
                frames.mode = .paced
                frames.rotation = .auto
                let animation = AnimationDescription(
                    .property(PropertyAnimation(.property(.position), .keyframes(frames))),
                    timing: AnimationTiming(duration: 1))
                client.commit([.addAnimation(LayerID(2), AnimationID(9), key: "", animation)])
            }
        }

        @Test("Groups in groups, sixteen deep; one more is refused")
        func nestedGroups() throws {
            func nested(_ depth: Int) -> AnimationDescription {
                (0..<depth).reduce(Self.basic(AnimationTiming(duration: 1))) { inner, _ in
                    AnimationDescription(.group([inner]), timing: AnimationTiming(duration: 1))
                }
            }
            try survives("sixteen groups") { client in
                client.commit([.addAnimation(LayerID(2), AnimationID(1), key: "", nested(16))])
            }
            let client = try RawClient(server)
            try client.greet()
            client.commit(Self.tree)
            client.commit([.addAnimation(LayerID(2), AnimationID(1), key: "", nested(17))])
            let answer = try #require(client.capture())
            #expect(answer.faults.map(\.code) == [ProtocolError.Code.limit.rawValue], "\(answer.faults)")
            #expect(answer.faults.first?.op == 0 && answer.frame != nil)
            client.vanish()
            try witness.check()
        }

        @Test("Transitions on all layers at once, again and again: counted, nested so far, and gone with the layers")
        func transitions() throws {
            try survives("transitions", within: 10, refusing: .tooManyLayers) { client in
                let ids = (10..<210 as Range<UInt32>).map { LayerID($0) }
                client.commit(
                    ids.map { .createLayer($0, .layer) }
                        + ids.flatMap { place($0, 8, 8, at: Point(4, 4)) }
                        + zip(ids, ids.dropFirst()).map { .setSublayers($0, [$1]) }
                        + [.setSublayers(LayerID(2), [ids[0]])])
                for round in 0..<8 as Range<UInt32> {
                    client.commit(
                        ids.suffix(40).flatMap { id -> [TransactionOp] in
                            [
                                .set(id, .backgroundColor, .color(Color(Double(round) / 8, 0, 1))),
                                .addAnimation(
                                    id, AnimationID(round + 1), key: "transition",
                                    AnimationDescription(
                                        .transition(LayerTransition(round % 2 == 0 ? .fade : .push)),
                                        timing: AnimationTiming(beginTime: 0, duration: 100))),
                            ]
                        })
                    // The copies of copies are too many soon: then the commit is refused.
                    for fault in client.awaitCredit() {
                        #expect(fault.code == TransactionError.Code.tooManyLayers.rawValue + 100, "\(fault)")
                    }
                }
            }
        }
    }
}
