// What is drawn of an emitter at one time.

/// How the particles of a cell look: the picture that each of them shows a part of.
package struct ParticleLook: Hashable, Sendable {
    package var contents: ImageID
    package var contentsRect: Rect
    package var contentsScale: Double
    package var minificationFilter: ContentsFilter
    package var magnificationFilter: ContentsFilter
    package var minificationFilterBias: Double

    init(_ cell: EmitterCell) {
        contents = cell.contents
        contentsRect = cell.contentsRect
        contentsScale = cell.contentsScale
        minificationFilter = cell.minificationFilter
        magnificationFilter = cell.magnificationFilter
        minificationFilterBias = cell.minificationFilterBias
    }
}

/// One particle as it is drawn: its picture, centered at a place, turned, scaled, its colors multiplied.
package struct Particle: Hashable, Sendable {
    /// When it was born, seconds of the layer.
    package var birth: Double
    /// The layer's own space.
    package var x, y, z: Float
    /// The scale, times the cosine and the sine of the rotation: from points of the picture to points of the layer.
    package var cosine, sine: Float
    package var color: PremultipliedColor
    /// Index into the frame's looks.
    package var look: Int32
}

/// All particles of an emitter at one time, in the order they are drawn.
package struct ParticleFrame: Sendable {
    package var particles: ContiguousArray<Particle> = []
    package var looks: [ParticleLook] = []
    /// More were alive than are drawn.
    package var isThinned = false

    package init() {}

    mutating func removeAll() {
        particles.removeAll(keepingCapacity: true)
        looks.removeAll(keepingCapacity: true)
        isThinned = false
    }

    mutating func look(of cell: EmitterCell) -> Int32 {
        let look = ParticleLook(cell)
        if let known = looks.firstIndex(of: look) { return Int32(known) }
        looks.append(look)
        return Int32(looks.count - 1)
    }

    /// Brings the particles into the order of a mode; equal ones stay in that of their cells and births.
    mutating func sort(for mode: EmitterRenderMode) {
        switch mode {
        case .unordered, .additive: return
        case .oldestFirst: sort { Self.rank($0.birth) }
        case .oldestLast: sort { ~Self.rank($0.birth) }
        case .backToFront: sort { Self.rank(Double($0.z)) }
        }
    }

    private mutating func sort(by rank: (Particle) -> UInt64) {
        let ranks = particles.map(rank)
        if zip(ranks, ranks.dropFirst()).allSatisfy({ $0 <= $1 }) { return }
        // Places break ties, so the order is the same whatever the sort does.
        let order = (0..<Int32(ranks.count)).sorted {
            let (a, b) = (ranks[Int($0)], ranks[Int($1)])
            return a < b || a == b && $0 < $1
        }
        let unordered = particles
        for (place, from) in order.enumerated() { particles[place] = unordered[Int(from)] }
    }

    /// Ascends with the number.
    private static func rank(_ value: Double) -> UInt64 {
        let bits = (value + 0).bitPattern
        return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
    }
}
