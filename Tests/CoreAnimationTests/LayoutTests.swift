import CoreAnimation
import Glibc
import LayerModel
import Testing

/// Notes each layout and display in a journal.
private final class Probe: CALayer, @unchecked Sendable {
    var journal = Journal()
    var onLayout: ((Probe) -> Void)?
    var onDisplay: ((Probe) -> Void)?

    convenience init(_ name: String, _ journal: Journal) {
        self.init()
        self.name = name
        self.journal = journal
    }

    override func layoutSublayers() {
        journal.note(name ?? "")
        super.layoutSublayers()
        onLayout?(self)
    }

    override func display() {
        journal.note("display \(name ?? "")")
        super.display()
        onDisplay?(self)
    }
}

@Suite("Layout and display")
struct LayoutTests {
    @Test("A commit tells how long layout and display took, once")
    func phases() {
        let journal = Journal()
        let root = Probe("root", journal)
        let context = LayerContext()
        context.rootLayer = root
        _ = context.takeTransaction(time: 0)
        _ = context.takePhases()
        root.onLayout = { _ in usleep(4_000) }
        root.onDisplay = { _ in usleep(2_000) }
        root.setNeedsLayout()
        root.setNeedsDisplay()
        root.opacity = 0.5
        #expect(context.takeTransaction(time: 1) != nil)
        let phases = context.takePhases()
        #expect(phases.layout >= 4_000_000 && phases.display >= 2_000_000 && phases.encode > 0, "\(phases)")
        let none = context.takePhases()
        #expect(none.layout == 0 && none.display == 0 && none.encode == 0)
    }

    /// a > b > c, all clean.
    private func chain() -> (Probe, Probe, Probe, Journal) {
        let journal = Journal()
        let (a, b, c) = (Probe("a", journal), Probe("b", journal), Probe("c", journal))
        a.addSublayer(b)
        b.addSublayer(c)
        a.layoutIfNeeded()
        journal.entries = []
        return (a, b, c, journal)
    }

    @Test("Adding marks the parent, not the child")
    func addingMarksParent() {
        let (parent, child) = (CALayer(), CALayer())
        parent.addSublayer(child)
        #expect(parent.needsLayout() && !child.needsLayout())
        parent.layoutIfNeeded()
        #expect(!parent.needsLayout())
        child.removeFromSuperlayer()
        #expect(parent.needsLayout())
    }

    @Test("Bounds mark a layer, by size and by origin; position and transform do not")
    func whatMarks() {
        let layer = CALayer()
        layer.position = point(1, 1)
        layer.transform = CATransform3DMakeScale(2, 2, 2)
        #expect(!layer.needsLayout())
        layer.bounds.origin = point(1, 1)
        #expect(layer.needsLayout())
        layer.layoutIfNeeded()
        layer.bounds.size = CGSize(width: 1, height: 1)
        #expect(layer.needsLayout())
        layer.layoutIfNeeded()
        layer.bounds = layer.bounds
        #expect(!layer.needsLayout())
    }

    @Test("layoutIfNeeded starts at the highest ancestor that is dirty without a gap, and goes down")
    func highestContiguous() {
        let (a, b, c, journal) = chain()
        a.setNeedsLayout()
        b.setNeedsLayout()
        c.setNeedsLayout()
        c.layoutIfNeeded()
        #expect(journal.entries == ["a", "b", "c"])
        journal.entries = []
        a.setNeedsLayout()
        c.setNeedsLayout()
        c.layoutIfNeeded()
        #expect(journal.entries == ["c"])
        #expect(a.needsLayout())
        c.layoutIfNeeded()
        #expect(journal.entries == ["c"])
        b.layoutIfNeeded()
        #expect(journal.entries == ["c", "a"])
    }

    @Test("Dirty layers below a clean one are laid out")
    func belowClean() {
        let (a, _, c, journal) = chain()
        c.setNeedsLayout()
        a.layoutIfNeeded()
        #expect(journal.entries == ["c"])
    }

    @Test("Layers that become dirty while laying out are laid out in the same call")
    func cascade() {
        let (a, b, c, journal) = chain()
        a.onLayout = { _ in b.bounds.size.width += 1 }
        b.onLayout = { _ in c.bounds.size.width += 1 }
        a.setNeedsLayout()
        a.layoutIfNeeded()
        #expect(journal.entries == ["a", "b", "c"])
        #expect(!a.needsLayout() && !b.needsLayout() && !c.needsLayout())
    }

    @Test("A sibling that is marked behind the pass is laid out, too")
    func behindThePass() {
        let journal = Journal()
        let (root, first, second) = (Probe("root", journal), Probe("first", journal), Probe("second", journal))
        root.sublayers = [first, second]
        root.layoutIfNeeded()
        journal.entries = []
        var once = true
        second.onLayout = { _ in
            if once { first.setNeedsLayout() }
            once = false
        }
        second.setNeedsLayout()
        root.layoutIfNeeded()
        #expect(journal.entries == ["second", "first"])
    }

    @Test("A layer that marks itself in every layout ends after a bounded number of passes, with a fault at commit")
    func neverSettles() {
        let journal = Journal()
        let root = Probe("root", journal)
        root.onLayout = { $0.setNeedsLayout() }
        root.setNeedsLayout()
        root.layoutIfNeeded()
        #expect(journal.entries.count == 16)
        let context = LayerContext()
        context.rootLayer = root
        #expect(context.takeTransaction(time: 0) != nil)
        #expect(context.takeFaults().map(\.key) == ["layout"])
    }

