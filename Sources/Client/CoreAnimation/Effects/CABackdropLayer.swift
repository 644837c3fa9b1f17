import LayerModel

/// A layer that shows what lies behind it, through its `filters`; then itself and its sublayers as any layer.
/// Source: semantic reference, §6.14.
open class CABackdropLayer: CALayer, @unchecked Sendable {
    private var storedScale = 1.0
    private var isBackdropEnabled = true

    public override init() {
        super.init()
    }

    public override init(layer: Any) {
        super.init(layer: layer)
        if let layer = layer as? CABackdropLayer {
            storedScale = layer.storedScale
            isBackdropEnabled = layer.isBackdropEnabled
        }
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// Backdrops of one name share one capture of what lies behind them. Nil: it has its own.
    open var groupName: String? {
        get { properties.groupName }
        set { change(.groupName, \.groupName, to: newValue) }
    }

    /// Pixels of the capture for one of the display: smaller ones are coarser and faster.
    open var scale: CGFloat {
        get { CGFloat(storedScale) }
        set {
            guard newValue.isFinite else { return refuseNotFinite(LayerProperty.scale.key) }
            storedScale = Double(newValue)
            changeBackdropScale()
        }
    }

    /// False: what lies behind is not captured, and the layer is a plain one.
    open var isEnabled: Bool {
        get { isBackdropEnabled }
        set {
            isBackdropEnabled = newValue
            changeBackdropScale()
        }
    }

    /// The server captures nothing at a scale of 0.
    private func changeBackdropScale() {
        change(.scale, \.backdropScale, to: isBackdropEnabled ? storedScale : 0)
    }

    open override func presentation() -> CABackdropLayer? { makePresentation() as? CABackdropLayer }

    package override var layerClass: LayerClass { .backdropLayer }
    package override var frameworkClass: CALayer.Type { CABackdropLayer.self }
    package override func makeFrameworkCopy() -> CALayer { CABackdropLayer(layer: self) }
}
