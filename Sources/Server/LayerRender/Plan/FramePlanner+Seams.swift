// Layers that cross: each is emitted once, drawn once for each of its parts, and clipped there by a mask.
//
// Where a part lies alone in a pixel its mask is 1. Where a line of intersection runs through the pixel, the masks are the
// weights of SeamWeights.swift, with which drawing the parts one after the other gives what the pieces of the pixel would.
// They need to know how much alpha each layer has at the pixel:
//
// - A solid color or an opaque image says it by its own mask. A layer that is one of these at the seam, or several
//   that don't overlap there, takes its weights into the masks of its drawings: no surface, no pass, no other program.
//   Planes of opaque cards cross this way.
// - Anything else is drawn into a surface first, once for all parts. Where something opaque or solid lies at the bottom of
//   it, its alpha is known and the weights are masks again. Otherwise the surface is drawn by a program that finds the
//   weight from its own alpha, pixel by pixel (`seamImage`). Pixels in which others are cut as well are another matter:
//   FramePlanner+Junctions.swift.
//
// Where a drawing depends on what lies below it (blend modes, backdrops), no weight would do for every mode. There all the
// pixels of a seam are drawn in each order that occurs, onto copies of what lies below, and the pictures are mixed by area
// (FramePlanner+Junctions.swift): exact. A backdrop that is blurred sees more than its pixel. It takes weights, as if it
// were opaque: its front part is mixed in by area, over what is right beside it.
//
// The masks are made when the last part of a space is emitted, since the weights are about all layers of it.

import LayerModel
import Paths

/// A layer that crosses others, while its space is being drawn.
struct CrossingPlane {
    /// Number of the plane in its space.
    var plane: Int32
    var layer: LayerID
    var scissor: PixelRect
    /// What the layer is made of, in paint order.
    var content: [Quad]
    /// What of it is drawn for each part: the content, or the surface that it was put into.
    var drawn: [Quad]
    /// What it shows depends on what lies below.
    var readsBelow: Bool
    var parts: [Part] = []

    struct Part {
        /// In the tree's list: also the order of drawing.
        var number: Int
        /// Where its drawings are in the planner's list.
        var quads: Range<Int>
    }
}

extension FramePlanner {
    /// Emits a part of a layer that crosses others.
    mutating func emitPart(
        _ number: Int, of index: Int, clippedTo scissor: PixelRect, fadedBy inherited: Float, _ walk: Walk
    ) {
        let part = tree.parts[number]
        let first = quads.count
        if part.isFirstOfPlane {
            emitWhole(index, clippedTo: scissor, fadedBy: inherited, walk)
            let record = walk.records.baseAddress! + Int(tree.layers[index].record)
            addPlane(part, record.pointee.id, within: scissor, from: first, walk)
        }
        if let position = crossings[part.space]?.firstIndex(where: { $0.plane == part.plane }) {
            if !part.isFirstOfPlane { repeatDrawings(of: crossings[part.space]![position]) }
            crossings[part.space]![position].parts.append(
                CrossingPlane.Part(number: number, quads: first..<quads.count))
        }
        if part.isLastOfSpace, let planes = crossings.removeValue(forKey: part.space) {
            resolve(planes, walk)
        }
    }

    /// What a layer is drawn of once more, for another of its parts. A surface that begins as a copy of what lies below is
    /// drawn for each part, and one in another for each part of that: where there are too many, they are left out.
    private mutating func repeatDrawings(of plane: CrossingPlane) {
        let more = overs(in: plane.drawn)
        guard more > 0, more > oversLeft else {
            oversLeft -= more
            quads.append(contentsOf: plane.drawn)
            return
        }
        notes.append(PlanNote(layer: plane.layer, kind: .uncutCrossing))
        for quad in plane.drawn {
            if case .over = quad.paint { continue }
            quads.append(quad)
        }
    }

