import Foundation
import LayerModel
import LayerRender
import LayerWire
import Quartz2D
import ReferenceCompositor
import RenderServer
import Rostrum
import Testing

/// A render server of these tests' own, behind a socket, with a debug context: what the driver calls an error fails a test.
final class SceneServer: Sendable {
    private static let shared = Result { try SceneServer() }

    let server: RenderServer
    let path: String

    private init() throws {
        path = NSTemporaryDirectory() + "/rostrum-pictures-\(getpid()).sock"
        server = try RenderServer(
            ServerConfiguration(render: RenderConfiguration(device: testedDevice, debug: true)),
            listener: ServerListener(path: path))
        atexit {
            if case .success(let shared) = SceneServer.shared { unlink(shared.path) }
        }
    }

    /// - Throws: What kept it from starting.
    static func running() throws -> SceneServer { try shared.get() }

    /// What the driver complained about so far.
    var graphicsErrors: [String] { server.holdings()?.graphicsErrors ?? ["the render server has stopped"] }
}

/// What is drawn, as a client builds it: the size of a display, and what hangs below its root.
struct Staging {
    /// Points.
    var size: CGSize
    /// Pixels a point.
    var scale = 1.0
    /// What lies behind; nil is transparent.
    var background: CGColor?
    /// Adds the layers to the root.
    var build: (CALayer) throws -> Void

    init(
        _ width: Double, _ height: Double, scale: Double = 1, background: CGColor? = nil,
        build: @escaping (CALayer) throws -> Void
    ) {
        size = CGSize(width: width, height: height)
        self.scale = scale
        self.background = background
        self.build = build
    }
}

/// A picture that a server drew, with what was sent to get it.
struct ServedPicture: Sendable {
    var pixels: Pixels
    /// The plan's text.
    var plan: String
    var transactions: [Transaction]
    var display: ReferenceDisplay

    /// Draws through the whole road: layers, socket, server, pixels.
    ///
    /// - Parameters:
    ///   - server: nil: the one with the debug context.
    ///   - hasHistory: Another picture is drawn first, in the same session: everything hidden.
    ///   - observer: Sees what is sent.
    static func draw(
        _ staging: Staging, server: HeadlessDisplay.Server? = nil, hasHistory: Bool = false,
        observer: @escaping ClientConnection.Observer = { _, _ in }
    ) throws -> ServedPicture {
        let own = try SceneServer.running()
        let log = SentTransactions()
        let display = try HeadlessDisplay(
            width: staging.size.width, height: staging.size.height, scale: CGFloat(staging.scale),
            background: staging.background, server: server ?? .socket(path: own.path)
        ) { serial, message in
            if case .commit(let transaction) = message { log.list.append(transaction) }
            observer(serial, message)
        }
        try staging.build(display.rootLayer)
        if hasHistory {
            // A change after a commit would be animated.
            func show(_ isShown: Bool) {
                CATransaction.begin()
                CATransaction.setDisableActions(true)
                display.rootLayer.isHidden = !isShown
                CATransaction.commit()
            }
            show(false)
            _ = try display.snapshot()
            show(true)
        }
        let size = PixelSize(width: display.pixelWidth, height: display.pixelHeight)
        let (pixels, plan) = try display.withFrame(at: 0, [.pixels, .plan]) { reply, bytes in
            (Pixels(size, bytes, bytesPerRow: Int(reply.bytesPerRow)), reply.plan)
        }
        if server == nil {
            let errors = own.graphicsErrors
            #expect(errors.isEmpty, "the driver reports \(errors)")
        }
        return ServedPicture(
            pixels: pixels, plan: plan, transactions: log.list,
            display: ReferenceDisplay(
                pixelSize: size, scale: staging.scale, isFlipped: true,
                background: staging.background?.color ?? .clear))
    }

    private final class SentTransactions {
        var list: [Transaction] = []
    }
}
