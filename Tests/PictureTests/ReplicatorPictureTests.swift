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
        try RandomFrames(seed &+ 80_000, Self.flat, "replicator").compare(at: [0])
    }

    @Test("Random trees with replicators and effects look as the reference says", arguments: 0..<30)
    func randomEffects(seed: UInt64) throws {
        let options = Self.flat.union([.shadows, .masks, .rasterization, .gradients, .shapes])
        try RandomFrames(seed &+ 81_000, options, "replicator").compare(at: [0])
    }

    @Test("Random trees with replicators in perspective look as the reference says", arguments: 0..<20)
    func randomDepth(seed: UInt64) throws {
        let options = RandomScene.Options.all.subtracting([.hardEdges, .crossings]).union(.replicators)
        try RandomFrames(seed &+ 82_000, options, "replicator").compare(at: [0])
    }

    @Test(
        "Animated random trees with replicators look as the reference says, with each instance at its own time",
        arguments: 0..<40)
    func animated(seed: UInt64) throws {
        try RandomFrames(seed &+ 83_000, Self.flat.union([.animations, .masks]), "replicator")
            .compare(at: RandomFrames.times(seed ^ 0x8E71))
    }

    @Test("A time that is jumped to shows the bytes that steps to it show, in every instance", arguments: 0..<20)
    func jump(seed: UInt64) throws {
        try RandomFrames(seed &+ 84_000, Self.flat.union([.animations, .shadows]), "replicator").compareJumps()
    }

    @Test("Frames with replicators that draw only what changed are those that draw all of it", arguments: 0..<20)
    func damage(seed: UInt64) throws {
        let options = Self.flat.union([.animations, .shadows, .filters, .rasterization])
        try RandomFrames(seed &+ 85_000, options, "replicator").compareDamage()
    }
}