    /// Notes what a layer drew from `first` on, and puts it into a surface where that takes one.
    private mutating func addPlane(
        _ part: CutPart, _ layer: LayerID, within scissor: PixelRect, from first: Int, _ walk: Walk
    ) {
        var plane = CrossingPlane(
            plane: part.plane, layer: layer, scissor: scissor, content: Array(quads[first...]), drawn: [],
            readsBelow: readsBackdrop(from: first))
        if plane.readsBelow {
            // Its drawings count as one, where they can't be drawn in every order.
            if quads.count > first + 1, !quads[first...].allSatisfy(seesPixelBelow) {
                _ = makeOver(from: first, layer, within: scissor)
            }
        } else {
            let masks = tree.partsOfSpaces[Int(part.space)].filter { tree.parts[$0].plane == part.plane }.compactMap {
                walk.coverage.mask(of: tree.parts[$0].polygon, clip: plane.bounds)
            }
            let rim = (first..<quads.count).filter { index in
                !masks.contains { use in
                    walk.coverage.withMask(use.entry) { mask, _ in covers(mask, use, all: quads[index].bounds) }
                }
            }
            if rim.isEmpty
                || switches.contains(.fastClips) && rim.allSatisfy({ quads[$0].knownAlpha != nil })
                    && (rim.count == 1 || !overlap(rim))
            {
                notes.append(PlanNote(layer: layer, kind: .fastCrossing(quads: rim.count)))
            } else if quads.count > first + 1 || !quads[first].isWholeSurface {
                _ = makeSurface(from: first, reason: .crossing, layer, within: scissor)
            }
        }
        plane.drawn = Array(quads[first...])
        crossings[part.space, default: []].append(plane)
    }

    /// Gives the drawings of all parts of a space their masks. They are the last ones in the list, others in between.
    private mutating func resolve(_ planes: [CrossingPlane], _ walk: Walk) {
        guard let first = planes.flatMap(\.parts).map(\.quads.lowerBound).min() else { return }
        let old = Array(quads[first...])
        quads.removeLast(quads.count - first)
        var seams = Seams(planes, tree.parts, walk.coverage)
        let readers = old.filter(\.readsBackdrop)
        let canOrder = readers.allSatisfy(seesPixelBelow)
        seams.weigh(
            walk.coverage, orderLimit: canOrder ? Self.orderLimit : 0, readers: canOrder ? readers.map(\.bounds) : [])
        var junctions: [Quad] = []
        if !seams.junctions.isEmpty {
            if let drawn = drawJunctions(
                seams, of: old, from: first, planes[0], onCopies: !readers.isEmpty, walk)
            {
                junctions = drawn
            } else {
                seams = Seams(planes, tree.parts, walk.coverage)
                seams.weigh(walk.coverage, orderLimit: 0, readers: [])
            }
        }
        var next = first
        for cut in seams.cuts {
            quads.append(contentsOf: old[(next - first)..<(cut.quads.lowerBound - first)])
            for quad in old[(cut.quads.lowerBound - first)..<(cut.quads.upperBound - first)] {
                if let part = self.part(of: quad, cut, walk) { quads.append(part) }
                appendSeam(of: quad, cut, walk)
            }
            next = cut.quads.upperBound
        }
        quads.append(contentsOf: old[(next - first)...])
        if !junctions.isEmpty {
            leaveOut(seams.junctions, from: first, walk)
            quads.append(contentsOf: junctions)
        }
    }

    /// What of a drawing belongs to a part; nil for nothing.
    private func part(of quad: Quad, _ cut: Seams.Cut, _ walk: Walk) -> Quad? {
        guard let area = cut.area else { return nil }
        var quad = quad
        let isInside = walk.coverage.withMask(area.entry) { mask, _ in covers(mask, area, all: quad.bounds) }
        if isInside { return quad }
        quad.cover(walk.coverage.seamed(area, cut.values, isWhole: true, times: quad.mask), walk.coverage)
        return quad.bounds.isEmpty ? nil : quad
    }

    /// What a drawing looks at below itself is the pixel that it draws.
    private func seesPixelBelow(_ quad: Quad) -> Bool {
        switch quad.paint {
        case .backdrop(let number): backdrops[Int(number)].seesPixel
        case .over(let surface): surfaces[Int(surface)].quads.allSatisfy(seesPixelBelow)
        case .solid, .image, .surface, .surfaceAlpha, .sprite, .particles: true
        }
    }

