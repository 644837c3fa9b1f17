import CoreAnimation
import LayerModel
import Testing

@Suite("Values of animations")
struct AnimationInputTests {
    /// Key path, from, to, and the value half way as key-value access gives it.
    nonisolated(unsafe) static let values: [(String, Any, Any, Any)] = [
        ("opacity", 0, 1, 0.5), ("opacity", Float(0), Double(1), 0.5), ("opacity", CGFloat(0), NSNumber(value: 1), 0.5),
        ("opacity", false, true, 0.5), ("hidden", false, true, true), ("hidden", true, false, true),
        ("position", CGPoint(x: 0, y: 2), CGPoint(x: 4, y: 4), CGPoint(x: 2, y: 3)),
        ("position.y", 2, 4, 3.0),
        ("shadowOffset", CGSize.zero, CGSize(width: 2, height: 4), CGSize(width: 1, height: 2)),
        (
            "bounds", CGRect(x: 0, y: 0, width: 2, height: 2), CGRect(x: 2, y: 0, width: 4, height: 6),
            CGRect(x: 1, y: 0, width: 3, height: 4)
        ),
        ("bounds.size", CGSize(width: 2, height: 2), CGSize(width: 4, height: 2), CGSize(width: 3, height: 2)),
        ("bounds.size.width", 2, 4, 3.0), ("transform.rotation.z", 0, Double.pi, Double.pi / 2),
        ("transform.rotation", 0, 1, 0.5), ("transform.scale", 1, 3, 2.0), ("transform.translation.x", 0, 8, 4.0),
        (
            "transform", CATransform3DIdentity, CATransform3DMakeTranslation(4, 0, 0),
            CATransform3DMakeTranslation(2, 0, 0)
        ),
        (
            "transform", CGAffineTransform.identity, CGAffineTransform(translationX: 4, y: 0),
            CATransform3DMakeTranslation(2, 0, 0)
        ),
        (
            "backgroundColor", CGColor(red: 0, green: 0, blue: 0, alpha: 1),
            CGColor(red: 1, green: 0, blue: 0.5, alpha: 1), CGColor(red: 0.5, green: 0, blue: 0.25, alpha: 1)
        ),
        (
            "backgroundColor", NSNull(), CGColor(red: 1, green: 1, blue: 1, alpha: 1),
            CGColor(red: 0.5, green: 0.5, blue: 0.5, alpha: 0.5)
        ),
        ("isHidden", false, true, true), ("shadowOpacity", 0, 1, 0.5), ("filters.soft.inputRadius", 0, 8, 4.0),
        ("filters.gaussianBlur.inputRadius", 0, 8, 4.0),
    ]

    @Test("Every kind of value that a key path takes is interpolated", arguments: 0..<values.count)
    func halfway(row: Int) throws {
        let (path, from, to, wanted) = Self.values[row]
        let clock = ManualClock()
        let layer = clock.addLayer()
        withoutActions { layer.filters = [blur(1, name: "soft")] }
        let animation = CABasicAnimation(keyPath: path)
        animation.fromValue = from
        animation.toValue = to
        animation.duration = 2
        layer.add(animation, forKey: "a")
        clock.go(to: 1)
        #expect(clock.context.takeFaults().isEmpty)
        let shown = try #require(layer.presentation()?.value(forKeyPath: path))
        switch (shown, wanted) {
        case (let shown as NSNumber, let wanted as Bool): #expect(shown.boolValue == wanted, "\(path)")
        case (let shown as NSNumber, let wanted as Double): #expect(abs(shown.doubleValue - wanted) < 1e-6, "\(path)")
        case (let shown as CATransform3D, let wanted as CATransform3D):
            #expect(CATransform3DEqualToTransform(shown, wanted), "\(path): \(shown)")
        default: #expect(shown as? AnyHashable == wanted as? AnyHashable, "\(path): \(shown)")
        }
    }

