// A layer whose contents are drawn in tiles, at commits, as far as its display can see them. Source: semantic reference, §6.7.
// What the tiles are: TileSet.swift and docs/tiles.md.

import LayerModel

/// Shows contents that are too large for one bitmap: `draw(in:)`, or the delegate's `draw(_:in:)`, is called for each tile that
/// a display can see, with the context clipped to it. As any layer it draws from the first `setNeedsDisplay()` on.
open class CATiledLayer: CALayer, @unchecked Sendable {
    let tiles = TileSet()

    public override init() {
        super.init()
    }

    public override init(layer: Any) {
        super.init(layer: layer)
        guard let layer = layer as? CATiledLayer else { return }
        (levelsOfDetail, levelsOfDetailBias) = (layer.levelsOfDetail, layer.levelsOfDetailBias)
        tileSize = layer.tileSize
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    deinit {
        for layer in tiles.layers { layer.parent = nil }
    }

    /// Seconds in which a tile appears that comes to a layer on a display; 0.25. With 0 it is there at once.
    open class func fadeDuration() -> CFTimeInterval { 0.25 }

    /// How many sizes the contents are drawn in, each half of the one before; 1 at first, 64 at most.
    open var levelsOfDetail = 1 {
        didSet { if levelsOfDetail != oldValue { markTilesChanged() } }
    }

    /// How many of these sizes are larger than `contentsScale` says: with 3 the largest is drawn at 8 times as many pixels a
    /// point. 0 at first.
    open var levelsOfDetailBias = 0 {
        didSet { if levelsOfDetailBias != oldValue { markTilesChanged() } }
    }

    /// Pixels of a tile, whatever the size it is drawn for; 256 by 256 at first. Rounded up to whole pixels, 1 to
    /// 16,384; a side that is not finite counts as 256.
    open var tileSize = CGSize(width: 256, height: 256) {
        didSet { if tileSize != oldValue { markTilesChanged() } }
    }

    /// Tiles that a change of settings made useless are replaced at the next commit.
    private func markTilesChanged() {
        if let context = hosting.context { _ = context.currentTransactionTouches() }
    }

    /// Marks the tiles that must be drawn again; the commit draws those that are seen.
    open override func display() {
        tiles.isDrawn = true
        tiles.invalidate(drawing?.drawnRect)
    }

    // MARK: Class

    open override func value(forKey key: String) -> Any? {
        switch key {
        case "levelsOfDetail": NSNumber(value: levelsOfDetail)
        case "levelsOfDetailBias": NSNumber(value: levelsOfDetailBias)
        case "tileSize": tileSize
        default: super.value(forKey: key)
        }
    }

    open override func setValue(_ value: Any?, forKey key: String) {
        let value = KeyedValue.given(value)
        switch key {
        case "levelsOfDetail", "levelsOfDetailBias":
            let isCount = key == "levelsOfDetail"
            guard let number = KeyedValue.number(value ?? (isCount ? 1 : 0)), let whole = Int(exactly: number) else {
                return refuse(value, forKey: key, wants: "a whole number")
            }
            if isCount { levelsOfDetail = whole } else { levelsOfDetailBias = whole }
        case "tileSize":
            guard let size = (value ?? CGSize(width: 256, height: 256)) as? CGSize else {
                return refuse(value, forKey: key, wants: "a CGSize")
            }
            tileSize = size
        default: super.setValue(value, forKey: key)
        }
    }

    open override class func defaultValue(forKey key: String) -> Any? {
        switch key {
        case "levelsOfDetail": NSNumber(value: 1)
        case "tileSize": CGSize(width: 256, height: 256)
        default: super.defaultValue(forKey: key)
        }
    }

    open override func presentation() -> CATiledLayer? { makePresentation() as? CATiledLayer }

    package override var frameworkClass: CALayer.Type { CATiledLayer.self }
    package override func makeFrameworkCopy() -> CALayer { CATiledLayer(layer: self) }
    package override var ownSublayers: [CALayer] { tiles.layers }

    /// All of it at once, as large as the context shows it: no tiles are made for it.
    package override func paintOwnDrawing(in ctx: CGContext) {
        guard tiles.isDrawn else { return }
        ctx.clip(to: bounds)
        draw(in: ctx)
    }
}

extension CATiledLayer {
    /// What the tiles of now are like.
    final var tileGrid: TileGrid {
        func side(_ length: CGFloat) -> Double {
            length.isFinite ? min(max(Double(length).rounded(.up), 1), 16_384) : 256
        }
        let count = min(max(levelsOfDetail, 1), 64)
        let highest = min(max(levelsOfDetailBias, -64), 64)
        let scale = properties.contentsScale
        return TileGrid(
            tileWidth: side(tileSize.width), tileHeight: side(tileSize.height),
            contentsScale: scale > 0 ? scale : 1, lowestLevel: highest - count + 1, highestLevel: highest,
            isOpaque: properties.isOpaque, isGray: contentsFormat == .gray8Uint, isFlipped: contentsAreFlipped())
    }

    /// Draws one tile, or what the bounds leave of it.
    ///
    /// - Parameters:
    ///   - rect: In the layer's coordinates; not empty.
    ///   - scale: Pixels a point.
    /// - Returns: Nil where nothing draws, or there is no memory, which leaves a fault.
    final func drawTile(_ rect: Rect, scale: Double, _ grid: TileGrid) -> CGImage? {
        func pixels(_ length: Double) -> Int { Int(min(max((length * scale - 1e-6).rounded(.up), 1), 16_384)) }
        let bitmap = LayerBitmap(
            bounds: rect, width: pixels(rect.width), height: pixels(rect.height), isOpaque: grid.isOpaque,
            isGray: grid.isGray, isFlipped: grid.isFlipped)
        guard
            let context = CGContext(
                width: bitmap.width, height: bitmap.height, isOpaque: bitmap.isOpaque, isGray: bitmap.isGray,
                initialTransform: bitmap.transform)
        else {
            recordFault("contents", "no memory for a tile of \(bitmap.width) x \(bitmap.height) pixels")
            return nil
        }
        context.label = label
        if drawing == nil { drawing = LayerDrawing() }
        drawing?.drewNothing = false
        draw(in: context)
        if drawing?.drewNothing ?? false { return nil }
        guard let image = context.finishedImage() else {
            recordFault("contents", "no memory for what was drawn")
            return nil
        }
        return image
    }
}
