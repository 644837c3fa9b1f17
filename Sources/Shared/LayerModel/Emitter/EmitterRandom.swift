// Random numbers of particles, by what they are for: the same particle has the same ones whenever, and in whatever order,
// it is asked for. That is what makes a frame that is jumped to equal to one that was stepped to.
//
// A particle has a key: a mix of the layer's seed, of its cell's place among the cells and of its number in the order of
// birth; that of a particle that another one emits mixes in that one's key in place of the seed. A number is a mix of the key
// and of what it is for. The mix is the finalizer of a 64-bit multiply-xorshift generator: every bit of the input changes
// half of the output's.

/// The key of one particle.
package struct EmitterRandom: Hashable, Sendable {
    package var key: UInt64

    @inline(__always) package init(key: UInt64) { self.key = key }

    /// - Parameter number: In the order of birth.
    @inline(__always) package init(source: UInt64, cell: Int, number: UInt64) {
        key = Self.mix(Self.mix(source &+ UInt64(truncatingIfNeeded: cell + 1) &* 0xD1B5_4A32_D192_ED03) &+ number)
    }

    /// What a number is for.
    package enum Use: UInt64 {
        case lifetime = 1
        case velocity, latitude, longitude, scale, spin, rotation, red, green, blue, alpha, edge, x, y, z
    }

    /// 0..<1, in steps of 2⁻⁵³.
    @inline(__always) package func unit(_ use: Use) -> Double {
        Double(Self.mix(key &+ use.rawValue &* 0x9E37_79B9_7F4A_7C15) >> 11) * 0x1p-53
    }

    @inline(__always) package static func mix(_ value: UInt64) -> UInt64 {
        var z = value &+ 0x9E37_79B9_7F4A_7C15
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
