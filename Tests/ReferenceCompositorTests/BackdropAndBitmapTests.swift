import LayerModel
import ReferenceCompositor
import Testing

@Suite("Backdrops and bitmaps")
struct BackdropAndBitmapTests {
    private let invert = LayerFilter(.colorInvert)
    private let blur = LayerFilter(.gaussianBlur, inputs: [.inputRadius: .number(4)])

    private func stripes() -> [LayerTree] {
        [box(Rect(0, 0, 50, 100), red), box(Rect(50, 0, 50, 100), blue)]
    }

    private func backdrop(
        _ frame: Rect, _ filters: [LayerFilter], _ configure: (inout LayerProperties) -> Void = { _ in }
    ) -> LayerTree {
        var layer = box(frame) {
            $0.filters = filters
            configure(&$0)
        }
        layer.layerClass = .backdropLayer
        return layer
    }

    private func behind(
        _ frame: Rect, _ filters: [LayerFilter], _ configure: (inout LayerProperties) -> Void = { _ in }
    ) -> LayerTree {
        box(frame) {
            $0.backgroundFilters = filters
            configure(&$0)
        }
    }

    @Test("Background filters and a backdrop layer's filters change what is behind, in the bounds with their corners")
    func scope() throws {
        for layer in [behind(Rect(30, 30, 40, 40), [invert]), backdrop(Rect(30, 30, 40, 40), [invert])] {
            var round = layer
            round.properties.cornerRadius = 20
            let image = try draw(root(100, 100, stripes() + [round]), 100, 100)
            expect(image, 40, 50, [0, 255, 255, 255], within: 0)
            expect(image, 60, 50, [255, 255, 0, 255], within: 0)
            for (x, y) in [(20, 50), (31, 31), (40, 20)] { expect(image, x, y, [255, 0, 0, 255], within: 0) }
        }
    }

    @Test("The layer itself is drawn over its backdrop, and both fade together")
    func fading() throws {
        let layer = behind(Rect(30, 30, 40, 40), [invert]) {
            $0.borderWidth = 5
            $0.borderColor = green
            $0.opacity = 0.5
        }
        let image = try draw(root(100, 100, stripes() + [layer]), 100, 100)
        expect(image, 40, 50, [128, 128, 128, 255], within: 1)
        expect(image, 32, 50, [128, 128, 0, 255], within: 1)
    }

    @Test("A mask and a clip of the layer cover its backdrop")
    func covered() throws {
        var layer = behind(Rect(30, 30, 40, 40), [invert])
        layer.mask = box(Rect(0, 0, 40, 20), Color(0, 0, 0, 0.5))
        let image = try draw(root(100, 100, stripes() + [layer]), 100, 100)
        expect(image, 40, 40, [128, 128, 128, 255], within: 1)
        expect(image, 40, 60, [255, 0, 0, 255], within: 0)
    }

    @Test("A blur of the backdrop also sees what is beside the layer; at the picture's edge its last pixels go on")
    func blurred() throws {
        let image = try draw(root(100, 100, stripes() + [behind(Rect(51, 0, 49, 100), [blur])]), 100, 100)
        // One pixel and a half beyond the edge between red and blue: .646 blue.
        expect(image, 51, 50, [91, 0, 164, 255], within: 3)
        expect(image, 51, 0, [91, 0, 164, 255], within: 3)
        expect(image, 99, 50, [0, 0, 255, 255], within: 1)
        expect(image, 50, 50, [0, 0, 255, 255], within: 0)
        #expect(image.isBlurred[50 * 100 + 51] && !image.isBlurred[50 * 100 + 50])
    }

    @Test("A backdrop is what its group has drawn, and ends at it")
    func group() throws {
        let group = box(
            Rect(0, 0, 100, 100), nil, [box(Rect(0, 0, 100, 50), green), behind(Rect(0, 0, 100, 100), [invert])]
        ) {
            $0.opacity = 0.5
        }
        let image = try draw(root(100, 100, stripes() + [group]), 100, 100)
        // Green becomes magenta, at half over red; nothing stays nothing.
        expect(image, 20, 20, [255, 0, 128, 255], within: 1)
        expect(image, 20, 70, [255, 0, 0, 255], within: 0)
        // A square clip is no group.
        let clip = box(Rect(0, 0, 100, 50), nil, [behind(Rect(0, 0, 100, 100), [invert])]) { $0.masksToBounds = true }
        let clipped = try draw(root(100, 100, stripes() + [clip]), 100, 100)
        expect(clipped, 20, 20, [0, 255, 255, 255], within: 0)
        expect(clipped, 20, 70, [255, 0, 0, 255], within: 0)
    }

    @Test("The root has nothing behind it; a mask shows no backdrop")
    func noBackdrop() throws {
        let tree = root(20, 20, []) { $0.backgroundFilters = [LayerFilter(.colorInvert)] }
        expect(try draw(tree, 20, 20), 10, 10, [255, 255, 255, 255], within: 0)
        var layer = box(Rect(0, 0, 20, 20), red)
        layer.mask = backdrop(Rect(0, 0, 20, 20), [invert])
        expect(try draw(root(20, 20, [layer]), 20, 20), 10, 10, [255, 255, 255, 255], within: 0)
    }

