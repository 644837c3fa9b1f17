// Pixels in which several planes are cut, with a layer among them whose alpha only the driver knows.
//
// There the weight of each part hangs on the alphas of all, which no mask and no program has. But in each piece of the
// pixel the layers simply lie over one another, and the alpha of all of them together is the same whatever their order. So
// for each order that occurs everything in the space is drawn into a surface, over these few pixels, and the surfaces are
// drawn like parts of one plane: the last one with its area, those before it by the program that looks at their alpha
// (`seamImage`). Everything else in the space leaves these pixels out.
//
// Two layers that cross have no such pixels, and layers of known alphas need none of this: it takes three, as where
// transparent pictures are crossed in a fan.
//
// Where something in the space looks at what lies below, every pixel of a seam below it is drawn so, by two layers too. Each
// surface begins as a copy of what was there before the space was drawn, and they take its place one after the other: the
// k-th with its area divided by that of the first k.

import LayerModel

extension FramePlanner {
    /// So many orders of a space are drawn; at the junctions of others, layers count as if images were opaque. Five planes
    /// that all cross each other have 60.
    static let orderLimit = 64

    /// Draws the pixels at which several planes are cut. Nil where a limit of the frame is reached.
    /// - Parameters:
    ///   - old: The drawings of the space, each part with all of its layer.
    ///   - first: What the first of them was in the planner's list.
    ///   - onCopies: Something among them looks at what lies below.
    mutating func drawJunctions(
        _ seams: Seams, of old: [Quad], from first: Int, _ plane: CrossingPlane, onCopies: Bool, _ walk: Walk
    ) -> [Quad]? {
        var orders: [[Int]] = []
        var places: [[Int]: Int] = [:]
        var boxes: [PixelRect] = []
        for junction in seams.junctions {
            let pixel = PixelRect(x: junction.x, y: junction.y, width: 1, height: 1)
            for piece in junction.pieces {
                if let place = places[piece.cuts] {
                    boxes[place] = boxes[place].union(pixel)
                } else {
                    places[piece.cuts] = orders.count
                    orders.append(piece.cuts)
                    boxes.append(pixel)
                }
            }
        }
        var pictures: [Quad] = []
        let all = boxes.reduce(PixelRect.empty) { $0.union($1) }
        var copy: PlannedSurface.SharedCopy?
        for (order, box) in zip(orders, boxes) {
            guard
                let picture = drawOrder(order, within: box, seams, of: old, from: first, plane, onCopy: onCopies)
            else { return nil }
            pictures.append(picture)
            guard onCopies, case .over(let surface) = picture.paint else { continue }
            copy = copy ?? PlannedSurface.SharedCopy(number: surface, region: all)
            surfaces[Int(surface)].sharedCopy = copy
        }
        return onCopies ? mix(pictures, places, seams, walk) : weigh(pictures, places, seams, walk)
    }

    /// A surface with the layers of a space in one order; a drawing of nothing where there is nothing.
    private mutating func drawOrder(
        _ order: [Int], within box: PixelRect, _ seams: Seams, of old: [Quad], from first: Int, _ plane: CrossingPlane,
        onCopy: Bool
    ) -> Quad? {
        let start = quads.count
        var next = first
        func add(_ quad: Quad) {
            var quad = quad
            quad.bounds = quad.bounds.intersection(box)
            if !quad.bounds.isEmpty { quads.append(quad) }
        }
        for (number, cut) in seams.cuts.enumerated() {
            for index in next..<cut.quads.lowerBound { add(old[index - first]) }
            if order.contains(number) { for index in cut.quads { add(old[index - first]) } }
            next = cut.quads.upperBound
        }
        for index in next..<(first + old.count) { add(old[index - first]) }
        if onCopy {
            if quads.count == start { append(.solid, .clear, box, nil, plane.layer, isOpaque: false) }
            let more = 1 + overs(in: quads[start...])
            guard more <= oversLeft, makeOver(from: start, plane.layer, within: box) else {
                quads.removeLast(quads.count - start)
                return nil
            }
            oversLeft -= more
            return quads.removeLast()
        }
        guard quads.count > start else {
            return Quad(bounds: .empty, paint: .solid, color: .clear, isOpaquePaint: false, layer: plane.layer)
        }
        guard makeSurface(from: start, reason: .crossing, plane.layer, within: box) else {
            quads.removeLast(quads.count - start)
            return nil
        }
        return quads.removeLast()
    }

