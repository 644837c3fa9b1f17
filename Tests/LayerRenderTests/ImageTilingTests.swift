import LayerModel
import Testing

@testable import LayerRender

@Suite("Images larger than a texture")
struct ImageTilingTests {
    @Test(
        "Tiles are no larger than a texture, and each holds one texel of its neighbors",
        arguments: [(100, 30, 32), (64, 64, 64), (65, 1, 64), (1, 1_000, 64), (62, 63, 62), (9, 9, 3), (1, 1, 1)])
    func texels(width: Int, height: Int, limit: Int) {
        let size = PixelSize(width: width, height: height)
        let tiling = ImageTiling(size, limit: limit)
        #expect(tiling.isWhole == (width <= limit && height <= limit))
        let tiles = (0..<tiling.count).map { tiling.texels(of: $0) }
        #expect(tiles.allSatisfy { $0.width <= limit && $0.height <= limit && !$0.isEmpty })
        // Every texel lies in a tile together with all its neighbors in the image.
        for y in 0..<height {
            for x in 0..<width {
                let around = PixelRect(
                    minX: max(x - 1, 0), minY: max(y - 1, 0), maxX: min(x + 2, width), maxY: min(y + 2, height))
                #expect(tiles.contains { $0.contains(around) }, "texel (\(x), \(y))")
            }
        }
    }

    @Test("The parts of a piece fill it without a gap or an overlap, whichever way the image runs")
    func parts() {
        let axis = ImageTiling.Axis(100, limit: 32)
        #expect(axis.count == 4 && axis.step == 30)
        let places = axis.parts(10, 60, source: (0, 1))
        #expect(places.map(\.from) == [10, 25, 40, 55] && places.map(\.to) == [25, 40, 55, 60])
        let back = axis.parts(10, 60, source: (1, -1))
        #expect(back.map(\.tile) == [0, 1, 2, 3] && back.map(\.from) == [45, 30, 15, 10])
        // Beyond the image its edge goes on.
        let beyond = axis.parts(0, 40, source: (-1, 4))
        #expect(beyond.map(\.from) == [0, 13, 16, 19] && beyond.map(\.to) == [13, 16, 19, 40])
        // A part of the image that one tile holds.
        #expect(axis.parts(0, 8, source: (0.4, 0.1)) == [ImageTiling.Part(tile: 1, from: 0, to: 8)])
        #expect(axis.parts(0, 8, source: (0.95, 0)) == [ImageTiling.Part(tile: 3, from: 0, to: 8)])
        for number in [1e300, -1e300, Double.leastNonzeroMagnitude, .greatestFiniteMagnitude] {
            let parts = axis.parts(0, number.magnitude, source: (number, number))
            #expect(parts.allSatisfy { $0.from < $0.to && $0.from >= 0 && $0.to <= number.magnitude })
        }
    }
}
