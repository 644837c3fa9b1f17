// From a shape in layer space to contours in device pixels.
//
// Corners are flattened in layer space, as finely as they will be large, then projected: a homography keeps lines
// straight, so only the corners' steps decide the error. In perspective, what lies at or behind the eye is cut off before
// the division. The result is cut to the clip, so that neither size nor coordinates can grow beyond it.
//
// The continuous corner is three cubics read out of Core Animation's own pictures (measured facts, C5 and C6). Where
// 1.528665 radii do not fit into half a side, its control points blend, each axis for itself, into those of a circle
// (semantic reference, §1.7).

import Glibc
import LayerModel

extension ShapeGeometry {
    /// Largest distance of a chord from its curve, device pixels: 1/256 pixel is one level of 255 at a straight edge.
    private static let tolerance = 1.0 / 256

    /// The contours of the shape under a homography, cut to a little more than `clip`.
    package func outline(projectedBy plane: Homography, clippedTo clip: PixelRect) -> Outline {
        var outline = Outline()
        guard !isEmpty, !clip.isEmpty, plane.isFinite else { return outline }
        let clipper = ContourClipper(clip)
        func add(_ contour: [Point]) {
            outline.addContour(clipper.clip(contour, under: plane))
        }
        let scale = self.scale(of: plane)
        if ringWidth > 0, let hole {
            let outer = ringOutset > 0 ? ShapeGeometry(rect: rect.insetBy(dx: -ringOutset, dy: -ringOutset)) : whole
            add(outer.contour(scale: scale))
            add(hole.contour(scale: scale).reversed())
        } else {
            add(whole.contour(scale: scale))
        }
        return outline
    }

    private var whole: ShapeGeometry {
        ShapeGeometry(rect: rect, cornerRadius: cornerRadius, corners: corners, curve: curve)
    }

    /// Device pixels a point, at most, anywhere in the shape; bounded, since it only chooses how fine to flatten.
    private func scale(of plane: Homography) -> Double {
        let (a, b, c, d) = rect.corners
        var largest = 0.0
        for p in [a, b, c, d] {
            let (x, y, w) = plane.homogeneous(p)
            guard w > 1e-9 else { return 64 }
            let dx = hypot(plane.a11 - x / w * plane.a13, plane.a12 - y / w * plane.a13) / w
            let dy = hypot(plane.a21 - x / w * plane.a23, plane.a22 - y / w * plane.a23) / w
            largest = max(largest, dx, dy)
        }
        return largest.isFinite ? min(largest, 1e4) : 64
    }

    /// One turn around the outline, in layer space, from the min-min corner's left end.
    private func contour(scale: Double) -> [Point] {
        guard cornerRadius > 0 else {
            let (a, b, c, d) = rect.corners
            return [a, b, c, d]
        }
        var points: [Point] = []
        // Each corner: its vertex, the direction out along the edge it is entered by, and along the one it is left by.
        let table: [(CornerMask, Point, Point, Point)] = [
            (.minXMinY, Point(rect.minX, rect.minY), Point(0, 1), Point(1, 0)),
            (.maxXMinY, Point(rect.maxX, rect.minY), Point(-1, 0), Point(0, 1)),
            (.maxXMaxY, Point(rect.maxX, rect.maxY), Point(0, -1), Point(-1, 0)),
            (.minXMaxY, Point(rect.minX, rect.maxY), Point(1, 0), Point(0, -1)),
        ]
        for (corner, vertex, entry, exit) in table {
            guard corners.contains(corner) else {
                points.append(vertex)
                continue
            }
            let entryIsVertical = entry.y != 0
            let entryRoom = (entryIsVertical ? rect.height : rect.width) / 2 / cornerRadius
            let exitRoom = (entryIsVertical ? rect.width : rect.height) / 2 / cornerRadius
            for p in cornerPoints(entryRoom: entryRoom, exitRoom: exitRoom, radius: cornerRadius * scale) {
                let along = p.x * cornerRadius
                let across = p.y * cornerRadius
                points.append(
                    Point(
                        vertex.x + entry.x * along + exit.x * across, vertex.y + entry.y * along + exit.y * across))
            }
        }
        return points
    }

    /// A corner in units of the radius: x back along the edge it is entered by, y out along the one it is left by.
    /// - Parameters:
    ///   - entryRoom: Half that side, in radii.
    ///   - radius: Device pixels, decides how many steps.
    private func cornerPoints(entryRoom: Double, exitRoom: Double, radius: Double) -> [Point] {
        switch curve {
        case .circular: Self.arc(radius: radius)
        case .continuous: Self.continuousCorner(entryRoom: entryRoom, exitRoom: exitRoom, radius: radius)
        }
    }

    private static func arc(radius: Double) -> [Point] {
        let step = (8 * tolerance / max(radius, tolerance)).squareRoot()
        let count = min(max(Int((Double.pi / 2 / step).rounded(.up)), 2), 512)
        return (0...count).map { index in
            let angle = Double.pi / 2 * Double(index) / Double(count)
            return Point(1 - sin(angle), 1 - cos(angle))
        }
    }

    /// How far along an edge the continuous corner reaches, in radii.
    package static let continuousReach = 1.52866483

    /// Start, then three points a cubic, from one end of the continuous corner to the other.
    private static let continuousTable: [Point] = [
        Point(1.52866483, 0), Point(1.08849296, 0), Point(0.86840694, 0), Point(0.63149379, 0.07491139),
        Point(0.37282383, 0.16905956), Point(0.16905956, 0.37282383), Point(0.07491139, 0.63149379),
        Point(0, 0.86840694), Point(0, 1.08849296), Point(0, 1.52866483),
    ]

