// The tree. No operation recurses, so a chain of any length can be built, walked and let go.
//
// A parent owns its children; a child points back without counting. `hosting.context` is set on every layer of a tree that a
// display shows, so that a setter finds its display at once; joining or leaving a display walks the subtree, moving inside
// one does not.
//
// A mask is part of the tree in all of this: its parent is the layer it masks, though it is none of the children.

import LayerModel

extension CALayer {
    enum Place {
        case end
        case index(Int)
        case below(CALayer?)
        case above(CALayer?)
    }

    /// The superlayer; in a presentation copy, its presentation copy.
    final var treeSuperlayer: CALayer? {
        guard let modelLayer else { return parent }
        return modelLayer.parent?.makePresentation()
    }

    /// The sublayers; in a presentation copy, their presentation copies.
    final var treeSublayers: [CALayer] {
        guard let modelLayer else { return children }
        return modelLayer.children.compactMap { $0.makePresentation() }
    }

    final var treeMask: CALayer? {
        guard let modelLayer else { return storedMask }
        return modelLayer.storedMask?.makePresentation()
    }

    /// True for the mask of another layer, and for its presentation copies.
    final var isMask: Bool {
        let layer = modelLayer ?? self
        return layer.parent?.storedMask === layer
    }

    // MARK: Mask

    final func changeMask(to new: CALayer?) {
        guard modelLayer == nil, new !== storedMask else { return }
        if let new { guard mayTake(new, as: "mask", operation: "mask") else { return } }
        let action = modelWillChange(.mask)
        let oldContext = new?.leaveForNewPlace()
        if let old = storedMask {
            storedMask = nil
            old.parent = nil
            hosting.context?.subtreeDidLeave(old)
        }
        storedMask = new
        new?.join(self, from: oldContext)
        modelDidChange(.mask, action: action)
    }

    // MARK: Inserting

    final func insertChild(_ child: CALayer, at place: Place, operation: String) {
        guard mayTake(child, operation: operation) else { return }
        switch place {
        case .below(let sibling?), .above(let sibling?):
            guard sibling.parent === self, !sibling.isMask else {
                return recordFault(operation, "\(sibling.label) is no sublayer of this layer; the tree is unchanged")
            }
            guard sibling !== child else { return }
        default: break
        }
        let oldParent = child.isMask ? nil : child.parent
        let oldContext = child.leaveForNewPlace()
        let index: Int
        switch place {
        case .end, .above(nil): index = children.count
        case .index(let wanted): index = min(wanted, children.count)
        case .below(nil): index = 0
        case .below(let sibling?): index = self.index(of: sibling) ?? children.count
        case .above(let sibling?): index = self.index(of: sibling).map { $0 + 1 } ?? children.count
        }
        if index == children.count { children.append(child) } else { children.insert(child, at: index) }
        child.indexHint = index
        child.join(self, from: oldContext)
        childrenDidChange()
        if let oldParent, oldParent !== self { oldParent.runAction(forKey: "sublayers") }
        runOrderActions(in: oldContext === hosting.context ? [] : [child])
    }

    /// What `actions` say of sublayers that came; an implied animation there is none.
    private final func runOrderActions(in new: [CALayer]) {
        guard hosting.id != .none, let context = hosting.context else { return }
        runAction(forKey: "sublayers")
        guard !new.isEmpty, !context.currentTransactionTouches().disablesActions else { return }
        for layer in new where layer.parent === self {
            layer.action(forKey: kCAOnOrderIn)?.run(forKey: kCAOnOrderIn, object: layer, arguments: nil)
        }
    }

    final func replaceChild(_ old: CALayer, with new: CALayer) {
        guard old !== new else { return }
        guard old.parent === self, !old.isMask else {
            return recordFault("replaceSublayer", "\(old.label) is no sublayer of this layer; the tree is unchanged")
        }
        guard mayTake(new, operation: "replaceSublayer") else { return }
        old.runAction(forKey: kCAOnOrderOut)
        // An action may have changed the tree.
        guard old.parent === self, !old.isMask, mayTake(new, operation: "replaceSublayer") else { return }
        let oldContext = new.leaveForNewPlace()
        guard let index = index(of: old) else { return }
        children[index] = new
        new.indexHint = index
        old.parent = nil
        hosting.context?.subtreeDidLeave(old)
        new.join(self, from: oldContext)
        childrenDidChange()
        runAction(forKey: kCATransition)
        runOrderActions(in: oldContext === hosting.context ? [] : [new])
    }

