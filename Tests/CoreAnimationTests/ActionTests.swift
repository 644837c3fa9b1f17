import CoreAnimation
import LayerModel
import Testing

private final class NotedAction: CAAction {
    let name: String
    let journal: Journal
    init(_ name: String, _ journal: Journal) {
        self.name = name
        self.journal = journal
    }
    func run(forKey event: String, object anObject: Any, arguments dict: [AnyHashable: Any]?) {
        journal.note("\(name) \(event) \((anObject as? CALayer)?.opacity ?? -1)")
    }
}

private final class ActionDelegate: CALayerDelegate {
    var answer: CAAction?
    var asked: [String] = []
    var opacities: [Float] = []
    func action(for layer: CALayer, forKey event: String) -> CAAction? {
        asked.append(event)
        opacities.append(layer.opacity)
        return answer
    }
}

@Suite("Actions")
struct ActionTests {
    private func name(_ action: CAAction?) -> String? { (action as? NotedAction)?.name }

    @Test("The search goes delegate, actions, style, class; NSNull anywhere ends it with nil")
    func search() {
        final class Classy: CALayer, @unchecked Sendable {
            override class func defaultAction(forKey event: String) -> CAAction? { NotedAction("class", Journal()) }
        }
        let layer = Classy()
        let delegate = ActionDelegate()
        layer.delegate = delegate
        #expect(name(layer.action(forKey: "opacity")) == "class")
        let nested: [AnyHashable: Any] = ["actions": ["opacity": NotedAction("nested", Journal())] as [String: Any]]
        layer.style = ["style": nested]
        #expect(name(layer.action(forKey: "opacity")) == "nested")
        layer.style = ["style": nested, "actions": ["opacity": NotedAction("style", Journal())] as [String: Any]]
        #expect(name(layer.action(forKey: "opacity")) == "style")
        layer.actions = ["opacity": NotedAction("actions", Journal())]
        #expect(name(layer.action(forKey: "opacity")) == "actions")
        delegate.answer = NotedAction("delegate", Journal())
        #expect(name(layer.action(forKey: "opacity")) == "delegate")
        delegate.answer = NSNull()
        #expect(layer.action(forKey: "opacity") == nil)
        delegate.answer = nil
        layer.actions = ["opacity": NSNull()]
        #expect(layer.action(forKey: "opacity") == nil)
        #expect(name(layer.action(forKey: "bounds")) == "class")
    }

    @Test("A bare layer has no action, and disableActions does not change the search")
    func bare() {
        let layer = CALayer()
        #expect(layer.action(forKey: "position") == nil)
        layer.actions = ["position": NotedAction("a", Journal())]
        CATransaction.begin()
        CATransaction.setDisableActions(true)
        #expect(name(layer.action(forKey: "position")) == "a")
        CATransaction.commit()
    }

    @Test("A committed layer looks for actions before a value is stored, and runs them after")
    func run() {
        let journal = Journal()
        let layer = CALayer()
        let delegate = ActionDelegate()
        delegate.answer = NotedAction("ran", journal)
        layer.delegate = delegate
        layer.opacity = 0.9
        #expect(delegate.asked.isEmpty)
        let context = LayerContext()
        context.rootLayer = layer
        layer.opacity = 0.8
        #expect(delegate.asked.isEmpty)
        _ = context.takeTransaction(time: 0)
        layer.opacity = 0.25
        layer.opacity = 0.25
        layer.contentsGravity = .top
        #expect(delegate.asked == ["opacity"])
        #expect(delegate.opacities == [0.8])
        #expect(journal.entries == ["ran opacity 0.25"])
        layer.setValue(1, forKey: "progress")
        #expect(delegate.asked == ["opacity", "progress"])
    }

    @Test("With disableActions no action is looked for")
    func disabled() {
        let layer = CALayer()
        let delegate = ActionDelegate()
        layer.delegate = delegate
        let context = LayerContext()
        context.rootLayer = layer
        _ = context.takeTransaction(time: 0)
        CATransaction.begin()
        CATransaction.setDisableActions(true)
        layer.opacity = 0
        CATransaction.begin()
        layer.opacity = 0.1
        layer.setValue(1, forKey: "progress")
        CATransaction.setDisableActions(false)
        layer.opacity = 0.2
        CATransaction.commit()
        layer.opacity = 0.3
        CATransaction.commit()
        #expect(delegate.opacities == [0.1])
    }
}

// MARK: Subclasses as they are written for Apple's platforms

