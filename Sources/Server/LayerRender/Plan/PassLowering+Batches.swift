// Rectangles of a quad and the batch that each joins.

import LayerModel
import Paths

extension PassLowering {
    /// Cuts a quad into rectangles and finds each its batch.
    mutating func cut(
        _ quad: Quad, _ index: Int32, _ pass: RenderPass, _ plan: inout FramePlan, _ frame: Frame
    ) {
        if case .image(let key, _, _, _) = quad.paint, key.isRaster {
            frame.coverage.rasters.place(key, uploads: &plan.rasters)
        }
        if case .particles(let number, _, _) = quad.paint { return addParticles(quad, Int(number), pass, frame) }
        guard let use = quad.mask else {
            add(quad.bounds, quad, index, coverage: 1, tile: nil, pass, frame)
            return
        }
        frame.coverage.place(use.entry, uploads: &plan.uploads)
        let (x, y) = (Int(use.x), Int(use.y))
        for span in frame.coverage.spans(of: use.entry) {
            let rect = span.rect.offsetBy(x: x, y: y).intersection(quad.bounds)
            if !rect.isEmpty { add(rect, quad, index, coverage: span.coverage, tile: nil, pass, frame) }
        }
        let places = frame.coverage.places(of: use.entry)
        for (number, tile) in frame.coverage.tiles(of: use.entry).enumerated() {
            let whole = tile.rect.offsetBy(x: x, y: y)
            let rect = whole.intersection(quad.bounds)
            guard !rect.isEmpty else { continue }
            var inside = places[number]
            let repeats = (columns: tile.columns < tile.rect.width, rows: tile.rows < tile.rect.height)
            if !repeats.columns { inside.x += Int32(rect.minX - whole.minX) }
            if !repeats.rows { inside.y += Int32(rect.minY - whole.minY) }
            add(rect, quad, index, coverage: 1, tile: inside, pass, frame)
            pieces[pieces.count - 1].repeatsColumns = repeats.columns
            pieces[pieces.count - 1].repeatsRows = repeats.rows
        }
    }

    mutating func add(
        _ rect: PixelRect, _ quad: Quad, _ index: Int32, coverage: Float, tile: AtlasPlace?, _ pass: RenderPass,
        _ frame: Frame
    ) {
        let target = rect.offsetBy(x: -pass.origin.x, y: -pass.origin.y)
        let key = kind(of: quad, coverage, tile, frame)
        let number: Int
        if let found = findBatch(key, target, reaching: frame.switches.contains(.batching) ? Self.lookBack : 1) {
            open[found].touched = open[found].touched.union(target)
            open[found].count += 1
            number = found
        } else {
            open.append(OpenBatch(key: key, layer: quad.layer, copy: nil, count: 1, touched: target))
            number = open.count - 1
        }
        pieces.append(
            Piece(
                x0: Int32(rect.minX), y0: Int32(rect.minY), x1: Int32(rect.maxX), y1: Int32(rect.maxY), quad: index,
                batch: Int32(number), coverage: coverage, tileX: tile?.x ?? 0, tileY: tile?.y ?? 0))
    }

    func findBatch(_ key: BatchKey, _ rect: PixelRect, reaching: Int) -> Int? {
        open.withUnsafeBufferPointer { open in
            var position = open.count - 1
            let last = max(open.count - reaching, 0)
            while position >= last {
                let batch = open.baseAddress! + position
                if batch.pointee.key == key, batch.pointee.copy == nil { return position }
                if batch.pointee.touched.intersects(rect) { return nil }
                position -= 1
            }
            return nil
        }
    }

    /// Which program, blend and textures a rectangle of a quad needs.
    func kind(of quad: Quad, _ coverage: Float, _ tile: AtlasPlace?, _ frame: Frame) -> BatchKey {
        let isOpaque =
            quad.isOpaquePaint && quad.color.alpha == 1 && coverage == 1 && tile == nil && quad.maskSurface < 0
            && quad.mode == .normal
        var batch = BatchKey(.solid, isOpaque ? .copy : .sourceOver)
        let page = tile.map { TextureSource.coverage(page: Int($0.page)).word } ?? 0
        var takesCoverage = page != 0
        if quad.maskSurface >= 0 || quad.mode != .normal {
            batch.maskSurface = quad.maskSurface
            if quad.maskSurface >= 0 { takesCoverage = true }
            if let blend = quad.fixedBlend {
                batch.blend = blend
            } else if quad.mode != .normal {
                batch.composite = Int32(composites.count)
                batch.blend = .copy
                takesCoverage = true
            }
        }
        switch quad.paint {
        case .particles: break
        case .solid:
            if takesCoverage, page == 0 || batch.maskSurface >= 0 || batch.composite > 0 {
                batch.program = .coveredImage
                batch.coverage = page
            } else if page != 0 {
                batch.program = .tintedImage
                batch.texture = page
            }
        case .image(let key, let mapping, let sampling, let bias):
            batch.texture = TextureSource.image(key).word
            batch.sampling = sampling
            batch.levelBias = bias
            batch.coverage = page
            let isAffine = frame.mappings[Int(mapping)].isAffine
            if sampling != .nearest, !isAffine || quad.bounds.area <= Self.preciseArea {
                batch.program = .preciseImage
            } else if takesCoverage || !isAffine {
                batch.program = .coveredImage
            } else {
                batch.program = quad.color == .white && coverage == 1 && quad.mode != .clear ? .image : .tintedImage
            }
        case .surface(let surface):
            batch.texture = TextureSource.slot(slots[Int(surface)]).word
            batch.coverage = page
            if quad.isAtSeam, batch.maskSurface < 0, batch.composite == 0 {
                batch.program = .seamImage
            } else if takesCoverage {
                batch.program = .coveredImage
            } else {
                batch.program = quad.color == .white && coverage == 1 && quad.mode != .clear ? .image : .tintedImage
            }
        case .surfaceAlpha(let surface):
            batch.texture = TextureSource.slot(slots[Int(surface)]).word
            batch.coverage = page
            batch.program = .coveredAlpha
        case .sprite(let surface, let mapping, let sampling):
            batch.texture = TextureSource.slot(slots[Int(surface)]).word
            batch.sampling = sampling
            batch.coverage = page
            if sampling == .nearest, !takesCoverage, frame.mappings[Int(mapping)].copyOffset != nil {
                batch.program = quad.color == .white && coverage == 1 && quad.mode != .clear ? .image : .tintedImage
            } else {
                batch.program = sampling == .nearest ? .coveredImage : .preciseImage
            }
        case .backdrop, .over:
            batch.texture = TextureSource.slot(place(of: quad.paint, frame).slot).word
            batch.blend = .copy
            if tile == nil, coverage == 1, quad.color == .white, quad.maskSurface < 0, quad.mode == .normal {
                // All of the pixel is replaced: what was there takes no part.
                batch.program = .image
            } else {
                batch.coverage = page
                batch.program = .coveredImage
                batch.composite = Int32(composites.count)
            }
        }
        return batch
    }
}
