import Foundation
import Rostrum
import Testing

@testable import RostrumGallery

/// The examples are what an app would write, so what holds for them holds for apps.
@Suite("Gallery", .serialized)
struct GalleryTests {
    /// The least that shows motion: two frames a second, at half a pixel a point.
    private static let (fps, scale) = (2.0, 0.5)

    @Test(
        "An example's clip has the same bytes in another process, and its frames are those of snapshots",
        arguments: Example.all)
    func sameBytes(_ example: Example) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "rostrum-gallery-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let process = Process()
        process.executableURL = Self.executable
        process.arguments = [
            example.name, "--out", folder.path, "--fps", "\(Self.fps)", "--scale", "\(Self.scale)",
            "--clip-scale", "\(Self.scale)", "--format", "bgra",
        ]
        process.standardOutput = FileHandle.nullDevice
        try process.run()

        let display = try example.display(scale: Self.scale)
        let count = Int((example.duration * Self.fps).rounded(.up))
        let frames = try (0..<count).map { number in
            try display.withPixels(at: Double(number) / Self.fps) { bytes, _ in Data(bytes) }
        }
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let clip = try Data(contentsOf: folder.appendingPathComponent("\(example.name).bgra"))
        #expect(clip.count == frames.reduce(0) { $0 + $1.count })
        var place = 0
        let different = frames.indices.filter { number in
            defer { place += frames[number].count }
            return clip.dropFirst(place).prefix(frames[number].count) != frames[number]
        }
        #expect(different.isEmpty, "\(example.name): frames \(different) of \(count) differ")
        #expect(Set(frames).count * 2 > count, "\(example.name) hardly moves")
    }

    @Test("An example's still is the same, however many frames were drawn on the way", arguments: Example.all)
    func stills(_ example: Example) throws {
        let jumped = try example.display(scale: Self.scale).snapshot(at: example.stillTime)
        let display = try example.display(scale: Self.scale)
        for part in [0.2, 0.5, 0.9] { _ = try display.snapshot(at: example.stillTime * part) }
        let comparison = ImageComparison.compare(jumped, try display.snapshot(at: example.stillTime))
        #expect(comparison.isMatch, "\(example.name): \(comparison)")
    }

    @Test("Names of examples are names of files, and none comes twice")
    func names() {
        let names = Example.all.map { $0.name }
        #expect(Set(names).count == names.count)
        for name in names { #expect(name.allSatisfy { $0.isASCII && ($0.isLowercase || $0 == "-") }, "\(name)") }
    }

    @Test(
        "What the command line does not know is an error that names it",
        arguments: [
            (["--fps"], "--fps needs a value"), (["--fps", "fast"], "not fast"), (["--fps", "0"], "above 0"),
            (["nothing"], "no example nothing"), (["--loud", "1"], "no flag --loud"),
        ])
    func usage(_ arguments: [String], _ message: String) {
        let error = #expect(throws: GalleryCommand.UsageError.self) { try GalleryCommand(arguments) }
        #expect(error?.description.contains(message) == true)
    }

    /// The program that was built with the tests.
    private static var executable: URL {
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        return URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent("RostrumGallery")
    }
}
