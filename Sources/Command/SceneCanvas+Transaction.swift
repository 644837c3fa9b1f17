import CoreAnimation
import LayerModel
import LayerRender
import LayerWire
import Quartz2D
import Rostrum

extension SceneCanvas {
    /// The first commit of a display that shows the scene: stamped with 0, where the display's clock stands when it is
    /// filled. Says on stderr what of it can't be committed.
    ///
    /// - Parameter size: Of the display, points; nil is the canvas's own.
    /// - Throws: What can't be committed, where every warning is an error.
    func transaction(on size: CGSize? = nil) throws -> Transaction {
        let size = size ?? self.size
        let root = CALayer()
        root.name = "root"
        root.bounds = CGRect(origin: .zero, size: size)
        root.position = CGPoint(x: size.width / 2, y: size.height / 2)
        let context = LayerContext()
        context.displayIsFlipped = true
        context.rootLayer = root
        show(under: root)
        let transaction = context.takeTransaction(time: 0) ?? Transaction(time: 0)
        let faults = context.takeFaults()
        if isStrict, !faults.isEmpty { throw CommandFailure(DisplayError.faults(faults)) }
        for fault in faults { Console.warn("\(fault)") }
        if isStrict { try ClientWarnings.shared.refuse() }
        return transaction
    }

    /// The display that shows the canvas.
    var display: DisplayGeometry {
        DisplayGeometry(size: pixels, scale: scale, isFlipped: true, background: background)
    }
}

extension StoreLimits {
    /// What a server allows a session.
    static var ofSession: StoreLimits {
        let limits = WireLimits()
        var storeLimits = StoreLimits()
        storeLimits.layers = Int(limits.layers)
        storeLimits.depth = Int(limits.depth)
        storeLimits.imageSide = Int(limits.imageSide)
        storeLimits.imageBytes = Int(clamping: limits.imageBytes)
        return storeLimits
    }
}
