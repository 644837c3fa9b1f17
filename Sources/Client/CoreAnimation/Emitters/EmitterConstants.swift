import LayerModel

/// What particles are born in. Unknown names count as a point.
public struct CAEmitterLayerEmitterShape: NameConstant, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// At the emitter's position; the default.
    public static let point = CAEmitterLayerEmitterShape(rawValue: "point")
    /// Along x, as wide as the emitter's size, its middle at the position.
    public static let line = CAEmitterLayerEmitterShape(rawValue: "line")
    /// As large as the emitter's size, its middle at the position.
    public static let rectangle = CAEmitterLayerEmitterShape(rawValue: "rectangle")
    /// A rectangle with the emitter's depth along z.
    public static let cuboid = CAEmitterLayerEmitterShape(rawValue: "cuboid")
    /// Its radius is the width of the emitter's size, its middle the position.
    public static let circle = CAEmitterLayerEmitterShape(rawValue: "circle")
    /// Its radius is the width of the emitter's size, its middle the position.
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
    /// The inside; all of a flat shape. The default.
    public static let volume = CAEmitterLayerEmitterMode(rawValue: "volume")

    var mode: EmitterMode { EmitterMode.allCases.first { "\($0)" == rawValue } ?? .volume }
}

/// In which order particles are drawn. Unknown names count as unordered.
public struct CAEmitterLayerRenderMode: NameConstant, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Cell by cell; the default.
    public static let unordered = CAEmitterLayerRenderMode(rawValue: "unordered")
    /// What was born first lies below.
    public static let oldestFirst = CAEmitterLayerRenderMode(rawValue: "oldestFirst")
    /// What was born first lies on top.
    public static let oldestLast = CAEmitterLayerRenderMode(rawValue: "oldestLast")
    /// By z: what is nearer lies on top.
    public static let backToFront = CAEmitterLayerRenderMode(rawValue: "backToFront")
    /// Added to what is below.
    public static let additive = CAEmitterLayerRenderMode(rawValue: "additive")

    var mode: EmitterRenderMode { EmitterRenderMode.allCases.first { "\($0)" == rawValue } ?? .unordered }
}
