import Glibc
import LayerModel

/// A Gaussian as it lies on the pixels: round in a layer's own space, an ellipse after the layer's transform.
///
/// Any such ellipse is two one-dimensional Gaussians, one along the rows and one along a slanted line.
package struct GaussianShape: Hashable, Sendable {
    /// Standard deviation along x of the first, pixels.
    package var sigmaX: Double
    /// Standard deviation of the second, counted along y, pixels.
    package var sigmaY: Double
    /// How far x moves for one step of y along the second.
    package var slant: Double

    /// Round.
    package init(sigma: Double) {
        (sigmaX, sigmaY, slant) = (sigma, sigma, 0)
    }

    /// - Parameters:
    ///   - sigma: In the layer's points.
    ///   - plane: To device pixels; where it is projective, what it does at `place`.
    package init(sigma: Double, on plane: Homography, at place: Point) {
        let (x, y, w) = plane.homogeneous(place)
        // Derivatives of (x/w, y/w).
        let a11 = (plane.a11 - x / w * plane.a13) / w
        let a12 = (plane.a12 - y / w * plane.a13) / w
        let a21 = (plane.a21 - x / w * plane.a23) / w
        let a22 = (plane.a22 - y / w * plane.a23) / w
        // Squared, a larger one would be no number.
        let variance = min(sigma, 1e9) * min(sigma, 1e9)
        let xx = variance * (a11 * a11 + a21 * a21)
        let xy = variance * (a11 * a12 + a21 * a22)
        let yy = variance * (a12 * a12 + a22 * a22)
        guard (xx + xy + yy).isFinite, yy > 0 else {
            (sigmaX, sigmaY, slant) = (xx.isFinite && xx > 0 ? xx.squareRoot() : 0, 0, 0)
            return
        }
        // A turn leaves dust where there should be none.
        let isRound = abs(xy) <= 1e-9 * max(xx, yy)
        slant = isRound ? 0 : xy / yy
        sigmaY = yy.squareRoot()
        sigmaX = isRound ? xx.squareRoot() : max(xx - xy * xy / yy, 0).squareRoot()
    }

    /// How far it reaches, pixels: three standard deviations, where less than half a level is left.
    package var reachX: Int { GaussianShape.reach((sigmaX * sigmaX + slant * slant * sigmaY * sigmaY).squareRoot()) }
    package var reachY: Int { GaussianShape.reach(sigmaY) }

    /// Nothing is blurred that anyone could see.
    package var isPoint: Bool { max(sigmaX, sigmaY) < 0.05 }

    static func reach(_ sigma: Double) -> Int { Int(min((sigma * 3).rounded(.up), 1e6)) }

    /// The weights of a Gaussian at whole steps, the middle one first; all of them, both sides, add up to 1. They end
    /// at three standard deviations.
    package static func weights(sigma: Double) -> [Double] {
        guard sigma > 0.05 else { return [1] }
        let reach = Int((sigma * 3).rounded(.up))
        var weights = (0...reach).map { (k: Int) -> Double in
            let x = Double(k) / sigma
            return exp(-x * x / 2)
        }
        let sum = weights[0] + 2 * weights.dropFirst().reduce(0, +)
        for index in weights.indices { weights[index] /= sum }
        return weights
    }
}
