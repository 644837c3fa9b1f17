import CImageCodecs
import Glibc
import LayerModel

/// Pixels being made: zeroed memory that becomes an image's storage, or is freed.
final class PixelMemory {
    let bytes: UnsafeMutableRawBufferPointer
    private var isGivenAway = false

    /// - Throws: `ImageFileError` that names `file` when there is no memory.
    init(count: Int, of file: String) throws {
        guard let base = calloc(max(count, 1), 1) else {
            throw ImageFileError(file: file, problem: "no memory for \(count) bytes of pixels")
        }
        bytes = UnsafeMutableRawBufferPointer(start: base, count: count)
    }

    deinit {
        if !isGivenAway { free(bytes.baseAddress) }
    }

    /// The first byte, as the codecs want it.
    var base: UnsafeMutablePointer<UInt8> { bytes.baseAddress!.assumingMemoryBound(to: UInt8.self) }

    func copyRow(at offset: Int, from source: UnsafeRawPointer, count: Int) {
        precondition(offset >= 0 && count <= bytes.count - offset, "a row outside of its picture")
        (bytes.baseAddress! + offset).copyMemory(from: source, byteCount: count)
    }

    /// Turns the straight RGBA that was written into an image's pixels. Ends this object's ownership.
    func imageFromStraightRGBA(width: Int, height: Int) -> ImageContent {
        let isOpaque = codec_premultiply(base, width * height)
        return giveAway(width: width, height: height, isOpaque: isOpaque)
    }

    /// Takes the premultiplied BGRA that was written as an image's pixels. Ends this object's ownership.
    func imageFromPremultipliedBGRA(width: Int, height: Int) -> ImageContent {
        giveAway(width: width, height: height, isOpaque: codec_is_opaque(base, width * height))
    }

    private func giveAway(width: Int, height: Int, isOpaque: Bool) -> ImageContent {
        precondition(!isGivenAway && bytes.count == width * height * 4, "pixels given away twice or of another size")
        isGivenAway = true
        nonisolated(unsafe) let owned = bytes.baseAddress!
        let storage = PixelStorage(base: UnsafeRawPointer(owned), count: bytes.count) { free(owned) }
        return ImageContent(
            width: width, height: height, bytesPerRow: width * 4, isOpaque: isOpaque, pixels: storage)
    }
}