    /// Adds the pixels of a part that take the program `seamImage`.
    private mutating func appendSeam(of quad: Quad, _ cut: Seams.Cut, _ walk: Walk) {
        guard let area = cut.area, !cut.shares.isEmpty || !cut.singles.isEmpty else { return }
        var all = quad
        all.isAtSeam = true
        all.cover(walk.coverage.seamed(area, cut.shares, isWhole: false, times: quad.mask), walk.coverage)
        if !all.bounds.isEmpty { quads.append(all) }
        for single in cut.singles {
            var pixel = quad
            pixel.take(single.weight, x: single.x, y: single.y)
            if !pixel.bounds.isEmpty { quads.append(pixel) }
        }
    }
}

extension CrossingPlane {
    /// What it draws on, device pixels.
    var bounds: PixelRect {
        content.reduce(PixelRect.empty) { $0.union($1.bounds) }.intersection(scissor)
    }

    /// It was put into a surface, all of it.
    var isSurface: Bool {
        drawn.count == 1 && drawn[0].isWholeSurface
    }

    /// Its alpha is known everywhere.
    var isCertain: Bool { content.allSatisfy { $0.knownAlpha != nil } }

    /// How much alpha the layer has at a pixel, and whether that is certain. Images count as opaque, and so does what looks
    /// below itself.
    func alpha(x: Int, y: Int, _ coverage: CoverageCache) -> (value: Double, isCertain: Bool) {
        let pixel = PixelRect(x: x, y: y, width: 1, height: 1)
        var light = 1.0
        var isCertain = true
        for quad in content where quad.bounds.contains(pixel) {
            let covered = quad.mask.map { coverage.value(of: $0, x: x, y: y) } ?? 1
            if covered == 0 { continue }
            if readsBelow { return (1, true) }
            if let alpha = quad.knownAlpha {
                light *= 1 - Double(alpha) * covered
            } else {
                light *= 1 - Double(quad.color.alpha) * covered
                isCertain = false
            }
        }
        // Nothing is seen through something opaque, whatever lies above it.
        if !isCertain, hasOpaqueDrawing(pixel, coverage) { return (1, true) }
        return (1 - light, isCertain)
    }

    private func hasOpaqueDrawing(_ pixel: PixelRect, _ coverage: CoverageCache) -> Bool {
        content.contains { quad in
            quad.bounds.contains(pixel) && quad.knownAlpha == 1
                && (quad.mask.map { coverage.value(of: $0, x: pixel.minX, y: pixel.minY) } ?? 1) == 1
        }
    }
}

extension Quad {
    /// A surface as it is.
    fileprivate var isWholeSurface: Bool {
        guard case .surface = paint else { return false }
        return mask == nil && maskSurface < 0 && mode == .normal && color == .white
    }

    /// Sets the mask, and cuts the bounds to it; to nothing with nil.
    mutating func cover(_ new: MaskUse?, _ coverage: CoverageCache) {
        mask = new
        let covered = new.map { coverage.extent(of: $0.entry).bounds.offsetBy(x: Int($0.x), y: Int($0.y)) }
        bounds = bounds.intersection(covered ?? .empty)
    }

    /// Draws one pixel alone, of a surface, with a weight that its alpha decides.
    mutating func take(_ weight: SeamWeights.Weight, x: Int, y: Int) {
        isAtSeam = true
        bounds = bounds.intersection(PixelRect(x: x, y: y, width: 1, height: 1))
        // As the program reads them: alpha is what the later parts leave, the colors what of it is taken.
        let (share, rest) = (Float(weight.share), Float(1 - weight.inFront))
        color = PremultipliedColor(red: share, green: share, blue: share, alpha: rest)
    }

    /// The alpha of what fills it, the same everywhere; nil where that is not known.
    fileprivate var knownAlpha: Float? {
        guard maskSurface < 0, mode == .normal else { return nil }
        switch paint {
        case .solid: return color.alpha
        case .image: return isOpaquePaint ? color.alpha : nil
        case .surface, .surfaceAlpha, .sprite, .backdrop, .over, .particles: return nil
        }
    }
}
