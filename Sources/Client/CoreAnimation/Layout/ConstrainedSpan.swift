// One axis of a constrained layer. Source: semantic reference, §6.9:
//
//     one place (min, middle, max)       moves the layer, its size stays
//     two of place and size              give both
//     a size alone                       does nothing
//     the same attribute twice           the second is ignored
//     more than two                      the last one given, and of the others the lowest in min < middle < max < size

/// Where a layer begins and ends along one axis, in its superlayer's coordinates.
struct ConstrainedSpan: Equatable {
    enum Part: Int { case min, middle, max, size }

    var min: Double
    var max: Double

    subscript(part: Part) -> Double {
        switch part {
        case .min: min
        case .middle: (min + max) / 2
        case .max: max
        case .size: max - min
        }
    }

    /// - Parameter rules: In the order given.
    mutating func apply(_ rules: [(part: Part, value: Double)]) {
        var first: [(part: Part, value: Double)] = []
        for rule in rules where !first.contains(where: { $0.part == rule.part }) { first.append(rule) }
        guard let last = first.popLast() else { return }
        guard let other = first.min(by: { $0.part.rawValue < $1.part.rawValue }) else { return move(last) }
        // From the lower to the higher one.
        let (a, b) = last.part.rawValue < other.part.rawValue ? (last, other) : (other, last)
        switch (a.part, b.part) {
        case (.min, .middle): (min, max) = (a.value, 2 * b.value - a.value)
        case (.min, .max): (min, max) = (a.value, b.value)
        case (.middle, .max): (min, max) = (2 * a.value - b.value, b.value)
        default: (min, max) = (0, b.value); move(a)
        }
    }

    /// Keeps the size.
    private mutating func move(_ rule: (part: Part, value: Double)) {
        guard rule.part != .size else { return }
        let distance = rule.value - self[rule.part]
        (min, max) = (min + distance, max + distance)
    }
}

extension CAConstraintAttribute {
    var part: ConstrainedSpan.Part { ConstrainedSpan.Part(rawValue: Int(rawValue) % 4)! }
    var isVertical: Bool { rawValue >= 4 }
}
