// How far two pictures are apart. They are compared as they are stored, premultiplied: what an invisible pixel's color
// is does not count, and a difference weighs as much as it shows. A row that is equal costs one memcmp, an equal pixel
// one comparison of 32 bits, so that tests built for debugging can afford full screens.

import Foundation
import Glibc
import LayerModel

/// What `ImageComparison.compare` found.
public struct ImageComparison: Sendable, CustomStringConvertible {
    /// Width and height of the two pictures, pixels.
    public let firstSize: CGSize
    /// Width and height of the second picture, pixels.
    public let secondSize: CGSize

    /// True when the sizes differ; then no pixel was compared, and the numbers below are 0.
    public var sizesDiffer: Bool { firstSize != secondSize }

    /// The tolerance that was asked for, in levels of 0…255.
    public let tolerance: Int

    /// Pixels of which at least one premultiplied channel differs by more than the tolerance.
    public internal(set) var differingPixels = 0

    /// The largest difference of a premultiplied channel anywhere, 0…255; it may lie within the tolerance.
    public internal(set) var maximumDifference = 0

    /// The mean difference of all four channels of all pixels, 0…255.
    public internal(set) var meanDifference = 0.0

    /// Around the differing pixels: whole pixels, y down. Nil when none differs.
    public internal(set) var boundingBox: CGRect?

    /// True when the sizes are the same and no pixel differs by more than the tolerance.
    public var isMatch: Bool { !sizesDiffer && differingPixels == 0 }

    /// Compares two pictures channel by channel, premultiplied.
    ///
    /// - Parameter tolerance: How many levels (of 255) a channel may differ by; 0 asks for equality.
    public static func compare(_ first: CGImage, _ second: CGImage, tolerance: Int = 0) -> ImageComparison {
        var result = ImageComparison(
            firstSize: CGSize(width: first.width, height: first.height),
            secondSize: CGSize(width: second.width, height: second.height), tolerance: tolerance)
        guard !result.sizesDiffer else { return result }
        var tally = DifferenceTally(tolerance: tolerance)
        first.content.pixels.withBytes { a in
            second.content.pixels.withBytes { b in
                for y in 0..<first.height {
                    tally.addRow(
                        y, a.baseAddress! + y * first.bytesPerRow, b.baseAddress! + y * second.bytesPerRow,
                        width: first.width)
                }
            }
        }
        result.differingPixels = tally.differing
        result.maximumDifference = tally.maximum
        result.meanDifference = Double(tally.sum) / Double(first.width * first.height * 4)
        if tally.differing > 0 {
            result.boundingBox = CGRect(
                x: tally.left, y: tally.top, width: tally.right - tally.left + 1, height: tally.bottom - tally.top + 1)
        }
        return result
    }

    public var description: String {
        if sizesDiffer {
            return "the sizes differ: \(Self.text(firstSize)) and \(Self.text(secondSize)) pixels"
        }
        guard let box = boundingBox else {
            return maximumDifference == 0
                ? "the pictures are equal"
                : "no pixel differs by more than \(tolerance) levels (at most by \(maximumDifference))"
        }
        return "\(differingPixels) of \(Int(firstSize.width) * Int(firstSize.height)) pixels differ by more than "
            + "\(tolerance) levels, at most by \(maximumDifference), within \(Self.text(box.size)) pixels "
            + "at (\(Int(box.minX)), \(Int(box.minY))); mean difference "
            + "\((meanDifference * 10_000).rounded() / 10_000)"
    }

    private static func text(_ size: CGSize) -> String { "\(Int(size.width)) x \(Int(size.height))" }
}

/// The sums of a comparison in progress.
private struct DifferenceTally {
    let tolerance: Int
    var differing = 0
    var maximum = 0
    var sum = 0
    var left = Int.max
    var top = Int.max
    var right = -1
    var bottom = -1

    init(tolerance: Int) {
        self.tolerance = tolerance
    }

    mutating func addRow(_ y: Int, _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, width: Int) {
        guard memcmp(a, b, width * 4) != 0 else { return }
        var x = 0
        while x < width {
            let pixelA = a.loadUnaligned(fromByteOffset: x * 4, as: UInt32.self)
            let pixelB = b.loadUnaligned(fromByteOffset: x * 4, as: UInt32.self)
            if pixelA != pixelB { addPixel(x, y, pixelA, pixelB) }
            x += 1
        }
    }

    private mutating func addPixel(_ x: Int, _ y: Int, _ a: UInt32, _ b: UInt32) {
        let difference = PixelDifference(a, b)
        sum += difference.sum
        maximum = max(maximum, difference.largest)
        guard difference.largest > tolerance else { return }
        differing += 1
        left = min(left, x)
        right = max(right, x)
        top = min(top, y)
        bottom = y
    }
}

/// How far the channels of two pixels are apart.
struct PixelDifference {
    let largest: Int
    let sum: Int

    init(_ a: UInt32, _ b: UInt32) {
        let first = abs(Int(a & 0xFF) - Int(b & 0xFF))
        let second = abs(Int(a >> 8 & 0xFF) - Int(b >> 8 & 0xFF))
        let third = abs(Int(a >> 16 & 0xFF) - Int(b >> 16 & 0xFF))
        let fourth = abs(Int(a >> 24) - Int(b >> 24))
        largest = max(max(first, second), max(third, fourth))
        sum = first + second + third + fourth
    }
}
