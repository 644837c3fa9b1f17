import LayerModel
import LayerRender
import ReferenceCompositor
import Testing

/// Rules of effects, one small picture each, with numbers by hand.
@Suite("Rules of effects, drawn")
struct EffectRuleTests {
    /// A root of 20 by 20 pixels, y down, with sublayers.
    private func draw(_ sublayers: [LayerTree]) throws -> (_ x: Int, _ y: Int) -> [Int] {
        let root = LayerTree(sublayers: sublayers) {
            $0.anchorPoint = .zero
            $0.bounds = Rect(0, 0, 20, 20)
            $0.backgroundColor = Color(1, 0, 0, 1)
        }
        let picture = try Drawing.shared.draw(
            [root.transaction()],
            on: ReferenceDisplay(
                pixelSize: PixelSize(width: 20, height: 20), scale: 1, isFlipped: true, background: Color(0, 0, 0, 0)))
        return { x, y in
            let at = (y * 20 + x) * 4
            return [2, 1, 0, 3].map { Int(picture.bytes[at + $0]) }
        }
    }

    private func layer(
        _ frame: Rect, _ layerClass: LayerClass = .layer, sublayers: [LayerTree] = [],
        _ configure: (inout LayerProperties) -> Void
    ) -> LayerTree {
        LayerTree(layerClass, sublayers: sublayers) {
            $0.setFrame(frame)
            configure(&$0)
        }
    }

    private func expect(
        _ found: [Int], _ wanted: [Int], within levels: Int = 1, _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(
            zip(found, wanted).allSatisfy { abs($0 - $1) <= levels }, "\(found), not \(wanted)",
            sourceLocation: location)
    }

    private static let invert = LayerFilter(.colorInvert)

    @Test("An operator that reaches beyond its source changes half of a pixel that the bounds half cover")
    func operatorAtHalfAPixel() throws {
        let at = try draw([
            layer(Rect(4.5, 4, 8, 8)) {
                $0.backgroundColor = Color(0, 0, 1, 1)
                $0.compositingMode = .sourceOut
            }
        ])
        // Inside: source · (1 - 1) + nothing. At the rim half of that, half of the backdrop.
        expect(at(8, 8), [0, 0, 0, 0])
        expect(at(4, 8), [128, 0, 0, 128])
        expect(at(3, 8), [255, 0, 0, 255])
    }

    @Test("Clear leaves nothing, however faint the layer is")
    func clear() throws {
        let at = try draw([
            layer(Rect(4, 4, 8, 8), sublayers: [layer(Rect(1, 1, 4, 4)) { $0.backgroundColor = Color(0, 1, 0, 1) }]) {
                $0.backgroundColor = Color(0, 0, 1, 1)
                $0.opacity = 0.25
                $0.compositingMode = .clear
            }
        ])
        expect(at(6, 6), [0, 0, 0, 0])
        expect(at(11, 11), [0, 0, 0, 0])
        expect(at(12, 12), [255, 0, 0, 255])
    }

    @Test("A faded layer with a backdrop and content counts as one: half of both, half of what is there")
    func fadedBackdrop() throws {
        let at = try draw([
            layer(Rect(4, 4, 8, 8), sublayers: [layer(Rect(0, 0, 4, 8)) { $0.backgroundColor = Color(0, 0, 1, 1) }]) {
                $0.backgroundFilters = [Self.invert]
                $0.opacity = 0.5
            }
        ])
        // Red inverted is cyan; under the blue half nothing of it is seen.
        expect(at(10, 6), [128, 128, 128, 255])
        expect(at(5, 6), [128, 0, 128, 255])
    }

    @Test("Backdrops of one name see what the first of them saw, those without see one another")
    func namedBackdrops() throws {
        func pane(_ x: Double, _ name: String?) -> LayerTree {
            layer(Rect(x, 4, 8, 8), .backdropLayer) {
                $0.filters = [Self.invert]
                $0.groupName = name
            }
        }
        let named = try draw([pane(2, "glass"), pane(6, "glass")])
        expect(named(8, 6), [0, 255, 255, 255])
        let alone = try draw([pane(2, nil), pane(6, nil)])
        expect(alone(8, 6), [255, 0, 0, 255])
        expect(alone(3, 6), [0, 255, 255, 255])
    }

