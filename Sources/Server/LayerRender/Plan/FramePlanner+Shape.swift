// What a shape layer draws: a path, filled, then a line along it, over the contents and below the sublayers. Both are one
// color times a mask, as everything else with an edge; masks are kept by path, line and plane, so a ring that grows makes
// one new mask a frame and nothing around it any. Source: semantic reference, §1.6 and §6.1. See docs/shapes.md.

import LayerModel
import Paths

extension FramePlanner {
    mutating func emitShape(
        _ presented: PresentedLayer, _ record: UnsafePointer<LayerRecord>, _ clip: PixelRect, _ walk: Walk
    ) {
        let shape = record.pointee.properties.shape
        for (drawing, color) in shape.drawings {
            append(
                .solid, color.premultiplied,
                cover(shape, drawing, on: presented.toDevice, clip: clip, walk), record.pointee.id)
        }
    }

    /// The coverage of a shape's inside or of the line along it.
    private func cover(
        _ shape: ShapeProperties, _ drawing: PathDrawing, on plane: Homography, clip: PixelRect, _ walk: Walk
    ) -> Coverage {
        guard !clip.isEmpty, let path = shape.path,
            let use = walk.coverage.mask(of: path, drawing, on: plane, clip: clip)
        else { return .nothing }
        let (bounds, isOpaque) = walk.coverage.extent(of: use.entry)
        let shown = bounds.offsetBy(x: Int(use.x), y: Int(use.y)).intersection(clip)
        if shown.isEmpty { return .nothing }
        return isOpaque ? .whole(shown) : .mask(use, shown)
    }

    /// The mask that casts the shadow of a layer which is one path in one color and nothing else, where the shadow falls, and
    /// that color's alpha; nil for any other layer.
    func shapeSilhouette(
        _ shadow: ShadowGeometry, _ record: UnsafePointer<LayerRecord>, clippedTo clip: PixelRect, from first: Int,
        _ walk: Walk
    ) -> (coverage: Coverage, alpha: Float)? {
        guard quads.count == first + 1, record.pointee.properties.drawsShape, !record.pointee.properties.masksToBounds
        else { return nil }
        let shape = record.pointee.properties.shape
        let drawings = shape.drawings
        let only = quads[first]
        guard drawings.count == 1, only.layer == record.pointee.id, case .solid = only.paint, only.mode == .normal,
            only.maskSurface < 0, (record.pointee.properties.backgroundColor?.alpha ?? 0) <= 0,
            record.pointee.properties.borderWidth <= 0
        else { return nil }
        return (
            cover(shape, drawings[0].0, on: shadow.plane, clip: shadow.seen(from: clip), walk), only.color.alpha
        )
    }
}

extension ShapeProperties {
    /// What is drawn, in order.
    fileprivate var drawings: [(PathDrawing, Color)] {
        guard path != nil else { return [] }
        var drawings: [(PathDrawing, Color)] = []
        if fills, let fillColor { drawings.append((.inside(fillRule), fillColor)) }
        if strokes, let strokeColor { drawings.append((.line(stroke), strokeColor)) }
        return drawings
    }
}