private class RingLayer: CALayer, @unchecked Sendable {
    var progress: CGFloat = 0.5

    override init() {
        super.init()
        opacity = 0.5
    }

    override init(layer: Any) {
        super.init(layer: layer)
        if let ring = layer as? RingLayer { progress = ring.progress }
    }

    required init?(coder: NSCoder) { fatalError("init(coder:) has not been implemented") }
}

private final class CopyingLayer: CALayer, CALayerCopying, @unchecked Sendable {
    var progress: CGFloat = 0

    override init() { super.init() }

    required override init(layer: Any) {
        super.init(layer: layer)
        if let layer = layer as? CopyingLayer { progress = layer.progress }
    }

    required init?(coder: NSCoder) { super.init(coder: coder) }
}

/// Has no `init(layer:)` of its own: Swift makes one that traps.
private final class OwnInitializer: CALayer, @unchecked Sendable {
    let size: CGFloat
    init(size: CGFloat) {
        self.size = size
        super.init()
    }
    required init?(coder: NSCoder) { nil }
}

@Suite("Subclasses and presentation")
struct PresentationTests {
    @Test("An Apple-style subclass compiles and copies itself")
    func appleStyle() {
        let ring = RingLayer()
        ring.progress = 0.7
        ring.cornerRadius = 3
        let copy = RingLayer(layer: ring)
        #expect(copy.progress == 0.7 && copy.cornerRadius == 3 && copy.opacity == 0.5)
        #expect(copy.superlayer == nil)
    }

    @Test("A layer has no presentation before its first commit, and the committed values after it")
    func committedValues() throws {
        let context = LayerContext()
        let root = layer(0, 0, 10, 10)
        #expect(root.presentation() == nil)
        context.rootLayer = root
        #expect(root.presentation() == nil)
        _ = context.takeTransaction(time: 0)
        let color = CGColor(.white)
        withoutActions {
            root.position = point(70, 80)
            root.backgroundColor = color
            root.contents = image()
        }
        let presentation = try #require(root.presentation())
        #expect(presentation.position == point(5, 5))
        #expect(presentation.backgroundColor == nil && presentation.contents == nil)
        #expect(presentation.model() === root && root.model() === root)
        _ = context.takeTransaction(time: 0)
        #expect(root.presentation()?.position == point(70, 80))
        #expect(root.presentation()?.backgroundColor === color)
    }

    @Test("The tree around a presentation copy is of presentation copies, and can be hit and converted through")
    func presentationTree() throws {
        let context = LayerContext()
        let (root, child) = (layer(0, 0, 100, 100), layer(10, 20, 10, 10))
        root.addSublayer(child)
        context.rootLayer = root
        _ = context.takeTransaction(time: 0)
        child.position = point(80, 80)
        let shown = try #require(root.presentation())
        #expect(shown.sublayers?.first?.model() === child)
        #expect(shown.sublayers?.first?.position == point(15, 25))
        #expect(child.presentation()?.superlayer?.model() === root)
        #expect(shown.hitTest(point(15, 25))?.model() === child)
        #expect(root.hitTest(point(15, 25)) === root)
        #expect(child.presentation()?.convert(point(0, 0), to: shown) == point(10, 20))
        shown.addSublayer(CALayer())
        root.addSublayer(shown)
        #expect(root.sublayers == [child])
    }

    @Test("A presentation copy is of the layer's own class only where the class promises its initializer")
    func copyClasses() throws {
        let context = LayerContext()
        let root = CALayer()
        let (copying, plain, space) = (CopyingLayer(), OwnInitializer(size: 3), CATransformLayer())
        copying.progress = 0.25
        root.sublayers = [copying, plain, space, RingLayer()]
        context.rootLayer = root
        _ = context.takeTransaction(time: 0)
        let copy: CopyingLayer? = copying.presentation()
        #expect(copy?.progress == 0.25)
        #expect(type(of: try #require(plain.presentation())) == CALayer.self)
        let spaceCopy: CATransformLayer? = space.presentation()
        #expect(spaceCopy != nil)
        #expect(root.presentation()?.sublayers?.count == 4)
    }

    @Test("Layers are equal to themselves only, and can be in sets")
    func identity() {
        let (a, b) = (CALayer(), CALayer())
        #expect(a == a && a != b)
        #expect(Set([a, b, a]).count == 2)
        #expect(layer(0, 0, 1, 1, name: "x").description == "CALayer \"x\"")
    }
}
