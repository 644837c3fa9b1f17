// Layers that the client draws while keys of their own are animated: text whose size or color moves, keys of an app's subclasses
// that say `needsDisplay(forKey:)`.
//
// What such a layer shows at a time depends on that time alone: it is drawn with the values of that time whenever those are
// not the ones it was drawn with last, and with the model's when nothing animates it any more. So a jump over the end of an
// animation, held or not, and steps to the same time draw the same. These drawings follow the clock; they never fade.

import LayerModel

extension WeakLayers<CALayer> {
    /// Those of a display that animations of their own keys were committed for. Forgets those that nothing animates any more, or
    /// that left: they are given once more, or not.
    mutating func takeDriven(for context: LayerContext) -> [CALayer] {
        let all = filter { _ in true }
        let layers = all.filter { $0.hosting.context === context }
        for layer in all where layer.hosting.context !== context || !layer.isDriven { remove(layer) }
        return layers
    }
}

extension LayerContext {
    /// Displays the layers whose own keys are animated, or were, where their values of now are not those they show.
    package func displayAnimatedKeys() {
        withLock {
            guard !driven.isEmpty else { return }
            for layer in driven.takeDriven(for: self) where layer.isMarkedByAnimations {
                let values = layer.drivenValues()
                if !layer.wasDrawn(with: values) { layer.display(with: values) }
            }
        }
    }

    /// True where something is called now, and a layer may not show its values of now: what is called sees what steps of the
    /// clock would have drawn.
    package var mustDisplayBeforeCallbacks: Bool { withLock { !callbacks.isEmpty && !driven.isEmpty } }
}

extension CALayer {
    /// Something animates keys of the layer's own.
    final var isDriven: Bool { animationList.contains { !$0.custom.isEmpty } }

    /// Animated keys are keys to display the layer for, or were when it was displayed last.
    final var isMarkedByAnimations: Bool {
        if let values = drawing?.drivenValues, !values.isEmpty { return true }
        return animationList.contains { $0.custom.contains { type(of: self).needsDisplay(forKey: $0.key) } }
    }

    /// The values of now of the layer's own keys that are animated.
    final func drivenValues() -> [String: Any] { isDriven ? valuesOnScreen()?.custom ?? [:] : [:] }

    /// True where the layer was displayed with these values last.
    final func wasDrawn(with values: [String: Any]) -> Bool {
        let drawn = drawing?.drivenValues ?? [:]
        return drawn.count == values.count
            && values.allSatisfy { key, value in drawn[key].map { KeyedValue.isSame($0, value) } ?? false }
    }

    /// Displays at once with other values under keys of the app's own; what the display cycle does with model values stays as
    /// it is.
    final func display(with values: [String: Any]) {
        CATransaction.begin()
        CATransaction.setDisableActions(true)
        withValues(values) { display() }
        noteDrawing(with: values)
        CATransaction.endInsideCommit()
    }

    final func noteDrawing(with values: [String: Any]) {
        if drawing == nil, !values.isEmpty { drawing = LayerDrawing() }
        drawing?.drivenValues = values
    }

    /// Does something while keys of the app's own have other values.
    final func withValues(_ values: [String: Any], _ body: () -> Void) {
        let model = keyedValues
        keyedValues.merge(values) { $1 }
        body()
        // What `body` set itself stays.
        for (key, value) in values {
            guard let now = keyedValues[key], KeyedValue.isSame(now, value) else { continue }
            keyedValues[key] = model[key]
        }
    }
}
