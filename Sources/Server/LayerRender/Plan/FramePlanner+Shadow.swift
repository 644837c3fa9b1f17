// Shadows. Three roads: a known shape (a path, or a layer that is one opaque rectangle with everything else inside it)
// becomes a blurred mask, made once and kept, with no pass; anything else is drawn to a surface, its silhouette, which
// is blurred, tinted and drawn below it. Source: semantic reference, §1.8; measured facts S1 to S11.

import LayerModel
import Paths

/// Where a layer's shadow falls and how it is blurred.
struct ShadowGeometry {
    /// Premultiplied, opacity included.
    var color: PremultipliedColor
    /// From the layer's space to device pixels, moved by the offset.
    var plane: Homography
    var gaussian: GaussianShape
    /// The layer asks for a wider one.
    var isLimited: Bool
    /// How far the offset moves the layer's middle, device pixels.
    var moved: Point
    /// Where the offset moves each device pixel of the layer: by `moved`, but in perspective.
    var shift: Homography

    /// What must be drawn for the shadow in a rectangle to be right.
    func seen(from rect: PixelRect) -> PixelRect {
        let x = Int(min(abs(moved.x), 1e5).rounded(.up)) + gaussian.reachX
        let y = Int(min(abs(moved.y), 1e5).rounded(.up)) + gaussian.reachY
        return PixelRect(minX: rect.minX - x, minY: rect.minY - y, maxX: rect.maxX + x, maxY: rect.maxY + y)
    }
}

extension FramePlanner {
    /// Nil for a layer without a shadow. Of a layer that clips, the clip leaves what lies inside.
    func shadowGeometry(_ presented: PresentedLayer, _ record: UnsafePointer<LayerRecord>) -> ShadowGeometry? {
        guard record.pointee.properties.rare != nil else { return nil }
        let opacity = record.pointee.properties.shadowOpacity
        guard opacity > 0, let color = record.pointee.properties.shadowColor, color.alpha > 0 else { return nil }
        let offset = record.pointee.properties.shadowOffset
        let bounds = record.pointee.properties.bounds
        let middle = Point(bounds.midX, bounds.midY)
        let plane = Homography.translation(offset.x, offset.y).concatenating(presented.toDevice)
        guard plane.isFinite else { return nil }
        let from = presented.toDevice.apply(middle)
        let to = plane.apply(middle)
        guard from.isFinite, to.isFinite else { return nil }
        var shift = Homography.translation(to.x - from.x, to.y - from.y)
        if !plane.isAffine {
            guard let toLayer = presented.toDevice.inverse else { return nil }
            shift = toLayer.concatenating(plane)
        }
        var gaussian = GaussianShape(
            sigma: max(record.pointee.properties.shadowRadius, 0), on: presented.toDevice,
            at: middle)
        let isWider = gaussian.limit()
        // Farther than this, nothing of it is seen.
        let far = 1e6
        let moved = Point(min(max(to.x - from.x, -far), far), min(max(to.y - from.y, -far), far))
        return ShadowGeometry(
            color: color.premultiplied * Float(min(opacity, 1)), plane: plane, gaussian: gaussian,
            isLimited: isWider, moved: moved, shift: shift)
    }

    /// Puts the shadow of what was emitted from `first` on below it.
    mutating func emitShadow(
        _ shadow: ShadowGeometry, _ presented: PresentedLayer, _ record: UnsafePointer<LayerRecord>,
        clippedTo clip: PixelRect, fadedBy opacity: Float, from first: Int, _ walk: Walk
    ) {
        let layer = record.pointee.id
        var color = shadow.color * opacity
        if let path = record.pointee.properties.shadowPath {
            let wanted = shadow.seen(from: clip)
            guard let shape = walk.coverage.mask(of: path, .inside(.nonZero), on: shadow.plane, clip: wanted) else {
                return
            }
            insertBlurred(shape, shadow, color, clip, at: first, layer, walk)
            notes.append(PlanNote(layer: layer, kind: .shadowOfPath))
            return
        }
        guard quads.count > first else { return }
        if switches.contains(.shadowShapes) {
            if let known = rectangleSilhouette(presented, record, from: first, walk) {
                color = color * known.alpha
                emitBoundsShadow(shadow, color, record, clip, border: known.border, at: first, walk)
                return
            }
            if let known = shapeSilhouette(shadow, record, clippedTo: clip, from: first, walk) {
                emitShapeShadow(shadow, color * known.alpha, known.coverage, record.pointee.id, clip, at: first, walk)
                return
            }
        }
        emitSilhouette(
            shadow, color, record, clip, from: first, keepsOwn: true,
            because: silhouetteObstacle(record, from: first, walk))
    }

    // MARK: Drawn twice

