import LayerModel
import ReferenceCompositor
import Testing

@Suite("Compositing modes")
struct BlendTests {
    private func bytes(_ r: Double, _ g: Double, _ b: Double, _ alpha: Double = 1) -> Color {
        Color(r / 255, g / 255, b / 255, alpha)
    }

    /// One color on another in a group of its own, over nothing else.
    private func blend(_ mode: CompositingMode, _ source: Color, on backdrop: Color) throws -> ReferenceImage {
        let above = box(Rect(2, 2, 4, 4), source) { $0.compositingMode = mode }
        return try draw(root(8, 8, [box(Rect(0, 0, 6, 6), backdrop), above]), 8, 8, background: .clear)
    }

    @Test(
        "B1 to B5: measured in the overlap of red and yellow",
        arguments: [
            (CompositingMode.multiply, [255, 63, 5]), (.screen, [255, 253, 79]), (.overlay, [255, 126, 10]),
            (.darken, [255, 64, 19]), (.difference, [0, 188, 46]),
        ])
    func measured(mode: CompositingMode, expected: [Int]) throws {
        let image = try blend(mode, bytes(254.9, 251.5, 64.6), on: bytes(255, 64.4, 19.4))
        expect(image, 3, 3, expected + [255], within: 2)
        // B8: outside of the overlap both show as they are.
        expect(image, 1, 1, [255, 64, 19, 255], within: 1)
        let alone = try draw(
            root(8, 8, [box(Rect(2, 2, 4, 4), bytes(255, 64, 19)) { $0.compositingMode = mode }]), 8, 8,
            background: .clear)
        expect(alone, 3, 3, [255, 64, 19, 255], within: 0)
    }

    @Test(
        "The second measured set",
        arguments: [
            (CompositingMode.multiply, [28, 123, 63]), (.screen, [150, 231, 251]), (.overlay, [56, 208, 248]),
            (.darken, [60, 168, 64]), (.difference, [58, 18, 186]),
        ])
    func measuredToo(mode: CompositingMode, expected: [Int]) throws {
        expect(try blend(mode, bytes(118, 186, 64), on: bytes(60, 168, 250)), 3, 3, expected + [255], within: 1)
    }

    /// Three pairs a row, in red, green and blue: backdrop .2 and source .4, .8 and .4, .2 and .8.
    private static let separableTable: [(CompositingMode, [Double])] = [
        (.colorDodge, [85, 255, 255]), (.colorBurn, [0, 127.5, 0]), (.softLight, [42.84, 195.84, 88.94]),
        (.hardLight, [40.8, 163.2, 173.4]), (.overlay, [40.8, 193.8, 81.6]), (.lighten, [102, 204, 204]),
        (.exclusion, [112.2, 142.8, 173.4]), (.linearBurn, [0, 51, 0]), (.linearDodge, [153, 255, 255]),
        (.linearLight, [0, 153, 204]), (.pinLight, [51, 204, 153]), (.subtract, [0, 102, 0]),
        (.divide, [127.5, 255, 63.75]),
    ]

    @Test("The separable formulas", arguments: separableTable)
    func separable(mode: CompositingMode, expected: [Double]) throws {
        let image = try blend(mode, bytes(102, 102, 204), on: bytes(51, 204, 51))
        expect(image, 3, 3, expected.map { Int($0.rounded()) } + [255], within: 1)
    }

    @Test("The ends of dodge, burn and divide")
    func ends() throws {
        // Backdrop 0 and source 1, 1 and 0, 0 and 0.
        expect(try blend(.colorDodge, bytes(255, 0, 0), on: bytes(0, 255, 0)), 3, 3, [0, 255, 0, 255], within: 0)
        expect(try blend(.colorBurn, bytes(255, 0, 0), on: bytes(0, 255, 0)), 3, 3, [0, 255, 0, 255], within: 0)
        expect(try blend(.divide, bytes(255, 0, 0), on: bytes(0, 255, 0)), 3, 3, [0, 255, 0, 255], within: 0)
    }

    private struct AllComponents {
        var backdrop, source, hue, saturation, color, luminosity: [Double]
    }

    private static let nonSeparableTable = [
        AllComponents(
            backdrop: [60, 168, 250], source: [118, 186, 64], hue: [91.4, 197.3, 7.3],
            saturation: [90.3, 159.6, 212.3],
            color: [110.4, 178.4, 56.4], luminosity: [69.6, 175.0, 255.0]),
        AllComponents(
            backdrop: [255, 64, 19], source: [20, 20, 200], hue: [99.2, 99.2, 255], saturation: [222.1, 76.4, 42.1],
            color: [99.2, 99.2, 255], luminosity: [96.5, 18.4, 0]),
        AllComponents(
            backdrop: [10, 240, 120], source: [250, 5, 90], hue: [255, 108.1, 159.1], saturation: [0.4, 245.4, 117.5],
            color: [255, 108.1, 159.1], luminosity: [0, 136.7, 65.4]),
    ]

