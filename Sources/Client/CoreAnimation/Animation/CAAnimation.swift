// Animations as an app describes them. Adding one to a layer copies it; what runs is the copy. Source: semantic reference,
// §4 and §5.6. What the display makes of a description: docs/animations.md.

import LayerModel

/// Hears of the begin and the end of an animation. Kept alive by the animation.
///
/// On Apple's platforms these methods are optional; here each does nothing unless it is written.
public protocol CAAnimationDelegate: AnyObject {
    /// The animation's active time begins.
    func animationDidStart(_ anim: CAAnimation)

    /// - Parameter flag: True when it came to the end of its active time, false when it was removed before.
    func animationDidStop(_ anim: CAAnimation, finished flag: Bool)
}

extension CAAnimationDelegate {
    /// Does nothing.
    public func animationDidStart(_ anim: CAAnimation) {}
    /// Does nothing.
    public func animationDidStop(_ anim: CAAnimation, finished flag: Bool) {}
}

/// How often something may change a second.
public struct CAFrameRateRange: Hashable, Sendable {
    /// Times a second, at least; 0 leaves it to the display.
    public var minimum: Float
    /// Times a second, at most; 0 leaves it to the display.
    public var maximum: Float
    /// Times a second; 0 or nil: no preference.
    public var preferred: Float?

    /// A range in times a second. The three are not compared with each other.
    public init(minimum: Float, maximum: Float, preferred: Float? = nil) {
        self.minimum = minimum
        self.maximum = maximum
        self.preferred = preferred
    }

    /// All zero: the display chooses.
    public static let `default` = CAFrameRateRange(minimum: 0, maximum: 0, preferred: 0)
}

/// What all animations have: timing, a pace, a delegate, and values under keys of the app's own.
///
/// A subclass that has stored properties overrides `copy(with:)`; otherwise the copy that a layer keeps is of the nearest
/// class of this module.
open class CAAnimation: NSObject, CAMediaTiming, CAAction, NSCopying, @unchecked Sendable {
    /// Seconds of the layer's time; 0 is the moment of the commit. In a group: of the group's time, and 0 is its begin.
    open var beginTime: CFTimeInterval = 0
    /// Seconds of one cycle. 0: the transaction's duration when the animation is added, else 0.25.
    open var duration: CFTimeInterval = 0
    /// How fast the animation runs against its layer's time; 1. With 0 it stands at `timeOffset`, below 0 it runs back
    /// from there.
    open var speed: Float = 1
    /// Seconds of the animation's own time that it is ahead by; 0. What is skipped so comes at the end (semantic
    /// reference, §4.2).
    open var timeOffset: CFTimeInterval = 0
    /// Cycles, also parts of one and infinitely many; 0, which counts as one.
    open var repeatCount: Float = 0
    /// Seconds that cycles go on for, infinity too; 0, which leaves it to `repeatCount`. Above 0 it goes before that.
    open var repeatDuration: CFTimeInterval = 0
    /// Each cycle runs forward and then back, which takes twice its duration; false.
    open var autoreverses = false
    /// What shows before the begin and, where `isRemovedOnCompletion` is false, after the end; `removed`.
    open var fillMode = CAMediaTimingFillMode.removed

    /// The pace of each cycle; nil, the default, is linear.
    open var timingFunction: CAMediaTimingFunction?
    /// Hears of the begin and the end; retained. Nil by default.
    open var delegate: CAAnimationDelegate?
    /// True, the default: it goes at its end, and the model value shows. False: it stays with its layer, and shows what
    /// its fill mode says.
    open var isRemovedOnCompletion = true
    /// A hint that frames drawn on demand have no use for.
    open var preferredFrameRateRange = CAFrameRateRange.default

    /// What is wrong with it was said where it was written, and is not said again.
    package var isFaultReported = false

    /// Values under keys that are no properties.
    var keyedValues: [String: Any] = [:]

    public override init() {
        super.init()
    }

    // MARK: Copying

    /// A copy of the nearest class of this module, with all values, also those under keys of the app's own.
    open func copy(with zone: NSZone? = nil) -> Any { duplicate() }

    /// A copy of the nearest class of this module.
    package final func duplicate() -> CAAnimation {
        let copy = makeEmptyCopy()
        copy.takeValues(of: self)
        return copy
    }

    /// A new animation of the nearest class of this module.
    package func makeEmptyCopy() -> CAAnimation { CAAnimation() }

    package func takeValues(of other: CAAnimation) {
        beginTime = other.beginTime
        duration = other.duration
        speed = other.speed
        timeOffset = other.timeOffset
        repeatCount = other.repeatCount
        repeatDuration = other.repeatDuration
        autoreverses = other.autoreverses
        fillMode = other.fillMode
        timingFunction = other.timingFunction
        delegate = other.delegate
        isRemovedOnCompletion = other.isRemovedOnCompletion
        preferredFrameRateRange = other.preferredFrameRateRange
        isFaultReported = other.isFaultReported
        keyedValues = other.keyedValues
    }

    // MARK: Key-value access

    /// What a key has when nothing was set; nil where it is zero or nothing.
    open class func defaultValue(forKey key: String) -> Any? {
        switch key {
        case "speed": NSNumber(value: 1)
        case "fillMode": CAMediaTimingFillMode.removed.rawValue
        case "removedOnCompletion", "isRemovedOnCompletion": NSNumber(value: true)
        default: nil
        }
    }

