// The filters of a layer, one after the other, each a draw into a target of its own. Source: semantic reference, §6.14;
// measured facts F1 to F5. What is open in the reference is settled so:
//
// - What a blur needs from outside of the picture is drawn too (up to LayerPainter.reach pixels).
// - normalizeEdges and hardEdges look only at what lies in the layer's bounds, by pixel centers, and nothing comes out
//   beyond them: pixels at their edge count by coverage. Of a backdrop, the shape that it takes the place of says that.
// - pixellate: squares in the layer's own space from the corner of least x and y of its bounds; each shows the mean of the
//   pixels whose centers are in it.
// - variableBlur: the image is stretched over the bounds, upright; beyond them its edge goes on. Without an image nothing
//   is blurred.
// - The colors' filters: ColorFilters.swift.
// - With filters that move pixels a clipping layer's own parts end at its outline, and what ends there has both
//   coverages multiplied.

import Glibc
import LayerModel

extension LayerPainter {
    /// The layer's drawing with its filters, source-over.
    ///
    /// - Parameter isSilhouette: The clip does not follow: the layer's own parts end at its outline.
    func paintFiltered(_ placed: PlacedLayer, opacity: Double, isSilhouette: Bool = false, into canvas: Canvas) {
        let filters = placed.activeFilters
        let isClipped = placed.properties.masksToBounds && !isSilhouette && filters.allSatisfy(\.kind.isPointwise)
        guard !filters.isEmpty else {
            paintParts(of: placed, opacity: opacity, isClipped: isClipped, into: canvas)
            return
        }
        let images = placed.layer.filterPictures[.filters] ?? [:]
        let result = filtered(filters, images, of: placed, in: canvas.bounds) { region in
            let drawn = Canvas(bounds: region)
            paintParts(of: placed, opacity: opacity, isClipped: isClipped, into: drawn)
            return drawn
        }
        result.forEachTouched(in: canvas.bounds) { x, y in
            canvas.blend(
                x: x, y: y, result.ink(x: x, y: y), weight: 1, flags: result.flags(x: x, y: y),
                slack: result.slack(x: x, y: y))
        }
        canvas.touch(result.touched)
    }

    /// What filters make of a drawing.
    ///
    /// - Parameter source: Draws at least a rectangle.
    func filtered(
        _ filters: [LayerFilter], _ images: [ImageID: ReferencePicture], of placed: PlacedLayer, in output: PixelRect,
        isBackdrop: Bool = false, source: (PixelRect) -> Canvas
    ) -> Canvas {
        var regions = [output]
        for filter in filters.reversed() { regions.append(inputRegion(of: filter, placed, regions.last ?? output)) }
        var canvas = source(regions.removeLast())
        for filter in filters {
            canvas = apply(
                filter, images[filter.maskImage], to: canvas, of: placed, in: regions.removeLast(), isBackdrop)
        }
        return canvas
    }

    private func inputRegion(of filter: LayerFilter, _ placed: PlacedLayer, _ output: PixelRect) -> PixelRect {
        let spread = Spread(radius: filter.number(.inputRadius), placed.linearMap)
        switch filter.kind {
        case .gaussianBlur, .variableBlur: return inputRegion(output, spread)
        case .dropShadow:
            guard let offset = placed.pixelOffset(filter.offset) else { return output }
            let reach = LayerPainter.reach
            let moved = output.offsetBy(
                x: -Int(min(max(offset.x, -4e5), 4e5).rounded()), y: -Int(min(max(offset.y, -4e5), 4e5).rounded()))
            return output.union(inputRegion(moved, spread).inflated(by: 1)).intersection(
                output.inflated(by: reach)
            ).intersection(limits)
        case .pixellate:
            let reach = placed.squareReach(filter.number(.inputScale))
            return output.inflated(x: reach.x, y: reach.y).intersection(limits)
        default: return output
        }
    }

