// The goldens: for every scene its plan as text and its picture.
//
// tools/update-goldens runs these tests with ROSTRUM_UPDATE_GOLDENS=1: they write instead of compare. A picture that the
// reference compositor does not agree with is never written.

import Foundation
import LayerGPU
import Quartz2D
import ReferenceCompositor
import Testing

@Suite("Golden scenes")
struct GoldenTests {
    static let isUpdating = ProcessInfo.processInfo.environment["ROSTRUM_UPDATE_GOLDENS"] == "1"

    @Test("A scene's plan and picture are the stored ones, and the reference agrees", arguments: GoldenScene.all)
    func golden(_ scene: GoldenScene) throws {
        let base = try scene.base()
        let picture = base.picture
        let reference = base.reference
        let share = (reference.edgeShare * 1_000).rounded() / 10
        let comparison = PictureComparison(picture.pixels, to: Pixels(reference), .reference(reference))
        print(
            "\(scene.name): \(share) % edge pixels, the reference is at most \(comparison.worst.difference) levels away"
        )
        #expect(reference.edgeShare < 0.25, "a picture that is mostly edge proves little")
        if !comparison.isMatch { Issue.record("\(comparison.report("\(scene.name)-reference", of: picture))") }
        guard !Self.isUpdating else {
            _ = try scene.store(picture, comparison)
            return
        }
        let plan =
            (try? String(contentsOfFile: scene.planFile(), encoding: .utf8)) ?? "none stored: tools/update-goldens"
        #expect(
            try picture.planned().plan.text == picture.plan,
            "\(scene.name): the server plans otherwise than rostrum plan")
        #expect(picture.plan == plan, "\(scene.name): drawn otherwise; if that is meant, tools/update-goldens")
        let stored = try Pixels(CGImage(contentsOf: scene.imageFile()))
        let isSameMachine = try Fingerprint.stored == Fingerprint.ofThisMachine()
        expectAlike(scene.name, picture.pixels, stored, isSameMachine ? .exact : .within(1), of: picture)
    }

    @Test("Every stored plan and picture belongs to a scene, and it is said what drew the pictures")
    func nothingLeftOver() throws {
        let scenes = Set(GoldenScene.all.map(\.name))
        #expect(scenes.count >= 14)
        for (folder, ending) in [("plans", ".txt"), ("images", ".png")] {
            let left = GoldenScene.names(in: folder, ending: ending).filter { !scenes.contains($0) }
            if Self.isUpdating {
                for name in left {
                    try FileManager.default.removeItem(atPath: "\(GoldenScene.folder)/\(folder)/\(name)\(ending)")
                }
            } else {
                #expect(
                    left.isEmpty, "Goldens/\(folder) has \(left) without a scene; tools/update-goldens removes them")
            }
        }
        if Self.isUpdating { try Fingerprint.store() }
        #expect(!Fingerprint.stored.isEmpty)
    }
}

extension GoldenScene {
    /// Stores plan and picture, but nothing where the reference does not agree with the picture.
    ///
    /// - Parameter comparison: Of the picture with the reference.
    /// - Returns: False when it was refused.
    func store(_ picture: ServedPicture, _ comparison: PictureComparison, in folder: String = folder) throws -> Bool {
        guard comparison.isMatch else { return false }
        try Data(picture.plan.utf8).write(to: URL(fileURLWithPath: planFile(in: folder)))
        // A picture of the same bytes keeps its file: another library may pack it otherwise.
        let file = imageFile(in: folder)
        let old = try? Pixels(CGImage(contentsOf: file))
        if old != picture.pixels { try picture.pixels.image.writePNG(to: file, level: 9) }
        return true
    }
}

/// What decides about single levels of a picture: the driver and the processor.
enum Fingerprint {
    private static let file = GoldenScene.folder + "/drawn-by.txt"

    static var stored: String { (try? String(contentsOfFile: file, encoding: .utf8)) ?? "" }

    static func store() throws {
        try Data(ofThisMachine().utf8).write(to: URL(fileURLWithPath: file))
    }

    static func ofThisMachine() throws -> String {
        let info = try Drawing.shared.perform { try Drawing.shared.core(.all).graphics() }
        let lines = ((try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? "").split(separator: "\n")
        // x86 has the first three, ARM the last two.
        let words = ["model name", "cpu family", "model", "CPU implementer", "CPU part"].compactMap { key in
            lines.first { $0.split(separator: "\t").first == key[...] }?.split(separator: ":").last.map {
                String($0.drop { $0 == " " })
            }
        }
        let processor = words.isEmpty ? "unknown" : words.joined(separator: ", ")
        return "renderer \(info.renderer)\nversion \(info.version)\nprocessor \(processor)\n"
    }
}
