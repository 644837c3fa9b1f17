// A layer's outline as a path: bounds with rounded corners. Source: semantic reference, §1.7; measured facts C5, C8.

import LayerModel

struct LayerOutline {
    private var rect: Rect
    private var radius: Double
    private var corners: CornerMask
    private var curve: CornerCurve

    init(_ properties: LayerProperties) {
        rect = properties.bounds
        radius = min(max(properties.cornerRadius, 0), min(rect.width, rect.height) / 2)
        corners = properties.maskedCorners
        curve = properties.cornerCurve
    }

    /// The hole of a border; nil where the border fills the layer.
    func inset(by width: Double) -> LayerOutline? {
        var inner = self
        inner.rect = Rect(rect.minX + width, rect.minY + width, rect.width - 2 * width, rect.height - 2 * width)
        guard inner.rect.width > 0, inner.rect.height > 0 else { return nil }
        inner.radius = max(radius - width, 0)
        return inner
    }

    var path: CGPath {
        guard radius > 0, !corners.isEmpty else { return CGPath(rect: CGRect(rect)) }
        let path = CGMutablePath()
        // Each corner with the directions of the edge that comes in and of the one that goes out, around from min x, min y.
        corner(path, .minXMinY, Point(rect.minX, rect.minY), Point(0, 1), Point(1, 0))
        corner(path, .maxXMinY, Point(rect.maxX, rect.minY), Point(-1, 0), Point(0, 1))
        corner(path, .maxXMaxY, Point(rect.maxX, rect.maxY), Point(0, -1), Point(-1, 0))
        corner(path, .minXMaxY, Point(rect.minX, rect.maxY), Point(1, 0), Point(0, -1))
        path.closeSubpath()
        return path
    }

    /// The curve at one corner, given along the edge that comes in (`u`) and the one that goes out (`v`), in radii.
    private static let circular: [(Double, Double)] = [(1, 0), (0.44771525, 0), (0, 0.44771525), (0, 1)]
    private static let continuous: [(Double, Double)] = [
        (1.52866483, 0), (1.08849296, 0), (0.86840694, 0), (0.63149379, 0.07491139), (0.37282383, 0.16905956),
        (0.16905956, 0.37282383), (0.07491139, 0.63149379), (0, 0.86840694), (0, 1.08849296), (0, 1.52866483),
    ]

    private func corner(_ path: CGMutablePath, _ mask: CornerMask, _ at: Point, _ u: Point, _ v: Point) {
        func point(_ p: (Double, Double)) -> CGPoint {
            CGPoint(
                x: at.x + (u.x * p.0 + v.x * p.1) * radius, y: at.y + (u.y * p.0 + v.y * p.1) * radius)
        }
        func go(to point: CGPoint) {
            if path.isEmpty { path.move(to: point) } else { path.addLine(to: point) }
        }
        guard corners.contains(mask) else { return go(to: CGPoint(at)) }
        // A continuous corner that does not fit is drawn as a circle's.
        let fits = 1.52866483 * radius <= min(rect.width, rect.height) / 2
        let points = curve == .continuous && fits ? LayerOutline.continuous : LayerOutline.circular
        go(to: point(points[0]))
        for start in stride(from: 1, to: points.count, by: 3) {
            path.addCurve(
                to: point(points[start + 2]), control1: point(points[start]), control2: point(points[start + 1]))
        }
    }
}