    @Test("Calling layoutSublayers does not clear the mark")
    func directCall() {
        let layer = CALayer()
        layer.setNeedsLayout()
        layer.layoutSublayers()
        #expect(layer.needsLayout())
    }

    private final class Manager: CALayoutManager {
        let journal: Journal
        init(_ journal: Journal) { self.journal = journal }
        func layoutSublayers(of layer: CALayer) { journal.note("manager") }
        func invalidateLayout(of layer: CALayer) { journal.note("invalidate") }
        func preferredSize(of layer: CALayer) -> CGSize { CGSize(width: 7, height: 8) }
    }

    private final class PlainManager: CALayoutManager {}

    private final class LayoutDelegate: CALayerDelegate {
        let journal: Journal
        init(_ journal: Journal) { self.journal = journal }
        func layoutSublayers(of layer: CALayer) { journal.note("delegate") }
    }

    private final class SilentDelegate: CALayerDelegate {}

    @Test("The delegate lays out, else the layout manager; a delegate without the method does not stand in its way")
    func delegateAndManager() {
        let journal = Journal()
        let layer = CALayer()
        let (delegate, silent) = (LayoutDelegate(journal), SilentDelegate())
        layer.layoutManager = Manager(journal)
        layer.setNeedsLayout()
        layer.setNeedsLayout()
        layer.layoutIfNeeded()
        layer.delegate = silent
        layer.layoutSublayers()
        layer.delegate = delegate
        layer.layoutSublayers()
        #expect(journal.entries == ["invalidate", "manager", "manager", "delegate"])
    }

    @Test("The preferred size is the manager's, else the size of the frame")
    func preferredSize() {
        let layer = layer(bounds: rect(0, 0, 10, 20))
        #expect(layer.preferredFrameSize() == CGSize(width: 10, height: 20))
        layer.transform = CATransform3DMakeScale(2, 3, 1)
        #expect(layer.preferredFrameSize() == CGSize(width: 20, height: 60))
        layer.layoutManager = PlainManager()
        #expect(layer.preferredFrameSize() == CGSize(width: 20, height: 60))
        layer.layoutManager = Manager(Journal())
        #expect(layer.preferredFrameSize() == CGSize(width: 7, height: 8))
    }

    // MARK: Display

    private final class Painter: CALayerDelegate {
        let picture = image()
        func display(_ layer: CALayer) { layer.contents = picture }
    }

    @Test("A layer displays only when asked; the delegate sets its contents")
    func display() {
        let painter = Painter()
        let layer = layer(0, 0, 10, 10)
        layer.delegate = painter
        #expect(!layer.needsDisplay())
        layer.displayIfNeeded()
        #expect(layer.contents == nil)
        layer.setNeedsDisplay()
        layer.displayIfNeeded()
        #expect(layer.contents as? CGImage === painter.picture)
        #expect(!layer.needsDisplay())
    }

    @Test("A change of size displays again only with needsDisplayOnBoundsChange; a change of origin never")
    func displayOnBoundsChange() {
        let layer = CALayer()
        layer.bounds = rect(0, 0, 5, 5)
        #expect(!layer.needsDisplay())
        layer.needsDisplayOnBoundsChange = true
        layer.bounds.origin.x = 3
        #expect(!layer.needsDisplay())
        layer.bounds.size.width = 6
        #expect(layer.needsDisplay())
    }

    @Test("Keys of a class that need display mark the layer: properties and the app's own")
    func displayKeys() {
        final class Dial: CALayer, @unchecked Sendable {
            override class func needsDisplay(forKey key: String) -> Bool { key == "progress" || key == "cornerRadius" }
        }
        let dial = Dial()
        dial.opacity = 0.5
        #expect(!dial.needsDisplay())
        dial.setValue(0.5, forKey: "progress")
        #expect(dial.needsDisplay())
        dial.displayIfNeeded()
        dial.setValue(0.5, forKey: "progress")
        #expect(!dial.needsDisplay())
        dial.cornerRadius = 3
        #expect(dial.needsDisplay())
    }

    @Test("setNeedsDisplay during display is kept for the next pass")
    func displayDuringDisplay() {
        let journal = Journal()
        let layer = Probe("a", journal)
        layer.onDisplay = {
            $0.onDisplay = nil
            $0.setNeedsDisplay()
        }
        layer.setNeedsDisplay()
        layer.displayIfNeeded()
        #expect(layer.needsDisplay())
    }

    @Test("A commit lays out, then displays, then records what both changed")
    func commit() throws {
        let journal = Journal()
        let (root, child) = (Probe("root", journal), Probe("child", journal))
        root.addSublayer(child)
        child.setNeedsDisplay()
        root.onLayout = { _ in child.bounds = rect(0, 0, 9, 9) }
        child.onDisplay = { $0.isOpaque = true }
        let context = LayerContext()
        context.rootLayer = root
        let transaction = try #require(context.takeTransaction(time: 1))
        #expect(journal.entries == ["root", "child", "display child"])
        let id = try #require(context.id(of: child))
        #expect(transaction.ops.contains(.set(id, .bounds, .rect(Rect(0, 0, 9, 9)))))
        #expect(transaction.ops.contains(.set(id, .opaque, .bool(true))))
        #expect(!context.hasPendingChanges)
    }
}
