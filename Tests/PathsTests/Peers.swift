import CCairo
import CFreeType
import Glibc
import LayerModel
import Paths
import Testing

/// Pictures of 200x160 pixels by other programs.
enum Peers {
    /// A polygon, its corners on a grid of 64ths of a pixel.
    static func freeType(_ outline: Outline) throws -> CoveredPixels {
        var library: FT_Library?
        try #require(FT_Init_FreeType(&library) == 0)
        defer { FT_Done_FreeType(library) }
        var shape = FT_Outline()
        try #require(
            FT_Outline_New(library, UInt32(outline.points.count), numericCast(outline.contourEnds.count), &shape) == 0)
        defer { FT_Outline_Done(library, &shape) }
        for (index, point) in outline.points.enumerated() {
            shape.points[index] = FT_Vector(x: Int((point.x * 64).rounded()), y: Int((point.y * 64).rounded()))
            shape.tags[index] = 1
        }
        for (index, end) in outline.contourEnds.enumerated() { shape.contours[index] = numericCast(end - 1) }
        var bytes = [UInt8](repeating: 0, count: 200 * 160)
        let failure = bytes.withUnsafeMutableBufferPointer { bytes in
            var bitmap = FT_Bitmap()
            bitmap.rows = 160
            bitmap.width = 200
            // Rows from the bottom, y up: the same as rows from the top, y down.
            bitmap.pitch = -200
            bitmap.buffer = bytes.baseAddress
            bitmap.num_grays = 256
            bitmap.pixel_mode = UInt8(FT_PIXEL_MODE_GRAY.rawValue)
            return FT_Outline_Get_Bitmap(library, &shape, &bitmap)
        }
        try #require(failure == 0)
        return CoveredPixels(bytes: bytes, width: 200, height: 160)
    }

    /// Filled, or a line along it.
    static func cairo(_ path: VectorPath, _ style: StrokeStyle?) throws -> CoveredPixels {
        let surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 200, 160)
        let context = cairo_create(surface)
        defer {
            cairo_destroy(context)
            cairo_surface_destroy(surface)
        }
        cairo_set_tolerance(context, 0.001)
        var next = 0
        var current = Point.zero
        for verb in path.verbs {
            let p = Array(path.points[next..<next + verb.pointCount])
            next += verb.pointCount
            switch verb {
            case .move: cairo_move_to(context, p[0].x, p[0].y)
            case .line: cairo_line_to(context, p[0].x, p[0].y)
            case .quad:
                func third(_ a: Double, _ b: Double) -> Double { a + (b - a) * 2 / 3 }
                cairo_curve_to(
                    context, third(current.x, p[0].x), third(current.y, p[0].y), third(p[1].x, p[0].x),
                    third(p[1].y, p[0].y), p[1].x, p[1].y)
            case .cubic: cairo_curve_to(context, p[0].x, p[0].y, p[1].x, p[1].y, p[2].x, p[2].y)
            case .close: cairo_close_path(context)
            }
            if let last = p.last { current = last }
        }
        if let style {
            cairo_set_line_width(context, style.width)
            cairo_set_miter_limit(context, style.miterLimit)
            switch style.cap {
            case .butt: cairo_set_line_cap(context, CAIRO_LINE_CAP_BUTT)
            case .round: cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
            case .square: cairo_set_line_cap(context, CAIRO_LINE_CAP_SQUARE)
            }
            switch style.join {
            case .miter: cairo_set_line_join(context, CAIRO_LINE_JOIN_MITER)
            case .round: cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
            case .bevel: cairo_set_line_join(context, CAIRO_LINE_JOIN_BEVEL)
            }
            cairo_stroke(context)
        } else {
            cairo_fill(context)
        }
        cairo_surface_flush(surface)
        let data = try #require(cairo_image_surface_get_data(surface))
        let stride = Int(cairo_image_surface_get_stride(surface))
        return CoveredPixels(
            bytes: (0..<200 * 160).map { data[$0 / 200 * stride + $0 % 200] }, width: 200, height: 160)
    }
}
