import LayerModel

/// An animation of one property, by its key path.
open class CAPropertyAnimation: CAAnimation, @unchecked Sendable {
    /// What is animated, for example `opacity`, `position.x`, `transform.rotation.z`, `filters.blur.inputRadius`. Nil,
    /// the default, or one that is not known animates nothing.
    open var keyPath: String?
    /// The value is added to what is there (a transform is put before it); false.
    open var isAdditive = false
    /// Each cycle goes on from where the last one ended; false.
    open var isCumulative = false
    /// Makes transforms of the values, which are numbers then; nil by default.
    open var valueFunction: CAValueFunction?

    public override init() {
        super.init()
    }

    /// An animation of a key path, which is not checked here: adding it to a layer says what is wrong with it.
    public convenience init(keyPath path: String?) {
        self.init()
        keyPath = path
    }

    /// With a key path that the compiler checks: `CABasicAnimation(keyPath: \CALayer.position.x)`. A property that can't be
    /// animated leaves the animation without a key path, with a warning.
    public convenience init<Root: CALayer, Value>(keyPath path: KeyPath<Root, Value>) {
        self.init()
        keyPath = AnimatableKeyPaths.name(of: path)
    }

    package override func makeEmptyCopy() -> CAAnimation { CAPropertyAnimation() }

    package override func takeValues(of other: CAAnimation) {
        super.takeValues(of: other)
        guard let other = other as? CAPropertyAnimation else { return }
        keyPath = other.keyPath
        isAdditive = other.isAdditive
        isCumulative = other.isCumulative
        valueFunction = other.valueFunction
    }

    package override func standardValue(forKey key: String) -> Any?? {
        switch key {
        case "keyPath": .some(keyPath)
        case "additive", "isAdditive": .some(NSNumber(value: isAdditive))
        case "cumulative", "isCumulative": .some(NSNumber(value: isCumulative))
        case "valueFunction": .some(valueFunction)
        default: super.standardValue(forKey: key)
        }
    }

    package override func setStandardValue(_ value: Any?, forKey key: String) -> KeyedChange {
        switch key {
        case "keyPath":
            guard let value else {
                keyPath = nil
                return .set
            }
            return setName(value) { keyPath = $0 }
        case "additive", "isAdditive": return setFlag(value ?? false) { isAdditive = $0 }
        case "cumulative", "isCumulative": return setFlag(value ?? false) { isCumulative = $0 }
        case "valueFunction":
            if let name = value.flatMap(KeyedValue.string) {
                valueFunction = CAValueFunction(name: CAValueFunctionName(rawValue: name))
                return .set
            }
            return setObject(value, "a CAValueFunction", as: CAValueFunction.self) { valueFunction = $0 }
        default: return super.setStandardValue(value, forKey: key)
        }
    }
}
