import CoreAnimation
import LayerModel
import Testing

@Suite("Shadows, filters and rasterization")
struct EffectTests {
    private let context = LayerContext()

    private func ops() -> [TransactionOp] { (context.takeTransaction(time: 0)?.ops ?? []).ofValues }

    @Test("Core Animation's defaults")
    func defaults() {
        let layer = CALayer()
        #expect(layer.shadowColor == CGColor.black && layer.shadowOpacity == 0 && layer.shadowRadius == 3)
        #expect(layer.shadowOffset == CGSize(width: 0, height: -3) && layer.shadowPath == nil && layer.mask == nil)
        #expect(layer.filters == nil && layer.backgroundFilters == nil && layer.compositingFilter == nil)
        #expect(!layer.shouldRasterize && layer.rasterizationScale == 1)
        let backdrop = CABackdropLayer()
        #expect(backdrop.groupName == nil && backdrop.scale == 1 && backdrop.isEnabled)
        #expect(CALayer.defaultValue(forKey: "shadowOpacity") == nil)
        #expect(CALayer.defaultValue(forKey: "shadowRadius") as? NSNumber == 3)
        for key in ["filters", "backgroundFilters", "compositingFilter", "mask", "shadowPath", "shouldRasterize"] {
            #expect(CALayer.defaultValue(forKey: key) == nil, "\(key)")
        }
    }

