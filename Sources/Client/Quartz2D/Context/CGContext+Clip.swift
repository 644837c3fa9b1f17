import CCairo
import Foundation
import LayerModel

extension CGContext {
    /// Drawing reaches only the inside of the current path from now on, which is lost. An empty path changes nothing.
    public func clip(using rule: CGPathFillRule = .winding) {
        let path = currentPath
        beginPath()
        guard !path.isEmpty else { return }
        clip(to: path, rule)
    }

    /// Drawing reaches only a rectangle of user space from now on, inside of what it reached before. The current path
    /// is lost.
    public func clip(to rect: CGRect) { clip(to: [rect]) }

    /// The union of rectangles. The current path is lost.
    public func clip(to rects: [CGRect]) {
        beginPath()
        let path = CGMutablePath()
        for rect in rects {
            guard let rect = usable(rect) else { continue }
            path.addRect(rect, transform: state.ctm)
        }
        clip(to: path, .winding)
    }

    /// Multiplies the clip with a picture laid into `rect`: with its alpha, or where it is opaque with one less its
    /// brightness, as an image mask paints where it is black.
    public func clip(to rect: CGRect, mask: CGImage) {
        clip(to: rect)
        guard let rect = usable(rect) else { return }
        multiplyMask(mask, in: rect, isStencil: mask.isOpaque)
    }

    /// A picture of the context's size, by its alpha alone. The ctm must be the identity.
    func clipToAlpha(of image: CGImage) {
        multiplyMask(image, in: CGRect(x: 0, y: 0, width: width, height: height), isStencil: false)
    }

    /// - Parameter isStencil: Not alpha counts but how dark a pixel is.
    private func multiplyMask(_ mask: CGImage, in rect: CGRect, isStencil: Bool) {
        guard !target.clipBox.isEmpty else { return }
        guard let layer = DrawingTarget(target.clipBox), let shape = imageShape(mask, in: rect) else { return }
        shape.1.set(layer.cairo, 1)
        shape.0.paint(layer.cairo)
        cairo_surface_flush(layer.surface)
        let whole = PixelRect(minX: 0, minY: 0, maxX: bitmap.width, maxY: bitmap.height)
        guard let plane = DrawingTarget(whole, format: CAIRO_FORMAT_A8) else { return }
        let old = state.softMask.map { cairo_image_surface_get_data($0.surface)! }
        for y in layer.rect.minY..<layer.rect.maxY {
            var from = layer.bytes + (y - layer.rect.minY) * layer.stride
            let to = plane.bytes + y * plane.stride
            for x in layer.rect.minX..<layer.rect.maxX {
                var value = Int(from[3])
                if isStencil {
                    value = 255 - (Int(from[2]) * 2126 + Int(from[1]) * 7152 + Int(from[0]) * 722 + 5000) / 10000
                }
                if let old { value = (value * Int(old[y * plane.stride + x]) + 127) / 255 }
                to[x] = UInt8(min(max(value, 0), 255))
                from += 4
            }
        }
        cairo_surface_mark_dirty(plane.surface)
        state.softMask = SoftMask(cairo_surface_reference(plane.surface))
    }

    /// Everything may be drawn to again, in a transparency layer everything that the layer holds.
    public func resetClip() {
        cairo_reset_clip(target.cairo)
        state.softMask = nil
    }

    /// Around what drawing reaches, in user space; null when that is nothing.
    public var boundingBoxOfClipPath: CGRect {
        let box = target.clipBox
        guard !box.isEmpty else { return .null }
        let device = CGRect(x: box.minX, y: box.minY, width: box.width, height: box.height)
        return device.applying(userToDevice.inverted())
    }

    private func clip(to path: CGPath, _ rule: CGPathFillRule) {
        let cairo = target.cairo
        append(path, to: cairo)
        prepare(cairo)
        cairo_set_fill_rule(cairo, rule == .winding ? CAIRO_FILL_RULE_WINDING : CAIRO_FILL_RULE_EVEN_ODD)
        cairo_clip(cairo)
        checkCairo(cairo)
    }
}
