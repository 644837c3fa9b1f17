import Foundation
import Glibc
import Rostrum

/// What the ffmpeg of this machine can encode.
struct VideoEncoders {
    /// Its path; nil where there is none.
    let program: String?
    /// Why there is none, where one is named.
    private var problem: String?
    private(set) var version = ""
    /// Of each format that ffmpeg encodes.
    private(set) var encoders: [(format: ClipFormat, encoder: String, isThere: Bool)] = []

    init() {
        do throws(ClipError) {
            program = try FFmpegProcess.path()
        } catch {
            program = nil
            if case .badEncoder(let text) = error { problem = text }
        }
        guard let program else { return }
        let banner = Self.output(program, "-version")
        // "ffmpeg version 5.1.9-0+deb12u1 Copyright …"
        let words = banner.prefix { $0 != "\n" }.split(separator: " ")
        version = words.count > 2 && words[1] == "version" ? String(words[2]) : "of an unknown version"
        let known = Set(
            Self.output(program, "-encoders").split(separator: "\n").compactMap { line in
                line.split(separator: " ").dropFirst().first.map(String.init)
            })
        encoders = ClipFormat.allCases.compactMap { format in
            format.encoderName.map { (format, $0, known.contains($0)) }
        }
    }

    func canWrite(_ format: ClipFormat) -> Bool {
        encoders.first { $0.format == format }?.isThere ?? !format.needsEncoder
    }

    /// What to install, and what for.
    var advice: [String] {
        let needing = ClipFormat.allCases.filter(\.needsEncoder).map(\.rawValue)
        if let problem { return ["\(problem); clips can't be \(needing.joined(separator: ", "))"] }
        guard program != nil else {
            return [
                "no ffmpeg: clips can't be \(needing.joined(separator: ", ")); apt-get install \(FFmpegProcess.package)"
            ]
        }
        return encoders.filter { !$0.isThere }.map {
            "ffmpeg has no \($0.encoder), so there are no .\($0.format.rawValue) clips; Debian's package has it"
        }
    }

    /// What the program prints for one word; empty where it can't be run.
    private static func output(_ program: String, _ word: String) -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["-hide_banner", word]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return "" }
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}
