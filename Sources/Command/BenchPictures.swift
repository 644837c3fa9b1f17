import Glibc
import Quartz2D

/// The pictures of the bench's scenes, made from formulas: waves of color under a checkerboard.
struct BenchPictures {
    /// 2120x1080, opaque.
    let photo: CGImage
    /// 1920x1080, alpha from 64 to 191.
    let translucent: CGImage
    /// 96x96, opaque.
    let avatar: CGImage

    init() throws {
        photo = try Self.waves(2_120, 1_080, scale: 1.5) { _ in 255 }
        translucent = try Self.waves(1_920, 1_080, scale: 0.8) { x in UInt8(64 + x % 128) }
        avatar = try Self.waves(96, 96, scale: 0.3) { _ in 255 }
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
