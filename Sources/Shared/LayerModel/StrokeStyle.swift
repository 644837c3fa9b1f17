// How a line is drawn along a path.

/// Width, ends, corners, dashes and the part of the path that is drawn. Lengths are units of the path's own space.
package struct StrokeStyle: Hashable, Sendable {
    /// Centered on the path; nothing is drawn where it is not above 0.
    package var width: Double
    package var cap: LineCap
    package var join: LineJoin
    /// A miter longer than this many widths becomes a bevel.
    package var miterLimit: Double
    /// Lengths of dashes and gaps in turn; an odd number of them is gone through twice. Negative ones count as 0. Empty, or
    /// nothing but zeros: a solid line.
    package var dashes: [Double]
    /// How far into the pattern each contour begins.
    package var dashPhase: Double
    /// Where the line begins and ends, in parts of the length of all contours together. Outside of 0…1 they are clamped;
    /// nothing is drawn where the start is not before the end.
    package var start: Double
    package var end: Double

    /// Lengths of a pattern.
    package static let mostDashLengths = 1_024

    package init(
        width: Double = 1, cap: LineCap = .butt, join: LineJoin = .miter, miterLimit: Double = 10,
        dashes: [Double] = [], dashPhase: Double = 0, start: Double = 0, end: Double = 1
    ) {
        self.width = width
        self.cap = cap
        self.join = join
        self.miterLimit = miterLimit
        self.dashes = dashes
        self.dashPhase = dashPhase
        self.start = start
        self.end = end
    }

    /// False where no pixel can be covered.
    package var draws: Bool { width > 0 && width.isFinite && min(max(start, 0), 1) < min(max(end, 0), 1) }

    /// How far from the path the line may reach, besides what corners add.
    package var reach: Double {
        // A square end reaches further than half the width, and so does a miter, at most by its limit.
        let corners = join == .miter ? max(miterLimit, 1) : 1
        return width / 2 * max(corners, cap == .square ? 2.0.squareRoot() : 1)
    }
}
