// Back to front in a shared 3D space.
//
// Seen along z after the perspective, each sibling is a plane z = a·x + b·y + c over the superlayer's plane. Two planes
// cross along a line there; on each side of it one lies in front. So the order is a binary space partition with lines: a
// pivot, what lies behind it, what lies in front, and whatever the line crosses is cut along it and goes to both.
// Coplanar siblings keep the order they are given in (zPosition, then the list). Siblings that don't meet on the display
// are not ordered at all: OverlapGroups.swift.
//
// Only what the display may show is compared: a plane that reaches to its horizon has no depth there. Depths are equal
// within a millionth, corner by corner.
//
// A cut is a half plane, not a new shape: the planner emits the sibling once and draws it for each side, clipped. The line
// between the sides runs through pixels, and there a clip is not enough; what is, and why, is in Coverage/SeamWeights.swift.
// Where the limit on cuts is reached, what would be cut goes whole to the side where its middle lies. More siblings than a
// partition can take are sorted by the depth of their middles instead.

import LayerModel

/// One side of a line in the superlayer's plane: a·x + b·y + c ≥ 0.
struct HalfPlane: Hashable {
    var a, b, c: Double

    func distance(_ p: Point) -> Double { a * p.x + b * p.y + c }

    /// The same side in the plane that `toPlane` comes from: a line's coefficients go the other way than points do.
    func seen(through toPlane: Homography) -> HalfPlane {
        HalfPlane(
            a: toPlane.a11 * a + toPlane.a12 * b + toPlane.a13 * c,
            b: toPlane.a21 * a + toPlane.a22 * b + toPlane.a23 * c,
            c: toPlane.a31 * a + toPlane.a32 * b + toPlane.a33 * c)
    }

    var opposite: HalfPlane { HalfPlane(a: -a, b: -b, c: -c) }
}

/// A sibling as a plane in the shared space.
struct SpacePlane {
    /// Depth at (x, y) of the space's plane: a·x + b·y + c; grows towards the viewer.
    var a, b, c: Double
    /// A convex polygon around everything the sibling draws that may be seen, in the space's plane.
    var extent: [Point]

    func depth(_ p: Point) -> Double { a * p.x + b * p.y + c }

    /// Nil for a plane seen edge-on, and for one that is not finite.
    /// - Parameters:
    ///   - extent: In the sibling's own space.
    ///   - sides: What the display shows, in the space's plane.
    init?(_ toSpace: Transform, extent rect: Rect, within sides: [HalfPlane] = []) {
        let planar = toSpace.planar
        guard let inverse = planar.inverse else { return nil }
        // [m13 m23 m43] as a combination of the x, y and w columns.
        let (z1, z2, z3) = (toSpace.m13, toSpace.m23, toSpace.m43)
        a = inverse.a11 * z1 + inverse.a12 * z2 + inverse.a13 * z3
        b = inverse.a21 * z1 + inverse.a22 * z2 + inverse.a23 * z3
        c = inverse.a31 * z1 + inverse.a32 * z2 + inverse.a33 * z3
        guard (a + b + c).isFinite else { return nil }
        extent = projectedPolygon(rect, planar)
        guard !extent.isEmpty else { return nil }
        for side in sides { extent = clip(extent, side) }
    }
}

/// A rectangle on a plane as a polygon, as far as it lies before the eye.
func projectedPolygon(_ rect: Rect, _ plane: Homography) -> [Point] {
    let (p, q, r, s) = rect.corners
    let corners = [p, q, r, s].map(plane.homogeneous)
    let nearest = 1e-5
    var result: [Point] = []
    var previous = corners[3]
    for corner in corners {
        if (previous.w >= nearest) != (corner.w >= nearest) {
            let t = (nearest - previous.w) / (corner.w - previous.w)
            result.append(
                Point(
                    (previous.x + (corner.x - previous.x) * t) / nearest,
                    (previous.y + (corner.y - previous.y) * t) / nearest))
        }
        if corner.w >= nearest { result.append(Point(corner.x / corner.w, corner.y / corner.w)) }
        previous = corner
    }
    return result.allSatisfy(\.isFinite) ? result : []
}

