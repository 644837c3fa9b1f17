// Blurred masks against the convolution written out, and against the measured shadow edges.

import Glibc
import LayerModel
import Paths
import Testing

@Suite struct MaskBlurTests {
    private static let everything = PixelRect(minX: -4_000, minY: -4_000, maxX: 4_000, maxY: 4_000)

    /// The rounded rectangle's mask on a plane.
    private func mask(_ rect: Rect, radius: Double = 0, on plane: Homography = .identity) -> CoverageMask {
        var rasterizer = CoverageRasterizer()
        let shape = ShapeGeometry(rect: rect, cornerRadius: radius)
        let outline = shape.outline(projectedBy: plane, clippedTo: Self.everything)
        return rasterizer.rasterize(outline, rule: .nonZero, clip: Self.everything)
    }

    /// Levels: the mask times the kernel, pixel by pixel.
    private func convolved(
        _ mask: CoverageMask, _ covariance: (xx: Double, xy: Double, yy: Double), at x: Int, _ y: Int
    )
        -> Double
    {
        let determinant = covariance.xx * covariance.yy - covariance.xy * covariance.xy
        let reachX = Int((3.5 * covariance.xx.squareRoot()).rounded(.up))
        let reachY = Int((3.5 * covariance.yy.squareRoot()).rounded(.up))
        var sum = 0.0
        var weights = 0.0
        for dy in -reachY...reachY {
            for dx in -reachX...reachX {
                let (u, v) = (Double(dx), Double(dy))
                let q =
                    (covariance.yy * u * u - 2 * covariance.xy * u * v + covariance.xx * v * v) / determinant
                let weight = exp(-q / 2)
                weights += weight
                sum += weight * Double(mask.coverage(x: x + dx, y: y + dy))
            }
        }
        return 255 * sum / weights
    }

    @Test(
        "A straight edge falls off as measured",
        arguments: [
            (
                10.0, [122, 112, 101, 91, 81, 72, 63, 55, 47, 40, 34, 28, 23, 18, 14, 11, 8, 5, 3, 1],
                [122, 112, 102, 93, 83, 74, 66, 58, 50, 44, 37, 32, 27, 23, 19, 15, 13, 10, 8, 7]
            ),
            (4.0, [114, 89, 66, 46, 30, 18, 9, 4], [115, 91, 68, 49, 33, 22, 13, 8]),
        ])
    func edge(sigma: Double, low: [Int], high: [Int]) {
        let blurred = MaskBlur.blur(
            mask(Rect(0, 0, 400, 300)), by: GaussianShape(sigma: sigma), clip: Self.everything)
        for (distance, (low, high)) in zip(low, high).enumerated() {
            let level = Double(blurred.coverage(x: -1 - distance, y: 150)) * 255
            #expect(level >= Double(low) - 3 && level <= Double(high) + 3, "\(distance).5 px outside: \(level)")
        }
        #expect(blurred.coverage(x: 200, y: 150) == 1)
    }

    @Test("A rounded rectangle is what the convolution gives", arguments: [0.4, 1.0, 2.5, 5, 9.3, 16])
    func roundedRect(sigma: Double) {
        let shape = mask(Rect(3.25, 7.5, 190, 160), radius: 16)
        let blurred = MaskBlur.blur(shape, by: GaussianShape(sigma: sigma), clip: Self.everything)
        for (x, y) in [
            (3, 8), (0, 7), (10, 12), (100, 4), (190, 80), (195, 170), (98, 87), (2, 100), (-6, -4), (180, 160),
        ] {
            let wanted = convolved(shape, (sigma * sigma, 0, sigma * sigma), at: x, y)
            let level = Double(blurred.coverage(x: x, y: y)) * 255
            #expect(abs(level - wanted) <= 1.6, "(\(x), \(y)): \(level), convolution \(wanted)")
        }
    }

