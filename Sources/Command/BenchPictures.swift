import CCairo
import Glibc
import Quartz2D

/// The pictures of the bench's scenes, made from formulas: waves of color under a checkerboard, masks, gradients, an arc.
struct BenchPictures {
    /// 2120x1080, opaque.
    let photo: CGImage
    /// 1920x1080, alpha from 64 to 191.
    let translucent: CGImage
    /// 96x96, opaque.
    let avatar: CGImage
    /// 256x256, opaque.
    let square: CGImage
    /// 256x256, black: a star; an alpha that falls downwards.
    let star: CGImage
    let fade: CGImage
    /// Each box's gradient, a column of pixels.
    let boxes: [CGImage]
    /// 40x40: three quarters of a ring, with round ends.
    let arc: CGImage

    init() throws {
        photo = try Self.waves(2_120, 1_080, scale: 1.5) { _ in 255 }
        translucent = try Self.waves(1_920, 1_080, scale: 0.8) { x in UInt8(64 + x % 128) }
        avatar = try Self.waves(96, 96, scale: 0.3) { _ in 255 }
        square = try Self.waves(256, 256, scale: 0.6) { _ in 255 }
        let side = Int(BenchScene.pictureSide)
        star = try CairoCanvas(side, side).image { canvas in
            for corner in BenchScene.star { cairo_line_to(canvas, corner.x, corner.y) }
            cairo_fill(canvas)
        }
        fade = try CairoCanvas(side, side).image { canvas in
            let (top, bottom) = BenchScene.fade
            for row in 0..<side {
                let share = (Double(row) + 0.5) / Double(side)
                cairo_set_source_rgba(canvas, 0, 0, 0, top + (bottom - top) * share)
                cairo_rectangle(canvas, 0, Double(row), Double(side), 1)
                cairo_fill(canvas)
            }
        }
        boxes = try BenchScene.boxes.map { (box: BenchBox) throws -> CGImage in try Self.gradient(box) }
        let arcSide = BenchScene.spinnerFrame.side
        arc = try CairoCanvas(Int(arcSide), Int(arcSide)).image { canvas in
            Self.arc(canvas, arcSide / 2, arcSide / 2, 0)
        }
    }

    /// From a box's upper color to its lower one: one pixel wide.
    private static func gradient(_ box: BenchBox) throws -> CGImage {
        let height = Int(BenchScene.boxSize.height)
        var bytes: [UInt8] = []
        for row in 0..<height {
            let share = (Double(row) + 0.5) / Double(height)
            func level(_ top: Double, _ bottom: Double) -> UInt8 {
                UInt8(((top + (bottom - top) * share) * 255).rounded())
            }
            bytes.append(level(box.top.red, box.bottom.red))
            bytes.append(level(box.top.green, box.bottom.green))
            bytes.append(level(box.top.blue, box.bottom.blue))
            bytes.append(255)
        }
        return try CGImage(width: 1, height: height, straightRGBA: bytes)
    }

    /// The spinner around a point, turned by radians.
    static func arc(_ context: OpaquePointer, _ x: Double, _ y: Double, _ angle: Double) {
        cairo_new_path(context)
        cairo_arc(context, x, y, 16, angle, angle + 1.5 * .pi)
        cairo_set_line_width(context, 4)
        cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
        let color = BenchScene.spinnerColor
        cairo_set_source_rgb(context, color.red, color.green, color.blue)
        cairo_stroke(context)
    }

    /// - Parameters:
    ///   - width: Pixels.
    ///   - height: Pixels.
    ///   - scale: How long the waves are; at 1 the checkerboard's squares have 32 pixels.
    ///   - alpha: Of a column.
    static func waves(_ width: Int, _ height: Int, scale: Double, alpha: (Int) -> UInt8) throws -> CGImage {
        var bytes = [UInt8](repeating: 0, count: width * height * 4)
        func level(_ value: Double) -> UInt8 { UInt8(min(max(value, 0), 255)) }
        for row in 0..<height {
            for column in 0..<width {
                let (x, y) = (Double(column), Double(row))
                let square = 32 * scale
                let isDark = (Int(x / square) + Int(y / square)) % 2 == 1
                let shade = isDark ? 50.0 : 0
                let offset = (row * width + column) * 4
                bytes[offset] = level(127 + 120 * sin(x / (37 * scale) + y / (91 * scale)) - shade)
                bytes[offset + 1] = level(127 + 120 * sin(y / (53 * scale) - x / (120 * scale) + 1) - shade)
                bytes[offset + 2] = level(127 + 120 * sin((x + y) / (71 * scale) + 2))
                bytes[offset + 3] = alpha(column)
            }
        }
        return try CGImage(width: width, height: height, straightRGBA: bytes)
    }
}
