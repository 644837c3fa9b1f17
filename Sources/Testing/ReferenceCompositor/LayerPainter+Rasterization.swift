// shouldRasterize: the layer as a bitmap of its own. Source: semantic reference, §1.11. What is open there is settled so:
//
// - The bitmap has rasterizationScale pixels a point of the layer's own space; a corner of a pixel is at the corner of
//   least x and y of the bounds. It holds everything up to the mask and the clip, and all of it that can be seen; what
//   lies outside of it is transparent. A scale that is not above 0 counts as 1.
// - It is drawn like an image in the layer's plane: magnificationFilter, or minificationFilter where there is more than
//   one of its pixels for one of the picture. Its edges have no other smoothing than that.
// - Here at most the 1200 pixels of the bitmap from the corner on, and 240 around the bounds: enough for test pictures.
//   What a server's limit of size refuses is drawn as if it were not asked for.
// - A layer that is seen in perspective and has filters that move pixels is such a bitmap too: radii are lengths of the
//   layer's own space. It has as many pixels a point as a point takes on the picture in the middle of the bounds, and is
//   drawn bilinearly. Perspective is what changes sizes over the bounds by a thousandth.

import Glibc
import LayerModel

extension LayerPainter {
    func bitmapPicture(of placed: PlacedLayer, in region: PixelRect) -> Canvas {
        projected(placed, scale: placed.bitmapScale ?? 1, in: region) { painter, inner, canvas in
            let group = Canvas(bounds: canvas.bounds)
            let cover = painter.cover(of: inner, in: canvas.bounds, opacity: 1)
            guard !cover.bounds.isEmpty else { return }
            painter.paintUncut(inner, opacity: 1, into: group)
            painter.lay(group, over: canvas, cover, .normal, of: inner)
        }
    }

    /// A rectangle of the picture with what is drawn in the layer's own space.
    ///
    /// - Parameters:
    ///   - scale: Pixels a point there.
    ///   - draw: Is given a painter, the layer and a canvas there.
    func projected(
        _ placed: PlacedLayer, scale: Double, in region: PixelRect,
        _ draw: (LayerPainter, PlacedLayer, Canvas) -> Void
    ) -> Canvas {
        let result = Canvas(bounds: region)
        guard let bitmap = bitmap(of: placed, scale, for: region, draw), let map = bitmap.toPixels else {
            return result
        }
        let visible = PixelPolygon(bitmap.canvas.bounds, of: map, on: placed.plane)
        let coverage = Coverage(of: visible.polygon, in: region)
        guard !coverage.bounds.isEmpty else { return result }
        let properties = placed.properties
        let area = coverage.bounds
        for y in area.minY..<area.maxY {
            for x in area.minX..<area.maxX where coverage.value(x: x, y: y) > 0 {
                let center = Point(Double(x) + 0.5, Double(y) + 0.5)
                let place = map.apply(placed.plane.point(at: center))
                let steps = placed.plane.steps(at: center)
                func texels(_ step: Point) -> Double {
                    (step.x * map.a11 * step.x * map.a11 + step.y * map.a22 * step.y * map.a22).squareRoot()
                }
                let texels = max(texels(steps.right), texels(steps.down))
                bitmap.write(x, y, at: place, texels: texels, properties, into: result)
            }
        }
        result.touch(area)
        return result
    }

    /// The layer's own space, drawn as far as it can be seen.
    private func bitmap(
        of placed: PlacedLayer, _ scale: Double, for region: PixelRect,
        _ draw: (LayerPainter, PlacedLayer, Canvas) -> Void
    ) -> Bitmap? {
        let bounds = placed.properties.bounds
        let toPixels = Homography.translation(-bounds.minX, -bounds.minY).concatenating(.scale(scale, scale))
        guard let plane = Plane(toPixels: toPixels) else { return nil }
        func pixels(_ length: Double) -> Int { Int(min(max(length * scale, 0), 1_200).rounded(.up)) }
        let around = PixelRect(x: 0, y: 0, width: pixels(bounds.width), height: pixels(bounds.height))
            .union(PixelRect(x: 0, y: 0, width: 1, height: 1)).inflated(by: 240)
        let area = visiblePixels(of: region, on: placed.plane, toPixels).map(around.intersection) ?? around
        guard !area.isEmpty else { return nil }
        var inner = placed
        inner.plane = plane
        inner.opacity = 1
        let canvas = Canvas(bounds: area)
        draw(LayerPainter(area, probe: nil), inner, canvas)
        return Bitmap(canvas, toPixels: toPixels)
    }

