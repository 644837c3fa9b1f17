import LayerModel
import ReferenceCompositor
import Testing

@Suite("Filters")
struct FilterTests {
    private func blur(_ radius: Double, _ more: [LayerFilter.Input: LayerFilter.Value] = [:]) -> LayerFilter {
        LayerFilter(.gaussianBlur, inputs: more.merging([.inputRadius: .number(radius)]) { a, _ in a })
    }

    /// The share of a Gaussian beyond a distance, 0…1.
    private func beyond(_ distance: Double, sigma: Double) -> Double {
        var sum = 0.0
        for i in 0..<4000 {
            let t = distance + (Double(i) + 0.5) * (8 * sigma) / 4000
            sum += exponential(-t * t / (2 * sigma * sigma)) * 8 * sigma / 4000
        }
        return sum / (sigma * (2 * Double.pi).squareRoot())
    }

    private func alpha(_ image: ReferenceImage, _ x: Int, _ y: Int) -> Double {
        Double(image.premultiplied(x, y)[3])
    }

    // MARK: Blurs

    @Test("F1: the radius is sigma in points; outside counts as transparent", arguments: [1.0, 2.0])
    func gaussian(scale: Double) throws {
        let layer = box(Rect(20, 0, 60, 100), red) { $0.filters = [blur(4)] }
        let size = Int(100 * scale)
        let image = try draw(root(100, 100, [layer]), size, size, scale: scale, background: .clear)
        for x in [8.0, 15, 19, 20, 25, 32] {
            let pixel = Int(x * scale)
            let expected = 255 * beyond(20 * scale - (Double(pixel) + 0.5), sigma: 4 * scale)
            #expect(
                abs(alpha(image, pixel, size / 2) - expected) <= 1.5,
                "x = \(pixel): \(alpha(image, pixel, size / 2)), not \(expected)")
            // Premultiplied: the color stays what it was.
            if expected > 20 { expect(image, pixel, size / 2, [255, 0, 0, Int(expected)], within: 2) }
        }
    }

    @Test("A blur far below a pixel changes nothing")
    func tinyBlur() throws {
        let layer = box(Rect(50, 50, 100, 100), red) { $0.filters = [blur(0.2)] }
        let image = try draw(root(200, 200, [layer]), 200, 200)
        for (x, y) in [(100, 100), (50, 50), (147, 147)] { expect(image, x, y, [255, 0, 0, 255]) }
        for (x, y) in [(47, 100), (49, 100), (150, 100)] { expect(image, x, y, [255, 255, 255, 255]) }
    }

    @Test("A mean of colors is what a blur keeps: the sum of all alphas")
    func sum() throws {
        for transform in [
            Transform.identity, turnedZ(0.4), Transform(1.3, 0.2, 0, 0, -0.5, 0.8, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1),
        ] {
            func picture(_ radius: Double) throws -> ReferenceImage {
                let layer = box(Rect(40, 45, 20, 10), red) {
                    $0.filters = [blur(radius)]
                    $0.transform = transform
                }
                return try draw(root(100, 100, [layer]), 100, 100, background: .clear)
            }
            let (sharp, soft) = (try picture(0), try picture(4))
            #expect(abs(sharp.coveredArea - soft.coveredArea) < 3, "\(sharp.coveredArea), \(soft.coveredArea)")
        }
    }

    @Test("A sheared layer's blur is the sum over the sheared Gaussian")
    func sheared() throws {
        let (m, sigma) = ((1.5, 0.4, -0.7, 0.9), 2.5)
        let layer = box(Rect(28, 28, 4, 4), .black) {
            $0.transform = Transform(m.0, m.1, 0, 0, m.2, m.3, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
        }
        var soft = layer
        soft.properties.filters = [blur(sigma)]
        let sharp = try draw(root(60, 60, [layer]), 60, 60, background: .clear)
        let image = try draw(root(60, 60, [soft]), 60, 60, background: .clear)
        // The inverse map takes a distance of pixels to one of points, where the Gaussian is round.
        let det = m.0 * m.3 - m.1 * m.2
        func weight(_ dx: Double, _ dy: Double) -> Double {
            let u = (dx * m.3 - dy * m.2) / det
            let v = (dy * m.0 - dx * m.1) / det
            return exponential(-(u * u + v * v) / (2 * sigma * sigma)) / (2 * .pi * sigma * sigma * det)
        }
        for (x, y) in [(30, 30), (34, 30), (30, 34), (25, 33), (36, 36), (22, 28)] {
            var sum = 0.0
            for j in 0..<60 {
                for i in 0..<60 { sum += alpha(sharp, i, j) * weight(Double(i - x), Double(j - y)) }
            }
            #expect(abs(alpha(image, x, y) - sum) <= 1.5, "(\(x), \(y)): \(alpha(image, x, y)), not \(sum)")
        }
    }

    @Test("normalizeEdges: what lies in the bounds does not fade, and nothing comes out")
    func normalized() throws {
        let layer = box(Rect(20, 20, 60, 60), red) {
            $0.filters = [blur(6, [.inputNormalizeEdges: .flag(true)])]
        }
        let image = try draw(root(100, 100, [layer]), 100, 100, background: .clear)
        for (x, y) in [(20, 20), (50, 20), (79, 79), (50, 50)] { expect(image, x, y, [255, 0, 0, 255], within: 0) }
        #expect(coveredBox(image) == PixelRect(x: 20, y: 20, width: 60, height: 60))
    }

    @Test("hardEdges: the nearest pixel inside goes on outside")
    func hardEdges() throws {
        let right = box(Rect(30, 0, 30, 60), blue)
        let layer = box(Rect(20, 20, 60, 60), red, [right]) {
            $0.filters = [blur(6, [.inputHardEdges: .flag(true)])]
        }
        let image = try draw(root(100, 100, [layer]), 100, 100, background: .clear)
        #expect(coveredBox(image) == PixelRect(x: 20, y: 20, width: 60, height: 60))
        for y in [20, 50, 79] {
            let expected = 255 * beyond(-0.5, sigma: 6)
            expect(image, 50, y, [255 - Int(expected), 0, Int(expected), 255], within: 2)
            expect(image, 20, y, [255, 0, 0, 255], within: 1)
        }
    }

    @Test("variableBlur: the image's alpha times the radius")
    func variable() throws {
        // Left half sharp, right half blurred.
        let image = ImageContent.drawn(width: 2, height: 1) { x, _ in x == 0 ? .clear : .black }
        let layer = box(Rect(20, 20, 60, 40), red) {
            $0.filters = [
                LayerFilter(
                    .variableBlur, inputs: [.inputRadius: .number(4), .inputMaskImage: .image(ImageID(1))])
            ]
        }
        let picture = try draw(root(100, 100, [layer]), 100, 100, background: .clear, images: [image])
        expect(picture, 20, 40, [255, 0, 0, 255], within: 0)
        #expect(alpha(picture, 19, 40) == 0 && alpha(picture, 30, 19) == 0)
        for x in [79, 80, 84] {
            let expected = 255 * beyond(Double(x) + 0.5 - 80, sigma: 4)
            #expect(abs(alpha(picture, x, 40) - expected) <= 2, "x = \(x): \(alpha(picture, x, 40)), not \(expected)")
        }
        // In the middle of the ramp between the texels, half the radius.
        let expected = 255 * beyond(0.5, sigma: 2)
        #expect(abs(alpha(picture, 49, 60) - expected) <= 6, "\(alpha(picture, 49, 60)), not \(expected)")
    }

    // MARK: Colors

    /// One color through a filter: red, green, blue, alpha.
    private func color(_ filter: LayerFilter, _ color: Color) throws -> [Int] {
        let layer = box(Rect(1, 1, 2, 2), color) { $0.filters = [filter] }
        return try draw(root(4, 4, [layer]), 4, 4, background: .clear).straight(2, 2).map(Int.init)
    }

    /// Red .8, green .4, blue .2; luma .2126·204 + .7152·102 + .0722·51 = 120.
    private static let table: [(LayerFilter, [Double])] = [
        (LayerFilter(.colorInvert), [51, 153, 204]),
        (LayerFilter(.colorBrightness, inputs: [.inputAmount: .number(0.1)]), [229.5, 127.5, 76.5]),
        (LayerFilter(.colorBrightness, inputs: [.inputAmount: .number(-0.3)]), [127.5, 25.5, 0]),
        (LayerFilter(.colorContrast, inputs: [.inputAmount: .number(2)]), [255, 76.5, 0]),
        (LayerFilter(.colorContrast, inputs: [.inputAmount: .number(0.5)]), [165.75, 114.75, 89.25]),
        (LayerFilter(.colorSaturate, inputs: [.inputAmount: .number(0)]), [120, 120, 120]),
        (LayerFilter(.colorSaturate, inputs: [.inputAmount: .number(0.5)]), [162, 111, 85.5]),
        (LayerFilter(.colorSaturate), [204, 102, 51]),
        (LayerFilter(.colorMonochrome), [120, 120, 120]),
        (
            LayerFilter(
                .colorMonochrome,
                inputs: [.inputColor: .color(Color(1, 0.5, 0)), .inputAmount: .number(0.5), .inputBias: .number(0.1)]),
            [174.75, 93.75, 38.25]
        ),
        (LayerFilter(.colorHueRotate), [204, 102, 51]),
        // CSS's matrix at 180°: .213·2−1, .715·2, .072·2 in the first row.
        (
            LayerFilter(.colorHueRotate, inputs: [.inputAngle: .number(.pi)]),
            [
                204 * -0.574 + 102 * 1.43 + 51 * 0.144, 204 * 0.426 + 102 * 0.43 + 51 * 0.144,
                204 * 0.426 + 102 * 1.43 - 51 * 0.856,
            ]
        ),
        (LayerFilter(.colorAdd, inputs: [.inputColor: .color(Color(0.1, 0.1, 1, 0.5))]), [216.75, 114.75, 178.5]),
        (LayerFilter(.colorSubtract, inputs: [.inputColor: .color(Color(0.1, 0.1, 1, 0.5))]), [191.25, 89.25, 0]),
        (LayerFilter(.multiplyColor, inputs: [.inputColor: .color(Color(0.5, 1, 0))]), [102, 102, 0]),
        (
            LayerFilter(
                .colorMatrix,
                inputs: [
                    .inputColorMatrix: .numbers([0, 1, 0, 0, 0, 0, 0, 1, 0, 0.2, 0.5, 0, 0, 0, 0, 0, 0, 0, 1, 0])
                ]), [102, 102, 102]
        ),
    ]

    @Test("The formulas of the color filters, on straight colors", arguments: table)
    func colors(filter: LayerFilter, expected: [Double]) throws {
        let levels = expected.map { Int($0.rounded()) }
        let opaque = try color(filter, Color(0.8, 0.4, 0.2))
        #expect(near(opaque, levels + [255], 1), "\(filter.kind): \(opaque), not \(levels)")
        // The same color at half alpha: the color does not depend on it.
        let half = try color(filter, Color(0.8, 0.4, 0.2, 0.5))
        #expect(near(half, levels + [128], 4), "\(filter.kind) at half alpha: \(half), not \(levels)")
    }

    @Test("Filters of alpha")
    func alphas() throws {
        let luminance = try color(LayerFilter(.luminanceToAlpha), Color(0.8, 0.4, 0.2))
        #expect(near(luminance, [0, 0, 0, 120], 1), "\(luminance)")
        #expect(near(try color(LayerFilter(.luminanceToAlpha), Color(0.8, 0.4, 0.2, 0.5)), [0, 0, 0, 60], 1))
        #expect(try color(LayerFilter(.alphaThreshold), Color(0.8, 0.4, 0.2, 0.3)) == [0, 0, 0, 0])
        #expect(near(try color(LayerFilter(.alphaThreshold), Color(0.8, 0.4, 0.2, 0.7)), [204, 102, 51, 255], 1))
        let multiplied = try color(
            LayerFilter(.multiplyColor, inputs: [.inputColor: .color(Color(1, 1, 1, 0.5))]), Color(0.8, 0.4, 0.2))
        #expect(near(multiplied, [204, 102, 51, 128], 1), "\(multiplied)")
        var matrix = LayerFilter(.colorMatrix).colorMatrix
        matrix[18] = 0.25
        matrix[19] = 0.25
        let filter = LayerFilter(.colorMatrix, inputs: [.inputColorMatrix: .numbers(matrix)])
        #expect(near(try color(filter, Color(0.8, 0.4, 0.2)), [204, 102, 51, 128], 1))
        // Where there is nothing, nothing comes.
        #expect(try color(filter, .clear) == [0, 0, 0, 0])
    }

    // MARK: Order and scope

    @Test("Filters act on the layer with its sublayers, first to last, before opacity; disabled ones do not")
    func order() throws {
        func picture(_ filters: [LayerFilter]) throws -> ReferenceImage {
            let layer = box(Rect(0, 0, 20, 20), Color(0.2, 0.2, 0.2), [box(Rect(10, 0, 20, 20), red)]) {
                $0.filters = filters
                $0.opacity = 0.5
            }
            return try draw(root(40, 20, [layer]), 40, 20)
        }
        let brighter = LayerFilter(.colorBrightness, inputs: [.inputAmount: .number(0.2)])
        let image = try picture([brighter, LayerFilter(.colorInvert)])
        // 1 − (.2 + .2) = .6, at half over white.
        expect(image, 5, 10, [204, 204, 204, 255], within: 1)
        expect(image, 25, 10, [128, 230, 230, 255], within: 1)
        expect(image, 35, 10, [255, 255, 255, 255], within: 0)
        let other = try picture([LayerFilter(.colorInvert), brighter])
        expect(other, 5, 10, [255, 255, 255, 255], within: 1)
        let off = try picture([LayerFilter(.colorInvert, isEnabled: false)])
        expect(off, 5, 10, [153, 153, 153, 255], within: 1)
    }

    @Test("A filter on the parent and one on the child both act")
    func parentAndChild() throws {
        let child = box(Rect(50, 50, 100, 100), red) { $0.filters = [blur(3)] }
        let parent = box(Rect(0, 0, 200, 200), nil, [child]) { $0.filters = [LayerFilter(.colorInvert)] }
        let image = try draw(root(200, 200, [parent]), 200, 200)
        expect(image, 100, 100, [0, 255, 255, 255])
        for (x, y) in [(10, 10), (190, 100)] { expect(image, x, y, [255, 255, 255, 255]) }
    }

    @Test("F2: sublayers are filtered with their shadows; the layer's own shadow is laid behind the result")
    func shadows() throws {
        func shadow(_ p: inout LayerProperties) {
            p.shadowOpacity = 1
            p.shadowRadius = 0
            p.shadowOffset = Point(20, 0)
        }
        let child = box(Rect(20, 20, 20, 20), red, [], shadow)
        let wrapped = box(Rect(0, 0, 100, 60), nil, [child]) { $0.filters = [LayerFilter(.colorInvert)] }
        expect(
            try draw(root(100, 60, [wrapped]), 100, 60, background: .clear), 50, 30, [255, 255, 255, 255], within: 0)
        let own = box(Rect(20, 20, 20, 20), red) {
            shadow(&$0)
            $0.filters = [LayerFilter(.colorInvert)]
        }
        let image = try draw(root(100, 60, [own]), 100, 60, background: .clear)
        expect(image, 50, 30, [0, 0, 0, 255], within: 0)
        expect(image, 30, 30, [0, 255, 255, 255], within: 0)
    }

    @Test("A clip cuts what the filter made")
    func clipped() throws {
        let layer = box(Rect(20, 20, 60, 60), red) {
            $0.filters = [blur(4)]
            $0.masksToBounds = true
        }
        let image = try draw(root(100, 100, [layer]), 100, 100, background: .clear)
        #expect(coveredBox(image) == PixelRect(x: 20, y: 20, width: 60, height: 60))
        let expected = 255 * beyond(-0.5, sigma: 4)
        #expect(abs(alpha(image, 20, 50) - expected) <= 1.5)
    }

    @Test("The drop shadow filter is a shadow of the layer's picture")
    func dropShadow() throws {
        for offset in [Point(12, -5), Point(3.5, 0.25)] {
            let filter = LayerFilter(
                .dropShadow,
                inputs: [
                    .inputRadius: .number(3), .inputOffset: .point(offset), .inputColor: .color(Color(0, 0, 1, 0.5)),
                ])
            let filtered = box(Rect(30, 30, 30, 30), red) { $0.filters = [filter] }
            let shadowed = box(Rect(30, 30, 30, 30), red) {
                $0.shadowColor = Color(0, 0, 1, 0.5)
                $0.shadowOpacity = 1
                $0.shadowRadius = 3
                $0.shadowOffset = offset
            }
            let a = try draw(root(90, 90, [filtered]), 90, 90, background: .clear)
            let b = try draw(root(90, 90, [shadowed]), 90, 90, background: .clear)
            // A fraction of a pixel is in the kernel on one side, in the coverage on the other.
            #expect(largestDifference(a, b) <= (offset.x == 12 ? 0 : 2))
        }
    }

    @Test("pixellate shows the mean of each square")
    func pixellate() throws {
        let right = box(Rect(12, 0, 20, 24), blue)
        let layer = box(Rect(4, 4, 24, 24), red, [right]) {
            $0.filters = [LayerFilter(.pixellate, inputs: [.inputScale: .number(8)])]
        }
        let image = try draw(root(48, 40, [layer]), 48, 40, background: .clear)
        for x in [4, 7, 11] { expect(image, x, 10, [255, 0, 0, 255], within: 0) }
        for x in [12, 15, 16, 19] { expect(image, x, 10, [128, 0, 128, 255], within: 1) }
        for x in [20, 33] { expect(image, x, 10, [0, 0, 255, 255], within: 0) }
        // Squares from 36 on have nothing; the last ones of the layer end at 36.
        expect(image, 37, 10, [0, 0, 0, 0], within: 0)
    }
}
