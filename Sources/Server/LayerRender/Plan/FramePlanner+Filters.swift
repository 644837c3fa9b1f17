// Filters of a layer: on the picture of it and all below it, one after the other. Color filters of drawings that are
// one color each and don't overlap change the colors instead, which is exact and needs no surface.

import LayerModel
import Paths

extension FramePlanner {
    /// What must be drawn so that the filters' result in a rectangle is right.
    func grown(
        _ rect: PixelRect, by filters: [LayerFilter], _ presented: PresentedLayer,
        _ record: UnsafePointer<LayerRecord>
    ) -> PixelRect {
        var result = rect
        for filter in filters {
            let reach = filterReach(filter, presented, record)
            result = PixelRect(
                minX: result.minX - reach.x, minY: result.minY - reach.y, maxX: result.maxX + reach.x,
                maxY: result.maxY + reach.y)
        }
        return result
    }

    func gaussian(
        _ radius: Double, _ presented: PresentedLayer, _ record: UnsafePointer<LayerRecord>
    ) -> GaussianShape {
        let bounds = record.pointee.properties.bounds
        var shape = GaussianShape(
            sigma: max(radius, 0), on: presented.toDevice, at: Point(bounds.midX, bounds.midY))
        shape.limit()
        return shape
    }

    /// Notes where a blur that is drawn was asked to be wider than it can be.
    mutating func noteLimit(
        of filter: LayerFilter, _ presented: PresentedLayer, _ record: UnsafePointer<LayerRecord>
    ) {
        let bounds = record.pointee.properties.bounds
        var shape = GaussianShape(
            sigma: max(filter.number(.inputRadius), 0), on: presented.toDevice, at: Point(bounds.midX, bounds.midY))
        let widest = filter.kind == .variableBlur ? FilterSteps.widestVariable : GaussianShape.widest
        if shape.limit(to: widest) {
            notes.append(PlanNote(layer: record.pointee.id, kind: .degraded(.filterStep, .deviation(widest))))
        }
    }

    private func filterReach(
        _ filter: LayerFilter, _ presented: PresentedLayer, _ record: UnsafePointer<LayerRecord>
    ) -> (x: Int, y: Int) {
        switch filter.kind {
        case .gaussianBlur, .variableBlur:
            let shape = gaussian(filter.number(.inputRadius), presented, record)
            return (shape.reachX, shape.reachY)
        case .dropShadow:
            let shape = gaussian(filter.number(.inputRadius), presented, record)
            let moved = movement(filter.offset, presented, record)
            return (
                shape.reachX + Int(min(abs(moved.x), 1e5).rounded(.up)),
                shape.reachY + Int(min(abs(moved.y), 1e5).rounded(.up))
            )
        case .pixellate:
            guard let plane = FilterPlane(presented.toDevice, record.pointee.properties.bounds) else { return (0, 0) }
            let box = plane.pixels(of: squareSide(filter, plane)).box
            return (Int(min(box.x, 4_096).rounded(.up)) + 1, Int(min(box.y, 4_096).rounded(.up)) + 1)
        default: return (0, 0)
        }
    }

    private func movement(
        _ offset: Point, _ presented: PresentedLayer, _ record: UnsafePointer<LayerRecord>
    ) -> Point {
        let bounds = record.pointee.properties.bounds
        let from = presented.toDevice.apply(Point(bounds.midX, bounds.midY))
        let to = presented.toDevice.apply(Point(bounds.midX + offset.x, bounds.midY + offset.y))
        let moved = Point(to.x - from.x, to.y - from.y)
        return moved.isFinite ? Point(min(max(moved.x, -1e5), 1e5), min(max(moved.y, -1e5), 1e5)) : .zero
    }

