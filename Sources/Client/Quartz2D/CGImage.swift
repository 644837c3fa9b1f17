import CImageCodecs
import Foundation
import Glibc
import LayerModel

/// An immutable picture: premultiplied BGRA, 8 bits a channel, rows from the top, encoded sRGB.
public final class CGImage: Sendable {
    package let content: ImageContent

    /// What was passed over when the file was read: a color profile, a gamma, further frames. Sentences for a person.
    public let warnings: [String]

    package convenience init(_ content: ImageContent) {
        self.init(content, warnings: [])
    }

    init(_ content: ImageContent, warnings: [String]) {
        self.content = content
        self.warnings = warnings
    }

    /// Pixels.
    public var width: Int { content.width }

    /// Pixels.
    public var height: Int { content.height }

    /// The distance between two rows in memory, bytes; at least four times the width.
    public var bytesPerRow: Int { content.bytesPerRow }

    /// Always 8.
    public var bitsPerComponent: Int { 8 }

    /// Always 32.
    public var bitsPerPixel: Int { 32 }

    /// True when every pixel's alpha is 255.
    public var isOpaque: Bool { content.isOpaque }
}

// MARK: - From pixels in memory

extension CGImage {
    /// A picture from straight (not premultiplied) RGBA bytes, rows from the top without padding.
    ///
    /// - Parameter straightRGBA: width × height × 4 bytes. Each channel is stored as round(c·alpha/255).
    /// - Throws: `ImageFileError` for a size outside the limits or another number of bytes.
    public convenience init(width: Int, height: Int, straightRGBA: [UInt8]) throws {
        let count = try ImageLimits.byteCount(width: width, height: height, of: ImageFileError.unnamed)
        guard straightRGBA.count == count else {
            throw ImageFileError(
                file: ImageFileError.unnamed, problem: "\(straightRGBA.count) bytes of pixels",
                expected: "expected \(width) x \(height) x 4 = \(count)")
        }
        let memory = try PixelMemory(count: count, of: ImageFileError.unnamed)
        straightRGBA.withUnsafeBytes { memory.bytes.copyMemory(from: $0) }
        self.init(memory.imageFromStraightRGBA(width: width, height: height))
    }

    /// A picture from premultiplied BGRA bytes, rows from the top. The bytes are kept as they are; a channel above its
    /// alpha counts as equal to it where the picture is read straight.
    ///
    /// - Parameters:
    ///   - premultipliedBGRA: At least (height - 1) × bytesPerRow + width × 4 bytes.
    ///   - bytesPerRow: The distance between two rows in `premultipliedBGRA`; nil means width × 4.
    /// - Throws: `ImageFileError` for a size outside the limits or too few bytes.
    public convenience init(
        width: Int, height: Int, premultipliedBGRA: [UInt8], bytesPerRow: Int? = nil
    ) throws {
        let count = try ImageLimits.byteCount(width: width, height: height, of: ImageFileError.unnamed)
        let rowBytes = width * 4
        let stride = bytesPerRow ?? rowBytes
        let (before, overflows) = stride.multipliedReportingOverflow(by: height - 1)
        guard stride >= rowBytes, !overflows, before <= premultipliedBGRA.count - rowBytes else {
            throw ImageFileError(
                file: ImageFileError.unnamed,
                problem: "\(premultipliedBGRA.count) bytes of pixels, \(stride) a row",
                expected: "expected at least \(rowBytes) a row and \(height) rows")
        }
        let memory = try PixelMemory(count: count, of: ImageFileError.unnamed)
        premultipliedBGRA.withUnsafeBytes { source in
            for row in 0..<height {
                memory.copyRow(at: row * rowBytes, from: source.baseAddress! + row * stride, count: rowBytes)
            }
        }
        self.init(memory.imageFromPremultipliedBGRA(width: width, height: height))
    }

    /// The part of the picture inside `rect`, in pixels from the top left, rounded outward to whole pixels and cut at
    /// the picture's edges. Nil when nothing is left.
    public func cropping(to rect: CGRect) -> CGImage? {
        let wanted = rect.standardized.integral
        guard wanted.minX.isFinite, wanted.minY.isFinite, wanted.maxX.isFinite, wanted.maxY.isFinite else { return nil }
        let left = Int(max(0, min(wanted.minX, CGFloat(width))))
        let top = Int(max(0, min(wanted.minY, CGFloat(height))))
        let right = Int(max(0, min(wanted.maxX, CGFloat(width))))
        let bottom = Int(max(0, min(wanted.maxY, CGFloat(height))))
        guard right > left, bottom > top else { return nil }
        let rowBytes = (right - left) * 4
        guard let memory = try? PixelMemory(count: rowBytes * (bottom - top), of: ImageFileError.unnamed) else {
            return nil
        }
        content.pixels.withBytes { source in
            for row in top..<bottom {
                memory.copyRow(
                    at: (row - top) * rowBytes, from: source.baseAddress! + row * bytesPerRow + left * 4,
                    count: rowBytes)
            }
        }
        return CGImage(memory.imageFromPremultipliedBGRA(width: right - left, height: bottom - top))
    }
}

// MARK: - Reading pixels

extension CGImage {
    /// One pixel as straight (not premultiplied) bytes: round(c·255/alpha), all 0 where alpha is 0.
    ///
    /// - Precondition: 0 ≤ x < width and 0 ≤ y < height; x from the left, y from the top.
    public func pixel(x: Int, y: Int) -> (red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8) {
        precondition(
            x >= 0 && x < width && y >= 0 && y < height, "pixel (\(x), \(y)) of a \(width) x \(height) picture")
        return content.pixels.withBytes { source in
            var rgba: (UInt8, UInt8, UInt8, UInt8) = (0, 0, 0, 0)
            withUnsafeMutableBytes(of: &rgba) { target in
                codec_unpremultiply(
                    (source.baseAddress! + y * bytesPerRow + x * 4).assumingMemoryBound(to: UInt8.self),
                    target.baseAddress!.assumingMemoryBound(to: UInt8.self), 1)
            }
            return (rgba.0, rgba.1, rgba.2, rgba.3)
        }
    }
}