/// Sorts planes back to front, cut where they cross.
struct DepthOrder {
    /// A plane, or a part of it: inside all of its cuts.
    struct Part {
        var plane: Int
        var cuts: [HalfPlane]
        /// What is left of the plane's extent.
        var extent: [Point]
    }

    private let planes: [SpacePlane]
    private(set) var cutsLeft: Int
    private(set) var parts: [Part] = []
    /// Something went whole to one side that should have been cut.
    private(set) var reachedLimit = false

    /// So many cuts may be made in one space.
    static let cutLimit = 128
    /// So many planes that meet are parted; each may have to be compared with each.
    static let planeLimit = 1_024

    /// - Parameter planes: In the order that coplanar ones keep.
    init(_ planes: [SpacePlane], cutLimit: Int = cutLimit) {
        self.planes = planes
        cutsLeft = cutLimit
        guard planes.count <= Self.planeLimit else {
            reachedLimit = true
            sortByMiddles()
            return
        }
        sort(planes.indices.map { Part(plane: $0, cuts: [], extent: planes[$0].extent) })
    }

    private mutating func sortByMiddles() {
        let depths = planes.map { plane in
            plane.depth(plane.extent.reduce(Point.zero) { Point($0.x + $1.x, $0.y + $1.y) } / plane.extent.count)
        }
        // Swift's sort is stable.
        parts = planes.indices.sorted { depths[$0] < depths[$1] }.map {
            Part(plane: $0, cuts: [], extent: planes[$0].extent)
        }
    }

    private mutating func sort(_ list: [Part]) {
        guard let pivot = list.first else { return }
        var behind: [Part] = []
        var before: [Part] = []
        for part in list.dropFirst() { place(part, against: pivot, &behind, &before) }
        sort(behind)
        parts.append(pivot)
        sort(before)
    }

    private mutating func place(_ part: Part, against pivot: Part, _ behind: inout [Part], _ before: inout [Part]) {
        let (p, q) = (planes[part.plane], planes[pivot.plane])
        let line = HalfPlane(a: p.a - q.a, b: p.b - q.b, c: p.c - q.c)
        var isBefore = false
        var isBehind = false
        for corner in part.extent {
            let distance = line.distance(corner)
            // Nearer to each other than this, depths are equal.
            let tie = 1e-6 * max(abs(p.depth(corner)), 1)
            if distance > tie { isBefore = true }
            if distance < -tie { isBehind = true }
        }
        if !isBefore, !isBehind {
            // Coplanar: as given.
            if part.plane > pivot.plane { before.append(part) } else { behind.append(part) }
        } else if !isBehind {
            before.append(part)
        } else if !isBefore {
            behind.append(part)
        } else if cutsLeft > 0 {
            cutsLeft -= 1
            let front = clip(part.extent, line)
            let back = clip(part.extent, line.opposite)
            before.append(Part(plane: part.plane, cuts: part.cuts + [line], extent: front))
            behind.append(Part(plane: part.plane, cuts: part.cuts + [line.opposite], extent: back))
        } else {
            reachedLimit = true
            let middle = part.extent.reduce(0) { $0 + line.distance($1) }
            if middle >= 0 { before.append(part) } else { behind.append(part) }
        }
    }
}

extension Point {
    fileprivate static func / (p: Point, count: Int) -> Point { Point(p.x / Double(count), p.y / Double(count)) }
}

/// What of a convex polygon lies on one side of a line.
func clip(_ polygon: [Point], _ side: HalfPlane) -> [Point] {
    guard var previous = polygon.last else { return [] }
    var result: [Point] = []
    var before = side.distance(previous)
    for point in polygon {
        let now = side.distance(point)
        if (before >= 0) != (now >= 0) {
            let t = before / (before - now)
            result.append(Point(previous.x + (point.x - previous.x) * t, previous.y + (point.y - previous.y) * t))
        }
        if now >= 0 { result.append(point) }
        previous = point
        before = now
    }
    return result
}
