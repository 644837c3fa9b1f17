import LayerModel

/// How the new look takes the place of the old one. Source: semantic reference, §5.5.
public struct CATransitionType: NameConstant, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The one fades into the other; the default.
    public static let fade = CATransitionType(rawValue: "fade")
    /// The new look slides over the old one.
    public static let moveIn = CATransitionType(rawValue: "moveIn")
    /// The new look slides in and pushes the old one out.
    public static let push = CATransitionType(rawValue: "push")
    /// The old look slides off the new one.
    public static let reveal = CATransitionType(rawValue: "reveal")
}

/// The side that `moveIn`, `push` and `reveal` begin at, in the layer's own coordinates. An unknown name counts as
/// `fromLeft`.
public struct CATransitionSubtype: NameConstant, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// From min x.
    public static let fromLeft = CATransitionSubtype(rawValue: "fromLeft")
    /// From max x.
    public static let fromRight = CATransitionSubtype(rawValue: "fromRight")
    /// From max y, which is below where y runs down.
    public static let fromTop = CATransitionSubtype(rawValue: "fromTop")
    /// From min y.
    public static let fromBottom = CATransitionSubtype(rawValue: "fromBottom")
}

/// From how a layer looked before the commit that adds the transition to how it looks after. Always added under the key
/// `transition`. Source: semantic reference, §5.5.
open class CATransition: CAAnimation, @unchecked Sendable {
    /// How the new look comes; `fade`, as which an unknown type counts.
    open var type = CATransitionType.fade
    /// The side that the new look comes from; nil, the default, is from the left. `fromTop` is max y of the layer's own
    /// coordinates.
    open var subtype: CATransitionSubtype?
    /// Where between the old look, 0, and the new one, 1, it begins; 0.
    open var startProgress: Float = 0
    /// Where between the old look, 0, and the new one, 1, it ends; 1.
    open var endProgress: Float = 1
    /// There are no filters for transitions here: one is a warning, and `type` is what shows.
    open var filter: Any?

    public override init() {
        super.init()
    }

    package override func makeEmptyCopy() -> CAAnimation { CATransition() }

    package override func takeValues(of other: CAAnimation) {
        super.takeValues(of: other)
        guard let other = other as? CATransition else { return }
        type = other.type
        subtype = other.subtype
        startProgress = other.startProgress
        endProgress = other.endProgress
        filter = other.filter
    }

    open override class func defaultValue(forKey key: String) -> Any? {
        switch key {
        case "type": "fade"
        case "endProgress": NSNumber(value: 1)
        default: super.defaultValue(forKey: key)
        }
    }

    package override func standardValue(forKey key: String) -> Any?? {
        switch key {
        case "type": .some(type.rawValue)
        case "subtype": .some(subtype?.rawValue)
        case "startProgress": .some(NSNumber(value: startProgress))
        case "endProgress": .some(NSNumber(value: endProgress))
        case "filter": .some(filter)
        default: super.standardValue(forKey: key)
        }
    }

    package override func setStandardValue(_ value: Any?, forKey key: String) -> KeyedChange {
        switch key {
        case "type": return setName(value ?? "fade") { type = CATransitionType(rawValue: $0) }
        case "subtype":
            guard let value else {
                subtype = nil
                return .set
            }
            return setName(value) { subtype = CATransitionSubtype(rawValue: $0) }
        case "startProgress": return setNumber(value ?? 0) { startProgress = Float($0) }
        case "endProgress": return setNumber(value ?? 1) { endProgress = Float($0) }
        case "filter":
            filter = value
            return .set
        default: return super.setStandardValue(value, forKey: key)
        }
    }
}
