// Gradients fill what the clip leaves. Cairo interpolates straight encoded components, as the rule is; beyond the ends a
// transparent color with a hard edge stands where the options say that nothing is drawn.

import CCairo
import Foundation
import LayerModel

extension CGContext {
    /// Colors along a line; each is constant across it.
    public func drawLinearGradient(
        _ gradient: CGGradient, start startPoint: CGPoint, end endPoint: CGPoint, options: CGGradientDrawingOptions
    ) {
        guard isUsable(startPoint), isUsable(endPoint), startPoint != endPoint else { return }
        let pattern = cairo_pattern_create_linear(
            Double(startPoint.x), Double(startPoint.y), Double(endPoint.x), Double(endPoint.y))
        paint(pattern, of: gradient, options)
    }

    /// Colors from one circle to another.
    public func drawRadialGradient(
        _ gradient: CGGradient, startCenter: CGPoint, startRadius: CGFloat, endCenter: CGPoint, endRadius: CGFloat,
        options: CGGradientDrawingOptions
    ) {
        guard isUsable(startCenter), isUsable(endCenter), startRadius >= 0, endRadius >= 0,
            startRadius.isFinite, endRadius.isFinite, startCenter != endCenter || startRadius != endRadius
        else { return }
        let pattern = cairo_pattern_create_radial(
            Double(startCenter.x), Double(startCenter.y), Double(startRadius), Double(endCenter.x),
            Double(endCenter.y), Double(endRadius))
        paint(pattern, of: gradient, options)
    }

    /// Colors around a point, from `angle` (radians) on in the direction of growing angles.
    public func drawConicGradient(_ gradient: CGGradient, center: CGPoint, angle: CGFloat) {
        let transform = userToDevice
        guard isUsable(center), angle.isFinite, transform.cairoMatrix != nil else { return }
        let box = target.clipBox
        guard let picture = DrawingTarget(box) else { return }
        let inverse = transform.inverted()
        for y in box.minY..<box.maxY {
            let row = picture.bytes + (y - box.minY) * picture.stride
            for x in box.minX..<box.maxX {
                let point = CGPoint(x: Double(x) + 0.5, y: Double(y) + 0.5).applying(inverse)
                let turn = (atan2(Double(point.y - center.y), Double(point.x - center.x)) - Double(angle)) / (2 * .pi)
                let color = gradient.color(at: turn - turn.rounded(.down)).premultiplied
                let at = row + (x - box.minX) * 4
                at[0] = UInt8((color.blue * 255).rounded())
                at[1] = UInt8((color.green * 255).rounded())
                at[2] = UInt8((color.red * 255).rounded())
                at[3] = UInt8((color.alpha * 255).rounded())
            }
        }
        cairo_surface_mark_dirty(picture.surface)
        let source = InkSource(isSolid: false) { cairo, _ in
            cairo_set_source_surface(cairo, picture.surface, 0, 0)
            cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_NEAREST)
        }
        draw(DrawnShape(box: nil) { cairo_paint($0) }, with: source)
    }

    /// Takes over the reference to `pattern`.
    private func paint(_ pattern: OpaquePointer?, of gradient: CGGradient, _ options: CGGradientDrawingOptions) {
        guard let pattern else { return }
        defer { cairo_pattern_destroy(pattern) }
        guard var matrix = userToDevice.cairoMatrix else { return }
        func add(_ place: Double, _ color: Color, _ factor: Double = 1) {
            func clamped(_ value: Double) -> Double { min(max(value, 0), 1) }
            cairo_pattern_add_color_stop_rgba(
                pattern, place, clamped(color.red), clamped(color.green), clamped(color.blue),
                clamped(color.alpha) * factor)
        }
        let stops = gradient.stops
        guard let first = stops.first, let last = stops.last else { return }
        if !options.contains(.drawsBeforeStartLocation) { add(0, first.color, 0) }
        if first.location > 0 { add(0, first.color) }
        for stop in stops { add(stop.location, stop.color) }
        if last.location < 1 { add(1, last.color) }
        if !options.contains(.drawsAfterEndLocation) { add(1, last.color, 0) }
        cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
        let source = InkSource(isSolid: false) { cairo, _ in
            cairo_set_matrix(cairo, &matrix)
            cairo_set_source(cairo, pattern)
            cairo_identity_matrix(cairo)
        }
        draw(DrawnShape(box: nil) { cairo_paint($0) }, with: source)
    }
}
