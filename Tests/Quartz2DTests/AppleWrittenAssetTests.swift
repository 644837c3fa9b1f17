import Foundation
import Testing

@testable import Quartz2D

/// Pictures that Apple's own programs wrote, against the numbers that Pillow reads from them.
@Suite("Pictures written on Apple's platforms", .enabled(if: Fixtures.hasInputs, "needs ../shared/inputs"))
struct AppleWrittenAssetTests {
    struct Asset: CustomStringConvertible, Sendable {
        let name: String
        let size: [Int]
        /// Red, green, blue, alpha summed over all pixels, each channel as round(c·a/255).
        let sums: [Int]
        /// x, y and the straight red, green, blue, alpha there.
        let pixels: [[Int]]

        var description: String { name }
    }

    static let assets = [
        Asset(
            name: "FavoriteView.1.png", size: [53, 50], sums: [479844, 203578, 188078, 479848],
            pixels: [[0, 0, 0, 0, 0, 0], [17, 12, 255, 59, 48, 255], [35, 25, 255, 58, 48, 255]]),
        Asset(
            name: "FavoriteView.ca/assets/image0.png", size: [50, 46], sums: [418813, 418813, 418813, 586500],
            pixels: [[0, 0, 0, 0, 0, 255], [25, 23, 255, 255, 255, 255]]),
        Asset(
            name: "LayeringShadowsView.png", size: [200, 200], sums: [1_022_712, 2_310_225, 1_588_854, 3_877_479],
            pixels: [[100, 100, 52, 199, 89, 255], [66, 50, 93, 104, 107, 209], [199, 199, 0, 0, 0, 0]]),
        Asset(
            name: "TelevisionView.ca/assets/image0.png", size: [400, 300],
            sums: [15_071_604, 14_927_806, 14_271_404, 30_600_000],
            pixels: [[133, 75, 190, 190, 193, 255], [399, 299, 255, 255, 255, 255]]),
        Asset(
            name: "ToggleView.ca/assets/image0.png", size: [67, 61], sums: [109044, 109044, 109044, 1_042_185],
            pixels: [[33, 30, 153, 153, 153, 255], [66, 60, 0, 0, 0, 255]]),
        Asset(
            name: "ToggleView.ca/assets/image1.png", size: [1530, 3], sums: [119413, 456779, 204334, 585311],
            pixels: [[765, 1, 52, 199, 90, 128], [510, 0, 52, 199, 89, 181], [1020, 1, 52, 200, 90, 74]]),
        Asset(
            name: "ToggleView.ca/assets/image2.png", size: [129, 129],
            sums: [1_312_277, 1_312_277, 1_312_277, 1_332_333],
            pixels: [[0, 0, 0, 0, 0, 0], [43, 32, 255, 255, 255, 255]]),
        Asset(
            name: "ToggleView.ca/assets/image3.png", size: [73, 61], sums: [133276, 133276, 133276, 1_135_515],
            pixels: [[36, 30, 17, 17, 17, 255], [48, 30, 25, 25, 25, 255]]),
        Asset(
            name: "ToggleView.png", size: [114, 134], sums: [348258, 463723, 378919, 550595],
            pixels: [[38, 33, 61, 61, 67, 92], [57, 67, 0, 0, 0, 0]]),
    ]

    @Test("Sizes, single pixels and the sums of all pixels are those of another decoder", arguments: assets)
    func asset(asset: Asset) throws {
        let image = try CGImage(contentsOf: Fixtures.inputs.appending(path: asset.name))
        #expect([image.width, image.height] == asset.size)
        let stored = image.storedBytes
        let sums = [2, 1, 0, 3].map { channel in
            stride(from: channel, to: stored.count, by: 4).reduce(0) { $0 + Int(stored[$1]) }
        }
        #expect(sums == asset.sums)
        for pixel in asset.pixels {
            let at = (pixel[1] * image.width + pixel[0]) * 4
            let alpha = UInt8(pixel[5])
            let wanted = [4, 3, 2].map { premultiplied(UInt8(pixel[$0]), alpha) } + [pixel[5]]
            #expect(stored[at..<at + 4].map { Int($0) } == wanted, "at (\(pixel[0]), \(pixel[1]))")
        }
        #expect(image.isOpaque == (asset.sums[3] == image.width * image.height * 255))
    }

    @Test("A picture that is written and read again is stored alike", arguments: assets)
    func roundTrip(asset: Asset) throws {
        let image = try CGImage(contentsOf: Fixtures.inputs.appending(path: asset.name))
        let again = try CGImage(data: image.pngData(level: 1))
        #expect(ImageComparison.compare(image, again).isMatch)
        #expect(again.content == image.content)
    }
}