    @Test("Contents pass from image to image; presentation has the one that comes")
    func contents() {
        let clock = ManualClock()
        let layer = clock.addLayer()
        let (a, b) = (image(), image())
        let animation = CABasicAnimation(keyPath: "contents")
        animation.fromValue = a
        animation.toValue = b
        animation.duration = 2
        layer.add(animation, forKey: "a")
        let ops = clock.takeOps()
        let defined = ops.compactMap { if case .defineImage(let id, _) = $0 { id } else { nil } }
        #expect(defined.count == 2)
        guard case .property(let sent)? = ops.addedAnimations.first?.description.content else {
            Issue.record("no property animation was sent")
            return
        }
        #expect(sent.motion == .basic(MotionEnds(from: .image(defined[0]), to: .image(defined[1]))))
        clock.go(to: 1)
        #expect(layer.presentation()?.contents as? CGImage === b)
        clock.go(to: 2)
        #expect(layer.presentation()?.contents == nil)
    }

    @Test("Images of animations are released when nobody has them any more")
    func release() {
        let clock = ManualClock()
        let layer = clock.addLayer()
        do {
            let animation = CAKeyframeAnimation(keyPath: "contents")
            animation.values = [image(), image(), image()]
            animation.duration = 1
            layer.add(animation, forKey: "flip")
        }
        _ = clock.takeOps()
        clock.go(to: 2)
        withoutActions { layer.opacity = 0.5 }
        let released = clock.takeOps().filter { if case .releaseImage = $0 { true } else { false } }
        #expect(released.count == 3)
    }

    /// Animations that can't be shown, and a part of what is said of each.
    nonisolated(unsafe) static let wrong: [(String, (CABasicAnimation) -> Void, String)] = [
        ("position", { $0.toValue = 3 }, "CGPoint"), ("opacity", { $0.toValue = "a" }, "number"),
        ("opacity", { $0.toValue = Double.nan }, "finite"), ("bounds", { $0.fromValue = CGPoint.zero }, "CGRect"),
        ("position", { $0.fromValue = CGPoint(x: CGFloat.infinity, y: 0) }, "finite"),
        ("backgroundColor", { $0.toValue = 1 }, "CGColor"), ("contents", { $0.toValue = "x" }, "CGImage"),
        ("transform", { $0.toValue = 2 }, "CATransform3D"), ("opacity", { $0.duration = .nan }, "duration"),
        ("opacity", { $0.beginTime = .infinity }, "beginTime"), ("opacity", { $0.speed = .nan }, "speed"),
        ("opacity", { $0.timeOffset = .nan }, "timeOffset"), ("opacity", { $0.repeatCount = -1 }, "repeatCount"),
        ("opacity", { $0.repeatDuration = .nan }, "repeatDuration"),
        (
            "transform",
            {
                $0.valueFunction = CAValueFunction(name: .scale); $0.toValue = [1, 2]
            }, "three numbers"
        ),
    ]

    @Test(
        "What can't be is a fault that names layer, animation and key path, and ends like any other",
        arguments: 0..<wrong.count)
    func faults(row: Int) {
        let (path, spoil, word) = Self.wrong[row]
        let clock = ManualClock()
        let journal = Journal()
        let layer = clock.addLayer(name: "card")
        let animation = CABasicAnimation(keyPath: path)
        animation.duration = 1
        spoil(animation)
        animation.delegate = AnimationJournal("a", journal) { clock.time }
        CATransaction.begin()
        CATransaction.setCompletionBlock { journal.note("complete") }
        layer.add(animation, forKey: "grow")
        CATransaction.commit()
        let faults = clock.context.takeFaults()
        #expect(faults.count == 1)
        let text = faults.first?.description ?? ""
        #expect(text.contains("card") && text.contains("grow") && text.contains(word), "\(text)")
        clock.go(to: 5)
        #expect(journal.entries.last == "complete" && journal.entries.contains { $0.hasPrefix("a stop true") })
        #expect(layer.animationKeys() == nil)
    }

