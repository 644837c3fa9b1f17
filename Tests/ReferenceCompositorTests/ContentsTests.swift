import LayerModel
import ReferenceCompositor
import Testing

@Suite("Contents")
struct ContentsTests {
    static let table: [(ContentsGravity, PixelRect)] = [
        (.resize, PixelRect(x: 0, y: 0, width: 80, height: 60)),
        (.resizeAspect, PixelRect(x: 0, y: 10, width: 80, height: 40)),
        (.resizeAspectFill, PixelRect(x: -20, y: 0, width: 120, height: 60)),
        (.center, PixelRect(x: 30, y: 25, width: 20, height: 10)),
        (.top, PixelRect(x: 30, y: 50, width: 20, height: 10)),
        (.bottom, PixelRect(x: 30, y: 0, width: 20, height: 10)),
        (.left, PixelRect(x: 0, y: 25, width: 20, height: 10)),
        (.right, PixelRect(x: 60, y: 25, width: 20, height: 10)),
        (.topLeft, PixelRect(x: 0, y: 50, width: 20, height: 10)),
        (.topRight, PixelRect(x: 60, y: 50, width: 20, height: 10)),
        (.bottomLeft, PixelRect(x: 0, y: 0, width: 20, height: 10)),
        (.bottomRight, PixelRect(x: 60, y: 0, width: 20, height: 10)),
    ]

    private func plain(_ width: Int, _ height: Int) -> ImageContent {
        .drawn(width: width, height: height) { _, _ in red }
    }

    @Test("An image of 20×10 in bounds of 80×60 lies where its gravity puts it, y down", arguments: table)
    func gravity(gravity: ContentsGravity, expected: PixelRect) throws {
        let layer = box(Rect(30, 10, 80, 60)) {
            $0.contents = ImageID(1)
            $0.contentsGravity = gravity
        }
        let image = try draw(root(140, 80, [layer]), 140, 80, background: .clear, images: [plain(20, 10)])
        #expect(coveredBox(image) == expected.offsetBy(x: 30, y: 10))
    }

