// A path as it travels: verbs and points in the space of its owner. What is computed from one lies in Paths.

/// Contours of lines and Bézier curves. Filling closes every contour.
package struct VectorPath: Hashable, Sendable {
    package enum Verb: UInt8, Sendable, CaseIterable {
        /// One point; starts a contour.
        case move = 0
        /// One point.
        case line = 1
        /// A control point and an end point.
        case quad = 2
        /// Two control points and an end point.
        case cubic = 3
        /// Back to where the contour began. Without a move after it, the next contour begins there too.
        case close = 4

        /// How many points it takes.
        package var pointCount: Int {
            switch self {
            case .move, .line: 1
            case .quad: 2
            case .cubic: 3
            case .close: 0
            }
        }
    }

    package private(set) var verbs: [Verb] = []
    package private(set) var points: [Point] = []

    package init() {}

    /// Nil where the points are not as many as the verbs take, or the first verb starts no contour.
    package init?(verbs: [Verb], points: [Point]) {
        guard verbs.isEmpty || verbs[0] == .move else { return nil }
        guard verbs.reduce(0, { $0 + $1.pointCount }) == points.count else { return nil }
        self.verbs = verbs
        self.points = points
    }

    package init(rect: Rect) {
        move(to: Point(rect.minX, rect.minY))
        line(to: Point(rect.maxX, rect.minY))
        line(to: Point(rect.maxX, rect.maxY))
        line(to: Point(rect.minX, rect.maxY))
        close()
    }

    package var isEmpty: Bool { verbs.isEmpty }

    package var isFinite: Bool { points.areFinite }

    package mutating func move(to point: Point) {
        verbs.append(.move)
        points.append(point)
    }

    package mutating func line(to point: Point) {
        beginIfNeeded(at: point)
        verbs.append(.line)
        points.append(point)
    }

    package mutating func quad(to end: Point, control: Point) {
        beginIfNeeded(at: control)
        verbs.append(.quad)
        points.append(control)
        points.append(end)
    }

    package mutating func cubic(to end: Point, _ control1: Point, _ control2: Point) {
        beginIfNeeded(at: control1)
        verbs.append(.cubic)
        points.append(control1)
        points.append(control2)
        points.append(end)
    }

    package mutating func close() {
        if let last = verbs.last, last != .close { verbs.append(.close) }
    }

    /// A curve needs a current point; without one it begins at its own first point.
    private mutating func beginIfNeeded(at point: Point) {
        if verbs.isEmpty { move(to: point) }
    }

    /// The smallest rectangle around all points, control points included; nil for an empty path.
    package var controlBox: Rect? {
        guard let first = points.first else { return nil }
        var (minX, minY, maxX, maxY) = (first.x, first.y, first.x, first.y)
        for point in points.dropFirst() {
            minX = min(minX, point.x)
            minY = min(minY, point.y)
            maxX = max(maxX, point.x)
            maxY = max(maxY, point.y)
        }
        return Rect(minX: minX, minY: minY, maxX: maxX, maxY: maxY)
    }
}

extension [Point] {
    /// Whether all numbers are finite; without a branch a point.
    package var areFinite: Bool {
        withUnsafeBufferPointer { points in
            /// An exponent of ones alone, and no other, has a carry.
            var carries: UInt64 = 0
            let (exponent, one): (UInt64, UInt64) = (0x7ff0_0000_0000_0000, 0x0010_0000_0000_0000)
            for point in points {
                carries |= (point.x.bitPattern & exponent) &+ one
                carries |= (point.y.bitPattern & exponent) &+ one
            }
            return carries >> 63 == 0
        }
    }
}
