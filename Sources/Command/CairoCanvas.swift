import CCairo
import Glibc
import Quartz2D

/// An image surface of cairo's and what draws into it.
final class CairoCanvas {
    let surface: OpaquePointer
    let context: OpaquePointer
    let width: Int
    let height: Int

    /// - Parameters:
    ///   - width: Pixels.
    ///   - height: Pixels.
    init(_ width: Int, _ height: Int) throws {
        (self.width, self.height) = (width, height)
        surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(width), Int32(height))
        context = cairo_create(surface)
        guard cairo_status(context) == CAIRO_STATUS_SUCCESS else {
            throw CommandFailure(
                .environment, "cairo: \(String(cString: cairo_status_to_string(cairo_status(context))))")
        }
    }

    deinit {
        cairo_destroy(context)
        cairo_surface_destroy(surface)
    }

    /// Draws, and copies what is there then.
    func image(_ draw: (OpaquePointer) -> Void) throws -> CGImage {
        draw(context)
        return try image()
    }

    /// A copy of the pixels.
    func image() throws -> CGImage {
        cairo_surface_flush(surface)
        let stride = Int(cairo_image_surface_get_stride(surface))
        let bytes = UnsafeBufferPointer(start: cairo_image_surface_get_data(surface), count: stride * height)
        return try CGImage(width: width, height: height, premultipliedBGRA: Array(bytes), bytesPerRow: stride)
    }
}

/// A picture's own bytes as a surface that cairo reads.
final class CairoPicture {
    let surface: OpaquePointer
    private let image: CGImage

    init(_ image: CGImage) {
        self.image = image
        surface = image.content.pixels.withBytes { bytes in
            // Cairo only reads from a source; the bytes live as long as the image that is kept here.
            cairo_image_surface_create_for_data(
                UnsafeMutablePointer(mutating: bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)),
                CAIRO_FORMAT_ARGB32, Int32(image.width), Int32(image.height), Int32(image.bytesPerRow))
        }
    }

    deinit { cairo_surface_destroy(surface) }
}

/// Coverage of a rounded rectangle, convolved with a Gaussian, as an app that uses cairo would keep it.
final class CairoShadow {
    let surface: OpaquePointer
    /// Pixels around the rectangle.
    let margin: Int

    /// - Parameter sigma: Standard deviation, pixels.
    init(_ width: Double, _ height: Double, radius: Double, sigma: Double) {
        margin = Int(3 * sigma)
        let (width, height, margin) = (Int(width), Int(height), margin)
        let (columns, rows) = (width + 2 * margin, height + 2 * margin)
        surface = cairo_image_surface_create(CAIRO_FORMAT_A8, Int32(columns), Int32(rows))
        let context = cairo_create(surface)!
        cairoOutline(context, Double(margin), Double(margin), Double(width), Double(height), radius)
        cairo_set_source_rgba(context, 0, 0, 0, 1)
        cairo_fill(context)
        cairo_destroy(context)
        cairo_surface_flush(surface)
        let stride = Int(cairo_image_surface_get_stride(surface))
        let bytes = cairo_image_surface_get_data(surface)!
        var levels = (0..<rows).map { row in (0..<columns).map { Double(bytes[row * stride + $0]) } }
        levels = Self.blurred(levels, sigma, margin)
        levels = Self.transposed(Self.blurred(Self.transposed(levels), sigma, margin))
        for row in 0..<rows {
            for column in 0..<columns { bytes[row * stride + column] = UInt8(levels[row][column].rounded()) }
        }
        cairo_surface_mark_dirty(surface)
    }

    deinit { cairo_surface_destroy(surface) }

    private static func blurred(_ rows: [[Double]], _ sigma: Double, _ margin: Int) -> [[Double]] {
        var weights = (-margin...margin).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
        let sum = weights.reduce(0, +)
        weights = weights.map { $0 / sum }
        return rows.map { row in
            row.indices.map { column in
                var value = 0.0
                for (tap, weight) in weights.enumerated() {
                    let at = column + tap - margin
                    if row.indices.contains(at) { value += weight * row[at] }
                }
                return value
            }
        }
    }

    private static func transposed(_ rows: [[Double]]) -> [[Double]] {
        rows[0].indices.map { column in rows.map { $0[column] } }
    }
}

/// The path of a rounded rectangle.
func cairoOutline(
    _ context: OpaquePointer, _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ radius: Double
) {
    let (right, bottom) = (x + width - radius, y + height - radius)
    cairo_new_sub_path(context)
    cairo_arc(context, right, y + radius, radius, -.pi / 2, 0)
    cairo_arc(context, right, bottom, radius, 0, .pi / 2)
    cairo_arc(context, x + radius, bottom, radius, .pi / 2, .pi)
    cairo_arc(context, x + radius, y + radius, radius, .pi, 1.5 * .pi)
    cairo_close_path(context)
}
