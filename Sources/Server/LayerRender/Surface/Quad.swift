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
    /// The color times the alpha of a surface: a shadow.
    case surfaceAlpha(Int32)
    /// A surface with pixels of its own scale, through a mapping from device pixels to them.
    case sprite(Int32, mapping: Int32, sampling: TextureSampling)
    /// What lies below in the same surface, filtered: an index into the frame's backdrops. It takes the place of what it
    /// was made of, where the quad covers.
    case backdrop(Int32)
    /// A surface that begins as a copy of what lies below it: it takes the place of that, where the quad covers.
    case over(Int32)
    /// Many particles: an index into the frame's groups of them. The mapping is that of the layer to device pixels; the
    /// revision is another one for other particles.
    case particles(Int32, mapping: Int32, revision: UInt64)
}

struct Quad {
    /// Device pixels; nothing outside is drawn.
    var bounds: PixelRect
    /// How much of each pixel is covered; nil is all of it.
    var mask: MaskUse?
    var paint: Paint
    /// Premultiplied: the color itself, or what the image is multiplied by.
    var color: PremultipliedColor
    /// The paint itself has alpha 1 everywhere.
    var isOpaquePaint: Bool
    var layer: LayerID
    /// A surface whose alpha multiplies, or -1.
    var maskSurface: Int32 = -1
    var mode = CompositingMode.normal
    /// The mask says shares of a pixel as the program `seamImage` takes them. Of surfaces.
    var isAtSeam = false

    /// Every pixel of the bounds is replaced.
    var isOpaque: Bool { mask == nil && isOpaquePaint && color.alpha == 1 && maskSurface < 0 && mode == .normal }

    /// What is drawn depends on what lies below in another way than source-over.
    var readsBackdrop: Bool {
        looksBelow || mode != .normal
    }

    /// It takes the place of what lies below, which it was made of.
    var looksBelow: Bool {
        switch paint {
        case .backdrop, .over: true
        case .solid, .image, .surface, .surfaceAlpha, .sprite, .particles: false
        }
    }

    /// The surfaces it reads.
    func forEachSurface(_ body: (Int) -> Void) {
        switch paint {
        case .surface(let surface), .surfaceAlpha(let surface), .sprite(let surface, _, _), .over(let surface):
            body(Int(surface))
        case .solid, .image, .backdrop, .particles: break
        }
        if maskSurface >= 0 { body(Int(maskSurface)) }
    }
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

/// A target of its own: of a subtree, or of a step that a filter takes from another.
struct PlannedSurface {
    var reason: SurfaceReason
    var layer: LayerID
    /// Device pixels; of a step at another scale, pixels of its own.
    var bounds: PixelRect
    var quads: ContiguousArray<Quad>
    /// The step, and the surface it reads; nil draws the quads.
    var step: (effect: DrawEffect, source: Int32)?
    /// How many surfaces lie inside one another here, this one included.
    var nesting: Int
    var cause = SurfaceCause(.root)
    /// The same in two frames: the same pixels, whatever `quads` says. 0: its drawings are compared.
    var token: UInt64 = 0
    /// It begins as a copy of what lies below: it is drawn when the drawing that shows it is.
    var isOver = false
    /// How many surfaces are drawn each time one that begins as a copy is: itself, and those it shows.
    var overs = 0
    /// The copy that it begins as is that of several: what lay below before the first of them was drawn.
    var sharedCopy: SharedCopy?

    struct SharedCopy: Equatable {
        /// Of the first of them.
        var number: Int32
        /// What is copied, device pixels.
        var region: PixelRect
    }
}

/// What lies behind a layer, taken through filters while its surface is being drawn.
struct PlannedBackdrop {
    var layer: LayerID
    /// Backdrops of a name, in one surface, all see what the first of them saw.
    var group: String?
    /// What is copied, device pixels.
    var capture: PixelRect
    /// Each reads the one before, the first one the copy. The last lies on the root's pixel grid.
    var steps: [PlannedStep]
    /// What the steps are made of, where another backdrop of the name could have the same.
    var filters: [SharedFilter]?
    /// Where the result is seen.
    var shown = PixelRect.empty
    /// The backdrop with whose number the result is kept for others of the name, or -1: its steps read what all of them see.
    var result: Int32 = -1
    /// Each of its pixels hangs on the one below it alone.
    var seesPixel = false
}

/// One step of a chain of filters.
struct PlannedStep: Equatable {
    var effect: DrawEffect
    /// Of the result; see `PlannedSurface.bounds`.
    var bounds: PixelRect
}

extension PlannedSurface {
    /// Every surface it reads, as often as it does; of one that is drawn in parts, those that the parts touch.
    func forEachSource(within parts: [PixelRect]?, _ body: (Int) -> Void) {
        if let step { body(Int(step.source)) }
        for quad in quads {
            if let parts, !parts.contains(where: { $0.intersects(quad.bounds) }) { continue }
            quad.forEachSurface(body)
        }
    }
}
