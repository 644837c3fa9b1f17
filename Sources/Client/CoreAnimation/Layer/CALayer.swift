// A node of the layer tree. This file holds what a subclass may override (Swift lets only members of a class's own body be
// overridden); what the members do stands in the extensions beside it.

import LayerModel

/// Shows something in a rectangle, and has sublayers.
///
/// A layer's values are its *model* values. Changes reach the display with the transaction they are made in. One thread at a
/// time may change a tree (see `CATransaction.lock()`).
///
/// It is an `NSObject` so that layers hash by identity and overrides of `description` compile.
open class CALayer: NSObject, @unchecked Sendable {
    /// The model values, as the server knows them. Written by `change(_:_:to:)` only. `contents` stays unset here: an image
    /// has an id only within a session.
    package internal(set) var properties = LayerProperties()

    var storedContents: CGImage?
    var storedBackgroundColor: CGColor?
    var storedBorderColor: CGColor? = CALayer.opaqueBlack
    /// Objects behind the effects' values; nil while none was set.
    var effects: SharedEffects?

    /// Back to front.
    var children: [CALayer] = []
    /// Its parent is this layer, but it is none of the children.
    var storedMask: CALayer?
    /// Cleared when the parent goes: never dangling.
    unowned(unsafe) var parent: CALayer?
    /// Where the layer was last seen among its parent's children; a guess.
    var indexHint = 0

    /// The layer's place in a display and what the display doesn't know yet.
    var hosting = LayerHosting()
    /// Properties that were ever set: the others have their defaults.
    var assigned: LayerPropertySet = []

    var isLayoutDirty = false
    /// A layer below this one is dirty. Every ancestor of a dirty layer says so.
    var hasLayoutDirtyDescendant = false
    var isDisplayDirty = false
    var hasDisplayDirtyDescendant = false
    /// What must be drawn again, in bounds coordinates; empty when nothing.
    var invalidRect = CGRect.null
    /// Nil until the layer is to be drawn.
    var drawing: LayerDrawing?
    var storedConstraints: [CAConstraint]?

    /// In the order they were added.
    var animationList: [LayerAnimation] = []

    var unusedTiming = UnusedTiming()
    /// Values under keys that are no properties.
    var keyedValues: [String: Any] = [:]
    /// Faults of a layer that is in no display yet.
    var pendingFaults: FaultList?
    /// Nil except in a presentation copy.
    var modelLayer: CALayer?

    // MARK: Life

    /// A layer with default values.
    public override init() {
        super.init()
    }

    /// A copy of another layer's values, without its place in the tree: how presentation copies are made. A subclass with state of its own overrides this and copies it, and says so by conforming to `CALayerCopying`.
    public init(layer: Any) {
        super.init()
        if let layer = layer as? CALayer { copyValues(of: layer) }
    }

    /// Always nil: archives of layers are made by Apple's frameworks only.
    public required init?(coder: NSCoder) {
        return nil
    }

    deinit {
        releaseChildren()
    }

    open override var description: String { label }

    // MARK: Geometry

    /// The layer's own coordinates: origin and size. A negative size is turned around.
    open var bounds: CGRect {
        get { CGRect(properties.bounds) }
        set { changeBounds(to: Rect(newValue)) }
    }

    /// Where the anchor point lies, in the superlayer's coordinates.
    open var position: CGPoint {
        get { CGPoint(properties.position) }
        set { change(.position, \.position, to: Point(newValue), isFinite: Point(newValue).isFinite) }
    }

    open var zPosition: CGFloat {
        get { CGFloat(properties.zPosition) }
        set { change(.zPosition, \.zPosition, to: Double(newValue), isFinite: newValue.isFinite) }
    }

    /// In units of the bounds: (0, 0) is min x, min y.
    open var anchorPoint: CGPoint {
        get { CGPoint(properties.anchorPoint) }
        set { change(.anchorPoint, \.anchorPoint, to: Point(newValue), isFinite: Point(newValue).isFinite) }
    }

