import Foundation
import LayerModel
import Testing

@testable import Quartz2D

@Suite("Writing and making pictures")
struct ImageWritingTests {
    /// Every pair of channel and alpha, 256 × 256: red = x, green = 255 - x, blue = 128, alpha = y.
    private static func allPairs() throws -> CGImage {
        var bytes: [UInt8] = []
        for y in 0..<256 { for x in 0..<256 { bytes += [UInt8(x), UInt8(255 - x), 128, UInt8(y)] } }
        return try CGImage(width: 256, height: 256, straightRGBA: bytes)
    }

    @Test("A channel is stored as round(c·a/255) and read as round(c·255/a), for every channel and alpha")
    func alphaRules() throws {
        let image = try Self.allPairs()
        let stored = image.storedBytes
        var faults = 0
        for y in 0..<256 {
            for x in 0..<256 {
                let at = (y * 256 + x) * 4
                let wanted = [
                    premultiplied(128, UInt8(y)), premultiplied(UInt8(255 - x), UInt8(y)),
                    premultiplied(UInt8(x), UInt8(y)), y,
                ]
                if stored[at..<at + 4].map({ Int($0) }) != wanted { faults += 1 }
                let straight = y == 0 ? 0 : Int((Double(wanted[2]) * 255 / Double(y)).rounded())
                if Int(image.pixel(x: x, y: y).red) != straight { faults += 1 }
            }
        }
        #expect(faults == 0)
    }

    @Test("A PNG that is written and read again has the same stored bytes, at every level", arguments: [0, 1, 6, 9])
    func roundTrip(level: Int) throws {
        let image = try Self.allPairs()
        let again = try CGImage(data: image.pngData(level: level))
        #expect(again.storedBytes == image.storedBytes)
        #expect(again.warnings == [])
    }

    @Test("A written PNG is RGBA with an sRGB chunk and no gamma of its own")
    func chunks() throws {
        let bytes = try CGImage(width: 1, height: 1, straightRGBA: [1, 2, 3, 4]).pngData()
        let text = String(decoding: bytes, as: Unicode.ASCII.self)
        #expect(text.contains("sRGB") && !text.contains("gAMA") && !text.contains("iCCP"))
        #expect(Array(bytes[24..<29]) == [8, 6, 0, 0, 0])  // depth 8, RGBA, deflate, adaptive filters, not interlaced
    }

    @Test("A channel above its alpha, which no premultiplied pixel should have, reads as full")
    func overfullChannel() throws {
        let image = try CGImage(width: 1, height: 1, premultipliedBGRA: [200, 100, 50, 100])
        #expect(image.pixel(x: 0, y: 0) == (128, 255, 255, 100))
        let again = try CGImage(data: image.pngData())
        #expect(again.pixel(x: 0, y: 0) == (128, 255, 255, 100))
    }

    @Test("Rows of premultiplied pixels may be padded; the padding is dropped")
    func paddedRows() throws {
        let image = try CGImage(
            width: 1, height: 2, premultipliedBGRA: [1, 2, 3, 255, 9, 9, 9, 9, 4, 5, 6, 255], bytesPerRow: 8)
        #expect(image.bytesPerRow == 4)
        #expect(image.storedBytes == [1, 2, 3, 255, 4, 5, 6, 255])
        #expect(image.isOpaque)
    }

    @Test("Pixels of another number than the size says, or a size without pixels, are refused")
    func wrongCounts() {
        #expect(throws: ImageFileError.self) { try CGImage(width: 2, height: 2, straightRGBA: [0, 0, 0, 0]) }
        #expect(throws: ImageFileError.self) { try CGImage(width: 0, height: 2, straightRGBA: []) }
        #expect(throws: ImageFileError.self) { try CGImage(width: -1, height: 2, straightRGBA: []) }
        #expect(throws: ImageFileError.self) {
            try CGImage(width: 1, height: 2, premultipliedBGRA: [0, 0, 0, 0, 0, 0, 0], bytesPerRow: 4)
        }
        #expect(throws: ImageFileError.self) {
            try CGImage(width: 1, height: 3, premultipliedBGRA: [0, 0, 0, 0], bytesPerRow: .max)
        }
        #expect(throws: ImageFileError.self) {
            try CGImage(width: 2, height: 1, premultipliedBGRA: [0, 0, 0, 0], bytesPerRow: 4)
        }
    }

    @Test("Writing replaces a file whole, and leaves nothing beside it")
    func replacing() throws {
        let directory = try Fixtures.temporaryDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let path = directory.appending(path: "a.png").path
        try Data("old".utf8).write(to: URL(filePath: path))
        try CGImage(width: 1, height: 1, straightRGBA: [7, 8, 9, 255]).writePNG(to: path)
        #expect(try CGImage(contentsOf: path).pixel(x: 0, y: 0) == (7, 8, 9, 255))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["a.png"])
    }

    @Test("A write that fails names the path, leaves what was there, and nothing beside it")
    func failing() throws {
        let directory = try Fixtures.temporaryDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let image = try CGImage(width: 1, height: 1, straightRGBA: [7, 8, 9, 255])

        let nowhere = directory.appending(path: "no/such/a.png").path
        let first = try #require(throws: ImageFileError.self) { try image.writePNG(to: nowhere) }
        #expect(first.file == nowhere && first.problem.contains("No such file"), "\(first)")

        let folder = directory.appending(path: "folder").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let second = try #require(throws: ImageFileError.self) { try image.writePNG(to: folder) }
        #expect(second.file == folder, "\(second)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["folder"])

        #expect(throws: ImageFileError.self) { try image.writePNG(to: "") }
        #expect(throws: ImageFileError.self) { try image.pngData(level: 10) }
    }

    @Test("Cropping takes whole pixels from the top left, cut at the edges; nil when nothing is left")
    func cropping() throws {
        let bytes: [UInt8] = (0..<12).flatMap { (i: UInt8) -> [UInt8] in [i, 0, 0, 255] }
        let image = try CGImage(width: 4, height: 3, straightRGBA: bytes)
        let part = try #require(image.cropping(to: CGRect(x: 1.5, y: 1, width: 1, height: 10)))
        #expect(part.width == 2 && part.height == 2)
        #expect([part.pixel(x: 0, y: 0).red, part.pixel(x: 1, y: 0).red] == [5, 6])
        #expect([part.pixel(x: 0, y: 1).red, part.pixel(x: 1, y: 1).red] == [9, 10])
        #expect(image.cropping(to: CGRect(x: -5, y: 0, width: 5, height: 3)) == nil)
        #expect(image.cropping(to: .null) == nil)
        #expect(image.cropping(to: CGRect(x: CGFloat.nan, y: 0, width: 1, height: 1)) == nil)
        #expect(image.cropping(to: .infinite)?.storedBytes == image.storedBytes)
    }
}
