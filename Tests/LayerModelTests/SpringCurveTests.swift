import LayerModel
import Testing

@Suite("Springs")
struct SpringCurveTests {
    private func spring(_ mass: Double, _ stiffness: Double, _ damping: Double, velocity: Double = 0) -> SpringCurve {
        var spring = SpringCurve()
        spring.mass = mass
        spring.stiffness = stiffness
        spring.damping = damping
        spring.initialVelocity = velocity
        return spring
    }

    // Semantic reference, §5.4, and measured fact A2: Core Animation's own numbers.
    @Test(
        "Settling, to the last digits",
        arguments: [
            (1.0, 100.0, 10.0, 1.4727003346780927), (1, 100, 1, 13.91321015404625),
            (1, 39.47841760435743, 6.283185307179586, 2.3438753795710707),
            // A3: response 0.5 and 1.5 s, damping ratio 0.8 and 0.3.
            (1, 157.91367041742973, 20.106192982974676, 0.7714094006693448),
            (1, 17.545963379714415, 2.5132741228718345, 5.71461784505134),
        ])
    func settling(mass: Double, stiffness: Double, damping: Double, seconds: Double) {
        #expect(abs(spring(mass, stiffness, damping).settlingDuration - seconds) < 1e-12)
    }

    @Test("Critical springs settle at a tenth of a second; without damping never")
    func settlingOfOthers() {
        #expect(spring(1, 100, 20).settlingDuration == 1)
        let response = 0.2
        let w = 2 * Double.pi / response
        #expect(spring(1, w * w, 2 * w).settlingDuration == 0.3)
        #expect(spring(1, 100, 0).settlingDuration == Double(Float.greatestFiniteMagnitude))
        var slow = spring(1, 39.47841760435743, 8 * 3.141592653589793)
        slow.allowsOverdamping = true
        // 1 - x(t) = A e^(-1.6836 t) + …, A = 1.0774: a thousandth is left after 4.148 s. Core Animation's own number, about 2.6 s, fits
        // no rule that is known.
        #expect(slow.settlingDuration == 4.2)
    }

    @Test(
        "The default spring on its way",
        arguments: [(0.1, 0.340300), (0.2, 0.849426), (0.3628, 1.163034), (0.5, 1.074591), (1, 1.002170)])
    func defaultSpring(t: Double, x: Double) {
        #expect(abs(SpringCurve().progress(at: t) - x) < 5e-7)
    }

    /// x'' = (k/m)(1 - x) - (c/m) x', by Runge-Kutta in small steps.
    private func integrated(_ spring: SpringCurve, damping: Double, to end: Double) -> Double {
        var (x, v) = (0.0, spring.initialVelocity)
        let steps = 20_000
        let h = end / Double(steps)
        func force(_ x: Double, _ v: Double) -> Double {
            spring.stiffness / spring.mass * (1 - x) - damping / spring.mass * v
        }
        for _ in 0..<steps {
            let (a1, b1) = (v, force(x, v))
            let (a2, b2) = (v + h / 2 * b1, force(x + h / 2 * a1, v + h / 2 * b1))
            let (a3, b3) = (v + h / 2 * b2, force(x + h / 2 * a2, v + h / 2 * b2))
            let (a4, b4) = (v + h * b3, force(x + h * a3, v + h * b3))
            x += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
            v += h / 6 * (b1 + 2 * b2 + 2 * b3 + b4)
        }
        return x
    }

    @Test(
        "Every regime solves the equation of motion",
        arguments: [(1.0, 100.0, 10.0, 0.0), (2, 300, 50, 5), (1, 100, 20, -3), (1, 100, 60, 0), (3, 50, 80, 4)])
    func equation(mass: Double, stiffness: Double, damping: Double, velocity: Double) {
        var spring = spring(mass, stiffness, damping, velocity: velocity)
        spring.allowsOverdamping = true
        for t in [0.01, 0.1, 0.37, 1] {
            #expect(abs(spring.progress(at: t) - integrated(spring, damping: damping, to: t)) < 1e-10)
        }
    }

    @Test("Overdamping counts as critical damping unless it is allowed")
    func clamping() {
        #expect(spring(1, 100, 60).progress(at: 0.1) == spring(1, 100, 20).progress(at: 0.1))
    }

    @Test("Perceptual duration and bounce")
    func perceptual() {
        let standard = SpringCurve()
        #expect(abs(standard.perceptualDuration - 0.6283185307179586) < 1e-15 && standard.bounce == 0.5)
        for (duration, bounce) in [(0.5, 0.3), (1, 0), (2, -0.5)] {
            let spring = SpringCurve(perceptualDuration: duration, bounce: bounce)
            #expect(abs(spring.perceptualDuration - duration) < 1e-12 && abs(spring.bounce - bounce) < 1e-12)
            #expect(spring.mass == 1 && spring.allowsOverdamping)
        }
        let infinite = SpringCurve(perceptualDuration: 1, bounce: -1)
        #expect(infinite.damping == .infinity && infinite.settlingDuration == 0 && infinite.progress(at: 0.1) == 1)
    }
}
