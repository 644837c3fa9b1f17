import Foundation

@testable import Quartz2D

/// Where the tests' files are.
enum Fixtures {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

    /// Inputs beside the package, which not every checkout has.
    static let inputs = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../shared/inputs/apple-written").standardizedFileURL

    static var hasInputs: Bool { FileManager.default.fileExists(atPath: inputs.path) }

    static func path(_ name: String) -> String { folder.appending(path: name).path }

    static func bytes(_ name: String) throws -> [UInt8] { try Array(Data(contentsOf: folder.appending(path: name))) }

    /// A new empty directory for one test.
    static func temporaryDirectory() throws -> URL {
        let url = FileManager.default.temporaryDirectory.appending(path: "quartz2d-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url
    }
}

/// A picture as another decoder saw it: one line of `Fixtures/expected.txt`.
struct ExpectedPicture: CustomStringConvertible {
    let name: String
    let width: Int
    let height: Int
    /// Levels that a channel may be off by.
    let tolerance: Int
    /// Straight RGBA.
    let pixels: [UInt8]

    var description: String { name }

    static let all: [ExpectedPicture] = {
        let text = (try? String(contentsOfFile: Fixtures.path("expected.txt"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            let hex = Array(fields[4].utf8)
            let pixels = stride(from: 0, to: hex.count, by: 2).map {
                UInt8(String(decoding: hex[$0..<$0 + 2], as: UTF8.self), radix: 16)!
            }
            return ExpectedPicture(
                name: String(fields[0]), width: Int(fields[1])!, height: Int(fields[2])!, tolerance: Int(fields[3])!,
                pixels: pixels)
        }
    }()
}

/// round(c · a / 255), worked out in floating point, apart from the code under test.
func premultiplied(_ channel: UInt8, _ alpha: UInt8) -> Int {
    Int((Double(channel) * Double(alpha) / 255).rounded())
}

extension CGImage {
    /// The stored bytes, blue, green, red, alpha, without padding.
    var storedBytes: [UInt8] {
        content.pixels.withBytes { bytes in
            (0..<height).flatMap { Array(bytes[$0 * bytesPerRow..<$0 * bytesPerRow + width * 4]) }
        }
    }
}

/// A small generator with a seed, so that a failure can be repeated.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
