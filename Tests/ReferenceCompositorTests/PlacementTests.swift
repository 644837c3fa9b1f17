import LayerModel
import ReferenceCompositor
import Testing

/// The geometry tables of the semantic reference (§1.2, §1.3, M) as pictures: where a layer's pixels are.
@Suite("Placement")
struct PlacementTests {
    /// The layer alone, its superlayer's points being pixels.
    private func place(_ layer: LayerTree, in parent: (inout LayerProperties) -> Void = { _ in }) throws -> PixelRect {
        var layer = layer
        if layer.sublayers.isEmpty { layer.properties.backgroundColor = .black }
        return coveredBox(try draw(root(400, 400, [layer], parent), 400, 400, background: .clear))
    }

    private func layer(
        _ bounds: Rect, _ position: Point, _ transform: Transform = .identity, anchor: Point = Point(0.5, 0.5)
    ) -> LayerTree {
        LayerTree {
            $0.bounds = bounds
            $0.position = position
            $0.transform = transform
            $0.anchorPoint = anchor
        }
    }

    @Test("A layer covers the frame that Core Animation gives it")
    func frames() throws {
        let bounds = Rect(0, 0, 100, 50)
        let at = Point(200, 300)
        #expect(try place(layer(bounds, at)) == PixelRect(x: 150, y: 275, width: 100, height: 50))
        #expect(try place(layer(bounds, at, anchor: .zero)) == PixelRect(x: 200, y: 300, width: 100, height: 50))
        #expect(
            try place(layer(bounds, at, .scale(2, 4, 1))) == PixelRect(x: 100, y: 200, width: 200, height: 200))
        #expect(
            try place(layer(Rect(11, 22, 100, 50), at)) == PixelRect(x: 150, y: 275, width: 100, height: 50),
            "the bounds origin must not move the layer")
        #expect(
            try place(layer(Rect(0, 0, 100, 100), Point(200, 200), turnedZ(.pi / 4)))
                == PixelRect(x: 129, y: 129, width: 142, height: 142))
    }

    @Test("A layer's anchor may lie outside of it")
    func anchorOutside() throws {
        let box = try place(layer(Rect(0, 0, 100, 50), Point(250, 0), anchor: Point(2, -1)))
        #expect(box == PixelRect(x: 50, y: 50, width: 100, height: 50))
    }

    @Test("sublayerTransform works about the parent's anchor point")
    func sublayerTransform() throws {
        // (0, 0) of the child is at (60, -38) of the parent, which is itself moved by (50, 50).
        let child = layer(Rect(0, 0, 50, 50), Point(100, 50), .translation(5, 6, 0))
        func placed(_ transform: Transform, _ child: LayerTree) throws -> PixelRect {
            var child = child
            child.properties.backgroundColor = .black
            var parent = layer(Rect(0, 0, 200, 200), Point(150, 150))
            parent.properties.sublayerTransform = transform
            parent.sublayers = [child]
            return try place(parent)
        }
        #expect(try placed(.scale(2, 2, 1), child) == PixelRect(x: 110, y: 12, width: 100, height: 100))
        let plain = layer(Rect(0, 0, 50, 50), Point(100, 50))
        #expect(
            try placed(.translation(10, 20, 0), plain) == PixelRect(x: 135, y: 95, width: 50, height: 50))
    }

    @Test("sublayerTransform about an anchor at the corner")
    func sublayerTransformAtCorner() throws {
        let child = layer(Rect(0, 0, 5, 5), Point(20, 20), anchor: .zero)
        #expect(
            try place(child) { $0.sublayerTransform = .scale(2, 2, 1) }
                == PixelRect(x: 40, y: 40, width: 10, height: 10))
    }

    @Test("geometryFlipped mirrors what is inside the layer's own bounds")
    func geometryFlipped() throws {
        var child = layer(Rect(0, 0, 10, 10), Point(15, 17), anchor: .zero)
        child.properties.backgroundColor = .black
        var parent = layer(Rect(5, 7, 100, 80), Point(20, 30), anchor: .zero)
        parent.properties.isGeometryFlipped = true
        parent.sublayers = [child]
        #expect(try place(parent) == PixelRect(x: 30, y: 90, width: 10, height: 10))
    }

    @Test("The bounds origin scrolls the sublayers")
    func boundsOrigin() throws {
        var child = layer(Rect(0, 0, 10, 10), Point(50, 60), anchor: .zero)
        child.properties.backgroundColor = .black
        var parent = layer(Rect(20, 30, 100, 100), .zero, anchor: .zero)
        parent.sublayers = [child]
        #expect(try place(parent) == PixelRect(x: 30, y: 30, width: 10, height: 10))
    }

    @Test("With y up the picture's bottom is y = 0")
    func yUp() throws {
        let tree = box(Rect(10, 20, 30, 5), .black)
        let image = try draw(tree, 100, 80, isFlipped: false, background: .clear)
        #expect(coveredBox(image) == PixelRect(x: 10, y: 55, width: 30, height: 5))
    }

    @Test("A display of scale 2 has two pixels a point")
    func scale() throws {
        let image = try draw(box(Rect(10, 20, 30, 5), .black), 100, 80, scale: 2, background: .clear)
        #expect(coveredBox(image) == PixelRect(x: 20, y: 40, width: 60, height: 10))
    }

    @Test("A turned layer covers as much as it has area", arguments: [0.1, 0.5, 1, 2.2])
    func turnedArea(angle: Double) throws {
        let layer = layer(Rect(0, 0, 60.5, 33), Point(50.3, 50.1), turnedZ(angle))
        var tree = layer
        tree.properties.backgroundColor = .black
        let image = try draw(tree, 100, 100, background: .clear)
        #expect(abs(image.coveredArea - 60.5 * 33) < 3)
    }

    @Test("The area of each pixel under a random quadrilateral is the share of 16×16 points in it")
    func areaBySampling() throws {
        var random = SplitMix64(seed: 11)
        for _ in 0..<4 {
            // A parallelogram by a random matrix: a layer of unit size.
            let m = Transform(
                random.number(5, 20), random.number(-9, 9), 0, 0, random.number(-9, 9), random.number(5, 20), 0, 0, 0,
                0,
                1, 0, 0, 0, 0, 1)
            var tree = layer(Rect(0, 0, 1, 1), Point(15.2, 15.7), m)
            tree.properties.backgroundColor = .black
            let image = try draw(tree, 30, 30, background: .clear)
            let det = m.m11 * m.m22 - m.m12 * m.m21
            for y in 0..<30 {
                for x in 0..<30 {
                    var hits = 0
                    for j in 0..<16 {
                        for i in 0..<16 {
                            let u = Double(x) + (Double(i) + 0.5) / 16 - 15.2
                            let v = Double(y) + (Double(j) + 0.5) / 16 - 15.7
                            let a = (u * m.m22 - v * m.m21) / det
                            let b = (v * m.m11 - u * m.m12) / det
                            if abs(a) < 0.5, abs(b) < 0.5 { hits += 1 }
                        }
                    }
                    let alpha = Double(image.premultiplied(x, y)[3]) / 255
                    #expect(abs(alpha - Double(hits) / 256) < 0.06, "pixel (\(x), \(y)) of \(m)")
                }
            }
        }
    }

    @Test("A layer whose edges are off the pixel grid covers part of the pixels there")
    func fractionalEdges() throws {
        let image = try draw(box(Rect(2.25, 3, 4, 4), .black), 10, 10, background: .clear)
        expect(image, 2, 4, [0, 0, 0, 191], within: 1)
        expect(image, 6, 4, [0, 0, 0, 64], within: 1)
        #expect(image.isEdge(2, 4) && image.isEdge(6, 4) && !image.isEdge(4, 4) && !image.isEdge(7, 4))
    }

    @Test("Without antialiasing a pixel is in when its center is")
    func hardEdges() throws {
        let tree = box(Rect(2.4, 3.6, 4.2, 4), .black) { $0.allowsEdgeAntialiasing = false }
        let image = try draw(tree, 12, 12, background: .clear)
        #expect(coveredBox(image) == PixelRect(x: 2, y: 4, width: 5, height: 4))
        #expect(image.edgeShare == 0)
    }

    @Test("Rounded corners stay smooth without edge antialiasing")
    func smoothCorners() throws {
        func disc(_ edit: (inout LayerProperties) -> Void) throws -> ReferenceImage {
            try draw(
                box(Rect(1, 1, 10, 10), .black) {
                    $0.cornerRadius = 5
                    edit(&$0)
                }, 12, 12, background: .clear)
        }
        #expect(try disc { $0.edgeAntialiasingMask = [] }.pixels == disc { _ in }.pixels)
        #expect(try disc { $0.allowsEdgeAntialiasing = false }.pixels == disc { _ in }.pixels)
    }

    @Test("An edge missing from edgeAntialiasingMask goes to the nearest pixel border")
    func partialEdgeMask() throws {
        let tree = box(Rect(2.4, 3.4, 4.2, 4), .black) { $0.edgeAntialiasingMask = [.right, .bottom, .top] }
        let image = try draw(tree, 12, 12, background: .clear)
        expect(image, 1, 5, [0, 0, 0, 0], within: 0)
        expect(image, 2, 5, [0, 0, 0, 255], within: 0)
        expect(image, 6, 5, [0, 0, 0, 153], within: 1)
        // Down: min y is `bottom` of the layer's own numbers.
        expect(image, 4, 3, [0, 0, 0, 153], within: 1)
        expect(image, 4, 7, [0, 0, 0, 102], within: 1)
    }
}