    @Test(
        "A key path that names nothing animatable is a warning with layer, animation and key path",
        arguments: ["nothing.at.all", "contentsGravity", "position.z", "frame", "filters.x", "bounds.size.depth"])
    func unknownKeyPaths(path: String) {
        let clock = ManualClock()
        let layer = clock.addLayer(name: "card \(path)")
        let animation = slide()
        animation.keyPath = path
        layer.add(animation, forKey: "grow")
        #expect(clock.takeOps().addedAnimations.isEmpty && layer.animationKeys() == ["grow"])
        let said = ClientWarnings.shared.messages.contains {
            $0.contains("card \(path)") && $0.contains("grow") && $0.contains("of \(path):")
        }
        #expect(said)
        clock.go(to: 2)
        #expect(layer.animationKeys() == nil)
    }

    @Test("No key frames, wrong key times, a mode that is none, groups in groups: nothing traps, everything ends")
    func keyframes() {
        let clock = ManualClock()
        let layer = clock.addLayer()
        let journal = Journal()
        func add(_ name: String, _ set: (CAKeyframeAnimation) -> Void) {
            let animation = CAKeyframeAnimation(keyPath: "position")
            animation.duration = 1
            set(animation)
            animation.delegate = AnimationJournal(name, journal) { clock.time }
            layer.add(animation, forKey: name)
        }
        add("empty") { _ in }
        add("none") { $0.values = [] }
        add("order") {
            $0.values = [CGPoint.zero, CGPoint(x: 8, y: 0), CGPoint(x: 4, y: 0)]
            $0.keyTimes = [0, 0.9, 0.2]
        }
        add("mode") {
            $0.values = [CGPoint.zero]
            $0.calculationMode = .init(rawValue: "wobbly")
        }
        add("path") { $0.path = CGMutablePath() }
        var group = CAAnimationGroup()
        for _ in 0..<40 {
            let outer = CAAnimationGroup()
            outer.animations = [group]
            group = outer
        }
        layer.add(group, forKey: "deep")
        clock.go(to: 0.5)
        // Key times out of order are ignored: half way is the second value.
        #expect(layer.presentation()?.position == CGPoint(x: 8, y: 0))
        clock.go(to: 2)
        #expect(layer.animationKeys() == nil)
        #expect(journal.entries.count { $0.contains("stop true") } == 5)
        #expect(clock.context.takeFaults().count == 1)
    }

    @Test("An animation without any end runs from what was on screen before the commit")
    func withoutEnds() {
        let clock = ManualClock()
        let layer = clock.addLayer()
        let animation = CABasicAnimation(keyPath: "opacity")
        animation.duration = 2
        withoutActions { layer.opacity = 0 }
        clock.go(to: 1)
        layer.add(animation, forKey: "a")
        withoutActions { layer.opacity = 1 }
        clock.go(to: 2)
        #expect(layer.presentation()?.opacity == 0.5)
    }
}

/// A layer with a value of its own, as it is written where there is no `@NSManaged`.
private final class GaugeLayer: CALayer, CALayerCopying, @unchecked Sendable {
    var progress: CGFloat {
        get { value(forKeyPath: "progress", as: CGFloat.self) ?? 0 }
        set { setValue(newValue, forKey: "progress") }
    }

    let journal: Journal

    init(journal: Journal) {
        self.journal = journal
        super.init()
    }

    required override init(layer: Any) {
        journal = (layer as? GaugeLayer)?.journal ?? Journal()
        super.init(layer: layer)
    }

    required init?(coder: NSCoder) { nil }

    override class func needsDisplay(forKey key: String) -> Bool {
        key == "progress" || super.needsDisplay(forKey: key)
    }
    override func display() { journal.note("\(progress)") }
}

