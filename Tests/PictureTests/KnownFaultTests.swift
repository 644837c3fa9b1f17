import LayerModel
import LayerRender
import ReferenceCompositor
import Testing

/// Faults that other compositors and users of Core Animation reported, as small trees of our own with numbers by hand.
@Suite("Faults that others had")
struct KnownFaultTests {
    /// On white, 200 by 200 pixels, y down.
    private func root(_ sublayers: [LayerTree]) -> LayerTree {
        LayerTree(sublayers: sublayers) {
            $0.anchorPoint = .zero
            $0.bounds = Rect(0, 0, 200, 200)
        }
    }

    private func box(
        _ frame: Rect, _ fill: Color? = nil, _ sublayers: [LayerTree] = [], in layerClass: LayerClass = .layer,
        _ configure: (inout LayerProperties) -> Void = { _ in }
    ) -> LayerTree {
        LayerTree(layerClass, sublayers: sublayers) {
            $0.setFrame(frame)
            $0.backgroundColor = fill
            configure(&$0)
        }
    }

    private func display(_ background: Color) -> ReferenceDisplay {
        ReferenceDisplay(
            pixelSize: PixelSize(width: 200, height: 200), scale: 1, isFlipped: true, background: background)
    }

    private func draw(_ sublayers: [LayerTree], on background: Color = .white) throws -> (Int, Int) -> [Int] {
        pixels(of: try Drawing.shared.draw([root(sublayers).transaction()], on: display(background)))
    }

    private func pixels(of picture: Picture) -> (Int, Int) -> [Int] {
        { x, y in
            let at = (y * picture.size.width + x) * 4
            return [2, 1, 0, 3].map { Int(picture.bytes[at + $0]) }
        }
    }

