import LayerModel

/// What numbers make a transform of. Source: semantic reference, §5.2.
public struct CAValueFunctionName: NameConstant, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A turn about x; a number, radians.
    public static let rotateX = CAValueFunctionName(rawValue: "rotateX")
    /// A turn about y; a number, radians.
    public static let rotateY = CAValueFunctionName(rawValue: "rotateY")
    /// A turn about z, from x towards y; a number, radians.
    public static let rotateZ = CAValueFunctionName(rawValue: "rotateZ")
    /// A scale along x, y and z; an array of three numbers.
    public static let scale = CAValueFunctionName(rawValue: "scale")
    /// A scale along x; a number.
    public static let scaleX = CAValueFunctionName(rawValue: "scaleX")
    /// A scale along y; a number.
    public static let scaleY = CAValueFunctionName(rawValue: "scaleY")
    /// A scale along z; a number.
    public static let scaleZ = CAValueFunctionName(rawValue: "scaleZ")
    /// A move along x, y and z; an array of three numbers, points.
    public static let translate = CAValueFunctionName(rawValue: "translate")
    /// A move along x; a number, points.
    public static let translateX = CAValueFunctionName(rawValue: "translateX")
    /// A move along y; a number, points.
    public static let translateY = CAValueFunctionName(rawValue: "translateY")
    /// A move along z; a number, points.
    public static let translateZ = CAValueFunctionName(rawValue: "translateZ")
}

/// Makes a transform of numbers, after they were interpolated: radians for `rotate…`, three numbers for `scale` and
/// `translate`, one for the others. Immutable. Source: semantic reference, §5.2.
public final class CAValueFunction: NSObject, Sendable {
    /// The name that it was made with.
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
