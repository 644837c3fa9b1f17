// One thing drawn, before it is cut into rectangles: a paint, where it may show, and how much of each pixel it covers.
// Opacity and clips change quads; only the lowering (Plan/PassLowering.swift) makes rectangles of them.

import LayerModel

/// What fills a quad.
enum Paint: Equatable {
    case solid
    /// An image through a mapping from device pixels to its own coordinates.
    case image(ImageKey, mapping: Int32, sampling: TextureSampling, levelBias: Float)
    /// What a surface of this frame holds, unscaled on the root's pixel grid.
    case surface(Int32)
}

struct Quad {
    /// Device pixels; nothing outside is drawn.
    var bounds: PixelRect
    /// How much of each pixel is covered; nil is all of it.
    var mask: MaskUse?
    var paint: Paint
    /// Premultiplied: the colour itself, or what the image is multiplied by.
    var color: PremultipliedColor
    /// The paint itself has alpha 1 everywhere.
    var isOpaquePaint: Bool
    var layer: LayerID

    /// Every pixel of the bounds is replaced.
    var isOpaque: Bool { mask == nil && isOpaquePaint && color.alpha == 1 }
}

/// A cached mask at a place.
struct MaskUse: Hashable {
    /// Index of the entry in the coverage cache, valid in this frame.
    var entry: Int32
    /// Where the mask's (0, 0) lies, device pixels.
    var x: Int32
    var y: Int32
}

/// From device pixels to image coordinates: [x y 1] times three columns for u, v and q.
struct ImageMapping: Equatable {
    var toImage: Homography
    var isAffine: Bool
    /// One texel a pixel, whole offsets, same direction: pixel (x, y) shows texel (x + copyX, y + copyY).
    var copyOffset: PixelPoint?

    func corner(_ x: Int32, _ y: Int32) -> (u: Float, v: Float, q: Float) {
        let (u, v, q) = toImage.homogeneous(Point(Double(x), Double(y)))
        return (Float(u), Float(v), Float(q))
    }
}

/// A subtree with a target of its own.
struct PlannedSurface {
    var reason: SurfaceReason
    var layer: LayerID
    /// Device pixels.
    var bounds: PixelRect
    var quads: ArraySlice<Quad>
    /// How many surfaces lie inside one another here, this one included.
    var nesting: Int
}
