// Filters between others: input by input, where both lists have the same filters in the same order.

extension [LayerFilter] {
    /// True when the lists differ in their inputs' values only, and no image is among those.
    package static func haveSameShape(_ a: [LayerFilter], _ b: [LayerFilter]) -> Bool {
        a.count == b.count
            && zip(a, b).allSatisfy { a, b in
                a.kind == b.kind && a.name == b.name && a.isEnabled == b.isEnabled && !a.hasImage && !b.hasImage
            }
    }
}

extension LayerFilter {
    fileprivate var hasImage: Bool {
        if case .image? = inputs[.inputMaskImage] { return true }
        return false
    }

    /// Inputs that only one of them has count as the default in the other.
    static func interpolate(_ a: LayerFilter, _ b: LayerFilter, _ u: Double) -> LayerFilter {
        var filter = u < 1 ? a : b
        for input in Input.allCases where a.inputs[input] != nil || b.inputs[input] != nil {
            guard let from = a.value(of: input), let to = b.value(of: input),
                let value = filter.inputValue(of: .interpolate(from, to, u), for: input)
            else { continue }
            filter.inputs[input] = value
        }
        return filter
    }
}
