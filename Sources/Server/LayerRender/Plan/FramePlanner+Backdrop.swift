// What lies behind a layer, filtered: `backgroundFilters` of any layer, the filters of a backdrop layer. The planner
// emits a quad that stands for it; while its surface is being drawn, the lowering copies what is there so far, takes the
// copy through the steps and draws the result in place of what it was made of.

import LayerModel
import Paths

extension FramePlanner {
    mutating func emitBackdrop(
        _ presented: PresentedLayer, _ record: UnsafePointer<LayerRecord>, _ filters: [LayerFilter],
        clippedTo clip: PixelRect, _ walk: Walk
    ) {
        // The root has nothing behind it, and a mask shows nothing of it.
        guard !isInMask, presented.record != walk.root else { return }
        let layer = record.pointee.id
        let coverage = coverBounds(of: record, on: presented.toDevice, clip: clip, walk)
        let bounds = coverage.bounds.intersection(screen)
        guard !bounds.isEmpty else { return }
        let capture = grown(bounds, by: filters, presented, record).intersection(screen)
        var steps = FilterSteps(source: capture)
        for (index, filter) in filters.enumerated() {
            let wanted = grown(bounds, by: Array(filters[(index + 1)...]), presented, record).intersection(screen)
            if filter.kind == .gaussianBlur, !filter.flag(.inputHardEdges), !filter.flag(.inputNormalizeEdges) {
                var shape = GaussianShape(
                    sigma: max(filter.number(.inputRadius), 0), on: presented.toDevice,
                    at: Point(record.pointee.properties.bounds.midX, record.pointee.properties.bounds.midY))
                shape.limit()
                // Beyond the picture its nearest pixel counts; elsewhere the capture reaches as far as the kernel.
                if !shape.isPoint { steps.blur(shape, edges: .nearest, result: wanted.intersection(steps.bounds)) }
            } else {
                addSteps(of: filter, to: &steps, presented, record, wanted, walk)
            }
        }
        guard !steps.steps.isEmpty, steps.bounds.contains(bounds) else { return }
        let cost = steps.steps.reduce(2 * capture.area * 4) { $0 + $1.bounds.area * 4 }
        guard cost <= limits.surfaceBytes - surfaceBytes else {
            notes.append(PlanNote(layer: layer, kind: .degraded(.backdrop, .bytes(limits.surfaceBytes))))
            return
        }
        surfaceBytes += cost
        backdrops.append(PlannedBackdrop(layer: layer, capture: capture, steps: steps.steps))
        append(
            .backdrop(Int32(backdrops.count - 1)), .white, coverage.cropped(to: screen), isOpaque: false, layer)
    }

    private mutating func append(
        _ paint: Paint, _ color: PremultipliedColor, _ coverage: Coverage, isOpaque: Bool, _ layer: LayerID
    ) {
        switch coverage {
        case .nothing: break
        case .whole(let rect): append(paint, color, rect, nil, layer, isOpaque: isOpaque)
        case .mask(let mask, let rect): append(paint, color, rect, mask, layer, isOpaque: isOpaque)
        }
    }
}
