// Contents that are drawn: a bitmap of the bounds at contentsScale, in the layer's own coordinates, becomes the contents.
// Source: semantic reference, §1.5 and §2.2.
//
// The bitmap has bounds · contentsScale pixels, rounded up; the bounds fill it exactly, so that what is drawn lies where it is
// shown. Where an odd number of flips lies above, y points down in the context. Of a layer that was drawn before, at the same
// size, only the invalid rectangle is drawn again, rounded outward to pixels.

import LayerModel

/// The bitmap that a layer's contents are drawn into.
struct LayerBitmap: Equatable {
    var bounds: Rect
    var width: Int
    var height: Int
    var isOpaque: Bool
    var isGray: Bool
    var isFlipped: Bool

    /// The layer's coordinates to pixels that count upwards.
    var transform: CGAffineTransform {
        let (x, y) = (CGFloat(width) / bounds.width, CGFloat(height) / bounds.height)
        return isFlipped
            ? CGAffineTransform(x, 0, 0, -y, -bounds.minX * x, CGFloat(height) + bounds.minY * y)
            : CGAffineTransform(x, 0, 0, y, -bounds.minX * x, -bounds.minY * y)
    }
}

extension CALayer {
    /// The format of drawn contents.
    public var contentsFormat: CALayerContentsFormat {
        get { drawing?.format ?? .RGBA8Uint }
        set {
            if drawing == nil { drawing = LayerDrawing() }
            drawing?.format = newValue
        }
    }

    /// Has no effect: drawing is done when the layer is displayed, and gives the same pixels.
    public var drawsAsynchronously: Bool {
        get { drawing?.drawsAsynchronously ?? false }
        set {
            if drawing == nil { drawing = LayerDrawing() }
            drawing?.drawsAsynchronously = newValue
        }
    }

    /// Pixels a side, and bytes, of a drawn bitmap.
    private static let maximumSide = 16_384.0
    private static let maximumPixels = 128.0 * 1_048_576

    /// Nil for empty bounds. A bitmap that would be too large leaves a fault, and is nil too.
    private final func makeBitmap() -> LayerBitmap? {
        let bounds = properties.bounds
        let scale = properties.contentsScale
        guard bounds.width > 0, bounds.height > 0, scale > 0, bounds.isFinite else { return nil }
        // What is an ulp above a whole number is that number.
        func pixels(_ length: Double) -> Double { max((length * scale - 1e-6).rounded(.up), 1) }
        let (width, height) = (pixels(bounds.width), pixels(bounds.height))
        guard width <= CALayer.maximumSide, height <= CALayer.maximumSide, width * height <= CALayer.maximumPixels
        else {
            recordFault(
                "contents",
                "drawing takes \(Int64(min(width, 1e15))) x \(Int64(min(height, 1e15))) pixels (bounds times "
                    + "contentsScale); at most 16384 a side and 128 Mi together can be drawn")
            return nil
        }
        return LayerBitmap(
            bounds: bounds, width: Int(width), height: Int(height), isOpaque: properties.isOpaque,
            isGray: contentsFormat == .gray8Uint, isFlipped: contentsAreFlipped())
    }

    /// Draws the contents by `draw(in:)`. They stay as they are where nothing draws.
    final func drawContents() {
        delegate?.layerWillDraw(self)
        let drawing = drawing ?? LayerDrawing()
        self.drawing = drawing
        guard let bitmap = makeBitmap() else { return dropDrawnContents() }
        guard
            let context = CGContext(
                width: bitmap.width, height: bitmap.height, isOpaque: bitmap.isOpaque, isGray: bitmap.isGray,
                initialTransform: bitmap.transform)
        else { return recordFault("contents", "no memory for \(bitmap.width) x \(bitmap.height) pixels") }
        context.label = label
        if let last = drawing.last, last.bitmap == bitmap, last.image === storedContents,
            let rect = drawing.drawnRect?.intersection(bounds), !rect.isNull, rect != bounds
        {
            context.restore(last.image, clearing: rect)
        }
        drawing.drewNothing = false
        draw(in: context)
        if drawing.drewNothing { return }
        guard let image = context.finishedImage() else {
            return recordFault("contents", "no memory for what was drawn")
        }
        drawing.last = (image, bitmap)
        showDrawnContents(image)
    }

    /// A layer without size shows nothing of what it showed before.
    private final func dropDrawnContents() {
        if let last = drawing?.last, last.image === storedContents { showDrawnContents(nil) }
        drawing?.last = nil
    }
}
