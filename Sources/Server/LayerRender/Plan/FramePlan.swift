// A frame as a plain value: which passes, into which targets, drawing which rectangles, and why. Nothing here knows GL.
//
// Every rectangle is axis-aligned in whole pixels: slanted and rounded edges come as coverage (Paths/CoverageMask), not
// as geometry. That is what keeps llvmpipe's linear rasterizer in play, and it makes coverage exact on every driver.

import LayerModel

/// A texture by its meaning. The executor keeps the GL names.
package enum TextureSource: Hashable, Sendable {
    /// Pixels a client shared.
    case image(ImageKey)
    /// What an earlier pass of this plan drew: an index into `FramePlan.slots`.
    case slot(Int)
    /// A page of the coverage atlas.
    case coverage(page: Int)
}

/// An image across all sessions.
package struct ImageKey: Hashable, Sendable {
    package var session: UInt32
    package var image: ImageID
    /// Which part of an image that is larger than a texture; see `ImageTiling`.
    package var tile: Int32

    package init(session: UInt32, image: ImageID, tile: Int = 0) {
        self.session = session
        self.image = image
        self.tile = Int32(clamping: tile)
    }
}

/// Pixels that the planner worked out: an image of its own.
package struct RasterUpload: Sendable, Equatable {
    package var key: ImageKey
    package var size: PixelSize
    /// Premultiplied BGRA, row by row.
    package var pixels: [UInt8]
}

extension ImageKey {
    /// A picture that the planner works out, by a number of its own.
    static func raster(session: UInt32, number: UInt32) -> ImageKey {
        ImageKey(session: session, image: ImageID(number), tile: Int(Int32.max))
    }

    package var isRaster: Bool { tile == .max }
}

/// The programs there are. Each is compiled when first needed, or all at once by `warmUp`.
package enum DrawProgram: UInt8, Sendable, CaseIterable {
    /// The vertex color.
    case solid
    /// The image as it is.
    case image
    /// The image (or a coverage tile) times the vertex color.
    case tintedImage
    /// The image, its coordinates divided by q in each pixel, times the coverage tile times the vertex color.
    ///
    /// The division keeps it off llvmpipe's fast road, where two textures are no faster for tiles: one program serves
    /// flat and projected images.
    case coveredImage
    /// As `coveredImage`, bilinear to a fraction of a level: for pictures small enough that it costs little.
    case preciseImage
    /// As `coveredImage`, but the image's alpha alone times the vertex color: shadows.
    case coveredAlpha
    /// As `coveredImage`, but tile and alpha of the vertex color, multiplied, are the share s of the pixel in which a slot
    /// lies behind what it crosses: drawn is the slot times s / (1 - (1 - s) · its own alpha), times what the vertex color's
    /// green is in relation to its alpha. No mask and no composite. Source: Coverage/SeamWeights.swift.
    case seamImage
    /// What the batch's `effect` makes of a slot.
    case effect

    /// A coverage tile is multiplied in.
    package var takesCoverage: Bool {
        switch self {
        case .coveredImage, .preciseImage, .coveredAlpha, .seamImage: true
        case .solid, .image, .tintedImage, .effect: false
        }
    }
}

/// How a draw meets what is in the target.
package enum DrawBlend: UInt8, Sendable {
    /// Replaces: for opaque draws.
    case copy
    /// Premultiplied source-over.
    case sourceOver
    // Operators that fixed functions draw exactly, coverage counting as part of the source's alpha. Factors of source
    // and destination, for color and alpha alike:
    /// 1 - destination alpha, 1.
    case destinationOver
    /// Destination alpha, 0.
    case sourceIn
    /// 0, source alpha.
    case destinationIn
    /// 1 - destination alpha, 0.
    case sourceOut
    /// 0, 1 - source alpha.
    case destinationOut
    /// Destination alpha, 1 - source alpha.
    case sourceAtop
    /// 1 - destination alpha, source alpha.
    case destinationAtop
    /// 1 - destination alpha, 1 - source alpha.
    case xor
    /// 1, 1.
    case plusLighter
    /// 1, 1 - source component.
    case screen
}

package enum TextureSampling: UInt8, Sendable {
    case nearest
    case linear
    /// Linear with mipmaps; the level bias travels in the batch. For images: slots and tiles have no mipmaps and are
    /// sampled `linear`.
    case trilinear
}

