import CLinux
import Glibc
import LayerModel
import LayerWire
import Testing

/// A client of a server that never answers more than a welcome, or not even that. No test waits for time to pass: the client is asked
/// ten times a second whether it still waits, and says no at the third time.
@Suite("Waiting for a server can be given up")
struct GivenUpTests {
    private final class Patience {
        var asked = 0
        /// Counts from now on.
        var isCounting = true

        func isOver() -> Bool {
            if isCounting { asked += 1 }
            return asked >= 3
        }
    }

    /// The far end of a socket, which holds what the server has said and reads nothing.
    private struct SilentServer: ~Copyable {
        let channel: MessageChannel
        let client: Int32

        init(_ welcome: Welcome?) throws {
            var (near, far): (Int32, Int32) = (-1, -1)
            try #require(clinux_socket_pair(&near, &far) == 0)
            client = near
            channel = MessageChannel(descriptor: far)
            if let welcome { channel.enqueue(.welcome(welcome), serial: 0) }
            _ = channel.send()
        }
    }

    private static let hello = Hello(
        clientName: "client", width: 8, height: 8, scale: 1, isFlipped: true, background: .clear)

    private func expectGivenUp(
        _ patience: Patience, _ what: String, _ location: SourceLocation = #_sourceLocation,
        _ body: () throws(ConnectionError) -> Void
    ) {
        patience.isCounting = true
        do throws(ConnectionError) {
            try body()
            Issue.record("a server that says nothing was answered by", sourceLocation: location)
        } catch {
            guard case .givenUp(what) = error else {
                Issue.record("\(error)", sourceLocation: location)
                return
            }
        }
        #expect(patience.asked == 3, "asked \(patience.asked) times", sourceLocation: location)
    }

    @Test("While the welcome is waited for")
    func welcome() throws {
        let server = try SilentServer(nil)
        let patience = Patience()
        expectGivenUp(patience, "welcome") { () throws(ConnectionError) in
            _ = try ClientConnection(descriptor: server.client, hello: Self.hello, isGivenUp: patience.isOver)
        }
    }

    @Test("While a credit, room in the socket, a frame or an answer is waited for; the session is over then")
    func session() throws {
        var limits = WireLimits()
        let large = Transaction(time: 0, ops: (1...1_000).map { .createLayer(LayerID($0), .layer) })
        for what in ["credit", "progress", "frame", "answer"] {
            limits.credits = what == "credit" ? 0 : 1_000_000
            let server = try SilentServer(Welcome(limits: limits, serverName: "silent"))
            let patience = Patience()
            patience.isCounting = false
            let connection = try ClientConnection(
                descriptor: server.client, hello: Self.hello, isGivenUp: patience.isOver)
            expectGivenUp(patience, what) { () throws(ConnectionError) in
                switch what {
                case "credit": try connection.commit(Transaction(time: 0, ops: []))
                case "progress": while true { try connection.commit(large) }
                case "frame": _ = try connection.capture(at: 0, [])
                default: try connection.synchronize()
                }
            }
            expectGivenUp(patience, what) { () throws(ConnectionError) in _ = try connection.capture(at: 1, []) }
        }
    }
}
