import Foundation
import LayerModel
import Testing

@testable import CoreAnimation

@Suite("The grid of a tiled layer")
struct TileGridTests {
    private func grid(levels: Int = 1, bias: Int = 0, scale: Double = 1, tile: Double = 256) -> TileGrid {
        let layer = CATiledLayer()
        layer.levelsOfDetail = levels
        layer.levelsOfDetailBias = bias
        layer.contentsScale = CGFloat(scale)
        layer.tileSize = CGSize(width: tile, height: tile)
        return layer.tileGrid
    }

    private let square = [Point(0, 0), Point(512, 0), Point(512, 512), Point(0, 512)]

    @Test(
        "The level is the nearest power of two of the size on the display, within those there are",
        arguments: [
            (0.01, -2), (0.17, -2), (0.18, -2), (0.35, -2), (0.36, -1), (0.7, -1), (0.71, 0), (1, 0), (1.41, 0),
            (1.42, 1),
            (2.82, 1), (2.83, 1), (100, 1),
        ])
    func levels(scale: Double, level: Int) {
        // Four levels, one of them larger: 2, 1, 1/2, 1/4.
        #expect(grid(levels: 4, bias: 1).level(at: scale) == level)
    }

    @Test("Without more levels there is one, at contentsScale; with bias 3 of 4, one is 8 times as large")
    func bias() {
        #expect(grid().level(at: 8) == 0 && grid().level(at: 0.1) == 0)
        #expect(grid(levels: 4, bias: 3).level(at: 8) == 3 && grid(levels: 4, bias: 3).level(at: 0.1) == 0)
        #expect(grid(levels: 4, bias: 3).scale(ofLevel: 3) == 8)
        // On a display of 2 pixels a point a layer of contentsScale 2 is drawn at its own size.
        #expect(grid(levels: 3, bias: 1, scale: 2).level(at: 2) == 0)
        #expect(grid(scale: 2).scale(ofLevel: 0) == 2)
    }

    @Test("A tile has tileSize pixels at every level, from the origin of the layer's coordinates on")
    func rects() {
        let grid = grid(levels: 3, bias: 1, scale: 2)
        #expect(grid.rect(of: TileKey(level: 0, column: 1, row: -1)) == Rect(128, -128, 128, 128))
        #expect(grid.rect(of: TileKey(level: 1, column: 1, row: 2)) == Rect(64, 128, 64, 64))
        #expect(grid.rect(of: TileKey(level: -1, column: 0, row: 0)) == Rect(0, 0, 256, 256))
    }

    @Test("The tiles of a part are those that it touches; a seam belongs to neither side")
    func covering() {
        let grid = grid()
        let keys = grid.tiles(of: square, around: Point(256, 256), level: 0, limit: 100)
        let places = Set(keys.map { [$0.column, $0.row] })
        #expect(places == [[0, 0], [1, 0], [0, 1], [1, 1]] && keys.count == 4)
        let moved = square.map { Point($0.x - 1, $0.y) }
        #expect(grid.tiles(of: moved, around: Point(255, 256), level: 0, limit: 100).count == 6)
    }

