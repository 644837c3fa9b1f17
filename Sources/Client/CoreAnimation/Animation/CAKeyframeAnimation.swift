import LayerModel
import Quartz2D

/// How a keyframe animation gets from value to value. An animation with an unknown mode has no effect. Source: semantic
/// reference, §5.3.
public struct CAAnimationCalculationMode: NameConstant, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Evenly from each value to the next; the default.
    public static let linear = CAAnimationCalculationMode(rawValue: "linear")
    /// Each value is held until the time of the next: key times are one more than values.
    public static let discrete = CAAnimationCalculationMode(rawValue: "discrete")
    /// At an even speed over all; key times and timing functions are not looked at. Transforms have no distance and
    /// share the time evenly.
    public static let paced = CAAnimationCalculationMode(rawValue: "paced")
    /// By a curve through the values, which `tensionValues`, `continuityValues` and `biasValues` shape.
    public static let cubic = CAAnimationCalculationMode(rawValue: "cubic")
    /// By that curve, at an even speed.
    public static let cubicPaced = CAAnimationCalculationMode(rawValue: "cubicPaced")

    /// Nil for an unknown mode, which has no effect.
    var mode: Keyframes.Mode? { Keyframes.Mode.allCases.first { "\($0)" == rawValue } }
}

/// Whether a layer turns with the path it moves along. An unknown name turns nothing.
public struct CAAnimationRotationMode: NameConstant, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Its x axis points the way it moves.
    public static let rotateAuto = CAAnimationRotationMode(rawValue: "auto")
    /// Its x axis points back.
    public static let rotateAutoReverse = CAAnimationRotationMode(rawValue: "autoReverse")
}

/// Through several values, or along a path. Source: semantic reference, §5.3.
open class CAKeyframeAnimation: CAPropertyAnimation, @unchecked Sendable {
    /// What is gone through, of the types of `CABasicAnimation`'s ends; nil by default.
    open var values: [Any]?
    /// The ends of its lines and curves are the values, for properties that are points, and between them it is
    /// followed. Goes before `values`; nil by default. A new contour is jumped to.
    open var path: CGPath?
    /// When each value is reached, in parts of the duration: 0…1, ascending, one a value (discrete: one more). Nil, the
    /// default, and others that do not fit spread the values evenly.
    open var keyTimes: [NSNumber]?
    /// The pace of each step from a value to the next, one fewer than values; nil, the default, is linear.
    open var timingFunctions: [CAMediaTimingFunction]?
    /// How the animation gets from value to value; `linear`.
    open var calculationMode = CAAnimationCalculationMode.linear
    /// Of the curve at each value, for the cubic modes: above 0 is tighter. Nil by default; missing ones are 0.
    open var tensionValues: [NSNumber]?
    /// Of the curve at each value, for the cubic modes: other than 0 it has a corner there. Nil by default; missing
    /// ones are 0.
    open var continuityValues: [NSNumber]?
    /// Of the curve at each value, for the cubic modes: at 1 it goes on in the direction that it came from, at -1 it
    /// comes in the direction that it goes on in. Nil by default; missing ones are 0.
    open var biasValues: [NSNumber]?
    /// Whether the layer turns with the path; nil, the default, leaves it as it is.
    open var rotationMode: CAAnimationRotationMode?

    public override init() {
        super.init()
    }

    package override func makeEmptyCopy() -> CAAnimation { CAKeyframeAnimation() }

    package override func takeValues(of other: CAAnimation) {
        super.takeValues(of: other)
        guard let other = other as? CAKeyframeAnimation else { return }
        values = other.values
        path = other.path
        keyTimes = other.keyTimes
        timingFunctions = other.timingFunctions
        calculationMode = other.calculationMode
        tensionValues = other.tensionValues
        continuityValues = other.continuityValues
        biasValues = other.biasValues
        rotationMode = other.rotationMode
    }

    open override class func defaultValue(forKey key: String) -> Any? {
        key == "calculationMode" ? "linear" : super.defaultValue(forKey: key)
    }

    package override func standardValue(forKey key: String) -> Any?? {
        switch key {
        case "values": .some(values)
        case "path": .some(path)
        case "keyTimes": .some(keyTimes)
        case "timingFunctions": .some(timingFunctions)
        case "calculationMode": .some(calculationMode.rawValue)
        case "tensionValues": .some(tensionValues)
        case "continuityValues": .some(continuityValues)
        case "biasValues": .some(biasValues)
        case "rotationMode": .some(rotationMode?.rawValue)
        default: super.standardValue(forKey: key)
        }
    }

    package override func setStandardValue(_ value: Any?, forKey key: String) -> KeyedChange {
        switch key {
        case "values": return setObject(value, "an array", as: [Any].self) { values = $0 }
        case "path": return setObject(value, "a CGPath", as: CGPath.self) { path = $0 }
        case "keyTimes": return setNumbers(value) { keyTimes = $0 }
        case "timingFunctions":
            return setObject(value, "timing functions", as: [CAMediaTimingFunction].self) { timingFunctions = $0 }
        case "calculationMode":
            return setName(value ?? "linear") { calculationMode = CAAnimationCalculationMode(rawValue: $0) }
        case "tensionValues": return setNumbers(value) { tensionValues = $0 }
        case "continuityValues": return setNumbers(value) { continuityValues = $0 }
        case "biasValues": return setNumbers(value) { biasValues = $0 }
        case "rotationMode":
            guard let value else {
                rotationMode = nil
                return .set
            }
            return setName(value) { rotationMode = CAAnimationRotationMode(rawValue: $0) }
        default: return super.setStandardValue(value, forKey: key)
        }
    }

    private func setNumbers(_ value: Any?, _ set: ([NSNumber]?) -> Void) -> KeyedChange {
        guard let value else {
            set(nil)
            return .set
        }
        guard let list = value as? [Any] else { return .refused("an array of numbers") }
        let numbers = list.compactMap { KeyedValue.number($0).map { NSNumber(value: $0) } }
        guard numbers.count == list.count else { return .refused("an array of numbers") }
        set(numbers)
        return .set
    }
}
