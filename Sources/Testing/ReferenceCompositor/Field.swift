// One number a pixel, and the Gaussian that blurs it.
//
// The kernel is the layer's isotropic Gaussian carried to the picture: an ellipse with the covariance σ²·(xxᵀ + yyᵀ), x
// and y being where a step of one point goes. It is sampled at whole pixels, cut at 3 standard deviations along the
// picture's axes (taps up to ⌈3σ⌉), and divided by its sum. Where the covariance has no mixed term (upright layers,
// any turn at equal scales) it is two passes. Otherwise a row is first blurred by what is left of x when y is known,
// at the eighth of a pixel where that is centered, and then the rows are summed: the same Gaussian.
// Windows without any change are not summed: most of a picture is flat.

import Glibc
import LayerModel

/// The covariance of a Gaussian on the picture, pixels².
struct Spread {
    var xx: Double
    var xy: Double
    var yy: Double

    /// Blurs beyond this many pixels are drawn as this: memory and time that no test needs.
    static let largest = 64.0

    /// σ in points of a plane, at one of its places; nil when nothing is blurred.
    init?(radius: Double, _ map: (x: Point, y: Point)?) {
        guard radius > 0, let map else { return nil }
        let size = max(
            (map.x.x * map.x.x + map.y.x * map.y.x).squareRoot(), (map.x.y * map.x.y + map.y.y * map.y.y).squareRoot())
        let r = min(radius, Self.largest / max(size, 1e-9))
        xx = r * r * (map.x.x * map.x.x + map.y.x * map.y.x)
        xy = r * r * (map.x.x * map.x.y + map.y.x * map.y.y)
        yy = r * r * (map.x.y * map.x.y + map.y.y * map.y.y)
        guard xx.isFinite, yy.isFinite, xx > 1e-6 || yy > 1e-6 else { return nil }
        if abs(xy) < 1e-6 * max(xx, yy) { xy = 0 }
    }

    /// Pixels that the kernel reaches.
    var reachX: Int { Int((3 * xx.squareRoot()).rounded(.up)) }
    var reachY: Int { Int((3 * yy.squareRoot()).rounded(.up)) }

    /// Smaller than a pixel in some direction: a sharp edge is still one after it.
    var isSharp: Bool { xx * yy - xy * xy < 1 || xx < 1 || yy < 1 }
}

/// Weights of a row of neighbors, from the tap `first` on; their sum is 1.
struct Taps {
    var first: Int
    var weights: [Double]

    /// - Parameter center: Of the Gaussian, 0 ..< 1.
    init(variance: Double, center: Double = 0) {
        let sigma = variance.squareRoot()
        guard sigma > 0.2 else {
            // So narrow that whole pixels miss it: between the two around the center.
            first = 0
            weights = center > 0 ? [1 - center, center] : [1]
            return
        }
        let reach = Int((3 * sigma).rounded(.up))
        first = -reach
        weights = (-reach...reach + (center > 0 ? 1 : 0)).map {
            let d = Double($0) - center
            return exp(-d * d / (2 * variance))
        }
        let sum = weights.reduce(0, +)
        weights = weights.map { $0 / sum }
    }
}

/// Numbers of the pixels in a rectangle; 0 outside.
final class Field {
    let bounds: PixelRect
    let values: UnsafeMutablePointer<Double>

    init(_ bounds: PixelRect) {
        self.bounds = bounds
        values = .allocate(capacity: max(bounds.area, 1))
        values.initialize(repeating: 0, count: max(bounds.area, 1))
    }

    convenience init(_ bounds: PixelRect, _ value: (_ x: Int, _ y: Int) -> Double) {
        self.init(bounds)
        var at = 0
        var y = bounds.minY
        while y < bounds.maxY {
            var x = bounds.minX
            while x < bounds.maxX {
                values[at] = value(x, y)
                x += 1
                at += 1
            }
            y += 1
        }
    }

    deinit { values.deallocate() }

    func value(x: Int, y: Int) -> Double {
        bounds.contains(x, y) ? values[(y - bounds.minY) * bounds.width + x - bounds.minX] : 0
    }

    /// The blurred numbers in another rectangle.
    ///
    /// - Parameter center: Of the Gaussian, 0 ..< 1 pixel: the picture moves by so much to the left and up.
    func blurred(_ spread: Spread, center: Point = .zero, in output: PixelRect) -> Field {
        let result = Field(output)
        guard !output.isEmpty, !bounds.isEmpty else { return result }
        if spread.xy == 0 {
            let rows = PixelRect(minX: output.minX, minY: bounds.minY, maxX: output.maxX, maxY: bounds.maxY)
            let middle = Field(rows)
            convolveRows(Taps(variance: spread.xx, center: center.x), into: middle)
            middle.convolveColumns(Taps(variance: spread.yy, center: center.y), into: result)
        } else {
            addSlanted(spread, center, to: result)
        }
        return result
    }

    // MARK: One axis

