import CoreGraphics
import Drawing
import Testing

@Test("A file that imports CoreGraphics and Testing compiles, and sees geometry, colors and images")
func importsTogether() throws {
    let color = CGColor(red: 1, green: 0.5, blue: 0, alpha: 1)
    let tile = Tile(center: CGPoint(x: 10, y: 20), side: 2, angle: .pi / 4, color: color)
    #expect(abs(tile.bounds.width - 2 * CGFloat(2).squareRoot()) < 1e-12)
    #expect(abs(tile.bounds.midX - 10) < 1e-12)
    #expect(tile.color.components == [1, 0.5, 0, 1])

    let image = try CGImage(width: 1, height: 1, straightRGBA: [10, 20, 30, 255])
    #expect(image.pixel(x: 0, y: 0) == (10, 20, 30, 255))
}