    @Test("Of a slanted part only tiles that it touches")
    func slanted() {
        let triangle = [Point(0, 0), Point(1024, 0), Point(0, 1024)]
        let keys = grid().tiles(of: triangle, around: Point(300, 300), level: 0, limit: 100)
        // Rows of 4, 3, 2, 1.
        #expect(keys.count == 10)
        for key in keys { #expect(key.column + key.row < 4) }
    }

    @Test("Over the limit, those in the middle are kept")
    func limit() {
        let wide = [Point(0, 0), Point(25600, 0), Point(25600, 25600), Point(0, 25600)]
        let keys = grid().tiles(of: wide, around: Point(12800, 12800), level: 0, limit: 9)
        #expect(keys.count == 9)
        for key in keys { #expect(abs(key.row - 50) <= 1 && (40...60).contains(key.column)) }
        #expect(Set(keys).count == 9)
        #expect(grid().tiles(of: [], around: .zero, level: 0, limit: 9).isEmpty)
    }

    @Test("Where too many would be seen, a lower level is taken, if there is one")
    func coarser() {
        let wide = [Point(0, 0), Point(25600, 0), Point(25600, 25600), Point(0, 25600)]
        // 10,000 tiles at level 0, 2,500 one below, 625 two below.
        #expect(grid(levels: 4).level(at: 1, for: wide, limit: 1000) == -2)
        #expect(grid(levels: 2).level(at: 1, for: wide, limit: 1000) == -1)
        #expect(grid(levels: 4).level(at: 1, for: wide, limit: 10_000) == 0)
    }

    @Test("Odd settings are brought into what can be drawn")
    func odd() {
        let layer = CATiledLayer()
        layer.tileSize = CGSize(width: 0, height: CGFloat.nan)
        layer.levelsOfDetail = -3
        layer.levelsOfDetailBias = Int.max
        #expect(layer.tileGrid.tileWidth == 1 && layer.tileGrid.tileHeight == 256)
        #expect(layer.tileGrid.lowestLevel == 64 && layer.tileGrid.highestLevel == 64)
        layer.levelsOfDetail = Int.max
        #expect(layer.tileGrid.lowestLevel == 1)
        layer.tileSize = CGSize(width: 1e9, height: 99.5)
        #expect(layer.tileGrid.tileWidth == 16_384 && layer.tileGrid.tileHeight == 100)
    }

    @Test("A polygon is cut exactly, and a cut that leaves no area leaves nothing")
    func cuts() {
        let half = square.cut(1, 0, -256)
        #expect(half.map(\.x).min() == 256 && half.map(\.x).max() == 512 && half.count == 4)
        #expect(square.cut(1, 0, -600).isEmpty && square.cut(1, 0, 0).count == 4)
    }
}

@Suite("What a display sees of a layer")
struct LayerSightTests {
    private func sight(_ layer: CALayer, pixels: Double = 1) -> LayerSight {
        LayerSight(of: layer, display: Rect(0, 0, 100, 50), pixelsPerPoint: pixels) { $0.properties }
    }

    private func box(_ sight: LayerSight) -> CGRect {
        let (xs, ys) = (sight.polygon.map(\.x), sight.polygon.map(\.y))
        guard let left = xs.min(), let right = xs.max(), let low = ys.min(), let high = ys.max() else { return .null }
        return rect(left, low, right - left, high - low)
    }

    @Test("The display's edges and the bounds of clipping layers above cut it")
    func clips() {
        let root = layer(0, 0, 100, 50)
        let window = layer(10, 10, 60, 60)
        let content = layer(0, 0, 1000, 1000)
        root.addSublayer(window)
        window.addSublayer(content)
        #expect(isClose(box(sight(content)), rect(0, 0, 90, 40)))
        window.masksToBounds = true
        #expect(isClose(box(sight(content)), rect(0, 0, 60, 40)))
        window.bounds.origin = point(200, 300)
        #expect(isClose(box(sight(content)), rect(200, 300, 60, 40)))
        window.bounds.origin = point(2000, 300)
        #expect(sight(content).polygon.isEmpty && !sight(content).isHidden)
        window.isHidden = true
        #expect(sight(content).isHidden)
    }

    @Test("The scale is the layers' and the display's together; of a turned layer it is the same")
    func scale() {
        let root = layer(0, 0, 100, 50)
        let content = layer(0, 0, 20, 20)
        root.addSublayer(content)
        content.transform = CATransform3DMakeScale(3, 0.5, 1)
        #expect(abs(sight(content, pixels: 2).scale - 6) < 1e-9)
        content.transform = CATransform3DRotate(CATransform3DMakeScale(1.5, 1.5, 1), 0.7, 0, 0, 1)
        #expect(abs(sight(content).scale - 1.5) < 1e-9)
        root.sublayerTransform = CATransform3DMakeScale(2, 2, 1)
        #expect(abs(sight(content).scale - 3) < 1e-9)
    }

    @Test("Under perspective no more is seen than lands on the display, and nothing behind the eye")
    func perspective() {
        let root = layer(0, 0, 100, 50)
        var eye = CATransform3DIdentity
        eye.m34 = -1 / 100
        root.sublayerTransform = eye
        // A floor that goes from below the eye to far away, and behind the eye.
        let floor = layer(bounds: rect(0, 0, 4000, 4000), position: point(50, 70))
        floor.transform = CATransform3DMakeRotation(.pi / 2 - 0.01, 1, 0, 0)
        root.addSublayer(floor)
        let seen = sight(floor)
        #expect(!seen.polygon.isEmpty)
        for corner in seen.polygon {
            let place = floor.convert(CGPoint(corner), to: nil)
            #expect(rect(-0.01, -0.01, 100.02, 50.02).contains(place), "\(corner) is at \(place)")
        }
    }

    @Test("A flipped superlayer, and a transform layer between, are looked through")
    func between() {
        let root = layer(0, 0, 100, 50)
        let space = CATransformLayer()
        space.frame = rect(0, 0, 100, 50)
        space.masksToBounds = true
        let content = layer(0, -950, 100, 1000)
        root.isGeometryFlipped = true
        root.addSublayer(space)
        space.addSublayer(content)
        // y = 0 of the root is at the bottom of the display: its last 50 points are seen.
        #expect(isClose(box(sight(content)), rect(0, 950, 100, 50)))
    }
}