    open var anchorPointZ: CGFloat {
        get { CGFloat(properties.anchorPointZ) }
        set { change(.anchorPointZ, \.anchorPointZ, to: Double(newValue), isFinite: newValue.isFinite) }
    }

    /// Applied about the anchor point.
    open var transform: CATransform3D {
        get { CATransform3D(properties.transform) }
        set { change(.transform, \.transform, to: Transform(newValue), isFinite: Transform(newValue).isFinite) }
    }

    /// Applied to the sublayers, about this layer's anchor point.
    open var sublayerTransform: CATransform3D {
        get { CATransform3D(properties.sublayerTransform) }
        set {
            let value = Transform(newValue)
            change(.sublayerTransform, \.sublayerTransform, to: value, isFinite: value.isFinite)
        }
    }

    /// The smallest rectangle around the layer in its superlayer's coordinates. Setting it changes bounds' size and position.
    open var frame: CGRect {
        get { CGRect(frameRect) }
        set { changeFrame(to: Rect(newValue)) }
    }

    open var isGeometryFlipped: Bool {
        get { properties.isGeometryFlipped }
        set { change(.geometryFlipped, \.isGeometryFlipped, to: newValue) }
    }

    open var isDoubleSided: Bool {
        get { properties.isDoubleSided }
        set { change(.doubleSided, \.isDoubleSided, to: newValue) }
    }

    /// True when an odd number of flips lies between this layer and the display, the display's own included.
    open func contentsAreFlipped() -> Bool { countsContentsFlipped }

    // MARK: Visibility

    open var isHidden: Bool {
        get { properties.isHidden }
        set { change(.hidden, \.isHidden, to: newValue) }
    }

    /// Brought into 0…1 when drawn.
    open var opacity: Float {
        get { Float(properties.opacity) }
        set { change(.opacity, \.opacity, to: Double(newValue), isFinite: newValue.isFinite) }
    }

    open var allowsGroupOpacity: Bool {
        get { properties.allowsGroupOpacity }
        set { change(.allowsGroupOpacity, \.allowsGroupOpacity, to: newValue) }
    }

    open var masksToBounds: Bool {
        get { properties.masksToBounds }
        set { change(.masksToBounds, \.masksToBounds, to: newValue) }
    }

    // MARK: Contents

    /// A `CGImage` or nil.
    open var contents: Any? {
        get { storedContents }
        set { changeContents(to: newValue) }
    }

    /// The part of the image that is shown, in units of the image.
    open var contentsRect: CGRect {
        get { CGRect(properties.contentsRect) }
        set { change(.contentsRect, \.contentsRect, to: Rect(newValue), isFinite: Rect(newValue).isFinite) }
    }

    /// The part that stretches, in units of the image.
    open var contentsCenter: CGRect {
        get { CGRect(properties.contentsCenter) }
        set { change(.contentsCenter, \.contentsCenter, to: Rect(newValue), isFinite: Rect(newValue).isFinite) }
    }

    /// Pixels of the contents a point.
    open var contentsScale: CGFloat {
        get { CGFloat(properties.contentsScale) }
        set { change(.contentsScale, \.contentsScale, to: Double(newValue), isFinite: newValue.isFinite) }
    }

    open var contentsGravity: CALayerContentsGravity {
        get { CALayerContentsGravity(properties.contentsGravity) }
        set { change(.contentsGravity, \.contentsGravity, to: newValue.gravity) }
    }

    open var minificationFilter: CALayerContentsFilter {
        get { CALayerContentsFilter(properties.minificationFilter) }
        set { change(.minificationFilter, \.minificationFilter, to: newValue.filter) }
    }

    open var magnificationFilter: CALayerContentsFilter {
        get { CALayerContentsFilter(properties.magnificationFilter) }
        set { change(.magnificationFilter, \.magnificationFilter, to: newValue.filter) }
    }

    open var minificationFilterBias: Float {
        get { Float(properties.minificationFilterBias) }
        set {
            change(
                .minificationFilterBias, \.minificationFilterBias, to: Double(newValue), isFinite: newValue.isFinite)
        }
    }

