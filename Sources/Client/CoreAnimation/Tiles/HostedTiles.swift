// The tiled layers of one display: brought up to date with each commit, after the changes of the app were taken. So they are
// placed by what is on screen from this commit on, and what they change goes with it.

import LayerModel

struct HostedTiles {
    private struct Entry { weak var layer: CATiledLayer? }

    private var entries: [Entry] = []

    mutating func add(_ layer: CALayer) {
        guard let tiled = layer as? CATiledLayer else { return }
        entries.removeAll { $0.layer == nil || $0.layer === tiled }
        entries.append(Entry(layer: tiled))
    }

    func layers(in context: LayerContext) -> [CATiledLayer] {
        entries.compactMap { entry in
            guard let layer = entry.layer, layer.hosting.context === context, layer.hosting.id != .none else {
                return nil
            }
            return layer
        }
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
            let isDriven = layer.animationList.contains { !$0.custom.isEmpty }
            layer.withValues(isDriven ? presentedValues(of: layer).custom : [:]) {
                layer.tiles.update(layer, in: self, sight: sight, shown: values(layer), now: time, change: change)
            }
        }
        CATransaction.endInsideCommit()
    }
}
