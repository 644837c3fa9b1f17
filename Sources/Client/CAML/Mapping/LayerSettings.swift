import CoreAnimation
import Foundation
import LayerModel
import Quartz2D

extension CALayer {
    /// Sets everything that a scene file says about the layer, except some properties.
    package func apply(_ node: SceneNode, without skipped: Set<LayerProperty>) {
        for setting in node.settings where !skipped.contains(setting.property) {
            set(setting.property, setting.value)
        }
        for setting in node.keyPaths {
            let key = setting.keyPath.prefix { $0 != "." }
            if let property = LayerProperty(key: String(key)), skipped.contains(property) { continue }
            setValue(setting.value, forKeyPath: setting.keyPath)
        }
        if let image = node.image { contents = image }
        if let cells = node.emitterCells { (self as? CAEmitterLayer)?.emitterCells = cells }
        if let text = self as? CATextLayer { node.text?.apply(to: text) }
        applyEffects(of: node)
    }

    private func applyEffects(of node: SceneNode) {
        if let filters = node.filters { self.filters = filters }
        if let filters = node.backgroundFilters { backgroundFilters = filters }
        if let filter = node.compositingFilter { compositingFilter = filter }
        if let isEnabled = node.backdropIsEnabled { (self as? CABackdropLayer)?.isEnabled = isEnabled }
        if node.boundsCastShadow, shadowPath == nil {
            shadowPath = CGPath(
                roundedRect: bounds, cornerWidth: cornerRadius, cornerHeight: cornerRadius, transform: nil)
        }
    }

    /// Sets one property. A value of another kind than the property's changes nothing.
    private func set(_ property: LayerProperty, _ value: PropertyValue) {
        switch property.owner {
        case .shapeLayer, .gradientLayer, .replicatorLayer, .emitterLayer: return setByKey(property, value)
        default: break
        }
        switch value {
        case .bool(let flag): set(property, flag)
        case .number(let number): set(property, number)
        case .point(let p):
            let point = CGPoint(x: p.x, y: p.y)
            switch property {
            case .position: position = point
            case .anchorPoint: anchorPoint = point
            case .shadowOffset: shadowOffset = CGSize(width: p.x, height: p.y)
            default: break
            }
        case .rect(let r): set(property, r)
        case .transform(let t):
            if property == .transform {
                transform = CATransform3D(t)
            } else if property == .sublayerTransform {
                sublayerTransform = CATransform3D(t)
            }
        case .color(let color):
            let color = color.map { CGColor($0) }
            switch property {
            case .backgroundColor: backgroundColor = color
            case .borderColor: borderColor = color
            case .shadowColor: shadowColor = color
            default: break
            }
        case .code(let code): set(property, code: code)
        case .string(let string):
            if property == .name { name = string } else { (self as? CABackdropLayer)?.groupName = string }
        case .path(let path): shadowPath = path.map { CGPath($0) }
        case .image, .layer, .filters, .numbers, .colors, .cells: break
        }
    }

    /// One of those that only one class has, by key-value access.
    private func setByKey(_ property: LayerProperty, _ value: PropertyValue) {
        let object: Any? =
            switch value {
            case .bool(let flag): flag
            case .number(let number): number
            case .transform(let transform): CATransform3D(transform)
            case .numbers(let numbers): numbers
            case .color(let color): color.map { CGColor($0) }
            case .path(let path): path.map { CGPath($0) }
            case .point(let p): property == .emitterSize ? CGSize(width: p.x, height: p.y) : CGPoint(x: p.x, y: p.y)
            case .colors(let colors): colors.map { CGColor($0) }
            case .code(let code): property.object(ofCode: code)
            default: nil
            }
        setValue(object, forKey: property.key)
    }

    private func set(_ property: LayerProperty, _ flag: Bool) {
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

    private func set(_ property: LayerProperty, _ number: Double) {
        switch property {
        case .beginTime: beginTime = number
        case .timeOffset: timeOffset = number
        case .speed: speed = Float(number)
        case .zPosition: zPosition = number
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

    private func set(_ property: LayerProperty, _ r: Rect) {
        let rect = CGRect(x: r.origin.x, y: r.origin.y, width: r.size.width, height: r.size.height)
        switch property {
        case .bounds: bounds = rect
        case .contentsRect: contentsRect = rect
        case .contentsCenter: contentsCenter = rect
        default: break
        }
    }

    private func set(_ property: LayerProperty, code: UInt8) {
        switch property {
        case .contentsGravity:
            guard let gravity = ContentsGravity(rawValue: code) else { return }
            contentsGravity = CALayerContentsGravity(rawValue: gravity.sceneName)
        case .minificationFilter:
            guard let filter = ContentsFilter(rawValue: code) else { return }
            minificationFilter = CALayerContentsFilter(rawValue: String(describing: filter))
        case .magnificationFilter:
            guard let filter = ContentsFilter(rawValue: code) else { return }
            magnificationFilter = CALayerContentsFilter(rawValue: String(describing: filter))
        case .cornerCurve:
            guard let curve = CornerCurve(rawValue: code) else { return }
            cornerCurve = curve == .continuous ? .continuous : .circular
        case .compositingFilter: compositingFilter = CompositingMode(rawValue: code)?.filterName
        case .maskedCorners: maskedCorners = CACornerMask(rawValue: UInt(code))
        case .edgeAntialiasingMask: edgeAntialiasingMask = CAEdgeAntialiasingMask(rawValue: UInt32(code))
        default: break
        }
    }
}
