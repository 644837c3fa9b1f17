/// Every property of a layer that the server draws from, with Core Animation's defaults.
///
/// The client keeps one a layer as its model values, the server one as the committed values; a transaction carries the
/// difference. Adding a property: a field here, a case and a row in `LayerProperty`, both arms of the subscript there.
/// Lengths are points of the layer's own space, colors straight extended sRGB. Source: semantic reference, §1.1.
package struct LayerProperties: Hashable, Sendable {
    // Geometry
    package var bounds = Rect.zero
    /// In the superlayer's bounds space.
    package var position = Point.zero
    package var zPosition = 0.0
    /// In units of the bounds: (0, 0) is min x, min y.
    package var anchorPoint = Point(0.5, 0.5)
    package var anchorPointZ = 0.0
    package var isGeometryFlipped = false
    package var isDoubleSided = true

    // Visibility
    package var isHidden = false
    package var opacity = 1.0
    package var allowsGroupOpacity = true
    package var masksToBounds = false

    // Contents
    package var contents = ImageID.none
    package var contentsScale = 1.0
    package var contentsGravity = ContentsGravity.resize
    package var minificationFilter = ContentsFilter.linear
    package var magnificationFilter = ContentsFilter.linear
    package var minificationFilterBias = 0.0
    package var isOpaque = false

    // Decoration
    package var backgroundColor: Color?
    package var cornerRadius = 0.0
    package var maskedCorners = CornerMask.all
    package var cornerCurve = CornerCurve.circular
    package var borderWidth = 0.0
    package var borderColor: Color? = .black

    // Edges
    package var allowsEdgeAntialiasing = true
    package var edgeAntialiasingMask = EdgeMask.all

    /// For people: plans, errors and diffs say it.
    package var name: String?

    /// What most layers leave alone; nil while all of it has its defaults.
    package private(set) var rare: Boxed<RareProperties>?

    package init() {}

    /// Writes one of the rare properties. Where all have their defaults, nothing is kept.
    mutating func setRarely(isDefault: Bool, _ change: (inout RareProperties) -> Void) {
        if rare == nil {
            if isDefault { return }
            rare = Boxed(RareProperties())
        }
        change(&rare!.value)
        if isDefault, rare!.value == RareProperties.defaults { rare = nil }
    }

    /// Images that filters read.
    package var filterImages: [ImageID] {
        rare == nil ? [] : (filters + backgroundFilters).map(\.maskImage).filter { $0 != .none }
    }
}