    /// Filters what was emitted from `first` on.
    mutating func applyFilters(
        _ filters: [LayerFilter], _ presented: PresentedLayer, _ record: UnsafePointer<LayerRecord>,
        clippedTo clip: PixelRect, from first: Int, _ walk: Walk
    ) {
        guard quads.count > first else { return }
        let layer = record.pointee.id
        if foldColors(filters, from: first) {
            notes.append(PlanNote(layer: layer, kind: .foldedFilters(quads: quads.count - first)))
            return
        }
        let obstacle = filterObstacle(filters, from: first)
        guard makeSurface(from: first, reason: .filters, layer, within: nil, because: obstacle),
            case .surface(var current) = quads[first].paint
        else { return }
        for (index, filter) in filters.enumerated() {
            let wanted = grown(clip, by: Array(filters[(index + 1)...]), presented, record)
            if filter.kind == .dropShadow {
                guard let shadowed = dropShadow(filter, current, presented, record, wanted, first) else { continue }
                current = shadowed
                continue
            }
            var steps = FilterSteps(source: surfaces[Int(current)].bounds)
            addSteps(of: filter, to: &steps, presented, record, wanted, walk)
            for step in steps.steps {
                guard
                    let next = makeStep(
                        step.effect, of: current, bounds: step.bounds, reason: .filterStep, layer)
                else { break }
                current = next
            }
            if surfaces[Int(current)].bounds.isEmpty {
                // Nothing of it comes as far as what is seen, and no filter after this one makes something of nothing.
                quads.removeLast(quads.count - first)
                return
            }
            guard isBounded(filter, presented, record) else { continue }
            // Nothing comes out beyond the bounds.
            let rim = cover(
                ShapeGeometry(rect: record.pointee.properties.bounds), on: presented.toDevice, smooth: .all,
                clip: surfaces[Int(current)].bounds, walk)
            quads[first].paint = .surface(current)
            quads[first].bounds = rim.bounds
            switch rim {
            case .nothing:
                quads.removeLast(quads.count - first)
                return
            case .whole: continue
            case .mask(let mask, _): quads[first].mask = mask
            }
            if index == filters.count - 1 { return }
            guard makeSurface(from: first, reason: .filterStep, layer, within: nil),
                case .surface(let cut) = quads[first].paint
            else { return }
            current = cut
        }
        quads[first].paint = .surface(current)
        quads[first].bounds = surfaces[Int(current)].bounds
    }

    /// A blur that sees the layer's bounds alone.
    func isBounded(
        _ filter: LayerFilter, _ presented: PresentedLayer, _ record: UnsafePointer<LayerRecord>
    ) -> Bool {
        guard filter.kind == .gaussianBlur, filter.flag(.inputNormalizeEdges) || filter.flag(.inputHardEdges) else {
            return false
        }
        return !gaussian(filter.number(.inputRadius), presented, record).isPoint
    }

    /// The steps of one filter. A drop shadow is none.
    mutating func addSteps(
        of filter: LayerFilter, to steps: inout FilterSteps, _ presented: PresentedLayer,
        _ record: UnsafePointer<LayerRecord>, _ wanted: PixelRect, _ walk: Walk
    ) {
        let bounds = record.pointee.properties.bounds
        let from = steps.bounds
        switch filter.kind {
        case .gaussianBlur:
            let shape = gaussian(filter.number(.inputRadius), presented, record)
            if shape.isPoint { return }
            noteLimit(of: filter, presented, record)
            if isBounded(filter, presented, record) {
                guard let plane = FilterPlane(presented.toDevice, bounds) else { return }
                steps.boundedBlur(
                    shape, isNormalized: !filter.flag(.inputHardEdges), plane,
                    inside: pixels(of: bounds, on: presented.toDevice),
                    result: touched(by: bounds, on: presented.toDevice).intersection(wanted))
                return
            }
            steps.blur(shape, result: from.reached(by: shape).intersection(wanted))
        case .variableBlur:
            let image = filter.maskImage
            guard image != .none, walk.images[image] != nil, bounds.width > 0, bounds.height > 0,
                let plane = FilterPlane(presented.toDevice, bounds)
            else { return }
            let shape = gaussian(filter.number(.inputRadius), presented, record)
            if shape.isPoint { return }
            noteLimit(of: filter, presented, record)
            var unit = plane.unit(of: bounds, from: PixelPoint(x: 0, y: 0))
            if !presented.contentsAreFlipped {
                unit = unit.concatenating(.scale(1, -1)).concatenating(.translation(0, 1))
            }
            steps.variableBlur(
                shape, image: ImageKey(session: session, image: image), unit: unit,
                result: from.reached(by: shape).intersection(wanted))
        case .pixellate: pixellate(filter, &steps, presented, record, wanted)
        case .alphaThreshold: steps.threshold(Float(filter.number(.inputAmount)))
        case .luminanceToAlpha: steps.luminanceToAlpha()
        case .dropShadow: break
        default: if let matrix = filter.straightMatrix { steps.color(matrix) }
        }
    }

