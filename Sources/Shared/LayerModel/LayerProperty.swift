// The property table: one row a property, shared by the client's key-value access, the wire, the store and the text
// form of a recording. Raw values are the wire's keys: never renumber, only append.

/// A property of a layer that travels to the server.
package enum LayerProperty: UInt16, Sendable, CaseIterable, Comparable {
    case bounds = 1
    case position = 2
    case zPosition = 3
    case anchorPoint = 4
    case anchorPointZ = 5
    case transform = 6
    case sublayerTransform = 7
    case geometryFlipped = 8
    case doubleSided = 9
    case hidden = 10
    case opacity = 11
    case allowsGroupOpacity = 12
    case masksToBounds = 13
    case contents = 14
    case contentsRect = 15
    case contentsCenter = 16
    case contentsScale = 17
    case contentsGravity = 18
    case minificationFilter = 19
    case magnificationFilter = 20
    case minificationFilterBias = 21
    case opaque = 22
    case backgroundColor = 23
    case cornerRadius = 24
    case maskedCorners = 25
    case cornerCurve = 26
    case borderWidth = 27
    case borderColor = 28
    case allowsEdgeAntialiasing = 29
    case edgeAntialiasingMask = 30
    case name = 31
    case shadowColor = 32
    case shadowOpacity = 33
    case shadowOffset = 34
    case shadowRadius = 35
    case shadowPath = 36
    case mask = 37
    case compositingFilter = 38
    case filters = 39
    case backgroundFilters = 40
    case shouldRasterize = 41
    case rasterizationScale = 42
    case groupName = 43
    case scale = 44
    case beginTime = 45
    case timeOffset = 46
    case speed = 47
    case path = 48
    case fillColor = 49
    case fillRule = 50
    case strokeColor = 51
    case strokeStart = 52
    case strokeEnd = 53
    case lineWidth = 54
    case miterLimit = 55
    case lineCap = 56
    case lineJoin = 57
    case lineDashPhase = 58
    case lineDashPattern = 59
    case colors = 64
    case locations = 65
    case startPoint = 66
    case endPoint = 67
    case gradientType = 68
    case instanceCount = 70
    case preservesDepth = 71
    case instanceDelay = 72
    case instanceTransform = 73
    case instanceColor = 74
    case instanceRedOffset = 75
    case instanceGreenOffset = 76
    case instanceBlueOffset = 77
    case instanceAlphaOffset = 78
    case emitterCells = 80
    case emitterPosition = 81
    case emitterZPosition = 82
    case emitterSize = 83
    case emitterDepth = 84
    case emitterShape = 85
    case emitterMode = 86
    case renderMode = 87
    case emitterPreservesDepth = 88
    case birthRate = 89
    case lifetime = 90
    case velocity = 91
    case emitterScale = 92
    case spin = 93
    case seed = 94

    package static func < (a: LayerProperty, b: LayerProperty) -> Bool { a.rawValue < b.rawValue }

    /// Core Animation's key: what `value(forKey:)`, CAML attributes and error messages say.
    package var key: String {
        switch self {
        case .bounds: "bounds"
        case .position: "position"
        case .zPosition: "zPosition"
        case .anchorPoint: "anchorPoint"
        case .anchorPointZ: "anchorPointZ"
        case .transform: "transform"
        case .sublayerTransform: "sublayerTransform"
        case .geometryFlipped: "geometryFlipped"
        case .doubleSided: "doubleSided"
        case .hidden: "hidden"
        case .opacity: "opacity"
        case .allowsGroupOpacity: "allowsGroupOpacity"
        case .masksToBounds: "masksToBounds"
        case .contents: "contents"
        case .contentsRect: "contentsRect"
        case .contentsCenter: "contentsCenter"
        case .contentsScale: "contentsScale"
        case .contentsGravity: "contentsGravity"
        case .minificationFilter: "minificationFilter"
        case .magnificationFilter: "magnificationFilter"
        case .minificationFilterBias: "minificationFilterBias"
        case .opaque: "opaque"
        case .backgroundColor: "backgroundColor"
        case .cornerRadius: "cornerRadius"
        case .maskedCorners: "maskedCorners"
        case .cornerCurve: "cornerCurve"
        case .borderWidth: "borderWidth"
        case .borderColor: "borderColor"
        case .allowsEdgeAntialiasing: "allowsEdgeAntialiasing"
        case .edgeAntialiasingMask: "edgeAntialiasingMask"
        case .name: "name"
        case .shadowColor: "shadowColor"
        case .shadowOpacity: "shadowOpacity"
        case .shadowOffset: "shadowOffset"
        case .shadowRadius: "shadowRadius"
        case .shadowPath: "shadowPath"
        case .mask: "mask"
        case .compositingFilter: "compositingFilter"
        case .filters: "filters"
        case .backgroundFilters: "backgroundFilters"
        case .shouldRasterize: "shouldRasterize"
        case .rasterizationScale: "rasterizationScale"
        case .groupName: "groupName"
        case .scale: "scale"
        case .beginTime: "beginTime"
        case .timeOffset: "timeOffset"
        case .speed: "speed"
        case .path: "path"
        case .fillColor: "fillColor"
        case .fillRule: "fillRule"
        case .strokeColor: "strokeColor"
        case .strokeStart: "strokeStart"
        case .strokeEnd: "strokeEnd"
        case .lineWidth: "lineWidth"
        case .miterLimit: "miterLimit"
        case .lineCap: "lineCap"
        case .lineJoin: "lineJoin"
        case .lineDashPhase: "lineDashPhase"
        case .lineDashPattern: "lineDashPattern"
        case .colors: "colors"
        case .locations: "locations"
        case .startPoint: "startPoint"
        case .endPoint: "endPoint"
        case .gradientType: "type"
        case .instanceCount: "instanceCount"
        case .preservesDepth: "preservesDepth"
        case .instanceDelay: "instanceDelay"
        case .instanceTransform: "instanceTransform"
        case .instanceColor: "instanceColor"
        case .instanceRedOffset: "instanceRedOffset"
        case .instanceGreenOffset: "instanceGreenOffset"
        case .instanceBlueOffset: "instanceBlueOffset"
        case .instanceAlphaOffset: "instanceAlphaOffset"
        case .emitterCells: "emitterCells"
        case .emitterPosition: "emitterPosition"
        case .emitterZPosition: "emitterZPosition"
        case .emitterSize: "emitterSize"
        case .emitterDepth: "emitterDepth"
        case .emitterShape: "emitterShape"
        case .emitterMode: "emitterMode"
        case .renderMode: "renderMode"
        case .emitterPreservesDepth: "emitterPreservesDepth"
        case .birthRate: "birthRate"
        case .lifetime: "lifetime"
        case .velocity: "velocity"
        case .emitterScale: "emitterScale"
        case .spin: "spin"
        case .seed: "seed"
        }
    }

    package init?(key: String) {
        guard let property = LayerProperty.byKey[key] else { return nil }
        self = property
    }

    /// By the key that a class of layers has for it: several have a `scale`.
    package init?(key: String, of layerClass: LayerClass) {
        switch (layerClass, key) {
        case (.emitterLayer, "scale"): self = .emitterScale
        case (.emitterLayer, "preservesDepth"): self = .emitterPreservesDepth
        default:
            guard let property = LayerProperty(key: key) else { return nil }
            self = property
        }
    }

    private static let byKey: [String: LayerProperty] = Dictionary(
        uniqueKeysWithValues: allCases.map { ($0.key, $0) })

    /// The kind of value the property holds, which is also its encoding on the wire.
    package var kind: PropertyValue.Kind {
        switch self {
        case .bounds, .contentsRect, .contentsCenter: .rect
        case .position, .anchorPoint, .shadowOffset, .startPoint, .endPoint, .emitterPosition, .emitterSize: .point
        case .transform, .sublayerTransform, .instanceTransform: .transform
        case .zPosition, .anchorPointZ, .opacity, .contentsScale, .minificationFilterBias, .cornerRadius,
            .borderWidth, .shadowOpacity, .shadowRadius, .rasterizationScale, .scale, .beginTime, .timeOffset, .speed,
            .strokeStart, .strokeEnd, .lineWidth, .miterLimit, .lineDashPhase, .instanceCount, .instanceDelay,
            .instanceRedOffset, .instanceGreenOffset, .instanceBlueOffset, .instanceAlphaOffset, .emitterZPosition,
            .emitterDepth, .birthRate, .lifetime, .velocity, .emitterScale, .spin, .seed:
            .number
        case .geometryFlipped, .doubleSided, .hidden, .allowsGroupOpacity, .masksToBounds, .opaque,
            .allowsEdgeAntialiasing, .shouldRasterize, .preservesDepth, .emitterPreservesDepth:
            .bool
        case .contents: .image
        case .contentsGravity, .minificationFilter, .magnificationFilter, .maskedCorners, .cornerCurve,
            .edgeAntialiasingMask, .compositingFilter, .fillRule, .lineCap, .lineJoin, .gradientType, .emitterShape,
            .emitterMode, .renderMode:
            .code
        case .backgroundColor, .borderColor, .shadowColor, .fillColor, .strokeColor, .instanceColor: .color
        case .name, .groupName: .string
        case .shadowPath, .path: .path
        case .lineDashPattern, .locations: .numbers
        case .colors: .colors
        case .emitterCells: .cells
        case .mask: .layer
        case .filters, .backgroundFilters: .filters
        }
    }

    /// True where Core Animation's header says *Animatable*. Source: semantic reference, §1.1.
    package var isAnimatable: Bool {
        switch self {
        case .geometryFlipped, .allowsGroupOpacity, .contentsGravity, .minificationFilter, .magnificationFilter,
            .opaque, .maskedCorners, .cornerCurve, .allowsEdgeAntialiasing, .edgeAntialiasingMask, .name, .groupName,
            .mask, .shouldRasterize, .beginTime, .timeOffset, .speed, .fillRule, .lineCap, .lineJoin, .lineDashPattern,
            .gradientType, .preservesDepth, .emitterCells, .emitterShape, .emitterMode, .renderMode,
            .emitterPreservesDepth, .seed:
            false
        default: true
        }
    }
}

