// The tiles that a tiled layer has on its display: layers of its own below its sublayers, one a tile, that no app sees. So
// they are placed, clipped and drawn as any layer's contents are.
//
// At each commit, and each time the clock has moved, the tiles that can be seen are brought up to date: what is missing or
// was invalidated is drawn, what is farther from sight than one tile goes. Of another size that is shown now (a level) all
// tiles are drawn anew over the old ones, which stay as long as the new ones fade in.

import LayerModel

final class TileSet {
    private struct Tile {
        /// Nil where nothing draws.
        var layer: TileLayer?
        /// What was drawn and still holds, in the tiled layer's coordinates; nil where it was invalidated.
        var drawn: Rect?

        func covers(_ part: Rect) -> Bool { drawn?.contains(part) == true }
    }

    /// From the first display on.
    var isDrawn = false
    private var grid: TileGrid?
    private var level = 0
    private var tiles: [TileKey: Tile] = [:]
    /// In the order in which they were drawn first.
    private var order: [TileKey] = []
    /// Tiles of other levels, below those of this one, until the display's time.
    private var fading: [(layer: TileLayer, until: Double)] = []
    /// Nil: everything must be drawn again.
    private var invalid: [Rect]? = []
    /// The session that the layer showed tiles in last.
    private var session: UInt64 = 0

    /// From the back to the front.
    var layers: [CALayer] { fading.map(\.layer) + order.compactMap { tiles[$0]?.layer } }

    /// Tiles that exist, drawn or found empty.
    var count: Int { tiles.count }

    /// - Parameter rect: In the layer's coordinates; nil is everything.
    func invalidate(_ rect: CGRect?) {
        guard let rect, let list = invalid, list.count < 64 else { return invalid = nil }
        invalid = list + [Rect(rect)]
    }

    /// Brings the tiles up to date with what can be seen.
    ///
    /// - Parameters:
    ///   - shown: What the layer's values are just now.
    ///   - change: A commit of the app brought this about, not just the time that passed.
    func update(
        _ layer: CATiledLayer, in context: LayerContext, sight: LayerSight, shown: LayerProperties, now: Double,
        change: Bool
    ) {
        let bounds = shown.bounds
        var isNew = session != context.recorder.session
        let grid = layer.tileGrid
        if grid != self.grid {
            removeAll(of: layer)
            self.grid = grid
            isNew = true
        }
        fading.removeAll { entry in
            guard entry.until <= now else { return false }
            remove(entry.layer, of: layer)
            return true
        }
        takeInvalid(of: layer)
        guard !sight.isHidden else { return }
        guard !sight.polygon.isEmpty else { return removeAll(of: layer) }

        let limit = self.limit(of: grid, context)
        let level = grid.level(at: sight.scale, for: sight.polygon, limit: limit)
        var wanted = grid.tiles(of: sight.polygon, around: sight.middle, level: level, limit: limit + 1)
        if wanted.count > limit {
            wanted.removeLast()
            ClientWarnings.shared.warnOnce(
                "\(layer.label): more than \(limit) tiles of \(Int(grid.tileWidth)) x \(Int(grid.tileHeight)) pixels can be "
                    + "seen; the others are not drawn")
        }
        // The layer's time may stand still, and what fades in it would never be seen.
        let time = layer.localTime(from: now)
        var fade = !change || isNew || sight.isMoving || time.rate <= 0 ? 0 : type(of: layer).fadeDuration()
        if !(fade > 0 && fade.isFinite) { fade = 0 }
        if level != self.level {
            retire(of: layer, now: now, fade: fade, localFade: fade * time.rate)
            self.level = level
        }
        dropFarTiles(of: layer, wanted: wanted, bounds: bounds, grid)
        let missing = wanted.filter { key in
            guard let tile = tiles[key] else { return true }
            return !tile.covers(grid.rect(of: key).intersection(bounds))
        }
        guard isDrawn else { return }
        session = context.recorder.session
        if !missing.isEmpty { layer.delegate?.layerWillDraw(layer) }
        for key in missing {
            let rect = grid.rect(of: key).intersection(bounds)
            guard rect.width > 0, rect.height > 0 else { continue }
            let image = layer.drawTile(rect, scale: grid.scale(ofLevel: level), grid)
            show(image, at: key, rect, of: layer, localFade: fade * time.rate)
        }
        for key in order {
            guard let tile = tiles[key], let tileLayer = tile.layer else { continue }
            let part = grid.rect(of: key).intersection(bounds)
            if let drawn = tile.drawn { tileLayer.show(part, of: drawn, bounds: bounds, like: layer, grid) }
            tileLayer.undo(shown.sublayerPlacement, at: part.origin)
        }
    }

    /// Tiles at a time: enough to fill the display twice in each direction.
    private func limit(of grid: TileGrid, _ context: LayerContext) -> Int {
        let pixels = max(TileGrid.mostPixels, 4 * context.displayPixels)
        return Int(min(max(pixels / (grid.tileWidth * grid.tileHeight), 1), Double(TileGrid.mostTiles)))
    }

    /// Forgets tiles that were invalidated; their layers show what they did until they are drawn again.
    private func takeInvalid(of layer: CATiledLayer) {
        guard invalid != [] else { return }
        for key in order {
            guard let drawn = tiles[key]?.drawn else { continue }
            if let invalid, invalid.allSatisfy({ $0.intersection(drawn).isEmpty }) { continue }
            tiles[key]?.drawn = nil
        }
        invalid = []
    }

    // MARK: Tiles that come

