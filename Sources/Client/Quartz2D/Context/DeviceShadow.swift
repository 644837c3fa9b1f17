// A drawn shape's shadow: its alpha, blurred, tinted, moved.
//
// The blur is a Gaussian whose deviation is half of `blur`, cut at two deviations and brought back to a sum of 1, as measured
// from Core Graphics (measured facts S1, S2). A wide one is applied to means of k × k pixels and brought back bilinearly; k is
// an eighth of the deviation, so that what that adds stays below a level.

import CCairo
import Foundation
import LayerModel

struct DeviceShadow {
    /// Pixels, y down.
    let offsetX: Int
    let offsetY: Int
    /// Pixels by which a shadow sticks out.
    let reach: Int
    private let sigma: Double
    private let color: Color

    /// Pixels; wider ones look the same on anything that can be seen.
    private static let widest = 1_000.0

    init(_ shadow: GraphicsState.Shadow, in context: CGContext) {
        // Base space is what the context began with: a layer's contentsScale counts, the app's ctm does not.
        let base = context.initialTransform.concatenating(context.baseToDevice)
        let initial = context.initialTransform.isIdentity ? context.baseToDevice : base
        let offset = shadow.offset.applying(initial)
        func pixels(_ value: CGFloat) -> Int { Int(min(max(Double(value).rounded(), -100_000), 100_000)) }
        (offsetX, offsetY) = (pixels(offset.width), pixels(offset.height))
        sigma = min(max(Double(shadow.blur) / 2 * initial.meanScale, 0), DeviceShadow.widest)
        reach = Int((2 * sigma).rounded(.up)) + 1
        color = shadow.color
    }

    /// The tinted shadow within `limit`; nil where there is none.
    func shadow(of group: DrawingTarget, limit: PixelRect) -> DrawingTarget? {
        let rect = group.rect.insetBy(-reach).offset(offsetX, offsetY).intersection(limit)
        guard let result = DrawingTarget(rect) else { return nil }
        cairo_surface_flush(group.surface)
        var plane = AlphaPlane(of: group, around: rect.offset(-offsetX, -offsetY), reach: reach)
        plane.blur(sigma)
        let tint = color.premultiplied
        let (red, green, blue, alpha) = (tint.red, tint.green, tint.blue, tint.alpha)
        for y in 0..<rect.height {
            let row = result.bytes + y * result.stride
            for x in 0..<rect.width {
                let value = plane[x + reach, y + reach]
                guard value > 0 else { continue }
                row[x * 4] = UInt8(min(value * blue + 0.5, 255))
                row[x * 4 + 1] = UInt8(min(value * green + 0.5, 255))
                row[x * 4 + 2] = UInt8(min(value * red + 0.5, 255))
                row[x * 4 + 3] = UInt8(min(value * alpha + 0.5, 255))
            }
        }
        cairo_surface_mark_dirty(result.surface)
        return result
    }
}

/// Alpha, 0…255, of a part of a bitmap and its surroundings.
private struct AlphaPlane {
    private let width: Int
    private let height: Int
    private var values: [Float]
    /// Pixels a side of a mean.
    private var step = 1
    private var columns: Int
    private var rows: Int

    init(of group: DrawingTarget, around rect: PixelRect, reach: Int) {
        (width, height) = (rect.width + 2 * reach, rect.height + 2 * reach)
        (columns, rows) = (width, height)
        values = [Float](repeating: 0, count: width * height)
        let (left, top) = (rect.minX - reach, rect.minY - reach)
        let box = group.rect.intersection(PixelRect(x: left, y: top, width: width, height: height))
        guard !box.isEmpty else { return }
        values.withUnsafeMutableBufferPointer { values in
            for y in box.minY..<box.maxY {
                let row = group.bytes + (y - group.rect.minY) * group.stride
                for x in box.minX..<box.maxX {
                    values[(y - top) * width + x - left] = Float(row[(x - group.rect.minX) * 4 + 3])
                }
            }
        }
    }

    /// The value at a pixel, bilinear between means.
    subscript(x: Int, y: Int) -> Float {
        guard step > 1 else { return values[y * columns + x] }
        func place(_ pixel: Int, _ count: Int) -> (Int, Int, Float) {
            let at = max((Float(pixel) + 0.5) / Float(step) - 0.5, 0)
            let low = min(Int(at), count - 1)
            return (low, min(low + 1, count - 1), at - Float(low))
        }
        let (x0, x1, u) = place(x, columns)
        let (y0, y1, v) = place(y, rows)
        let upper = values[y0 * columns + x0] * (1 - u) + values[y0 * columns + x1] * u
        let lower = values[y1 * columns + x0] * (1 - u) + values[y1 * columns + x1] * u
        return upper * (1 - v) + lower * v
    }

    mutating func blur(_ sigma: Double) {
        guard sigma > 0 else { return }
        step = max(Int(sigma / 8), 1)
        if step > 1 { average() }
        let deviation = sigma / Double(step)
        let reach = Int((2 * deviation).rounded())
        guard reach > 0 else { return }
        var kernel = (0...2 * reach).map { Float(exp(-pow(Double($0 - reach) / deviation, 2) / 2)) }
        let sum = kernel.reduce(0, +)
        for index in kernel.indices { kernel[index] /= sum }
        pass(kernel, reach, stride: 1, length: columns, lines: rows, lineStride: columns)
        pass(kernel, reach, stride: columns, length: rows, lines: columns, lineStride: 1)
    }

    private mutating func average() {
        let (newColumns, newRows) = ((width + step - 1) / step, (height + step - 1) / step)
        var means = [Float](repeating: 0, count: newColumns * newRows)
        let part = 1 / Float(step * step)
        for y in 0..<height {
            for x in 0..<width {
                means[y / step * newColumns + x / step] += values[y * width + x] * part
            }
        }
        (values, columns, rows) = (means, newColumns, newRows)
    }

    /// One line after the other; outside is transparent. Lines without anything are left alone.
    private mutating func pass(
        _ kernel: [Float], _ reach: Int, stride: Int, length: Int, lines: Int, lineStride: Int
    ) {
        var line = [Float](repeating: 0, count: length + 2 * reach)
        values.withUnsafeMutableBufferPointer { values in
            line.withUnsafeMutableBufferPointer { line in
                kernel.withUnsafeBufferPointer { kernel in
                    for number in 0..<lines {
                        let start = number * lineStride
                        var isEmpty = true
                        for index in 0..<length {
                            let value = values[start + index * stride]
                            line[index + reach] = value
                            if value != 0 { isEmpty = false }
                        }
                        guard !isEmpty else { continue }
                        for index in 0..<length {
                            var sum: Float = 0
                            for tap in 0..<kernel.count { sum += kernel[tap] * line[index + tap] }
                            values[start + index * stride] = sum
                        }
                    }
                }
            }
        }
    }
}
