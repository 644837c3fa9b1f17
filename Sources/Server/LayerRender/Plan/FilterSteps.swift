// Filters as steps, each from one surface to the next. Pure geometry: nothing here knows which surface it is.
//
// A wide Gaussian works on means of k × k pixels, k the power of two up to two fifths of its deviation: then it is two and
// a half to five of them wide. Means and the bilinear way back add variance, (k² - 1) / 4 together, which the Gaussian has less.

import LayerModel
import Paths

struct FilterSteps {
    private(set) var steps: [PlannedStep] = []
    /// Where the last result lies.
    private(set) var bounds: PixelRect

    init(source: PixelRect) {
        bounds = source
    }

    private mutating func add(_ effect: DrawEffect, _ bounds: PixelRect) {
        steps.append(PlannedStep(effect: effect, bounds: bounds))
        self.bounds = bounds
    }

    private var source: PixelRect { PixelRect(x: 0, y: 0, width: bounds.width, height: bounds.height) }

    // MARK: Colors

    mutating func color(_ matrix: [Float]) {
        add(DrawEffect(.colorMatrix(matrix), source: source), bounds)
    }

    mutating func threshold(_ alpha: Float) {
        add(DrawEffect(.alphaThreshold(alpha), source: source), bounds)
    }

    /// Alpha becomes the luma of the premultiplied color, so that soft edges stay soft; the color is black.
    mutating func luminanceToAlpha() {
        add(
            DrawEffect(
                .premultipliedMatrix([
                    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.2126, 0.7152, 0.0722, 0, 0,
                ]), source: source), bounds)
    }

    // MARK: Squares

    /// Squares of whole pixels, counted from a corner, each its mean.
    mutating func pixellate(width: Int, height: Int, corner: PixelPoint, result: PixelRect) {
        guard width > 1 || height > 1, !result.isEmpty else { return }
        let from = bounds
        func first(_ value: Int, _ corner: Int, _ size: Int) -> Int {
            Int((Double(value - corner) / Double(size)).rounded(.down))
        }
        let (x0, y0) = (first(from.minX, corner.x, width), first(from.minY, corner.y, height))
        let (x1, y1) = (first(from.maxX - 1, corner.x, width) + 1, first(from.maxY - 1, corner.y, height) + 1)
        let (left, top) = (corner.x + x0 * width, corner.y + y0 * height)
        add(
            DrawEffect(
                .average(width: width, height: height), source: source, scaleX: Float(width), scaleY: Float(height),
                offsetX: Float(left - from.minX) - Float(width) / 2 + 0.25,
                offsetY: Float(top - from.minY) - Float(height) / 2 + 0.25),
            PixelRect(x: 0, y: 0, width: x1 - x0, height: y1 - y0))
        let whole = PixelRect(
            x: left, y: top, width: (x1 - x0) * width, height: (y1 - y0) * height
        ).intersection(result)
        add(
            DrawEffect(
                .average(width: 1, height: 1), source: source, scaleX: 1 / Float(width), scaleY: 1 / Float(height),
                offsetX: Float(whole.minX - left) / Float(width), offsetY: Float(whole.minY - top) / Float(height)),
            whole)
    }

