import CImageCodecs
import Glibc
import Quartz2D

/// A clip that ffmpeg encodes, into a draft beside its place.
final class FFmpegWriter: ClipWriter, @unchecked Sendable {
    private let shape: ClipShape
    private let encoding: ClipEncoding
    private let file: DraftFile
    private let process: FFmpegProcess
    private static let diskFull = OutputFault.text(ENOSPC)
    /// Only `finish` writes it.
    private(set) var warnings: [String] = []

    init(_ path: String, _ shape: ClipShape, _ encoding: ClipEncoding) throws {
        self.shape = shape
        self.encoding = encoding
        let program = try FFmpegProcess.path()
        file = try DraftFile(path, canStream: false)
        process = try FFmpegProcess(program, encoding.words(shape, to: file.draft ?? path))
    }

    func prepare(_ frame: ClipFrame) throws -> PreparedFrame {
        switch encoding.input {
        case .planes(let conversion):
            try conversion.planes(of: frame.pixels, width: shape.width, height: shape.height)
        case .straight: PreparedFrame(frame.pixels.straight(width: shape.width, height: shape.height))
        case .opaque: frame.pixels.packed(width: shape.width, height: shape.height)
        }
    }

    func append(_ prepared: PreparedFrame, of frame: ClipFrame) throws {
        do throws(ClipError) {
            try process.write(prepared.bytes)
        } catch {
            throw located(error, frame.index)
        }
    }

    func finish() throws {
        do throws(ClipError) { try process.finish() } catch { throw located(error, shape.count) }
        let words = process.lastWords
        // Some formats only find out when they write their end, and ffmpeg may call that a success.
        guard !words.contains(Self.diskFull) else { throw located(.encoderFailed("", log: words), shape.count) }
        guard file.size > 0 else {
            throw ClipError.encoderFailed("ffmpeg wrote nothing to \(file.path)", log: words)
        }
        if !words.isEmpty { warnings = ["ffmpeg: \(words)"] }
        try file.publish()
    }

    private func located(_ error: ClipError, _ index: Int) -> ClipError {
        guard case .encoderFailed(let text, let log) = error else { return error }
        if log.contains(Self.diskFull) {
            return .unwritable(
                path: file.path, "\(Self.diskFull) (ffmpeg, after \(index) of \(shape.count) frames)")
        }
        return .encoderFailed("\(file.path): \(text), after \(index) of \(shape.count) frames", log: log)
    }

    var draft: String? { file.draft }

    func abandon() {
        process.killAndWait()
        file.abandon()
    }
}

extension ClipPixels {
    /// BGRA without padding, and whether all of it is opaque.
    fileprivate func packed(width: Int, height: Int) -> PreparedFrame {
        var isOpaque = true
        let bytes = [UInt8](unsafeUninitializedCapacity: width * height * 4) { buffer, count in
            for row in 0..<height {
                let target = buffer.baseAddress! + row * width * 4
                memcpy(target, base + row * bytesPerRow, width * 4)
                isOpaque = isOpaque && codec_is_opaque(target, width)
            }
            count = width * height * 4
        }
        return PreparedFrame(bytes, isOpaque: isOpaque)
    }
}