    @Test("Backdrops of one name see what the first of them saw")
    func shared() throws {
        func picture(_ name: String?) throws -> ReferenceImage {
            let layers = (0..<2).map { _ in
                backdrop(Rect(20, 20, 60, 60), [LayerFilter(.colorInvert)]) { $0.groupName = name }
            }
            return try draw(root(100, 100, stripes() + layers), 100, 100)
        }
        // Inverted twice is what was there; inverted once each, from the same, is inverted.
        expect(try picture(nil), 30, 50, [255, 0, 0, 255], within: 0)
        expect(try picture("glass"), 30, 50, [0, 255, 255, 255], within: 0)
    }

    // MARK: Bitmaps

    @Test("At the display's scale and on its grid a bitmap changes nothing")
    func sameScale() throws {
        var layer = box(Rect(10, 10, 60, 40), red, [box(Rect(20, 10, 60, 40), green) { $0.cornerRadius = 9 }]) {
            $0.shadowOpacity = 0.7
            $0.opacity = 0.6
            $0.borderWidth = 2.5
        }
        layer.mask = box(Rect(-8, -4, 70, 90), .black) { $0.cornerRadius = 12 }
        let plain = try draw(root(50, 40, [layer]), 100, 80, scale: 2)
        layer.properties.shouldRasterize = true
        layer.properties.rasterizationScale = 2
        #expect(try largestDifference(plain, draw(root(50, 40, [layer]), 100, 80, scale: 2)) <= 1)
        layer.properties.rasterizationScale = 1
        #expect(try largestDifference(plain, draw(root(50, 40, [layer]), 100, 80, scale: 2)) > 20)
    }

    @Test("A bitmap of half the scale is enlarged by its filter", arguments: [ContentsFilter.nearest, .linear])
    func enlarged(filter: ContentsFilter) throws {
        let layer = box(Rect(4, 4, 8, 8), red, [box(Rect(4, 0, 4, 8), blue)]) {
            $0.shouldRasterize = true
            $0.magnificationFilter = filter
        }
        let image = try draw(root(20, 20, [layer]), 40, 40, scale: 2, background: .clear)
        // Texel 3 is red, texel 4 blue; pixel 15 is a quarter of a texel before the border, pixel 16 one beyond.
        let mixed = filter == .linear
        expect(image, 15, 16, mixed ? [191, 0, 64, 255] : [255, 0, 0, 255], within: 1)
        expect(image, 16, 16, mixed ? [64, 0, 191, 255] : [0, 0, 255, 255], within: 1)
        // The edge: beyond it the bitmap is transparent.
        #expect(near([Int(image.premultiplied(8, 16)[3])], [mixed ? 191 : 255], 1))
        #expect(near([Int(image.premultiplied(7, 16)[3])], [mixed ? 64 : 0], 1))
    }

    @Test("A turned layer's bitmap is drawn upright and then turned")
    func turned() throws {
        var layer = box(Rect(30, 30, 40, 40), red, [box(Rect(20, 0, 20, 40), blue)]) {
            $0.shouldRasterize = true
            $0.transform = turnedZ(.pi / 2)
        }
        let image = try draw(root(100, 100, [layer]), 100, 100, background: .clear)
        expect(image, 50, 40, [255, 0, 0, 255], within: 0)
        expect(image, 50, 60, [0, 0, 255, 255], within: 0)
        #expect(coveredBox(image) == PixelRect(x: 30, y: 30, width: 40, height: 40))
        layer.properties.transform = turnedZ(.pi / 4)
        let slanted = try draw(root(100, 100, [layer]), 100, 100, background: .clear)
        #expect(abs(slanted.coveredArea - 1600) < 10, "\(slanted.coveredArea)")
    }

    @Test("Images in a bitmap stay upright, whichever way y runs", arguments: [true, false])
    func upright(isFlipped: Bool) throws {
        let picture = ImageContent.drawn(width: 2, height: 2) { _, y in y == 0 ? red : blue }
        let layer = box(Rect(0, 0, 20, 20)) {
            $0.contents = ImageID(1)
            $0.magnificationFilter = .nearest
            $0.shouldRasterize = true
        }
        let image = try draw(root(20, 20, [layer]), 20, 20, isFlipped: isFlipped, images: [picture])
        expect(image, 10, 2, [255, 0, 0, 255], within: 0)
        expect(image, 10, 17, [0, 0, 255, 255], within: 0)
    }

    @Test("A mode inside a bitmap sees the bitmap only, opacity is not in it")
    func isolated() throws {
        let inner = box(Rect(0, 0, 20, 20), red) { $0.compositingMode = .multiply }
        let layer = box(Rect(10, 10, 20, 20), nil, [inner]) {
            $0.shouldRasterize = true
            $0.opacity = 0.5
            $0.allowsGroupOpacity = false
        }
        expect(try draw(root(40, 40, [layer]), 40, 40, background: blue), 20, 20, [128, 0, 128, 255], within: 1)
    }
}
