import CoreAnimation
import Testing

@Suite("Geometry in objects")
struct GeometryObjectTests {
    private static let turned = CATransform3DMakeRotation(1, 0, 0, 1)

    @Test("Properties and parts of them take what an NSValue holds")
    func properties() {
        let layer = CALayer()
        layer.setValue(NSValue(cgPoint: CGPoint(x: 3, y: 4)), forKey: "position")
        layer.setValue(NSValue(cgRect: CGRect(x: 1, y: 2, width: 3, height: 4)), forKeyPath: "bounds")
        layer.setValue(NSValue(cgSize: CGSize(width: 7, height: 8)), forKeyPath: "bounds.size")
        layer.setValue(NSValue(caTransform3D: Self.turned), forKey: "transform")
        layer.setValue(NSValue(cgSize: CGSize(width: 5, height: 6)), forKey: "shadowOffset")
        layer.setValue(NSValue(point: CGPoint(x: 9, y: 10)), forKey: "own")
        #expect(layer.position == CGPoint(x: 3, y: 4))
        #expect(layer.bounds == CGRect(x: 1, y: 2, width: 7, height: 8))
        #expect(layer.transform == Self.turned)
        #expect(layer.shadowOffset == CGSize(width: 5, height: 6))
        #expect(layer.value(forKey: "own") as? CGPoint == CGPoint(x: 9, y: 10))
    }

    @Test("Animations from and to NSValues show the values in between")
    func animations() throws {
        let clock = ManualClock()
        let layer = CALayer()
        clock.root.addSublayer(layer)
        clock.go(to: 0)
        let move = CABasicAnimation(keyPath: "position")
        move.fromValue = NSValue(cgPoint: .zero)
        move.toValue = NSValue(cgPoint: CGPoint(x: 10, y: 20))
        move.duration = 1
        layer.add(move, forKey: nil)
        let grow = CAKeyframeAnimation(keyPath: "transform")
        grow.values = [
            NSValue(caTransform3D: CATransform3DIdentity), NSValue(caTransform3D: CATransform3DMakeScale(3, 3, 1)),
        ]
        grow.duration = 1
        layer.add(grow, forKey: nil)
        clock.go(to: 0.5)
        let shown = try #require(layer.presentation())
        #expect(shown.position == CGPoint(x: 5, y: 10))
        #expect(shown.transform.m11 == 2)
    }

    @Test("What an object holds comes back; another kind is zero, or the identity")
    func values() {
        #expect(NSValue(caTransform3D: Self.turned).caTransform3DValue == Self.turned)
        #expect(NSValue(cgPoint: CGPoint(x: 1, y: 2)).cgPointValue == CGPoint(x: 1, y: 2))
        #expect(NSValue(cgPoint: CGPoint(x: 1, y: 2)).cgSizeValue == .zero)
        #expect(NSValue(cgRect: .infinite).cgRectValue == .infinite)
        #expect(NSNumber(value: 3).caTransform3DValue == CATransform3DIdentity)
    }
}
