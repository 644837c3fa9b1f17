import Glibc
import LayerModel
import Testing

@Suite("Animated values")
struct AnimationValueTests {
    /// A layer's values at a time of one animation from 0 to 1 s, on top of others.
    private func sample(
        _ animation: PropertyAnimation, at time: Double, timing: AnimationTiming = AnimationTiming(duration: 1),
        curve: TimingCurve? = nil, _ setUp: (inout LayerProperties) -> Void = { _ in }
    ) -> LayerProperties {
        var properties = LayerProperties()
        setUp(&properties)
        var timing = timing
        timing.fillMode = .both
        PreparedAnimation(AnimationDescription(.property(animation), timing: timing, curve: curve))
            .apply(to: &properties, at: time)
        return properties
    }

    private func basic(
        _ keyPath: String, from: PropertyValue? = nil, to: PropertyValue? = nil, by: PropertyValue? = nil
    ) throws -> PropertyAnimation {
        PropertyAnimation(
            try #require(AnimationTarget(keyPath: keyPath)), .basic(MotionEnds(from: from, to: to, by: by)))
    }

    // Semantic reference, §5.1; the model value is 10.
    @Test(
        "From, to and by",
        arguments: [
            (2.0, 6.0, nil, 2.0, 6.0), (2, nil, 3, 2, 5), (nil, 6, 1, 5, 6), (2, nil, nil, 2, 10), (nil, 6, nil, 10, 6),
            (nil, nil, 4, 10, 14), (2, 6, 100, 2, 6),
        ] as [(Double?, Double?, Double?, Double, Double)])
    func ends(from: Double?, to: Double?, by: Double?, first: Double, last: Double) throws {
        let animation = try basic(
            "cornerRadius", from: from.map { .number($0) }, to: to.map { .number($0) }, by: by.map { .number($0) })
        for (time, value) in [(0, first), (0.25, first + (last - first) * 0.25), (1, last)] {
            #expect(abs(sample(animation, at: time) { $0.cornerRadius = 10 }.cornerRadius - value) < 1e-12)
        }
    }

    @Test("Additive values are added; what is missing is nothing")
    func additive() throws {
        var animation = try basic("position", from: .point(Point(-10, 4)))
        animation.isAdditive = true
        #expect(sample(animation, at: 0.5) { $0.position = Point(100, 50) }.position == Point(95, 52))
        var color = try basic("backgroundColor", to: .color(Color(0.5, 0, 0, 0.5)))
        color.isAdditive = true
        let sum = sample(color, at: 0.5) { $0.backgroundColor = Color(0.25, 0.5, 0, 0.5) }.backgroundColor
        #expect(sum == Color(0.5, 0.5, 0, 0.75))
    }

    @Test("Cumulative cycles go on from the last one's end; there and back they don't")
    func cumulative() throws {
        var animation = try basic("cornerRadius", from: .number(1), to: .number(5))
        animation.isCumulative = true
        var timing = AnimationTiming(duration: 1)
        timing.repeatCount = 3
        for (time, value) in [(0.5, 3.0), (1, 6), (1.5, 8), (2, 11), (3, 15)] {
            #expect(sample(animation, at: time, timing: timing).cornerRadius == value)
        }
        timing.autoreverses = true
        for (time, value) in [(1.0, 5.0), (2, 2), (3, 6), (4, 3)] {
            #expect(sample(animation, at: time, timing: timing).cornerRadius == value)
        }
    }

    /// Semantic reference, §4.2: the value and k times the end value of a cycle. §5.4: the duration cuts a spring's motion.
    @Test("Cumulative cycles of a spring that its duration cuts short join where they were cut")
    func cumulativeSprings() throws {
        let spring = SpringCurve()
        var animation = PropertyAnimation(
            try #require(AnimationTarget(keyPath: "cornerRadius")),
            .spring(MotionEnds(from: .number(2), to: .number(12)), spring))
        animation.isCumulative = true
        // The default spring, ω0 = 10 and ζ = 1/2, in closed form.
        func value(_ t: Double) -> Double {
            let swing = 75.0.squareRoot()
            return 2 + 10 * (1 - exp(-5 * t) * (cos(swing * t) + 5 / swing * sin(swing * t)))
        }
        var timing = AnimationTiming(duration: 0.1)
        timing.repeatCount = 4
        for (time, expected) in [
            (0.05, value(0.05)), (0.15, value(0.05) + value(0.1)), (0.35, value(0.05) + 3 * value(0.1)),
            (0.4, 4 * value(0.1)),
        ] {
            let shown = sample(animation, at: time, timing: timing).cornerRadius
            #expect(abs(shown - expected) < 1e-12, "\(time) s: \(shown), not \(expected)")
        }
        // There and back again, a cycle ends where it began.
        timing.autoreverses = true
        let shown = sample(animation, at: 0.25, timing: timing).cornerRadius
        #expect(abs(shown - (value(0.05) + 2)) < 1e-12, "\(shown)")
    }

    @Test("Each kind by its rule")
    func kinds() throws {
        let rect = sample(
            try basic("bounds", from: .rect(Rect(0, 0, 10, 20)), to: .rect(Rect(4, 8, 30, 60))), at: 0.25)
        #expect(rect.bounds == Rect(1, 2, 15, 30))
        // Straight, not premultiplied; nil is transparent black.
        let color = sample(
            try basic("backgroundColor", from: .color(nil), to: .color(Color(1, 0.5, 0, 1))), at: 0.5)
        #expect(color.backgroundColor == Color(0.5, 0.25, 0, 0.5))
        // True unless it is exactly 0.
        let hiding = try basic("hidden", from: .bool(false), to: .bool(true))
        #expect(!sample(hiding, at: 0).isHidden && sample(hiding, at: 0.01).isHidden && sample(hiding, at: 1).isHidden)
        let showing = try basic("hidden", from: .bool(true), to: .bool(false))
        #expect(
            sample(showing, at: 0).isHidden && sample(showing, at: 0.99).isHidden && !sample(showing, at: 1).isHidden)
        let contents = try basic("contents", from: .image(ImageID(1)), to: .image(ImageID(2)))
        let half = sample(contents, at: 0.25)
        #expect(half.contents == ImageID(2) && half.contentsFade == ContentsFade(from: ImageID(1), progress: 0.25))
        #expect(sample(contents, at: 0).contents == ImageID(1) && sample(contents, at: 0).contentsFade == nil)
        #expect(sample(contents, at: 1).contents == ImageID(2) && sample(contents, at: 1).contentsFade == nil)
        // Progress beyond 1 extrapolates.
        let curve = TimingCurve(0.5, 2, 0.5, 2)
        #expect(sample(try basic("opacity", from: .number(0), to: .number(1)), at: 0.7, curve: curve).opacity > 1)
    }

