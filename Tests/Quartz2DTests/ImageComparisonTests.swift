import Foundation
import Testing

@testable import Quartz2D

@Suite("Comparing pictures")
struct ImageComparisonTests {
    private func picture(_ width: Int, _ height: Int, _ edit: (inout [UInt8]) -> Void = { _ in }) throws -> CGImage {
        var bytes = [UInt8](repeating: 100, count: width * height * 4)
        for i in stride(from: 3, to: bytes.count, by: 4) { bytes[i] = 255 }
        edit(&bytes)
        return try CGImage(width: width, height: height, straightRGBA: bytes)
    }

    @Test("Equal pictures match and differ by nothing")
    func equal() throws {
        let result = try ImageComparison.compare(picture(5, 4), picture(5, 4))
        #expect(result.isMatch && result.differingPixels == 0 && result.maximumDifference == 0)
        #expect(result.meanDifference == 0 && result.boundingBox == nil)
        #expect(result.description == "the pictures are equal")
    }

    @Test("The count, the largest and mean difference and the box are those of the pixels that differ")
    func differing() throws {
        let second = try picture(5, 4) { bytes in
            bytes[(1 * 5 + 2) * 4] = 110  // (2, 1) red by 10
            bytes[(3 * 5 + 4) * 4 + 1] = 70  // (4, 3) green by 30
        }
        let result = try ImageComparison.compare(picture(5, 4), second)
        #expect(!result.isMatch && result.differingPixels == 2 && result.maximumDifference == 30)
        #expect(result.meanDifference == 40.0 / Double(5 * 4 * 4))
        #expect(result.boundingBox == CGRect(x: 2, y: 1, width: 3, height: 3))
    }

    @Test("A difference of the tolerance passes, one level more does not", arguments: [(9, 1), (10, 0), (30, 0)])
    func tolerance(tolerance: Int, differing: Int) throws {
        let second = try picture(2, 2) { $0[0] = 110 }
        let result = try ImageComparison.compare(picture(2, 2), second, tolerance: tolerance)
        #expect(result.differingPixels == differing && result.isMatch == (differing == 0))
        #expect(result.maximumDifference == 10)
    }

    @Test("Alpha is compared, and the color of an invisible pixel is not")
    func alpha() throws {
        let seen = try CGImage(width: 1, height: 1, straightRGBA: [0, 0, 0, 255])
        let faint = try CGImage(width: 1, height: 1, straightRGBA: [0, 0, 0, 250])
        #expect(ImageComparison.compare(seen, faint).maximumDifference == 5)
        let red = try CGImage(width: 1, height: 1, straightRGBA: [255, 0, 0, 0])
        let blue = try CGImage(width: 1, height: 1, straightRGBA: [0, 0, 255, 0])
        #expect(ImageComparison.compare(red, blue).isMatch)
    }

    @Test("Pictures of two sizes never match, whatever the tolerance")
    func sizes() throws {
        let result = try ImageComparison.compare(picture(2, 3), picture(3, 2), tolerance: 255)
        #expect(result.sizesDiffer && !result.isMatch)
        #expect(result.description == "the sizes differ: 2 x 3 and 3 x 2 pixels")
    }

    @Test("The diff is as large as both: red where they differ, blue where one is missing, white where both are")
    func diffImage() throws {
        let second = try picture(3, 1) { $0[0] = 255 }
        let diff = try ImageComparison.diffImage(picture(2, 2), second)
        #expect(diff.width == 3 && diff.height == 2)
        #expect(diff.pixel(x: 0, y: 0) == (205, 0, 0, 255))  // 155 levels apart: 128 + 155 / 2
        let same = diff.pixel(x: 1, y: 0)
        #expect(same.red == same.green && same.green == same.blue && same.red > 190)
        #expect(diff.pixel(x: 2, y: 0) == (0, 102, 255, 255))
        #expect(diff.pixel(x: 0, y: 1) == (0, 102, 255, 255))
        #expect(diff.pixel(x: 2, y: 1) == (255, 255, 255, 255))
    }

    @Test(
        "Two full screens that differ everywhere are compared in seconds, in a debug build too", .timeLimit(.minutes(1))
    )
    func speed() throws {
        let first = try CGImage(
            width: 1920, height: 1080, premultipliedBGRA: [UInt8](repeating: 255, count: 1920 * 1080 * 4))
        let second = try CGImage(
            width: 1920, height: 1080, premultipliedBGRA: [UInt8](repeating: 254, count: 1920 * 1080 * 4))
        let clock = ContinuousClock()
        var result: ImageComparison?
        let time = clock.measure { result = ImageComparison.compare(first, second) }
        #expect(result?.differingPixels == 1920 * 1080)
        // Generous: this machine may be busy with other tests.
        #expect(time < .seconds(5), "\(time)")
    }
}
