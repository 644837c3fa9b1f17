// Particles of an emitter layer, over its border: one drawing of many pictures.
//
// Each particle is its picture on two triangles, its edges not smoothed, its colors multiplied into the picture. Particles
// with one picture are one batch. All of a layer's particles are one drawing: it is cut to rectangles by cutting triangles,
// and becomes a surface where its parts would count one by one (a group's opacity) or coverage is multiplied in (a clip that
// is no rectangle, a mask). Source: semantic reference, §6.8: they lie in the layer's plane, are not clipped to its bounds,
// and are as large as their part of the picture, divided by the contents' scale, times their own.

import LayerModel

extension FramePlanner {
    mutating func emitParticles(
        _ presented: PresentedLayer, _ record: UnsafePointer<LayerRecord>, _ clip: PixelRect, _ walk: Walk
    ) {
        guard let state = walk.emitters[presented.record], state.layer == record.pointee.id else { return }
        guard birthsLeft > 0 else {
            return notes.append(PlanNote(layer: record.pointee.id, kind: .particlesLeftOut))
        }
        simulation.run(state.timeline, at: state.time)
        birthsLeft -= simulation.visits
        if simulation.frame.isThinned {
            notes.append(PlanNote(layer: record.pointee.id, kind: .particlesLeftOut))
        }
        guard !simulation.frame.particles.isEmpty else { return }
        let renderMode = record.pointee.properties.emitter.renderMode
        var group = ParticleGroup()
        group.sprites.reserveCapacity(simulation.frame.particles.count)
        var builder = SpriteBuilder(
            plane: presented.toDevice, clip: clip, isFlipped: presented.contentsAreFlipped)
        let looks = simulation.frame.looks.map { builder.picture($0, walk, session, limits.textureSide) }
        simulation.frame.particles.withUnsafeBufferPointer { particles in
            if looks.count > 1, renderMode == .unordered || renderMode == .additive {
                for look in looks.indices {
                    builder.append(particles, looks, only: Int32(look), to: &group)
                }
            } else {
                builder.append(particles, looks, only: nil, to: &group)
            }
        }
        let bounds = builder.bounds.intersection(clip)
        guard !group.sprites.isEmpty, !bounds.isEmpty else { return }
        group.bounds = builder.bounds
        particleGroups.append(group)
        mappings.append(ImageMapping(toImage: presented.toDevice, isAffine: true, copyOffset: nil))
        append(
            .particles(Int32(particleGroups.count - 1), mapping: Int32(mappings.count - 1), revision: state.revision),
            .white, bounds, nil, record.pointee.id, isOpaque: false)
        if renderMode == .additive { quads[quads.count - 1].mode = .plusLighter }
        // Layers that cross others are cut by masks.
        if !tree.parts.isEmpty { unite(quads.count - 1) }
    }

    /// Makes a surface of a drawing of many parts, for what is multiplied into one of a single part.
    mutating func unite(_ index: Int) {
        guard case .particles = quads[index].paint, !quads[index].bounds.isEmpty else { return }
        surfaces.append(
            PlannedSurface(
                reason: .groupOpacity, layer: quads[index].layer, bounds: quads[index].bounds, quads: [quads[index]],
                nesting: 1, cause: SurfaceCause(.groupOpacity, .none, property: nil)))
        surfaceBytes += SlotPool.bytes(quads[index].bounds.size)
        // What is added up is added to what lies below: the same sum.
        quads[index].paint = .surface(Int32(surfaces.count - 1))
        quads[index].color = .white
    }
}

/// Brings particles to device pixels.
private struct SpriteBuilder {
    let plane: Homography
    let clip: PixelRect
    /// The first row lies at the least y.
    let isFlipped: Bool
    private var minX = Float.infinity, minY = Float.infinity
    private var maxX = -Float.infinity, maxY = -Float.infinity

    /// A look, ready to be drawn.
    struct Picture {
        var run: ParticleGroup.Run
        /// Half of its size at scale 1, points.
        var width, height: Float
    }

    init(plane: Homography, clip: PixelRect, isFlipped: Bool) {
        self.plane = plane
        self.clip = clip
        self.isFlipped = isFlipped
    }

    var bounds: PixelRect {
        guard minX <= maxX, minX > -1e6, minY > -1e6, maxX < 1e6, maxY < 1e6 else {
            return minX <= maxX ? clip : .empty
        }
        return PixelRect(
            minX: Int(minX.rounded(.down)), minY: Int(minY.rounded(.down)), maxX: Int(maxX.rounded(.up)),
            maxY: Int(maxY.rounded(.up)))
    }

