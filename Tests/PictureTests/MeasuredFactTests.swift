import CoreAnimation
import LayerModel
import Quartz2D
import Rostrum
import Testing

/// Numbers read from pictures that Core Animation made, by their names in the table of measured facts: drawn here by the
/// server, from layers.
@Suite("Measured facts, drawn")
struct MeasuredFactTests {
    private static let scales = [1.0, 2, 3]

    @Test(
        "C1: a border of 4 points is exactly 4 × scale pixels on each side, over background and contents",
        arguments: scales)
    func borderWidth(scale: Double) throws {
        let picture = try draw(100, 100, scale: scale) { layer in
            layer.contents = try CGImage(width: 1, height: 1, straightRGBA: [255, 0, 0, 255])
            layer.backgroundColor = color(0, 0, 1)
            layer.borderWidth = 4
            layer.borderColor = .black
        }
        let border = Int(4 * scale)
        let side = Int(100 * scale)
        let wrong = (0..<side * side).filter { index in
            let (x, y) = (index % side, index / side)
            let isBorder = min(x, y) < border || max(x, y) >= side - border
            return picture.premultiplied(x, y) != (isBorder ? [0, 0, 0, 255] : [255, 0, 0, 255])
        }
        #expect(wrong.isEmpty, "\(wrong.count) pixels, first \(wrong.first.map { ($0 % side, $0 / side) } ?? (0, 0))")
    }

    @Test("C2: a border of one pixel is one pixel", arguments: [(1.0, 1.0), (0.5, 2.0), (1.0 / 3, 3.0)])
    func hairline(width: Double, scale: Double) throws {
        let picture = try draw(20, 20, scale: scale) { layer in
            layer.backgroundColor = color(1, 0, 0)
            layer.borderWidth = width
        }
        let last = Int(20 * scale) - 1
        for (x, isBorder) in [(0, true), (1, false), (last - 1, false), (last, true)] {
            #expect(picture.premultiplied(x, 9) == [isBorder ? 0 : 255, 0, 0, 255], "x = \(x)")
            #expect(picture.premultiplied(9, x) == [isBorder ? 0 : 255, 0, 0, 255], "y = \(x)")
        }
    }

    /// Straight colors of the two pixels that the table gives, and how far the model may be off.
    private static let roundedBorder = [(x: 3, y: 3, color: [223, 111, 32]), (x: 5, y: 1, color: [227, 116, 32])]

    @Test("C3: the outer shape is filled first, then the ring is drawn over it")
    func measuredRoundedBorder() throws {
        let picture = try drawRoundedBorder(scale: 1)
        var sideBySide = 0
        for fact in Self.roundedBorder {
            let found = picture.premultiplied(fact.x, fact.y)
            let off = zip(found, fact.color).map { abs($0 - $1) }.max() ?? 0
            #expect(off <= 34, "(\(fact.x), \(fact.y)) is \(found), measured \(fact.color)")
            let (outer, ring) = ringShares(fact.x, fact.y, radius: 10, width: 1)
            // What a renderer draws that lays ring and inside next to each other.
            let other = (0..<3).map { 255 * (1 - outer) + Self.orange[$0] * ring + Self.blue[$0] * (outer - ring) }
            sideBySide = max(sideBySide, zip(other, fact.color).map { abs(Int($0) - $1) }.max() ?? 0)
        }
        #expect(sideBySide > 34, "the bound would let ring and inside side by side pass: \(sideBySide)")
    }

    @Test("C3: every pixel of a rounded border's corner follows that model", arguments: scales)
    func roundedBorderModel(scale: Double) throws {
        let picture = try drawRoundedBorder(scale: scale)
        for y in 0..<Int(12 * scale) {
            for x in 0..<Int(12 * scale) {
                let (outer, ring) = ringShares(x, y, radius: 10 * scale, width: scale)
                let expected = (0..<3).map { c in
                    (255 * (1 - outer) + Self.blue[c] * outer) * (1 - ring) + Self.orange[c] * ring
                }
                let found = picture.premultiplied(x, y)
                let off = zip(found, expected).map { abs(Double($0) - $1) }.max() ?? 0
                #expect(off <= 2, "(\(x), \(y)) is \(found), the model says \(expected)")
            }
        }
    }

