// What a shape layer draws, over its contents and below its sublayers: the path's inside, then the line along it. Source:
// semantic reference, §1.6 and §6.1. Edges are always smooth. What is open in the reference is settled in LinePieces.swift.

import LayerModel

extension LayerPainter {
    func paintShape(of placed: PlacedLayer, opacity: Double, into canvas: Canvas) {
        let shape = placed.properties.shape
        guard let path = shape.path else { return }
        if let color = shape.fillColor, color.alpha > 0 {
            let contours = PathCoverage.contours(path).filter { $0.count > 2 }
            draw(
                .shape, of: placed, Ink(color),
                PathCoverage.of(contours, placed.plane, shape.fillRule, in: canvas.bounds), opacity, into: canvas)
        }
        if let color = shape.strokeColor, color.alpha > 0, shape.stroke.width > 0 {
            draw(
                .shape, of: placed, Ink(color),
                PathCoverage.of(LinePieces(path, shape.stroke).pieces, placed.plane, .nonZero, in: canvas.bounds),
                opacity, into: canvas)
        }
    }
}
