import CLinux
import Foundation
import Glibc
import LayerModel
import LayerWire
import Testing

/// Servers and clients that are ended by SIGKILL, as processes of their own.
@Suite("What is killed", .serialized)
struct KilledTests {
    private let folder = TemporaryFolder()

    private func serve(_ name: String = "s") throws -> (server: RunningCommand, socket: String) {
        let socket = folder.path(name)
        let server = try RunningCommand(["serve", "--socket", socket])
        #expect(server.firstLine() != nil)
        return (server, socket)
    }

    private static let hello = Hello(
        clientName: "client", width: 64, height: 64, scale: 1, isFlipped: true, background: .white)

    private func connect(_ socket: String) throws -> ClientConnection {
        let connection = try ClientConnection(path: socket, hello: Self.hello)
        connection.patience = 20
        return connection
    }

    /// Stops a process for now, with all its threads.
    private func halt(_ server: RunningCommand) {
        server.send(SIGSTOP)
        let folder = "/proc/\(server.process)/task"
        for _ in 0..<1_000 {
            let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            // The state comes after the name, which stands in parentheses.
            let isHalted = threads.allSatisfy { thread in
                (try? String(contentsOfFile: "\(folder)/\(thread)/stat", encoding: .utf8))?.contains(") T ") ?? true
            }
            if isHalted { return }
            usleep(1_000)
        }
        Issue.record("the server goes on")
    }

    /// Kills a stopped server after a while, and returns how long a client that waited for it went on after that.
    private func outlived(_ server: RunningCommand, _ wait: () throws -> Void) rethrows -> Double {
        let process = server.process
        let killed = clinux_monotonic_nanoseconds() + 200_000_000
        Thread.detachNewThread {
            usleep(200_000)
            kill(process, SIGKILL)
        }
        try wait()
        return Double(clinux_monotonic_nanoseconds()) / 1e9 - Double(killed) / 1e9
    }

    private func expectClosed(
        _ location: SourceLocation = #_sourceLocation, _ body: () throws(ConnectionError) -> Void
    ) {
        do throws(ConnectionError) {
            try body()
            Issue.record("a dead server answered", sourceLocation: location)
        } catch {
            guard case .closed = error else {
                Issue.record("\(error)", sourceLocation: location)
                return
            }
            #expect("\(error)".contains("ended the session"), sourceLocation: location)
        }
    }

    @Test("A server killed in the middle of a capture is an error at once, and at every later call")
    func inCapture() throws {
        let (server, socket) = try serve()
        let connection = try connect(socket)
        _ = try connection.capture(at: 0, .pixels)
        halt(server)
        let time = outlived(server) {
            expectClosed { () throws(ConnectionError) in _ = try connection.capture(at: 1, .pixels) }
        }
        #expect(time < 30, "\(time) s after the kill")
        expectClosed { () throws(ConnectionError) in _ = try connection.capture(at: 2, .pixels) }
        expectClosed { () throws(ConnectionError) in try connection.commit(Transaction(time: 2, ops: [])) }
    }

    @Test("A server killed while it is sent a large commit, with large contents, is an error at once")
    func inUpload() throws {
        let (server, socket) = try serve()
        let connection = try connect(socket)
        let side = 4_096
        let image = ImageContent(
            width: side, height: side, bytesPerRow: side * 4, isOpaque: true,
            pixels: PixelStorage([UInt8](repeating: 200, count: side * side * 4)))
        halt(server)
        // Nothing is read: after a few commits the socket is full, or the credits are spent.
        let ops: [TransactionOp] = (1...20_000).map { .createLayer(LayerID($0), .layer) }
        let time = outlived(server) {
            expectClosed { () throws(ConnectionError) in
                try connection.commit(Transaction(time: 0, ops: [.defineImage(ImageID(1), image)]))
                for _ in 0..<200 { try connection.commit(Transaction(time: 0, ops: ops)) }
            }
        }
        #expect(time < 30, "\(time) s after the kill")
    }

    @Test("A server killed before the handshake is done, or before anybody connects, is an error that says so")
    func beforeConnect() throws {
        let (server, socket) = try serve()
        halt(server)
        let time = outlived(server) {
            #expect(throws: ConnectionError.self) { try connect(socket) }
        }
        #expect(time < 30, "\(time) s after the kill")
        _ = server.wait()
        // The socket is still there, with nobody behind it.
        #expect(FileManager.default.fileExists(atPath: socket))
        let run = try CommandRun.run("render", CommandRun.demo, "-o", folder.path("a.png"), "--server", socket)
        #expect(run.code == 4, "\(run.errors)")
        #expect(run.errors.contains("nothing listens there any more"), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("a.png")))
        // The next server takes it over.
        let (second, _) = try serve()
        #expect(try CommandRun.run("render", CommandRun.demo, "-o", folder.path("a.png"), "--server", socket).code == 0)
        second.send(SIGTERM)
        #expect(second.wait().code == 143)
    }

    @Test("A command whose server is killed ends with 4 and the reason, and leaves no file")
    func command() throws {
        let (server, socket) = try serve()
        halt(server)
        let client = try RunningCommand(["render", CommandRun.demo, "-o", folder.path("a.png"), "--server", socket])
        usleep(300_000)
        server.send(SIGKILL)
        let run = client.wait()
        #expect(run.code == 4, "\(run.errors)")
        #expect(run.errors.contains("render server"), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("a.png")))
    }

    @Test("A server that hangs is an error after the client's patience")
    func hangs() throws {
        let (server, socket) = try serve()
        let connection = try connect(socket)
        connection.patience = 0.3
        halt(server)
        do throws(ConnectionError) {
            _ = try connection.capture(at: 0, .pixels)
            Issue.record("a frame of a stopped server")
        } catch {
            guard case .timedOut = error else {
                Issue.record("\(error)")
                return
            }
        }
        server.send(SIGKILL)
    }

    @Test("Clients killed at any moment: the server draws the next one's picture, and has no descriptor more")
    func clients() throws {
        let (server, socket) = try serve()
        let (before, after) = (folder.path("before.png"), folder.path("after.png"))
        func draw(_ path: String) throws -> Int32 {
            try CommandRun.run("render", CommandRun.demo, "-o", path, "--server", socket).code
        }
        func descriptors() -> Int {
            (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(server.process)/fd").count) ?? -1
        }
        #expect(try draw(before) == 0)
        var settled = -1
        for _ in 0..<100 where settled != descriptors() {
            settled = descriptors()
            usleep(20_000)
        }
        for index in 0..<12 {
            let client = try RunningCommand(
                ["render", CommandRun.demo, "-o", folder.path("none.png"), "--server", socket])
            usleep(UInt32(index) * 12_000)
            client.send(SIGKILL)
            _ = client.wait()
        }
        #expect(try draw(after) == 0)
        let pictures = try [before, after].map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        #expect(pictures[0] == pictures[1])
        for _ in 0..<100 where descriptors() != settled { usleep(20_000) }
        #expect(descriptors() == settled)
        server.send(SIGTERM)
        #expect(server.wait().code == 143)
    }
}
