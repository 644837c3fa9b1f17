import CoreAnimation
import Foundation
import LayerModel
import LayerRender
import LayerWire
import Quartz2D
import ReferenceCompositor
import Rostrum
import Testing

/// Replicators through the whole road, and against the reference.
@Suite("Replicators, drawn")
struct ReplicatorPictureTests {
    private static func color(_ r: Double, _ g: Double, _ b: Double, _ a: Double = 1) -> CGColor {
        CGColor(red: r, green: g, blue: b, alpha: a)
    }

    @Test("Instances are the picture of layers that are written out one by one")
    func writtenOut() throws {
        let count = 8
        func bar(_ color: CGColor) -> CALayer {
            let bar = CALayer()
            bar.bounds = CGRect(x: 0, y: 0, width: 8, height: 24)
            bar.position = CGPoint(x: 50, y: 20)
            bar.cornerRadius = 4
            bar.backgroundColor = color
            return bar
        }
        let repeated = try ServedPicture.draw(
            Staging(100, 100, background: Self.color(1, 1, 1)) { root in
                let spinner = CAReplicatorLayer()
                spinner.frame = CGRect(x: 0, y: 0, width: 100, height: 100)
                spinner.instanceCount = count
                spinner.instanceTransform = CATransform3DMakeRotation(2 * .pi / CGFloat(count), 0, 0, 1)
                spinner.instanceColor = Self.color(1, 0.9, 0.5)
                spinner.instanceRedOffset = -0.1
                spinner.instanceBlueOffset = 0.05
                spinner.addSublayer(bar(Self.color(1, 0.5, 1)))
                root.addSublayer(spinner)
            })
        let written = try ServedPicture.draw(
            Staging(100, 100, background: Self.color(1, 1, 1)) { root in
                for k in 0..<count {
                    let arm = CALayer()
                    arm.frame = CGRect(x: 0, y: 0, width: 100, height: 100)
                    arm.transform = CATransform3DMakeRotation(2 * .pi / CGFloat(count) * CGFloat(k), 0, 0, 1)
                    let red = 1 - 0.1 * Double(k)
                    arm.addSublayer(bar(Self.color(red, 0.45, min(0.5 + 0.05 * Double(k), 1))))
                    root.addSublayer(arm)
                }
            })
        var most = 0
        for (a, b) in zip(repeated.pixels.bytes, written.pixels.bytes) { most = max(most, abs(Int(a) - Int(b))) }
        #expect(most <= 1, "\(most) levels apart\n\(repeated.plan)")
    }

    @Test("Masks and clips are around all instances")
    func clip() throws {
        let picture = try ServedPicture.draw(
            Staging(60, 20) { root in
                let row = CAReplicatorLayer()
                row.frame = CGRect(x: 0, y: 0, width: 45, height: 20)
                row.masksToBounds = true
                row.instanceCount = 3
                row.instanceTransform = CATransform3DMakeTranslation(20, 0, 0)
                let dot = CALayer()
                dot.frame = CGRect(x: 0, y: 0, width: 10, height: 20)
                dot.backgroundColor = Self.color(1, 0, 0)
                row.addSublayer(dot)
                root.addSublayer(row)
            }
        ).pixels
        for x in 0..<60 {
            let isRed = x < 45 && x % 20 < 10
            #expect(picture.premultiplied(x, 10) == (isRed ? [255, 0, 0, 255] : [0, 0, 0, 0]), "column \(x)")
        }
    }

    // MARK: Against the reference

    private static let flat = RandomScene.Options.all.subtracting([.depth, .crossings, .hardEdges])
        .union(.replicators)

    @Test("Random trees with replicators look as the reference says", arguments: 0..<40)
    func randomTrees(seed: UInt64) throws {
        try compare(RandomScene(seed: seed &+ 80_000, options: Self.flat), at: [0], seed)
    }

    @Test("Random trees with replicators and effects look as the reference says", arguments: 0..<30)
    func randomEffects(seed: UInt64) throws {
        let options = Self.flat.union([.shadows, .masks, .rasterization, .shapes, .gradients])
        try compare(RandomScene(seed: seed &+ 81_000, options: options), at: [0], seed)
    }

    @Test("Random trees with replicators in perspective look as the reference says", arguments: 0..<20)
    func randomDepth(seed: UInt64) throws {
        let options = RandomScene.Options.all.subtracting([.hardEdges, .crossings]).union(.replicators)
        try compare(RandomScene(seed: seed &+ 82_000, options: options), at: [0], seed)
    }

    @Test(
        "Animated random trees with replicators look as the reference says, with each instance at its own time",
        arguments: 0..<40)
    func animated(seed: UInt64) throws {
        var random = SplitMix64(seed: seed ^ 0x8E71)
        let times = [
            random.number(0.02, 0.38), random.number(0.42, 0.73), random.number(0.77, 1.2), random.number(1.2, 1.8), 9,
        ]
        try compare(
            RandomScene(seed: seed &+ 83_000, options: Self.flat.union([.animations, .masks])), at: times, seed)
    }

    @Test("A time that is jumped to shows the bytes that steps to it show, in every instance", arguments: 0..<20)
    func jump(seed: UInt64) throws {
        let random = RandomScene(seed: seed &+ 84_000, options: Self.flat.union([.animations, .shadows]))
        let steps = (0...24).map { Double($0) / 16 }
        let stepped = try Drawing.shared.draw(frames: frames(random, at: steps), on: random.display)
        for number in [5, 9, 14, 24] {
            let jumped = try Drawing.shared.draw(frames: frames(random, at: [steps[number]]), on: random.display)[0]
            let wrong = stepped[number].differing(from: jumped)
            #expect(wrong == 0, "seed \(seed) at \(steps[number]): \(wrong) bytes differ")
        }
    }

    @Test("Frames with replicators that draw only what changed are those that draw all of it", arguments: 0..<20)
    func damage(seed: UInt64) throws {
        let random = RandomScene(
            seed: seed &+ 85_000, options: Self.flat.union([.animations, .shadows, .filters, .rasterization]))
        let frames = frames(random, at: (0...18).map { Double($0) / 12 })
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

    /// Frames at times, each with the commits that come before it.
    private func frames(_ scene: RandomScene, at times: [Double]) -> [(transactions: [Transaction], time: Double)] {
        var left = scene.transactions[...]
        return times.map { time in
            let due = left.prefix { $0.time <= time }
            left = left.dropFirst(due.count)
            return (Array(due), time)
        }
    }

    private func compare(_ random: RandomScene, at times: [Double], _ seed: UInt64) throws {
        let frames = frames(random, at: times)
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
            if strict.offenseCount <= 32, difference(inside: 4, blur: 5).isWithinTolerance { continue }
            let path = picture.write("replicator-\(seed)")
            Issue.record("seed \(seed) at \(frame.time): \(strict.description)\n\(picture.plan.text)picture: \(path)")
            return
        }
    }
}
