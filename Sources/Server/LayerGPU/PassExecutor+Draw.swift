import CGraphics
import LayerModel
import LayerRender

/// What the context was last told, so that it is told only what changes.
struct DrawState {
    var blends = false
    var isScissored = false
    var image: GLuint = 0
    var sampler: GLuint = 0
    var coverage: GLuint = 0
}

/// A texture to sample, or to copy from.
private struct Source {
    var texture: GLuint
    /// 0: none of its own.
    var framebuffer: GLuint = 0
    /// The pixels that may be read; the texture may be larger.
    var size: PixelSize
    /// What image coordinates of 1 mean, as a part of the texture.
    var scaleX: Float = 1
    var scaleY: Float = 1
    var sampling: TextureSampling
}

extension PassExecutor {
    /// Forgets the state, and binds what every draw needs.
    func resetState() {
        state = DrawState()
        programs.invalidate()
        gl.glDisable(GLenum(GL_BLEND))
        gl.glDisable(GLenum(GL_SCISSOR_TEST))
        gl.glBindSampler(1, sampler(.nearest))
    }

    /// Forgets which textures are bound: making a target binds others.
    func forgetTextures() {
        state.image = 0
        state.coverage = 0
    }

    /// Draws a pass into the bound framebuffer.
    ///
    /// - Parameter timed: Fills the row; otherwise it is empty.
    func draw(_ pass: RenderPass, to target: Target, frame: inout Frame, timed: Bool) throws(GPUError) -> PassTiming {
        precondition(
            pass.size.width <= target.size.width && pass.size.height <= target.size.height,
            "pass \"\(pass.label)\" draws \(pass.size) pixels, its slot has \(frame.plan.slots[pass.slot].size)")
        var row = PassTiming(
            pass: 0, label: timed ? pass.label : "", reason: pass.reason, layer: pass.layer, size: pass.size, quads: 0,
            draws: 0, pixels: 0, cpuNanoseconds: 0, gpuNanoseconds: nil)
        work.passes += 1
        gl.glViewport(0, 0, GLsizei(target.size.width), GLsizei(target.size.height))
        load(pass, target)
        setScissor(pass, target)
        for batch in pass.batches {
            switch batch.kind {
            case .quads(let program, let first, let quads):
                guard quads > 0 else { continue }
                try draw(batch, program, first, quads, pass, target, frame)
                row.quads += quads
                row.draws += 1
                if timed { row.pixels += area(frame.plan.vertices, first, quads) }
            case .copy(let from, let to):
                row.pixels += try copy(batch, from, to, pass, target, frame)
                row.draws += 1
            }
        }
        return row
    }

    // MARK: Passes

    private func load(_ pass: RenderPass, _ target: Target) {
        // A pool's target has nothing outside the pass to keep, and clearing all of it is the cheap way. A root has.
        let isWhole = pass.slot != 0 || pass.size == target.size
        switch pass.load {
        case .clear(let color):
            if isWhole { disableScissor() } else { setScissor(pass, target) }
            let stored = order.stored(color)
            gl.glClearColor(stored.red, stored.green, stored.blue, stored.alpha)
            gl.glClear(GLbitfield(GL_COLOR_BUFFER_BIT))
        case .discard where isWhole:
            var attachment = GLenum(GL_COLOR_ATTACHMENT0)
            gl.glInvalidateFramebuffer(GLenum(GL_FRAMEBUFFER), 1, &attachment)
        case .discard, .keep:
            break
        }
    }

    private func setScissor(_ pass: RenderPass, _ target: Target) {
        guard pass.size != target.size else { return disableScissor() }
        if !state.isScissored {
            gl.glEnable(GLenum(GL_SCISSOR_TEST))
            state.isScissored = true
        }
        gl.glScissor(0, 0, GLsizei(pass.size.width), GLsizei(pass.size.height))
    }

    func disableScissor() {
        guard state.isScissored else { return }
        gl.glDisable(GLenum(GL_SCISSOR_TEST))
        state.isScissored = false
    }

    // MARK: Rectangles

    private func draw(
        _ batch: DrawBatch, _ program: DrawProgram, _ first: Int, _ quads: Int, _ pass: RenderPass, _ target: Target,
        _ frame: Frame
    ) throws(GPUError) {
        precondition(
            first >= 0 && first + quads * 6 <= frame.plan.vertices.count,
            "pass \"\(pass.label)\" draws vertices \(first)..<\(first + quads * 6) of \(frame.plan.vertices.count)")
        var source: Source?
        if program != .solid {
            guard let texture = batch.texture else {
                preconditionFailure("pass \"\(pass.label)\" draws \(program) without a texture")
            }
            source = try resolve(texture, batch.sampling, pass, frame)
        }
        try programs.use(
            program, width: target.size.width, height: target.size.height, scaleX: source?.scaleX ?? 1,
            scaleY: source?.scaleY ?? 1, bias: source?.sampling == .trilinear ? batch.levelBias : nil)
        if let source { bindImage(source) }
        if program.takesCoverage { bindCoverage(batch.coverage, pass, frame) }
        setBlend(batch.blend == .sourceOver)
        openFastRoad(target)
        gl.glDrawArrays(GLenum(GL_TRIANGLES), GLint(first), GLsizei(quads * 6))
        work.draws += 1
        work.quads += quads
    }

