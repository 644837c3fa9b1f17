import CLinux
import Foundation
import Glibc
import Testing

/// Ctrl-C while a verb works for a while: it ends at once, as the signal would end it, and leaves what was there.
@Suite("Commands that are interrupted", .serialized)
struct InterruptionTests {
    private let folder = TemporaryFolder()

    private func names() -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    /// A scene that takes a while to be read and to be written.
    private func largeScene() throws -> String {
        let layer =
            #"{"bounds": [0, 0, 10, 8], "position": [12.25, 9.5], "backgroundColor": [1, 0, 0, 0.5], "cornerRadius": 2}"#
        let layers = [String](repeating: layer, count: 60_000).joined(separator: ",")
        let text = #"{"size": [40, 30], "root": {"bounds": [0, 0, 40, 30], "sublayers": [\#(layers)]}}"#
        let path = folder.path("large.json")
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// Sends a signal after a while; seconds from then to the end, and the exit code.
    private func interrupt(_ words: [String], after delay: Double, with signal: Int32) throws -> (Double, Int32) {
        let command = try RunningCommand(words)
        usleep(UInt32(delay * 1e6))
        let start = clinux_monotonic_nanoseconds()
        command.send(signal)
        let code = command.wait().code
        return (Double(clinux_monotonic_nanoseconds() - start) / 1e9, code)
    }

    @Test(
        "convert ends at once, whatever it is doing, with the signal's code, and leaves nothing half done",
        arguments: [("a.json", SIGINT), ("b.caml", SIGTERM), ("C.ca", SIGHUP)])
    func convert(output: String, signal: Int32) throws {
        let scene = try largeScene()
        for delay in [0.05, 0.4, 0.8, 1.6] {
            let (time, code) = try interrupt(["convert", scene, folder.path(output)], after: delay, with: signal)
            if code == 0 {
                // Done before the signal came: all of it is there.
                #expect(names() == ["large.json", output].sorted())
                break
            }
            // A moment, on a machine that is busy with other tests.
            #expect(code == 128 + signal && time < 1, "after \(delay) s: code \(code), \(time) s")
            #expect(names() == ["large.json"], "after \(delay) s: \(names())")
        }
    }

    @Test("record leaves no draft of the recording", arguments: [SIGINT, SIGTERM, SIGHUP])
    func record(signal: Int32) throws {
        let scene = try largeScene()
        for delay in [0.1, 0.5, 1, 2, 3] {
            let (time, code) = try interrupt(["record", scene, "-o", folder.path("r")], after: delay, with: signal)
            if code == 0 { break }
            #expect(code == 128 + signal && time < 1, "after \(delay) s: code \(code), \(time) s")
            #expect(names() == ["large.json"], "after \(delay) s: \(names())")
        }
    }
}
