// Baking: a layer that is carried about by whole pixels while its picture stays the same, a card in a list that scrolls, is
// drawn with all below it to a surface of its own, whose pixels are kept (Damage/FrameMemory.swift). Then a frame lays
// down one upright rectangle instead of rims, shadows and masks. The highest layer that can be is baked; where it is too
// large or has nothing to gain, those below it are looked at.
//
// Whether a layer is baked follows from the commits alone (Store/LayerMotion.swift) and from what it draws, never from
// which frames were drawn: it was moved twice since its picture last changed, its plane keeps the pixel grid, nothing in
// it looks below itself or is animated, and drawing it takes much more than laying it down. It is drawn where its origin's whole pixels
// are taken away, so that it is the same wherever it goes; the part of a pixel that is left belongs to the picture.
// Position and opacity are never baked. Source: docs/effects/baking.md.

import LayerModel
import Paths

/// How the layers being emitted are carried: of all from the root down.
struct Carriage: Equatable {
    /// The last but one commit that moved one of them by whole points.
    var moved: UInt64 = 0
    /// The last one that put one of them elsewhere in another way.
    var jumped: UInt64 = 0
    /// One of them is animated.
    var isAnimated = false
}

/// What was found about a layer's picture: holds as long as that and its place on the pixel grid are the same.
struct BakeVerdict {
    var revision: UInt64
    /// Without whole pixels.
    var plane: Homography
    var isFlipped: Bool
    var isWorthIt: Bool
    /// What it draws, with the whole pixels taken away.
    var bounds: PixelRect
    /// Its first drawing covers all of that.
    var isOpaque = false
    /// What it takes of the frame's limits.
    var surfaceBytes = 0
    var nesting = 1
    /// Of its pixels.
    var token: UInt64
}

extension FramePlanner {
    /// As `emit`, of a layer that isn't cut: bakes it where it should be.
    mutating func emitCarried(
        _ index: Int, clippedTo scissor: PixelRect, fadedBy inherited: Float, _ walk: Walk
    ) -> Int {
        let presented = tree.layers[index]
        let motion = walk.motions.baseAddress! + Int(presented.record)
        let around = carriage
        defer { carriage = around }
        carriage.moved = max(around.moved, motion.pointee.moved.before)
        carriage.jumped = max(around.jumped, motion.pointee.jumped)
        carriage.isAnimated =
            around.isAnimated || (walk.records.baseAddress! + Int(presented.record)).pointee.isAnimated
        if carriage.moved > carriage.jumped, !carriage.isAnimated,
            motion.pointee.whole.isSettled(carried: carriage.moved)
        {
            let wasPlaced = isPlaced
            isPlaced = false
            if emitBaked(index, presented, motion.pointee.revision, clippedTo: scissor, fadedBy: inherited, walk) {
                return Int(presented.subtreeEnd)
            }
            isPlaced = wasPlaced
        }
        carriage.moved = max(carriage.moved, motion.pointee.scrolled.before)
        return emitWhole(index, clippedTo: scissor, fadedBy: inherited, walk)
    }

