// Vertices, written last, batch by batch.

import LayerModel

extension PassLowering {
    mutating func writeBatches(
        _ quads: ContiguousArray<Quad>, into pass: inout RenderPass, _ plan: inout FramePlan, _ frame: Frame
    ) {
        if frame.switches.contains(.occlusion) { dropHiddenPieces(quads) }
        firsts.removeAll(keepingCapacity: true)
        let first = quads.startIndex
        var next = used
        for batch in open {
            firsts.append(next)
            if batch.count == 0 { continue }
            if let copy = batch.copy {
                pass.batches.append(
                    DrawBatch(
                        kind: .copy(from: copy.from, to: copy.to), blend: .copy,
                        texture: TextureSource(word: batch.key.texture, session: frame.session), layer: batch.layer))
                continue
            }
            pass.batches.append(
                DrawBatch(
                    kind: .quads(program: batch.key.program, firstVertex: next, quads: batch.count),
                    blend: batch.key.blend, texture: TextureSource(word: batch.key.texture, session: frame.session),
                    sampling: batch.key.sampling, levelBias: batch.key.levelBias,
                    coverage: TextureSource(word: batch.key.coverage, session: frame.session),
                    mask: alignedMask(batch.key.maskSurface, pass, frame),
                    composite: batch.key.composite > 0 ? composites[Int(batch.key.composite) - 1] : nil,
                    layer: batch.layer))
            next += batch.count * 6
        }
        if plan.vertices.count < next {
            let empty = PlanVertex(x: 0, y: 0, red: 0, green: 0, blue: 0, alpha: 0)
            plan.vertices.append(contentsOf: repeatElement(empty, count: next - plan.vertices.count))
        }
        used = next
        let writer = VertexWriter(origin: pass.origin, slots: slots, slotSizes: slotSizes, filtered: filtered)
        // Plain memory: an array counts references at each access.
        plan.vertices.withUnsafeMutableBufferPointer { vertices in
            if !spriteRuns.isEmpty { writeParticles(into: vertices, pass.origin, frame) }
            quads.withUnsafeBufferPointer { quads in
                frame.mappings.withUnsafeBufferPointer { mappings in
                    pieces.withUnsafeBufferPointer { pieces in
                        firsts.withUnsafeMutableBufferPointer { firsts in
                            for piece in pieces {
                                let batch = Int(piece.batch)
                                let quad = quads.baseAddress! + Int(piece.quad) - first
                                writer.write(piece, quad, vertices.baseAddress! + firsts[batch], mappings, frame)
                                firsts[batch] += 6
                            }
                        }
                    }
                }
            }
        }
        pass.quadCount += pieces.count
        for run in spriteRuns {
            pass.quadCount += open[run.batch].count
            pass.pixelCount += open[run.batch].touched.area
        }
        for piece in pieces { pass.pixelCount += area(of: piece, in: pass) }
    }

    /// The pixels of a rectangle that are drawn.
    func area(of piece: Piece, in pass: RenderPass) -> Int {
        let rect = PixelRect(
            minX: Int(piece.x0) - pass.origin.x, minY: Int(piece.y0) - pass.origin.y,
            maxX: Int(piece.x1) - pass.origin.x, maxY: Int(piece.y1) - pass.origin.y)
        if pass.scissors.isEmpty { return rect.area }
        return pass.scissors.reduce(0) { $0 + $1.intersection(rect).area }
    }

    /// The slot that a paint reads and where its first pixel lies.
    func place(of paint: Paint, _ frame: Frame) -> (slot: Int, bounds: PixelRect) {
        Self.place(of: paint, frame, slots, filtered)
    }

    fileprivate static func place(
        of paint: Paint, _ frame: Frame, _ slots: [Int], _ filtered: [(slot: Int, bounds: PixelRect)]
    ) -> (slot: Int, bounds: PixelRect) {
        switch paint {
        case .surface(let surface), .surfaceAlpha(let surface), .over(let surface):
            (slots[Int(surface)], frame.surfaces[Int(surface)].bounds)
        case .backdrop(let number): filtered[Int(number)]
        case .solid, .image, .sprite, .particles: (0, .empty)
        }
    }

    func alignedMask(_ surface: Int32, _ pass: RenderPass, _ frame: Frame) -> AlignedSlot? {
        guard surface >= 0 else { return nil }
        let bounds = frame.surfaces[Int(surface)].bounds
        return AlignedSlot(
            slot: slots[Int(surface)],
            offset: PixelPoint(x: pass.origin.x - bounds.minX, y: pass.origin.y - bounds.minY))
    }
}

