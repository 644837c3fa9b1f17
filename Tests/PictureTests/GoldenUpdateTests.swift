import Foundation
import LayerModel
import Quartz2D
import ReferenceCompositor
import Testing

/// What the goldens themselves rest on.
@Suite("Keeping goldens")
struct GoldenUpdateTests {
    private let scene = GoldenScene(name: "corner-masks")

    /// The scene's picture with the pixels of one layer's middle three levels off: more than the reference allows.
    private func wrongPicture() throws -> ServedPicture {
        var picture = try scene.base().picture
        // "corners 0" lies at (5, 5) and is 46 × 32.
        for x in 20..<24 { picture.pixels.bytes[(20 * picture.pixels.size.width + x) * 4] -= 3 }
        return picture
    }

    private func comparison(_ picture: ServedPicture) throws -> PictureComparison {
        let reference = try scene.base().reference
        return PictureComparison(picture.pixels, to: Pixels(reference), .reference(reference))
    }

    @Test("A picture that the reference does not agree with is not stored, nor is its plan")
    func refusal() throws {
        let folder = NSTemporaryDirectory() + "/rostrum-goldens-\(UUID())"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["plans", "images"] {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
        }
        func files() -> [String] { ((try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []).sorted() }

        let wrong = try wrongPicture()
        let isStored = try scene.store(wrong, comparison(wrong), in: folder)
        #expect(!isStored && files() == ["images", "plans"])

        let right = try scene.base().picture
        let isRightStored = try scene.store(right, comparison(right), in: folder)
        #expect(isRightStored)
        #expect(files() == ["images", "images/corner-masks.png", "plans", "plans/corner-masks.txt"])
        let isSame = try Pixels(CGImage(contentsOf: scene.imageFile(in: folder))) == right.pixels
        #expect(isSame, "a stored picture reads back as it was")
    }

    @Test("A difference is said with its pixels, the layers that are drawn there, and where the pictures are")
    func report() throws {
        let wrong = try wrongPicture()
        let found = try comparison(wrong)
        #expect(found.offenses == (20..<24).map { 20 * 160 + $0 })
        let lines = found.report("corner-masks-told", of: wrong).split(separator: "\n").map(String.init)
        #expect(lines[0].hasPrefix("corner-masks-told: 4 pixels differ (within 2, 20 on edges)"))
        #expect(lines[1].hasPrefix("first (20, 20): [51, 89, "))
        #expect(lines.contains { $0.contains("\"corners 0\"") && $0.hasSuffix("lies over 4 of them") })
        #expect(!lines.contains { $0.contains("\"corners 1\"") })
        let folder = try #require(lines.first { $0.hasPrefix("pictures: ") }).dropFirst("pictures: ".count)
        for (name, expected) in [("expected", try Pixels(scene.base().reference)), ("actual", wrong.pixels)] {
            let isSame = try Pixels(CGImage(contentsOf: "\(folder)/\(name).png")) == expected
            #expect(isSame, "\(name).png")
        }
        #expect(FileManager.default.fileExists(atPath: "\(folder)/diff.png"))
        try FileManager.default.removeItem(atPath: String(folder))
    }

    @Test("A quarter turn of pixels is a quarter turn clockwise, and four of them are none")
    func turns() {
        // a b c over d e f becomes d a, e b, f c.
        let letters: [UInt8] = [1, 2, 3, 4, 5, 6]
        let picture = Pixels(PixelSize(width: 3, height: 2), letters.flatMap { [$0, 0, 0, 255] })
        let turned = picture.turnedClockwise
        #expect(turned.size == PixelSize(width: 2, height: 3))
        #expect((0..<6).map { turned.bytes[$0 * 4] } == [4, 1, 5, 2, 6, 3])
        #expect(turned.turnedClockwise.turnedClockwise.turnedClockwise == picture)
        let map = letters.map { $0 < 3 }
        #expect(map.turnedClockwise(picture.size) == [false, true, false, true, false, false])
    }
}
