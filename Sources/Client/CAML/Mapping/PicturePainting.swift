// Colors baked into images: what Core Animation does with a tint or a multiply color while it draws.
//
// A coverage image (Apple writes an alpha-only picture as 8-bit gray) becomes the color times the coverage; a picture is
// multiplied by the color, alpha with alpha. Pixels stay premultiplied, rounded to the nearest of 255 steps.
// Source: the measured facts, F5; the semantic reference, §8.2.

import LayerModel
import Quartz2D

/// Where an image that is only a coverage keeps it.
package enum PictureCoverage {
    /// An alpha-only picture that was written as 8-bit gray.
    case gray
    case alpha
}

extension CGImage {
    /// The color through a coverage.
    package func painting(_ coverage: PictureCoverage, with color: Color) -> CGImage {
        let paint = Paint(color)
        return mapPixels { pixel in
            // Gray: blue, green and red are the same.
            let amount = coverage == .gray ? UInt32(pixel.1) : UInt32(pixel.3)
            return (
                rounded(amount * paint.blue), rounded(amount * paint.green), rounded(amount * paint.red),
                rounded(amount * paint.alpha)
            )
        }
    }

    /// Every pixel times the color.
    package func multiplied(by color: Color) -> CGImage {
        let paint = Paint(color)
        return mapPixels { pixel in
            (
                rounded(UInt32(pixel.0) * paint.blue), rounded(UInt32(pixel.1) * paint.green),
                rounded(UInt32(pixel.2) * paint.red), rounded(UInt32(pixel.3) * paint.alpha)
            )
        }
    }

    private typealias Pixel = (UInt8, UInt8, UInt8, UInt8)

    private func mapPixels(_ transform: (Pixel) -> Pixel) -> CGImage {
        let (width, height, stride) = (content.width, content.height, content.bytesPerRow)
        var isOpaque = true
        let bytes = [UInt8](unsafeUninitializedCapacity: width * height * 4) { target, count in
            count = width * height * 4
            content.pixels.withBytes { source in
                var out = 0
                for row in 0..<height {
                    for column in 0..<width {
                        let at = row * stride + column * 4
                        let pixel = transform((source[at], source[at + 1], source[at + 2], source[at + 3]))
                        (target[out], target[out + 1], target[out + 2], target[out + 3]) = pixel
                        isOpaque = isOpaque && pixel.3 == 255
                        out += 4
                    }
                }
            }
        }
        return CGImage(
            ImageContent(
                width: width, height: height, bytesPerRow: width * 4, isOpaque: isOpaque, pixels: PixelStorage(bytes)))
    }
}

/// A premultiplied color in 1/65535, so that one rounding follows the product.
private struct Paint {
    var red, green, blue, alpha: UInt32

    init(_ color: Color) {
        let p = color.premultiplied
        func step(_ component: Float) -> UInt32 { UInt32((component * 65535).rounded()) }
        (red, green, blue, alpha) = (step(p.red), step(p.green), step(p.blue), step(p.alpha))
    }
}

private func rounded(_ product: UInt32) -> UInt8 {
    UInt8((product + 32767) / 65535)
}
