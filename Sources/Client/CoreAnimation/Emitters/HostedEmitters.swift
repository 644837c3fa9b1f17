import LayerModel

/// The emitter layers of one session: while one of them may show a particle, the picture changes by itself.
struct HostedEmitters {
    private struct Entry { weak var layer: CAEmitterLayer? }

    private var entries: [Entry] = []

    mutating func add(_ layer: CALayer) {
        guard let emitter = layer as? CAEmitterLayer else { return }
        entries.removeAll { $0.layer == nil || $0.layer === emitter }
        entries.append(Entry(layer: emitter))
    }

    /// True while births go on, and as long after the last commit as a particle may live.
    func mayShowParticles(in context: LayerContext, at time: Double, committedAt commit: Double) -> Bool {
        entries.contains { entry in
            guard let layer = entry.layer, layer.hosting.context === context else { return false }
            let emitter = layer.properties.emitter
            return emitter.emits || !emitter.cells.isEmpty && time < commit + emitter.reach
        }
    }
}
