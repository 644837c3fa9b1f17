import CoreAnimation
import LayerModel
import Testing

@Suite("Implied animations")
struct ImpliedAnimationTests {
    @Test("A change of a committed layer's property runs from what is on screen, for 0.25 s with the default curve")
    func basic() throws {
        let clock = ManualClock()
        let layer = clock.addLayer()
        layer.position = CGPoint(x: 40, y: 20)
        let animation = try #require(layer.animation(forKey: "position") as? CABasicAnimation)
        #expect(animation.keyPath == "position" && animation.fromValue as? CGPoint == .zero)
        #expect(animation.toValue == nil && animation.duration == 0.25)
        #expect(clock.takeOps().addedAnimations.first?.description.curve == .standard)
        clock.go(to: 0.125)
        // y of the default curve at a half: 0.802403, measured.
        let shown = try #require(layer.presentation()?.position)
        #expect(abs(shown.x - 40 * 0.802403) < 1e-4 && abs(shown.y - 20 * 0.802403) < 1e-4)
        clock.go(to: 0.25)
        #expect(layer.animationKeys() == nil && layer.presentation()?.position == CGPoint(x: 40, y: 20))
    }

    @Test("The transaction's duration and timing function hold; a duration of 0 implies nothing")
    func settings() {
        let clock = ManualClock()
        let layer = clock.addLayer()
        CATransaction.begin()
        CATransaction.setAnimationDuration(2)
        CATransaction.setAnimationTimingFunction(CAMediaTimingFunction(name: .linear))
        layer.opacity = 0
        CATransaction.commit()
        clock.go(to: 1)
        #expect(layer.presentation()?.opacity == 0.5)
        CATransaction.begin()
        CATransaction.setAnimationDuration(0)
        layer.zPosition = 3
        CATransaction.commit()
        #expect(layer.animation(forKey: "zPosition") == nil)
    }

    /// Table of the reference, §1.1: what is implied when a property changes.
    nonisolated(unsafe) static let table: [(String, Any, String?)] = [
        ("bounds", CGRect(x: 0, y: 0, width: 3, height: 4), "bounds"), ("position", CGPoint(x: 1, y: 1), "position"),
        ("zPosition", 1, "zPosition"), ("anchorPoint", CGPoint.zero, "anchorPoint"),
        ("anchorPointZ", 1, "anchorPointZ"),
        ("transform", CATransform3DMakeScale(2, 2, 1), "transform"), ("hidden", true, "hidden"),
        ("doubleSided", false, nil), ("geometryFlipped", true, nil),
        ("sublayerTransform", CATransform3DMakeScale(2, 2, 1), "sublayerTransform"), ("mask", CALayer(), nil),
        ("masksToBounds", true, "masksToBounds"), ("contents", image(), "contents"),
        ("contentsRect", CGRect(x: 0, y: 0, width: 0.5, height: 1), "contentsRect"),
        ("contentsGravity", "center", nil), ("contentsScale", 2, "contentsScale"),
        ("contentsCenter", CGRect(x: 0, y: 0, width: 0.5, height: 1), "contentsCenter"),
        ("minificationFilter", "nearest", nil), ("minificationFilterBias", 1, "minificationFilterBias"),
        ("opaque", true, nil), ("edgeAntialiasingMask", 1, nil), ("allowsEdgeAntialiasing", false, nil),
        ("backgroundColor", CGColor(gray: 1, alpha: 1), "backgroundColor"), ("cornerRadius", 1, "cornerRadius"),
        ("borderWidth", 1, "borderWidth"), ("borderColor", CGColor(gray: 1, alpha: 1), "borderColor"),
        ("opacity", 0.5, "opacity"), ("allowsGroupOpacity", false, nil),
        ("compositingFilter", "multiplyBlendMode", "transition"), ("backgroundFilters", [blur(3)], "transition"),
        ("shadowColor", CGColor(gray: 1, alpha: 1), "shadowColor"), ("shadowOpacity", 1, "shadowOpacity"),
        ("shadowOffset", CGSize(width: 1, height: 1), "shadowOffset"), ("shadowRadius", 1, "shadowRadius"),
        ("shadowPath", CGPath(rect: CGRect(x: 0, y: 0, width: 1, height: 1)), "shadowPath"),
        ("rasterizationScale", 2, "rasterizationScale"), ("name", "x", nil), ("speed", 2, nil),
    ]

    @Test("What each property implies", arguments: 0..<table.count)
    func implied(row: Int) {
        let (key, value, animation) = Self.table[row]
        let clock = ManualClock()
        let layer = clock.addLayer()
        layer.setValue(value, forKey: key)
        #expect(layer.animationKeys() ?? [] == [animation].compactMap { $0 }, "\(key)")
        #expect(clock.context.takeFaults().isEmpty)
    }

    @Test("A layer that no display has, or that came in this turn, has none; with disabled actions none either")
    func none() {
        let clock = ManualClock()
        let layer = CALayer()
        layer.opacity = 0.5
        clock.root.addSublayer(layer)
        layer.opacity = 0.25
        #expect(layer.animationKeys() == nil)
        _ = clock.takeOps()
        withoutActions { layer.opacity = 0.75 }
        layer.opacity = 0.75
        #expect(layer.animationKeys() == nil)
        layer.opacity = 1
        #expect(layer.animationKeys() == ["opacity"])
    }

