import CoreAnimation
import LayerModel
import Testing

@Suite("Key-value access")
struct KeyValueTests {
    @Test("Every property reads by its key, and what was read can be set again", arguments: LayerProperty.allCases)
    func everyKey(property: LayerProperty) {
        let layer = makeLayer(with: property)
        layer.bounds = rect(1, 2, 3, 4)
        layer.position = point(5, 6)
        layer.name = "n"
        layer.contents = image()
        layer.shadowPath = CGPath(rect: rect(0, 0, 1, 1), transform: nil)
        layer.mask = CALayer()
        layer.compositingFilter = "multiplyBlendMode"
        layer.filters = [blur(2)]
        layer.backgroundFilters = [blur(3)]
        (layer as? CABackdropLayer)?.groupName = "g"
        layer.backgroundColor = CGColor(.white)
        if let shape = layer as? CAShapeLayer {
            shape.path = CGPath(rect: rect(0, 0, 1, 1), transform: nil)
            shape.strokeColor = CGColor(.white)
            shape.lineDashPattern = [1, 2]
        }
        (layer as? CAGradientLayer)?.colors = [CGColor(.white), CGColor(.black)]
        (layer as? CAGradientLayer)?.locations = [0, 0.5]
        (layer as? CAEmitterLayer)?.emitterCells = [CAEmitterCell()]
        let value = layer.value(forKey: property.key)
        #expect(value != nil)
        let other = makeLayer(with: property)
        other.setValue(value, forKey: property.key)
        #expect(other.properties[property] == layer.properties[property])
        #expect(other.takeFaults().isEmpty)
        if property == .contents { #expect(other.contents as? CGImage === layer.contents as? CGImage) }
        if property == .mask { #expect(other.mask === value as? CALayer && layer.mask == nil) }
    }

    /// A layer of a class that has a property.
    private func makeLayer(with property: LayerProperty) -> CALayer {
        switch property.owner {
        case .shapeLayer: CAShapeLayer()
        case .gradientLayer: CAGradientLayer()
        case .replicatorLayer: CAReplicatorLayer()
        case .emitterLayer: CAEmitterLayer()
        default: CABackdropLayer()
        }
    }

    @Test("Nil and NSNull set every property back to its default", arguments: LayerProperty.allCases)
    func reset(property: LayerProperty) {
        let changed: [LayerProperty: Any] = [
            .bounds: rect(1, 1, 1, 1), .position: point(1, 1), .anchorPoint: point(0, 0),
            .transform: CATransform3DMakeScale(2, 2, 2), .sublayerTransform: CATransform3DMakeScale(2, 2, 2),
            .contents: image(), .contentsRect: rect(0, 0, 0.5, 0.5), .contentsCenter: rect(0, 0, 0.5, 0.5),
            .contentsGravity: "top", .minificationFilter: "nearest", .magnificationFilter: "nearest",
            .backgroundColor: CGColor(.white), .borderColor: CGColor(.white), .cornerCurve: "continuous",
            .maskedCorners: 1, .edgeAntialiasingMask: 1, .name: "n", .shadowColor: CGColor(.white),
            .shadowOffset: CGSize(width: 1, height: 1), .shadowPath: CGPath(rect: rect(0, 0, 1, 1), transform: nil),
            .mask: CALayer(), .compositingFilter: "xor", .filters: [blur(1)], .backgroundFilters: [blur(1)],
            .groupName: "g", .path: CGPath(rect: rect(0, 0, 1, 1), transform: nil), .fillColor: CGColor(.white),
            .fillRule: "even-odd", .strokeColor: CGColor(.white), .lineCap: "round", .lineJoin: "round",
            .lineDashPattern: [1, 2], .colors: [CGColor(.white)], .locations: [0.5], .startPoint: point(0, 0),
            .endPoint: point(0, 0), .gradientType: "radial",
            .instanceTransform: CATransform3DMakeScale(2, 2, 2), .instanceColor: CGColor(.black),
            .emitterCells: [CAEmitterCell()], .emitterPosition: point(1, 1),
            .emitterSize: CGSize(width: 1, height: 1), .emitterShape: "line", .emitterMode: "points",
            .renderMode: "additive",
        ]
        for empty: Any? in [nil, NSNull()] {
            let layer = makeLayer(with: property)
            let standard = layer.properties[property]
            let old = layer.value(forKey: property.key) as? NSNumber
            layer.setValue(changed[property] ?? (old == 0 ? 1 : 0), forKey: property.key)
            if property == .contents {
                #expect(layer.contents != nil)
            } else if property == .mask {
                #expect(layer.mask != nil)
            } else {
                #expect(layer.properties[property] != standard)
            }
            layer.setValue(empty, forKey: property.key)
            // The inside of a path is the one object whose nil is a value of its own.
            #expect(layer.properties[property] == (property == .fillColor ? .color(nil) : standard))
            #expect(layer.contents == nil && layer.mask == nil && layer.filters == nil)
            #expect(layer.takeFaults().isEmpty)
        }
    }

    @Test("A backdrop's keys are an app's own in other layers")
    func backdropKeys() {
        let plain = CALayer()
        for key in ["scale", "groupName", "enabled"] {
            plain.setValue([key], forKey: key)
            #expect(plain.value(forKey: key) as? [String] == [key])
        }
        #expect(plain.properties == LayerProperties() && plain.takeFaults().isEmpty)
        let backdrop = CABackdropLayer()
        backdrop.setValue(0.5, forKey: "scale")
        backdrop.setValue(false, forKey: "enabled")
        #expect(backdrop.scale == 0.5 && !backdrop.isEnabled && backdrop.properties.backdropScale == 0)
        backdrop.setValue(nil, forKey: "enabled")
        #expect(backdrop.isEnabled && backdrop.properties.backdropScale == 0.5)
    }

    @Test("Every kind of number is accepted, and numbers come out as NSNumber")
    func numbers() {
        let values: [Any] = [7, 7.0, Float(7), CGFloat(7), NSNumber(value: 7), UInt8(7), Int64(7)]
        for value in values {
            let layer = CALayer()
            layer.setValue(value, forKey: "cornerRadius")
            layer.setValue(value, forKeyPath: "position.x")
            #expect(layer.cornerRadius == 7 && layer.position.x == 7, "\(type(of: value))")
            #expect(layer.value(forKey: "cornerRadius") as? NSNumber == 7)
            #expect(layer.value(forKeyPath: "position.x") as? NSNumber == 7)
        }
        let layer = CALayer()
        for flag: Any in [true, 1, NSNumber(value: true), 0.5] {
            layer.isHidden = false
            layer.setValue(flag, forKey: "hidden")
            #expect(layer.isHidden, "\(type(of: flag))")
        }
        #expect((layer.value(forKey: "hidden") as? NSNumber)?.boolValue == true)
    }

    @Test(
        "A Bool's getter name is a key too",
        arguments: [
            ("isHidden", "hidden"), ("isOpaque", "opaque"), ("isGeometryFlipped", "geometryFlipped"),
            ("isDoubleSided", "doubleSided"),
        ])
    func getterNames(getter: String, key: String) {
        let layer = CALayer()
        let flag = layer.value(forKeyPath: key, as: Bool.self)!
        layer.setValue(!flag, forKeyPath: getter)
        #expect(layer.value(forKeyPath: key, as: Bool.self) == !flag)
        #expect(layer.value(forKeyPath: getter, as: Bool.self) == !flag)
    }

    @Test(
        "Components of points, sizes and rectangles are read and set one by one",
        arguments: [
            ("position.x", "position.y"), ("anchorPoint.x", "anchorPoint.y"), ("bounds.origin.x", "bounds.origin.y"),
            ("bounds.size.width", "bounds.size.height"), ("contentsRect.origin.x", "contentsRect.size.width"),
            ("contentsCenter.size.height", "contentsCenter.origin.y"), ("shadowOffset.width", "shadowOffset.height"),
            ("shadowOffset.height", "shadowOffset.width"),
        ])
    func components(path: String, neighbor: String) {
        let layer = CALayer()
        let before = layer.value(forKeyPath: neighbor, as: Double.self)
        layer.setValue(0.25, forKeyPath: path)
        #expect(layer.value(forKeyPath: path, as: CGFloat.self) == 0.25)
        #expect(layer.value(forKeyPath: neighbor, as: Double.self) == before)
        layer.setValue(nil, forKeyPath: path)
        #expect(layer.properties == LayerProperties())
        #expect(layer.takeFaults().isEmpty)
    }

    @Test("A rectangle's origin and size are values of their own; frame goes through bounds and position")
    func rectangles() {
        let layer = CALayer()
        layer.setValue(point(3, 4), forKeyPath: "bounds.origin")
        layer.setValue(CGSize(width: 10, height: 20), forKeyPath: "bounds.size")
        #expect(layer.bounds == rect(3, 4, 10, 20))
        #expect(layer.value(forKeyPath: "bounds.size") as? CGSize == CGSize(width: 10, height: 20))
        layer.setValue(rect(0, 0, 50, 60), forKey: "frame")
        layer.setValue(80, forKeyPath: "frame.size.width")
        #expect(layer.value(forKey: "frame") as? CGRect == rect(0, 0, 80, 60))
        #expect(layer.position == point(40, 30))
    }

    @Test(
        "Components of both transforms: set then read gives what was set",
        arguments: ["transform", "sublayerTransform"])
    func transformComponents(key: String) {
        let layer = CALayer()
        let values: [(String, Double)] = [
            ("translation.x", 11), ("translation.y", -12), ("translation.z", 13), ("scale.x", 2), ("scale.y", -3),
            ("scale.z", 4), ("rotation.x", 0.3), ("rotation.y", 0.5), ("rotation.z", 0.7),
        ]
        for (path, value) in values { layer.setValue(value, forKeyPath: "\(key).\(path)") }
        for (path, value) in values {
            let read = layer.value(forKeyPath: "\(key).\(path)", as: Double.self) ?? .nan
            #expect(abs(read - value) < 1e-12, "\(path) is \(read)")
        }
        let t = layer.value(forKeyPath: key, as: CATransform3D.self)!
        // Scale, then Rx·Ry·Rz, then translation.
        let expected = Transform.scale(2, -3, 4).concatenating(.rotation(0.3, 1, 0, 0))
            .concatenating(.rotation(0.5, 0, 1, 0)).concatenating(.rotation(0.7, 0, 0, 1))
            .concatenating(.translation(11, -12, 13))
        #expect(isClose(Transform(t), expected))
    }

    @Test("rotation is rotation about z, scale all three, scale.xy two, translation a size")
    func shortForms() {
        let layer = CALayer()
        layer.setValue(0.4, forKeyPath: "transform.rotation")
        #expect(abs(layer.value(forKeyPath: "transform.rotation.z", as: Double.self)! - 0.4) < 1e-15)
        layer.transform = CATransform3DIdentity
        layer.setValue(3, forKeyPath: "transform.scale")
        #expect(layer.transform == CATransform3DMakeScale(3, 3, 3))
        layer.setValue(6, forKeyPath: "transform.scale.xy")
        #expect(layer.transform == CATransform3DMakeScale(6, 6, 3))
        #expect(layer.value(forKeyPath: "transform.scale", as: Double.self) == 5)
        layer.setValue(CGSize(width: 7, height: 8), forKeyPath: "transform.translation")
        #expect(layer.value(forKeyPath: "transform.translation") as? CGSize == CGSize(width: 7, height: 8))
        #expect(layer.transform.m41 == 7 && layer.transform.m42 == 8)
    }

    @Test("Angles are not wrapped: a full turn reads back as none")
    func fullTurn() {
        let layer = CALayer()
        layer.setValue(2 * Double.pi, forKeyPath: "transform.rotation.z")
        #expect(abs(layer.value(forKeyPath: "transform.rotation.z", as: Double.self)!) < 1e-12)
        #expect(isClose(Transform(layer.transform), .identity))
    }

    @Test("Scale 0 can be set and set back, with perspective in the transform too")
    func scaleZero() {
        let layer = CALayer()
        layer.transform.m34 = -1 / 400
        let before = Transform(layer.transform)
        layer.setValue(0, forKeyPath: "transform.scale.x")
        #expect(layer.transform.m11 == 0)
        layer.setValue(1, forKeyPath: "transform.scale.x")
        #expect(isClose(Transform(layer.transform), before))
    }

    @Test("Keys of the app's own are kept in each layer, with their components")
    func ownKeys() {
        let layer = CALayer()
        #expect(layer.value(forKey: "speedOfLight") == nil)
        layer.setValue(point(1, 2), forKey: "target")
        layer.setValue(5, forKeyPath: "target.y")
        #expect(layer.value(forKeyPath: "target") as? CGPoint == point(1, 5))
        layer.setValue(["a": 1], forKey: "info")
        layer.setValue(2, forKeyPath: "info.b")
        #expect(layer.value(forKeyPath: "info.b") as? Int == 2 && layer.value(forKeyPath: "info.a") as? Int == 1)
        layer.setValue(nil, forKey: "target")
        #expect(layer.value(forKey: "target") == nil)
        #expect(CALayer().value(forKey: "info") == nil)
    }

    @Test("A style answers for keys that were not set, the nested one last")
    func style() {
        let layer = CALayer()
        layer.style = ["a": 1, "style": ["a": 2, "b": 3] as [AnyHashable: Any]]
        #expect(layer.value(forKey: "a") as? Int == 1 && layer.value(forKey: "b") as? Int == 3)
        layer.setValue(9, forKey: "a")
        #expect(layer.value(forKey: "a") as? Int == 9)
    }

    @Test("Superlayers and sublayers can be read and reached through")
    func tree() {
        let root = layer(0, 0, 10, 10, name: "root")
        let (a, b) = (layer(1, 0, 2, 2, name: "a"), layer(2, 0, 2, 2, name: "b"))
        root.sublayers = [a, b]
        #expect(root.value(forKey: "sublayers") as? [CALayer] == [a, b])
        #expect(root.value(forKeyPath: "sublayers.name") as? [String] == ["a", "b"])
        #expect(a.value(forKeyPath: "superlayer.bounds.size.width", as: Int.self) == 10)
        #expect(a.value(forKeyPath: "superlayer.superlayer.name") == nil)
        a.setValue(0.5, forKeyPath: "superlayer.opacity")
        #expect(root.opacity == 0.5)
    }

    @Test("Typed reading converts numbers, names and masks")
    func typed() {
        let layer = CALayer()
        #expect(layer.value(forKeyPath: "opacity", as: Float.self) == 1)
        #expect(layer.value(forKeyPath: "opacity", as: Int.self) == 1)
        #expect(layer.value(forKeyPath: "contentsGravity", as: CALayerContentsGravity.self) == .resize)
        #expect(layer.value(forKeyPath: "maskedCorners", as: CACornerMask.self)?.rawValue == 15)
        #expect(layer.value(forKeyPath: "bounds", as: CGPoint.self) == nil)
        let size: CGSize? = layer.value(forKeyPath: "bounds.size")
        #expect(size == .zero)
        layer.setValue(CALayerContentsGravity.topLeft, forKey: "contentsGravity")
        layer.setValue(CACornerMask.layerMaxXMaxYCorner, forKey: "maskedCorners")
        #expect(layer.contentsGravity == .topLeft && layer.maskedCorners == .layerMaxXMaxYCorner)
    }

    nonisolated(unsafe) static let wrongValues: [(String, Any)] = [
        ("bounds", 5), ("position", CGSize.zero), ("opacity", "half"), ("hidden", "yes"), ("transform", point(0, 0)),
        ("backgroundColor", "red"), ("contents", 3), ("contentsGravity", 4), ("maskedCorners", "all"),
        ("maskedCorners", -1),
        ("name", 12), ("position.x", "left"), ("position.z", 1), ("bounds.size", point(1, 1)), ("bounds.left", 1),
        ("bounds.size.width.x", 1), ("transform.rotation.w", 1), ("transform.scale", "big"), ("transform.m34", 1),
        ("transform.translation", 3), ("opacity.x", 1), ("nothing.x", 1), ("superlayer", CALayer()),
        ("superlayer.opacity", 1), ("sublayers", "x"), ("frame", 1), ("position.x", Double.nan), ("actions", 1),
        ("shadowColor", 1), ("shadowOffset", point(1, 1)), ("shadowPath", "M0 0"), ("mask", "m"), ("filters", 3),
        ("shadowOffset.depth", 1), ("filters.blur.inputRadius", 1), ("compositingFilter.inputRadius", 1),
        ("mask.opacity", 1), ("shadowOpacity", "half"), ("shadowRadius", Double.infinity),
    ]

    @Test(
        "A wrong value changes nothing and leaves one fault that names layer and key path",
        arguments: KeyValueTests.wrongValues.indices)
    func mistakes(index: Int) {
        let (path, value) = KeyValueTests.wrongValues[index]
        let layer = layer(1, 2, 3, 4, name: "card")
        let before = layer.properties
        layer.setValue(value, forKeyPath: path)
        #expect(layer.properties == before)
        let faults = layer.takeFaults()
        #expect(faults.count == 1, "\(path): \(faults)")
        #expect(faults.first?.layer == "CALayer \"card\"")
        #expect(faults.first?.key == path || faults.first?.key == path.split(separator: ".").first.map(String.init))
    }

    @Test(
        "Odd key paths do no harm",
        arguments: ["", ".", "..", "bounds.", ".x", "position..x", String(repeating: "superlayer.", count: 100_000)])
    func oddPaths(path: String) {
        let layer = CALayer()
        _ = layer.value(forKeyPath: path)
        layer.setValue(1, forKeyPath: path)
        #expect(layer.properties == LayerProperties())
    }

    @Test("Setting by key goes through a subclass's own setter")
    func overriddenSetter() {
        final class Doubling: CALayer, @unchecked Sendable {
            override var cornerRadius: CGFloat {
                get { super.cornerRadius }
                set { super.cornerRadius = newValue * 2 }
            }
        }
        let layer = Doubling()
        layer.setValue(4, forKey: "cornerRadius")
        #expect(layer.cornerRadius == 8)
    }
}
