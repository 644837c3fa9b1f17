import Foundation
import LayerModel
import Testing

@testable import CoreAnimation

/// Records what it is asked to draw.
private final class TileDelegate: CALayerDelegate {
    var drawn: [CGRect] = []
    var pixels: [CGSize] = []
    var wills = 0

    func layerWillDraw(_ layer: CALayer) { wills += 1 }

    func draw(_ layer: CALayer, in ctx: CGContext) {
        drawn.append(ctx.boundingBoxOfClipPath)
        pixels.append(CGSize(width: ctx.width, height: ctx.height))
        ctx.setFillColor(CGColor(red: 1, green: 0, blue: 0, alpha: 1))
        ctx.fill(ctx.boundingBoxOfClipPath)
    }

    /// What was drawn since the last call, by rows.
    func take() -> [CGRect] {
        defer { drawn = [] }
        return drawn.sorted { ($0.minY, $0.minX) < ($1.minY, $1.minX) }
    }
}

/// A display of 100 by 100 points with a scroll layer that fills it, and a tiled layer of 100,000 by 100,000 in that.
private struct Stage {
    let context = LayerContext()
    let window = CAScrollLayer()
    let tiled: CATiledLayer
    let delegate = TileDelegate()

    init(_ tiled: CATiledLayer = CATiledLayer(), pixelsPerPoint: Double = 1, tile: Double = 64) {
        self.tiled = tiled
        context.displayIsFlipped = true
        context.displayBounds = Rect(0, 0, 100, 100)
        context.pixelsPerPoint = pixelsPerPoint
        window.frame = rect(0, 0, 100, 100)
        tiled.tileSize = CGSize(width: tile, height: tile)
        tiled.frame = rect(0, 0, 100_000, 100_000)
        tiled.delegate = delegate
        tiled.setNeedsDisplay()
        window.addSublayer(tiled)
        context.rootLayer = window
    }

    @discardableResult
    func commit(at time: Double = 0) -> [TransactionOp] { context.takeTransaction(time: time)?.ops ?? [] }

    func withoutActions(_ body: () -> Void) {
        CATransaction.begin()
        CATransaction.setDisableActions(true)
        body()
        CATransaction.commit()
    }

    var tiles: [CALayer] { tiled.ownSublayers }
}

@Suite("Tiled layers")
struct TiledLayerTests {
    @Test("At first one level, 256 by 256 pixels a tile, and a fade of a quarter of a second")
    func defaults() {
        let layer = CATiledLayer()
        #expect(layer.levelsOfDetail == 1 && layer.levelsOfDetailBias == 0)
        #expect(layer.tileSize == CGSize(width: 256, height: 256) && CATiledLayer.fadeDuration() == 0.25)
        layer.setValue(4, forKey: "levelsOfDetail")
        layer.setValue(2, forKey: "levelsOfDetailBias")
        layer.setValue(CGSize(width: 8, height: 9), forKey: "tileSize")
        let copy = CATiledLayer(layer: layer)
        #expect(copy.levelsOfDetail == 4 && copy.levelsOfDetailBias == 2 && copy.tileSize.height == 9)
        layer.setValue(nil, forKey: "tileSize")
        #expect(layer.tileSize.width == 256)
        layer.setValue("many", forKey: "levelsOfDetail")
        #expect(layer.takeFaults().map(\.key) == ["levelsOfDetail"])
    }