    private func apply(
        _ filter: LayerFilter, _ image: ReferencePicture?, to canvas: Canvas, of placed: PlacedLayer,
        in output: PixelRect, _ isBackdrop: Bool
    ) -> Canvas {
        let spread = Spread(radius: filter.number(.inputRadius), placed.linearMap)
        switch filter.kind {
        case .gaussianBlur:
            guard let spread else { return canvas }
            let isHard = filter.flag(.inputHardEdges)
            if isHard || filter.flag(.inputNormalizeEdges) {
                return boundedBlur(canvas, spread, isHard: isHard, isSoft: !isBackdrop, of: placed, in: output)
            }
            return LayeredField(canvas).blurred(spread, in: output)
        case .variableBlur:
            guard let spread, let image else { return canvas }
            return variableBlur(canvas, spread, image, of: placed, in: output)
        case .dropShadow: return dropShadow(canvas, filter, spread, of: placed, in: output)
        case .pixellate: return pixellated(canvas, filter.number(.inputScale), of: placed, in: output)
        default: return ColorFilter(filter).applied(to: canvas)
        }
    }

    // MARK: Blurs

    /// A blur of what lies in the layer's bounds alone.
    private func boundedBlur(
        _ canvas: Canvas, _ spread: Spread, isHard: Bool, isSoft: Bool, of placed: PlacedLayer, in output: PixelRect
    ) -> Canvas {
        let bounds = placed.properties.bounds
        let (a, b, c, d) = bounds.corners
        let region = canvas.bounds.union(output.inflated(x: spread.reachX, y: spread.reachY).intersection(limits))
        func bounded(_ kind: EdgeKind) -> Coverage {
            Coverage(of: placed.plane.project(ConvexPolygon([a, b, c, d], edges: kind)), in: region)
        }
        let inside = bounded(.hard)
        let rim = bounded(.soft)
        let shown = rim.bounds.intersection(output)
        let needed = shown.inflated(x: spread.reachX, y: spread.reachY).intersection(limits)
        let cut = Canvas(bounds: needed)
        guard !needed.isEmpty else { return cut }
        func copy(_ x: Int, _ y: Int, from pixel: Point?) {
            let at = pixel.map(canvas.pixel(nearest:)) ?? (x, y)
            cut.replace(
                x: x, y: y, with: pixel.map(canvas.sample) ?? canvas.ink(x: x, y: y),
                flags: canvas.flags(x: at.0, y: at.1), slack: canvas.slack(x: at.0, y: at.1))
        }
        let half = 0.5 / max(placed.pixels(ofLength: 1), 1e-9)
        for y in needed.minY..<needed.maxY {
            for x in needed.minX..<needed.maxX {
                if inside.value(x: x, y: y) > 0 {
                    if canvas.bounds.contains(x, y), canvas.isTouched(x: x, y: y) { copy(x, y, from: nil) }
                } else if isHard {
                    let place = placed.plane.point(at: Point(Double(x) + 0.5, Double(y) + 0.5))
                    let pixel = placed.plane.pixel(of: bounds.nearest(to: place, inset: half))
                    if let pixel { copy(x, y, from: pixel) }
                }
            }
        }
        cut.touch(needed)
        let weights = Field(isHard ? .empty : inside.bounds) { inside.value(x: $0, y: $1) }
        return LayeredField(cut).blurred(
            spread, in: shown, weights: isHard ? nil : weights.blurred(spread, in: shown), rim: rim, isSoft: isSoft)
    }