    @Test("Paths of equal structure go point by point; others show the second at once")
    func paths() throws {
        let (a, b) = (VectorPath(rect: Rect(0, 0, 10, 10)), VectorPath(rect: Rect(10, 20, 30, 10)))
        let path = sample(try basic("shadowPath", from: .path(a), to: .path(b)), at: 0.5).shadowPath
        #expect(path == VectorPath(rect: Rect(5, 10, 20, 10)))
        var line = VectorPath()
        line.move(to: .zero)
        line.line(to: Point(1, 1))
        #expect(sample(try basic("shadowPath", from: .path(a), to: .path(line)), at: 0.01).shadowPath == line)
    }

    private func isClose(_ a: Transform, _ b: Transform, _ bound: Double = 1e-12) -> Bool {
        zip(a.elements, b.elements).allSatisfy { abs($0 - $1) < bound }
    }

    @Test("Transforms by their parts: turned along the shortest arc, moved and scaled evenly")
    func transforms() throws {
        let to = Transform.scale(3, 3, 1).concatenating(.rotation(.pi / 2, 0, 0, 1)).concatenating(
            .translation(10, 20, 0))
        let half = sample(try basic("transform", from: .transform(.identity), to: .transform(to)), at: 0.5).transform
        let expected = Transform.scale(2, 2, 1).concatenating(.rotation(.pi / 4, 0, 0, 1)).concatenating(
            .translation(5, 10, 0))
        #expect(isClose(half, expected))
        // 270° one way is 90° the other.
        let far = Transform.rotation(1.5 * .pi, 0, 0, 1)
        let turned = sample(try basic("transform", from: .transform(.identity), to: .transform(far)), at: 0.5).transform
        #expect(isClose(turned, .rotation(-.pi / 4, 0, 0, 1)))
        // One without an inverse goes entry by entry.
        let flat = Transform.scale(0, 1, 1)
        let mixed = sample(try basic("transform", from: .transform(.identity), to: .transform(flat)), at: 0.5).transform
        #expect(isClose(mixed, .scale(0.5, 1, 1)))
    }