    /// False where the layer can't be baked or need not be; nothing is emitted then.
    private mutating func emitBaked(
        _ index: Int, _ presented: PresentedLayer, _ revision: UInt64, clippedTo scissor: PixelRect,
        fadedBy inherited: Float, _ walk: Walk
    ) -> Bool {
        let record = walk.records.baseAddress! + Int(presented.record)
        let opacity = presented.opacity * inherited
        guard presented.record != walk.root, presented.space < 0, !isInMask, silhouetteDepth == 0,
            opacity == 1 || record.pointee.properties.allowsGroupOpacity,
            record.pointee.properties.compositingMode == .normal, !record.pointee.showsBackdrop,
            let (plane, whole) = presented.toDevice.withoutWholePixels
        else { return false }

        let layer = record.pointee.id
        var verdict = verdicts[presented.record].flatMap {
            $0.revision == revision && $0.plane == plane && $0.isFlipped == presented.contentsAreFlipped ? $0 : nil
        }
        func shown(_ verdict: BakeVerdict) -> PixelRect {
            verdict.bounds.offsetBy(x: whole.x, y: whole.y).intersection(scissor)
        }
        if let verdict {
            if !verdict.isWorthIt { return false }
            if shown(verdict).isEmpty { return true }
            if !fits(verdict) { return false }
        }
        let start = Checkpoint(self)
        if let verdict, isKept(verdict) {
            // Its pixels are there: what they were drawn of doesn't matter.
            surfaces.append(
                PlannedSurface(
                    reason: .baked, layer: layer, bounds: verdict.bounds, quads: [], nesting: verdict.nesting,
                    cause: SurfaceCause(.baked), token: verdict.token))
            surfaceBytes += verdict.surfaceBytes
        } else {
            let bounds = emitForBaking(index, presented, plane, walk)
            if bounds == nil, notes[start.notes...].contains(where: \.isDegradation) {
                // A limit of this frame says nothing about the next one.
                start.restore(&self)
                return false
            }
            if verdict == nil {
                let isWorthIt = bounds.map { isWorthBaking($0, from: start, walk) } ?? false
                lastToken += 1
                verdict = BakeVerdict(
                    revision: revision, plane: plane, isFlipped: presented.contentsAreFlipped, isWorthIt: isWorthIt,
                    bounds: bounds ?? .empty, token: lastToken)
                if isWorthIt {
                    verdict!.isOpaque = quads[start.quads].isOpaque && quads[start.quads].bounds == bounds
                }
            }
            // More than this is not kept; what lies below may be.
            guard verdict!.isWorthIt, !shown(verdict!).isEmpty, fits(verdict!),
                makeSurface(from: start.quads, reason: .baked, layer, within: nil)
            else {
                start.restore(&self)
                remember(verdict!, of: presented.record)
                return verdict!.isWorthIt && shown(verdict!).isEmpty
            }
            quads.removeLast()
            surfaces[surfaces.count - 1].token = verdict!.token
            verdict!.surfaceBytes = surfaceBytes - start.surfaceBytes
            verdict!.nesting = surfaces[surfaces.count - 1].nesting
            remember(verdict!, of: presented.record)
        }
        guard let verdict else { return false }
        bakedArea += verdict.bounds.area
        let offset = PixelPoint(x: -verdict.bounds.minX - whole.x, y: -verdict.bounds.minY - whole.y)
        mappings.append(
            ImageMapping(
                toImage: .translation(Double(offset.x), Double(offset.y)), isAffine: true, copyOffset: offset))
        append(
            .sprite(Int32(surfaces.count - 1), mapping: Int32(mappings.count - 1), sampling: .nearest),
            .white * opacity, shown(verdict), nil, layer, isOpaque: verdict.isOpaque)
        return true
    }

    /// The pixels are there from an earlier frame, and nothing that a limit says would change that.
    private func isKept(_ verdict: BakeVerdict) -> Bool {
        switches.contains(.sprites) && ledger.isKept(verdict.token) && fits(verdict)
            && verdict.surfaceBytes <= limits.surfaceBytes - surfaceBytes
    }

    private func fits(_ verdict: BakeVerdict) -> Bool { bakedArea + verdict.bounds.area <= screen.area * 3 / 2 }

    private mutating func remember(_ verdict: BakeVerdict, of record: Int32) {
        if verdicts.count >= 8_192 { verdicts.removeAll(keepingCapacity: true) }
        verdicts[record] = verdict
    }

    /// Emits a layer where its picture is baked, opaque. Nil when it can't be seen or can't be baked.
    private mutating func emitForBaking(
        _ index: Int, _ presented: PresentedLayer, _ plane: Homography, _ walk: Walk
    ) -> PixelRect? {
        let first = quads.count
        let subtree = tree.layers[index..<Int(presented.subtreeEnd)]
        if subtree.contains(where: { walk.records[Int($0.record)].isAnimated }) { return nil }
        let counts = (backdrops: backdrops.count, notes: notes.count, surfaces: surfaces.count)
        let far = 2 * max(screen.width, screen.height)
        let reach = PixelRect(minX: -far, minY: -far, maxX: far, maxY: far)
        // What lies far off would be cut away.
        let extent = deviceBox(
            of: DrawnExtent(records: walk.records, images: walk.images).of(presented.record), on: plane)
        let limit = Double(far - 1)
        guard extent.minX > -limit, extent.minY > -limit, extent.maxX < limit, extent.maxY < limit else { return nil }
        let shift = Homography.translation(
            plane.a31 - presented.toDevice.a31, plane.a32 - presented.toDevice.a32)
        let saved = tree.move(index, by: shift)
        // The translation itself, without what rounding adds to it.
        tree.layers[index].toDevice = plane
        tree.steady(index)
        tree.layers[index].opacity = 1
        let outside = screen
        screen = reach
        isBaking = true
        emitWhole(index, clippedTo: reach, fadedBy: 1, walk)
        isBaking = false
        screen = outside
        tree.put(back: saved, at: index)

        guard quads.count > first, backdrops.count == counts.backdrops,
            !notes[counts.notes...].contains(where: \.isDegradation)
        else { return nil }
        var bounds = PixelRect.empty
        for quad in quads[first...] {
            // A large picture that is scaled is drawn in another way where only a part of it is seen.
            if quad.readsBackdrop || quad.isLargeScaledImage { return nil }
            bounds = bounds.union(quad.bounds)
        }
        for surface in surfaces[counts.surfaces...] where surface.quads.contains(where: \.isLargeScaledImage) {
            return nil
        }
        let inner = PixelRect(minX: reach.minX + 1, minY: reach.minY + 1, maxX: reach.maxX - 1, maxY: reach.maxY - 1)
        return inner.contains(bounds) ? bounds : nil
    }

