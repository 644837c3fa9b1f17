import LayerModel

public struct CAValueFunctionName: NameConstant, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let rotateX = CAValueFunctionName(rawValue: "rotateX")
    public static let rotateY = CAValueFunctionName(rawValue: "rotateY")
    public static let rotateZ = CAValueFunctionName(rawValue: "rotateZ")
    public static let scale = CAValueFunctionName(rawValue: "scale")
    public static let scaleX = CAValueFunctionName(rawValue: "scaleX")
    public static let scaleY = CAValueFunctionName(rawValue: "scaleY")
    public static let scaleZ = CAValueFunctionName(rawValue: "scaleZ")
    public static let translate = CAValueFunctionName(rawValue: "translate")
    public static let translateX = CAValueFunctionName(rawValue: "translateX")
    public static let translateY = CAValueFunctionName(rawValue: "translateY")
    public static let translateZ = CAValueFunctionName(rawValue: "translateZ")
}

/// Makes a transform of numbers, after they were interpolated: radians for `rotate…`, three numbers for `scale` and
/// `translate`, one for the others. Immutable. Source: semantic reference, §5.2.
public final class CAValueFunction: NSObject, Sendable {
    public let name: CAValueFunctionName
    package let function: ValueFunction

    /// Nil for an unknown name. Functions of the same name are equal.
    public init?(name: CAValueFunctionName) {
        guard let function = ValueFunction.allCases.first(where: { $0.name == name.rawValue }) else { return nil }
        self.name = name
        self.function = function
    }

    public override func isEqual(_ object: Any?) -> Bool { (object as? CAValueFunction)?.name == name }
    public override var hash: Int { name.hashValue }
}