    /// Squares of a grid that is turned, sheared or not of whole pixels: each shows the mean of the pixels whose centers
    /// lie in it.
    ///
    /// - Parameters:
    ///   - grid: From device pixels to squares of side 1.
    ///   - reach: What one square takes, pixels.
    mutating func pixellate(grid: Homography, reach: (x: Double, y: Double), result: PixelRect) {
        let from = bounds
        guard !result.isEmpty, !from.isEmpty,
            let back = Homography.translation(Double(from.minX), Double(from.minY)).concatenating(grid).inverse
        else { return }
        var (low, high) = (Point(.infinity, .infinity), Point(-.infinity, -.infinity))
        for x in [from.minX, from.maxX] {
            for y in [from.minY, from.maxY] {
                let place = grid.apply(Point(Double(x), Double(y)))
                low = Point(min(low.x, place.x), min(low.y, place.y))
                high = Point(max(high.x, place.x), max(high.y, place.y))
            }
        }
        let (columns, rows) = (
            high.x.rounded(.down) - low.x.rounded(.down), high.y.rounded(.down) - low.y.rounded(.down)
        )
        // A grid so slanted that its squares are slivers would cost without bound.
        let cost = (columns + 1) * (rows + 1) * (reach.x + 2) * (reach.y + 2)
        guard cost.isFinite, cost <= 64 * Double(from.area + 4_096), abs(low.x) < 1e6, abs(low.y) < 1e6 else { return }
        let first = PixelPoint(x: Int(low.x.rounded(.down)), y: Int(low.y.rounded(.down)))
        let map = DrawEffect.PlaneMap(
            Homography.translation(Double(from.minX), Double(from.minY)).concatenating(grid))
        add(
            DrawEffect(.gridMeans(toGrid: map, fromGrid: DrawEffect.PlaneMap(back), first: first), source: source),
            PixelRect(x: 0, y: 0, width: Int(columns) + 1, height: Int(rows) + 1))
        let (x, y) = (Int(min(reach.x, 4_096).rounded(.up)), Int(min(reach.y, 4_096).rounded(.up)))
        let shown = PixelRect(
            minX: from.minX - x, minY: from.minY - y, maxX: from.maxX + x, maxY: from.maxY + y
        ).intersection(result)
        guard !shown.isEmpty else { return }
        add(
            DrawEffect(
                .gridSquares(toGrid: map, first: first), source: source, offsetX: Float(shown.minX - from.minX),
                offsetY: Float(shown.minY - from.minY)), shown)
    }

    // MARK: Bounds

    /// The same pixels in another rectangle; outside of what there was, nothing, or with `repeats` the nearest pixel.
    mutating func frame(to rect: PixelRect, repeats: Bool = false) {
        guard rect != bounds, !rect.isEmpty else { return }
        add(
            DrawEffect(
                .average(width: 1, height: 1), source: source, edges: repeats ? .nearest : .transparent,
                offsetX: Float(rect.minX - bounds.minX), offsetY: Float(rect.minY - bounds.minY)), rect)
    }

    /// The pixels that the bounds of a turned layer touch.
    mutating func cut(_ plane: FilterPlane) {
        guard !plane.isUpright, !bounds.isEmpty else { return }
        // Half of what a pixel takes in the layer.
        let (x, y) = (
            (abs(plane.fromDevice.a11) + abs(plane.fromDevice.a21)) / 2,
            (abs(plane.fromDevice.a12) + abs(plane.fromDevice.a22)) / 2
        )
        let unit = plane.unit(
            of: plane.bounds.insetBy(dx: -x, dy: -y), from: PixelPoint(x: bounds.minX, y: bounds.minY))
        add(
            DrawEffect(
                .cut(toUnit: DrawEffect.PlaneMap(unit), rows: bounds.height, weights: bounds.height), source: source),
            bounds)
    }