@Suite("Keys of an app's own")
struct CustomKeyTests {
    @Test("An animated key is in the presentation copy, and the layer is displayed with it each time the clock moves")
    func animated() {
        let clock = ManualClock()
        let journal = Journal()
        let layer = GaugeLayer(journal: journal)
        layer.progress = 1
        clock.root.addSublayer(layer)
        _ = clock.takeOps()
        #expect(journal.entries == ["1.0"])
        journal.entries = []
        let animation = CABasicAnimation(keyPath: "progress")
        animation.fromValue = 0
        animation.duration = 2
        layer.add(animation, forKey: "fill")
        #expect(clock.takeOps().addedAnimations.isEmpty)
        clock.go(to: 0.5)
        #expect((layer.presentation() as GaugeLayer?)?.progress == 0.25)
        #expect(layer.progress == 1)
        clock.go(to: 1)
        clock.go(to: 2)
        #expect(journal.entries == ["0.25", "0.5", "1.0"])
        #expect(layer.animationKeys() == nil && layer.presentation()?.value(forKey: "progress") as? CGFloat == 1)
    }

    @Test("In a group an own key runs beside properties")
    func inGroup() {
        let clock = ManualClock()
        let layer = GaugeLayer(journal: Journal())
        clock.root.addSublayer(layer)
        _ = clock.takeOps()
        let own = CABasicAnimation(keyPath: "progress")
        own.fromValue = 0
        own.toValue = 4
        own.duration = 4
        let group = CAAnimationGroup()
        group.animations = [own, slide(4)]
        group.duration = 4
        layer.add(group, forKey: "g")
        clock.go(to: 1)
        #expect((layer.presentation() as GaugeLayer?)?.progress == 1)
        #expect(layer.presentation()?.position.x == 25)
    }
}

/// What is warned of is kept for the process: texts here have names of their own.
@Suite("Key paths of animations into what the layer does not have")
struct MissingPartTests {
    private func warnings(_ path: String, name: String, _ setUp: (CALayer, ManualClock) -> Void = { _, _ in })
        -> [String]
    {
        let clock = ManualClock()
        let layer = clock.addLayer()
        layer.name = name
        let animation = CABasicAnimation(keyPath: path)
        animation.toValue = 2
        animation.duration = 2
        layer.add(animation, forKey: "a")
        setUp(layer, clock)
        clock.go(to: 1)
        return ClientWarnings.shared.messages.filter { $0.contains(name) }.sorted()
    }

    @Test(
        "A filter, an input or an emitter cell that is not there is a warning with the layer, the key and the key path")
    func missing() {
        let filter = warnings("filters.nosuch.inputRadius", name: "missing filter") { layer, _ in
            layer.filters = [blur(1, name: "soft")]
        }
        #expect(filter.count == 1, "\(filter)")
        let said = filter.first ?? ""
        #expect(
            said.contains("animation \"a\" of filters.nosuch.inputRadius") && said.contains("there is soft"), "\(said)")
        let input = warnings("filters.soft.inputAngle", name: "missing input") { layer, _ in
            layer.filters = [blur(1, name: "soft")]
        }
        #expect(input.first?.contains("a gaussianBlur has no inputAngle") == true, "\(input)")
        let plain = warnings("emitterCells.nosuch.scale", name: "plain cell")
        #expect(plain.count == 1 && plain.first?.contains("nothing of that name") == true, "\(plain)")
    }

    @Test("What the layer gets after the animation, but before the commit, is there")
    func late() {
        let said = warnings("filters.soft.inputRadius", name: "late filter") { layer, _ in
            layer.filters = [blur(1, name: "soft")]
        }
        #expect(said.isEmpty, "\(said)")
    }

    @Test("An animation of all filters may bring the one that is named")
    func whole() {
        let said = warnings("filters.soft.inputRadius", name: "animated filters") { layer, _ in
            let animation = CABasicAnimation(keyPath: "filters")
            (animation.fromValue, animation.toValue) = ([blur(1, name: "soft")], [blur(4, name: "soft")])
            animation.duration = 2
            layer.add(animation, forKey: "b")
        }
        #expect(said.isEmpty, "\(said)")
    }
}
