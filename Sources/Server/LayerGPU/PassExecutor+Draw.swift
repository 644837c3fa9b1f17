import CGraphics
import LayerModel
import LayerRender

extension PassExecutor {
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
        let isFirst = frame.startsSlot(pass.slot)
        if pass.scissors.isEmpty {
            load(pass, target, isFirst: isFirst)
            setScissor(pass, target)
            try draw(pass, target, frame, timed: timed, &row)
        }
        for part in pass.scissors {
            // Everything outside stays as it is.
            setScissor(part)
            if case .clear(let color) = pass.load { clear(to: color) }
            try draw(pass, target, frame, timed: timed, &row)
        }
        return row
    }

    private func draw(
        _ pass: RenderPass, _ target: Target, _ frame: Frame, timed: Bool, _ row: inout PassTiming
    ) throws(GPUError) {
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
    }

    // MARK: Passes

    /// - Parameter isFirst: The slot holds nothing yet.
    private func load(_ pass: RenderPass, _ target: Target, isFirst: Bool) {
        // Where nothing outside the pass is kept, clearing all of the target is the cheap way.
        let isWhole = isFirst || pass.size == target.size
        switch pass.load {
        case .clear(let color):
            if isWhole { disableScissor() } else { setScissor(pass, target) }
            clear(to: color)
        case .discard where isWhole:
            var attachment = GLenum(GL_COLOR_ATTACHMENT0)
            gl.glInvalidateFramebuffer(GLenum(GL_FRAMEBUFFER), 1, &attachment)
        case .discard, .keep:
            break
        }
    }

    private func clear(to color: PremultipliedColor) {
        // Whole levels: drivers round halves of a clear in a scissor and of one of everything in different ways.
        func level(_ value: Float) -> Float { (min(max(value, 0), 1) * 255 + 0.5).rounded(.down) / 255 }
        let stored = order.stored(color)
        gl.glClearColor(level(stored.red), level(stored.green), level(stored.blue), level(stored.alpha))
        gl.glClear(GLbitfield(GL_COLOR_BUFFER_BIT))
    }

    private func setScissor(_ pass: RenderPass, _ target: Target) {
        guard pass.size != target.size else { return disableScissor() }
        setScissor(PixelRect(x: 0, y: 0, width: pass.size.width, height: pass.size.height))
    }

    private func setScissor(_ rect: PixelRect) {
        if !state.isScissored {
            gl.glEnable(GLenum(GL_SCISSOR_TEST))
            state.isScissored = true
        }
        gl.glScissor(GLint(rect.minX), GLint(rect.minY), GLsizei(rect.width), GLsizei(rect.height))
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
        if program == .effect {
            try useEffect(batch, pass, target, frame)
        } else {
            try useRectangle(batch, program, pass, target, frame)
        }
        setBlend(batch.blend)
        openFastRoad(target)
        gl.glDrawArrays(GLenum(GL_TRIANGLES), GLint(first), GLsizei(quads * 6))
        work.draws += 1
        work.quads += quads
    }

    /// Sets the program, the textures and the uniforms of a batch of the rectangle family.
    private func useRectangle(
        _ batch: DrawBatch, _ program: DrawProgram, _ pass: RenderPass, _ target: Target, _ frame: Frame
    ) throws(GPUError) {
        precondition(
            program.takesCoverage || (batch.mask == nil && batch.composite == nil),
            "pass \"\(pass.label)\": \(program) takes neither a mask nor a backdrop")
        var variant = RectangleVariant(program: program)
        var uniforms = RectangleUniforms(width: target.size.width, height: target.size.height)
        if let mask = batch.mask {
            variant.isMasked = true
            uniforms.mask = bindAligned(mask, .mask, pass, frame)
        }
        if let composite = batch.composite {
            precondition(batch.blend == .copy, "pass \"\(pass.label)\" blends what was composited")
            variant.operation = composite.operation
            uniforms.backdrop = bindAligned(composite.backdrop, .backdrop, pass, frame)
        }
        variant.leaveOut(image: batch.texture == nil, coverage: batch.coverage == nil)
        if let texture = batch.texture, program != .solid {
            let source = try resolve(texture, batch.sampling, pass, frame)
            uniforms.imageScale = source.scale
            if source.sampling == .trilinear {
                variant.isBiased = true
                uniforms.bias = batch.levelBias
            }
            bindImage(source)
        } else if program != .solid {
            precondition(program.takesCoverage, "pass \"\(pass.label)\" draws \(program) without a texture")
            if variant.hasImage {
                bindImage(
                    Source(
                        texture: whiteTexture, size: PixelSize(width: 1, height: 1), sampling: .nearest,
                        bytes: PixelOrder.bytesPerPixel))
            }
        }
        if program.takesCoverage, variant.hasCoverage { bindCoverage(batch.coverage, pass, frame) }
        try programs.use(variant, uniforms)
    }

    /// Sets the program, the textures and the uniforms of an effect.
    private func useEffect(
        _ batch: DrawBatch, _ pass: RenderPass, _ target: Target, _ frame: Frame
    ) throws(GPUError) {
        guard let effect = batch.effect, case .slot(let slot)? = batch.texture else {
            preconditionFailure("pass \"\(pass.label)\" draws an effect of nothing")
        }
        var source = slotSource(slot, .nearest, pass, frame)
        precondition(
            !effect.source.isEmpty
                && PixelRect(x: 0, y: 0, width: source.size.width, height: source.size.height).contains(effect.source),
            "pass \"\(pass.label)\" filters \(effect.source) of a slot of \(source.size)")
        bindImage(source)
        switch effect.kind {
        case .taps(_, _, let weights):
            precondition(
                (1...DrawEffect.maximumWeights).contains(weights.count),
                "pass \"\(pass.label)\" has \(weights.count) taps")
        case .colorMatrix(let matrix), .premultipliedMatrix(let matrix):
            precondition(matrix.count == 20, "pass \"\(pass.label)\" has a matrix of \(matrix.count) numbers")
        case .variableTaps(_, _, _, let mask, _), .variableDisc(_, let mask, _):
            source = try resolve(.image(mask), .nearest, pass, frame)
            bind(source.texture, .coverage, bytes: source.bytes)
        case .resample, .average, .alphaThreshold, .gridMeans, .gridSquares, .cut, .divide, .extend: break
        }
        try programs.use(effect, target: target.size)
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

        // A driver may copy by drawing. llvmpipe copies with the processor, which waits as well.
        settle()
        if source.framebuffer == 0 {
            _ = readFramebuffer(of: source.texture)
        } else {
            gl.glBindFramebuffer(GLenum(GL_READ_FRAMEBUFFER), source.framebuffer)
        }
        gl.glBlitFramebuffer(
            GLint(rect.minX - shiftX), GLint(rect.minY - shiftY), GLint(rect.maxX - shiftX), GLint(rect.maxY - shiftY),
            GLint(rect.minX), GLint(rect.minY), GLint(rect.maxX), GLint(rect.maxY), GLbitfield(GL_COLOR_BUFFER_BIT),
            GLenum(GL_NEAREST))
        settle()
        work.copies += 1
        return rect.area
    }
}
