// The names of a shape layer's closed sets, and what they are in the shared model. Unknown names count as the default.

import LayerModel

/// What of a path is its inside. An unknown name counts as `nonZero`.
public struct CAShapeLayerFillRule: NameConstant, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Where the path goes round, the turns to one side and those to the other not being as many; the default.
    public static let nonZero = CAShapeLayerFillRule(rawValue: "non-zero")
    /// Where a way out crosses the path an odd number of times.
    public static let evenOdd = CAShapeLayerFillRule(rawValue: "even-odd")

    init(_ rule: FillRule) { self = rule == .evenOdd ? .evenOdd : .nonZero }

    var rule: FillRule { self == .evenOdd ? .evenOdd : .nonZero }
}

/// How lines end. An unknown name counts as `butt`.
public struct CAShapeLayerLineCap: NameConstant, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// At the end of the path; the default.
    public static let butt = CAShapeLayerLineCap(rawValue: "butt")
    /// With half a disc.
    public static let round = CAShapeLayerLineCap(rawValue: "round")
    /// Half a width beyond.
    public static let square = CAShapeLayerLineCap(rawValue: "square")

    init(_ cap: LineCap) {
        switch cap {
        case .butt: self = .butt
        case .round: self = .round
        case .square: self = .square
        }
    }

    var cap: LineCap {
        switch self {
        case .round: .round
        case .square: .square
        default: .butt
        }
    }
}

/// How lines turn at corners. An unknown name counts as `miter`.
public struct CAShapeLayerLineJoin: NameConstant, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// To a point, up to the miter limit; the default.
    public static let miter = CAShapeLayerLineJoin(rawValue: "miter")
    /// With a part of a disc.
    public static let round = CAShapeLayerLineJoin(rawValue: "round")
    /// Straight across.
    public static let bevel = CAShapeLayerLineJoin(rawValue: "bevel")

    init(_ join: LineJoin) {
        switch join {
        case .miter: self = .miter
        case .round: self = .round
        case .bevel: self = .bevel
        }
    }

    var join: LineJoin {
        switch self {
        case .round: .round
        case .bevel: .bevel
        default: .miter
        }
    }
}
