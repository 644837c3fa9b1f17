import CoreAnimation
import Foundation
import LayerModel
import Testing

/// Expected frames are worked out from the rules of docs/scrolling-and-layout.md.
@Suite("Constraints")
struct ConstraintTests {
    private let root: CALayer

    init() {
        root = layer(bounds: rect(0, 0, 200, 100))
        root.layoutManager = CAConstraintLayoutManager()
    }

    private func add(_ name: String, _ constraints: [CAConstraint], frame: CGRect = rect(10, 20, 50, 30)) -> CALayer {
        let layer = layer(frame.minX, frame.minY, frame.width, frame.height, name: name)
        layer.constraints = constraints
        root.addSublayer(layer)
        return layer
    }

    private func constraint(
        _ attribute: CAConstraintAttribute, of source: String = "superlayer", _ read: CAConstraintAttribute,
        scale: CGFloat = 1, offset: CGFloat = 0
    ) -> CAConstraint {
        CAConstraint(attribute: attribute, relativeTo: source, attribute: read, scale: scale, offset: offset)
    }

    @Test("The attributes count as on Apple's platforms, and short initializers leave scale 1 and offset 0")
    func values() {
        #expect(CAConstraintAttribute.allCases.map(\.rawValue) == Array(0...7))
        #expect(CAConstraintAttribute.width.rawValue == 3 && CAConstraintAttribute.minY.rawValue == 4)
        let short = CAConstraint(attribute: .minX, relativeTo: "superlayer", attribute: .maxX)
        #expect(short.scale == 1 && short.offset == 0 && short.sourceName == "superlayer")
        #expect(CAConstraint(attribute: .minX, relativeTo: "a", attribute: .maxX, offset: 3).offset == 3)
    }

    @Test(
        "One place moves the layer and keeps its size; the other axis stays",
        arguments: [
            (CAConstraintAttribute.minX, 100.0), (.midX, 75), (.maxX, 50),
        ])
    func onePlace(attribute: CAConstraintAttribute, x: Double) {
        let child = add("a", [constraint(attribute, .midX)])
        root.layoutIfNeeded()
        #expect(child.frame == rect(x, 20, 50, 30))
    }

    @Test("A size alone does nothing")
    func sizeAlone() {
        let child = add("a", [constraint(.width, .width), constraint(.height, .height)])
        root.layoutIfNeeded()
        #expect(child.frame == rect(10, 20, 50, 30))
    }

    @Test(
        "Two of place and size give both",
        arguments: [
            ([CAConstraintAttribute.minX, .midX], 0.0, 200.0), ([.minX, .maxX], 0, 100), ([.midX, .maxX], 100, 0),
            ([.minX, .width], 0, 100), ([.midX, .width], 50, 100), ([.maxX, .width], 0, 100),
        ])
    func two(attributes: [CAConstraintAttribute], x: Double, width: Double) {
        // min is 0, everything else 100: half of the superlayer's width.
        let child = add(
            "a", attributes.map { $0 == .minX ? constraint(.minX, .minX) : constraint($0, .width, scale: 0.5) })
        root.layoutIfNeeded()
        #expect(child.frame == rect(x, 20, width, 30))
    }

    @Test("attribute = scale · source + offset")
    func formula() {
        let child = add(
            "a",
            [
                constraint(.minY, .maxY, scale: 0.25, offset: 5), constraint(.height, .width, scale: 0.1, offset: -2),
            ])
        root.layoutIfNeeded()
        #expect(child.frame == rect(10, 30, 50, 18))
    }

    @Test("The same attribute twice: the second is ignored")
    func twice() {
        let child = add("a", [constraint(.minX, .minX, offset: 7), constraint(.minX, .minX, offset: 70)])
        root.layoutIfNeeded()
        #expect(child.frame.minX == 7 && child.frame.width == 50)
    }

    @Test("Of more than two, the last given counts and the lowest of the others")
    func moreThanTwo() {
        let child = add(
            "a",
            [
                constraint(.maxX, .minX, offset: 180), constraint(.midX, .minX, offset: 90),
                constraint(.minX, .minX, offset: 20), constraint(.width, .minX, offset: 40),
            ])
        root.layoutIfNeeded()
        #expect(child.frame.minX == 20 && child.frame.width == 40)
    }

    @Test("A sibling is laid out before those that read it, whatever their order")
    func siblings() {
        let second = add("second", [constraint(.minX, of: "first", .maxX, offset: 5)])
        let third = add("third", [constraint(.midX, of: "second", .midX), constraint(.minY, of: "second", .maxX)])
        let first = add("first", [constraint(.minX, .minX, offset: 30)])
        root.layoutIfNeeded()
        #expect(first.frame.minX == 30 && second.frame.minX == 85 && third.frame.midX == 110)
        // Across the axes: min y of the third is max x of the second.
        #expect(third.frame.minY == 135)
    }

