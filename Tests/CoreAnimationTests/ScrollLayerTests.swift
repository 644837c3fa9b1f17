import CoreAnimation
import Foundation
import LayerModel
import Testing

@Suite("Scroll layers")
struct ScrollLayerTests {
    private func scrollLayer(_ bounds: CGRect = rect(0, 0, 100, 50)) -> CAScrollLayer {
        let layer = CAScrollLayer()
        layer.frame = bounds
        layer.bounds.origin = bounds.origin
        return layer
    }

    @Test("At first a scroll layer clips, and scrolls both ways")
    func defaults() throws {
        let layer = CAScrollLayer()
        #expect(layer.masksToBounds && layer.scrollMode == .both)
        #expect(layer.value(forKey: "scrollMode") as? String == "both")
        #expect((CAScrollLayer.defaultValue(forKey: "masksToBounds") as? NSNumber)?.boolValue == true)
        layer.masksToBounds = false
        layer.setValue(nil, forKey: "masksToBounds")
        #expect(layer.masksToBounds)
        layer.setValue("vertically", forKey: "scrollMode")
        #expect(layer.scrollMode == .vertically && CAScrollLayer(layer: layer).scrollMode == .vertically)
        layer.setValue(3, forKey: "scrollMode")
        #expect(layer.takeFaults().map(\.key) == ["scrollMode"])
    }

    @Test("A display is told that it clips, and nothing else: it is a plain layer there")
    func recorded() throws {
        let context = LayerContext()
        context.rootLayer = scrollLayer()
        let ops = try #require(context.takeTransaction(time: 0)).ops
        #expect(ops.contains(.createLayer(LayerID(1), .layer)))
        #expect(ops.contains(.set(LayerID(1), .masksToBounds, .bool(true))))
    }

    @Test(
        "Scrolling to a point makes it the bounds' origin, as far as the mode lets it",
        arguments: [
            (CAScrollLayerScrollMode.both, 30.0, 40.0), (.vertically, 5, 40), (.horizontally, 30, 7), (.none, 5, 7),
        ])
    func toPoint(mode: CAScrollLayerScrollMode, x: Double, y: Double) {
        let layer = scrollLayer(rect(5, 7, 100, 50))
        layer.scrollMode = mode
        let frame = layer.frame
        layer.scroll(to: point(30, 40))
        #expect(layer.bounds == rect(x, y, 100, 50) && layer.frame == frame)
    }

    @Test(
        "Scrolling to a rectangle moves no farther than needed; a larger one is aligned to its origin",
        arguments: [
            (rect(10, 10, 20, 20), 0.0, 0.0), (rect(90, 10, 20, 20), 10, 0), (rect(-5, 45, 10, 10), -5, 5),
            (rect(40, 10, 100, 20), 40, 0), (rect(40, -3, 130, 70), 40, -3), (rect(300, 200, 10, 10), 210, 160),
            (rect(110, 20, -20, 10), 10, 0),
        ])
    func toRect(wanted: CGRect, x: Double, y: Double) {
        let layer = scrollLayer()
        layer.scroll(to: wanted)
        #expect(layer.bounds.origin == point(x, y))
    }

    @Test("Rectangles that are none scroll nowhere")
    func odd() {
        let layer = scrollLayer()
        layer.scroll(to: CGRect.null)
        layer.scroll(to: CGRect.infinite)
        layer.scroll(to: rect(.nan, 0, 1, 1))
        #expect(layer.bounds.origin == .zero)
    }

    @Test("A layer asks the nearest scroll layer above it, in its own coordinates")
    func fromBelow() {
        let (outer, inner) = (scrollLayer(), scrollLayer(rect(0, 0, 40, 40)))
        inner.bounds.origin = .zero
        let content = layer(100, 200, 500, 500)
        content.transform = CATransform3DMakeScale(2, 2, 1)
        content.anchorPoint = .zero
        content.position = point(100, 200)
        outer.addSublayer(inner)
        inner.addSublayer(content)
        content.scroll(point(10, 20))
        #expect(inner.bounds.origin == point(120, 240) && outer.bounds.origin == .zero)
        inner.scroll(point(3, 4))
        #expect(inner.bounds.origin == point(3, 4))
        content.scrollRectToVisible(rect(0, 0, 10, 10))
        #expect(inner.bounds.origin == point(80, 180))
        let alone = layer(0, 0, 10, 10)
        alone.scroll(point(1, 1))
        alone.scrollRectToVisible(rect(50, 50, 1, 1))
        #expect(alone.bounds.origin == .zero)
    }

    @Test("What is visible is what the nearest scroll layer above shows of the bounds")
    func visible() {
        let window = scrollLayer()
        let content = layer(0, 0, 400, 400)
        window.addSublayer(content)
        window.scroll(to: point(380, 20))
        #expect(content.visibleRect == rect(380, 20, 20, 50))
        window.scroll(to: point(500, 20))
        #expect(content.visibleRect == .zero)
        window.scroll(to: point(20, 20))
        content.transform = CATransform3DMakeScale(2, 2, 1)
        content.frame.origin = .zero
        #expect(isClose(content.visibleRect, rect(10, 10, 50, 25)))
        #expect(window.visibleRect == window.bounds)
        #expect(layer(0, 0, 3, 3).visibleRect == rect(0, 0, 3, 3))
    }

    @Test("Scrolling a layer on a display is animated as any change of its bounds, and not with actions off")
    func implicit() throws {
        let context = LayerContext()
        let window = scrollLayer()
        context.rootLayer = window
        _ = context.takeTransaction(time: 0)
        CATransaction.begin()
        CATransaction.setDisableActions(true)
        window.scroll(to: point(1, 1))
        CATransaction.commit()
        #expect(window.animationKeys() == nil)
        window.scroll(to: point(30, 40))
        #expect(window.animationKeys() == ["bounds"])
        let ops = try #require(context.takeTransaction(time: 1)).ops
        #expect(ops.ofValues == [.set(LayerID(1), .bounds, .rect(Rect(30, 40, 100, 50)))])
    }
}
