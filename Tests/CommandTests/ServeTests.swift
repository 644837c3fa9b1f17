import CLinux
import Foundation
import Glibc
import Testing

@Suite("serve")
struct ServeTests {
    let folder = TemporaryFolder()

    private func serve(_ flags: String...) throws -> (server: RunningCommand, socket: String, ready: String?) {
        let socket = folder.path("s")
        let server = try RunningCommand(["serve", "--socket", socket] + flags)
        return (server, socket, server.firstLine())
    }

    @Test("A served picture has the bytes of an embedded server's, by flag and by environment")
    func sameBytes() throws {
        let (server, socket, ready) = try serve()
        #expect(ready?.hasSuffix("is ready at \(socket)") == true)
        let names = ["own.png", "flag.png", "environment.png"].map(folder.path)
        #expect(try CommandRun.run("render", CommandRun.demo, "-o", names[0]).code == 0)
        #expect(try CommandRun.run("render", CommandRun.demo, "-o", names[1], "--server", socket).code == 0)
        let run = try CommandRun.run(
            ["render", CommandRun.demo, "-o", names[2]], environment: ["ROSTRUM_SOCKET": socket])
        #expect(run.code == 0, "\(run.errors)")
        let pictures = try names.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        #expect(pictures[0] == pictures[1] && pictures[0] == pictures[2])

        server.send(SIGTERM)
        let end = server.wait()
        // Two clients came; the log is on stderr, with the time.
        #expect(end.errors.split(separator: "\n").count { $0.contains("rostrum, 480x300") } == 2, "\(end.errors)")
        #expect(end.output == Data((ready! + "\n").utf8))
    }

    @Test(
        "A signal ends the server with 128 and its number, and the socket goes",
        arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
    func signals(signal: Int32, code: Int32) throws {
        let (server, socket, ready) = try serve("-q")
        #expect(ready != nil)
        #expect(FileManager.default.fileExists(atPath: socket))
        server.send(signal)
        let end = server.wait()
        #expect(end.code == code)
        #expect(end.errors.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: socket))
    }

    @Test("A socket in use, a file in the way and a folder that is missing end with 4, and nothing is lost")
    func refused() throws {
        let (server, socket, ready) = try serve("--json", "--log-format", "json")
        #expect(ready?.contains("\"socket\":\"\(socket)\"") == true)
        let second = try CommandRun.run("serve", "--socket", socket)
        #expect(second.code == 4)
        #expect(second.errors.contains("a render server runs at \(socket) already"), "\(second.errors)")
        #expect(try CommandRun.run("render", CommandRun.demo, "-o", folder.path("a.png"), "--server", socket).code == 0)
        server.send(SIGTERM)
        let log = server.wait().errors.split(separator: "\n")
        #expect(!log.isEmpty && log.allSatisfy { $0.hasPrefix("{\"time\":\"") && $0.hasSuffix("}") }, "\(log)")

        let file = folder.path("file")
        try Data("kept".utf8).write(to: URL(fileURLWithPath: file))
        #expect(try CommandRun.run("serve", "--socket", file).code == 4)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "kept")
        #expect(try CommandRun.run("serve", "--socket", folder.path("no/s")).code == 4)
    }

    @Test("A server that can't draw ends with 4 and takes its socket along")
    func noDriver() throws {
        let socket = folder.path("s")
        let run = try CommandRun.run(
            ["serve", "--socket", socket, "-q"], environment: ["__EGL_VENDOR_LIBRARY_FILENAMES": "/nonexistent"])
        #expect(run.code == 4)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("apt-get install"), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: socket))
    }

    @Test("Over --max-clients a client ends with 6, and the next one is served when there is room")
    func maxClients() throws {
        let (server, socket, ready) = try serve("--max-clients", "1", "-q")
        #expect(ready != nil)
        // Holds the only session open by not going on after it connected.
        let held = clinux_connect(socket)
        #expect(held >= 0)
        usleep(50_000)
        let words = ["render", CommandRun.demo, "-o", folder.path("a.png"), "--server", socket]
        let run = try CommandRun.run(words)
        #expect(run.code == 6, "\(run.errors)")
        close(held)
        usleep(50_000)
        let next = try CommandRun.run(words)
        #expect(next.code == 0, "\(next.errors)")
        server.send(SIGTERM)
        #expect(server.wait().code == 143)
    }
}
