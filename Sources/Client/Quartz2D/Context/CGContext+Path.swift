// The current path: every call of CGPath's building, through the ctm of the moment.

import CCairo
import Foundation
import LayerModel

extension CGContext {
    /// The current path becomes empty.
    public func beginPath() { currentPath = CGMutablePath() }

    /// Begins a contour at a point of user space. Points that are not finite are ignored with a warning; the same holds
    /// for all that follow.
    public func move(to point: CGPoint) {
        guard isUsable(point) else { return }
        currentPath.move(to: point, transform: state.ctm)
    }

    /// A line from the current point.
    public func addLine(to point: CGPoint) {
        guard isUsable(point) else { return }
        currentPath.addLine(to: point, transform: state.ctm)
    }

    /// A contour through points, the first one moved to.
    public func addLines(between points: [CGPoint]) {
        guard let first = points.first else { return }
        move(to: first)
        for point in points.dropFirst() { addLine(to: point) }
    }

    /// A quadratic curve from the current point.
    public func addQuadCurve(to end: CGPoint, control: CGPoint) {
        guard isUsable(end), isUsable(control) else { return }
        currentPath.addQuadCurve(to: end, control: control, transform: state.ctm)
    }

    /// A cubic curve from the current point.
    public func addCurve(to end: CGPoint, control1: CGPoint, control2: CGPoint) {
        guard isUsable(end), isUsable(control1), isUsable(control2) else { return }
        currentPath.addCurve(to: end, control1: control1, control2: control2, transform: state.ctm)
    }

    /// A line back to where the contour began.
    public func closePath() { currentPath.closeSubpath() }

    /// A contour around a rectangle of user space.
    public func addRect(_ rect: CGRect) {
        guard let rect = usable(rect) else { return }
        currentPath.addRect(rect, transform: state.ctm)
    }

    /// A contour around each rectangle.
    public func addRects(_ rects: [CGRect]) {
        for rect in rects { addRect(rect) }
    }

    /// A contour around the ellipse in a rectangle of user space.
    public func addEllipse(in rect: CGRect) {
        guard let rect = usable(rect) else { return }
        currentPath.addEllipse(in: rect, transform: state.ctm)
    }

    /// False: the angle grows, counter-clockwise in a bitmap context.
    public func addArc(center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool) {
        guard isUsable(center) else { return }
        currentPath.addArc(
            center: center, radius: radius, startAngle: startAngle, endAngle: endAngle, clockwise: clockwise,
            transform: state.ctm)
    }

    /// A line towards `tangent1End`, and from it round that corner towards `tangent2End`, an arc that touches both
    /// sides.
    public func addArc(tangent1End: CGPoint, tangent2End: CGPoint, radius: CGFloat) {
        guard isUsable(tangent1End), isUsable(tangent2End) else { return }
        currentPath.addArc(
            tangent1End: tangent1End, tangent2End: tangent2End, radius: radius, transform: state.ctm)
    }

    /// Adds the contours of a path, which is in user space.
    public func addPath(_ path: CGPath) {
        guard path.vectorPath.isFinite else { return warn("a path that is not finite is ignored") }
        currentPath.addPath(path, transform: state.ctm)
    }

    /// The current path in user space; nil when it is empty.
    public var path: CGPath? {
        guard !currentPath.isEmpty else { return nil }
        var inverse = state.ctm.inverted()
        return currentPath.copy(using: &inverse)
    }

    /// True when the current path has no elements.
    public var isPathEmpty: Bool { currentPath.isEmpty }

    /// In user space.
    public var currentPointOfPath: CGPoint {
        currentPath.isEmpty ? .zero : currentPath.currentPoint.applying(state.ctm.inverted())
    }

    /// Around all points, in user space; null when the path is empty.
    public var boundingBoxOfPath: CGRect { path?.boundingBox ?? .null }

    /// - Parameter point: In user space. A mode that strokes asks about the area that filling would give.
    public func pathContains(_ point: CGPoint, mode: CGPathDrawingMode) -> Bool {
        let isEvenOdd = mode == .eoFill || mode == .eoFillStroke
        return currentPath.contains(point.applying(state.ctm), using: isEvenOdd ? .evenOdd : .winding)
    }

    /// The current path becomes what a line along it would cover; dashes count. Nothing where the ctm leaves no area.
    public func replacePathWithStrokedPath() {
        guard !currentPath.isEmpty, state.lineWidth > 0, state.ctm.cairoMatrix != nil else { return }
        var inverse = state.ctm.inverted()
        guard var line = currentPath.copy(using: &inverse) else { return }
        if !state.dashLengths.isEmpty {
            line = line.copy(dashingWithPhase: state.dashPhase, lengths: state.dashLengths)
        }
        line = line.copy(
            strokingWithWidth: state.lineWidth, lineCap: state.lineCap, lineJoin: state.lineJoin,
            miterLimit: state.miterLimit)
        currentPath = CGMutablePath()
        currentPath.addPath(line, transform: state.ctm)
    }

    // MARK: Checks

    func isUsable(_ point: CGPoint) -> Bool {
        if point.x.isFinite, point.y.isFinite { return true }
        warn("a point that is not finite is ignored")
        return false
    }

    /// Nil for a null rectangle and one that is not finite; an infinite one is made as large as is drawn.
    func usable(_ rect: CGRect) -> CGRect? {
        if rect.isNull { return nil }
        if rect.isInfinite { return CGRect(x: -1e9, y: -1e9, width: 2e9, height: 2e9) }
        if rect.minX.isFinite, rect.minY.isFinite, rect.maxX.isFinite, rect.maxY.isFinite { return rect }
        warn("a rectangle that is not finite is ignored")
        return nil
    }

    // MARK: To cairo

    /// Makes `path`, which is in base space, cairo's current path.
    func append(_ path: CGPath, to cairo: OpaquePointer) {
        cairo_identity_matrix(cairo)
        cairo_new_path(cairo)
        let points = path.vectorPath.points
        var next = 0
        var (lastX, lastY) = (0.0, 0.0)
        func device(_ index: Int) -> (Double, Double) {
            let point = CGPoint(points[index]).applying(baseToDevice)
            return (near(Double(point.x)), near(Double(point.y)))
        }
        for verb in path.vectorPath.verbs {
            switch verb {
            case .move:
                (lastX, lastY) = device(next)
                cairo_move_to(cairo, lastX, lastY)
            case .line:
                (lastX, lastY) = device(next)
                cairo_line_to(cairo, lastX, lastY)
            case .quad:
                let (control, end) = (device(next), device(next + 1))
                let third = 2.0 / 3
                cairo_curve_to(
                    cairo, lastX + third * (control.0 - lastX), lastY + third * (control.1 - lastY),
                    end.0 + third * (control.0 - end.0), end.1 + third * (control.1 - end.1), end.0, end.1)
                (lastX, lastY) = end
            case .cubic:
                let (first, second, end) = (device(next), device(next + 1), device(next + 2))
                cairo_curve_to(cairo, first.0, first.1, second.0, second.1, end.0, end.1)
                (lastX, lastY) = end
            case .close:
                cairo_close_path(cairo)
                cairo_get_current_point(cairo, &lastX, &lastY)
            }
            next += verb.pointCount
        }
    }

    private func near(_ value: Double) -> Double {
        guard value == value else { return 0 }
        return min(max(value, -CGContext.farAway), CGContext.farAway)
    }

    /// A path's control points' box in device pixels.
    func deviceBox(of path: CGPath) -> CGRect { path.boundingBox.applying(baseToDevice) }
}
