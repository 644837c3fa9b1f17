// The shapes a layer draws and clips with, in its own space.

import LayerModel
import Paths

extension ShapeGeometry {
    /// The bounds with their rounded corners: background, clip.
    static func bounds(of record: UnsafePointer<LayerRecord>) -> ShapeGeometry {
        ShapeGeometry(
            rect: record.pointee.properties.bounds, cornerRadius: record.pointee.properties.cornerRadius,
            corners: record.pointee.properties.maskedCorners,
            curve: record.pointee.properties.cornerCurve)
    }

    /// The band of the border. Where the layer clips, the clip makes the outer edge, so the band goes on past it.
    static func border(
        of record: UnsafePointer<LayerRecord>, on plane: Homography, outerEdgeIsClipped: Bool
    ) -> ShapeGeometry {
        var outset = 0.0
        if outerEdgeIsClipped {
            // Three pixels, in the layer's points; in perspective as much as the layer is large.
            let area = abs(plane.a11 * plane.a22 - plane.a12 * plane.a21)
            let longest = max(
                plane.a11 * plane.a11 + plane.a12 * plane.a12, plane.a21 * plane.a21 + plane.a22 * plane.a22
            ).squareRoot()
            let size = max(record.pointee.properties.bounds.width, record.pointee.properties.bounds.height)
            outset = plane.isAffine && area > 0 ? min(3 * longest / area, size) : size
        }
        return ShapeGeometry(
            rect: record.pointee.properties.bounds, cornerRadius: record.pointee.properties.cornerRadius,
            corners: record.pointee.properties.maskedCorners,
            curve: record.pointee.properties.cornerCurve, ringWidth: record.pointee.properties.borderWidth,
            ringOutset: outset)
    }

    /// The shape with the straight edges that are not smooth moved to the nearest pixel edges, where the plane is
    /// upright or turned by quarters; else nil.
    func snapped(on plane: Homography, smooth: EdgeMask) -> ShapeGeometry? {
        guard plane.a13 == 0, plane.a23 == 0, plane.a33 == 1 else { return nil }
        // Where a vertical and a horizontal edge of the shape lie in the picture: scale and offset.
        let across: (scale: Double, offset: Double)
        let down: (scale: Double, offset: Double)
        if plane.a12 == 0, plane.a21 == 0 {
            (across, down) = ((plane.a11, plane.a31), (plane.a22, plane.a32))
        } else if plane.a11 == 0, plane.a22 == 0 {
            (across, down) = ((plane.a12, plane.a32), (plane.a21, plane.a31))
        } else {
            return nil
        }
        guard across.scale != 0, down.scale != 0 else { return nil }
        func snap(_ value: Double, _ line: (scale: Double, offset: Double), _ side: EdgeMask) -> Double {
            guard !smooth.contains(side), let pixel = wholePixel(value * line.scale + line.offset, true) else {
                return value
            }
            return (Double(pixel) - line.offset) / line.scale
        }
        func snap(_ rect: Rect) -> Rect {
            Rect(
                minX: snap(rect.minX, across, .left), minY: snap(rect.minY, down, .bottom),
                maxX: snap(rect.maxX, across, .right), maxY: snap(rect.maxY, down, .top))
        }
        return withRects(snap(rect), hole: holeRect.map(snap))
    }
}

extension LayerProperties {
    /// The sides that are drawn smooth off the pixel grid.
    @inline(__always) var smoothEdges: EdgeMask { allowsEdgeAntialiasing ? edgeAntialiasingMask : [] }
}
