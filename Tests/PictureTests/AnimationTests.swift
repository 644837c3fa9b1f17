import LayerModel
import LayerRender
import LayerWire
import ReferenceCompositor
import Testing

@Suite("Pictures of animations")
struct AnimationTests {
    /// Effects that a level more or less changes by more than that have no part: what is animated here are shares.
    private static let options = RandomScene.Options.all.subtracting([.depth, .crossings, .hardEdges])
        .union([.animations, .shadows, .masks, .rasterization])

    /// Between and after the commits; the last ones when most is over.
    private static func times(_ seed: UInt64) -> [Double] {
        var random = SplitMix64(seed: seed ^ 0x71E5)
        return [
            random.number(0.02, 0.38), random.number(0.42, 0.73), random.number(0.77, 1.2), random.number(1.2, 1.8), 9,
        ]
    }

    /// Frames at times, each with the commits that come before it.
    private static func frames(_ scene: RandomScene, at times: [Double]) -> [(
        transactions: [Transaction], time: Double
    )] {
        var left = scene.transactions[...]
        return times.map { time in
            let due = left.prefix { $0.time <= time }
            left = left.dropFirst(due.count)
            return (Array(due), time)
        }
    }

    @Test("Animated random trees look as the reference says, at random times", arguments: 0..<60)
    func animated(seed: UInt64) throws {
        try compare(RandomScene(seed: seed &+ 60_000, options: Self.options), seed)
    }

    @Test("Animated random trees with perspective and backdrops look as the reference says", arguments: 0..<20)
    func animatedDepth(seed: UInt64) throws {
        try compare(
            RandomScene(
                seed: seed &+ 61_000, options: Self.options.union([.depth, .backdrops]).subtracting(.rasterization)),
            seed)
    }

    private func compare(_ random: RandomScene, _ seed: UInt64) throws {
        let frames = Self.frames(random, at: Self.times(seed))
        let pictures = try Drawing.shared.draw(frames: frames, on: random.display)
        let scene = ReferenceScene(display: random.display)
        for (picture, frame) in zip(pictures, frames) {
            for transaction in frame.transactions { try scene.apply(transaction) }
            scene.present(at: frame.time)
            let reference = ReferenceCompositor.render(scene)
            func difference(inside: Int, blur: Int = 3) -> ImageDifference {
                ImageDifference(
                    picture.bytes, bytesPerRow: picture.size.width * 4, to: reference, scene: scene,
                    tolerance: .init(inside: inside, edge: 20, blur: blur))
            }
            let strict = difference(inside: 2)
            if strict.isWithinTolerance { continue }
            if strict.offenseCount <= 4, difference(inside: 3, blur: 4).isWithinTolerance { continue }
            // Each mix of two pictures is rounded once more, and they lie in one another.
            if strict.offenseCount <= 32, difference(inside: 4, blur: 5).isWithinTolerance { continue }
            let path = picture.write("animated-\(seed)")
            let layers = Set(strict.drawings.map(\.layer))
            let ops = random.transactions.flatMap(\.ops).filter { op in
                switch op {
                case .set(let layer, _, _), .setSublayers(let layer, _), .addAnimation(let layer, _, _, _):
                    layers.contains(layer)
                default: false
                }
            }
            Issue.record(
                """
                seed \(seed) at \(frame.time): \(strict.description)
                \(ops.map { RecordingText.text($0) }.joined(separator: "\n"))
                \(picture.plan.text)picture: \(path)
                """)
            return
        }
    }

    @Test("A time that is jumped to shows the bytes that steps to it show", arguments: 0..<30)
    func jump(seed: UInt64) throws {
        let random = RandomScene(seed: seed &+ 62_000, options: Self.options.union([.filters, .compositingModes]))
        let steps = (0...24).map { Double($0) / 16 }
        let stepped = try Drawing.shared.draw(frames: Self.frames(random, at: steps), on: random.display)
        for number in [5, 9, 14, 24] {
            let jumped = try Drawing.shared.draw(
                frames: Self.frames(random, at: [steps[number]]), on: random.display)[0]
            let wrong = stepped[number].differing(from: jumped)
            #expect(wrong == 0, "seed \(seed) at \(steps[number]): \(wrong) bytes differ")
        }
    }

    @Test("Frames of animations that draw only what changed are those that draw all of it", arguments: 0..<30)
    func damage(seed: UInt64) throws {
        let random = RandomScene(
            seed: seed &+ 63_000, options: Self.options.union([.filters, .compositingModes, .backdrops]))
        let frames = Self.frames(random, at: (0...18).map { Double($0) / 12 })
        let some = try Drawing.shared.draw(frames: frames, on: random.display)
        let all = try Drawing.shared.draw(frames: frames, on: random.display, switches: .all.subtracting(.damage))
        for (number, frame) in frames.enumerated() {
            let wrong = some[number].differing(from: all[number])
            if wrong > 0 {
                Issue.record("seed \(seed) at \(frame.time): \(wrong) bytes differ\n\(some[number].plan.text)")
                return
            }
        }
    }
}

extension Picture {
    /// How many bytes are not the same.
    func differing(from other: Picture) -> Int {
        zip(bytes, other.bytes).reduce(0) { $0 + ($1.0 == $1.1 ? 0 : 1) }
    }
}
