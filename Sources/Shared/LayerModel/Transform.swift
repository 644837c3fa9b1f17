// The 4×4 matrix of Core Animation: row vectors, [x y z 1]·M, translation in m41 m42 m43, perspective in m34.
// Source: the semantic reference, §0 and §1.2.

/// A 4×4 matrix that acts on row vectors, as `CATransform3D` does.
package struct Transform: Hashable, Sendable {
    package var m11, m12, m13, m14: Double
    package var m21, m22, m23, m24: Double
    package var m31, m32, m33, m34: Double
    package var m41, m42, m43, m44: Double

    package init(
        _ m11: Double, _ m12: Double, _ m13: Double, _ m14: Double,
        _ m21: Double, _ m22: Double, _ m23: Double, _ m24: Double,
        _ m31: Double, _ m32: Double, _ m33: Double, _ m34: Double,
        _ m41: Double, _ m42: Double, _ m43: Double, _ m44: Double
    ) {
        self.m11 = m11
        self.m12 = m12
        self.m13 = m13
        self.m14 = m14
        self.m21 = m21
        self.m22 = m22
        self.m23 = m23
        self.m24 = m24
        self.m31 = m31
        self.m32 = m32
        self.m33 = m33
        self.m34 = m34
        self.m41 = m41
        self.m42 = m42
        self.m43 = m43
        self.m44 = m44
    }

    package static let identity = Transform(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)

    package static func translation(_ x: Double, _ y: Double, _ z: Double) -> Transform {
        Transform(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1)
    }

    package static func scale(_ x: Double, _ y: Double, _ z: Double) -> Transform {
        Transform(x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1)
    }

    package var isIdentity: Bool { self == .identity }

    /// The 16 numbers, m11 first, row by row.
    package var elements: [Double] {
        [m11, m12, m13, m14, m21, m22, m23, m24, m31, m32, m33, m34, m41, m42, m43, m44]
    }

    /// Nil unless there are exactly 16 numbers.
    package init?(elements e: [Double]) {
        guard e.count == 16 else { return nil }
        self.init(
            e[0], e[1], e[2], e[3], e[4], e[5], e[6], e[7], e[8], e[9], e[10], e[11], e[12], e[13], e[14], e[15])
    }

    package var isFinite: Bool {
        // 0 times a number that is not finite is NaN; sums of large finite numbers may overflow, these can't.
        let first = m11 * 0 + m12 * 0 + m13 * 0 + m14 * 0 + m21 * 0 + m22 * 0 + m23 * 0 + m24 * 0
        let second = m31 * 0 + m32 * 0 + m33 * 0 + m34 * 0 + m41 * 0 + m42 * 0 + m43 * 0 + m44 * 0
        return first == 0 && second == 0
    }

    /// `self` first, then `other`: the matrix product self·other, `CATransform3DConcat(self, other)`.
    package func concatenating(_ b: Transform) -> Transform {
        Transform(
            m11 * b.m11 + m12 * b.m21 + m13 * b.m31 + m14 * b.m41,
            m11 * b.m12 + m12 * b.m22 + m13 * b.m32 + m14 * b.m42,
            m11 * b.m13 + m12 * b.m23 + m13 * b.m33 + m14 * b.m43,
            m11 * b.m14 + m12 * b.m24 + m13 * b.m34 + m14 * b.m44,
            m21 * b.m11 + m22 * b.m21 + m23 * b.m31 + m24 * b.m41,
            m21 * b.m12 + m22 * b.m22 + m23 * b.m32 + m24 * b.m42,
            m21 * b.m13 + m22 * b.m23 + m23 * b.m33 + m24 * b.m43,
            m21 * b.m14 + m22 * b.m24 + m23 * b.m34 + m24 * b.m44,
            m31 * b.m11 + m32 * b.m21 + m33 * b.m31 + m34 * b.m41,
            m31 * b.m12 + m32 * b.m22 + m33 * b.m32 + m34 * b.m42,
            m31 * b.m13 + m32 * b.m23 + m33 * b.m33 + m34 * b.m43,
            m31 * b.m14 + m32 * b.m24 + m33 * b.m34 + m34 * b.m44,
            m41 * b.m11 + m42 * b.m21 + m43 * b.m31 + m44 * b.m41,
            m41 * b.m12 + m42 * b.m22 + m43 * b.m32 + m44 * b.m42,
            m41 * b.m13 + m42 * b.m23 + m43 * b.m33 + m44 * b.m43,
            m41 * b.m14 + m42 * b.m24 + m43 * b.m34 + m44 * b.m44)
    }

    /// `self` after a translation: T(x, y, z)·self, without the full product.
    package func translatedBefore(_ x: Double, _ y: Double, _ z: Double) -> Transform {
        var t = self
        t.m41 += x * m11 + y * m21 + z * m31
        t.m42 += x * m12 + y * m22 + z * m32
        t.m43 += x * m13 + y * m23 + z * m33
        t.m44 += x * m14 + y * m24 + z * m34
        return t
    }

    /// `self` before a translation: self·T(x, y, z).
    package func translatedAfter(_ x: Double, _ y: Double, _ z: Double) -> Transform {
        var t = self
        t.m11 += m14 * x
        t.m12 += m14 * y
        t.m13 += m14 * z
        t.m21 += m24 * x
        t.m22 += m24 * y
        t.m23 += m24 * z
        t.m31 += m34 * x
        t.m32 += m34 * y
        t.m33 += m34 * z
        t.m41 += m44 * x
        t.m42 += m44 * y
        t.m43 += m44 * z
        return t
    }

    /// What the plane z = 0 becomes: rows and columns of x, y and w.
    package var planar: Homography {
        Homography(m11, m12, m14, m21, m22, m24, m41, m42, m44)
    }
}

