/// Animations that run together, in the group's time. The group's duration cuts them, it does not stretch them: set it, or
/// they end with the transaction's duration. Their delegates and `isRemovedOnCompletion` have no effect. Source: semantic
/// reference, §4.6.
open class CAAnimationGroup: CAAnimation, @unchecked Sendable {
    /// What runs together, applied in this order; nil by default. Their begin times count from the group's begin.
    open var animations: [CAAnimation]?

    public override init() {
        super.init()
    }

    package override func makeEmptyCopy() -> CAAnimation { CAAnimationGroup() }

    package override func takeValues(of other: CAAnimation) {
        super.takeValues(of: other)
        guard let other = other as? CAAnimationGroup else { return }
        animations = other.animations?.map { $0.copy() as? CAAnimation ?? $0 }
    }

    package override func standardValue(forKey key: String) -> Any?? {
        key == "animations" ? .some(animations) : super.standardValue(forKey: key)
    }

    package override func setStandardValue(_ value: Any?, forKey key: String) -> KeyedChange {
        guard key == "animations" else { return super.setStandardValue(value, forKey: key) }
        return setObject(value, "animations", as: [CAAnimation].self) { animations = $0 }
    }
}
