import LayerModel

extension WeakLayers<CAEmitterLayer> {
    /// While one of them may show a particle, the picture changes by itself: as long as births go on, and after the last commit as
    /// long as a particle may live.
    func mayShowParticles(in context: LayerContext, at time: Double, committedAt commit: Double) -> Bool {
        contains { layer in
            guard layer.hosting.context === context else { return false }
            let emitter = layer.properties.emitter
            return emitter.emits || !emitter.cells.isEmpty && time < commit + emitter.reach
        }
    }
}
