// The 3D space that the sublayers of one layer share, and who is in front there.
//
// Each plain sublayer is a plane, its own subtree flattened into it. A transform layer hands its sublayers into the
// same space. Which plane is in front is asked at each pixel: the one with the larger depth after projection. That
// sorts, and it cuts planes where they cross, with nothing to split. Planes at the same depth keep their order: by
// zPosition, then as listed; the members of a transform layer stand together at its place. A pixel that a line of
// intersection runs through is cut along it.
// Source: semantic reference, §1.2, and the rule that the direct sublayers of any layer share its space.

import LayerModel

/// Where sublayers are placed.
struct SublayerSpace {
    /// The plane that everything in the space is flattened into.
    var plane: Plane
    /// From the space that the sublayers' positions are given in to the plane, in 3D.
    var matrix: Transform
    /// Multiplies into each sublayer's.
    var opacity: Double
    var contentsAreFlipped: Bool
    /// An odd number of flipped transform layers lies between: the area's sign does not say which side is seen.
    var isMirrored: Bool
    /// The one layer in it is a mask, or a transform layer that is one.
    var isOfMask = false
    /// The one layer in it is the root.
    var isAroundRoot = false
}

extension LayerPainter {
    func paintSiblings(_ layers: [ReferenceLayer], in space: SublayerSpace, _ canvas: Canvas) {
        let members = placedLayers(layers, in: space)
        let order = DepthOrder(members, space.plane)
        // Members are planes: one order at the four corners of the target is the order everywhere.
        if let everywhere = order.commonOrder(over: canvas.bounds) {
            for member in everywhere { paint(members[member], into: canvas) }
        } else if members.contains(where: { $0.layer.mixes || (!$0.isGroup && $0.layer.mayMix) }) {
            paintByOrder(members, order, into: canvas)
        } else {
            paintByPixel(members, order, into: canvas)
        }
    }

    /// The members of the space in paint order as long as their depths are equal.
    private func placedLayers(_ layers: [ReferenceLayer], in space: SublayerSpace) -> [PlacedLayer] {
        let sorted = layers.enumerated().sorted { a, b in
            let first = a.element.properties.zPosition
            let second = b.element.properties.zPosition
            return first != second ? first < second : a.offset < b.offset
        }
        return sorted.flatMap { placed($0.element, in: space) }
    }

    /// The layer, or the sublayers of a transform layer, or nothing when it can't be seen.
    private func placed(_ layer: ReferenceLayer, in space: SublayerSpace) -> [PlacedLayer] {
        let layer = layer.shown
        let properties = layer.properties
        guard !properties.isHidden else { return [] }
        let matrix = properties.toSuperlayer.concatenating(space.matrix)
        let opacity = min(max(properties.opacity, 0), 1) * space.opacity
        let contentsAreFlipped = space.contentsAreFlipped != properties.isGeometryFlipped
        let isMirrored = space.isMirrored != properties.isGeometryFlipped
        if layer.passesThrough {
            return layer.placedSublayers.flatMap { sublayers, around in
                var inner = SublayerSpace(
                    plane: space.plane, matrix: around.concatenating(matrix), opacity: opacity,
                    contentsAreFlipped: contentsAreFlipped, isMirrored: isMirrored)
                inner.isOfMask = space.isOfMask
                return placedLayers(sublayers, in: inner)
            }
        }
        let homography = matrix.planar
        guard let plane = Plane(homography, in: space.plane), let inverse = homography.inverse else { return [] }
        let showsBack = (homography.determinant < 0) != isMirrored
        guard properties.isDoubleSided || !showsBack else { return [] }
        // [x y 1]·inverse is the layer's point times 1/w, so this is z/w.
        let depth = (
            a: inverse.a11 * matrix.m13 + inverse.a12 * matrix.m23 + inverse.a13 * matrix.m43,
            b: inverse.a21 * matrix.m13 + inverse.a22 * matrix.m23 + inverse.a23 * matrix.m43,
            c: inverse.a31 * matrix.m13 + inverse.a32 * matrix.m23 + inverse.a33 * matrix.m43
        )
        return [
            PlacedLayer(
                layer: layer, plane: plane, depth: depth, opacity: opacity, contentsAreFlipped: contentsAreFlipped,
                isMask: space.isOfMask, isRoot: space.isAroundRoot)
        ]
    }

