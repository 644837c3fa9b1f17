// Coverage and lines next to FreeType's smooth rasterizer and cairo.
//
// FreeType gets the same polygons, on its grid of 64ths of a pixel: what is compared is the area. It rounds down to 256ths,
// so a level is its own. Cairo draws lines by itself; it looks at 15 rows a pixel, so an edge that is nearly level may be off by a
// 15th, 17 levels.

import Glibc
import LayerModel
import Paths
import Testing

@Suite("Paths next to FreeType and cairo")
struct PeerTests {
    private static let samples: [(name: String, path: VectorPath)] = [
        ("circle", ShapeSamples.circle(100, 80, 70)), ("triangle", ShapeSamples.triangle),
        ("mixed", ShapeSamples.mixed), ("small circle", ShapeSamples.circle(100.3, 80.4, 3.7)),
    ]

    @Test("Filled polygons cover what FreeType says", arguments: 0..<4)
    func fills(sample: Int) throws {
        let (name, path) = Self.samples[sample]
        let clip = PixelRect(x: 0, y: 0, width: 200, height: 160)
        // Where the path crosses itself, at an acute angle, FreeType counts areas twice.
        let crossing = name == "mixed" ? PixelRect(x: 84, y: 56, width: 32, height: 16) : .empty
        try compare(onFreeTypesGrid(path.outline(projectedBy: .identity, near: clip)), name, ignoring: crossing)
    }

    @Test(
        "The contours of lines cover what FreeType says", arguments: 0..<4,
        [
            StrokeStyle(width: 2.5), StrokeStyle(width: 11, cap: .round, join: .round),
            StrokeStyle(width: 6, join: .bevel),
        ])
    func lines(sample: Int, style: StrokeStyle) throws {
        let (name, path) = Self.samples[sample]
        let clip = PixelRect(x: 0, y: 0, width: 200, height: 160)
        // Wider than the small circle it would cover itself.
        guard name != "small circle" || style.width < 6 else { return }
        try compare(onFreeTypesGrid(path.strokeOutline(style, projectedBy: .identity, near: clip)), name)
    }

    private func compare(_ outline: Outline, _ name: String, ignoring part: PixelRect = .empty) throws {
        let clip = PixelRect(x: 0, y: 0, width: 200, height: 160)
        var rasterizer = CoverageRasterizer()
        let ours = CoveredPixels(
            rasterizer.rasterize(outline, rule: .nonZero, clip: clip), width: 200, height: 160)
        let off = ours.difference(to: try Peers.freeType(outline)) { x, y in
            part.contains(PixelRect(x: x, y: y, width: 1, height: 1))
        }
        #expect(off.worst <= 3 && off.meanOfAll <= 0.25 && off.meanOfEdges <= 0.7, "\(name): \(off)")
    }

    private func onFreeTypesGrid(_ outline: Outline) -> Outline {
        var result = Outline()
        var start = 0
        for end in outline.contourEnds {
            result.addContour(
                outline.points[start..<end].map { Point(($0.x * 64).rounded() / 64, ($0.y * 64).rounded() / 64) })
            start = end
        }
        return result
    }

    @Test(
        "Lines cover what cairo draws", arguments: 0..<3,
        [
            StrokeStyle(width: 2), StrokeStyle(width: 9, cap: .round, join: .round),
            StrokeStyle(width: 9, cap: .square, join: .bevel), StrokeStyle(width: 14, miterLimit: 4),
        ])
    func cairo(sample: Int, style: StrokeStyle) throws {
        let (name, path) = Self.samples[sample]
        let off = CoveredPixels.line(path, style).difference(to: try Peers.cairo(path, style))
        #expect(off.worst <= 20 && off.meanOfAll <= 0.25, "\(name): \(off)")
    }
}
