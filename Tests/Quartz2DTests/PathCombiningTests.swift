import Foundation
import Quartz2D
import Testing

@Suite("Paths combined")
struct PathCombiningTests {
    private let square = CGPath(rect: CGRect(x: 0, y: 0, width: 10, height: 10))
    private let circle = CGPath(ellipseIn: CGRect(x: 5, y: 0, width: 10, height: 10))

    @Test("A point is inside where the operation says so, by both rules")
    func operations() {
        // In the square alone, in both, in the circle alone, in neither.
        let points = [(2.0, 5.0), (7, 5), (13, 5), (20, 5)].map { CGPoint(x: $0.0, y: $0.1) }
        let expected: [(CGPath, [Bool])] = [
            (square.union(circle), [true, true, true, false]),
            (square.intersection(circle), [false, true, false, false]),
            (square.subtracting(circle), [true, false, false, false]),
            (square.symmetricDifference(circle), [true, false, true, false]),
        ]
        for (path, inside) in expected {
            for rule in [CGPathFillRule.winding, .evenOdd] {
                #expect(points.map { path.contains($0, using: rule) } == inside)
            }
        }
        #expect(square.union(circle).boundingBoxOfPath == CGRect(x: 0, y: 0, width: 15, height: 10))
        #expect(square.intersects(circle))
        #expect(!square.intersects(CGPath(rect: CGRect(x: 30, y: 0, width: 1, height: 1))))
    }

    @Test("A path normalized by the even-odd rule keeps its hole by the winding rule")
    func normalized() {
        let path = CGMutablePath()
        path.addRect(CGRect(x: 0, y: 0, width: 10, height: 10))
        path.addRect(CGRect(x: 2, y: 2, width: 6, height: 6))
        #expect(path.contains(CGPoint(x: 5, y: 5)))
        let result = path.normalized(using: .evenOdd)
        #expect(!result.contains(CGPoint(x: 5, y: 5)) && result.contains(CGPoint(x: 1, y: 5)))
    }
}
