// The animations of a layer: adding, removing, asking. Source: semantic reference, §4.5.

import LayerModel
import Quartz2D

extension CALayer {
    final func addCopy(of animation: CAAnimation, forKey key: String?) {
        guard modelLayer == nil else {
            return recordFault("add(_:forKey:)", "presentation copies take no animations")
        }
        let copy: CAAnimation
        if let own = animation.copy() as? CAAnimation, own !== animation {
            copy = own
        } else {
            copy = animation.duplicate()
        }
        let key = copy is CATransition ? kCATransition : key
        let transaction = CATransaction.animationDuration()
        let base = animationList.last.map { $0.imageBase + UInt32($0.images.count) } ?? 1
        var describer = AnimationDescriber(
            layer: self, key: key, defaultDuration: transaction > 0 ? transaction : 0.25, imageBase: base)
        let description = describer.describe(copy)
        if !(copy.duration > 0) { copy.duration = description.timing.duration }
        if let key, let index = animationList.firstIndex(where: { $0.key == key }) { removeAnimation(at: index) }
        let thread = hosting.context?.noteChange(of: self) ?? ThreadTransactions.current
        let new = LayerAnimation(
            copy, key: key, layer: self, number: LayerAnimation.nextNumber(), description: description,
            images: describer.images, imageBase: base, custom: describer.custom)
        if animationList.count >= AnimationLimits.ofLayer {
            recordFault(
                new.place, "a layer shows at most \(AnimationLimits.ofLayer) animations; this one shows nothing")
            new.showNothing()
        }
        animationList.append(new)
        hosting.animationsChanged = true
        thread.top.add(new)
    }

    final func removeAnimation(withKey key: String) {
        guard let index = animationList.firstIndex(where: { $0.key == key }) else { return }
        removeAnimation(at: index)
    }

    final func removeEveryAnimation() {
        while !animationList.isEmpty { removeAnimation(at: animationList.count - 1) }
    }

    /// An animation that came to its end goes by itself, on both sides of the socket.
    final func forget(_ animation: LayerAnimation) {
        animationList.removeAll { $0 === animation }
    }

    private final func removeAnimation(at index: Int) {
        if let context = hosting.context { _ = context.noteChange(of: self) }
        let old = animationList.remove(at: index)
        hosting.animationsChanged = true
        if let context = hosting.context {
            context.animationWasRemoved(old)
        } else {
            // No clock runs for it: what waits for it goes on at once.
            old.state = .removed
            for gate in old.gates { for block in gate.open() { block() } }
            old.gates = []
        }
    }

    /// The layer leaves its display.
    final func dropAnimations(from context: LayerContext) {
        guard !animationList.isEmpty else { return }
        let old = animationList
        animationList = []
        hosting.animationsChanged = true
        if !wasDrawn(with: [:]) { setNeedsDisplay() }
        for animation in old { context.animationWasRemoved(animation) }
    }

    // MARK: As actions

    /// An animation that was found as an action. A basic one without ends runs from what is on screen.
    final func addAction(_ animation: CAAnimation, forKey event: String) {
        let copy = (animation.copy() as? CAAnimation) ?? animation.duplicate()
        if let property = copy as? CAPropertyAnimation, property.keyPath == nil { property.keyPath = event }
        if let basic = copy as? CABasicAnimation, basic.fromValue == nil, basic.toValue == nil, basic.byValue == nil,
            basic.keyPath == event, !basic.isAdditive
        {
            basic.fromValue = shownValue(forKey: event)
        }
        add(copy, forKey: event)
    }

    /// What is on screen, as key-value access has it.
    final func shownValue(forKey key: String) -> Any? {
        guard let shown = valuesOnScreen() else { return value(forKey: key) }
        if key == LayerProperty.contents.key { return shown.contents ?? NSNull() }
        guard let property = property(forKey: key) else { return shown.custom[key] ?? value(forKey: key) }
        switch shown.properties[property] {
        case .filters: return shown.filterObjects(property)
        case .code: return shown.properties.compositingMode.filterName
        case .color(nil): return NSNull()
        case let value: return AnimationValue.object(value, like: propertyValue(property))
        }
    }

    /// True for a key of the app's own that this layer has.
    final func hasOwnKey(_ key: String) -> Bool {
        keyedValues[key] != nil || type(of: self).needsDisplay(forKey: key)
            || type(of: self).defaultValue(forKey: key) != nil || styleValue(forKey: key) != nil
    }
}
