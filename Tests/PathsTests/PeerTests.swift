// Coverage and lines next to FreeType's smooth rasterizer and cairo.
//
// FreeType gets the same polygons, on its grid of 64ths of a pixel: what is compared is the area. It rounds down to 256ths,
// so a level is its own. Cairo draws lines by itself; it looks at 15 rows a pixel, so an edge that is nearly level may be off by a
// 15th, 17 levels.

import CCairo
import CFreeType
import Glibc
import LayerModel
import Paths
import Testing

@Suite("Paths next to FreeType and cairo")
struct PeerTests {
    private static let samples: [(name: String, path: VectorPath)] = [
        ("circle", ShapeSamples.circle(100, 80, 70)), ("triangle", ShapeSamples.triangle),
        ("mixed", ShapeSamples.mixed), ("small circle", ShapeSamples.circle(100.3, 80.4, 3.7)),
    ]

    @Test("Filled polygons cover what FreeType says", arguments: 0..<4)
    func fills(sample: Int) throws {
        let (name, path) = Self.samples[sample]
        let clip = PixelRect(x: 0, y: 0, width: 200, height: 160)
        // Where the path crosses itself, at an acute angle, FreeType counts areas twice.
        let crossing = name == "mixed" ? PixelRect(x: 84, y: 56, width: 32, height: 16) : .empty
        try compare(onFreeTypesGrid(path.outline(projectedBy: .identity, near: clip)), name, ignoring: crossing)
    }

    @Test(
        "The contours of lines cover what FreeType says", arguments: 0..<4,
        [
            StrokeStyle(width: 2.5), StrokeStyle(width: 11, cap: .round, join: .round),
            StrokeStyle(width: 6, join: .bevel),
        ])
    func lines(sample: Int, style: StrokeStyle) throws {
        let (name, path) = Self.samples[sample]
        let clip = PixelRect(x: 0, y: 0, width: 200, height: 160)
        // Wider than the small circle it would cover itself.
        guard name != "small circle" || style.width < 6 else { return }
        try compare(onFreeTypesGrid(path.strokeOutline(style, projectedBy: .identity, near: clip)), name)
    }

    private func compare(_ outline: Outline, _ name: String, ignoring part: PixelRect = .empty) throws {
        let clip = PixelRect(x: 0, y: 0, width: 200, height: 160)
        var rasterizer = CoverageRasterizer()
        let ours = CoveredPixels(
            rasterizer.rasterize(outline, rule: .nonZero, clip: clip), width: 200, height: 160)
        let off = ours.difference(to: try freeType(outline)) { x, y in
            part.contains(PixelRect(x: x, y: y, width: 1, height: 1))
        }
        #expect(off.worst <= 3 && off.meanOfAll <= 0.25 && off.meanOfEdges <= 0.7, "\(name): \(off)")
    }

    private func onFreeTypesGrid(_ outline: Outline) -> Outline {
        var result = Outline()
        var start = 0
        for end in outline.contourEnds {
            result.addContour(
                outline.points[start..<end].map { Point(($0.x * 64).rounded() / 64, ($0.y * 64).rounded() / 64) })
            start = end
        }
        return result
    }

    private func freeType(_ outline: Outline) throws -> CoveredPixels {
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

    @Test(
        "Lines cover what cairo draws", arguments: 0..<3,
        [
            StrokeStyle(width: 2), StrokeStyle(width: 9, cap: .round, join: .round),
            StrokeStyle(width: 9, cap: .square, join: .bevel), StrokeStyle(width: 14, miterLimit: 4),
        ])
    func cairo(sample: Int, style: StrokeStyle) throws {
        let (name, path) = Self.samples[sample]
        let off = CoveredPixels.line(path, style).difference(to: try cairo(path, style))
        #expect(off.worst <= 20 && off.meanOfAll <= 0.25, "\(name): \(off)")
    }

    private func cairo(_ path: VectorPath, _ style: StrokeStyle) throws -> CoveredPixels {
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
        cairo_surface_flush(surface)
        let data = try #require(cairo_image_surface_get_data(surface))
        let stride = Int(cairo_image_surface_get_stride(surface))
        return CoveredPixels(
            bytes: (0..<200 * 160).map { data[$0 / 200 * stride + $0 % 200] }, width: 200, height: 160)
    }
}
