import CoreAnimation
import LayerModel
import Testing

@Suite("Shape layers")
struct ShapeLayerTests {
    private let context = LayerContext()

    private func ops() -> [TransactionOp] { (context.takeTransaction(time: 0)?.ops ?? []).ofValues }

    private func path(_ points: [(Double, Double)]) -> CGMutablePath {
        let path = CGMutablePath()
        path.addLines(between: points.map { CGPoint(x: $0.0, y: $0.1) })
        return path
    }

    @Test("Core Animation's defaults")
    func defaults() {
        let layer = CAShapeLayer()
        #expect(layer.path == nil && layer.fillColor == CGColor.black && layer.fillRule == .nonZero)
        #expect(layer.strokeColor == nil && layer.strokeStart == 0 && layer.strokeEnd == 1 && layer.lineWidth == 1)
        #expect(layer.miterLimit == 10 && layer.lineCap == .butt && layer.lineJoin == .miter)
        #expect(layer.lineDashPhase == 0 && layer.lineDashPattern == nil)
        #expect(CAShapeLayer.defaultValue(forKey: "lineWidth") as? NSNumber == 1)
        #expect(CAShapeLayer.defaultValue(forKey: "lineJoin") as? String == "miter")
        #expect(CALayer.defaultValue(forKey: "lineWidth") == nil)
    }

