import CoreAnimation
import Foundation
import RenderServer
import LayerWire
import Rostrum
import Testing

/// Frame n is the same bytes, however one comes to it. Replays and the command line: CommandTests.
@Suite("Frame n is the same bytes", .serialized)
struct SameBytesTests {
    private static let count = 26

    /// Frames that differ; and that there was motion at all.
    private func compare(_ a: [[UInt8]], _ b: [[UInt8]], _ numbers: [Int], _ how: String) {
        let different = zip(zip(a, b), numbers).filter { $0.0.0 != $0.0.1 }.map { $0.1 }
        #expect(a.count == b.count && different.isEmpty, "\(how): frames \(different) of \(numbers)")
    }

    @Test("Frame by frame as by jumping to it, from the start or from any frame before", arguments: MotionScene.all)
    func jumping(_ scene: MotionScene) throws {
        let all = try scene.frames(Array(0..<Self.count))
        #expect(Set(all).count > 8, "it hardly moves")
        for number in stride(from: 1, to: Self.count, by: 5) {
            compare([all[number]], try scene.frames([number]), [number], "from 0")
        }
        for step in [2, 3, 7] {
            let numbers = Array(stride(from: step - 1, to: Self.count, by: step))
            compare(numbers.map { all[$0] }, try scene.frames(numbers), numbers, "every \(step)")
        }
        // Twice as many frames in between make no difference either.
        let fine = try scene.frames(Array(0..<Self.count * 2), rate: 40)
        let even = stride(from: 0, to: Self.count * 2, by: 2).map { fine[$0] }
        compare(all, even, Array(0..<Self.count), "twice as fine")
    }

    @Test("In a clip with any number of threads", arguments: MotionScene.all, [1, 2, 5])
    func clips(_ scene: MotionScene, _ jobs: Int) throws {
        let path = "/tmp/rostrum-test-\(getpid())-\(UInt32.random(in: 0 ... .max)).bgra"
        defer { unlink(path) }
        let all = try scene.frames(Array(0..<Self.count))
        var options = ClipOptions()
        options.jobs = jobs
        try scene.display().record(path, to: Double(Self.count) / 20, fps: 20, options: options)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let size = Int(MotionScene.size.width * MotionScene.size.height) * 4
        #expect(bytes.count == Self.count * size)
        guard bytes.count == Self.count * size else { return }
        let frames = (0..<Self.count).map { [UInt8](bytes[$0 * size..<($0 + 1) * size]) }
        compare(all, frames, Array(0..<Self.count), "\(jobs) threads")
    }

    @Test("By a server elsewhere, with others that draw there at the same time", arguments: MotionScene.all)
    func separateServer(_ scene: MotionScene) throws {
        let path = "/tmp/rostrum-test-\(getpid())-\(UInt32.random(in: 0 ... .max)).sock"
        let server = try RenderServer(ServerConfiguration(), listener: ServerListener(path: path))
        defer { server.stop() }
        let all = try scene.frames(Array(0..<Self.count))
        let displays = try [scene, MotionScene.all[0], scene].map { try $0.display(server: .socket(path: path)) }
        var frames: [[UInt8]] = []
        for number in 0..<Self.count {
            for (index, display) in displays.enumerated() {
                let bytes = try display.withPixels(at: Double(number) / 20) { bytes, _ in [UInt8](bytes) }
                if index == 2 { frames.append(bytes) }
            }
        }
        compare(all, frames, Array(0..<Self.count), "another server")
    }
}
