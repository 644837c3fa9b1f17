import Foundation
import Testing

@testable import Quartz2D

@Suite("Affine transforms")
struct AffineTransformTests {
    private let t = CGAffineTransform(a: 2, b: 3, c: 5, d: 7, tx: 11, ty: 13)
    private let u = CGAffineTransform(a: 17, b: 19, c: 23, d: 29, tx: 31, ty: 37)

    private func isClose(_ a: CGAffineTransform, _ b: CGAffineTransform) -> Bool {
        zip([a.a, a.b, a.c, a.d, a.tx, a.ty], [b.a, b.b, b.c, b.d, b.tx, b.ty]).allSatisfy { abs($0 - $1) < 1e-9 }
    }

    @Test("A point goes to (a·x + c·y + tx, b·x + d·y + ty); sizes and vectors do not move")
    func points() {
        #expect(CGPoint(x: 100, y: 1000).applying(t) == CGPoint(x: 200 + 5000 + 11, y: 300 + 7000 + 13))
        #expect(CGSize(width: 100, height: 1000).applying(t) == CGSize(width: 5200, height: 7300))
        #expect(CGVector(dx: 100, dy: 1000).applying(t) == CGVector(dx: 5200, dy: 7300))
    }

    @Test("Concatenating is the matrix product with the receiver on the left: it acts first")
    func concatenation() {
        let product = CGAffineTransform(
            a: 2 * 17 + 3 * 23, b: 2 * 19 + 3 * 29, c: 5 * 17 + 7 * 23, d: 5 * 19 + 7 * 29,
            tx: 11 * 17 + 13 * 23 + 31, ty: 11 * 19 + 13 * 29 + 37)
        #expect(t.concatenating(u) == product)
        let point = CGPoint(x: 3, y: -4)
        #expect(point.applying(t.concatenating(u)) == point.applying(t).applying(u))
        #expect(t.concatenating(.identity) == t && CGAffineTransform.identity.concatenating(t) == t)
    }

    @Test("Translating, scaling and rotating put the new step before the transform")
    func steps() {
        #expect(t.translatedBy(x: 1, y: 2) == CGAffineTransform(translationX: 1, y: 2).concatenating(t))
        #expect(t.translatedBy(x: 1, y: 2) == CGAffineTransform(2, 3, 5, 7, 11 + 2 + 10, 13 + 3 + 14))
        #expect(t.scaledBy(x: 2, y: 3) == CGAffineTransform(4, 6, 15, 21, 11, 13))
        #expect(t.rotated(by: 0.3) == CGAffineTransform(rotationAngle: 0.3).concatenating(t))
    }

    @Test("A rotation turns the x axis towards the y axis")
    func rotation() {
        let quarter = CGPoint(x: 1, y: 0).applying(CGAffineTransform(rotationAngle: .pi / 2))
        #expect(abs(quarter.x) < 1e-15 && quarter.y == 1)
        let r = CGAffineTransform(rotationAngle: .pi / 6)
        #expect(isClose(r, CGAffineTransform(0.75.squareRoot(), 0.5, -0.5, 0.75.squareRoot(), 0, 0)))
    }

    @Test("The inverse undoes; where there is none the transform stays as it is")
    func inverse() {
        #expect(isClose(t.concatenating(t.inverted()), .identity))
        #expect(isClose(u.inverted().concatenating(u), .identity))
        let flat = CGAffineTransform(a: 1, b: 2, c: 2, d: 4, tx: 5, ty: 6)
        #expect(flat.inverted() == flat)
    }

    @Test("A rectangle goes to the smallest upright rectangle around its image")
    func rectangles() {
        let rect = CGRect(x: 1, y: 2, width: 3, height: 4)
        #expect(rect.applying(CGAffineTransform(scaleX: -1, y: 2)) == CGRect(x: -4, y: 4, width: 3, height: 8))
        let turned = CGRect(x: -1, y: -1, width: 2, height: 2).applying(CGAffineTransform(rotationAngle: .pi / 4))
        #expect(abs(turned.width - 8.0.squareRoot()) < 1e-12 && abs(turned.midX) < 1e-12)
        #expect(CGRect.null.applying(t).isNull && CGRect.infinite.applying(t).isInfinite)
    }

    @Test("The identity is known; a transform made of nothing is zero, not the identity")
    func identity() {
        #expect(CGAffineTransform.identity.isIdentity && !t.isIdentity)
        #expect(CGAffineTransform() == CGAffineTransform(0, 0, 0, 0, 0, 0))
    }

    @Test(
        "A transform taken apart and put together again is the same",
        arguments: [
            CGAffineTransform(a: 2, b: 3, c: 5, d: 7, tx: 11, ty: 13), CGAffineTransform(scaleX: -2, y: 3),
            CGAffineTransform(rotationAngle: 2).scaledBy(x: 3, y: 0.5), .identity,
            CGAffineTransform(a: 0, b: 0, c: 3, d: 4, tx: 1, ty: 2),
        ])
    func decomposition(transform: CGAffineTransform) {
        let again = CGAffineTransform(transform.decomposed())
        #expect(isClose(again, transform), "\(again) from \(transform.decomposed())")
    }

    @Test("The parts of a scale followed by a rotation and a translation are these")
    func parts() {
        let made = CGAffineTransform(translationX: 5, y: 6).rotated(by: 0.5).scaledBy(x: 2, y: 3)
        let parts = made.decomposed()
        #expect(abs(parts.scale.width - 2) < 1e-12 && abs(parts.scale.height - 3) < 1e-12)
        #expect(abs(parts.rotation - 0.5) < 1e-12 && abs(parts.horizontalShear) < 1e-12)
        #expect(parts.translation == CGVector(dx: 5, dy: 6))
    }
}
