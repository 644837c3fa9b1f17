import CoreAnimation
import LayerModel
import Testing

/// The cases of the semantic reference, §1.2 and §1.4, and of the measured facts, M.
@Suite("Conversion")
struct ConversionTests {
    @Test("A child of scale 2 at (100, 50) reaches from (50, 0) to (150, 100)")
    func scaledChild() {
        let parent = layer(0, 0, 200, 200)
        let child = layer(bounds: rect(0, 0, 50, 50), position: point(100, 50))
        child.transform = CATransform3DMakeScale(2, 2, 1)
        parent.addSublayer(child)
        #expect(child.convert(point(0, 0), to: parent) == point(50, 0))
        #expect(child.convert(point(50, 50), to: parent) == point(150, 100))
        #expect(parent.convert(point(150, 100), to: child) == point(50, 50))
        #expect(child.convert(rect(0, 0, 50, 50), to: parent) == rect(50, 0, 100, 100))
        #expect(child.convert(rect(50, 0, 100, 100), from: parent) == rect(0, 0, 50, 50))
    }

    @Test("sublayerTransform works about the parent's anchor point")
    func sublayerTransform() {
        let parent = layer(0, 0, 200, 200)
        let child = layer(bounds: rect(0, 0, 50, 50), position: point(100, 50))
        parent.addSublayer(child)
        parent.sublayerTransform = CATransform3DMakeTranslation(10, 20, 0)
        #expect(child.convert(point(0, 0), to: parent) == point(85, 45))
        parent.sublayerTransform = CATransform3DMakeScale(2, 2, 1)
        child.transform = CATransform3DMakeTranslation(5, 6, 0)
        #expect(child.convert(point(0, 0), to: parent) == point(60, -38))
    }

    @Test("With anchors at (0, 0) a sublayerTransform of scale 2 doubles positions")
    func sublayerTransformAtOrigin() {
        let parent = layer(bounds: rect(0, 0, 200, 200), anchor: .zero)
        let child = layer(bounds: rect(0, 0, 50, 50), position: point(20, 20), anchor: .zero)
        parent.addSublayer(child)
        parent.sublayerTransform = CATransform3DMakeScale(2, 2, 1)
        #expect(child.convert(point(5, 5), to: parent) == point(50, 50))
    }

    @Test("A flipped layer mirrors its sublayers and its own points inside its bounds, not its place")
    func geometryFlipped() {
        let grandparent = layer(0, 0, 500, 500)
        let parent = layer(bounds: rect(5, 7, 100, 80), position: point(20, 30), anchor: .zero)
        let child = layer(bounds: rect(0, 0, 10, 10), position: point(15, 17), anchor: .zero)
        grandparent.addSublayer(parent)
        parent.addSublayer(child)
        let frame = parent.frame
        parent.isGeometryFlipped = true
        #expect(child.convert(point(0, 0), to: grandparent) == point(30, 100))
        #expect(child.convert(point(0, 10), to: grandparent) == point(30, 90))
        #expect(parent.convert(point(5, 7), to: grandparent) == point(20, 110))
        #expect(parent.frame == frame)
        #expect(grandparent.convert(point(30, 100), to: child) == point(0, 0))
    }

    @Test("The parent's bounds origin enters from the parent upwards only")
    func boundsOrigin() {
        let root = layer(0, 0, 500, 500)
        let parent = layer(bounds: rect(30, 40, 100, 100), position: point(200, 200), anchor: .zero)
        let child = layer(bounds: rect(0, 0, 10, 10), position: point(50, 60), anchor: .zero)
        root.addSublayer(parent)
        parent.addSublayer(child)
        #expect(child.convert(point(1, 2), to: parent) == point(51, 62))
        #expect(child.convert(point(1, 2), to: root) == point(221, 222))
    }

