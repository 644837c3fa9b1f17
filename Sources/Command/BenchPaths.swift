// The path engine by itself, processor time of one thread: filling next to FreeType, long lines, and a ring that grows.

import CFreeType
import Glibc
import LayerModel
import Paths

struct BenchPaths {
    /// What filling a circle may take, in times of what FreeType takes for the same polygon.
    private static let fillLimit = 2.0
    /// What a line with round corners along 10,000 points may take, milliseconds.
    private static let lineLimit = 10.0
    /// What a frame of a growing ring may take, milliseconds.
    private static let ringLimit = 1.0

    static func measure() throws -> BenchReport {
        let fill = try filling()
        let line = longLine()
        let ring = growingRing()
        let holds = fill.ours <= fillLimit * fill.theirs && line <= lineLimit && ring.mean <= ringLimit
        let text = """
            paths: processor time of one thread, at best
              circle of radius 200, filled: \((fill.ours * 1e3).rounded(to: 0)) µs, FreeType \
            \((fill.theirs * 1e3).rounded(to: 0)) µs for the same polygon; at most \(fillLimit) times
              line with round corners along 10,000 points: \(line.rounded(to: 2)) ms; at most \(lineLimit)
              ring of 300 points that grows over 60 frames, at 2 pixels a point: \(ring.mean.rounded(to: 3)) ms a frame, \
            \(ring.worst.rounded(to: 3)) the worst; at most \(ringLimit)\(holds ? "" : "  TOO SLOW")

            """
        let json = JSONText.object([
            ("bench", .string("paths")), ("fill_ms", .number(fill.ours)), ("freetype_fill_ms", .number(fill.theirs)),
            ("line_ms", .number(line)), ("ring_ms", .number(ring.mean)), ("ring_worst_ms", .number(ring.worst)),
            ("holds", .bool(holds)),
        ])
        return BenchReport(text: text, json: json, holds: holds)
    }

    private static func best(_ rounds: Int, _ body: () -> Void) -> Double {
        (0..<rounds).map { _ in BenchClock.threadMilliseconds(body) }.min() ?? 0
    }

    // MARK: Filling

    /// Both get the circle as a polygon on FreeType's grid of 64ths of a pixel; ours is made into spans and tiles, FreeType's
    /// into a bitmap.
    private static func filling() throws -> (ours: Double, theirs: Double) {
        let side = 420
        let count = 512
        var path = VectorPath()
        for index in 0..<count {
            let angle = 2 * Double.pi * Double(index) / Double(count)
            let point = Point(
                ((210 + 200 * cos(angle)) * 64).rounded() / 64, ((210 + 200 * sin(angle)) * 64).rounded() / 64)
            if index == 0 { path.move(to: point) } else { path.line(to: point) }
        }
        path.close()
        let clip = PixelRect(x: 0, y: 0, width: side, height: side)
        var rasterizer = CoverageRasterizer()
        let ours = best(200) {
            _ = rasterizer.rasterize(path.outline(projectedBy: .identity, near: clip), rule: .nonZero, clip: clip)
        }
        return (ours, try freeType(path, side))
    }

    private static func freeType(_ path: VectorPath, _ side: Int) throws -> Double {
        var library: FT_Library?
        guard FT_Init_FreeType(&library) == 0 else {
            throw CommandFailure.usage("FreeType does not start", help: "install libfreetype6")
        }
        defer { FT_Done_FreeType(library) }
        var points = path.points.map { FT_Vector(x: Int($0.x * 64), y: Int($0.y * 64)) }
        var outline = FT_Outline()
        guard FT_Outline_New(library, UInt32(points.count), 1, &outline) == 0 else {
            throw CommandFailure.usage("FreeType refuses \(points.count) points", help: "this is a fault of the bench")
        }
        defer { FT_Outline_Done(library, &outline) }
        for index in points.indices {
            outline.points[index] = points[index]
            outline.tags[index] = 1
        }
        outline.contours[0] = numericCast(points.count - 1)
        points = []
        var pixels = [UInt8](repeating: 0, count: side * side)
        return pixels.withUnsafeMutableBufferPointer { pixels in
            var bitmap = FT_Bitmap()
            bitmap.rows = UInt32(side)
            bitmap.width = UInt32(side)
            bitmap.pitch = Int32(side)
            bitmap.buffer = pixels.baseAddress
            bitmap.num_grays = 256
            bitmap.pixel_mode = UInt8(FT_PIXEL_MODE_GRAY.rawValue)
            return best(200) {
                memset(bitmap.buffer, 0, side * side)
                FT_Outline_Get_Bitmap(library, &outline, &bitmap)
            }
        }
    }

    // MARK: Lines

    /// A chart's line: 10,000 points over 1,000 pixels.
    private static func longLine() -> Double {
        let clip = PixelRect(x: 0, y: 0, width: 1_000, height: 700)
        var state: UInt64 = 1
        var y = 350.0
        var path = VectorPath()
        for index in 0..<10_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            y = min(max(y + (Double(state >> 33) / Double(1 << 31) - 0.5) * 8, 10), 690)
            let point = Point(Double(index) / 10, y)
            if index == 0 { path.move(to: point) } else { path.line(to: point) }
        }
        let style = StrokeStyle(width: 2, cap: .round, join: .round)
        var rasterizer = CoverageRasterizer()
        return best(30) {
            _ = rasterizer.rasterize(
                path.strokeOutline(style, projectedBy: .identity, near: clip), rule: .nonZero, clip: clip)
        }
    }

    private static func growingRing() -> (mean: Double, worst: Double) {
        let k = 144 * 0.5522847498307936
        var path = VectorPath()
        path.move(to: Point(294, 150))
        path.cubic(to: Point(150, 294), Point(294, 150 + k), Point(150 + k, 294))
        path.cubic(to: Point(6, 150), Point(150 - k, 294), Point(6, 150 + k))
        path.cubic(to: Point(150, 6), Point(6, 150 - k), Point(150 - k, 6))
        path.cubic(to: Point(294, 150), Point(150 + k, 6), Point(294, 150 - k))
        path.close()
        let clip = PixelRect(x: 0, y: 0, width: 600, height: 600)
        var rasterizer = CoverageRasterizer()
        let frames = (1...60).map { frame in
            best(5) {
                let style = StrokeStyle(width: 12, cap: .round, end: Double(frame) / 60)
                _ = rasterizer.rasterize(
                    path.strokeOutline(style, projectedBy: .scale(2, 2), near: clip), rule: .nonZero, clip: clip)
            }
        }
        return (frames.reduce(0, +) / 60, frames.max() ?? 0)
    }
}