    private static let orange = [255.0, 128, 0]
    private static let blue = [0.0, 0, 255]

    private func drawRoundedBorder(scale: Double) throws -> Pixels {
        try draw(40, 40, scale: scale, background: .white) { layer in
            layer.backgroundColor = color(0, 0, 1)
            layer.cornerRadius = 10
            layer.borderWidth = 1
            layer.borderColor = color(1, 128 / 255.0, 0)
        }
    }

    @Test(
        "C4: a circular corner covers the exact area under an arc, 20 levels on edge pixels and 1 inside",
        arguments: scales, [10.0, 50])
    func circularCorner(scale: Double, radius: Double) throws {
        let side = Int(100 * scale)
        let picture = try draw(100, 100, scale: scale) { layer in
            layer.backgroundColor = .black
            layer.cornerRadius = radius
        }
        let reach = Int(radius * scale)
        for y in 0..<reach {
            for x in 0..<reach {
                let share = discShare(x, y, radius: radius * scale)
                let alpha = share * 255
                let bound = share > 0 && share < 1 ? 20.0 : 1
                // All four corners are one another's mirror images.
                for (u, v) in [(x, y), (side - 1 - x, y), (x, side - 1 - y), (side - 1 - x, side - 1 - y)] {
                    let found = picture.premultiplied(u, v)
                    #expect(abs(Double(found[3]) - alpha) <= bound, "(\(u), \(v)) is \(found), the arc covers \(alpha)")
                }
            }
        }
    }

    @Test(
        "C5: the first row of a continuous corner of radius 30 pixels has the measured coverage, which a circle has not",
        arguments: scales)
    func continuousCorner(scale: Double) throws {
        let measured = [8, 22, 37, 49, 58, 66, 74, 79, 84, 88, 92, 94, 96, 97, 98, 99, 99, 100]
        let side = Int(120 * scale)
        func corner(_ curve: CALayerCornerCurve) throws -> Pixels {
            try draw(120, 120, scale: scale) { layer in
                layer.backgroundColor = .black
                layer.cornerRadius = 30 / scale
                layer.cornerCurve = curve
            }
        }
        let continuous = try corner(.continuous)
        let circle = try corner(.circular)
        var circleIsOff = 0.0
        for (index, percent) in measured.enumerated() {
            let x = 24 + index
            // The row, the column, and their mirror images at the far corner.
            for (u, v) in [(x, 0), (0, x), (side - 1 - x, side - 1), (side - 1, side - 1 - x)] {
                let found = Double(continuous.premultiplied(u, v)[3]) / 2.55
                #expect(abs(found - Double(percent)) <= 4.2, "(\(u), \(v)): \(found) %, measured \(percent) %")
            }
            circleIsOff = max(circleIsOff, abs(Double(circle.premultiplied(x, 0)[3]) / 2.55 - Double(percent)))
        }
        #expect(circleIsOff > 30, "a circle is up to 43.5 % off; here \(circleIsOff)")
        // C6: the edge is straight from 1.528665 radii on.
        #expect(continuous.premultiplied(46, 0)[3] == 255)
    }

    @Test(
        "C8: a radius over half the shorter side is brought down to half of it, for background and border",
        arguments: scales, [CALayerCornerCurve.circular, .continuous])
    func radiusClamp(scale: Double, curve: CALayerCornerCurve) throws {
        func capsule(_ radius: Double) throws -> Pixels {
            try draw(60, 30, scale: scale) { layer in
                layer.backgroundColor = color(0, 0, 1)
                layer.borderWidth = 4
                layer.cornerRadius = radius
                layer.cornerCurve = curve
            }
        }
        let half = try capsule(15)
        for radius in [16.0, 30, 1_000] {
            let isSame = try capsule(radius) == half
            #expect(isSame, "radius \(radius) is drawn otherwise than 15")
        }
        let isSame = try capsule(14) == half
        #expect(!isSame, "14 is below half and must differ")
    }

