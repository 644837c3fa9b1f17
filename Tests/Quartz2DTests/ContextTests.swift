import Foundation
import Testing

@testable import Quartz2D

@Suite struct ContextTests {
    @Test(
        "A solid fill is round(255 · c · alpha) in every byte",
        arguments: [
            (1.0, 0.5, 0.25, 1.0), (1, 1, 1, 0.5), (0.2, 0.4, 0.8, 0.3), (0.9, 0.1, 0.6, 0.01), (2, -1, 0.5, 0.7),
        ])
    func solidFill(red: Double, green: Double, blue: Double, alpha: Double) {
        let context = makeContext(3, 3)
        context.setFillColor(red: red, green: green, blue: blue, alpha: alpha)
        context.fill(CGRect(x: 0, y: 0, width: 3, height: 3))
        let wanted = [red, green, blue, 1].map { c in UInt8((min(max(c, 0), 1) * alpha * 255).rounded()) }
        #expect(context.bytes(1, 1) == wanted)
    }

    @Test("Every 8-bit gray comes out as itself")
    func everyLevel() {
        let context = makeContext(256, 1)
        for level in 0..<256 {
            context.setFillColor(gray: CGFloat(level) / 255, alpha: 1)
            context.fill(CGRect(x: level, y: 0, width: 1, height: 1))
        }
        let wrong = (0..<256).filter { Int(context.bytes($0, 0)[0]) != $0 }
        #expect(wrong.isEmpty, "levels \(wrong.prefix(5))")
    }

    @Test("A bitmap context counts up from the bottom left, and the ctm comes before it")
    func yUp() {
        let context = makeContext(10, 8)
        context.translateBy(x: 2, y: 1)
        context.scaleBy(x: 2, y: 3)
        context.fill(CGRect(x: 0, y: 0, width: 1, height: 1))
        // x 2…4; y 1…4 from the bottom: rows 4, 5, 6.
        let columns = (0..<10).filter { context.bytes($0, 5)[3] == 255 }
        let rows = (0..<8).filter { context.bytes(2, $0)[3] == 255 }
        #expect(columns == [2, 3] && rows == [4, 5, 6])
        #expect(context.area == 6)
        #expect(context.ctm == CGAffineTransform(2, 0, 0, 3, 2, 1))
        #expect(context.convertToDeviceSpace(CGPoint(x: 1, y: 1)) == CGPoint(x: 4, y: 4))
    }

    @Test("restoreGState brings back everything but the path, and nothing when nothing was saved")
    func states() {
        let context = makeContext(4, 4)
        context.restoreGState()
        context.saveGState()
        context.setFillColor(red: 1, green: 0, blue: 0, alpha: 1)
        context.clip(to: CGRect(x: 0, y: 0, width: 1, height: 4))
        context.scaleBy(x: 7, y: 7)
        context.restoreGState()
        context.fill(CGRect(x: 0, y: 0, width: 4, height: 4))
        #expect(context.bytes(3, 3) == [0, 0, 0, 255])
        #expect(context.ctm == .identity)
    }

    @Test("The current path keeps its place when the ctm changes after")
    func pathKeepsItsPlace() {
        let context = makeContext(10, 10)
        context.addRect(CGRect(x: 1, y: 1, width: 2, height: 2))
        context.translateBy(x: 5, y: 5)
        #expect(context.path?.boundingBox == CGRect(x: -4, y: -4, width: 2, height: 2))
        context.fillPath()
        #expect(context.bytes(1, 8)[3] == 255 && context.area == 4)
        #expect(context.isPathEmpty)
    }

