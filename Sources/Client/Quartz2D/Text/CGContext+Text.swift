// Text in a context. Lines are laid out with y down from their top; they are drawn upright in the context's user space: with
// y up unless it is said that y points down there.

import CCairo
import CPango
import Foundation
import LayerModel

extension CGContext {
    /// Draws laid out lines.
    ///
    /// - Parameters:
    ///   - origin: Of the layout's top left corner, in user space.
    ///   - isFlipped: User space counts y downwards on the picture.
    ///   - color: Where the text has none of its own.
    package func draw(_ layout: TextLayout, at origin: CGPoint, isFlipped: Bool, color: CGColor) {
        guard isUsable(origin) else { return }
        let place = CGAffineTransform(1, 0, 0, isFlipped ? 1 : -1, origin.x, origin.y).concatenating(state.ctm)
        let visible = target.clipBox
        for line in layout.lines {
            let box = CGRect(x: line.x, y: line.top, width: line.width, height: line.height)
                .insetBy(dx: -CGFloat(line.height), dy: -CGFloat(line.height))
                .applying(place).applying(baseToDevice)
            guard PixelRect(covering: box).intersects(visible) else { continue }
            for run in line.runs {
                draw(run, of: line, layout.styles.isEmpty ? TextStyle() : layout.styles[run.style], place, color)
            }
        }
    }

    private func draw(
        _ run: TextLayout.Run, of line: TextLayout.Line, _ style: TextStyle, _ place: CGAffineTransform,
        _ plain: CGColor
    ) {
        let ink = InkSource.color((style.color ?? plain).color)
        let x = line.x + run.x
        func area(_ rect: CGRect, _ color: Color) {
            let path = CGMutablePath()
            path.addRect(rect, transform: place)
            draw(filled(path, .winding), with: .color(color))
        }
        if let background = style.background {
            area(CGRect(x: x, y: line.top, width: run.width, height: line.height), background.color)
        }
        let baseline = line.baseline - run.rise
        if !style.underline.isEmpty {
            let color = (style.underlineColor ?? style.color ?? plain).color
            lines(style.underline, run.metrics.underlinePosition, run.metrics.underlineThickness) { above, thickness in
                area(CGRect(x: x, y: baseline - above, width: run.width, height: thickness), color)
            }
        }
        if state.textDrawingMode != .invisible {
            if run.hasColors { drawPictures(run, line, place) } else { drawOutlines(run, line, place, ink) }
            for glyph in run.missing { drawBox(glyph, run, line, place, ink) }
        }
        if !style.strikethrough.isEmpty {
            let color = (style.strikethroughColor ?? style.color ?? plain).color
            let metrics = run.metrics
            lines(style.strikethrough, metrics.strikethroughPosition, metrics.strikethroughThickness) {
                area(CGRect(x: x, y: baseline - $0, width: run.width, height: $1), color)
            }
        }
    }

    /// One or two lines, thick ones twice as thick. Calls with the top's height above the baseline and the thickness.
    private func lines(
        _ style: NSUnderlineStyle, _ position: Double, _ thickness: Double, _ body: (Double, Double) -> Void
    ) {
        let isDouble = style.contains(.double)
        let thick = style.contains(.thick) && !isDouble ? thickness * 2 : thickness
        body(position, thick)
        if isDouble { body(position - 2 * thickness, thickness) }
    }

    /// Where glyphs stand, in points on the layout.
    private func places(_ run: TextLayout.Run, _ line: TextLayout.Line, _ place: CGAffineTransform) -> [cairo_glyph_t] {
        let scale = max(Double(hypot(place.a, place.b)), 1e-9)
        return run.glyphs.map { glyph in
            var x = line.x + glyph.x
            if quantizesGlyphs { x = (x * scale * 4).rounded() / 4 / scale }
            return cairo_glyph_t(index: UInt(glyph.index), x: x, y: line.baseline - run.rise + glyph.y)
        }
    }

