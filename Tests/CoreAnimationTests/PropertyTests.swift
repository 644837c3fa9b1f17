import CoreAnimation
import LayerModel
import Testing

@Suite("Properties")
struct PropertyTests {
    @Test("A new layer has Core Animation's defaults")
    func defaults() {
        let layer = CALayer()
        #expect(layer.bounds == .zero && layer.position == .zero && layer.anchorPoint == point(0.5, 0.5))
        #expect(CATransform3DIsIdentity(layer.transform) && CATransform3DIsIdentity(layer.sublayerTransform))
        #expect(layer.isDoubleSided && !layer.isHidden && !layer.isGeometryFlipped && !layer.isOpaque)
        #expect(layer.opacity == 1 && layer.allowsGroupOpacity && !layer.masksToBounds)
        #expect(
            layer.contents == nil && layer.contentsRect == rect(0, 0, 1, 1) && layer.contentsCenter == rect(0, 0, 1, 1))
        #expect(layer.contentsScale == 1 && layer.contentsGravity == .resize)
        #expect(layer.minificationFilter == .linear && layer.magnificationFilter == .linear)
        #expect(layer.backgroundColor == nil && layer.borderColor?.color == .black && layer.borderWidth == 0)
        #expect(layer.cornerRadius == 0 && layer.maskedCorners.rawValue == 15 && layer.cornerCurve == .circular)
        #expect(layer.allowsEdgeAntialiasing && layer.edgeAntialiasingMask.rawValue == 15)
        #expect(layer.name == nil && layer.delegate == nil && layer.autoresizingMask.isEmpty)
    }

    @Test("Names that are unknown count as Core Animation counts them")
    func unknownNames() {
        let layer = CALayer()
        layer.contentsGravity = CALayerContentsGravity(rawValue: "nonsense")
        layer.cornerCurve = CALayerCornerCurve(rawValue: "nonsense")
        #expect(layer.contentsGravity == .center)
        #expect(layer.cornerCurve == .circular)
        layer.maskedCorners = CACornerMask(rawValue: 0xF5)
        #expect(layer.maskedCorners.rawValue == 5)
    }

    @Test("The continuous curve reaches 1.528665 radii along an edge, every other 1")
    func expansionFactor() {
        #expect(CALayer.cornerCurveExpansionFactor(.continuous) == 1.528665)
        #expect(CALayer.cornerCurveExpansionFactor(.circular) == 1)
        #expect(CALayer.cornerCurveExpansionFactor(CALayerCornerCurve(rawValue: "x")) == 1)
    }

    @Test("The color that was set comes back as the same object")
    func colorIdentity() {
        let color = CGColor(red: 1, green: 0.5, blue: 0, alpha: 0.25)
        let layer = CALayer()
        layer.backgroundColor = color
        #expect(layer.backgroundColor === color)
    }

    static let setters: [(String, @Sendable (CALayer) -> Void)] = [
        ("bounds", { $0.bounds = rect(0, 0, .infinity, 1) }),
        ("position", { $0.position = point(.nan, 0) }),
        ("zPosition", { $0.zPosition = .infinity }),
        ("anchorPoint", { $0.anchorPoint = point(0, -.infinity) }),
        ("anchorPointZ", { $0.anchorPointZ = .nan }),
        ("transform", { $0.transform.m34 = .nan }),
        ("sublayerTransform", { $0.sublayerTransform.m11 = .infinity }),
        ("frame", { $0.frame = rect(0, .nan, 1, 1) }),
        ("opacity", { $0.opacity = .nan }),
        ("contentsRect", { $0.contentsRect = rect(.nan, 0, 1, 1) }),
        ("contentsCenter", { $0.contentsCenter = rect(.nan, 0, 1, 1) }),
        ("contentsScale", { $0.contentsScale = .infinity }),
        ("minificationFilterBias", { $0.minificationFilterBias = .nan }),
        ("cornerRadius", { $0.cornerRadius = .nan }),
        ("borderWidth", { $0.borderWidth = -.infinity }),
    ]

    @Test(
        "A number that is not finite changes nothing and leaves a fault that names layer and property",
        arguments: setters.indices)
    func notFinite(index: Int) {
        let (key, set) = PropertyTests.setters[index]
        let layer = layer(1, 2, 3, 4, name: "card")
        let before = layer.properties
        set(layer)
        #expect(layer.properties == before)
        let faults = layer.takeFaults()
        #expect(faults.map(\.key) == [key])
        #expect(faults.first?.layer == "CALayer \"card\"")
        #expect(layer.takeFaults().isEmpty)
    }

    @Test("Contents that are no image are refused")
    func wrongContents() {
        let layer = CALayer()
        let picture = image()
        layer.contents = picture
        layer.contents = "picture.png"
        #expect(layer.contents as? CGImage === picture)
        #expect(layer.takeFaults().first?.message.contains("String") == true)
        layer.contents = NSNull()
        #expect(layer.contents == nil && layer.takeFaults().isEmpty)
    }

    @Test("Faults of a layer go to its display, also those from before; too many are counted")
    func faultsOfHost() {
        let context = LayerContext()
        let (root, child) = (CALayer(), layer(0, 0, 1, 1, name: "early"))
        child.zPosition = .nan
        root.addSublayer(child)
        context.rootLayer = root
        root.opacity = .nan
        #expect(context.takeFaults().map(\.key) == ["zPosition", "opacity"])
        for _ in 0..<1000 { root.opacity = .nan }
        let faults = context.takeFaults()
        #expect(faults.count == 257)
        #expect(faults.last?.message.contains("744") == true)
        #expect(context.takeFaults().isEmpty)
    }

    @Test("defaultValue(forKey:) is nil where the default is zero or nothing, and boxed otherwise")
    func defaultValues() {
        for key in [
            "bounds", "position", "zPosition", "anchorPointZ", "hidden", "contents", "backgroundColor", "cornerRadius",
            "name", "minificationFilterBias", "geometryFlipped", "masksToBounds", "anything",
        ] {
            #expect(CALayer.defaultValue(forKey: key) == nil, "\(key)")
        }
        #expect(CALayer.defaultValue(forKey: "anchorPoint") as? CGPoint == point(0.5, 0.5))
        #expect(CALayer.defaultValue(forKey: "transform") as? CATransform3D == CATransform3DIdentity)
        #expect(CALayer.defaultValue(forKey: "opacity") as? NSNumber == 1)
        #expect(CALayer.defaultValue(forKey: "contentsGravity") as? String == "resize")
        #expect(CALayer.defaultValue(forKey: "maskedCorners") as? NSNumber == 15)
        #expect((CALayer.defaultValue(forKey: "borderColor") as? CGColor)?.color == .black)
    }
}
