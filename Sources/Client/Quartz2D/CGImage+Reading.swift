// From a file to pixels. The order keeps a hostile file from costing more than it weighs: its length is checked before
// it is read, the size in its header before the pixels have memory, and a file that is damaged or cut off gives an error
// rather than a picture with holes. Orientation in EXIF is not applied; colors count as sRGB, whatever the file says.

import CImageCodecs
import Foundation
import Glibc
import LayerModel

extension CGImage {
    /// Reads a PNG, JPEG or WebP file, whatever its name ends in.
    ///
    /// - Throws: `ImageFileError` naming `path`.
    public convenience init(contentsOf path: String) throws {
        try self.init(bytes: InputFile(path).contents, of: path)
    }

    /// Reads the PNG, JPEG or WebP file at a file URL.
    ///
    /// - Throws: `ImageFileError` naming the path.
    public convenience init(contentsOf url: URL) throws {
        guard url.isFileURL else {
            throw ImageFileError(
                file: url.absoluteString, problem: "it is not a file on this machine", expected: "expected a file URL")
        }
        try self.init(contentsOf: url.path)
    }

    /// Decodes a whole PNG, JPEG or WebP file.
    ///
    /// - Throws: `ImageFileError` naming "image data".
    public convenience init(data: [UInt8]) throws {
        let decoded = try data.withUnsafeBytes { try Self.decode($0, of: ImageFileError.unnamed) }
        self.init(decoded.content, warnings: decoded.warnings)
    }

    /// Decodes a whole PNG, JPEG or WebP file.
    ///
    /// - Throws: `ImageFileError` naming "image data".
    public convenience init(data: Data) throws {
        let decoded = try data.withUnsafeBytes { try Self.decode($0, of: ImageFileError.unnamed) }
        self.init(decoded.content, warnings: decoded.warnings)
    }

    /// Decodes a whole file that has a name of its own in errors and warnings, such as an entry of an archive.
    package convenience init(bytes: UnsafeRawBufferPointer, of file: String) throws {
        let decoded = try Self.decode(bytes, of: file)
        self.init(decoded.content, warnings: decoded.warnings)
    }

    private convenience init(bytes: [UInt8], of file: String) throws {
        let decoded = try bytes.withUnsafeBytes { try Self.decode($0, of: file) }
        self.init(decoded.content, warnings: decoded.warnings)
    }

    private static func decode(
        _ bytes: UnsafeRawBufferPointer, of file: String
    ) throws -> (content: ImageContent, warnings: [String]) {
        try ImageDecoding.measured { try decodeNow(bytes, of: file) }
    }

    private static func decodeNow(
        _ bytes: UnsafeRawBufferPointer, of file: String
    ) throws -> (content: ImageContent, warnings: [String]) {
        guard bytes.count <= ImageLimits.maximumFileBytes else { throw InputFile.tooLong(bytes.count, file) }
        guard !bytes.isEmpty else {
            throw ImageFileError(file: file, problem: "it is empty", expected: ImageFormat.expectation)
        }
        guard let format = ImageFormat(bytes) else {
            throw ImageFileError(
                file: file, problem: "it begins like no picture that can be read", expected: ImageFormat.expectation)
        }
        var report = codec_report()
        guard format.probe(bytes, &report) else {
            throw ImageFileError(file: file, problem: "damaged \(format.name): \(report.text)")
        }
        let width = Int(report.width)
        let height = Int(report.height)
        let memory = try PixelMemory(
            count: ImageLimits.byteCount(width: width, height: height, of: file), of: file)
        guard format.decode(bytes, into: memory, &report) else {
            throw ImageFileError(file: file, problem: "damaged \(format.name): \(report.text)")
        }
        return (memory.imageFromStraightRGBA(width: width, height: height), report.warnings(of: file))
    }
}

/// A file that is read whole.
struct InputFile {
    let contents: [UInt8]

    /// - Throws: `ImageFileError` naming `path` for what cannot be opened, is no plain file, or is too long.
    init(_ path: String) throws {
        // Without O_NONBLOCK a path to a pipe would wait here for ever.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.refused(path, "it cannot be opened") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.refused(path, "it cannot be examined") }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw ImageFileError(file: path, problem: "it is not a file", expected: ImageFormat.expectation)
        }
        let length = Int(status.st_size)
        guard length <= ImageLimits.maximumFileBytes else { throw Self.tooLong(length, path) }
        var failure: ImageFileError?
        contents = [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
            while filled < length {
                let count = read(descriptor, buffer.baseAddress! + filled, length - filled)
                if count < 0, errno == EINTR { continue }
                if count < 0 { failure = Self.refused(path, "it cannot be read") }
                guard count > 0 else { return }
                filled += count
            }
        }
        if let failure { throw failure }
    }

    static func tooLong(_ count: Int, _ file: String) -> ImageFileError {
        ImageFileError(
            file: file, problem: "it is \(count) bytes long",
            expected: "expected at most \(ImageLimits.maximumFileBytes >> 20) MiB")
    }

    /// An error with the system's reason. Reads `errno`.
    static func refused(_ path: String, _ problem: String) -> ImageFileError {
        ImageFileError(file: path, problem: "\(problem): \(String(cString: strerror(errno)))")
    }
}