    private func resolve(
        _ texture: TextureSource, _ sampling: TextureSampling, _ pass: RenderPass, _ frame: Frame
    ) throws(GPUError) -> Source {
        switch texture {
        case .image(let key):
            if sampling == .trilinear, images[key]?.hasMipmaps == false {
                try images.makeMipmaps(key)
                state.image = 0
            }
            guard let image = images[key] else { throw .imageUnknown(key, pass: pass.label) }
            return Source(texture: image.name, size: image.size, sampling: sampling)
        case .slot(let slot):
            precondition(slot != pass.slot, "pass \"\(pass.label)\" reads slot \(slot), which it draws into")
            let target = frame.drawnTarget(of: slot)
            let size = frame.plan.slots[slot].size
            return Source(
                texture: target.texture, framebuffer: target.framebuffer, size: size,
                scaleX: Float(size.width) / Float(target.size.width),
                scaleY: Float(size.height) / Float(target.size.height),
                sampling: sampling == .trilinear ? .linear : sampling)
        case .coverage(let page):
            let side = CoveragePages.side
            return Source(
                texture: coverageTexture(page, pass, frame), size: PixelSize(width: side, height: side),
                sampling: sampling == .trilinear ? .linear : sampling)
        }
    }

    private func coverageTexture(_ page: Int, _ pass: RenderPass, _ frame: Frame) -> GLuint {
        let texture = frame.root.coverage[page]
        precondition(texture != 0, "pass \"\(pass.label)\" draws coverage page \(page), which holds nothing")
        return texture
    }

    private func bindImage(_ source: Source) {
        if state.image != source.texture {
            gl.glActiveTexture(GLenum(GL_TEXTURE0))
            gl.glBindTexture(GLenum(GL_TEXTURE_2D), source.texture)
            state.image = source.texture
        }
        let sampler = sampler(source.sampling)
        if state.sampler != sampler {
            gl.glBindSampler(0, sampler)
            state.sampler = sampler
        }
    }

    private func bindCoverage(_ coverage: TextureSource?, _ pass: RenderPass, _ frame: Frame) {
        let texture: GLuint
        switch coverage {
        case .coverage(let page)?: texture = coverageTexture(page, pass, frame)
        case nil:
            gl.glActiveTexture(GLenum(GL_TEXTURE1))
            texture = white()
        default: preconditionFailure("pass \"\(pass.label)\" takes coverage from \(String(describing: coverage))")
        }
        guard state.coverage != texture else { return }
        gl.glActiveTexture(GLenum(GL_TEXTURE1))
        gl.glBindTexture(GLenum(GL_TEXTURE_2D), texture)
        state.coverage = texture
    }

    private func setBlend(_ blends: Bool) {
        guard state.blends != blends else { return }
        if blends { gl.glEnable(GLenum(GL_BLEND)) } else { gl.glDisable(GLenum(GL_BLEND)) }
        state.blends = blends
    }

    /// Pixels of rectangles, from the boxes of their corners.
    private func area(_ vertices: ContiguousArray<PlanVertex>, _ first: Int, _ quads: Int) -> Int {
        var sum: Float = 0
        for quad in 0..<quads {
            let start = first + quad * 6
            var (minX, maxX) = (vertices[start].x, vertices[start].x)
            var (minY, maxY) = (vertices[start].y, vertices[start].y)
            for vertex in vertices[start + 1..<start + 6] {
                (minX, maxX) = (min(minX, vertex.x), max(maxX, vertex.x))
                (minY, maxY) = (min(minY, vertex.y), max(maxY, vertex.y))
            }
            sum += (maxX - minX) * (maxY - minY)
        }
        return Int(exactly: sum.rounded()) ?? 0
    }

    // MARK: Copies

    /// Copies pixels by blit, as far as they exist in the source and in the pass.
    ///
    /// - Returns: How many pixels.
    private func copy(
        _ batch: DrawBatch, _ from: PixelPoint, _ to: PixelRect, _ pass: RenderPass, _ target: Target, _ frame: Frame
    ) throws(GPUError) -> Int {
        guard let texture = batch.texture else { preconditionFailure("pass \"\(pass.label)\" copies from nothing") }
        let source = try resolve(texture, .nearest, pass, frame)
        let (shiftX, shiftY) = (to.minX - from.x, to.minY - from.y)
        let available = PixelRect(x: shiftX, y: shiftY, width: source.size.width, height: source.size.height)
        let drawn = PixelRect(x: 0, y: 0, width: pass.size.width, height: pass.size.height)
        let rect = to.intersection(available).intersection(drawn)
        guard !rect.isEmpty else { return 0 }

        if source.framebuffer == 0 {
            _ = readFramebuffer(of: source.texture)
        } else {
            gl.glBindFramebuffer(GLenum(GL_READ_FRAMEBUFFER), source.framebuffer)
        }
        gl.glBlitFramebuffer(
            GLint(rect.minX - shiftX), GLint(rect.minY - shiftY), GLint(rect.maxX - shiftX), GLint(rect.maxY - shiftY),
            GLint(rect.minX), GLint(rect.minY), GLint(rect.maxX), GLint(rect.maxY), GLbitfield(GL_COLOR_BUFFER_BIT),
            GLenum(GL_NEAREST))
        work.copies += 1
        return rect.area
    }
}
