import Foundation
import Testing

@testable import Quartz2D

/// Serialized: fonts are the process's.
@Suite(.serialized) struct TextTests {
    private let sans = CTFont("DejaVu Sans", size: 16)

    private func layout(_ text: String, _ change: (inout TextRequest) -> Void = { _ in }) -> TextLayout {
        var request = TextRequest(string: NSAttributedString(string: text), font: sans, color: .black)
        change(&request)
        return TextLayout(request)
    }

    @Test("A PostScript name is family, weight, width and slant; a hyphen in a family stays")
    func names() {
        let bold = FontName("HelveticaNeue-CondensedBold")
        #expect(bold.families == "HelveticaNeue,Helvetica Neue" && bold.weight == 700 && bold.stretch == 2)
        let light = FontName("Helvetica-LightOblique")
        #expect(light.families == "Helvetica" && light.weight == 300 && light.isItalic)
        #expect(FontName("Foo-Bar").families == "Foo-Bar")
        #expect(FontName("DejaVuSans-Bold").families == "DejaVuSans,Deja Vu Sans")
    }

    @Test("A font has the ascent and descent that its file says: DejaVu Sans 1901 and 483 of 2048")
    func metrics() {
        let font = CTFont("DejaVu Sans", size: 2048)
        #expect(font.familyName == "DejaVu Sans")
        #expect(abs(font.ascent - 1901) < 1 && abs(font.descent - 483) < 1)
    }

    @Test("The first line's top is the text's top, its baseline an ascent lower; lines follow by ascent plus descent")
    func baselines() {
        let set = layout("one\ntwo\nthree")
        #expect(set.lineCount == 3)
        #expect(abs(set.firstBaseline - 16 * 1901.0 / 2048) < 0.05)
        #expect(abs(set.lines[1].baseline - set.lines[0].baseline - 16 * 2384.0 / 2048) < 0.05)
        #expect(set.lines[0].top == 0)
    }

    @Test("Widths are sums of advances: 'HHHH' is four times 'H', whatever the size, between pixels too")
    func widths() {
        let one = layout("H").size.width
        // H is 1540 of 2048 wide.
        #expect(abs(one - 16 * 1540.0 / 2048) < 0.02, "\(one)")
        #expect(abs(layout("HHHH").size.width - 4 * one) < 0.02)
        let kerned = layout("HHHH") {
            $0.string = NSAttributedString(string: "HHHH", attributes: [.kern: 2])
        }
        // Half before and half after each letter, none at the line's ends.
        #expect(abs(kerned.size.width - 4 * one - 6) < 2.1, "\(kerned.size.width - 4 * one)")
    }

    @Test("Wrapped text breaks at words, unwrapped only at newlines; a width too narrow breaks inside words")
    func wrapping() {
        let text = "the quick brown fox jumps over the lazy dog"
        #expect(layout(text) { $0.width = 100 }.lineCount == 1)
        let wrapped = layout(text) { ($0.width, $0.isWrapped) = (100, true) }
        #expect(wrapped.lineCount >= 4)
        #expect(wrapped.lines.allSatisfy { $0.width <= 100.01 })
        let narrow = layout("Donaudampfschiff") { ($0.width, $0.isWrapped) = (40, true) }
        #expect(narrow.lineCount > 2)
    }

    @Test("Lines stand left, right, in the middle; natural is right for Arabic")
    func alignment() {
        func x(_ text: String, _ alignment: TextRequest.Alignment) -> Double {
            let set = layout(text) { ($0.width, $0.alignment) = (200, alignment) }
            return set.lines[0].x / (200 - set.lines[0].width)
        }
        #expect(x("abc", .left) == 0 && x("abc", .natural) == 0)
        #expect(abs(x("abc", .right) - 1) < 1e-9 && abs(x("abc", .center) - 0.5) < 1e-9)
        #expect(abs(x("مرحبا", .natural) - 1) < 1e-9 && x("مرحبا", .left) == 0)
        let justified = layout("the quick brown fox jumps over the lazy dog") {
            ($0.width, $0.isWrapped, $0.alignment) = (120, true, .justified)
        }
        #expect(justified.lines.dropLast().allSatisfy { abs($0.width - 120) < 0.1 })
        #expect(justified.lines.last!.width < 119)
    }

