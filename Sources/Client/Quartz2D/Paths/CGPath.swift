// Paths with Apple's spelling over the shared `VectorPath`. An immutable class, and a subclass that can be drawn into.
//
// A path is a list of contours of lines and Bézier curves; ellipses and arcs become cubics when they are added (a quarter
// circle's cubic is off by 0.03 % of the radius). No call traps: a path of numbers that are not finite exists, and whoever is
// given it refuses it.

import Foundation
import LayerModel

/// How a point's windings decide whether it is inside.
public enum CGPathFillRule: Int, Sendable {
    /// Inside where the contours' turns don't cancel out.
    case winding = 0
    /// Inside where a ray crosses an odd number of edges.
    case evenOdd = 1
}

/// Contours of lines and curves. Immutable, but for `CGMutablePath`; a path that a layer keeps is a copy.
public class CGPath: Hashable, CustomStringConvertible, @unchecked Sendable {
    package fileprivate(set) var vectorPath: VectorPath

    package init(_ vectorPath: VectorPath) {
        self.vectorPath = vectorPath
    }

    // MARK: Shapes

    /// A rectangle from its min corner towards max x first. Nothing for a null rectangle.
    public init(rect: CGRect, transform: UnsafePointer<CGAffineTransform>? = nil) {
        vectorPath = VectorPath()
        vectorPath.add(.rect(rect), transform?.pointee ?? .identity)
    }

    /// An ellipse from its right-hand point towards max y. Nothing for a null rectangle.
    public init(ellipseIn rect: CGRect, transform: UnsafePointer<CGAffineTransform>? = nil) {
        vectorPath = VectorPath()
        vectorPath.add(.ellipse(rect), transform?.pointee ?? .identity)
    }

    /// A rectangle with corners of quarter ellipses, from the middle of its right side towards max y. Corners are at most as
    /// large as fit; negative ones are none.
    public init(
        roundedRect rect: CGRect, cornerWidth: CGFloat, cornerHeight: CGFloat,
        transform: UnsafePointer<CGAffineTransform>? = nil
    ) {
        vectorPath = VectorPath()
        vectorPath.add(.roundedRect(rect, cornerWidth, cornerHeight), transform?.pointee ?? .identity)
    }

    // MARK: What it is

    /// True when it has no elements.
    public final var isEmpty: Bool { vectorPath.isEmpty }

    /// Where the next line would begin; the origin for an empty path.
    public final var currentPoint: CGPoint { CGPoint(vectorPath.currentPoint ?? .zero) }

    /// The smallest rectangle around all points, control points included; null for an empty path.
    public final var boundingBox: CGRect { vectorPath.controlBox.map { CGRect($0) } ?? .null }

    /// The smallest rectangle around the lines and curves themselves; null for an empty path.
    public final var boundingBoxOfPath: CGRect { vectorPath.exactBox.map { CGRect($0) } ?? .null }

    /// True for one upright rectangle, which is written to `rect`.
    public final func isRect(_ rect: UnsafeMutablePointer<CGRect>?) -> Bool {
        guard let found = vectorPath.uprightRect else { return false }
        rect?.pointee = CGRect(found)
        return true
    }

    /// True when a point is inside, every contour taken as closed.
    ///
    /// - Parameter transform: Applied to the point first.
    public final func contains(
        _ point: CGPoint, using rule: CGPathFillRule = .winding, transform: CGAffineTransform = .identity
    ) -> Bool {
        let windings = vectorPath.windings(around: Point(point.applying(transform)))
        return rule == .winding ? windings.turns != 0 : windings.crossings % 2 == 1
    }

    // MARK: Copies

    /// An immutable copy.
    public final func copy() -> CGPath? { CGPath(vectorPath) }

    /// An immutable copy with every point transformed.
    public final func copy(using transform: UnsafePointer<CGAffineTransform>?) -> CGPath? {
        CGPath(vectorPath.applying(transform?.pointee ?? .identity))
    }

    /// A copy that can be drawn into.
    public final func mutableCopy() -> CGMutablePath? { CGMutablePath(vectorPath) }

    /// A copy that can be drawn into, with every point transformed.
    public final func mutableCopy(using transform: UnsafePointer<CGAffineTransform>?) -> CGMutablePath? {
        CGMutablePath(vectorPath.applying(transform?.pointee ?? .identity))
    }

    // MARK: Comparing

    /// Equal when they have the same elements with the same points.
    public static func == (a: CGPath, b: CGPath) -> Bool { a === b || a.vectorPath == b.vectorPath }

    public func hash(into hasher: inout Hasher) { hasher.combine(vectorPath) }

    public var description: String {
        var lines: [String] = []
        forEach { lines.append("\($0)") }
        return "Path: " + (lines.isEmpty ? "empty" : lines.joined(separator: ", "))
    }
}

