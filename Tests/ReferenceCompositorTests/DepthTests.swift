import LayerModel
import ReferenceCompositor
import Testing

@Suite("Depth")
struct DepthTests {
    @Test("zPosition sorts siblings, ties keep their order")
    func zPosition() throws {
        let a = box(Rect(0, 0, 20, 20), red) { $0.zPosition = 1 }
        let b = box(Rect(0, 0, 20, 20), green)
        let c = box(Rect(0, 0, 20, 20), blue)
        expect(try draw(root(20, 20, [a, b, c]), 20, 20), 5, 5, [255, 0, 0, 255], within: 0)
        expect(try draw(root(20, 20, [b, c]), 20, 20), 5, 5, [0, 0, 255, 255], within: 0)
        expect(try draw(root(20, 20, [c, b]), 20, 20), 5, 5, [0, 255, 0, 255], within: 0)
    }

    @Test("zPosition alone does not resize; with perspective it does, about the parent's anchor")
    func perspectiveScale() throws {
        // At z = 100 seen from 200 everything is twice as large.
        func picture(_ transform: Transform) throws -> PixelRect {
            let child = box(Rect(40, 40, 20, 20), .black) { $0.zPosition = 100 }
            let parent = box(Rect(0, 0, 100, 100), nil, [child]) { $0.sublayerTransform = transform }
            return coveredBox(try draw(root(100, 100, [parent]), 100, 100, background: .clear))
        }
        #expect(try picture(.identity) == PixelRect(x: 40, y: 40, width: 20, height: 20))
        #expect(try picture(perspective(200)) == PixelRect(x: 30, y: 30, width: 40, height: 40))
    }

    @Test("A turned layer in perspective covers the area of its projected corners")
    func perspectiveArea() throws {
        // Half width 40, turned by 60° about y, seen from 200: x = ±40·cos, z = ∓40·sin, scale 1/(1 − z/200).
        let child = box(Rect(60, 60, 80, 80), .black) { $0.transform = turnedY(.pi / 3) }
        let tree = root(200, 200, [child]) { $0.sublayerTransform = perspective(200) }
        var centered = tree
        centered.properties.anchorPoint = Point(0.5, 0.5)
        centered.properties.position = Point(100, 100)
        let image = try draw(centered, 200, 200, background: .clear)
        let c = 40 * cosine(.pi / 3)
        let s = 40 * sine(.pi / 3)
        // The right side goes back (z = −s), the left one comes forward.
        let (right, left) = (1 / (1 + s / 200), 1 / (1 - s / 200))
        let area = (c * right + c * left) * (40 * right + 40 * left)
        #expect(abs(image.coveredArea - area) < 3, "\(image.coveredArea), expected \(area)")
        expect(image, Int(100 - c * left) + 1, 100, [0, 0, 0, 255], within: 0)
        expect(image, Int(100 - c * left) - 1, 100, [0, 0, 0, 0], within: 0)
    }

    @Test("What is behind the viewer is not drawn")
    func behindTheViewer() throws {
        let child = box(Rect(40, 40, 20, 20), .black) { $0.zPosition = 300 }
        let parent = box(Rect(0, 0, 100, 100), nil, [child]) { $0.sublayerTransform = perspective(200) }
        #expect(try draw(root(100, 100, [parent]), 100, 100, background: .clear).coveredArea == 0)
    }

    @Test("A floor that reaches behind the viewer ends at its horizon")
    func floor() throws {
        // Turned by 90° about x and 20 below the eye: from the horizon in the middle to one edge of the picture only.
        let child = box(Rect(-1000, -970, 2100, 2000), .black) {
            $0.anchorPoint = Point(0.5, 0.5)
            $0.position = Point(50, 70)
            $0.transform = turnedX(.pi / 2)
        }
        let parent = box(Rect(0, 0, 100, 100), nil, [child]) { $0.sublayerTransform = perspective(200) }
        let image = try draw(root(100, 100, [parent]), 100, 100, background: .clear)
        expect(image, 50, 40, [0, 0, 0, 0], within: 0)
        expect(image, 50, 10, [0, 0, 0, 0], within: 0)
        expect(image, 50, 60, [0, 0, 0, 255], within: 0)
        expect(image, 50, 98, [0, 0, 0, 255], within: 0)
    }

