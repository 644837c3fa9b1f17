// What a gradient layer draws: a picture of it over the background and below the contents, in the shape of the background.
//
// The picture is worked out at the display's pixels (Surface/GradientPixels.swift), kept by what it shows, and laid down
// unscaled: on the road that is the fastest everywhere, and with the same bytes on every driver. Where the gradient runs
// along rows or columns of pixels, one column or row of them serves for all. Source: semantic reference, §6.2. See
// docs/gradients.md.

import LayerModel

extension FramePlanner {
    mutating func emitGradient(
        _ presented: PresentedLayer, _ record: UnsafePointer<LayerRecord>, _ clip: PixelRect, isClipped: Bool,
        _ walk: Walk
    ) {
        let gradient = record.pointee.properties.gradient
        let bounds = record.pointee.properties.bounds
        let plane = presented.toDevice
        guard bounds.width > 0, bounds.height > 0, let toLayer = plane.inverse else { return }
        let coverage: Coverage =
            isClipped ? .whole(clip) : coverBounds(of: record, on: plane, clip: clip, walk)
        guard !coverage.bounds.isEmpty else { return }
        let toUnit = toLayer.concatenating(
            Homography(
                1 / bounds.width, 0, 0, 0, 1 / bounds.height, 0, -bounds.minX / bounds.width,
                -bounds.minY / bounds.height, 1))
        let region = pictureRegion(of: bounds, on: plane, seen: coverage.bounds)
        guard let (paint, isCoarse) = paint(gradient, toUnit.normalized, region, walk) else { return }
        if isCoarse {
            notes.append(PlanNote(layer: record.pointee.id, kind: .coarseGradient))
        }
        append(paint, coverage, isOpaque: gradient.isOpaque, record.pointee.id)
    }

    /// The pixels that a picture is made for: all of the layer's where they are not many, so that it serves again where the
    /// layer is moved; those that are seen otherwise.
    private func pictureRegion(of bounds: Rect, on plane: Homography, seen: PixelRect) -> PixelRect {
        guard plane.isAffine else { return seen }
        let box = deviceBox(of: bounds, on: plane)
        guard box.minX > -1e6, box.minY > -1e6, box.maxX < 1e6, box.maxY < 1e6 else { return seen }
        let whole = PixelRect(
            minX: Int(box.minX.rounded(.down)), minY: Int(box.minY.rounded(.down)), maxX: Int(box.maxX.rounded(.up)),
            maxY: Int(box.maxY.rounded(.up)))
        let side = min(limits.textureSide, 4_096)
        guard whole.contains(seen), whole.width <= side, whole.height <= side, whole.area <= 2 * screen.area else {
            return seen
        }
        return whole
    }

    /// A finer picture than of so many displays, and a million pixels, is not made: nobody sees most of it, and each pixel costs
    /// the processor a tenth of a microsecond.
    private static let gradientDisplays = 8

    /// A picture of a gradient over some pixels, and whether it had to be a coarse one. Nil where it has no pixels.
    private mutating func paint(
        _ gradient: GradientProperties, _ toUnit: Homography, _ region: PixelRect, _ walk: Walk
    ) -> (Paint, isCoarse: Bool)? {
        // Whole pixels taken away, and what rounding adds to them.
        var local = Homography.translation(Double(region.minX), Double(region.minY)).concatenating(toUnit)
        local = local.rounded(to: 68_719_476_736)
        var size = region.size
        if gradient.kind == .axial, local.isAffine {
            let d = Point(gradient.end.x - gradient.start.x, gradient.end.y - gradient.start.y)
            let length = d.x * d.x + d.y * d.y
            // How much of the gradient a row, and a column, of pixels goes through.
            let across = abs(local.a11 * d.x + local.a12 * d.y) / length * Double(size.width)
            let down = abs(local.a21 * d.x + local.a22 * d.y) / length * Double(size.height)
            if across < 1 / 65_536 { size.width = 1 }
            if down < 1 / 65_536 { size.height = 1 }
        }
        let isCoarse =
            size.area > 4_096 && !walk.coverage.rasters.hasRoom(for: size.area)
            || size.area > Self.gradientDisplays * screen.area + 1_048_576
            || max(size.width, size.height) > limits.textureSide
        if isCoarse { size = PixelSize(width: min(size.width, 64), height: min(size.height, 64)) }
        let step = (
            x: Double(region.width) / Double(size.width), y: Double(region.height) / Double(size.height)
        )
        let key = walk.coverage.rasters.picture(
            .gradient(gradient, toUnit: local, size: size), size, session: session
        ) {
            GradientPixels(gradient, toUnit: local).pixels(size, step: step)
        }
        var mapping = ImageMapping(
            toImage: Homography(
                1 / Double(region.width), 0, 0, 0, 1 / Double(region.height), 0,
                -Double(region.minX) / Double(region.width), -Double(region.minY) / Double(region.height), 1),
            isAffine: true, copyOffset: nil)
        if size == region.size { mapping.copyOffset = PixelPoint(x: -region.minX, y: -region.minY) }
        mappings.append(mapping)
        return (
            .image(
                key, mapping: Int32(mappings.count - 1), sampling: isCoarse ? .linear : .nearest, levelBias: 0),
            isCoarse
        )
    }
}

extension Homography {
    /// The same map with 1 as its last entry, where it is affine.
    fileprivate var normalized: Homography {
        guard a13 == 0, a23 == 0, a33 != 1 else { return self }
        let w = 1 / a33
        return Homography(a11 * w, a12 * w, 0, a21 * w, a22 * w, 0, a31 * w, a32 * w, 1)
    }

    /// Entries to whole parts of one: the same place reached in two ways is the same map.
    fileprivate func rounded(to parts: Double) -> Homography {
        func round(_ value: Double) -> Double {
            abs(value) < 1e6 ? (value * parts).rounded() / parts : value
        }
        return Homography(
            round(a11), round(a12), round(a13), round(a21), round(a22), round(a23), round(a31), round(a32), round(a33))
    }
}
