// The display cycle: like the layout cycle, but each layer for itself. Source: semantic reference, §2.2.
//
// A mark remembers the settings of the transaction it was made in: at the commit, when the layer is displayed, that transaction
// has ended, and whether the contents change at once or fade is for it to say.

import LayerModel

extension CALayer {
    final func markDisplayDirty(_ rect: CGRect) {
        let box = rect.standardized
        invalidRect =
            box.isNull || box.minX.isNaN || box.maxX.isNaN ? invalidRect.union(bounds) : invalidRect.union(box)
        let settings = DisplaySettings()
        if drawing == nil { drawing = LayerDrawing() }
        drawing?.settings = settings
        guard !isDisplayDirty else { return }
        isDisplayDirty = true
        if let context = hosting.context { _ = context.currentTransactionTouches() }
        parent?.propagateDisplayDirt()
    }

    final func propagateDisplayDirt() {
        var ancestor: CALayer? = self
        while let layer = ancestor, !layer.hasDisplayDirtyDescendant {
            layer.hasDisplayDirtyDescendant = true
            ancestor = layer.parent
        }
    }

    /// Clears the mark first: a `setNeedsDisplay` made while displaying is kept for the next pass.
    final func displayOnce() {
        isDisplayDirty = false
        let values = drivenValues()
        // With other values, all of it is other than it was.
        drawing?.drawnRect = wasDrawn(with: values) ? invalidRect : bounds
        invalidRect = .null
        withValues(values) { display() }
        noteDrawing(with: values)
        drawing?.drawnRect = nil
    }

    /// Displays what is dirty in the subtree.
    final func displaySubtreeOnce() {
        var pending = [self]
        while let layer = pending.popLast() {
            if layer.isDisplayDirty { layer.displayInCommit() }
            guard layer.hasDisplayDirtyDescendant else { continue }
            layer.hasDisplayDirtyDescendant = false
            if let mask = layer.storedMask, mask.isDisplayDirty || mask.hasDisplayDirtyDescendant {
                pending.append(mask)
            }
            pending.append(
                contentsOf: layer.children.reversed().lazy.filter { $0.isDisplayDirty || $0.hasDisplayDirtyDescendant })
        }
    }

    /// With the settings of the transaction that marked the layer. While keys of its own are animated, it is drawn with their
    /// values of now, and nothing fades besides.
    private final func displayInCommit() {
        let settings = drawing?.settings ?? DisplaySettings()
        CATransaction.begin()
        CATransaction.setDisableActions(settings.disablesActions || isDriven)
        CATransaction.setAnimationDuration(settings.duration)
        CATransaction.setAnimationTimingFunction(settings.timingFunction)
        displayIfNeeded()
        CATransaction.endInsideCommit()
    }
}

/// What a transaction says about implied animations.
struct DisplaySettings {
    var disablesActions = CATransaction.disableActions()
    var duration = CATransaction.animationDuration()
    var timingFunction = CATransaction.animationTimingFunction()
}

/// What only layers that draw have.
final class LayerDrawing {
    /// Of the transaction in which the layer was marked last.
    var settings = DisplaySettings()
    var format = CALayerContentsFormat.RGBA8Uint
    var drawsAsynchronously = false
    /// While displaying: what is to be drawn again, in bounds coordinates; nil otherwise.
    var drawnRect: CGRect?
    /// Set by what draws nothing: nobody overrides `draw(in:)` and no delegate draws.
    var drewNothing = false
    /// The values of animated keys that the layer was displayed with last, where they were not the model's.
    var drivenValues: [String: Any] = [:]
    /// What was drawn last and how, so that a part can be drawn again.
    var last: (image: CGImage, bitmap: LayerBitmap)?
}