    /// Each member by itself, then pixel by pixel in the order there. To be quick, blocks in which the order does not
    /// change are found first.
    private func paintByPixel(_ members: [PlacedLayer], _ order: DepthOrder, into canvas: Canvas) {
        let pictures = members.map { member in
            let picture = Canvas(bounds: canvas.bounds)
            paint(member, into: picture)
            return picture
        }
        let area = pictures.reduce(PixelRect.empty) { $0.union($1.touched) }
        for top in stride(from: area.minY, to: area.maxY, by: 8) {
            for left in stride(from: area.minX, to: area.maxX, by: 8) {
                let block = PixelRect(x: left, y: top, width: 8, height: 8).intersection(area)
                let present = pictures.indices.filter { pictures[$0].touched.intersects(block) }
                let common = order.commonOrder(of: present, over: block)
                for y in block.minY..<block.maxY {
                    for x in block.minX..<block.maxX {
                        paintPixel(x, y, of: pictures, present, common, order, into: canvas)
                    }
                }
            }
        }
        canvas.touch(area)
    }

    /// As above where members look at what is behind them: the whole space drawn once in every order that there is
    /// somewhere, each pixel from the picture of its order.
    private func paintByOrder(_ members: [PlacedLayer], _ order: DepthOrder, into canvas: Canvas) {
        let below = canvas.copy()
        let drawn = members.map { repeatable($0, in: canvas.bounds) }
        var pictures: [(order: [Int], canvas: Canvas)] = []
        /// A picture in which the members that are present have this order.
        func picture(_ order: [Int], _ full: () -> [Int]) -> Canvas {
            for known in pictures where known.order.filter(order.contains) == order { return known.canvas }
            let result = below.copy()
            result.base = canvas.base
            let all = full()
            for member in all { drawn[member].draw(result) }
            pictures.append((all, result))
            return result
        }
        let all = Array(members.indices)
        let area = canvas.bounds
        for top in stride(from: area.minY, to: area.maxY, by: 8) {
            for left in stride(from: area.minX, to: area.maxX, by: 8) {
                let block = PixelRect(x: left, y: top, width: 8, height: 8).intersection(area)
                let present = all.filter { drawn[$0].extent.intersects(block) }
                if present.isEmpty { continue }
                let common = order.commonOrder(of: present, over: block)
                for y in block.minY..<block.maxY {
                    for x in block.minX..<block.maxX {
                        let pixel = PixelRect(x: x, y: y, width: 1, height: 1)
                        let middle = Point(Double(x) + 0.5, Double(y) + 0.5)
                        if let single = common ?? order.commonOrder(of: present, over: pixel) {
                            let from = picture(single) { order.order(of: all, at: middle) }
                            canvas.replace(
                                x: x, y: y, with: from.ink(x: x, y: y), flags: from.flags(x: x, y: y),
                                slack: from.slack(x: x, y: y))
                            continue
                        }
                        var sum = Ink.clear
                        var share = 0.0
                        var flags = PixelFlags.edge
                        var slack = 0.0
                        for piece in pieces(of: pixel, cutBy: present, order) {
                            let from = picture(order.order(of: present, at: piece.middle)) {
                                order.order(of: all, at: piece.middle)
                            }
                            sum = sum + from.ink(x: x, y: y) * piece.signedDoubleArea
                            share += piece.signedDoubleArea
                            flags = flags | from.flags(x: x, y: y)
                            slack = max(slack, from.slack(x: x, y: y))
                        }
                        if share > 0 {
                            canvas.replace(x: x, y: y, with: sum * (1 / share), flags: flags, slack: slack)
                        }
                    }
                }
            }
        }
        for picture in pictures { canvas.touch(picture.canvas.touched) }
    }

    /// A pixel cut along every line at which two of the members are equally deep.
    private func pieces(of pixel: PixelRect, cutBy members: [Int], _ order: DepthOrder) -> [ConvexPolygon] {
        var pieces = [ConvexPolygon(pixel)]
        for (at, i) in members.enumerated() {
            for j in members.dropFirst(at + 1) {
                let line = order.line(between: i, j)
                pieces = pieces.flatMap {
                    [$0.clipped(line.a, line.b, line.c), $0.clipped(-line.a, -line.b, -line.c)]
                }
                pieces.removeAll { $0.signedDoubleArea < 1e-9 }
            }
        }
        return pieces
    }

