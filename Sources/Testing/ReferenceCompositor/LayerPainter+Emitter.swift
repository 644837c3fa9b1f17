// The particles of an emitter, over all else the layer draws: each its picture at its place, pixel by pixel. Source: semantic
// reference, §6.8, and docs/emitters.md. Edges are not smoothed. An opacity that makes no group counts for each by itself.

import Glibc
import LayerModel

extension LayerPainter {
    func paintParticles(of placed: PlacedLayer, opacity: Double, into canvas: Canvas) {
        guard placed.layer.layerClass == .emitterLayer else { return }
        let emitter = placed.properties.emitter
        let particles = ReferenceParticles.alive(emitter, at: placed.layer.emitterTime)
        guard !particles.isEmpty else { return }
        let isAdditive = emitter.renderMode == .additive
        for particle in particles { paint(particle, of: placed, opacity, isAdditive, into: canvas) }
    }

    private func add(_ ink: Ink, _ flags: PixelFlags, _ x: Int, _ y: Int, to canvas: Canvas) {
        canvas.replace(
            x: x, y: y, with: CompositingMode.plusLighter.result(ink, canvas.ink(x: x, y: y)),
            flags: flags | canvas.flags(x: x, y: y), slack: canvas.slack(x: x, y: y))
    }

    private func paint(
        _ particle: ReferenceParticle, of placed: PlacedLayer, _ opacity: Double, _ isAdditive: Bool,
        into canvas: Canvas
    ) {
        let cell = particle.cell
        guard let picture = placed.layer.cellPictures[cell.contents], particle.scale > 0, cell.contentsScale > 0 else {
            return
        }
        let part = cell.contentsRect
        // Half of what is shown, points of the layer.
        let perPoint = cell.contentsScale / particle.scale
        let halfWidth = part.width * Double(picture.width) / perPoint / 2
        let halfHeight = part.height * Double(picture.height) / perPoint / 2
        guard halfWidth > 0, halfHeight > 0 else { return }
        let right = Point(cos(particle.rotation), sin(particle.rotation))
        // Towards the first row, which lies at the top of the picture.
        let up = placed.contentsAreFlipped ? Point(right.y, -right.x) : Point(-right.y, right.x)
        func corner(_ a: Double, _ b: Double) -> Point {
            Point(
                particle.x + right.x * halfWidth * a + up.x * halfHeight * b,
                particle.y + right.y * halfWidth * a + up.y * halfHeight * b)
        }
        let shape = ConvexPolygon([corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)], edges: .hard)
        let coverage = Coverage(of: placed.plane.project(shape), in: canvas.bounds)
        guard note(.particle, of: placed, coverage, opacity) else { return }
        // Rows are counted from the layer's bottom where y runs up.
        let firstRow = (placed.contentsAreFlipped ? part.minY : 1 - part.maxY) * Double(picture.height)
        let firstColumn = part.minX * Double(picture.width)
        let color = Ink(particle.color)
        coverage.forEachPixel(in: canvas.bounds) { x, y, share, flags in
            guard share > 0 else {
                // It may be covered, by rounding.
                canvas.blend(x: x, y: y, .clear, weight: 0, flags: flags)
                return
            }
            let center = Point(Double(x) + 0.5, Double(y) + 0.5)
            let place = placed.plane.point(at: center)
            let (dx, dy) = (place.x - particle.x, place.y - particle.y)
            let texel = Point(
                firstColumn + (dx * right.x + dy * right.y + halfWidth) * perPoint,
                firstRow + (halfHeight - dx * up.x - dy * up.y) * perPoint)
            let steps = placed.plane.steps(at: center)
            let texels = max(hypot(steps.right.x, steps.right.y), hypot(steps.down.x, steps.down.y)) * perPoint
            var (ink, flags) = (Ink.clear, flags)
            switch (cell.minificationFilter, cell.magnificationFilter) {
            case (.nearest, .nearest):
                ink = picture.nearest(texel, columns: 0...picture.width - 1, rows: 0...picture.height - 1)
                func isBetween(_ at: Double) -> Bool { abs(at - at.rounded()) < 1.0 / 128 }
                if isBetween(texel.x) || isBetween(texel.y) { flags = flags | .doubtful }
            case (.trilinear, _):
                ink = picture.trilinear(texel, lod: log2(texels) + cell.minificationFilterBias)
            default: ink = picture.linear(texel)
            }
            ink = Ink(
                blue: ink.blue * color.blue / 255, green: ink.green * color.green / 255,
                red: ink.red * color.red / 255, alpha: ink.alpha * color.alpha / 255)
            if isAdditive {
                add(ink * opacity, flags, x, y, to: canvas)
            } else {
                canvas.blend(x: x, y: y, ink, weight: opacity, flags: flags)
            }
        }
        canvas.touch(coverage.bounds)
    }
}