    /// Squares from the corner of least x and y of the bounds; up to a pixel they change nothing.
    private func pixellate(
        _ filter: LayerFilter, _ steps: inout FilterSteps, _ presented: PresentedLayer,
        _ record: UnsafePointer<LayerRecord>, _ wanted: PixelRect
    ) {
        let bounds = record.pointee.properties.bounds
        guard let plane = FilterPlane(presented.toDevice, bounds) else { return }
        let scale = squareSide(filter, plane)
        let side = plane.pixels(of: scale)
        guard min(side.axes.0, side.axes.1) > 1 else { return }
        let corner = plane.toDevice.apply(bounds.origin)
        if plane.isUpright, let width = wholePixel(side.box.x, false), let height = wholePixel(side.box.y, false),
            width <= 64, height <= 64, let x = wholePixel(corner.x, true), let y = wholePixel(corner.y, true)
        {
            steps.pixellate(width: width, height: height, corner: PixelPoint(x: x, y: y), result: wanted)
            return
        }
        let grid = plane.fromDevice.concatenating(.translation(-bounds.minX, -bounds.minY))
            .concatenating(.scale(1 / scale, 1 / scale))
        steps.pixellate(grid: grid, reach: side.box, result: wanted)
    }

    /// The side of a square, points: at most 512 pixels.
    private func squareSide(_ filter: LayerFilter, _ plane: FilterPlane) -> Double {
        let one = plane.pixels(of: 1).axes
        return min(max(filter.number(.inputScale), 0), 512 / max(one.0, one.1, 1e-9))
    }

    private func touched(by rect: Rect, on plane: Homography) -> PixelRect {
        let box = deviceBox(of: rect, on: plane)
        guard box.isFinite else { return screen }
        func pixel(_ value: Double, _ rule: FloatingPointRoundingRule) -> Int {
            wholePixel(value, false) ?? Int(min(max(value, -1_048_576), 1_048_576).rounded(rule))
        }
        return PixelRect(
            minX: pixel(box.minX, .down), minY: pixel(box.minY, .down), maxX: pixel(box.maxX, .up),
            maxY: pixel(box.maxY, .up))
    }

    /// The pixels of a rectangle of the layer, by their centers; of a turned one, all it touches.
    private func pixels(of rect: Rect, on plane: Homography) -> PixelRect {
        let box = deviceBox(of: rect, on: plane)
        guard box.isFinite else { return screen }
        return PixelRect(
            minX: wholePixel(box.minX, true)!, minY: wholePixel(box.minY, true)!, maxX: wholePixel(box.maxX, true)!,
            maxY: wholePixel(box.maxY, true)!)
    }

