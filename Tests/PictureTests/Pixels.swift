import LayerModel
import Quartz2D
import ReferenceCompositor

/// A picture: premultiplied BGRA, rows from the top without padding.
struct Pixels: Equatable {
    var size: PixelSize
    var bytes: [UInt8]

    init(_ size: PixelSize, _ bytes: [UInt8]) {
        self.size = size
        self.bytes = bytes
    }

    init(_ size: PixelSize, _ memory: UnsafeRawBufferPointer, bytesPerRow: Int) {
        self.size = size
        bytes = []
        bytes.reserveCapacity(size.area * 4)
        for row in 0..<size.height { bytes += memory[row * bytesPerRow..<row * bytesPerRow + size.width * 4] }
    }

    init(_ image: CGImage) {
        size = PixelSize(width: image.width, height: image.height)
        self = image.content.pixels.withBytes { [size] in Pixels(size, $0, bytesPerRow: image.bytesPerRow) }
    }

    init(_ reference: ReferenceImage) {
        self.init(reference.size, reference.pixels)
    }

    var image: CGImage {
        let isOpaque = stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 }
        return CGImage(
            ImageContent(
                width: size.width, height: size.height, bytesPerRow: size.width * 4, isOpaque: isOpaque,
                pixels: PixelStorage(bytes)))
    }

    /// Red, green, blue, alpha; premultiplied.
    func premultiplied(_ x: Int, _ y: Int) -> [Int] {
        let at = (y * size.width + x) * 4
        return [bytes[at + 2], bytes[at + 1], bytes[at], bytes[at + 3]].map(Int.init)
    }

    /// A quarter turn clockwise: the left column becomes the top row.
    var turnedClockwise: Pixels {
        var turned = Pixels(PixelSize(width: size.height, height: size.width), [])
        turned.bytes.reserveCapacity(bytes.count)
        for y in 0..<size.width {
            for x in 0..<size.height {
                let at = ((size.height - 1 - x) * size.width + y) * 4
                turned.bytes += bytes[at..<at + 4]
            }
        }
        return turned
    }

    /// The sum of the alphas, in pixels: the area that is covered.
    var coveredArea: Double {
        Double(stride(from: 3, to: bytes.count, by: 4).reduce(0) { $0 + Int(bytes[$1]) }) / 255
    }

    /// The largest difference of a component in each pixel, row by row; nil where the sizes differ.
    func differences(to other: Pixels) -> [Int]? {
        guard size == other.size else { return nil }
        return (0..<size.area).map { pixel in
            (pixel * 4..<pixel * 4 + 4).reduce(0) { max($0, abs(Int(bytes[$1]) - Int(other.bytes[$1]))) }
        }
    }
}
