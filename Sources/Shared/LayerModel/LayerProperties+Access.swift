// Generic access to the fields by property, for the wire, the store and recordings. Typed code uses the fields.

extension LayerProperties {
    /// The value of a property, boxed by kind.
    package subscript(property: LayerProperty) -> PropertyValue {
        switch property {
        case .bounds: .rect(bounds)
        case .position: .point(position)
        case .zPosition: .number(zPosition)
        case .anchorPoint: .point(anchorPoint)
        case .anchorPointZ: .number(anchorPointZ)
        case .transform: .transform(transform)
        case .sublayerTransform: .transform(sublayerTransform)
        case .geometryFlipped: .bool(isGeometryFlipped)
        case .doubleSided: .bool(isDoubleSided)
        case .hidden: .bool(isHidden)
        case .opacity: .number(opacity)
        case .allowsGroupOpacity: .bool(allowsGroupOpacity)
        case .masksToBounds: .bool(masksToBounds)
        case .contents: .image(contents)
        case .contentsRect: .rect(contentsRect)
        case .contentsCenter: .rect(contentsCenter)
        case .contentsScale: .number(contentsScale)
        case .contentsGravity: .code(contentsGravity.rawValue)
        case .minificationFilter: .code(minificationFilter.rawValue)
        case .magnificationFilter: .code(magnificationFilter.rawValue)
        case .minificationFilterBias: .number(minificationFilterBias)
        case .opaque: .bool(isOpaque)
        case .backgroundColor: .color(backgroundColor)
        case .cornerRadius: .number(cornerRadius)
        case .maskedCorners: .code(maskedCorners.rawValue)
        case .cornerCurve: .code(cornerCurve.rawValue)
        case .borderWidth: .number(borderWidth)
        case .borderColor: .color(borderColor)
        case .allowsEdgeAntialiasing: .bool(allowsEdgeAntialiasing)
        case .edgeAntialiasingMask: .code(edgeAntialiasingMask.rawValue)
        case .name: .string(name)
        case .shadowColor: .color(shadowColor)
        case .shadowOpacity: .number(shadowOpacity)
        case .shadowOffset: .point(shadowOffset)
        case .shadowRadius: .number(shadowRadius)
        case .shadowPath: .path(shadowPath)
        case .mask: .layer(mask)
        case .compositingFilter: .code(compositingMode.rawValue)
        case .filters: .filters(filters)
        case .backgroundFilters: .filters(backgroundFilters)
        case .shouldRasterize: .bool(shouldRasterize)
        case .rasterizationScale: .number(rasterizationScale)
        case .groupName: .string(groupName)
        case .scale: .number(backdropScale)
        case .beginTime: .number(timing.beginTime)
        case .timeOffset: .number(timing.timeOffset)
        case .speed: .number(timing.speed)
        case .path: .path(shape.path)
        case .fillColor: .color(shape.fillColor)
        case .fillRule: .code(shape.fillRule.rawValue)
        case .strokeColor: .color(shape.strokeColor)
        case .strokeStart: .number(shape.stroke.start)
        case .strokeEnd: .number(shape.stroke.end)
        case .lineWidth: .number(shape.stroke.width)
        case .miterLimit: .number(shape.stroke.miterLimit)
        case .lineCap: .code(shape.stroke.cap.rawValue)
        case .lineJoin: .code(shape.stroke.join.rawValue)
        case .lineDashPhase: .number(shape.stroke.dashPhase)
        case .lineDashPattern: .numbers(shape.stroke.dashes)
        case .colors: .colors(gradient.colors)
        case .locations: .numbers(gradient.locations)
        case .startPoint: .point(gradient.start)
        case .endPoint: .point(gradient.end)
        case .gradientType: .code(gradient.kind.rawValue)
        case .instanceCount: .number(replicator.count)
        case .preservesDepth: .bool(replicator.preservesDepth)
        case .instanceDelay: .number(replicator.delay)
        case .instanceTransform: .transform(replicator.transform)
        case .instanceColor: .color(replicator.color)
        case .instanceRedOffset: .number(replicator.redOffset)
        case .instanceGreenOffset: .number(replicator.greenOffset)
        case .instanceBlueOffset: .number(replicator.blueOffset)
        case .instanceAlphaOffset: .number(replicator.alphaOffset)
        case .emitterCells: .cells(emitter.cells)
        case .emitterPosition: .point(emitter.position)
        case .emitterZPosition: .number(emitter.zPosition)
        case .emitterSize: .point(Point(emitter.size.width, emitter.size.height))
        case .emitterDepth: .number(emitter.depth)
        case .emitterShape: .code(emitter.shape.rawValue)
        case .emitterMode: .code(emitter.mode.rawValue)
        case .renderMode: .code(emitter.renderMode.rawValue)
        case .emitterPreservesDepth: .bool(emitter.preservesDepth)
        case .birthRate: .number(emitter.factors.birthRate)
        case .lifetime: .number(emitter.factors.lifetime)
        case .velocity: .number(emitter.factors.velocity)
        case .emitterScale: .number(emitter.factors.scale)
        case .spin: .number(emitter.factors.spin)
        case .seed: .number(Double(emitter.seed))
        }
    }

