import ReferenceCompositor
import Testing

@Suite("Pictures of animations")
struct AnimationTests {
    /// Effects that a level more or less changes by more than that have no part: what is animated here are shares.
    private static let options = RandomScene.Options.all.subtracting([.depth, .crossings, .hardEdges])
        .union([.animations, .shadows, .masks, .rasterization])

    @Test("Animated random trees look as the reference says, at random times", arguments: 0..<60)
    func animated(seed: UInt64) throws {
        try RandomFrames(seed &+ 60_000, Self.options, "animated").compare(at: RandomFrames.times(seed ^ 0x71E5))
    }

    @Test("Animated random trees with perspective and backdrops look as the reference says", arguments: 0..<20)
    func animatedDepth(seed: UInt64) throws {
        let options = Self.options.union([.depth, .backdrops]).subtracting(.rasterization)
        try RandomFrames(seed &+ 61_000, options, "animated").compare(at: RandomFrames.times(seed ^ 0x71E5))
    }

    @Test("A time that is jumped to shows the bytes that steps to it show", arguments: 0..<30)
    func jump(seed: UInt64) throws {
        try RandomFrames(seed &+ 62_000, Self.options.union([.filters, .compositingModes]), "jump").compareJumps()
    }

    @Test("Frames of animations that draw only what changed are those that draw all of it", arguments: 0..<30)
    func damage(seed: UInt64) throws {
        let options = Self.options.union([.filters, .compositingModes, .backdrops])
        try RandomFrames(seed &+ 63_000, options, "damage").compareDamage()
    }
}
