import LayerModel
import ReferenceCompositor
import Testing

/// Numbers read from pictures that Core Animation made, by their names in the table of measured facts.
@Suite("Measured facts")
struct MeasuredFactTests {
    @Test("C1: a border of 4 points at 3x is exactly 12 pixels on each side")
    func borderWidth() throws {
        let tree = root(100, 100, []) {
            $0.backgroundColor = red
            $0.borderWidth = 4
        }
        let image = try draw(tree, 300, 300, scale: 3)
        for x in 0..<300 {
            expect(image, x, 150, x < 12 || x >= 288 ? [0, 0, 0, 255] : [255, 0, 0, 255], within: 0)
        }
        #expect(image.edgeShare == 0)
    }

    @Test("C2: a border of one pixel is one pixel", arguments: [(0.5, 2.0), (1.0 / 3, 3.0)])
    func hairline(width: Double, scale: Double) throws {
        let tree = root(20, 20, []) {
            $0.backgroundColor = red
            $0.borderWidth = width
        }
        let image = try draw(tree, Int(20 * scale), Int(20 * scale), scale: scale)
        expect(image, 0, 9, [0, 0, 0, 255], within: 0)
        expect(image, 1, 9, [255, 0, 0, 255], within: 0)
    }

    @Test("C3: the outer shape is filled first, then the ring is drawn over it")
    func roundedBorder() throws {
        let tree = root(40, 40, []) {
            $0.backgroundColor = blue
            $0.cornerRadius = 10
            $0.borderWidth = 1
            $0.borderColor = Color(1, 128 / 255.0, 0)
        }
        let image = try draw(tree, 40, 40)
        // This model misses Apple's antialiasing by at most 34 levels; ring and inside side by side would by 64.
        expect(image, 3, 3, [223, 111, 32, 255], within: 34)
        expect(image, 5, 1, [227, 116, 32, 255], within: 34)
        // And by its own formula: white, c of blue, then the ring's share of orange.
        let outer = discShare(3, 3, radius: 10)
        let ring = outer - discShare(3, 3, radius: 10, inset: 1)
        let filled = 255 * (1 - outer)
        expect(
            image, 3, 3,
            [
                Int((filled * (1 - ring) + 255 * ring).rounded()), Int((filled * (1 - ring) + 128 * ring).rounded()),
                Int((255 * (1 - ring)).rounded()), 255,
            ])
    }

    @Test("C4: a circular corner covers the exact area under an arc")
    func circularCorner() throws {
        let tree = root(40, 40, []) {
            $0.backgroundColor = .black
            $0.cornerRadius = 10
        }
        let image = try draw(tree, 40, 40, background: .clear)
        for y in 0..<12 {
            for x in 0..<12 {
                let alpha = Int((255 * discShare(x, y, radius: 10)).rounded())
                expect(image, x, y, alpha == 0 ? [0, 0, 0, 0] : [0, 0, 0, alpha], within: 1)
            }
        }
    }

    @Test("C5: the first row of a continuous corner of radius 30 pixels")
    func continuousCorner() throws {
        let tree = root(100, 100, []) {
            $0.backgroundColor = .black
            $0.cornerRadius = 10
            $0.cornerCurve = .continuous
        }
        let image = try draw(tree, 300, 300, scale: 3, background: .clear)
        let measured = [8, 22, 37, 49, 58, 66, 74, 79, 84, 88, 92, 94, 96, 97, 98, 99, 99, 100]
        for (i, percent) in measured.enumerated() {
            let alpha = Double(image.premultiplied(24 + i, 0)[3]) / 2.55
            #expect(abs(alpha - Double(percent)) <= 4.2, "x = \(24 + i): \(alpha) %, measured \(percent) %")
        }
    }

    @Test("C5: a continuous corner without room for its reach tends to a circle")
    func shortContinuousCorner() throws {
        func capsule(_ curve: CornerCurve) throws -> ReferenceImage {
            let tree = root(60, 60, []) {
                $0.backgroundColor = .black
                $0.cornerRadius = 30
                $0.cornerCurve = curve
            }
            return try draw(tree, 60, 60, background: .clear)
        }
        #expect(try largestDifference(capsule(.circular), capsule(.continuous)) <= 2)
    }

