import Foundation
import Quartz2D
import Testing

@Suite("Images from bytes")
struct DataProviderTests {
    /// One pixel: straight (200, 100, 50) at alpha 128, or those times 128/255: (100, 50, 25).
    struct Layout: Sendable, CustomTestStringConvertible {
        var bytes: [UInt8]
        var bits = 32
        var alpha: CGImageAlphaInfo
        var order: CGBitmapInfo = .byteOrderDefault
        var expected: [UInt8] = [199, 100, 50, 128]
        var testDescription: String { "\(alpha) \(order.rawValue >> 12) \(bits)" }
    }

    static let known: [Layout] = [
        Layout(bytes: [100, 50, 25, 128], alpha: .premultipliedLast),
        Layout(bytes: [128, 25, 50, 100], alpha: .premultipliedLast, order: .byteOrder32Little),
        Layout(bytes: [128, 100, 50, 25], alpha: .premultipliedFirst, order: .byteOrder32Big),
        Layout(bytes: [25, 50, 100, 128], alpha: .premultipliedFirst, order: .byteOrder32Little),
        Layout(bytes: [199, 100, 50, 128], alpha: .last),
        Layout(bytes: [128, 199, 100, 50], alpha: .first),
        Layout(bytes: [200, 100, 50, 7], alpha: .noneSkipLast, expected: [200, 100, 50, 255]),
        Layout(bytes: [7, 200, 100, 50], alpha: .noneSkipFirst, expected: [200, 100, 50, 255]),
        Layout(
            bytes: [50, 100, 200, 7], alpha: .noneSkipFirst, order: .byteOrder32Little, expected: [200, 100, 50, 255]),
        Layout(bytes: [200, 100, 50], bits: 24, alpha: .none, expected: [200, 100, 50, 255]),
        Layout(bytes: [77], bits: 8, alpha: .none, expected: [77, 77, 77, 255]),
    ]

    func image(_ layout: Layout, width: Int = 1, height: Int = 1, bytesPerRow: Int, _ bytes: [UInt8]) -> CGImage? {
        CGImage(
            width: width, height: height, bitsPerComponent: 8, bitsPerPixel: layout.bits, bytesPerRow: bytesPerRow,
            space: layout.bits == 8 ? CGColorSpaceCreateDeviceGray() : CGColorSpaceCreateDeviceRGB(),
            bitmapInfo: [layout.order, CGBitmapInfo(rawValue: layout.alpha.rawValue)],
            provider: CGDataProvider(data: Data(bytes) as CFData)!, decode: nil, shouldInterpolate: true,
            intent: .defaultIntent)
    }

    @Test("Every layout of 8 bits a component comes out as the same colours", arguments: known)
    func layouts(_ layout: Layout) throws {
        // Two rows of two pixels, padded by three bytes; the last row may end with its pixels.
        let row = layout.bytes + layout.bytes + [1, 2, 3]
        let bytes = Array((row + row).dropLast(3))
        let picture = try #require(image(layout, width: 2, height: 2, bytesPerRow: row.count, bytes))
        for y in 0..<2 {
            for x in 0..<2 {
                let pixel = picture.pixel(x: x, y: y)
                let seen = [pixel.red, pixel.green, pixel.blue, pixel.alpha].map { Int($0) }
                // 128/255 of a channel keeps it to within a level of what it was.
                for (value, wanted) in zip(seen, layout.expected) { #expect(abs(value - Int(wanted)) <= 1, "\(seen)") }
            }
        }
        #expect(image(layout, width: 2, height: 2, bytesPerRow: row.count, Array(bytes.dropLast())) == nil)
    }

    @Test("What can't be read as pixels is nil: short rows, no rows, huge ones, 16-bit orders, floats")
    func refused() {
        let plain = Self.known[0]
        #expect(image(plain, width: 2, height: 1, bytesPerRow: 7, [UInt8](repeating: 0, count: 8)) == nil)
        #expect(image(plain, width: 0, height: 1, bytesPerRow: 8, [0, 0, 0, 0]) == nil)
        #expect(image(plain, width: 1, height: -1, bytesPerRow: 8, [0, 0, 0, 0]) == nil)
        #expect(image(plain, width: 1, height: .max, bytesPerRow: .max, [0, 0, 0, 0]) == nil)
        #expect(image(plain, width: .max, height: 1, bytesPerRow: .max, [0, 0, 0, 0]) == nil)
        var odd = plain
        odd.order = .byteOrder16Little
        #expect(image(odd, bytesPerRow: 4, [0, 0, 0, 0]) == nil)
        odd.order = .floatComponents
        #expect(image(odd, bytesPerRow: 4, [0, 0, 0, 0]) == nil)
        odd = plain
        odd.bits = 64
        #expect(image(odd, bytesPerRow: 8, [UInt8](repeating: 0, count: 8)) == nil)
    }

    @Test("A picture's own bytes make the same picture again")
    func roundTrip() throws {
        let picture = try CGImage(width: 2, height: 1, premultipliedBGRA: [25, 50, 100, 128, 0, 0, 255, 255])
        let space = try #require(picture.colorSpace)
        let bytes = try #require(picture.dataProvider)
        let again = CGImage(
            width: 2, height: 1, bitsPerComponent: picture.bitsPerComponent, bitsPerPixel: picture.bitsPerPixel,
            bytesPerRow: picture.bytesPerRow, space: space, bitmapInfo: picture.bitmapInfo, provider: bytes,
            decode: nil,
            shouldInterpolate: false, intent: .defaultIntent)
        #expect(again?.dataProvider?.data == picture.dataProvider?.data)
    }

    @Test("PNG bytes are a PNG's picture, and no JPEG's")
    func files() throws {
        let picture = try CGImage(width: 1, height: 1, premultipliedBGRA: [25, 50, 100, 255])
        let file = Data(try picture.pngData())
        let provider = try #require(CGDataProvider(data: file))
        let png = CGImage(
            pngDataProviderSource: provider, decode: nil, shouldInterpolate: false, intent: .defaultIntent)
        #expect(png?.dataProvider?.data == picture.dataProvider?.data)
        #expect(
            CGImage(jpegDataProviderSource: provider, decode: nil, shouldInterpolate: false, intent: .defaultIntent)
                == nil)
        #expect(CGDataProvider(filename: "/nonexistent/picture.png") == nil)
    }

    @Test("Colours cast to an array of Core Foundation make a gradient")
    func gradient() {
        let colors = [CGColor.black, CGColor.white] as CFArray
        #expect(CGGradient(colorsSpace: CGColorSpaceCreateDeviceRGB(), colors: colors, locations: [0, 1]) != nil)
    }
}
