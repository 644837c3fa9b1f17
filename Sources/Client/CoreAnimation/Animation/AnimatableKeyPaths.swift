// Swift key paths as Core Animation's: \CALayer.position.x is "position.x". Without the Objective-C runtime a key path has no
// string, so it is looked up among those of everything that can be animated, written out for the root that it has.

import LayerModel

enum AnimatableKeyPaths {
    static func name<Root: CALayer, Value>(of path: KeyPath<Root, Value>) -> String? {
        if let name = named(Root.self).first(where: { $0.0 == path })?.1 { return name }
        if let name = ofSubclass(path) ?? ofClasses.first(where: { $0.0 == path })?.1 { return name }
        ClientWarnings.shared.warnOnce("\(path) is no property that can be animated; the animation has no key path.")
        return nil
    }

    private static func ofSubclass(_ path: AnyKeyPath) -> String? {
        switch path {
        case \CABackdropLayer.scale: "scale"
        case \CATextLayer.fontSize: "fontSize"
        case \CATextLayer.foregroundColor: "foregroundColor"
        default: nil
        }
    }

    private static var ofClasses: [(AnyKeyPath, String)] {
        [
            (\CAShapeLayer.path, "path"), (\CAShapeLayer.fillColor, "fillColor"),
            (\CAShapeLayer.strokeColor, "strokeColor"), (\CAShapeLayer.strokeStart, "strokeStart"),
            (\CAShapeLayer.strokeEnd, "strokeEnd"), (\CAShapeLayer.lineWidth, "lineWidth"),
            (\CAShapeLayer.miterLimit, "miterLimit"), (\CAShapeLayer.lineDashPhase, "lineDashPhase"),
            (\CAGradientLayer.colors, "colors"), (\CAGradientLayer.locations, "locations"),
            (\CAGradientLayer.startPoint, "startPoint"), (\CAGradientLayer.startPoint.x, "startPoint.x"),
            (\CAGradientLayer.startPoint.y, "startPoint.y"), (\CAGradientLayer.endPoint, "endPoint"),
            (\CAGradientLayer.endPoint.x, "endPoint.x"), (\CAGradientLayer.endPoint.y, "endPoint.y"),
            (\CAReplicatorLayer.instanceCount, "instanceCount"), (\CAReplicatorLayer.instanceDelay, "instanceDelay"),
            (\CAReplicatorLayer.instanceTransform, "instanceTransform"),
            (\CAReplicatorLayer.instanceColor, "instanceColor"),
            (\CAReplicatorLayer.instanceRedOffset, "instanceRedOffset"),
            (\CAReplicatorLayer.instanceGreenOffset, "instanceGreenOffset"),
            (\CAReplicatorLayer.instanceBlueOffset, "instanceBlueOffset"),
            (\CAReplicatorLayer.instanceAlphaOffset, "instanceAlphaOffset"),
            (\CAEmitterLayer.emitterPosition, "emitterPosition"),
            (\CAEmitterLayer.emitterPosition.x, "emitterPosition.x"),
            (\CAEmitterLayer.emitterPosition.y, "emitterPosition.y"),
            (\CAEmitterLayer.emitterZPosition, "emitterZPosition"), (\CAEmitterLayer.emitterSize, "emitterSize"),
            (\CAEmitterLayer.emitterDepth, "emitterDepth"), (\CAEmitterLayer.birthRate, "birthRate"),
            (\CAEmitterLayer.lifetime, "lifetime"), (\CAEmitterLayer.velocity, "velocity"),
            (\CAEmitterLayer.scale, "scale"), (\CAEmitterLayer.spin, "spin"),
        ]
    }

    private static func named<Root: CALayer>(_ root: Root.Type) -> [(PartialKeyPath<Root>, String)] {
        [
            (\.bounds, "bounds"), (\.bounds.origin, "bounds.origin"), (\.bounds.origin.x, "bounds.origin.x"),
            (\.bounds.origin.y, "bounds.origin.y"), (\.bounds.size, "bounds.size"),
            (\.bounds.size.width, "bounds.size.width"), (\.bounds.size.height, "bounds.size.height"),
            (\.position, "position"), (\.position.x, "position.x"), (\.position.y, "position.y"),
            (\.zPosition, "zPosition"), (\.anchorPoint, "anchorPoint"), (\.anchorPoint.x, "anchorPoint.x"),
            (\.anchorPoint.y, "anchorPoint.y"), (\.anchorPointZ, "anchorPointZ"), (\.transform, "transform"),
            (\.sublayerTransform, "sublayerTransform"), (\.isDoubleSided, "doubleSided"), (\.isHidden, "hidden"),
            (\.opacity, "opacity"), (\.masksToBounds, "masksToBounds"), (\.contents, "contents"),
            (\.contentsRect, "contentsRect"), (\.contentsCenter, "contentsCenter"),
            (\.contentsScale, "contentsScale"), (\.minificationFilterBias, "minificationFilterBias"),
            (\.backgroundColor, "backgroundColor"), (\.cornerRadius, "cornerRadius"),
            (\.borderWidth, "borderWidth"), (\.borderColor, "borderColor"), (\.shadowColor, "shadowColor"),
            (\.shadowOpacity, "shadowOpacity"), (\.shadowOffset, "shadowOffset"),
            (\.shadowOffset.width, "shadowOffset.width"), (\.shadowOffset.height, "shadowOffset.height"),
            (\.shadowRadius, "shadowRadius"), (\.shadowPath, "shadowPath"), (\.filters, "filters"),
            (\.backgroundFilters, "backgroundFilters"), (\.compositingFilter, "compositingFilter"),
            (\.rasterizationScale, "rasterizationScale"),
        ]
    }
}
