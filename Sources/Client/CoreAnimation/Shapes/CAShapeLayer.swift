import LayerModel
import LayerWire

/// A layer that draws a path: filled, and with a line along it, over its contents and below its sublayers.
///
/// The path is in the layer's own coordinates. It is neither scaled to the bounds nor clipped by them, unless
/// `masksToBounds` says so; the bounds may be empty. A change of the path shows at once; all other properties with something in
/// between animate implicitly. Source: semantic reference, §6.1. See docs/shapes.md.
open class CAShapeLayer: CALayer, @unchecked Sendable {
    public override init() {
        super.init()
    }

    public override init(layer: Any) {
        super.init(layer: layer)
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    // MARK: Path and inside

    /// In the layer's own coordinates; nil, the default, draws nothing. A copy is kept. One that is too long to send,
    /// or not finite, is a fault.
    open var path: CGPath? {
        get { properties.shape.path.map { CGPath($0) } }
        set { changePath(.path, \.shape.path, to: newValue) }
    }

    /// Opaque black at first. Nil fills nothing. Open contours are closed for filling only.
    open var fillColor: CGColor? {
        get { properties.shape.fillColor.map { $0 == .black ? CALayer.opaqueBlack : CGColor($0) } }
        set { changeShapeColor(.fillColor, \.shape.fillColor, to: newValue) }
    }

    /// What of the path is its inside; `nonZero` at first.
    open var fillRule: CAShapeLayerFillRule {
        get { CAShapeLayerFillRule(properties.shape.fillRule) }
        set { change(.fillRule, \.shape.fillRule, to: newValue.rule) }
    }

    // MARK: Line

    /// Nil, the default, draws no line.
    open var strokeColor: CGColor? {
        get { properties.shape.strokeColor.map { CGColor($0) } }
        set { changeShapeColor(.strokeColor, \.shape.strokeColor, to: newValue) }
    }

    /// Where the line begins, in parts of the length of all contours together; 0 at first. Brought into 0…1 when drawn.
    open var strokeStart: CGFloat {
        get { CGFloat(properties.shape.stroke.start) }
        set { changeNumber(.strokeStart, \.shape.stroke.start, to: newValue) }
    }

    /// Where it ends; 1 at first. Nothing is drawn where the start is not before the end.
    open var strokeEnd: CGFloat {
        get { CGFloat(properties.shape.stroke.end) }
        set { changeNumber(.strokeEnd, \.shape.stroke.end, to: newValue) }
    }

    /// Points, centered on the path; 1 at first. Nothing is drawn where it is not above 0.
    open var lineWidth: CGFloat {
        get { CGFloat(properties.shape.stroke.width) }
        set { changeNumber(.lineWidth, \.shape.stroke.width, to: newValue) }
    }

    /// A miter longer than this many widths becomes a bevel; 10 at first.
    open var miterLimit: CGFloat {
        get { CGFloat(properties.shape.stroke.miterLimit) }
        set { changeNumber(.miterLimit, \.shape.stroke.miterLimit, to: newValue) }
    }

    /// How the line and its dashes end; `butt` at first.
    open var lineCap: CAShapeLayerLineCap {
        get { CAShapeLayerLineCap(properties.shape.stroke.cap) }
        set { change(.lineCap, \.shape.stroke.cap, to: newValue.cap) }
    }

    /// How the line turns at corners; `miter` at first.
    open var lineJoin: CAShapeLayerLineJoin {
        get { CAShapeLayerLineJoin(properties.shape.stroke.join) }
        set { change(.lineJoin, \.shape.stroke.join, to: newValue.join) }
    }

    /// How far into the pattern each contour begins, points; 0 at first.
    open var lineDashPhase: CGFloat {
        get { CGFloat(properties.shape.stroke.dashPhase) }
        set { changeNumber(.lineDashPhase, \.shape.stroke.dashPhase, to: newValue) }
    }

    /// Lengths of dashes and gaps in turn, points; an odd number of them is gone through twice. Nil, the default, or an
    /// empty one, which reads back as nil, is a solid line.
    open var lineDashPattern: [NSNumber]? {
        get {
            let lengths = properties.shape.stroke.dashes
            return lengths.isEmpty ? nil : lengths.map { NSNumber(value: $0) }
        }
        set {
            let lengths = (newValue ?? []).map(\.doubleValue)
            guard lengths.count <= StrokeStyle.mostDashLengths else {
                return recordFault(
                    LayerProperty.lineDashPattern.key,
                    "takes at most \(StrokeStyle.mostDashLengths) numbers, not \(lengths.count); the old value stays")
            }
            change(.lineDashPattern, \.shape.stroke.dashes, to: lengths, isFinite: lengths.allSatisfy(\.isFinite))
        }
    }

    // MARK: Class

    open override func presentation() -> CAShapeLayer? { makePresentation() as? CAShapeLayer }

    package override var layerClass: LayerClass { .shapeLayer }
    package override var frameworkClass: CALayer.Type { CAShapeLayer.self }
    package override func makeFrameworkCopy() -> CALayer { CAShapeLayer(layer: self) }
    package override func paintOwnDrawing(in ctx: CGContext) { paintShape(in: ctx) }

    open override class func defaultValue(forKey key: String) -> Any? {
        guard let property = LayerProperty(key: key), property.owner == .shapeLayer else {
            return super.defaultValue(forKey: key)
        }
        return defaultShape.shapeValue(property)
    }

    /// A layer nobody changes: where defaults are read.
    static let defaultShape = CAShapeLayer()

    private func changeNumber(
        _ property: LayerProperty, _ field: WritableKeyPath<LayerProperties, Double>, to value: CGFloat
    ) {
        change(property, field, to: Double(value), isFinite: value.isFinite)
    }

    private func changeShapeColor(
        _ property: LayerProperty, _ field: WritableKeyPath<LayerProperties, Color?>, to value: CGColor?
    ) {
        change(property, field, to: value?.color, isFinite: value?.color.isFinite ?? true)
    }
}

extension CALayer {
    /// Stores a path, if it is one that can be sent.
    final func changePath(
        _ property: LayerProperty, _ field: WritableKeyPath<LayerProperties, VectorPath?>, to path: CGPath?
    ) {
        let value = path?.vectorPath
        if let value, value.verbs.count > WireLimits.pathVerbs {
            return recordFault(
                property.key,
                "has \(value.verbs.count) elements, at most \(WireLimits.pathVerbs) are allowed; the old value stays")
        }
        change(property, field, to: value, isFinite: value?.isFinite ?? true)
    }
}
