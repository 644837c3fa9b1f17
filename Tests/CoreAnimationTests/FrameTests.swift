import CoreAnimation
import LayerModel
import Testing

/// The tables of the semantic reference, §1.3, and of the measured facts, M.
@Suite("Frame")
struct FrameTests {
    struct Get: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var anchor = CGPoint(x: 0.5, y: 0.5)
        var position = CGPoint(x: 200, y: 300)
        var bounds = rect(0, 0, 100, 50)
        var transform = CATransform3DIdentity
        var frame: CGRect
    }

    @Test(
        "The frame is the box around the bounds in the superlayer",
        arguments: [
            Get(testDescription: "plain", frame: rect(150, 275, 100, 50)),
            Get(testDescription: "anchor 0,0", anchor: point(0, 0), frame: rect(200, 300, 100, 50)),
            Get(testDescription: "anchor 1,1", anchor: point(1, 1), frame: rect(100, 250, 100, 50)),
            Get(
                testDescription: "anchor outside", anchor: point(2, -1), position: .zero,
                frame: rect(-200, 50, 100, 50)),
            Get(
                testDescription: "scale 2,4", transform: CATransform3DMakeScale(2, 4, 1),
                frame: rect(100, 200, 200, 200)),
            Get(testDescription: "bounds origin", bounds: rect(11, 22, 100, 50), frame: rect(150, 275, 100, 50)),
        ])
    func get(_ c: Get) {
        let layer = layer(bounds: c.bounds, position: c.position, anchor: c.anchor)
        layer.transform = c.transform
        #expect(layer.frame == c.frame)
    }

    @Test("A square turned by 45 degrees has a frame √2 times as large")
    func rotated() {
        let layer = layer(bounds: rect(0, 0, 100, 100))
        layer.transform = CATransform3DMakeRotation(.pi / 4, 0, 0, 1)
        let r = 100 * 0.5.squareRoot()
        #expect(isClose(layer.frame, rect(-r, -r, 2 * r, 2 * r)))
    }

    struct Set: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var transform = CATransform3DIdentity
        var frame = rect(10, 20, 100, 50)
        var bounds: CGRect
        var position: CGPoint
    }

    @Test(
        "Setting the frame keeps the transform and changes the bounds' size and the position",
        arguments: [
            Set(testDescription: "plain", bounds: rect(0, 0, 100, 50), position: point(60, 45)),
            Set(
                testDescription: "scale 2,4", transform: CATransform3DMakeScale(2, 4, 1),
                bounds: rect(0, 0, 50, 12.5), position: point(60, 45)),
            Set(
                testDescription: "translation 10,20", transform: CATransform3DMakeTranslation(10, 20, 0),
                bounds: rect(0, 0, 100, 50), position: point(50, 25)),
            Set(
                testDescription: "negative size", frame: rect(0, 0, -100, -50), bounds: rect(0, 0, 100, 50),
                position: point(-50, -25)),
        ])
    func set(_ c: Set) {
        let layer = CALayer()
        layer.transform = c.transform
        layer.frame = c.frame
        #expect(layer.bounds == c.bounds)
        #expect(layer.position == c.position)
        #expect(layer.transform == c.transform)
    }

    @Test("A frame that was set reads back, for every transform that keeps rectangles upright")
    func setAndGet() {
        var transforms = [CATransform3DMakeScale(-3, 0.5, 1), CATransform3DMakeRotation(.pi / 2, 0, 0, 1)]
        transforms.append(CATransform3DTranslate(transforms[0], 7, 8, 9))
        for transform in transforms {
            let layer = layer(bounds: rect(3, 4, 10, 10), anchor: point(0.2, 0.9))
            layer.transform = transform
            layer.frame = rect(10, 20, 100, 50)
            #expect(isClose(layer.frame, rect(10, 20, 100, 50)))
            #expect(layer.bounds.origin == point(3, 4))
        }
    }

    @Test("A frame set under a transform that flattens to a line moves the layer and keeps its size")
    func singular() {
        let layer = layer(bounds: rect(0, 0, 10, 10))
        layer.transform = CATransform3DMakeScale(0, 1, 1)
        layer.frame = rect(5, 6, 70, 80)
        #expect(layer.bounds.size == CGSize(width: 10, height: 10))
        #expect(layer.frame.origin == point(5, 6))
    }

    @Test("Bounds of a negative size are turned around")
    func negativeBounds() {
        let layer = CALayer()
        layer.bounds = rect(0, 0, -100, -50)
        #expect(layer.bounds == rect(-100, -50, 100, 50))
    }

    @Test("Setting the frame keeps the bounds' origin; the bounds' origin does not move the frame")
    func boundsOrigin() {
        let layer = layer(bounds: rect(11, 22, 5, 5))
        layer.frame = rect(10, 20, 100, 50)
        #expect(layer.bounds == rect(11, 22, 100, 50))
        layer.bounds.origin = point(-1, -2)
        #expect(layer.frame == rect(10, 20, 100, 50))
    }

    @Test("Changing the anchor point moves the frame, not the position")
    func anchorMovesFrame() {
        let layer = layer(10, 20, 100, 50)
        layer.anchorPoint = .zero
        #expect(layer.position == point(60, 45))
        #expect(layer.frame == rect(60, 45, 100, 50))
    }
}

@Suite("Autoresizing")
struct AutoresizingTests {
    static let widths: [(CAAutoresizingMask, Double, Double)] = [
        (.layerMinXMargin, 110, 50), (.layerWidthSizable, 10, 150), (.layerMaxXMargin, 10, 50),
        ([.layerMinXMargin, .layerWidthSizable], 76, 84), ([.layerWidthSizable, .layerMaxXMargin], 10, 84),
        ([.layerMinXMargin, .layerMaxXMargin], 60, 50),
        ([.layerMinXMargin, .layerWidthSizable, .layerMaxXMargin], 43, 84), ([], 10, 50),
    ]

    @Test(
        "A parent that grows from 100 to 200 resizes a child at 10, 50 wide, by thirds",
        arguments: widths)
    func width(mask: CAAutoresizingMask, x: Double, width: Double) {
        let parent = layer(0, 0, 100, 100)
        let child = layer(10, 20, 50, 30)
        child.autoresizingMask = mask
        parent.addSublayer(child)
        parent.bounds = rect(0, 0, 200, 100)
        #expect(child.frame == rect(x, 20, width, 30))
    }

    @Test("Heights follow the same rule")
    func height() {
        let parent = layer(bounds: rect(5, 5, 100, 100))
        let child = layer(0, 15, 10, 50)
        child.autoresizingMask = [.layerMinYMargin, .layerHeightSizable]
        parent.addSublayer(child)
        parent.bounds = rect(5, 5, 100, 200)
        // Margin 10 from the bounds' min y, which is 5.
        #expect(child.frame == rect(0, 81, 10, 84))
    }

    @Test("A change of the bounds' origin alone, and joining another superlayer, resize nothing")
    func originOnly() {
        let parent = layer(0, 0, 100, 100)
        let child = layer(10, 20, 50, 30)
        child.autoresizingMask = .layerWidthSizable
        parent.addSublayer(child)
        parent.bounds.origin = point(30, 40)
        layer(0, 0, 500, 500).addSublayer(child)
        #expect(child.frame == rect(10, 20, 50, 30))
    }
}
