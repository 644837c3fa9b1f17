// The layout cycle. A layer is dirty or clean; besides, each ancestor of a dirty layer knows that there is one below it, so
// that a pass goes only where there is something to do. Marks travel upwards until they meet one that is set already.
// Source: semantic reference, §2.1.

import LayerModel

extension CALayer {
    /// How often a pass is repeated for layers that were made dirty while it ran.
    private static let maximumPasses = 16

    final func markLayoutDirty() {
        guard !isLayoutDirty else { return }
        isLayoutDirty = true
        layoutManager?.invalidateLayout(of: self)
        if let context = hosting.context { _ = context.currentTransactionTouches() }
        parent?.propagateLayoutDirt()
    }

    final func propagateLayoutDirt() {
        var ancestor: CALayer? = self
        while let layer = ancestor, !layer.hasLayoutDirtyDescendant {
            layer.hasLayoutDirtyDescendant = true
            ancestor = layer.parent
        }
    }

    /// Climbs while the superlayer is dirty, then lays out everything below.
    final func layOutFromHighestDirtyAncestor() {
        var top = self
        while let parent = top.parent, parent.isLayoutDirty { top = parent }
        for _ in 0..<CALayer.maximumPasses where top.isLayoutDirty || top.hasLayoutDirtyDescendant {
            top.layOutSubtreeOnce()
        }
    }

    /// One pass from the layer down, superlayers first. A layer that becomes dirty behind the pass stays so.
    final func layOutSubtreeOnce() {
        var pending = [self]
        while let layer = pending.popLast() {
            if layer.isLayoutDirty {
                layer.isLayoutDirty = false
                layer.layoutSublayers()
            }
            guard layer.hasLayoutDirtyDescendant else { continue }
            layer.hasLayoutDirtyDescendant = false
            if let mask = layer.storedMask, mask.isLayoutDirty || mask.hasLayoutDirtyDescendant { pending.append(mask) }
            pending.append(
                contentsOf: layer.children.reversed().lazy.filter { $0.isLayoutDirty || $0.hasLayoutDirtyDescendant })
        }
    }
}
