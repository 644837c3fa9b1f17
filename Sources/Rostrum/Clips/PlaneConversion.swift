import CImageCodecs

/// The planes that encoders take, from premultiplied BGRA. The formulas: docs/clips.md, "Colors".
enum PlaneConversion: Sendable {
    /// Y, Cb, Cr: 8 bits, 4:2:0, over black.
    case opaque420
    /// Y, Cb, Cr, alpha: 8 bits, 4:2:0, straight.
    case alpha420
    /// Y, Cb, Cr, alpha: 10 bits, 4:4:4, straight.
    case alpha444

    /// Bytes of a frame's planes.
    func byteCount(width: Int, height: Int) -> Int {
        let area = width * height
        let chroma = ((width + 1) / 2) * ((height + 1) / 2)
        switch self {
        case .opaque420: return area + 2 * chroma
        case .alpha420: return 2 * area + 2 * chroma
        case .alpha444: return area * 8
        }
    }

    func planes(of pixels: ClipPixels, width: Int, height: Int) throws -> PreparedFrame {
        let (w, h) = (UInt32(width), UInt32(height))
        var isOpaque = true
        var isDone = true
        let bytes = [UInt8](unsafeUninitializedCapacity: byteCount(width: width, height: height)) { buffer, count in
            let target = buffer.baseAddress!
            switch self {
            case .opaque420:
                isDone = codec_yuv420(pixels.base, pixels.bytesPerRow, w, h, target, &isOpaque)
            case .alpha420:
                isDone = codec_yuva420(pixels.base, pixels.bytesPerRow, w, h, target, &isOpaque)
            case .alpha444:
                target.withMemoryRebound(to: UInt16.self, capacity: buffer.count / 2) { words in
                    codec_yuva444_10(pixels.base, pixels.bytesPerRow, w, h, words, &isOpaque)
                }
            }
            count = isDone ? buffer.count : 0
        }
        guard isDone else { throw DisplayError.environment("no memory for a frame's planes") }
        return PreparedFrame(bytes, isOpaque: isOpaque)
    }
}

extension ClipPixels {
    /// Straight BGRA or RGBA without padding.
    func straight(width: Int, height: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: width * height * 4) { buffer, count in
            for row in 0..<height {
                codec_unpremultiply(base + row * bytesPerRow, buffer.baseAddress! + row * width * 4, width)
            }
            count = width * height * 4
        }
    }
}
