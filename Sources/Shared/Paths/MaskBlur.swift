// A mask convolved with a Gaussian, on the CPU: shadows of shapes that are known. Made once and kept, so it is exact
// first and quick second.
//
// Most shapes are the same along a long stretch (the sides of a rounded rectangle): of a stretch only as much is
// computed as the kernel reaches, and one column or row of the result serves for the rest, as in a nine-part image. A
// wide Gaussian is applied to means of k × k pixels, k a quarter of its deviation, and brought back bilinearly; both add
// variance, which the kernel in between has less. What is left differs by less than half a level.

import LayerModel

package struct MaskBlur {
    /// Pixels along one axis: where they come from, and which of them stand for many.
    private struct Axis {
        /// First pixel of the result.
        var start = 0
        /// Pixels computed.
        var count = 0
        /// Source pixels left out: those from `cut` on lie `removed` further.
        var cut = Int.max
        var removed = 0
        /// The computed pixel that is repeated `removed` times more.
        var repeated = -1
        /// Pixels in a mean.
        var step = 1

        var cells: Int { (count + step - 1) / step }

        func segments() -> [(source: Range<Int>, start: Int, repeats: Bool)] {
            guard removed > 0 else { return [(0..<count, start, false)] }
            return [
                (0..<repeated, start, false), (repeated..<repeated + 1, start + repeated, true),
                (repeated + 1..<count, start + repeated + 1 + removed, false),
            ]
        }

        func width(of segment: (source: Range<Int>, start: Int, repeats: Bool)) -> Int {
            segment.repeats ? removed + 1 : segment.source.count
        }
    }

    private var x = Axis()
    private var y = Axis()
    private var cells: [Float] = []

    /// Blurs a mask as far as `clip` shows it.
    package static func blur(_ mask: CoverageMask, by shape: GaussianShape, clip: PixelRect) -> CoverageMask {
        var blur = MaskBlur()
        return blur.run(mask, shape, clip)
    }

    private mutating func run(_ mask: CoverageMask, _ shape: GaussianShape, _ clip: PixelRect) -> CoverageMask {
        let (reachX, reachY) = (shape.reachX, shape.reachY)
        var source = mask
        var box = mask.bounds
        guard !box.isEmpty else { return CoverageMask() }
        var result = PixelRect(
            minX: box.minX - reachX, minY: box.minY - reachY, maxX: box.maxX + reachX, maxY: box.maxY + reachY)
        let isClipped = !clip.contains(result)
        if isClipped {
            result = result.intersection(clip)
            guard !result.isEmpty else { return CoverageMask() }
            // What the kernel sees from there.
            let seen = PixelRect(
                minX: result.minX - reachX, minY: result.minY - reachY, maxX: result.maxX + reachX,
                maxY: result.maxY + reachY)
            if !seen.contains(box) { source = mask.multiplied(by: CoverageMask(seen)) }
            box = source.bounds
            guard !box.isEmpty else { return CoverageMask() }
            result = seen
        }
        x = Axis(start: result.minX, count: result.width)
        y = Axis(start: result.minY, count: result.height)
        let spreadX = (shape.sigmaX * shape.sigmaX + shape.slant * shape.slant * shape.sigmaY * shape.sigmaY)
            .squareRoot()
        x.step = max(Int(spreadX / 4), 1)
        y.step = max(Int(shape.sigmaY / 4), 1)
        if shape.slant == 0 {
            shorten(&x, stretch(of: source, alongX: true), reachX + x.step)
            shorten(&y, stretch(of: source, alongX: false), reachY + y.step)
        }

        fill(from: source)
        convolve(
            alongX: GaussianShape.weights(sigma: Self.reduced(shape.sigmaX, x.step)),
            alongY: GaussianShape.weights(sigma: Self.reduced(shape.sigmaY, y.step)),
            slant: shape.slant * Double(y.step) / Double(x.step))
        return isClipped ? expanded().multiplied(by: CoverageMask(clip)) : expanded()
    }

    /// The deviation, in means, that is left to the kernel: means and bilinear steps have (k² - 1) / 12 and (k² - 1) / 6.
    private static func reduced(_ sigma: Double, _ step: Int) -> Double {
        let k = Double(step)
        return max(sigma * sigma - (k * k - 1) / 4, 0).squareRoot() / k
    }

    // MARK: Stretches

    /// The longest run of columns (or rows) that are all the same.
    private func stretch(of mask: CoverageMask, alongX: Bool) -> Range<Int> {
        guard mask.tiles.count + mask.spans.count <= 512 else { return 0..<0 }
        func range(_ rect: PixelRect) -> Range<Int> { alongX ? rect.minX..<rect.maxX : rect.minY..<rect.maxY }
        var edges: Set<Int> = []
        var varied: [Range<Int>] = []
        for span in mask.spans {
            edges.insert(range(span.rect).lowerBound)
            edges.insert(range(span.rect).upperBound)
        }
        for tile in mask.tiles {
            edges.insert(range(tile.rect).lowerBound)
            edges.insert(range(tile.rect).upperBound)
            if alongX ? tile.columns > 1 : tile.rows > 1 { varied.append(range(tile.rect)) }
        }
        var best = 0..<0
        let sorted = edges.sorted()
        for (from, to) in zip(sorted, sorted.dropFirst())
        where to - from > best.count && !varied.contains(where: { $0.overlaps(from..<to) }) {
            best = from..<to
        }
        return best
    }

    /// Leaves out what of a stretch lies farther from both its ends than the kernel reaches.
    private func shorten(_ axis: inout Axis, _ stretch: Range<Int>, _ reach: Int) {
        let kept = 2 * reach + 1
        guard stretch.count > kept + 8 else { return }
        let repeated = stretch.lowerBound + reach - axis.start
        guard repeated > 0, repeated < axis.count - 1 else { return }
        let removed = min(stretch.count - kept, axis.count - 1 - repeated - 1)
        guard removed > 0 else { return }
        axis.cut = stretch.lowerBound + kept
        axis.removed = removed
        axis.repeated = repeated
        axis.count -= removed
    }

    // MARK: Means

    private mutating func fill(from mask: CoverageMask) {
        cells = [Float](repeating: 0, count: x.cells * y.cells)
        let share = 1 / Float(x.step * y.step)
        for span in mask.spans { add(span.rect, share) { _, _ in span.coverage } }
        mask.bytes.withUnsafeBufferPointer { bytes in
            for tile in mask.tiles {
                add(tile.rect, share / 255) { Float(bytes[tile.index($0, $1)]) }
            }
        }
    }

    private mutating func add(_ rect: PixelRect, _ share: Float, _ value: (Int, Int) -> Float) {
        let (x, y) = (x, y)
        let columns = x.cells
        cells.withUnsafeMutableBufferPointer { cells in
            for sourceY in rect.minY..<rect.maxY {
                guard let row = Self.place(sourceY, y) else { continue }
                for sourceX in rect.minX..<rect.maxX {
                    guard let column = Self.place(sourceX, x) else { continue }
                    cells[row / y.step * columns + column / x.step] += share * value(sourceX, sourceY)
                }
            }
        }
    }

    /// The computed pixel of a source pixel; nil for one that is left out.
    @inline(__always)
    private static func place(_ source: Int, _ axis: Axis) -> Int? {
        var source = source
        if source >= axis.cut {
            if source < axis.cut + axis.removed { return nil }
            source -= axis.removed
        }
        let place = source - axis.start
        return place >= 0 && place < axis.count ? place : nil
    }

    // MARK: The kernel

    private mutating func convolve(alongX: [Double], alongY: [Double], slant: Double) {
        let (columns, rows) = (x.cells, y.cells)
        if alongX.count > 1 {
            let weights = alongX.map(Float.init)
            let source = cells
            for row in 0..<rows {
                convolveRow(source, row * columns, columns, weights)
            }
        }
        guard alongY.count > 1 else { return }
        let source = cells
        cells = [Float](repeating: 0, count: cells.count)
        for k in -(alongY.count - 1)...(alongY.count - 1) {
            let shift = Double(k) * slant
            let whole = Int(shift.rounded(.down))
            let part = Float(shift - shift.rounded(.down))
            let weight = Float(alongY[abs(k)])
            addRows(source, k, columns, rows, whole, weight * (1 - part))
            if part > 1e-6 { addRows(source, k, columns, rows, whole + 1, weight * part) }
        }
    }

    private mutating func convolveRow(_ source: [Float], _ start: Int, _ count: Int, _ weights: [Float]) {
        source.withUnsafeBufferPointer { source in
            cells.withUnsafeMutableBufferPointer { cells in
                for column in 0..<count {
                    var sum = weights[0] * source[start + column]
                    for k in 1..<weights.count {
                        if column >= k { sum += weights[k] * source[start + column - k] }
                        if column + k < count { sum += weights[k] * source[start + column + k] }
                    }
                    cells[start + column] = sum
                }
            }
        }
    }

    /// Adds to each row the one `k` below, moved by whole columns.
    private mutating func addRows(
        _ source: [Float], _ k: Int, _ columns: Int, _ rows: Int, _ shift: Int, _ weight: Float
    ) {
        source.withUnsafeBufferPointer { source in
            cells.withUnsafeMutableBufferPointer { cells in
                let first = max(0, -shift)
                let last = min(columns, columns - shift)
                guard first < last else { return }
                for row in max(0, -k)..<max(min(rows, rows - k), max(0, -k)) {
                    let (to, from) = (row * columns, (row + k) * columns + shift)
                    for column in first..<last { cells[to + column] += weight * source[from + column] }
                }
            }
        }
    }

    // MARK: Back to pixels

    private func expanded() -> CoverageMask {
        let (alongX, alongY) = (Self.interpolation(x), Self.interpolation(y))
        let columns = x.cells
        var bytes = [UInt8](repeating: 0, count: x.count * y.count)
        bytes.withUnsafeMutableBufferPointer { bytes in
            cells.withUnsafeBufferPointer { cells in
                for row in 0..<y.count {
                    let (top, bottom, partY) = alongY[row]
                    for column in 0..<x.count {
                        let (left, right, partX) = alongX[column]
                        let above = cells[top * columns + left] * (1 - partX) + cells[top * columns + right] * partX
                        let below =
                            cells[bottom * columns + left] * (1 - partX) + cells[bottom * columns + right] * partX
                        let value = above + (below - above) * partY
                        bytes[row * x.count + column] = UInt8(min(max(value * 255 + 0.5, 0), 255))
                    }
                }
            }
        }
        var mask = CoverageMask()
        for vertical in y.segments() where !vertical.source.isEmpty {
            for horizontal in x.segments() where !horizontal.source.isEmpty {
                let rect = PixelRect(
                    x: horizontal.start, y: vertical.start, width: x.width(of: horizontal),
                    height: y.width(of: vertical))
                let shift = (x: horizontal.source.lowerBound - rect.minX, y: vertical.source.lowerBound - rect.minY)
                mask.addTile(rect, repeatsColumns: horizontal.repeats, repeatsRows: vertical.repeats) {
                    bytes[($1 + shift.y) * x.count + $0 + shift.x]
                }
            }
        }
        return mask
    }

    /// For each pixel the two means around it, and how near it lies to the second.
    private static func interpolation(_ axis: Axis) -> [(Int, Int, Float)] {
        let last = axis.cells - 1
        return (0..<axis.count).map { pixel in
            if axis.step == 1 { return (pixel, pixel, 0) }
            let place = (Double(pixel) + 0.5) / Double(axis.step) - 0.5
            let first = Int(place.rounded(.down))
            return (min(max(first, 0), last), min(max(first + 1, 0), last), Float(place - Double(first)))
        }
    }
}
