import CoreAnimation
import Foundation
import LayerModel
import Testing

@testable import Quartz2D

/// Fills a corner, and notes where it was asked to draw.
private final class Painter: CALayer, @unchecked Sendable {
    var clips: [CGRect] = []
    var ctms: [CGAffineTransform] = []
    var paint: (CGContext) -> Void = { $0.fill(CGRect(x: 0, y: 0, width: 1, height: 1)) }

    override func draw(in ctx: CGContext) {
        clips.append(ctx.boundingBoxOfClipPath)
        ctms.append(ctx.ctm)
        paint(ctx)
    }
}

@Suite("Drawn contents") struct DrawingTests {
    /// Premultiplied: red, green, blue, alpha; y from the top.
    private func bytes(_ image: CGImage, _ x: Int, _ y: Int) -> [UInt8] {
        image.content.pixels.withBytes { bytes in
            let at = y * image.bytesPerRow + x * 4
            return [bytes[at + 2], bytes[at + 1], bytes[at], bytes[at + 3]]
        }
    }

    private func drawn(_ layer: CALayer) throws -> CGImage { try #require(layer.contents as? CGImage) }

    @Test("A layer draws into a bitmap of its bounds times contentsScale, rounded up; y grows upwards")
    func size() throws {
        let layer = Painter()
        layer.bounds = CGRect(x: 10, y: 20, width: 4.2, height: 3)
        layer.contentsScale = 2
        layer.paint = { $0.fill(CGRect(x: 10, y: 20, width: 4.2, height: 1)) }
        layer.setNeedsDisplay()
        layer.displayIfNeeded()
        let image = try drawn(layer)
        #expect(image.width == 9 && image.height == 6)
        #expect(bytes(image, 0, 5) == [0, 0, 0, 255] && bytes(image, 8, 4) == [0, 0, 0, 255])
        #expect(bytes(image, 0, 3) == [0, 0, 0, 0])
        #expect(!layer.needsDisplay())
    }

    @Test("Where an odd number of flips lies above, y points down in the context and the picture stays upright")
    func flipped() throws {
        let parent = CALayer()
        parent.isGeometryFlipped = true
        let layer = Painter()
        parent.addSublayer(layer)
        layer.bounds = CGRect(x: 0, y: 0, width: 3, height: 3)
        layer.setNeedsDisplay()
        layer.displayIfNeeded()
        let down = try drawn(layer)
        #expect(bytes(down, 0, 0) == [0, 0, 0, 255])
        layer.isGeometryFlipped = true
        layer.setNeedsDisplay()
        layer.displayIfNeeded()
        let up = try drawn(layer)
        #expect(bytes(up, 0, 2) == [0, 0, 0, 255] && bytes(up, 0, 0) == [0, 0, 0, 0])
    }

    @Test("Invalid rectangles join; only there is drawn again, outside the old pixels stay")
    func invalidRect() throws {
        let layer = Painter()
        layer.bounds = CGRect(x: 0, y: 0, width: 20, height: 10)
        layer.paint = { ctx in
            ctx.setFillColor(red: 1, green: 0, blue: 0, alpha: 1)
            ctx.fill(.infinite)
        }
        layer.setNeedsDisplay()
        layer.displayIfNeeded()
        layer.paint = { ctx in
            ctx.setFillColor(red: 0, green: 0, blue: 1, alpha: 0.5)
            ctx.fill(.infinite)
        }
        layer.setNeedsDisplay(CGRect(x: 2, y: 2, width: 3, height: 2))
        layer.setNeedsDisplay(CGRect(x: 8, y: 4, width: 1.5, height: 3))
        layer.displayIfNeeded()
        #expect(layer.clips == [layer.bounds, CGRect(x: 2, y: 2, width: 8, height: 5)])
        let image = try drawn(layer)
        #expect(bytes(image, 3, 10 - 3) == [0, 0, 128, 128], "cleared, then drawn")
        #expect(bytes(image, 0, 0) == [255, 0, 0, 255] && bytes(image, 12, 5) == [255, 0, 0, 255])
        layer.setNeedsDisplay(CGRect(x: 1, y: 1, width: 1, height: 1))
        layer.bounds.size.width = 21
        layer.displayIfNeeded()
        #expect(layer.clips.last == layer.bounds, "of another size everything is drawn")
    }

    @Test(
        "The delegate displays, or else draws after it was told that it will; a layer that nobody draws keeps its contents"
    )
    func delegates() throws {
        final class Displays: CALayerDelegate {
            let picture: CGImage
            init(_ picture: CGImage) { self.picture = picture }
            func display(_ layer: CALayer) { layer.contents = picture }
            func draw(_ layer: CALayer, in ctx: CGContext) { Issue.record("it displays, so it does not draw") }
        }
        final class Draws: CALayerDelegate {
            var calls: [String] = []
            func layerWillDraw(_ layer: CALayer) {
                calls.append("will")
                layer.isOpaque = true
                layer.contentsScale = 2
            }
            func draw(_ layer: CALayer, in ctx: CGContext) {
                calls.append("draw")
                ctx.setFillColor(gray: 1, alpha: 1)
                ctx.fill(CGRect(x: 0, y: 0, width: 1, height: 1))
            }
        }
        let picture = image()
        let displays = Displays(picture)
        let layer = layer(0, 0, 2, 2)
        layer.delegate = displays
        layer.setNeedsDisplay()
        layer.displayIfNeeded()
        #expect(layer.contents as? CGImage === picture)
        let draws = Draws()
        layer.delegate = draws
        layer.display()
        let drawing = try drawn(layer)
        #expect(draws.calls == ["will", "draw"] && drawing.width == 4 && drawing.isOpaque)
        #expect(bytes(drawing, 0, 3) == [255, 255, 255, 255] && bytes(drawing, 3, 0) == [0, 0, 0, 255])
        layer.delegate = nil
        layer.display()
        #expect(layer.contents as? CGImage === drawing)
    }

    @Test("A gray contentsFormat leaves grays; one that is opaque begins black")
    func formats() throws {
        let layer = Painter()
        layer.bounds = CGRect(x: 0, y: 0, width: 2, height: 2)
        layer.contentsFormat = .gray8Uint
        layer.paint = { ctx in
            ctx.setFillColor(red: 1, green: 0, blue: 0, alpha: 1)
            ctx.fill(.infinite)
        }
        layer.display()
        // 0.2126 of 255.
        let gray = try drawn(layer)
        #expect(bytes(gray, 0, 0) == [54, 54, 54, 255])
        #expect(layer.value(forKey: "contentsFormat") as? String == "Gray8")
        #expect(CALayer().contentsFormat == .RGBA8Uint)
    }

    @Test("A bitmap that is too large leaves a fault that names layer and size; empty bounds draw nothing")
    func limits() {
        let layer = Painter()
        layer.name = "sky"
        for (width, scale) in [(1e9, 1.0), (1, 1e9), (20_000, 1), (16_000, 1)] {
            layer.bounds = CGRect(x: 0, y: 0, width: width, height: width)
            layer.contentsScale = scale
            layer.display()
            let faults = layer.takeFaults()
            #expect(faults.count == 1 && faults[0].description.contains("\"sky\""), "\(width) at \(scale): \(faults)")
        }
        layer.bounds = .zero
        layer.contentsScale = 1
        layer.display()
        #expect(layer.takeFaults().isEmpty && layer.contents == nil && layer.clips.isEmpty)
    }

    @Test("Contents drawn at a commit fade in as the marking transaction says: its duration, or not at all")
    func fades() {
        let clock = ManualClock()
        let layer = Painter()
        layer.frame = CGRect(x: 0, y: 0, width: 4, height: 4)
        layer.setNeedsDisplay()
        clock.root.addSublayer(layer)
        _ = clock.takeOps()
        #expect(layer.contents != nil && layer.animationKeys() == nil, "the first picture is just there")
        CATransaction.begin()
        CATransaction.setDisableActions(true)
        layer.setNeedsDisplay()
        CATransaction.commit()
        _ = clock.takeOps()
        #expect(layer.animationKeys() == nil)
        CATransaction.begin()
        CATransaction.setAnimationDuration(3)
        layer.setNeedsDisplay()
        CATransaction.commit()
        _ = clock.takeOps()
        #expect(layer.animation(forKey: "contents")?.duration == 3)
    }

    @Test("Drawing at a commit leaves no transaction open: a completion block set after it still runs")
    func completion() {
        let clock = ManualClock()
        let layer = Painter()
        layer.frame = CGRect(x: 0, y: 0, width: 4, height: 4)
        layer.setNeedsDisplay()
        clock.root.addSublayer(layer)
        _ = clock.takeOps()
        var isDone = false
        CATransaction.setCompletionBlock { isDone = true }
        layer.cornerRadius = 3
        clock.go(to: 1)
        #expect(isDone)
    }

    @Test("A key of the layer's own that needs display is drawn each time the clock moves, without fading")
    func animatedKey() throws {
        final class Dial: CALayer, CALayerCopying, @unchecked Sendable {
            override init() { super.init() }
            required override init(layer: Any) { super.init(layer: layer) }
            required init?(coder: NSCoder) { super.init(coder: coder) }
            override class func needsDisplay(forKey key: String) -> Bool { key == "progress" }
            override func draw(in ctx: CGContext) {
                let progress = value(forKey: "progress", as: Double.self) ?? 0
                ctx.fill(CGRect(x: 0, y: 0, width: progress * 10, height: 1))
            }
            func value<T>(forKey key: String, as type: T.Type) -> T? { value(forKeyPath: key, as: type) }
        }
        let clock = ManualClock()
        let dial = Dial()
        dial.frame = CGRect(x: 0, y: 0, width: 10, height: 1)
        dial.setValue(0.0, forKey: "progress")
        clock.root.addSublayer(dial)
        _ = clock.takeOps()
        let animation = CABasicAnimation(keyPath: "progress")
        (animation.fromValue, animation.toValue, animation.duration) = (0.0, 1.0, 1)
        dial.add(animation, forKey: nil)
        clock.go(to: 0)
        clock.go(to: 0.5)
        clock.context.displayAnimatedKeys()
        let image = try drawn(dial)
        let filled = (0..<10).filter { bytes(image, $0, 0)[3] == 255 }.count
        #expect(filled == 5)
        #expect(dial.animation(forKey: "contents") == nil)
    }
}