    /// A promise that the contents hide what is behind them.
    open var isOpaque: Bool {
        get { properties.isOpaque }
        set { change(.opaque, \.isOpaque, to: newValue) }
    }

    // MARK: Decoration

    open var backgroundColor: CGColor? {
        get { storedBackgroundColor }
        set { changeColor(.backgroundColor, \.backgroundColor, \.storedBackgroundColor, to: newValue) }
    }

    open var cornerRadius: CGFloat {
        get { CGFloat(properties.cornerRadius) }
        set { change(.cornerRadius, \.cornerRadius, to: Double(newValue), isFinite: newValue.isFinite) }
    }

    open var maskedCorners: CACornerMask {
        get { CACornerMask(properties.maskedCorners) }
        set { change(.maskedCorners, \.maskedCorners, to: newValue.mask) }
    }

    open var cornerCurve: CALayerCornerCurve {
        get { CALayerCornerCurve(properties.cornerCurve) }
        set { change(.cornerCurve, \.cornerCurve, to: newValue.curve) }
    }

    open var borderWidth: CGFloat {
        get { CGFloat(properties.borderWidth) }
        set { change(.borderWidth, \.borderWidth, to: Double(newValue), isFinite: newValue.isFinite) }
    }

    open var borderColor: CGColor? {
        get { storedBorderColor }
        set { changeColor(.borderColor, \.borderColor, \.storedBorderColor, to: newValue) }
    }

    open var allowsEdgeAntialiasing: Bool {
        get { properties.allowsEdgeAntialiasing }
        set { change(.allowsEdgeAntialiasing, \.allowsEdgeAntialiasing, to: newValue) }
    }

    open var edgeAntialiasingMask: CAEdgeAntialiasingMask {
        get { CAEdgeAntialiasingMask(properties.edgeAntialiasingMask) }
        set { change(.edgeAntialiasingMask, \.edgeAntialiasingMask, to: newValue.mask) }
    }

    // MARK: Shadow

    /// Nil casts no shadow.
    open var shadowColor: CGColor? {
        get { shadowColorObject }
        set { changeShadowColor(to: newValue) }
    }

    /// Times the colour's alpha; 0, the default, casts no shadow. Brought into 0…1 when drawn.
    open var shadowOpacity: Float {
        get { Float(properties.shadowOpacity) }
        set { change(.shadowOpacity, \.shadowOpacity, to: Double(newValue), isFinite: newValue.isFinite) }
    }

    /// In the layer's own coordinates.
    open var shadowOffset: CGSize {
        get { CGSize(width: properties.shadowOffset.x, height: properties.shadowOffset.y) }
        set {
            let value = Point(Double(newValue.width), Double(newValue.height))
            change(.shadowOffset, \.shadowOffset, to: value, isFinite: value.isFinite)
        }
    }

    /// Standard deviation of the blur, points.
    open var shadowRadius: CGFloat {
        get { CGFloat(properties.shadowRadius) }
        set { change(.shadowRadius, \.shadowRadius, to: Double(newValue), isFinite: newValue.isFinite) }
    }

    /// What casts the shadow, in the layer's own coordinates, instead of what the layer and its sublayers draw. A copy is kept.
    open var shadowPath: CGPath? {
        get { properties.shadowPath.map { CGPath($0) } }
        set { changeShadowPath(to: newValue) }
    }

    // MARK: Filters and rasterization

    /// Applied to the layer and all below it, first to last: `CAFilter`s. What is not known has no effect.
    open var filters: [Any]? {
        get { filterObjects(.filters) }
        set { changeFilters(.filters, \.filters, to: newValue) }
    }

    /// Applied to what lies behind the layer.
    open var backgroundFilters: [Any]? {
        get { filterObjects(.backgroundFilters) }
        set { changeFilters(.backgroundFilters, \.backgroundFilters, to: newValue) }
    }

    /// How the layer meets what lies behind it in its group: a name such as `multiplyBlendMode`, or a `CAFilter` of it. Nil,
    /// or what is not known, lays it over.
    open var compositingFilter: Any? {
        get { compositingObject }
        set { changeCompositingFilter(to: newValue) }
    }

