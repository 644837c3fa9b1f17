import Foundation
import LayerModel
import LayerRender
import LayerWire
import ReferenceCompositor
import Testing

/// Pictures that are carried about while they stay the same are drawn once: nobody may see it.
@Suite("Baking")
struct BakingTests {
    /// A random tree, and commits that move some of its layers by whole points again and again, fade others, and now and
    /// then change something.
    private struct Carried {
        let display: ReferenceDisplay
        var frames: [(transactions: [Transaction], time: Double)]

        init(seed: UInt64, options: RandomScene.Options) {
            let scene = RandomScene(seed: seed, options: options)
            display = scene.display
            frames = [(scene.transactions, 0)]
            var random = SplitMix64(seed: seed)
            var places: [LayerID: Point] = [:]
            var root = LayerID.none
            for op in scene.transactions.flatMap(\.ops) {
                switch op {
                case .setRoot(let layer): root = layer
                case .set(let layer, .position, .point(let place)): places[layer] = place
                default: break
                }
            }
            let layers = places.keys.filter { $0 != root }.sorted { $0.rawValue < $1.rawValue }
            guard !layers.isEmpty else { return }
            let carried = layers.filter { _ in random.chance(0.4) } + [random.pick(layers)]
            let changing = random.pick(layers)
            for number in 1...7 {
                var transaction = Transaction(time: Double(number) / 60)
                for layer in carried {
                    places[layer]!.x += Double(random.integer(-2...3))
                    places[layer]!.y += Double(random.integer(-2...3))
                    transaction.ops.append(.set(layer, .position, .point(places[layer]!)))
                    if random.chance(0.2) {
                        transaction.ops.append(.set(layer, .opacity, .number(random.pick([1, 0.75, 0.4]))))
                    }
                }
                if random.chance(0.2) {
                    transaction.ops.append(.set(changing, .cornerRadius, .number(random.pick([0, 3, 9]))))
                }
                frames.append(([transaction], Double(number) / 60))
            }
        }
    }

    @Test("What is carried about looks as if it were drawn anew: within 2 levels", arguments: 0..<60)
    func onIsOff(seed: UInt64) throws {
        let scene = Carried(seed: seed &+ 90_000, options: SwitchTests.mild)
        let on = try Drawing.shared.draw(frames: scene.frames, on: scene.display, bakesAll: true)
        let off = try Drawing.shared.draw(
            frames: scene.frames, on: scene.display, switches: .all.subtracting(.baking))
        for (number, (a, b)) in zip(on, off).enumerated() {
            let worst = zip(a.bytes, b.bytes).map { abs(Int($0) - Int($1)) }.enumerated().max { $0.1 < $1.1 }!
            let pixel = worst.offset / 4
            guard worst.element > 2 else { continue }
            Issue.record(
                """
                seed \(seed), frame \(number): \(worst.element) levels at \
                (\(pixel % a.size.width), \(pixel / a.size.width))
                \(a.plan.text)
                not baked: \(b.plan.text)
                """)
            return
        }
    }

    @Test("Baked frame by frame is baked at once: the same bytes", arguments: 0..<60)
    func stepsAreJumps(seed: UInt64) throws {
        let scene = Carried(
            seed: seed &+ 95_000, options: RandomScene.Options.all.subtracting(.crossings).union(.effects))
        let steps = try Drawing.shared.draw(frames: scene.frames, on: scene.display, bakesAll: true)
        for number in [3, steps.count - 1] where number < steps.count {
            let all = scene.frames[...number].flatMap(\.transactions)
            let jump = try Drawing.shared.draw(
                frames: [(all, scene.frames[number].time)], on: scene.display, bakesAll: true)[0]
            guard steps[number] != jump else { continue }
            let wrong = (0..<jump.bytes.count / 4).filter {
                jump.bytes[$0 * 4..<$0 * 4 + 4] != steps[number].bytes[$0 * 4..<$0 * 4 + 4]
            }
            let width = jump.size.width
            Issue.record(
                """
                seed \(seed), frame \(number): \(wrong.count) pixels differ, first (\(wrong[0] % width), \(wrong[0] / width))
                \(steps[number].plan.text)
                at once: \(jump.plan.text)
                """)
            return
        }
    }

    @Test("In such scenes much is baked")
    func isBaked() throws {
        var drawn = 0
        var laidDown = 0
        for seed in 0..<60 as Range<UInt64> {
            let scene = Carried(seed: seed &+ 90_000, options: SwitchTests.mild)
            for picture in try Drawing.shared.draw(frames: scene.frames, on: scene.display, bakesAll: true) {
                drawn += picture.plan.passes.filter { $0.reason == .baked }.count
                laidDown += picture.plan.slots.filter { $0.sprite != nil }.count
            }
        }
        #expect(drawn >= 25, "\(drawn) pictures baked")
        #expect(laidDown > drawn * 3 / 2, "\(laidDown) laid down, \(drawn) of them when they were drawn")
    }
}
