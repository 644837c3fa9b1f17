import Foundation
import Testing

@testable import Quartz2D

/// Damaged, lying and oversized files: an error each time, within bounded memory and time.
@Suite("Hostile pictures")
struct HostileImageTests {
    private static let seeds = [
        "rgba.png", "interlaced.png", "palette-transparent.png", "rgba-16.png", "profile.png", "ycc.jpg",
        "progressive.jpg", "cmyk-adobe.jpg", "lossless.webp", "lossy-alpha.webp", "animated.webp",
    ]

    @Test("A file cut off anywhere gives an error", arguments: seeds)
    func truncation(name: String) throws {
        let bytes = try Fixtures.bytes(name)
        for count in 0..<bytes.count {
            let image = try? CGImage(data: Array(bytes[..<count]))
            #expect(image == nil, "\(name) cut to \(count) of \(bytes.count) bytes was read")
        }
    }

    @Test("A file with damaged bytes gives an error or a picture of its size, and never a crash", arguments: seeds)
    func mutation(name: String) throws {
        let original = try Fixtures.bytes(name)
        var random = SeededGenerator(state: 20_240_607)
        for _ in 0..<400 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            guard let image = try? CGImage(data: bytes) else { continue }
            #expect(image.width * 4 <= image.bytesPerRow && image.content.pixels.count >= image.content.byteCount)
        }
    }

    /// A PNG header with a size, and nothing after it but the end.
    private func emptyPNG(width: UInt32, height: UInt32) -> [UInt8] {
        func bigEndian(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            let body = Array(name.utf8) + content
            return bigEndian(UInt32(content.count)) + body + bigEndian(checksum(body))
        }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", bigEndian(width) + bigEndian(height) + [8, 6, 0, 0, 0])
            + chunk("IDAT", [0x78, 0x9C, 3, 0, 0, 0, 0, 1]) + chunk("IEND", [])
    }

    /// CRC-32 as PNG defines it.
    private func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
    }

    @Test(
        "A size outside the limits is refused from the header",
        arguments: [
            (50_000, 50_000), (16_385, 1), (1, 16_385), (16_384, 8_193), (0, 5), (5, 0), (4_294_967_295, 4_294_967_295),
        ] as [(UInt32, UInt32)])
    func sizes(width: UInt32, height: UInt32) throws {
        let error = try #require(throws: ImageFileError.self) {
            try CGImage(data: emptyPNG(width: width, height: height))
        }
        #expect(!error.problem.isEmpty)
    }

    @Test("A picture of the right size whose pixels are missing gives an error")
    func missingPixels() throws {
        let error = try #require(throws: ImageFileError.self) { try CGImage(data: emptyPNG(width: 9, height: 9)) }
        #expect(error.problem.contains("damaged PNG"), "\(error)")
    }

    @Test("The limits are 16,384 pixels a side, 512 MiB decoded and 256 MiB a file")
    func limits() throws {
        #expect(ImageLimits.maximumSide == 16_384)
        #expect(try ImageLimits.byteCount(width: 16_384, height: 8_192, of: "a") == 512 * 1_048_576)
        #expect(throws: ImageFileError.self) { try ImageLimits.byteCount(width: 16_384, height: 8_193, of: "a") }
        #expect(throws: ImageFileError.self) { try ImageLimits.byteCount(width: .max, height: .max, of: "a") }
    }

    @Test("A file over 256 MiB is refused before it is read")
    func longFile() throws {
        let directory = try Fixtures.temporaryDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let path = directory.appending(path: "long.png").path
        try Data().write(to: URL(filePath: path))
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.truncate(atOffset: UInt64(ImageLimits.maximumFileBytes) + 1)  // no blocks: the file has a hole only
        try file.close()
        let error = try #require(throws: ImageFileError.self) { try CGImage(contentsOf: path) }
        #expect(error.expected.contains("256 MiB"), "\(error)")
    }

    @Test("A JPEG of more than a hundred scans is refused")
    func scans() throws {
        let bytes = try Fixtures.bytes("progressive.jpg")
        let starts = bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA } + [bytes.count - 2]
        // A first scan of one component's AC coefficients, of which the lowest bit comes later. A scan's header is its
        // marker, its length, 1, the component, its table, then the first and last coefficient and the bit positions.
        let index = try #require(
            starts.indices.first { i in
                Array(bytes[starts[i] + 2..<starts[i] + 5]) == [0, 8, 1] && bytes[starts[i] + 9] == 1
            })
        var scan = Array(bytes[starts[index]..<starts[index + 1]])
        scan[9] = 0  // With the lowest bit at once, coming again is allowed.
        func picture(scans: Int) -> [UInt8] {
            Array(bytes[..<starts[index]]) + Array(repeating: scan, count: scans).flatMap { $0 } + [0xFF, 0xD9]
        }
        #expect(try CGImage(data: picture(scans: 50)).width == 7)
        let error = try #require(throws: ImageFileError.self) { try CGImage(data: picture(scans: 200)) }
        #expect(error.problem.contains("more than 100 scans"), "\(error)")
    }

    @Test("A pipe in place of a file is refused without waiting for its writer", .timeLimit(.minutes(1)))
    func pipe() throws {
        let directory = try Fixtures.temporaryDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let path = directory.appending(path: "pipe.png").path
        try #require(mkfifo(path, 0o600) == 0)
        #expect(throws: ImageFileError.self) { try CGImage(contentsOf: path) }
    }
}
