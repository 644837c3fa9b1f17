import Foundation
import Testing

@testable import Quartz2D

@Suite("Reading pictures")
struct ImageReadingTests {
    @Test(
        "Every pixel of a file is what another decoder sees, premultiplied by rounding", arguments: ExpectedPicture.all)
    func pixels(expected: ExpectedPicture) throws {
        let image = try CGImage(contentsOf: Fixtures.path(expected.name))
        try #require(image.width == expected.width && image.height == expected.height)
        let stored = image.storedBytes
        for i in 0..<expected.width * expected.height {
            let straight = Array(expected.pixels[i * 4..<i * 4 + 4])
            let wanted = [2, 1, 0].map { premultiplied(straight[$0], straight[3]) } + [Int(straight[3])]
            let got = stored[i * 4..<i * 4 + 4].map { Int($0) }
            let isClose = zip(wanted, got).allSatisfy { abs($0 - $1) <= expected.tolerance }
            #expect(isClose, "pixel (\(i % expected.width), \(i / expected.width)): \(got), expected \(wanted)")
        }
        let isOpaque = stride(from: 3, to: expected.pixels.count, by: 4).allSatisfy { expected.pixels[$0] == 255 }
        #expect(image.isOpaque == isOpaque)
    }

    @Test("There are expected pixels for every kind of file that is read")
    func coverage() {
        let names = Set(ExpectedPicture.all.map(\.name))
        #expect(names.count >= 24 && names.isSuperset(of: ["rgba-16.png", "progressive.jpg", "animated.webp"]))
    }

    @Test(
        "What is passed over is said: profiles, gamma, further frames",
        arguments: [
            ("profile.png", "color profile"), ("profile.jpg", "color profile"), ("gamma.png", "gamma"),
            ("animated.webp", "first frame"),
        ])
    func warnings(name: String, word: String) throws {
        let image = try CGImage(contentsOf: Fixtures.path(name))
        #expect(image.warnings.count == 1)
        #expect(image.warnings.allSatisfy { $0.contains(word) && $0.contains(name) }, "\(image.warnings)")
    }

    @Test("A file with nothing to pass over gives no warning", arguments: ["rgba.png", "gamma-srgb.png", "ycc.jpg"])
    func noWarnings(name: String) throws {
        #expect(try CGImage(contentsOf: Fixtures.path(name)).warnings == [])
    }

    @Test("The format is found in the bytes, whatever the file is called; path, URL and data read alike")
    func sniffing() throws {
        let directory = try Fixtures.temporaryDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let path = directory.appending(path: "really-a.png").path
        let bytes = try Fixtures.bytes("lossless.webp")
        try Data(bytes).write(to: URL(filePath: path))
        let image = try CGImage(contentsOf: path)
        #expect(image.content == (try CGImage(contentsOf: URL(filePath: path)).content))
        #expect(image.content == (try CGImage(data: bytes).content))
        #expect(image.content == (try CGImage(data: Data(bytes)).content))
    }

    @Test("An error names the file, what is wrong and what is expected")
    func errors() throws {
        let directory = try Fixtures.temporaryDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }

        let missing = directory.appending(path: "missing.png").path
        let first = try #require(throws: ImageFileError.self) { try CGImage(contentsOf: missing) }
        #expect(first.file == missing && first.problem.contains("No such file"), "\(first)")

        let second = try #require(throws: ImageFileError.self) { try CGImage(contentsOf: directory.path) }
        #expect(second.file == directory.path && second.problem.contains("not a file"), "\(second)")

        let text = directory.appending(path: "note.txt").path
        try Data("hello, world".utf8).write(to: URL(filePath: text))
        let third = try #require(throws: ImageFileError.self) { try CGImage(contentsOf: text) }
        #expect(third.expected.contains("PNG, JPEG or WebP"), "\(third)")

        let fourth = try #require(throws: ImageFileError.self) { try CGImage(data: [UInt8]()) }
        #expect(fourth.problem.contains("empty"), "\(fourth)")

        let fifth = try #require(throws: ImageFileError.self) {
            try CGImage(contentsOf: URL(string: "https://example.com/a.png")!)
        }
        #expect(fifth.expected.contains("file URL"), "\(fifth)")
    }
}