/// A corner of a rectangle. Positions are pixels of the target, y down; two triangles make a rectangle.
package struct PlanVertex: Sendable, Equatable {
    package var x, y: Float
    /// Image coordinates, v down from the first row; times q in `coveredImage` and `preciseImage`. 0…1 means all of an image, the
    /// whole size of a slot as the plan has it, or a coverage page (in a tinted coverage tile).
    package var u, v, q: Float
    /// Coverage atlas coordinates, 0…1, of the programs that take an image and a coverage tile.
    package var s, t: Float
    /// Premultiplied, 0…1; coverage and opacity are multiplied in. Drawn as the nearest level of 255.
    package var red, green, blue, alpha: Float

    package init(
        x: Float, y: Float, u: Float = 0, v: Float = 0, q: Float = 1, s: Float = 0, t: Float = 0, red: Float,
        green: Float, blue: Float, alpha: Float
    ) {
        self.x = x
        self.y = y
        self.u = u
        self.v = v
        self.q = q
        self.s = s
        self.t = t
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }
}

/// Another slot of the frame, pixel for pixel under the target.
package struct AlignedSlot: Sendable, Equatable {
    /// Index into `FramePlan.slots`.
    package var slot: Int
    /// The slot's pixel (x, y) lies under the target's pixel (x - offset.x, y - offset.y).
    package var offset: PixelPoint

    package init(slot: Int, offset: PixelPoint) {
        self.slot = slot
        self.offset = offset
    }
}

/// A blend whose formula needs the destination: what is drawn replaces the target's pixel by
/// mode(backdrop, source), the source with its coverage and opacity.
package struct DrawComposite: Sendable, Equatable {
    package enum Operation: Sendable, Hashable {
        case mode(CompositingMode)
        // With a mask, an operator that reaches beyond the source acts where that is, or where the source is if that is
        // more; the mask is no factor of the source then.
        /// Source where covered, backdrop where not: mix(backdrop, image, coverage · alpha of the vertex color).
        case replace
    }

    package var operation: Operation
    /// A copy of the target before this batch.
    package var backdrop: AlignedSlot

    package init(_ operation: Operation, backdrop: AlignedSlot) {
        self.operation = operation
        self.backdrop = backdrop
    }
}

/// One step of a filter: each pixel of the target from pixels of one slot, which is the batch's texture.
package struct DrawEffect: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// Σ w[k] · source(at ± k · step): `weights[0]` is the middle one. A step of whole pixels along an axis reads
        /// texels, any other weighs four bilinearly.
        case taps(stepX: Float, stepY: Float, weights: [Float])
        /// The source at the place, bilinear, exact.
        case resample
        /// The mean of width × height source pixels from the place on: the place's whole part is the first of them.
        case average(width: Int, height: Int)
        /// 20 numbers, four rows of five, on straight colors; clamped to 0…1.
        case colorMatrix([Float])
        /// As `colorMatrix`, on premultiplied colors.
        case premultipliedMatrix([Float])
        /// Alpha is 1 where it was at least the threshold, else 0; straight colors stay.
        case alphaThreshold(Float)
        /// As `taps` along the step, for a Gaussian whose standard deviation in steps is `sigma` times the alpha of an
        /// image; at most 3 · sigma steps, normalized. `map` leads from places of the slot to the image, 0…1, whose edge
        /// goes on beyond.
        case variableTaps(stepX: Float, stepY: Float, sigma: Float, mask: ImageKey, map: PlaneMap)
        /// As two of `variableTaps`, each pixel by its own width in both directions at once.
        case variableDisc(VariableDisc, mask: ImageKey, map: PlaneMap)
        /// Each target pixel is the mean of a square of a grid: of the slot's pixels whose centers lie in it. `toGrid`
        /// leads from places of the slot to squares of side 1, `fromGrid` back; the target's first pixel is the square
        /// `first`.
        case gridMeans(toGrid: PlaneMap, fromGrid: PlaneMap, first: PixelPoint)
        /// The slot holds a pixel a square, the first one `first`; each place shows its own. `toGrid` takes the place.
        case gridSquares(toGrid: PlaneMap, first: PixelPoint)
        /// The pixels whose centers `toUnit` leads into the unit square; from the row `weights` on, white in their place
        /// instead. Each of the two is `rows` high.
        case cut(toUnit: PlaneMap, rows: Int, weights: Int)
        /// Pixels divided by the alpha of those `rows` further down.
        case divide(rows: Int)
        /// Outside of the unit square its nearest place counts, `insetX` and `insetY` off its edges.
        case extend(toUnit: PlaneMap, fromUnit: PlaneMap, insetX: Float, insetY: Float)
    }

    /// From one plane to another: (x, y) to (xx · x + xy · y + x0, yx · x + yy · y + y0).
    package struct PlaneMap: Sendable, Equatable {
        package var xx, xy, x0, yx, yy, y0: Float

        package init(xx: Float, xy: Float, x0: Float, yx: Float, yy: Float, y0: Float) {
            self.xx = xx
            self.xy = xy
            self.x0 = x0
            self.yx = yx
            self.yy = yy
            self.y0 = y0
        }
    }

    /// A Gaussian in the plane where an image is opaque: exp(-(xx · x² + 2 · xy · x · y + yy · y²) / 2), pixels.
    package struct VariableDisc: Sendable, Equatable {
        package var xx, xy, yy: Float
        /// Pixels to each side that count.
        package var reachX, reachY: Int

        package init(xx: Float, xy: Float, yy: Float, reachX: Int, reachY: Int) {
            self.xx = xx
            self.xy = xy
            self.yy = yy
            self.reachX = reachX
            self.reachY = reachY
        }
    }

    /// The most pixels to each side that a `variableDisc` may have.
    package static let maximumVariableReach = 12

    /// The most weights that `taps` may have, and the most steps of `variableTaps` to each side.
    package static let maximumWeights = 64

    /// What counts outside `source`.
    package enum Edges: Sendable, Equatable {
        case transparent
        /// The nearest pixel inside.
        case nearest
        /// Nothing, and taps are divided by the weight that fell inside; where that is less than a 4096th, nothing is drawn.
        case normalized
    }

    package var kind: Kind
    /// Pixels of the slot that hold something.
    package var source: PixelRect
    package var edges: Edges
    /// Center of a target pixel · scale + offset = place in the slot, pixels.
    package var scaleX, scaleY, offsetX, offsetY: Float

    package init(
        _ kind: Kind, source: PixelRect, edges: Edges = .transparent, scaleX: Float = 1, scaleY: Float = 1,
        offsetX: Float = 0, offsetY: Float = 0
    ) {
        self.kind = kind
        self.source = source
        self.edges = edges
        self.scaleX = scaleX
        self.scaleY = scaleY
        self.offsetX = offsetX
        self.offsetY = offsetY
    }
}