    @Test("C8: a radius over half the shorter side is brought down to it")
    func radiusClamp() throws {
        func capsule(_ radius: Double) throws -> ReferenceImage {
            let tree = root(60, 30, []) {
                $0.backgroundColor = blue
                $0.borderWidth = 4
                $0.cornerRadius = radius
            }
            return try draw(tree, 60, 30)
        }
        #expect(try capsule(15).pixels == capsule(200).pixels)
        #expect(try capsule(15).pixels != capsule(14).pixels)
    }

    @Test("C9: a layer 80×60 with a border of 5 and nothing else covers 1300 square points", arguments: [0, 0.3])
    func borderArea(offset: Double) throws {
        let tree = root(
            100, 80,
            [
                box(Rect(10 + offset, 10 + offset, 80, 60)) { $0.borderWidth = 5 }
            ])
        let image = try draw(tree, 100, 80, background: .clear)
        #expect(abs(image.coveredArea - 1300) < 1)
    }

    @Test("O1: five siblings of opacity 0.25 over black add up to 1 − 0.75⁵")
    func siblings() throws {
        let five = (0..<5).map { _ in box(Rect(5, 5, 10, 10), red) { $0.opacity = 0.25 } }
        let image = try draw(root(20, 20, five), 20, 20, background: .black)
        let value = Double(image.straight(10, 10)[0])
        #expect(abs(value - 194.5) <= 1, "\(value)")
    }

    @Test("O1: a layer and its sublayers fade as one flat group")
    func group() throws {
        let tree = root(
            20, 20,
            [
                box(Rect(0, 0, 20, 20), red, [box(Rect(5, 5, 10, 10), green)]) { $0.opacity = 0.5 }
            ])
        let image = try draw(tree, 20, 20, background: .black)
        expect(image, 2, 2, [128, 0, 0, 255], within: 1)
        expect(image, 10, 10, [0, 128, 0, 255], within: 1)
    }

    @Test("Without group opacity each layer of the subtree fades by itself")
    func separateOpacity() throws {
        let tree = root(
            20, 20,
            [
                box(Rect(0, 0, 20, 20), red, [box(Rect(5, 5, 10, 10), green)]) {
                    $0.opacity = 0.5
                    $0.allowsGroupOpacity = false
                }
            ])
        let image = try draw(tree, 20, 20, background: .black)
        expect(image, 2, 2, [128, 0, 0, 255], within: 1)
        expect(image, 10, 10, [64, 128, 0, 255], within: 1)
    }

    @Test("O3: half-transparent white over nothing is 255, 255, 255, alpha 128")
    func halfWhite() throws {
        let tree = root(4, 4, []) { $0.backgroundColor = Color(1, 1, 1, 0.5) }
        expect(try draw(tree, 4, 4, background: .clear), 1, 1, [255, 255, 255, 128], within: 0)
    }

    @Test("B7: blending is done on encoded bytes")
    func encodedBlending() throws {
        let tree = root(4, 4, []) { $0.backgroundColor = Color(1, 0.25, 0, 0.5) }
        // (1, 0.25, 0) and (0, 0, 1) half and half; in linear light red would be 188.
        expect(try draw(tree, 4, 4, background: blue), 1, 1, [128, 32, 128, 255], within: 1)
    }

    @Test("Colors beyond 0…1 are clamped when drawn")
    func extendedColor() throws {
        let tree = root(4, 4, []) { $0.backgroundColor = Color(1.5, -0.3, 0.5, 2) }
        expect(try draw(tree, 4, 4), 1, 1, [255, 0, 128, 255], within: 0)
    }

    /// The share of a pixel near the corner (0, 0) that lies under the arc of a corner, by integrating its height.
    private func discShare(_ x: Int, _ y: Int, radius: Double, inset: Double = 0) -> Double {
        let steps = 4000
        var sum = 0.0
        for i in 0..<steps {
            let u = Double(x) + (Double(i) + 0.5) / Double(steps)
            guard u > inset else { continue }
            let reach = radius - inset
            let top = u >= radius ? inset : radius - (max(reach * reach - (radius - u) * (radius - u), 0)).squareRoot()
            sum += min(max(Double(y + 1) - max(top, inset), 0), 1)
        }
        return sum / Double(steps)
    }
}