    /// True: the layer and all below it are drawn into a bitmap that is kept.
    open var shouldRasterize: Bool {
        get { properties.shouldRasterize }
        set { change(.shouldRasterize, \.shouldRasterize, to: newValue) }
    }

    /// Pixels a point of that bitmap.
    open var rasterizationScale: CGFloat {
        get { CGFloat(properties.rasterizationScale) }
        set { change(.rasterizationScale, \.rasterizationScale, to: Double(newValue), isFinite: newValue.isFinite) }
    }

    // MARK: What stays with the client

    /// For people: plans, faults and errors say it.
    open var name: String? {
        get { properties.name }
        set { change(.name, \.name, to: newValue) }
    }

    open weak var delegate: CALayerDelegate?
    open var layoutManager: CALayoutManager?
    /// Actions by event; `NSNull()` stops the search.
    open var actions: [String: CAAction]?
    /// Values for keys that were not set, and actions under "actions"; a nested "style" is looked through after it.
    open var style: [AnyHashable: Any]?
    open var autoresizingMask: CAAutoresizingMask = []
    /// True: a change of the bounds' size draws the layer again.
    open var needsDisplayOnBoundsChange = false

    // MARK: Tree

    open var superlayer: CALayer? { treeSuperlayer }

    /// Back to front; nil when there are none. In a presentation copy: presentation copies.
    open var sublayers: [CALayer]? {
        get { treeSublayers.isEmpty ? nil : treeSublayers }
        set { setChildren(newValue ?? []) }
    }

    /// A layer whose alpha covers this one and all below it. Its superlayer is this layer, but it is none of the sublayers. It
    /// leaves any other place it had. In a presentation copy: a presentation copy.
    open var mask: CALayer? {
        get { treeMask }
        set { changeMask(to: newValue) }
    }

    open func addSublayer(_ layer: CALayer) { insertChild(layer, at: .end, operation: "addSublayer") }

    /// Inserts a layer at an index among the sublayers; an index past the end is the end.
    open func insertSublayer(_ layer: CALayer, at idx: UInt32) {
        insertChild(layer, at: .index(Int(idx)), operation: "insertSublayer(at:)")
    }

    open func insertSublayer(_ layer: CALayer, below sibling: CALayer?) {
        insertChild(layer, at: .below(sibling), operation: "insertSublayer(below:)")
    }

    open func insertSublayer(_ layer: CALayer, above sibling: CALayer?) {
        insertChild(layer, at: .above(sibling), operation: "insertSublayer(above:)")
    }

    open func replaceSublayer(_ oldLayer: CALayer, with newLayer: CALayer) {
        replaceChild(oldLayer, with: newLayer)
    }

    open func removeFromSuperlayer() { leaveParent() }

    // MARK: Hit testing

    /// The farthest descendant under a point of the superlayer's coordinates, or the layer itself.
    open func hitTest(_ p: CGPoint) -> CALayer? { HitTest.run(from: self, at: Point(p)) }

    /// - Parameter p: In the layer's own coordinates. The edges at max x and max y don't belong to the layer.
    open func contains(_ p: CGPoint) -> Bool { properties.bounds.contains(Point(p)) }

    // MARK: Layout and display

    open func setNeedsLayout() { markLayoutDirty() }
    open func needsLayout() -> Bool { isLayoutDirty }
    open func layoutIfNeeded() { layOutFromHighestDirtyAncestor() }

    /// Places the sublayers. Default: asks the delegate, without one the layout manager.
    open func layoutSublayers() {
        if let delegate { delegate.layoutSublayers(of: self) } else { layoutManager?.layoutSublayers(of: self) }
    }

    open func preferredFrameSize() -> CGSize { layoutManager?.preferredSize(of: self) ?? frame.size }

    /// Called when the bounds' size has changed; resizes each sublayer by its autoresizing mask.
    open func resizeSublayers(withOldSize size: CGSize) {
        for child in children { child.resize(withOldSuperlayerSize: size) }
    }

    open func resize(withOldSuperlayerSize size: CGSize) { autoresize(fromSuperlayerSize: Size(size)) }

