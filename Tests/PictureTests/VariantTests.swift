import Foundation
import Rostrum
import Testing

@Suite("Variants of the golden scenes")
struct VariantTests {
    @Test("A scene drawn another way is the same scene", arguments: GoldenScene.all, Variant.all)
    func variant(_ scene: GoldenScene, _ variant: Variant) throws {
        let name = "\(scene.name)-\(variant.testDescription)".map { $0.isLetter || $0.isNumber ? $0 : "-" }
        try variant.check(scene, String(name))
    }

    @Test("A separate rostrum serve draws the same bytes, scene after scene")
    func separateServer() throws {
        let server = try ServeProcess()
        for scene in GoldenScene.all {
            let picture = try ServedPicture.draw(scene.staging(), server: .socket(path: server.socket))
            expectAlike("\(scene.name)-served", picture.pixels, try scene.base().picture.pixels, .exact, of: picture)
        }
    }
}

/// `rostrum serve` as a process of its own; ends with the object.
private final class ServeProcess {
    let socket = NSTemporaryDirectory() + "/rostrum-serve-\(getpid()).sock"
    private let process = Process()

    init() throws {
        // The product beside this test bundle.
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("rostrum")
        process.arguments = ["serve", "--socket", socket, "-q"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        #expect(line.hasSuffix("is ready at \(socket)\n"), "\(line)")
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
    }
}