    /// True where one drawing of the layer can't be both itself and what casts its shadow: the shadow lies a part of a
    /// pixel off and is sharp enough to show it, it is seen in perspective, parts are faded one by one, or a rounded clip
    /// ends them.
    func mustDrawTwice(
        _ index: Int, _ shadow: ShadowGeometry, _ opacity: Float, _ clipMask: MaskUse?, _ walk: Walk
    ) -> Bool {
        guard silhouetteDepth < 3 else { return false }
        func isPart(_ x: Double) -> Bool { abs(x - x.rounded()) > 1.0 / 64 }
        let isSharp = min(shadow.gaussian.sigmaX, shadow.gaussian.sigmaY) < 3
        if opacity < 1 || clipMask != nil || !shadow.plane.isAffine { return true }
        guard isPart(shadow.moved.x) || isPart(shadow.moved.y) else { return false }
        return isSharp || hasHardEdges(index, walk)
    }

    /// Something in the layer ends at the nearest whole pixel, which is another one a part of a pixel further on.
    private func hasHardEdges(_ index: Int, _ walk: Walk) -> Bool {
        tree.layers[index..<Int(tree.layers[index].subtreeEnd)].contains { layer in
            walk.records[Int(layer.record)].properties.smoothEdges != .all
        }
    }

    /// Counts a layer, with all below it, that is to be drawn once more; false with a note where that is too many. Inside
    /// one another their number would grow with the third power of their depth.
    mutating func mayRedraw(_ index: Int, _ layer: LayerID) -> Bool {
        redrawsLeft -= Int(tree.layers[index].subtreeEnd) - index
        if redrawsLeft >= 0 { return true }
        notes.append(PlanNote(layer: layer, kind: .degraded(.shadow, .redraws)))
        return false
    }

    /// Draws the layer once more where its shadow falls, and puts that, blurred, below what was emitted from `first` on.
    mutating func emitTwice(
        _ shadow: ShadowGeometry, _ index: Int, _ presented: PresentedLayer, _ record: UnsafePointer<LayerRecord>,
        _ filters: [LayerFilter], clippedTo clip: PixelRect, fadedBy opacity: Float, at first: Int, _ walk: Walk
    ) {
        var color = shadow.color * opacity
        guard quads.count > first else { return }
        if switches.contains(.shadowShapes), !record.pointee.properties.masksToBounds, opacity == 1,
            let known = rectangleSilhouette(presented, record, from: first, walk)
        {
            color = color * known.alpha
            emitBoundsShadow(shadow, color, record, clip, border: known.border, at: first, walk)
            return
        }
        if switches.contains(.shadowShapes), opacity == 1,
            let known = shapeSilhouette(shadow, record, clippedTo: clip, from: first, walk)
        {
            emitShapeShadow(shadow, color * known.alpha, known.coverage, record.pointee.id, clip, at: first, walk)
            return
        }
        silhouetteDepth += 1
        defer { silhouetteDepth -= 1 }
        let obstacle = silhouetteObstacle(record, from: first, walk)
        let own = Array(quads[first...])
        quads.removeLast(quads.count - first)
        let shown = shadow.still.seen(from: clip)
        let wanted = filters.isEmpty ? shown : grown(shown, by: filters, presented, record)
        let saved = tree.move(index, by: shadow.shift)
        emitOwn(
            index, tree.layers[index], record, filters, wanted: wanted, clip: shown, isClipped: false, fadedBy: 1, walk
        )
        tree.put(back: saved, at: index)
        if quads.count > first {
            emitSilhouette(shadow.still, color, record, clip, from: first, keepsOwn: false, because: obstacle)
        }
        quads.append(contentsOf: own)
    }

    private mutating func emitBoundsShadow(
        _ shadow: ShadowGeometry, _ color: PremultipliedColor, _ record: UnsafePointer<LayerRecord>,
        _ clip: PixelRect, border: Float, at first: Int, _ walk: Walk
    ) {
        let layer = record.pointee.id
        let smooth = record.pointee.properties.smoothEdges
        switch cover(.bounds(of: record), on: shadow.plane, smooth: smooth, clip: shadow.seen(from: clip), walk) {
        case .nothing: break
        case .mask(let shape, _):
            insertBlurred(
                border > 0 ? walk.coverage.drawnTwice(shape, alpha: border) : shape, shadow, color, clip, at: first,
                layer, walk)
        case .whole(let rect):
            insertBlurred(walk.coverage.mask(of: rect), shadow, color, clip, at: first, layer, walk)
        }
        notes.append(PlanNote(layer: layer, kind: .shadowOfBounds))
    }

    private mutating func emitShapeShadow(
        _ shadow: ShadowGeometry, _ color: PremultipliedColor, _ coverage: Coverage, _ layer: LayerID,
        _ clip: PixelRect, at first: Int, _ walk: Walk
    ) {
        switch coverage {
        case .nothing: break
        case .mask(let mask, _): insertBlurred(mask, shadow, color, clip, at: first, layer, walk)
        case .whole(let rect): insertBlurred(walk.coverage.mask(of: rect), shadow, color, clip, at: first, layer, walk)
        }
        notes.append(PlanNote(layer: layer, kind: .shadowOfShape))
    }

