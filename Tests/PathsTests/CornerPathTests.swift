import LayerModel
import Paths
import Testing

@Suite("Outlines of layers as paths")
struct CornerPathTests {
    @Test(
        "Filled, they cover what the layer's background does",
        arguments: [CornerCurve.circular, .continuous], [0, 12, 30, 55, 400.0])
    func outlines(curve: CornerCurve, radius: Double) {
        let rect = Rect(20.25, 15.5, 150, 110)
        let clip = PixelRect(x: 0, y: 0, width: 200, height: 160)
        var rasterizer = CoverageRasterizer()
        for corners in [CornerMask.all, [.minXMinY, .maxXMaxY], .maxXMinY] {
            let shape = ShapeGeometry(rect: rect, cornerRadius: radius, corners: corners, curve: curve)
            let wanted = CoveredPixels(
                rasterizer.rasterize(
                    shape.outline(projectedBy: .identity, clippedTo: clip), rule: .nonZero, clip: clip),
                width: 200, height: 160)
            let path = VectorPath(roundedRect: rect, radius: radius, corners: corners, curve: curve)
            let off = CoveredPixels.inside(path, .nonZero).difference(to: wanted)
            // A quarter circle's cubic is off by 0.03 % of the radius: 4 levels at 55 pixels.
            #expect(off.worst <= 5, "\(corners): \(off)")
        }
    }
}
