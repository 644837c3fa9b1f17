// How much of each pixel a layer's shapes cover: whole pixels where that is exact, a mask otherwise.

import LayerModel
import Paths

/// How much of a region a shape covers.
enum Coverage {
    case nothing
    /// Every pixel of the rectangle, and no other.
    case whole(PixelRect)
    case mask(MaskUse, PixelRect)
}

extension FramePlanner {
    /// The coverage of a shape on a plane, within a clip.
    ///
    /// Sides that are not smooth are moved to the pixel grid on planes that are upright or turned by quarters. On other
    /// ones a plain rectangle with no smooth side has hard edges; anything else stays smooth.
    func cover(
        _ shape: ShapeGeometry, on plane: Homography, smooth: EdgeMask, clip: PixelRect, _ walk: Walk
    ) -> Coverage {
        guard !shape.isEmpty, !clip.isEmpty else { return .nothing }
        if shape.isPlainRect, let aligned = alignedBox(of: shape.rect, on: plane, hard: smooth.isEmpty) {
            let rect = aligned.intersection(clip)
            return rect.isEmpty ? .nothing : .whole(rect)
        }
        var shape = shape
        var hard = false
        if smooth != .all {
            if let snapped = shape.snapped(on: plane, smooth: smooth) {
                shape = snapped
            } else {
                hard = smooth.isEmpty && shape.isPlainRect
            }
        }
        guard let use = walk.coverage.mask(of: shape, on: plane, hard: hard, clip: clip) else { return .nothing }
        let (bounds, isOpaque) = walk.coverage.extent(of: use.entry)
        let shown = bounds.offsetBy(x: Int(use.x), y: Int(use.y)).intersection(clip)
        if shown.isEmpty { return .nothing }
        return isOpaque ? .whole(shown) : .mask(use, shown)
    }

    /// The coverage of a layer's bounds with their rounded corners.
    func coverBounds(
        of record: UnsafePointer<LayerRecord>, on plane: Homography, clip: PixelRect, _ walk: Walk
    ) -> Coverage {
        let smooth = record.pointee.properties.smoothEdges
        let bounds = record.pointee.properties.bounds
        if !(record.pointee.properties.cornerRadius > 0), smooth == .all, bounds.width > 0, bounds.height > 0,
            let aligned = alignedBox(of: bounds, on: plane, hard: false)
        {
            // Most layers: no shape has to be made.
            let rect = aligned.intersection(clip)
            return rect.isEmpty ? .nothing : .whole(rect)
        }
        return cover(.bounds(of: record), on: plane, smooth: smooth, clip: clip, walk)
    }

    /// The pixels of a rectangle whose edges lie on the pixel grid (or are to be put there); nil for any other.
    private func alignedBox(of rect: Rect, on plane: Homography, hard: Bool) -> PixelRect? {
        guard plane.a13 == 0, plane.a23 == 0, plane.a33 == 1 else { return nil }
        guard plane.a12 == 0 && plane.a21 == 0 || plane.a11 == 0 && plane.a22 == 0 else { return nil }
        let box = deviceBox(of: rect, on: plane)
        guard let left = wholePixel(box.minX, hard), let right = wholePixel(box.maxX, hard),
            let top = wholePixel(box.minY, hard), let bottom = wholePixel(box.maxY, hard)
        else { return nil }
        return PixelRect(minX: left, minY: top, maxX: right, maxY: bottom)
    }
}

/// The pixel edge a coordinate lies on, within 1/2048 pixel; with `hard`, the nearest one whatever the distance.
/// Coordinates beyond ±2²⁰ count as that: no target reaches there.
func wholePixel(_ value: Double, _ hard: Bool) -> Int? {
    let limit = 1_048_576.0
    let clamped = value.isNaN ? 0 : min(max(value, -limit), limit)
    // Not `rounded`, which calls the C library: converting cuts towards zero, and what is converted is positive here.
    let shifted = clamped + limit
    let nearest = Int(shifted + 0.5) - Int(limit)
    if hard { return Double(nearest) - 0.5 >= clamped ? nearest - 1 : nearest }
    guard abs(clamped - Double(nearest)) <= 1 / 2_048 else { return nil }
    return nearest
}

// MARK: - Quads

extension FramePlanner {
    mutating func append(_ paint: Paint, _ color: PremultipliedColor, _ coverage: Coverage, _ layer: LayerID) {
        switch coverage {
        case .nothing: break
        case .whole(let rect): append(paint, color, rect, nil, layer, isOpaque: color.alpha == 1)
        case .mask(let mask, let rect): append(paint, color, rect, mask, layer, isOpaque: color.alpha == 1)
        }
    }

    mutating func append(
        _ paint: Paint, _ color: PremultipliedColor, _ bounds: PixelRect, _ mask: MaskUse?, _ layer: LayerID,
        isOpaque: Bool
    ) {
        guard !bounds.isEmpty else { return }
        quads.append(
            Quad(bounds: bounds, mask: mask, paint: paint, color: color, isOpaquePaint: isOpaque, layer: layer))
    }
}
