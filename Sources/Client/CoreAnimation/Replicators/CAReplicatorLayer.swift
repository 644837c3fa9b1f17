import LayerModel

/// A layer that shows its sublayers several times, each time in another place, in another color, and a little later.
///
/// Only the sublayers are repeated: background, contents, border, mask and clip are the layer's own, once. Hit tests find the
/// first instance. Everything but `preservesDepth` animates. Source: semantic reference, §6.4. See docs/replicators.md.
open class CAReplicatorLayer: CALayer, @unchecked Sendable {
    public override init() {
        super.init()
    }

    public override init(layer: Any) {
        super.init(layer: layer)
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// How often the sublayers are shown; 1 at first, with 0 they are not. A negative number counts as 0.
    open var instanceCount: Int {
        get { properties.replicator.instances }
        set { change(.instanceCount, \.replicator.count, to: Double(max(newValue, 0))) }
    }

    /// The sublayers keep their depth, in the space that the layer is in; then the layer draws nothing itself, as a transform
    /// layer does. False at first.
    open var preservesDepth: Bool {
        get { properties.replicator.preservesDepth }
        set { change(.preservesDepth, \.replicator.preservesDepth, to: newValue) }
    }

    /// Seconds that the animations of each instance are behind those of the one before it; 0 at first.
    open var instanceDelay: CFTimeInterval {
        get { properties.replicator.delay }
        set { change(.instanceDelay, \.replicator.delay, to: newValue, isFinite: newValue.isFinite) }
    }

    /// From each instance to the next, about the layer's anchor point; the identity at first.
    open var instanceTransform: CATransform3D {
        get { CATransform3D(properties.replicator.transform) }
        set {
            let value = Transform(newValue)
            change(.instanceTransform, \.replicator.transform, to: value, isFinite: value.isFinite)
        }
    }

    /// Multiplied into the sublayers; opaque white at first, which nil counts as.
    open var instanceColor: CGColor? {
        get { properties.replicator.color.map { CGColor($0) } }
        set {
            change(
                .instanceColor, \.replicator.color, to: newValue?.color, isFinite: newValue?.color.isFinite ?? true)
        }
    }

    /// Added to the red of `instanceColor` for each instance; 0 at first. The sum is kept in 0…1.
    open var instanceRedOffset: Float {
        get { Float(properties.replicator.redOffset) }
        set { changeOffset(.instanceRedOffset, \.replicator.redOffset, to: newValue) }
    }

    /// Added to the green of `instanceColor` for each instance; 0 at first. The sum is kept in 0…1.
    open var instanceGreenOffset: Float {
        get { Float(properties.replicator.greenOffset) }
        set { changeOffset(.instanceGreenOffset, \.replicator.greenOffset, to: newValue) }
    }

    /// Added to the blue of `instanceColor` for each instance; 0 at first. The sum is kept in 0…1.
    open var instanceBlueOffset: Float {
        get { Float(properties.replicator.blueOffset) }
        set { changeOffset(.instanceBlueOffset, \.replicator.blueOffset, to: newValue) }
    }

    /// Added to the alpha of `instanceColor` for each instance; 0 at first. The sum is kept in 0…1.
    open var instanceAlphaOffset: Float {
        get { Float(properties.replicator.alphaOffset) }
        set { changeOffset(.instanceAlphaOffset, \.replicator.alphaOffset, to: newValue) }
    }

    private func changeOffset(
        _ property: LayerProperty, _ field: WritableKeyPath<LayerProperties, Double>, to value: Float
    ) {
        change(property, field, to: Double(value), isFinite: value.isFinite)
    }

    // MARK: Class

    open override func presentation() -> CAReplicatorLayer? { makePresentation() as? CAReplicatorLayer }

    package override var layerClass: LayerClass { .replicatorLayer }
    package override var frameworkClass: CALayer.Type { CAReplicatorLayer.self }
    package override func makeFrameworkCopy() -> CALayer { CAReplicatorLayer(layer: self) }

    open override class func defaultValue(forKey key: String) -> Any? {
        guard let property = LayerProperty(key: key), property.owner == .replicatorLayer else {
            return super.defaultValue(forKey: key)
        }
        return defaultReplicator.replicatorValue(property)
    }

    /// A layer nobody changes: where defaults are read.
    static let defaultReplicator = CAReplicatorLayer()
}

// MARK: - Key-value access

extension CAReplicatorLayer {
    /// Nil for a property that is none of replicators.
    final func replicatorValue(_ property: LayerProperty) -> Any? {
        switch property {
        case .instanceCount: NSNumber(value: instanceCount)
        case .preservesDepth: NSNumber(value: preservesDepth)
        case .instanceDelay: NSNumber(value: instanceDelay)
        case .instanceTransform: instanceTransform
        case .instanceColor: instanceColor
        case .instanceRedOffset: NSNumber(value: instanceRedOffset)
        case .instanceGreenOffset: NSNumber(value: instanceGreenOffset)
        case .instanceBlueOffset: NSNumber(value: instanceBlueOffset)
        case .instanceAlphaOffset: NSNumber(value: instanceAlphaOffset)
        default: nil
        }
    }

    /// - Parameter value: Nil sets the default.
    final func setReplicatorValue(_ property: LayerProperty, to value: Any?, keyPath: String) {
        let value = value ?? CAReplicatorLayer.defaultReplicator.replicatorValue(property)
        switch property {
        case .instanceTransform:
            guard let transform = value.flatMap({ KeyedValue.transform($0) }) else {
                return refuse(value, forKey: keyPath, wants: "a CATransform3D")
            }
            instanceTransform = transform
        case .instanceColor:
            guard let color = value as? CGColor else { return refuse(value, forKey: keyPath, wants: "a CGColor") }
            instanceColor = color
        case .preservesDepth:
            guard let flag = value.flatMap({ KeyedValue.bool($0) }) else {
                return refuse(value, forKey: keyPath, wants: "a Bool")
            }
            preservesDepth = flag
        default:
            guard let number = value.flatMap({ KeyedValue.number($0) }) else {
                return refuse(value, forKey: keyPath, wants: "a number")
            }
            set(property, to: number)
        }
    }

    private func set(_ property: LayerProperty, to number: Double) {
        switch property {
        case .instanceCount:
            guard number.isFinite else { return recordFault(property.key, "must be finite; the old value stays") }
            instanceCount = Int(min(max(number, 0), Double(Int32.max)))
        case .instanceDelay: instanceDelay = number
        case .instanceRedOffset: instanceRedOffset = Float(number)
        case .instanceGreenOffset: instanceGreenOffset = Float(number)
        case .instanceBlueOffset: instanceBlueOffset = Float(number)
        default: instanceAlphaOffset = Float(number)
        }
    }
}

extension CALayer {
    /// It has no plane of its own: its sublayers are in the space that it is in.
    final var passesThrough: Bool {
        self is CATransformLayer || (self as? CAReplicatorLayer)?.preservesDepth == true
    }
}
