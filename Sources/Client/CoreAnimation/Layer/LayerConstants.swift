// The names and masks of CALayer's properties, and what they are in the shared model.

import LayerModel

/// A type whose values are names, such as `CALayerContentsGravity`: key-value access hands out the name.
package protocol NameConstant: RawRepresentable<String> {
    init(rawValue: String)
}

// MARK: Names

/// Where contents sit in the bounds. `top` is max y and `bottom` min y of the layer's own coordinates. An unknown name
/// counts as `center`. All but the three of `resize` leave contents at their own size.
public struct CALayerContentsGravity: NameConstant, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// In the middle.
    public static let center = CALayerContentsGravity(rawValue: "center")
    /// At max y, in the middle of x.
    public static let top = CALayerContentsGravity(rawValue: "top")
    /// At min y, in the middle of x.
    public static let bottom = CALayerContentsGravity(rawValue: "bottom")
    /// At min x, in the middle of y.
    public static let left = CALayerContentsGravity(rawValue: "left")
    /// At max x, in the middle of y.
    public static let right = CALayerContentsGravity(rawValue: "right")
    /// At min x, max y.
    public static let topLeft = CALayerContentsGravity(rawValue: "topLeft")
    /// At max x, max y.
    public static let topRight = CALayerContentsGravity(rawValue: "topRight")
    /// At min x, min y.
    public static let bottomLeft = CALayerContentsGravity(rawValue: "bottomLeft")
    /// At max x, min y.
    public static let bottomRight = CALayerContentsGravity(rawValue: "bottomRight")
    /// Stretched to the bounds; the default.
    public static let resize = CALayerContentsGravity(rawValue: "resize")
    /// As large as fits into the bounds, as wide to high as before, in the middle.
    public static let resizeAspect = CALayerContentsGravity(rawValue: "resizeAspect")
    /// As small as covers the bounds, as wide to high as before, in the middle.
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

/// How contents are sampled. An unknown name counts as `linear`.
public struct CALayerContentsFilter: NameConstant, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The nearest pixel.
    public static let nearest = CALayerContentsFilter(rawValue: "nearest")
    /// Between the four nearest pixels; the default.
    public static let linear = CALayerContentsFilter(rawValue: "linear")
    /// Between pixels of two sizes of the image, each half of the one before.
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

/// What drawn contents are made of. Only gray is told apart: every other name draws 8 bits a channel.
public struct CALayerContentsFormat: NameConstant, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// 8 bits of red, green, blue and alpha; the default.
    public static let RGBA8Uint = CALayerContentsFormat(rawValue: "RGBA8")
    /// Drawn with 8 bits a channel here.
    public static let RGBA16Float = CALayerContentsFormat(rawValue: "RGBAh")
    /// 8 bits of gray.
    public static let gray8Uint = CALayerContentsFormat(rawValue: "Gray8")
    /// Drawn with 8 bits a channel here.
    public static let automatic = CALayerContentsFormat(rawValue: "Automatic")
}

/// The shape of rounded corners.
public struct CALayerCornerCurve: NameConstant, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Quarters of a circle; the default.
    public static let circular = CALayerCornerCurve(rawValue: "circular")
    /// Curves that begin earlier, 1.528665 radii from the corner, and bend little by little.
    public static let continuous = CALayerCornerCurve(rawValue: "continuous")

    init(_ curve: CornerCurve) { self = curve == .continuous ? .continuous : .circular }

    /// An unknown name counts as `circular`. Source: measured facts, C7.
    var curve: CornerCurve { self == .continuous ? .continuous : .circular }
}

// MARK: Masks

/// Corners of a layer, in its own coordinates. Bits above 15 are dropped.
public struct CACornerMask: OptionSet, Hashable, Sendable {
    public var rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// At min x, min y.
    public static let layerMinXMinYCorner = CACornerMask(rawValue: 1)
    /// At max x, min y.
    public static let layerMaxXMinYCorner = CACornerMask(rawValue: 2)
    /// At min x, max y.
    public static let layerMinXMaxYCorner = CACornerMask(rawValue: 4)
    /// At max x, max y.
    public static let layerMaxXMaxYCorner = CACornerMask(rawValue: 8)

    init(_ mask: CornerMask) { self.init(rawValue: UInt(mask.rawValue)) }

    /// Bits above 15 are dropped. Source: measured facts, C7.
    var mask: CornerMask { CornerMask(rawValue: UInt8(truncatingIfNeeded: rawValue & 15)) }
}

/// Edges of a layer, in its own coordinates.
public struct CAEdgeAntialiasingMask: OptionSet, Hashable, Sendable {
    public var rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// At min x.
    public static let layerLeftEdge = CAEdgeAntialiasingMask(rawValue: 1)
    /// At max x.
    public static let layerRightEdge = CAEdgeAntialiasingMask(rawValue: 2)
    /// At min y.
    public static let layerBottomEdge = CAEdgeAntialiasingMask(rawValue: 4)
    /// At max y.
    public static let layerTopEdge = CAEdgeAntialiasingMask(rawValue: 8)

    init(_ mask: EdgeMask) { self.init(rawValue: UInt32(mask.rawValue)) }

    var mask: EdgeMask { EdgeMask(rawValue: UInt8(truncatingIfNeeded: rawValue & 15)) }
}

/// What of a layer follows a change of its superlayer's size. See `CALayer.resize(withOldSuperlayerSize:)`.
public struct CAAutoresizingMask: OptionSet, Hashable, Sendable {
    public var rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The space at min x follows.
    public static let layerMinXMargin = CAAutoresizingMask(rawValue: 1)
    /// The width follows.
    public static let layerWidthSizable = CAAutoresizingMask(rawValue: 2)
    /// The space at max x follows.
    public static let layerMaxXMargin = CAAutoresizingMask(rawValue: 4)
    /// The space at min y follows.
    public static let layerMinYMargin = CAAutoresizingMask(rawValue: 8)
    /// The height follows.
    public static let layerHeightSizable = CAAutoresizingMask(rawValue: 16)
    /// The space at max y follows.
    public static let layerMaxYMargin = CAAutoresizingMask(rawValue: 32)
}

// MARK: Event keys

/// The action of a layer that became visible.
public let kCAOnOrderIn = "onOrderIn"
/// The action of a layer that went.
public let kCAOnOrderOut = "onOrderOut"
/// The key of transitions.
public let kCATransition = "transition"
