// Contents: which part of the image lands where (Surface/ContentsPlacement.swift), cut in up to nine pieces, each with
// its mapping from device pixels to the image.

import LayerModel
import Paths

extension FramePlanner {
    mutating func emitContents(
        _ presented: PresentedLayer, _ record: UnsafePointer<LayerRecord>, _ clip: PixelRect, isClipped: Bool,
        _ walk: Walk
    ) {
        if record.pointee.properties.rare != nil, let fade = record.pointee.properties.contentsFade {
            emitFade(fade, presented, record, clip, isClipped: isClipped, walk)
        } else {
            emitImage(record.pointee.properties.contents, presented, record, clip, isClipped: isClipped, walk)
        }
    }

    /// An image where the layer's properties place it.
    mutating func emitImage(
        _ id: ImageID, _ presented: PresentedLayer, _ record: UnsafePointer<LayerRecord>, _ clip: PixelRect,
        isClipped: Bool, _ walk: Walk
    ) {
        guard id != .none, let image = walk.images[id] else { return }
        let plane = presented.toDevice
        let placement = ContentsPlacement(
            of: record, imageSize: image.size, isFlipped: presented.contentsAreFlipped)
        guard !placement.frame.isEmpty, let toLayer = plane.inverse else { return }
        let shape = isClipped ? openFrame(placement.frame, in: record.pointee.properties.bounds) : placement.frame
        let outer = cover(
            ShapeGeometry(rect: shape), on: plane, smooth: record.pointee.properties.smoothEdges, clip: clip, walk)
        if case .nothing = outer { return }
        let tiling = ImageTiling(image.size, limit: limits.textureSide)

        if let piece = placement.whole, tiling.isWhole {
            append(
                paint(
                    ImageKey(session: session, image: id), piece, toLayer, image.size, record, outer.bounds), outer,
                isOpaque: image.isOpaque, record.pointee.id)
            return
        }
        let isUpright = plane.isAffine && (plane.a12 == 0 && plane.a21 == 0 || plane.a11 == 0 && plane.a22 == 0)
        let cuts = PixelCuts(of: placement, on: plane)
        for (index, piece) in placement.pieces.enumerated() where !piece.destination.isEmpty {
            for (tile, destination) in tiling.tiles(of: piece) {
                var part = outer
                if isUpright {
                    if let cuts { part = part.cropped(to: cuts.pixels(of: index)) }
                    if !tiling.isWhole {
                        let inside = open(destination, in: piece.destination, of: placement.frame)
                        part = part.cropped(to: pixelsWithCenters(in: inside, on: plane))
                    }
                } else {
                    part = partition(
                        outer, open(destination, in: placement.frame, of: placement.frame), on: plane, clip, walk)
                }
                if case .nothing = part { continue }
                let texels = tiling.texels(of: tile)
                append(
                    paint(
                        ImageKey(session: session, image: id, tile: tile), piece.measured(in: texels, of: image.size),
                        toLayer, PixelSize(width: texels.width, height: texels.height), record, part.bounds), part,
                    isOpaque: image.isOpaque, record.pointee.id)
            }
        }
    }

    /// The frame without the sides that the layer's clip ends anyway: an edge counts once.
    private func openFrame(_ frame: Rect, in bounds: Rect) -> Rect {
        let nothing = 1e-9 * max(bounds.width, bounds.height)
        let far = bounds.width + bounds.height
        return Rect(
            minX: frame.minX <= bounds.minX + nothing ? bounds.minX - far : frame.minX,
            minY: frame.minY <= bounds.minY + nothing ? bounds.minY - far : frame.minY,
            maxX: frame.maxX >= bounds.maxX - nothing ? bounds.maxX + far : frame.maxX,
            maxY: frame.maxY >= bounds.maxY - nothing ? bounds.maxY + far : frame.maxY)
    }

    mutating func append(_ paint: Paint, _ coverage: Coverage, isOpaque: Bool, _ layer: LayerID) {
        switch coverage {
        case .nothing: break
        case .whole(let rect): append(paint, .white, rect, nil, layer, isOpaque: isOpaque)
        case .mask(let mask, let rect): append(paint, .white, rect, mask, layer, isOpaque: isOpaque)
        }
    }

