// The rows of the property table for key-value access: how each property is read and set without its type.

import LayerModel

extension CALayer {
    final func propertyValue(_ property: LayerProperty) -> Any? {
        switch property {
        case .bounds: bounds
        case .position: position
        case .zPosition: NSNumber(value: Double(zPosition))
        case .anchorPoint: anchorPoint
        case .anchorPointZ: NSNumber(value: Double(anchorPointZ))
        case .transform: transform
        case .sublayerTransform: sublayerTransform
        case .geometryFlipped: NSNumber(value: isGeometryFlipped)
        case .doubleSided: NSNumber(value: isDoubleSided)
        case .hidden: NSNumber(value: isHidden)
        case .opacity: NSNumber(value: opacity)
        case .allowsGroupOpacity: NSNumber(value: allowsGroupOpacity)
        case .masksToBounds: NSNumber(value: masksToBounds)
        case .contents: contents
        case .contentsRect: contentsRect
        case .contentsCenter: contentsCenter
        case .contentsScale: NSNumber(value: Double(contentsScale))
        case .contentsGravity: contentsGravity.rawValue
        case .minificationFilter: minificationFilter.rawValue
        case .magnificationFilter: magnificationFilter.rawValue
        case .minificationFilterBias: NSNumber(value: minificationFilterBias)
        case .opaque: NSNumber(value: isOpaque)
        case .backgroundColor: backgroundColor
        case .cornerRadius: NSNumber(value: Double(cornerRadius))
        case .maskedCorners: NSNumber(value: maskedCorners.rawValue)
        case .cornerCurve: cornerCurve.rawValue
        case .borderWidth: NSNumber(value: Double(borderWidth))
        case .borderColor: borderColor
        case .allowsEdgeAntialiasing: NSNumber(value: allowsEdgeAntialiasing)
        case .edgeAntialiasingMask: NSNumber(value: edgeAntialiasingMask.rawValue)
        case .name: name
        case .shadowColor: shadowColor
        case .shadowOpacity: NSNumber(value: shadowOpacity)
        case .shadowOffset: shadowOffset
        case .shadowRadius: NSNumber(value: Double(shadowRadius))
        case .shadowPath: shadowPath
        case .mask: mask
        case .compositingFilter: compositingFilter
        case .filters: filters
        case .backgroundFilters: backgroundFilters
        case .shouldRasterize: NSNumber(value: shouldRasterize)
        case .rasterizationScale: NSNumber(value: Double(rasterizationScale))
        case .groupName: (self as? CABackdropLayer)?.groupName
        case .scale: (self as? CABackdropLayer).map { NSNumber(value: Double($0.scale)) }
        case .beginTime: NSNumber(value: beginTime)
        case .timeOffset: NSNumber(value: timeOffset)
        case .speed: NSNumber(value: speed)
        case .path, .fillColor, .fillRule, .strokeColor, .strokeStart, .strokeEnd, .lineWidth, .miterLimit, .lineCap,
            .lineJoin, .lineDashPhase, .lineDashPattern:
            (self as? CAShapeLayer)?.shapeValue(property)
        case .colors, .locations, .startPoint, .endPoint, .gradientType:
            (self as? CAGradientLayer)?.gradientValue(property)
        case .instanceCount, .preservesDepth, .instanceDelay, .instanceTransform, .instanceColor, .instanceRedOffset,
            .instanceGreenOffset, .instanceBlueOffset, .instanceAlphaOffset:
            (self as? CAReplicatorLayer)?.replicatorValue(property)
        case .emitterCells, .emitterPosition, .emitterZPosition, .emitterSize, .emitterDepth, .emitterShape,
            .emitterMode,
            .renderMode, .emitterPreservesDepth, .birthRate, .lifetime, .velocity, .emitterScale, .spin, .seed:
            (self as? CAEmitterLayer)?.emitterValue(property)
        }
    }