    @Test("Nil is the space that contains the topmost layer; layers of different trees meet there")
    func nilSpace() {
        let root = layer(bounds: rect(0, 0, 100, 100), position: point(70, 80), anchor: .zero)
        let child = layer(10, 20, 5, 5)
        root.addSublayer(child)
        #expect(child.convert(point(1, 1), to: nil) == point(81, 101))
        #expect(child.convert(point(81, 101), from: nil) == point(1, 1))
        let other = layer(bounds: rect(0, 0, 10, 10), position: point(1, 2), anchor: .zero)
        #expect(child.convert(point(0, 0), to: other) == point(79, 98))
        #expect(other.convert(point(0, 0), to: child) == point(-79, -98))
    }

    @Test("Siblings convert through their parent; a layer converts to itself without change")
    func siblings() {
        let root = layer(0, 0, 100, 100)
        let (a, b) = (layer(10, 10, 5, 5), layer(30, 40, 5, 5))
        root.addSublayer(a)
        root.addSublayer(b)
        // Where the root is does not matter, not even when it can't be inverted.
        root.transform = CATransform3DMakeScale(0, 0, 0)
        #expect(a.convert(point(0, 0), to: b) == point(-20, -30))
        #expect(a.convert(rect(1, 2, -3, -4), to: a) == rect(1, 2, -3, -4))
    }

    @Test("Perspective divides by w upwards and is undone downwards")
    func perspective() {
        let parent = layer(0, 0, 200, 200)
        parent.sublayerTransform.m34 = -1 / 500
        let child = layer(bounds: rect(0, 0, 100, 100), position: point(100, 100))
        child.zPosition = 100
        parent.addSublayer(child)
        // z = 100 seen from 500: magnified by 500 / 400 about the center (100, 100).
        #expect(isClose(child.convert(point(0, 0), to: parent), point(37.5, 37.5)))
        #expect(isClose(parent.convert(point(37.5, 37.5), to: child), point(0, 0)))
        child.transform = CATransform3DMakeRotation(0.8, 0, 1, 0)
        for p in [point(0, 0), point(100, 0), point(30, 80)] {
            #expect(isClose(parent.convert(child.convert(p, to: parent), to: child), p))
        }
    }

    @Test("A layer seen edge-on has no finite conversion downwards")
    func edgeOn() {
        let parent = layer(0, 0, 200, 200)
        let child = layer(0, 0, 10, 10)
        child.transform = CATransform3DMakeScale(0, 1, 1)
        parent.addSublayer(child)
        let p = parent.convert(point(5, 5), to: child)
        #expect(p.x.isNaN && p.y.isNaN)
    }

    @Test("A transform layer keeps depth between its sublayers and the layer above; a plain layer flattens it")
    func transformLayer() {
        func x(of middle: CALayer) -> Double {
            let root = layer(0, 0, 200, 200)
            root.sublayerTransform.m34 = -1 / 500
            middle.frame = rect(0, 0, 200, 200)
            let child = layer(bounds: rect(0, 0, 100, 100), position: point(100, 100))
            child.zPosition = 100
            root.addSublayer(middle)
            middle.addSublayer(child)
            return Double(child.convert(point(0, 0), to: root).x)
        }
        #expect(abs(x(of: CATransformLayer()) - 37.5) < 1e-9)
        #expect(x(of: CALayer()) == 50)
    }

    @Test("contentsAreFlipped counts the flips up to the root, and the display's")
    func contentsAreFlipped() {
        let (root, middle, leaf) = (CALayer(), CALayer(), CALayer())
        root.addSublayer(middle)
        middle.addSublayer(leaf)
        middle.isGeometryFlipped = true
        #expect([root, middle, leaf].map { $0.contentsAreFlipped() } == [false, true, true])
        leaf.isGeometryFlipped = true
        #expect(!leaf.contentsAreFlipped())
        let context = LayerContext()
        context.displayIsFlipped = true
        context.rootLayer = root
        #expect([root, middle, leaf].map { $0.contentsAreFlipped() } == [true, false, true])
        #expect(!root.isGeometryFlipped)
    }
}