    /// A part without the sides that it shares with what it is a part of: there that one's own edge decides.
    private func open(_ part: Rect, in whole: Rect, of frame: Rect) -> Rect {
        let far = 4 * (frame.width + frame.height)
        let nothing = 1e-9 * max(frame.width, frame.height)
        return Rect(
            minX: part.minX <= whole.minX + nothing ? part.minX - far : part.minX,
            minY: part.minY <= whole.minY + nothing ? part.minY - far : part.minY,
            maxX: part.maxX >= whole.maxX - nothing ? part.maxX + far : part.maxX,
            maxY: part.maxY >= whole.maxY - nothing ? part.maxY + far : part.maxY)
    }

    /// The pixels whose centers lie in a tile's part of a piece, on an upright plane.
    private func pixelsWithCenters(in part: Rect, on plane: Homography) -> PixelRect {
        let box = deviceBox(of: part, on: plane)
        /// Two tiles know their seam with a rounding error each; where it runs through a center, both must agree.
        func side(_ value: Double) -> Int { wholePixel((value * 4_096).rounded() / 4_096, true)! }
        return PixelRect(minX: side(box.minX), minY: side(box.minY), maxX: side(box.maxX), maxY: side(box.maxY))
    }

    /// The part of a coverage whose pixels have their centers in a piece of a turned plane.
    private func partition(
        _ outer: Coverage, _ piece: Rect, on plane: Homography, _ clip: PixelRect, _ walk: Walk
    ) -> Coverage {
        // Not by the shape: its mask lies at a phase that is rounded for each piece, and a center may fall in between.
        guard let hard = walk.coverage.mask(of: projectedPolygon(piece, plane), .centers, clip: clip) else {
            return .nothing
        }
        let bounds = outer.bounds
        var part: MaskUse? = hard
        if case .mask(let mask, _) = outer { part = walk.coverage.product(mask, hard) }
        guard let product = part else { return .nothing }
        let shown = walk.coverage.withMask(product.entry) { _, local in
            local.offsetBy(x: Int(product.x), y: Int(product.y)).intersection(bounds)
        }
        return shown.isEmpty ? .nothing : .mask(product, shown)
    }

    /// The paint of one piece.
    private mutating func paint(
        _ key: ImageKey, _ piece: ContentsPiece, _ toLayer: Homography, _ size: PixelSize,
        _ record: UnsafePointer<LayerRecord>, _ shown: PixelRect
    ) -> Paint {
        let (d, s) = (piece.destination, piece.source)
        let toSource = Homography(
            s.width / d.width, 0, 0, 0, s.height / d.height, 0,
            s.minX - d.minX * s.width / d.width, s.minY - d.minY * s.height / d.height, 1)
        var toImage = toLayer.concatenating(toSource)
        let isAffine = toImage.a13 == 0 && toImage.a23 == 0
        if isAffine, toImage.a33 != 1 {
            let w = 1 / toImage.a33
            toImage = Homography(
                toImage.a11 * w, toImage.a12 * w, 0, toImage.a21 * w, toImage.a22 * w, 0, toImage.a31 * w,
                toImage.a32 * w, 1)
        }
        var mapping = ImageMapping(toImage: toImage, isAffine: isAffine, copyOffset: nil)
        let sampling: TextureSampling
        if let offset = copyOffset(mapping, size) {
            mapping.copyOffset = offset
            mapping.toImage = Homography(
                1 / Double(size.width), 0, 0, 0, 1 / Double(size.height), 0,
                Double(offset.x) / Double(size.width), Double(offset.y) / Double(size.height), 1)
            sampling = .nearest
        } else {
            sampling = self.sampling(of: mapping, size, record, shown)
        }
        mappings.append(mapping)
        return .image(
            key, mapping: Int32(mappings.count - 1), sampling: sampling,
            levelBias: sampling == .trilinear ? Float(record.pointee.properties.minificationFilterBias) : 0)
    }