    @Test("Siblings that cut through each other are each in front on their side")
    func crossing() throws {
        let a = box(Rect(20, 20, 60, 60), red) { $0.transform = turnedY(.pi / 4) }
        let b = box(Rect(20, 20, 60, 60), blue) { $0.transform = turnedY(-.pi / 4) }
        // About y by a positive angle the right half goes back.
        for order in [[a, b], [b, a]] {
            let image = try draw(root(100, 100, order), 100, 100)
            expect(image, 40, 50, [255, 0, 0, 255], within: 0)
            expect(image, 60, 50, [0, 0, 255, 255], within: 0)
        }
    }

    @Test("A pixel that the line of intersection halves is half of each")
    func crossingLine() throws {
        let a = box(Rect(20.5, 20, 60, 60), red) { $0.transform = turnedY(.pi / 4) }
        let b = box(Rect(20.5, 20, 60, 60), blue) { $0.transform = turnedY(-.pi / 4) }
        let image = try draw(root(100, 100, [a, b]), 100, 100)
        expect(image, 50, 50, [128, 0, 128, 255], within: 2)
        #expect(image.isEdge(50, 50))
        #expect(!image.isEdge(49, 50) && !image.isEdge(51, 50))
    }

    @Test("A plain layer flattens its sublayers: their depth does not compete outside")
    func flattening() throws {
        let inner = box(Rect(0, 0, 50, 50), red) { $0.zPosition = 1000 }
        let container = box(Rect(0, 0, 50, 50), nil, [inner])
        let sibling = box(Rect(0, 0, 50, 50), blue) { $0.zPosition = 1 }
        expect(try draw(root(50, 50, [container, sibling]), 50, 50), 25, 25, [0, 0, 255, 255], within: 0)
        var space = container
        space.layerClass = .transformLayer
        expect(try draw(root(50, 50, [space, sibling]), 50, 50), 25, 25, [255, 0, 0, 255], within: 0)
    }

    @Test("A layer turned in a turned plain layer is flattened twice, in a transform layer it turns in space")
    func nestedTurns() throws {
        // Two turns by 45° about y: flat, each halves the width by cos 45°; in space they make 90°, seen edge-on.
        let inner = box(Rect(0, 0, 80, 80), .black) { $0.transform = turnedY(.pi / 4) }
        var outer = box(Rect(10, 10, 80, 80), nil, [inner]) { $0.transform = turnedY(.pi / 4) }
        #expect(abs(try draw(root(100, 100, [outer]), 100, 100, background: .clear).coveredArea - 3200) < 3)
        outer.layerClass = .transformLayer
        #expect(try draw(root(100, 100, [outer]), 100, 100, background: .clear).coveredArea < 1)
    }

    @Test("Members of a transform layer sort among its siblings")
    func passThrough() throws {
        var space = box(
            Rect(0, 0, 60, 60), nil,
            [box(Rect(0, 0, 60, 60), red) { $0.zPosition = -5 }, box(Rect(0, 0, 30, 60), green) { $0.zPosition = 5 }])
        space.layerClass = .transformLayer
        let sibling = box(Rect(0, 0, 60, 60), blue)
        let image = try draw(root(60, 60, [space, sibling]), 60, 60)
        expect(image, 10, 10, [0, 255, 0, 255], within: 0)
        expect(image, 50, 10, [0, 0, 255, 255], within: 0)
    }

    @Test("doubleSided off hides a layer that is turned away, not one whose geometry is flipped")
    func backFaces() throws {
        func area(_ transform: Transform, flipped: Bool = false) throws -> Double {
            let layer = box(Rect(10, 10, 30, 30), .black) {
                $0.isDoubleSided = false
                $0.transform = transform
                $0.isGeometryFlipped = flipped
            }
            return try draw(root(50, 50, [layer]), 50, 50, background: .clear).coveredArea
        }
        #expect(try area(.identity) == 900)
        #expect(try area(turnedZ(.pi)) == 900)
        #expect(try area(.identity, flipped: true) == 900)
        #expect(try area(turnedY(.pi)) == 0)
        #expect(try area(turnedX(2)) == 0)
        #expect(try area(turnedY(1)) > 400)
    }
}
