// Text set in lines, by Pango, and drawn as outlines.
//
// Pango finds fonts for characters, shapes, breaks and shortens lines. Where lines and glyphs lie is taken from it in points,
// and glyphs are drawn as outlines: they stand where they were set, at any scale and between pixels. Fonts with colors of
// their own (emoji) are pictures and are drawn as such.
//
// Costs are bounded: no more text is set than could be seen (`maximumUnits`), and no more than fits Pango's numbers.

import CCairo
import CPango
import Foundation
import LayerModel

/// How a text is to be set.
package struct TextRequest {
    package enum Truncation: Sendable { case none, start, middle, end }
    package enum Alignment: Sendable { case natural, left, right, center, justified }

    /// Plain, or with attributes; these win over `font` and `color`.
    package var string: NSAttributedString
    /// With attributes of its own: where it says nothing, this font.
    package var font: CTFont
    package var color: CGColor
    /// Points; nil: lines are as long as they are.
    package var width: Double?
    /// Points; text that is truncated ends there.
    package var height: Double?
    package var isWrapped = false
    package var truncation = Truncation.none
    package var alignment = Alignment.natural

    package init(string: NSAttributedString, font: CTFont, color: CGColor) {
        (self.string, self.font, self.color) = (string, font, color)
    }
}

package final class TextLayout {
    struct Glyph {
        var index: UInt32
        /// Points from the line's start and, down, from its baseline.
        var x: Double
        var y: Double
        var width: Double
    }

    struct Run {
        let font: FontReference
        let metrics: TextEngine.Metrics
        var style: Int
        /// Points from the line's start.
        var x: Double
        var width: Double
        /// Points upwards.
        var rise: Double
        var glyphs: [Glyph]
        /// Without a glyph in any font: drawn as boxes.
        var missing: [Glyph]
        var hasColors: Bool
    }

    struct Line {
        /// Points, y down: of the line's start on its baseline.
        var x: Double
        var baseline: Double
        var width: Double
        var top: Double
        var height: Double
        var runs: [Run]
    }

    private(set) var lines: [Line] = []
    private(set) var styles: [TextStyle] = []
    /// Around all lines, points.
    package private(set) var size = CGSize.zero
    package private(set) var isTruncated = false
    /// Characters that no font has, each once, at most 32 of them.
    package private(set) var missingCharacters: [Unicode.Scalar] = []
    /// UTF-16 units that were left out because nobody could see them.
    package private(set) var unitsLeftOut = 0

    package var lineCount: Int { lines.count }
    /// Points from the top.
    package var firstBaseline: Double { lines.first?.baseline ?? 0 }

    private static let maximumUnits = 65_536
    /// Points: Pango counts in 1/1024 of them and 32 bits.
    private static let longestLine = 1_500_000.0
    /// Points.
    package static let largestFont = 4_096.0

    package init(_ request: TextRequest) {
        let size = Double(request.font.size)
        guard size > 0 else { return }
        var request = request
        if size > TextLayout.largestFont { request.font = CTFont(request.font.name, size: TextLayout.largestFont) }
        _ = TextEngine.shared.withContext { set(request, in: $0) }
    }

    // MARK: Setting

    private func set(_ request: TextRequest, in context: OpaquePointer) {
        var largest = Double(request.font.size)
        let whole = request.string
        whole.enumerateAttribute(.font, in: NSRange(location: 0, length: min(whole.length, 4_096))) { value, _, _ in
            if let font = value as? CTFont { largest = max(largest, min(Double(font.size), TextLayout.largestFont)) }
        }
        let most = min(TextLayout.maximumUnits, max(Int(TextLayout.longestLine / largest), 1))
        var string = whole
        if whole.length > most {
            unitsLeftOut = whole.length - most
            string = whole.attributedSubstring(from: NSRange(location: 0, length: most))
        }
        guard string.length > 0, let layout = pango_layout_new(context) else { return }
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        let text = TextSource(string, base: request.font)
        styles = text.styles
        let description = TextEngine.describe(request.font.name, size: Double(request.font.size))
        defer { pango_font_description_free(description) }
        pango_layout_set_font_description(layout, description)
        let attributes = text.makeAttributes()
        defer { pango_attr_list_unref(attributes) }
        text.bytes.withUnsafeBufferPointer {
            pango_layout_set_text(
                layout, UnsafeRawPointer($0.baseAddress!).assumingMemoryBound(to: CChar.self), Int32($0.count))
        }
        pango_layout_set_attributes(layout, attributes)
        pango_layout_set_auto_dir(layout, 1)
        let alignment = text.alignment ?? request.alignment
        let isCut = request.truncation != .none
        func points(_ length: Double?) -> Double? {
            length.flatMap { $0.isNaN ? nil : min(max($0, 0), 1_000_000) }
        }
        let width = points(request.width)
        if let width, request.isWrapped || isCut {
            pango_layout_set_width(layout, Int32(width * 1024))
            pango_layout_set_wrap(layout, 2)
        }
        if isCut {
            pango_layout_set_ellipsize(
                layout, request.truncation == .start ? 1 : request.truncation == .middle ? 2 : 3)
            // Pango's -1 is one line a paragraph.
            let height = points(request.height) ?? 1_000_000
            pango_layout_set_height(layout, request.isWrapped ? max(Int32(height * 1024), 1) : -1)
        }
        if alignment == .justified, request.isWrapped { pango_layout_set_justify(layout, 1) }
        take(layout, text, alignment, width: width, lineSpacing: text.lineSpacing)
    }

    private func take(
        _ layout: OpaquePointer, _ text: TextSource, _ alignment: TextRequest.Alignment, width: Double?,
        lineSpacing: Double
    ) {
        isTruncated = pango_layout_is_ellipsized(layout) != 0
        guard let iterator = pango_layout_get_iter(layout) else { return }
        defer { pango_layout_iter_free(iterator) }
        var fonts: [OpaquePointer: (FontReference, TextEngine.Metrics)] = [:]
        var missing: Set<Unicode.Scalar> = []
        var (widest, bottom, pushed) = (0.0, 0.0, 0.0)
        repeat {
            guard let line = pango_layout_iter_get_line_readonly(iterator) else { continue }
            var logical = PangoRectangle()
            pango_layout_iter_get_line_extents(iterator, nil, &logical)
            let length = Double(logical.width) / 1024
            let isRightToLeft = line.pointee.resolved_dir == 1
            var x = 0.0
            if let width {
                switch alignment {
                case .left: x = 0
                case .right: x = width - length
                case .center: x = (width - length) / 2
                case .natural, .justified: x = isRightToLeft ? width - length : 0
                }
            }
            let top = Double(logical.y) / 1024 + pushed
            var set = Line(
                x: x, baseline: Double(pango_layout_iter_get_baseline(iterator)) / 1024 + pushed, width: length,
                top: top, height: Double(logical.height) / 1024, runs: [])
            var pen = 0.0
            var node = line.pointee.runs
            while let current = node {
                node = current.pointee.next
                guard let data = current.pointee.data else { continue }
                let run = data.assumingMemoryBound(to: PangoGlyphItem.self)
                append(run, to: &set, pen: &pen, text, &fonts, &missing)
            }
            lines.append(set)
            widest = max(widest, length)
            bottom = top + set.height
            pushed += lineSpacing
        } while pango_layout_iter_next_line(iterator) != 0
        size = CGSize(width: widest, height: bottom)
        missingCharacters = missing.sorted().prefix(32).map { $0 }
    }

    private func append(
        _ run: UnsafeMutablePointer<PangoGlyphItem>, to line: inout Line, pen: inout Double, _ text: TextSource,
        _ fonts: inout [OpaquePointer: (FontReference, TextEngine.Metrics)], _ missing: inout Set<Unicode.Scalar>
    ) {
        guard let item = run.pointee.item, let glyphs = run.pointee.glyphs, let font = item.pointee.analysis.font
        else { return }
        let (reference, metrics) =
            fonts[font] ?? (FontReference(font), TextEngine.metrics(of: font))
        fonts[font] = (reference, metrics)
        var result = Run(
            font: reference, metrics: metrics, style: text.style(of: item.pointee.analysis.extra_attrs), x: pen,
            width: 0, rise: Double(run.pointee.y_offset) / 1024, glyphs: [], missing: [], hasColors: false)
        let count = Int(glyphs.pointee.num_glyphs)
        result.glyphs.reserveCapacity(count)
        for index in 0..<count {
            let info = glyphs.pointee.glyphs[index]
            let width = Double(info.geometry.width) / 1024
            defer { pen += width }
            guard info.glyph != 0x0FFF_FFFF else { continue }
            let glyph = Glyph(
                index: info.glyph & 0x0FFF_FFFF, x: pen + Double(info.geometry.x_offset) / 1024,
                y: Double(info.geometry.y_offset) / 1024, width: width)
            if info.glyph & 0x1000_0000 != 0 {
                // Without a glyph, the number is the character itself.
                if let scalar = Unicode.Scalar(glyph.index) { missing.insert(scalar) }
                result.missing.append(glyph)
            } else {
                if info.attr & 2 != 0 { result.hasColors = true }
                result.glyphs.append(glyph)
            }
        }
        result.width = pen - result.x
        line.runs.append(result)
    }
}

/// Keeps a font of Pango's.
final class FontReference {
    let font: OpaquePointer

    init(_ font: OpaquePointer) {
        self.font = font
        _ = g_object_ref(UnsafeMutableRawPointer(font))
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(font)) }
}
