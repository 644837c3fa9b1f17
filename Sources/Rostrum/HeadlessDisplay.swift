import CoreAnimation
import Foundation
import LayerModel
import LayerWire
import Quartz2D
import RenderServer
import Synchronization

/// A display without a screen: a root layer, a clock that goes where it is told, and pictures of what shows.
///
///     let display = try HeadlessDisplay(width: 320, height: 200, scale: 2)
///     let box = CALayer()
///     box.frame = CGRect(x: 20, y: 20, width: 80, height: 80)
///     box.backgroundColor = CGColor(red: 0.9, green: 0.2, blue: 0.3, alpha: 1)
///     box.cornerRadius = 16
///     display.rootLayer.addSublayer(box)
///     try display.writePNG(to: "box.png")
///
/// y runs down from the top left, as on iOS. Pictures are drawn by a render server that runs in this process on threads of
/// its own, or by the one at `ROSTRUM_SOCKET`. One thread at a time may change the tree.
public final class HeadlessDisplay: @unchecked Sendable {
    /// Who draws.
    public enum Server: Sendable, Hashable {
        /// The server at `ROSTRUM_SOCKET` where that is set, else the one in this process.
        case automatic
        /// The one in this process.
        case embedded
        /// A `rostrum serve` that listens at a path.
        case socket(path: String)
    }

    /// The layer everything shown hangs below: its bounds are the display's, in points.
    public let rootLayer: CALayer

    /// Points.
    public let size: CGSize
    /// Pixels a point.
    public let scale: CGFloat
    /// Pixels.
    public let pixelWidth: Int
    /// Pixels.
    public let pixelHeight: Int

    /// Called with each fault as the display hears of it, before `snapshot` throws it.
    public var onFault: ((LayerFault) -> Void)?

    /// What makes the clock go.
    public let clock: Clock
    let clockTime: Mutex<CFTimeInterval>
    let callbackTimer: CallbackTimer?

    let context = LayerContext()
    private var connection: ClientConnection
    /// How to begin another session: what a refused commit said is missing on the server, so the next one says it all.
    private let reconnect: () throws(DisplayError) -> ClientConnection
    private var mustRestart = false
    /// Counts the sessions; a frame's memory is given back to the one it came from.
    private var session = 0
    private var captures = 0
    private let lock = NSRecursiveLock()
    var sendError: DisplayError?

    /// Makes a display.
    ///
    /// - Parameters:
    ///   - width: Points, above 0.
    ///   - height: Points, above 0.
    ///   - scale: Pixels a point. Width and height times scale are rounded up to whole pixels.
    ///   - background: What lies behind every layer; nil is transparent.
    ///   - server: Who draws. A server that can't be reached is an error, never replaced by another.
    ///   - clock: Where time comes from.
    /// - Throws: `DisplayError.badSize`, `.server`, `.environment`.
    public convenience init(
        width: CGFloat, height: CGFloat, scale: CGFloat = 1, background: CGColor? = nil, server: Server = .automatic,
        clock: Clock = .manual
    ) throws {
        try self.init(
            width: width, height: height, scale: scale, background: background, server: server, clock: clock,
            observer: nil)
    }

    /// A display whose messages somebody watches, for recordings, or whose waits for the server may be given up.
    package init(
        width: CGFloat, height: CGFloat, scale: CGFloat = 1, background: CGColor? = nil, server: Server = .automatic,
        clock: Clock = .manual, observer: ClientConnection.Observer?,
        isGivenUp: @escaping ClientConnection.GivingUp = { false }
    ) throws {
        let pixels = try Self.pixelSize(width, height, scale)
        (pixelWidth, pixelHeight) = pixels
        size = CGSize(width: width, height: height)
        self.scale = scale
        self.clock = clock
        clockTime = Mutex(clock.start)
        callbackTimer = clock.queue.map { CallbackTimer(queue: $0) }
        rootLayer = CALayer()
        let hello = Hello(
            clientName: ProcessInfo.processInfo.processName, width: UInt32(pixels.0), height: UInt32(pixels.1),
            scale: Double(scale), isFlipped: true, background: background?.color ?? .clear)
        let isLive = clock.queue != nil
        reconnect = { () throws(DisplayError) in
            let connection = try Self.connect(server, hello, observer, isGivenUp)
            if isLive { connection.noteLiveClock() }
            return connection
        }
        connection = try reconnect()
        rootLayer.name = "root"
        rootLayer.bounds = CGRect(x: 0, y: 0, width: width, height: height)
        rootLayer.position = CGPoint(x: width / 2, y: height / 2)
        context.displayIsFlipped = true
        context.displayBounds = Rect(0, 0, Double(width), Double(height))
        context.pixelsPerPoint = Double(scale)
        context.rootLayer = rootLayer
        context.commitHandler = { [unowned self] _ in sendChanges() }
        startClock()
    }

