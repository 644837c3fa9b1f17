import LayerModel

/// A layer that draws nothing itself and keeps its sublayers in the three-dimensional space it is in, instead of flattening
/// them into its plane.
///
/// Background, contents, border, corners and `masksToBounds` are ignored; opacity multiplies each sublayer by itself; a hit
/// test finds its sublayers, never the layer. Source: semantic reference, §6.5.
open class CATransformLayer: CALayer, @unchecked Sendable {
    public override init() {
        super.init()
    }

    public override init(layer: Any) {
        super.init(layer: layer)
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    open override func presentation() -> CATransformLayer? { makePresentation() as? CATransformLayer }

    package override var layerClass: LayerClass { .transformLayer }
    package override var frameworkClass: CALayer.Type { CATransformLayer.self }
    package override func makeFrameworkCopy() -> CALayer { CATransformLayer(layer: self) }
}