    // MARK: Is it worth it?

    /// Drawing takes half as long again as laying down, and more than a call costs.
    private func isWorthBaking(_ bounds: PixelRect, from start: Checkpoint, _ walk: Walk) -> Bool {
        var drawing = 0
        for quad in quads[start.quads...] { drawing += effort(of: quad, walk) }
        for surface in surfaces[start.surfaces...] {
            drawing += 100_000 + surface.bounds.area * (surface.step == nil ? 1 : 10)
            for quad in surface.quads { drawing += effort(of: quad, walk) }
        }
        return isWorthBaking(bounds, takes: drawing)
    }

    func isWorthBaking(_ bounds: PixelRect, takes drawing: Int) -> Bool {
        bounds.area <= screen.area * 3 / 2
            && drawing >= bounds.area * limits.bakingGainPercent / 100 + limits.bakingGainPixels
    }

    /// What drawing takes, in pixels of an image laid down as it is. Source: docs/performance.md, "What llvmpipe is
    /// like"; on other drivers the order is the same.
    func effort(of quad: Quad, _ walk: Walk) -> Int {
        var each = 1
        switch quad.paint {
        case .solid: break
        case .image(_, _, let sampling, _), .sprite(_, _, let sampling): each = sampling == .nearest ? 1 : 6
        case .surface, .surfaceAlpha, .backdrop, .over: each = 2
        case .particles: each = 6
        }
        if quad.maskSurface >= 0 { each = max(each, 6) }
        guard let mask = quad.mask else { return 300 + quad.bounds.area * each }
        var sum = 0
        for span in walk.coverage.spans(of: mask.entry) { sum += 300 + span.rect.area * each }
        for tile in walk.coverage.tiles(of: mask.entry) { sum += 300 + tile.rect.area * max(each, 6) }
        return sum
    }

}

/// What a planner has emitted so far, to take back what comes after.
private struct Checkpoint {
    let quads: Int
    let surfaces: Int
    private let mappings: Int
    private let backdrops: Int
    let notes: Int
    let surfaceBytes: Int

    init(_ planner: borrowing FramePlanner) {
        quads = planner.quads.count
        surfaces = planner.surfaces.count
        mappings = planner.mappings.count
        backdrops = planner.backdrops.count
        notes = planner.notes.count
        surfaceBytes = planner.surfaceBytes
    }

    func restore(_ planner: inout FramePlanner) {
        planner.quads.removeLast(planner.quads.count - quads)
        planner.surfaces.removeLast(planner.surfaces.count - surfaces)
        planner.mappings.removeLast(planner.mappings.count - mappings)
        planner.backdrops.removeLast(planner.backdrops.count - backdrops)
        planner.notes.removeLast(planner.notes.count - notes)
        planner.surfaceBytes = surfaceBytes
    }
}

extension Quad {
    /// Of such, the lowering weighs only those exactly of which little is seen.
    var isLargeScaledImage: Bool {
        guard case .image(_, _, let sampling, _) = paint, sampling != .nearest else { return false }
        return bounds.area > PassLowering.preciseArea
    }
}

extension Homography {
    /// The plane with the whole pixels of its origin taken away, and those; nil where whole points are not whole pixels.
    var withoutWholePixels: (plane: Homography, whole: PixelPoint)? {
        guard a13 == 0, a23 == 0, a33 == 1, [a11, a12, a21, a22].allSatisfy({ $0 == $0.rounded() && abs($0) <= 64 }),
            abs(a31) < 1e6, abs(a32) < 1e6
        else { return nil }
        let (x, phaseX) = wholeAndPhase(a31)
        let (y, phaseY) = wholeAndPhase(a32)
        var plane = self
        plane.a31 = Double(phaseX) / 1_024
        plane.a32 = Double(phaseY) / 1_024
        return (plane, PixelPoint(x: x, y: y))
    }
}
