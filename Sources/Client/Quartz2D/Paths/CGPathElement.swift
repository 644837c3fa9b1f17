// A path's elements, one by one.

import Foundation
import LayerModel

/// What an element of a path is.
public enum CGPathElementType: Int32, Sendable {
    case moveToPoint = 0
    case addLineToPoint = 1
    case addQuadCurveToPoint = 2
    case addCurveToPoint = 3
    case closeSubpath = 4
}

/// What `applyWithBlock` hands out. The points are the end point last, its control points before it; they are there during
/// the call only.
public struct CGPathElement {
    /// What it is.
    public var type: CGPathElementType
    /// None, one, two or three points, by the type.
    public var points: UnsafeMutablePointer<CGPoint>

    /// An element. The points stay the caller's.
    public init(type: CGPathElementType, points: UnsafeMutablePointer<CGPoint>) {
        self.type = type
        self.points = points
    }
}

extension CGPath {
    /// One element as a value.
    public enum Element: Hashable, Sendable, CustomStringConvertible {
        case move(to: CGPoint)
        case line(to: CGPoint)
        case quadCurve(to: CGPoint, control: CGPoint)
        case curve(to: CGPoint, control1: CGPoint, control2: CGPoint)
        case closeSubpath

        public var description: String {
            func text(_ points: CGPoint...) -> String { points.map { "(\($0.x), \($0.y))" }.joined(separator: " ") }
            return switch self {
            case .move(let to): "move \(text(to))"
            case .line(let to): "line \(text(to))"
            case .quadCurve(let to, let control): "quad \(text(control, to))"
            case .curve(let to, let control1, let control2): "curve \(text(control1, control2, to))"
            case .closeSubpath: "close"
            }
        }
    }

    /// Calls `body` with each element, in order.
    public final func forEach(_ body: (Element) throws -> Void) rethrows {
        var next = 0
        let points = vectorPath.points
        for verb in vectorPath.verbs {
            switch verb {
            case .move: try body(.move(to: CGPoint(points[next])))
            case .line: try body(.line(to: CGPoint(points[next])))
            case .quad: try body(.quadCurve(to: CGPoint(points[next + 1]), control: CGPoint(points[next])))
            case .cubic:
                try body(
                    .curve(
                        to: CGPoint(points[next + 2]), control1: CGPoint(points[next]),
                        control2: CGPoint(points[next + 1])))
            case .close: try body(.closeSubpath)
            }
            next += verb.pointCount
        }
    }

    /// Calls `block` with each element, in order; the element is there during the call only.
    public final func applyWithBlock(_ block: (UnsafePointer<CGPathElement>) -> Void) {
        withUnsafeTemporaryAllocation(of: CGPoint.self, capacity: 3) { buffer in
            buffer.initialize(repeating: .zero)
            var next = 0
            for verb in vectorPath.verbs {
                for index in 0..<verb.pointCount { buffer[index] = CGPoint(vectorPath.points[next + index]) }
                next += verb.pointCount
                let type: CGPathElementType =
                    switch verb {
                    case .move: .moveToPoint
                    case .line: .addLineToPoint
                    case .quad: .addQuadCurveToPoint
                    case .cubic: .addCurveToPoint
                    case .close: .closeSubpath
                    }
                var element = CGPathElement(type: type, points: buffer.baseAddress!)
                withUnsafePointer(to: &element) { block($0) }
            }
        }
    }
}