    /// Stores a value that came from outside, or says why it can't be: the wrong kind, a number that is not finite, a
    /// code that names nothing. The old value stays then.
    package mutating func set(_ property: LayerProperty, to value: PropertyValue) throws(PropertyFault) {
        guard value.kind == property.kind else { throw .wrongKind(property, value.kind) }
        guard value.isFinite else { throw .notFinite(property) }
        switch (property, value) {
        case (.bounds, .rect(let v)): bounds = v.standardized
        case (.position, .point(let v)): position = v
        case (.zPosition, .number(let v)): zPosition = v
        case (.anchorPoint, .point(let v)): anchorPoint = v
        case (.anchorPointZ, .number(let v)): anchorPointZ = v
        case (.transform, .transform(let v)): transform = v
        case (.sublayerTransform, .transform(let v)): sublayerTransform = v
        case (.geometryFlipped, .bool(let v)): isGeometryFlipped = v
        case (.doubleSided, .bool(let v)): isDoubleSided = v
        case (.hidden, .bool(let v)): isHidden = v
        case (.opacity, .number(let v)): opacity = v
        case (.allowsGroupOpacity, .bool(let v)): allowsGroupOpacity = v
        case (.masksToBounds, .bool(let v)): masksToBounds = v
        case (.contents, .image(let v)): contents = v
        case (.contentsRect, .rect(let v)): contentsRect = v
        case (.contentsCenter, .rect(let v)): contentsCenter = v
        case (.contentsScale, .number(let v)): contentsScale = v
        case (.contentsGravity, .code(let v)): contentsGravity = try PropertyFault.known(property, v)
        case (.minificationFilter, .code(let v)): minificationFilter = try PropertyFault.known(property, v)
        case (.magnificationFilter, .code(let v)): magnificationFilter = try PropertyFault.known(property, v)
        case (.minificationFilterBias, .number(let v)): minificationFilterBias = v
        case (.opaque, .bool(let v)): isOpaque = v
        case (.backgroundColor, .color(let v)): backgroundColor = v
        case (.cornerRadius, .number(let v)): cornerRadius = v
        case (.maskedCorners, .code(let v)): maskedCorners = CornerMask(rawValue: v & CornerMask.all.rawValue)
        case (.cornerCurve, .code(let v)): cornerCurve = try PropertyFault.known(property, v)
        case (.borderWidth, .number(let v)): borderWidth = v
        case (.borderColor, .color(let v)): borderColor = v
        case (.allowsEdgeAntialiasing, .bool(let v)): allowsEdgeAntialiasing = v
        case (.edgeAntialiasingMask, .code(let v)):
            edgeAntialiasingMask = EdgeMask(rawValue: v & EdgeMask.all.rawValue)
        case (.name, .string(let v)): name = v
        case (.shadowColor, .color(let v)): shadowColor = v
        case (.shadowOpacity, .number(let v)): shadowOpacity = v
        case (.shadowOffset, .point(let v)): shadowOffset = v
        case (.shadowRadius, .number(let v)): shadowRadius = v
        case (.shadowPath, .path(let v)): shadowPath = v
        case (.mask, .layer(let v)): mask = v
        case (.compositingFilter, .code(let v)): compositingMode = try PropertyFault.known(property, v)
        case (.filters, .filters(let v)): filters = v
        case (.backgroundFilters, .filters(let v)): backgroundFilters = v
        case (.shouldRasterize, .bool(let v)): shouldRasterize = v
        case (.rasterizationScale, .number(let v)): rasterizationScale = v
        case (.groupName, .string(let v)): groupName = v
        case (.scale, .number(let v)): backdropScale = v
        case (.beginTime, .number(let v)): timing.beginTime = v
        case (.timeOffset, .number(let v)): timing.timeOffset = v
        case (.speed, .number(let v)): timing.speed = v
        case (.path, .path(let v)): shape.path = v
        case (.fillColor, .color(let v)): shape.fillColor = v
        case (.fillRule, .code(let v)): shape.fillRule = try PropertyFault.known(property, v)
        case (.strokeColor, .color(let v)): shape.strokeColor = v
        case (.strokeStart, .number(let v)): shape.stroke.start = v
        case (.strokeEnd, .number(let v)): shape.stroke.end = v
        case (.lineWidth, .number(let v)): shape.stroke.width = v
        case (.miterLimit, .number(let v)): shape.stroke.miterLimit = v
        case (.lineCap, .code(let v)): shape.stroke.cap = try PropertyFault.known(property, v)
        case (.lineJoin, .code(let v)): shape.stroke.join = try PropertyFault.known(property, v)
        case (.lineDashPhase, .number(let v)): shape.stroke.dashPhase = v
        case (.lineDashPattern, .numbers(let v)):
            guard v.count <= StrokeStyle.mostDashLengths else { throw .tooMany(property, v.count) }
            shape.stroke.dashes = v
        case (.colors, .colors(let v)):
            guard v.count <= GradientProperties.mostStops else { throw .tooMany(property, v.count) }
            gradient.colors = v
        case (.locations, .numbers(let v)):
            guard v.count <= GradientProperties.mostStops else { throw .tooMany(property, v.count) }
            gradient.locations = v
        case (.startPoint, .point(let v)): gradient.start = v
        case (.endPoint, .point(let v)): gradient.end = v
        case (.gradientType, .code(let v)): gradient.kind = try PropertyFault.known(property, v)
        case (.instanceCount, .number(let v)): replicator.count = v
        case (.preservesDepth, .bool(let v)): replicator.preservesDepth = v
        case (.instanceDelay, .number(let v)): replicator.delay = v
        case (.instanceTransform, .transform(let v)): replicator.transform = v
        case (.instanceColor, .color(let v)): replicator.color = v
        case (.instanceRedOffset, .number(let v)): replicator.redOffset = v
        case (.instanceGreenOffset, .number(let v)): replicator.greenOffset = v
        case (.instanceBlueOffset, .number(let v)): replicator.blueOffset = v
        case (.instanceAlphaOffset, .number(let v)): replicator.alphaOffset = v
        case (.emitterCells, .cells(let v)):
            let count = v.reduce(0) { $0 + $1.count }
            guard count <= EmitterCell.most, v.allSatisfy({ $0.depth <= EmitterCell.deepest }) else {
                throw .tooMany(property, count)
            }
            emitter.cells = v
        case (.emitterPosition, .point(let v)): emitter.position = v
        case (.emitterZPosition, .number(let v)): emitter.zPosition = v
        case (.emitterSize, .point(let v)): emitter.size = Size(v.x, v.y)
        case (.emitterDepth, .number(let v)): emitter.depth = v
        case (.emitterShape, .code(let v)): emitter.shape = try PropertyFault.known(property, v)
        case (.emitterMode, .code(let v)): emitter.mode = try PropertyFault.known(property, v)
        case (.renderMode, .code(let v)): emitter.renderMode = try PropertyFault.known(property, v)
        case (.emitterPreservesDepth, .bool(let v)): emitter.preservesDepth = v
        case (.birthRate, .number(let v)): emitter.factors.birthRate = v
        case (.lifetime, .number(let v)): emitter.factors.lifetime = v
        case (.velocity, .number(let v)): emitter.factors.velocity = v
        case (.emitterScale, .number(let v)): emitter.factors.scale = v
        case (.spin, .number(let v)): emitter.factors.spin = v
        case (.seed, .number(let v)): emitter.seed = UInt32(exactly: min(max(v.rounded(), 0), 4_294_967_295)) ?? 0
        default: throw .wrongKind(property, value.kind)
        }
    }
}

