import LayerModel

/// A basic animation that moves as a spring does: it may go beyond its end and come back.
///
/// The spring runs in seconds and is not fitted to `duration`, which cuts it: set that to `settlingDuration`. The timing
/// function has no effect. Source: semantic reference, §5.4, and the measured facts A2 and A3.
open class CASpringAnimation: CABasicAnimation, @unchecked Sendable {
    /// Of what hangs on the spring; 1. Above 0; another value is ignored.
    open var mass: CGFloat {
        get { CGFloat(curve.mass) }
        set { if newValue > 0, newValue.isFinite { curve.mass = Double(newValue) } }
    }

    /// The pull by distance; 100. Above 0; another value is ignored.
    open var stiffness: CGFloat {
        get { CGFloat(curve.stiffness) }
        set { if newValue > 0, newValue.isFinite { curve.stiffness = Double(newValue) } }
    }

    /// The friction by speed; 10. 0 or more; another value is ignored. With 0 it swings for ever.
    open var damping: CGFloat {
        get { CGFloat(curve.damping) }
        set { if newValue >= 0 { curve.damping = Double(newValue) } }
    }

    /// Whole distances a second, towards the end; 0. Not finite: ignored.
    open var initialVelocity: CGFloat {
        get { CGFloat(curve.initialVelocity) }
        set { if newValue.isFinite { curve.initialVelocity = Double(newValue) } }
    }

    /// False, the default: a spring that would be overdamped counts as critically damped.
    open var allowsOverdamping: Bool {
        get { curve.allowsOverdamping }
        set { curve.allowsOverdamping = newValue }
    }

    package private(set) var curve = SpringCurve()

    public override init() {
        super.init()
    }

    /// A spring by how it feels. Its `duration` is its settling duration.
    ///
    /// - Parameters:
    ///   - duration: Seconds, above 0; another value makes the default spring.
    ///   - bounce: -1…1; 0 doesn't swing, 1 swings for ever.
    public convenience init(perceptualDuration: CFTimeInterval, bounce: CGFloat) {
        self.init()
        if perceptualDuration > 0, perceptualDuration.isFinite {
            let bounce = bounce.isNaN ? 0 : min(max(Double(bounce), -1), 1)
            curve = SpringCurve(perceptualDuration: perceptualDuration, bounce: bounce)
        }
        duration = settlingDuration
    }

    /// Seconds until it counts as at rest: within 0.001 of the distance. About 1.47 by default; without damping the
    /// largest `Float`.
    open var settlingDuration: CFTimeInterval { curve.settlingDuration }
    /// Seconds of a swing without damping, 2π√(mass / stiffness); about 0.63 by default.
    open var perceptualDuration: CFTimeInterval { curve.perceptualDuration }
    /// 1 swings for ever, 0 is critical, below 0 is overdamped; 0.5 by default.
    open var bounce: CGFloat { CGFloat(curve.bounce) }

    package override func makeEmptyCopy() -> CAAnimation { CASpringAnimation() }

    package override func takeValues(of other: CAAnimation) {
        super.takeValues(of: other)
        if let other = other as? CASpringAnimation { curve = other.curve }
    }

    open override class func defaultValue(forKey key: String) -> Any? {
        switch key {
        case "mass": NSNumber(value: 1)
        case "stiffness": NSNumber(value: 100)
        case "damping": NSNumber(value: 10)
        default: super.defaultValue(forKey: key)
        }
    }

    /// `velocity` is another name of `initialVelocity`.
    package override func standardValue(forKey key: String) -> Any?? {
        switch key {
        case "mass": .some(NSNumber(value: curve.mass))
        case "stiffness": .some(NSNumber(value: curve.stiffness))
        case "damping": .some(NSNumber(value: curve.damping))
        case "initialVelocity", "velocity": .some(NSNumber(value: curve.initialVelocity))
        case "allowsOverdamping": .some(NSNumber(value: curve.allowsOverdamping))
        case "settlingDuration": .some(NSNumber(value: settlingDuration))
        case "perceptualDuration": .some(NSNumber(value: perceptualDuration))
        case "bounce": .some(NSNumber(value: curve.bounce))
        default: super.standardValue(forKey: key)
        }
    }

    package override func setStandardValue(_ value: Any?, forKey key: String) -> KeyedChange {
        switch key {
        case "mass": setNumber(value ?? 1) { mass = CGFloat($0) }
        case "stiffness": setNumber(value ?? 100) { stiffness = CGFloat($0) }
        case "damping": setNumber(value ?? 10) { damping = CGFloat($0) }
        case "initialVelocity", "velocity": setNumber(value ?? 0) { initialVelocity = CGFloat($0) }
        case "allowsOverdamping": setFlag(value ?? false) { allowsOverdamping = $0 }
        case "settlingDuration", "perceptualDuration", "bounce": .refused("nothing: it can only be read")
        default: super.setStandardValue(value, forKey: key)
        }
    }
}
