import CoreAnimation
import LayerModel
import Testing

@Suite("Hit testing")
struct HitTestTests {
    @Test("A layer contains its min edges and not its max edges")
    func halfOpen() {
        let layer = layer(bounds: rect(5, 6, 10, 10))
        #expect(layer.contains(point(5, 6)) && layer.contains(point(14.9, 15.9)))
        #expect(!layer.contains(point(15, 10)) && !layer.contains(point(10, 16)) && !layer.contains(point(4.9, 10)))
    }

    @Test("The point is in the superlayer's coordinates")
    func superlayerCoordinates() {
        let root = layer(bounds: rect(0, 0, 50, 50), position: point(100, 100), anchor: .zero)
        #expect(root.hitTest(point(120, 120)) === root)
        #expect(root.hitTest(point(20, 20)) == nil)
    }

    @Test("The sublayer in front is hit: by zPosition, then by order")
    func paintOrder() {
        let root = layer(0, 0, 100, 100)
        let (a, b, c) = (layer(0, 0, 50, 50), layer(10, 10, 50, 50), layer(20, 20, 50, 50))
        root.sublayers = [a, b, c]
        #expect(root.hitTest(point(30, 30)) === c)
        a.zPosition = 1
        #expect(root.hitTest(point(30, 30)) === a)
        c.zPosition = 1
        #expect(root.hitTest(point(30, 30)) === c)
        #expect(root.hitTest(point(90, 5)) === root)
    }

    @Test("Of two sublayers that cross, the one nearer at the point is hit")
    func crossing() {
        let root = layer(0, 0, 100, 100)
        let flat = layer(0, 0, 100, 100)
        let turned = layer(0, 0, 100, 100)
        // Turned about its vertical middle: x' = x·cos, z = -x·sin of the distance from it.
        turned.transform = CATransform3DMakeRotation(0.5, 0, 1, 0)
        root.sublayers = [turned, flat]
        #expect(root.hitTest(point(30, 50)) === turned)
        #expect(root.hitTest(point(70, 50)) === flat)
        root.sublayers = [flat, turned]
        #expect(root.hitTest(point(30, 50)) === turned)
        #expect(root.hitTest(point(70, 50)) === flat)
    }

    @Test("Hidden layers and what is below them are not hit; transparent ones are")
    func hidden() {
        let root = layer(0, 0, 100, 100)
        let parent = layer(0, 0, 50, 50)
        let child = layer(0, 0, 20, 20)
        root.addSublayer(parent)
        parent.addSublayer(child)
        parent.opacity = 0
        #expect(root.hitTest(point(10, 10)) === child)
        parent.isHidden = true
        #expect(root.hitTest(point(10, 10)) === root)
        #expect(parent.hitTest(point(10, 10)) == nil)
    }

    @Test("A sublayer outside of its parent is hit unless the parent clips")
    func clipping() {
        let root = layer(0, 0, 100, 100)
        let parent = layer(0, 0, 20, 20)
        let child = layer(30, 0, 20, 20)
        root.addSublayer(parent)
        parent.addSublayer(child)
        #expect(root.hitTest(point(35, 5)) === child)
        parent.masksToBounds = true
        #expect(root.hitTest(point(35, 5)) === root)
    }

    @Test("A clip has rounded corners where the mask says so")
    func roundedClip() {
        let root = layer(0, 0, 100, 100)
        let parent = layer(0, 0, 100, 100)
        parent.masksToBounds = true
        parent.cornerRadius = 40
        parent.maskedCorners = .layerMinXMinYCorner
        root.addSublayer(parent)
        #expect(root.hitTest(point(5, 5)) === root)
        #expect(root.hitTest(point(95, 95)) === parent)
        // The corner's arc crosses the diagonal at 40 - 40/√2 = 11.7.
        #expect(root.hitTest(point(12, 12)) === parent)
        #expect(root.hitTest(point(11.5, 11.5)) === root)
        parent.masksToBounds = false
        #expect(root.hitTest(point(5, 5)) === parent)
    }

    @Test("A single-sided layer seen from behind is not hit; its own flip does not turn it")
    func backFace() {
        let root = layer(0, 0, 100, 100)
        let card = layer(0, 0, 100, 100)
        root.addSublayer(card)
        card.transform = CATransform3DMakeRotation(.pi, 0, 1, 0)
        #expect(root.hitTest(point(10, 10)) === card)
        card.isDoubleSided = false
        #expect(root.hitTest(point(10, 10)) === root)
        card.transform = CATransform3DIdentity
        card.isGeometryFlipped = true
        #expect(root.hitTest(point(10, 10)) === card)
    }

    @Test("A flat layer turned edge-on, or behind the eye, is not hit")
    func notVisible() {
        let root = layer(0, 0, 100, 100)
        root.sublayerTransform.m34 = -1 / 100
        let card = layer(0, 0, 100, 100)
        root.addSublayer(card)
        card.transform = CATransform3DMakeScale(1, 0, 1)
        #expect(root.hitTest(point(50, 50)) === root)
        card.transform = CATransform3DIdentity
        card.zPosition = 150
        #expect(root.hitTest(point(50, 50)) === root)
        card.zPosition = 50
        #expect(root.hitTest(point(50, 50)) === card)
    }

