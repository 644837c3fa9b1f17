// What lies behind a layer, filtered: backgroundFilters of any layer, the filters of a backdrop layer. Source: semantic
// reference, §1.11 and §6.14. What is open in the reference is settled so:
//
// - The backdrop is what is drawn so far in the nearest enclosing group, as for compositing modes, cut as the clips
//   between are. It ends at the picture: beyond, the nearest pixel of the picture counts.
// - The filtered backdrop takes the place of the backdrop inside the layer's bounds with their corners; then the layer
//   is drawn over it. The layer's mask, clip and opacity say how much of both counts.
// - A layer with background filters draws them under its shadow, a backdrop layer over it. A backdrop layer with both
//   kinds applies the background filters first. Its sublayers are not filtered.
// - Backdrop layers of one groupName in one group all see what the first of them saw. The capture's scale changes how it
//   is computed, not the picture: it is ignored.
// - The root, and a mask, show no backdrop. A layer that shows one is not rasterized.

import LayerModel

extension ReferenceLayer {
    /// The filters of what is behind, with the property that names their images.
    fileprivate var backdropFilters: [(list: [LayerFilter], images: [ImageID: ReferencePicture])] {
        var result = [(properties.backgroundFilters.filter(\.isEnabled), filterPictures[.backgroundFilters] ?? [:])]
        if layerClass == .backdropLayer {
            result.append((properties.filters.filter(\.isEnabled), filterPictures[.filters] ?? [:]))
        }
        return result.filter { !$0.0.isEmpty }
    }

    var showsBackdrop: Bool { !backdropFilters.isEmpty }
}

extension LayerPainter {
    func paintOnBackdrop(_ placed: PlacedLayer, into canvas: Canvas) {
        let cover = self.cover(of: placed, in: canvas.bounds, opacity: placed.opacity)
        let seen = capture(for: placed, from: canvas)
        guard !cover.bounds.isEmpty else { return }
        mix(into: canvas, cover) { copy in
            let isBelowShadow = placed.layer.layerClass != .backdropLayer
            if isBelowShadow { replaceBackdrop(of: placed, seen, in: copy) }
            guard placed.mode == .normal else {
                // The layer's own drawing by its mode, shadow and all.
                if !isBelowShadow { replaceBackdrop(of: placed, seen, in: copy) }
                let group = Canvas(bounds: copy.bounds)
                paintUncut(placed, opacity: 1, into: group)
                lay(group, over: copy, Cover(bounds: copy.bounds), placed.mode, of: placed)
                return
            }
            if isBelowShadow, placed.isFlat || placed.isFaded || !Outline(placed.properties).rounded.isEmpty {
                let group = Canvas(bounds: copy.bounds)
                paintUncut(placed, opacity: 1, into: group)
                lay(group, over: copy, Cover(bounds: copy.bounds), .normal, of: placed)
            } else {
                paintShadow(of: placed, opacity: 1, into: copy)
                if !isBelowShadow { replaceBackdrop(of: placed, seen, in: copy) }
                paintFiltered(placed, opacity: 1, into: copy)
            }
        }
    }

    /// What a layer can see behind it.
    private func capture(for placed: PlacedLayer, from canvas: Canvas) -> Canvas {
        let name = placed.layer.layerClass == .backdropLayer ? placed.properties.groupName : nil
        if let name, let known = canvas.captures[name] { return known }
        let result = canvas.asSeen
        if let name { canvas.captures[name] = result }
        return result
    }

    /// Puts the filtered backdrop in its place.
    private func replaceBackdrop(of placed: PlacedLayer, _ seen: Canvas, in canvas: Canvas) {
        let shape = clipCoverage(of: placed, in: canvas.bounds)
        guard note(.backdrop, of: placed, shape, placed.opacity) else { return }
        let picture = self.picture
        var result: Canvas?
        for (filters, images) in placed.layer.backdropFilters {
            result = filtered(filters, images, of: placed, in: shape.bounds, isBackdrop: true) { region in
                let source = result ?? seen
                // A second list of filters sees the first one's result, which ends at the bounds.
                let edge = result == nil ? picture.intersection(seen.bounds) : source.bounds
                return source.extended(to: region, from: edge)
            }
        }
        guard let result else { return }
        let isClipped = placed.properties.masksToBounds
        shape.forEachPixel(in: canvas.bounds) { x, y, covered, shapeFlags in
            // Under a clip the coverage at the rim counts once, for all that is drawn.
            let share = isClipped ? 1 : covered
            let flags = isClipped ? .none : shapeFlags
            let inside = result.bounds.contains(x, y)
            let ink = inside ? result.ink(x: x, y: y) : .clear
            let own = inside ? result.flags(x: x, y: y) : .none
            let below = canvas.ink(x: x, y: y)
            canvas.replace(
                x: x, y: y, with: below.mixed(with: ink, share),
                flags: share >= 1 ? own | flags : own | flags | canvas.flags(x: x, y: y),
                slack: (inside ? result.slack(x: x, y: y) : 0) * share + canvas.slack(x: x, y: y) * (1 - share))
        }
        canvas.touch(shape.bounds)
    }
}

extension Canvas {
    /// What something inside sees of it: where a clip will cut, what lies under the clip.
    fileprivate var asSeen: Canvas {
        guard let base else { return copy() }
        let below = base.canvas.asSeen
        for y in bounds.minY..<bounds.maxY {
            for x in bounds.minX..<bounds.maxX {
                guard base.cover.bounds.contains(x, y), below.bounds.contains(x, y) else { continue }
                let share = base.cover.value(x: x, y: y).share
                guard share > 0 else { continue }
                below.replace(
                    x: x, y: y, with: below.ink(x: x, y: y).mixed(with: ink(x: x, y: y), share),
                    flags: share >= 1 ? flags(x: x, y: y) : flags(x: x, y: y) | below.flags(x: x, y: y) | .edge,
                    slack: max(slack(x: x, y: y), below.slack(x: x, y: y)))
            }
        }
        below.touch(bounds)
        return below
    }

    /// The pixels of a rectangle; outside of `edge`, which lies in this canvas, the nearest one in it.
    fileprivate func extended(to region: PixelRect, from edge: PixelRect) -> Canvas {
        let result = Canvas(bounds: region)
        guard !edge.isEmpty else { return result }
        for y in region.minY..<region.maxY {
            for x in region.minX..<region.maxX {
                let fromX = min(max(x, edge.minX), edge.maxX - 1)
                let fromY = min(max(y, edge.minY), edge.maxY - 1)
                result.replace(
                    x: x, y: y, with: ink(x: fromX, y: fromY), flags: flags(x: fromX, y: fromY),
                    slack: slack(x: fromX, y: fromY))
            }
        }
        result.touch(region)
        return result
    }
}
