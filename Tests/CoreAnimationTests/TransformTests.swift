import CoreAnimation
import LayerModel
import Testing

@Suite("CATransform3D")
struct TransformTests {
    @Test("Concatenation applies the first argument first: translate 10 then scale 2 moves by 20, the other way by 10")
    func concatenation() {
        let translation = CATransform3DMakeTranslation(10, 0, 0)
        let scale = CATransform3DMakeScale(2, 2, 2)
        #expect(CATransform3DConcat(translation, scale).m41 == 20)
        #expect(CATransform3DConcat(scale, translation).m41 == 10)
    }

    @Test("Translate, Scale and Rotate happen before what is there")
    func operationsComeFirst() {
        let scale = CATransform3DMakeScale(2, 3, 4)
        #expect(
            CATransform3DTranslate(scale, 1, 1, 1) == CATransform3DConcat(CATransform3DMakeTranslation(1, 1, 1), scale))
        #expect(CATransform3DTranslate(scale, 1, 1, 1).m43 == 4)
        let translation = CATransform3DMakeTranslation(5, 6, 7)
        #expect(CATransform3DScale(translation, 2, 2, 2).m41 == 5)
        #expect(CATransform3DRotate(translation, .pi / 2, 0, 0, 1).m41 == 5)
    }

    @Test("A rotation about z has cos, sin, -sin, cos; about x and y the sign follows the right hand")
    func rotations() {
        let (s, c) = (sin(0.3), cos(0.3))
        let z = CATransform3DMakeRotation(0.3, 0, 0, 2)
        #expect(z.m11 == CGFloat(c) && z.m12 == CGFloat(s) && z.m21 == CGFloat(-s) && z.m22 == CGFloat(c))
        let x = CATransform3DMakeRotation(0.3, 1, 0, 0)
        #expect(x.m22 == CGFloat(c) && x.m23 == CGFloat(s) && x.m32 == CGFloat(-s) && x.m33 == CGFloat(c))
        let y = CATransform3DMakeRotation(0.3, 0, 1, 0)
        #expect(y.m11 == CGFloat(c) && y.m13 == CGFloat(-s) && y.m31 == CGFloat(s) && y.m33 == CGFloat(c))
    }

    @Test("An axis of no length turns nothing")
    func noAxis() {
        #expect(CATransform3DIsIdentity(CATransform3DMakeRotation(1, 0, 0, 0)))
    }

    @Test("A matrix times its inverse is the identity, with perspective too")
    func inverse() throws {
        var t = CATransform3DIdentity
        t.m34 = -1 / 500
        t = CATransform3DRotate(t, 0.7, 1, 2, 3)
        t = CATransform3DTranslate(t, 10, -20, 30)
        t = CATransform3DScale(t, 2, 0.5, 3)
        let product = CATransform3DConcat(t, CATransform3DInvert(t))
        #expect(isClose(Transform(product), .identity, within: 1e-12))
    }

    @Test("A singular matrix is its own inverse")
    func singular() {
        let t = CATransform3DMakeScale(1, 0, 1)
        #expect(CATransform3DEqualToTransform(CATransform3DInvert(t), t))
    }

    @Test("The determinant is that of the product formula")
    func determinant() {
        #expect(Transform.scale(2, 3, 4).determinant == 24)
        #expect(abs(Transform.rotation(1.1, 1, 1, 0).determinant - 1) < 1e-15)
        let t = Transform(2, 1, 0, 3, 1, 0, 4, 1, 0, 2, 1, 1, 5, 1, 0, 2)
        // Expanded by minors, outside of this project.
        #expect(abs(t.determinant - 80) < 1e-12)
    }

    @Test(
        "A transform with depth or perspective is not affine, and has no affine form",
        arguments: [
            CATransform3DMakeScale(1, 1, 2), CATransform3DMakeTranslation(0, 0, 1),
            CATransform3DMakeRotation(0.5, 1, 0, 0),
            {
                var t = CATransform3DIdentity
                t.m34 = -0.002
                return t
            }(),
        ])
    func notAffine(t: CATransform3D) {
        #expect(!CATransform3DIsAffine(t))
        let layer = CALayer()
        layer.transform = t
        #expect(layer.affineTransform() == .identity)
    }

    @Test("An affine transform goes in and comes out")
    func affine() {
        let m = CGAffineTransform(a: 1, b: 2, c: 3, d: 4, tx: 5, ty: 6)
        let layer = CALayer()
        layer.setAffineTransform(m)
        #expect(CATransform3DIsAffine(layer.transform))
        #expect(layer.affineTransform() == m)
        #expect(layer.transform.m12 == 2 && layer.transform.m21 == 3 && layer.transform.m41 == 5)
    }

    @Test("The C initializer is all zeros")
    func zeros() {
        #expect(Transform(CATransform3D()).elements == [Double](repeating: 0, count: 16))
    }
}

@Suite("Decomposition")
struct TransformDecompositionTests {
    static let samples: [Transform] = {
        var perspective = Transform.identity
        perspective.m34 = -1 / 300
        let shear = Transform(1, 0, 0, 0, 0.4, 1, 0, 0, -0.2, 0.3, 1, 0, 0, 0, 0, 1)
        let turned = Transform.scale(2, 3, 0.5).concatenating(.rotation(0.9, 1, -2, 0.5))
        return [
            .identity, .translation(1, 2, 3), .scale(-1, 1, 1), .scale(1, -1, 1), .scale(1, 1, -1), .scale(-2, -3, -4),
            .rotation(.pi / 2, 0, 1, 0), .rotation(.pi, 1, 1, 0), turned, shear.concatenating(turned),
            Transform.scale(1, -1, 1).concatenating(shear).concatenating(.rotation(2.5, 0, 0, 1)),
            turned.concatenating(.translation(7, -8, 9)).concatenating(perspective),
            Transform(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 3, 4, 5, 2),
        ]
    }()

