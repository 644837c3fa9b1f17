/// From one value to another. What is not set follows from what is, and from the value below.
///
/// Values may be any number type, `NSNumber`, Bool, `CGPoint`, `CGSize`, `CGRect`, `CATransform3D`, `CGAffineTransform`,
/// `CGColor`, `CGPath`, `CGImage`, or an array of numbers or colours, as the key path takes them. Source: semantic reference, §5.1.
open class CABasicAnimation: CAPropertyAnimation, @unchecked Sendable {
    open var fromValue: Any?
    open var toValue: Any?
    /// Added to one end to get the other; not looked at when both are set.
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
