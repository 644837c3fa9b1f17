import LayerModel
import ReferenceCompositor
import Testing

/// Scenes of public bug reports, and what follows from the rules of groups and clips. White root, y down.
@Suite("Groups and clips")
struct GroupAndClipTests {
    private let white = [255, 255, 255, 255]

    @Test("Clips of all ancestors intersect")
    func nestedRectangleClips() throws {
        let inner = box(Rect(20, 20, 100, 100), nil, [box(Rect(-50, -50, 300, 300), blue)]) { $0.masksToBounds = true }
        let outer = box(Rect(10, 10, 60, 60), nil, [inner]) { $0.masksToBounds = true }
        let image = try draw(root(200, 200, [outer]), 200, 200)
        for (x, y) in [(50, 50), (30, 30), (69, 69)] { expect(image, x, y, [0, 0, 255, 255]) }
        for (x, y) in [(29, 50), (70, 50), (50, 71), (15, 15)] { expect(image, x, y, white) }
    }

    @Test("A turned clip is the turned rectangle, not its box")
    func turnedClip() throws {
        let content = box(Rect(-100, -100, 300, 300), red) { $0.transform = turnedZ(-.pi / 4) }
        let clip = box(Rect(50, 50, 100, 100), nil, [content]) {
            $0.masksToBounds = true
            $0.transform = turnedZ(.pi / 4)
        }
        let image = try draw(root(200, 200, [clip]), 200, 200)
        for (x, y) in [(100, 100), (100, 34), (165, 100)] { expect(image, x, y, [255, 0, 0, 255]) }
        for (x, y) in [(40, 40), (150, 45), (160, 160), (100, 26)] { expect(image, x, y, white) }
    }

    @Test("Nested opacities multiply")
    func nestedOpacity() throws {
        let inner = box(Rect(0, 0, 200, 200), nil, [box(Rect(50, 50, 100, 100), .black)]) { $0.opacity = 0.5 }
        let outer = box(Rect(0, 0, 200, 200), nil, [inner]) { $0.opacity = 0.5 }
        let image = try draw(root(200, 200, [outer]), 200, 200)
        expect(image, 100, 100, [191, 191, 191, 255], within: 1)
        expect(image, 10, 10, white, within: 0)
    }

    @Test("Fill, clip and border all follow maskedCorners")
    func maskedCorners() throws {
        let layer = box(Rect(50, 50, 100, 100), red, [box(Rect(50, 50, 50, 50), green)]) {
            $0.cornerRadius = 40
            $0.maskedCorners = [.minXMinY, .maxXMinY]
            $0.masksToBounds = true
            $0.borderWidth = 4
            $0.borderColor = blue
        }
        let image = try draw(root(200, 200, [layer]), 200, 200)
        for (x, y) in [(52, 52), (147, 52)] { expect(image, x, y, white) }
        for (x, y) in [(51, 147), (148, 148), (100, 51)] { expect(image, x, y, [0, 0, 255, 255]) }
        expect(image, 140, 140, [0, 255, 0, 255])
        expect(image, 70, 120, [255, 0, 0, 255])
    }

