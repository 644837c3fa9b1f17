// How much of each pixel a filled path covers.
//
// A row of pixels is cut at the height of every point of the path in it; each piece is looked at along 16 lines a pixel.
// On a line the crossings from left to right, each with its direction, say where the winding number is inside by the rule; what a
// stretch covers of a pixel is exact along the line.

import Glibc
import LayerModel

enum PathCoverage {
    private struct Edge {
        var low: Point
        var high: Point
        /// 1 where the path runs upward in y, −1 where it runs back.
        var direction: Int
    }

    /// Coverage of the path in a plane; empty where there is nothing.
    static func of(_ path: VectorPath, _ plane: Plane, in limits: PixelRect) -> Coverage {
        of(contours(path).filter { $0.count > 2 }, plane, .nonZero, in: limits)
    }

    /// Coverage of closed contours in a plane.
    static func of(_ contours: [[Point]], _ plane: Plane, _ rule: FillRule, in limits: PixelRect) -> Coverage {
        var edges: [Edge] = []
        for contour in contours {
            let points = plane.project(ConvexPolygon(contour, edges: .soft)).vertices.map(\.point)
            guard points.allSatisfy(\.isFinite) else { return .none }
            for (i, p) in points.enumerated() {
                let q = points[(i + 1) % points.count]
                if p.y < q.y { edges.append(Edge(low: p, high: q, direction: 1)) }
                if p.y > q.y { edges.append(Edge(low: q, high: p, direction: -1)) }
            }
        }
        guard !edges.isEmpty, !limits.isEmpty else { return .none }
        return Coverage(bounds: limits) { values in
            for y in limits.minY..<limits.maxY {
                let row = edges.filter { $0.low.y < Double(y + 1) && $0.high.y > Double(y) }
                if !row.isEmpty { fill(y, row, rule, limits, &values) }
            }
        }
    }

    private static func fill(
        _ y: Int, _ edges: [Edge], _ rule: FillRule, _ limits: PixelRect, _ values: inout [Double]
    ) {
        var heights: [Double] = [Double(y), Double(y + 1)]
        for edge in edges {
            // Of many small pieces the cuts would be as many as the lines.
            if edges.count > 48 { break }
            for h in [edge.low.y, edge.high.y] where h > Double(y) && h < Double(y + 1) { heights.append(h) }
        }
        heights.sort()
        let start = (y - limits.minY) * limits.width
        for (top, bottom) in zip(heights, heights.dropFirst()) where bottom > top {
            let lines = Int(((bottom - top) * (edges.count > 48 ? 32 : 16)).rounded(.up))
            let weight = (bottom - top) / Double(lines)
            for line in 0..<lines {
                let at = top + (Double(line) + 0.5) * weight
                var crossings: [(x: Double, direction: Int)] = []
                for edge in edges where edge.low.y <= at && edge.high.y > at {
                    let t = (at - edge.low.y) / (edge.high.y - edge.low.y)
                    crossings.append((edge.low.x + (edge.high.x - edge.low.x) * t, edge.direction))
                }
                crossings.sort { $0.x < $1.x }
                var winding = 0
                for (i, crossing) in crossings.enumerated() {
                    winding += crossing.direction
                    let isInside = rule == .nonZero ? winding != 0 : winding % 2 != 0
                    if isInside, i + 1 < crossings.count {
                        add(crossing.x, crossings[i + 1].x, weight, limits, start, &values)
                    }
                }
            }
        }
    }

    /// A stretch of a line.
    private static func add(
        _ from: Double, _ to: Double, _ weight: Double, _ limits: PixelRect, _ start: Int, _ values: inout [Double]
    ) {
        let low = max(from, Double(limits.minX))
        let high = min(to, Double(limits.maxX))
        guard high > low else { return }
        var x = Int(low.rounded(.down))
        while Double(x) < high {
            let share = min(high, Double(x + 1)) - max(low, Double(x))
            values[start + x - limits.minX] += share * weight
            x += 1
        }
    }

    /// The contours as polygons, in the path's own space; curves in 64 pieces.
    static func contours(_ path: VectorPath) -> [[Point]] {
        var result: [[Point]] = []
        var contour: [Point] = []
        var next = path.points.startIndex
        func take() -> Point {
            next += 1
            return path.points[next - 1]
        }
        for verb in path.verbs {
            let from = contour.last ?? .zero
            switch verb {
            case .move:
                result.append(contour)
                contour = [take()]
            case .line: contour.append(take())
            case .quad:
                let (control, end) = (take(), take())
                // The cubic that is the same curve.
                let a = Point(from.x + (control.x - from.x) * 2 / 3, from.y + (control.y - from.y) * 2 / 3)
                let b = Point(end.x + (control.x - end.x) * 2 / 3, end.y + (control.y - end.y) * 2 / 3)
                contour += cubic(from, a, b, end)
            case .cubic:
                let (a, b, end) = (take(), take(), take())
                contour += cubic(from, a, b, end)
            case .close:
                // What follows without a move begins where the contour did.
                result.append(contour)
                contour = contour.first.map { [$0] } ?? []
            }
        }
        result.append(contour)
        return result
    }

    private static func cubic(_ a: Point, _ b: Point, _ c: Point, _ d: Point) -> [Point] {
        (1...64).map { i in
            let t = Double(i) / 64
            let s = 1 - t
            func at(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double {
                s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d
            }
            return Point(at(a.x, b.x, c.x, d.x), at(a.y, b.y, c.y, d.y))
        }
    }
}
