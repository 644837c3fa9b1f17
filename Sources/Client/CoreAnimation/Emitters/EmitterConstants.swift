import LayerModel

/// What particles are born in. Unknown names count as a point.
public struct CAEmitterLayerEmitterShape: NameConstant, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let point = CAEmitterLayerEmitterShape(rawValue: "point")
    /// Along x, as wide as the emitter's size.
    public static let line = CAEmitterLayerEmitterShape(rawValue: "line")
    public static let rectangle = CAEmitterLayerEmitterShape(rawValue: "rectangle")
    public static let cuboid = CAEmitterLayerEmitterShape(rawValue: "cuboid")
    /// Its radius is the width of the emitter's size.
    public static let circle = CAEmitterLayerEmitterShape(rawValue: "circle")
    public static let sphere = CAEmitterLayerEmitterShape(rawValue: "sphere")

    var shape: EmitterShape { EmitterShape.allCases.first { "\($0)" == rawValue } ?? .point }
}

/// Where in the shape particles are born. Unknown names count as the volume.
public struct CAEmitterLayerEmitterMode: NameConstant, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The ends of a line, corners, the rim of a circle.
    public static let points = CAEmitterLayerEmitterMode(rawValue: "points")
    /// Edges.
    public static let outline = CAEmitterLayerEmitterMode(rawValue: "outline")
    /// Faces; all of a flat shape.
    public static let surface = CAEmitterLayerEmitterMode(rawValue: "surface")
    public static let volume = CAEmitterLayerEmitterMode(rawValue: "volume")

    var mode: EmitterMode { EmitterMode.allCases.first { "\($0)" == rawValue } ?? .volume }
}

/// In which order particles are drawn. Unknown names count as unordered.
public struct CAEmitterLayerRenderMode: NameConstant, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Cell by cell.
    public static let unordered = CAEmitterLayerRenderMode(rawValue: "unordered")
    public static let oldestFirst = CAEmitterLayerRenderMode(rawValue: "oldestFirst")
    public static let oldestLast = CAEmitterLayerRenderMode(rawValue: "oldestLast")
    /// By z.
    public static let backToFront = CAEmitterLayerRenderMode(rawValue: "backToFront")
    /// Added to what is below.
    public static let additive = CAEmitterLayerRenderMode(rawValue: "additive")

    var mode: EmitterRenderMode { EmitterRenderMode.allCases.first { "\($0)" == rawValue } ?? .unordered }
}
