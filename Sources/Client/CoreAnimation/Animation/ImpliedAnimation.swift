// The animation that a change of a property implies where no action was found. Source: semantic reference, §1.1 and §3.

import LayerModel

/// From what is on screen when the change is made to the new model value, with the transaction's duration and timing function.
struct ImpliedAnimation: CAAction {
    private let animation: CAAnimation

    /// Nil for a property whose change shows at once, and in a transaction that lasts no time.
    ///
    /// - Parameter filters: What `filters` changes to.
    init?(_ property: LayerProperty, of layer: CALayer, to filters: [LayerFilter]?) {
        let duration = CATransaction.animationDuration()
        guard duration > 0 else { return nil }
        if property == .filters {
            // Inputs have something in between; other filters don't.
            guard let filters, let shown = layer.valuesOnScreen()?.properties.filters,
                [LayerFilter].haveSameShape(shown, filters)
            else { return nil }
        }
        switch property {
        case .doubleSided, .mask, .path: return nil
        case .compositingFilter, .backgroundFilters: animation = CATransition()
        default:
            let basic = CABasicAnimation(keyPath: property.key)
            basic.fromValue = layer.shownValue(forKey: property.key)
            animation = basic
        }
        animation.duration = duration
        animation.timingFunction = CATransaction.animationTimingFunction() ?? CAMediaTimingFunction(name: .default)
    }

    /// For a key that is no property of the server's: the client displays the layer while it runs.
    init?(ownKey key: String, of layer: CALayer) {
        let duration = CATransaction.animationDuration()
        guard duration > 0 else { return nil }
        let basic = CABasicAnimation(keyPath: key)
        basic.fromValue = layer.shownValue(forKey: key)
        animation = basic
        animation.duration = duration
        animation.timingFunction = CATransaction.animationTimingFunction() ?? CAMediaTimingFunction(name: .default)
    }

    func run(forKey event: String, object anObject: Any, arguments dict: [AnyHashable: Any]?) {
        (anObject as? CALayer)?.add(animation, forKey: event)
    }
}
