import Foundation
import LayerModel
import Testing

@testable import Quartz2D

@Suite("Colors")
struct ColorTests {
    @Test("RGB components come back as they were given, alpha last, values outside 0…1 too")
    func components() {
        let color = CGColor(red: 1.5, green: -0.25, blue: 0.5, alpha: 0.75)
        #expect(color.components == [1.5, -0.25, 0.5, 0.75] && color.numberOfComponents == 4 && color.alpha == 0.75)
        #expect(color.color == Color(1.5, -0.25, 0.5, 0.75))
        #expect(CGColor(srgbRed: 1.5, green: -0.25, blue: 0.5, alpha: 0.75) == color)
    }

    @Test("A gray has two components and is drawn with equal red, green and blue")
    func gray() {
        let color = CGColor(gray: 0.25, alpha: 0.5)
        #expect(color.components == [0.25, 0.5] && color.numberOfComponents == 2)
        #expect(color.color == Color(0.25, 0.25, 0.25, 0.5))
        #expect(color == CGColor(red: 0.25, green: 0.25, blue: 0.25, alpha: 0.5))
        #expect(color.hashValue == CGColor(red: 0.25, green: 0.25, blue: 0.25, alpha: 0.5).hashValue)
    }

    @Test("A component that is not finite becomes 0")
    func notFinite() {
        #expect(CGColor(red: .nan, green: .infinity, blue: -.infinity, alpha: 1).components == [0, 0, 0, 1])
        #expect(CGColor(gray: 1, alpha: .nan).components == [1, 0])
        #expect(CGColor(red: 1, green: 1, blue: 1, alpha: 1).copy(alpha: .nan)?.alpha == 0)
    }

    @Test("A copy has the other alpha and the same color and space")
    func copy() {
        #expect(CGColor.white.copy(alpha: 0.5)?.components == [1, 0.5])
        #expect(CGColor(red: 1, green: 0, blue: 0, alpha: 1).copy(alpha: 0.5)?.components == [1, 0, 0, 0.5])
    }

    @Test("Black, white and clear are the grays of these names")
    func constants() {
        #expect(CGColor.black.components == [0, 1])
        #expect(CGColor.white.components == [1, 1])
        #expect(CGColor.clear.components == [0, 0])
    }

    @Test("A space's components need alpha too; spaces are found by name")
    func spaces() throws {
        let rgb = CGColorSpaceCreateDeviceRGB()
        #expect(rgb.name == CGColorSpace.sRGB && rgb.model == .rgb && rgb.numberOfComponents == 3)
        #expect(CGColor(colorSpace: rgb, components: [0.1, 0.2, 0.3, 0.4])?.components == [0.1, 0.2, 0.3, 0.4])
        #expect(CGColor(colorSpace: rgb, components: [0.1, 0.2, 0.3]) == nil)
        let gray = try #require(CGColorSpace(name: CGColorSpace.genericGrayGamma2_2))
        #expect(gray.model == .monochrome)
        #expect(CGColor(colorSpace: gray, components: [0.1, 0.4])?.components == [0.1, 0.4])
        let extended = try #require(CGColorSpace(name: CGColorSpace.extendedSRGB))
        #expect(CGColor(colorSpace: extended, components: [2, 0, 0, 1])?.colorSpace == extended)
        #expect(CGColorSpace(name: CGColorSpace.Name(rawValue: "kCGColorSpaceNowhere")) == nil)
    }
}
