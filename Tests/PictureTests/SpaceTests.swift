import CoreAnimation
import Foundation
import LayerModel
import Quartz2D
import Testing

/// Turned in space, drawn by the server: sums by hand.
@Suite("Layers in space")
struct SpaceTests {
    private func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ fill: CGColor? = nil) -> CALayer {
        let layer = CALayer()
        layer.frame = CGRect(x: x, y: y, width: width, height: height)
        layer.backgroundColor = fill
        return layer
    }

    private func turned(_ angle: Double, _ x: Double, _ y: Double, _ z: Double) -> CATransform3D {
        CATransform3DMakeRotation(CGFloat(angle), CGFloat(x), CGFloat(y), CGFloat(z))
    }

    private let black = color(0, 0, 0)

    /// The area that black layers cover of a clear picture, 100 × 100.
    private func area(_ build: @escaping (CALayer) -> Void) throws -> Double {
        try drawTree(100, 100, background: color(0, 0, 0, 0)) { build($0) }.coveredArea
    }

    // MARK: Back faces

    @Test("A single-sided layer is judged in the plane it is flattened into, not by what is above")
    func nestedBacks() throws {
        func drawn(inner: Double, outer: Double, inSpace: Bool) throws -> Double {
            try area { root in
                let parent = inSpace ? CATransformLayer() : CALayer()
                parent.frame = CGRect(x: 20, y: 20, width: 60, height: 60)
                parent.transform = turned(outer, 0, 1, 0)
                let child = box(10, 10, 40, 40, black)
                child.isDoubleSided = false
                child.transform = turned(inner, 0, 1, 0)
                parent.addSublayer(child)
                root.addSublayer(parent)
            }
        }
        #expect(try drawn(inner: 0, outer: .pi, inSpace: false) == 1_600)
        #expect(try drawn(inner: .pi, outer: .pi, inSpace: false) == 0)
        #expect(try drawn(inner: 0, outer: .pi, inSpace: true) == 0)
        #expect(try drawn(inner: .pi, outer: .pi, inSpace: true) == 1_600)
    }

    @Test("A sublayerTransform that turns sublayers around shows their backs")
    func turnedSublayers() throws {
        func drawn(_ angle: Double, flipped: Bool) throws -> Double {
            try area { root in
                let parent = box(10, 10, 80, 80)
                parent.sublayerTransform = turned(angle, 1, 0, 0)
                let child = box(20, 20, 40, 40, black)
                child.isDoubleSided = false
                child.isGeometryFlipped = flipped
                parent.addSublayer(child)
                root.addSublayer(parent)
            }
        }
        #expect(try drawn(0, flipped: false) == 1_600)
        #expect(try drawn(.pi, flipped: false) == 0)
        #expect(try drawn(0, flipped: true) == 1_600)
        #expect(try drawn(.pi, flipped: true) == 0)
    }

    @Test("In perspective a layer shows the side that the eye is on")
    func sideOfTheEye() throws {
        // Turned by 90° about y: its front looks to +x, in the layer's own terms to where its z axis points. Left of the
        // eye that side is seen, right of it the other one.
        func drawn(at x: Double, doubleSided: Bool) throws -> Double {
            try area { root in
                root.sublayerTransform.m34 = -1 / 100
                let wall = box(0, 0, 60, 60, black)
                wall.position = CGPoint(x: x, y: 50)
                wall.isDoubleSided = doubleSided
                wall.transform = turned(.pi / 2, 0, 1, 0)
                root.addSublayer(wall)
            }
        }
        for x in [10.0, 90] { #expect(try drawn(at: x, doubleSided: true) > 300) }
        #expect(try drawn(at: 10, doubleSided: false) > 300)
        #expect(try drawn(at: 90, doubleSided: false) == 0)
    }

    // MARK: The eye

    @Test("What is behind the eye is not drawn; what is partly behind it, as far as it is not")
    func behindTheEye() throws {
        func drawn(_ z: Double, _ angle: Double) throws -> Double {
            try area { root in
                root.sublayerTransform.m34 = -1 / 100
                let layer = box(30, 30, 40, 40, black)
                layer.zPosition = CGFloat(z)
                layer.transform = turned(angle, 0, 1, 0)
                root.addSublayer(layer)
            }
        }
        // At z = 50 of 100 everything is twice as large.
        #expect(try drawn(50, 0) == 6_400)
        #expect(try drawn(101, 0) == 0)
        #expect(try drawn(500, 0) == 0)
        // At z = 90 and turned, x·cos / (0.1 + x·sin / 100) runs from -∞ at x = -13.9, which is behind the eye's depth from there
        // on, to 57 at x = 20, and half the height is 20 / w ≥ 82: all of the picture.
        #expect(try drawn(90, 0.8) == 10_000)
    }

    @Test("A floor ends at its horizon")
    func floor() throws {
        let pixels = try drawTree(100, 100, background: color(0, 0, 0, 0)) { root in
            root.sublayerTransform.m34 = -1 / 100
            let floor = box(-2_000, -2_000, 4_100, 4_100, black)
            floor.position = CGPoint(x: 50, y: 70)
            floor.transform = turned(.pi / 2, 1, 0, 0)
            root.addSublayer(floor)
        }
        // 20 from the eye's height: the far end, 2,050 away, is 20 / (1 + 20.5) = 0.93 from the horizon.
        let alphas = (0..<100).map { pixels.premultiplied(50, $0)[3] }
        let covered = alphas.filter { $0 > 0 }.count
        #expect(covered == 49 || covered == 50, "\(alphas)")
        #expect(alphas.filter { $0 > 0 && $0 < 255 }.count <= 1)
    }

    // MARK: Edges

    @Test(
        "A tilted layer covers the area of its projected corners, with smooth edges", arguments: [0.3, 0.7, 1.1, 1.4])
    func projectedArea(angle: Double) throws {
        let pixels = try drawTree(200, 200, background: color(0, 0, 0, 0)) { root in
            root.sublayerTransform.m34 = -1 / 200
            let layer = box(60, 60, 80, 80, black)
            layer.transform = turned(angle, 0, 1, 0)
            root.addSublayer(layer)
        }
        let (c, s) = (40 * cos(angle), 40 * sin(angle))
        let (far, near) = (1 / (1 + s / 200), 1 / (1 - s / 200))
        let expected = (c * far + c * near) * (40 * far + 40 * near)
        #expect(abs(pixels.coveredArea - expected) < 1, "\(pixels.coveredArea), expected \(expected)")
        // The slanted sides have pixels of many levels, not only of two.
        #expect(Set(stride(from: 3, to: pixels.bytes.count, by: 4).map { pixels.bytes[$0] }).count > 20)
    }

    // MARK: Masks

    @Test("A mask is projected into its owner's plane")
    func tiltedMask() throws {
        func drawn(owner: Double, mask: Double) throws -> Double {
            try area { root in
                let layer = box(10, 10, 80, 80, black)
                layer.transform = turned(owner, 1, 0, 0)
                let shape = box(0, 0, 80, 80, black)
                shape.transform = turned(mask, 0, 1, 0)
                layer.mask = shape
                root.addSublayer(layer)
            }
        }
        #expect(try drawn(owner: 0, mask: 0) == 6_400)
        #expect(abs(try drawn(owner: 0, mask: .pi / 3) - 3_200) < 1)
        #expect(abs(try drawn(owner: .pi / 3, mask: .pi / 3) - 1_600) < 2)
    }

    @Test("The sublayers of a mask share its space: those that cross make no gap between them")
    func crossingMask() throws {
        let pixels = try drawTree(100, 100, background: color(0, 0, 0, 0)) { root in
            let layer = box(0, 0, 100, 100, black)
            let mask = CALayer()
            mask.frame = CGRect(x: 0, y: 0, width: 100, height: 100)
            for angle in [0.7, -0.7, 0.2] {
                let part = box(10, 10, 81, 80, black)
                part.transform = turned(angle, 0.2, 1, 0)
                mask.addSublayer(part)
            }
            layer.mask = mask
            root.addSublayer(layer)
        }
        for y in 25..<75 { #expect((30..<70).allSatisfy { pixels.premultiplied($0, y)[3] == 255 }, "row \(y)") }
    }

    // MARK: Seams

    @Test("Where layers of one color cross there is no line, whatever their alpha", arguments: [1, 0.5, 0.85])
    func noLine(alpha: Double) throws {
        let pixels = try drawTree(120, 120, background: color(0, 0, 0)) { root in
            for angle in [0.9, -0.5, 0.1] {
                let layer = box(20, 20, 81, 80, color(1, 1, 1, alpha))
                layer.transform = turned(angle, 0.15, 1, 0)
                root.addSublayer(layer)
            }
        }
        // All three lie over one another around the middle.
        let expected = 255 * (1 - pow(1 - alpha, 3))
        for y in 50..<70 {
            for x in 50..<72 {
                let level = pixels.premultiplied(x, y)[0]
                #expect(abs(Double(level) - expected) <= 2, "(\(x), \(y)): \(level), expected \(expected)")
            }
        }
    }

    @Test("Nothing that is below shines through a seam")
    func nothingBelow() throws {
        let pixels = try drawTree(120, 120, background: color(1, 0, 1)) { root in
            for (angle, fill) in [(0.9, color(0, 1, 0)), (-0.5, color(0, 0.5, 0)), (0.2, color(0, 0.8, 0))] {
                let layer = box(20, 20, 81, 80, fill)
                layer.transform = turned(angle, 0.3, 1, 0)
                let inner = box(5, 5, 71, 70, fill)
                layer.addSublayer(inner)
                root.addSublayer(layer)
            }
        }
        for y in 45..<75 {
            for x in 45..<77 {
                let pixel = pixels.premultiplied(x, y)
                #expect(pixel[0] <= 1 && pixel[2] <= 1, "(\(x), \(y)): \(pixel)")
            }
        }
    }

    @Test("A blend mode survives where its layer crosses another")
    func modes() throws {
        let pixels = try drawTree(100, 100, background: color(1, 1, 1)) { root in
            let floor = box(10, 10, 80, 80, color(0.5, 0.5, 0.5))
            let layer = box(10, 10, 80, 80, color(1, 0.5, 0))
            layer.transform = turned(0.6, 0, 1, 0)
            layer.compositingFilter = "multiplyBlendMode"
            root.sublayers = [floor, layer]
        }
        // The left half comes forward: gray times orange. The right half goes back: orange over white, under the floor.
        #expect(zip(pixels.premultiplied(35, 50), [128, 64, 0, 255]).allSatisfy { abs($0 - $1) <= 1 })
        #expect(zip(pixels.premultiplied(65, 50), [128, 128, 128, 255]).allSatisfy { abs($0 - $1) <= 1 })
    }
}
