// What other objects can do for a layer. On Apple's platforms these methods are optional; here each has a default that
// does what the layer would do without it, so an object implements only what it wants. (A class that inherits its
// conformance and adds such a method is not called: state the conformance on the class that has the methods.)

/// Answers for a layer. Called on the thread that changes or commits the layer.
public protocol CALayerDelegate: AnyObject {
    /// Sets the layer's contents, instead of drawing. Default: draws.
    func display(_ layer: CALayer)

    /// Draws the layer's contents, in the layer's own coordinates.
    func draw(_ layer: CALayer, in ctx: CGContext)

    /// Called before the layer draws: the place to change `isOpaque` or `contentsScale`.
    func layerWillDraw(_ layer: CALayer)

    /// Places the layer's sublayers. Default: asks the layer's layout manager.
    func layoutSublayers(of layer: CALayer)

    /// What happens when the property `event` changes: an action, `NSNull()` for nothing, or nil to look further.
    func action(for layer: CALayer, forKey event: String) -> CAAction?
}

extension CALayerDelegate {
    /// Draws the layer, as it does without a delegate.
    public func display(_ layer: CALayer) { layer.drawContents() }
    /// Draws nothing.
    public func draw(_ layer: CALayer, in ctx: CGContext) { layer.drawing?.drewNothing = true }
    /// Does nothing.
    public func layerWillDraw(_ layer: CALayer) {}
    /// Asks the layer's layout manager.
    public func layoutSublayers(of layer: CALayer) { layer.layoutManager?.layoutSublayers(of: layer) }
    /// Looks further.
    public func action(for layer: CALayer, forKey event: String) -> CAAction? { nil }
}

/// Places the sublayers of the layers it belongs to.
public protocol CALayoutManager: AnyObject {
    /// The size the layer would like, in its superlayer's coordinates. Default: the layer's frame.
    func preferredSize(of layer: CALayer) -> CGSize

    /// Called when a layer's layout has become invalid, once until it is laid out.
    func invalidateLayout(of layer: CALayer)

    /// Places the sublayers of a layer. Default: nothing.
    func layoutSublayers(of layer: CALayer)
}

extension CALayoutManager {
    /// The frame's size.
    public func preferredSize(of layer: CALayer) -> CGSize { layer.frame.size }
    /// Does nothing.
    public func invalidateLayout(of layer: CALayer) {}
    /// Does nothing.
    public func layoutSublayers(of layer: CALayer) {}
}

/// What runs when a property of a layer changes.
public protocol CAAction {
    /// - Parameters:
    ///   - event: The property, or one of the event keys such as `kCAOnOrderIn`.
    ///   - anObject: The layer.
    func run(forKey event: String, object anObject: Any, arguments dict: [AnyHashable: Any]?)
}

/// No action: ends the search for one.
extension NSNull: CAAction {
    /// Does nothing.
    public func run(forKey event: String, object anObject: Any, arguments dict: [AnyHashable: Any]?) {}
}

/// A layer class whose presentation copies are of its own type: it says `required override init(layer: Any)`.
///
/// Swift gives a subclass without an `init(layer:)` of its own one that traps, so `presentation()` can only call it where a
/// class promises it this way. For any other subclass the copy is of the nearest class of this module.
public protocol CALayerCopying: CALayer {
    /// A copy of a layer of the class, without its place in the tree. See `CALayer.init(layer:)`.
    init(layer: Any)
}

extension CALayerCopying {
    /// A copy with the values that are on screen, of the class itself; nil before the layer's first commit.
    public func presentation() -> Self? { (self as CALayer).presentation() as? Self }
}
