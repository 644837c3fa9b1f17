import CoreAnimation
import Dispatch
import Foundation
import LayerModel
import LayerWire
import RenderServer
import Rostrum
import Synchronization
import Testing

/// What a server that refreshes by itself drew.
private final class RefreshLog: Sendable {
    struct Frame: Sendable {
        var time: Double
        /// The shown x of the layer that is 10 points wide.
        var x: Double
    }

    private let frames = Mutex<[Frame]>([])

    func add(_ frame: Frame) { frames.withLock { $0.append(frame) } }
    func between(_ start: Double, _ end: Double) -> [Frame] {
        frames.withLock { $0.filter { $0.time >= start && $0.time < end } }
    }
    var count: Int { frames.withLock { $0.count } }
}

@Suite("A server with a refresh rate", .serialized)
struct RefreshTests {
    private static func server(_ log: RefreshLog, refresh: Double? = 60) throws -> (RenderServer, String) {
        let path = "/tmp/rostrum-test-\(getpid())-\(UInt32.random(in: 0 ... .max)).sock"
        var configuration = ServerConfiguration()
        configuration.render.refresh = refresh
        configuration.render.observeFrame = { frame, store in
            let box = store.records.first { $0.id != .none && $0.properties.bounds.width == 10 }
            guard let box else { return }
            log.add(RefreshLog.Frame(time: frame.plan.time, x: box.properties.position.x))
        }
        return (try RenderServer(configuration, listener: ServerListener(path: path)), path)
    }

    /// A display with a box that goes from 0 to 1000 in 100 s.
    private static func display(_ path: String, _ clock: HeadlessDisplay.Clock) throws -> (HeadlessDisplay, CALayer) {
        let display = try HeadlessDisplay(width: 64, height: 16, server: .socket(path: path), clock: clock)
        let box = CALayer()
        box.bounds = CGRect(x: 0, y: 0, width: 10, height: 10)
        box.backgroundColor = CGColor(gray: 1, alpha: 1)
        let animation = CABasicAnimation(keyPath: "position.x")
        animation.fromValue = 0
        animation.toValue = 1_000
        animation.duration = 100
        box.add(animation, forKey: "move")
        display.rootLayer.addSublayer(box)
        CATransaction.flush()
        return (display, box)
    }

    /// Waits, at most a minute, for something to hold.
    private static func wait(_ holds: () -> Bool) -> Bool {
        for _ in 0..<6_000 {
            if holds() { return true }
            usleep(10_000)
        }
        return false
    }

    @Test("While the app's threads spin, the server goes on: each frame is at a refresh, with the value of its time")
    func spinning() throws {
        let log = RefreshLog()
        let (server, path) = try Self.server(log)
        defer { server.stop() }
        let queue = DispatchQueue(label: "display")
        let (display, box) = try Self.display(path, .live(queue: queue))
        // The driver is open, and the first frames are drawn.
        #expect(Self.wait { log.count >= 5 })
        let begin = try #require(box.animation(forKey: "move")?.beginTime)
        let start = display.currentTime
        queue.sync { while display.currentTime < start + 0.5 {} }
        let end = display.currentTime
        let frames = log.between(start, end)
        // 30 on a machine that does nothing else.
        #expect(frames.count >= 8 && frames.count <= 31, "\(frames.count) frames in \(end - start) s")
        for (earlier, later) in zip(frames, frames.dropFirst()) { #expect(earlier.time < later.time) }
        for frame in frames {
            #expect(abs(frame.x - 10 * (frame.time - begin)) < 1e-9, "\(frame)")
            let refresh = frame.time * 60
            #expect(abs(refresh - refresh.rounded()) < 1e-3, "\(frame.time) s is at no refresh")
        }
        withExtendedLifetime(display) {}
    }

    @Test("A display with a manual clock is drawn only when it is asked for, and so is any by a server without a rate")
    func others() throws {
        for (clock, refresh) in [(HeadlessDisplay.Clock.manual, 60.0), (.live(queue: DispatchQueue(label: "d")), nil)] {
            let log = RefreshLog()
            let (server, path) = try Self.server(log, refresh: refresh)
            defer { server.stop() }
            let (display, _) = try Self.display(path, clock)
            usleep(200_000)
            #expect(log.count == 0)
            _ = try display.snapshot()
            usleep(100_000)
            #expect(log.count == 1)
        }
    }

    @Test(
        "Snapshots between refreshes show what moves, and frames that are unchanged against the last snapshot alone say so"
    )
    func snapshots() throws {
        let log = RefreshLog()
        let (server, path) = try Self.server(log)
        defer { server.stop() }
        let queue = DispatchQueue(label: "display")
        let (display, box) = try Self.display(path, .live(queue: queue))
        #expect(Self.wait { log.count >= 5 })
        // 10 points a second: in a second the picture is another, whatever refreshes drew in between.
        let first = try display.snapshot()
        usleep(1_100_000)
        let frame = try display.capture(at: nil, .pixels)
        #expect(!frame.reply.isUnchanged)
        let second = try display.image(of: frame)
        #expect(first.pixelBytes != second.pixelBytes)
        box.removeAllAnimations()
        _ = try display.snapshot()
        usleep(200_000)
        let unchanged = try display.capture(at: nil, .pixels)
        #expect(unchanged.reply.isUnchanged)
        // Pixels that refreshes changed are not left behind in the memory that earlier snapshots lay in.
        let (other, still) = try Self.display(path, .manual)
        still.removeAllAnimations()
        let isSame = try display.image(of: unchanged).pixelBytes == other.snapshot().pixelBytes
        #expect(isSame)
    }
}

extension CGImage {
    fileprivate var pixelBytes: [UInt8] {
        (0..<height).flatMap { y in (0..<width).flatMap { x in [pixel(x: x, y: y).red, pixel(x: x, y: y).alpha] } }
    }
}
