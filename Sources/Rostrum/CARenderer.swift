// Frames one by one, at times that the caller chooses. Source: semantic reference, §6.10.

import CoreAnimation
import Foundation
import LayerModel

/// Draws a layer tree at chosen times, as `CARenderer` does on Apple's platforms, into pictures instead of a GL context or a
/// Metal texture.
///
///     let renderer = try CARenderer(width: 320, height: 200)
///     renderer.layer = box
///     renderer.bounds = CGRect(x: 0, y: 0, width: 320, height: 200)
///     CATransaction.flush()
///     renderer.beginFrame(atTime: 0.5)
///     renderer.addUpdate(renderer.bounds)
///     try renderer.render()
///     renderer.endFrame()
///     let picture = renderer.image
///
/// Times are those of a manual clock that starts at 0, and don't go back. y runs up, the bounds' origin is the bottom left.
public final class CARenderer: @unchecked Sendable {
    /// What is drawn; a layer that is elsewhere leaves that place.
    public var layer: CALayer? {
        didSet {
            guard layer !== oldValue else { return }
            if let oldValue, oldValue.superlayer === stage { oldValue.removeFromSuperlayer() }
            if let layer { stage.addSublayer(layer) }
            needsWholeFrame = true
        }
    }

    /// The part of the layer's space that is drawn, 1 point a pixel at scale 1.
    public var bounds = CGRect.null {
        didSet {
            guard bounds != oldValue, !bounds.isNull, !bounds.isInfinite else { return }
            CATransaction.begin()
            CATransaction.setDisableActions(true)
            stage.bounds = bounds
            // The bottom left of the viewport; the display counts y down.
            stage.position = CGPoint(x: 0, y: display.size.height - bounds.height)
            CATransaction.commit()
            needsWholeFrame = true
        }
    }

    /// The last frame that was rendered.
    public private(set) var image: CGImage?
    /// Where it is drawn.
    public let display: HeadlessDisplay

    /// Between the display's root and `layer`: turns y up, and shows `bounds`.
    private let stage = CALayer()
    private var frameTime: CFTimeInterval?
    private var updates = CGRect.null
    private var needsWholeFrame = true

    /// - Parameters:
    ///   - width: Points, above 0.
    ///   - height: Points, above 0.
    ///   - scale: Pixels a point.
    /// - Throws: As `HeadlessDisplay` does.
    public init(width: CGFloat, height: CGFloat, scale: CGFloat = 1) throws {
        display = try HeadlessDisplay(width: width, height: height, scale: scale)
        stage.isGeometryFlipped = true
        stage.anchorPoint = .zero
        stage.bounds = CGRect(x: 0, y: 0, width: width, height: height)
        display.rootLayer.addSublayer(stage)
    }

    /// Begins a frame of what is committed: `CATransaction.flush()` before it, for changes to show.
    ///
    /// - Parameter time: Seconds of the display's clock. A time that is not finite, or before the last frame's, is that.
    public func beginFrame(atTime time: CFTimeInterval, timeStamp: UnsafeMutableRawPointer? = nil) {
        let now = display.currentTime
        frameTime = time.isFinite ? max(time, now) : now
        updates = .null
    }

    /// Adds to what is drawn again, in the coordinates of `bounds`.
    public func addUpdate(_ r: CGRect) {
        guard frameTime != nil else { return }
        updates = updates.union(r)
    }

    /// What `render` draws again: what was added, and the whole bounds where something changes by itself. Null between
    /// frames.
    public func updateBounds() -> CGRect {
        guard let frameTime else { return .null }
        return needsWholeFrame || display.hasChanges(until: frameTime) ? bounds.union(updates) : updates
    }

    /// Draws the frame. Between frames it does nothing.
    public func render() throws(DisplayError) {
        guard let frameTime else { return }
        image = try display.snapshot(at: frameTime)
        needsWholeFrame = false
    }

    /// When the next frame will differ: infinite when nothing is planned, this frame's time when something changes all the
    /// time, else the time of what begins or ends next.
    public func nextFrameTime() -> CFTimeInterval {
        display.context.nextChangeTime.map { max($0, frameTime ?? display.currentTime) } ?? .infinity
    }

    /// Ends the frame; `updateBounds()` is null until the next one.
    public func endFrame() {
        frameTime = nil
        updates = .null
    }
}

extension HeadlessDisplay {
    /// True when a frame at a time can differ from the last one.
    fileprivate func hasChanges(until time: CFTimeInterval) -> Bool {
        context.hasPendingChanges || context.nextChangeTime.map { $0 <= time } ?? false
    }
}
