// A cubic Bezier from (0, 0) to (1, 1) as a function of x: solve x(s) = p, return y(s).
//
// x is monotonic because both control points' x lie in 0…1, so the root is bracketed by 0…1 from the start. Newton's
// steps are taken while they stay inside the bracket and the slope is not flat; otherwise the bracket is halved. Source:
// semantic reference, §4.7.

/// A timing curve: maps progress to progress, both 0…1 (y may leave it when its control points do).
package struct TimingCurve: Hashable, Sendable {
    package var c1: Point
    package var c2: Point

    /// The control points' x are brought into 0…1, without which the curve is no function of x.
    package init(_ c1x: Double, _ c1y: Double, _ c2x: Double, _ c2y: Double) {
        c1 = Point(min(max(c1x, 0), 1), c1y)
        c2 = Point(min(max(c2x, 0), 1), c2y)
    }

    package static let linear = TimingCurve(0, 0, 1, 1)
    package static let easeIn = TimingCurve(0.42, 0, 1, 1)
    package static let easeOut = TimingCurve(0, 0, 0.58, 1)
    package static let easeInEaseOut = TimingCurve(0.42, 0, 0.58, 1)
    /// What implied animations use.
    package static let standard = TimingCurve(0.25, 0.1, 0.25, 1)

    /// - Parameter p: Brought into 0…1; NaN counts as 0.
    /// - Returns: The curve's y where its x is p, to within 1e-12 of the exact value where the slope is not vertical.
    package func value(at p: Double) -> Double {
        guard p > 0 else { return 0 }
        guard p < 1 else { return 1 }
        if c1.x == c1.y, c2.x == c2.y { return p }
        return Self.bezier(c1.y, c2.y, parameter(at: p))
    }

    private func parameter(at p: Double) -> Double {
        var low = 0.0
        var high = 1.0
        var s = p
        for _ in 0..<64 {
            let error = Self.bezier(c1.x, c2.x, s) - p
            if abs(error) < 1e-15 { break }
            if error > 0 { high = s } else { low = s }
            let slope = Self.slope(c1.x, c2.x, s)
            let next = s - error / slope
            s = slope > 1e-9 && next > low && next < high ? next : (low + high) / 2
        }
        return s
    }

    private static func bezier(_ a: Double, _ b: Double, _ s: Double) -> Double {
        let r = 1 - s
        return 3 * r * r * s * a + 3 * r * s * s * b + s * s * s
    }

    private static func slope(_ a: Double, _ b: Double, _ s: Double) -> Double {
        let r = 1 - s
        return 3 * r * r * a + 6 * r * s * (b - a) + 3 * s * s * (1 - b)
    }
}