extension LayerProperty {
    /// Its point stands for a width and a height.
    package var isSize: Bool { self == .shadowOffset || self == .emitterSize }

    /// The one class of layers that has the property; nil for what every layer has.
    package var owner: LayerClass? {
        switch self {
        case .groupName, .scale: .backdropLayer
        case .path, .fillColor, .fillRule, .strokeColor, .strokeStart, .strokeEnd, .lineWidth, .miterLimit, .lineCap,
            .lineJoin, .lineDashPhase, .lineDashPattern:
            .shapeLayer
        case .colors, .locations, .startPoint, .endPoint, .gradientType: .gradientLayer
        case .instanceCount, .preservesDepth, .instanceDelay, .instanceTransform, .instanceColor, .instanceRedOffset,
            .instanceGreenOffset, .instanceBlueOffset, .instanceAlphaOffset:
            .replicatorLayer
        case .emitterCells, .emitterPosition, .emitterZPosition, .emitterSize, .emitterDepth, .emitterShape,
            .emitterMode,
            .renderMode, .emitterPreservesDepth, .birthRate, .lifetime, .velocity, .emitterScale, .spin, .seed:
            .emitterLayer
        default: nil
        }
    }
}

/// A set of properties as bits: what changed since the last commit.
package struct LayerPropertySet: OptionSet, Hashable, Sendable {
    package var rawValue: UInt128

    package init(rawValue: UInt128) {
        self.rawValue = rawValue
    }

    package init(_ property: LayerProperty) {
        rawValue = 1 << UInt128(property.rawValue)
    }

    package mutating func insert(_ property: LayerProperty) {
        rawValue |= 1 << UInt128(property.rawValue)
    }

    package func contains(_ property: LayerProperty) -> Bool {
        rawValue & (1 << UInt128(property.rawValue)) != 0
    }
}

