import Glibc
import LayerModel
import Quartz2D

/// A Gaussian blur by its definition, for comparison only: in numbers with fractions, rounded once.
enum BenchBlur {
    /// The picture with a part blurred and a white tint laid over that. What lies around the part counts; beyond the picture
    /// its nearest pixel does.
    ///
    /// - Parameters:
    ///   - picture: Opaque.
    ///   - sigma: Standard deviation, pixels.
    ///   - tint: Alpha of the white.
    static func blurred(_ picture: CGImage, in part: PixelRect, sigma: Double, tint: Double) throws -> CGImage {
        guard !part.isEmpty else { return picture }
        let reach = Int((4 * sigma).rounded(.up))
        let weights = (-reach...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
        let sum = weights.reduce(0, +)
        let stride = picture.bytesPerRow
        var bytes = picture.content.pixels.withBytes { Array($0) }
        let rows = part.minY - reach..<part.maxY + reach
        /// Rows along x, three channels a pixel.
        var along = [Double](repeating: 0, count: rows.count * part.width * 3)
        for (number, row) in rows.enumerated() {
            let line = min(max(row, 0), picture.height - 1) * stride
            for column in 0..<part.width {
                for channel in 0..<3 {
                    var value = 0.0
                    for tap in -reach...reach {
                        let x = min(max(part.minX + column + tap, 0), picture.width - 1)
                        value += weights[tap + reach] * Double(bytes[line + x * 4 + channel])
                    }
                    along[(number * part.width + column) * 3 + channel] = value / sum
                }
            }
        }
        for row in 0..<part.height {
            for column in 0..<part.width {
                for channel in 0..<3 {
                    var value = 0.0
                    for tap in 0...2 * reach {
                        value += weights[tap] * along[((row + tap) * part.width + column) * 3 + channel]
                    }
                    let level = (value / sum * (1 - tint) + 255 * tint).rounded()
                    bytes[(part.minY + row) * stride + (part.minX + column) * 4 + channel] = UInt8(min(level, 255))
                }
            }
        }
        return try CGImage(
            width: picture.width, height: picture.height, premultipliedBGRA: bytes, bytesPerRow: stride)
    }
}
