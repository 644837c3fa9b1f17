// Points are rows: [x y 1] times
//
//     a  b  0
//     c  d  0
//     tx ty 1
//
// so x' = a·x + c·y + tx and y' = b·x + d·y + ty. `t1.concatenating(t2)` acts as t1 first, then t2, which is the matrix
// t1 · t2. The methods `translatedBy`, `scaledBy` and `rotated` put the new step *before* the transform, as Core
// Graphics does: `t.scaledBy(x: 2, y: 2)` scales, then does what t does.

import Foundation

/// A 2×3 matrix that acts on row vectors: x' = a·x + c·y + tx, y' = b·x + d·y + ty.
public struct CGAffineTransform: Hashable, Sendable, Codable {
    /// What x adds to x.
    public var a: CGFloat
    /// What x adds to y.
    public var b: CGFloat
    /// What y adds to x.
    public var c: CGFloat
    /// What y adds to y.
    public var d: CGFloat
    /// The move along x.
    public var tx: CGFloat
    /// The move along y.
    public var ty: CGFloat

    /// All zero. The transform that changes nothing is `identity`.
    public init() {
        self.init(0, 0, 0, 0, 0, 0)
    }

    /// A transform of its six numbers.
    public init(a: CGFloat, b: CGFloat, c: CGFloat, d: CGFloat, tx: CGFloat, ty: CGFloat) {
        self.a = a
        self.b = b
        self.c = c
        self.d = d
        self.tx = tx
        self.ty = ty
    }

    /// A transform of its six numbers.
    public init(_ a: CGFloat, _ b: CGFloat, _ c: CGFloat, _ d: CGFloat, _ tx: CGFloat, _ ty: CGFloat) {
        self.init(a: a, b: b, c: c, d: d, tx: tx, ty: ty)
    }

    /// A move.
    public init(translationX tx: CGFloat, y ty: CGFloat) {
        self.init(1, 0, 0, 1, tx, ty)
    }

    /// A scale along the axes.
    public init(scaleX sx: CGFloat, y sy: CGFloat) {
        self.init(sx, 0, 0, sy, 0, 0)
    }

    /// A rotation by `angle` radians from the x axis towards the y axis: clockwise on a screen whose y points down.
    public init(rotationAngle angle: CGFloat) {
        let sine = CGFloat(sin(Double(angle)))
        let cosine = CGFloat(cos(Double(angle)))
        self.init(cosine, sine, -sine, cosine, 0, 0)
    }

    /// Changes nothing.
    public static let identity = CGAffineTransform(1, 0, 0, 1, 0, 0)

    /// True when every number is the identity's.
    public var isIdentity: Bool { self == .identity }

    /// Moves, then does what this transform does.
    public func translatedBy(x tx: CGFloat, y ty: CGFloat) -> CGAffineTransform {
        CGAffineTransform(translationX: tx, y: ty).concatenating(self)
    }

    /// Scales, then does what this transform does.
    public func scaledBy(x sx: CGFloat, y sy: CGFloat) -> CGAffineTransform {
        CGAffineTransform(scaleX: sx, y: sy).concatenating(self)
    }

    /// Rotates by `angle` radians, then does what this transform does.
    public func rotated(by angle: CGFloat) -> CGAffineTransform {
        CGAffineTransform(rotationAngle: angle).concatenating(self)
    }

    /// What this transform does, then what `t2` does.
    public func concatenating(_ t2: CGAffineTransform) -> CGAffineTransform {
        CGAffineTransform(
            a: a * t2.a + b * t2.c, b: a * t2.b + b * t2.d,
            c: c * t2.a + d * t2.c, d: c * t2.b + d * t2.d,
            tx: tx * t2.a + ty * t2.c + t2.tx, ty: tx * t2.b + ty * t2.d + t2.ty)
    }

    /// The transform that undoes this one; this one itself where there is none (the determinant is 0 or not finite).
    public func inverted() -> CGAffineTransform {
        let determinant = a * d - b * c
        guard determinant != 0, determinant.isFinite else { return self }
        return CGAffineTransform(
            a: d / determinant, b: -b / determinant, c: -c / determinant, d: a / determinant,
            tx: (c * ty - d * tx) / determinant, ty: (b * tx - a * ty) / determinant)
    }
}

extension CGAffineTransform: CustomStringConvertible {
    public var description: String { "[\(a), \(b), \(c), \(d), \(tx), \(ty)]" }
}

// MARK: - Acting on geometry

extension CGPoint {
    /// Where the transform takes the point.
    public func applying(_ t: CGAffineTransform) -> CGPoint {
        CGPoint(x: t.a * x + t.c * y + t.tx, y: t.b * x + t.d * y + t.ty)
    }
}

extension CGSize {
    /// The size as a direction: the translation has no effect, and a side may come out negative.
    public func applying(_ t: CGAffineTransform) -> CGSize {
        CGSize(width: t.a * width + t.c * height, height: t.b * width + t.d * height)
    }
}

extension CGVector {
    /// Without the translation.
    public func applying(_ t: CGAffineTransform) -> CGVector {
        CGVector(dx: t.a * dx + t.c * dy, dy: t.b * dx + t.d * dy)
    }
}

extension CGRect {
    /// The smallest upright rectangle around the four corners' images. A null or infinite rectangle stays as it is.
    public func applying(_ t: CGAffineTransform) -> CGRect {
        if isNull || isInfinite || t.isIdentity { return self }
        let corners = [
            CGPoint(x: minX, y: minY), CGPoint(x: maxX, y: minY),
            CGPoint(x: maxX, y: maxY), CGPoint(x: minX, y: maxY),
        ].map { $0.applying(t) }
        let left = min(min(corners[0].x, corners[1].x), min(corners[2].x, corners[3].x))
        let right = max(max(corners[0].x, corners[1].x), max(corners[2].x, corners[3].x))
        let top = min(min(corners[0].y, corners[1].y), min(corners[2].y, corners[3].y))
        let bottom = max(max(corners[0].y, corners[1].y), max(corners[2].y, corners[3].y))
        return CGRect(x: left, y: top, width: right - left, height: bottom - top)
    }
}