    /// The setter of `sublayers`.
    final func setChildren(_ wanted: [CALayer]) {
        guard modelLayer == nil else { return }
        let staying = Set(wanted.map { ObjectIdentifier($0) })
        for child in children where !staying.contains(ObjectIdentifier(child)) {
            child.runAction(forKey: kCAOnOrderOut)
        }
        var seen: Set<ObjectIdentifier> = []
        var accepted: [CALayer] = []
        accepted.reserveCapacity(wanted.count)
        for child in wanted {
            guard seen.insert(ObjectIdentifier(child)).inserted else {
                recordFault("sublayers", "\(child.label) is in the list twice; the second place is ignored")
                continue
            }
            guard mayTake(child, operation: "sublayers") else {
                seen.remove(ObjectIdentifier(child))
                continue
            }
            accepted.append(child)
        }
        guard !children.elementsEqual(accepted, by: ===) else { return }
        let old = children
        children = []
        for child in old where !seen.contains(ObjectIdentifier(child)) {
            child.parent = nil
            hosting.context?.subtreeDidLeave(child)
        }
        var new: [CALayer] = []
        for (index, child) in accepted.enumerated() where child.parent !== self || child.isMask {
            if child.hosting.context !== hosting.context { new.append(child) }
            let oldContext = child.leaveForNewPlace()
            child.indexHint = index
            child.join(self, from: oldContext)
        }
        children = accepted
        for (index, child) in children.enumerated() { child.indexHint = index }
        childrenDidChange()
        runOrderActions(in: new)
    }

    /// False, with a fault, when `child` may not become a child of this layer.
    private final func mayTake(_ child: CALayer, as role: String = "sublayer", operation: String) -> Bool {
        guard modelLayer == nil, child.modelLayer == nil else {
            recordFault(operation, "presentation copies can't be in a tree; the tree is unchanged")
            return false
        }
        // A layer with nothing below it is no one's ancestor: building a chain downwards costs nothing here.
        guard child === self || !child.children.isEmpty || child.storedMask != nil else { return true }
        var ancestor: CALayer? = self
        while let layer = ancestor {
            if layer === child {
                let what = layer === self ? "a layer can't be its own \(role)" : "\(child.label) is an ancestor"
                recordFault(operation, "\(what); the tree is unchanged")
                return false
            }
            ancestor = layer.parent
        }
        return true
    }

    // MARK: Leaving

    final func leaveParent() {
        guard parent != nil else { return }
        runAction(forKey: kCAOnOrderOut)
        guard let parent else { return }
        let wasMask = isMask
        parent.removeChild(self)
        self.parent = nil
        parent.hosting.context?.subtreeDidLeave(self)
        if !wasMask { parent.runAction(forKey: "sublayers") }
    }

    /// Takes the layer out of where it is, but leaves it its display: the caller gives it a new place at once.
    private final func leaveForNewPlace() -> LayerContext? {
        let context = hosting.context
        if let parent {
            parent.removeChild(self)
            self.parent = nil
        } else {
            context?.rootLayerIsTaken()
        }
        return context
    }

    private final func removeChild(_ child: CALayer) {
        if child === storedMask {
            let action = modelWillChange(.mask)
            storedMask = nil
            return modelDidChange(.mask, action: action)
        }
        guard let index = index(of: child) else { return }
        children.remove(at: index)
        childrenDidChange()
    }

    private final func join(_ parent: CALayer, from oldContext: LayerContext?) {
        self.parent = parent
        let context = parent.hosting.context
        if oldContext !== context {
            oldContext?.subtreeDidLeave(self)
            context?.subtreeDidJoin(self)
        } else {
            context?.layerDidMove(self)
        }
        if isLayoutDirty || hasLayoutDirtyDescendant { parent.propagateLayoutDirt() }
        if isDisplayDirty || hasDisplayDirtyDescendant { parent.propagateDisplayDirt() }
    }

    private final func childrenDidChange() {
        hosting.sublayersChanged = true
        if let context = hosting.context { _ = context.noteChange(of: self) }
        setNeedsLayout()
    }

    /// Where a child is: the places where it usually is are tried before the whole list is searched.
    private final func index(of child: CALayer) -> Int? {
        let hint = child.indexHint
        if children.indices.contains(hint), children[hint] === child { return hint }
        if children.last === child { return children.count - 1 }
        if children.first === child { return 0 }
        return children.firstIndex { $0 === child }
    }

    // MARK: Letting go

    /// Empties the subtree below this layer level by level, so that no release recurses.
    final func releaseChildren() {
        guard !children.isEmpty || storedMask != nil else { return }
        var pending = takeLayersBelow()
        while var layer = pending.popLast() {
            guard isKnownUniquelyReferenced(&layer) else { continue }
            pending.append(contentsOf: layer.takeLayersBelow())
        }
    }

    private final func takeLayersBelow() -> [CALayer] {
        guard !children.isEmpty || storedMask != nil else { return [] }
        var below = children
        children = []
        if let mask = storedMask {
            storedMask = nil
            below.append(mask)
        }
        for layer in below { layer.parent = nil }
        return below
    }

    /// Visits the layer and everything below it, parents before children, back before front, a mask last.
    final func forEachInSubtree(_ visit: (CALayer) -> Void) {
        var pending = [self]
        while let layer = pending.popLast() {
            visit(layer)
            if let mask = layer.storedMask { pending.append(mask) }
            pending.append(contentsOf: layer.children.reversed())
            pending.append(contentsOf: layer.ownSublayers.reversed())
        }
    }
}
