import Glibc
import LayerModel
import Testing

@Suite("Keyframes")
struct KeyframeTests {
    private func sample(
        _ frames: Keyframes, at time: Double, _ keyPath: String = "cornerRadius", curve: TimingCurve? = nil,
        isAdditive: Bool = false, isCumulative: Bool = false, repeats: Double = 1,
        _ setUp: (inout LayerProperties) -> Void = { _ in }
    ) throws -> LayerProperties {
        var animation = PropertyAnimation(try #require(AnimationTarget(keyPath: keyPath)), .keyframes(frames))
        animation.isAdditive = isAdditive
        animation.isCumulative = isCumulative
        var timing = AnimationTiming(duration: 1)
        timing.fillMode = .both
        timing.repeatCount = repeats
        var properties = LayerProperties()
        setUp(&properties)
        PreparedAnimation(AnimationDescription(.property(animation), timing: timing, curve: curve))
            .apply(to: &properties, at: time)
        return properties
    }

    private func frames(_ values: [Double], _ mode: Keyframes.Mode = .linear, _ times: [Double] = []) -> Keyframes {
        var frames = Keyframes(values.map { .number($0) })
        frames.mode = mode
        frames.keyTimes = times
        return frames
    }

    private func expect(
        _ frames: Keyframes, _ rows: [(Double, Double)], location: SourceLocation = #_sourceLocation
    ) throws {
        for (time, value) in rows {
            let sampled = try sample(frames, at: time).cornerRadius
            #expect(abs(sampled - value) < 1e-12, "at \(time): \(sampled), not \(value)", sourceLocation: location)
        }
    }

    @Test("Evenly spaced, or at key times that are as they must be")
    func times() throws {
        try expect(frames([0, 10, 40]), [(0, 0), (0.25, 5), (0.5, 10), (0.75, 25), (1, 40)])
        try expect(frames([0, 10, 40], .linear, [0, 0.8, 1]), [(0.4, 5), (0.8, 10), (0.9, 25)])
        // Too few, not from 0, not to 1, out of order, too many: even.
        for times in [[0, 1], [0.1, 0.8, 1], [0, 0.8, 0.9], [0, 1.5, 1], [0, -0.5, 1], [0, 0.3, 0.8, 1]] {
            try expect(frames([0, 10, 40], .linear, times), [(0.25, 5)])
        }
        // Two frames at once: a jump.
        try expect(frames([0, 10, 20, 30], .linear, [0, 0.5, 0.5, 1]), [(0.25, 5), (0.5, 20), (0.75, 25)])
        try expect(frames([7]), [(0, 7), (0.5, 7), (1, 7)])
    }

    @Test("Discrete frames are held")
    func discrete() throws {
        try expect(frames([1, 2, 3, 4], .discrete), [(0, 1), (0.24, 1), (0.25, 2), (0.6, 3), (0.75, 4), (1, 4)])
        try expect(frames([1, 2], .discrete, [0, 0.9, 1]), [(0.89, 1), (0.9, 2), (1, 2)])
        // As many times as values is not how it must be.
        try expect(frames([1, 2], .discrete, [0, 1]), [(0.49, 1), (0.5, 2)])
    }

    @Test("Paced frames are as far apart in time as in value; key times and curves don't count")
    func paced() throws {
        var paced = frames([0, 10, 40], .paced, [0, 0.9, 1])
        paced.curves = [.easeIn, .easeIn]
        try expect(paced, [(0.25, 10), (0.5, 20), (0.1, 4)])
        try expect(frames([3, 3, 3], .paced), [(0.5, 3)])
    }

    // Measured fact A1.
    @Test("A curve a segment, within the animation's own")
    func curves() throws {
        // Frames 0, 28 and 48 of 49.
        var motion = frames([75.86, 265.86, 75.86, 75.86], .linear, [0, 28.0 / 49, 48.0 / 49, 1])
        motion.curves = [TimingCurve(0.333, 0, 0.833, 0.833), TimingCurve(0.167, 0.167, 0.667, 1)]
        for (time, value) in [(0, 75.86), (0.25, 131.46), (0.5, 236.74), (0.75, 159.02), (1, 75.86)] {
            #expect(abs(try sample(motion, at: time).cornerRadius - value) < 0.01)
        }
        // The animation's curve maps the whole first.
        let eased = try sample(frames([0, 10, 40]), at: 0.5, curve: .easeIn).cornerRadius
        #expect(abs(eased - TimingCurve.easeIn.value(at: 0.5) * 20) < 1e-12)
    }

    // Semantic reference, §5.3.
    @Test("Cubic frames with tension, continuity and bias")
    func cubic() throws {
        var cubic = frames([0, 1, 4, 9], .cubic)
        try expect(cubic, [(0, 0), (0.5, 2.25), (1, 9), (1.0 / 3, 1)])
        cubic.tensions = [0, 1, 1, 0]
        try expect(cubic, [(0.5, 2.5)])
        cubic.tensions = []
        cubic.continuities = [0, 1, 0, 0]
        try expect(cubic, [(0.5, 2.125)])
        cubic.continuities = []
        cubic.biases = [0, 0, 1, 0]
        try expect(cubic, [(0.5, 2.375)])
        try expect(frames([0, 10, 10], .cubic), [(0.75, 10.625)])
    }

    private func path(_ build: (inout VectorPath) -> Void) -> Keyframes {
        var path = VectorPath()
        build(&path)
        var frames = Keyframes()
        frames.path = path
        return frames
    }

    private var corner: Keyframes {
        path {
            $0.move(to: .zero)
            $0.line(to: Point(10, 0))
            $0.line(to: Point(10, 90))
        }
    }

    private var arch: Keyframes {
        path {
            $0.move(to: .zero)
            $0.cubic(to: Point(100, 0), Point(0, 100), Point(100, 100))
        }
    }

    private func position(_ frames: Keyframes, _ mode: Keyframes.Mode, _ time: Double) throws -> Point {
        var frames = frames
        frames.mode = mode
        return try sample(frames, at: time, "position").position
    }

    @Test("Along a path: each segment takes as long as the next, or as its length")
    func paths() throws {
        #expect(try position(corner, .linear, 0.25) == Point(5, 0))
        #expect(try position(corner, .linear, 1) == Point(10, 90))
        let paced = try position(corner, .paced, 0.25)
        #expect(abs(paced.x - 10) < 1e-12 && abs(paced.y - 15) < 1e-9)
        #expect(try position(corner, .discrete, 0.6) == Point(10, 0))
        let linear = try position(arch, .linear, 0.25)
        #expect(abs(linear.x - 15.625) < 1e-12 && abs(linear.y - 56.25) < 1e-12)
        let even = try position(arch, .paced, 0.25)
        #expect(abs(even.x - 10.65) < 0.005 && abs(even.y - 48.46) < 0.005)
    }

    @Test("A move jumps; a close leads back")
    func pieces() throws {
        let twoLines = path {
            $0.move(to: .zero)
            $0.line(to: Point(10, 0))
            $0.move(to: Point(100, 100))
            $0.line(to: Point(100, 120))
            $0.close()
        }
        #expect(try position(twoLines, .linear, 0.5 - 1.0 / 6) == Point(100, 100))
        #expect(try position(twoLines, .linear, 0.5) == Point(100, 110))
        #expect(try position(twoLines, .linear, 1) == Point(100, 100))
        #expect(try sample(path { $0.move(to: Point(3, 3)) }, at: 0.5, "position").position == .zero)
    }

    @Test("Paths are added to the position, and each cycle goes on from the last")
    func addedPaths() throws {
        let added = try sample(corner, at: 0.5, "position", isAdditive: true) { $0.position = Point(1, 2) }
        #expect(added.position == Point(11, 2))
        let second = try sample(corner, at: 1.5, "position", isCumulative: true, repeats: 2)
        #expect(second.position == Point(20, 90))
    }

    @Test("Rotated with the path, before the layer's own transform")
    func rotation() throws {
        var north = path {
            $0.move(to: .zero)
            $0.line(to: Point(0, 10))
        }
        func entries(_ rotation: Keyframes.Rotation) throws -> [Double] {
            north.rotation = rotation
            let t = try sample(north, at: 0.5, "position") { $0.transform = .scale(2, 3, 1) }.transform
            return [t.m11, t.m12, t.m21, t.m22]
        }
        for (rotation, expected) in [
            (Keyframes.Rotation.auto, [0.0, 3, -2, 0]), (.autoReverse, [0, -3, 2, 0]), (.none, [2, 0, 0, 3]),
        ] {
            let found = try entries(rotation)
            #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 1e-12 }, "\(rotation): \(found)")
        }
        // Where the curve stands still, the way ahead counts.
        var still = path {
            $0.move(to: .zero)
            $0.cubic(to: Point(10, 10), .zero, Point(10, 10))
        }
        still.rotation = .auto
        let t = try sample(still, at: 0, "position").transform
        #expect(abs(t.m11 - 0.5.squareRoot()) < 1e-12 && abs(t.m12 - 0.5.squareRoot()) < 1e-12)
    }

    @Test("Paced curves are within a 400th of their length of where the true length puts them")
    func lengths() throws {
        // The arch's speed is 300 (s² + (1 - s)²), its length to s therefore 300 (s - s² + 2/3 s³); 200 in all.
        for part in stride(from: 0.05, to: 1, by: 0.05) {
            var (low, high) = (0.0, 1.0)
            for _ in 0..<60 {
                let s = (low + high) / 2
                if 300 * (s - s * s + 2 * s * s * s / 3) < part * 200 { low = s } else { high = s }
            }
            let r = 1 - low
            let expected = Point(300 * r * low * low + 100 * low * low * low, 300 * r * r * low + 300 * r * low * low)
            let found = try position(arch, .paced, part)
            #expect(abs(found.x - expected.x) < 0.5 && abs(found.y - expected.y) < 0.5, "\(part): \(found) \(expected)")
        }
    }

    @Test("Values of different kinds, and no values, change nothing")
    func nonsense() throws {
        #expect(try sample(Keyframes(), at: 0.5) == LayerProperties())
        #expect(try sample(Keyframes([.number(1), .bool(true)]), at: 0.5) == LayerProperties())
        #expect(try sample(Keyframes([.point(.zero)]), at: 0.5) == LayerProperties())
    }

    @Test("Images dissolve in linear frames and switch in discrete ones")
    func images() throws {
        var frames = Keyframes([.image(ImageID(1)), .image(ImageID(2)), .image(ImageID(3))])
        let mixed = try sample(frames, at: 0.75, "contents")
        #expect(mixed.contents == ImageID(3) && mixed.contentsFade == ContentsFade(from: ImageID(2), progress: 0.5))
        frames.mode = .discrete
        let held = try sample(frames, at: 0.5, "contents")
        #expect(held.contents == ImageID(2) && held.contentsFade == nil)
    }
}
