import LayerModel

extension CGPath {
    /// The outline that a layer with such corners has.
    ///
    /// - Parameters:
    ///   - rect: The layer's bounds.
    ///   - cornerRadius: At most half the shorter side counts.
    ///   - cornerCurve: Quarter circles, or the continuous curve.
    ///   - maskedCorners: The corners that are rounded.
    public convenience init(
        roundedRect rect: CGRect, cornerRadius: CGFloat, cornerCurve: CALayerCornerCurve,
        maskedCorners: CACornerMask = [
            .layerMinXMinYCorner, .layerMaxXMinYCorner, .layerMinXMaxYCorner, .layerMaxXMaxYCorner,
        ]
    ) {
        self.init(
            outlineOf: Rect(rect), radius: Double(cornerRadius), corners: maskedCorners.mask, curve: cornerCurve.curve)
    }
}