    /// Between blurs of the whole whose radii grow by 15 %: mixed linearly, that is within half a level of a sum with
    /// each pixel's own radius.
    private func variableBlur(
        _ canvas: Canvas, _ spread: Spread, _ image: ReferencePicture, of placed: PlacedLayer, in output: PixelRect
    ) -> Canvas {
        let source = LayeredField(canvas)
        let bounds = placed.properties.bounds
        let result = Canvas(bounds: output)
        let area = source.box.inflated(x: spread.reachX, y: spread.reachY).intersection(output)
        guard !bounds.isEmpty else { return canvas }
        let largest = max(spread.xx, spread.yy).squareRoot()
        // Pixels below which nothing is blurred, and the steps from there.
        let (smallest, step) = (0.3, 1.15)
        func sigma(_ level: Int) -> Double { smallest * pow(step, Double(level)) }
        var levels: [Int: Canvas] = [:]
        func level(_ index: Int) -> Canvas {
            if let known = levels[index] { return known }
            let blurred = source.blurred(spread.scaled(by: sigma(index) / largest), in: area)
            levels[index] = blurred
            return blurred
        }
        for y in area.minY..<area.maxY {
            for x in area.minX..<area.maxX {
                let place = placed.plane.point(at: Point(Double(x) + 0.5, Double(y) + 0.5))
                let u = (place.x - bounds.minX) / bounds.width
                let v = (place.y - bounds.minY) / bounds.height
                let texel = Point(
                    u * Double(image.width), (placed.contentsAreFlipped ? v : 1 - v) * Double(image.height))
                let wanted = largest * image.linear(texel).alpha / 255
                if wanted <= smallest {
                    guard canvas.isTouched(x: x, y: y) else { continue }
                    result.replace(
                        x: x, y: y, with: canvas.ink(x: x, y: y), flags: canvas.flags(x: x, y: y),
                        slack: canvas.slack(x: x, y: y))
                } else {
                    let index = Int(log(wanted / smallest) / log(step))
                    let (near, far) = (level(index), level(index + 1))
                    let share = (wanted - sigma(index)) / (sigma(index + 1) - sigma(index))
                    result.replace(
                        x: x, y: y, with: near.ink(x: x, y: y).mixed(with: far.ink(x: x, y: y), share),
                        flags: near.flags(x: x, y: y) | far.flags(x: x, y: y),
                        slack: max(near.slack(x: x, y: y), far.slack(x: x, y: y)))
                }
            }
        }
        result.touch(area)
        return result
    }

    // MARK: Others

    private func dropShadow(
        _ canvas: Canvas, _ filter: LayerFilter, _ spread: Spread?, of placed: PlacedLayer, in output: PixelRect
    ) -> Canvas {
        let result = Canvas(bounds: output)
        if let offset = placed.pixelOffset(filter.offset), abs(offset.x) < 4e5, abs(offset.y) < 4e5 {
            // At −n + center, so that the rest is a whole number of pixels.
            let n = (x: Int(offset.x.rounded(.up)), y: Int(offset.y.rounded(.up)))
            let center = Point(Double(n.x) - offset.x, Double(n.y) - offset.y)
            let shape = Silhouette(canvas)
            let alpha = shape.alpha.blurred(spread ?? .none, center: center, in: output.offsetBy(x: -n.x, y: -n.y))
            let slack = shape.slack.blurred(spread ?? .none, center: center, in: output.offsetBy(x: -n.x, y: -n.y))
            let ink = Ink(filter.color(.inputColor))
            let flags: PixelFlags = (spread?.isSharp ?? true) ? .blurred | .edge : .blurred
            for y in output.minY..<output.maxY {
                for x in output.minX..<output.maxX {
                    let weight = alpha.value(x: x - n.x, y: y - n.y) / 255
                    guard weight > 0 else { continue }
                    result.blend(
                        x: x, y: y, ink, weight: weight,
                        flags: weight < 1 || shape.isBlurred ? flags : .none, slack: slack.value(x: x - n.x, y: y - n.y)
                    )
                }
            }
            result.touch(output)
        }
        canvas.forEachTouched(in: output) { x, y in
            result.blend(
                x: x, y: y, canvas.ink(x: x, y: y), weight: 1, flags: canvas.flags(x: x, y: y),
                slack: canvas.slack(x: x, y: y))
        }
        result.touch(canvas.touched)
        return result
    }

