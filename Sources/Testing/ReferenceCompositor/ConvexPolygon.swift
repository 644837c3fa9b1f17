// Convex shapes with a note on each side: how it bounds what is drawn. Layers, contents and clips are such shapes, and
// a projection keeps them so.

import LayerModel

/// How a side of a shape bounds it.
enum EdgeKind {
    /// Antialiased: the exact area on its inner side counts.
    case soft
    /// Not antialiased: a pixel is in when its center is on the inner side.
    case hard
    /// No bound at all: something else, a clip that follows, ends the shape there.
    case open
}

/// A convex polygon. Either orientation; may be degenerate.
struct ConvexPolygon {
    struct Vertex {
        var point: Point
        /// The kind of the side from this vertex to the next.
        var edge: EdgeKind
    }

    var vertices: [Vertex] = []

    init() {}

    init(_ points: [Point], edges: EdgeKind) {
        vertices = points.map { Vertex(point: $0, edge: edges) }
    }

    init(_ rect: PixelRect) {
        self.init(
            [
                Point(Double(rect.minX), Double(rect.minY)), Point(Double(rect.maxX), Double(rect.minY)),
                Point(Double(rect.maxX), Double(rect.maxY)), Point(Double(rect.minX), Double(rect.maxY)),
            ], edges: .soft)
    }

    var isFinite: Bool { vertices.allSatisfy(\.point.isFinite) }

    /// Twice the area; positive when the turn from +x is towards +y.
    var signedDoubleArea: Double {
        var sum = 0.0
        for (i, vertex) in vertices.enumerated() {
            let next = vertices[(i + 1) % vertices.count].point
            sum += vertex.point.x * next.y - next.x * vertex.point.y
        }
        return sum
    }

    /// A point inside: the mean of the vertices.
    var middle: Point {
        var x = 0.0
        var y = 0.0
        for vertex in vertices {
            x += vertex.point.x
            y += vertex.point.y
        }
        return Point(x / Double(vertices.count), y / Double(vertices.count))
    }

    /// The same polygon with a positive area.
    var positivelyOriented: ConvexPolygon {
        guard signedDoubleArea < 0 else { return self }
        var result = ConvexPolygon()
        for i in vertices.indices.reversed() {
            // Walking backwards, the side after a vertex is the one that came before it.
            let before = vertices[(i + vertices.count - 1) % vertices.count]
            result.vertices.append(Vertex(point: vertices[i].point, edge: before.edge))
        }
        return result
    }

    /// The part where a·x + b·y + c ≥ 0. A side that the cut makes is soft.
    func clipped(_ a: Double, _ b: Double, _ c: Double) -> ConvexPolygon {
        var result = ConvexPolygon()
        for (i, vertex) in vertices.enumerated() {
            let next = vertices[(i + 1) % vertices.count]
            let here = a * vertex.point.x + b * vertex.point.y + c
            let there = a * next.point.x + b * next.point.y + c
            if here >= 0 { result.vertices.append(vertex) }
            guard (here >= 0) != (there >= 0) else { continue }
            let t = here / (here - there)
            let crossing = Point(
                vertex.point.x + (next.point.x - vertex.point.x) * t,
                vertex.point.y + (next.point.y - vertex.point.y) * t)
            result.vertices.append(Vertex(point: crossing, edge: here >= 0 ? .soft : vertex.edge))
        }
        return result
    }

    /// The part of `self` on the inner side of every side of `shape` that is of one kind. `shape` must be positively
    /// oriented.
    func clipped(bySidesOf shape: ConvexPolygon, kind: EdgeKind) -> ConvexPolygon {
        var result = self
        for (i, vertex) in shape.vertices.enumerated() where vertex.edge == kind {
            let p = vertex.point
            let q = shape.vertices[(i + 1) % shape.vertices.count].point
            let dx = q.x - p.x
            let dy = q.y - p.y
            guard dx != 0 || dy != 0 else { continue }
            result = result.clipped(-dy, dx, dy * p.x - dx * p.y)
        }
        return result
    }

    /// The part in a rectangle, by its four sides.
    func clipped(to rect: PixelRect) -> ConvexPolygon {
        clipped(1, 0, -Double(rect.minX)).clipped(-1, 0, Double(rect.maxX))
            .clipped(0, 1, -Double(rect.minY)).clipped(0, -1, Double(rect.maxY))
    }
}