    /// The circle with as many points: three arcs, cut where the continuous corner has its joints.
    private static let circleTable: [Point] = {
        // The joint seen from the arc's center at (1, 1).
        let joint = atan2(1 - 0.63149379, 1 - 0.07491139)
        let cuts = [0, joint, Double.pi / 2 - joint, Double.pi / 2]
        var points = [Point(1, 0)]
        for index in 0..<3 {
            let (a, b) = (cuts[index], cuts[index + 1])
            let handle = 4.0 / 3 * tan((b - a) / 4)
            points.append(Point(1 - sin(a) - handle * cos(a), 1 - cos(a) + handle * sin(a)))
            points.append(Point(1 - sin(b) + handle * cos(b), 1 - cos(b) - handle * sin(b)))
            points.append(Point(1 - sin(b), 1 - cos(b)))
        }
        return points
    }()

    /// The ten control points of a continuous corner's three cubics.
    static func continuousControls(entryRoom: Double, exitRoom: Double) -> [Point] {
        func share(_ room: Double) -> Double { min(max((room - 1) / (continuousReach - 1), 0), 1) }
        let (sx, sy) = (share(entryRoom), share(exitRoom))
        return zip(circleTable, continuousTable).map { circle, table in
            Point(circle.x + (table.x - circle.x) * sx, circle.y + (table.y - circle.y) * sy)
        }
    }

    private static func continuousCorner(entryRoom: Double, exitRoom: Double, radius: Double) -> [Point] {
        let control = continuousControls(entryRoom: entryRoom, exitRoom: exitRoom)
        var points = [control[0]]
        for first in stride(from: 0, to: 9, by: 3) {
            let (p0, p1, p2, p3) = (control[first], control[first + 1], control[first + 2], control[first + 3])
            let bend = max(
                hypot(p0.x - 2 * p1.x + p2.x, p0.y - 2 * p1.y + p2.y),
                hypot(p1.x - 2 * p2.x + p3.x, p1.y - 2 * p2.y + p3.y))
            let steps = (0.75 * bend * radius / tolerance).squareRoot()
            let count = min(max(Int(steps.rounded(.up)), 1), 256)
            for index in 1...count {
                let t = Double(index) / Double(count)
                let s = 1 - t
                let (b0, b1, b2, b3) = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
                points.append(
                    Point(
                        b0 * p0.x + b1 * p1.x + b2 * p2.x + b3 * p3.x,
                        b0 * p0.y + b1 * p1.y + b2 * p2.y + b3 * p3.y))
            }
        }
        return points
    }
}

/// Cuts contours: to the half space in front of the eye, then to a rectangle.
struct ContourClipper {
    private let minX, minY, maxX, maxY: Double

    /// Two pixels more than the clip on each side, so that the cut itself never shows.
    init(_ clip: PixelRect) {
        minX = Double(clip.minX) - 2
        minY = Double(clip.minY) - 2
        maxX = Double(clip.maxX) + 2
        maxY = Double(clip.maxY) + 2
    }

    /// Nothing of the point's contour needs to be cut because of it.
    func holds(_ point: Point) -> Bool {
        point.x >= minX && point.x <= maxX && point.y >= minY && point.y <= maxY
    }

    func clip(_ contour: [Point], under plane: Homography) -> [Point] {
        var projected: [Point]
        if plane.isAffine {
            projected = contour.map(plane.apply)
        } else {
            projected = project(contour, under: plane)
        }
        // Further out, the differences below would overflow.
        let farthest = 1e300
        guard projected.allSatisfy({ abs($0.x) < farthest && abs($0.y) < farthest }) else { return [] }
        if projected.allSatisfy(holds) { return projected }
        projected = cut(projected, isX: true, at: minX, keeps: 1)
        projected = cut(projected, isX: true, at: maxX, keeps: -1)
        projected = cut(projected, isX: false, at: minY, keeps: 1)
        return cut(projected, isX: false, at: maxY, keeps: -1)
    }

    /// What of a contour lies before the eye, divided.
    private func project(_ contour: [Point], under plane: Homography) -> [Point] {
        typealias Homogeneous = (x: Double, y: Double, w: Double)
        let all = contour.map(plane.homogeneous)
        let nearest = 1e-6 * max(all.reduce(0) { max($0, abs($1.w)) }, 1e-300)
        var result: [Point] = []
        result.reserveCapacity(all.count + 4)
        var previous: Homogeneous = all[all.count - 1]
        for point in all {
            if (previous.w >= nearest) != (point.w >= nearest) {
                let t = (nearest - previous.w) / (point.w - previous.w)
                result.append(
                    Point(
                        (previous.x + (point.x - previous.x) * t) / nearest,
                        (previous.y + (point.y - previous.y) * t) / nearest))
            }
            if point.w >= nearest { result.append(Point(point.x / point.w, point.y / point.w)) }
            previous = point
        }
        return result
    }

    /// Keeps the side of a line where the coordinate is at least (`side` 1) or at most (-1) `bound`.
    @inline(__always)
    private func cut(_ contour: [Point], isX: Bool, at bound: Double, keeps side: Double) -> [Point] {
        guard var previous = contour.last else { return [] }
        var result: [Point] = []
        result.reserveCapacity(contour.count + 4)
        var before = ((isX ? previous.x : previous.y) - bound) * side
        for point in contour {
            let now = ((isX ? point.x : point.y) - bound) * side
            if (before >= 0) != (now >= 0) {
                let t = before / (before - now)
                var crossing = Point(previous.x + (point.x - previous.x) * t, previous.y + (point.y - previous.y) * t)
                // Exactly there, however far away the ends are.
                if isX { crossing.x = bound } else { crossing.y = bound }
                result.append(crossing)
            }
            if now >= 0 { result.append(point) }
            previous = point
            before = now
        }
        return result
    }
}
