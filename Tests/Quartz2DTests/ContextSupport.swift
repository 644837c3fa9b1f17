import Foundation

@testable import Quartz2D

/// A bitmap context of premultiplied BGRA with own memory.
func makeContext(_ width: Int, _ height: Int, isOpaque: Bool = false) -> CGContext {
    let alpha: CGImageAlphaInfo = isOpaque ? .noneSkipFirst : .premultipliedFirst
    return CGContext(
        data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: 0,
        space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGBitmapInfo.byteOrder32Little.rawValue | alpha.rawValue)!
}

extension CGContext {
    /// Premultiplied bytes of a pixel: red, green, blue, alpha; y from the top.
    func bytes(_ x: Int, _ y: Int) -> [UInt8] {
        let image = makeImage()!
        return image.content.pixels.withBytes { bytes in
            let at = y * image.bytesPerRow + x * 4
            return [bytes[at + 2], bytes[at + 1], bytes[at], bytes[at + 3]]
        }
    }

    /// Alpha of a row of pixels, y from the top.
    func alphas(row y: Int, _ columns: Range<Int>) -> [Int] {
        let image = makeImage()!
        return image.content.pixels.withBytes { bytes in
            columns.map { Int(bytes[y * image.bytesPerRow + $0 * 4 + 3]) }
        }
    }

    /// All pixels, to compare two contexts.
    var allBytes: [UInt8] {
        let image = makeImage()!
        return image.content.pixels.withBytes { Array($0) }
    }

    /// The sum of all alphas, in whole pixels.
    var area: Double {
        let image = makeImage()!
        return image.content.pixels.withBytes { bytes in
            var sum = 0
            for index in stride(from: 3, to: bytes.count, by: 4) { sum += Int(bytes[index]) }
            return Double(sum) / 255
        }
    }

    /// A pixel is no gray.
    var hasColor: Bool {
        let image = makeImage()!
        return image.content.pixels.withBytes { bytes in
            stride(from: 0, to: bytes.count, by: 4).contains {
                bytes[$0] != bytes[$0 + 1] || bytes[$0] != bytes[$0 + 2]
            }
        }
    }

    /// Writes a picture to look at where the environment names a folder for them.
    func keep(_ name: String) {
        guard let folder = ProcessInfo.processInfo.environment["ROSTRUM_TEST_PICTURES"] else { return }
        try? makeImage()?.writePNG(to: "\(folder)/\(name).png")
    }
}

func isNear(_ a: [UInt8], _ b: [UInt8], within tolerance: Int = 1) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { abs(Int($0) - Int($1)) <= tolerance }
}
