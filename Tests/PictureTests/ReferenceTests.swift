import LayerModel
import LayerRender
import ReferenceCompositor
import Testing

import Foundation
let opts = RandomScene.Options(rawValue: UInt32(ProcessInfo.processInfo.environment["OPTS"] ?? "8191")!)
@Suite("Pictures against the reference")
struct ReferenceTests {
    @Test("Random trees look as the reference says", arguments: ProcessInfo.processInfo.environment["SEED"].map { UInt64($0)! }.map { $0..<($0+1) } ?? 0..<150)
    func randomScenes(seed: UInt64) throws {
        let random = RandomScene(seed: seed, options: opts)
        let picture = try Drawing.shared.draw(random.transactions, on: random.display, switches: Switches.disabling(ProcessInfo.processInfo.environment["DIS"] ?? "").switches)
        let scene = try random.scene()
        let reference = ReferenceCompositor.render(scene)
        let difference = ImageDifference(
            picture.bytes, bytesPerRow: picture.size.width * 4, to: reference, scene: scene)
        if !difference.isWithinTolerance {
            let path = picture.write("random-\(seed)")
            var map = ""
            for y in stride(from: 0, to: picture.size.height, by: 2) {
                for x in stride(from: 0, to: picture.size.width, by: 2) {
                    let i = (y * picture.size.width + x) * 4
                    let d = (0..<4).map { abs(Int(picture.bytes[i + $0]) - Int(reference.pixels[i + $0])) }.max()!
                    map += d <= 2 ? "." : d <= 20 ? "+" : "#"
                }
                map += "\n"
            }
            if ProcessInfo.processInfo.environment["SEED"] != nil { print(map); for op in random.transactions[0].ops { if case .set(let l, let p, let v) = op { print(l, p, v) } else { if case .defineImage = op {} else {print(op)} } } }
            Issue.record("seed \(seed): \(difference.description)\n\(picture.plan.text)picture: \(path)")
        }
    }
}
