import LayerModel

/// A layer that emits particles, drawn above its background, sublayers and border.
///
/// Each cell gives births at its rate from the beginning of the layer's time on: setting `beginTime` to the present starts an
/// empty emitter, and without it what an emitter of long ago shows is there at once. The layer's values multiply those of its
/// cells. The same `seed` gives the same particles. They are not clipped to the bounds unless `masksToBounds` is true. Source:
/// semantic reference, §6.8. See docs/emitters.md.
open class CAEmitterLayer: CALayer, @unchecked Sendable {
    private var storedCells: [CAEmitterCell]?
    /// Of the cells, in the order they are met.
    private(set) var cellImages: [CGImage] = []

    public override init() {
        super.init()
    }

    public override init(layer: Any) {
        super.init(layer: layer)
        guard let other = layer as? CAEmitterLayer else { return }
        storedCells = other.storedCells
        cellImages = other.cellImages
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// What particles are born of; nil by default. Copies of what was set. More than 64 cells, or more than 4 inside
    /// one another, are a fault, and the old ones stay.
    open var emitterCells: [CAEmitterCell]? {
        get { storedCells?.map { $0.duplicate() } }
        set {
            let copies = newValue?.map { $0.duplicate() }
            var images: [CGImage] = []
            let cells = (copies ?? []).map { $0.value(&images) }
            guard cells.reduce(0, { $0 + $1.count }) <= EmitterCell.most,
                cells.allSatisfy({ $0.depth <= EmitterCell.deepest })
            else {
                return recordFault(
                    LayerProperty.emitterCells.key,
                    "takes at most \(EmitterCell.most) cells, \(EmitterCell.deepest) inside one another; the old value stays"
                )
            }
            guard cells.allSatisfy(\.isFinite) else { return refuseNotFinite(LayerProperty.emitterCells.key) }
            storedCells = copies
            cellImages = images
            change(.emitterCells, \.emitter.cells, to: cells)
        }
    }

    /// Times the birth rates of the cells; 1. With 0 no particle is born any more.
    open var birthRate: Float {
        get { Float(properties.emitter.factors.birthRate) }
        set { changeNumber(.birthRate, \.emitter.factors.birthRate, to: Double(newValue)) }
    }

    /// Times the lifetimes of the cells; 1.
    open var lifetime: Float {
        get { Float(properties.emitter.factors.lifetime) }
        set { changeNumber(.lifetime, \.emitter.factors.lifetime, to: Double(newValue)) }
    }

    /// The middle of the shape, in the layer's coordinates; (0, 0).
    open var emitterPosition: CGPoint {
        get { CGPoint(properties.emitter.position) }
        set {
            let point = Point(newValue)
            change(.emitterPosition, \.emitter.position, to: point, isFinite: point.isFinite)
        }
    }

    /// The depth of that middle, points; 0. It orders particles, and nothing else.
    open var emitterZPosition: CGFloat {
        get { CGFloat(properties.emitter.zPosition) }
        set { changeNumber(.emitterZPosition, \.emitter.zPosition, to: Double(newValue)) }
    }

    /// Points: width and height of the shape; (0, 0). The radius of a circle or a sphere is the *width*.
    open var emitterSize: CGSize {
        get { CGSize(properties.emitter.size) }
        set {
            let size = Size(Double(newValue.width), Double(newValue.height))
            change(.emitterSize, \.emitter.size, to: size, isFinite: size.isFinite)
        }
    }

    /// Points: the depth of a cuboid; 0.
    open var emitterDepth: CGFloat {
        get { CGFloat(properties.emitter.depth) }
        set { changeNumber(.emitterDepth, \.emitter.depth, to: Double(newValue)) }
    }

    /// What particles are born in; `point`.
    open var emitterShape: CAEmitterLayerEmitterShape {
        get { CAEmitterLayerEmitterShape(rawValue: "\(properties.emitter.shape)") }
        set { change(.emitterShape, \.emitter.shape, to: newValue.shape) }
    }

    /// Where in the shape particles are born; `volume`.
    open var emitterMode: CAEmitterLayerEmitterMode {
        get { CAEmitterLayerEmitterMode(rawValue: "\(properties.emitter.mode)") }
        set { change(.emitterMode, \.emitter.mode, to: newValue.mode) }
    }

    /// In which order particles are drawn; `unordered`.
    open var renderMode: CAEmitterLayerRenderMode {
        get { CAEmitterLayerRenderMode(rawValue: "\(properties.emitter.renderMode)") }
        set { change(.renderMode, \.emitter.renderMode, to: newValue.mode) }
    }

    /// False by default. Kept, and without effect: particles lie in the layer's plane.
    open var preservesDepth: Bool {
        get { properties.emitter.preservesDepth }
        set { change(.emitterPreservesDepth, \.emitter.preservesDepth, to: newValue) }
    }

    /// Times the velocities of the cells; 1.
    open var velocity: Float {
        get { Float(properties.emitter.factors.velocity) }
        set { changeNumber(.velocity, \.emitter.factors.velocity, to: Double(newValue)) }
    }

    /// Times the scales of the cells; 1.
    open var scale: Float {
        get { Float(properties.emitter.factors.scale) }
        set { changeNumber(.emitterScale, \.emitter.factors.scale, to: Double(newValue)) }
    }

    /// Times the spins of the cells; 1.
    open var spin: Float {
        get { Float(properties.emitter.factors.spin) }
        set { changeNumber(.spin, \.emitter.factors.spin, to: Double(newValue)) }
    }

    /// What random values come from: the same seed, the same particles; 0.
    open var seed: UInt32 {
        get { properties.emitter.seed }
        set { change(.seed, \.emitter.seed, to: newValue) }
    }

    // MARK: Class

    open override func presentation() -> CAEmitterLayer? { makePresentation() as? CAEmitterLayer }

    package override var layerClass: LayerClass { .emitterLayer }
    package override var frameworkClass: CALayer.Type { CAEmitterLayer.self }
    package override func makeFrameworkCopy() -> CALayer { CAEmitterLayer(layer: self) }

    open override class func defaultValue(forKey key: String) -> Any? {
        guard let property = LayerProperty(key: key, of: .emitterLayer), property.owner == .emitterLayer else {
            return super.defaultValue(forKey: key)
        }
        return defaultEmitter.emitterValue(property)
    }

    /// A layer nobody changes: where defaults are read.
    static let defaultEmitter = CAEmitterLayer()

    private func changeNumber(
        _ property: LayerProperty, _ field: WritableKeyPath<LayerProperties, Double>, to value: Double
    ) {
        change(property, field, to: value, isFinite: value.isFinite)
    }

    // MARK: Key paths

    open override func value(forKeyPath keyPath: String) -> Any? {
        guard let (cell, key) = findCell(atKeyPath: keyPath, in: storedCells) else {
            return super.value(forKeyPath: keyPath)
        }
        return cell.value(forKey: key)
    }

    open override func setValue(_ value: Any?, forKeyPath keyPath: String) {
        let cells = emitterCells
        guard let (cell, key) = findCell(atKeyPath: keyPath, in: cells) else {
            return super.setValue(value, forKeyPath: keyPath)
        }
        if let wanted = cell.set(value, forKey: key) {
            return recordFault(keyPath, "takes \(wanted); the old value stays")
        }
        emitterCells = cells
    }

    /// `emitterCells.NAME.KEY`, or with `emitterCells.NAME` more than once.
    private func findCell(atKeyPath keyPath: String, in cells: [CAEmitterCell]?) -> (CAEmitterCell, key: String)? {
        var parts = keyPath.split(separator: ".", omittingEmptySubsequences: false)[...]
        var cells = cells
        var found: CAEmitterCell?
        while parts.count >= 3, parts.first == "emitterCells" {
            let name = String(parts[parts.startIndex + 1])
            guard let cell = cells?.first(where: { $0.name == name }) else { return nil }
            found = cell
            cells = cell.emitterCells
            parts = parts.dropFirst(2)
        }
        guard let found, parts.count == 1 else { return nil }
        return (found, String(parts.first!))
    }
}

// MARK: - Key-value access

extension CAEmitterLayer {
    /// Nil for a property that is none of emitters.
    final func emitterValue(_ property: LayerProperty) -> Any? {
        switch property {
        case .emitterCells: emitterCells
        case .emitterPosition: emitterPosition
        case .emitterSize: emitterSize
        case .emitterShape: emitterShape.rawValue
        case .emitterMode: emitterMode.rawValue
        case .renderMode: renderMode.rawValue
        case .emitterPreservesDepth: NSNumber(value: preservesDepth)
        default: if case .number(let number) = properties[property] { NSNumber(value: number) } else { nil }
        }
    }