    /// The pixels of the bitmap under a rectangle of the picture, and two around; nil where a horizon is in it.
    private func visiblePixels(of region: PixelRect, on plane: Plane, _ toPixels: Homography) -> PixelRect? {
        var box: PixelRect?
        for x in [region.minX, region.maxX] {
            for y in [region.minY, region.maxY] {
                let pixel = Point(Double(x), Double(y))
                guard plane.isInFront(at: pixel) else { return nil }
                let place = toPixels.apply(plane.point(at: pixel))
                guard abs(place.x) < 1e6, abs(place.y) < 1e6 else { return nil }
                let one = PixelRect(x: Int(place.x.rounded(.down)), y: Int(place.y.rounded(.down)), width: 1, height: 1)
                box = box?.union(one) ?? one
            }
        }
        return box?.inflated(by: 2)
    }
}

extension PlacedLayer {
    /// Pixels a point of the bitmap that the layer is drawn to; nil for one that is drawn straight.
    var bitmapScale: Double? {
        if properties.shouldRasterize {
            return properties.rasterizationScale > 0 ? min(properties.rasterizationScale, 64) : 1
        }
        let isMoving = activeFilters.contains { !$0.kind.isPointwise }
        return isMoving && !layer.showsBackdrop && isInPerspective ? fittingScale : nil
    }

    var isInPerspective: Bool {
        let (change, w) = plane.perspective(over: properties.bounds)
        return change > abs(w) / 1_024
    }

    /// How much of the picture a point takes in the middle of the bounds, along the axis where it takes more.
    var fittingScale: Double {
        guard let map = linearMap else { return 1 }
        let scale = max(
            map.x.x * map.x.x + map.x.y * map.x.y, map.y.x * map.y.x + map.y.y * map.y.y
        ).squareRoot()
        return min(max(scale, 1.0 / 16), 16)
    }
}

/// A rectangle of bitmap pixels as a shape of the picture.
private struct PixelPolygon {
    let polygon: ConvexPolygon

    init(_ pixels: PixelRect, of toPixels: Homography, on plane: Plane) {
        guard let back = toPixels.inverse else {
            polygon = ConvexPolygon()
            return
        }
        var shape = ConvexPolygon(pixels)
        for i in shape.vertices.indices { shape.vertices[i].point = back.apply(shape.vertices[i].point) }
        polygon = plane.project(shape)
    }
}

/// A layer's picture in its own space.
private struct Bitmap {
    let canvas: Canvas
    let picture: ReferencePicture
    /// From the layer's space to the bitmap's pixels.
    let toPixels: Homography?

    init(_ canvas: Canvas, toPixels: Homography) {
        self.canvas = canvas
        self.toPixels = toPixels
        picture = ReferencePicture(width: canvas.bounds.width, height: canvas.bounds.height, bytes: canvas.bytes)
    }

    /// The color at a place of the bitmap, into a pixel.
    func write(
        _ x: Int, _ y: Int, at place: Point, texels: Double, _ properties: LayerProperties, into result: Canvas
    ) {
        let bounds = canvas.bounds
        let isSmaller = texels > 1 + 1e-6
        // A level of the mip chain is as wide as what it stands for.
        let reach = isSmaller && properties.minificationFilter == .trilinear ? texels * 4 + 2 : 2
        let shown = canvas.touched
        guard place.x > Double(shown.minX) - reach, place.x < Double(shown.maxX) + reach,
            place.y > Double(shown.minY) - reach, place.y < Double(shown.maxY) + reach
        else { return }
        let texel = Point(place.x - Double(bounds.minX), place.y - Double(bounds.minY))
        var filter = isSmaller ? properties.minificationFilter : properties.magnificationFilter
        if !properties.shouldRasterize { filter = .linear }
        let ink: Ink
        var flags = PixelFlags.none
        var slack = 0.0
        switch filter {
        case .nearest:
            ink = picture.nearest(texel, columns: 0...bounds.width - 1, rows: 0...bounds.height - 1)
            let doubt = [texel.x, texel.y].contains { abs($0 - $0.rounded()) < 1.0 / 256 }
            if doubt { flags = .doubtful }
        case .trilinear where isSmaller:
            ink = picture.trilinear(texel, lod: log2(texels) + properties.minificationFilterBias)
        default: ink = picture.linear(texel)
        }
        // What is not sure about the texels that count.
        for dx in [-0.499, 0.499] {
            for dy in [-0.499, 0.499] {
                let at = canvas.pixel(nearest: Point(place.x + dx, place.y + dy))
                flags = flags | canvas.flags(x: at.x, y: at.y)
                slack = max(slack, canvas.slack(x: at.x, y: at.y))
            }
        }
        guard ink.alpha > 0 || !flags.isNone else { return }
        result.replace(x: x, y: y, with: ink, flags: flags, slack: slack)
    }
}