    @Test(
        "C9: a layer 80 × 60 with a border of 5 and nothing else covers exactly 1300 square points",
        arguments: scales, [0, 0.25, 0.3])
    func borderArea(scale: Double, offset: Double) throws {
        let picture = try drawTree(100, 80, scale: scale) { root in
            let layer = CALayer()
            layer.frame = CGRect(x: 10 + offset, y: 10 + offset, width: 80, height: 60)
            layer.borderWidth = 5
            root.addSublayer(layer)
        }
        let area = picture.coveredArea / (scale * scale)
        // On whole pixels exactly; else a level of rounding in each pixel of the two rims.
        let isAligned = (offset * scale).rounded() == offset * scale
        #expect(abs(area - 1_300) <= (isAligned ? 0 : 1), "\(area)")
    }

    @Test("O1: n siblings of opacity 0.25 over black add up to 1 − 0.75ⁿ", arguments: 1...6)
    func siblings(count: Int) throws {
        let picture = try drawTree(20, 20, background: .black) { root in
            for _ in 0..<count {
                let layer = CALayer()
                layer.frame = CGRect(x: 5, y: 5, width: 10, height: 10)
                layer.backgroundColor = color(1, 0, 0)
                layer.opacity = 0.25
                root.addSublayer(layer)
            }
        }
        // For five of them: 194.5.
        let expected = 255 * (1 - (0..<count).reduce(1.0) { product, _ in product * 0.75 })
        let found = picture.premultiplied(10, 10)
        #expect(abs(Double(found[0]) - expected) <= 1, "\(found), not \(expected)")
        #expect(found[1...] == [0, 0, 255])
    }

    @Test(
        "O1: a layer and its sublayers fade as one flat group, and each by itself without group opacity",
        arguments: [true, false], scales)
    func group(isGroup: Bool, scale: Double) throws {
        let picture = try drawTree(20, 20, scale: scale, background: .black) { root in
            let (outer, inner) = (CALayer(), CALayer())
            outer.frame = CGRect(x: 0, y: 0, width: 20, height: 20)
            outer.backgroundColor = color(1, 0, 0)
            outer.opacity = 0.5
            outer.allowsGroupOpacity = isGroup
            inner.frame = CGRect(x: 5, y: 5, width: 10, height: 10)
            inner.backgroundColor = color(0, 1, 0)
            outer.addSublayer(inner)
            root.addSublayer(outer)
        }
        let (rim, middle) = (picture.premultiplied(2, 2), picture.premultiplied(Int(10 * scale), Int(10 * scale)))
        #expect(isNear(rim, [127.5, 0, 0, 255]), "\(rim)")
        #expect(isNear(middle, isGroup ? [0, 127.5, 0, 255] : [63.75, 127.5, 0, 255]), "\(middle)")
    }

    /// Color over color, and the weight of the first: by opacity, by alpha, by both.
    private static let blends: [(front: [Double], back: [Double], alpha: Double, opacity: Double)] = [
        ([1, 0.25, 0], [0, 0, 1], 0.5, 1), ([1, 0.25, 0], [0, 0, 1], 1, 0.5), ([1, 1, 1], [0, 0, 0], 0.5, 1),
        ([0.8, 0.4, 0.2], [0.2, 0.6, 1], 0.75, 1), ([0.8, 0.4, 0.2], [0.2, 0.6, 1], 0.5, 0.5),
        ([0, 0, 0], [1, 1, 1], 0.2, 1),
    ]