    /// - Parameter value: Nil sets the default.
    final func setEmitterValue(_ property: LayerProperty, to value: Any?, keyPath: String) {
        guard let value = value ?? CAEmitterLayer.defaultEmitter.emitterValue(property) else {
            if property == .emitterCells { emitterCells = nil }
            return
        }
        switch property.kind {
        case .cells:
            guard let cells = value as? [CAEmitterCell] else {
                return refuse(value, forKey: keyPath, wants: "an array of CAEmitterCells")
            }
            emitterCells = cells
        case .point:
            switch (property, value) {
            case (.emitterPosition, let point as CGPoint): emitterPosition = point
            case (.emitterSize, let size as CGSize): emitterSize = size
            default: refuse(value, forKey: keyPath, wants: property == .emitterSize ? "a CGSize" : "a CGPoint")
            }
        case .code:
            guard let name = KeyedValue.string(value) else { return refuse(value, forKey: keyPath, wants: "a name") }
            switch property {
            case .emitterShape: emitterShape = CAEmitterLayerEmitterShape(rawValue: name)
            case .emitterMode: emitterMode = CAEmitterLayerEmitterMode(rawValue: name)
            default: renderMode = CAEmitterLayerRenderMode(rawValue: name)
            }
        case .bool:
            guard let flag = KeyedValue.bool(value) else { return refuse(value, forKey: keyPath, wants: "a Bool") }
            preservesDepth = flag
        default:
            guard let number = KeyedValue.number(value) else {
                return refuse(value, forKey: keyPath, wants: "a number")
            }
            switch property {
            case .birthRate: birthRate = Float(number)
            case .lifetime: lifetime = Float(number)
            case .velocity: velocity = Float(number)
            case .emitterScale: scale = Float(number)
            case .spin: spin = Float(number)
            case .emitterZPosition: emitterZPosition = CGFloat(number)
            case .emitterDepth: emitterDepth = CGFloat(number)
            default: seed = UInt32(exactly: min(max(number.rounded(), 0), 4_294_967_295)) ?? 0
            }
        }
    }
}