    deinit {
        stopClock()
        context.commitHandler = nil
        connection.close()
    }

    private static func pixelSize(_ width: CGFloat, _ height: CGFloat, _ scale: CGFloat) throws(DisplayError) -> (
        Int, Int
    ) {
        guard width.isFinite, height.isFinite, scale.isFinite, width > 0, height > 0, scale > 0 else {
            throw .badSize("a display of \(width)x\(height) points at scale \(scale): all three must be above 0")
        }
        // A little less than a whole pixel more is a rounding error of the scale, not a pixel.
        let (w, h) = ((Double(width * scale) - 1e-6).rounded(.up), (Double(height * scale) - 1e-6).rounded(.up))
        guard w <= 65_535, h <= 65_535 else {
            throw .badSize("a display of \(w)x\(h) pixels; the largest side is 16384")
        }
        return (max(Int(w), 1), max(Int(h), 1))
    }

    /// A session with a server, as a display of its kind makes it.
    package static func connect(
        _ server: Server, _ hello: Hello, _ observer: ClientConnection.Observer? = nil,
        _ isGivenUp: @escaping ClientConnection.GivingUp = { false }
    ) throws(DisplayError) -> ClientConnection {
        do {
            let path: String?
            switch server {
            case .socket(let socket): path = socket
            case .automatic:
                path = ProcessInfo.processInfo.environment["ROSTRUM_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
            case .embedded: path = nil
            }
            if let path {
                return try ClientConnection(path: path, hello: hello, observer: observer, isGivenUp: isGivenUp)
            }
            return try ClientConnection(
                descriptor: EmbeddedServer.connect(), hello: hello, observer: observer, isGivenUp: isGivenUp)
        } catch let error as ConnectionError {
            throw displayError(error)
        } catch {
            throw .environment("\(error)")
        }
    }

    // MARK: Clock

    /// The display's clock, seconds. A manual one starts at 0 and moves with `snapshot(at:)`.
    public var currentTime: CFTimeInterval { clockTime.withLock { clock.time(after: &$0) } }

    /// Runs code with `CACurrentMediaTime()` reading this display's clock.
    public func perform<R>(_ body: () throws -> R) rethrows -> R {
        let clock = MediaClock.DisplayClock({ [unowned self] in currentTime }, context: context)
        return try MediaClock.$current.withValue(clock, operation: body)
    }

    // MARK: Frames

    /// Commits what is pending, moves the clock to a time and returns what shows then.
    ///
    /// - Parameter time: Seconds, not before `currentTime`; nil stays where the clock is.
    /// - Throws: `DisplayError`.
    public func snapshot(at time: CFTimeInterval? = nil) throws(DisplayError) -> CGImage {
        let frame = try capture(at: time, .pixels)
        return try image(of: frame)
    }

    /// Writes what shows at a time as a PNG file: straight alpha, sRGB. Replaces the file only when it is whole.
    public func writePNG(to path: String, at time: CFTimeInterval? = nil) throws {
        try snapshot(at: time).writePNG(to: path)
    }

    /// Calls `body` with the pixels of a time where they lie: premultiplied BGRA, rows from the top.
    ///
    /// The cheapest way to a frame: nothing is copied. The memory is the display's again when `body` returns.
    public func withPixels<R>(
        at time: CFTimeInterval? = nil, _ body: (UnsafeRawBufferPointer, _ bytesPerRow: Int) throws -> R
    ) throws -> R {
        try withFrame(at: time, .pixels) { reply, pixels in try body(pixels, Int(reply.bytesPerRow)) }
    }

    /// As `withPixels`, with what the server says of the frame.
    package func withFrame<R>(
        at time: CFTimeInterval? = nil, _ options: CaptureOptions,
        _ body: (FrameReply, UnsafeRawBufferPointer) throws -> R
    ) throws -> R {
        let frame = try capture(at: time, options.union(.pixels))
        guard let buffer = frame.buffer else { throw DisplayError.server("the server sent no pixels") }
        defer { locked { connection.release(buffer) } }
        return try body(frame.reply, UnsafeRawBufferPointer(start: buffer.memory, count: buffer.count))
    }

    /// Throws what went wrong since the last call or snapshot; draws nothing.
    public func checkFaults() throws(DisplayError) {
        try locked { () throws(DisplayError) in
            sendChanges()
            do throws(ConnectionError) { try connection.synchronize() } catch { throw displayError(error) }
            try throwFaults()
        }
    }

    /// A frame with whatever of it is asked for.
    package func capture(at time: CFTimeInterval?, _ options: CaptureOptions) throws(DisplayError) -> CapturedFrame {
        guard !CATransaction.isOpen else { throw .openTransaction }
        let target = try moveClock(to: time)
        return try locked { () throws(DisplayError) -> CapturedFrame in
            let frame = try requestFrame(at: target, options)
            captures += 1
            do throws(DisplayError) { try throwFaults() } catch {
                if let buffer = frame.buffer { connection.release(buffer) }
                throw error
            }
            return frame
        }
    }

    /// Which frame of which session was captured last, by whoever did: the next one is unchanged against it.
    var lastCapture: (session: Int, frame: Int) { locked { (session, captures) } }

    /// What the server allows.
    var serverLimits: WireLimits { locked { connection.welcome.limits } }

    /// Gives frames' memory back. That of a session that is over is only unmapped.
    func release(_ buffers: [FrameBuffer], of session: Int) {
        locked {
            guard session == self.session else { return }
            for buffer in buffers { connection.release(buffer) }
        }
    }

    /// A copy of a frame's pixels; the frame's memory goes back to the server.
    package func image(of frame: CapturedFrame) throws(DisplayError) -> CGImage {
        defer { if let buffer = frame.buffer { locked { connection.release(buffer) } } }
        return try Self.picture(of: frame)
    }

    /// A copy of a frame's pixels.
    package static func picture(of frame: CapturedFrame) throws(DisplayError) -> CGImage {
        guard let buffer = frame.buffer else { throw .server("the server sent no pixels") }
        let bytes = UnsafeRawBufferPointer(start: buffer.memory, count: buffer.count)
        let storage = PixelStorage(copying: bytes)
        let isOpaque = storage.withBytes { bytes in
            stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 }
        }
        return CGImage(
            ImageContent(
                width: Int(frame.reply.width), height: Int(frame.reply.height),
                bytesPerRow: Int(frame.reply.bytesPerRow), isOpaque: isOpaque, pixels: storage))
    }

