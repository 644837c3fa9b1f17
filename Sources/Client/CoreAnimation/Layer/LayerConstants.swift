// The names and masks of CALayer's properties, and what they are in the shared model.

import LayerModel

/// A type whose values are names, such as `CALayerContentsGravity`: key-value access hands out the name.
package protocol NameConstant: RawRepresentable<String> {
    init(rawValue: String)
}

// MARK: Names

/// Where contents sit in the bounds. `top` is max y and `bottom` min y of the layer's own coordinates.
public struct CALayerContentsGravity: NameConstant, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let center = CALayerContentsGravity(rawValue: "center")
    public static let top = CALayerContentsGravity(rawValue: "top")
    public static let bottom = CALayerContentsGravity(rawValue: "bottom")
    public static let left = CALayerContentsGravity(rawValue: "left")
    public static let right = CALayerContentsGravity(rawValue: "right")
    public static let topLeft = CALayerContentsGravity(rawValue: "topLeft")
    public static let topRight = CALayerContentsGravity(rawValue: "topRight")
    public static let bottomLeft = CALayerContentsGravity(rawValue: "bottomLeft")
    public static let bottomRight = CALayerContentsGravity(rawValue: "bottomRight")
    public static let resize = CALayerContentsGravity(rawValue: "resize")
    public static let resizeAspect = CALayerContentsGravity(rawValue: "resizeAspect")
    public static let resizeAspectFill = CALayerContentsGravity(rawValue: "resizeAspectFill")

    static let all: [(CALayerContentsGravity, ContentsGravity)] = [
        (.resize, .resize), (.resizeAspect, .resizeAspect), (.resizeAspectFill, .resizeAspectFill),
        (.center, .center), (.top, .top), (.bottom, .bottom), (.left, .left), (.right, .right),
        (.topLeft, .topLeft), (.topRight, .topRight), (.bottomLeft, .bottomLeft), (.bottomRight, .bottomRight),
    ]

    init(_ gravity: ContentsGravity) { self = Self.all.first { $0.1 == gravity }!.0 }

    /// An unknown name counts as `center`. Source: semantic reference, §1.5.
    var gravity: ContentsGravity { Self.all.first { $0.0 == self }?.1 ?? .center }
}

/// How contents are sampled.
public struct CALayerContentsFilter: NameConstant, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let nearest = CALayerContentsFilter(rawValue: "nearest")
    public static let linear = CALayerContentsFilter(rawValue: "linear")
    public static let trilinear = CALayerContentsFilter(rawValue: "trilinear")

    init(_ filter: ContentsFilter) {
        switch filter {
        case .linear: self = .linear
        case .nearest: self = .nearest
        case .trilinear: self = .trilinear
        }
    }

    /// An unknown name counts as `linear`, the default.
    var filter: ContentsFilter {
        switch self {
        case .nearest: .nearest
        case .trilinear: .trilinear
        default: .linear
        }
    }
}

/// What drawn contents are made of. Only grey is told apart: every other name draws 8 bits a channel.
public struct CALayerContentsFormat: NameConstant, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let RGBA8Uint = CALayerContentsFormat(rawValue: "RGBA8")
    public static let RGBA16Float = CALayerContentsFormat(rawValue: "RGBAh")
    public static let gray8Uint = CALayerContentsFormat(rawValue: "Gray8")
    public static let automatic = CALayerContentsFormat(rawValue: "Automatic")
}

/// The shape of rounded corners.
public struct CALayerCornerCurve: NameConstant, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let circular = CALayerCornerCurve(rawValue: "circular")
    public static let continuous = CALayerCornerCurve(rawValue: "continuous")

    init(_ curve: CornerCurve) { self = curve == .continuous ? .continuous : .circular }

    /// An unknown name counts as `circular`. Source: measured facts, C7.
    var curve: CornerCurve { self == .continuous ? .continuous : .circular }
}

// MARK: Masks

public struct CACornerMask: OptionSet, Hashable, Sendable {
    public var rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let layerMinXMinYCorner = CACornerMask(rawValue: 1)
    public static let layerMaxXMinYCorner = CACornerMask(rawValue: 2)
    public static let layerMinXMaxYCorner = CACornerMask(rawValue: 4)
    public static let layerMaxXMaxYCorner = CACornerMask(rawValue: 8)

    init(_ mask: CornerMask) { self.init(rawValue: UInt(mask.rawValue)) }

    /// Bits above 15 are dropped. Source: measured facts, C7.
    var mask: CornerMask { CornerMask(rawValue: UInt8(truncatingIfNeeded: rawValue & 15)) }
}

public struct CAEdgeAntialiasingMask: OptionSet, Hashable, Sendable {
    public var rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let layerLeftEdge = CAEdgeAntialiasingMask(rawValue: 1)
    public static let layerRightEdge = CAEdgeAntialiasingMask(rawValue: 2)
    public static let layerBottomEdge = CAEdgeAntialiasingMask(rawValue: 4)
    public static let layerTopEdge = CAEdgeAntialiasingMask(rawValue: 8)

    init(_ mask: EdgeMask) { self.init(rawValue: UInt32(mask.rawValue)) }

    var mask: EdgeMask { EdgeMask(rawValue: UInt8(truncatingIfNeeded: rawValue & 15)) }
}

/// What of a layer follows a change of its superlayer's size. See `CALayer.resize(withOldSuperlayerSize:)`.
public struct CAAutoresizingMask: OptionSet, Hashable, Sendable {
    public var rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let layerMinXMargin = CAAutoresizingMask(rawValue: 1)
    public static let layerWidthSizable = CAAutoresizingMask(rawValue: 2)
    public static let layerMaxXMargin = CAAutoresizingMask(rawValue: 4)
    public static let layerMinYMargin = CAAutoresizingMask(rawValue: 8)
    public static let layerHeightSizable = CAAutoresizingMask(rawValue: 16)
    public static let layerMaxYMargin = CAAutoresizingMask(rawValue: 32)
}

// MARK: Event keys

/// The action of a layer that became visible.
public let kCAOnOrderIn = "onOrderIn"
/// The action of a layer that went.
public let kCAOnOrderOut = "onOrderOut"
/// The key of transitions.
public let kCATransition = "transition"
