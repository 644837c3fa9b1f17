// The planes against the formulas of ITU-R BT.709 in floating point, written here from the standard: Kr 0.2126, Kb 0.0722,
// limited range, each value rounded once.

import Foundation
import LayerModel
import Testing

@testable import Rostrum

@Suite("Planes for encoders")
struct PlaneConversionTests {
    /// Luma and chroma of straight levels (0 to 255, not rounded), for 8 bits times `scale`.
    private static func exact(_ r: Double, _ g: Double, _ b: Double, scale: Double) -> [Double] {
        let luma = 0.2126 * r + 0.7152 * g + 0.0722 * b
        return [
            scale * (16 + 219 * luma / 255), scale * (128 + 224 * (b - luma) / (255 * 1.8556)),
            scale * (128 + 224 * (r - luma) / (255 * 1.5748)),
        ]
    }

    private func pixels(_ colors: [[UInt8]]) -> ClipPixels {
        ClipPixels(PixelStorage(colors.flatMap { [$0[2], $0[1], $0[0], $0[3]] }), bytesPerRow: colors.count * 4)
    }

    /// Rounded to the nearest, but for what lies within a hundredth of the middle between two levels.
    private func isRounding(_ value: Int, of exact: Double) -> Bool { abs(Double(value) - exact) <= 0.51 }

    /// The table of BT.709 in 8 bits: what every other program gives for the primaries.
    @Test(
        "The eight corners of the color cube have BT.709's levels",
        arguments: [
            ([0, 0, 0], [16, 128, 128]), ([255, 255, 255], [235, 128, 128]), ([255, 0, 0], [63, 102, 240]),
            ([0, 255, 0], [173, 42, 26]), ([0, 0, 255], [32, 240, 118]), ([255, 255, 0], [219, 16, 138]),
            ([0, 255, 255], [188, 154, 16]), ([255, 0, 255], [78, 214, 230]),
        ])
    func corners(_ rgb: [UInt8], _ expected: [Int]) throws {
        let result = try PlaneConversion.opaque420.planes(of: pixels([rgb + [255]]), width: 1, height: 1)
        #expect(result.bytes.map(Int.init) == expected)
        #expect(result.isOpaque)
    }

    @Test("Every level of gray has neutral chroma, and black, white and the steps between are the formula's")
    func gray() throws {
        for level in 0...255 {
            let one = UInt8(level)
            let planes = try PlaneConversion.opaque420.planes(of: pixels([[one, one, one, 255]]), width: 1, height: 1)
                .bytes
            #expect(planes[1] == 128 && planes[2] == 128, "level \(level): \(planes)")
            #expect(Double(planes[0]) == (16 + 219 * Double(level) / 255).rounded(), "level \(level)")
        }
    }

    @Test(
        "4:2:0: luma is each pixel's, chroma the mean of two rows and of columns that weigh 1, 2, 1",
        arguments: [(6, 4), (5, 3), (1, 1), (2, 5)])
    func subsampling(_ width: Int, _ height: Int) throws {
        var generator = Seeded(state: UInt64(width * 31 + height))
        let colors = (0..<width * height).map { _ in (0..<3).map { _ in UInt8.random(in: 0...255, using: &generator) } }
        let storage = PixelStorage(colors.flatMap { [$0[2], $0[1], $0[0], 255] })
        let result = try PlaneConversion.opaque420.planes(
            of: ClipPixels(storage, bytesPerRow: width * 4), width: width, height: height)
        func color(_ x: Int, _ y: Int) -> [Double] {
            colors[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)].map(Double.init)
        }
        let (chromaWidth, chromaHeight) = ((width + 1) / 2, (height + 1) / 2)
        #expect(result.bytes.count == width * height + 2 * chromaWidth * chromaHeight)
        for y in 0..<height {
            for x in 0..<width {
                let rgb = color(x, y)
                let exact = Self.exact(rgb[0], rgb[1], rgb[2], scale: 1)[0]
                #expect(isRounding(Int(result.bytes[y * width + x]), of: exact), "luma of \(x),\(y)")
            }
        }
        for y in 0..<chromaHeight {
            for x in 0..<chromaWidth {
                var sum = [0.0, 0, 0]
                for (dx, weight) in [(-1, 1.0), (0, 2), (1, 1)] {
                    for dy in 0...1 {
                        for channel in 0..<3 { sum[channel] += weight * color(2 * x + dx, 2 * y + dy)[channel] / 8 }
                    }
                }
                let exact = Self.exact(sum[0], sum[1], sum[2], scale: 1)
                for plane in 1...2 {
                    let at = width * height + ((plane - 1) * chromaHeight + y) * chromaWidth + x
                    #expect(isRounding(Int(result.bytes[at]), of: exact[plane]), "plane \(plane) of \(x),\(y)")
                }
            }
        }
    }

    @Test("Straight colors come from premultiplied ones: a pixel of half alpha has the luma of its full color")
    func straight() throws {
        // Red at alpha 128, premultiplied 128; and nothing at all.
        let half = try PlaneConversion.alpha420.planes(of: pixels([[128, 0, 0, 128]]), width: 1, height: 1)
        #expect(half.bytes == [63, 102, 240, 128])
        #expect(!half.isOpaque)
        let nothing = try PlaneConversion.alpha420.planes(of: pixels([[0, 0, 0, 0]]), width: 1, height: 1)
        #expect(nothing.bytes == [16, 128, 128, 0])
    }

    @Test("What is invisible weighs nothing in the chroma it shares")
    func invisibleNeighbors() throws {
        let planes = try PlaneConversion.alpha420.planes(
            of: pixels([[255, 0, 0, 255], [0, 0, 0, 0]]), width: 2, height: 1)
        #expect(planes.bytes == [63, 16, 102, 240, 255, 0])
    }

    @Test("10 bits, 4:4:4, alpha: within half a level of the formula for any alpha")
    func tenBits() throws {
        var generator = Seeded(state: 7)
        for _ in 0..<2_000 {
            let alpha = UInt8.random(in: 0...255, using: &generator)
            let rgb = (0..<3).map { _ in UInt8.random(in: 0...alpha, using: &generator) }
            let result = try PlaneConversion.alpha444.planes(of: pixels([rgb + [alpha]]), width: 1, height: 1)
            let words = stride(from: 0, to: 8, by: 2).map { Int(result.bytes[$0]) | Int(result.bytes[$0 + 1]) << 8 }
            let factor = alpha == 0 ? 0 : 255 / Double(alpha)
            let exact = Self.exact(
                Double(rgb[0]) * factor, Double(rgb[1]) * factor, Double(rgb[2]) * factor, scale: 4)
            for plane in 0..<3 {
                #expect(isRounding(words[plane], of: exact[plane]), "\(rgb) at \(alpha): plane \(plane)")
            }
            // However 10 bits become 8 again, the alpha comes back.
            #expect(words[3] >> 2 == Int(alpha) && (Double(words[3]) * 255 / 1_023).rounded() == Double(alpha))
        }
    }
}

/// Numbers that are the same on every run.
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