    @Test("Under a turn and a stretch the kernel is an ellipse", arguments: [(2.0, 0.5), (1.0, 3.0), (1.5, 1.5)])
    func ellipse(scaleX: Double, scaleY: Double) {
        let (c, s) = (0.8, 0.6)
        let plane = Homography(scaleX * c, scaleX * s, 0, -scaleY * s, scaleY * c, 0, 60, 40, 1)
        let shape = mask(Rect(0, 0, 40, 30), on: plane)
        let sigma = 3.0
        let gaussian = GaussianShape(sigma: sigma, on: plane, at: Point(20, 15))
        let blurred = MaskBlur.blur(shape, by: gaussian, clip: Self.everything)
        let (a11, a12, a21, a22) = (plane.a11, plane.a12, plane.a21, plane.a22)
        let covariance = (
            xx: sigma * sigma * (a11 * a11 + a21 * a21), xy: sigma * sigma * (a11 * a12 + a21 * a22),
            yy: sigma * sigma * (a12 * a12 + a22 * a22)
        )
        for (x, y) in [(60, 40), (70, 60), (80, 70), (50, 50), (90, 90), (40, 45), (100, 75)] {
            let wanted = convolved(shape, covariance, at: x, y)
            let level = Double(blurred.coverage(x: x, y: y)) * 255
            #expect(abs(level - wanted) <= 2.5, "(\(x), \(y)): \(level), convolution \(wanted)")
        }
    }

    @Test("What a clip shows is the same as without it")
    func clipped() {
        let shape = mask(Rect(0, 0, 300, 200), radius: 20)
        let gaussian = GaussianShape(sigma: 6)
        let whole = MaskBlur.blur(shape, by: gaussian, clip: Self.everything)
        let clip = PixelRect(minX: -10, minY: 150, maxX: 60, maxY: 260)
        let part = MaskBlur.blur(shape, by: gaussian, clip: clip)
        #expect(clip.contains(part.bounds))
        for y in stride(from: clip.minY, to: clip.maxY, by: 7) {
            for x in stride(from: clip.minX, to: clip.maxX, by: 5) {
                let (a, b) = (whole.coverage(x: x, y: y), part.coverage(x: x, y: y))
                #expect(abs(a - b) <= 1.01 / 255, "(\(x), \(y)): \(a) and \(b)")
            }
        }
    }

    @Test("The sides of a large rectangle are one column or row of bytes each")
    func stretched() {
        let blurred = MaskBlur.blur(
            mask(Rect(0, 0, 1_500, 1_000), radius: 12), by: GaussianShape(sigma: 8), clip: Self.everything)
        #expect(blurred.bytes.count < 30_000)
        #expect(blurred.tiles.contains { $0.columns == 1 && $0.rect.width > 1_000 })
        #expect(blurred.tiles.contains { $0.rows == 1 && $0.rect.height > 500 })
        let wanted = 255.0 / 2
        #expect(abs(Double(blurred.coverage(x: 700, y: 0)) * 255 - wanted) < 8)
    }

    @Test("A product with stretched tiles is the product of their pixels")
    func product() {
        let blurred = MaskBlur.blur(
            mask(Rect(0, 0, 300, 90), radius: 8), by: GaussianShape(sigma: 4), clip: Self.everything)
        let other = mask(Rect(20, -10, 200, 60), radius: 30)
        let product = blurred.multiplied(by: other)
        for y in stride(from: -14, to: 70, by: 3) {
            for x in stride(from: 0, to: 230, by: 7) {
                let wanted = blurred.coverage(x: x, y: y) * other.coverage(x: x, y: y)
                #expect(abs(product.coverage(x: x, y: y) - wanted) <= 0.51 / 255, "(\(x), \(y))")
            }
        }
        #expect(abs(product.area - blurred.multiplied(by: other).area) < 1e-9)
    }

    @Test("A mask drawn twice covers what either drawing does: 1 - (1 - c)²")
    func drawnTwice() {
        var mask = CoverageMask(PixelRect(x: 0, y: 0, width: 2, height: 1), coverage: 0.5)
        mask.spans.append(.init(rect: PixelRect(x: 2, y: 0, width: 1, height: 1), coverage: 1))
        let twice = mask.drawnTwice()
        #expect(abs(twice.coverage(x: 0, y: 0) - 0.75) < 1.0 / 255)
        #expect(twice.coverage(x: 2, y: 0) == 1)
        #expect(twice.coverage(x: 3, y: 0) == 0)
        // The second one translucent: 1 - 0.5 · (1 - 0.5 · 0.4).
        let faint = mask.drawnTwice(alpha: 0.4)
        #expect(abs(faint.coverage(x: 0, y: 0) - 0.6) < 1.0 / 255)
        #expect(faint.coverage(x: 2, y: 0) == 1)
    }
}
