// Goldens of several frames: what a cache saves shows only in the second one. A folder of Tests/Goldens/frames holds scenes
// 1.json, 2.json …, which one session shows one after the other, and plan.txt, the plans of all frames.

import CAML
import Foundation
import LayerModel
import LayerRender
import Quartz2D
import ReferenceCompositor
import RostrumCommand
import Testing

@Suite("Golden frames")
struct GoldenFrameTests {
    private static let folder = GoldenScene.folder + "/frames"
    static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()

    @Test(
        "The plans of consecutive frames are the stored ones, and each picture is what the scene alone gives",
        arguments: names)
    func frames(name: String) throws {
        let folder = Self.folder + "/" + name
        var alone: [ServedPicture] = []
        while FileManager.default.fileExists(atPath: "\(folder)/\(alone.count + 1).json") {
            let document = try SceneDocument.load(
                path: "\(folder)/\(alone.count + 1).json", options: .init(strict: true))
            let staging = Staging(
                Double(document.size.width), Double(document.size.height), scale: Double(document.scale),
                background: document.background
            ) { $0.addSublayer(document.rootLayer) }
            alone.append(try ServedPicture.draw(staging))
        }
        #expect(alone.count >= 2)
        var sequence = SceneSequence()
        let commits = alone.enumerated().map { index, picture in
            (
                transactions: [sequence.commit(picture.transactions.flatMap(\.ops), at: Double(index) / 60)],
                time: Double(index) / 60
            )
        }
        let drawn = try Drawing.shared.draw(frames: commits, on: alone[0].display)
        for (number, (frame, scene)) in zip(drawn, alone).enumerated() {
            let isSame = frame.bytes == scene.pixels.bytes
            #expect(isSame, "frame \(number + 1) of \(name) is not the picture of its scene: \(frame.plan.text)")
            let reference = try scene.reference()
            let comparison = PictureComparison(scene.pixels, to: Pixels(reference), .reference(reference))
            if !comparison.isMatch { Issue.record("\(comparison.report("\(name)-\(number + 1)", of: scene))") }
        }
        let text = drawn.map(\.plan.text).joined()
        let file = folder + "/plan.txt"
        guard !GoldenTests.isUpdating else {
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            return
        }
        let stored = (try? String(contentsOfFile: file, encoding: .utf8)) ?? "none stored: tools/update-goldens"
        #expect(text == stored, "\(name): planned otherwise; if that is meant, tools/update-goldens")
    }
}
