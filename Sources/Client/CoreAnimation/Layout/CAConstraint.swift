// Source: semantic reference, §6.9.

import LayerModel

/// What of a layer's frame a constraint is about.
public enum CAConstraintAttribute: Int32, Sendable, CaseIterable {
    case minX, midX, maxX, width
    case minY, midY, maxY, height
}

/// One of the rules by which a `CAConstraintLayoutManager` places a layer:
/// `attribute` = `scale` · `sourceAttribute` of the source + `offset`.
///
/// The source is a sibling by its name, or `"superlayer"`, whose bounds count. See docs/scrolling-and-layout.md.
public final class CAConstraint: NSObject, @unchecked Sendable {
    /// What of the layer's frame is set.
    public let attribute: CAConstraintAttribute
    /// A sibling's name, or `"superlayer"`.
    public let sourceName: String
    /// What of the source's frame, or of the superlayer's bounds, it follows.
    public let sourceAttribute: CAConstraintAttribute
    /// Times the source's value; 1 where the initializer does not say it.
    public let scale: CGFloat
    /// Added, points of the superlayer; 0 where the initializer does not say it.
    public let offset: CGFloat

    /// A constraint: `attr` = `m` · `srcAttr` of `srcId` + `c`. A frame that is not
    /// finite because of it is a fault of the layout, and the old frame stays.
    public init(
        attribute attr: CAConstraintAttribute, relativeTo srcId: String, attribute srcAttr: CAConstraintAttribute,
        scale m: CGFloat, offset c: CGFloat
    ) {
        (attribute, sourceName, sourceAttribute, scale, offset) = (attr, srcId, srcAttr, m, c)
    }

    /// A constraint with a scale of 1.
    public convenience init(
        attribute attr: CAConstraintAttribute, relativeTo srcId: String, attribute srcAttr: CAConstraintAttribute,
        offset c: CGFloat
    ) {
        self.init(attribute: attr, relativeTo: srcId, attribute: srcAttr, scale: 1, offset: c)
    }

    /// A constraint with a scale of 1 and an offset of 0.
    public convenience init(
        attribute attr: CAConstraintAttribute, relativeTo srcId: String, attribute srcAttr: CAConstraintAttribute
    ) {
        self.init(attribute: attr, relativeTo: srcId, attribute: srcAttr, scale: 1, offset: 0)
    }
}

extension CALayer {
    /// How a `CAConstraintLayoutManager` of the superlayer places this layer. In the order given; of each axis at most two
    /// count.
    public final var constraints: [CAConstraint]? {
        get { storedConstraints }
        set {
            storedConstraints = newValue
            parent?.setNeedsLayout()
        }
    }

    /// Adds a constraint after those that there are.
    public final func addConstraint(_ c: CAConstraint) { constraints = (constraints ?? []) + [c] }

    /// The superlayer's constraints depend on this layer's size: called when it has changed.
    final func invalidateConstraints() {
        guard let parent, let manager = parent.layoutManager as? CAConstraintLayoutManager,
            !manager.isLayingOut(parent)
        else { return }
        parent.setNeedsLayout()
    }
}
