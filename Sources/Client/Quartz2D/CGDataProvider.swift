// Bytes that an image is made of, and images made of bytes in the layouts that Core Graphics names.

import Foundation
import LayerModel

/// Bytes, as they are.
public final class CGDataProvider: Sendable {
    public let data: CFData?

    /// Never nil.
    public init?(data: CFData) { self.data = data }

    /// Nil for what is no file, cannot be read, or is larger than an image file may be.
    public convenience init?(url: URL) {
        guard url.isFileURL else { return nil }
        self.init(filename: url.path)
    }

    /// Nil for what cannot be read, or is larger than an image file may be.
    public init?(filename: String) {
        guard let bytes = try? InputFile(filename).contents else { return nil }
        data = Data(bytes)
    }
}

extension CGImage {
    /// A picture from bytes in memory, rows from the top.
    ///
    /// Nil for what is not taken: other than 8 bits a component, floats, 16-bit orders, a `decode` array, sizes outside
    /// the limits, rows shorter than their pixels, and fewer bytes than the rows need.
    ///
    /// - Parameters:
    ///   - bitsPerPixel: 32 with `first`, `last` or skipped alpha, 24 with none, 8 for gray with none.
    ///   - shouldInterpolate: Ignored: a layer's filters, or a context's quality, say it.
    ///   - intent: Ignored: colors are drawn as they are.
    public convenience init?(
        width: Int, height: Int, bitsPerComponent: Int, bitsPerPixel: Int, bytesPerRow: Int, space: CGColorSpace,
        bitmapInfo: CGBitmapInfo, provider: CGDataProvider, decode: UnsafePointer<CGFloat>?, shouldInterpolate: Bool,
        intent: CGColorRenderingIntent
    ) {
        guard decode == nil, bitsPerComponent == 8, let data = provider.data,
            let layout = ByteLayout(bitsPerPixel: bitsPerPixel, space: space, info: bitmapInfo),
            let count = try? ImageLimits.byteCount(width: width, height: height, of: ImageFileError.unnamed),
            bytesPerRow >= width * layout.bytesPerPixel
        else { return nil }
        let (before, overflows) = bytesPerRow.multipliedReportingOverflow(by: height - 1)
        guard !overflows, before <= data.count - width * layout.bytesPerPixel,
            let memory = try? PixelMemory(count: count, of: ImageFileError.unnamed)
        else { return nil }
        data.withUnsafeBytes { source in
            for y in 0..<height {
                layout.copyRow(
                    UnsafeRawBufferPointer(rebasing: source[(y * bytesPerRow)...]), count: width,
                    to: UnsafeMutableRawBufferPointer(rebasing: memory.bytes[(y * width * 4)...]))
            }
        }
        self.init(
            layout.isStraight
                ? memory.imageFromStraightRGBA(width: width, height: height)
                : memory.imageFromPremultipliedBGRA(width: width, height: height))
    }

    /// A PNG file's picture; nil for what is none. `decode` must be nil.
    public convenience init?(
        pngDataProviderSource source: CGDataProvider, decode: UnsafePointer<CGFloat>?, shouldInterpolate: Bool,
        intent: CGColorRenderingIntent
    ) {
        self.init(source, as: .png, decode)
    }

    /// A JPEG file's picture; nil for what is none. `decode` must be nil.
    public convenience init?(
        jpegDataProviderSource source: CGDataProvider, decode: UnsafePointer<CGFloat>?, shouldInterpolate: Bool,
        intent: CGColorRenderingIntent
    ) {
        self.init(source, as: .jpeg, decode)
    }

    private convenience init?(_ source: CGDataProvider, as format: ImageFormat, _ decode: UnsafePointer<CGFloat>?) {
        guard decode == nil, let data = source.data, data.withUnsafeBytes({ ImageFormat($0) }) == format else {
            return nil
        }
        do { try self.init(data: data) } catch { return nil }
    }

    /// The picture's bytes: `height` rows of `bytesPerRow`, premultiplied BGRA.
    public var dataProvider: CGDataProvider? {
        content.pixels.withBytes { CGDataProvider(data: Data($0)) }
    }
}

/// Where the components of a pixel lie.
private struct ByteLayout {
    /// Places of red, green, blue and alpha in a pixel; alpha -1 where there is none.
    var red: Int, green: Int, blue: Int, alpha: Int
    var bytesPerPixel: Int
    /// Not multiplied by alpha: what is copied is straight RGBA, otherwise premultiplied BGRA.
    var isStraight: Bool

    init?(bitsPerPixel: Int, space: CGColorSpace, info: CGBitmapInfo) {
        guard info.intersection(.floatInfoMask).isEmpty,
            let alphaInfo = CGImageAlphaInfo(rawValue: info.rawValue & CGBitmapInfo.alphaInfoMask.rawValue)
        else { return nil }
        let isLittle: Bool
        switch info.intersection(.byteOrderMask) {
        case .byteOrderDefault, .byteOrder32Big: isLittle = false
        case .byteOrder32Little: isLittle = true
        default: return nil
        }
        isStraight = alphaInfo == .first || alphaInfo == .last
        switch (space.model, bitsPerPixel, alphaInfo) {
        case (.monochrome, 8, .none):
            (red, green, blue, alpha, bytesPerPixel) = (0, 0, 0, -1, 1)
        case (.rgb, 24, .none):
            guard !isLittle else { return nil }
            (red, green, blue, alpha, bytesPerPixel) = (0, 1, 2, -1, 3)
        case (.rgb, 32, .premultipliedLast), (.rgb, 32, .last), (.rgb, 32, .noneSkipLast):
            let has = alphaInfo != .noneSkipLast
            (red, green, blue, alpha) = isLittle ? (3, 2, 1, has ? 0 : -1) : (0, 1, 2, has ? 3 : -1)
            bytesPerPixel = 4
        case (.rgb, 32, .premultipliedFirst), (.rgb, 32, .first), (.rgb, 32, .noneSkipFirst):
            let has = alphaInfo != .noneSkipFirst
            (red, green, blue, alpha) = isLittle ? (2, 1, 0, has ? 3 : -1) : (1, 2, 3, has ? 0 : -1)
            bytesPerPixel = 4
        default: return nil
        }
    }

    func copyRow(_ source: UnsafeRawBufferPointer, count: Int, to target: UnsafeMutableRawBufferPointer) {
        for x in 0..<count {
            let (from, to) = (x * bytesPerPixel, x * 4)
            let (r, b) = (source[from + red], source[from + blue])
            target[to] = isStraight ? r : b
            target[to + 1] = source[from + green]
            target[to + 2] = isStraight ? b : r
            target[to + 3] = alpha < 0 ? 255 : source[from + alpha]
        }
    }
}