    @Test("B7: blending is done on encoded bytes", arguments: blends.indices)
    func encodedBlending(index: Int) throws {
        let blend = Self.blends[index]
        let back = color(blend.back[0], blend.back[1], blend.back[2])
        let picture = try draw(4, 4, background: back) { layer in
            layer.backgroundColor = color(blend.front[0], blend.front[1], blend.front[2], blend.alpha)
            layer.opacity = Float(blend.opacity)
        }
        let weight = blend.alpha * blend.opacity
        let expected = (0..<3).map { 255 * (blend.front[$0] * weight + blend.back[$0] * (1 - weight)) } + [255]
        let found = picture.premultiplied(1, 1)
        // In linear light, half of 1 over 0 would be 188.
        #expect(isNear(found, expected), "\(found), not \(expected)")
    }

    @Test("O3: half-transparent white over nothing is 255, 255, 255, alpha 128")
    func halfWhite() throws {
        let picture = try draw(4, 4) { $0.backgroundColor = color(1, 1, 1, 0.5) }
        #expect(picture.premultiplied(1, 1) == [128, 128, 128, 128])
        let straight = picture.image.pixel(x: 1, y: 1)
        #expect(straight == (255, 255, 255, 128))
    }

    // MARK: Drawing

    /// A layer as large as the display.
    private func draw(
        _ width: Double, _ height: Double, scale: Double = 1, background: CGColor? = nil,
        _ configure: @escaping (CALayer) throws -> Void
    ) throws -> Pixels {
        try drawTree(width, height, scale: scale, background: background) { root in
            let layer = CALayer()
            layer.frame = root.bounds
            layer.borderColor = .black
            try configure(layer)
            root.addSublayer(layer)
        }
    }

    private func isNear(_ found: [Int], _ expected: [Double]) -> Bool {
        zip(found, expected).allSatisfy { abs(Double($0) - $1) <= 1 }
    }

    /// Of a pixel near a rounded layer's corner at (0, 0): the share in its outline, and that in its border's ring.
    private func ringShares(_ x: Int, _ y: Int, radius: Double, width: Double) -> (outer: Double, ring: Double) {
        let outer = discShare(x, y, radius: radius)
        return (outer, outer - discShare(x, y, radius: radius, inset: width))
    }

    /// The share of a pixel near the corner (0, 0) that lies under the arc of a corner, by integrating its height.
    private func discShare(_ x: Int, _ y: Int, radius: Double, inset: Double = 0) -> Double {
        // The nearest and the farthest corner of the pixel from the arc's center decide most pixels.
        let reach = radius - inset
        let (dx, dy) = (radius - Double(x), radius - Double(y))
        if Double(x) >= inset, Double(y) >= inset, dx <= 0 || dy <= 0 || dx * dx + dy * dy <= reach * reach { return 1 }
        let (nx, ny) = (max(dx - 1, 0), max(dy - 1, 0))
        if nx * nx + ny * ny >= reach * reach { return 0 }
        let steps = 1_000
        var sum = 0.0
        for step in 0..<steps {
            let u = Double(x) + (Double(step) + 0.5) / Double(steps)
            guard u > inset else { continue }
            let height = radius - u
            let top = u >= radius ? inset : radius - max(reach * reach - height * height, 0).squareRoot()
            sum += min(max(Double(y + 1) - max(top, inset), 0), 1)
        }
        return sum / Double(steps)
    }
}

func drawTree(
    _ width: Double, _ height: Double, scale: Double = 1, background: CGColor? = nil,
    _ build: @escaping (CALayer) throws -> Void
) throws -> Pixels {
    try ServedPicture.draw(Staging(width, height, scale: scale, background: background, build: build)).pixels
}

func color(_ red: Double, _ green: Double, _ blue: Double, _ alpha: Double = 1) -> CGColor {
    CGColor(red: CGFloat(red), green: CGFloat(green), blue: CGFloat(blue), alpha: CGFloat(alpha))
}
