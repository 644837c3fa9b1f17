import CAML
import LayerModel
import Quartz2D
import Testing

@Suite("Colors baked into images")
struct PicturePaintingTests {
    /// Pixels as blue, green, red, alpha; rows may be longer than the picture.
    private func image(_ pixels: [[UInt8]], padding: Int = 0) -> CGImage {
        let row = pixels.flatMap { $0 } + [UInt8](repeating: 0xEE, count: padding)
        return CGImage(
            ImageContent(
                width: pixels.count, height: 2, bytesPerRow: row.count, isOpaque: pixels.allSatisfy { $0[3] == 255 },
                pixels: PixelStorage(row + row)))
    }

    private func firstRow(_ image: CGImage) -> [[UInt8]] {
        image.content.pixels.withBytes { bytes in
            (0..<image.width).map { Array(bytes[$0 * 4..<$0 * 4 + 4]) }
        }
    }

    @Test("Gray coverage becomes the color times the coverage, premultiplied")
    func gray() {
        let gray = image([[0, 0, 0, 255], [128, 128, 128, 255], [255, 255, 255, 255]], padding: 8)
        let painted = gray.painting(.gray, with: Color(1, 0.5, 0))
        // round(255 · 0.5 · 128 / 255) = 64.
        #expect(firstRow(painted) == [[0, 0, 0, 0], [0, 64, 128, 128], [0, 128, 255, 255]])
        #expect(!painted.content.isOpaque && painted.content.bytesPerRow == 12)
    }

    @Test("Alpha coverage ignores the picture's colors")
    func alpha() {
        let picture = image([[10, 20, 30, 51], [255, 255, 255, 255]])
        #expect(
            firstRow(picture.painting(.alpha, with: Color(1, 1, 1, 0.5))) == [[26, 26, 26, 26], [128, 128, 128, 128]])
    }

    @Test("A multiply color scales colors and, by its alpha, everything")
    func multiply() {
        let picture = image([[100, 200, 50, 200]])
        #expect(firstRow(picture.multiplied(by: Color(0, 0.5, 1))) == [[100, 100, 0, 200]])
        #expect(firstRow(picture.multiplied(by: Color(1, 1, 1, 0.5))) == [[50, 100, 25, 100]])
        #expect(picture.multiplied(by: Color(1, 1, 1, 0.5)).content.isOpaque == false)
    }

    @Test("White changes nothing and black coverage stays black, for every level")
    func extremes() {
        for level in 0...255 {
            let value = UInt8(level)
            let picture = image([[value, value, value, 255]])
            #expect(firstRow(picture.multiplied(by: .white)) == [[value, value, value, 255]])
            #expect(firstRow(picture.painting(.gray, with: .black)) == [[0, 0, 0, value]])
        }
    }
}
