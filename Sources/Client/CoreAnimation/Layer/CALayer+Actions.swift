// The search for an action. Source: semantic reference, §3.

import LayerModel

extension CALayer {
    final func searchAction(forKey event: String) -> CAAction? {
        if let action = delegate?.action(for: self, forKey: event) { return found(action) }
        if let action = actions?[event] { return found(action) }
        if style != nil, let action = CALayer.styleAction(in: style, forKey: event) { return found(action) }
        if let action = type(of: self).defaultAction(forKey: event) { return found(action) }
        ThreadTransactions.current.searchFoundNothing = true
        return nil
    }

    /// What happens when a property changes: the action that is found; where the search comes to its end without one, the
    /// implied animation. A class whose `action(forKey:)` gives nil of its own accord has none of either.
    final func actionOrImplied(_ property: LayerProperty, to filters: [LayerFilter]?) -> CAAction? {
        let thread = ThreadTransactions.current
        thread.searchFoundNothing = false
        if let action = action(forKey: property.key) { return action }
        guard thread.searchFoundNothing else { return nil }
        return ImpliedAnimation(property, of: self, to: filters)
    }

    /// The same for a key of the app's own, or of a class of this module that keeps its values under keys.
    final func actionOrImplied(ownKey key: String) -> CAAction? {
        let thread = ThreadTransactions.current
        thread.searchFoundNothing = false
        if let action = action(forKey: key) { return action }
        guard thread.searchFoundNothing, isOwnKeyAnimatable(key) else { return nil }
        return ImpliedAnimation(ownKey: key, of: self)
    }

    /// An event that is no property.
    final func runAction(forKey event: String) {
        guard let context = hosting.context, hosting.id != .none else { return }
        guard !context.currentTransactionTouches().disablesActions else { return }
        action(forKey: event)?.run(forKey: event, object: self, arguments: nil)
    }

    /// `NSNull` ends the search with nothing.
    private final func found(_ action: CAAction) -> CAAction? { action is NSNull ? nil : action }

    /// Styles may be nested; a limit ends what is nested in itself.
    private static func styleAction(in style: [AnyHashable: Any]?, forKey event: String) -> CAAction? {
        var style = style
        for _ in 0..<64 {
            guard let current = style else { return nil }
            if let actions = current["actions"] as? [String: Any], let action = actions[event] as? CAAction {
                return action
            }
            style = current["style"] as? [AnyHashable: Any]
        }
        return nil
    }

    /// The value of a key in the style or in a style nested in it.
    final func styleValue(forKey key: String) -> Any? {
        var style = style
        for _ in 0..<64 {
            guard let current = style else { return nil }
            if let value = current[key] { return value }
            style = current["style"] as? [AnyHashable: Any]
        }
        return nil
    }
}
