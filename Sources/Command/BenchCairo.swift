import CCairo
import Glibc
import LayerModel
import Quartz2D

/// The same scenes drawn with cairo into an image surface, as an app that uses cairo would draw them.
final class BenchCairo {
    let scene: BenchScene
    private let surface: OpaquePointer
    private let context: OpaquePointer
    /// Pictures as surfaces: the same bytes that layers get.
    private let photo: CairoPicture
    private let translucent: CairoPicture
    private let avatar: CairoPicture
    /// A card's shadow, blurred once, as an app that uses cairo would keep it.
    private let shadow: CairoShadow

    init(_ scene: BenchScene, _ pictures: BenchPictures) throws {
        self.scene = scene
        photo = CairoPicture(pictures.photo)
        translucent = CairoPicture(pictures.translucent)
        avatar = CairoPicture(pictures.avatar)
        shadow = CairoShadow()
        surface = cairo_image_surface_create(
            CAIRO_FORMAT_ARGB32, Int32(BenchScene.width), Int32(BenchScene.height))
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

    /// Draws a frame; its pixels are in memory when it returns.
    func draw(_ frame: Int) {
        switch scene {
        case .photo:
            cairo_set_source_surface(context, photo.surface, scene.offset(frame), 0)
            cairo_paint(context)
            cairo_set_source_surface(context, translucent.surface, 0, 0)
            cairo_paint(context)
        case .cards:
            fill(BenchScene.ground)
            cairo_set_operator(context, CAIRO_OPERATOR_SOURCE)
            cairo_paint(context)
            cairo_set_operator(context, CAIRO_OPERATOR_OVER)
            cairo_save(context)
            cairo_translate(context, 0, scene.offset(frame))
            for corner in BenchScene.cardCorners { drawCard(corner.x, corner.y) }
            cairo_restore(context)
        }
        cairo_surface_flush(surface)
    }

    /// A copy of what was drawn last.
    func picture() throws -> CGImage {
        let stride = Int(cairo_image_surface_get_stride(surface))
        let bytes = UnsafeBufferPointer(start: cairo_image_surface_get_data(surface), count: stride * BenchScene.height)
        return try CGImage(
            width: BenchScene.width, height: BenchScene.height, premultipliedBGRA: Array(bytes), bytesPerRow: stride)
    }

    private func drawCard(_ x: Double, _ y: Double) {
        let size = BenchScene.cardSize
        cairo_set_source_rgba(context, 0, 0, 0, BenchScene.shadow.opacity)
        cairo_mask_surface(
            context, shadow.surface, x - Double(CairoShadow.margin),
            y + BenchScene.shadow.down - Double(CairoShadow.margin))
        outline(context, x, y, size.width, size.height, size.radius)
        cairo_set_source_rgb(context, 1, 1, 1)
        cairo_fill(context)

        let place = BenchScene.portrait
        let radius = place.side / 2
        cairo_set_source_surface(context, avatar.surface, x + place.x, y + place.y)
        cairo_arc(context, x + place.x + radius, y + place.y + radius, radius, 0, 2 * .pi)
        cairo_fill(context)

        fill(BenchScene.bar)
        for bar in BenchScene.bars {
            outline(context, x + bar.x, y + bar.y, bar.width, BenchScene.barHeight, BenchScene.barHeight / 2)
            cairo_fill(context)
        }

        outline(context, x + 0.5, y + 0.5, size.width - 1, size.height - 1, size.radius - 0.5)
        cairo_set_source_rgba(context, 0, 0, 0, BenchScene.borderAlpha)
        cairo_set_line_width(context, 1)
        cairo_stroke(context)
    }

    private func fill(_ color: BenchColor) {
        cairo_set_source_rgb(context, color.red, color.green, color.blue)
    }
}

/// The path of a rounded rectangle.
private func outline(
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

/// Coverage of a card, convolved with a Gaussian.
private final class CairoShadow {
    static let margin = Int(3 * BenchScene.shadow.radius)
    let surface: OpaquePointer

    init() {
        let size = BenchScene.cardSize
        let (width, height) = (Int(size.width) + 2 * Self.margin, Int(size.height) + 2 * Self.margin)
        surface = cairo_image_surface_create(CAIRO_FORMAT_A8, Int32(width), Int32(height))
        let context = cairo_create(surface)!
        outline(context, Double(Self.margin), Double(Self.margin), size.width, size.height, size.radius)
        cairo_set_source_rgba(context, 0, 0, 0, 1)
        cairo_fill(context)
        cairo_destroy(context)
        cairo_surface_flush(surface)
        let stride = Int(cairo_image_surface_get_stride(surface))
        let bytes = cairo_image_surface_get_data(surface)!
        var levels = (0..<height).map { row in (0..<width).map { Double(bytes[row * stride + $0]) } }
        levels = Self.blurred(levels)
        levels = Self.transposed(Self.blurred(Self.transposed(levels)))
        for row in 0..<height {
            for column in 0..<width { bytes[row * stride + column] = UInt8(levels[row][column].rounded()) }
        }
        cairo_surface_mark_dirty(surface)
    }

    deinit { cairo_surface_destroy(surface) }

    private static func blurred(_ rows: [[Double]]) -> [[Double]] {
        let sigma = BenchScene.shadow.radius
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

/// A picture's own bytes as a surface that cairo reads.
private final class CairoPicture {
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
