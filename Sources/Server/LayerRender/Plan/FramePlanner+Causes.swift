// What stood in the way of a road without a surface. Asked only once a surface is to be made: the roads themselves decide
// without it.

import LayerModel
import Paths

extension FramePlanner {
    /// Why the opacity of what was emitted from `first` on can't be multiplied into the drawings.
    func opacityObstacle(from first: Int) -> SurfaceCause.Obstacle {
        if let reader = firstReader(from: first) { return .readsBelow(reader) }
        if quads.count - first > Self.foldLimit { return .tooMany(drawings: quads.count - first) }
        if let (a, b) = firstOverlap(Array(first..<quads.count)) { return .overlap(a, b) }
        return switches.contains(.foldedOpacity) ? .none : .switchedOff(.foldedOpacity)
    }

    /// Why a clip can't be multiplied into the drawings at its rim.
    func clipObstacle(rim: [Int], from first: Int) -> SurfaceCause.Obstacle {
        if let reader = firstReader(from: first) { return .readsBelow(reader) }
        if rim.count > Self.foldLimit { return .tooMany(drawings: rim.count) }
        if let (a, b) = firstOverlap(rim) { return .rim(drawings: rim.count, a, b) }
        return switches.contains(.fastClips) ? .none : .switchedOff(.fastClips)
    }

    /// Why the silhouette of what was emitted from `first` on is not the layer's bounds.
    func silhouetteObstacle(
        _ record: UnsafePointer<LayerRecord>, from first: Int, _ walk: Walk
    ) -> SurfaceCause.Obstacle {
        if let reader = firstReader(from: first) { return .readsBelow(reader) }
        let layer = record.pointee.id
        if record.pointee.properties.drawsShape { return .drawsPath }
        let background = quads[first]
        guard isBackground(background, of: record) else {
            return record.pointee.properties.drawsGradient ? .drawsGradient : .noBackground
        }
        if quads.count > first + 1, background.color.alpha < 1 { return .translucentBackground }
        for quad in quads[(first + 1)...] {
            guard background.bounds.contains(quad.bounds) else { return .reachesOutside(quad.layer) }
            guard let mask = background.mask else { continue }
            if quad.layer == layer, case .solid = quad.paint { continue }
            if !walk.coverage.withMask(mask.entry, { shape, _ in covers(shape, mask, all: quad.bounds) }) {
                return .reachesOutside(quad.layer)
            }
        }
        return switches.contains(.shadowShapes) ? .none : .switchedOff(.shadowShapes)
    }

    /// A layer's background color, or an opaque gradient alone: of one alpha in all of its bounds.
    func isBackground(_ quad: Quad, of record: UnsafePointer<LayerRecord>) -> Bool {
        guard quad.layer == record.pointee.id, quad.maskSurface < 0 else { return false }
        switch quad.paint {
        case .solid: return record.pointee.properties.backgroundColor != nil
        case .image(let key, _, _, _):
            return key.isRaster && quad.isOpaquePaint && (record.pointee.properties.backgroundColor?.alpha ?? 0) <= 0
        default: return false
        }
    }

    /// Why filters can't change the colors of the drawings from `first` on.
    func filterObstacle(_ filters: [LayerFilter], from first: Int) -> SurfaceCause.Obstacle {
        for filter in filters where filter.straightMatrix == nil { return .notAColorFilter(filter.kind) }
        if let reader = firstReader(from: first) { return .readsBelow(reader) }
        for quad in quads[first...] {
            guard case .solid = quad.paint, quad.maskSurface < 0 else { return .notOneColor(quad.layer) }
        }
        if quads.count - first > 64 { return .tooMany(drawings: quads.count - first) }
        if let (a, b) = firstOverlap(Array(first..<quads.count)) { return .overlap(a, b) }
        if !switches.contains(.foldedFilters) { return .switchedOff(.foldedFilters) }
        return filters.first.map { .notAColorFilter($0.kind) } ?? .none
    }

    /// Why a mask that was emitted from `first` on is no clip.
    func maskObstacle(from first: Int) -> SurfaceCause.Obstacle {
        quads.count > first + 1 ? .severalDrawings(quads.count - first) : .unevenAlpha(quads[first].layer)
    }

    /// Why what was emitted from `first` on is not one drawing.
    func groupObstacle(from first: Int) -> SurfaceCause.Obstacle {
        if quads.count > first + 1 { return .severalDrawings(quads.count - first) }
        return firstReader(from: first).map { .readsBelow($0) } ?? .none
    }

    private func firstReader(from first: Int) -> LayerID? { quads[first...].first(where: \.readsBackdrop)?.layer }

    /// The layers of the first two drawings that may paint one pixel, the one from higher up first.
    private func firstOverlap(_ indices: [Int]) -> (LayerID, LayerID)? {
        guard indices.count <= Self.foldLimit else { return nil }
        for (position, index) in indices.enumerated() {
            for other in indices[..<position] where quads[index].bounds.intersects(quads[other].bounds) {
                return (quads[index].layer, quads[other].layer)
            }
        }
        return nil
    }
}