/// Why a value can't be stored in a property.
package enum PropertyFault: Error, Hashable, Sendable, CustomStringConvertible {
    case wrongKind(LayerProperty, PropertyValue.Kind)
    case notFinite(LayerProperty)
    case unknownCode(LayerProperty, UInt8)
    /// More numbers than a list may have.
    case tooMany(LayerProperty, Int)

    package var property: LayerProperty {
        switch self {
        case .wrongKind(let property, _), .notFinite(let property), .unknownCode(let property, _),
            .tooMany(let property, _):
            property
        }
    }

    package var description: String {
        switch self {
        case .wrongKind(let property, let kind): "\(property.key) takes a \(property.kind), not a \(kind)"
        case .notFinite(let property): "\(property.key) must be finite"
        case .unknownCode(let property, let code): "\(property.key) has no value \(code)"
        case .tooMany(let property, let count):
            "\(property.key) takes at most \(property.mostValues) values, not \(count)"
        }
    }

    fileprivate static func known<T: RawRepresentable<UInt8>>(
        _ property: LayerProperty, _ code: UInt8
    ) throws(PropertyFault) -> T {
        guard let value = T(rawValue: code) else { throw .unknownCode(property, code) }
        return value
    }
}

extension LayerProperty {
    /// Values of a list.
    package var mostValues: Int {
        switch self {
        case .lineDashPattern: StrokeStyle.mostDashLengths
        case .colors, .locations: GradientProperties.mostStops
        case .emitterCells: EmitterCell.most
        default: 1
        }
    }
}
