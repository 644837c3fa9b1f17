import LayerModel
import Quartz2D

/// How a keyframe animation gets from value to value.
public struct CAAnimationCalculationMode: NameConstant, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let linear = CAAnimationCalculationMode(rawValue: "linear")
    public static let discrete = CAAnimationCalculationMode(rawValue: "discrete")
    public static let paced = CAAnimationCalculationMode(rawValue: "paced")
    public static let cubic = CAAnimationCalculationMode(rawValue: "cubic")
    public static let cubicPaced = CAAnimationCalculationMode(rawValue: "cubicPaced")

    /// Nil for an unknown mode, which has no effect.
    var mode: Keyframes.Mode? { Keyframes.Mode.allCases.first { "\($0)" == rawValue } }
}

/// Whether a layer turns with the path it moves along.
public struct CAAnimationRotationMode: NameConstant, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let rotateAuto = CAAnimationRotationMode(rawValue: "auto")
    public static let rotateAutoReverse = CAAnimationRotationMode(rawValue: "autoReverse")
}

/// Through several values, or along a path. Source: semantic reference, §5.3.
open class CAKeyframeAnimation: CAPropertyAnimation, @unchecked Sendable {
    open var values: [Any]?
    /// For points; goes before `values`.
    open var path: CGPath?
    /// 0…1, ascending, one a value (discrete: one more). Others are ignored, and times are even.
    open var keyTimes: [NSNumber]?
    /// One for each step from a value to the next.
    open var timingFunctions: [CAMediaTimingFunction]?
    open var calculationMode = CAAnimationCalculationMode.linear
    /// By value, for the cubic modes; missing ones are 0.
    open var tensionValues: [NSNumber]?
    open var continuityValues: [NSNumber]?
    open var biasValues: [NSNumber]?
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
