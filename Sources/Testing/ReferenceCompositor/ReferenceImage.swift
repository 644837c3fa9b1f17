import LayerModel

/// What the reference compositor drew, and where it is not sure to the last level.
package struct ReferenceImage: Sendable {
    package let size: PixelSize
    /// Premultiplied BGRA, rows from the top without padding.
    package let pixels: [UInt8]
    /// A coverage strictly between 0 and 1 took part in the pixel's color.
    package let isEdge: [Bool]
    /// A rounding error could choose another texel or another side of a hard edge here: no comparison can hold.
    package let isDoubtful: [Bool]
    /// A blur took part in the pixel's color.
    package let isBlurred: [Bool]
    /// Levels that a steep formula (dodge, burn, divide, the modes of all components together, strong color filters)
    /// makes of one level of its inputs; empty when there is none.
    package let slack: [UInt8]

    /// The share of edge pixels, 0…1. A scene that is mostly edge is a bad test.
    package var edgeShare: Double {
        isEdge.isEmpty ? 0 : Double(isEdge.count { $0 }) / Double(isEdge.count)
    }

    /// The levels a component may differ by at a pixel; 255 where no comparison can hold.
    ///
    /// - Parameters: For the pixels that are nothing else, for edge pixels, for blurred ones.
    package func tolerance(_ pixel: Int, inside: Int, edge: Int, blur: Int) -> Int {
        if isDoubtful[pixel] { return 255 }
        var levels = inside
        if isBlurred[pixel] { levels = max(levels, blur) }
        if isEdge[pixel] { levels = max(levels, edge) }
        return slack.isEmpty ? levels : max(levels, Int(slack[pixel]))
    }

    /// A pixel, premultiplied, as red, green, blue, alpha.
    package func premultiplied(_ x: Int, _ y: Int) -> [UInt8] {
        let at = (y * size.width + x) * 4
        return [pixels[at + 2], pixels[at + 1], pixels[at], pixels[at + 3]]
    }

    /// A pixel as red, green, blue, alpha with straight colors, as a PNG stores it.
    package func straight(_ x: Int, _ y: Int) -> [UInt8] {
        let p = premultiplied(x, y)
        let alpha = Int(p[3])
        guard alpha > 0 else { return [0, 0, 0, 0] }
        return p[0..<3].map { UInt8(min((Int($0) * 255 + alpha / 2) / alpha, 255)) } + [p[3]]
    }

    package func isEdge(_ x: Int, _ y: Int) -> Bool { isEdge[y * size.width + x] }

    /// The sum of the alphas, in pixels: the area that is covered.
    package var coveredArea: Double {
        var sum = 0
        for i in stride(from: 3, to: pixels.count, by: 4) { sum += Int(pixels[i]) }
        return Double(sum) / 255
    }
}