/// A path that can be drawn into. One thread at a time may change it.
public final class CGMutablePath: CGPath, @unchecked Sendable {
    /// An empty path.
    public init() {
        super.init(VectorPath())
    }

    package override init(_ vectorPath: VectorPath) {
        super.init(vectorPath)
    }

    // MARK: Lines and curves

    /// Begins a contour.
    public func move(to point: CGPoint, transform: CGAffineTransform = .identity) {
        vectorPath.move(to: Point(point.applying(transform)))
    }

    /// A line from the current point. Without one, nothing; the same holds for curves.
    public func addLine(to point: CGPoint, transform: CGAffineTransform = .identity) {
        guard !isEmpty else { return }
        vectorPath.line(to: Point(point.applying(transform)))
    }

    /// Begins a contour at the first point, with lines to the others.
    public func addLines(between points: [CGPoint], transform: CGAffineTransform = .identity) {
        guard let first = points.first else { return }
        move(to: first, transform: transform)
        for point in points.dropFirst() { addLine(to: point, transform: transform) }
    }

    /// A quadratic curve from the current point.
    public func addQuadCurve(to end: CGPoint, control: CGPoint, transform: CGAffineTransform = .identity) {
        guard !isEmpty else { return }
        vectorPath.quad(to: Point(end.applying(transform)), control: Point(control.applying(transform)))
    }

    /// A cubic curve from the current point.
    public func addCurve(
        to end: CGPoint, control1: CGPoint, control2: CGPoint, transform: CGAffineTransform = .identity
    ) {
        guard !isEmpty else { return }
        vectorPath.cubic(
            to: Point(end.applying(transform)), Point(control1.applying(transform)), Point(control2.applying(transform))
        )
    }

    /// A line back to where the contour began.
    public func closeSubpath() { vectorPath.close() }

    // MARK: Shapes

    /// A contour around a rectangle; nothing for a null one.
    public func addRect(_ rect: CGRect, transform: CGAffineTransform = .identity) {
        vectorPath.add(.rect(rect), transform)
    }

    /// A contour around each rectangle.
    public func addRects(_ rects: [CGRect], transform: CGAffineTransform = .identity) {
        for rect in rects { addRect(rect, transform: transform) }
    }

    /// A contour around the ellipse in a rectangle, from its right-hand point towards max y; nothing for a null one.
    public func addEllipse(in rect: CGRect, transform: CGAffineTransform = .identity) {
        vectorPath.add(.ellipse(rect), transform)
    }

    /// A contour around a rectangle with corners of quarter ellipses. Corners are at most as large as fit.
    public func addRoundedRect(
        in rect: CGRect, cornerWidth: CGFloat, cornerHeight: CGFloat, transform: CGAffineTransform = .identity
    ) {
        vectorPath.add(.roundedRect(rect, cornerWidth, cornerHeight), transform)
    }

    /// Adds the contours of another path.
    public func addPath(_ path: CGPath, transform: CGAffineTransform = .identity) {
        vectorPath.append(path.vectorPath.applying(transform))
    }

    // MARK: Arcs

    /// Part of a circle, with a line to it from the current point. Angles are radians from the x axis towards the y axis.
    ///
    /// - Parameter clockwise: False: the angle grows. On a screen whose y points down that *looks* clockwise.
    ///
    /// Angles that differ by a turn or more make a full circle in either direction. A radius that is negative or not finite
    /// adds nothing.
    public func addArc(
        center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool,
        transform: CGAffineTransform = .identity
    ) {
        let sweep = Arc.sweep(from: Double(startAngle), to: Double(endAngle), falling: clockwise)
        vectorPath.addArc(
            Arc(center: Point(center), radius: Double(radius), start: Double(startAngle), sweep: sweep), transform)
    }

    /// As `addArc`, by how far the angle goes from its start: growing for a positive `delta`.
    public func addRelativeArc(
        center: CGPoint, radius: CGFloat, startAngle: CGFloat, delta: CGFloat, transform: CGAffineTransform = .identity
    ) {
        vectorPath.addArc(
            Arc(
                center: Point(center), radius: Double(radius), start: Double(startAngle),
                sweep: Arc.atMostTwoTurns(Double(delta))), transform)
    }

    /// Rounds the corner at `tangent1End` between the line from the current point and the line on to `tangent2End`: a line,
    /// then an arc that touches both. Where there is no corner to round, a line to `tangent1End`.
    public func addArc(
        tangent1End: CGPoint, tangent2End: CGPoint, radius: CGFloat, transform: CGAffineTransform = .identity
    ) {
        guard let current = vectorPath.currentPoint else { return }
        let from = Point(CGPoint(current).applying(transform.inverted()))
        guard let arc = Arc(rounding: Point(tangent1End), from: from, to: Point(tangent2End), radius: Double(radius))
        else { return addLine(to: tangent1End, transform: transform) }
        vectorPath.addArc(arc, transform)
    }
}