    /// A blur of what lies in the layer's bounds alone; what is there at most is all there is of the result.
    ///
    /// - Parameters:
    ///   - isNormalized: Outside nothing counts; else the nearest place inside does.
    ///   - inside: The pixels whose centers lie in the bounds, of an upright layer.
    mutating func boundedBlur(
        _ gaussian: GaussianShape, isNormalized: Bool, _ plane: FilterPlane, inside: PixelRect, result: PixelRect
    ) {
        guard !result.isEmpty else { return }
        let margin = gaussian.reachY + Int(gaussian.sigmaY) + 2
        let needed = PixelRect(
            minX: result.minX - gaussian.reachX - 1, minY: result.minY - margin,
            maxX: result.maxX + gaussian.reachX + 1,
            maxY: result.maxY + margin)
        if plane.isUpright, isNormalized ? Self.isFine(gaussian) : plane.isOnGrid {
            let counted = inside.intersection(needed)
            guard !counted.isEmpty else { return }
            if !bounds.contains(counted) { frame(to: counted) }
            blur(gaussian, edges: isNormalized ? .normalized : .nearest, inside: counted, result: result)
            return
        }
        let unit = plane.unit(of: plane.bounds, from: PixelPoint(x: bounds.minX, y: bounds.minY))
        guard let back = unit.inverse else { return }
        let offset = (x: Float(needed.minX - bounds.minX), y: Float(needed.minY - bounds.minY))
        if isNormalized {
            let weights = needed.height
            add(
                DrawEffect(
                    .cut(toUnit: DrawEffect.PlaneMap(unit), rows: result.height + 2 * margin, weights: weights),
                    source: source, offsetX: offset.x, offsetY: offset.y),
                PixelRect(x: needed.minX, y: needed.minY, width: needed.width, height: weights + needed.height))
            blur(
                gaussian,
                result: PixelRect(
                    x: result.minX, y: result.minY, width: result.width, height: result.height + weights))
            add(DrawEffect(.divide(rows: weights), source: source), result)
        } else {
            let half = 0.5 / max(min(plane.pixels(of: 1).axes.0, plane.pixels(of: 1).axes.1), 1e-9)
            add(
                DrawEffect(
                    .extend(
                        toUnit: DrawEffect.PlaneMap(unit), fromUnit: DrawEffect.PlaneMap(back),
                        insetX: Float(min(half / plane.bounds.width, 0.5)),
                        insetY: Float(min(half / plane.bounds.height, 0.5))), source: source, offsetX: offset.x,
                    offsetY: offset.y), needed)
            blur(gaussian, result: result)
        }
    }

    // MARK: Gaussians

    /// - Parameters:
    ///   - moved: The result lies this far from the source, pixels.
    ///   - edges: Normalized only where no means are needed.
    ///   - inside: With edges other than transparent: the pixels that count.
    ///   - result: What is wanted of it.
    mutating func blur(
        _ gaussian: GaussianShape, moved: Point = .zero, edges: DrawEffect.Edges = .transparent,
        inside: PixelRect? = nil, result: PixelRect
    ) {
        guard !result.isEmpty else { return }
        let (stepX, stepY) = Self.means(gaussian)
        let counted = (inside ?? bounds).intersection(bounds)
        guard !counted.isEmpty else { return }
        if stepX == 1, stepY == 1 {
            fine(gaussian, moved, edges, counted, result)
        } else {
            coarse(gaussian, moved, edges, counted, result, stepX, stepY)
        }
    }

    /// Pixels in each of the means that it is made of.
    private static func means(_ gaussian: GaussianShape) -> (x: Int, y: Int) {
        let slanted = gaussian.slant * gaussian.sigmaY
        return (mean((gaussian.sigmaX * gaussian.sigmaX + slanted * slanted).squareRoot()), mean(gaussian.sigmaY))
    }

    private static func isFine(_ gaussian: GaussianShape) -> Bool { means(gaussian) == (1, 1) }

    private static func mean(_ sigma: Double) -> Int {
        var k = 1
        while Double(k * 2) <= sigma / 2.5 { k *= 2 }
        return k
    }

    private static func local(_ rect: PixelRect, in bounds: PixelRect) -> PixelRect {
        rect.offsetBy(x: -bounds.minX, y: -bounds.minY)
    }

    private static func weights(_ sigma: Double) -> [Float] { GaussianShape.weights(sigma: sigma).map(Float.init) }