    private func drawOutlines(
        _ run: TextLayout.Run, _ line: TextLayout.Line, _ place: CGAffineTransform, _ ink: InkSource
    ) {
        let glyphs = places(run, line, place)
        guard !glyphs.isEmpty, var matrix = place.concatenating(baseToDevice).cairoMatrix else { return }
        let mode = state.textDrawingMode
        let (fills, strokes) = (
            [.fill, .fillStroke, .fillClip, .fillStrokeClip].contains(mode),
            [.stroke, .fillStroke, .strokeClip, .fillStrokeClip].contains(mode)
        )
        let width = Double(state.lineWidth)
        let (strokeInk, join) = (source(state.stroke), state.lineJoin.cairo)
        func shape(_ finish: @escaping (OpaquePointer) -> Void) -> DrawnShape {
            let box = CGRect(x: line.x + run.x, y: line.top, width: run.width, height: line.height)
                .insetBy(dx: -CGFloat(line.height) - 1, dy: -CGFloat(line.height) - 1)
            return DrawnShape(box: box.applying(place).applying(baseToDevice)) { cairo in
                cairo_set_matrix(cairo, &matrix)
                cairo_new_path(cairo)
                cairo_set_scaled_font(cairo, pango_cairo_font_get_scaled_font(run.font.font))
                cairo_set_fill_rule(cairo, CAIRO_FILL_RULE_WINDING)
                // One glyph at a time: overlapping ones don't meet in one path, and each costs only its own box.
                for glyph in glyphs {
                    var glyph = glyph
                    cairo_glyph_path(cairo, &glyph, 1)
                    finish(cairo)
                }
                cairo_identity_matrix(cairo)
            }
        }
        _ = TextEngine.shared.withContext { _ in
            if fills { draw(shape { cairo_fill($0) }, with: ink) }
            if strokes, let strokeInk {
                draw(
                    shape {
                        cairo_set_line_width($0, width)
                        cairo_set_line_join($0, join)
                        cairo_stroke($0)
                    }, with: strokeInk)
            }
        }
    }

    /// A font with colors of its own.
    private func drawPictures(_ run: TextLayout.Run, _ line: TextLayout.Line, _ place: CGAffineTransform) {
        let glyphs = places(run, line, place)
        guard !glyphs.isEmpty, var matrix = place.concatenating(baseToDevice).cairoMatrix else { return }
        let shape = DrawnShape(box: nil) { cairo in
            cairo_set_matrix(cairo, &matrix)
            cairo_set_scaled_font(cairo, pango_cairo_font_get_scaled_font(run.font.font))
            cairo_show_glyphs(cairo, glyphs, Int32(glyphs.count))
            cairo_identity_matrix(cairo)
        }
        _ = TextEngine.shared.withContext { _ in
            draw(shape, with: InkSource(isSolid: false) { cairo, _ in cairo_set_source_rgba(cairo, 0, 0, 0, 1) })
        }
    }

    /// A character that no font has: an upright frame on the baseline.
    private func drawBox(
        _ glyph: TextLayout.Glyph, _ run: TextLayout.Run, _ line: TextLayout.Line, _ place: CGAffineTransform,
        _ ink: InkSource
    ) {
        let (frame, hole) = CGContext.missingGlyphBox(
            width: glyph.width, ascent: run.metrics.ascent, x: line.x + glyph.x,
            baseline: line.baseline - run.rise + glyph.y)
        let path = CGMutablePath()
        path.addRect(frame, transform: place)
        path.addRect(hole, transform: place)
        draw(filled(path, .evenOdd), with: ink)
    }

    /// The frame's outer and inner edge: as high as three quarters of the ascent, a tenth of the room free on each side.
    static func missingGlyphBox(
        width: Double, ascent: Double, x: Double, baseline: Double
    ) -> (frame: CGRect, hole: CGRect) {
        let frame = CGRect(x: x + width / 10, y: baseline - ascent * 0.75, width: width * 0.8, height: ascent * 0.75)
        let thickness = min(ascent / 16, Double(frame.width) / 4)
        return (frame, frame.insetBy(dx: thickness, dy: thickness))
    }
}