/// Rectangles drawn by one call.
package struct DrawBatch: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// `quads` rectangles from `FramePlan.vertices`, six vertices each, starting at `firstVertex`.
        case quads(program: DrawProgram, firstVertex: Int, quads: Int)
        /// An unscaled copy of whole opaque pixels, by framebuffer blit. Rows and columns run the same way in both.
        case copy(from: PixelPoint, to: PixelRect)
    }

    package var kind: Kind
    package var blend: DrawBlend
    /// The image or slot; nil for solid draws. A tinted coverage tile has its page here.
    package var texture: TextureSource?
    package var sampling: TextureSampling
    package var levelBias: Float
    /// The coverage page of `coveredImage` and `preciseImage`; nil covers all.
    package var coverage: TextureSource?
    /// A surface whose alpha multiplies what is drawn; for programs that take coverage.
    package var mask: AlignedSlot?
    /// With `blend` `copy`; for programs that take coverage.
    package var composite: DrawComposite?
    /// Of the program `effect`; its texture is a slot.
    package var effect: DrawEffect?
    /// The layer its first rectangle belongs to.
    package var layer: LayerID

    package init(
        kind: Kind, blend: DrawBlend, texture: TextureSource? = nil, sampling: TextureSampling = .nearest,
        levelBias: Float = 0, coverage: TextureSource? = nil, mask: AlignedSlot? = nil,
        composite: DrawComposite? = nil, effect: DrawEffect? = nil, layer: LayerID
    ) {
        self.mask = mask
        self.composite = composite
        self.effect = effect
        self.kind = kind
        self.blend = blend
        self.texture = texture
        self.sampling = sampling
        self.levelBias = levelBias
        self.coverage = coverage
        self.layer = layer
    }
}

/// A pixel's place.
package struct PixelPoint: Hashable, Sendable {
    package var x: Int
    package var y: Int

    package init(x: Int, y: Int) {
        self.x = x
        self.y = y
    }
}