    private mutating func fine(
        _ gaussian: GaussianShape, _ moved: Point, _ edges: DrawEffect.Edges, _ counted: PixelRect,
        _ result: PixelRect
    ) {
        let wholeX = Int((moved.x + 1.0 / 128).rounded(.down))
        let wholeY = Int((moved.y + 1.0 / 128).rounded(.down))
        let (partX, partY) = (moved.x - Double(wholeX), moved.y - Double(wholeY))
        let isWhole = partX < 1.0 / 64 && partY < 1.0 / 64
        // What is wanted before it is moved; one more where pixels are mixed.
        let more = isWhole ? 0 : 1
        let wanted = PixelRect(
            minX: result.minX - wholeX - more, minY: result.minY - wholeY - more, maxX: result.maxX - wholeX,
            maxY: result.maxY - wholeY)
        let from = bounds
        // The slanted pass looks sideways too.
        let aside = gaussian.slant == 0 ? 0 : Int((abs(gaussian.slant) * gaussian.sigmaY * 3).rounded(.up)) + 1
        let rows = PixelRect(
            minX: wanted.minX - aside, minY: max(from.minY, wanted.minY - gaussian.reachY),
            maxX: wanted.maxX + aside, maxY: min(from.maxY, wanted.maxY + gaussian.reachY))
        guard !rows.isEmpty else { return }
        let isSharp = gaussian.isPoint
        if !isSharp {
            add(
                DrawEffect(
                    .taps(stepX: 1, stepY: 0, weights: Self.weights(gaussian.sigmaX)),
                    source: Self.local(counted, in: from), edges: edges, offsetX: Float(rows.minX - from.minX),
                    offsetY: Float(rows.minY - from.minY)), rows)
            // What was counted along the rows is in each of their pixels now.
            let inside = Self.local(counted, in: rows)
            let inRows =
                edges == .transparent
                ? source
                : PixelRect(minX: source.minX, minY: inside.minY, maxX: source.maxX, maxY: inside.maxY)
                    .intersection(source)
            let place = isWhole ? result : wanted
            add(
                DrawEffect(
                    .taps(stepX: Float(gaussian.slant), stepY: 1, weights: Self.weights(gaussian.sigmaY)),
                    source: inRows, edges: edges, offsetX: Float(wanted.minX - rows.minX),
                    offsetY: Float(wanted.minY - rows.minY)), place)
        }
        guard isSharp || !isWhole else { return }
        let last = isSharp ? from : wanted
        add(
            DrawEffect(
                .resample, source: source,
                offsetX: Float(Double(result.minX - wholeX - last.minX) - (isWhole ? 0 : partX)),
                offsetY: Float(Double(result.minY - wholeY - last.minY) - (isWhole ? 0 : partY))), result)
    }

    private mutating func coarse(
        _ gaussian: GaussianShape, _ moved: Point, _ edges: DrawEffect.Edges, _ counted: PixelRect,
        _ result: PixelRect, _ stepX: Int, _ stepY: Int
    ) {
        // With the nearest pixel going on outside, as many means of that as the kernel reaches.
        let from = bounds
        let base = edges == .transparent ? from : counted
        let marginX = (gaussian.reachX + stepX - 1) / stepX + 1
        let marginY = (gaussian.reachY + stepY - 1) / stepY + 1
        let columns = (base.width + stepX - 1) / stepX + 2 * marginX
        let rows = (base.height + stepY - 1) / stepY + 2 * marginY
        let left = base.minX - marginX * stepX
        let top = base.minY - marginY * stepY

        // Means, at most eight pixels wide at a time.
        var (restX, restY) = (stepX, stepY)
        var isFirst = true
        repeat {
            let (x, y) = (min(restX, 8), min(restY, 8))
            restX /= x
            restY /= y
            let shiftX = isFirst ? Float(left - from.minX) : 0
            let shiftY = isFirst ? Float(top - from.minY) : 0
            add(
                DrawEffect(
                    .average(width: x, height: y), source: isFirst ? Self.local(counted, in: from) : source,
                    edges: isFirst && edges == .nearest ? .nearest : .transparent, scaleX: Float(x), scaleY: Float(y),
                    offsetX: shiftX - Float(x) / 2 + 0.25, offsetY: shiftY - Float(y) / 2 + 0.25),
                PixelRect(x: 0, y: 0, width: columns * restX, height: rows * restY))
            isFirst = false
        } while restX > 1 || restY > 1

        func reduced(_ sigma: Double, _ step: Int) -> Double {
            let k = Double(step)
            return max(sigma * sigma - (k * k - 1) / 4, 0).squareRoot() / k
        }
        let cells = source
        add(
            DrawEffect(
                .taps(stepX: 1, stepY: 0, weights: Self.weights(reduced(gaussian.sigmaX, stepX))), source: cells,
                edges: edges), cells)
        add(
            DrawEffect(
                .taps(
                    stepX: Float(gaussian.slant * Double(stepY) / Double(stepX)), stepY: 1,
                    weights: Self.weights(reduced(gaussian.sigmaY, stepY))), source: cells, edges: edges), cells)
        let shown = result
        add(
            DrawEffect(
                .resample, source: cells, edges: .nearest, scaleX: 1 / Float(stepX), scaleY: 1 / Float(stepY),
                offsetX: Float((Double(shown.minX - left) - moved.x) / Double(stepX)),
                offsetY: Float((Double(shown.minY - top) - moved.y) / Double(stepY))), shown)
    }