    @Test("What is taken apart comes together again", arguments: samples)
    func roundTrip(t: Transform) {
        let parts = TransformDecomposition(t)
        #expect(!parts.isSingular)
        #expect(isClose(parts.recomposed, t, within: 1e-12))
        #expect(abs(parts.rotation.determinant - 1) < 1e-12)
    }

    @Test("The rotation is the same as Euler angles and as a quaternion", arguments: samples)
    func representations(t: Transform) {
        let r = TransformDecomposition(t).rotation
        for again in [RotationMatrix(eulerAngles: r.eulerAngles), RotationMatrix(r.quaternion)] {
            #expect((again.row0 - r.row0).length < 1e-7, "\(again) is not \(r)")
            #expect((again.row1 - r.row1).length < 1e-7)
            #expect((again.row2 - r.row2).length < 1e-7)
        }
        let q = r.quaternion
        #expect(abs(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1) < 1e-12)
    }

    @Test("Euler angles turn about x, then y, then z")
    func eulerOrder() {
        let product = Transform.rotation(0.3, 1, 0, 0).concatenating(.rotation(0.5, 0, 1, 0))
            .concatenating(.rotation(0.7, 0, 0, 1))
        let angles = TransformDecomposition(product).rotation.eulerAngles
        #expect(abs(angles.x - 0.3) < 1e-12 && abs(angles.y - 0.5) < 1e-12 && abs(angles.z - 0.7) < 1e-12)
    }

    @Test("Scales read back with the sign they were set with, one axis or all", arguments: [0, 1, 2, 3])
    func negativeScales(axis: Int) {
        let signs = [(-1.0, 1.0, 1.0), (1, -1, 1), (1, 1, -1), (-1, -1, -1)][axis]
        let parts = TransformDecomposition(.scale(2 * signs.0, 3 * signs.1, 4 * signs.2))
        #expect(parts.scale == Vector3(2 * signs.0, 3 * signs.1, 4 * signs.2))
        #expect(parts.rotation == .identity)
    }

    @Test(
        "A scale of 0 keeps what the other axes say, and can be set back",
        arguments: [(0.0, 0.0, 0.0), (0, 2, 3), (2, 0, 3), (2, 3, 0), (0, 0, 3), (0, -2, 0)])
    func zeroScale(x: Double, y: Double, z: Double) {
        let t = Transform.scale(x, y, z)
        var parts = TransformDecomposition(t)
        #expect(parts.isSingular)
        #expect(isClose(parts.recomposed, t))
        #expect(abs(parts.rotation.determinant - 1) < 1e-12)
        parts.scale = Vector3(1, 1, 1)
        // A negative sign in the sample is either part of the scale or of the rotation.
        if y >= 0 { #expect(isClose(parts.recomposed, .identity)) }
    }
}

@Suite("Timing functions")
struct TimingFunctionTests {
    @Test(
        "The named curves have Apple's values",
        arguments: [
            (CAMediaTimingFunctionName.linear, [0.25, 0.5, 0.75]), (.easeIn, [0.093465, 0.315357, 0.621862]),
            (.easeOut, [0.378138, 0.684643, 0.906535]), (.easeInEaseOut, [0.129162, 0.5, 0.870838]),
            (.default, [0.408511, 0.802403, 0.960459]),
        ])
    func named(name: CAMediaTimingFunctionName, values: [Double]) {
        let curve = CAMediaTimingFunction(name: name).curve
        for (p, value) in zip([0.25, 0.5, 0.75], values) { #expect(abs(curve.value(at: p) - value) < 1e-6) }
        #expect(
            curve.value(at: -1) == 0 && curve.value(at: 0) == 0 && curve.value(at: 1) == 1 && curve.value(at: 2) == 1)
    }

    @Test("Control points come out in order")
    func controlPoints() {
        let function = CAMediaTimingFunction(controlPoints: 0.1, 0.2, 0.3, 0.4)
        var values: [Float] = [0, 0]
        var all: [[Float]] = []
        for index in 0..<4 {
            function.getControlPoint(at: index, values: &values)
            all.append(values)
        }
        #expect(all == [[0, 0], [0.1, 0.2], [0.3, 0.4], [1, 1]])
        function.getControlPoint(at: 9, values: &values)
        #expect(values == [1, 1])
    }

    @Test("The curve's point at the solved parameter has the x that was asked for, for steep curves too")
    func solves() {
        // y = x for this family, whatever the parametrization.
        for k in [0.0, 0.2, 0.9, 1.0] {
            let curve = TimingCurve(k, k, 1 - k, 1 - k)
            for p in stride(from: 0.01, to: 1, by: 0.07) { #expect(abs(curve.value(at: p) - p) < 1e-9) }
        }
        // Vertical in the middle: x = 3s²(1-s)+… with both controls at opposite ends.
        let step = TimingCurve(1, 0, 0, 1)
        #expect(abs(step.value(at: 0.5) - 0.5) < 1e-5)
        #expect(step.value(at: .nan) == 0)
    }
}

@Suite("The media clock")
struct MediaClockTests {
    @Test("CACurrentMediaTime reads the bound clock, and the machine's without one")
    func bound() {
        let outside = CACurrentMediaTime()
        #expect(outside > 0)
        MediaClock.$current.withValue(.init { 42.5 }) { #expect(CACurrentMediaTime() == 42.5) }
        #expect(CACurrentMediaTime() >= outside)
    }
}
