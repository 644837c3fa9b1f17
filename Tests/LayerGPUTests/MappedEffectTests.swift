import LayerModel
import LayerRender
import Testing

@testable import LayerGPU

/// Effects that know where a layer's axes lie.
extension LayerGPUTests.Effects {
    /// A turned and sheared parallelogram's unit square: 0.02 x + 0.01 y - 0.3 across, -0.008 x + 0.03 y - 0.2 down.
    private static let toUnit = DrawEffect.PlaneMap(xx: 0.02, xy: 0.01, x0: -0.3, yx: -0.008, yy: 0.03, y0: -0.2)
    /// The way back; the determinant is 0.00068.
    private static let fromUnit: DrawEffect.PlaneMap = {
        let d = 0.02 * 0.03 + 0.01 * 0.008
        return DrawEffect.PlaneMap(
            xx: Float(0.03 / d), xy: Float(-0.01 / d), x0: Float((0.3 * 0.03 - 0.2 * 0.01) / d), yx: Float(0.008 / d),
            yy: Float(0.02 / d), y0: Float((0.3 * 0.008 + 0.2 * 0.02) / d))
    }()

    @Test("A square of a slanted grid is the mean of the pixels whose centers lie in it", arguments: [false, true])
    func gridMeans(rgba: Bool) throws {
        let toGrid = DrawEffect.PlaneMap(xx: 0.14, xy: 0.05, x0: 0.31, yx: -0.03, yy: 0.17, y0: 0.23)
        let d = 0.14 * 0.17 + 0.05 * 0.03
        let back = DrawEffect.PlaneMap(
            xx: Float(0.17 / d), xy: Float(-0.05 / d), x0: Float((-0.31 * 0.17 + 0.23 * 0.05) / d),
            yx: Float(0.03 / d), yy: Float(0.14 / d), y0: Float((-0.31 * 0.03 - 0.23 * 0.14) / d))
        try check(
            DrawEffect(
                .gridMeans(toGrid: toGrid, fromGrid: back, first: PixelPoint(x: -1, y: -2)), source: Self.source),
            rgba: rgba, size: (11, 10))
    }

    @Test("A place shows the square that it lies in", arguments: [false, true])
    func gridSquares(rgba: Bool) throws {
        try check(
            DrawEffect(
                .gridSquares(
                    toGrid: DrawEffect.PlaneMap(xx: 0.31, xy: 0.12, x0: 2.3, yx: -0.2, yy: 0.4, y0: 1.7),
                    first: PixelPoint(x: -4, y: -3)), source: Self.source, offsetX: 3, offsetY: -2), rgba: rgba)
    }

    @Test(
        "A cut keeps the pixels whose centers lie in it, and puts white in its shape below", arguments: [false, true])
    func cut(rgba: Bool) throws {
        try check(
            DrawEffect(
                .cut(toUnit: Self.toUnit, rows: 20, weights: 24), source: Self.source, offsetX: 2, offsetY: 5),
            rgba: rgba)
    }

    @Test("A division is by the alpha further down", arguments: [false, true])
    func divide(rgba: Bool) throws {
        try check(
            DrawEffect(.divide(rows: 12), source: Self.source, offsetX: 6, offsetY: 4), rgba: rgba, size: (36, 18))
    }

    @Test("Outside of a parallelogram its nearest place goes on", arguments: [false, true])
    func extend(rgba: Bool) throws {
        try check(
            DrawEffect(
                .extend(toUnit: Self.toUnit, fromUnit: Self.fromUnit, insetX: 0.02, insetY: 0.03), source: Self.source),
            rgba: rgba)
    }

    @Test("A disc is as wide as the image says, in both directions at once", arguments: [false, true])
    func variableDisc(rgba: Bool) throws {
        let mask = Picture(9, 5) { x, y in
            Pixel(red: 0, green: 0, blue: 0, alpha: UInt8(min(255, 40 + x * 25 + y * 7)))
        }
        let disc = DrawEffect.VariableDisc(xx: 0.2, xy: -0.05, yy: 0.35, reachX: 7, reachY: 5)
        try check(
            DrawEffect(
                .variableDisc(
                    disc, mask: ImageKey(session: 1, image: ImageID(7)), map: DrawEffect.PlaneMap(unitOf: Self.source)),
                source: Self.source, offsetX: 1, offsetY: -2), rgba: rgba, mask: mask)
    }
}
