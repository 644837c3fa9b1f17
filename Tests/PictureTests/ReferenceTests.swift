import LayerModel
import LayerRender
import ReferenceCompositor
import Testing

import Foundation
let opts = RandomScene.Options(rawValue: UInt32(ProcessInfo.processInfo.environment["OPTS"] ?? "8191")!)
@Suite("Pictures against the reference")
struct ReferenceTests {
    @Test("Random trees look as the reference says", arguments: 0..<150)
    func randomScenes(seed: UInt64) throws {
        let random = RandomScene(seed: seed, options: opts)
        let picture = try Drawing.shared.draw(random.transactions, on: random.display)
        let scene = try random.scene()
        let reference = ReferenceCompositor.render(scene)
        let difference = ImageDifference(
            picture.bytes, bytesPerRow: picture.size.width * 4, to: reference, scene: scene)
        if !difference.isWithinTolerance {
            let path = picture.write("random-\(seed)")
            Issue.record("seed \(seed): \(difference.description)\n\(picture.plan.text)picture: \(path)")
        }
    }
}
