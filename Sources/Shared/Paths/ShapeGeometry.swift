import LayerModel

/// A shape of a layer in the layer's own space: a rectangle, with rounded corners or without, whole or as a band inside
/// its outline.
///
/// Values that mean the same shape are equal: an unrounded rectangle has no curve, a radius is never more than half the
/// shorter side.
package struct ShapeGeometry: Hashable, Sendable {
    /// Standardized, finite.
    package private(set) var rect: Rect
    /// 0 where no corner is rounded.
    package private(set) var cornerRadius: Double
    package private(set) var corners: CornerMask
    package private(set) var curve: CornerCurve
    /// Width of the band; 0 for the whole shape.
    package private(set) var ringWidth: Double
    /// The hole of a band, with the corners of the outline inset by its width; nil where the band fills the shape.
    package private(set) var holeRect: Rect?
    /// How far past the outline the band goes on, with square corners; 0 ends it at the outline.
    package private(set) var ringOutset: Double

    /// - Parameters:
    ///   - cornerRadius: Clamped to half the shorter side; negative counts as 0.
    ///   - ringWidth: Above 0 only the band between the outline and the outline inset by this much.
    ///   - ringOutset: For a band whose outer edge something else cuts.
    package init(
        rect: Rect, cornerRadius: Double = 0, corners: CornerMask = .all, curve: CornerCurve = .circular,
        ringWidth: Double = 0, ringOutset: Double = 0
    ) {
        let rect = rect.isFinite ? rect.standardized : .zero
        self.rect = rect
        let radius = min(max(cornerRadius.isFinite ? cornerRadius : 0, 0), min(rect.width, rect.height) / 2)
        let isRounded = radius > 0 && !corners.isEmpty
        self.cornerRadius = isRounded ? radius : 0
        self.corners = isRounded ? corners : .all
        self.curve = isRounded ? curve : .circular
        let width = ringWidth.isFinite ? max(ringWidth, 0) : 0
        self.ringWidth = width
        let inner = rect.insetBy(dx: width, dy: width)
        holeRect = width > 0 && inner.width > 0 && inner.height > 0 ? inner : nil
        self.ringOutset = width > 0 && ringOutset.isFinite ? max(ringOutset, 0) : 0
    }

    @inlinable
    package static func == (a: ShapeGeometry, b: ShapeGeometry) -> Bool {
        a.rect == b.rect && a.cornerRadius == b.cornerRadius && a.corners.rawValue == b.corners.rawValue
            && a.curve.rawValue == b.curve.rawValue && a.ringWidth == b.ringWidth && a.holeRect == b.holeRect
            && a.ringOutset == b.ringOutset
    }

    package var isEmpty: Bool { rect.isEmpty }

    /// Neither rounded nor a band.
    package var isPlainRect: Bool { cornerRadius == 0 && ringWidth == 0 }

    /// The hole of a band as a shape of its own.
    package var hole: ShapeGeometry? {
        guard let holeRect else { return nil }
        return ShapeGeometry(
            rect: holeRect, cornerRadius: max(cornerRadius - ringWidth, 0), corners: corners, curve: curve)
    }

    /// The same shape on other rectangles, for edges that are moved to the pixel grid.
    package func withRects(_ rect: Rect, hole: Rect?) -> ShapeGeometry {
        var shape = ShapeGeometry(
            rect: rect, cornerRadius: cornerRadius, corners: corners, curve: curve, ringWidth: ringWidth,
            ringOutset: ringOutset)
        if shape.holeRect != nil { shape.holeRect = hole }
        return shape
    }
}
