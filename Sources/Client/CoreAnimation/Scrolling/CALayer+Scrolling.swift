// What any layer asks of the scroll layer that it is in. Source: semantic reference, §6.6.

import LayerModel

extension CALayer {
    /// Brings a point of this layer's coordinates to the origin of the nearest scroll layer: this one, or the nearest above
    /// it. Without one nothing happens.
    public final func scroll(_ p: CGPoint) {
        guard let scrollLayer = nearestScrollLayer(from: self) else { return }
        let point = scrollLayer.convert(p, from: self)
        guard point.x.isFinite, point.y.isFinite else { return }
        scrollLayer.scroll(to: point)
    }

    /// Scrolls the nearest scroll layer, this one or one above it, as far as is needed to show a rectangle of this layer's
    /// coordinates.
    public final func scrollRectToVisible(_ r: CGRect) {
        guard let scrollLayer = nearestScrollLayer(from: self) else { return }
        scrollLayer.scroll(to: scrollLayer.convert(r, from: self))
    }

    /// The part of the bounds that the nearest scroll layer above shows, in this layer's coordinates: all of them where there
    /// is none, `CGRect.zero` where nothing is left.
    public final var visibleRect: CGRect {
        guard let scrollLayer = nearestScrollLayer(from: treeSuperlayer) else { return bounds }
        let part = bounds.intersection(convert(scrollLayer.bounds, from: scrollLayer))
        return part.isNull || !(part.minX.isFinite && part.maxX.isFinite && part.minY.isFinite && part.maxY.isFinite)
            ? .zero : part
    }

    private final func nearestScrollLayer(from layer: CALayer?) -> CAScrollLayer? {
        var current = layer
        while let layer = current {
            if let scrollLayer = layer as? CAScrollLayer { return scrollLayer }
            current = layer.treeSuperlayer
        }
        return nil
    }
}
