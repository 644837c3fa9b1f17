// Rotation, determinant and inverse of the 4×4 matrix. Source: semantic reference, §0.

extension Transform {
    /// A rotation by `angle` radians about the axis (x, y, z), which need not be a unit vector. An axis of no length, or
    /// one that is not finite, gives the identity. About +z: m11 = cos, m12 = sin, m21 = -sin, m22 = cos.
    package static func rotation(_ angle: Double, _ x: Double, _ y: Double, _ z: Double) -> Transform {
        let length = (x * x + y * y + z * z).squareRoot()
        guard length > 0, length.isFinite else { return .identity }
        let (x, y, z) = (x / length, y / length, z / length)
        let (s, c) = (sine(angle), cosine(angle))
        let t = 1 - c
        return Transform(
            x * x * t + c, x * y * t + z * s, x * z * t - y * s, 0,
            x * y * t - z * s, y * y * t + c, y * z * t + x * s, 0,
            x * z * t + y * s, y * z * t - x * s, z * z * t + c, 0,
            0, 0, 0, 1)
    }

    package var determinant: Double {
        let (a, b) = (upperMinors, lowerMinors)
        return a.0 * b.5 - a.1 * b.4 + a.2 * b.3 + a.3 * b.2 - a.4 * b.1 + a.5 * b.0
    }

    /// Nil when the matrix is singular or a number of the result is not finite.
    package var inverse: Transform? {
        if let simple = scaleAndTranslationInverse { return simple }
        let (a, b) = (upperMinors, lowerMinors)
        let det = a.0 * b.5 - a.1 * b.4 + a.2 * b.3 + a.3 * b.2 - a.4 * b.1 + a.5 * b.0
        guard det.isFinite, det != 0 else { return nil }
        let i = 1 / det
        let result = Transform(
            (m22 * b.5 - m23 * b.4 + m24 * b.3) * i, (-m12 * b.5 + m13 * b.4 - m14 * b.3) * i,
            (m42 * a.5 - m43 * a.4 + m44 * a.3) * i, (-m32 * a.5 + m33 * a.4 - m34 * a.3) * i,
            (-m21 * b.5 + m23 * b.2 - m24 * b.1) * i, (m11 * b.5 - m13 * b.2 + m14 * b.1) * i,
            (-m41 * a.5 + m43 * a.2 - m44 * a.1) * i, (m31 * a.5 - m33 * a.2 + m34 * a.1) * i,
            (m21 * b.4 - m22 * b.2 + m24 * b.0) * i, (-m11 * b.4 + m12 * b.2 - m14 * b.0) * i,
            (m41 * a.4 - m42 * a.2 + m44 * a.0) * i, (-m31 * a.4 + m32 * a.2 - m34 * a.0) * i,
            (-m21 * b.3 + m22 * b.1 - m23 * b.0) * i, (m11 * b.3 - m12 * b.1 + m13 * b.0) * i,
            (-m41 * a.3 + m42 * a.1 - m43 * a.0) * i, (m31 * a.3 - m32 * a.1 + m33 * a.0) * i)
        return result.isFinite ? result : nil
    }

    /// True when only m11, m12, m21, m22, m41 and m42 differ from the identity.
    package var isAffine: Bool {
        m13 == 0 && m14 == 0 && m23 == 0 && m24 == 0 && m31 == 0 && m32 == 0 && m33 == 1 && m34 == 0 && m43 == 0
            && m44 == 1
    }

    /// The exact answer for the common case, without the rounding of the general one.
    private var scaleAndTranslationInverse: Transform? {
        let rest = m12 == 0 && m13 == 0 && m14 == 0 && m21 == 0 && m23 == 0 && m24 == 0 && m31 == 0 && m32 == 0
        guard rest, m34 == 0, m44 == 1, m11 != 0, m22 != 0, m33 != 0 else { return nil }
        let result = Transform(
            1 / m11, 0, 0, 0, 0, 1 / m22, 0, 0, 0, 0, 1 / m33, 0, -m41 / m11, -m42 / m22, -m43 / m33, 1)
        return result.isFinite ? result : nil
    }

    /// The 2×2 minors of the rows 1 and 2: columns 12, 13, 14, 23, 24, 34.
    private var upperMinors: (Double, Double, Double, Double, Double, Double) {
        (
            m11 * m22 - m12 * m21, m11 * m23 - m13 * m21, m11 * m24 - m14 * m21,
            m12 * m23 - m13 * m22, m12 * m24 - m14 * m22, m13 * m24 - m14 * m23
        )
    }

    /// The 2×2 minors of the rows 3 and 4: columns 12, 13, 14, 23, 24, 34.
    private var lowerMinors: (Double, Double, Double, Double, Double, Double) {
        (
            m31 * m42 - m32 * m41, m31 * m43 - m33 * m41, m31 * m44 - m34 * m41,
            m32 * m43 - m33 * m42, m32 * m44 - m34 * m42, m33 * m44 - m34 * m43
        )
    }
}
