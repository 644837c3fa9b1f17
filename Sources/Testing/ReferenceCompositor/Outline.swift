// The outline of a layer as a polygon: straight sides, and corners cut into pieces so short that they are within
// 1/200 pixel of the curve.
//
// One corner, whatever its place: u runs from the vertex back along the side that comes before it, v along the side
// that comes after, both in units of the radius. A circular corner is the quarter of a circle from (1, 0) to (0, 1).
// A continuous one is three cubics that start at (1.5287, 0) (measured facts, C5). Where a side is too short for that
// reach, its coordinates are blended along that axis between these cubics and the circle cut into three pieces in the
// same way: reach 1 is the circle, so a capsule's ends are round (semantic reference, §1.7).

import Glibc
import LayerModel

/// A rectangle with corners.
struct Outline {
    var rect: Rect
    /// Clamped: 0 … half the shorter side.
    var radius: Double
    var rounded: CornerMask
    var curve: CornerCurve

    init(rect: Rect, radius: Double, rounded: CornerMask = .all, curve: CornerCurve = .circular) {
        self.rect = rect
        self.radius = max(min(radius, rect.width / 2, rect.height / 2), 0)
        self.rounded = self.radius > 0 ? rounded : []
        self.curve = curve
    }

    /// The layer's own outline.
    init(_ properties: LayerProperties) {
        self.init(
            rect: properties.bounds, radius: properties.cornerRadius, rounded: properties.maskedCorners,
            curve: properties.cornerCurve)
    }

    /// The inner side of a border; nil when the border fills everything.
    func inset(by width: Double) -> Outline? {
        guard rect.width > 2 * width, rect.height > 2 * width else { return nil }
        return Outline(
            rect: rect.insetBy(dx: width, dy: width), radius: max(radius - width, 0), rounded: rounded, curve: curve)
    }

    /// The outline as a polygon in the layer's space.
    ///
    /// - Parameters:
    ///   - sides: The kind of each straight side.
    ///   - corners: The kind of the pieces of the corners.
    ///   - scale: Pixels a point, at most.
    func polygon(sides: (EdgeMask) -> EdgeKind, corners: EdgeKind, scale: Double) -> ConvexPolygon {
        guard !rect.isEmpty else { return ConvexPolygon() }
        var polygon = ConvexPolygon()
        let (a, b, c, d) = rect.corners
        let places: [(Point, CornerMask, u: Point, v: Point, after: EdgeMask)] = [
            (a, .minXMinY, Point(0, 1), Point(1, 0), .bottom),
            (b, .maxXMinY, Point(-1, 0), Point(0, 1), .right),
            (c, .maxXMaxY, Point(0, -1), Point(-1, 0), .top),
            (d, .minXMaxY, Point(1, 0), Point(0, -1), .left),
        ]
        for (vertex, corner, u, v, after) in places {
            if rounded.contains(corner) {
                let sideU = u.x != 0 ? rect.width : rect.height
                let sideV = v.x != 0 ? rect.width : rect.height
                for point in cornerPoints(sideU: sideU, sideV: sideV, scale: scale) {
                    polygon.vertices.append(
                        .init(
                            point: Point(
                                vertex.x + radius * (point.x * u.x + point.y * v.x),
                                vertex.y + radius * (point.x * u.y + point.y * v.y)),
                            edge: corners))
                }
            } else {
                polygon.vertices.append(.init(point: vertex, edge: corners))
            }
            polygon.vertices[polygon.vertices.count - 1].edge = sides(after)
        }
        return polygon
    }

    // MARK: One corner, in (u, v)

    private func cornerPoints(sideU: Double, sideV: Double, scale: Double) -> [Point] {
        // A chord of angle a misses a circle by r·(1 − cos(a/2)), about r·a²/8.
        let wanted = (radius * scale / 8 / 0.004).squareRoot() * Double.pi / 2
        let pieces = Int(min(max(wanted, 6), 300).rounded(.up))
        if curve == .circular { return Self.arc(pieces: pieces) }
        let reach = Self.continuousReach
        let u = (min(reach, sideU / 2 / radius) - 1) / (reach - 1)
        let v = (min(reach, sideV / 2 / radius) - 1) / (reach - 1)
        var points: [Point] = []
        for (round, smooth) in zip(Self.roundCubics, Self.continuousCubics) {
            let controls = zip(round, smooth).map { Point($0.x + ($1.x - $0.x) * u, $0.y + ($1.y - $0.y) * v) }
            points += Self.cubic(controls, pieces: pieces)
        }
        return points
    }

    /// Points of the quarter circle from (1, 0) to (0, 1), both ends included.
    private static func arc(pieces: Int) -> [Point] {
        (0...pieces).map { onArc(Double.pi / 2 * Double($0) / Double(pieces)) }
    }

    private static func onArc(_ angle: Double) -> Point { Point(1 - sin(angle), 1 - cos(angle)) }

    private static func cubic(_ p: [Point], pieces: Int) -> [Point] {
        (0...pieces).map { i in
            let t = Double(i) / Double(pieces)
            let s = 1 - t
            func at(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double {
                s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d
            }
            return Point(at(p[0].x, p[1].x, p[2].x, p[3].x), at(p[0].y, p[1].y, p[2].y, p[3].y))
        }
    }

    static let continuousReach = 1.52866483

    private static let continuousCubics: [[Point]] = [
        [Point(1.52866483, 0), Point(1.08849296, 0), Point(0.86840694, 0), Point(0.63149379, 0.07491139)],
        [
            Point(0.63149379, 0.07491139), Point(0.37282383, 0.16905956), Point(0.16905956, 0.37282383),
            Point(0.07491139, 0.63149379),
        ],
        [Point(0.07491139, 0.63149379), Point(0, 0.86840694), Point(0, 1.08849296), Point(0, 1.52866483)],
    ]

    /// The quarter circle as three cubics; the joints are where the circle has the u (and v) of the continuous curve's.
    private static let roundCubics: [[Point]] = {
        let joint = asin(1 - 0.63149379)
        let angles: [Double] = [0, joint, Double.pi / 2 - joint, Double.pi / 2]
        return zip(angles, angles.dropFirst()).map { (a: Double, b: Double) -> [Point] in
            let k = 4.0 / 3.0 * tan((b - a) / 4)
            let p = onArc(a)
            let q = onArc(b)
            return [
                p, Point(p.x - k * cos(a), p.y + k * sin(a)), Point(q.x + k * cos(b), q.y - k * sin(b)), q,
            ]
        }
    }()
}
