// Taking a matrix apart into what people animate, and putting it together again.
//
// A matrix that is not singular is, in row-vector order, M = S · K · R · T · P:
//
//     S scale, K a unit lower triangle (the skews), R a rotation, T a translation, P the identity but for its last column
//
// P comes first: the first three columns of M are those of the affine part A = S·K·R·T, and P's column is A⁻¹ · M's last
// column. Then T is the last row. Gram-Schmidt on the three rows that remain gives S, K and R. If the rows come out
// left-handed, one scale (or all three) must be negative; we negate the one that leaves the smallest rotation, so that
// what was set as scale.y = -1 also reads back so.
//
// Rows of no length (a scale of 0) have no direction: they get one that completes the others to a rotation, nearest to the
// axis they had. Such a matrix is marked singular: components can still be read and replaced (scale 0, then scale 1
// again), but animations interpolate its entries one by one instead. Source: semantic reference, §1.12 and §5.8.

/// A matrix as translation, scale, skew, rotation and perspective.
package struct TransformDecomposition: Hashable, Sendable {
    package var translation: Vector3
    package var scale: Vector3
    /// Of the rows: y along x, z along x, z along y, each in units of the unscaled row.
    package var skewXY, skewXZ, skewYZ: Double
    package var rotation: RotationMatrix
    /// The last column: (0, 0, 0, 1) without perspective.
    package var perspective: (x: Double, y: Double, z: Double, w: Double) {
        get { (perspectiveX, perspectiveY, perspectiveZ, perspectiveW) }
        set { (perspectiveX, perspectiveY, perspectiveZ, perspectiveW) = newValue }
    }
    /// True when the matrix has no inverse: interpolate its entries, not these parts.
    package private(set) var isSingular: Bool

    private var perspectiveX, perspectiveY, perspectiveZ, perspectiveW: Double

    /// - Parameter transform: Must be finite.
    package init(_ transform: Transform) {
        translation = Vector3(transform.m41, transform.m42, transform.m43)
        let row0 = Vector3(transform.m11, transform.m12, transform.m13)
        let row1 = Vector3(transform.m21, transform.m22, transform.m23)
        let row2 = Vector3(transform.m31, transform.m32, transform.m33)
        let negligible = max(row0.length, row1.length, row2.length) * 1e-14

        // Gram-Schmidt, from the first row on.
        let (x, lengthX) = row0.normalized(orZeroBelow: negligible)
        let xy = x.dot(row1)
        let (y, lengthY) = (row1 - x * xy).normalized(orZeroBelow: negligible)
        let xz = x.dot(row2)
        let rest = row2 - x * xz
        let yz = y.dot(rest)
        let (z, lengthZ) = (rest - y * yz).normalized(orZeroBelow: negligible)
        skewXY = lengthY > 0 ? xy / lengthY : 0
        skewXZ = lengthZ > 0 ? xz / lengthZ : 0
        skewYZ = lengthZ > 0 ? yz / lengthZ : 0
        scale = Vector3(lengthX, lengthY, lengthZ)
        isSingular = lengthX == 0 || lengthY == 0 || lengthZ == 0

        var frame = RotationMatrix(x, y, z)
        if isSingular {
            frame = TransformDecomposition.completed(frame)
        } else if frame.determinant < 0 {
            let signs = TransformDecomposition.smallestFlip(of: frame)
            frame.scaleRows(signs)
            scale = Vector3(lengthX * signs.x, lengthY * signs.y, lengthZ * signs.z)
            // A flipped row turns the skews along it and of it around.
            skewXY *= signs.x * signs.y
            skewXZ *= signs.x * signs.z
            skewYZ *= signs.y * signs.z
        }
        rotation = frame

        (perspectiveX, perspectiveY, perspectiveZ, perspectiveW) = (
            transform.m14, transform.m24, transform.m34, transform.m44
        )
        if transform.m14 == 0, transform.m24 == 0, transform.m34 == 0 {
            isSingular = isSingular || transform.m44 == 0
        } else {
            var affine = transform
            (affine.m14, affine.m24, affine.m34, affine.m44) = (0, 0, 0, 1)
            if let inverse = affine.inverse {
                let (x, y, z, w) = (transform.m14, transform.m24, transform.m34, transform.m44)
                perspectiveX = inverse.m11 * x + inverse.m12 * y + inverse.m13 * z + inverse.m14 * w
                perspectiveY = inverse.m21 * x + inverse.m22 * y + inverse.m23 * z + inverse.m24 * w
                perspectiveZ = inverse.m31 * x + inverse.m32 * y + inverse.m33 * z + inverse.m34 * w
                perspectiveW = inverse.m41 * x + inverse.m42 * y + inverse.m43 * z + inverse.m44 * w
                isSingular = isSingular || perspectiveW == 0
            } else {
                isSingular = true
            }
        }
    }

    /// The matrix again.
    package var recomposed: Transform {
        let r = rotation
        let row0 = r.row0 * scale.x
        let row1 = (r.row1 + r.row0 * skewXY) * scale.y
        let row2 = (r.row2 + r.row0 * skewXZ + r.row1 * skewYZ) * scale.z
        var m = Transform(
            row0.x, row0.y, row0.z, 0, row1.x, row1.y, row1.z, 0, row2.x, row2.y, row2.z, 0,
            translation.x, translation.y, translation.z, 1)
        guard (perspectiveX, perspectiveY, perspectiveZ, perspectiveW) != (0, 0, 0, 1) else { return m }
        func column(_ x: Double, _ y: Double, _ z: Double, _ w: Double) -> Double {
            x * perspectiveX + y * perspectiveY + z * perspectiveZ + w * perspectiveW
        }
        (m.m14, m.m24, m.m34, m.m44) = (
            column(m.m11, m.m12, m.m13, 0), column(m.m21, m.m22, m.m23, 0), column(m.m31, m.m32, m.m33, 0),
            column(m.m41, m.m42, m.m43, 1)
        )
        return m
    }

    /// The signs of the rows, one or all turned around, that leave the smallest rotation.
    private static func smallestFlip(of frame: RotationMatrix) -> Vector3 {
        var best = Vector3(-1, -1, -1)
        for flip in [Vector3(1, 1, -1), Vector3(1, -1, 1), Vector3(-1, 1, 1)]
        where frame.trace(flippedBy: flip) >= frame.trace(flippedBy: best) {
            best = flip
        }
        return best
    }

    /// The rotation with rows of no length replaced by unit vectors at right angles to the others.
    private static func completed(_ frame: RotationMatrix) -> RotationMatrix {
        var rows = [frame.row0, frame.row1, frame.row2]
        var filled = 0
        for i in 0..<3 where rows[i] == Vector3(0, 0, 0) {
            rows[i] = completion(of: rows, at: i)
            filled = i
        }
        // Its scale is 0, so the last one filled in may point either way.
        if RotationMatrix(rows[0], rows[1], rows[2]).determinant < 0 { rows[filled] = rows[filled] * -1 }
        return RotationMatrix(rows[0], rows[1], rows[2])
    }

    /// A unit vector at right angles to the other rows that have a length, as near as can be to axis `i`.
    private static func completion(of rows: [Vector3], at i: Int) -> Vector3 {
        let axes = [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)]
        var best = axes[i]
        var bestLength = -1.0
        for step in 0..<3 {
            var candidate = axes[(i + step) % 3]
            for j in 0..<3 where j != i { candidate = candidate - rows[j] * rows[j].dot(candidate) }
            let length = candidate.length
            if length > 0.5 { return candidate / length }
            if length > bestLength { (best, bestLength) = (candidate, length) }
        }
        return bestLength > 0 ? best / bestLength : axes[i]
    }
}
