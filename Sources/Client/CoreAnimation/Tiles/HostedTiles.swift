// The tiled layers of one display: brought up to date with each commit, after the changes of the app were taken. So they are
// placed by what is on screen from this commit on, and what they change goes with it.

import LayerModel

extension WeakLayers<CATiledLayer> {
    /// Those that a display has, in the order in which they came.
    func layers(in context: LayerContext) -> [CATiledLayer] {
        filter { $0.hosting.context === context && $0.hosting.id != .none }
    }
}

extension LayerContext {
    /// The display's pixels, about.
    var displayPixels: Double {
        let box = displayBounds ?? rootLayer?.frameRect ?? .zero
        return box.width * box.height * pixelsPerPoint * pixelsPerPoint
    }

    /// Draws the tiles that can be seen now, in all tiled layers.
    ///
    /// - Parameter change: The commit has changes of the app.
    func updateTiles(at time: Double, change: Bool) {
        let layers = recorder.tiles.layers(in: self)
        guard !layers.isEmpty, let rootLayer else { return }
        CATransaction.begin()
        CATransaction.setDisableActions(true)
        let display = displayBounds ?? rootLayer.frameRect
        var known: [ObjectIdentifier: LayerProperties] = [:]
        func values(_ layer: CALayer) -> LayerProperties {
            // Most layers are not animated: what they show are their values.
            if layer.animationList.isEmpty { return layer.properties }
            if let known = known[ObjectIdentifier(layer)] { return known }
            let shown = presentedValues(of: layer).properties
            known[ObjectIdentifier(layer)] = shown
            return shown
        }
        for layer in layers where layer.hosting.context === self {
            let sight = LayerSight(of: layer, display: display, pixelsPerPoint: pixelsPerPoint, values: values)
            // What the app's own keys are just now, where they are animated.
            let driven = layer.drivenValues()
            if layer.isMarkedByAnimations, !layer.wasDrawn(with: driven) { layer.display(with: driven) }
            layer.withValues(driven) {
                layer.tiles.update(layer, in: self, sight: sight, shown: values(layer), now: time, change: change)
            }
        }
        CATransaction.endInsideCommit()
    }
}
