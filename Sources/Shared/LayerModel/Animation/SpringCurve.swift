// The motion of a damped spring, in closed form: x(t) runs from 0 to rest at 1, t in seconds. Source: semantic reference,
// §5.4, and the measured facts A2 and A3.

import Glibc

/// Mass, stiffness and damping of a spring, and how fast it starts.
package struct SpringCurve: Hashable, Sendable {
    /// Above 0.
    package var mass = 1.0
    /// Above 0.
    package var stiffness = 100.0
    /// 0 or more.
    package var damping = 10.0
    /// Whole distances a second, towards the end.
    package var initialVelocity = 0.0
    /// False: a damping ratio above 1 counts as 1.
    package var allowsOverdamping = false

    package init() {}

    /// Radians a second, of the spring without damping.
    package var naturalFrequency: Double { (stiffness / mass).squareRoot() }

    /// Below 1 it swings.
    package var dampingRatio: Double {
        let ratio = damping / (2 * (stiffness * mass).squareRoot())
        return allowsOverdamping ? ratio : min(ratio, 1)
    }

    /// Progress after `t` seconds; may go beyond 1, and below 0.
    package func progress(at t: Double) -> Double {
        guard t > 0 else { return 0 }
        let w = naturalFrequency
        let z = dampingRatio
        let v = initialVelocity
        guard w.isFinite, w > 0, z.isFinite else { return 1 }
        if z < 1 {
            let wd = w * (1 - z * z).squareRoot()
            return 1 - exp(-z * w * t) * (cos(wd * t) + (z * w - v) / wd * sin(wd * t))
        }
        if z == 1 { return 1 - exp(-w * t) * (1 + (w - v) * t) }
        let root = (z * z - 1).squareRoot()
        // The slower root without cancellation: the two multiply to w².
        let fast = -w * (z + root)
        let slow = -w / (z + root)
        let a = (-v - fast) / (slow - fast)
        return 1 - (a * exp(slow * t) + (1 - a) * exp(fast * t))
    }

    /// Seconds until it counts as at rest. Underdamped: where the envelope falls below a thousandth. Critical and
    /// overdamped: the first tenth of a second at which what is left is below it.
    package var settlingDuration: Double {
        let w = naturalFrequency
        let z = dampingRatio
        guard z > 0, w > 0, w.isFinite else { return Double(Float.greatestFiniteMagnitude) }
        guard z.isFinite else { return 0 }
        if z < 1 {
            let wd = w * (1 - z * z).squareRoot()
            return max(log((1 + abs(z * w - initialVelocity) / wd) / 0.001) / (z * w), 0)
        }
        return firstRest
    }

    /// Bisection over tenths: the distance falls with time, but for a spring that was pushed past the end, which comes back.
    private var firstRest: Double {
        var high = 1.0
        while abs(1 - progress(at: high / 10)) >= 0.001 || abs(1 - progress(at: high / 5)) >= 0.001 {
            high *= 2
            guard high < 1e9 else { return Double(Float.greatestFiniteMagnitude) }
        }
        var low = 0.0
        while high - low > 1 {
            let middle = ((low + high) / 2).rounded(.down)
            if abs(1 - progress(at: middle / 10)) < 0.001 { high = middle } else { low = middle }
        }
        return high / 10
    }
}

extension SpringCurve {
    /// 2π√(m/k), seconds.
    package var perceptualDuration: Double { 2 * .pi / naturalFrequency }

    /// 1 swings for ever, 0 is critical, below 0 is overdamped.
    package var bounce: Double {
        let ratio = damping / (2 * (stiffness * mass).squareRoot())
        return ratio <= 1 ? 1 - ratio : 1 / ratio - 1
    }

    /// - Parameters:
    ///   - duration: Seconds, above 0.
    ///   - bounce: -1…1.
    package init(perceptualDuration duration: Double, bounce: Double) {
        let w = 2 * .pi / duration
        stiffness = w * w
        let ratio = bounce >= 0 ? 1 - bounce : 1 / (1 + bounce)
        damping = 2 * ratio * w
        allowsOverdamping = true
    }
}