    @Test("The modes of all components, by the formulas of W3C", arguments: 0..<3)
    func nonSeparable(row: Int) throws {
        let table = Self.nonSeparableTable[row]
        let modes: [(CompositingMode, [Double])] = [
            (.hue, table.hue), (.saturation, table.saturation), (.color, table.color),
            (.luminosity, table.luminosity),
        ]
        for (mode, expected) in modes {
            let (s, b) = (table.source, table.backdrop)
            let image = try blend(mode, bytes(s[0], s[1], s[2]), on: bytes(b[0], b[1], b[2]))
            expect(image, 3, 3, expected.map { Int($0.rounded()) } + [255], within: 1)
        }
    }

    @Test("With translucent colors: αs(1−αb)Cs + αsαb·B + (1−αs)αb·Cb")
    func translucent() throws {
        // Cs 1, .4, .2 with alpha .6; Cb .2, .4, 1 with alpha .4; multiply.
        let image = try blend(.multiply, Color(1, 0.4, 0.2, 0.6), on: Color(0.2, 0.4, 1, 0.4))
        func component(_ s: Double, _ b: Double) -> Int {
            Int((255 * (0.6 * 0.6 * s + 0.24 * s * b + 0.4 * 0.4 * b)).rounded())
        }
        #expect(
            near(
                image.premultiplied(3, 3).map(Int.init),
                [component(1, 0.2), component(0.4, 0.4), component(0.2, 1), Int((255 * 0.76).rounded())], 1))
    }

    /// Source: premultiplied red .6, alpha .6. Backdrop: premultiplied blue .5, alpha .5.
    private static let porterDuffTable: [(CompositingMode, [Double])] = [
        (.copy, [0.6, 0, 0.6]), (.clear, [0, 0, 0]), (.destination, [0, 0.5, 0.5]), (.normal, [0.6, 0.2, 0.8]),
        (.destinationOver, [0.3, 0.5, 0.8]), (.sourceIn, [0.3, 0, 0.3]), (.destinationIn, [0, 0.3, 0.3]),
        (.sourceOut, [0.3, 0, 0.3]), (.destinationOut, [0, 0.2, 0.2]), (.sourceAtop, [0.3, 0.2, 0.5]),
        (.destinationAtop, [0.3, 0.3, 0.6]), (.xor, [0.3, 0.2, 0.5]), (.plusLighter, [0.6, 0.5, 1]),
        (.plusDarker, [0.5, 0.4, 1]),
    ]

    @Test("Porter and Duff's table, red, blue, alpha", arguments: porterDuffTable)
    func porterDuff(mode: CompositingMode, expected: [Double]) throws {
        let image = try blend(mode, Color(1, 0, 0, 0.6), on: Color(0, 0, 1, 0.5))
        let premultiplied = image.premultiplied(3, 3).map(Int.init)
        let levels = expected.map { Int((255 * $0).rounded()) }
        let isNear = near([premultiplied[0], premultiplied[2], premultiplied[3]], levels, 1)
        #expect(isNear, "\(mode): \(premultiplied), not \(levels) (red, blue, alpha)")
        // Away from the layer nothing has changed.
        #expect(image.premultiplied(1, 1) == [0, 0, 128, 128])
    }

    @Test("What changes a backdrop without a source does so in the layer's bounds and nowhere else")
    func boundsOfOperator() throws {
        func picture(_ mode: CompositingMode) throws -> ReferenceImage {
            let half = box(Rect(0, 0, 4, 8), red)
            let layer = box(Rect(4, 4, 8, 8), nil, [half]) { $0.compositingMode = mode }
            return try draw(root(16, 16, [box(Rect(0, 0, 16, 16), green), layer]), 16, 16, background: .clear)
        }
        for mode in [CompositingMode.destinationIn, .copy, .sourceIn, .clear] {
            let image = try picture(mode)
            expect(image, 2, 8, [0, 255, 0, 255], within: 0)
            expect(image, 10, 8, [0, 0, 0, 0], within: 0)
        }
        expect(try picture(.destinationIn), 6, 8, [0, 255, 0, 255], within: 0)
        expect(try picture(.copy), 6, 8, [255, 0, 0, 255], within: 0)
        expect(try picture(.clear), 6, 8, [0, 0, 0, 0], within: 0)
    }

    @Test("A pixel that the bounds half cover is half changed")
    func halfCovered() throws {
        let layer = box(Rect(2.5, 2, 4, 4), red) { $0.compositingMode = .copy }
        let image = try draw(root(8, 8, [box(Rect(0, 0, 8, 8), green), layer]), 8, 8, background: .clear)
        expect(image, 2, 3, [128, 128, 0, 255], within: 1)
        #expect(image.isEdge(2, 3) && !image.isEdge(3, 3))
    }

    @Test("A group with opacity is drawn by itself: a mode inside sees nothing of what lies under it")
    func isolated() throws {
        let inner = box(Rect(50, 50, 100, 100), red) { $0.compositingMode = .multiply }
        func picture(_ configure: (inout LayerProperties) -> Void) throws -> ReferenceImage {
            let group = box(Rect(0, 0, 200, 200), nil, [inner], configure)
            return try draw(root(200, 200, [box(Rect(0, 0, 200, 200), blue), group]), 200, 200)
        }
        let faded = try picture { $0.opacity = 0.5 }
        expect(faded, 100, 100, [128, 0, 128, 255])
        expect(faded, 20, 20, [0, 0, 255, 255])
        // B9: these are groups as well, and multiply shows its own color over nothing.
        let groups: [(inout LayerProperties) -> Void] = [
            { $0.filters = [LayerFilter(.colorContrast)] }, { $0.shouldRasterize = true },
            {
                $0.masksToBounds = true
                $0.cornerRadius = 5
            },
        ]
        for configure in groups {
            expect(try picture(configure), 100, 100, [255, 0, 0, 255])
        }
        // These are none: red times blue is black.
        let others: [(inout LayerProperties) -> Void] = [
            { _ in }, { $0.masksToBounds = true },
            {
                $0.masksToBounds = true
                $0.transform = turnedZ(0.3)
            },
            { $0.shadowOpacity = 1 }, { $0.cornerRadius = 9 },
        ]
        for configure in others { expect(try picture(configure), 100, 100, [0, 0, 0, 255]) }
        var mask = LayerTree { $0.setFrame(Rect(0, 0, 200, 200)) }
        mask.properties.backgroundColor = .black
        var masked = box(Rect(0, 0, 200, 200), nil, [inner])
        masked.mask = mask
        let image = try draw(root(200, 200, [box(Rect(0, 0, 200, 200), blue), masked]), 200, 200)
        expect(image, 100, 100, [255, 0, 0, 255])
    }

    @Test("A square clip ends a mode inside it at its rim, by coverage")
    func clippedMode() throws {
        let inner = box(Rect(-10, -10, 60, 60), Color(1, 1, 0)) { $0.compositingMode = .multiply }
        let clip = box(Rect(4.5, 4, 8, 8), nil, [inner]) { $0.masksToBounds = true }
        let image = try draw(root(16, 16, [box(Rect(0, 0, 16, 16), Color(0, 1, 1)), clip]), 16, 16)
        expect(image, 8, 8, [0, 255, 0, 255], within: 0)
        expect(image, 2, 8, [0, 255, 255, 255], within: 0)
        expect(image, 4, 8, [0, 255, 128, 255], within: 1)
    }

    @Test("A mode fades with its layer")
    func fadedMode() throws {
        let above = box(Rect(2, 2, 4, 4), Color(1, 1, 0)) {
            $0.compositingMode = .multiply
            $0.opacity = 0.5
        }
        let image = try draw(root(8, 8, [box(Rect(0, 0, 8, 8), Color(0, 1, 1)), above]), 8, 8)
        expect(image, 3, 3, [0, 255, 128, 255], within: 1)
    }

    @Test("Siblings that cross blend in the order of each side")
    func crossingModes() throws {
        let tilted = box(Rect(10, 10, 40, 40), Color(1, 1, 0)) {
            $0.transform = turnedY(0.5)
            $0.compositingMode = .multiply
        }
        let flat = box(Rect(10, 10, 40, 40), Color(0, 1, 1))
        let image = try draw(root(60, 60, [tilted, flat]), 60, 60)
        // On one side the flat sibling lies over the tilted one, on the other it is multiplied.
        let sides = [image.straight(22, 30).map(Int.init), image.straight(38, 30).map(Int.init)]
        #expect(sides.contains { near($0, [0, 255, 255, 255], 1) })
        #expect(sides.contains { near($0, [0, 255, 0, 255], 1) })
    }

    @Test("Steep modes say what one level of their inputs makes of the result")
    func steepness() throws {
        // 10 of 255 divided by 1 − 245 of 255: (b ± 1) / (10 ∓ 1), from 9/11 to 11/9.
        let dodge = try blend(.colorDodge, bytes(245, 0, 0), on: bytes(8, 0, 0))
        let slack = dodge.slack.isEmpty ? 0 : Int(dodge.slack[3 * 8 + 3])
        // 255 · 8/10 = 204, up to 255 and down to 255 · 7/11 = 162.
        #expect(slack >= 50 && slack <= 52, "\(slack)")
        #expect(dodge.tolerance(3 * 8 + 3, inside: 2, edge: 20, blur: 3) == slack)
        let multiply = try blend(.multiply, bytes(245, 0, 0), on: bytes(8, 0, 0))
        #expect(multiply.tolerance(3 * 8 + 3, inside: 2, edge: 20, blur: 3) == 2)
    }
}