    @Test("A rotation by 2π as a number really spins, and leaves the rest of the transform as it is")
    func components() throws {
        let spin = try basic("transform.rotation.z", from: .number(0), to: .number(2 * .pi))
        let half = sample(spin, at: 0.5) { $0.transform = .scale(2, 2, 1).concatenating(.translation(7, 0, 0)) }
        #expect(
            isClose(
                half.transform,
                Transform.scale(2, 2, 1).concatenating(.rotation(.pi, 0, 0, 1)).concatenating(.translation(7, 0, 0))))
        let moved = sample(try basic("position.x", from: .number(0), to: .number(8)), at: 0.25) {
            $0.position = Point(1, 5)
        }
        #expect(moved.position == Point(2, 5))
        let grown = sample(try basic("bounds.size.width", from: .number(0), to: .number(8)), at: 0.25) {
            $0.bounds = Rect(1, 2, 3, 4)
        }
        #expect(grown.bounds == Rect(1, 2, 2, 4))
        let offset = sample(try basic("shadowOffset.height", from: .number(0), to: .number(8)), at: 0.25)
        #expect(offset.shadowOffset == Point(0, 2))
    }

    @Test("Inputs of filters by name or type; unknown ones change nothing")
    func filters() throws {
        let blur = try basic("filters.soft.inputRadius", from: .number(0), to: .number(8))
        let named = sample(blur, at: 0.5) { $0.filters = [LayerFilter(.gaussianBlur, name: "soft")] }
        #expect(named.filters[0].number(.inputRadius) == 4)
        let typed = sample(try basic("filters.gaussianBlur.inputRadius", to: .number(0)), at: 0.5) {
            $0.filters = [LayerFilter(.colorInvert), LayerFilter(.gaussianBlur)]
        }
        #expect(typed.filters[1].number(.inputRadius) == 5)
        let behind = try basic("backgroundFilters.x.inputColor", from: .color(.black), to: .color(.white))
        let tinted = sample(behind, at: 0.5) { $0.backgroundFilters = [LayerFilter(.multiplyColor, name: "x")] }
        #expect(tinted.backgroundFilters[0].color(.inputColor) == Color(0.5, 0.5, 0.5, 1))
        #expect(sample(blur, at: 0.5).filters.isEmpty)
    }

    @Test("Values of another kind change nothing")
    func wrongKinds() throws {
        let wrong = try basic("opacity", from: .point(.zero), to: .point(Point(1, 1)))
        #expect(sample(wrong, at: 0.5) == LayerProperties())
        let mixed = try basic("opacity", from: .number(0), to: .bool(true))
        #expect(sample(mixed, at: 0.5) == LayerProperties())
        #expect(sample(try basic("opacity"), at: 0.5) == LayerProperties())
    }

    @Test(
        "Key paths name what they animate, and nothing else",
        arguments: [
            ("opacity", true), ("position.x", true), ("bounds.origin.y", true), ("transform.rotation", true),
            ("transform.scale.xy", true), ("sublayerTransform.translation", true), ("filters.a.b.inputRadius", true),
            ("opacity.x", false), ("position.width.x", false), ("frame", false), ("contentsGravity", false),
            ("transform.rotation.w", false), ("filters.a", false), ("", false), (".", false), ("bounds.size.x", false),
            ("name", false), ("mask", false),
        ])
    func keyPaths(path: String, isKnown: Bool) {
        #expect((AnimationTarget(keyPath: path) != nil) == isKnown)
        guard isKnown, path != "transform.rotation" else { return }
        #expect(AnimationTarget(keyPath: path)?.keyPath == path)
    }

    // Semantic reference, §5.2.
    @Test("Value functions make transforms; additive ones come before the layer's own")
    func functions() throws {
        var turn = try basic("transform", from: .number(0), to: .number(.pi))
        turn.function = .rotateZ
        #expect(isClose(sample(turn, at: 0.5).transform, .rotation(.pi / 2, 0, 0, 1)))
        turn.isAdditive = true
        let layer = Transform.translation(10, 0, 0)
        #expect(
            isClose(
                sample(turn, at: 0.5) { $0.transform = layer }.transform,
                Transform.rotation(.pi / 2, 0, 0, 1).concatenating(layer)))
        var grow = try basic("transform", to: .numbers([3, 5, 1]))
        grow.function = .scale
        #expect(isClose(sample(grow, at: 0.5).transform, .scale(2, 3, 1)))
        for function in ValueFunction.allCases {
            #expect(isClose(try #require(function.transform(of: function.neutral)), .identity))
        }
    }

    /// Begin and duration of a member in a group of 4 s, the speed of the group, and what is held of 0 to 10 after the group's end.
    @Test(
        "A group that is held holds the ends of the members that end with it, whatever their fill modes",
        arguments: [
            (0.0, 4.0, 10.0), (0.1, 3.9, 10), (1.3, 2.7, 10), (0, 3, 0), (2, 4, 5), (0, 0.5, 0),
        ])
    func held(begin: Double, duration: Double, value: Double) throws {
        let member = AnimationDescription(
            .property(try basic("cornerRadius", from: .number(0), to: .number(10))),
            timing: AnimationTiming(beginTime: begin, duration: duration))
        // As a member of the group, and of a group in it.
        let inner = AnimationDescription(.group([member]), timing: AnimationTiming(beginTime: 0, duration: 4))
        for content in [[member], [inner]] {
            var group = AnimationDescription(.group(content), timing: AnimationTiming(beginTime: 1, duration: 4))
            func shown(at time: Double) -> Double {
                var properties = LayerProperties()
                PreparedAnimation(group).apply(to: &properties, at: time)
                return properties.cornerRadius
            }
            #expect(shown(at: 9) == 0)
            group.timing.fillMode = .forwards
            #expect(abs(shown(at: 9) - value) < 1e-9)
            // Turned back there, it is there for a moment.
            group.timing.autoreverses = true
            #expect(abs(shown(at: 5) - value) < 1e-9 && shown(at: 9) == 0)
            // Standing at its end.
            (group.timing.autoreverses, group.timing.speed, group.timing.timeOffset) = (false, 0, 4)
            #expect(abs(shown(at: 3) - value) < 1e-9)
        }
    }

    @Test("Animations apply in order; a group's children live in its time and are cut off by it")
    func groups() throws {
        var inner = AnimationDescription(
            .property(try basic("cornerRadius", from: .number(0), to: .number(10))),
            timing: AnimationTiming(beginTime: 1, duration: 4))
        inner.timing.fillMode = .removed
        var group = AnimationDescription(.group([inner]), timing: AnimationTiming(beginTime: 5, duration: 3))
        func value(at time: Double) -> Double {
            var properties = LayerProperties()
            PreparedAnimation(group).apply(to: &properties, at: time)
            return properties.cornerRadius
        }
        #expect(value(at: 5.5) == 0 && value(at: 6) == 0 && value(at: 7) == 2.5 && value(at: 7.5) == 3.75)
        // Cut, not scaled; nothing holds the end.
        #expect(value(at: 8) == 0)
        group.timing.fillMode = .forwards
        #expect(value(at: 8) == 5)
        // The group's curve comes first.
        group.curve = TimingCurve(0.42, 0, 1, 1)
        #expect(
            abs(value(at: 6.5) - (3 * TimingCurve.easeIn.value(at: 0.5) - 1) / 4 * 10) < 1e-12 || value(at: 6.5) == 0)
        group.timing.repeatCount = 2
        group.curve = nil
        #expect(value(at: 10) == 2.5)
    }
}