    @Test("Values read back as they were set, and travel as changes")
    func values() {
        let layer = CABackdropLayer()
        context.rootLayer = layer
        #expect(ops().first == .createLayer(LayerID(1), .backdropLayer))
        let gray = CGColor(gray: 0.5, alpha: 1)
        layer.shadowColor = gray
        layer.shadowOpacity = 0.5
        layer.shadowOffset = CGSize(width: 1, height: 2)
        layer.shadowRadius = 4
        layer.shouldRasterize = true
        layer.rasterizationScale = 2
        layer.groupName = "g"
        layer.scale = 0.25
        #expect(layer.shadowColor === gray && layer.shadowOffset == CGSize(width: 1, height: 2))
        let id = LayerID(1)
        #expect(
            ops() == [
                .set(id, .shadowColor, .color(Color(0.5, 0.5, 0.5))), .set(id, .shadowOpacity, .number(0.5)),
                .set(id, .shadowOffset, .point(Point(1, 2))), .set(id, .shadowRadius, .number(4)),
                .set(id, .shouldRasterize, .bool(true)), .set(id, .rasterizationScale, .number(2)),
                .set(id, .groupName, .string("g")), .set(id, .scale, .number(0.25)),
            ])
        layer.isEnabled = false
        #expect(ops() == [.set(id, .scale, .number(0))] && layer.scale == 0.25)
        layer.shadowColor = nil
        #expect(ops() == [.set(id, .shadowColor, .color(nil))] && layer.shadowColor == nil)
    }

    @Test("A shadow path is a copy, and one that is not finite is refused")
    func shadowPath() {
        let layer = CALayer()
        let path = CGMutablePath()
        path.addRect(rect(0, 0, 4, 4))
        layer.shadowPath = path
        path.addRect(rect(9, 9, 1, 1))
        #expect(layer.shadowPath?.boundingBox == rect(0, 0, 4, 4))
        path.move(to: point(.nan, 0))
        layer.shadowPath = path
        #expect(layer.shadowPath?.boundingBox == rect(0, 0, 4, 4) && layer.takeFaults().count == 1)
        let long = CGMutablePath()
        for x in 0..<140_000 { long.move(to: point(Double(x), 0)) }
        layer.shadowPath = long
        #expect(layer.shadowPath?.boundingBox == rect(0, 0, 4, 4) && layer.takeFaults().count == 1)
    }

    @Test("Every type of filter and every kind of input becomes what travels")
    func filterTypes() {
        let layer = CALayer()
        for kind in LayerFilter.Kind.allCases {
            let filter = CAFilter(type: kind.typeName)
            filter.name = "f"
            filter.isEnabled = false
            let matrix: [[Double]] = [[1, 2, 3, 4, 5], [1, 2, 3, 4, 5], [1, 2, 3, 4, 5], [0, 0, 0, 1, 0]]
            for (key, value) in [
                ("inputRadius", 1), ("inputAmount", Float(2)), ("inputAngle", CGFloat(3)), ("inputBias", 4.0),
                ("inputScale", NSNumber(value: 5)), ("inputColor", CGColor.white), ("inputColorMatrix", matrix),
                ("inputNormalizeEdges", true), ("inputHardEdges", 0), ("inputOffset", CGSize(width: 6, height: 7)),
                ("inputQuality", "low"),
            ] as [(String, Any)] { filter.setValue(value, forKey: key) }
            layer.filters = [filter]
            let expected = LayerFilter(
                kind, name: "f", isEnabled: false,
                inputs: [
                    .inputRadius: .number(1), .inputAmount: .number(2), .inputAngle: .number(3),
                    .inputBias: .number(4), .inputScale: .number(5), .inputColor: .color(.white),
                    .inputColorMatrix: .numbers(matrix.flatMap { $0 }), .inputNormalizeEdges: .flag(true),
                    .inputHardEdges: .flag(false), .inputOffset: .point(Point(6, 7)),
                ])
            #expect(layer.properties.filters == [expected], "\(kind)")
        }
        #expect(layer.takeFaults().isEmpty)
    }

    @Test("What is no filter, or not known, is kept and skipped, with a warning and no fault")
    func unknownFilters() {
        let layer = CALayer()
        layer.filters = [CAFilter(type: "wobbleForTests"), blur(2), "sepia"]
        #expect(
            layer.filters?.count == 3
                && layer.properties.filters == [LayerFilter(.gaussianBlur, inputs: [.inputRadius: .number(2)])])
        #expect(layer.takeFaults().isEmpty)
        #expect(ClientWarnings.shared.messages.filter { $0.contains("wobbleForTests") }.count == 1)
        layer.backgroundFilters = [CAFilter(type: "wobbleForTests")]
        #expect(ClientWarnings.shared.messages.filter { $0.contains("wobbleForTests") }.count == 1)
    }

    @Test("An input of the wrong type is left out, with a fault; one that is not finite refuses the list")
    func wrongInputs() {
        let layer = CALayer()
        layer.filters = [blur("wide")]
        #expect(layer.properties.filters == [LayerFilter(.gaussianBlur)])
        #expect(layer.takeFaults().map(\.key) == ["filters"])
        layer.filters = [blur(Double.nan)]
        #expect(layer.properties.filters == [LayerFilter(.gaussianBlur)])
        #expect(layer.takeFaults().map(\.message) == ["must be finite; the old value stays"])
        layer.filters = (0..<65).map { blur($0) }
        #expect(layer.properties.filters.count == 1 && layer.takeFaults().count == 1)
        let matrix = CAFilter(type: "colorMatrix")
        for wrong: Any in [[1, 0], [[1, 2, 3]], "x", (0..<21).map { Double($0) }, [[Any]](), [["a"]]] {
            matrix.setValue(wrong, forKey: "inputColorMatrix")
            layer.filters = [matrix]
            #expect(layer.properties.filters == [LayerFilter(.colorMatrix)] && layer.takeFaults().count == 1)
        }
    }

    @Test("Lists of filters are values: a filter changed later changes no layer until it is set again")
    func valueSemantics() {
        let layer = CALayer()
        context.rootLayer = layer
        let filter = blur(2)
        layer.filters = [filter]
        _ = ops()
        filter.setValue(5, forKey: "inputRadius")
        (layer.filters?.first as? CAFilter)?.setValue(6, forKey: "inputRadius")
        #expect(ops().isEmpty && layer.value(forKeyPath: "filters.gaussianBlur.inputRadius", as: Int.self) == 2)
        layer.filters = [filter]
        let blur = LayerFilter(.gaussianBlur, inputs: [.inputRadius: .number(5)])
        #expect(ops() == [.set(LayerID(1), .filters, .filters([blur]))])
        layer.filters = [filter]
        #expect(ops().isEmpty && layer.filters as? [CAFilter] == [filter])
        layer.filters = nil
        #expect(ops() == [.set(LayerID(1), .filters, .filters([]))])
    }

    @Test("Key paths reach the inputs by the filter's name or type", arguments: ["filters", "backgroundFilters"])
    func keyPaths(key: String) {
        let layer = CALayer()
        let shadow = CAFilter(type: "dropShadow")
        layer.setValue([blur(2, name: "soft"), shadow], forKey: key)
        let original = (layer.value(forKey: key) as? [CAFilter])?[0]
        layer.setValue(7, forKeyPath: "\(key).soft.inputRadius")
        layer.setValue(false, forKeyPath: "\(key).soft.enabled")
        layer.setValue(CGSize(width: 1, height: 2), forKeyPath: "\(key).dropShadow.inputOffset")
        layer.setValue(9, forKeyPath: "\(key).dropShadow.inputOffset.width")
        #expect(layer.value(forKeyPath: "\(key).soft.inputRadius", as: Double.self) == 7)
        #expect(layer.value(forKeyPath: "\(key).dropShadow.inputOffset.height", as: Double.self) == 2)
        #expect(original?.value(forKey: "inputRadius") as? Int == 2)
        let values = key == "filters" ? layer.properties.filters : layer.properties.backgroundFilters
        #expect(
            values[0] == LayerFilter(.gaussianBlur, name: "soft", isEnabled: false, inputs: [.inputRadius: .number(7)]))
        #expect(values[1].offset == Point(9, 2))
        layer.setValue(nil, forKeyPath: "\(key).soft.inputRadius")
        #expect(layer.value(forKeyPath: "\(key).soft.inputRadius") == nil && layer.takeFaults().isEmpty)
        for path in ["\(key).hard.inputRadius", "\(key).soft.wobble", "\(key).soft", "\(key).soft.inputRadius.x"] {
            layer.setValue(1, forKeyPath: path)
            #expect(layer.takeFaults().count == 1, "\(path)")
        }
        layer.setValue("wide", forKeyPath: "\(key).soft.inputRadius")
        #expect(
            layer.takeFaults().map(\.message) == ["takes a number, not a value of type String; the old value stays"])
        #expect(layer.value(forKeyPath: "\(key).hard.inputRadius") == nil && layer.takeFaults().count == 1)
    }

    @Test(
        "Compositing filters: names of both spellings and filters; the rest has no effect",
        arguments: CompositingMode.allCases)
    func compositing(mode: CompositingMode) {
        let layer = CALayer()
        layer.compositingFilter = mode.filterName
        #expect(layer.properties.compositingMode == mode && layer.compositingFilter as? String == mode.filterName)
        let filter = CAFilter(type: mode.filterName)
        layer.compositingFilter = filter
        #expect(layer.properties.compositingMode == mode && layer.compositingFilter as? CAFilter == filter)
        filter.isEnabled = false
        #expect(layer.properties.compositingMode == mode)
        layer.compositingFilter = filter
        #expect(layer.properties.compositingMode == .normal)
        layer.compositingFilter = "multiplyBlendMode"
        for nothing: Any? in [nil, NSNull(), "wobbleModeForTests", 3, CAFilter(type: "gaussianBlur"), CALayer()] {
            layer.compositingFilter = nothing
            #expect(layer.properties.compositingMode == .normal && layer.takeFaults().isEmpty)
        }
        #expect(layer.compositingFilter is CALayer)
    }

    @Test("A compositing filter's inputs are reached by key path")
    func compositingKeyPath() {
        let layer = CALayer()
        layer.compositingFilter = CAFilter(type: "multiplyBlendMode")
        layer.setValue(0.5, forKeyPath: "compositingFilter.inputAmount")
        #expect(layer.value(forKeyPath: "compositingFilter.inputAmount", as: Double.self) == 0.5)
        layer.setValue(false, forKeyPath: "compositingFilter.enabled")
        #expect(layer.properties.compositingMode == .normal && layer.takeFaults().isEmpty)
    }

    @Test("Images of filters travel once, are told apart, and are released when nobody has them")
    func images() {
        let layer = CALayer()
        context.rootLayer = layer
        _ = ops()
        let id = LayerID(1)
        func variable(_ image: CGImage) -> CAFilter {
            let filter = CAFilter(type: "variableBlur")
            filter.setValue(image, forKey: "inputMaskImage")
            return filter
        }
        func value(_ ids: UInt32...) -> PropertyValue {
            .filters(ids.map { LayerFilter(.variableBlur, inputs: [.inputMaskImage: .image(ImageID($0))]) })
        }
        do {
            let (a, b) = (image(), image())
            layer.contents = a
            layer.filters = [variable(a), variable(b)]
            layer.backgroundFilters = [variable(b)]
            #expect(
                ops() == [
                    .defineImage(ImageID(1), a.content), .defineImage(ImageID(2), b.content),
                    .set(id, .contents, .image(ImageID(1))), .set(id, .filters, value(1, 2)),
                    .set(id, .backgroundFilters, value(2)),
                ])
            layer.filters = [variable(a), variable(b)]
            #expect(ops().isEmpty)
            layer.filters = [variable(b), variable(a)]
            #expect(ops() == [.set(id, .filters, value(2, 1))])
            context.restart()
            #expect(ops().filter { if case .defineImage = $0 { true } else { false } }.count == 2)
        }
        layer.contents = nil
        layer.filters = nil
        // In the new session, the filters' images came before the contents.
        #expect(ops().last == .releaseImage(ImageID(2)))
        context.rootLayer = nil
        #expect(ops().isEmpty == false)
        layer.backgroundFilters = nil
        let other = CALayer()
        context.rootLayer = other
        #expect(ops().contains(.releaseImage(ImageID(1))))
    }

    @Test("A presentation copy has the effects of the last commit")
    func presentation() {
        let layer = CALayer()
        layer.filters = [blur(2)]
        layer.shadowColor = CGColor(gray: 0.25, alpha: 1)
        context.rootLayer = layer
        _ = ops()
        layer.filters = [blur(3)]
        layer.shadowColor = .white
        layer.shadowPath = CGPath(rect: rect(0, 0, 1, 1), transform: nil)
        layer.compositingFilter = "xor"
        let copy = layer.presentation()
        #expect(copy?.filters as? [CAFilter] == [blur(2)] && copy?.shadowPath == nil)
        #expect(copy?.shadowColor == CGColor(gray: 0.25, alpha: 1) && copy?.compositingFilter == nil)
        copy?.filters = []
        copy?.mask = CALayer()
        #expect(layer.mask == nil && layer.filters as? [CAFilter] == [blur(3)])
    }

    @Test("Actions are looked up for effects as for other properties")
    func actions() {
        final class Asking: CALayer, @unchecked Sendable {
            var asked: [String] = []
            override func action(forKey event: String) -> CAAction? {
                asked.append(event)
                return nil
            }
        }
        let layer = Asking()
        context.rootLayer = layer
        _ = ops()
        layer.asked = []
        layer.shadowOpacity = 1
        layer.shadowPath = CGPath(rect: rect(0, 0, 1, 1), transform: nil)
        layer.filters = [blur(1)]
        layer.compositingFilter = "xor"
        #expect(layer.asked == ["shadowOpacity", "shadowPath", "filters", "compositingFilter"])
    }
}