    /// A variable blur looks at every pixel in its reach; wider than this it would cost without bound. Pixels.
    static let widestVariable = 20

    /// Two passes whose width an image's alpha decides.
    ///
    /// - Parameter unit: From device pixels to the image, 0…1.
    mutating func variableBlur(_ gaussian: GaussianShape, image: ImageKey, unit: Homography, result: PixelRect) {
        guard !result.isEmpty else { return }
        var sharp = gaussian
        sharp.limit(to: Self.widestVariable)
        let from = bounds
        func map(_ origin: PixelRect) -> DrawEffect.PlaneMap {
            DrawEffect.PlaneMap(
                Homography.translation(Double(origin.minX), Double(origin.minY)).concatenating(unit))
        }
        let rows = PixelRect(
            minX: result.minX, minY: min(from.minY, result.minY), maxX: result.maxX, maxY: max(from.maxY, result.maxY)
        ).intersection(
            PixelRect(
                minX: result.minX, minY: result.minY - sharp.reachY, maxX: result.maxX, maxY: result.maxY + sharp.reachY
            ))
        if max(sharp.reachX, sharp.reachY) <= DrawEffect.maximumVariableReach {
            // Each pixel's own width in both directions at once: exact.
            add(
                DrawEffect(
                    .variableDisc(DrawEffect.VariableDisc(sharp), mask: image, map: map(from)), source: source,
                    offsetX: Float(result.minX - from.minX), offsetY: Float(result.minY - from.minY)), result)
            return
        }
        add(
            DrawEffect(
                .variableTaps(stepX: 1, stepY: 0, sigma: Float(sharp.sigmaX), mask: image, map: map(from)),
                source: source, offsetX: Float(rows.minX - from.minX), offsetY: Float(rows.minY - from.minY)), rows)
        add(
            DrawEffect(
                .variableTaps(stepX: 0, stepY: 1, sigma: Float(sharp.sigmaY), mask: image, map: map(rows)),
                source: source, offsetY: Float(result.minY - rows.minY)), result)
    }
}

extension DrawEffect.VariableDisc {
    init(_ shape: GaussianShape) {
        let (x, y) = (max(shape.sigmaX, 0.01), max(shape.sigmaY, 0.01))
        let (a, c) = (1 / (x * x), 1 / (y * y))
        // (x - slant · y)² / σx² + y² / σy².
        self.init(
            xx: Float(a), xy: Float(-shape.slant * a), yy: Float(c + shape.slant * shape.slant * a),
            reachX: shape.reachX, reachY: shape.reachY)
    }
}