    // MARK: Private

    func locked<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }

    /// Sends what changed, stamped with the clock; what fails is thrown by the next snapshot.
    func sendChanges() {
        locked {
            defer { armTimer() }
            guard sendError == nil else { return }
            do throws(DisplayError) { try restartIfNeeded() } catch {
                sendError = error
                return
            }
            guard let transaction = context.takeTransaction(time: currentTime) else { return }
            do throws(ConnectionError) {
                // On a manual clock nothing is shown before a frame is asked for.
                try connection.commit(transaction, phases: context.takePhases(), canWait: clock.queue == nil)
            } catch {
                sendError = displayError(error)
            }
        }
    }

    private func requestFrame(at time: CFTimeInterval, _ options: CaptureOptions) throws(DisplayError) -> CapturedFrame
    {
        do throws(ConnectionError) { return try connection.capture(at: time, options) } catch {
            guard case .rejected(let fault) = error, fault.code == ProtocolError.Code.contentsLost.rawValue else {
                throw displayError(error)
            }
        }
        // The server lost its graphics context, and our images with it. A new session says everything again.
        mustRestart = true
        sendChanges()
        if let sendError { throw sendError }
        do throws(ConnectionError) { return try connection.capture(at: time, options) } catch {
            throw displayError(error)
        }
    }

    private func restartIfNeeded() throws(DisplayError) {
        guard mustRestart else { return }
        connection.close()
        connection = try reconnect()
        session += 1
        context.restart()
        mustRestart = false
    }

    private func throwFaults() throws(DisplayError) {
        var faults = context.takeFaults()
        let refused = connection.takeFaults()
        if !refused.isEmpty { mustRestart = true }
        faults += refused.map { fault in
            LayerFault(
                layer: fault.layer.map { "\($0)" } ?? "commit", key: fault.isLimit ? "limit" : "server",
                message: fault.description)
        }
        guard !faults.isEmpty else { return }
        if let onFault { for fault in faults { onFault(fault) } }
        throw .faults(faults)
    }
}

extension Fault {
    /// Too much or too large, rather than wrong.
    fileprivate var isLimit: Bool {
        if code == ProtocolError.Code.limit.rawValue { return true }
        guard code > 100 else { return false }
        switch TransactionError.Code(rawValue: code - 100) {
        case .tooDeep, .tooManyLayers, .tooManyBytes, .imageTooLarge: return true
        default: return false
        }
    }
}

/// What a connection's end means to an app.
func displayError(_ error: ConnectionError) -> DisplayError {
    switch error {
    case .rejected(let fault):
        switch ProtocolError.Code(rawValue: fault.code) {
        case .graphics: .environment(fault.message)
        case .limit, .tooManyFrames, .tooManySessions: .limit(fault.message)
        default: .server(error.description)
        }
    case .refused(let fault, _, _):
        switch ProtocolError.Code(rawValue: fault.code) {
        case .badDisplay: .badSize(fault.message)
        case .tooManySessions: .limit(fault.message)
        default: .server(error.description)
        }
    case .system: .environment(error.description)
    case .limit: .limit(error.description)
    case .timedOut, .givenUp: .timeout(error.description)
    case .cannotConnect, .closed, .confused: .server(error.description)
    }
}