/// One value of one property, by kind.
package enum PropertyValue: Hashable, Sendable {
    case bool(Bool)
    case number(Double)
    case point(Point)
    case rect(Rect)
    case transform(Transform)
    case color(Color?)
    /// The raw value of one of the enumerations or masks.
    case code(UInt8)
    case image(ImageID)
    case string(String?)
    case path(VectorPath?)
    case layer(LayerID)
    case filters([LayerFilter])
    case numbers([Double])
    case colors([Color])
    case cells([EmitterCell])

    package enum Kind: UInt8, Sendable {
        case bool = 1
        case number = 2
        case point = 3
        case rect = 4
        case transform = 5
        case color = 6
        case code = 7
        case image = 8
        case string = 9
        case path = 10
        case layer = 11
        case filters = 12
        case numbers = 13
        case colors = 14
        case cells = 20
    }

    package var kind: Kind {
        switch self {
        case .bool: .bool
        case .number: .number
        case .point: .point
        case .rect: .rect
        case .transform: .transform
        case .color: .color
        case .code: .code
        case .image: .image
        case .string: .string
        case .path: .path
        case .layer: .layer
        case .filters: .filters
        case .numbers: .numbers
        case .colors: .colors
        case .cells: .cells
        }
    }

    /// False when a number in it is NaN or infinite.
    package var isFinite: Bool {
        switch self {
        case .number(let n): n.isFinite
        case .point(let p): p.isFinite
        case .rect(let r): r.isFinite
        case .transform(let t): t.isFinite
        case .color(let c): c?.isFinite ?? true
        case .path(let p): p?.isFinite ?? true
        case .filters(let f): f.allSatisfy(\.isFinite)
        case .numbers(let n): n.allSatisfy(\.isFinite)
        case .colors(let c): c.allSatisfy(\.isFinite)
        case .cells(let c): c.allSatisfy(\.isFinite)
        case .bool, .code, .image, .string, .layer: true
        }
    }
}
