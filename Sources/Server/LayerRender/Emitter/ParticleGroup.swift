// The particles that one emitter draws in a frame, as corners of their pictures in device pixels.

import LayerModel

struct ParticleGroup: Sendable {
    /// One particle's picture: its corners in the order first row left and right, last row left and right.
    struct Sprite: Sendable {
        var x0, y0, x1, y1, x2, y2, x3, y3: Float
        var color: PremultipliedColor
    }

    /// Sprites in a row that show one picture.
    struct Run: Sendable {
        var key: ImageKey
        var sampling: TextureSampling
        var levelBias: Float
        /// The part of the image, 0…1, from the first row down.
        var u0, v0, u1, v1: Float
        var range: Range<Int>
    }

    var sprites: ContiguousArray<Sprite> = []
    var runs: [Run] = []
    /// Around all of them, rounded outward; nothing where they are further away than pixels are counted.
    var bounds = PixelRect.empty
}

extension PlanVertex {
    /// Between two corners.
    fileprivate static func mix(_ a: PlanVertex, _ b: PlanVertex, _ share: Float) -> PlanVertex {
        var c = a
        c.x += (b.x - a.x) * share
        c.y += (b.y - a.y) * share
        c.u += (b.u - a.u) * share
        c.v += (b.v - a.v) * share
        return c
    }
}

extension ParticleGroup.Run {
    /// The corners of a sprite.
    @inline(__always)
    func corners(
        _ sprite: ParticleGroup.Sprite, from origin: PixelPoint, fadedBy opacity: Float
    ) -> (PlanVertex, PlanVertex, PlanVertex, PlanVertex) {
        let (x, y) = (Float(origin.x), Float(origin.y))
        let color = sprite.color * opacity
        func corner(_ cx: Float, _ cy: Float, _ u: Float, _ v: Float) -> PlanVertex {
            PlanVertex(
                x: cx - x, y: cy - y, u: u, v: v, red: color.red, green: color.green, blue: color.blue,
                alpha: color.alpha)
        }
        return (
            corner(sprite.x0, sprite.y0, u0, v0), corner(sprite.x1, sprite.y1, u1, v0),
            corner(sprite.x2, sprite.y2, u0, v1), corner(sprite.x3, sprite.y3, u1, v1)
        )
    }

    /// Appends the triangles of a sprite inside a rectangle of the target.
    func appendClipped(
        _ sprite: ParticleGroup.Sprite, from origin: PixelPoint, fadedBy opacity: Float, to rect: PixelRect,
        _ vertices: inout ContiguousArray<PlanVertex>
    ) {
        let (a, b, c, d) = corners(sprite, from: origin, fadedBy: opacity)
        var polygon = [a, b, d, c]
        func clip(_ distance: (PlanVertex) -> Float) {
            var kept: [PlanVertex] = []
            for (index, corner) in polygon.enumerated() {
                let next = polygon[(index + 1) % polygon.count]
                let (here, there) = (distance(corner), distance(next))
                if here >= 0 { kept.append(corner) }
                if (here < 0) != (there < 0) { kept.append(.mix(corner, next, here / (here - there))) }
            }
            polygon = kept
        }
        let (left, top) = (Float(rect.minX), Float(rect.minY))
        let (right, bottom) = (Float(rect.maxX), Float(rect.maxY))
        clip { $0.x - left }
        clip { right - $0.x }
        clip { $0.y - top }
        clip { bottom - $0.y }
        guard polygon.count >= 3 else { return }
        for index in 1..<polygon.count - 1 {
            vertices.append(polygon[0])
            vertices.append(polygon[index])
            vertices.append(polygon[index + 1])
        }
        // Rectangles are two triangles.
        if vertices.count % 6 != 0 { vertices.append(contentsOf: repeatElement(polygon[0], count: 3)) }
    }
}
