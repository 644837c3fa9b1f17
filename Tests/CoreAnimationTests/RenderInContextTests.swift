import CoreAnimation
import Foundation
import LayerModel
import Testing

@testable import Quartz2D

@Suite("render(in:)") struct RenderInContextTests {
    private let red = CGColor(red: 1, green: 0, blue: 0, alpha: 1)
    private let blue = CGColor(red: 0, green: 0, blue: 1, alpha: 1)

    private func context(_ width: Int, _ height: Int, scale: CGFloat = 1) -> CGContext {
        let context = CGContext(
            data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: 0,
            space: CGColorSpaceCreateDeviceRGB(),
            bitmapInfo: CGBitmapInfo.byteOrder32Little.rawValue | CGImageAlphaInfo.premultipliedFirst.rawValue)!
        context.scaleBy(x: scale, y: scale)
        return context
    }

    private func bytes(_ context: CGContext, _ x: Int, _ y: Int) -> [UInt8] {
        let image = context.makeImage()!
        return image.content.pixels.withBytes { bytes in
            let at = y * image.bytesPerRow + x * 4
            return [bytes[at + 2], bytes[at + 1], bytes[at], bytes[at + 3]]
        }
    }

    private func area(_ context: CGContext) -> Double {
        let image = context.makeImage()!
        return image.content.pixels.withBytes { bytes in
            stride(from: 3, to: bytes.count, by: 4).reduce(0.0) { $0 + Double(bytes[$1]) } / 255
        }
    }

    private func alphas(_ context: CGContext, row: Int, _ columns: Range<Int>) -> [Int] {
        let image = context.makeImage()!
        return image.content.pixels.withBytes { bytes in
            columns.map { Int(bytes[row * image.bytesPerRow + $0 * 4 + 3]) }
        }
    }

    @Test("The receiver's own position and transform don't count; those of its sublayers do, and zPosition orders them")
    func geometry() {
        let root = layer(100, 200, 20, 20)
        root.setAffineTransform(CGAffineTransform(scaleX: 9, y: 9))
        root.backgroundColor = red
        let child = layer(4, 2, 6, 6)
        child.backgroundColor = blue
        let above = layer(4, 2, 3, 3)
        above.backgroundColor = .white
        above.zPosition = 1
        root.sublayers = [above, child]
        let context = context(20, 20)
        root.render(in: context)
        #expect(bytes(context, 0, 0) == [255, 0, 0, 255])
        #expect(bytes(context, 4, 17) == [255, 255, 255, 255] && bytes(context, 8, 17) == [0, 0, 255, 255])
        child.transform = CATransform3DMakeRotation(.pi / 2, 0, 0, 1)
        child.bounds.size = CGSize(width: 10, height: 2)
        above.isHidden = true
        let turned = self.context(20, 20)
        root.render(in: turned)
        #expect(bytes(turned, 7, 11) == [0, 0, 255, 255] && bytes(turned, 3, 15) == [255, 0, 0, 255])
    }

    @Test("C1: a border of 4 pt at 3x is exactly 12 px on each side, and what lies inside is untouched")
    func border() {
        let box = layer(0, 0, 100, 100)
        box.backgroundColor = red
        box.borderWidth = 4
        box.borderColor = .black
        let context = context(300, 300, scale: 3)
        box.render(in: context)
        let row = (0..<300).map { bytes(context, $0, 150)[0] }
        #expect(row[0..<12].allSatisfy { $0 == 0 } && row[12..<288].allSatisfy { $0 == 255 })
        #expect(row[288..<300].allSatisfy { $0 == 0 })
    }

    @Test("C2, C9: a border of half a point at 2x is one pixel; 5 around 80 x 60 covers 1300 square points")
    func borderAreas() {
        let thin = layer(0, 0, 10, 10)
        thin.borderWidth = 0.5
        let two = context(20, 20, scale: 2)
        thin.render(in: two)
        #expect(bytes(two, 0, 10)[3] == 255 && bytes(two, 1, 10)[3] == 0 && area(two) == 76)
        let wide = layer(0, 0, 80, 60)
        wide.borderWidth = 5
        let one = context(80, 60)
        wide.render(in: one)
        #expect(area(one) == 1300)
    }

    @Test("C3: a rounded border is a ring over the filled outer shape, within 34 levels of what was measured")
    func roundedBorder() {
        let box = layer(0, 0, 40, 40)
        box.backgroundColor = blue
        box.borderColor = CGColor(red: 1, green: 128.0 / 255, blue: 0, alpha: 1)
        box.borderWidth = 1
        box.cornerRadius = 10
        let context = context(40, 40)
        context.setFillColor(.white)
        context.fill(.infinite)
        box.render(in: context)
        for (x, y, wanted) in [(3, 3, [223, 111, 32]), (5, 1, [227, 116, 32])] {
            let found = bytes(context, x, y)
            let worst = zip(found, wanted).map { abs(Int($0) - $1) }.max()!
            #expect(worst <= 34, "(\(x),\(y)): \(found)")
        }
    }

    @Test("C5: the continuous corner of radius 10 at 3x covers the first row as measured")
    func continuousCorner() {
        let box = layer(0, 0, 100, 60)
        box.backgroundColor = red
        box.cornerRadius = 10
        box.cornerCurve = .continuous
        let context = context(300, 180, scale: 3)
        box.render(in: context)
        let wanted = [8, 22, 37, 49, 58, 66, 74, 79, 84, 88, 92, 94, 96, 97, 98, 99, 99, 100]
        let found = alphas(context, row: 0, 24..<42).map { Double($0) / 2.55 }
        let worst = zip(found, wanted).map { abs($0 - Double($1)) }.max()!
        #expect(worst <= 6, "\(found.map { Int($0) })")
        box.cornerRadius = 500
        box.cornerCurve = .circular
        let capsule = self.context(300, 180, scale: 3)
        box.render(in: capsule)
        #expect(abs(area(capsule) - (.pi * 90 * 90 + 120 * 180)) < 30, "C8")
    }

    @Test("S3: a layer's shadow has the measured alphas, and is cast by all below it (S9)")
    func shadow() {
        let wanted = [122, 112, 101, 91, 81, 72, 63, 55, 47, 40, 34, 28, 23, 18, 14, 11, 8, 5, 3, 1, 0]
        let root = layer(0, 0, 260, 130)
        let box = layer(0, -100, 110, 400)
        box.shadowOpacity = 1
        box.shadowRadius = 10
        box.shadowOffset = .zero
        let wing = layer(110, 0, 20, 400)
        wing.backgroundColor = red
        box.backgroundColor = red
        box.addSublayer(wing)
        root.addSublayer(box)
        let context = context(260, 130)
        root.render(in: context)
        let found = alphas(context, row: 64, 130..<151)
        let worst = zip(found, wanted).map { abs($0 - $1) }.max()!
        #expect(worst <= 3, "\(found)")
        box.masksToBounds = true
        box.bounds.size.width = 100
        let clipped = self.context(260, 130)
        root.render(in: clipped)
        #expect(bytes(clipped, 150, 64)[3] == 0)
    }

    @Test("S6: radius and offset are the layer's own: scaled by its transform")
    func scaledShadow() {
        let root = layer(0, 0, 200, 200)
        let box = layer(bounds: rect(0, 0, 20, 20), position: point(50, 150))
        box.backgroundColor = .white
        box.setAffineTransform(CGAffineTransform(scaleX: 2, y: 2))
        (box.shadowOpacity, box.shadowRadius, box.shadowOffset) = (1, 0, CGSize(width: 20, height: -10))
        root.addSublayer(box)
        let context = context(200, 200)
        root.render(in: context)
        // The box covers 30…70 both ways around (50, 150); its shadow lies 40 to the right and 20 down.
        #expect(bytes(context, 109, 70) == [0, 0, 0, 255] && bytes(context, 111, 70)[3] == 0)
        #expect(bytes(context, 80, 89) == [0, 0, 0, 255] && bytes(context, 80, 91)[3] == 0)
    }

    @Test("Opacity fades a layer and all below as one; hidden and fully transparent ones are left out")
    func opacity() {
        let root = layer(0, 0, 10, 10)
        root.opacity = 0.5
        root.backgroundColor = red
        let child = layer(0, 0, 5, 10)
        child.backgroundColor = blue
        root.addSublayer(child)
        let context = context(10, 10)
        root.render(in: context)
        #expect(bytes(context, 2, 5) == [0, 0, 128, 128] && bytes(context, 7, 5) == [128, 0, 0, 128])
        root.opacity = 0
        let none = self.context(10, 10)
        root.render(in: none)
        #expect(area(none) == 0)
    }

    @Test("A mask's alpha cuts, its color does not; masksToBounds cuts at the corners")
    func masks() {
        let root = layer(0, 0, 20, 20)
        root.backgroundColor = red
        let mask = layer(5, 0, 10, 20)
        mask.backgroundColor = CGColor(red: 0, green: 1, blue: 0, alpha: 0.5)
        root.mask = mask
        let context = context(20, 20)
        root.render(in: context)
        #expect(bytes(context, 10, 10) == [128, 0, 0, 128] && bytes(context, 2, 10)[3] == 0)
        root.mask = nil
        root.backgroundColor = nil
        root.masksToBounds = true
        root.cornerRadius = 10
        let wide = layer(-10, -10, 40, 40)
        wide.backgroundColor = blue
        root.addSublayer(wide)
        let round = self.context(20, 20)
        root.render(in: round)
        #expect(abs(area(round) - .pi * 100) < 3)
    }

    @Test("Contents lie by gravity, upright; drawn contents too, and nothing is displayed for it")
    func contents() throws {
        let picture = try CGImage(width: 2, height: 1, straightRGBA: [255, 0, 0, 255, 0, 0, 255, 255])
        let root = layer(0, 0, 8, 6)
        root.contents = picture
        root.contentsGravity = .topRight
        root.magnificationFilter = .nearest
        let one = context(8, 6)
        root.render(in: one)
        #expect(bytes(one, 6, 0) == [255, 0, 0, 255] && bytes(one, 7, 0) == [0, 0, 255, 255] && area(one) == 2)
        root.contentsGravity = .resize
        let two = context(8, 6)
        root.render(in: two)
        #expect(bytes(two, 3, 5) == [255, 0, 0, 255] && bytes(two, 4, 0) == [0, 0, 255, 255])
        root.contentsRect = CGRect(x: 0.5, y: 0, width: 0.5, height: 1)
        let three = context(8, 6)
        root.render(in: three)
        #expect(bytes(three, 0, 0) == [0, 0, 255, 255] && area(three) == 48)
        root.setNeedsDisplay()
        root.render(in: three)
        #expect(root.needsDisplay())
    }

    @Test("The edge cells of contentsCenter keep their size")
    func ninePart() throws {
        var pixels: [UInt8] = []
        for x in 0..<3 { pixels += x == 1 ? [0, 0, 255, 255] : [255, 0, 0, 255] }
        let picture = try CGImage(width: 3, height: 1, straightRGBA: pixels)
        let root = layer(0, 0, 9, 4)
        root.contents = picture
        root.magnificationFilter = .nearest
        root.contentsCenter = CGRect(x: 1.0 / 3, y: 0, width: 1.0 / 3, height: 1)
        let context = context(9, 4)
        root.render(in: context)
        let row = (0..<9).map { bytes(context, $0, 2)[0] }
        #expect(row == [255, 0, 0, 0, 0, 0, 0, 0, 255])
    }

    @Test("A compositing filter of a name that Core Graphics knows blends with what is below in the group")
    func compositing() {
        let root = layer(0, 0, 4, 4)
        root.backgroundColor = CGColor(red: 1, green: 0.5, blue: 0.5, alpha: 1)
        let child = layer(0, 0, 2, 4)
        child.backgroundColor = CGColor(red: 0.5, green: 1, blue: 0, alpha: 1)
        child.compositingFilter = "multiplyBlendMode"
        root.addSublayer(child)
        let context = context(4, 4)
        root.render(in: context)
        let found = bytes(context, 0, 0)
        #expect(zip(found, [128, 128, 0, 255]).allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "\(found)")
    }

    @Test("P1: a shape layer's dashes begin at the path's first point; a trimmed line is drawn too")
    func shapes() {
        let shape = CAShapeLayer()
        shape.frame = rect(0, 0, 60, 20)
        let path = CGMutablePath()
        path.move(to: point(1, 10))
        path.addLine(to: point(51, 10))
        (shape.path, shape.fillColor, shape.strokeColor, shape.lineWidth) = (path, nil, red, 2)
        shape.lineDashPattern = [5, 5]
        let context = context(120, 40, scale: 2)
        shape.render(in: context)
        let row = alphas(context, row: 19, 0..<42)
        #expect(row == (0..<42).map { $0 >= 2 && ($0 - 2) / 10 % 2 == 0 ? 255 : 0 }, "\(row)")
        shape.lineDashPattern = nil
        shape.strokeEnd = 0.5
        let half = self.context(60, 20)
        shape.render(in: half)
        #expect(abs(area(half) - 50) < 0.5)
    }

    @Test("G1, G5: an axial gradient is linear in encoded components; a radial one without a radius is nothing")
    func gradients() {
        let gradient = CAGradientLayer()
        gradient.frame = rect(0, 0, 10, 100)
        gradient.colors = [CGColor.black, CGColor.white]
        let context = context(10, 100)
        gradient.render(in: context)
        // startPoint (0.5, 0) is at min y: the bottom row of a bitmap context.
        for row in [0, 25, 50, 99] {
            let wanted = 255 * (Double(99 - row) + 0.5) / 100
            #expect(abs(Double(bytes(context, 5, row)[0]) - wanted) <= 1.5)
        }
        gradient.type = .radial
        gradient.startPoint = point(0.5, 0.5)
        let none = self.context(10, 100)
        gradient.render(in: none)
        #expect(area(none) == 0)
    }

    @Test("A tree a thousand deep is drawn")
    func deep() {
        let root = layer(0, 0, 4, 4)
        var deepest = root
        for _ in 0..<1_000 {
            let next = layer(0, 0, 4, 4)
            deepest.addSublayer(next)
            deepest = next
        }
        deepest.backgroundColor = red
        let context = context(4, 4)
        root.render(in: context)
        #expect(area(context) == 16)
    }
}
