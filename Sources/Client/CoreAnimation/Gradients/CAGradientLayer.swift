import LayerModel

/// How the place in a gradient follows from the place in the layer. Unknown names count as axial.
public struct CAGradientLayerType: NameConstant, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Along the line from start to end; the default.
    public static let axial = CAGradientLayerType(rawValue: "axial")
    /// Outwards from the start, in an ellipse that the end gives the radii of.
    public static let radial = CAGradientLayerType(rawValue: "radial")
    /// Around the start, from the direction of the end on; clockwise where y runs down.
    public static let conic = CAGradientLayerType(rawValue: "conic")

    init(_ kind: GradientKind) {
        switch kind {
        case .axial: self = .axial
        case .radial: self = .radial
        case .conic: self = .conic
        }
    }

    var kind: GradientKind {
        switch self {
        case .radial: .radial
        case .conic: .conic
        default: .axial
        }
    }
}

/// A layer that draws a gradient over its background color and below its contents, in its bounds with their rounded corners.
///
/// Places are in units of the bounds: (0, 0) is their least x and y. Colors are mixed as they are encoded, straight; beyond the
/// stops the first and the last go on. With fewer than two colors, or with a list of locations of another length, nothing is
/// drawn. Everything but the type animates; lists of colors and of locations where both have as many. Source: semantic
/// reference, §6.2. See docs/gradients.md.
open class CAGradientLayer: CALayer, @unchecked Sendable {
    public override init() {
        super.init()
    }

    public override init(layer: Any) {
        super.init(layer: layer)
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// `CGColor`s; nil at first.
    open var colors: [Any]? {
        get {
            let colors = properties.gradient.colors
            return colors.isEmpty ? nil : colors.map { CGColor($0) }
        }
        set {
            let colors = (newValue ?? []).compactMap { ($0 as? CGColor)?.color }
            guard colors.count == newValue?.count ?? 0 else {
                return recordFault(LayerProperty.colors.key, "takes CGColors alone; the old value stays")
            }
            guard mayBe(.colors, of: colors.count) else { return }
            change(.colors, \.gradient.colors, to: colors, isFinite: colors.allSatisfy(\.isFinite))
        }
    }

    /// Of each color, 0…1, none before the one before it. Equal ones make a hard edge. Nil, at first, spreads the colors evenly.
    open var locations: [NSNumber]? {
        get {
            let locations = properties.gradient.locations
            return locations.isEmpty ? nil : locations.map { NSNumber(value: $0) }
        }
        set {
            let locations = (newValue ?? []).map(\.doubleValue)
            guard mayBe(.locations, of: locations.count) else { return }
            change(.locations, \.gradient.locations, to: locations, isFinite: locations.allSatisfy(\.isFinite))
        }
    }

    /// Where the first stop lies; the middle of an ellipse or of a turn. (0.5, 0) at first.
    open var startPoint: CGPoint {
        get { CGPoint(properties.gradient.start) }
        set { changePoint(.startPoint, \.gradient.start, to: newValue) }
    }

    /// Where the last stop lies; a corner of the ellipse's box, or where a turn begins. (0.5, 1) at first.
    open var endPoint: CGPoint {
        get { CGPoint(properties.gradient.end) }
        set { changePoint(.endPoint, \.gradient.end, to: newValue) }
    }

    /// How the place in the gradient follows from the place in the layer; `axial` at first.
    open var type: CAGradientLayerType {
        get { CAGradientLayerType(properties.gradient.kind) }
        set { change(.gradientType, \.gradient.kind, to: newValue.kind) }
    }

    // MARK: Class

    open override func presentation() -> CAGradientLayer? { makePresentation() as? CAGradientLayer }

    package override var layerClass: LayerClass { .gradientLayer }
    package override var frameworkClass: CALayer.Type { CAGradientLayer.self }
    package override func makeFrameworkCopy() -> CALayer { CAGradientLayer(layer: self) }
    package override func paintOwnBackground(in ctx: CGContext) { paintGradient(in: ctx) }

    open override class func defaultValue(forKey key: String) -> Any? {
        guard let property = LayerProperty(key: key), property.owner == .gradientLayer else {
            return super.defaultValue(forKey: key)
        }
        return defaultGradient.gradientValue(property)
    }

    /// A layer nobody changes: where defaults are read.
    static let defaultGradient = CAGradientLayer()

    private func mayBe(_ property: LayerProperty, of count: Int) -> Bool {
        if count <= GradientProperties.mostStops { return true }
        recordFault(
            property.key, "takes at most \(GradientProperties.mostStops) values, not \(count); the old value stays")
        return false
    }

    private func changePoint(
        _ property: LayerProperty, _ field: WritableKeyPath<LayerProperties, Point>, to value: CGPoint
    ) {
        let point = Point(Double(value.x), Double(value.y))
        change(property, field, to: point, isFinite: point.isFinite)
    }
}

// MARK: - Key-value access

extension CAGradientLayer {
    /// Nil for a property that is none of gradients.
    final func gradientValue(_ property: LayerProperty) -> Any? {
        switch property {
        case .colors: colors
        case .locations: locations
        case .startPoint: startPoint
        case .endPoint: endPoint
        case .gradientType: type.rawValue
        default: nil
        }
    }

    /// - Parameter value: Nil sets a list to nil and anything else to its default.
    final func setGradientValue(_ property: LayerProperty, to value: Any?, keyPath: String) {
        switch property {
        case .colors:
            guard let value else { return colors = nil }
            guard let list = value as? [Any], list.allSatisfy({ $0 is CGColor }) else {
                return refuse(value, forKey: keyPath, wants: "an array of CGColors")
            }
            colors = list
        case .locations:
            guard let value else { return locations = nil }
            guard let list = value as? [Any], list.allSatisfy({ KeyedValue.number($0) != nil }) else {
                return refuse(value, forKey: keyPath, wants: "an array of numbers")
            }
            locations = list.compactMap { KeyedValue.number($0).map { NSNumber(value: $0) } }
        case .startPoint, .endPoint:
            guard let point = (value ?? CAGradientLayer.defaultGradient.gradientValue(property)) as? CGPoint else {
                return refuse(value, forKey: keyPath, wants: "a CGPoint")
            }
            if property == .startPoint { startPoint = point } else { endPoint = point }
        default:
            guard let value else { return type = .axial }
            guard let name = KeyedValue.string(value) else { return refuse(value, forKey: keyPath, wants: "a name") }
            type = CAGradientLayerType(rawValue: name)
        }
    }
}
