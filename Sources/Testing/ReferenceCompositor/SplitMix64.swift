/// A small random generator whose numbers depend on the seed alone: the same on every machine and in every release.
package struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    // Own mappings to ranges: the standard library's may change.

    /// 0 ≤ result < 1.
    package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    package mutating func number(_ low: Double, _ high: Double) -> Double { low + (high - low) * unit() }

    package mutating func integer(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + min(Int(unit() * Double(range.count)), range.count - 1)
    }

    /// True in that share of the cases, 0…1.
    package mutating func chance(_ probability: Double) -> Bool { unit() < probability }

    package mutating func pick<T>(_ list: [T]) -> T { list[integer(0...list.count - 1)] }
}
