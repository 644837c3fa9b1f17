import CImageCodecs

/// What pictures may measure. Checked from the header, before any pixel has memory.
enum ImageLimits {
    /// Pixels.
    static let maximumSide = Int(CODEC_MAXIMUM_SIDE)

    /// Bytes of a decoded picture, four a pixel.
    static let maximumDecodedBytes = 512 << 20

    /// Bytes of an encoded file.
    static let maximumFileBytes = 256 << 20

    static let expectation =
        "expected 1 to \(maximumSide) pixels a side and at most \(maximumDecodedBytes >> 20) MiB decoded"

    /// The bytes of width × height pixels without padding.
    ///
    /// - Throws: `ImageFileError` for a size outside the limits.
    static func byteCount(width: Int, height: Int, of file: String) throws -> Int {
        guard (1...maximumSide).contains(width), (1...maximumSide).contains(height) else {
            throw ImageFileError(
                file: file, problem: "a size of \(width) x \(height) pixels", expected: expectation)
        }
        let bytes = width * height * 4
        guard bytes <= maximumDecodedBytes else {
            throw ImageFileError(
                file: file, problem: "\(width) x \(height) pixels take \(bytes >> 20) MiB", expected: expectation)
        }
        return bytes
    }
}
