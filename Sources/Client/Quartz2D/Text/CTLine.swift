// Lines of attributed text, with Core Text's spelling, and the text calls of contexts.

import Foundation
import LayerModel

/// One line of text: newlines do not break it.
public final class CTLine {
    let layout: TextLayout

    /// A line of text; newlines count as spaces.
    public init(_ string: NSAttributedString) {
        let flat = NSMutableAttributedString(attributedString: string)
        if string.string.utf16.contains(where: { $0 == 10 || $0 == 13 }) {
            for (index, unit) in Array(string.string.utf16).enumerated() where unit == 10 || unit == 13 {
                flat.replaceCharacters(in: NSRange(location: index, length: 1), with: " ")
            }
        }
        layout = TextLayout(TextRequest(string: flat, font: CTFont("Helvetica", size: 12), color: .black))
    }
}

/// A line of text; newlines count as spaces.
public func CTLineCreateWithAttributedString(_ string: NSAttributedString) -> CTLine { CTLine(string) }

/// Draws with its baseline's start at the context's text position, through its text matrix, which moves on by the width.
public func CTLineDraw(_ line: CTLine, _ context: CGContext) {
    context.show(line.layout, color: .black)
}

/// The width in points; and above, below and between lines.
public func CTLineGetTypographicBounds(
    _ line: CTLine, _ ascent: UnsafeMutablePointer<CGFloat>?, _ descent: UnsafeMutablePointer<CGFloat>?,
    _ leading: UnsafeMutablePointer<CGFloat>?
) -> Double {
    let first = line.layout.lines.first
    ascent?.pointee = CGFloat(first.map { $0.baseline - $0.top } ?? 0)
    descent?.pointee = CGFloat(first.map { $0.top + $0.height - $0.baseline } ?? 0)
    leading?.pointee = 0
    return first?.width ?? 0
}

extension CGContext {
    /// The baseline's start of the text that comes next, in text space.
    public var textPosition: CGPoint {
        get { CGPoint(x: storedTextMatrix.tx, y: storedTextMatrix.ty) }
        set { if isUsable(newValue) { (storedTextMatrix.tx, storedTextMatrix.ty) = (newValue.x, newValue.y) } }
    }

    /// Text space to user space. Not saved with the state.
    public var textMatrix: CGAffineTransform {
        get { storedTextMatrix }
        set { if newValue.isFinite { storedTextMatrix = newValue } }
    }

    /// The font of `showText`; Helvetica at first.
    public func setFont(_ font: CGFont) { state.font = CTFont(font.name, size: max(state.fontSize, 1)) }

    /// Points; 0 at first, with which no text is shown. What is negative or not finite is ignored.
    public func setFontSize(_ size: CGFloat) {
        guard size >= 0, size.isFinite else { return }
        state.fontSize = size
    }

    /// Font and size of `showText`. An empty name changes nothing; the encoding has no effect.
    public func selectFont(name: String, size: CGFloat, textEncoding: Int32 = 1) {
        guard let font = CGFont(name) else { return }
        setFontSize(size)
        setFont(font)
    }

    /// Points between glyphs, more than their own.
    public func setCharacterSpacing(_ spacing: CGFloat) {
        if spacing.isFinite { state.characterSpacing = spacing }
    }

    /// What is done with glyphs from now on; `fill` at first.
    public func setTextDrawingMode(_ mode: CGTextDrawingMode) { state.textDrawingMode = mode }
    /// True: glyphs stand at quarters of a pixel.
    public func setAllowsFontSubpixelQuantization(_ allows: Bool) { quantizesGlyphs = allows }
    /// The same as `setAllowsFontSubpixelQuantization`.
    public func setShouldSubpixelQuantizeFonts(_ should: Bool) { quantizesGlyphs = should }
    /// No effect: glyphs are always smooth.
    public func setShouldSmoothFonts(_ should: Bool) {}
    /// No effect: glyphs are always smooth.
    public func setAllowsFontSmoothing(_ allows: Bool) {}
    /// No effect: glyphs always lie between pixels.
    public func setShouldSubpixelPositionFonts(_ should: Bool) {}
    /// No effect: glyphs always lie between pixels.
    public func setAllowsFontSubpixelPositioning(_ allows: Bool) {}

    /// Draws text with the context's font, size and fill color at the text position, which moves on by its width.
    public func showText(_ text: String) {
        guard state.fontSize > 0 else { return }
        let font = CTFont(state.font?.name ?? FontName("Helvetica"), size: state.fontSize)
        var attributes: [NSAttributedString.Key: Any] = [.font: font]
        if state.characterSpacing != 0 { attributes[.kern] = state.characterSpacing }
        let line = CTLine(NSAttributedString(string: text, attributes: attributes))
        var color = CGColor.black
        if case .color(let fill) = state.fill { color = CGColor(fill) }
        show(line.layout, color: color)
    }

    /// As `showText(_:)`, at a point.
    public func showText(_ text: String, at point: CGPoint) {
        textPosition = point
        showText(text)
    }

    func show(_ layout: TextLayout, color: CGColor) {
        guard let line = layout.lines.first else { return }
        if !layout.missingCharacters.isEmpty { warn(layout.missingSentence) }
        let saved = state.ctm
        state.ctm = storedTextMatrix.concatenating(saved)
        if state.ctm.isFinite {
            draw(layout, at: CGPoint(x: 0, y: line.baseline), isFlipped: false, color: color)
        }
        state.ctm = saved
        storedTextMatrix = storedTextMatrix.translatedBy(x: line.width, y: 0)
    }
}

extension TextLayout {
    /// Which characters are drawn as boxes, for people.
    package var missingSentence: String {
        let names = missingCharacters.prefix(8).map { scalar in
            let code = String(scalar.value, radix: 16, uppercase: true)
            let number = "U+" + String(repeating: "0", count: max(4 - code.count, 0)) + code
            return scalar.properties.generalCategory == .control ? number : "\(number) \"\(scalar)\""
        }
        let more = missingCharacters.count > 8 ? " and more" : ""
        return "no font has \(names.joined(separator: ", "))\(more): drawn as boxes"
    }
}