/// Why a subtree has a target of its own.
package enum SurfaceReason: String, Sendable, CaseIterable {
    case root
    /// Opacity below 1 on layers whose drawing overlaps.
    case groupOpacity = "group-opacity"
    /// A clip whose rim is not on the pixel grid, crossed by drawings that overlap.
    case clip
    /// A part of a layer whose plane crosses a sibling's.
    case crossing
    /// A layer whose filters read all of it.
    case filters
    /// One step of a filter or a blur.
    case filterStep = "filter-step"
    /// The silhouette of a shadow that no path tells.
    case shadow
    /// A layer that a mask layer covers.
    case masked
    /// A mask layer.
    case mask
    /// A layer that a blend mode takes as one; what lies below it, copied.
    case blend
    /// What lies behind a layer, copied.
    case backdrop
    /// A bitmap that `shouldRasterize` asks for.
    case rasterize
    /// A picture that is carried about while it stays the same.
    case baked
    /// Contents on their way from one image to another.
    case contentsFade = "contents-fade"
    /// A layer on its way from one picture to another.
    case transition
}

/// What a pass does with the target's old pixels.
package enum LoadAction: Sendable, Equatable {
    case clear(PremultipliedColor)
    /// Every pixel is about to be drawn.
    case discard
    case keep
}

/// One target being drawn.
package struct RenderPass: Sendable, Equatable {
    /// Index into `FramePlan.slots`.
    package var slot: Int
    /// For people: the layer's name or number.
    package var label: String
    package var reason: SurfaceReason
    package var cause: SurfaceCause
    package var layer: LayerID
    /// Where the target's first pixel lies on the root's pixel grid.
    package var origin: PixelPoint
    /// The part of the target that is drawn; starts at (0, 0).
    package var size: PixelSize
    package var load: LoadAction
    /// Parts of the target that are drawn, everything in each; empty is all of the pass. They don't overlap.
    package var scissors: [PixelRect] = []
    package var batches: [DrawBatch]
    /// Rectangles drawn, and pixels in them.
    package var quadCount = 0
    package var pixelCount = 0

    package init(
        slot: Int, label: String, reason: SurfaceReason, layer: LayerID, origin: PixelPoint, size: PixelSize,
        load: LoadAction, batches: [DrawBatch] = []
    ) {
        self.slot = slot
        self.label = label
        self.reason = reason
        cause = SurfaceCause(reason)
        self.layer = layer
        self.origin = origin
        self.size = size
        self.load = load
        self.batches = batches
    }
}

/// A target as the plan sees it. Slot 0 is the display's own, kept between frames; the others come from the pool.
package struct TargetSlot: Sendable, Equatable {
    /// At least the size of every pass that draws into it. Image coordinates of 1 mean this size, and what no pass drew
    /// is undefined.
    package var size: PixelSize
    /// A number of pixels that stay for later frames; nil for a target of this frame alone. A plan either draws it first
    /// or reads what an earlier plan of the same root drew.
    package var sprite: UInt64?

    package init(size: PixelSize, sprite: UInt64? = nil) {
        self.size = size
        self.sprite = sprite
    }
}

/// Coverage bytes that must be in the atlas before the first pass.
package struct CoverageUpload: Sendable, Equatable {
    package var page: Int
    /// Where in the page, pixels.
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int
    /// width × height bytes, row by row.
    package var bytes: [UInt8]

    package init(page: Int, x: Int, y: Int, width: Int, height: Int, bytes: [UInt8]) {
        self.page = page
        self.x = x
        self.y = y
        self.width = width
        self.height = height
        self.bytes = bytes
    }
}

/// Everything the executor needs to draw one frame of one display.
package struct FramePlan: Sendable {
    /// The display's clock, seconds.
    package var time: Double
    package var slots: [TargetSlot]
    /// In the order they are drawn; the last one draws the root into slot 0.
    package var passes: [RenderPass]
    package var vertices: ContiguousArray<PlanVertex>
    package var uploads: [CoverageUpload]
    /// What was decided without a pass, and what a limit spoiled.
    package var notes: [PlanNote]
    /// What is drawn, quad by quad; empty unless `FramePlanner.recordsDrawings`.
    package var drawings: [PlannedDrawing] = []
    /// Pixels of the display that may differ from the last frame's; nil is all of them, none is an unchanged frame.
    package var damage: [PixelRect]?
    /// Kept sprites that no plan will read again.
    package var forgottenSprites: [UInt64] = []
    /// Pictures that were worked out, to be put into textures before the first pass; and those that no plan will read again.
    package var rasters: [RasterUpload] = []
    package var forgottenRasters: [ImageKey] = []

    /// Side of a coverage atlas page, pixels.
    package static let coveragePageSide = 1024

    package init(time: Double, size: PixelSize) {
        self.time = time
        slots = [TargetSlot(size: size)]
        passes = []
        vertices = []
        uploads = []
        notes = []
    }

    /// Pixels of the display.
    package var size: PixelSize { slots[0].size }
}
