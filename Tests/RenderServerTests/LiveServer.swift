import CLinux
import Foundation
import LayerModel
import LayerWire
import RenderServer
import Synchronization
import Testing

/// Every test with a live server, one after the other: they share one server, and look at what it holds.
@Suite("The render server", .serialized)
enum ServerTests {}

/// A server that listens at a socket of its own, with a witness: a client that behaves, and whose picture must stay the same
/// whatever happens to others.
final class LiveServer: Sendable {
    /// With a debug context. Tests that need other limits make their own.
    static let shared = try! LiveServer(patience: 5)
    /// Waits only 0.3 s for a message that has begun: for tests of just that.
    static let impatient = try! LiveServer(patience: 0.3)

    let server: RenderServer
    let path: String
    private let log: LogLines

    init(
        patience: Double, render: RenderConfiguration = RenderConfiguration(debug: true),
        _ change: (inout WireLimits) -> Void = { _ in }
    ) throws {
        path = "/tmp/rostrum-test-\(getpid())-\(UInt32.random(in: 0 ... .max)).sock"
        var limits = WireLimits()
        limits.patience = patience
        change(&limits)
        let log = LogLines()
        self.log = log
        server = try RenderServer(
            ServerConfiguration(render: render, limits: limits, log: { log.add($0) }),
            listener: ServerListener(path: path))
    }

    deinit { server.stop() }

    /// What the server logged since the last call.
    func takeLog() -> [String] { log.take() }

    /// Waits, at most two seconds, for a number of sessions.
    func waitForSessions(_ count: Int, _ location: SourceLocation = #_sourceLocation) {
        #expect(
            wait { server.statistics.sessions == count }, "\(server.statistics.sessions) sessions",
            sourceLocation: location)
    }
}

final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }

    func take() -> [String] {
        lines.withLock { lines in
            defer { lines.removeAll() }
            return lines
        }
    }
}

/// Looks every millisecond until something is so, or `seconds` are over.
func wait(seconds: Double = 2, until isSo: () -> Bool) -> Bool {
    let end = clinux_monotonic_nanoseconds() + UInt64(seconds * 1e9)
    while !isSo() {
        guard clinux_monotonic_nanoseconds() < end else { return false }
        usleep(1_000)
    }
    return true
}

/// Seconds that something takes.
func seconds(_ body: () throws -> Void) rethrows -> Double {
    let start = clinux_monotonic_nanoseconds()
    try body()
    return Double(clinux_monotonic_nanoseconds() - start) / 1e9
}

/// A client that behaves.
final class Witness {
    private let connection: ClientConnection
    private let server: LiveServer
    private var time = 0.0
    private var picture: [UInt8] = []
    private var holdings = ServerHoldings()

    /// Connects, draws its scene, and remembers the picture and what the server holds with it alone.
    init(_ server: LiveServer) throws {
        self.server = server
        server.waitForSessions(0)
        connection = try ClientConnection(
            path: server.path,
            hello: Hello(clientName: "witness", width: 48, height: 32, scale: 1, isFlipped: true, background: .white))
        connection.patience = 20
        try connection.commit(Transaction(time: 0, ops: Self.scene))
        picture = try draw()
        holdings = try #require(server.server.holdings())
    }

    deinit { connection.close() }

    /// A rounded group at half opacity that holds an image.
    private static let scene: [TransactionOp] = {
        let pixels = (0..<16 * 16 * 4).map { (index: Int) -> UInt8 in index % 4 == 3 ? 255 : UInt8(index % 251) }
        let image = ImageContent(width: 16, height: 16, bytesPerRow: 64, isOpaque: true, pixels: PixelStorage(pixels))
        let (root, group, picture) = (LayerID(1), LayerID(2), LayerID(3))
        var ops: [TransactionOp] = [root, group, picture].map { .createLayer($0, .layer) }
        ops.append(.defineImage(ImageID(1), image))
        ops += place(root, 48, 32, at: Point(24, 16)) + place(group, 30, 20, at: Point(20, 16))
        ops += place(picture, 16, 16, at: Point(20, 10))
        ops.append(.set(group, .backgroundColor, .color(Color(0.2, 0.4, 0.9))))
        ops.append(.set(group, .cornerRadius, .number(6)))
        ops.append(.set(group, .opacity, .number(0.5)))
        ops.append(.set(picture, .contents, .image(ImageID(1))))
        ops += [.setSublayers(group, [picture]), .setSublayers(root, [group]), .setRoot(root)]
        return ops
    }()

    /// Draws another picture, then this one again: nothing is left over from the last time.
    private func draw() throws -> [UInt8] {
        var picture: [UInt8] = []
        for color in [Color(1, 0, 0), Color(0, 0.5, 0)] {
            try connection.commit(
                Transaction(time: time, ops: [.set(LayerID(1), .backgroundColor, .color(color))]))
            time += 1
            let frame = try connection.capture(at: time, .pixels)
            let buffer = try #require(frame.buffer)
            defer { connection.release(buffer) }
            #expect(frame.reply.passesDrawn > 0)
            picture = Array(UnsafeRawBufferPointer(start: buffer.memory, count: buffer.count))
        }
        return picture
    }

    /// The picture is as it was, the server heard no fault of the witness's, and once every other client is gone it holds what
    /// it held for the witness alone.
    func check(alone: Bool = true, _ location: SourceLocation = #_sourceLocation) throws {
        let now = try draw()
        #expect(now == picture, "the witness's picture changed", sourceLocation: location)
        #expect(connection.takeFaults().isEmpty, sourceLocation: location)
        guard alone else { return }
        server.waitForSessions(1, location)
        var found = try #require(server.server.holdings())
        #expect(found.graphicsErrors.isEmpty, "\(found.graphicsErrors)", sourceLocation: location)
        #expect(found.graphics.imagesAlive == holdings.graphics.imagesAlive, sourceLocation: location)
        #expect(found.graphics.imageBytesAlive == holdings.graphics.imageBytesAlive, sourceLocation: location)
        #expect(found.graphics.rootsAlive == holdings.graphics.rootsAlive, sourceLocation: location)
        found.graphics = holdings.graphics
        #expect(found == holdings, sourceLocation: location)
    }
}

/// Bounds and position.
func place(_ layer: LayerID, _ width: Double, _ height: Double, at position: Point) -> [TransactionOp] {
    [
        .set(layer, .bounds, .rect(Rect(0, 0, width, height))), .set(layer, .position, .point(position)),
    ]
}