    /// One pixel, in the order of its block if there is one.
    private func paintPixel(
        _ x: Int, _ y: Int, of pictures: [Canvas], _ members: [Int], _ common: [Int]?, _ order: DepthOrder,
        into canvas: Canvas
    ) {
        var ordered = common
        if ordered == nil {
            let present = members.filter { pictures[$0].isTouched(x: x, y: y) }
            ordered = order.commonOrder(of: present, over: PixelRect(x: x, y: y, width: 1, height: 1))
            if ordered == nil { paintCrossing(present, pictures, order, x, y, into: canvas) }
        }
        for i in ordered ?? [] where pictures[i].isTouched(x: x, y: y) {
            canvas.blend(
                x: x, y: y, pictures[i].ink(x: x, y: y), weight: 1, flags: pictures[i].flags(x: x, y: y),
                slack: pictures[i].slack(x: x, y: y))
        }
    }

    /// A pixel in which the order changes: cut along every line at which two members are equally deep; each piece has
    /// an order of its own, and counts by its area.
    private func paintCrossing(
        _ present: [Int], _ pictures: [Canvas], _ order: DepthOrder, _ x: Int, _ y: Int, into canvas: Canvas
    ) {
        let pieces = pieces(of: PixelRect(x: x, y: y, width: 1, height: 1), cutBy: present, order)
        let below = canvas.ink(x: x, y: y)
        var sum = Ink.clear
        var area = 0.0
        for piece in pieces {
            var result = below
            for i in order.order(of: present, at: piece.middle) { result = pictures[i].ink(x: x, y: y).over(result) }
            sum = sum + result * piece.signedDoubleArea
            area += piece.signedDoubleArea
        }
        var flags = canvas.flags(x: x, y: y) | .edge
        for i in present { flags = flags | pictures[i].flags(x: x, y: y) }
        canvas.replace(x: x, y: y, with: area > 0 ? sum * (1 / area) : below, flags: flags)
    }
}

/// Who is in front of whom, among the members of one space.
struct DepthOrder {
    private let depths: [(a: Double, b: Double, c: Double)]
    private let plane: Plane

    /// Depths nearer to each other than this, in relation to their size, are equal.
    private static let tie = 1e-6

    init(_ members: [PlacedLayer], _ plane: Plane) {
        depths = members.map(\.depth)
        self.plane = plane
    }

    /// Back to front at a point of the picture.
    func order(of members: [Int], at pixel: Point) -> [Int] {
        let place = plane.point(at: pixel)
        var sorted: [Int] = []
        for member in members {
            // Insertion: a later member goes below those that are surely in front of it.
            var at = sorted.count
            while at > 0, isBehind(member, sorted[at - 1], place) { at -= 1 }
            sorted.insert(member, at: at)
        }
        return sorted
    }

    /// The order, if it is the same at the four corners of a rectangle of pixels.
    func commonOrder(of members: [Int], over rect: PixelRect) -> [Int]? {
        if members.count < 2 { return members }
        let corners = [
            Point(Double(rect.minX), Double(rect.minY)), Point(Double(rect.maxX), Double(rect.minY)),
            Point(Double(rect.minX), Double(rect.maxY)), Point(Double(rect.maxX), Double(rect.maxY)),
        ]
        let first = order(of: members, at: corners[0])
        // Between a corner in front of the viewer and one behind, the order may change twice.
        for corner in corners {
            guard plane.isInFront(at: corner), order(of: members, at: corner) == first else { return nil }
        }
        return first
    }

    /// The order of all members, if it is the same everywhere in a rectangle of pixels.
    func commonOrder(over rect: PixelRect) -> [Int]? {
        let all = Array(depths.indices)
        if depths.allSatisfy({ $0.a == 0 && $0.b == 0 }) { return order(of: all, at: .zero) }
        return commonOrder(of: all, over: rect)
    }

    /// The line of the picture at which two members are equally deep: a·x + b·y + c = 0.
    func line(between i: Int, _ j: Int) -> (a: Double, b: Double, c: Double) {
        plane.line(depths[i].a - depths[j].a, depths[i].b - depths[j].b, depths[i].c - depths[j].c)
    }

    private func isBehind(_ i: Int, _ j: Int, _ place: Point) -> Bool {
        let first = place.x * depths[i].a + place.y * depths[i].b + depths[i].c
        let second = place.x * depths[j].a + place.y * depths[j].b + depths[j].c
        let size = first < 0 ? -first : first
        return first < second - Self.tie * (size > 1 ? size : 1)
    }
}