    open func setNeedsDisplay() { markDisplayDirty(bounds) }
    open func setNeedsDisplay(_ r: CGRect) { markDisplayDirty(r) }
    open func needsDisplay() -> Bool { isDisplayDirty }
    open func displayIfNeeded() { if isDisplayDirty { displayOnce() } }

    /// Brings the contents up to date. Default: lets the delegate do it, else draws.
    open func display() { if let delegate { delegate.display(self) } else { drawContents() } }

    /// Draws the contents, in the layer's own coordinates. Default: asks the delegate.
    open func draw(in ctx: CGContext) {
        if let delegate { delegate.draw(self, in: ctx) } else { drawing?.drewNothing = true }
    }

    /// Draws the layer and all below it, in the layer's own coordinates. Model values; nothing is displayed for it.
    open func render(in ctx: CGContext) { LayerPainter(ctx).paint(self) }

    // MARK: Actions

    /// The action for an event: the delegate's, then `actions`, then `style`, then the class's. `NSNull` ends the search.
    open func action(forKey event: String) -> CAAction? { searchAction(forKey: event) }

    open class func defaultAction(forKey event: String) -> CAAction? { nil }
    /// True when a change of the key must draw the layer again.
    open class func needsDisplay(forKey key: String) -> Bool { false }
    /// The value of a key that was not set; nil where it is zero or nothing.
    open class func defaultValue(forKey key: String) -> Any? { frameworkDefaultValue(forKey: key) }

    // MARK: Animations

    /// Adds a copy of an animation: what is changed later in `anim` has no effect. It begins with the next commit, unless it
    /// says otherwise, and replaces one of the same key. A transition's key is always `transition`.
    ///
    /// - Parameter key: Nil: it stays beside others without a key.
    open func add(_ anim: CAAnimation, forKey key: String?) { addCopy(of: anim, forKey: key) }

    /// The layer shows its model values from the next commit on.
    open func removeAnimation(forKey key: String) { removeAnimation(withKey: key) }
    open func removeAllAnimations() { removeEveryAnimation() }

    /// The keys, in the order in which animations are applied; nil when there are none.
    open func animationKeys() -> [String]? {
        let keys = animationList.compactMap(\.key)
        return keys.isEmpty ? nil : keys
    }

    /// The copy that the layer keeps. Changing it has no effect.
    open func animation(forKey key: String) -> CAAnimation? {
        animationList.first { $0.key == key }?.animation
    }

    // MARK: Key-value access

    open func value(forKey key: String) -> Any? { keyedValue(forKey: key) }
    open func setValue(_ value: Any?, forKey key: String) { setKeyedValue(value, forKey: key) }
    open func value(forKeyPath keyPath: String) -> Any? { keyedValue(forKeyPath: keyPath) }
    open func setValue(_ value: Any?, forKeyPath keyPath: String) { setKeyedValue(value, forKeyPath: keyPath) }

    // MARK: Presentation

    /// A copy with the values that are on screen; nil before the layer's first commit.
    open func presentation() -> CALayer? { makePresentation() }

    /// The layer a presentation copy was made of; the layer itself otherwise.
    public final func model() -> Self { (modelLayer as? Self) ?? self }

    // MARK: For the classes of this module

    /// What the server must know of the class.
    package var layerClass: LayerClass { .layer }
    /// The nearest class of this module.
    package var frameworkClass: CALayer.Type { CALayer.self }
    /// A copy of the nearest class of this module.
    package func makeFrameworkCopy() -> CALayer { CALayer(layer: self) }
    /// Layers of the class's own: a display shows them below the sublayers, an app never sees them.
    package var ownSublayers: [CALayer] { [] }
    /// True for keys of the class, kept under keys, whose change is animated by itself.
    package func isOwnKeyAnimatable(_ key: String) -> Bool { false }
    /// What the class draws over the contents in `render(in:)`, in the layer's own coordinates.
    package func paintOwnDrawing(in ctx: CGContext) {}
    /// What the class draws between the background and the contents in `render(in:)`.
    package func paintOwnBackground(in ctx: CGContext) {}
}