    @Test("A mask's properties animate implicitly too")
    func mask() {
        let clock = ManualClock()
        let layer = clock.addLayer()
        let mask = CALayer()
        layer.mask = mask
        _ = clock.takeOps()
        mask.cornerRadius = 4
        #expect(mask.animationKeys() == ["cornerRadius"])
    }

    @Test("A second change replaces the first, from what is on screen, also before a commit came between")
    func replaced() {
        let clock = ManualClock()
        let layer = clock.addLayer()
        CATransaction.begin()
        CATransaction.setAnimationTimingFunction(CAMediaTimingFunction(name: .linear))
        layer.position.x = 100
        CATransaction.commit()
        clock.go(to: 0.125)
        layer.position.x = 500
        layer.position.x = 0
        #expect((layer.animation(forKey: "position") as? CABasicAnimation)?.fromValue as? CGPoint == point(50, 0))
        #expect(layer.presentation()?.position.x == 50)
        _ = clock.takeOps()
        #expect(layer.presentation()?.position.x == 50)
    }

    @Test("NSNull anywhere in the search, and a class that answers nil itself, imply nothing")
    func stopped() {
        final class Calm: CALayer, @unchecked Sendable {
            override func action(forKey event: String) -> CAAction? { nil }
        }
        let clock = ManualClock()
        let layer = clock.addLayer()
        layer.actions = ["opacity": NSNull()]
        layer.opacity = 0
        layer.actions = nil
        layer.style = ["actions": ["opacity": NSNull()] as [String: Any]]
        layer.opacity = 1
        let calm = Calm()
        clock.root.addSublayer(calm)
        _ = clock.takeOps()
        calm.opacity = 0
        #expect(layer.animationKeys() == nil && calm.animationKeys() == nil)
    }

    @Test(
        "An animation as an action is added under the event's key; a basic one without ends runs from the screen's value"
    )
    func animationAsAction() throws {
        let clock = ManualClock()
        let layer = clock.addLayer()
        let action = CABasicAnimation()
        action.duration = 2
        layer.actions = ["opacity": action]
        layer.style = ["actions": ["zPosition": CABasicAnimation(keyPath: "position")] as [String: Any]]
        layer.opacity = 0
        layer.zPosition = 1
        let added = try #require(layer.animation(forKey: "opacity") as? CABasicAnimation)
        #expect(added !== action && added.keyPath == "opacity" && added.duration == 2)
        #expect((added.fromValue as? NSNumber)?.doubleValue == 1)
        #expect((layer.animation(forKey: "zPosition") as? CABasicAnimation)?.keyPath == "position")
        clock.go(to: 1)
        #expect(layer.presentation()?.opacity == 0.5)
    }

    @Test("Layers that come and go, sublayers and replacements run what actions say under their event keys")
    func events() {
        struct Noted: CAAction {
            let journal: Journal
            func run(forKey event: String, object anObject: Any, arguments dict: [AnyHashable: Any]?) {
                journal.note("\((anObject as? CALayer)?.name ?? "") \(event)")
            }
        }
        let journal = Journal()
        let clock = ManualClock()
        let parent = clock.addLayer(name: "parent")
        let child = CALayer()
        child.name = "child"
        let keys = [kCAOnOrderIn, kCAOnOrderOut, kCATransition, "sublayers", "mask"]
        for layer in [parent, child] {
            layer.actions = Dictionary(uniqueKeysWithValues: keys.map { ($0, Noted(journal: journal)) })
        }
        parent.addSublayer(child)
        #expect(journal.entries == ["parent sublayers", "child onOrderIn"])
        _ = clock.takeOps()
        journal.entries = []
        child.isHidden = true
        child.isHidden = false
        parent.mask = CALayer()
        #expect(journal.entries == ["child onOrderOut", "child onOrderIn", "parent mask"])
        journal.entries = []
        let other = CALayer()
        parent.replaceSublayer(child, with: other)
        other.removeFromSuperlayer()
        #expect(
            journal.entries == ["child onOrderOut", "parent transition", "parent sublayers", "parent sublayers"])
        journal.entries = []
        parent.sublayers = [other, child]
        parent.sublayers = [other]
        #expect(
            journal.entries == ["parent sublayers", "child onOrderIn", "child onOrderOut", "parent sublayers"])
        journal.entries = []
        parent.sublayers = nil
        clock.root.addSublayer(child)
        _ = clock.takeOps()
        child.removeFromSuperlayer()
        #expect(
            journal.entries == ["parent sublayers", "child onOrderIn", "child onOrderOut"])
        journal.entries = []
        parent.addSublayer(other)
        clock.root.addSublayer(other)
        #expect(journal.entries == ["parent sublayers", "parent sublayers"])
        journal.entries = []
        withoutActions { parent.addSublayer(child) }
        #expect(journal.entries.isEmpty)
    }

    @Test("Filters that differ in their inputs run through what is between; others change at once")
    func filters() throws {
        let clock = ManualClock()
        let layer = clock.addLayer()
        withoutActions { layer.filters = [blur(2)] }
        CATransaction.begin()
        CATransaction.setAnimationTimingFunction(CAMediaTimingFunction(name: .linear))
        layer.filters = [blur(6)]
        CATransaction.commit()
        clock.go(to: 0.125)
        let shown = try #require(layer.presentation()?.filters?.first as? CAFilter)
        #expect((shown.value(forKey: "inputRadius") as? NSNumber)?.doubleValue == 4)
        layer.filters = nil
        #expect(layer.animationKeys() == ["filters"])
        clock.go(to: 1)
        layer.filters = [blur(1), blur(2)]
        #expect(layer.animationKeys() == nil)
    }
}
