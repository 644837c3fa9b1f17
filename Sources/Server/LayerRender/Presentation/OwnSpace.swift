// A layer's own space as a picture of its own: where there is perspective, blurs, shadows and squares are round and even
// there, not on the display. What is made there is projected as an image. Source: semantic reference, §1.8 and §1.11:
// radii and offsets are in the layer's own coordinates.

import LayerModel

extension Homography {
    /// From a layer's space to pixels of a picture of its own whose first pixel is at the bounds' corner of least x and y.
    static func ownSpace(of bounds: Rect, scale: Double) -> Homography {
        Homography(scale, 0, 0, 0, scale, 0, -bounds.minX * scale, -bounds.minY * scale, 1)
    }

    /// Sizes differ over a rectangle by what could be seen, a thousandth.
    func isProjective(over rect: Rect) -> Bool {
        if isAffine { return false }
        let w = homogeneous(Point(rect.midX, rect.midY)).w
        return abs(a13) * rect.width + abs(a23) * rect.height > abs(w) / 1_024
    }

    /// Pixels a point of a picture in the layer's own space: as many as a point takes on the display in the middle of the
    /// bounds, along the axis where it takes more. At most so many that its sides have 2048.
    func fittingScale(of bounds: Rect) -> Double {
        let (x, y, w) = homogeneous(Point(bounds.midX, bounds.midY))
        var scale = 1.0
        if w > 0 {
            let (xx, xy) = ((a11 - x / w * a13) / w, (a12 - y / w * a13) / w)
            let (yx, yy) = ((a21 - x / w * a23) / w, (a22 - y / w * a23) / w)
            scale = max(xx * xx + xy * xy, yx * yx + yy * yy).squareRoot()
        }
        guard scale.isFinite else { return 1 }
        let most = min(16, 2_048 / max(bounds.width, bounds.height, 1))
        return min(max(scale, 1.0 / 16), most)
    }
}

extension Homography {
    /// Without what rounding leaves of a quarter or half turn: sin π is not 0 in floating point.
    var straightened: Homography {
        guard isAffine else { return self }
        var h = self
        let size = 1e-12 * max(abs(a11), abs(a12), abs(a21), abs(a22))
        if abs(a11) < size { h.a11 = 0 }
        if abs(a12) < size { h.a12 = 0 }
        if abs(a21) < size { h.a21 = 0 }
        if abs(a22) < size { h.a22 = 0 }
        return h
    }

    /// Without what rounding leaves of a perspective that was undone.
    mutating func flatten() {
        guard abs(a13) + abs(a23) < 1e-9 * abs(a33) else { return }
        self = Homography(a11 / a33, a12 / a33, 0, a21 / a33, a22 / a33, 0, a31 / a33, a32 / a33, 1)
    }
}

extension LayerRecord {
    /// Enabled ones; those of a backdrop layer are not on what it draws itself.
    var hasFiltersThatMovePixels: Bool {
        layerClass != .backdropLayer && properties.filters.contains { $0.isEnabled && $0.movesPixels }
    }
}