    /// - Parameter value: Nil sets the default.
    final func setProperty(_ property: LayerProperty, to value: Any?, keyPath: String) {
        switch property.owner {
        case .shapeLayer: return (self as? CAShapeLayer)?.setShapeValue(property, to: value, keyPath: keyPath) ?? ()
        case .gradientLayer:
            return (self as? CAGradientLayer)?.setGradientValue(property, to: value, keyPath: keyPath) ?? ()
        case .replicatorLayer:
            return (self as? CAReplicatorLayer)?.setReplicatorValue(property, to: value, keyPath: keyPath) ?? ()
        case .emitterLayer:
            return (self as? CAEmitterLayer)?.setEmitterValue(property, to: value, keyPath: keyPath) ?? ()
        default: break
        }
        guard let value = value ?? CALayer.defaults.propertyValue(property) else {
            switch property {
            case .contents: contents = nil
            case .backgroundColor: backgroundColor = nil
            case .borderColor: borderColor = nil
            case .name: name = nil
            case .shadowColor: shadowColor = nil
            case .shadowPath: shadowPath = nil
            case .mask: mask = nil
            case .compositingFilter: compositingFilter = nil
            case .filters: filters = nil
            case .backgroundFilters: backgroundFilters = nil
            case .groupName: (self as? CABackdropLayer)?.groupName = nil
            case .scale: (self as? CABackdropLayer)?.scale = 1
            default: break
            }
            return
        }
        let wanted: String
        switch property.kind {
        case .bool:
            wanted = "a Bool"
            if let flag = KeyedValue.bool(value) { return setFlag(property, to: flag) }
        case .number:
            wanted = "a number"
            if let number = KeyedValue.number(value) { return setNumber(property, to: CGFloat(number)) }
        case .point:
            if property == .shadowOffset {
                wanted = "a CGSize"
                if let size = value as? CGSize { return shadowOffset = size }
            } else {
                wanted = "a CGPoint"
                if let point = value as? CGPoint { return setPoint(property, to: point) }
            }
        case .rect:
            wanted = "a CGRect"
            if let rect = value as? CGRect { return setRect(property, to: rect) }
        case .transform:
            wanted = "a CATransform3D"
            if let transform = KeyedValue.transform(value) { return setTransform(property, to: transform) }
        case .color:
            wanted = "a CGColor"
            if let color = value as? CGColor { return setColor(property, to: color) }
        case .code:
            // What has no effect as a compositing filter may be set all the same.
            if property == .compositingFilter { return compositingFilter = value }
            wanted = property == .maskedCorners || property == .edgeAntialiasingMask ? "a mask" : "a name"
            if setCode(property, to: value) { return }
        case .image:
            wanted = "a CGImage"
            if let image = value as? CGImage { return contents = image }
        case .string:
            wanted = "a String"
            if let string = KeyedValue.string(value) {
                if property == .name { name = string } else { (self as? CABackdropLayer)?.groupName = string }
                return
            }
        case .path:
            wanted = "a CGPath"
            if let path = value as? CGPath { return shadowPath = path }
        case .layer:
            wanted = "a CALayer"
            if let layer = value as? CALayer { return mask = layer }
        case .filters:
            wanted = "a list of filters"
            if let list = value as? [Any] {
                if property == .filters { filters = list } else { backgroundFilters = list }
                return
            }
        case .numbers, .colors, .cells: wanted = "another value"
        }
        refuse(value, forKey: keyPath, wants: wanted)
    }

    private final func setFlag(_ property: LayerProperty, to flag: Bool) {
        switch property {
        case .geometryFlipped: isGeometryFlipped = flag
        case .doubleSided: isDoubleSided = flag
        case .hidden: isHidden = flag
        case .allowsGroupOpacity: allowsGroupOpacity = flag
        case .masksToBounds: masksToBounds = flag
        case .opaque: isOpaque = flag
        case .allowsEdgeAntialiasing: allowsEdgeAntialiasing = flag
        case .shouldRasterize: shouldRasterize = flag
        default: break
        }
    }

    private final func setNumber(_ property: LayerProperty, to number: CGFloat) {
        switch property {
        case .zPosition: zPosition = number
        case .beginTime: beginTime = Double(number)
        case .timeOffset: timeOffset = Double(number)
        case .speed: speed = Float(number)
        case .anchorPointZ: anchorPointZ = number
        case .opacity: opacity = Float(number)
        case .contentsScale: contentsScale = number
        case .minificationFilterBias: minificationFilterBias = Float(number)
        case .cornerRadius: cornerRadius = number
        case .borderWidth: borderWidth = number
        case .shadowOpacity: shadowOpacity = Float(number)
        case .shadowRadius: shadowRadius = number
        case .rasterizationScale: rasterizationScale = number
        case .scale: (self as? CABackdropLayer)?.scale = number
        default: break
        }
    }

    private final func setPoint(_ property: LayerProperty, to point: CGPoint) {
        if property == .position { position = point } else { anchorPoint = point }
    }

    private final func setRect(_ property: LayerProperty, to rect: CGRect) {
        switch property {
        case .bounds: bounds = rect
        case .contentsRect: contentsRect = rect
        case .contentsCenter: contentsCenter = rect
        default: break
        }
    }

    private final func setTransform(_ property: LayerProperty, to value: CATransform3D) {
        if property == .transform { transform = value } else { sublayerTransform = value }
    }

    private final func setColor(_ property: LayerProperty, to color: CGColor) {
        switch property {
        case .backgroundColor: backgroundColor = color
        case .borderColor: borderColor = color
        case .shadowColor: shadowColor = color
        default: break
        }
    }

    /// False when the value is neither a name nor a mask, whichever the property takes.
    private final func setCode(_ property: LayerProperty, to value: Any) -> Bool {
        switch property {
        case .maskedCorners:
            guard let bits = KeyedValue.bits(value) else { return false }
            maskedCorners = CACornerMask(rawValue: bits)
            return true
        case .edgeAntialiasingMask:
            guard let bits = KeyedValue.bits(value) else { return false }
            edgeAntialiasingMask = CAEdgeAntialiasingMask(rawValue: UInt32(truncatingIfNeeded: bits))
            return true
        default: break
        }
        guard let name = KeyedValue.string(value) else { return false }
        switch property {
        case .contentsGravity: contentsGravity = CALayerContentsGravity(rawValue: name)
        case .minificationFilter: minificationFilter = CALayerContentsFilter(rawValue: name)
        case .magnificationFilter: magnificationFilter = CALayerContentsFilter(rawValue: name)
        case .cornerCurve: cornerCurve = CALayerCornerCurve(rawValue: name)
        default: return false
        }
        return true
    }
}
