// Textures to draw into. Making, clearing and deleting one costs a driver milliseconds, so a plan's slots take theirs from
// a pool and give them back when the last pass that reads them is drawn. Sizes are rounded up to a class, so that a
// surface that grows by a pixel a frame keeps its target.

import CGraphics
import LayerModel

/// A texture with its framebuffer. Larger than what was asked for, unless it is a root.
final class Target {
    let texture: GLuint
    let framebuffer: GLuint
    /// Pixels of the texture.
    let size: PixelSize
    /// The frame that last drew into it.
    fileprivate(set) var lastFrame = 0

    var bytes: Int { size.area * PixelOrder.bytesPerPixel }

    fileprivate init(texture: GLuint, framebuffer: GLuint, size: PixelSize) {
        self.texture = texture
        self.framebuffer = framebuffer
        self.size = size
    }
}

final class TargetPool {
    private let device: GraphicsDevice
    private let order: PixelOrder
    private var free: [Target] = []
    private var frame = 0
    private(set) var alive = 0
    private(set) var bytes = 0
    private(set) var made = 0
    private(set) var reused = 0

    /// A target that no frame used for this many frames is deleted.
    static let idleFrames = 120
    /// Bytes of free targets above which those that were not used for longest are deleted: sizes that change with every
    /// frame would otherwise pile up.
    var keptBytes = 256 << 20

    init(_ device: GraphicsDevice, _ order: PixelOrder) {
        self.device = device
        self.order = order
    }

    // MARK: Slots

    /// The size of the target that a slot of `size` gets: rounded up in steps of about an eighth, at least 48 pixels,
    /// and no larger than the driver allows.
    ///
    /// Never a power of two: llvmpipe compiles every program anew by whether the width and the height of each texture it reads
    /// are one.
    static func sizeClass(_ size: PixelSize, limit: Int) -> PixelSize {
        func rounded(_ length: Int) -> Int {
            if length <= 48 { return min(48, limit) }
            var step = 64
            while step * 8 < length { step *= 2 }
            let steps = (length + step - 1) / step * step
            return max(length, min(steps & (steps - 1) == 0 ? steps + 16 : steps, limit))
        }
        return PixelSize(width: rounded(max(size.width, 1)), height: rounded(max(size.height, 1)))
    }

    /// A target of at least `size`, with undefined contents.
    func take(_ size: PixelSize) throws(GPUError) -> Target {
        let wanted = Self.sizeClass(size, limit: device.info.maxTargetSize)
        if let index = free.lastIndex(where: { $0.size == wanted }) {
            reused += 1
            return free.remove(at: index)
        }
        return try make(wanted, label: "surface")
    }

    func giveBack(_ target: Target) {
        target.lastFrame = frame
        free.append(target)
    }

    /// Notes that a frame is over, and deletes what many frames didn't use.
    func endFrame() {
        frame += 1
        trim(unusedFor: Self.idleFrames)
        var excess = free.reduce(0) { $0 + $1.bytes } - keptBytes
        // Given back in the order of their last use.
        while excess > 0, !free.isEmpty {
            let oldest = free.removeFirst()
            excess -= oldest.bytes
            delete(oldest)
        }
    }

    /// Deletes free targets that the last `frames` frames didn't use.
    func trim(unusedFor frames: Int) {
        free.removeAll { target in
            guard frame - target.lastFrame >= frames else { return false }
            delete(target)
            return true
        }
    }

    // MARK: Targets

    /// Makes a target of exactly `size`, with undefined contents. Changes the bound framebuffer and unit 0.
    func make(_ size: PixelSize, label: String) throws(GPUError) -> Target {
        let limit = device.info.maxTargetSize
        guard size.width <= limit, size.height <= limit else { throw .targetTooLarge(size, limit: limit) }
        let gl = device.gl
        gl.glActiveTexture(GLenum(GL_TEXTURE0))
        let texture = gl.makeTexture(size, order)
        let framebuffer = gl.makeFramebuffer()
        gl.glBindFramebuffer(GLenum(GL_FRAMEBUFFER), framebuffer)
        gl.glFramebufferTexture2D(
            GLenum(GL_FRAMEBUFFER), GLenum(GL_COLOR_ATTACHMENT0), GLenum(GL_TEXTURE_2D), texture, 0)
        let status = gl.glCheckFramebufferStatus(GLenum(GL_FRAMEBUFFER))
        do throws(GPUError) {
            try device.checkErrors("a target of \(size) pixels")
            guard status == GLenum(GL_FRAMEBUFFER_COMPLETE) else {
                throw GPUError.targetIncomplete(size, status: status)
            }
        } catch {
            gl.deleteFramebuffer(framebuffer)
            gl.deleteTexture(texture)
            throw error
        }
        if device.info.hasDebugMessages {
            gl.glObjectLabelKHR?(GLenum(GL_TEXTURE), texture, -1, "\(label) \(size)")
        }
        let target = Target(texture: texture, framebuffer: framebuffer, size: size)
        alive += 1
        bytes += target.bytes
        made += 1
        return target
    }

    func delete(_ target: Target) {
        device.gl.deleteFramebuffer(target.framebuffer)
        device.gl.deleteTexture(target.texture)
        alive -= 1
        bytes -= target.bytes
    }

    func removeAll() {
        for target in free { delete(target) }
        free = []
    }
}
