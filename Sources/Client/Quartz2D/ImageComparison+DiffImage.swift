import Foundation
import LayerModel

extension ImageComparison {
    /// A picture of where two pictures differ, opaque, as large as the larger of the two in each direction.
    ///
    /// - Red: differs by more than the tolerance. Dark red is a difference of one level, full red of 255.
    /// - Blue: only one of the pictures has this pixel.
    /// - Gray: the same within the tolerance; the first picture over white, faded to a quarter of its contrast.
    ///
    /// - Throws: `ImageFileError` when the two together are larger than a picture may be.
    public static func diffImage(_ first: CGImage, _ second: CGImage, tolerance: Int = 0) throws -> CGImage {
        let width = max(first.width, second.width)
        let height = max(first.height, second.height)
        let memory = try PixelMemory(
            count: ImageLimits.byteCount(width: width, height: height, of: ImageFileError.unnamed),
            of: ImageFileError.unnamed)
        let target = memory.bytes.baseAddress!
        first.content.pixels.withBytes { a in
            second.content.pixels.withBytes { b in
                for y in 0..<height {
                    let row = target + y * width * 4
                    let rowA = y < first.height ? a.baseAddress! + y * first.bytesPerRow : nil
                    let rowB = y < second.height ? b.baseAddress! + y * second.bytesPerRow : nil
                    var x = 0
                    while x < width {
                        let pixelA = x < first.width ? rowA?.loadUnaligned(fromByteOffset: x * 4, as: UInt32.self) : nil
                        let pixelB =
                            x < second.width ? rowB?.loadUnaligned(fromByteOffset: x * 4, as: UInt32.self) : nil
                        row.storeBytes(
                            of: mark(pixelA, pixelB, tolerance), toByteOffset: x * 4, as: UInt32.self)
                        x += 1
                    }
                }
            }
        }
        return CGImage(memory.imageFromPremultipliedBGRA(width: width, height: height))
    }

    /// The color of one pixel of the diff; bytes blue, green, red, alpha from the lowest.
    private static func mark(_ a: UInt32?, _ b: UInt32?, _ tolerance: Int) -> UInt32 {
        guard let a, let b else { return a == nil && b == nil ? 0xFFFF_FFFF : 0xFF00_66FF }
        if a != b {
            let largest = PixelDifference(a, b).largest
            if largest > tolerance { return 0xFF00_0000 | UInt32(128 + largest / 2) << 16 }
        }
        let alpha = a >> 24
        // Rec. 709 luminance weights, in 1/256: 54 red, 183 green, 19 blue.
        let light = ((a >> 16 & 0xFF) * 54 + (a >> 8 & 0xFF) * 183 + (a & 0xFF) * 19) >> 8
        let faded = min(191 + (min(light, 255) + 255 - alpha) / 4, 255)
        return 0xFF00_0000 | faded << 16 | faded << 8 | faded
    }
}