    private func show(_ image: CGImage?, at key: TileKey, _ rect: Rect, of layer: CATiledLayer, localFade: Double) {
        if tiles[key] == nil { order.append(key) }
        let old = tiles[key]?.layer
        guard let image else {
            if let old { remove(old, of: layer) }
            return tiles[key] = Tile(layer: nil, drawn: rect)
        }
        let tile = old ?? TileLayer()
        tile.contents = image
        tile.name = "tile \(key.column) \(key.row) of level \(key.level)"
        tiles[key] = Tile(layer: tile, drawn: rect)
        guard old == nil else { return }
        tile.parent = layer
        if localFade > 0 { tile.animateOpacity(from: 0, to: 1, duration: localFade) }
        layer.hosting.context?.subtreeDidJoin(tile)
        noteChange(of: layer)
    }

    // MARK: Tiles that go

    /// Those of the level that was shown stay below the new ones until these are there.
    private func retire(of layer: CATiledLayer, now: Double, fade: Double, localFade: Double) {
        guard fade > 0 else { return removeAll(of: layer) }
        for key in order {
            guard let old = tiles[key]?.layer else { continue }
            // Gone by itself when its time is over, whoever is there to remove it.
            old.opacity = 0
            old.animateOpacity(from: 1, to: 1, duration: localFade)
            fading.append((old, now + fade))
        }
        (tiles, order) = ([:], [])
        noteChange(of: layer)
    }

    /// What is farther than one tile from those that are seen, or was invalidated and is not seen.
    private func dropFarTiles(of layer: CATiledLayer, wanted: [TileKey], bounds: Rect, _ grid: TileGrid) {
        guard order.count > wanted.count || !wanted.allSatisfy({ tiles[$0] != nil }) else { return }
        let (columns, rows) = (wanted.map(\.column), wanted.map(\.row))
        guard let left = columns.min(), let right = columns.max(), let low = rows.min(), let high = rows.max() else {
            return removeAll(of: layer)
        }
        let (nearColumns, nearRows) = (left - 1...right + 1, low - 1...high + 1)
        let seen = Set(wanted)
        order.removeAll { key in
            guard !seen.contains(key), let tile = tiles[key] else { return false }
            let part = grid.rect(of: key).intersection(bounds)
            let isNear = nearColumns.contains(key.column) && nearRows.contains(key.row)
            if isNear, !part.isEmpty, tile.covers(part) { return false }
            if let old = tile.layer { remove(old, of: layer) }
            tiles[key] = nil
            return true
        }
    }

    private func removeAll(of layer: CATiledLayer) {
        for tile in layers { remove(tile, of: layer) }
        (tiles, order, fading) = ([:], [], [])
    }

    private func remove(_ tile: CALayer, of layer: CATiledLayer) {
        tile.parent = nil
        layer.hosting.context?.subtreeDidLeave(tile)
        noteChange(of: layer)
    }

    private func noteChange(of layer: CATiledLayer) {
        layer.hosting.sublayersChanged = true
        if let context = layer.hosting.context { _ = context.noteChange(of: layer) }
    }
}

/// Shows one tile.
final class TileLayer: CALayer, @unchecked Sendable {
    override init() {
        super.init()
        anchorPoint = .zero
    }

    required init?(coder: NSCoder) { nil }

    package override var frameworkClass: CALayer.Type { CALayer.self }

    fileprivate func animateOpacity(from: Double, to: Double, duration: Double) {
        let animation = CABasicAnimation(keyPath: "opacity")
        (animation.fromValue, animation.toValue) = (from, to)
        animation.duration = duration
        add(animation, forKey: "fade")
    }

    /// Leaves the layer in the plane of its superlayer, whatever that does to sublayers.
    ///
    /// - Parameter placement: What it does.
    fileprivate func undo(_ placement: Transform, at origin: Point) {
        var undone = Transform.identity
        if !placement.isIdentity, let inverse = placement.inverse {
            undone = Transform.identity.translatedBefore(origin.x, origin.y, 0).concatenating(inverse)
                .translatedAfter(-origin.x, -origin.y, 0)
        }
        transform = CATransform3D(undone)
    }

    /// Places the layer where a part of what was drawn belongs.
    ///
    /// - Parameters:
    ///   - part: In the tiled layer's coordinates, as `drawn`, which it lies in.
    ///   - bounds: Of the tiled layer: a tile has smooth edges only where they are its edges.
    fileprivate func show(_ part: Rect, of drawn: Rect, bounds: Rect, like layer: CATiledLayer, _ grid: TileGrid) {
        guard !drawn.isEmpty else { return }
        self.bounds = CGRect(part)
        position = CGPoint(part.origin)
        let top = grid.isFlipped ? part.minY - drawn.minY : drawn.maxY - part.maxY
        contentsRect = CGRect(
            x: (part.minX - drawn.minX) / drawn.width, y: top / drawn.height, width: part.width / drawn.width,
            height: part.height / drawn.height)
        var edges: CAEdgeAntialiasingMask = []
        if part.minX <= bounds.minX { edges.insert(.layerLeftEdge) }
        if part.maxX >= bounds.maxX { edges.insert(.layerRightEdge) }
        if part.minY <= bounds.minY { edges.insert(.layerBottomEdge) }
        if part.maxY >= bounds.maxY { edges.insert(.layerTopEdge) }
        edgeAntialiasingMask = layer.edgeAntialiasingMask.intersection(edges)
        allowsEdgeAntialiasing = layer.allowsEdgeAntialiasing
        magnificationFilter = layer.magnificationFilter
        minificationFilter = layer.minificationFilter
        minificationFilterBias = layer.minificationFilterBias
        isOpaque = grid.isOpaque
    }
}

extension Rect {
    fileprivate func contains(_ other: Rect) -> Bool {
        other.minX >= minX && other.maxX <= maxX && other.minY >= minY && other.maxY <= maxY
    }
}