    /// The whole offset between pixels and texels where there is one texel a pixel; nil otherwise.
    private func copyOffset(_ mapping: ImageMapping, _ size: PixelSize) -> PixelPoint? {
        let m = mapping.toImage
        let (width, height) = (Double(size.width), Double(size.height))
        guard mapping.isAffine, abs(m.a11 * width - 1) < 1e-6, abs(m.a22 * height - 1) < 1e-6,
            abs(m.a12 * height) < 1e-6, abs(m.a21 * width) < 1e-6
        else { return nil }
        let (x, y) = (m.a31 * width, m.a32 * height)
        guard abs(x) < 1e6, abs(y) < 1e6, abs(x - x.rounded()) < 1.0 / 1_024, abs(y - y.rounded()) < 1.0 / 1_024
        else { return nil }
        return PixelPoint(x: Int(x.rounded()), y: Int(y.rounded()))
    }

    /// Texels a pixel decide between the two filters.
    func sampling(
        of mapping: ImageMapping, _ size: PixelSize, _ record: UnsafePointer<LayerRecord>, _ shown: PixelRect
    ) -> TextureSampling {
        let m = mapping.toImage
        let center = Point(Double(shown.minX + shown.maxX) / 2, Double(shown.minY + shown.maxY) / 2)
        let (u, v, q) = m.homogeneous(center)
        guard q != 0 else { return .nearest }
        // The derivative of (u/q, v/q) by x and by y.
        let (width, height) = (Double(size.width) / q, Double(size.height) / q)
        let ux = (m.a11 - u / q * m.a13) * width
        let vx = (m.a12 - v / q * m.a13) * height
        let uy = (m.a21 - u / q * m.a23) * width
        let vy = (m.a22 - v / q * m.a23) * height
        let texels = max((ux * ux + vx * vx).squareRoot(), (uy * uy + vy * vy).squareRoot())
        if texels > 1 + 1e-6 {
            switch record.pointee.properties.minificationFilter {
            case .nearest: return .nearest
            case .linear: return .linear
            case .trilinear: return .trilinear
            }
        }
        return record.pointee.properties.magnificationFilter == .nearest ? .nearest : .linear
    }
}

/// The pixel edges where nine pieces are cut on a plane that is upright or turned by quarters: each piece gets the pixels
/// with their centers in it, the outer ones everything beyond.
///
/// A line between two pieces is one edge, worked out once: no row of pixels is drawn twice or left out where the line runs
/// through their centers.
private struct PixelCuts {
    private let columns: [Int]
    private let rows: [Int]
    /// The columns of the pieces are rows of pixels.
    private let isTurned: Bool

    /// Nil on any other plane.
    init?(of placement: ContentsPlacement, on plane: Homography) {
        guard plane.isAffine, placement.pieces.count == 9 else { return nil }
        isTurned = plane.a11 == 0 && plane.a22 == 0
        guard isTurned || plane.a12 == 0 && plane.a21 == 0 else { return nil }
        func edges(_ first: Double, _ second: Double, _ scale: Double, _ offset: Double) -> [Int] {
            [-Double.infinity, first, second, .infinity].map { wholePixel(($0 * scale + offset) / plane.a33, true)! }
        }
        let (second, third) = (placement.pieces[4].destination, placement.pieces[8].destination)
        columns = edges(
            second.minX, third.minX, isTurned ? plane.a12 : plane.a11, isTurned ? plane.a32 : plane.a31)
        rows = edges(second.minY, third.minY, isTurned ? plane.a21 : plane.a22, isTurned ? plane.a31 : plane.a32)
    }

    /// The pixels of a piece, by its place among the nine.
    func pixels(of index: Int) -> PixelRect {
        func span(_ edges: [Int], _ cell: Int) -> (from: Int, to: Int) {
            (min(edges[cell], edges[cell + 1]), max(edges[cell], edges[cell + 1]))
        }
        let (across, down) = (span(columns, index % 3), span(rows, index / 3))
        let (x, y) = isTurned ? (down, across) : (across, down)
        return PixelRect(minX: x.from, minY: y.from, maxX: x.to, maxY: y.to)
    }
}

extension Coverage {
    /// The pixels it may touch.
    var bounds: PixelRect {
        switch self {
        case .nothing: .empty
        case .whole(let rect), .mask(_, let rect): rect
        }
    }

    func cropped(to rect: PixelRect) -> Coverage {
        let shown = bounds.intersection(rect)
        guard !shown.isEmpty else { return .nothing }
        switch self {
        case .nothing: return .nothing
        case .whole: return .whole(shown)
        case .mask(let mask, _): return .mask(mask, shown)
        }
    }
}