/// A 3×3 matrix between planes, row vectors: [x y 1]·H = [x' y' w'], the point is (x'/w', y'/w').
package struct Homography: Hashable, Sendable {
    package var a11, a12, a13: Double
    package var a21, a22, a23: Double
    package var a31, a32, a33: Double

    @inlinable
    package init(
        _ a11: Double, _ a12: Double, _ a13: Double,
        _ a21: Double, _ a22: Double, _ a23: Double,
        _ a31: Double, _ a32: Double, _ a33: Double
    ) {
        self.a11 = a11
        self.a12 = a12
        self.a13 = a13
        self.a21 = a21
        self.a22 = a22
        self.a23 = a23
        self.a31 = a31
        self.a32 = a32
        self.a33 = a33
    }

    @inlinable
    package static var identity: Homography { Homography(1, 0, 0, 0, 1, 0, 0, 0, 1) }

    @inlinable
    package static func == (a: Homography, b: Homography) -> Bool {
        a.a11 == b.a11 && a.a12 == b.a12 && a.a13 == b.a13 && a.a21 == b.a21 && a.a22 == b.a22 && a.a23 == b.a23
            && a.a31 == b.a31 && a.a32 == b.a32 && a.a33 == b.a33
    }

    @inlinable
    package static func scale(_ x: Double, _ y: Double) -> Homography {
        Homography(x, 0, 0, 0, y, 0, 0, 0, 1)
    }

    @inlinable
    package static func translation(_ x: Double, _ y: Double) -> Homography {
        Homography(1, 0, 0, 0, 1, 0, x, y, 1)
    }

    @inlinable
    package func concatenating(_ b: Homography) -> Homography {
        Homography(
            a11 * b.a11 + a12 * b.a21 + a13 * b.a31,
            a11 * b.a12 + a12 * b.a22 + a13 * b.a32,
            a11 * b.a13 + a12 * b.a23 + a13 * b.a33,
            a21 * b.a11 + a22 * b.a21 + a23 * b.a31,
            a21 * b.a12 + a22 * b.a22 + a23 * b.a32,
            a21 * b.a13 + a22 * b.a23 + a23 * b.a33,
            a31 * b.a11 + a32 * b.a21 + a33 * b.a31,
            a31 * b.a12 + a32 * b.a22 + a33 * b.a32,
            a31 * b.a13 + a32 * b.a23 + a33 * b.a33)
    }

    @inlinable
    package var isFinite: Bool {
        (a11 + a12 + a13 + a21 + a22).isFinite && (a23 + a31 + a32 + a33).isFinite
    }

    /// True when no perspective is in it: w is the same everywhere and positive.
    @inlinable
    package var isAffine: Bool { a13 == 0 && a23 == 0 && a33 > 0 }

    @inlinable
    package var determinant: Double {
        a11 * (a22 * a33 - a23 * a32) - a12 * (a21 * a33 - a23 * a31) + a13 * (a21 * a32 - a22 * a31)
    }

    /// The point before the division: (x', y', w').
    @inlinable
    package func homogeneous(_ p: Point) -> (x: Double, y: Double, w: Double) {
        (p.x * a11 + p.y * a21 + a31, p.x * a12 + p.y * a22 + a32, p.x * a13 + p.y * a23 + a33)
    }

    /// The image of a point; not finite where w is 0.
    @inlinable
    package func apply(_ p: Point) -> Point {
        let (x, y, w) = homogeneous(p)
        return w == 1 ? Point(x, y) : Point(x / w, y / w)
    }

    /// Nil when the plane is seen edge-on or a number is not finite.
    @inlinable
    package var inverse: Homography? {
        let det = determinant
        guard det.isFinite, det != 0 else { return nil }
        let i = 1 / det
        let result = Homography(
            (a22 * a33 - a23 * a32) * i, (a13 * a32 - a12 * a33) * i, (a12 * a23 - a13 * a22) * i,
            (a23 * a31 - a21 * a33) * i, (a11 * a33 - a13 * a31) * i, (a13 * a21 - a11 * a23) * i,
            (a21 * a32 - a22 * a31) * i, (a12 * a31 - a11 * a32) * i, (a11 * a22 - a12 * a21) * i)
        return result.isFinite ? result : nil
    }
}
