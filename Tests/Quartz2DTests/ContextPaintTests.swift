import Foundation
import Testing

@testable import Quartz2D

@Suite struct ContextPaintTests {
    private let red = CGColor(red: 1, green: 0, blue: 0, alpha: 1)
    private let blue = CGColor(red: 0, green: 0, blue: 1, alpha: 1)

    @Test("A linear gradient interpolates straight encoded components along its line")
    func linear() {
        let context = makeContext(100, 4)
        let colors = [CGColor(red: 1, green: 0, blue: 0, alpha: 1), CGColor(red: 0, green: 0, blue: 1, alpha: 0)]
        let gradient = CGGradient(colorsSpace: nil, colors: colors, locations: [0, 1])!
        context.drawLinearGradient(
            gradient, start: CGPoint(x: 20, y: 0), end: CGPoint(x: 80, y: 0), options: [.drawsBeforeStartLocation])
        for x in [20, 35, 50, 70, 79] {
            let t = (Double(x) + 0.5 - 20) / 60
            let alpha = 1 - t
            let wanted = [(1 - t) * alpha, 0, t * alpha, alpha].map { UInt8(($0 * 255).rounded()) }
            #expect(isNear(context.bytes(x, 1), wanted, within: 2), "at \(x): \(context.bytes(x, 1)), wanted \(wanted)")
        }
        #expect(context.bytes(5, 1) == [255, 0, 0, 255], "before the start")
        #expect(context.bytes(95, 1) == [0, 0, 0, 0], "after the end")
    }

    @Test("Without options nothing is drawn beyond the ends; equal locations are a hard edge")
    func edges() {
        let context = makeContext(40, 2)
        let gradient = CGGradient(
            colorsSpace: nil, colors: [red, red, blue, blue] as NSArray, locations: [0, 0.5, 0.5, 1])!
        context.drawLinearGradient(gradient, start: CGPoint(x: 10, y: 0), end: CGPoint(x: 30, y: 0), options: [])
        #expect(context.bytes(9, 0) == [0, 0, 0, 0] && context.bytes(30, 0) == [0, 0, 0, 0])
        #expect(context.bytes(10, 0) == [255, 0, 0, 255] && context.bytes(19, 0) == [255, 0, 0, 255])
        #expect(context.bytes(20, 0) == [0, 0, 255, 255] && context.bytes(29, 0) == [0, 0, 255, 255])
    }

    @Test("A radial gradient grows from one circle to the other; a conic one turns with growing angles")
    func radialAndConic() {
        let gradient = CGGradient(
            colorSpace: CGColorSpaceCreateDeviceRGB(), colorComponents: [0, 0, 0, 1, 1, 1, 1, 1], locations: nil,
            count: 2)!
        let context = makeContext(80, 80)
        context.drawRadialGradient(
            gradient, startCenter: CGPoint(x: 40, y: 40), startRadius: 10, endCenter: CGPoint(x: 40, y: 40),
            endRadius: 30, options: [.drawsBeforeStartLocation])
        #expect(context.bytes(40, 40) == [0, 0, 0, 255])
        let level = Int(context.bytes(60, 40)[0])
        #expect(abs(level - Int(255 * (20.5 - 10) / 20)) <= 4, "\(level)")
        #expect(context.bytes(75, 40) == [0, 0, 0, 0])
        let conic = makeContext(80, 80)
        conic.drawConicGradient(gradient, center: CGPoint(x: 40, y: 40), angle: 0)
        // Up is a quarter turn, left a half.
        #expect(abs(Int(conic.bytes(40, 5)[0]) - 64) <= 2 && abs(Int(conic.bytes(5, 39)[0]) - 128) <= 2)
        context.keep("radial")
        conic.keep("conic")
    }

    @Test(
        "An image stands upright in a bitmap context, upside down where y is turned around, and exact at its own size")
    func images() throws {
        let pixels: [UInt8] = [255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255]
        let image = try CGImage(width: 2, height: 2, straightRGBA: pixels)
        let context = makeContext(4, 4)
        context.draw(image, in: CGRect(x: 1, y: 1, width: 2, height: 2))
        #expect(context.bytes(1, 1) == [255, 0, 0, 255] && context.bytes(2, 1) == [0, 255, 0, 255])
        #expect(context.bytes(1, 2) == [0, 0, 255, 255] && context.area == 4)
        context.clear(.infinite)
        context.translateBy(x: 0, y: 4)
        context.scaleBy(x: 1, y: -1)
        context.draw(image, in: CGRect(x: 0, y: 0, width: 2, height: 2))
        #expect(context.bytes(0, 0) == [0, 0, 255, 255] && context.bytes(0, 1) == [255, 0, 0, 255])
    }

    @Test("Without interpolation pixels become blocks; with it there is something in between, and no dark rim")
    func interpolation() throws {
        let image = try CGImage(width: 2, height: 1, straightRGBA: [0, 0, 0, 255, 255, 255, 255, 255])
        let context = makeContext(20, 2)
        context.interpolationQuality = .none
        context.draw(image, in: CGRect(x: 0, y: 0, width: 20, height: 2))
        #expect(context.bytes(9, 0) == [0, 0, 0, 255] && context.bytes(10, 0) == [255, 255, 255, 255])
        context.interpolationQuality = .low
        context.draw(image, in: CGRect(x: 0, y: 0, width: 20, height: 2))
        #expect(abs(Int(context.bytes(9, 0)[0]) - 121) <= 12)
        #expect(context.bytes(19, 1) == [255, 255, 255, 255] && context.bytes(0, 0) == [0, 0, 0, 255])
    }

