import Foundation
import LayerModel
import Testing

@testable import CoreAnimation
@testable import Quartz2D

@Suite("Text layers") struct TextLayerTests {
    private func text(_ string: Any?, width: CGFloat = 200, height: CGFloat = 60) -> CATextLayer {
        let layer = CATextLayer()
        layer.frame = CGRect(x: 0, y: 0, width: width, height: height)
        layer.font = "DejaVuSans"
        layer.fontSize = 20
        layer.string = string
        return layer
    }

    /// Rows and columns with ink, pixels from the top left.
    private func ink(_ layer: CALayer) throws -> (rows: ClosedRange<Int>, columns: ClosedRange<Int>) {
        layer.displayIfNeeded()
        let image = try #require(layer.contents as? CGImage)
        if let folder = ProcessInfo.processInfo.environment["ROSTRUM_TEST_PICTURES"] {
            try image.writePNG(to: "\(folder)/text-\(layer.name ?? "layer").png")
        }
        var (rows, columns): (Set<Int>, Set<Int>) = ([], [])
        image.content.pixels.withBytes { bytes in
            for y in 0..<image.height {
                for x in 0..<image.width where bytes[y * image.bytesPerRow + x * 4 + 3] > 40 {
                    rows.insert(y)
                    columns.insert(x)
                }
            }
        }
        let (top, bottom) = (try #require(rows.min()), try #require(rows.max()))
        return (top...bottom, try #require(columns.min())...(try #require(columns.max())))
    }

    @Test("Defaults are Core Animation's")
    func defaults() {
        let layer = CATextLayer()
        #expect(layer.string == nil && layer.font as? String == "Helvetica" && layer.fontSize == 36)
        #expect(layer.foregroundColor == .white && !layer.isWrapped && !layer.allowsFontSubpixelQuantization)
        #expect(layer.truncationMode == .none && layer.alignmentMode == .natural)
        #expect(layer.value(forKey: "fontSize") as? NSNumber == 36 && layer.value(forKeyPath: "wrapped") == nil)
        layer.setValue("center", forKey: "alignmentMode")
        layer.setValue(true, forKey: "isWrapped")
        layer.setValue(12, forKeyPath: "fontSize")
        #expect(layer.alignmentMode == .center && layer.isWrapped && layer.fontSize == 12)
        layer.setValue(nil, forKey: "fontSize")
        #expect(layer.fontSize == 36)
    }

    @Test("Values of the wrong type, and sizes that are not finite, leave a fault and the old value")
    func faults() {
        let layer = CATextLayer()
        layer.name = "title"
        layer.fontSize = .nan
        layer.string = 12
        layer.setValue("red", forKey: "foregroundColor")
        layer.font = 3
        let faults = layer.takeFaults()
        #expect(faults.map(\.key) == ["fontSize", "string", "foregroundColor", "font"])
        #expect(faults.allSatisfy { $0.layer.contains("title") } && layer.fontSize == 36 && layer.string == nil)
        layer.fontSize = -4
        layer.string = "abc"
        layer.bounds = CGRect(x: 0, y: 0, width: 10, height: 10)
        layer.displayIfNeeded()
    }

    @Test("What decides how text looks marks the layer, the bounds' size too; other keys don't")
    func marks() {
        let changes: [(String, (CATextLayer) -> Void)] = [
            ("string", { $0.string = "b" }), ("font", { $0.font = "DejaVuSans-Bold" }),
            ("fontSize", { $0.fontSize = 9 }),
            ("foregroundColor", { $0.foregroundColor = .black }), ("wrapped", { $0.isWrapped = true }),
            ("truncationMode", { $0.truncationMode = .end }), ("alignmentMode", { $0.alignmentMode = .right }),
            ("allowsFontSubpixelQuantization", { $0.allowsFontSubpixelQuantization = true }),
            ("contentsScale", { $0.contentsScale = 2 }), ("bounds", { $0.bounds.size.width = 9 }),
        ]
        for (name, change) in changes {
            let layer = text("a")
            layer.displayIfNeeded()
            #expect(!layer.needsDisplay())
            layer.position = CGPoint(x: 3, y: 3)
            layer.backgroundColor = .black
            #expect(!layer.needsDisplay())
            change(layer)
            #expect(layer.needsDisplay(), "\(name)")
        }
    }

    @Test("The first line's top is the layer's top, whichever way y points; lines are centered nowhere")
    func top() throws {
        // H in DejaVu Sans is 1493 of 2048 high, the ascent is 1901: 20 points begin 3.98 below the top.
        for isFlipped in [false, true] {
            let layer = text("HH")
            layer.isGeometryFlipped = isFlipped
            layer.name = "top-\(isFlipped)"
            let found = try ink(layer)
            #expect(found.rows == 4...18, "\(found.rows)")
            #expect((1...2).contains(found.columns.lowerBound))
        }
    }

    @Test("At twice the contentsScale there are twice the pixels, and the text is drawn sharp in them")
    func scale() throws {
        let one = try ink(text("HH"))
        let layer = text("HH")
        layer.contentsScale = 2
        let two = try ink(layer)
        #expect((layer.contents as? CGImage)?.width == 400)
        #expect(abs(two.rows.upperBound - 2 * one.rows.upperBound) <= 1 && two.rows.count >= 2 * one.rows.count - 1)
        // Sharp: the bars of an H have full ink, whatever the scale.
        let image = try #require(layer.contents as? CGImage)
        let full = image.content.pixels.withBytes { bytes in
            (0..<image.width).contains { bytes[30 * image.bytesPerRow + $0 * 4 + 3] == 255 }
        }
        #expect(full)
    }

    @Test("Alignment: left, right and center by the bounds; natural goes right for Arabic")
    func alignment() throws {
        func columns(_ string: String, _ mode: CATextLayerAlignmentMode) throws -> ClosedRange<Int> {
            let layer = text(string)
            layer.alignmentMode = mode
            layer.name = "\(mode.rawValue)-\(string.utf8.count)"
            return try ink(layer).columns
        }
        let left = try columns("Hi", .left)
        #expect(left.lowerBound <= 3)
        #expect(try columns("Hi", .natural) == left)
        #expect(try columns("Hi", .right).upperBound >= 195)
        let center = try columns("Hi", .center)
        #expect(abs(center.lowerBound + center.upperBound - 199) <= 3)
        #expect(try columns("سلام", .natural).upperBound >= 190)
        #expect(try columns("سلام", .left).lowerBound <= 10)
    }

    @Test("Unwrapped text goes on past the bounds, wrapped text breaks, truncated text ends in an ellipsis that fits")
    func lines() throws {
        let long = "The quick brown fox jumps over the lazy dog"
        let plain = text(long)
        plain.name = "plain"
        #expect(try ink(plain).rows.upperBound < 25)
        let wrapped = text(long, height: 100)
        wrapped.isWrapped = true
        wrapped.name = "wrapped"
        #expect(try ink(wrapped).rows.upperBound > 50)
        let cut = text(long)
        cut.truncationMode = .end
        cut.name = "cut"
        let found = try ink(cut)
        #expect(found.columns.upperBound < 200 && found.rows.upperBound < 25)
        let both = text(long, height: 50)
        (both.isWrapped, both.truncationMode, both.name) = (true, .middle, "both")
        #expect(try ink(both).rows.upperBound < 50)
        let broken = text("a\nb\nc")
        #expect(try ink(broken).rows.upperBound > 55, "newlines break without wrapping")
    }

    @Test("An attributed string's font, color and alignment win; foregroundColor and fontSize don't count")
    func attributed() throws {
        let style = NSMutableParagraphStyle()
        style.alignment = .right
        let string = NSAttributedString(
            string: "Hi",
            attributes: [
                .font: CTFont("DejaVuSans-Bold", size: 40), .paragraphStyle: style,
                .foregroundColor: CGColor(red: 0, green: 1, blue: 0, alpha: 1), .underlineStyle: 1,
            ])
        let layer = text(string)
        layer.name = "attributed"
        let found = try ink(layer)
        #expect(found.columns.upperBound >= 190 && found.rows.count > 25)
        let image = try #require(layer.contents as? CGImage)
        let green = (0..<image.width).contains { image.pixel(x: $0, y: 25) == (0, 255, 0, 255) }
        #expect(green)
    }

    @Test("A missing glyph is a box, and the warning names layer and character")
    func missing() throws {
        let layer = text("\u{E456}")
        layer.name = "exotic"
        #expect(try ink(layer).rows.count > 8)
        let said = ClientWarnings.shared.messages.filter { $0.contains("exotic") && $0.contains("U+E456") }
        #expect(said.count == 1)
    }

    @Test("foregroundColor and fontSize animate implicitly, drawn frame by frame")
    func implied() throws {
        let clock = ManualClock()
        let layer = text("H")
        layer.foregroundColor = .white
        clock.root.addSublayer(layer)
        _ = clock.takeOps()
        layer.foregroundColor = CGColor(gray: 0, alpha: 1)
        #expect(layer.animation(forKey: "foregroundColor")?.duration == 0.25)
        clock.go(to: 0)
        #expect(layer.animation(forKey: "contents") == nil, "frames are drawn, nothing fades besides")
        clock.go(to: 0.125)
        clock.context.displayAnimatedKeys()
        let image = try #require(layer.contents as? CGImage)
        let levels = (0..<image.width).map { image.pixel(x: $0, y: 10) }.filter { $0.alpha == 255 }.map(\.red)
        let level = try #require(levels.first)
        #expect(level > 20 && level < 235, "\(level)")
        clock.go(to: 1)
        clock.context.displayAnimatedKeys()
        _ = clock.takeOps()
        #expect(CABasicAnimation(keyPath: \CATextLayer.fontSize).keyPath == "fontSize")
    }

    @Test("Presentation and copies keep the text; preferredFrameSize is the text's own")
    func copies() {
        let layer = text("HHHH")
        let copy = CATextLayer(layer: layer)
        #expect(copy.string as? String == "HHHH" && copy.fontSize == 20)
        let size = layer.preferredFrameSize()
        #expect(abs(size.width - 4 * 20 * 1540 / 2048) < 0.1 && abs(size.height - 20 * 2384 / 2048) < 0.1)
    }

    @Test("Two thousand characters are set within 10 ms after the first time (a debug build gets twenty times as long)")
    func speed() {
        let words = "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor "
        let paragraph = String(String(repeating: words, count: 30).prefix(2_000))
        _ = TextLayout(request(paragraph))
        let started = DispatchTime.now().uptimeNanoseconds
        let layout = TextLayout(request(paragraph + "."))
        let milliseconds = Double(DispatchTime.now().uptimeNanoseconds - started) / 1e6
        print("2,000 characters: \(milliseconds) ms, \(layout.lineCount) lines")
        #expect(layout.lineCount > 10 && milliseconds < 200)
    }

    private func request(_ string: String) -> TextRequest {
        var request = TextRequest(
            string: NSAttributedString(string: string), font: CTFont("DejaVu Sans", size: 14), color: .black)
        (request.width, request.isWrapped) = (400, true)
        return request
    }

    private func square(_ side: Int, _ color: CGColor) throws -> CGImage {
        let context = try #require(
            CGContext(
                data: nil, width: side, height: side, bitsPerComponent: 8, bytesPerRow: 0,
                space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue))
        context.setFillColor(color)
        context.fill(CGRect(x: 0, y: 0, width: side, height: side))
        return try #require(context.makeImage())
    }

    /// Blue, green, red and alpha of the picture that a display is sent.
    private func sent(_ layer: CALayer, _ x: Int, _ y: Int) throws -> [UInt8] {
        layer.displayIfNeeded()
        let image = try #require(layer.storedContents)
        return image.content.pixels.withBytes { bytes in
            (0..<4).map { bytes[y * image.bytesPerRow + x * 4 + $0] }
        }
    }

    @Test("A picture set as the contents lies over the text, where its gravity places it; nil leaves the text")
    func pictureOverText() throws {
        let layer = text("HHHHHHHHHH", width: 100, height: 40)
        let plain = try ink(layer)
        #expect(plain.columns.lowerBound < 10 && plain.columns.upperBound > 80)
        let red = try square(20, CGColor(red: 1, green: 0, blue: 0, alpha: 1))
        layer.contents = red
        layer.contentsGravity = .topLeft
        #expect(layer.contents as? CGImage === red && layer.needsDisplay())
        layer.displayIfNeeded()
        #expect(layer.contents as? CGImage === red && !layer.contentsAreDrawn)
        // All of the square, and beyond it the text's white.
        for (x, y) in [(0, 0), (19, 19), (5, 10)] {
            #expect(try sent(layer, x, y) == [0, 0, 255, 255], "(\(x), \(y))")
        }
        let row = try (20..<100).map { try sent(layer, $0, 10) }
        #expect(row.contains([255, 255, 255, 255]) && row.contains([0, 0, 0, 0]))
        // Moved, it is drawn anew.
        layer.contentsGravity = .bottomRight
        #expect(try sent(layer, 99, 39) == [0, 0, 255, 255])
        #expect(try sent(layer, 0, 0) == [0, 0, 0, 0])
        // Where it fills the layer, nothing of the text is left; half transparent, it lies over it.
        layer.contentsGravity = .resize
        #expect(try (0..<100).allSatisfy { try sent(layer, $0, 10) == [0, 0, 255, 255] })
        layer.contents = try square(20, CGColor(red: 1, green: 0, blue: 0, alpha: 0.5))
        let mixed = try Set((0..<100).map { try sent(layer, $0, 10) })
        // 128 of 255 over white, and over nothing.
        #expect(mixed.contains { $0[2] == 255 && (126...129).contains($0[0]) && $0[3] == 255 }, "\(mixed.count) colors")
        #expect(mixed.contains { $0[0] == 0 && (127...129).contains($0[2]) && $0[3] == $0[2] }, "\(mixed.count) colors")
        layer.contents = nil
        let again = try ink(layer)
        #expect(again.rows == plain.rows && again.columns == plain.columns)
    }

    @Test("Without a text, and shown in part, a picture is the contents as it is")
    func pictureAlone() throws {
        let layer = text(nil, width: 100, height: 40)
        let red = try square(20, CGColor(red: 1, green: 0, blue: 0, alpha: 1))
        layer.contents = red
        layer.displayIfNeeded()
        #expect(layer.storedContents === red)
        layer.string = "HH"
        layer.displayIfNeeded()
        #expect(layer.storedContents !== red && layer.storedContents?.width == 100)
        layer.contentsRect = CGRect(x: 0, y: 0, width: 0.5, height: 1)
        layer.displayIfNeeded()
        #expect(layer.storedContents === red)
        layer.contentsRect = CGRect(x: 0, y: 0, width: 1, height: 1)
        layer.string = nil
        layer.displayIfNeeded()
        #expect(layer.storedContents === red)
        layer.contents = "red"
        #expect(layer.takeFaults().map(\.key) == ["contents"] && layer.contents as? CGImage === red)
        #expect(CATextLayer(layer: layer).contents as? CGImage === red)
    }
}