    @Test("A matrix with m11 = 0 is not singular")
    func zeroM11() throws {
        let layer = box(Rect(70, 70, 60, 60), green) {
            $0.transform = Transform(0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
        }
        let image = try draw(root(200, 200, [layer]), 200, 200)
        for (x, y) in [(100, 100), (125, 140)] { expect(image, x, y, [0, 255, 0, 255]) }
        for (x, y) in [(75, 140), (60, 100)] { expect(image, x, y, white) }
    }

    @Test("A mirrored layer is not hidden")
    func negativeScale() throws {
        let layer = box(
            Rect(50, 50, 100, 100), nil, [box(Rect(0, 0, 50, 100), red), box(Rect(50, 0, 50, 100), blue)]
        ) { $0.transform = .scale(-1, 1, 1) }
        let image = try draw(root(200, 200, [layer]), 200, 200)
        expect(image, 75, 100, [0, 0, 255, 255])
        expect(image, 125, 100, [255, 0, 0, 255])
        expect(image, 52, 100, [0, 0, 255, 255])
    }

    @Test("Half-transparent white over nothing has straight colors of white")
    func straightAlpha() throws {
        let layer = box(Rect(50, 50, 100, 100), .white) { $0.opacity = 0.5 }
        let image = try draw(root(200, 200, [layer]), 200, 200, background: .clear)
        expect(image, 100, 100, [255, 255, 255, 128], within: 1)
        expect(image, 10, 10, [0, 0, 0, 0], within: 0)
    }

    @Test("The opacity of a transform layer goes to each of its sublayers")
    func opacityOnTransformLayer() throws {
        var space = box(
            Rect(0, 0, 200, 200), nil,
            [box(Rect(30, 50, 100, 100), red), box(Rect(80, 50, 100, 100), blue) { $0.zPosition = 10 }]
        ) { $0.opacity = 0.5 }
        space.layerClass = .transformLayer
        let image = try draw(root(200, 200, [space]), 200, 200)
        expect(image, 50, 100, [255, 128, 128, 255])
        expect(image, 160, 100, [128, 128, 255, 255])
        expect(image, 110, 100, [128, 64, 191, 255])
    }

    @Test("At the rim of a rounded clip no color of what is covered inside shows")
    func noLeakAtTheRim() throws {
        func picture(_ background: Color?) throws -> ReferenceImage {
            let layer = box(Rect(3.3, 3.3, 40, 40), background, [box(Rect(-9, -9, 60, 60), red)]) {
                $0.cornerRadius = 12
                $0.masksToBounds = true
            }
            return try draw(root(48, 48, [layer]), 48, 48)
        }
        #expect(try picture(.black).pixels == picture(nil).pixels)
        #expect(try picture(.black).edgeShare > 0.03)
    }

    @Test("Coverage at the rim of a clip counts once for background, contents and border")
    func rimCountsOnce() throws {
        let image = ImageContent.drawn(width: 1, height: 1) { _, _ in .black }
        let parts: [(inout LayerProperties) -> Void] = [
            { $0.backgroundColor = .black },
            { $0.contents = ImageID(1) },
            { $0.borderWidth = 30 },
            {
                $0.backgroundColor = .black
                $0.contents = ImageID(1)
                $0.borderWidth = 2
            },
        ]
        for (i, configure) in parts.enumerated() {
            let layer = box(Rect(2.5, 2, 20, 20)) {
                $0.masksToBounds = true
                configure(&$0)
            }
            let picture = try draw(root(24, 24, [layer]), 24, 24, background: .clear, images: [image])
            #expect(picture.premultiplied(2, 10)[3] == 128, "part \(i)")
            #expect(picture.premultiplied(22, 10)[3] == 128, "part \(i)")
            #expect(abs(picture.coveredArea - 400) < 0.5, "part \(i)")
        }
    }

    @Test("The border is drawn over sublayers, also over those that stick out of it")
    func borderOverSublayers() throws {
        let layer = box(Rect(10, 10, 20, 20), nil, [box(Rect(0, 0, 30, 30), red)]) {
            $0.borderWidth = 3
            $0.borderColor = blue
        }
        let image = try draw(root(50, 50, [layer]), 50, 50)
        expect(image, 28, 20, [0, 0, 255, 255], within: 0)
        expect(image, 20, 20, [255, 0, 0, 255], within: 0)
        expect(image, 35, 20, [255, 0, 0, 255], within: 0)
    }

    @Test("A border wider than half a side fills the layer")
    func wideBorder() throws {
        let image = try draw(box(Rect(2, 2, 10, 20)) { $0.borderWidth = 7 }, 24, 24, background: .clear)
        #expect(image.coveredArea == 200)
    }

    @Test("A clip of no size hides everything in it")
    func emptyClip() throws {
        let layer = box(Rect(10, 10, 0, 20), nil, [box(Rect(0, 0, 30, 30), red)]) { $0.masksToBounds = true }
        #expect(try draw(root(50, 50, [layer]), 50, 50, background: .clear).coveredArea == 0)
    }

    @Test("Hidden layers and their subtrees are absent")
    func hidden() throws {
        let layer = box(Rect(10, 10, 20, 20), blue, [box(Rect(0, 0, 30, 30), red)]) { $0.isHidden = true }
        #expect(try draw(root(50, 50, [layer]), 50, 50, background: .clear).coveredArea == 0)
    }

    @Test("A pixel that an opaque draw replaces is no edge pixel any more")
    func edgesUnderOpaque() throws {
        let below = box(Rect(2.5, 2.5, 10, 10), red)
        let image = try draw(root(20, 20, [below, box(Rect(0, 0, 20, 8), blue)]), 20, 20)
        #expect(!image.isEdge(2, 5) && image.isEdge(2, 9))
    }
}