    @Test("Values read back as they were set, and travel as changes")
    func values() throws {
        let layer = CAShapeLayer()
        context.rootLayer = layer
        #expect(ops().first == .createLayer(LayerID(1), .shapeLayer))
        layer.path = path([(0, 0), (10, 5)])
        layer.fillColor = nil
        layer.fillRule = .evenOdd
        layer.strokeColor = CGColor(red: 1, green: 0, blue: 0, alpha: 1)
        layer.strokeStart = 0.25
        layer.strokeEnd = 0.75
        layer.lineWidth = 3
        layer.miterLimit = 4
        layer.lineCap = .round
        layer.lineJoin = .bevel
        layer.lineDashPhase = 2
        layer.lineDashPattern = [5, 2.5]
        let id = LayerID(1)
        let line = try #require(
            VectorPath(verbs: [.move, .line], points: [Point(0, 0), Point(10, 5)]))
        #expect(
            ops() == [
                .set(id, .path, .path(line)), .set(id, .fillColor, .color(nil)), .set(id, .fillRule, .code(1)),
                .set(id, .strokeColor, .color(Color(1, 0, 0))), .set(id, .strokeStart, .number(0.25)),
                .set(id, .strokeEnd, .number(0.75)), .set(id, .lineWidth, .number(3)),
                .set(id, .miterLimit, .number(4)), .set(id, .lineCap, .code(1)), .set(id, .lineJoin, .code(2)),
                .set(id, .lineDashPhase, .number(2)), .set(id, .lineDashPattern, .numbers([5, 2.5])),
            ])
        #expect(layer.lineDashPattern == [5, 2.5] && layer.lineCap == .round && layer.lineJoin == .bevel)
        let copy = CAShapeLayer(layer: layer)
        #expect(
            copy.path == layer.path && copy.lineWidth == 3 && copy.fillColor == nil && copy.lineDashPattern == [5, 2.5])
    }

    @Test("The path is a copy")
    func copies() {
        let layer = CAShapeLayer()
        let mutable = path([(0, 0), (4, 4)])
        layer.path = mutable
        mutable.addLine(to: CGPoint(x: 9, y: 9))
        #expect(layer.path?.boundingBox == CGRect(x: 0, y: 0, width: 4, height: 4))
    }

    @Test("What can't be is refused with a fault, and the old value stays")
    func refusals() {
        let layer = CAShapeLayer()
        layer.lineWidth = .nan
        layer.path = path([(0, 0), (.infinity, 4)])
        layer.lineDashPattern = [NSNumber(value: Double.nan)]
        layer.lineDashPattern = [NSNumber](repeating: 1, count: 2_000)
        layer.setValue("wide", forKey: "lineWidth")
        layer.setValue(3, forKey: "path")
        layer.setValue(["a"], forKey: "lineDashPattern")
        #expect(layer.lineWidth == 1 && layer.path == nil && layer.lineDashPattern == nil)
        let faults = layer.takeFaults()
        #expect(
            faults.map(\.key) == [
                "lineWidth", "path", "lineDashPattern", "lineDashPattern", "lineWidth", "path", "lineDashPattern",
            ])
        #expect(faults.count > 3 && faults[3].message.contains("at most 1024 numbers, not 2000"))
    }

    @Test("An unknown name counts as the default")
    func names() {
        let layer = CAShapeLayer()
        layer.lineCap = CAShapeLayerLineCap(rawValue: "pointed")
        layer.lineJoin = CAShapeLayerLineJoin(rawValue: "soft")
        layer.fillRule = CAShapeLayerFillRule(rawValue: "odd")
        #expect(layer.lineCap == .butt && layer.lineJoin == .miter && layer.fillRule == .nonZero)
    }

    @Test("Key-value access has every property by its name; nil takes objects away and sets others to their default")
    func keyValue() {
        let layer = CAShapeLayer()
        let values: [(String, Any)] = [
            ("path", path([(0, 0), (1, 1)])), ("fillColor", CGColor(gray: 0.5, alpha: 1)), ("fillRule", "even-odd"),
            ("strokeColor", CGColor(gray: 1, alpha: 1)), ("strokeStart", 0.5), ("strokeEnd", 0.6), ("lineWidth", 2),
            ("miterLimit", 3), ("lineCap", "round"), ("lineJoin", "bevel"), ("lineDashPhase", 4),
            ("lineDashPattern", [1, 2]),
        ]
        for (key, value) in values {
            layer.setValue(value, forKey: key)
            #expect(layer.value(forKey: key) != nil, "\(key)")
        }
        #expect(layer.fillRule == .evenOdd && layer.lineCap == .round && layer.lineDashPattern == [1, 2])
        #expect(layer.value(forKeyPath: "lineWidth", as: CGFloat.self) == 2)
        for (key, _) in values { layer.setValue(nil, forKey: key) }
        #expect(layer.path == nil && layer.fillColor == nil && layer.strokeColor == nil && layer.lineDashPattern == nil)
        #expect(layer.lineWidth == 1 && layer.strokeEnd == 1 && layer.lineCap == .butt && layer.miterLimit == 10)
        // On a plain layer they are keys of the app's own.
        let plain = CALayer()
        plain.setValue(7, forKey: "lineWidth")
        #expect(plain.value(forKey: "lineWidth") as? Int == 7 && plain.takeFaults().isEmpty)
    }

    nonisolated(unsafe) static let implied: [(String, Any, Bool)] = [
        ("path", CGPath(rect: CGRect(x: 0, y: 0, width: 2, height: 2), transform: nil), false),
        ("fillColor", CGColor(gray: 1, alpha: 1), true), ("fillRule", "even-odd", false),
        ("strokeColor", CGColor(gray: 1, alpha: 1), true), ("strokeStart", 0.5, true), ("strokeEnd", 0.5, true),
        ("lineWidth", 5, true), ("miterLimit", 2, true), ("lineCap", "round", false), ("lineJoin", "round", false),
        ("lineDashPhase", 4, true), ("lineDashPattern", [3, 3], false),
    ]

    @Test("What has something in between animates implicitly, but for the path", arguments: 0..<12)
    func impliedAnimations(row: Int) {
        let (key, value, isImplied) = Self.implied[row]
        let clock = ManualClock()
        let layer = CAShapeLayer()
        clock.root.addSublayer(layer)
        _ = clock.takeOps()
        layer.setValue(value, forKey: key)
        #expect((layer.animation(forKey: key) != nil) == isImplied, "\(key)")
    }

    @Test("A presentation copy has the animated values")
    func presentation() throws {
        let clock = ManualClock()
        let layer = CAShapeLayer()
        clock.root.addSublayer(layer)
        _ = clock.takeOps()
        let animation = CABasicAnimation(keyPath: \CAShapeLayer.strokeEnd)
        #expect(animation.keyPath == "strokeEnd")
        animation.fromValue = 0
        animation.toValue = 1
        animation.duration = 2
        layer.add(animation, forKey: "grow")
        clock.go(to: 0.5)
        #expect(layer.presentation()?.strokeEnd == 0.25)
    }

    @Test("Paths of equal elements have something in between; of others the second shows at once")
    func paths() throws {
        let clock = ManualClock()
        let layer = CAShapeLayer()
        clock.root.addSublayer(layer)
        _ = clock.takeOps()
        let animation = CABasicAnimation(keyPath: "path")
        animation.fromValue = path([(0, 0), (10, 0)])
        animation.toValue = path([(0, 10), (20, 0)])
        animation.duration = 2
        layer.add(animation, forKey: "morph")
        clock.go(to: 1)
        #expect(layer.presentation()?.path == path([(0, 5), (15, 0)]))
        let other = CABasicAnimation(keyPath: "path")
        other.fromValue = path([(0, 0), (10, 0)])
        other.toValue = path([(0, 0), (10, 0), (10, 10)])
        other.duration = 2
        layer.add(other, forKey: "morph")
        clock.go(to: 1.5)
        #expect(layer.presentation()?.path == path([(0, 0), (10, 0), (10, 10)]))
    }
}