    /// The surfaces one after the other, each with its weights.
    private func weigh(_ pictures: [Quad], _ places: [[Int]: Int], _ seams: Seams, _ walk: Walk) -> [Quad] {
        var values = [[SeamPixel]](repeating: [], count: pictures.count)
        var shares = values
        var singles: [(picture: Int, x: Int, y: Int, weight: SeamWeights.Weight)] = []
        for junction in seams.junctions {
            let pieces = junction.pieces.map { (place: places[$0.cuts] ?? 0, area: $0.area) }.sorted {
                $0.place < $1.place
            }
            var inFront = 0.0
            for (number, piece) in pieces.enumerated().reversed() {
                let share = number == 0 ? 1 - inFront : min(piece.area, 1 - inFront)
                let weight = SeamWeights.Weight(share: max(share, 0), inFront: inFront)
                let byte = UInt8(min(max(weight.share, 0), 1) * 255 + 0.5)
                let pixel = SeamPixel(x: junction.x, y: junction.y, value: byte)
                if inFront == 0 {
                    values[piece.place].append(pixel)
                } else if weight.takesRest {
                    shares[piece.place].append(pixel)
                } else {
                    singles.append((piece.place, junction.x, junction.y, weight))
                }
                inFront = min(inFront + piece.area, 1)
            }
        }
        var result: [Quad] = []
        for (place, picture) in pictures.enumerated() {
            for (list, isAtSeam) in [(shares[place], true), (values[place], false)] where !list.isEmpty {
                var quad = picture
                quad.isAtSeam = isAtSeam
                quad.cover(walk.coverage.mask(of: list), walk.coverage)
                if !quad.bounds.isEmpty { result.append(quad) }
            }
            for single in singles where single.picture == place {
                var quad = picture
                quad.take(single.weight, x: single.x, y: single.y)
                if !quad.bounds.isEmpty { result.append(quad) }
            }
        }
        return result
    }

    /// The surfaces one after the other, each in place of what the earlier ones left, by its share of them.
    private func mix(_ pictures: [Quad], _ places: [[Int]: Int], _ seams: Seams, _ walk: Walk) -> [Quad] {
        var values = [[SeamPixel]](repeating: [], count: pictures.count)
        for junction in seams.junctions {
            let pieces = junction.pieces.map { (place: places[$0.cuts] ?? 0, area: $0.area) }.sorted {
                $0.place < $1.place
            }
            var area = 0.0
            for piece in pieces {
                area += piece.area
                let share = area > 0 ? piece.area / area : 1
                values[piece.place].append(
                    SeamPixel(x: junction.x, y: junction.y, value: UInt8(min(share, 1) * 255 + 0.5)))
            }
        }
        var result: [Quad] = []
        for (var quad, list) in zip(pictures, values) where !list.isEmpty {
            quad.cover(walk.coverage.mask(of: list), walk.coverage)
            if !quad.bounds.isEmpty { result.append(quad) }
        }
        return result
    }

    /// Takes the pixels out of everything from `first` on.
    mutating func leaveOut(_ junctions: [Seams.Junction], from first: Int, _ walk: Walk) {
        let pixels = junctions.map { SeamPixel(x: $0.x, y: $0.y, value: 0) }
        for index in first..<quads.count {
            let bounds = quads[index].bounds
            guard junctions.contains(where: { bounds.contains(PixelRect(x: $0.x, y: $0.y, width: 1, height: 1)) })
            else {
                continue
            }
            let hole = walk.coverage.mask(without: pixels, in: bounds)
            let mask = quads[index].mask.flatMap { own in hole.flatMap { walk.coverage.product(own, $0) } }
            quads[index].cover(quads[index].mask == nil ? hole : mask, walk.coverage)
        }
        dropEmptyQuads(from: first)
    }
}
