// How a layer's own space lies under the pixels that a filter works on: for filters that know the layer's bounds or its
// axes. In perspective, the plane that touches the layer's at the middle of its bounds stands for it.

import LayerModel
import Paths

struct FilterPlane {
    let bounds: Rect
    /// From the layer's space to device pixels, without perspective.
    let toDevice: Homography
    let fromDevice: Homography
    /// The layer's axes are those of the pixels, turned by quarters at most.
    let isUpright: Bool

    /// Nil for a plane that is seen edge-on.
    init?(_ plane: Homography, _ bounds: Rect) {
        self.bounds = bounds
        let middle = Point(bounds.midX, bounds.midY)
        let (x, y, w) = plane.homogeneous(middle)
        guard w > 0 else { return nil }
        var flat = Homography(
            (plane.a11 - x / w * plane.a13) / w, (plane.a12 - y / w * plane.a13) / w, 0,
            (plane.a21 - x / w * plane.a23) / w, (plane.a22 - y / w * plane.a23) / w, 0, 0, 0, 1)
        flat.a31 = x / w - middle.x * flat.a11 - middle.y * flat.a21
        flat.a32 = y / w - middle.x * flat.a12 - middle.y * flat.a22
        let dust = 1e-9 * max(max(abs(flat.a11), abs(flat.a12)), max(abs(flat.a21), abs(flat.a22)))
        isUpright =
            plane.isAffine
            && (abs(flat.a12) <= dust && abs(flat.a21) <= dust || abs(flat.a11) <= dust && abs(flat.a22) <= dust)
        guard let back = flat.inverse else { return nil }
        (toDevice, fromDevice) = (flat, back)
    }

    /// Its bounds are whole pixels.
    var isOnGrid: Bool {
        let (a, _, c, _) = bounds.corners
        return isUpright
            && [toDevice.apply(a), toDevice.apply(c)].allSatisfy {
                abs($0.x - $0.x.rounded()) < 1.0 / 256 && abs($0.y - $0.y.rounded()) < 1.0 / 256
            }
    }

    /// Pixels of a length of the layer: the lengths of both axes, and what a square of that side takes along x and y.
    func pixels(of length: Double) -> (axes: (Double, Double), box: (x: Double, y: Double)) {
        let x = (toDevice.a11 * toDevice.a11 + toDevice.a12 * toDevice.a12).squareRoot()
        let y = (toDevice.a21 * toDevice.a21 + toDevice.a22 * toDevice.a22).squareRoot()
        return (
            (x * length, y * length),
            ((abs(toDevice.a11) + abs(toDevice.a21)) * length, (abs(toDevice.a12) + abs(toDevice.a22)) * length)
        )
    }

    /// From a slot whose first pixel is the device's `origin` to a rectangle of the layer as the unit square.
    func unit(of rect: Rect, from origin: PixelPoint) -> Homography {
        Homography.translation(Double(origin.x), Double(origin.y)).concatenating(fromDevice)
            .concatenating(.translation(-rect.minX, -rect.minY))
            .concatenating(.scale(1 / rect.width, 1 / rect.height))
    }
}

extension DrawEffect.PlaneMap {
    /// - Parameter plane: Without perspective.
    init(_ plane: Homography) {
        self.init(
            xx: Float(plane.a11), xy: Float(plane.a21), x0: Float(plane.a31), yx: Float(plane.a12),
            yy: Float(plane.a22), y0: Float(plane.a32))
    }

    /// A rectangle of pixels as the unit square.
    package init(unitOf rect: PixelRect) {
        let (width, height) = (Float(rect.width), Float(rect.height))
        self.init(
            xx: 1 / width, xy: 0, x0: -Float(rect.minX) / width, yx: 0, yy: 1 / height,
            y0: -Float(rect.minY) / height)
    }
}
