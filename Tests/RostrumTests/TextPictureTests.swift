import CoreAnimation
import Foundation
import Rostrum
import Testing

@Suite("Drawn contents and text on a display") struct TextPictureTests {
    @Test("A drawn layer and a text layer reach the display upright, sharp at its scale")
    func picture() throws {
        final class Corner: CALayer, @unchecked Sendable {
            override func draw(in ctx: CGContext) {
                ctx.setFillColor(red: 1, green: 0, blue: 0, alpha: 1)
                ctx.fill(CGRect(x: 0, y: 0, width: 10, height: 5))
            }
        }
        let display = try HeadlessDisplay(width: 120, height: 60, scale: 2, background: .black)
        let corner = Corner()
        corner.frame = CGRect(x: 10, y: 10, width: 20, height: 20)
        corner.contentsScale = 2
        corner.setNeedsDisplay()
        let text = CATextLayer()
        text.frame = CGRect(x: 40, y: 10, width: 70, height: 40)
        text.contentsScale = 2
        text.font = "DejaVuSans"
        text.fontSize = 20
        text.string = "HH"
        display.rootLayer.sublayers = [corner, text]
        let image = try display.snapshot()
        if let folder = ProcessInfo.processInfo.environment["ROSTRUM_TEST_PICTURES"] {
            try image.writePNG(to: "\(folder)/display-text.png")
        }
        // y points down on the display: the corner is at the top left.
        #expect(image.pixel(x: 20, y: 20) == (255, 0, 0, 255) && image.pixel(x: 39, y: 29) == (255, 0, 0, 255))
        #expect(image.pixel(x: 40, y: 25) == (0, 0, 0, 255) && image.pixel(x: 25, y: 30) == (0, 0, 0, 255))
        // The bars of the H begin 4 points below the layer's top and end on the baseline, 18.6 points below it.
        let rows = (0..<120).filter { y in (80..<220).contains { image.pixel(x: $0, y: y).red > 60 } }
        #expect(rows.first == 20 + 8 && rows.last == 20 + 37 - 1, "\(rows)")
    }

    @Test("Changing the string fades unless actions are off; a resized layer is set again at its new width")
    func changes() throws {
        let display = try HeadlessDisplay(width: 100, height: 40, background: .black)
        let text = CATextLayer()
        text.frame = CGRect(x: 0, y: 0, width: 100, height: 40)
        (text.font, text.fontSize, text.string) = ("DejaVuSans", 20, "I")
        display.rootLayer.addSublayer(text)
        func ink(_ image: CGImage) -> Int {
            (0..<100).reduce(0) { $0 + Int(image.pixel(x: $1, y: 10).red) }
        }
        let one = ink(try display.snapshot())
        CATransaction.begin()
        CATransaction.setDisableActions(true)
        text.string = "IIII"
        CATransaction.commit()
        let four = ink(try display.snapshot())
        #expect(abs(four - 4 * one) < one / 2, "\(one), \(four)")
        text.string = "I"
        let before = ink(try display.snapshot())
        #expect(abs(before - four) < one / 2, "the old picture still shows")
        let after = ink(try display.snapshot(at: 1))
        #expect(abs(after - one) < one / 2)
    }
}