    @Test("Alpha fades an image; tiling repeats it")
    func alphaAndTiles() throws {
        let image = try CGImage(width: 2, height: 2, straightRGBA: [UInt8](repeating: 255, count: 16))
        let context = makeContext(8, 8)
        context.setAlpha(0.5)
        context.draw(image, in: CGRect(x: 0, y: 0, width: 2, height: 2))
        #expect(isNear(context.bytes(0, 7), [128, 128, 128, 128]))
        context.setAlpha(1)
        context.draw(image, in: CGRect(x: 0, y: 0, width: 2, height: 2), byTiling: true)
        #expect(context.area == 64)
    }

    @Test("A pattern repeats its cell, whatever the ctm; a stencil takes the color given")
    func patterns() {
        var callbacks = CGPatternCallbacks(
            version: 0,
            drawPattern: { _, cell in
                cell.setFillColor(red: 0, green: 1, blue: 0, alpha: 1)
                cell.fill(CGRect(x: 0, y: 0, width: 2, height: 2))
            }, releaseInfo: nil)
        let pattern = CGPattern(
            info: nil, bounds: CGRect(x: 0, y: 0, width: 4, height: 4), matrix: .identity, xStep: 4, yStep: 4,
            tiling: .noDistortion, isColored: true, callbacks: &callbacks)!
        let context = makeContext(16, 16)
        context.setFillColorSpace(CGColorSpace(patternBaseSpace: nil)!)
        var alpha: CGFloat = 1
        context.setFillPattern(pattern, colorComponents: &alpha)
        context.scaleBy(x: 2, y: 2)
        context.fill(CGRect(x: 0, y: 0, width: 8, height: 8))
        #expect(context.area == 64)
        #expect(context.bytes(0, 15) == [0, 255, 0, 255] && context.bytes(4, 11) == [0, 255, 0, 255])
        #expect(context.bytes(2, 15) == [0, 0, 0, 0])
        var stencil = CGPatternCallbacks(
            version: 0, drawPattern: { _, cell in cell.fill(CGRect(x: 0, y: 0, width: 1, height: 4)) }, releaseInfo: nil
        )
        let lines = CGPattern(
            info: nil, bounds: CGRect(x: 0, y: 0, width: 4, height: 4), matrix: .identity, xStep: 4, yStep: 4,
            tiling: .noDistortion, isColored: false, callbacks: &stencil)!
        let other = makeContext(8, 8)
        other.setFillColorSpace(CGColorSpace(patternBaseSpace: CGColorSpaceCreateDeviceRGB())!)
        other.setFillPattern(lines, colorComponents: [1, 0, 0, 1])
        other.fill(CGRect(x: 0, y: 0, width: 8, height: 8))
        #expect(other.bytes(0, 0) == [255, 0, 0, 255] && other.bytes(4, 5) == [255, 0, 0, 255])
        #expect(other.bytes(1, 0) == [0, 0, 0, 0])
    }

    @Test("Nothing traps: numbers that are not finite, far away, singular, or too many")
    func hostile() throws {
        let image = try CGImage(width: 1, height: 1, straightRGBA: [1, 2, 3, 4])
        let context = makeContext(16, 16)
        let wild: [CGFloat] = [.nan, .infinity, -.infinity, 1e300, -1e300, 1e18, 1e-300, 0]
        for value in wild {
            context.saveGState()
            context.fill(CGRect(x: value, y: value, width: value, height: 3))
            context.stroke(CGRect(x: 1, y: 1, width: value, height: value), width: value)
            context.setLineWidth(value)
            context.setMiterLimit(value)
            context.setFlatness(value)
            context.setLineDash(phase: value, lengths: [value, 1])
            context.move(to: CGPoint(x: value, y: 0))
            context.addLine(to: CGPoint(x: 5, y: value))
            context.addQuadCurve(to: CGPoint(x: 3, y: value), control: CGPoint(x: value, y: 1))
            context.addArc(
                center: CGPoint(x: 8, y: value), radius: value, startAngle: value, endAngle: 1, clockwise: true)
            context.addArc(tangent1End: CGPoint(x: value, y: 1), tangent2End: CGPoint(x: 1, y: value), radius: value)
            context.strokePath()
            context.setShadow(offset: CGSize(width: value, height: value), blur: value, color: .black)
            context.setAlpha(value)
            context.fill(CGRect(x: 1, y: 1, width: 4, height: 4))
            context.draw(image, in: CGRect(x: 0, y: value, width: 3, height: value))
            context.clip(to: CGRect(x: value, y: 0, width: 4, height: value))
            context.translateBy(x: value, y: value)
            context.scaleBy(x: value, y: 1)
            context.rotate(by: value)
            context.fill(CGRect(x: 0, y: 0, width: 1, height: 1))
            context.strokeEllipse(in: CGRect(x: 0, y: 0, width: 5, height: 5))
            context.draw(image, in: CGRect(x: 0, y: 0, width: 2, height: 2))
            context.showText("a", at: CGPoint(x: value, y: 1))
            context.restoreGState()
        }
        context.setLineDash(phase: 0, lengths: [1e-9])
        context.strokeLineSegments(between: [CGPoint(x: -1e6, y: 1), CGPoint(x: 1e6, y: 1)])
        for _ in 0..<10_000 { context.saveGState() }
        for _ in 0..<10_000 { context.restoreGState() }
        context.clear(.infinite)
        context.resetClip()
        context.setFillColor(.white)
        context.setAlpha(1)
        context.setShadow(offset: .zero, blur: 0, color: nil)
        context.fill(CGRect(x: -1e9, y: -1e9, width: 2e9, height: 2e9))
        #expect(context.area == 256, "the context still draws")
    }
}
