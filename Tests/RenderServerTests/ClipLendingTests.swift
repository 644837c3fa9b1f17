import CoreAnimation
import Foundation
import LayerWire
import RenderServer
import Rostrum
import Testing

/// Clips from servers that lend few frames, or die.
extension ServerTests {
    @Suite("Clips of a server", .serialized)
    struct ClipLendingTests {
        private let path = "/tmp/rostrum-lending-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).bgra"

        private func record(
            _ server: String, frames: Int = 20, during: @escaping (ClipProgress) throws -> Void = { _ in }
        ) throws
            -> Data
        {
            defer { unlink(path) }
            let display = try HeadlessDisplay(width: 30, height: 20, server: .socket(path: server))
            let box = CALayer()
            box.bounds = CGRect(x: 0, y: 0, width: 10, height: 10)
            box.backgroundColor = CGColor(red: 1, green: 0.5, blue: 0, alpha: 0.5)
            display.rootLayer.addSublayer(box)
            let end = Double(frames) / 30
            try display.record(
                path, to: end, fps: 30, options: ClipOptions(jobs: 3),
                update: { frame, _ in
                    CATransaction.begin()
                    CATransaction.setDisableActions(true)
                    box.position = CGPoint(x: 5 + frame, y: 8)
                    CATransaction.commit()
                }, progress: during)
            return try Data(contentsOf: URL(fileURLWithPath: path))
        }

        @Test("A server that lends one frame, or two, gives the clip of one that lends eight", arguments: [1, 2, 3, 4])
        func fewFrames(_ frames: UInt32) throws {
            let usual = try LiveServer(patience: 5)
            let few = try LiveServer(patience: 5) { $0.frames = frames }
            let clips = try [usual, few].map { try record($0.path) }
            #expect(clips[0].count == 20 * 30 * 20 * 4)
            #expect(clips[0] == clips[1])
        }

        @Test("A server that ends in the middle of a clip is an error, and the clip leaves nothing")
        func ends() throws {
            let server = try LiveServer(patience: 5)
            #expect(throws: DisplayError.self) {
                try record(server.path, frames: 2_000) { if $0.rendered == 5 { server.server.stop() } }
            }
            #expect(access(path, F_OK) != 0)
        }
    }
}
