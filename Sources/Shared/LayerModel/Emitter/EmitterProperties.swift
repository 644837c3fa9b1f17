// What an emitter layer has besides its cells. Source: semantic reference, §6.8.

/// What particles are born in.
package enum EmitterShape: UInt8, Sendable, CaseIterable {
    case point = 0
    case line = 1
    case rectangle = 2
    case cuboid = 3
    case circle = 4
    case sphere = 5
}

/// Where in the shape.
package enum EmitterMode: UInt8, Sendable, CaseIterable {
    case points = 0
    case outline = 1
    case surface = 2
    case volume = 3
}

/// In which order particles are drawn, and how they meet what is below.
package enum EmitterRenderMode: UInt8, Sendable, CaseIterable {
    /// Cell by cell.
    case unordered = 0
    /// The oldest first.
    case oldestFirst = 1
    case oldestLast = 2
    /// By z.
    case backToFront = 3
    /// Added to what is below.
    case additive = 4
}

/// Factors of the values of an emitter's cells.
package struct EmitterFactors: Hashable, Sendable {
    package var birthRate = 1.0
    package var lifetime = 1.0
    package var velocity = 1.0
    package var scale = 1.0
    package var spin = 1.0

    package init(
        birthRate: Double = 1, lifetime: Double = 1, velocity: Double = 1, scale: Double = 1, spin: Double = 1
    ) {
        self.birthRate = birthRate
        self.lifetime = lifetime
        self.velocity = velocity
        self.scale = scale
        self.spin = spin
    }
}

/// All that an emitter layer emits by. Lengths are points of the layer's own space.
package struct EmitterProperties: Hashable, Sendable {
    package var cells: [EmitterCell] = []
    package var position = Point.zero
    package var zPosition = 0.0
    package var size = Size.zero
    package var depth = 0.0
    package var shape = EmitterShape.point
    package var mode = EmitterMode.volume
    package var renderMode = EmitterRenderMode.unordered
    package var preservesDepth = false
    package var factors = EmitterFactors()
    package var seed: UInt32 = 0

    package init() {}

    package static let defaults = EmitterProperties()

    /// Particles of a layer that are drawn at once. Source: the hostile-input limits.
    package static let mostParticles = 100_000

    /// Particles may be born, now or later, as long as these are the values.
    package var emits: Bool {
        factors.birthRate > 0 && factors.lifetime > 0
            && cells.contains { $0.isEnabled && $0.birthRate > 0 && $0.speed > 0 && $0.lifetime.highest > 0 }
    }
}

extension LayerProperties {
    package var emitter: EmitterProperties {
        get { rare?.value.emitter?.value ?? .defaults }
        set {
            let isDefault = newValue == .defaults
            setRarely(isDefault: isDefault) { $0.emitter = isDefault ? nil : Boxed(newValue) }
        }
    }
}
