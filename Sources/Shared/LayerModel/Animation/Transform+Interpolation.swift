// Transforms between others. Two that have an inverse are taken apart, and their parts interpolated: the rotation along
// the shortest arc, everything else number by number. Others go entry by entry. Source: semantic reference, §5.8.

import Glibc

extension Transform {
    package static func interpolate(_ a: Transform, _ b: Transform, _ u: Double) -> Transform {
        if u == 0 { return a }
        if u == 1 { return b }
        guard a.isFinite, b.isFinite else { return u < 1 ? a : b }
        let (from, to) = (TransformDecomposition(a), TransformDecomposition(b))
        guard !from.isSingular, !to.isSingular else { return entryByEntry(a, b, u) }
        var parts = from
        parts.translation = mix(from.translation, to.translation, u)
        parts.scale = mix(from.scale, to.scale, u)
        parts.skewXY = mix(from.skewXY, to.skewXY, u)
        parts.skewXZ = mix(from.skewXZ, to.skewXZ, u)
        parts.skewYZ = mix(from.skewYZ, to.skewYZ, u)
        let (p, q) = (from.perspective, to.perspective)
        parts.perspective = (mix(p.x, q.x, u), mix(p.y, q.y, u), mix(p.z, q.z, u), mix(p.w, q.w, u))
        if from.rotation != to.rotation {
            parts.rotation = RotationMatrix(
                Quaternion.interpolate(from.rotation.quaternion, to.rotation.quaternion, u))
        }
        return parts.recomposed
    }

    private static func entryByEntry(_ a: Transform, _ b: Transform, _ u: Double) -> Transform {
        Transform(elements: zip(a.elements, b.elements).map { mix($0, $1, u) }) ?? b
    }

    /// The transform `count` times in a row; parts of a time count as none. A negative count takes the inverse.
    package func power(_ count: Double) -> Transform {
        guard var rest = Int(exactly: abs(count).rounded(.down)), rest > 0 else { return .identity }
        guard var factor = count < 0 ? inverse : self else { return .identity }
        var result = Transform.identity
        while rest > 0 {
            if rest & 1 == 1 { result = result.concatenating(factor) }
            rest >>= 1
            if rest > 0 { factor = factor.concatenating(factor) }
        }
        return result.isFinite ? result : .identity
    }
}

extension Quaternion {
    /// Along the shorter arc, at an even pace.
    package static func interpolate(_ a: Quaternion, _ b: Quaternion, _ u: Double) -> Quaternion {
        var b = b
        var dot = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w
        if dot < 0 {
            b = Quaternion(-b.x, -b.y, -b.z, -b.w)
            dot = -dot
        }
        var (p, q) = (1 - u, u)
        // Where the arc is short, sines are as good as their arguments.
        if dot < 1 - 1e-9 {
            let angle = acos(dot)
            (p, q) = (sin(p * angle) / sin(angle), sin(q * angle) / sin(angle))
        }
        let (x, y, z, w) = (a.x * p + b.x * q, a.y * p + b.y * q, a.z * p + b.z * q, a.w * p + b.w * q)
        let length = (x * x + y * y + z * z + w * w).squareRoot()
        guard length > 0 else { return a }
        return Quaternion(x / length, y / length, z / length, w / length)
    }
}

private func mix(_ a: Vector3, _ b: Vector3, _ u: Double) -> Vector3 {
    Vector3(mix(a.x, b.x, u), mix(a.y, b.y, u), mix(a.z, b.z, u))
}