    /// Nil where there is nothing to show.
    func picture(_ look: ParticleLook, _ walk: FramePlanner.Walk, _ session: UInt32, _ textureSide: Int) -> Picture? {
        guard let image = walk.images[look.contents], look.contentsScale > 0,
            ImageTiling(image.size, limit: textureSide).isWhole
        else { return nil }
        let part = look.contentsRect
        let width = abs(part.width) * Double(image.size.width) / look.contentsScale / 2
        let height = abs(part.height) * Double(image.size.height) / look.contentsScale / 2
        guard width > 0, height > 0, width.isFinite, height.isFinite else { return nil }
        let (top, bottom) = isFlipped ? (part.minY, part.maxY) : (1 - part.maxY, 1 - part.minY)
        var sampling = TextureSampling.linear
        if look.minificationFilter == .trilinear { sampling = .trilinear }
        if look.magnificationFilter == .nearest, look.minificationFilter == .nearest { sampling = .nearest }
        return Picture(
            run: ParticleGroup.Run(
                key: ImageKey(session: session, image: look.contents), sampling: sampling,
                levelBias: sampling == .trilinear ? Float(look.minificationFilterBias) : 0, u0: Float(part.minX),
                v0: Float(top), u1: Float(part.maxX), v1: Float(bottom), range: 0..<0),
            width: Float(width), height: Float(height))
    }

    /// Appends the particles that may be seen: all, or those of one look.
    mutating func append(
        _ particles: UnsafeBufferPointer<Particle>, _ pictures: [Picture?], only: Int32?, to group: inout ParticleGroup
    ) {
        var look: Int32 = -1
        var start = group.sprites.count
        func close(_ group: inout ParticleGroup) {
            guard look >= 0, let picture = pictures[Int(look)], group.sprites.count > start else { return }
            var run = picture.run
            run.range = start..<group.sprites.count
            group.runs.append(run)
        }
        var size: (width: Float, height: Float)?
        let m = plane
        let isAffine = m.a13 == 0 && m.a23 == 0 && m.a33 != 0
        let w = isAffine ? 1 / m.a33 : 1
        let (a11, a12, a21, a22) = (Float(m.a11 * w), Float(m.a12 * w), Float(m.a21 * w), Float(m.a22 * w))
        let (a31, a32) = (m.a31 * w, m.a32 * w)
        let (left, top) = (Float(clip.minX), Float(clip.minY))
        let (right, bottom) = (Float(clip.maxX), Float(clip.maxY))
        // The first row is up where y runs up.
        let up: Float = isFlipped ? -1 : 1
        for particle in particles {
            if let only, particle.look != only { continue }
            if particle.look != look {
                close(&group)
                look = particle.look
                start = group.sprites.count
                size = pictures[Int(look)].map { ($0.width, $0.height) }
            }
            guard let size else { continue }
            // Half the picture's width and, towards the first row, height.
            let (wx, wy) = (particle.cosine * size.width, particle.sine * size.width)
            let (hx, hy) = (-particle.sine * size.height * up, particle.cosine * size.height * up)
            let sprite: ParticleGroup.Sprite
            if isAffine {
                let (px, py) = (Double(particle.x), Double(particle.y))
                let x = Float(px * Double(a11) + py * Double(a21) + a31)
                let y = Float(px * Double(a12) + py * Double(a22) + a32)
                let (dx, dy) = (wx * a11 + wy * a21, wx * a12 + wy * a22)
                let (ex, ey) = (hx * a11 + hy * a21, hx * a12 + hy * a22)
                sprite = ParticleGroup.Sprite(
                    x0: x - dx + ex, y0: y - dy + ey, x1: x + dx + ex, y1: y + dy + ey, x2: x - dx - ex,
                    y2: y - dy - ey, x3: x + dx - ex, y3: y + dy - ey, color: particle.color)
            } else {
                func corner(_ x: Float, _ y: Float) -> (x: Float, y: Float)? {
                    let (u, v, q) = m.homogeneous(Point(Double(particle.x + x), Double(particle.y + y)))
                    guard q > 1e-5 else { return nil }
                    return (Float(u / q), Float(v / q))
                }
                guard let a = corner(hx - wx, hy - wy), let b = corner(hx + wx, hy + wy),
                    let c = corner(-hx - wx, -hy - wy), let d = corner(wx - hx, wy - hy)
                else { continue }
                sprite = ParticleGroup.Sprite(
                    x0: a.x, y0: a.y, x1: b.x, y1: b.y, x2: c.x, y2: c.y, x3: d.x, y3: d.y, color: particle.color)
            }
            let (x0, x1) = (
                min(min(sprite.x0, sprite.x1), min(sprite.x2, sprite.x3)),
                max(max(sprite.x0, sprite.x1), max(sprite.x2, sprite.x3))
            )
            let (y0, y1) = (
                min(min(sprite.y0, sprite.y1), min(sprite.y2, sprite.y3)),
                max(max(sprite.y0, sprite.y1), max(sprite.y2, sprite.y3))
            )
            // Not so for what isn't a number.
            guard x1 > left, x0 < right, y1 > top, y0 < bottom, x1 - x0 < 1e6, y1 - y0 < 1e6 else { continue }
            minX = min(minX, x0)
            minY = min(minY, y0)
            maxX = max(maxX, x1)
            maxY = max(maxY, y1)
            group.sprites.append(sprite)
        }
        close(&group)
    }
}