    @Test("What is in a cycle, or waits for one, stays as it is; the rest is laid out")
    func cycles() {
        let a = add("a", [constraint(.minX, of: "b", .maxX), constraint(.minY, .minY)])
        let b = add("b", [constraint(.minX, of: "a", .maxX)])
        let c = add("c", [constraint(.minX, of: "a", .minX, offset: 1)])
        let d = add("d", [constraint(.minX, .minX)])
        root.layoutIfNeeded()
        #expect(a.frame == rect(10, 0, 50, 30) && b.frame.minX == 10 && c.frame.minX == 10 && d.frame.minX == 0)
    }

    @Test("A layer may read its other axis, but not the same one")
    func itself() {
        let square = add("square", [constraint(.height, of: "square", .width), constraint(.minY, .minY)])
        let stuck = add("stuck", [constraint(.minX, of: "stuck", .maxX)])
        root.layoutIfNeeded()
        #expect(square.frame == rect(10, 0, 50, 50) && stuck.frame.minX == 10)
    }

    @Test("A constraint on an unknown sibling is ignored, the others count")
    func unknown() {
        let child = add("a", [constraint(.maxX, of: "nobody", .minX), constraint(.minX, .minX, offset: 4)])
        root.layoutIfNeeded()
        #expect(child.frame == rect(4, 20, 50, 30))
        #expect(child.takeFaults().isEmpty)
    }

    @Test("The superlayer's edges are those of its bounds, and results are frames")
    func boundsAndFrames() {
        root.bounds = rect(50, 60, 200, 100)
        let child = add("a", [constraint(.minX, .minX), constraint(.maxY, .maxY)])
        child.anchorPoint = point(0, 1)
        child.transform = CATransform3DMakeScale(2, 2, 1)
        root.layoutIfNeeded()
        #expect(child.frame == rect(50, 100, 100, 60))
        #expect(child.position == point(50, 160))
    }

    @Test("What is not finite leaves the frame, with a fault")
    func notFinite() {
        let child = add("a", [constraint(.minX, .maxX, scale: .infinity)])
        root.layoutIfNeeded()
        #expect(child.frame.minX == 10 && child.takeFaults().map(\.key) == ["constraints"])
    }

    @Test(
        "The superlayer is laid out again when constraints, or a sublayer's bounds or transform, change; not by position"
    )
    func invalidation() {
        let child = add("a", [constraint(.maxX, .maxX)])
        root.layoutIfNeeded()
        #expect(child.frame.minX == 150 && !root.needsLayout())
        child.position.x += 1
        #expect(!root.needsLayout())
        child.bounds.size.width = 80
        #expect(root.needsLayout())
        root.layoutIfNeeded()
        #expect(child.frame.maxX == 200 && child.frame.width == 80 && !root.needsLayout())
        child.transform = CATransform3DMakeScale(0.5, 1, 1)
        root.layoutIfNeeded()
        #expect(child.frame == rect(160, 20, 40, 30))
        child.addConstraint(constraint(.minX, .minX))
        #expect(root.needsLayout() && child.constraints?.count == 2)
        root.layoutIfNeeded()
        #expect(child.frame.minX == 0 && child.frame.width == 200 && !root.needsLayout())
    }

    @Test("Constraints are reached by key, and copied")
    func keys() {
        let child = add("a", [])
        child.setValue([constraint(.minX, .minX)], forKey: "constraints")
        #expect((child.value(forKey: "constraints") as? [CAConstraint])?.count == 1)
        #expect(CALayer(layer: child).constraints?.count == 1)
        child.setValue(nil, forKey: "constraints")
        #expect(child.constraints == nil)
        child.setValue(3, forKey: "constraints")
        #expect(child.takeFaults().map(\.key) == ["constraints"])
    }

    @Test("A thousand layers in a row, each beside the one before, listed backwards")
    func chain() {
        for index in (1..<1000).reversed() {
            _ = add("\(index)", [constraint(.minX, of: "\(index - 1)", .maxX)], frame: rect(0, 0, 2, 2))
        }
        let first = add("0", [constraint(.minX, .minX)], frame: rect(9, 0, 2, 2))
        root.layoutIfNeeded()
        #expect(first.frame.minX == 0 && root.sublayers?.first?.frame.minX == 1998)
    }
}
