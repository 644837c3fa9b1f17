import Foundation
import LayerModel
import Glibc
import Rostrum

/// A small scene that changes from frame to frame, except from every fourth to the next: a box on the move, half of it
/// transparent, over a background that may be transparent too.
final class ClipScene {
    let display: HeadlessDisplay
    private let box = CALayer()

    init(width: CGFloat = 48, height: CGFloat = 32, background: CGColor? = nil) throws {
        display = try HeadlessDisplay(width: width, height: height, background: background, server: .embedded)
        box.bounds = CGRect(x: 0, y: 0, width: 16, height: 12)
        box.cornerRadius = 4
        display.rootLayer.addSublayer(box)
        move(to: 0)
    }

    /// Frames 3 and 4, 7 and 8, … look alike.
    func move(to frame: Int) {
        let step = frame - frame / 4
        CATransaction.begin()
        CATransaction.setDisableActions(true)
        box.position = CGPoint(x: 10 + step % 28, y: 10 + step % 11)
        box.backgroundColor = CGColor(red: 0.9, green: CGFloat(step % 10) / 10, blue: 0.2, alpha: 0.5)
        CATransaction.commit()
    }

    /// Records frames to a path.
    @discardableResult
    func record(
        _ path: String, frames: Int, fps: FrameRate = 30, _ options: ClipOptions = ClipOptions(),
        progress: ((ClipProgress) throws -> Void)? = nil
    ) throws -> ClipSummary {
        try display.record(
            path, to: Double(frames) * Double(fps.denominator) / Double(fps.numerator), fps: fps, options: options,
            update: { [unowned self] frame, _ in move(to: frame) }, progress: progress)
    }

    /// What snapshots show at the frames' times: premultiplied BGRA without padding.
    static func snapshots(
        _ frames: Int, fps: Double = 30, width: CGFloat = 48, height: CGFloat = 32, background: CGColor? = nil
    ) throws -> [[UInt8]] {
        let scene = try ClipScene(width: width, height: height, background: background)
        return try (0..<frames).map { frame in
            scene.move(to: frame)
            return try scene.display.withPixels(at: Double(frame) / fps) { bytes, _ in [UInt8](bytes) }
        }
    }
}

/// Straight RGBA of premultiplied BGRA: round(c * 255 / a), nothing where a is 0.
func straight(_ bgra: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bgra.count)
    for at in stride(from: 0, to: bgra.count, by: 4) {
        let alpha = Int(bgra[at + 3])
        for channel in [2, 1, 0] {
            result.append(alpha == 0 ? 0 : UInt8(min((Int(bgra[at + channel]) * 255 + alpha / 2) / alpha, 255)))
        }
        result.append(UInt8(alpha))
    }
    return result
}

/// The other program: decodes what was written.
enum FFmpeg {
    static let path: String? = {
        for folder in (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":") {
            let path = "\(folder)/ffmpeg"
            if FileManager.default.isExecutableFile(atPath: path) { return path }
        }
        return nil
    }()
    static var isThere: Bool { path != nil }

    /// The frames of a file as straight RGBA; `decoder` where ffmpeg's own would drop alpha.
    static func frames(_ file: String, width: Int, height: Int, decoder: String? = nil) throws -> [[UInt8]] {
        let bytes = try output(
            path!,
            ["-v", "error"] + (decoder.map { ["-c:v", $0] } ?? [])
                + ["-i", file, "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "rgba", "-"])
        let size = width * height * 4
        return stride(from: 0, to: bytes.count - bytes.count % size, by: size).map { Array(bytes[$0..<$0 + size]) }
    }

    /// Seconds at which the packets of a file are shown.
    static func times(_ file: String) throws -> [Double] {
        let probe = path!.replacingOccurrences(of: "ffmpeg", with: "ffprobe")
        let text = try output(
            probe,
            ["-v", "error", "-select_streams", "v:0", "-show_entries", "packet=pts_time", "-of", "csv=p=0", file])
        return String(decoding: text, as: UTF8.self).split(whereSeparator: { $0 == "\n" || $0 == "," })
            .compactMap { Double($0) }.sorted()
    }

    private static func output(_ program: String, _ words: [String]) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = words
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return [UInt8](data)
    }
}

/// A folder that goes with the object.
final class ClipFolder {
    let path: String

    init() {
        var template = Array("/tmp/rostrum-clip-XXXXXX".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) } ?? "/nonexistent"
    }

    func path(_ name: String) -> String { path + "/" + name }
    func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name)))) }
    /// Everything in it, hidden files too.
    var contents: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