    @Test(
        "Truncated text fits and says so; each kind keeps the other end",
        arguments: [
            TextRequest.Truncation.start, .middle, .end,
        ])
    func truncation(kind: TextRequest.Truncation) {
        let text = "abcdefghijklmnopqrstuvwxyz"
        let set = layout(text) { ($0.width, $0.truncation) = (100, kind) }
        #expect(set.isTruncated && set.lineCount == 1 && set.lines[0].width <= 100.01)
        let wrapped = layout("the quick brown fox jumps over the lazy dog") {
            ($0.width, $0.height, $0.isWrapped, $0.truncation) = (100, 40, true, kind)
        }
        #expect(wrapped.isTruncated && wrapped.lineCount == 2)
        #expect(!layout("abc") { ($0.width, $0.truncation) = (100, kind) }.isTruncated)
    }

    @Test("A character that no font has is named, and drawn as a box")
    func missing() throws {
        let set = layout("a\u{10FFFD}b\u{E123}")
        #expect(set.missingCharacters == ["\u{E123}", "\u{10FFFD}"])
        #expect(set.missingSentence.contains("U+E123") && set.missingSentence.contains("U+10FFFD"))
        let context = makeContext(80, 30)
        context.draw(layout("\u{E123}"), at: CGPoint(x: 4, y: 26), isFlipped: false, color: .black)
        context.keep("missing")
        #expect(context.area > 20)
    }

