// Areas and lines.

import CCairo
import Foundation
import LayerModel

extension CGContext {
    // MARK: The current path

    /// Fills the current path, which is then empty.
    public func fillPath(using rule: CGPathFillRule = .winding) {
        fill(currentPath, rule)
        beginPath()
    }

    /// Draws a line along the current path, which is then empty.
    public func strokePath() {
        stroke(currentPath)
        beginPath()
    }

    /// Fills the current path, draws a line along it, or both; it is then empty.
    public func drawPath(using mode: CGPathDrawingMode) {
        let path = currentPath
        switch mode {
        case .fill: fill(path, .winding)
        case .eoFill: fill(path, .evenOdd)
        case .stroke: stroke(path)
        case .fillStroke:
            fill(path, .winding)
            stroke(path)
        case .eoFillStroke:
            fill(path, .evenOdd)
            stroke(path)
        }
        beginPath()
    }

    // MARK: Shapes at once

    /// Fills a rectangle of user space. The current path is lost.
    public func fill(_ rect: CGRect) { fill([rect]) }

    /// Fills rectangles. The current path is lost.
    public func fill(_ rects: [CGRect]) {
        beginPath()
        addRects(rects)
        fillPath()
    }

    /// Fills the ellipse in a rectangle of user space. The current path is lost.
    public func fillEllipse(in rect: CGRect) {
        beginPath()
        addEllipse(in: rect)
        fillPath()
    }

    /// Draws a line along a rectangle of user space. The current path is lost.
    public func stroke(_ rect: CGRect) {
        beginPath()
        addRect(rect)
        strokePath()
    }

    /// As `stroke(_:)`, with a line of another width.
    public func stroke(_ rect: CGRect, width: CGFloat) {
        saveGState()
        setLineWidth(width)
        stroke(rect)
        restoreGState()
    }

    /// Draws a line along the ellipse in a rectangle of user space. The current path is lost.
    public func strokeEllipse(in rect: CGRect) {
        beginPath()
        addEllipse(in: rect)
        strokePath()
    }

    /// A line from the first point to the second, one from the third to the fourth, and so on.
    public func strokeLineSegments(between points: [CGPoint]) {
        beginPath()
        for index in stride(from: 0, to: points.count - 1, by: 2) {
            move(to: points[index])
            addLine(to: points[index + 1])
        }
        strokePath()
    }

    /// Makes a rectangle transparent, in an opaque context black. Shadow, alpha and blend mode do not matter.
    public func clear(_ rect: CGRect) {
        guard let rect = usable(rect) else { return }
        let path = CGMutablePath()
        path.addRect(rect, transform: state.ctm)
        let saved = state
        (state.shadow, state.alpha, state.blendMode) = (nil, 1, .clear)
        draw(filled(path, .winding), with: .color(.black))
        state = saved
    }

    // MARK: In base space

    func fill(_ path: CGPath, _ rule: CGPathFillRule) {
        guard !path.isEmpty else { return }
        guard let source = source(state.fill) else { return }
        draw(filled(path, rule), with: source)
    }

    func stroke(_ path: CGPath) {
        guard !path.isEmpty, let shape = stroked(path), let source = source(state.stroke) else { return }
        draw(shape, with: source)
    }

    func filled(_ path: CGPath, _ rule: CGPathFillRule) -> DrawnShape {
        DrawnShape(box: deviceBox(of: path)) { cairo in
            self.append(path, to: cairo)
            cairo_set_fill_rule(cairo, rule == .winding ? CAIRO_FILL_RULE_WINDING : CAIRO_FILL_RULE_EVEN_ODD)
            cairo_fill(cairo)
        }
    }

    /// Nil where the ctm leaves no area.
    private func stroked(_ path: CGPath) -> DrawnShape? {
        var transform = userToDevice
        var width = Double(state.lineWidth)
        var dashes = state.dashLengths.map { Double($0) }
        if width == 0 {
            // A pixel wide, whatever the ctm: dashes are brought into pixels.
            let scale = transform.meanScale
            transform = .identity
            width = 1
            dashes = dashes.map { $0 * scale }
        }
        guard var matrix = transform.cairoMatrix else { return nil }
        width = min(width, CGContext.farAway / max(transform.largestScale, 1e-9))
        var reach = width * transform.largestScale
        if state.lineJoin == .miter { reach *= Double(min(state.miterLimit, 1_000)) }
        let box = deviceBox(of: path).insetBy(dx: -CGFloat(reach) - 1, dy: -CGFloat(reach) - 1)
        if !dashes.isEmpty, !canDash(path, dashes, scale: transform.meanScale) { dashes = [] }
        let current = state
        return DrawnShape(box: box) { cairo in
            self.append(path, to: cairo)
            cairo_set_matrix(cairo, &matrix)
            cairo_set_line_width(cairo, width)
            cairo_set_line_cap(cairo, current.lineCap.cairo)
            cairo_set_line_join(cairo, current.lineJoin.cairo)
            cairo_set_miter_limit(cairo, Double(current.miterLimit))
            cairo_set_dash(cairo, dashes, Int32(dashes.count), Double(current.dashPhase))
            cairo_stroke(cairo)
            cairo_set_dash(cairo, nil, 0, 0)
            cairo_identity_matrix(cairo)
        }
    }

    /// False where there would be more dashes than anybody can see: a solid line is drawn then, with a warning.
    private func canDash(_ path: CGPath, _ dashes: [Double], scale: Double) -> Bool {
        let period = dashes.reduce(0, +) * scale
        let points = path.vectorPath.points.map { CGPoint($0).applying(baseToDevice) }
        var length = 0.0
        for (a, b) in zip(points, points.dropFirst()) {
            let (dx, dy) = (Double(b.x - a.x), Double(b.y - a.y))
            length += min(hypot(dx, dy), 4 * CGContext.farAway)
        }
        guard length / max(period, 1e-12) * Double(dashes.count) > 1_000_000 else { return true }
        warn("a line of more than a million dashes is drawn without")
        return false
    }
}

extension CGLineCap {
    var cairo: cairo_line_cap_t {
        switch self {
        case .butt: CAIRO_LINE_CAP_BUTT
        case .round: CAIRO_LINE_CAP_ROUND
        case .square: CAIRO_LINE_CAP_SQUARE
        }
    }
}

extension CGLineJoin {
    var cairo: cairo_line_join_t {
        switch self {
        case .miter: CAIRO_LINE_JOIN_MITER
        case .round: CAIRO_LINE_JOIN_ROUND
        case .bevel: CAIRO_LINE_JOIN_BEVEL
        }
    }
}

extension CGContext.InkSource {
    /// A color whose bytes are round(255 · c · alpha): cairo cuts off instead of rounding, so it is given what comes out as
    /// those bytes.
    static func color(_ color: Color) -> CGContext.InkSource {
        CGContext.InkSource(isSolid: true) { cairo, alpha in
            var faded = color
            faded.alpha = min(max(color.alpha, 0), 1) * alpha
            let wanted = faded.premultiplied
            func byte(_ value: Float) -> Double { Double((value * 255).rounded()) / 255 }
            let opacity = byte(wanted.alpha)
            guard opacity > 0 else { return cairo_set_source_rgba(cairo, 0, 0, 0, 0) }
            cairo_set_source_rgba(
                cairo, byte(wanted.red) / opacity, byte(wanted.green) / opacity, byte(wanted.blue) / opacity, opacity)
        }
    }
}
