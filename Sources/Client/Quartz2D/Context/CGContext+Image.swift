// Pictures. An image fills its rectangle with its top row at the rectangle's max y: upright in a bitmap context, upside down
// where the app has turned y around, as in Core Graphics.

import CCairo
import CImageCodecs
import Foundation
import LayerModel

extension CGContext {
    /// - Parameter byTiling: True: the picture in `rect` is repeated over what the clip leaves.
    public func draw(_ image: CGImage, in rect: CGRect, byTiling: Bool = false) {
        guard let rect = usable(rect), let (shape, source) = imageShape(image, in: rect, byTiling: byTiling) else {
            return
        }
        draw(shape, with: source)
    }

    /// Nil for an empty rectangle and where the ctm leaves no area.
    func imageShape(_ image: CGImage, in rect: CGRect, byTiling: Bool = false) -> (DrawnShape, InkSource)? {
        let rect = rect.standardized
        guard rect.width > 0, rect.height > 0 else { return nil }
        // Image pixels, y down, to user space.
        let place = CGAffineTransform(
            rect.width / CGFloat(image.width), 0, 0, -rect.height / CGFloat(image.height), rect.minX, rect.maxY
        ).concatenating(userToDevice)
        guard var matrix = place.cairoMatrix, let picture = ImageSurface(image) else { return nil }
        let filter = place.isPixelExact ? CAIRO_FILTER_NEAREST : state.interpolationQuality.filter
        let source = InkSource(isSolid: false) { cairo, _ in
            cairo_set_matrix(cairo, &matrix)
            cairo_set_source_surface(cairo, picture.surface, 0, 0)
            let source = cairo_get_source(cairo)
            cairo_pattern_set_extend(source, byTiling ? CAIRO_EXTEND_REPEAT : CAIRO_EXTEND_PAD)
            cairo_pattern_set_filter(source, filter)
            cairo_identity_matrix(cairo)
        }
        if byTiling { return (DrawnShape(box: nil) { cairo_paint($0) }, source) }
        let path = CGMutablePath()
        path.addRect(rect, transform: state.ctm)
        return (filled(path, .winding), source)
    }
}

extension CGInterpolationQuality {
    var filter: cairo_filter_t {
        switch self {
        case .none: CAIRO_FILTER_NEAREST
        case .low: CAIRO_FILTER_BILINEAR
        case .default, .medium: CAIRO_FILTER_GOOD
        case .high: CAIRO_FILTER_BEST
        }
    }
}

/// A picture's own bytes as a surface that cairo reads.
final class ImageSurface {
    let surface: OpaquePointer
    private let image: CGImage

    /// - Parameter fade: Below 1: a copy, with every channel times that.
    init?(_ image: CGImage, fade: Double = 1) {
        self.image = image
        let bytes = image.content.pixels.withBytes { $0 }
        guard let base = bytes.baseAddress, image.bytesPerRow % 4 == 0 else { return nil }
        // Cairo only reads from a source; the bytes live as long as the image that is kept here.
        let whole = cairo_image_surface_create_for_data(
            UnsafeMutablePointer(mutating: base.assumingMemoryBound(to: UInt8.self)), CAIRO_FORMAT_ARGB32,
            Int32(image.width), Int32(image.height), Int32(image.bytesPerRow))
        guard let whole, cairo_surface_status(whole) == CAIRO_STATUS_SUCCESS else { return nil }
        guard fade < 1 else {
            surface = whole
            return
        }
        defer { cairo_surface_destroy(whole) }
        guard let faded = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(image.width), Int32(image.height)),
            let cairo = cairo_create(faded)
        else { return nil }
        cairo_set_source_surface(cairo, whole, 0, 0)
        cairo_paint_with_alpha(cairo, fade)
        cairo_destroy(cairo)
        surface = faded
    }

    deinit { cairo_surface_destroy(surface) }
}
