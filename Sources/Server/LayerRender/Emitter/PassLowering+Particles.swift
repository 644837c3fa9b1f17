// Drawings of many particles: a batch a picture, their vertices written as they are.

import LayerModel

extension PassLowering {
    /// Sprites of one batch.
    struct SpriteRun {
        var batch: Int
        var group: Int
        var run: Int
        var opacity: Float
        /// Vertices that were cut already: a range of `cutVertices`. Nil: all sprites as they are.
        var cut: Range<Int>?
    }

    /// Adds batches for the runs of a group.
    mutating func addParticles(_ quad: Quad, _ number: Int, _ pass: RenderPass, _ frame: Frame) {
        let target = quad.bounds.offsetBy(x: -pass.origin.x, y: -pass.origin.y)
        let isWhole = quad.bounds.contains(frame.particles[number].bounds)
        for index in frame.particles[number].runs.indices {
            let run = frame.particles[number].runs[index]
            var key = BatchKey(.tintedImage, quad.fixedBlend ?? .sourceOver)
            key.texture = TextureSource.image(run.key).word
            key.sampling = run.sampling
            key.levelBias = run.levelBias
            // Nothing joins it.
            key.particles = Int32(spriteRuns.count + 1)
            var cut: Range<Int>?
            var count = run.range.count
            if !isWhole {
                let first = cutVertices.count
                for sprite in frame.particles[number].sprites[run.range] {
                    run.appendClipped(
                        sprite, from: pass.origin, fadedBy: quad.color.alpha, to: target, &cutVertices)
                }
                cut = first..<cutVertices.count
                count = (cutVertices.count - first) / 6
            }
            guard count > 0 else { continue }
            open.append(OpenBatch(key: key, layer: quad.layer, copy: nil, count: count, touched: target))
            spriteRuns.append(
                SpriteRun(batch: open.count - 1, group: number, run: index, opacity: quad.color.alpha, cut: cut))
        }
    }

    /// Writes the vertices of the batches that `addParticles` made.
    func writeParticles(
        into vertices: UnsafeMutableBufferPointer<PlanVertex>, _ origin: PixelPoint, _ frame: Frame
    ) {
        for spriteRun in spriteRuns {
            var next = firsts[spriteRun.batch]
            if let cut = spriteRun.cut {
                for vertex in cutVertices[cut] {
                    vertices[next] = vertex
                    next += 1
                }
                continue
            }
            let run = frame.particles[spriteRun.group].runs[spriteRun.run]
            frame.particles[spriteRun.group].sprites.withUnsafeBufferPointer { sprites in
                for index in run.range {
                    let (a, b, c, d) = run.corners(sprites[index], from: origin, fadedBy: spriteRun.opacity)
                    vertices[next] = a
                    vertices[next + 1] = b
                    vertices[next + 2] = c
                    vertices[next + 3] = c
                    vertices[next + 4] = b
                    vertices[next + 5] = d
                    next += 6
                }
            }
        }
    }
}
