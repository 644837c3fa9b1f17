import Foundation
import Quartz2D
import Testing

private let sceneFolder = URL(fileURLWithPath: CommandRun.root).deletingLastPathComponent()
    .appendingPathComponent("shared/bugs/scenes")

/// Scenes of faults that other compositors had, as files beside the project, through the whole command.
@Suite("render, scenes of known faults", .enabled(if: FileManager.default.fileExists(atPath: sceneFolder.path)))
struct KnownFaultSceneTests {
    static let names = ((try? FileManager.default.contentsOfDirectory(atPath: sceneFolder.path)) ?? [])
        .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()

    private struct Expectation: Decodable {
        struct Probe: Decodable {
            var x: Int
            var y: Int
            /// Straight red, green, blue, alpha.
            var color: [Int]

            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                x = try list.decode(Int.self)
                y = try list.decode(Int.self)
                color = try list.decode([Int].self)
            }
        }

        struct Content: Decodable {
            var probes: [Probe]
            var tolerances: [Int]
        }

        var expect: Content
    }

    @Test("rostrum render is right at every probe", arguments: names)
    func probes(name: String) throws {
        let file = sceneFolder.appendingPathComponent(name + ".json")
        let expected = try JSONDecoder().decode(Expectation.self, from: Data(contentsOf: file)).expect
        let temporary = TemporaryFolder()
        let output = temporary.path("out.png")
        let run = try CommandRun.run("render", file.path, "-o", output)
        #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
        let image = try CGImage(contentsOf: output)
        #expect(!expected.probes.isEmpty && expected.probes.count == expected.tolerances.count)
        for (probe, tolerance) in zip(expected.probes, expected.tolerances) {
            let p = image.pixel(x: probe.x, y: probe.y)
            let found = [p.red, p.green, p.blue, p.alpha].map(Int.init)
            #expect(
                zip(found, probe.color).allSatisfy { abs($0 - $1) <= tolerance },
                "(\(probe.x), \(probe.y)): \(found), should be \(probe.color)")
        }
    }
}
