// Properties that most layers leave at their defaults, kept together out of the way: a layer without any is smaller, and
// reading it touches less memory.

package struct RareProperties: Hashable, Sendable {
    package var transform = Transform.identity
    package var sublayerTransform = Transform.identity
    /// In units of the image. Its min y lies at the layer's min y: the first row where contents are flipped (y down),
    /// the last row where they are not.
    package var contentsRect = Rect.unit
    /// In units of `contentsRect`, y as there.
    package var contentsCenter = Rect.unit
    /// Nil casts no shadow.
    package var shadowColor = Color?.some(.black)
    /// 0 casts no shadow.
    package var shadowOpacity = 0.0
    /// Points of the layer's own space.
    package var shadowOffset = Point(0, -3)
    /// Standard deviation of the blur, points.
    package var shadowRadius = 3.0
    /// What casts the shadow instead of what is drawn; the layer's own space.
    package var shadowPath = VectorPath?.none
    /// A layer whose alpha covers this one; its superlayer is this layer.
    package var mask = LayerID.none
    package var compositingMode = CompositingMode.normal
    /// Of the layer and all below it, first to last.
    package var filters = [LayerFilter]()
    /// Of what is drawn behind the layer.
    package var backgroundFilters = [LayerFilter]()
    package var shouldRasterize = false
    /// Pixels a point of the kept bitmap.
    package var rasterizationScale = 1.0
    /// Backdrops of one name share one capture.
    package var groupName = String?.none
    /// Pixels of a backdrop's capture for one of the display; 0: nothing is captured, the layer is a plain one.
    package var backdropScale = 1.0
    /// Of the layer and all below it.
    package var timing = LayerTiming()
    /// What a shape layer draws; nil while all of it has its defaults.
    package var shape = Boxed<ShapeProperties>?.none
    /// What a gradient layer draws; nil while all of it has its defaults.
    package var gradient = Boxed<GradientProperties>?.none
    /// How a replicator layer repeats its sublayers; nil while all of it has its defaults.
    package var replicator = Boxed<ReplicatorProperties>?.none
    /// What an emitter layer emits; nil while all of it has its defaults.
    package var emitter = Boxed<EmitterProperties>?.none
    /// Never committed: what an animation of the contents makes of them.
    package var contentsFade = ContentsFade?.none

    package init() {}

    static let defaults = RareProperties()
}

extension LayerProperties {
    package var transform: Transform {
        get { rare == nil ? RareProperties.defaults.transform : rare!.value.transform }
        set { setRarely(isDefault: newValue == RareProperties.defaults.transform) { $0.transform = newValue } }
    }
    package var sublayerTransform: Transform {
        get { rare == nil ? RareProperties.defaults.sublayerTransform : rare!.value.sublayerTransform }
        set {
            setRarely(isDefault: newValue == RareProperties.defaults.sublayerTransform) {
                $0.sublayerTransform = newValue
            }
        }
    }
    package var contentsRect: Rect {
        get { rare == nil ? RareProperties.defaults.contentsRect : rare!.value.contentsRect }
        set { setRarely(isDefault: newValue == RareProperties.defaults.contentsRect) { $0.contentsRect = newValue } }
    }
    package var contentsCenter: Rect {
        get { rare == nil ? RareProperties.defaults.contentsCenter : rare!.value.contentsCenter }
        set {
            setRarely(isDefault: newValue == RareProperties.defaults.contentsCenter) { $0.contentsCenter = newValue }
        }
    }
    package var shadowColor: Color? {
        get { rare == nil ? RareProperties.defaults.shadowColor : rare!.value.shadowColor }
        set { setRarely(isDefault: newValue == RareProperties.defaults.shadowColor) { $0.shadowColor = newValue } }
    }
    package var shadowOpacity: Double {
        get { rare == nil ? RareProperties.defaults.shadowOpacity : rare!.value.shadowOpacity }
        set { setRarely(isDefault: newValue == RareProperties.defaults.shadowOpacity) { $0.shadowOpacity = newValue } }
    }
    package var shadowOffset: Point {
        get { rare == nil ? RareProperties.defaults.shadowOffset : rare!.value.shadowOffset }
        set { setRarely(isDefault: newValue == RareProperties.defaults.shadowOffset) { $0.shadowOffset = newValue } }
    }
    package var shadowRadius: Double {
        get { rare == nil ? RareProperties.defaults.shadowRadius : rare!.value.shadowRadius }
        set { setRarely(isDefault: newValue == RareProperties.defaults.shadowRadius) { $0.shadowRadius = newValue } }
    }
    package var shadowPath: VectorPath? {
        get { rare == nil ? RareProperties.defaults.shadowPath : rare!.value.shadowPath }
        set { setRarely(isDefault: newValue == RareProperties.defaults.shadowPath) { $0.shadowPath = newValue } }
    }
    package var mask: LayerID {
        get { rare == nil ? RareProperties.defaults.mask : rare!.value.mask }
        set { setRarely(isDefault: newValue == RareProperties.defaults.mask) { $0.mask = newValue } }
    }
    package var compositingMode: CompositingMode {
        get { rare == nil ? RareProperties.defaults.compositingMode : rare!.value.compositingMode }
        set {
            setRarely(isDefault: newValue == RareProperties.defaults.compositingMode) { $0.compositingMode = newValue }
        }
    }
    package var filters: [LayerFilter] {
        get { rare == nil ? RareProperties.defaults.filters : rare!.value.filters }
        set { setRarely(isDefault: newValue == RareProperties.defaults.filters) { $0.filters = newValue } }
    }
    package var backgroundFilters: [LayerFilter] {
        get { rare == nil ? RareProperties.defaults.backgroundFilters : rare!.value.backgroundFilters }
        set {
            setRarely(isDefault: newValue == RareProperties.defaults.backgroundFilters) {
                $0.backgroundFilters = newValue
            }
        }
    }
    package var shouldRasterize: Bool {
        get { rare == nil ? RareProperties.defaults.shouldRasterize : rare!.value.shouldRasterize }
        set {
            setRarely(isDefault: newValue == RareProperties.defaults.shouldRasterize) { $0.shouldRasterize = newValue }
        }
    }
    package var rasterizationScale: Double {
        get { rare == nil ? RareProperties.defaults.rasterizationScale : rare!.value.rasterizationScale }
        set {
            setRarely(isDefault: newValue == RareProperties.defaults.rasterizationScale) {
                $0.rasterizationScale = newValue
            }
        }
    }
    package var groupName: String? {
        get { rare == nil ? RareProperties.defaults.groupName : rare!.value.groupName }
        set { setRarely(isDefault: newValue == RareProperties.defaults.groupName) { $0.groupName = newValue } }
    }
    package var backdropScale: Double {
        get { rare == nil ? RareProperties.defaults.backdropScale : rare!.value.backdropScale }
        set { setRarely(isDefault: newValue == RareProperties.defaults.backdropScale) { $0.backdropScale = newValue } }
    }
    package var timing: LayerTiming {
        get { rare == nil ? RareProperties.defaults.timing : rare!.value.timing }
        set { setRarely(isDefault: newValue == RareProperties.defaults.timing) { $0.timing = newValue } }
    }
    package var contentsFade: ContentsFade? {
        get { rare == nil ? RareProperties.defaults.contentsFade : rare!.value.contentsFade }
        set { setRarely(isDefault: newValue == RareProperties.defaults.contentsFade) { $0.contentsFade = newValue } }
    }
}
