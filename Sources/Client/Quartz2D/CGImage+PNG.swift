import CImageCodecs
import Foundation
import Glibc
import LayerModel

extension CGImage {
    /// The picture as a PNG file: RGBA, 8 bits a channel, straight alpha, filter SUB, an sRGB chunk. The same picture
    /// and level give the same bytes with the same zlib.
    ///
    /// - Parameter level: zlib's, 0 (fast, large) to 9; 1 suits artifacts, 6 files that are kept.
    /// - Throws: `ImageFileError` for another level or for want of memory.
    public func pngData(level: Int = 6) throws -> [UInt8] {
        try withPNG(level: level, for: ImageFileError.unnamed) { Array($0) }
    }

    /// Writes the picture as a PNG file. The bytes go to a new file beside `path`, which then takes the place of
    /// whatever was there: a reader sees the old file or the new one, and a failure leaves the old one.
    ///
    /// - Parameter level: As for `pngData(level:)`.
    /// - Throws: `ImageFileError` naming `path`.
    public func writePNG(to path: String, level: Int = 6) throws {
        guard !path.isEmpty else {
            throw ImageFileError(file: path, problem: "an empty path", expected: "expected the name of a PNG file")
        }
        try withPNG(level: level, for: path) { bytes in
            do {
                try OutputPlace(path).put(bytes)
            } catch {
                throw ImageFileError(file: path, problem: "it cannot be written: \(error)")
            }
        }
    }

    /// Writes the picture as a PNG file at a file URL, as `writePNG(to:level:)` does at a path.
    public func writePNG(to url: URL, level: Int = 6) throws {
        guard url.isFileURL else {
            throw ImageFileError(
                file: url.absoluteString, problem: "it is not a file on this machine", expected: "expected a file URL")
        }
        try writePNG(to: url.path, level: level)
    }

    private func withPNG<Result>(
        level: Int, for file: String, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        guard (0...9).contains(level) else {
            throw ImageFileError(file: file, problem: "compression level \(level)", expected: "expected 0 to 9")
        }
        _ = try ImageLimits.byteCount(width: width, height: height, of: file)
        return try content.pixels.withBytes { source in
            var rows = PixelRows(base: source.baseAddress!, bytesPerRow: bytesPerRow, width: width)
            var bytes: UnsafeMutablePointer<UInt8>?
            var count = 0
            var report = codec_report()
            let fillRow: codec_row_source = { context, row, rgba in
                let rows = context!.assumingMemoryBound(to: PixelRows.self).pointee
                let bgra = rows.base + Int(row) * rows.bytesPerRow
                codec_unpremultiply(bgra.assumingMemoryBound(to: UInt8.self), rgba, rows.width)
            }
            let isDone = codec_png_encode(
                UInt32(width), UInt32(height), Int32(level), fillRow, &rows, &bytes, &count, &report)
            guard isDone, let bytes else {
                throw ImageFileError(file: file, problem: "the PNG could not be made: \(report.text)")
            }
            defer { free(bytes) }
            return try body(UnsafeRawBufferPointer(start: bytes, count: count))
        }
    }
}

/// The rows that a PNG is made from, as the codec's callback sees them.
private struct PixelRows {
    let base: UnsafeRawPointer
    let bytesPerRow: Int
    let width: Int
}