    /// Premultiplied red, green, blue, alpha within 2 levels.
    private func expect(
        _ at: (Int, Int) -> [Int], _ wanted: [Int], at places: [(Int, Int)],
        _ location: SourceLocation = #_sourceLocation
    ) {
        for (x, y) in places {
            let found = at(x, y)
            #expect(
                zip(found, wanted).allSatisfy { abs($0 - $1) <= 2 }, "(\(x), \(y)): \(found), not \(wanted)",
                sourceLocation: location)
        }
    }

    private static let (red, green, blue) = (Color(1, 0, 0, 1), Color(0, 1, 0, 1), Color(0, 0, 1, 1))
    private static let white = [255, 255, 255, 255]

    // MARK: Clips and geometry

    @Test("The clips of all ancestors intersect")
    func nestedRectClips() throws {
        let inner = box(Rect(20, 20, 100, 100), nil, [box(Rect(-50, -50, 300, 300), Self.blue)]) {
            $0.masksToBounds = true
        }
        let at = try draw([box(Rect(10, 10, 60, 60), nil, [inner]) { $0.masksToBounds = true }])
        expect(at, [0, 0, 255, 255], at: [(50, 50), (30, 30), (69, 69)])
        expect(at, Self.white, at: [(29, 50), (70, 50), (50, 71), (15, 15)])
    }

    @Test("A rotated clip is the rotated rectangle, not its box")
    func rotatedClip() throws {
        let half = 0.5.squareRoot()
        func turned(_ s: Double) -> Transform { Transform(half, s, 0, 0, -s, half, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1) }
        let inner = box(Rect(-100, -100, 300, 300), Self.red) { $0.transform = turned(-half) }
        let at = try draw([
            box(Rect(50, 50, 100, 100), nil, [inner]) {
                $0.masksToBounds = true
                $0.transform = turned(half)
            }
        ])
        // |dx| + |dy| < 70.7.
        expect(at, [255, 0, 0, 255], at: [(100, 100), (100, 34), (165, 100)])
        expect(at, Self.white, at: [(40, 40), (150, 45), (160, 160), (100, 26)])
    }

    @Test("maskedCorners rounds background, clip, border and shadow alike")
    func maskedCorners() throws {
        func picture(casts: Bool) throws -> (Int, Int) -> [Int] {
            let card = box(Rect(50, 50, 100, 100), Self.red, [box(Rect(50, 50, 50, 50), Self.green)]) {
                $0.cornerRadius = 40
                $0.maskedCorners = [.minXMinY, .maxXMinY]
                $0.masksToBounds = !casts
                $0.borderWidth = 4
                $0.borderColor = Self.blue
                $0.shadowOpacity = casts ? 1 : 0
                $0.shadowRadius = 0
                $0.shadowOffset = Point(-40, 0)
            }
            return try draw([card])
        }
        let at = try picture(casts: false)
        expect(at, Self.white, at: [(52, 52), (147, 52)])
        expect(at, [0, 0, 255, 255], at: [(51, 147), (148, 148), (100, 51)])
        expect(at, [0, 255, 0, 255], at: [(140, 140)])
        expect(at, [255, 0, 0, 255], at: [(70, 120)])
        let shadowed = try picture(casts: true)
        // The shadow's upper left corner is round, its lower one is not.
        expect(shadowed, Self.white, at: [(12, 52)])
        expect(shadowed, [0, 0, 0, 255], at: [(12, 147), (40, 60)])
    }

    @Test("A matrix with m11 = 0 is not singular")
    func zeroM11() throws {
        let at = try draw([
            box(Rect(70, 70, 60, 60), Self.green) {
                $0.transform = Transform(0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
            }
        ])
        expect(at, [0, 255, 0, 255], at: [(100, 100), (125, 140)])
        expect(at, Self.white, at: [(75, 140), (60, 100)])
    }

    @Test("A mirrored layer is mirrored, not hidden")
    func negativeScale() throws {
        let halves = [box(Rect(0, 0, 50, 100), Self.red), box(Rect(50, 0, 50, 100), Self.blue)]
        let at = try draw([box(Rect(50, 50, 100, 100), nil, halves) { $0.transform = .scale(-1, 1, 1) }])
        expect(at, [0, 0, 255, 255], at: [(75, 100), (52, 100)])
        expect(at, [255, 0, 0, 255], at: [(125, 100)])
    }

    // MARK: Opacity

    @Test("The opacity of a transform layer goes to each of its sublayers; their depth stays")
    func opacityOfSpace() throws {
        let near = box(Rect(80, 50, 100, 100), Self.blue) { $0.zPosition = 10 }
        let space = box(Rect(0, 0, 200, 200), nil, [near, box(Rect(30, 50, 100, 100), Self.red)], in: .transformLayer) {
            $0.opacity = 0.5
        }
        let at = try draw([space])
        expect(at, [255, 128, 128, 255], at: [(50, 100)])
        expect(at, [128, 128, 255, 255], at: [(160, 100)])
        // Blue at 0.5 over red at 0.5 over white.
        expect(at, [128, 64, 191, 255], at: [(110, 100)])
    }

    @Test("Nested opacities multiply")
    func nestedOpacity() throws {
        let inner = box(Rect(0, 0, 100, 100), nil, [box(Rect(0, 0, 100, 100), .black)]) { $0.opacity = 0.5 }
        let at = try draw([box(Rect(50, 50, 100, 100), nil, [inner]) { $0.opacity = 0.5 }])
        expect(at, [191, 191, 191, 255], at: [(100, 100)])
        expect(at, Self.white, at: [(10, 10)])
    }

    @Test("White of half opacity over nothing is stored premultiplied, once")
    func halfWhite() throws {
        let at = try draw([box(Rect(50, 50, 100, 100), .white) { $0.opacity = 0.5 }], on: .clear)
        expect(at, [128, 128, 128, 128], at: [(100, 100)])
        expect(at, [0, 0, 0, 0], at: [(10, 10)])
    }

    // MARK: Shadows, modes, filters

    @Test("The alpha of the shadow's color counts, times the shadow's opacity")
    func shadowColor() throws {
        let at = try draw([
            box(Rect(20, 20, 60, 60), Self.blue) {
                $0.shadowColor = Color(1, 0, 0, 0.5)
                $0.shadowOpacity = 0.5
                $0.shadowRadius = 0
                $0.shadowOffset = Point(100, 100)
            }
        ])
        expect(at, [255, 191, 191, 255], at: [(150, 150)])
        expect(at, [0, 0, 255, 255], at: [(50, 50)])
        expect(at, Self.white, at: [(100, 100)])
    }

    @Test("A layer that clips cuts its own shadow away; in a layer that casts it, it is seen")
    func ownShadow() throws {
        func shadow(_ p: inout LayerProperties) {
            p.shadowOpacity = 1
            p.shadowRadius = 0
            p.shadowOffset = Point(30, 30)
        }
        let cut = try draw([
            box(Rect(50, 50, 100, 100), Self.red) {
                shadow(&$0)
                $0.masksToBounds = true
            }
        ])
        expect(cut, Self.white, at: [(160, 160), (155, 100)])
        expect(cut, [255, 0, 0, 255], at: [(100, 100)])
        let inner = box(Rect(0, 0, 100, 100), Self.red) { $0.masksToBounds = true }
        let wrapped = try draw([box(Rect(50, 50, 100, 100), nil, [inner], shadow)])
        expect(wrapped, [0, 0, 0, 255], at: [(160, 160), (155, 100)])
        expect(wrapped, [255, 0, 0, 255], at: [(100, 100)])
    }

    @Test("A blend mode in a faded group does not reach what lies behind the group")
    func blendInGroup() throws {
        let multiplied = box(Rect(50, 50, 100, 100), Self.red) { $0.compositingMode = .multiply }
        let at = try draw([
            box(Rect(0, 0, 200, 200), Self.blue), box(Rect(0, 0, 200, 200), nil, [multiplied]) { $0.opacity = 0.5 },
        ])
        expect(at, [128, 0, 128, 255], at: [(100, 100)])
        expect(at, [0, 0, 255, 255], at: [(20, 20)])
    }

    @Test("A blur far below a pixel changes nothing two pixels from an edge")
    func tinyBlur() throws {
        let at = try draw([
            box(Rect(50, 50, 100, 100), Self.red) {
                $0.filters = [LayerFilter(.gaussianBlur, inputs: [.inputRadius: .number(0.2)])]
            }
        ])
        expect(at, [255, 0, 0, 255], at: [(100, 100), (53, 53), (147, 147)])
        expect(at, Self.white, at: [(47, 100), (152, 100)])
    }

    @Test("A filter of the parent acts although a sublayer has one of its own")
    func filterOnBoth() throws {
        let child = box(Rect(50, 50, 100, 100), Self.red) {
            $0.filters = [LayerFilter(.gaussianBlur, inputs: [.inputRadius: .number(3)])]
        }
        let at = try draw([box(Rect(0, 0, 200, 200), nil, [child]) { $0.filters = [LayerFilter(.colorInvert)] }])
        expect(at, [0, 255, 255, 255], at: [(100, 100)])
        expect(at, Self.white, at: [(10, 10), (190, 100)])
    }

    // MARK: Bitmaps

    @Test("A bitmap is drawn anew for a change deep inside, not for its own opacity and position")
    func cacheOfChangedChild() throws {
        // Ids in pre-order: root 1, parent 2, middle 3, child 4.
        let child = box(Rect(0, 0, 100, 100), Self.red)
        let middle = box(Rect(0, 0, 100, 100), nil, [child])
        let tree = root([box(Rect(50, 50, 100, 100), nil, [middle]) { $0.shouldRasterize = true }])
        func change(_ layer: UInt32, _ property: LayerProperty, _ value: PropertyValue) -> [Transaction] {
            [Transaction(time: 0, ops: [.set(LayerID(layer), property, value)])]
        }
        let steps: [(commit: [Transaction], bitmaps: Int, middle: [Int], moved: [Int])] = [
            ([tree.transaction()], 1, [255, 0, 0, 255], Self.white),
            (change(4, .backgroundColor, .color(Self.blue)), 1, [0, 0, 255, 255], Self.white),
            (change(2, .opacity, .number(0.5)), 0, [128, 128, 255, 255], Self.white),
            (change(2, .position, .point(Point(120, 100))), 0, [128, 128, 255, 255], [128, 128, 255, 255]),
        ]
        let frames = steps.enumerated().map { (transactions: $1.commit, time: Double($0) / 60) }
        let drawn = try Drawing.shared.draw(frames: frames, on: display(.white))
        for (number, (picture, step)) in zip(drawn, steps).enumerated() {
            let at = pixels(of: picture)
            expect(at, step.middle, at: [(100, 100)])
            expect(at, step.moved, at: [(160, 100)])
            let bitmaps = picture.plan.passes.count { $0.reason == .rasterize }
            #expect(bitmaps == step.bitmaps, "frame \(number): \(picture.plan.text)")
        }
        expect(pixels(of: drawn[3]), Self.white, at: [(60, 100)])
    }
}
