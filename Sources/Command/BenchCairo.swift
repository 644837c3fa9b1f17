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

    init(_ scene: BenchScene, _ pictures: BenchPictures) throws {
        self.scene = scene
        photo = CairoPicture(pictures.photo)
        translucent = CairoPicture(pictures.translucent)
        avatar = CairoPicture(pictures.avatar)
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
        outline(x, y, size.width, size.height, size.radius)
        cairo_set_source_rgb(context, 1, 1, 1)
        cairo_fill(context)

        let place = BenchScene.portrait
        let radius = place.side / 2
        cairo_set_source_surface(context, avatar.surface, x + place.x, y + place.y)
        cairo_arc(context, x + place.x + radius, y + place.y + radius, radius, 0, 2 * .pi)
        cairo_fill(context)

        fill(BenchScene.bar)
        for bar in BenchScene.bars {
            outline(x + bar.x, y + bar.y, bar.width, BenchScene.barHeight, BenchScene.barHeight / 2)
            cairo_fill(context)
        }

        outline(x + 0.5, y + 0.5, size.width - 1, size.height - 1, size.radius - 0.5)
        cairo_set_source_rgba(context, 0, 0, 0, BenchScene.borderAlpha)
        cairo_set_line_width(context, 1)
        cairo_stroke(context)
    }

    private func fill(_ color: BenchColor) {
        cairo_set_source_rgb(context, color.red, color.green, color.blue)
    }

    /// The path of a rounded rectangle.
    private func outline(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ radius: Double) {
        let (right, bottom) = (x + width - radius, y + height - radius)
        cairo_new_sub_path(context)
        cairo_arc(context, right, y + radius, radius, -.pi / 2, 0)
        cairo_arc(context, right, bottom, radius, 0, .pi / 2)
        cairo_arc(context, x + radius, bottom, radius, .pi / 2, .pi)
        cairo_arc(context, x + radius, y + radius, radius, .pi, 1.5 * .pi)
        cairo_close_path(context)
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
