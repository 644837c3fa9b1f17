// The pixels of a gradient: for each its middle is taken to the unit square of the layer's bounds, the place there to a
// place in the gradient, and the two stops around that are mixed, straight and encoded, clamped, premultiplied and rounded
// once. No dithering. Source: semantic reference, §6.2; decision 14; measured facts, G1 to G6.

import LayerModel

struct GradientPixels {
    private let gradient: GradientProperties
    private let toUnit: Homography
    private let locations: [Double]
    /// Straight, blue first.
    private let colors: [SIMD4<Float>]

    /// - Parameter toUnit: From pixels to the unit square.
    init(_ gradient: GradientProperties, toUnit: Homography) {
        self.gradient = gradient
        self.toUnit = toUnit
        locations = gradient.steadyLocations
        colors = gradient.colors.map {
            SIMD4(Float($0.blue), Float($0.green), Float($0.red), Float($0.alpha))
        }
    }

    /// Premultiplied BGRA, row by row; `step` pixels of the plane are one of the picture.
    func pixels(_ size: PixelSize, step: (x: Double, y: Double) = (1, 1)) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: size.area * 4) { bytes, count in
            bytes.withMemoryRebound(to: UInt32.self) { pixels in
                var next = 0
                for row in 0..<size.height {
                    let y = (Double(row) + 0.5) * step.y
                    switch gradient.kind {
                    case .axial where toUnit.isAffine: axialRow(y, size.width, step.x, pixels, &next)
                    default:
                        for column in 0..<size.width {
                            let place = toUnit.apply(Point((Double(column) + 0.5) * step.x, y))
                            pixels[next] = color(at: gradient.fraction(at: place))
                            next += 1
                        }
                    }
                }
            }
            count = size.area * 4
        }
    }

    /// Along a row the place in the gradient grows evenly.
    private func axialRow(
        _ y: Double, _ width: Int, _ step: Double, _ pixels: UnsafeMutableBufferPointer<UInt32>, _ next: inout Int
    ) {
        let first = gradient.fraction(at: toUnit.apply(Point(0, y)))
        let perPixel = gradient.fraction(at: toUnit.apply(Point(1, y))) - first
        for column in 0..<width {
            pixels[next] = color(at: first + (Double(column) + 0.5) * step * perPixel)
            next += 1
        }
    }

    private func color(at fraction: Double) -> UInt32 {
        // Where several stops lie at one place the last one counts from there on.
        var after = 0
        while after < locations.count, locations[after] <= fraction { after += 1 }
        var color: SIMD4<Float>
        if after == 0 {
            color = colors[0]
        } else if after == locations.count {
            color = colors[after - 1]
        } else {
            let (a, b) = (locations[after - 1], locations[after])
            let share = Float((fraction - a) / (b - a))
            color = colors[after - 1] + (colors[after] - colors[after - 1]) * share
        }
        color.clamp(lowerBound: .zero, upperBound: .one)
        let alpha = color.w
        color *= alpha
        color.w = alpha
        let levels = SIMD4<UInt32>(truncatingIfNeeded: SIMD4<Int32>(color * 255 + 0.5))
        return (levels.x | levels.y << 8 | levels.z << 16 | levels.w << 24).littleEndian
    }
}
