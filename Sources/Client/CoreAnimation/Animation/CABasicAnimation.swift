/// From one value to another. What is not set follows from what is, and from the value below.
///
/// Values may be any number type, `NSNumber`, Bool, `CGPoint`, `CGSize`, `CGRect`, `CATransform3D`, `CGAffineTransform`,
/// `CGColor`, `CGPath`, `CGImage`, or an array of numbers or colors, as the key path takes them. Source: semantic reference, §5.1.
open class CABasicAnimation: CAPropertyAnimation, @unchecked Sendable {
    /// The value at the begin. Nil, the default: `toValue` - `byValue` where both are set, else the value below: the
    /// model's with the animations that were added before.
    open var fromValue: Any?
    /// The value at the end. Nil, the default: the begin's + `byValue` where that is set, else the value below.
    open var toValue: Any?
    /// Added to one end to get the other (of transforms: put before it); nil by default, and not looked at when both
    /// ends are set.
    open var byValue: Any?

    public override init() {
        super.init()
    }

    package override func makeEmptyCopy() -> CAAnimation { CABasicAnimation() }

    package override func takeValues(of other: CAAnimation) {
        super.takeValues(of: other)
        guard let other = other as? CABasicAnimation else { return }
        fromValue = other.fromValue
        toValue = other.toValue
        byValue = other.byValue
    }

    package override func standardValue(forKey key: String) -> Any?? {
        switch key {
        case "fromValue": .some(fromValue)
        case "toValue": .some(toValue)
        case "byValue": .some(byValue)
        default: super.standardValue(forKey: key)
        }
    }

    package override func setStandardValue(_ value: Any?, forKey key: String) -> KeyedChange {
        switch key {
        case "fromValue": fromValue = value
        case "toValue": toValue = value
        case "byValue": byValue = value
        default: return super.setStandardValue(value, forKey: key)
        }
        return .set
    }
}