    @Test("Only tiles that the display can see are drawn, each with its own clip; an app sees none of them")
    func visible() {
        let stage = Stage()
        stage.commit()
        #expect(
            stage.delegate.take() == [
                rect(0, 0, 64, 64), rect(64, 0, 64, 64), rect(0, 64, 64, 64), rect(64, 64, 64, 64),
            ])
        #expect(stage.delegate.wills == 1 && stage.tiled.sublayers == nil && stage.tiled.contents == nil)
        #expect(stage.tiles.count == 4 && stage.tiles.allSatisfy { $0.contents is CGImage })
        stage.commit(at: 1)
        #expect(stage.delegate.drawn.isEmpty)
        #expect(stage.window.hitTest(point(30, 30)) === stage.tiled)
    }

    @Test("Nothing is drawn before the first setNeedsDisplay, as in any layer")
    func undrawn() {
        let stage = Stage()
        let other = CATiledLayer()
        other.frame = rect(0, 0, 50, 50)
        other.delegate = stage.delegate
        stage.window.sublayers = [other]
        stage.commit()
        #expect(stage.delegate.drawn.isEmpty && other.ownSublayers.isEmpty)
        other.setNeedsDisplay()
        stage.commit()
        #expect(stage.delegate.take() == [rect(0, 0, 50, 50)])
    }

    @Test("The bounds cut the tiles at their edges; where they grow, those tiles are drawn again")
    func edges() {
        let stage = Stage()
        stage.tiled.bounds = rect(0, 0, 70, 30)
        stage.tiled.frame.origin = .zero
        stage.commit()
        #expect(stage.delegate.take() == [rect(0, 0, 64, 30), rect(64, 0, 6, 30)])
        #expect(stage.delegate.pixels.map(\.width).sorted() == [6, 64])
        stage.withoutActions { stage.tiled.bounds.size.width = 80 }
        stage.withoutActions { stage.tiled.position.x += 5 }
        stage.commit()
        #expect(stage.delegate.take() == [rect(64, 0, 16, 30)])
        stage.withoutActions { stage.tiled.bounds.size.width = 66 }
        stage.commit()
        #expect(stage.delegate.take().isEmpty)
        #expect(stage.tiles.map(\.bounds.width).sorted() == [2, 64])
        #expect(stage.tiles.contains { $0.contentsRect == rect(0, 0, 0.125, 1) })
    }

    @Test("Scrolling draws what comes into sight, and keeps no tile farther away than one")
    func scrolling() {
        let stage = Stage()
        stage.commit()
        _ = stage.delegate.take()
        stage.withoutActions { stage.window.scroll(to: point(64, 0)) }
        stage.commit()
        #expect(stage.delegate.take() == [rect(128, 0, 64, 64), rect(128, 64, 64, 64)])
        #expect(stage.tiles.count == 6)
        stage.withoutActions { stage.window.scroll(to: point(0, 0)) }
        stage.commit()
        #expect(stage.delegate.take().isEmpty)
        stage.withoutActions { stage.window.scroll(to: point(64_000, 64_000)) }
        stage.commit()
        #expect(stage.delegate.take().count == 4 && stage.tiles.count == 4)
        for step in 0..<200 {
            stage.withoutActions { stage.window.scroll(to: point(64_000 - Double(step) * 37, 64_000)) }
            stage.commit()
            #expect(stage.tiles.count <= 16)
        }
        stage.withoutActions { stage.window.scroll(to: point(-500, 0)) }
        stage.commit()
        #expect(stage.tiles.isEmpty)
    }

    @Test("However far it is scrolled, a display has no more images than tiles that are near")
    func memory() {
        let stage = Stage()
        var images: Set<ImageID> = []
        for step in 0..<300 {
            stage.withoutActions { stage.window.scroll(to: point(Double(step) * 90, Double(step) * 70)) }
            for op in stage.commit(at: Double(step)) {
                if case .defineImage(let id, _) = op { images.insert(id) }
                if case .releaseImage(let id) = op { images.remove(id) }
            }
            // 3 by 3 at most are seen, and one around them; what just went is released with the next commit.
            #expect(images.count <= 50, "step \(step)")
        }
    }

    @Test("A changed part draws the tiles again that it touches, and only when they are seen")
    func invalidation() {
        let stage = Stage()
        stage.commit()
        _ = stage.delegate.take()
        let before = stage.tiles.map { ObjectIdentifier($0) }
        stage.tiled.setNeedsDisplay(rect(10, 10, 60, 5))
        stage.commit()
        #expect(stage.delegate.take() == [rect(0, 0, 64, 64), rect(64, 0, 64, 64)])
        #expect(stage.tiles.map { ObjectIdentifier($0) } == before)
        stage.tiled.setNeedsDisplay(rect(9000, 0, 10, 10))
        stage.commit()
        #expect(stage.delegate.take().isEmpty)
        stage.tiled.setNeedsDisplay()
        stage.commit()
        #expect(stage.delegate.take().count == 4)
    }

    @Test("A tile has tileSize pixels at every level; the level follows the size on the display")
    func levels() {
        let tiled = CATiledLayer()
        tiled.levelsOfDetail = 3
        tiled.levelsOfDetailBias = 1
        let stage = Stage(tiled, pixelsPerPoint: 2)
        stage.commit()
        // Two pixels a point: the larger level, with tiles of 32 points.
        #expect(stage.delegate.take().first == rect(0, 0, 32, 32) && stage.delegate.pixels.first?.width == 64)
        stage.withoutActions {
            stage.tiled.anchorPoint = .zero
            stage.tiled.position = .zero
            stage.tiled.transform = CATransform3DMakeScale(0.125, 0.125, 1)
        }
        stage.commit()
        // A quarter of a pixel a point: the lowest of three is a half, tiles of 128 points, 800 points are seen.
        let rects = stage.delegate.take()
        #expect(rects.count == 49 && rects.first == rect(0, 0, 128, 128))
        #expect(stage.delegate.pixels.last?.width == 64)
    }

    @Test("The first tiles are there at once; later ones fade in, over those of the level before")
    func fades() throws {
        let tiled = CATiledLayer()
        tiled.levelsOfDetail = 2
        tiled.levelsOfDetailBias = 1
        let stage = Stage(tiled)
        #expect(!stage.commit().hasFades)
        stage.withoutActions { stage.window.scroll(to: point(64, 0)) }
        let scrolled = stage.commit(at: 1)
        #expect(scrolled.fades == [0.25, 0.25])
        let old = stage.tiles
        stage.withoutActions {
            stage.window.bounds.origin = .zero
            stage.tiled.anchorPoint = .zero
            stage.tiled.position = .zero
            stage.tiled.transform = CATransform3DMakeScale(2, 2, 1)
        }
        stage.commit(at: 2)
        // 50 points are seen, in tiles of 32.
        #expect(stage.tiles.count == old.count + 4 && stage.tiles.starts(with: old, by: ===))
        #expect(old.allSatisfy { $0.opacity == 0 })
        stage.commit(at: 2.2)
        #expect(stage.tiles.count == old.count + 4)
        stage.commit(at: 2.25)
        #expect(stage.tiles.count == 4 && stage.tiles.allSatisfy { $0.opacity == 1 })
    }

    @Test("With a fade duration of 0, and in a layer whose time stands still, tiles are there at once")
    func noFades() {
        final class Abrupt: CATiledLayer, @unchecked Sendable {
            override class func fadeDuration() -> CFTimeInterval { 0 }
        }
        let abrupt = Stage(Abrupt())
        abrupt.commit()
        abrupt.withoutActions { abrupt.window.scroll(to: point(64, 0)) }
        #expect(!abrupt.commit(at: 1).hasFades)
        let still = Stage()
        still.tiled.speed = 0
        still.commit()
        still.withoutActions { still.window.scroll(to: point(64, 0)) }
        #expect(!still.commit(at: 1).hasFades)
    }

    @Test(
        "While scrolling is animated, what is seen at each time is drawn, at once: a jump shows what every step shows")
    func animated() {
        func run(_ times: [Double]) -> (Stage, [Int]) {
            let stage = Stage()
            stage.commit()
            _ = stage.delegate.take()
            let animation = CABasicAnimation(keyPath: "bounds.origin.x")
            (animation.fromValue, animation.toValue) = (0, 1000)
            animation.duration = 1
            stage.window.add(animation, forKey: "scroll")
            stage.withoutActions { stage.window.bounds.origin.x = 1000 }
            stage.commit()
            #expect(stage.delegate.take().isEmpty)
            return (
                stage,
                times.map { time in
                    let ops = stage.commit(at: time)
                    #expect(!ops.hasFades)
                    return stage.tiles.count
                }
            )
        }
        let (steps, _) = run([0.1, 0.2, 0.3, 0.4, 0.5])
        let (jump, counts) = run([0.5])
        // 500 to 600: columns 7, 8, 9.
        #expect(counts == [6])
        #expect(jump.delegate.take() == [7, 8, 9, 7, 8, 9].enumerated().map { rect($1 * 64, $0 < 3 ? 0 : 64, 64, 64) })
        let seen = Set(jump.tiles.map(\.position.x))
        #expect(Set(steps.tiles.map(\.position.x)).isSuperset(of: seen))
    }

    @Test("While a key of the app's own is animated, tiles are drawn with its value at each time")
    func ownKey() {
        final class Dial: CATiledLayer, @unchecked Sendable {
            var seen: [Double] = []
            override class func needsDisplay(forKey key: String) -> Bool { key == "level" }
            override func draw(in ctx: CGContext) {
                seen.append((value(forKey: "level") as? NSNumber)?.doubleValue ?? -1)
            }
        }
        let dial = Dial()
        dial.setValue(8, forKey: "level")
        let stage = Stage(dial, tile: 128)
        stage.commit()
        let animation = CABasicAnimation(keyPath: "level")
        (animation.fromValue, animation.toValue) = (0, 4)
        animation.duration = 1
        dial.add(animation, forKey: "level")
        stage.commit()
        for time in [0.25, 0.5] {
            stage.commit(at: time)
            stage.context.displayAnimatedKeys()
            stage.commit(at: time)
        }
        #expect(dial.seen == [8, 0, 1, 2])
        #expect(dial.value(forKey: "level") as? Int == 8)
    }

    @Test("A hidden layer draws nothing and keeps its tiles")
    func hidden() {
        let stage = Stage()
        stage.commit()
        _ = stage.delegate.take()
        stage.withoutActions { stage.window.isHidden = true }
        stage.tiled.setNeedsDisplay()
        stage.commit()
        #expect(stage.delegate.take().isEmpty && stage.tiles.count == 4)
        stage.withoutActions { stage.window.isHidden = false }
        stage.commit()
        #expect(stage.delegate.take().count == 4)
    }

    @Test("Another tile size, another scale, draws everything anew")
    func settings() {
        let stage = Stage()
        stage.commit()
        _ = stage.delegate.take()
        stage.tiled.tileSize = CGSize(width: 128, height: 128)
        #expect(stage.context.hasPendingChanges)
        stage.commit()
        #expect(stage.delegate.take() == [rect(0, 0, 128, 128)] && stage.tiles.count == 1)
        stage.withoutActions { stage.tiled.contentsScale = 2 }
        #expect(!stage.commit().hasFades)
        #expect(stage.delegate.take().count == 4 && stage.tiles.count == 4)
    }

    @Test("A layer that draws nothing has no tiles and is not asked again")
    func empty() {
        let stage = Stage()
        stage.tiled.delegate = nil
        stage.commit()
        #expect(stage.tiles.isEmpty && stage.tiled.tiles.count == 4)
        stage.tiled.delegate = stage.delegate
        stage.commit()
        #expect(stage.delegate.drawn.isEmpty)
        stage.tiled.setNeedsDisplay()
        stage.commit()
        #expect(stage.tiles.count == 4)
    }

    @Test("A tile is a layer below the sublayers: made, and gone with the layer, and made again in a new session")
    func recorded() throws {
        let stage = Stage()
        let above = layer(0, 0, 5, 5)
        stage.tiled.addSublayer(above)
        let ops = stage.commit()
        let id = try #require(stage.context.id(of: stage.tiled))
        let last = ops.reversed().lazy.compactMap { op -> [LayerID]? in
            if case .setSublayers(id, let ids) = op { return ids }
            return nil
        }.first
        #expect(last?.count == 5 && last?.last == stage.context.id(of: above))
        #expect(ops.count { if case .defineImage = $0 { true } else { false } } == 4)
        stage.context.restart()
        let again = stage.commit()
        #expect(again.count { if case .createLayer = $0 { true } else { false } } == 7)
        stage.tiled.removeFromSuperlayer()
        let gone = stage.commit()
        #expect(gone.count { if case .destroyLayer = $0 { true } else { false } } == 6)
        stage.window.addSublayer(stage.tiled)
        stage.commit()
        #expect(stage.tiles.count == 4)
    }

    @Test("Where instances of a replicator are, tiles are drawn as far as what clips in it lets them be seen")
    func replicated() {
        let stage = Stage()
        let row = CAReplicatorLayer()
        row.instanceCount = 3
        row.frame = rect(0, 0, 100, 100)
        row.addSublayer(stage.tiled)
        stage.tiled.frame = rect(0, 0, 640, 64)
        stage.window.addSublayer(row)
        stage.commit()
        #expect(stage.delegate.take().count == 10)
    }

    @Test("render(in:) draws the whole layer at once, as large as the context shows it")
    func rendered() throws {
        let stage = Stage()
        stage.tiled.displayIfNeeded()
        let context = try #require(
            CGContext(
                data: nil, width: 40, height: 40, bitsPerComponent: 8, bytesPerRow: 0,
                space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGImageAlphaInfo.premultipliedFirst.rawValue))
        stage.tiled.render(in: context)
        #expect(stage.delegate.take() == [rect(0, 0, 40, 40)] && stage.tiles.isEmpty)
    }
}

extension [TransactionOp] {
    /// Durations of animations from opacity 0.
    fileprivate var fades: [Double] {
        compactMap { op in
            guard case .addAnimation(_, _, key: "fade", let animation) = op else { return nil }
            return animation.timing.duration
        }
    }

    fileprivate var hasFades: Bool { !fades.isEmpty }
}