    @Test("Emoji, Arabic and CJK in one line: what no font has is a box, in its place, and named; the rest is drawn")
    func mixed() throws {
        let text = "ab \u{645}\u{631}\u{62D}\u{628}\u{627} \u{6F22}\u{5B57} \u{1F98A}\u{1F469}\u{200D}\u{1F680} end"
        let set = layout(text)
        let has = { (character: Unicode.Scalar) in !set.missingCharacters.contains(character) }
        // DejaVu Sans has Latin and Arabic; it has neither of these, so that another font must.
        #expect("ab end\u{645}\u{631}\u{62D}\u{628}\u{627}".unicodeScalars.allSatisfy(has))
        let isColored = { (character: Unicode.Scalar) in
            let context = makeContext(60, 40)
            let one = self.layout(String(Character(character)))
            context.draw(one, at: CGPoint(x: 8, y: 36), isFlipped: false, color: .black)
            context.keep("emoji-\(String(character.value, radix: 16))")
            #expect(context.area > 20, "\(character) draws nothing")
            #expect(one.lines[0].width > 3)
            return context.hasColor
        }
        for character: Unicode.Scalar in ["\u{6F22}", "\u{5B57}"] { #expect(!isColored(character)) }
        // A font of colored pictures is drawn in its own colors, a box or an outline in the text's.
        let isInstalled = TextEngine.shared.families.contains { $0.contains("Color Emoji") }
        for character: Unicode.Scalar in ["\u{1F98A}", "\u{1F680}"] {
            #expect(isColored(character) == isInstalled && (has(character) || !isInstalled))
        }
        // The zero width joiner is no character to be drawn.
        #expect(has("\u{200D}"))
        if !has("\u{1F98A}") { #expect(set.missingSentence.contains("U+1F98A"), "\(set.missingSentence)") }
        #expect(set.lineCount == 1 && set.lines[0].width > layout("ab end").lines[0].width + 40)
    }

    @Test("Attributes make runs of their own: font, color, underline")
    func attributes() {
        let text = NSMutableAttributedString(string: "plain RED under", attributes: [.font: sans])
        let red = CGColor(red: 1, green: 0, blue: 0, alpha: 1)
        text.addAttributes(
            [.foregroundColor: red, .font: CTFont("DejaVuSans-Bold", size: 24)], range: NSRange(location: 6, length: 3))
        text.addAttribute(
            .underlineStyle, value: NSUnderlineStyle.single.rawValue, range: NSRange(location: 10, length: 5))
        let set = layout("") { $0.string = text }
        let colors = set.lines[0].runs.map { set.styles[$0.style].color != nil }
        #expect(colors.contains(true) && colors.contains(false))
        #expect(abs(set.lines[0].height - 24 * 2384.0 / 2048) < 0.1, "the tallest font makes the line")
        let context = makeContext(260, 40)
        context.setFillColor(.white)
        context.fill(.infinite)
        context.draw(set, at: CGPoint(x: 4, y: 36), isFlipped: false, color: .black)
        context.keep("attributes")
        let image = context.makeImage()!
        let reds = (0..<260).filter { x in (0..<40).contains { y in image.pixel(x: x, y: y) == (255, 0, 0, 255) } }
        #expect(!reds.isEmpty)
    }

    @Test("Drawn at twice the scale, text covers four times the area: nothing is hinted or rounded")
    func scales() {
        func area(_ scale: CGFloat) -> Double {
            let context = makeContext(Int(200 * scale), Int(40 * scale))
            context.scaleBy(x: scale, y: scale)
            context.draw(layout("Sphinx of quartz"), at: CGPoint(x: 4.3, y: 36), isFlipped: false, color: .black)
            return context.area
        }
        let ratio = area(2) / area(1)
        #expect(abs(ratio - 4) < 0.04, "\(ratio)")
    }

    @Test("Upright in a context that counts up and in one that counts down")
    func flips() {
        let up = makeContext(60, 30)
        up.draw(layout("Lpd"), at: CGPoint(x: 2, y: 28), isFlipped: false, color: .black)
        let down = makeContext(60, 30)
        down.translateBy(x: 0, y: 30)
        down.scaleBy(x: 1, y: -1)
        down.draw(layout("Lpd"), at: CGPoint(x: 2, y: 2), isFlipped: true, color: .black)
        #expect(up.allBytes == down.allBytes && up.area > 30)
    }

    @Test("A line drawn by Core Text's calls stands on its baseline and moves the position on")
    func lines() {
        let line = CTLineCreateWithAttributedString(NSAttributedString(string: "H", attributes: [.font: sans]))
        var (ascent, descent): (CGFloat, CGFloat) = (0, 0)
        let width = CTLineGetTypographicBounds(line, &ascent, &descent, nil)
        #expect(abs(width - 16 * 1540.0 / 2048) < 0.02 && abs(ascent - 14.85) < 0.05 && abs(descent - 3.77) < 0.05)
        let context = makeContext(40, 30)
        context.textPosition = CGPoint(x: 10, y: 8)
        CTLineDraw(line, context)
        #expect(abs(context.textPosition.x - 10 - width) < 1e-6)
        // H is 1493 of 2048 high: nothing below the baseline, which is row 22.
        let rows = (0..<30).filter { y in context.alphas(row: y, 0..<40).contains { $0 > 0 } }
        #expect(rows.max() == 21 && rows.min() == 30 - 8 - 12, "\(rows)")
        context.selectFont(name: "DejaVuSans", size: 12)
        context.showText("x", at: .zero)
    }

    @Test("Only pinned fonts are used; a folder without fonts is refused, and pinning nothing brings back the system's")
    func pinning() throws {
        defer { try? TextEngine.shared.pin([]) }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fonts-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(throws: FontFolderError.self) { try TextEngine.shared.pin([folder]) }
        #expect(throws: FontFolderError.self) { try TextEngine.shared.pin(["/nowhere"]) }
        try FileManager.default.copyItem(
            atPath: "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf", toPath: folder + "/mono.ttf")
        try TextEngine.shared.pin([folder])
        #expect(TextEngine.shared.families == ["DejaVu Sans Mono"])
        #expect(CTFont("Helvetica", size: 12).familyName == "DejaVu Sans Mono")
        try TextEngine.shared.pin([])
        #expect(TextEngine.shared.families.contains("DejaVu Sans"))
    }

    @Test("Hostile strings are bounded: a megabyte, control characters, half surrogates, endless lines, giant fonts")
    func hostile() {
        let started = DispatchTime.now().uptimeNanoseconds
        let long = layout(String(repeating: "lorem ipsum ", count: 90_000)) { ($0.width, $0.isWrapped) = (300, true) }
        #expect(long.unitsLeftOut > 0 && long.lineCount > 100)
        #expect(layout(String(repeating: "x", count: 1_000_000)).unitsLeftOut > 0)
        #expect(layout(String(repeating: "\n", count: 50_000)).lineCount > 1_000)
        let controls = layout(String(String.UnicodeScalarView((0..<160).compactMap { Unicode.Scalar($0) })))
        #expect(controls.missingCharacters.isEmpty, "\(controls.missingSentence)")
        let broken = NSString(characters: [0x41, 0xD800, 0x42, 0xDC00], length: 4) as String
        #expect(layout(broken).lineCount == 1)
        for size in [CGFloat.nan, .infinity, -3, 0, 1e-9, 1e9] {
            let set = layout("abc") { $0.font = CTFont("DejaVu Sans", size: size) }
            let context = makeContext(10, 10)
            context.draw(set, at: .zero, isFlipped: true, color: .black)
        }
        for width in [Double.nan, -1, 0, 1e300] {
            _ = layout("abc def") { ($0.width, $0.isWrapped, $0.truncation, $0.height) = (width, true, .end, width) }
        }
        let bidi = layout(String(repeating: "\u{202E}\u{202D}a\u{301}\u{200D}", count: 5_000))
        #expect(bidi.lineCount >= 1)
        #expect(Double(DispatchTime.now().uptimeNanoseconds - started) < 60e9)
    }
}
