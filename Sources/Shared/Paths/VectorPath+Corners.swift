// A layer's outline as a path of lines and cubics.

import Glibc
import LayerModel

extension VectorPath {
    /// A rectangle with rounded corners, from the left end of its min-min corner.
    ///
    /// - Parameters:
    ///   - radius: Clamped to half the shorter side; negative counts as 0.
    ///   - corners: Those that are rounded.
    ///   - curve: Quarter circles, or the curve of a layer's continuous corners.
    package init(roundedRect rect: Rect, radius: Double, corners: CornerMask = .all, curve: CornerCurve) {
        self.init()
        let shape = ShapeGeometry(rect: rect, cornerRadius: radius, corners: corners, curve: curve)
        let (r, radius) = (shape.rect, shape.cornerRadius)
        guard radius > 0 else {
            self.init(rect: r)
            return
        }
        // Each corner's vertex, and the directions out along the sides it is entered and left by.
        let table: [(CornerMask, Point, Point, Point)] = [
            (.minXMinY, Point(r.minX, r.minY), Point(0, 1), Point(1, 0)),
            (.maxXMinY, Point(r.maxX, r.minY), Point(-1, 0), Point(0, 1)),
            (.maxXMaxY, Point(r.maxX, r.maxY), Point(0, -1), Point(-1, 0)),
            (.minXMaxY, Point(r.minX, r.maxY), Point(1, 0), Point(0, -1)),
        ]
        for (corner, vertex, entry, exit) in table {
            func place(_ p: Point) -> Point {
                Point(
                    vertex.x + (entry.x * p.x + exit.x * p.y) * radius,
                    vertex.y + (entry.y * p.x + exit.y * p.y) * radius)
            }
            let isFirst = isEmpty
            guard shape.corners.contains(corner) else {
                if isFirst { move(to: vertex) } else { line(to: vertex) }
                continue
            }
            let sides = entry.y != 0 ? (r.height, r.width) : (r.width, r.height)
            let controls =
                curve == .continuous
                ? ShapeGeometry.continuousControls(
                    entryRoom: sides.0 / 2 / radius, exitRoom: sides.1 / 2 / radius)
                : [Point(1, 0), Point(1 - Self.quarterHandle, 0), Point(0, 1 - Self.quarterHandle), Point(0, 1)]
            let first = place(controls[0])
            if isFirst { move(to: first) } else if points.last != first { line(to: first) }
            for index in stride(from: 1, to: controls.count, by: 3) {
                cubic(to: place(controls[index + 2]), place(controls[index]), place(controls[index + 1]))
            }
        }
        close()
    }

    /// Of a quarter circle's cubic, in radii.
    private static let quarterHandle = 4.0 / 3 * tan(Double.pi / 8)
}
