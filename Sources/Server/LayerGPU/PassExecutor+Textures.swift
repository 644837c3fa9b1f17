import CGraphics
import LayerModel
import LayerRender

/// A texture to sample, or to copy from.
struct Source {
    var texture: GLuint
    /// 0: none of its own.
    var framebuffer: GLuint = 0
    /// The pixels that may be read; the texture may be larger.
    var size: PixelSize
    /// What image coordinates of 1 mean, as a part of the texture.
    var scale = SIMD2<Float>(1, 1)
    var sampling: TextureSampling

    /// Bytes of the whole texture, with smaller levels if it may have some.
    var bytes: Int
}

/// What is bound, and how the context is told.
extension PassExecutor {
    /// Forgets the state, and sets what every draw needs.
    func resetState() {
        state = DrawState()
        programs.invalidate()
        gl.glDisable(GLenum(GL_BLEND))
        gl.glDisable(GLenum(GL_SCISSOR_TEST))
        setFactors(state.factors)
        for unit in TextureUnit.allCases where unit != .image {
            gl.glBindSampler(GLuint(unit.rawValue), sampler(.nearest))
        }
    }

    /// Forgets which textures are bound: making a target binds others.
    func forgetTextures() {
        state.textures = [0, 0, 0, 0]
        state.bytes = [0, 0, 0, 0]
    }

    func setBlend(_ blend: DrawBlend) {
        guard state.blend != blend else { return }
        if blend == .copy {
            gl.glDisable(GLenum(GL_BLEND))
        } else {
            if state.blend == .copy { gl.glEnable(GLenum(GL_BLEND)) }
            if state.factors != blend { setFactors(blend) }
        }
        state.blend = blend
    }

    private func setFactors(_ blend: DrawBlend) {
        let factors = blend.factors
        gl.glBlendFunc(factors.source, factors.destination)
        state.factors = blend
    }

    // MARK: Textures

    /// The texture behind a plan's name.
    func resolve(
        _ texture: TextureSource, _ sampling: TextureSampling, _ pass: RenderPass, _ frame: Frame
    ) throws(GPUError) -> Source {
        switch texture {
        case .image(let key):
            guard let image = images[key] else { throw .imageUnknown(key, pass: pass.label) }
            return Source(
                texture: image.name, size: image.size, sampling: sampling,
                bytes: image.size.area * PixelOrder.bytesPerPixel * 4 / 3)
        case .slot(let slot):
            return slotSource(slot, sampling, pass, frame)
        case .coverage(let page):
            let side = CoveragePages.side
            return Source(
                texture: coverageTexture(page, pass, frame), size: PixelSize(width: side, height: side),
                sampling: sampling == .trilinear ? .linear : sampling, bytes: CoveragePages.bytesPerPage)
        }
    }

    func slotSource(_ slot: Int, _ sampling: TextureSampling, _ pass: RenderPass, _ frame: Frame) -> Source {
        precondition(slot != pass.slot, "pass \"\(pass.label)\" reads slot \(slot), which it draws into")
        let target = frame.drawnTarget(of: slot)
        let size = frame.plan.slots[slot].size
        return Source(
            texture: target.texture, framebuffer: target.framebuffer, size: size,
            scale: SIMD2(
                Float(size.width) / Float(target.size.width), Float(size.height) / Float(target.size.height)),
            sampling: sampling == .trilinear ? .linear : sampling, bytes: target.bytes)
    }

    private func coverageTexture(_ page: Int, _ pass: RenderPass, _ frame: Frame) -> GLuint {
        let texture = frame.root.coverage[page]
        precondition(texture != 0, "pass \"\(pass.label)\" draws coverage page \(page), which holds nothing")
        return texture
    }

    func bindImage(_ source: Source) {
        bind(source.texture, .image, bytes: source.bytes)
        let sampler = sampler(source.sampling)
        if state.sampler != sampler {
            gl.glBindSampler(0, sampler)
            state.sampler = sampler
        }
    }

    func bindCoverage(_ coverage: TextureSource?, _ pass: RenderPass, _ frame: Frame) {
        switch coverage {
        case .coverage(let page)?:
            bind(coverageTexture(page, pass, frame), .coverage, bytes: CoveragePages.bytesPerPage)
        case nil: bind(whiteTexture, .coverage, bytes: PixelOrder.bytesPerPixel)
        default: preconditionFailure("pass \"\(pass.label)\" takes coverage from \(String(describing: coverage))")
        }
    }

    /// Binds a slot that lies pixel for pixel under the target.
    ///
    /// - Returns: Its offset and its size, as the programs want them.
    func bindAligned(_ aligned: AlignedSlot, _ unit: TextureUnit, _ pass: RenderPass, _ frame: Frame) -> SIMD4<Int32> {
        let source = slotSource(aligned.slot, .nearest, pass, frame)
        bind(source.texture, unit, bytes: source.bytes)
        // Past these bounds no pixel of any target meets the slot.
        return SIMD4(
            Int32(clamping: aligned.offset.x).clamped, Int32(clamping: aligned.offset.y).clamped,
            Int32(clamping: source.size.width), Int32(clamping: source.size.height))
    }

    /// - Parameter bytes: Of the texture.
    func bind(_ texture: GLuint, _ unit: TextureUnit, bytes: Int) {
        let index = Int(unit.rawValue)
        guard state.textures[index] != texture else { return }
        (state.textures[index], state.bytes[index]) = (0, 0)
        note(texture, bytes)
        gl.glActiveTexture(unit.name)
        gl.glBindTexture(GLenum(GL_TEXTURE_2D), texture)
        state.textures[index] = texture
        state.bytes[index] = bytes
    }

    /// Settles before the textures of one llvmpipe scene come near 64 MiB, where llvmpipe would end it by itself without
    /// waiting: see `settle`.
    private func note(_ texture: GLuint, _ bytes: Int) {
        guard device.info.isSoftware, !sceneTextures.contains(texture) else { return }
        if sceneBytes + bytes > Self.sceneByteLimit {
            settle()
            // The next scene begins with what is bound.
            for unit in state.textures.indices {
                sceneTextures.insert(state.textures[unit])
                sceneBytes += state.bytes[unit]
            }
        }
        sceneTextures.insert(texture)
        sceneBytes += bytes
    }

    private static let sceneByteLimit = 60 << 20
}

extension Int32 {
    /// Small enough that a pixel's coordinate can be added.
    fileprivate var clamped: Int32 { Swift.min(Swift.max(self, -(1 << 29)), 1 << 29) }
}
