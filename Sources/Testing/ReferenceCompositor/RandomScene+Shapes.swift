// What random shape layers draw: large against a pixel, as everything else here. Lines are at least two pixels wide.

import Glibc
import LayerModel

extension SceneMaker {
    mutating func addShape(to layer: inout LayerTree) {
        layer.layerClass = .shapeLayer
        var shape = ShapeProperties()
        shape.path = shapePath(in: layer.properties.bounds)
        shape.fillColor = random.chance(0.7) ? color(opaque: 0.6) : nil
        shape.fillRule = random.chance(0.3) ? .evenOdd : .nonZero
        if shape.fillColor == nil || random.chance(0.6) { shape.strokeColor = color(opaque: 0.6) }
        shape.stroke.width = random.pick([2, 3, 4.5, 8, 13]) * max(pixel, 0.5)
        shape.stroke.cap = random.pick(LineCap.allCases)
        shape.stroke.join = random.pick(LineJoin.allCases)
        if random.chance(0.2) { shape.stroke.miterLimit = 1.5 }
        if random.chance(0.25) {
            shape.stroke.start = random.number(0, 0.4)
            shape.stroke.end = random.number(0.5, 1.1)
        }
        if random.chance(0.25) {
            shape.stroke.dashes = random.pick([[14, 9], [12], [18, 8, 6, 8], [0, 15]])
            shape.stroke.dashPhase = random.pick([0, 5, -11, 200])
        }
        layer.properties.shape = shape
        // A background would hide what the path leaves open.
        if random.chance(0.6) { layer.properties.backgroundColor = nil }
    }

    /// A rectangle, an ellipse, a ring of two, a zigzag, a leaf of curves, or several open contours.
    private mutating func shapePath(in b: Rect) -> VectorPath {
        let r = b.insetBy(dx: b.width * random.pick([0, 0.1, -0.1]), dy: b.height * random.pick([0, 0.15]))
        func at(_ x: Double, _ y: Double) -> Point { Point(r.minX + r.width * x, r.minY + r.height * y) }
        func addEllipse(_ x: Double, _ y: Double, _ radius: Double, _ path: inout VectorPath) {
            let k = radius * 0.5522847498
            path.move(to: at(x + radius, y))
            path.cubic(to: at(x, y + radius), at(x + radius, y + k), at(x + k, y + radius))
            path.cubic(to: at(x - radius, y), at(x - k, y + radius), at(x - radius, y + k))
            path.cubic(to: at(x, y - radius), at(x - radius, y - k), at(x - k, y - radius))
            path.cubic(to: at(x + radius, y), at(x + k, y - radius), at(x + radius, y - k))
            path.close()
        }
        var path = VectorPath()
        switch random.integer(0...5) {
        case 0: return VectorPath(rect: r)
        case 1: addEllipse(0.5, 0.5, 0.5, &path)
        case 2:
            addEllipse(0.5, 0.5, 0.5, &path)
            addEllipse(0.55, 0.5, 0.25, &path)
        case 3:
            path.move(to: at(0, 0.1))
            for (x, y) in [(0.3, 0.9), (0.5, 0.2), (0.7, 0.8), (1, 0.1)] { path.line(to: at(x, y)) }
            if random.chance(0.5) { path.close() }
        case 4:
            path.move(to: at(0.1, 0.9))
            path.quad(to: at(0.9, 0.1), control: at(0, 0))
            path.cubic(to: at(0.1, 0.9), at(1.1, 0.6), at(0.6, 1.1))
        default:
            path.move(to: at(0.1, 0.2))
            path.line(to: at(0.8, 0.3))
            path.line(to: at(0.4, 0.6))
            path.move(to: at(0.2, 0.95))
            path.cubic(to: at(0.95, 0.5), at(0.5, 0.6), at(0.8, 1.1))
        }
        return path
    }
}