    /// Each row of this field into the same row of another.
    private func convolveRows(_ taps: Taps, into result: Field) {
        var line = Line(from: result.bounds.minX, count: result.bounds.width, taps)
        defer { line.deallocate() }
        for y in bounds.minY..<bounds.maxY {
            let row = values + (y - bounds.minY) * bounds.width
            line.fill(from: bounds.minX, count: bounds.width) { row[$0] }
            line.convolve(into: result.values + (y - result.bounds.minY) * result.bounds.width, step: 1)
        }
    }

    private func convolveColumns(_ taps: Taps, into result: Field) {
        var line = Line(from: result.bounds.minY, count: result.bounds.height, taps)
        defer { line.deallocate() }
        for x in 0..<bounds.width {
            let column = values + x
            let width = bounds.width
            line.fill(from: bounds.minY, count: bounds.height) { column[$0 * width] }
            line.convolve(into: result.values + x, step: result.bounds.width)
        }
    }

    // MARK: Any ellipse

    private func addSlanted(_ spread: Spread, _ center: Point, to result: Field) {
        // At a distance of y rows the rest of the Gaussian is centered at slope·y and has this variance.
        let slope = spread.xy / spread.yy
        let variance = max(spread.xx - spread.xy * slope, 0)
        let column = Taps(variance: spread.yy, center: center.y)
        let phases = 8
        var blurredRows: [Int: Field] = [:]
        // So far to the sides that every shift finds its pixels.
        let shift = Int((abs(slope) * Double(column.weights.count)).rounded(.up)) + 2
        let wide = PixelRect(
            minX: result.bounds.minX - shift, minY: bounds.minY, maxX: result.bounds.maxX + shift, maxY: bounds.maxY)
        for (i, weight) in column.weights.enumerated() {
            let dy = column.first + i
            let position = Int(((slope * (Double(dy) - center.y) + center.x) * Double(phases)).rounded())
            let phase = ((position % phases) + phases) % phases
            let dx = (position - phase) / phases
            let rows: Field
            if let known = blurredRows[phase] {
                rows = known
            } else {
                rows = Field(wide)
                convolveRows(Taps(variance: variance, center: Double(phase) / Double(phases)), into: rows)
                blurredRows[phase] = rows
            }
            add(rows, dx: dx, dy: dy, weight, to: result)
        }
    }

    private func add(_ rows: Field, dx: Int, dy: Int, _ weight: Double, to result: Field) {
        let out = result.bounds
        var y = max(out.minY, rows.bounds.minY - dy)
        while y < min(out.maxY, rows.bounds.maxY - dy) {
            let from = rows.values + (y + dy - rows.bounds.minY) * rows.bounds.width + out.minX + dx - rows.bounds.minX
            let to = result.values + (y - out.minY) * out.width
            var x = 0
            while x < out.width {
                to[x] += weight * from[x]
                x += 1
            }
            y += 1
        }
    }
}

/// A row or a column on its way through a kernel, with zeros around it.
private struct Line {
    private let taps: Taps
    private let weights: UnsafeMutablePointer<Double>
    private let numbers: UnsafeMutablePointer<Double>
    /// For each number, the last index up to it at which the number differs from the one before.
    private let changes: UnsafeMutablePointer<Int>
    private let start: Int
    private let count: Int
    private let outputs: Int
    private var isZero = true

    /// - Parameters: Where the output begins, and how many numbers it has.
    init(from: Int, count outputs: Int, _ taps: Taps) {
        self.taps = taps
        self.outputs = outputs
        start = from + taps.first
        count = outputs + taps.weights.count - 1
        weights = .allocate(capacity: taps.weights.count)
        for (i, weight) in taps.weights.enumerated() { weights[i] = weight }
        numbers = .allocate(capacity: max(count, 1))
        changes = .allocate(capacity: max(count, 1))
    }

    func deallocate() {
        weights.deallocate()
        numbers.deallocate()
        changes.deallocate()
    }

    mutating func fill(from: Int, count length: Int, _ value: (Int) -> Double) {
        numbers.update(repeating: 0, count: count)
        isZero = true
        var i = max(from - start, 0)
        let end = min(from + length - start, count)
        while i < end {
            let v = value(i + start - from)
            numbers[i] = v
            if v != 0 { isZero = false }
            i += 1
        }
        guard !isZero else { return }
        var last = 0
        i = 0
        while i < count {
            if i > 0, numbers[i] != numbers[i - 1] { last = i }
            changes[i] = last
            i += 1
        }
    }

    func convolve(into result: UnsafeMutablePointer<Double>, step: Int) {
        guard !isZero else { return }
        let taps = self.taps.weights.count
        var i = 0
        while i < outputs {
            let end = i + taps - 1
            if changes[end] <= i {
                result[i * step] = numbers[end]
            } else {
                let window = numbers + i
                var sum = 0.0
                var k = 0
                while k < taps {
                    sum += weights[k] * window[k]
                    k += 1
                }
                result[i * step] = sum
            }
            i += 1
        }
    }
}
