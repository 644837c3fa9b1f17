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

    /// Class and name.
    open override var description: String { label }

    // MARK: Geometry

    /// The layer's own coordinates: origin and size, points; all 0 by default. A negative size is turned around.
    open var bounds: CGRect {
        get { CGRect(properties.bounds) }
        set { changeBounds(to: Rect(newValue)) }
    }

    /// Where the anchor point lies, in the superlayer's coordinates; (0, 0) by default.
    open var position: CGPoint {
        get { CGPoint(properties.position) }
        set { change(.position, \.position, to: Point(newValue), isFinite: Point(newValue).isFinite) }
    }

    /// Points towards the viewer; 0. Siblings are drawn by it, the least first.
    open var zPosition: CGFloat {
        get { CGFloat(properties.zPosition) }
        set { change(.zPosition, \.zPosition, to: Double(newValue), isFinite: newValue.isFinite) }
    }

    /// In units of the bounds: (0, 0) is min x, min y; (0.5, 0.5) by default.
    open var anchorPoint: CGPoint {
        get { CGPoint(properties.anchorPoint) }
        set { change(.anchorPoint, \.anchorPoint, to: Point(newValue), isFinite: Point(newValue).isFinite) }
    }

    /// The anchor's depth, points; 0.
    open var anchorPointZ: CGFloat {
        get { CGFloat(properties.anchorPointZ) }
        set { change(.anchorPointZ, \.anchorPointZ, to: Double(newValue), isFinite: newValue.isFinite) }
    }

    /// Applied about the anchor point; the identity by default.
    open var transform: CATransform3D {
        get { CATransform3D(properties.transform) }
        set { change(.transform, \.transform, to: Transform(newValue), isFinite: Transform(newValue).isFinite) }
    }

    /// Applied to the sublayers, about this layer's anchor point; the identity by default. Perspective (m34) belongs
    /// here.
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

    /// True: the layer's own coordinates are mirrored, y' = 2 · bounds.minY + bounds.height - y; false by default.
    open var isGeometryFlipped: Bool {
        get { properties.isGeometryFlipped }
        set { change(.geometryFlipped, \.isGeometryFlipped, to: newValue) }
    }

    /// False: the layer is not drawn when it turns its back; true by default.
    open var isDoubleSided: Bool {
        get { properties.isDoubleSided }
        set { change(.doubleSided, \.isDoubleSided, to: newValue) }
    }

    /// True when an odd number of flips lies between this layer and the display, the display's own included.
    open func contentsAreFlipped() -> Bool { countsContentsFlipped }

    // MARK: Visibility

    /// True: neither the layer nor what is below it is drawn or hit; false by default.
    open var isHidden: Bool {
        get { properties.isHidden }
        set { change(.hidden, \.isHidden, to: newValue) }
    }

    /// Of the layer with all below it; 1 by default. Brought into 0…1 when drawn.
    open var opacity: Float {
        get { Float(properties.opacity) }
        set { change(.opacity, \.opacity, to: Double(newValue), isFinite: newValue.isFinite) }
    }

    /// True, the default: opacity is applied once, to the layer with all below it. False: to each drawing by itself.
    open var allowsGroupOpacity: Bool {
        get { properties.allowsGroupOpacity }
        set { change(.allowsGroupOpacity, \.allowsGroupOpacity, to: newValue) }
    }

    /// True: what the layer and those below it draw is cut at the bounds, with their corners; false by default.
    open var masksToBounds: Bool {
        get { properties.masksToBounds }
        set { change(.masksToBounds, \.masksToBounds, to: newValue) }
    }

    // MARK: Contents

    /// A `CGImage`, or nil, the default. Anything else is a fault.
    open var contents: Any? {
        get { storedContents }
        set { changeContents(to: newValue) }
    }

    /// The part of the image that is shown, in units of the image; all of it, (0, 0, 1, 1), by default.
    open var contentsRect: CGRect {
        get { CGRect(properties.contentsRect) }
        set { change(.contentsRect, \.contentsRect, to: Rect(newValue), isFinite: Rect(newValue).isFinite) }
    }

    /// The part that stretches, in units of the image; all of it, (0, 0, 1, 1), by default.
    open var contentsCenter: CGRect {
        get { CGRect(properties.contentsCenter) }
        set { change(.contentsCenter, \.contentsCenter, to: Rect(newValue), isFinite: Rect(newValue).isFinite) }
    }

    /// Pixels of the contents a point; 1 by default.
    open var contentsScale: CGFloat {
        get { CGFloat(properties.contentsScale) }
        set { change(.contentsScale, \.contentsScale, to: Double(newValue), isFinite: newValue.isFinite) }
    }

    /// Where the contents sit in the bounds; `resize` by default.
    open var contentsGravity: CALayerContentsGravity {
        get { CALayerContentsGravity(properties.contentsGravity) }
        set { change(.contentsGravity, \.contentsGravity, to: newValue.gravity) }
    }

    /// How contents are sampled where they are made smaller; `linear` by default.
    open var minificationFilter: CALayerContentsFilter {
        get { CALayerContentsFilter(properties.minificationFilter) }
        set { change(.minificationFilter, \.minificationFilter, to: newValue.filter) }
    }

    /// How contents are sampled where they are made larger; `linear` by default.
    open var magnificationFilter: CALayerContentsFilter {
        get { CALayerContentsFilter(properties.magnificationFilter) }
        set { change(.magnificationFilter, \.magnificationFilter, to: newValue.filter) }
    }

    /// Added to the level of detail of a `trilinear` minification filter: below 0 is sharper; 0 by default.
    open var minificationFilterBias: Float {
        get { Float(properties.minificationFilterBias) }
        set {
            change(
                .minificationFilterBias, \.minificationFilterBias, to: Double(newValue), isFinite: newValue.isFinite)
        }
    }

    /// A promise that the contents hide what is behind them; false by default.
    open var isOpaque: Bool {
        get { properties.isOpaque }
        set { change(.opaque, \.isOpaque, to: newValue) }
    }

    // MARK: Decoration

    /// Fills the bounds with their corners, below the contents; nil, the default, fills nothing.
    open var backgroundColor: CGColor? {
        get { storedBackgroundColor }
        set { changeColor(.backgroundColor, \.backgroundColor, \.storedBackgroundColor, to: newValue) }
    }

    /// Points; 0 by default. What is below 0 counts as 0, and half the shorter side is the most. Contents and sublayers
    /// are cut by it only with `masksToBounds`.
    open var cornerRadius: CGFloat {
        get { CGFloat(properties.cornerRadius) }
        set { change(.cornerRadius, \.cornerRadius, to: Double(newValue), isFinite: newValue.isFinite) }
    }

    /// The corners that `cornerRadius` rounds; all four by default.
    open var maskedCorners: CACornerMask {
        get { CACornerMask(properties.maskedCorners) }
        set { change(.maskedCorners, \.maskedCorners, to: newValue.mask) }
    }

    /// The shape of the rounded corners; `circular` by default.
    open var cornerCurve: CALayerCornerCurve {
        get { CALayerCornerCurve(properties.cornerCurve) }
        set { change(.cornerCurve, \.cornerCurve, to: newValue.curve) }
    }

    /// Points, inwards from the bounds, above contents and sublayers; 0 by default, which draws no border.
    open var borderWidth: CGFloat {
        get { CGFloat(properties.borderWidth) }
        set { change(.borderWidth, \.borderWidth, to: Double(newValue), isFinite: newValue.isFinite) }
    }

    /// Opaque black by default; nil draws no border.
    open var borderColor: CGColor? {
        get { storedBorderColor }
        set { changeColor(.borderColor, \.borderColor, \.storedBorderColor, to: newValue) }
    }

    /// True, the default: edges that are not on whole pixels are smooth.
    open var allowsEdgeAntialiasing: Bool {
        get { properties.allowsEdgeAntialiasing }
        set { change(.allowsEdgeAntialiasing, \.allowsEdgeAntialiasing, to: newValue) }
    }

    /// The edges that may be smooth; all four by default.
    open var edgeAntialiasingMask: CAEdgeAntialiasingMask {
        get { CAEdgeAntialiasingMask(properties.edgeAntialiasingMask) }
        set { change(.edgeAntialiasingMask, \.edgeAntialiasingMask, to: newValue.mask) }
    }

    // MARK: Shadow

    /// Opaque black by default; nil casts no shadow.
    open var shadowColor: CGColor? {
        get { shadowColorObject }
        set { changeShadowColor(to: newValue) }
    }

    /// Times the color's alpha; 0, the default, casts no shadow. Brought into 0…1 when drawn.
    open var shadowOpacity: Float {
        get { Float(properties.shadowOpacity) }
        set { change(.shadowOpacity, \.shadowOpacity, to: Double(newValue), isFinite: newValue.isFinite) }
    }

    /// Points in the layer's own coordinates; (0, -3) by default, which is down where y runs up.
    open var shadowOffset: CGSize {
        get { CGSize(width: properties.shadowOffset.x, height: properties.shadowOffset.y) }
        set {
            let value = Point(Double(newValue.width), Double(newValue.height))
            change(.shadowOffset, \.shadowOffset, to: value, isFinite: value.isFinite)
        }
    }

    /// Standard deviation of the blur, points; 3 by default.
    open var shadowRadius: CGFloat {
        get { CGFloat(properties.shadowRadius) }
        set { change(.shadowRadius, \.shadowRadius, to: Double(newValue), isFinite: newValue.isFinite) }
    }

    /// What casts the shadow, in the layer's own coordinates, instead of what the layer and its sublayers draw; nil by
    /// default. A copy is kept.
    open var shadowPath: CGPath? {
        get { properties.shadowPath.map { CGPath($0) } }
        set { changeShadowPath(to: newValue) }
    }

    // MARK: Filters and rasterization

    /// Applied to the layer and all below it, first to last: `CAFilter`s; nil by default. What is not known has no
    /// effect.
    open var filters: [Any]? {
        get { filterObjects(.filters) }
        set { changeFilters(.filters, \.filters, to: newValue) }
    }

    /// Applied to what lies behind the layer: `CAFilter`s; nil by default.
    open var backgroundFilters: [Any]? {
        get { filterObjects(.backgroundFilters) }
        set { changeFilters(.backgroundFilters, \.backgroundFilters, to: newValue) }
    }

    /// How the layer meets what lies behind it in its group: a name such as `multiplyBlendMode`, or a `CAFilter` of it.
    /// Nil, the default, or what is not known, lays it over.
    open var compositingFilter: Any? {
        get { compositingObject }
        set { changeCompositingFilter(to: newValue) }
    }

    /// True: the layer and all below it are drawn into a bitmap that is kept; false by default.
    open var shouldRasterize: Bool {
        get { properties.shouldRasterize }
        set { change(.shouldRasterize, \.shouldRasterize, to: newValue) }
    }

    /// Pixels a point of that bitmap; 1 by default.
    open var rasterizationScale: CGFloat {
        get { CGFloat(properties.rasterizationScale) }
        set { change(.rasterizationScale, \.rasterizationScale, to: Double(newValue), isFinite: newValue.isFinite) }
    }

    // MARK: What stays with the client

    /// For people: plans, faults and errors say it. Nil by default.
    open var name: String? {
        get { properties.name }
        set { change(.name, \.name, to: newValue) }
    }

    /// Draws, lays out and answers for actions; not retained. Nil by default.
    open weak var delegate: CALayerDelegate?
    /// Places the sublayers where the delegate is nil; nil by default.
    open var layoutManager: CALayoutManager?
    /// Actions by event; `NSNull()` stops the search. Nil by default.
    open var actions: [String: CAAction]?
    /// Values for keys that were not set, and actions under "actions"; a nested "style" is looked through after it. Nil
    /// by default.
    open var style: [AnyHashable: Any]?
    /// What follows a change of the superlayer's size; nothing by default.
    open var autoresizingMask: CAAutoresizingMask = []
    /// True: a change of the bounds' size draws the layer again; false by default.
    open var needsDisplayOnBoundsChange = false

    // MARK: Tree

    /// The layer it is a sublayer or the mask of; nil at the root. In a presentation copy: a presentation copy.
    open var superlayer: CALayer? { treeSuperlayer }

    /// Back to front; nil when there are none. Setting a list with a layer that this one is below is a fault. In a
    /// presentation copy: presentation copies.
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

    /// Puts a layer in front of the others, and takes it from where it was. This layer itself, or one that this one is
    /// below, is a fault and changes nothing.
    open func addSublayer(_ layer: CALayer) { insertChild(layer, at: .end, operation: "addSublayer") }

    /// Inserts a layer at an index among the sublayers, as `addSublayer`; an index past the end is the end.
    open func insertSublayer(_ layer: CALayer, at idx: UInt32) {
        insertChild(layer, at: .index(Int(idx)), operation: "insertSublayer(at:)")
    }

    /// Inserts a layer behind a sublayer, as `addSublayer`.
    open func insertSublayer(_ layer: CALayer, below sibling: CALayer?) {
        insertChild(layer, at: .below(sibling), operation: "insertSublayer(below:)")
    }

    /// Inserts a layer in front of a sublayer, as `addSublayer`.
    open func insertSublayer(_ layer: CALayer, above sibling: CALayer?) {
        insertChild(layer, at: .above(sibling), operation: "insertSublayer(above:)")
    }

    /// Puts a layer in the place of a sublayer.
    open func replaceSublayer(_ oldLayer: CALayer, with newLayer: CALayer) {
        replaceChild(oldLayer, with: newLayer)
    }

    /// Takes the layer from its superlayer, whose mask it may be.
    open func removeFromSuperlayer() { leaveParent() }

    // MARK: Hit testing

    /// The farthest descendant under a point of the superlayer's coordinates, or the layer itself.
    open func hitTest(_ p: CGPoint) -> CALayer? { HitTest.run(from: self, at: Point(p)) }

    /// - Parameter p: In the layer's own coordinates. The edges at max x and max y don't belong to the layer.
    open func contains(_ p: CGPoint) -> Bool { properties.bounds.contains(Point(p)) }

    // MARK: Layout and display

    /// The next commit, or `layoutIfNeeded()`, places the sublayers.
    open func setNeedsLayout() { markLayoutDirty() }
    /// True when the sublayers are to be placed.
    open func needsLayout() -> Bool { isLayoutDirty }
    /// Lays out now, from the highest layer above this one that needs it without a gap.
    open func layoutIfNeeded() { layOutFromHighestDirtyAncestor() }

    /// Places the sublayers. Default: asks the delegate, without one the layout manager.
    open func layoutSublayers() {
        if let delegate { delegate.layoutSublayers(of: self) } else { layoutManager?.layoutSublayers(of: self) }
    }

    /// The size that the layer would like, in its superlayer's coordinates: the layout manager's answer, else the
    /// frame's.
    open func preferredFrameSize() -> CGSize { layoutManager?.preferredSize(of: self) ?? frame.size }

    /// Called when the bounds' size has changed; resizes each sublayer by its autoresizing mask.
    open func resizeSublayers(withOldSize size: CGSize) {
        for child in children { child.resize(withOldSuperlayerSize: size) }
    }

    /// Follows a change of the superlayer's size by `autoresizingMask`. Source: semantic reference, §1.13.
    open func resize(withOldSuperlayerSize size: CGSize) { autoresize(fromSuperlayerSize: Size(size)) }

    /// The next commit, or `displayIfNeeded()`, draws the layer.
    open func setNeedsDisplay() { markDisplayDirty(bounds) }
    /// As `setNeedsDisplay()`, a part of it, in the layer's own coordinates. Parts of several calls are united.
    open func setNeedsDisplay(_ r: CGRect) { markDisplayDirty(r) }
    /// True when the layer is to be drawn.
    open func needsDisplay() -> Bool { isDisplayDirty }
    /// Draws now, if it is needed.
    open func displayIfNeeded() { if isDisplayDirty { displayOnce() } }

    /// Brings the contents up to date. Default: lets the delegate do it, else draws.
    open func display() { if let delegate { delegate.display(self) } else { drawContents() } }

    /// Takes over what was drawn.
    package func showDrawnContents(_ image: CGImage?) { contents = image }

    /// Draws the contents, in the layer's own coordinates. Default: asks the delegate.
    open func draw(in ctx: CGContext) {
        if let delegate { delegate.draw(self, in: ctx) } else { drawing?.drewNothing = true }
    }

    /// Draws the layer and all below it, in the layer's own coordinates. Model values; nothing is displayed for it.
    open func render(in ctx: CGContext) { LayerPainter(ctx).paint(self) }

    // MARK: Actions

    /// The action for an event: the delegate's, then `actions`, then `style`, then the class's. `NSNull` ends the search.
    open func action(forKey event: String) -> CAAction? { searchAction(forKey: event) }

    /// The class's action for an event; nil unless a subclass says otherwise.
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

    /// Takes away the animation of a key. The layer shows its model values from the next commit on.
    open func removeAnimation(forKey key: String) { removeAnimation(withKey: key) }
    /// Takes away all animations.
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

    /// A property by its name, or what was kept under any other key. Numbers come out as `NSNumber`, structs as
    /// themselves, colors as `CGColor`.
    open func value(forKey key: String) -> Any? { keyedValue(forKey: key) }
    /// Sets a property by its name, nil to its default; any other key keeps its value. A value of another type than the
    /// property's is a fault and changes nothing.
    open func setValue(_ value: Any?, forKey key: String) { setKeyedValue(value, forKey: key) }
    /// A value or a part of it, such as `position.x` or `transform.rotation.z`; nil where there is none. Source:
    /// semantic reference, §1.12.
    open func value(forKeyPath keyPath: String) -> Any? { keyedValue(forKeyPath: keyPath) }
    /// Sets a value or a part of it. A path that leads nowhere is a fault and changes nothing.
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
