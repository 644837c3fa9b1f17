import CLinux
import Foundation
import Glibc
import LayerWire
import Testing

/// Servers that take connections and then say nothing, or nothing more.
@Suite("A server that hangs", .serialized)
struct HangingServerTests {
    private let folder = TemporaryFolder()

    /// A socket that somebody listens at, who says at most `welcome`.
    private final class SilentServer {
        private let descriptor: Int32

        init(_ path: String, saysWelcome: Bool) throws {
            descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
            let bound = withUnsafePointer(to: address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try #require(bound == 0 && listen(descriptor, 8) == 0)
            let listening = descriptor
            Thread.detachNewThread {
                var channels: [MessageChannel] = []
                while case let client = accept(listening, nil, nil), client >= 0 {
                    let channel = MessageChannel(descriptor: client)
                    if saysWelcome {
                        channel.enqueue(.welcome(Welcome(limits: WireLimits(), serverName: "silent")), serial: 0)
                        _ = channel.send()
                    }
                    channels.append(channel)
                }
            }
        }

        deinit {
            shutdown(descriptor, Int32(SHUT_RDWR))
            close(descriptor)
        }
    }

    /// What is asked for: where a picture, a clip of one file and one of many go.
    private static let outputs = ["a.png", "a.apng", "a.mp4", "frames/"]

    private func words(_ output: String, _ socket: String) -> [String] {
        ["render", CommandRun.demo, "-o", folder.path(output), "--server", socket, "--progress", "none"]
            + (output == "a.png" ? [] : ["--frames", "0-3"])
    }

    /// Whatever is in the folder besides the socket.
    private func leftOver() -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter { $0 != "s" }.sorted()
    }

    /// A clip's draft is there when its first frame is waited for.
    private func waitForDraft() {
        for _ in 0..<3_000 where !leftOver().contains(where: { $0.hasPrefix(".rostrum-") }) { usleep(10_000) }
    }

    @Test("--timeout ends the command with 5, says so, and leaves nothing", arguments: [false, true], outputs)
    func timeout(saysWelcome: Bool, output: String) throws {
        let server = try SilentServer(folder.path("s"), saysWelcome: saysWelcome)
        defer { withExtendedLifetime(server) {} }
        let run = try CommandRun.run(words(output, folder.path("s")) + ["--timeout", "0.5"])
        #expect(run.code == 5, "\(run.errors)")
        #expect(run.errors.contains("within 0.5 s"), "\(run.errors)")
        // Work that is not given up in time is cut off later, and may leave a folder.
        #expect(leftOver() == [])
    }

    @Test(
        "The first signal ends a clip whose frame is waited for, as that signal does, and leaves nothing",
        arguments: [SIGINT, SIGTERM], outputs.filter { $0 != "a.png" })
    func signal(signal: Int32, output: String) throws {
        let server = try SilentServer(folder.path("s"), saysWelcome: true)
        defer { withExtendedLifetime(server) {} }
        let command = try RunningCommand(words(output, folder.path("s")))
        waitForDraft()
        command.send(signal)
        let run = command.wait()
        #expect(run.code == 128 + signal, "\(run.errors)")
        // A frame that is waited for until a minute has passed is an error, which would be said.
        #expect(run.errors.isEmpty, "\(run.errors)")
        #expect(leftOver() == [])
    }

    @Test(
        "The first signal ends a command that waits for a welcome", arguments: [SIGINT, SIGTERM], ["a.png", "a.apng"])
    func signalBeforeWelcome(signal: Int32, output: String) throws {
        let server = try SilentServer(folder.path("s"), saysWelcome: false)
        defer { withExtendedLifetime(server) {} }
        let command = try RunningCommand(words(output, folder.path("s")))
        usleep(500_000)
        command.send(signal)
        let run = command.wait()
        #expect(run.code == 128 + signal, "\(run.errors)")
        #expect(leftOver() == [])
    }
}