    /// A surface of another with its shadow below; nil where a limit is reached.
    private mutating func dropShadow(
        _ filter: LayerFilter, _ source: Int32, _ presented: PresentedLayer, _ record: UnsafePointer<LayerRecord>,
        _ wanted: PixelRect, _ first: Int
    ) -> Int32? {
        let layer = record.pointee.id
        let shape = gaussian(filter.number(.inputRadius), presented, record)
        noteLimit(of: filter, presented, record)
        let moved = movement(filter.offset, presented, record)
        let from = surfaces[Int(source)].bounds
        let result = PixelRect(
            minX: from.minX + Int(moved.x.rounded(.down)) - shape.reachX,
            minY: from.minY + Int(moved.y.rounded(.down)) - shape.reachY,
            maxX: from.maxX + Int(moved.x.rounded(.up)) + shape.reachX,
            maxY: from.maxY + Int(moved.y.rounded(.up)) + shape.reachY
        ).intersection(wanted)
        guard
            let blurred = blurChain(
                of: source, shape, moved: moved, edges: .transparent, result: result, reason: .filterStep, layer)
        else { return nil }
        // The filtered drawing's quad gives way to these two.
        let saved = quads[first]
        quads.removeLast(quads.count - first)
        append(
            .surfaceAlpha(blurred), filter.color(.inputColor).premultiplied, surfaces[Int(blurred)].bounds, nil, layer,
            isOpaque: false)
        append(.surface(source), .white, from, nil, layer, isOpaque: false)
        guard makeSurface(from: first, reason: .filterStep, layer, within: nil),
            case .surface(let both) = quads[first].paint
        else {
            quads.removeLast(quads.count - first)
            quads.append(saved)
            return nil
        }
        return both
    }

    /// A surface blurred and moved; nil when nothing is left of it or a limit is reached.
    mutating func blurChain(
        of source: Int32, _ gaussian: GaussianShape, moved: Point, edges: DrawEffect.Edges, result: PixelRect,
        reason: SurfaceReason, _ layer: LayerID, because obstacle: SurfaceCause.Obstacle = .none
    ) -> Int32? {
        guard !result.isEmpty else { return nil }
        var steps = FilterSteps(source: surfaces[Int(source)].bounds)
        steps.blur(gaussian, moved: moved, edges: edges, result: result)
        var current = source
        for step in steps.steps {
            guard
                let next = makeStep(
                    step.effect, of: current, bounds: step.bounds, reason: reason, layer, because: obstacle)
            else { return nil }
            current = next
        }
        return current
    }

    // MARK: Folding

    /// Changes the colors of drawings that are one color each, where that is the same as filtering their picture.
    private mutating func foldColors(_ filters: [LayerFilter], from first: Int) -> Bool {
        guard switches.contains(.foldedFilters), quads.count - first <= 64 else { return false }
        var matrices: [[Float]] = []
        for filter in filters {
            guard let matrix = filter.straightMatrix, matrix[15] == 0, matrix[16] == 0, matrix[17] == 0,
                matrix[18] == 1, matrix[19] == 0, matrix[3] == 0, matrix[8] == 0, matrix[13] == 0
            else { return false }
            matrices.append(matrix)
        }
        for quad in quads[first...] {
            guard case .solid = quad.paint, quad.maskSurface < 0, quad.mode == .normal else { return false }
        }
        if quads.count > first + 1, overlap(Array(first..<quads.count)) { return false }
        for index in first..<quads.count {
            for matrix in matrices { quads[index].color = quads[index].color.filtered(by: matrix) }
        }
        return true
    }
}

extension PixelRect {
    /// What a Gaussian makes of it.
    func reached(by shape: GaussianShape) -> PixelRect {
        PixelRect(
            minX: minX - shape.reachX, minY: minY - shape.reachY, maxX: maxX + shape.reachX, maxY: maxY + shape.reachY)
    }
}

extension PremultipliedColor {
    /// A matrix of straight colors that keeps alpha.
    fileprivate func filtered(by m: [Float]) -> PremultipliedColor {
        guard alpha > 0 else { return self }
        let (r, g, b) = (min(red / alpha, 1), min(green / alpha, 1), min(blue / alpha, 1))
        func row(_ i: Int) -> Float {
            min(max(m[i] * r + m[i + 1] * g + m[i + 2] * b + m[i + 4], 0), 1) * alpha
        }
        return PremultipliedColor(red: row(0), green: row(5), blue: row(10), alpha: alpha)
    }
}
