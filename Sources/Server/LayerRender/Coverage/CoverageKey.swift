import LayerModel
import Paths

/// What of a pixel a polygon has.
enum PolygonPixels: Hashable {
    case area
    /// All of it or nothing: what its center says.
    case centers
}

/// What of a path is drawn.
enum PathDrawing: Hashable {
    case inside(FillRule)
    /// A line along it.
    case line(StrokeStyle)
}

extension VectorPath {
    /// By some of the points: a long path is asked for in every frame, and the same one is found without comparing them.
    fileprivate func hashBriefly(into hasher: inout Hasher) {
        hasher.combine(verbs.count)
        let step = max(points.count / 16, 1)
        for index in stride(from: 0, to: points.count, by: step) { hasher.combine(points[index]) }
        if let last = points.last { hasher.combine(last) }
    }
}

/// What a mask shows.
enum CoverageKey: Hashable {
    /// A shape under the linear part of an affine plane, at a phase of 1/1024 pixels. `clip` is set where the shape was
    /// too large to make whole; it counts from the mask's own (0, 0).
    case shape(PlacedShape, clip: PixelRect?)
    /// A shape in perspective: nothing of it is reused at another place.
    case projected(ShapeGeometry, Homography, hard: Bool, clip: PixelRect)
    /// A polygon of device pixels.
    case polygon([Point], PolygonPixels, clip: PixelRect)
    /// A part of a plane that others cross: a polygon's mask with other values at its seams, times the mask of a drawing.
    case seam(UInt64, [UInt64], isWhole: Bool, UInt64, x: Int32, y: Int32)
    /// Single pixels with their values, in a rectangle that is covered or not.
    case pixels([UInt64], PixelRect, isCovered: Bool)
    /// Two masks multiplied; the second lies at (x, y) of the first.
    case product(UInt64, UInt64, x: Int32, y: Int32)
    /// A path under the linear part of an affine plane, as `shape`. Without a plane's perspective: that counts whole.
    case path(VectorPath, PathDrawing, Homography, clip: PixelRect?)
    /// Whole pixels.
    case rectangle(width: Int32, height: Int32)
    /// A mask convolved; `clip` is set where it was too large to make whole.
    case blurred(UInt64, GaussianShape, clip: PixelRect?)
    case twice(UInt64, alpha: Float)

    /// By what differs most, in one piece: field by field it would take longer than all else about a mask that is there.
    func hash(into hasher: inout Hasher) {
        switch self {
        case .shape(let placed, _):
            // Adding 0 makes -0, which is equal to 0, the same.
            var fields = InlineArray<10, Double>(repeating: 0)
            fields[0] = placed.shape.rect.minX + 0
            fields[1] = placed.shape.rect.minY + 0
            fields[2] = placed.shape.rect.width + 0
            fields[3] = placed.shape.rect.height + 0
            fields[4] = placed.shape.cornerRadius + 0
            fields[5] = placed.shape.ringWidth + 0
            fields[6] = placed.a11 + placed.a12
            fields[7] = placed.a21 + placed.a22
            fields[8] = Double(placed.phaseX) * 4_096 + Double(placed.phaseY)
            fields[9] = (placed.hard ? 1 : 0) + Double(placed.shape.corners.rawValue) * 2
            withUnsafeBytes(of: &fields) { hasher.combine(bytes: $0) }
        case .projected(let shape, let plane, let hard, let clip):
            hasher.combine(shape)
            hasher.combine(plane)
            hasher.combine(hard)
            hasher.combine(clip)
        case .polygon(let points, let pixels, let clip):
            hasher.combine(points)
            hasher.combine(pixels)
            hasher.combine(clip)
        case .seam(let area, let values, let isWhole, let own, let x, let y):
            hasher.combine(area)
            hasher.combine(values)
            hasher.combine(isWhole)
            hasher.combine(own)
            hasher.combine(x)
            hasher.combine(y)
        case .pixels(let values, let rect, let isCovered):
            hasher.combine(values)
            hasher.combine(rect)
            hasher.combine(isCovered)
        case .product(let first, let second, let x, let y):
            hasher.combine(first)
            hasher.combine(second)
            hasher.combine(x)
            hasher.combine(y)
        case .path(let path, let drawing, let plane, let clip):
            path.hashBriefly(into: &hasher)
            hasher.combine(drawing)
            hasher.combine(plane)
            hasher.combine(clip)
        case .rectangle(let width, let height):
            hasher.combine(width)
            hasher.combine(height)
        case .twice(let mask, let alpha):
            hasher.combine(mask)
            hasher.combine(alpha)
        case .blurred(let mask, let shape, let clip):
            hasher.combine(mask)
            hasher.combine(shape)
            hasher.combine(clip)
        }
    }
}