    @Test("A backdrop layer covers its own shadow with what was behind both")
    func shadowOfBackdropLayer() throws {
        let at = try draw([
            layer(
                Rect(4, 4, 6, 6), .backdropLayer, sublayers: [layer(Rect(0, 0, 2, 2)) { $0.backgroundColor = .black }]
            ) {
                $0.filters = [Self.invert]
                $0.shadowOpacity = 1
                $0.shadowRadius = 0
                $0.shadowColor = Color(0, 1, 0, 1)
                $0.shadowOffset = Point(5, 0)
            }
        ])
        expect(at(5, 5), [0, 0, 0, 255])
        // The sublayer's shadow from x = 9: inside the pane it is hidden, beside it is seen.
        expect(at(9, 5), [0, 255, 255, 255])
        expect(at(10, 5), [0, 255, 0, 255])
    }

    @Test("A clip without corners lets modes inside see through, one with corners doesn't")
    func modesUnderClips() throws {
        func clip(_ radius: Double) -> LayerTree {
            layer(
                Rect(4.5, 4, 10, 10),
                sublayers: [
                    layer(Rect(2, 2, 4, 4)) {
                        $0.backgroundColor = Color(0, 0, 1, 1)
                        $0.compositingMode = .plusLighter
                    }
                ]
            ) {
                $0.masksToBounds = true
                $0.cornerRadius = radius
            }
        }
        expect(try draw([clip(0)])(8, 8), [255, 0, 255, 255])
        expect(try draw([clip(2)])(8, 8), [0, 0, 255, 255])
    }

    @Test("Squares of pixellate lie in the layer's own space, whatever their size in pixels")
    func pixellateBetweenPixels() throws {
        let at = try draw([
            layer(
                Rect(4, 4, 10, 10),
                sublayers: [layer(Rect(0, 0, 1, 10)) { $0.backgroundColor = Color(0, 0, 1, 1) }]
            ) {
                $0.backgroundColor = Color(0, 1, 0, 1)
                $0.filters = [LayerFilter(.pixellate, inputs: [.inputScale: .number(2.5)])]
            }
        ])
        // Columns of the first square: centers 0.5, 1.5; of the second 2.5, 3.5, 4.5.
        expect(at(4, 4), [0, 128, 128, 255])
        expect(at(5, 4), [0, 128, 128, 255])
        expect(at(6, 4), [0, 255, 0, 255])
    }

    @Test("A border over a background's edge makes its shadow fuller there")
    func shadowOfBorder() throws {
        let at = try draw([
            layer(Rect(4.5, 4, 6, 6)) {
                $0.backgroundColor = Color(0, 0, 1, 1)
                $0.borderWidth = 2
                $0.borderColor = Color(0, 0, 1, 1)
                $0.shadowOpacity = 1
                $0.shadowRadius = 0
                $0.shadowOffset = Point(0, 8)
            }
        ])
        // Half and then half of the rest: 3/4 black.
        expect(at(4, 14), [64, 0, 0, 255], within: 2)
        expect(at(6, 14), [0, 0, 0, 255])
    }

    @Test(
        "A mask that hides everything hides what lies behind a layer as well, in a group that fades and alone",
        arguments: [1, 0.5])
    func backdropBehindNothing(opacity: Double) throws {
        var glass = layer(Rect(2, 2, 10, 10)) {
            $0.backgroundFilters = [LayerFilter(.colorInvert)]
            $0.opacity = opacity
        }
        glass.mask = LayerTree {
            $0.setFrame(Rect(0, 0, 4, 4))
            $0.isHidden = true
        }
        let at = try draw([layer(Rect(0, 0, 16, 16)) { $0.backgroundColor = Color(0, 1, 0) }, glass])
        for place in [(3, 3), (6, 6), (11, 11)] { expect(at(place.0, place.1), [0, 255, 0, 255]) }
    }
}
