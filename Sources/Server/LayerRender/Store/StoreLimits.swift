import LayerModel

/// How much one session may keep. Source: the hostile-input limits, all configurable.
package struct StoreLimits: Sendable, Equatable {
    package var layers = 100_000
    /// Instances of replicators and the copies of layers in them.
    package var instances = 100_000
    package var depth = 1_024
    package var images = 100_000
    package var imageSide = 16_384
    /// Bytes of all images together.
    package var imageBytes = 512 << 20
    package var animations = AnimationLimits.count
    package var animationsOfLayer = AnimationLimits.ofLayer
    /// Values and points of all animations together.
    package var animationValues = AnimationLimits.values

    package init() {}
}
