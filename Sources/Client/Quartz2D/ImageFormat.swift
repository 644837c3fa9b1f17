import CImageCodecs

/// The file formats that are read. The first bytes decide, never a file's name.
enum ImageFormat {
    case png, jpeg, webp

    /// Nil for bytes that begin like no format that is read.
    init?(_ bytes: UnsafeRawBufferPointer) {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.count >= 12, bytes.starts(with: Array("RIFF".utf8)),
            bytes[8..<12].elementsEqual(Array("WEBP".utf8))
        {
            self = .webp
        } else {
            return nil
        }
    }

    static let expectation = "expected a PNG, JPEG or WebP file"

    var name: String {
        switch self {
        case .png: "PNG"
        case .jpeg: "JPEG"
        case .webp: "WebP"
        }
    }

    func probe(_ bytes: UnsafeRawBufferPointer, _ report: inout codec_report) -> Bool {
        let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        return switch self {
        case .png: codec_png_probe(base, bytes.count, &report)
        case .jpeg: codec_jpeg_probe(base, bytes.count, &report)
        case .webp: codec_webp_probe(base, bytes.count, &report)
        }
    }

    func decode(_ bytes: UnsafeRawBufferPointer, into memory: PixelMemory, _ report: inout codec_report) -> Bool {
        let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        return switch self {
        case .png: codec_png_decode(base, bytes.count, memory.base, memory.bytes.count, &report)
        case .jpeg: codec_jpeg_decode(base, bytes.count, memory.base, memory.bytes.count, &report)
        case .webp: codec_webp_decode(base, bytes.count, memory.base, memory.bytes.count, &report)
        }
    }
}

extension codec_report {
    /// The codec's own words.
    var text: String {
        withUnsafeBytes(of: message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// What was passed over, as sentences.
    func warnings(of file: String) -> [String] {
        var list: [String] = []
        if has_color_profile { list.append("\(file): its color profile is ignored; the pixels count as sRGB") }
        if has_foreign_gamma { list.append("\(file): its gamma is ignored; the pixels count as sRGB") }
        if is_animated { list.append("\(file): it is animated; only its first frame is used") }
        if has_complaint { list.append("\(file): \(text)") }
        return list
    }
}
