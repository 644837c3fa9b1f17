import LayerModel

/// A layer's place in a display, and what of it the display's server doesn't know yet.
struct LayerHosting {
    /// The display that shows the layer's tree. It clears this on every layer before it goes.
    unowned(unsafe) var context: LayerContext?
    /// The recorder that `id` and what was sent belong to; 0 is none. Every session of every display has its own number.
    var session: UInt64 = 0
    /// What the server calls the layer; none before its first commit.
    var id = LayerID.none
    /// The images that the server uses for the layer.
    var sentImages = SentImages()
    /// The layer that is the mask for the server.
    var sentMask = LayerID.none

    /// Properties that were changed since the last commit.
    var changed: LayerPropertySet = []
    var sublayersChanged = false
    var animationsChanged = false
    /// Where the recorder `listedBy` lists the layer as changed.
    var listedBy: UInt64 = 0
    var listIndex = 0
    /// The recorder that lists the layer as new.
    var awaitedBy: UInt64 = 0
}

/// The images that a layer shows, or reads in its filters.
struct SentImages {
    var contents = ImageID.none
    var filters: [ImageID] = []
    var backgroundFilters: [ImageID] = []
    var cells: [ImageID] = []

    static func list(of property: LayerProperty) -> WritableKeyPath<SentImages, [ImageID]> {
        property == .backgroundFilters ? \.backgroundFilters : \.filters
    }
}
