/// Three numbers along x, y and z.
package struct Vector3: Hashable, Sendable {
    package var x, y, z: Double

    package init(_ x: Double, _ y: Double, _ z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    package var length: Double { (x * x + y * y + z * z).squareRoot() }

    package func dot(_ b: Vector3) -> Double { x * b.x + y * b.y + z * b.z }

    package func cross(_ b: Vector3) -> Vector3 {
        Vector3(y * b.z - z * b.y, z * b.x - x * b.z, x * b.y - y * b.x)
    }

    /// The direction and the length; both 0 where the length is at most `limit`.
    func normalized(orZeroBelow limit: Double) -> (direction: Vector3, length: Double) {
        let length = length
        return length > limit ? (self / length, length) : (Vector3(0, 0, 0), 0)
    }

    package static func + (a: Vector3, b: Vector3) -> Vector3 { Vector3(a.x + b.x, a.y + b.y, a.z + b.z) }
    package static func - (a: Vector3, b: Vector3) -> Vector3 { Vector3(a.x - b.x, a.y - b.y, a.z - b.z) }
    package static func * (a: Vector3, k: Double) -> Vector3 { Vector3(a.x * k, a.y * k, a.z * k) }
    package static func / (a: Vector3, k: Double) -> Vector3 { Vector3(a.x / k, a.y / k, a.z / k) }
}

/// A rotation as its three rows: where the axes x, y and z go (row vectors, as everywhere).
package struct RotationMatrix: Hashable, Sendable {
    package var row0, row1, row2: Vector3

    package init(_ row0: Vector3, _ row1: Vector3, _ row2: Vector3) {
        self.row0 = row0
        self.row1 = row1
        self.row2 = row2
    }

    package static let identity = RotationMatrix(Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1))

    package var determinant: Double { row0.dot(row1.cross(row2)) }

    mutating func scaleRows(_ signs: Vector3) {
        row0 = row0 * signs.x
        row1 = row1 * signs.y
        row2 = row2 * signs.z
    }

    /// The larger, the smaller the angle of the rotation that the flipped rows make.
    func trace(flippedBy signs: Vector3) -> Double {
        row0.x * signs.x + row1.y * signs.y + row2.z * signs.z
    }

    // MARK: Euler angles

    /// Radians about x, y and z, applied in that order: R = Rx · Ry · Rz with row vectors. Where y is a right angle, x and z
    /// turn about the same axis and z reads 0.
    package var eulerAngles: Vector3 {
        get {
            let y = arcSine(-row0.z)
            // cos y is 0 to within rounding: only x ± z is defined.
            if abs(row0.z) > 1 - 1e-12 {
                return Vector3(arcTangent(row1.x * (row0.z < 0 ? 1 : -1), row1.y), y, 0)
            }
            return Vector3(arcTangent(row1.z, row2.z), y, arcTangent(row0.y, row0.x))
        }
        set { self = RotationMatrix(eulerAngles: newValue) }
    }

    package init(eulerAngles angles: Vector3) {
        let (sa, ca) = (sine(angles.x), cosine(angles.x))
        let (sb, cb) = (sine(angles.y), cosine(angles.y))
        let (sc, cc) = (sine(angles.z), cosine(angles.z))
        row0 = Vector3(cb * cc, cb * sc, -sb)
        row1 = Vector3(sa * sb * cc - ca * sc, sa * sb * sc + ca * cc, sa * cb)
        row2 = Vector3(ca * sb * cc + sa * sc, ca * sb * sc - sa * cc, ca * cb)
    }

    // MARK: Quaternion

    /// The unit quaternion with w ≥ 0.
    package var quaternion: Quaternion {
        let trace = row0.x + row1.y + row2.z
        var q: Quaternion
        if trace > 0 {
            let s = (trace + 1).squareRoot() * 2
            q = Quaternion((row1.z - row2.y) / s, (row2.x - row0.z) / s, (row0.y - row1.x) / s, s / 4)
        } else if row0.x > row1.y, row0.x > row2.z {
            let s = (1 + row0.x - row1.y - row2.z).squareRoot() * 2
            q = Quaternion(s / 4, (row0.y + row1.x) / s, (row0.z + row2.x) / s, (row1.z - row2.y) / s)
        } else if row1.y > row2.z {
            let s = (1 + row1.y - row0.x - row2.z).squareRoot() * 2
            q = Quaternion((row0.y + row1.x) / s, s / 4, (row1.z + row2.y) / s, (row2.x - row0.z) / s)
        } else {
            let s = (1 + row2.z - row0.x - row1.y).squareRoot() * 2
            q = Quaternion((row0.z + row2.x) / s, (row1.z + row2.y) / s, s / 4, (row0.y - row1.x) / s)
        }
        if q.w < 0 { q = Quaternion(-q.x, -q.y, -q.z, -q.w) }
        return q
    }

    /// - Parameter q: A unit quaternion.
    package init(_ q: Quaternion) {
        let (x, y, z, w) = (q.x, q.y, q.z, q.w)
        row0 = Vector3(1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w))
        row1 = Vector3(2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w))
        row2 = Vector3(2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y))
    }
}

/// A rotation as a unit quaternion; (x, y, z) is the axis times the sine of half the angle.
package struct Quaternion: Hashable, Sendable {
    package var x, y, z, w: Double

    package init(_ x: Double, _ y: Double, _ z: Double, _ w: Double) {
        self.x = x
        self.y = y
        self.z = z
        self.w = w
    }
}