    @Test("A transform layer is never hit itself, and its sublayers join the space around it")
    func transformLayer() {
        let root = layer(0, 0, 100, 100)
        let space = CATransformLayer()
        space.frame = rect(0, 0, 100, 100)
        space.masksToBounds = true
        let deep = layer(0, 0, 100, 100)
        let front = layer(0, 0, 60, 100)
        let middle = layer(0, 0, 80, 100)
        deep.zPosition = -10
        front.zPosition = 20
        middle.zPosition = 10
        root.sublayers = [space, middle]
        space.sublayers = [front, deep]
        #expect(root.hitTest(point(50, 50)) === front)
        #expect(root.hitTest(point(70, 50)) === middle)
        #expect(root.hitTest(point(90, 50)) === deep)
        #expect(space.hitTest(point(90, 50)) === deep)
        space.sublayers = nil
        #expect(space.hitTest(point(50, 50)) == nil)
    }

    @Test("Where planes cross, the one that is in front there is hit, in perspective too")
    func crossingInPerspective() {
        for perspective in [0, -1.0 / 300] {
            let root = layer(0, 0, 100, 100)
            root.sublayerTransform.m34 = CGFloat(perspective)
            let flat = layer(0, 0, 100, 100)
            let tilted = layer(0, 0, 100, 100)
            // Turned about y by 60°: the left side comes forward.
            tilted.transform = CATransform3DMakeRotation(.pi / 3, 0, 1, 0)
            root.sublayers = [tilted, flat]
            #expect(root.hitTest(point(40, 50)) === tilted)
            #expect(root.hitTest(point(60, 50)) === flat)
            root.sublayers = [flat, tilted]
            #expect(root.hitTest(point(40, 50)) === tilted)
            #expect(root.hitTest(point(60, 50)) === flat)
            // In a transform layer it crosses all the same; in a plain one it is flattened into that one's plane.
            let space = CATransformLayer()
            space.frame = rect(0, 0, 100, 100)
            space.addSublayer(tilted)
            root.sublayers = [space, flat]
            #expect(root.hitTest(point(40, 50)) === tilted)
            #expect(root.hitTest(point(60, 50)) === flat)
            let plain = layer(0, 0, 100, 100)
            plain.addSublayer(tilted)
            root.sublayers = [plain, flat]
            #expect(root.hitTest(point(40, 50)) === flat)
        }
    }

    @Test("At equal depths a transform layer's members stand at its place")
    func coplanarMembers() {
        let root = layer(0, 0, 100, 100)
        let space = CATransformLayer()
        space.frame = rect(0, 0, 100, 100)
        let member = layer(0, 0, 100, 100)
        let sibling = layer(0, 0, 100, 100)
        member.zPosition = 5
        sibling.zPosition = 5
        root.sublayers = [sibling, space]
        space.addSublayer(member)
        // Both lie at 5; the transform layer, at 0, comes before its sibling.
        #expect(root.hitTest(point(50, 50)) === sibling)
        space.zPosition = 6
        #expect(root.hitTest(point(50, 50)) === member)
    }

    @Test("A flipped transform layer does not turn its single-sided members around")
    func flippedBetween() {
        let root = layer(0, 0, 100, 100)
        let space = CATransformLayer()
        space.frame = rect(0, 0, 100, 100)
        space.isGeometryFlipped = true
        let member = layer(0, 0, 100, 100)
        member.isDoubleSided = false
        root.addSublayer(space)
        space.addSublayer(member)
        #expect(root.hitTest(point(50, 50)) === member)
        member.transform = CATransform3DMakeRotation(.pi, 0, 1, 0)
        #expect(root.hitTest(point(50, 50)) === root)
    }

    @Test("A subclass decides for itself what it contains and who is hit")
    func overrides() {
        final class Hole: CALayer, @unchecked Sendable {
            override func contains(_ p: CGPoint) -> Bool { super.contains(p) && p.x >= 10 }
        }
        final class Shy: CALayer, @unchecked Sendable {
            override func hitTest(_ p: CGPoint) -> CALayer? {
                let hit = super.hitTest(p)
                return hit === self ? nil : hit
            }
        }
        let root = layer(0, 0, 100, 100)
        let hole = Hole()
        hole.frame = rect(20, 20, 50, 50)
        root.addSublayer(hole)
        #expect(root.hitTest(point(25, 25)) === root)
        #expect(root.hitTest(point(35, 25)) === hole)
        let shy = Shy()
        shy.frame = rect(0, 0, 100, 100)
        let child = layer(0, 0, 5, 5)
        shy.addSublayer(child)
        root.addSublayer(shy)
        #expect(root.hitTest(point(2, 2)) === child)
        #expect(root.hitTest(point(80, 80)) === root)
    }
}
