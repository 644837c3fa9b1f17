import CoreAnimation

/// Where the layers below one are that follow its size: autoresizing rounds, so a size that comes back doesn't bring them back.
struct AutoresizedPlaces {
    private var places: [(layer: CALayer, bounds: CGRect, position: CGPoint)] = []

    init(below layer: CALayer) {
        var pending = layer.sublayers ?? []
        while let next = pending.popLast() {
            guard !next.autoresizingMask.isEmpty else { continue }
            places.append((next, next.bounds, next.position))
            pending.append(contentsOf: next.sublayers ?? [])
        }
    }

    func restore() {
        // Superlayers first.
        for (layer, bounds, position) in places { (layer.bounds, layer.position) = (bounds, position) }
    }
}