    private func pixellated(_ canvas: Canvas, _ scale: Double, of placed: PlacedLayer, in output: PixelRect) -> Canvas {
        struct Cell: Hashable {
            var column: Double
            var row: Double
        }
        let size = placed.pixels(ofLength: scale)
        guard size > 1 else { return canvas }
        var sums: [Cell: (ink: Ink, count: Double, slack: Double)] = [:]
        let origin = placed.properties.bounds.origin
        func cell(_ x: Int, _ y: Int) -> (Cell, isSure: Bool) {
            let place = placed.plane.point(at: Point(Double(x) + 0.5, Double(y) + 0.5))
            let (u, v) = ((place.x - origin.x) / scale, (place.y - origin.y) / scale)
            let near = 1.0 / 256 / size
            let isSure = abs(u - u.rounded()) > near && abs(v - v.rounded()) > near
            return (Cell(column: u.rounded(.down), row: v.rounded(.down)), isSure)
        }
        let reach = placed.squareReach(scale)
        // Beyond what the step before ended at there are pixels too, clear ones.
        let area = canvas.touched.inflated(x: reach.x, y: reach.y)
        for y in area.minY..<area.maxY {
            for x in area.minX..<area.maxX {
                let (key, isSure) = cell(x, y)
                let isThere = canvas.bounds.contains(x, y)
                let doubt = !isSure || isThere && canvas.flags(x: x, y: y).contains(.doubtful)
                let slack = doubt ? 255 : isThere ? canvas.slack(x: x, y: y) : 0
                let old = sums[key] ?? (.clear, 0, 0)
                let ink = isThere ? canvas.ink(x: x, y: y) : .clear
                sums[key] = (old.ink + ink, old.count + 1, old.slack + slack)
            }
        }
        let result = Canvas(bounds: output)
        let shown = area.intersection(output)
        for y in shown.minY..<shown.maxY {
            for x in shown.minX..<shown.maxX {
                let (key, isSure) = cell(x, y)
                guard let sum = sums[key], sum.ink.alpha > 0 else { continue }
                let share = 1 / sum.count
                result.replace(
                    x: x, y: y, with: sum.ink * share, flags: isSure ? .blurred : .blurred | .doubtful,
                    slack: sum.slack * share)
            }
        }
        result.touch(shown)
        return result
    }
}

extension LayerFilter.Kind {
    /// Each pixel by itself.
    var isPointwise: Bool {
        switch self {
        case .gaussianBlur, .variableBlur, .pixellate, .dropShadow: false
        default: true
        }
    }
}

extension PlacedLayer {
    /// Pixels of a length of the layer's plane at the middle of its bounds, the smaller one of x and y.
    func pixels(ofLength length: Double) -> Double {
        guard let map = linearMap else { return 0 }
        let x = (map.x.x * map.x.x + map.x.y * map.x.y).squareRoot()
        let y = (map.y.x * map.y.x + map.y.y * map.y.y).squareRoot()
        let result = min(x, y) * length
        return result.isFinite ? result : 0
    }

    /// Pixels that a square of the layer's plane takes along x and y.
    func squareReach(_ side: Double) -> (x: Int, y: Int) {
        guard let map = linearMap else { return (0, 0) }
        func pixels(_ a: Double, _ b: Double) -> Int {
            let length = (abs(a) + abs(b)) * side
            return Int(min(length.isFinite ? max(length, 0) : 0, Double(LayerPainter.reach)).rounded(.up))
        }
        return (pixels(map.x.x, map.y.x), pixels(map.x.y, map.y.y))
    }

    func pixelOffset(_ offset: Point) -> Point? {
        guard let map = linearMap else { return nil }
        let result = Point(map.x.x * offset.x + map.y.x * offset.y, map.x.y * offset.x + map.y.y * offset.y)
        return result.isFinite ? result : nil
    }
}

extension Rect {
    /// The point of the rectangle, made smaller on all sides, that is nearest.
    fileprivate func nearest(to point: Point, inset: Double) -> Point {
        let dx = min(inset, width / 2)
        let dy = min(inset, height / 2)
        return Point(
            min(max(point.x, minX + dx), maxX - dx), min(max(point.y, minY + dy), maxY - dy))
    }
}
