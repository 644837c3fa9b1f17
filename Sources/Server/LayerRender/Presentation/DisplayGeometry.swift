import LayerModel

/// The display a session draws to.
package struct DisplayGeometry: Hashable, Sendable {
    /// Device pixels.
    package var size: PixelSize
    /// Pixels a point.
    package var scale: Double
    /// True: y runs down from the top (iOS, `HeadlessDisplay`). False: up from the bottom (macOS, CAML as it stands).
    package var isFlipped: Bool
    /// What lies behind every layer, straight.
    package var background: Color

    package init(size: PixelSize, scale: Double = 1, isFlipped: Bool = true, background: Color = .clear) {
        self.size = size
        self.scale = scale
        self.isFlipped = isFlipped
        self.background = background
    }

    /// From the root's superlayer space, points, to device pixels from the top left. The one place where y turns around.
    package var toDevice: Homography {
        isFlipped
            ? Homography.scale(scale, scale)
            : Homography(scale, 0, 0, 0, -scale, 0, 0, Double(size.height), 1)
    }
}
