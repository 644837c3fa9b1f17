import CImageCodecs
import Glibc
import Quartz2D

/// PNG files of parts of pixels in memory: what `CGImage.pngData` makes of the same picture.
enum PNGPacking {
    private struct Rows {
        var base: UnsafePointer<UInt8>
        var bytesPerRow: Int
        var width: Int
    }

    /// The file of a rectangle, in pixels; it must lie inside. Straight RGBA, filter SUB, an sRGB chunk.
    static func file(
        of pixels: ClipPixels, x: Int = 0, y: Int = 0, width: Int, height: Int, level: Int = 6
    ) throws -> [UInt8] {
        var rows = Rows(
            base: pixels.base + y * pixels.bytesPerRow + x * 4, bytesPerRow: pixels.bytesPerRow, width: width)
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        var report = codec_report()
        let fillRow: codec_row_source = { context, row, rgba in
            let rows = context!.assumingMemoryBound(to: Rows.self).pointee
            codec_unpremultiply(rows.base + Int(row) * rows.bytesPerRow, rgba, rows.width)
        }
        guard
            codec_png_encode(UInt32(width), UInt32(height), Int32(level), fillRow, &rows, &bytes, &count, &report),
            let bytes
        else {
            let text = withUnsafeBytes(of: report.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            throw ImageFileError(file: "a frame", problem: "the PNG could not be made: \(text)")
        }
        defer { free(bytes) }
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }
}