    @Test("Areas: rectangle, ellipse, even-odd, stroke, dash; against their formulas")
    func areas() {
        let context = makeContext(100, 100)
        func area(_ draw: (CGContext) -> Void) -> Double {
            context.clear(.infinite)
            context.saveGState()
            draw(context)
            context.restoreGState()
            return context.area
        }
        #expect(abs(area { $0.fill(CGRect(x: 10.25, y: 10.5, width: 20, height: 10.5)) } - 210) < 0.5)
        #expect(abs(area { $0.fillEllipse(in: CGRect(x: 10, y: 10, width: 80, height: 60)) } - .pi * 40 * 30) < 8)
        let ring = area {
            $0.addRect(CGRect(x: 10, y: 10, width: 50, height: 50))
            $0.addRect(CGRect(x: 20, y: 20, width: 30, height: 30))
            $0.fillPath(using: .evenOdd)
        }
        #expect(ring == 2500 - 900)
        #expect(area { $0.stroke(CGRect(x: 20, y: 20, width: 40, height: 40), width: 6) } == 46 * 46 - 34 * 34)
        let dashed = area {
            $0.setLineDash(phase: 0, lengths: [10, 5])
            $0.setLineWidth(2)
            $0.strokeLineSegments(between: [CGPoint(x: 10, y: 50), CGPoint(x: 70, y: 50)])
        }
        #expect(dashed == 4 * 10 * 2)
        let dots = area {
            $0.setLineDash(phase: 0, lengths: [0, 10])
            $0.setLineWidth(6)
            $0.setLineCap(.round)
            $0.strokeLineSegments(between: [CGPoint(x: 15, y: 50), CGPoint(x: 64, y: 50)])
        }
        #expect(abs(dots - 5 * .pi * 9) < 4)
        let scaled = area {
            $0.scaleBy(x: 4, y: 2)
            $0.setLineWidth(2)
            $0.strokeLineSegments(between: [CGPoint(x: 5, y: 10), CGPoint(x: 5, y: 20)])
        }
        #expect(scaled == 8 * 20, "the pen is scaled with the ctm")
        let thin = area {
            $0.setLineWidth(0)
            $0.scaleBy(x: 10, y: 10)
            $0.strokeLineSegments(between: [CGPoint(x: 1, y: 2.05), CGPoint(x: 5, y: 2.05)])
        }
        #expect(thin == 40, "a line of width 0 is a pixel wide")
        #expect(
            area {
                $0.setShouldAntialias(false); $0.fill(CGRect(x: 0, y: 0, width: 9.6, height: 4))
            } == 40)
    }

    @Test("The stroked path covers what stroking covers, in the ctm's units")
    func strokedPath() {
        func area(_ asPath: Bool) -> Double {
            let context = makeContext(100, 100)
            context.scaleBy(x: 2, y: 1)
            context.setLineWidth(6)
            context.setLineCap(.round)
            context.setLineDash(phase: 0, lengths: [15, 10])
            context.move(to: CGPoint(x: 5, y: 20))
            context.addLine(to: CGPoint(x: 40, y: 20))
            context.addLine(to: CGPoint(x: 40, y: 80))
            if asPath { context.replacePathWithStrokedPath() }
            if asPath { context.fillPath() } else { context.strokePath() }
            return context.area
        }
        #expect(area(false) > 500 && abs(area(true) - area(false)) < 8, "\(area(true)), \(area(false))")
    }

    @Test("Miters are cut at the limit, caps reach out by half the width")
    func joins() {
        func area(_ change: (CGContext) -> Void) -> Double {
            let context = makeContext(100, 100)
            context.setLineWidth(10)
            change(context)
            context.move(to: CGPoint(x: 20, y: 20))
            context.addLine(to: CGPoint(x: 60, y: 20))
            context.addLine(to: CGPoint(x: 60, y: 60))
            context.strokePath()
            return context.area
        }
        #expect(area { _ in } == 45 * 10 + 35 * 10)
        #expect(abs(area { $0.setMiterLimit(1) } - (800 - 12.5)) < 1)
        #expect(abs(area { $0.setLineJoin(.round) } - (800 - 25 + .pi * 25 / 4)) < 1)
        #expect(area { $0.setLineCap(.square) } == 800 + 100)
    }

    @Test("Clips cut, nest and reset; an even-odd clip has its hole")
    func clips() {
        let context = makeContext(20, 20)
        context.saveGState()
        context.addRect(CGRect(x: 2, y: 2, width: 16, height: 16))
        context.addRect(CGRect(x: 6, y: 6, width: 8, height: 8))
        context.clip(using: .evenOdd)
        context.clip(to: CGRect(x: 0, y: 0, width: 10, height: 20))
        #expect(context.boundingBoxOfClipPath == CGRect(x: 2, y: 2, width: 8, height: 16))
        context.fill(.infinite)
        #expect(context.area == 8 * 16 - 4 * 8)
        context.restoreGState()
        context.clip(to: [CGRect(x: 0, y: 0, width: 1, height: 1), CGRect(x: 19, y: 19, width: 1, height: 1)])
        context.setFillColor(.white)
        context.fill(.infinite)
        #expect(context.bytes(0, 19) == [255, 255, 255, 255] && context.bytes(19, 0) == [255, 255, 255, 255])
        context.resetClip()
        context.clear(.infinite)
        #expect(context.area == 0)
    }

    @Test("A clip mask multiplies by its alpha, twice when it is set twice")
    func maskClip() throws {
        let mask = try CGImage(width: 2, height: 1, straightRGBA: [0, 0, 0, 128, 0, 0, 0, 255])
        let context = makeContext(8, 8)
        context.interpolationQuality = .none
        context.clip(to: CGRect(x: 0, y: 0, width: 8, height: 4), mask: mask)
        context.setFillColor(.white)
        context.fill(.infinite)
        #expect(isNear(context.bytes(1, 6), [128, 128, 128, 128]))
        #expect(context.bytes(6, 6) == [255, 255, 255, 255])
        #expect(context.bytes(6, 2) == [0, 0, 0, 0])
        context.clip(to: CGRect(x: 0, y: 0, width: 8, height: 4), mask: mask)
        context.clear(CGRect(x: 0, y: 0, width: 8, height: 8))
    }

    @Test(
        "What the app reads has the order it asked for",
        arguments: [
            (CGImageAlphaInfo.premultipliedLast.rawValue, [UInt8](arrayLiteral: 128, 64, 0, 128)),
            (CGImageAlphaInfo.premultipliedFirst.rawValue, [128, 128, 64, 0]),
            (
                CGImageAlphaInfo.premultipliedFirst.rawValue | CGBitmapInfo.byteOrder32Little.rawValue,
                [0, 64, 128, 128]
            ),
            (CGImageAlphaInfo.premultipliedLast.rawValue | CGBitmapInfo.byteOrder32Little.rawValue, [128, 0, 64, 128]),
            (CGImageAlphaInfo.noneSkipLast.rawValue, [128, 64, 0, 255]),
            (CGImageAlphaInfo.noneSkipFirst.rawValue | CGBitmapInfo.byteOrder32Little.rawValue, [0, 64, 128, 255]),
        ])
    func formats(info: UInt32, wanted: [UInt8]) throws {
        var memory = [UInt8](repeating: 0, count: 4 * 4 * 4)
        try memory.withUnsafeMutableBytes { bytes in
            let context = try #require(
                CGContext(
                    data: bytes.baseAddress, width: 4, height: 4, bitsPerComponent: 8, bytesPerRow: 16,
                    space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: info))
            context.setFillColor(red: 1, green: 0.5, blue: 0, alpha: 128.0 / 255)
            context.fill(CGRect(x: 0, y: 3, width: 4, height: 1))
            #expect(context.bitmapInfo.rawValue == info)
        }
        #expect(Array(memory[0..<4]) == wanted)
    }

    @Test("Memory handed out once stays up to date; alpha-only and gray contexts keep one byte a pixel")
    func oneByte() throws {
        let alpha = try #require(
            CGContext(
                data: nil, width: 4, height: 2, bitsPerComponent: 8, bytesPerRow: 4, space: nil,
                bitmapInfo: CGImageAlphaInfo.alphaOnly.rawValue))
        let data = try #require(alpha.data).assumingMemoryBound(to: UInt8.self)
        alpha.setAlpha(0.5)
        alpha.fill(CGRect(x: 0, y: 1, width: 2, height: 1))
        #expect([data[0], data[1], data[2], data[4]] == [128, 128, 0, 0])
        let gray = try #require(
            CGContext(
                data: nil, width: 2, height: 1, bitsPerComponent: 8, bytesPerRow: 2,
                space: CGColorSpaceCreateDeviceGray(), bitmapInfo: CGImageAlphaInfo.none.rawValue))
        gray.setFillColor(gray: 0.6, alpha: 1)
        gray.fill(CGRect(x: 1, y: 0, width: 1, height: 1))
        let levels = try #require(gray.data).assumingMemoryBound(to: UInt8.self)
        #expect([levels[0], levels[1]] == [0, 153])
    }

    @Test("What is not drawn here is refused: other depths, straight alpha, floats, sizes outside the limits")
    func refused() {
        let rgb = CGColorSpaceCreateDeviceRGB()
        func make(_ width: Int, _ bits: Int, _ row: Int, _ info: UInt32) -> CGContext? {
            CGContext(
                data: nil, width: width, height: 4, bitsPerComponent: bits, bytesPerRow: row, space: rgb,
                bitmapInfo: info)
        }
        let premultiplied = CGImageAlphaInfo.premultipliedFirst.rawValue
        #expect(make(4, 16, 0, premultiplied) == nil)
        #expect(make(4, 8, 0, CGImageAlphaInfo.last.rawValue) == nil)
        #expect(make(4, 8, 0, premultiplied | CGBitmapInfo.floatComponents.rawValue) == nil)
        #expect(make(0, 8, 0, premultiplied) == nil && make(-1, 8, 0, premultiplied) == nil)
        #expect(make(1 << 40, 8, 0, premultiplied) == nil)
        #expect(make(4, 8, 15, premultiplied) == nil)
        #expect(make(4, 8, .max, premultiplied) == nil)
        #expect(make(4, 8, 64, premultiplied) != nil)
    }

    @Test("An opaque context begins black and its picture is opaque, whatever is cleared")
    func opaque() {
        let context = makeContext(2, 2, isOpaque: true)
        #expect(context.bytes(0, 0) == [0, 0, 0, 255])
        context.setFillColor(.white)
        context.fill(.infinite)
        context.clear(CGRect(x: 0, y: 0, width: 1, height: 1))
        #expect(context.bytes(0, 1) == [0, 0, 0, 255] && context.bytes(1, 1) == [255, 255, 255, 255])
        #expect(context.makeImage()?.isOpaque == true)
    }
}
