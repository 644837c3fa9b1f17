import Foundation

/// A transform taken apart: first the scale, then a horizontal shear (x' = x + shear·y), a rotation, a translation.
public struct CGAffineTransformComponents: Hashable, Sendable, Codable {
    /// Along x and y; (1, 1) changes nothing.
    public var scale: CGSize
    /// What y adds to x, after the scale; 0 is none.
    public var horizontalShear: CGFloat

    /// Radians, from the x axis towards the y axis.
    public var rotation: CGFloat
    /// The move, last of all.
    public var translation: CGVector

    /// Components of the identity.
    public init() {
        self.init(scale: CGSize(width: 1, height: 1), horizontalShear: 0, rotation: 0, translation: .zero)
    }

    /// A transform of its parts.
    public init(scale: CGSize, horizontalShear: CGFloat, rotation: CGFloat, translation: CGVector) {
        self.scale = scale
        self.horizontalShear = horizontalShear
        self.rotation = rotation
        self.translation = translation
    }
}

extension CGAffineTransform {
    /// The transform that the parts make.
    public init(_ components: CGAffineTransformComponents) {
        let shear = CGAffineTransform(1, 0, components.horizontalShear, 1, 0, 0)
        self = CGAffineTransform(scaleX: components.scale.width, y: components.scale.height)
            .concatenating(shear)
            .concatenating(CGAffineTransform(rotationAngle: components.rotation))
            .concatenating(CGAffineTransform(translationX: components.translation.dx, y: components.translation.dy))
    }

    /// The transform taken apart, so that `CGAffineTransform(t.decomposed())` is `t` within rounding. The horizontal
    /// scale is never negative. Where the determinant is 0 what cannot be known is 0.
    public func decomposed() -> CGAffineTransformComponents {
        // With C = cos, S = sin: (a, b) = sx·(C, S) and (c, d) = sy·(shear·C - S, shear·S + C).
        let translation = CGVector(dx: tx, dy: ty)
        let width = CGFloat(hypot(Double(a), Double(b)))
        guard width > 0 else {
            let height = CGFloat(hypot(Double(c), Double(d)))
            let rotation = height > 0 ? CGFloat(atan2(Double(-c), Double(d))) : 0
            return CGAffineTransformComponents(
                scale: CGSize(width: 0, height: height), horizontalShear: 0, rotation: rotation,
                translation: translation)
        }
        let height = (a * d - b * c) / width
        let sheared = (a * c + b * d) / width
        return CGAffineTransformComponents(
            scale: CGSize(width: width, height: height), horizontalShear: height == 0 ? 0 : sheared / height,
            rotation: CGFloat(atan2(Double(b), Double(a))), translation: translation)
    }
}