    /// Numbers come out as `NSNumber`, names as `String`.
    open func value(forKey key: String) -> Any? {
        if let known = standardValue(forKey: key) { return known }
        return keyedValues[key] ?? type(of: self).defaultValue(forKey: key)
    }

    /// A value of another type than the property's changes nothing. Any key that is no property keeps its value, which is
    /// copied with the animation.
    open func setValue(_ value: Any?, forKey key: String) {
        let value = KeyedValue.given(value)
        switch setStandardValue(value, forKey: key) {
        case .set: break
        case .unknown: keyedValues[key] = value
        case .refused(let wanted):
            ClientWarnings.shared.warnOnce(
                "\(type(of: self)), \(key): takes \(wanted), not \(value.map { "\(type(of: $0))" } ?? "nil").")
        }
    }

    /// A value or a part of it, such as `fromValue.x`; nil where there is no such part.
    open func value(forKeyPath keyPath: String) -> Any? {
        let path = keyPath.split(separator: ".", omittingEmptySubsequences: false)
        guard let first = path.first, path.count > 1, path.count <= 64 else { return value(forKey: keyPath) }
        guard let whole = value(forKey: String(first)) else { return nil }
        return try? KeyPathComponents.get(path.dropFirst(), of: whole)
    }

    /// Sets a value or a part of it, such as `fromValue.x`. A part that the value does not have changes nothing.
    open func setValue(_ value: Any?, forKeyPath keyPath: String) {
        let path = keyPath.split(separator: ".", omittingEmptySubsequences: false)
        guard let first = path.first, path.count > 1, path.count <= 64 else { return setValue(value, forKey: keyPath) }
        let whole = self.value(forKey: String(first)) ?? [String: Any]()
        guard let changed = try? KeyPathComponents.set(path.dropFirst(), of: whole, to: KeyedValue.given(value) ?? 0)
        else { return }
        setValue(changed, forKey: String(first))
    }

    /// What became of a value that was given by key.
    package enum KeyedChange {
        case set
        case unknown
        /// With what would be right.
        case refused(String)
    }

    /// Nil for a key that is no property; nil inside for one without a value.
    package func standardValue(forKey key: String) -> Any?? {
        switch key {
        case "beginTime": .some(NSNumber(value: beginTime))
        case "duration": .some(NSNumber(value: duration))
        case "speed": .some(NSNumber(value: speed))
        case "timeOffset": .some(NSNumber(value: timeOffset))
        case "repeatCount": .some(NSNumber(value: repeatCount))
        case "repeatDuration": .some(NSNumber(value: repeatDuration))
        case "autoreverses": .some(NSNumber(value: autoreverses))
        case "fillMode": .some(fillMode.rawValue)
        case "timingFunction": .some(timingFunction)
        case "delegate": .some(delegate)
        case "removedOnCompletion", "isRemovedOnCompletion": .some(NSNumber(value: isRemovedOnCompletion))
        default: nil
        }
    }

    package func setStandardValue(_ value: Any?, forKey key: String) -> KeyedChange {
        switch key {
        case "beginTime": setNumber(value ?? 0) { beginTime = $0 }
        case "duration": setNumber(value ?? 0) { duration = $0 }
        case "speed": setNumber(value ?? 1) { speed = Float($0) }
        case "timeOffset": setNumber(value ?? 0) { timeOffset = $0 }
        case "repeatCount": setNumber(value ?? 0) { repeatCount = Float($0) }
        case "repeatDuration": setNumber(value ?? 0) { repeatDuration = $0 }
        case "autoreverses": setFlag(value ?? false) { autoreverses = $0 }
        case "fillMode": setName(value ?? "removed") { fillMode = CAMediaTimingFillMode(rawValue: $0) }
        case "timingFunction":
            setObject(value, "a CAMediaTimingFunction", as: CAMediaTimingFunction.self) { timingFunction = $0 }
        case "delegate": setObject(value, "a CAAnimationDelegate", as: CAAnimationDelegate.self) { delegate = $0 }
        case "removedOnCompletion", "isRemovedOnCompletion":
            setFlag(value ?? true) { isRemovedOnCompletion = $0 }
        default: .unknown
        }
    }

    package final func setNumber(_ value: Any, _ set: (Double) -> Void) -> KeyedChange {
        guard let number = KeyedValue.number(value) else { return .refused("a number") }
        set(number)
        return .set
    }

    package final func setFlag(_ value: Any, _ set: (Bool) -> Void) -> KeyedChange {
        guard let flag = KeyedValue.bool(value) else { return .refused("a Bool") }
        set(flag)
        return .set
    }

    package final func setName(_ value: Any, _ set: (String) -> Void) -> KeyedChange {
        guard let name = KeyedValue.string(value) else { return .refused("a name") }
        set(name)
        return .set
    }

    package final func setObject<T>(_ value: Any?, _ wanted: String, as type: T.Type, _ set: (T?) -> Void)
        -> KeyedChange
    {
        guard let value else {
            set(nil)
            return .set
        }
        guard let object = value as? T else { return .refused(wanted) }
        set(object)
        return .set
    }

    // MARK: As an action

    /// Adds a copy of the animation to the layer, under the event's key.
    open func run(forKey event: String, object anObject: Any, arguments dict: [AnyHashable: Any]?) {
        (anObject as? CALayer)?.addAction(self, forKey: event)
    }
}
