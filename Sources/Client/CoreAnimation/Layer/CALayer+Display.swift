// The display cycle: like the layout cycle, but each layer for itself. Source: semantic reference, §2.2.

import LayerModel

extension CALayer {
    final func markDisplayDirty(_ rect: CGRect) {
        invalidRect = invalidRect.union(rect)
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
        invalidRect = .null
        display()
    }

    /// Displays what is dirty in the subtree.
    final func displaySubtreeOnce() {
        var pending = [self]
        while let layer = pending.popLast() {
            layer.displayIfNeeded()
            guard layer.hasDisplayDirtyDescendant else { continue }
            layer.hasDisplayDirtyDescendant = false
            if let mask = layer.storedMask, mask.isDisplayDirty || mask.hasDisplayDirtyDescendant {
                pending.append(mask)
            }
            pending.append(
                contentsOf: layer.children.reversed().lazy.filter { $0.isDisplayDirty || $0.hasDisplayDirtyDescendant })
        }
    }
}
