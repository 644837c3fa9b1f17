// A render server: a wire thread that talks to clients and never touches GL, a render thread that never touches a socket.

import CLinux
import Glibc
import LayerGPU
import LayerModel
import LayerRender
import LayerWire
import Synchronization

package struct ServerConfiguration: Sendable {
    package var render: RenderConfiguration
    package var limits: WireLimits
    /// One line for people: who came, what went wrong. Called from both threads.
    package var log: @Sendable (String) -> Void
    /// Every valid message of every session, for recordings: number of the session, serial, message. A session that
    /// said hello ends with a goodbye, whether the client said it or not. Called from the wire thread.
    package var observe: (@Sendable (UInt32, UInt32, ClientMessage) -> Void)?

    package init(
        render: RenderConfiguration = RenderConfiguration(), limits: WireLimits = WireLimits(),
        log: @escaping @Sendable (String) -> Void = { _ in },
        observe: (@Sendable (UInt32, UInt32, ClientMessage) -> Void)? = nil
    ) {
        self.render = render
        self.limits = limits
        self.log = log
        self.observe = observe
    }
}

/// What a server has under way: for tests, `doctor` and curiosity.
package struct ServerStatistics: Sendable, Equatable {
    package var sessions = 0
    package var accepted = 0
    package var faults = 0
}

/// What the render thread keeps for its sessions.
package struct ServerHoldings: Sendable, Equatable {
    package var sessions = 0
    package var layers = 0
    package var images = 0
    /// Memory of frames, held by a client or ready for the next one.
    package var frameBuffers = 0
    /// The executor's; all 0 before anything was drawn, and counted anew in each context.
    package var graphics = GPUCounters()
    /// Graphics contexts that were lost since the server started.
    package var contextsLost = 0
    /// How often the driver had no memory left since the server started.
    package var outOfMemory = 0
    /// Frames that were answered too late, where there is a refresh.
    package var missedDeadlines = 0
    /// What a debug context complained about.
    package var graphicsErrors: [String] = []

    package init() {}
}

package final class RenderServer: Sendable {
    private let wire: WireThread
    let render: RenderThread

    /// Starts the two threads. Nothing is opened yet: the driver comes up with the first session.
    package init(_ configuration: ServerConfiguration, listener: ServerListener? = nil) throws(ServerError) {
        var render = configuration.render
        render.storeLimits.layers = Int(configuration.limits.layers)
        render.storeLimits.depth = Int(configuration.limits.depth)
        render.storeLimits.imageSide = Int(configuration.limits.imageSide)
        render.storeLimits.imageBytes = Int(clamping: configuration.limits.imageBytes)
        let replies = try Mailbox<RenderReply>()
        self.render = try RenderThread(
            render, frameLimit: Int(configuration.limits.frames),
            frameBytes: Int(clamping: configuration.limits.imageBytes), replies: replies, log: configuration.log)
        wire = try WireThread(configuration, jobs: self.render.jobs, replies: replies, listener: listener)
        let render_ = self.render
        let wire_ = wire
        try Self.startThread("rostrum-render", stack: FramePlanner.stackBytes) { render_.run() }
        try Self.startThread("rostrum-wire", stack: 16 << 20) { wire_.run() }
    }

    /// A session over a socket pair: the client's end.
    package func connect() throws(ServerError) -> Int32 {
        var mine: Int32 = -1
        var theirs: Int32 = -1
        let result = clinux_socket_pair(&mine, &theirs)
        guard result == 0 else { throw ServerError("socketpair: \(String(cString: clinux_error_text(-result)))") }
        guard wire.commands.put(.adopt(mine)) else {
            close(mine)
            close(theirs)
            throw ServerError("the render server has stopped")
        }
        return theirs
    }

    package var statistics: ServerStatistics { wire.statistics }

    /// What the render thread holds once it has done everything that waits for it; nil when it has stopped.
    package func holdings() -> ServerHoldings? {
        guard let answer = try? Mailbox<ServerHoldings>() else { return nil }
        guard render.jobs.put(.inspect { answer.put($0) }) else { return nil }
        let started = clinux_monotonic_nanoseconds()
        while clinux_monotonic_nanoseconds() - started < 60_000_000_000 {
            _ = clinux_poll(answer.descriptor, CLINUX_READABLE, 100)
            if let holdings = answer.takeAll().first { return holdings }
            if render.jobs.isClosed { return nil }
        }
        return nil
    }

    /// Ends every session and both threads; returns when the driver is closed, so that the process can end without a
    /// thread that still uses it. Waits at most ten seconds, for a driver that hangs.
    package func stop() {
        wire.commands.put(.stop)
        _ = clinux_poll(render.ended.descriptor, CLINUX_READABLE, 10_000)
    }

    private static func startThread(
        _ name: String, stack: Int, _ body: @escaping @Sendable () -> Void
    ) throws(ServerError) {
        final class Box {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        let box = Unmanaged.passRetained(Box(body))
        let result = clinux_thread(
            name, stack, { Unmanaged<Box>.fromOpaque($0!).takeRetainedValue().body() }, box.toOpaque())
        guard result == 0 else {
            box.release()
            throw ServerError("a thread: \(String(cString: clinux_error_text(-result)))")
        }
    }
}
