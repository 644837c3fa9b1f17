import LayerModel

// The names that scene files use for closed sets, one table for CAML and JSON.

extension ContentsGravity {
    /// Core Animation's constant, such as "resizeAspect".
    package init?(sceneName: String) {
        guard let match = ContentsGravity.allCases.first(where: { $0.sceneName == sceneName }) else { return nil }
        self = match
    }

    package var sceneName: String { String(describing: self) }

    /// The same place where y runs the other way.
    package var upsideDown: ContentsGravity {
        switch self {
        case .top: .bottom
        case .bottom: .top
        case .topLeft: .bottomLeft
        case .topRight: .bottomRight
        case .bottomLeft: .topLeft
        case .bottomRight: .topRight
        case .resize, .resizeAspect, .resizeAspectFill, .center, .left, .right: self
        }
    }
}

extension ContentsFilter {
    package init?(sceneName: String) {
        guard let match = ContentsFilter.allCases.first(where: { String(describing: $0) == sceneName }) else {
            return nil
        }
        self = match
    }
}

extension CornerCurve {
    package init?(sceneName: String) {
        guard let match = CornerCurve.allCases.first(where: { String(describing: $0) == sceneName }) else { return nil }
        self = match
    }
}

extension FillRule {
    /// Core Animation's constant.
    package var sceneName: String {
        switch self {
        case .nonZero: "non-zero"
        case .evenOdd: "even-odd"
        }
    }
}

extension CornerMask {
    /// One corner: "minXminY", with any capitals, or Core Animation's "layerMinXMinYCorner".
    package init?(sceneName: String) {
        switch sceneName.lowercased() {
        case "minxminy", "layerminxminycorner": self = .minXMinY
        case "maxxminy", "layermaxxminycorner": self = .maxXMinY
        case "minxmaxy", "layerminxmaxycorner": self = .minXMaxY
        case "maxxmaxy", "layermaxxmaxycorner": self = .maxXMaxY
        default: return nil
        }
    }
}

extension EdgeMask {
    /// One edge by the layer's own numbers ("minX"), or by Core Animation's name ("left", "bottom" is min y).
    package init?(sceneName: String) {
        switch sceneName {
        case "minX", "left": self = .left
        case "maxX", "right": self = .right
        case "minY", "bottom": self = .bottom
        case "maxY", "top": self = .top
        default: return nil
        }
    }
}

extension LayerProperty {
    /// What a value of a property with a closed set of values may be, for messages.
    package var codeNames: String {
        switch self {
        case .contentsGravity: ContentsGravity.allCases.map(\.sceneName).joined(separator: " ")
        case .minificationFilter, .magnificationFilter: "linear nearest trilinear"
        case .cornerCurve: "circular continuous"
        case .maskedCorners: "0 to 15, or some of minXminY maxXminY minXmaxY maxXmaxY"
        case .edgeAntialiasingMask: "0 to 15, or some of minX maxX minY maxY"
        case .fillRule: FillRule.allCases.map(\.sceneName).joined(separator: " ")
        case .lineCap: "butt round square"
        case .lineJoin: "miter round bevel"
        case .gradientType: "axial radial conic"
        case .emitterShape: "point line rectangle cuboid circle sphere"
        case .emitterMode: "points outline surface volume"
        case .renderMode: "unordered oldestFirst oldestLast backToFront additive"
        default: ""
        }
    }

    /// The code of a name, for properties that hold one name.
    package func code(named name: String) -> UInt8? {
        switch self {
        case .contentsGravity: ContentsGravity(sceneName: name)?.rawValue
        case .minificationFilter, .magnificationFilter: ContentsFilter(sceneName: name)?.rawValue
        case .cornerCurve: CornerCurve(sceneName: name)?.rawValue
        case .maskedCorners: CornerMask(sceneName: name)?.rawValue
        case .edgeAntialiasingMask: EdgeMask(sceneName: name)?.rawValue
        case .compositingFilter: CompositingMode(filterName: name)?.rawValue
        case .fillRule: FillRule.allCases.first { $0.sceneName == name }?.rawValue
        case .lineCap: LineCap.allCases.first { String(describing: $0) == name }?.rawValue
        case .lineJoin: LineJoin.allCases.first { String(describing: $0) == name }?.rawValue
        case .gradientType: GradientKind.allCases.first { String(describing: $0) == name }?.rawValue
        case .emitterShape: EmitterShape.allCases.first { String(describing: $0) == name }?.rawValue
        case .emitterMode: EmitterMode.allCases.first { String(describing: $0) == name }?.rawValue
        case .renderMode: EmitterRenderMode.allCases.first { String(describing: $0) == name }?.rawValue
        default: nil
        }
    }

    /// True when its code is a set of bits, 0 to 15.
    package var isBitSet: Bool { self == .maskedCorners || self == .edgeAntialiasingMask }
}