/// Writes the rectangles of a pass. Not the lowering itself: what changes would be copied for each.
private struct VertexWriter {
    var origin: PixelPoint
    var slots: [Int]
    var slotSizes: [PixelSize]
    var filtered: [(slot: Int, bounds: PixelRect)]

    /// Two triangles: top left, top right, bottom left; bottom left, top right, bottom right.
    func write(
        _ piece: PassLowering.Piece, _ quad: UnsafePointer<Quad>, _ vertices: UnsafeMutablePointer<PlanVertex>,
        _ mappings: UnsafeBufferPointer<ImageMapping>, _ frame: PassLowering.Frame
    ) {
        let color =
            quad.pointee.mode == .clear && quad.pointee.maskSurface < 0 ? .clear : quad.pointee.color * piece.coverage
        let page = Float(FramePlan.coveragePageSide)
        var s0 = Float(piece.tileX) / page
        var t0 = Float(piece.tileY) / page
        var s1 = Float(piece.tileX + piece.x1 - piece.x0) / page
        var t1 = Float(piece.tileY + piece.y1 - piece.y0) / page
        if piece.repeatsColumns {
            s0 = (Float(piece.tileX) + 0.5) / page
            s1 = s0
        }
        if piece.repeatsRows {
            t0 = (Float(piece.tileY) + 0.5) / page
            t1 = t0
        }

        func vertex(_ x: Int32, _ y: Int32, _ s: Float, _ t: Float) -> PlanVertex {
            PlanVertex(
                x: Float(Int(x) - origin.x), y: Float(Int(y) - origin.y), s: s, t: t, red: color.red,
                green: color.green, blue: color.blue, alpha: color.alpha)
        }
        var topLeft = vertex(piece.x0, piece.y0, s0, t0)
        var topRight = vertex(piece.x1, piece.y0, s1, t0)
        var bottomLeft = vertex(piece.x0, piece.y1, s0, t1)
        var bottomRight = vertex(piece.x1, piece.y1, s1, t1)
        switch quad.pointee.paint {
        case .particles: break
        case .solid:
            (topLeft.u, topLeft.v) = (s0, t0)
            (topRight.u, topRight.v) = (s1, t0)
            (bottomLeft.u, bottomLeft.v) = (s0, t1)
            (bottomRight.u, bottomRight.v) = (s1, t1)
        case .image(_, let number, _, _):
            let mapping = mappings.baseAddress! + Int(number)
            (topLeft.u, topLeft.v, topLeft.q) = mapping.pointee.corner(piece.x0, piece.y0)
            (topRight.u, topRight.v, topRight.q) = mapping.pointee.corner(piece.x1, piece.y0)
            (bottomLeft.u, bottomLeft.v, bottomLeft.q) = mapping.pointee.corner(piece.x0, piece.y1)
            (bottomRight.u, bottomRight.v, bottomRight.q) = mapping.pointee.corner(piece.x1, piece.y1)
        case .sprite(let surface, let number, _):
            // The mapping gives the surface's pixels; the slot may be larger.
            let mapping = mappings.baseAddress! + Int(number)
            let size = slotSizes[slots[Int(surface)]]
            func corner(_ x: Int32, _ y: Int32) -> (Float, Float, Float) {
                let (u, v, q) = mapping.pointee.corner(x, y)
                return (u / Float(size.width), v / Float(size.height), q)
            }
            (topLeft.u, topLeft.v, topLeft.q) = corner(piece.x0, piece.y0)
            (topRight.u, topRight.v, topRight.q) = corner(piece.x1, piece.y0)
            (bottomLeft.u, bottomLeft.v, bottomLeft.q) = corner(piece.x0, piece.y1)
            (bottomRight.u, bottomRight.v, bottomRight.q) = corner(piece.x1, piece.y1)
        case .surface, .surfaceAlpha, .backdrop, .over:
            let (slot, bounds) = PassLowering.place(of: quad.pointee.paint, frame, slots, filtered)
            let size = slotSizes[slot]
            let u0 = Float(Int(piece.x0) - bounds.minX) / Float(size.width)
            let u1 = Float(Int(piece.x1) - bounds.minX) / Float(size.width)
            let v0 = Float(Int(piece.y0) - bounds.minY) / Float(size.height)
            let v1 = Float(Int(piece.y1) - bounds.minY) / Float(size.height)
            (topLeft.u, topLeft.v) = (u0, v0)
            (topRight.u, topRight.v) = (u1, v0)
            (bottomLeft.u, bottomLeft.v) = (u0, v1)
            (bottomRight.u, bottomRight.v) = (u1, v1)
        }
        vertices[0] = topLeft
        vertices[1] = topRight
        vertices[2] = bottomLeft
        vertices[3] = bottomLeft
        vertices[4] = topRight
        vertices[5] = bottomRight
    }
}
