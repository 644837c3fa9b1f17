import CoreAnimation

extension CGColor {
    /// A color written as on the web: 0xRRGGBB.
    static func hex(_ value: UInt32, alpha: CGFloat = 1) -> CGColor {
        CGColor(
            red: CGFloat(value >> 16 & 255) / 255, green: CGFloat(value >> 8 & 255) / 255,
            blue: CGFloat(value & 255) / 255, alpha: alpha)
    }
}

extension CATextLayer {
    /// A line of text. `scale` is the display's pixels a point.
    convenience init(
        _ text: String, _ font: String = "Helvetica", size: CGFloat, color: CGColor,
        alignment: CATextLayerAlignmentMode = .left, scale: CGFloat
    ) {
        self.init()
        string = text
        self.font = font
        fontSize = size
        foregroundColor = color
        alignmentMode = alignment
        contentsScale = scale
        actions = ["contents": NSNull()]
    }
}

extension CGPoint {
    /// The point at an angle, clockwise from twelve o'clock in turns.
    func turned(_ turns: CGFloat, radius: CGFloat) -> CGPoint {
        let angle = (turns - 0.25) * 2 * .pi
        return CGPoint(x: x + radius * cos(angle), y: y + radius * sin(angle))
    }
}
