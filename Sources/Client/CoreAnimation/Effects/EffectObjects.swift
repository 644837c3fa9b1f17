import LayerModel

/// The objects behind the values of a layer's effects, so that getters give back what was set. One a layer, shared with its
/// copies until it changes, and nothing for layers without effects.
struct EffectObjects {
    /// Given back while it is the color of the model value.
    var shadowColor: CGColor?
    /// A name, a filter or something that has no effect.
    var compositingFilter: Any?
    var filters = FilterList()
    var backgroundFilters = FilterList()

    /// One of the two lists, with the images that its inputs need, in order.
    struct FilterList {
        var objects: [Any] = []
        var images: [CGImage] = []

        /// The list as values of its own.
        var copies: [Any] { objects.map { ($0 as? CAFilter)?.duplicate() ?? $0 } }
    }

    static func list(of property: LayerProperty) -> WritableKeyPath<EffectObjects, FilterList> {
        property == .backgroundFilters ? \.backgroundFilters : \.filters
    }
}

/// Effects on the heap. Never changed: a layer gets another one.
final class SharedEffects {
    let objects: EffectObjects

    init(_ objects: EffectObjects) { self.objects = objects }
}

extension CALayer {
    final var effectObjects: EffectObjects {
        get { effects?.objects ?? EffectObjects() }
        set { effects = SharedEffects(newValue) }
    }
}
