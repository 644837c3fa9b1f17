import CoreAnimation
import LayerModel
import Quartz2D
import Testing

/// The geometry of the measured facts, M, where it shows: a layer covers the pixels that its frame says.
@Suite("Frames, drawn")
struct FramePictureTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var bounds = CGRect(x: 0, y: 0, width: 100, height: 50)
        var anchor = CGPoint(x: 0.5, y: 0.5)
        var position = CGPoint(x: 200, y: 300)
        var transform = CATransform3DIdentity
        var frame: CGRect
    }

    private static func rect(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> CGRect {
        CGRect(x: x, y: y, width: width, height: height)
    }

    private static let cases = [
        Case(testDescription: "plain", frame: rect(150, 275, 100, 50)),
        Case(testDescription: "anchor (0, 0)", anchor: CGPoint(x: 0, y: 0), frame: rect(200, 300, 100, 50)),
        Case(testDescription: "anchor (1, 1)", anchor: CGPoint(x: 1, y: 1), frame: rect(100, 250, 100, 50)),
        Case(
            testDescription: "anchor (2, -1) at the origin", anchor: CGPoint(x: 2, y: -1), position: .zero,
            frame: rect(-200, 50, 100, 50)),
        Case(
            testDescription: "scale (2, 4)", transform: CATransform3DMakeScale(2, 4, 1),
            frame: rect(100, 200, 200, 200)),
        Case(
            testDescription: "45 degrees", bounds: rect(0, 0, 100, 100), position: .zero,
            transform: CATransform3DMakeRotation(.pi / 4, 0, 0, 1), frame: rect(-70.71, -70.71, 141.42, 141.42)),
        Case(testDescription: "bounds origin (11, 22)", bounds: rect(11, 22, 100, 50), frame: rect(150, 275, 100, 50)),
        Case(
            testDescription: "negative size", bounds: rect(0, 0, -100, -50), position: CGPoint(x: -50, y: -25),
            frame: rect(-100, -50, 100, 50)),
        Case(
            testDescription: "scale (2, 4) after setting the frame", bounds: rect(0, 0, 50, 12.5),
            position: CGPoint(x: 60, y: 45), transform: CATransform3DMakeScale(2, 4, 1), frame: rect(10, 20, 100, 50)),
        Case(
            testDescription: "translation (10, 20) after setting the frame", position: CGPoint(x: 50, y: 25),
            transform: CATransform3DMakeTranslation(10, 20, 0), frame: rect(10, 20, 100, 50)),
    ]

    @Test("A layer covers its frame", arguments: cases, [1.0, 2, 3])
    func coversFrame(_ c: Case, scale: Double) throws {
        // Room for what lies left of the origin.
        let shift = 210.0
        let pixels = try drawTree(520, 620, scale: scale) { root in
            let space = CALayer()
            space.position = CGPoint(x: shift, y: shift)
            let layer = CALayer()
            layer.bounds = c.bounds
            layer.anchorPoint = c.anchor
            layer.position = c.position
            layer.transform = c.transform
            layer.backgroundColor = color(1, 0, 0)
            space.addSublayer(layer)
            root.addSublayer(space)
        }
        let found = coveredBox(pixels)
        func pixel(_ value: CGFloat) -> Double { (Double(value) + shift) * scale }
        let expected = PixelRect(
            x: Int(pixel(c.frame.minX).rounded(.down)), y: Int(pixel(c.frame.minY).rounded(.down)),
            width: Int(pixel(c.frame.maxX).rounded(.up)) - Int(pixel(c.frame.minX).rounded(.down)),
            height: Int(pixel(c.frame.maxY).rounded(.up)) - Int(pixel(c.frame.minY).rounded(.down)))
        // The tip of a turned square fills less than half a level of its last pixel.
        let bound = c.testDescription == "45 degrees" ? 1 : 0
        let isNear =
            abs(found.minX - expected.minX) <= bound && abs(found.minY - expected.minY) <= bound
            && abs(found.maxX - expected.maxX) <= bound && abs(found.maxY - expected.maxY) <= bound
        #expect(isNear, "covers \(found), the frame is \(expected)")
    }

    @Test("sublayerTransform works about the parent's anchor point, where it shows too")
    func sublayerTransform() throws {
        // Parent 200 × 200 with scale 2, child 50 × 50 at (100, 50), translated by (5, 6): its corner is at (60, -38).
        let pixels = try drawTree(300, 300) { root in
            let (parent, child) = (CALayer(), CALayer())
            parent.frame = CGRect(x: 50, y: 50, width: 200, height: 200)
            parent.sublayerTransform = CATransform3DMakeScale(2, 2, 1)
            child.bounds = CGRect(x: 0, y: 0, width: 50, height: 50)
            child.position = CGPoint(x: 100, y: 50)
            child.transform = CATransform3DMakeTranslation(5, 6, 0)
            child.backgroundColor = color(1, 0, 0)
            parent.addSublayer(child)
            root.addSublayer(parent)
        }
        #expect(coveredBox(pixels) == PixelRect(x: 110, y: 12, width: 100, height: 100))
    }

    /// The pixels with any alpha, as one rectangle.
    private func coveredBox(_ pixels: Pixels) -> PixelRect {
        var (left, top, right, bottom) = (pixels.size.width, pixels.size.height, 0, 0)
        for y in 0..<pixels.size.height {
            for x in 0..<pixels.size.width where pixels.bytes[(y * pixels.size.width + x) * 4 + 3] > 0 {
                left = min(left, x)
                top = min(top, y)
                right = max(right, x + 1)
                bottom = max(bottom, y + 1)
            }
        }
        guard right > left else { return .empty }
        return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
    }
}