    @Test("Top is max y: above the middle where y runs up", arguments: table)
    func gravityUp(gravity: ContentsGravity, expected: PixelRect) throws {
        let layer = box(Rect(30, 10, 80, 60)) {
            $0.contents = ImageID(1)
            $0.contentsGravity = gravity
        }
        let image = try draw(
            root(140, 80, [layer]), 140, 80, isFlipped: false, background: .clear, images: [plain(20, 10)])
        let top = 80 - 10 - expected.maxY
        #expect(
            coveredBox(image)
                == PixelRect(x: expected.minX + 30, y: top, width: expected.width, height: expected.height))
    }

    @Test("masksToBounds cuts what contents overflow, nothing else does")
    func overflow() throws {
        for masks in [false, true] {
            let layer = box(Rect(30, 10, 80, 60)) {
                $0.contents = ImageID(1)
                $0.contentsGravity = .resizeAspectFill
                $0.cornerRadius = 0
                $0.masksToBounds = masks
            }
            let image = try draw(root(140, 80, [layer]), 140, 80, background: .clear, images: [plain(20, 10)])
            #expect(
                coveredBox(image)
                    == (masks
                        ? PixelRect(x: 30, y: 10, width: 80, height: 60)
                        : PixelRect(x: 10, y: 10, width: 120, height: 60)))
        }
    }

    @Test("Natural size is pixels times contentsRect over contentsScale")
    func naturalSize() throws {
        let layer = box(Rect(0, 0, 80, 60)) {
            $0.contents = ImageID(1)
            $0.contentsGravity = .bottomLeft
            $0.contentsScale = 2
            $0.contentsRect = Rect(0.5, 0, 0.5, 1)
        }
        let image = try draw(layer, 80, 60, background: .clear, images: [plain(40, 24)])
        #expect(coveredBox(image) == PixelRect(x: 0, y: 0, width: 10, height: 12))
    }

    /// Four rows from the top: red, green, blue, white.
    private let rows = ImageContent.drawn(width: 4, height: 4) { _, y in [red, green, blue, .white][y] }

    @Test(
        "Pictures stay upright whichever way y runs",
        arguments: [(true, false), (true, true), (false, false), (false, true)])
    func upright(isDisplayFlipped: Bool, isLayerFlipped: Bool) throws {
        let layer = box(Rect(0, 0, 4, 4)) {
            $0.contents = ImageID(1)
            $0.isGeometryFlipped = isLayerFlipped
        }
        let image = try draw(layer, 4, 4, isFlipped: isDisplayFlipped, images: [rows])
        expect(image, 1, 0, [255, 0, 0, 255], within: 0)
        expect(image, 1, 1, [0, 255, 0, 255], within: 0)
        expect(image, 1, 3, [255, 255, 255, 255], within: 0)
    }

    @Test("contentsRect's min y is the picture's top where y runs down, its bottom where y runs up")
    func contentsRectOrientation() throws {
        let layer = box(Rect(0, 0, 4, 4)) {
            $0.contents = ImageID(1)
            $0.contentsRect = Rect(0, 0, 1, 0.25)
        }
        // The filter reaches half a texel across, so the middle row of the layer is asked.
        let down = try draw(layer, 4, 4, images: [rows])
        #expect(down.straight(1, 1)[0] > 200 && down.straight(1, 1)[2] < 60)
        let up = try draw(layer, 4, 4, isFlipped: false, images: [rows])
        #expect(up.straight(1, 2)[0] > 200 && up.straight(1, 2)[2] > 200)
    }

    @Test("Nearest enlarges to blocks, linear runs from texel center to texel center")
    func filters() throws {
        let two = ImageContent.drawn(width: 2, height: 1) { x, _ in x == 0 ? red : blue }
        func picture(_ filter: ContentsFilter) throws -> ReferenceImage {
            let layer = box(Rect(0, 0, 16, 8)) {
                $0.contents = ImageID(1)
                $0.magnificationFilter = filter
            }
            return try draw(layer, 16, 8, images: [two])
        }
        let nearest = try picture(.nearest)
        for x in 0..<16 { expect(nearest, x, 3, x < 8 ? [255, 0, 0, 255] : [0, 0, 255, 255], within: 0) }
        let linear = try picture(.linear)
        for x in 0..<16 {
            // Texel centers lie at 4 and 12.
            let t = min(max((Double(x) + 0.5 - 4) / 8, 0), 1)
            expect(linear, x, 3, [Int((255 * (1 - t)).rounded()), 0, Int((255 * t).rounded()), 255], within: 1)
        }
    }

    @Test("Trilinear averages what one pixel holds; the bias moves the level")
    func trilinear() throws {
        let checker = ImageContent.drawn(width: 16, height: 16) { x, y in (x + y) % 2 == 0 ? .white : .black }
        func middle(_ filter: ContentsFilter, bias: Double = 0) throws -> Int {
            let layer = box(Rect(0, 0, 4, 4)) {
                $0.contents = ImageID(1)
                $0.minificationFilter = filter
                $0.minificationFilterBias = bias
            }
            return Int(try draw(layer, 4, 4, background: .black, images: [checker]).straight(1, 1)[0])
        }
        #expect(abs(try middle(.trilinear) - 128) <= 1)
        #expect(abs(try middle(.trilinear, bias: 2) - 128) <= 1)
        // Nearest takes texel (6, 6): white.
        #expect(try middle(.nearest) == 255)
    }

    @Test(
        "Where corners meet without a middle between them, pixels centered on the line are doubtful; elsewhere none is")
    func seams() throws {
        // Left column red, right column blue: the texels jump where the middle one has no room.
        let three = ImageContent.drawn(width: 3, height: 3) { x, _ in x == 0 ? red : x == 1 ? green : blue }
        func doubtfulColumns(_ width: Double, center: Rect) throws -> Set<Int> {
            let layer = box(Rect(0, 0, width, 5)) {
                $0.contents = ImageID(1)
                $0.contentsScale = 0.25
                $0.contentsCenter = center
            }
            let image = try draw(layer, 12, 5, images: [three])
            return Set(image.isDoubtful.indices.filter { image.isDoubtful[$0] && $0 / 12 == 1 }.map { $0 % 12 })
        }
        #expect(try doubtfulColumns(5, center: Rect(0.5, 0.5, 0, 0)) == [2])
        #expect(try doubtfulColumns(6, center: Rect(0.5, 0.5, 0, 0)) == [])
        // Corners of 4 points and a middle of 2.5: the second line is at 6.5, and the texels go on there.
        #expect(try doubtfulColumns(10.5, center: Rect(1.0 / 3, 1.0 / 3, 1.0 / 3, 1.0 / 3)) == [])
    }

    @Test("contentsCenter stretches the middle, corners keep their size, and shrink together when there is no room")
    func nineParts() throws {
        // 3×3 texels: corners red, edges green, middle blue.
        let nine = ImageContent.drawn(width: 3, height: 3) { x, y in
            x == 1 && y == 1 ? blue : x == 1 || y == 1 ? green : red
        }
        func picture(_ size: Double, center: Rect) throws -> ReferenceImage {
            let layer = box(Rect(0, 0, size, size)) {
                $0.contents = ImageID(1)
                $0.contentsScale = 0.25
                $0.contentsCenter = center
                $0.magnificationFilter = .nearest
                $0.minificationFilter = .nearest
            }
            return try draw(layer, 40, 40, background: .clear, images: [nine])
        }
        // A texel is 4 points: corners of 4, the middle takes the rest. Without a size the middle texel is meant.
        for center in [Rect(1.0 / 3, 1.0 / 3, 1.0 / 3, 1.0 / 3), Rect(0.5, 0.5, 0, 0)] {
            let image = try picture(40, center: center)
            for (x, y) in [(0, 0), (3, 3), (36, 0), (39, 39)] { expect(image, x, y, [255, 0, 0, 255], within: 0) }
            for (x, y) in [(5, 3), (35, 2), (0, 20), (20, 39)] { expect(image, x, y, [0, 255, 0, 255], within: 0) }
            for (x, y) in [(5, 5), (34, 34), (20, 20)] { expect(image, x, y, [0, 0, 255, 255], within: 0) }
        }
        let small = try picture(6, center: Rect(0.5, 0.5, 0, 0))
        expect(small, 2, 2, [255, 0, 0, 255], within: 0)
        expect(small, 3, 3, [255, 0, 0, 255], within: 0)
        #expect(coveredBox(small) == PixelRect(x: 0, y: 0, width: 6, height: 6))
    }

    @Test("contentsRect beyond the image goes on with its edge")
    func beyondTheImage() throws {
        let layer = box(Rect(0, 0, 12, 4)) {
            $0.contents = ImageID(1)
            $0.contentsRect = Rect(-1, 0, 3, 1)
            $0.magnificationFilter = .nearest
        }
        let two = ImageContent.drawn(width: 2, height: 2) { x, _ in x == 0 ? red : blue }
        let image = try draw(layer, 12, 4, images: [two])
        for x in 0..<12 { expect(image, x, 1, x < 6 ? [255, 0, 0, 255] : [0, 0, 255, 255], within: 0) }
    }

    @Test("An image that the client released stays on the layers that show it")
    func release() throws {
        let tree = box(Rect(0, 0, 4, 4)) { $0.contents = ImageID(1) }
        var transaction = tree.transaction(images: [(ImageID(1), plain(2, 2))])
        transaction.ops.append(.releaseImage(ImageID(1)))
        let display = ReferenceDisplay(pixelSize: PixelSize(width: 4, height: 4))
        let image = ReferenceCompositor.render(try ReferenceScene([transaction], display: display))
        expect(image, 1, 1, [255, 0, 0, 255], within: 0)
    }
}