    private mutating func insertBlurred(
        _ shape: MaskUse, _ shadow: ShadowGeometry, _ color: PremultipliedColor, _ clip: PixelRect, at first: Int,
        _ layer: LayerID, _ walk: Walk
    ) {
        guard let mask = walk.coverage.blurred(shape, by: shadow.gaussian, clip: clip) else { return }
        let bounds = walk.coverage.extent(of: mask.entry).bounds.offsetBy(x: Int(mask.x), y: Int(mask.y))
            .intersection(clip)
        guard !bounds.isEmpty else { return }
        lastShadow = layer
        quads.insert(
            Quad(bounds: bounds, mask: mask, paint: .solid, color: color, isOpaquePaint: false, layer: layer),
            at: first)
    }

    /// The alpha of a layer whose silhouette is its bounds with their corners: an even background with everything else
    /// inside. Its own border, of the alpha `border`, is drawn over the background's edge, which covers more for it. Nil for
    /// any other.
    private func rectangleSilhouette(
        _ presented: PresentedLayer, _ record: UnsafePointer<LayerRecord>, from first: Int, _ walk: Walk
    ) -> (alpha: Float, border: Float)? {
        let background = quads[first]
        guard isBackground(background, of: record), background.mode == .normal, !record.pointee.properties.drawsShape
        else { return nil }
        if quads.count == first + 1 { return (background.color.alpha, 0) }
        guard background.color.alpha == 1 else { return nil }
        var border: Float = 0
        for quad in quads[(first + 1)...] {
            if quad.readsBackdrop { return nil }
            guard background.bounds.contains(quad.bounds) else { return nil }
            guard let mask = background.mask else { continue }
            if quad.layer == record.pointee.id, case .solid = quad.paint {
                // A border ends where the background does. One as wide as a pixel covers its edge.
                let scale =
                    FilterPlane(presented.toDevice, record.pointee.properties.bounds)?.pixels(of: 1).axes ?? (0, 0)
                guard record.pointee.properties.borderWidth * min(scale.0, scale.1) >= 1 else { return nil }
                border = quad.color.alpha
            } else if !walk.coverage.withMask(mask.entry, { shape, _ in covers(shape, mask, all: quad.bounds) }) {
                return nil
            }
        }
        return (1, border)
    }

    /// Draws everything to a surface, and its blurred alpha below that.
    /// - Parameter keepsOwn: The surface itself is drawn too.
    private mutating func emitSilhouette(
        _ shadow: ShadowGeometry, _ color: PremultipliedColor, _ record: UnsafePointer<LayerRecord>,
        _ clip: PixelRect, from first: Int, keepsOwn: Bool, because obstacle: SurfaceCause.Obstacle
    ) {
        let layer = record.pointee.id
        if quads.count > first + 1 || !quads[first].isPlainSurface {
            guard makeSurface(from: first, reason: .shadow, layer, within: nil, because: obstacle) else {
                if !keepsOwn { quads.removeLast(quads.count - first) }
                return
            }
        }
        guard case .surface(let silhouette) = quads[first].paint else { return }
        let source = surfaces[Int(silhouette)].bounds
        guard
            let blurred = blurChain(
                of: silhouette, shadow.gaussian, moved: shadow.moved, edges: .transparent,
                result: shadow.result(of: source).intersection(clip), reason: .shadow, layer, because: obstacle)
        else {
            if !keepsOwn { quads.removeLast(quads.count - first) }
            return
        }
        if !keepsOwn { quads.removeLast(quads.count - first) }
        lastShadow = layer
        quads.insert(
            Quad(
                bounds: surfaces[Int(blurred)].bounds, mask: nil, paint: .surfaceAlpha(blurred), color: color,
                isOpaquePaint: false, layer: layer), at: first)
    }
}

extension ShadowGeometry {
    /// The same of something that is drawn where the shadow falls.
    fileprivate var still: ShadowGeometry {
        var shadow = self
        shadow.moved = .zero
        return shadow
    }

    /// What the blurred silhouette of a rectangle of pixels may touch.
    fileprivate func result(of rect: PixelRect) -> PixelRect {
        PixelRect(
            minX: rect.minX + Int(moved.x.rounded(.down)) - gaussian.reachX,
            minY: rect.minY + Int(moved.y.rounded(.down)) - gaussian.reachY,
            maxX: rect.maxX + Int(moved.x.rounded(.up)) + gaussian.reachX,
            maxY: rect.maxY + Int(moved.y.rounded(.up)) + gaussian.reachY)
    }
}

extension Quad {
    /// A surface as it is.
    fileprivate var isPlainSurface: Bool {
        guard case .surface = paint else { return false }
        return mask == nil && maskSurface < 0 && mode == .normal && color == .white
    }
}

extension GaussianShape {
    /// Wider than this looks like nothing, and costs without bound.
    static let widest = 512

    /// True where it was wider.
    @discardableResult
    mutating func limit(to widest: Int = GaussianShape.widest) -> Bool {
        let isWider = max(sigmaX, sigmaY) > Double(widest)
        sigmaX = min(sigmaX, Double(widest))
        sigmaY = min(sigmaY, Double(widest))
        slant = min(max(slant, -8), 8)
        return isWider
    }
}
