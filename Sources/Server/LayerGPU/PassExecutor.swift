// Turns a FramePlan into OpenGL ES: for each pass one framebuffer bind, what to do with the old pixels, its batches in
// order, one timer query. It decides nothing that the plan decides; it only keeps the GL objects behind the plan's names.
//
// State that the context keeps between batches is remembered (DrawState) and set again only where it differs. Nobody else
// may use the context.

import CGraphics
import Glibc
import LayerModel
import LayerRender

/// Draws plans with one device. Used on the thread that opened the device.
package final class PassExecutor {
    package let device: GraphicsDevice
    /// Pixels are stored in a BGRA format; otherwise in an RGBA format with the same bytes.
    package var usesBGRA: Bool { order == .bgra }

    let gl: GraphicsTable
    let order: PixelOrder
    let images: ImageStore
    let pool: TargetPool
    let programs: ProgramLibrary
    let registry = RootRegistry()
    var work = GPUCounters()
    var state = DrawState()
    /// On llvmpipe, the textures that were bound since all was painted, and their bytes.
    var sceneTextures: Set<GLuint> = []
    var sceneBytes = 0
    private let timer: PassTimer
    private var vertexArray: GLuint = 0
    private var vertexBuffer: GLuint = 0
    private var isFastRoadOpen = false
    private var samplers: [GLuint] = [0, 0, 0]
    private var copyFramebuffer: GLuint = 0
    /// A pixel that covers, and a white one: what a batch without a coverage page or a texture has instead.
    private(set) var whiteTexture: GLuint = 0
    /// A framebuffer to draw nothing into; see `openFastRoad`.
    private var scratchTexture: GLuint = 0
    private var scratchFramebuffer: GLuint = 0
    /// Counts of roots' atlases that are gone.
    private var retiredCoveragePixels = 0

    /// - Parameter forceRGBA: Does without BGRA formats, as on a driver that lacks them. The pictures are the same.
    /// - Throws: `GPUError.outOfMemory`, `GPUError.contextLost`, `GPUError.gl`.
    package init(_ device: GraphicsDevice, forceRGBA: Bool = false) throws(GPUError) {
        try device.makeCurrent()
        self.device = device
        gl = device.gl
        let scratch = Self.makeScratch(device.gl, tryBGRA: device.info.hasBGRA && !forceRGBA)
        (order, scratchTexture, scratchFramebuffer) = (scratch.order, scratch.texture, scratch.framebuffer)
        images = ImageStore(device, order)
        pool = TargetPool(device, order)
        programs = ProgramLibrary(device, order)
        timer = PassTimer(device)
        setUp()
        try device.checkErrors("the executor's objects")
    }

    deinit {
        // On another thread nothing can be freed; the context takes its objects along when the device goes.
        guard device.isOnItsThread, (try? device.makeCurrent()) != nil else { return }
        freeDroppedRoots()
        for root in registry.alive.values {
            root.coverage.removeAll()
            root.sprites.deleteAll(from: pool)
            pool.delete(root.target)
        }
        images.removeAll()
        pool.removeAll()
        programs.removeAll()
        timer.removeAll()
        gl.glDeleteBuffers(1, &vertexBuffer)
        gl.glDeleteVertexArrays(1, &vertexArray)
        gl.glDeleteSamplers(GLsizei(samplers.count), samplers)
        gl.deleteFramebuffer(copyFramebuffer)
        gl.deleteFramebuffer(scratchFramebuffer)
        gl.deleteTexture(scratchTexture)
        gl.deleteTexture(whiteTexture)
    }

    /// What was done and what is held.
    package var counters: GPUCounters {
        var all = work
        all.programsCompiled = programs.compiled
        all.programsAlive = programs.count
        all.imagePixelsUploaded = images.pixelsUploaded
        all.imagesAlive = images.count
        all.imageBytesAlive = images.bytes
        all.targetsMade = pool.made
        all.targetsReused = pool.reused
        all.targetsAlive = pool.alive
        all.targetBytesAlive = pool.bytes
        all.rootsAlive = registry.alive.count
        all.coveragePixelsUploaded = retiredCoveragePixels
        for root in registry.alive.values {
            all.coveragePagesAlive += root.coverage.count
            all.coveragePixelsUploaded += root.coverage.pixelsUploaded
            all.spritesAlive += root.sprites.count
            all.spriteBytesAlive += root.sprites.bytes
        }
        return all
    }

    // MARK: Images

    /// Uploads an image; the content's bytes are not needed afterwards. Replaces an image of the same key. One that is
    /// larger than a texture is kept in tiles, by `ImageTiling` with the driver's `maxTextureSize`.
    ///
    /// - Throws: `GPUError.imageMalformed`, `.outOfMemory`; nothing is changed then.
    package func define(image: ImageKey, content: ImageContent) throws(GPUError) {
        try begin()
        try images.define(image, content)
    }

    /// Frees an image. One that isn't there is no error.
    package func release(image: ImageKey) throws(GPUError) {
        try begin()
        images.release(image)
    }

    /// Frees all images of a session.
    package func releaseSession(_ session: UInt32) throws(GPUError) {
        try begin()
        images.releaseSession(session)
    }

    /// Frees the pictures that a session's planner worked out: it has forgotten them.
    package func releaseRasters(of session: UInt32) throws(GPUError) {
        try begin()
        images.releaseRasters(of: session)
    }

    // MARK: Roots

    /// Makes the target of a display, transparent.
    ///
    /// - Throws: `GPUError.targetTooLarge`, `.outOfMemory`.
    package func makeRootTarget(size: PixelSize) throws(GPUError) -> RootTarget {
        try begin()
        guard !size.isEmpty else { throw .targetTooLarge(size, limit: device.info.maxTargetSize) }
        let target = try pool.make(size, label: "root")
        gl.glDisable(GLenum(GL_SCISSOR_TEST))
        gl.glClearColor(0, 0, 0, 0)
        gl.glClear(GLbitfield(GL_COLOR_BUFFER_BIT))
        settle()
        return RootTarget(target: target, coverage: CoveragePages(device, order), registry: registry)
    }

    /// Deletes pooled targets that the last `frames` frames didn't use; 0 deletes all that are free.
    package func trim(unusedFor frames: Int = 0) throws(GPUError) {
        try begin()
        pool.trim(unusedFor: frames)
    }

    // MARK: Frames

    /// Draws a plan.
    ///
    /// - Parameters:
    ///   - plan: Its images are defined here; its coverage tiles come with it or with an earlier plan of the same root.
    ///   - root: The display's target, of the plan's size.
    /// - Returns: A row a pass, in order; none with `TimingMode.off`.
    /// - Throws: `GPUError.imageUnknown` before anything is drawn; `.outOfMemory`, `.contextLost`, `.gl`, `.shader` with
    ///   the pass's label. The root's pixels are undefined after those.
    package func execute(
        _ plan: FramePlan, into root: RootTarget, timing: TimingMode = .off
    ) throws(GPUError) -> [PassTiming] {
        precondition(root.registry === registry, "a root is drawn by the executor that made it")
        precondition(plan.size == root.size, "a plan of \(plan.size) pixels for a root of \(root.size)")
        try begin()
        for key in plan.forgottenRasters { images.free(key) }
        for raster in plan.rasters { try images.define(raster) }
        try checkImages(plan)
        try makeMipmaps(plan)
        defer {
            pool.endFrame()
            programs.endFrame()
        }
        var frame = Frame(plan: plan, root: root)
        defer { frame.giveBackTargets(to: pool) }
        root.sprites.giveBack(plan.forgottenSprites, to: pool)
        try root.coverage.upload(plan.uploads)
        upload(plan.vertices)
        resetState()

        let queries = timing == .queries && device.info.hasTimerQueries
        if queries { timer.begin(plan.passes.count) }
        if timing == .synchronous { gl.glFinish() }
        var rows: [PassTiming] = []
        var previous: GLuint = 0
        let frameStart = queries ? nanoseconds(CLOCK_MONOTONIC) : 0
        for (index, pass) in plan.passes.enumerated() {
            let cpuStart = timing == .off ? 0 : nanoseconds(CLOCK_THREAD_CPUTIME_ID)
            let wallStart = timing == .synchronous ? nanoseconds(CLOCK_MONOTONIC) : 0
            let target = try frame.target(of: pass.slot, from: pool)
            forgetTextures()
            if queries { separate(target.framebuffer, after: &previous) }
            gl.glBindFramebuffer(GLenum(GL_FRAMEBUFFER), target.framebuffer)
            pushGroup(pass.label)
            if queries { timer.start(index) }
            let drawn = Result { () throws(GPUError) in try draw(pass, to: target, frame: &frame, timed: timing != .off)
            }
            if queries { timer.stop() }
            popGroup()
            var row = try drawn.get()
            if timing != .off { row.cpuNanoseconds = nanoseconds(CLOCK_THREAD_CPUTIME_ID) - cpuStart }
            if timing == .synchronous {
                gl.glFinish()
                row.gpuNanoseconds = nanoseconds(CLOCK_MONOTONIC) - wallStart
            }
            settle()
            try device.checkErrors("pass \"\(pass.label)\"")
            row.pass = index
            if timing != .off { rows.append(row) }
            frame.finish(index, pool)
        }
        try device.checkReset()
        if queries {
            let times = timer.results(rows.count)
            let frameTime = nanoseconds(CLOCK_MONOTONIC) - frameStart
            // A driver that lost a query's start answers with the time since long ago.
            for index in rows.indices {
                rows[index].gpuNanoseconds = times[index].flatMap { $0 <= frameTime ? $0 : nil }
            }
        }
        return rows
    }

    /// Changes the framebuffer between two passes that draw into the same one, or may: llvmpipe counts right only what
    /// lies between two changes, and joins the passes otherwise.
    private func separate(_ framebuffer: GLuint, after previous: inout GLuint) {
        defer { previous = framebuffer }
        guard device.info.isSoftware, previous == 0 || previous == framebuffer else { return }
        disableScissor()
        gl.glBindFramebuffer(GLenum(GL_FRAMEBUFFER), scratchFramebuffer)
        gl.glClear(GLbitfield(GL_COLOR_BUFFER_BIT))
        settle()
    }

    /// Waits until llvmpipe has painted what it was given. Whatever draws into a framebuffer ends so before another
    /// framebuffer is bound; otherwise the bytes of a picture depend on the timing of threads.
    ///
    /// llvmpipe gathers draws into a scene, and a 64-pixel square of it takes the fast road only if all that the scene
    /// draws there is rectangles; the roads differ by up to some levels, as where a nearest texel changes in the middle of
    /// a pixel. So pictures depend on where scenes end. One ends, in the middle of a pass too, when a texture is bound that
    /// any scene of the context drew into and still remembers. A painted scene is used again, and forgets; but it is the
    /// first one that is done by then: if the threads are late a second scene is made, and may remember its target for
    /// ever. Nothing in flight when a scene begins: there is only one scene, and no pass is cut. Found by reading
    /// (lp_setup.c, lp_state_sampler.c of Mesa 22.3.6) and by pixels: one scene, drawn again, came out differently 50
    /// times in 350, and never after its root's first clear was waited for.
    func settle() {
        guard device.info.isSoftware else { return }
        gl.glFinish()
        sceneTextures.removeAll(keepingCapacity: true)
        sceneBytes = 0
    }

    /// Gives images the smaller levels that the plan wants. Done within a pass it would cut the pass's scene in two, in the
    /// first frame only: see `settle`.
    private func makeMipmaps(_ plan: FramePlan) throws(GPUError) {
        var made = false
        for pass in plan.passes {
            for batch in pass.batches where batch.sampling == .trilinear {
                guard case .image(let key)? = batch.texture, images[key]?.hasMipmaps == false else { continue }
                try images.makeMipmaps(key)
                made = true
            }
        }
        if made { settle() }
    }

    /// Every image that the plan names is there.
    private func checkImages(_ plan: FramePlan) throws(GPUError) {
        for pass in plan.passes {
            for batch in pass.batches {
                var unknown: ImageKey?
                batch.forEachImageRead { if images[$0] == nil { unknown = $0 } }
                if let unknown { throw .imageUnknown(unknown, pass: pass.label) }
            }
        }
    }

    private func upload(_ vertices: ContiguousArray<PlanVertex>) {
        guard !vertices.isEmpty else { return }
        vertices.withUnsafeBytes { bytes in
            // The whole buffer anew each frame: the driver keeps the old one for draws that still read it.
            gl.glBufferData(GLenum(GL_ARRAY_BUFFER), bytes.count, bytes.baseAddress, GLenum(GL_STREAM_DRAW))
            work.vertexBytesUploaded += bytes.count
        }
    }

    private func pushGroup(_ label: String) {
        guard device.isDebug, device.info.hasDebugMessages else { return }
        gl.glPushDebugGroupKHR?(GLenum(GL_DEBUG_SOURCE_APPLICATION_KHR), 0, -1, label)
    }

    private func popGroup() {
        guard device.isDebug, device.info.hasDebugMessages else { return }
        gl.glPopDebugGroupKHR?()
    }

    // MARK: State

    /// Makes the context current and frees what was dropped since the last call.
    func begin() throws(GPUError) {
        try device.makeCurrent()
        freeDroppedRoots()
    }

    private func freeDroppedRoots() {
        for root in registry.takeDropped() {
            retiredCoveragePixels += root.coverage.pixelsUploaded
            root.coverage.removeAll()
            root.sprites.giveBackAll(to: pool)
            pool.delete(root.target)
        }
    }

    func sampler(_ sampling: TextureSampling) -> GLuint { samplers[Int(sampling.rawValue)] }

    /// A framebuffer for reading an image's pixels.
    func readFramebuffer(of texture: GLuint) -> GLuint {
        if copyFramebuffer == 0 { copyFramebuffer = gl.makeFramebuffer() }
        gl.glBindFramebuffer(GLenum(GL_READ_FRAMEBUFFER), copyFramebuffer)
        gl.glFramebufferTexture2D(
            GLenum(GL_READ_FRAMEBUFFER), GLenum(GL_COLOR_ATTACHMENT0), GLenum(GL_TEXTURE_2D), texture, 0)
        return copyFramebuffer
    }

    private func setUp() {
        for capability in [GL_DITHER, GL_DEPTH_TEST, GL_STENCIL_TEST, GL_CULL_FACE, GL_BLEND, GL_SCISSOR_TEST] {
            gl.glDisable(GLenum(capability))
        }
        gl.glBlendFunc(GLenum(GL_ONE), GLenum(GL_ONE_MINUS_SRC_ALPHA))
        var white = UInt32.max
        whiteTexture = gl.makeTexture(PixelSize(width: 1, height: 1), order, pixels: &white)
        gl.glGenVertexArrays(1, &vertexArray)
        gl.glBindVertexArray(vertexArray)
        gl.glGenBuffers(1, &vertexBuffer)
        gl.glBindBuffer(GLenum(GL_ARRAY_BUFFER), vertexBuffer)
        let stride = GLsizei(MemoryLayout<PlanVertex>.stride)
        let attributes: [(components: GLint, offset: Int?)] = [
            (2, MemoryLayout<PlanVertex>.offset(of: \.x)), (3, MemoryLayout<PlanVertex>.offset(of: \.u)),
            (2, MemoryLayout<PlanVertex>.offset(of: \.s)), (4, MemoryLayout<PlanVertex>.offset(of: \.red)),
        ]
        for (index, attribute) in attributes.enumerated() {
            gl.glEnableVertexAttribArray(GLuint(index))
            gl.glVertexAttribPointer(
                GLuint(index), attribute.components, GLenum(GL_FLOAT), GLboolean(GL_FALSE), stride,
                UnsafeRawPointer(bitPattern: attribute.offset ?? 0))
        }
        gl.glGenSamplers(GLsizei(samplers.count), &samplers)
        for sampling in [TextureSampling.nearest, .linear, .trilinear] {
            let name = sampler(sampling)
            let magnified = sampling == .nearest ? GL_NEAREST : GL_LINEAR
            gl.glSamplerParameteri(name, GLenum(GL_TEXTURE_WRAP_S), GL_CLAMP_TO_EDGE)
            gl.glSamplerParameteri(name, GLenum(GL_TEXTURE_WRAP_T), GL_CLAMP_TO_EDGE)
            gl.glSamplerParameteri(name, GLenum(GL_TEXTURE_MAG_FILTER), magnified)
            gl.glSamplerParameteri(
                name, GLenum(GL_TEXTURE_MIN_FILTER), sampling == .trilinear ? GL_LINEAR_MIPMAP_LINEAR : magnified)
        }
    }

    /// Opens llvmpipe's fast road. Call before the first draw of the context, with its program, state and textures set.
    ///
    /// Mesa decides about the road when the framebuffer changes, before it has looked at the program; in a new context
    /// that first decision is always no, and stays until the next change. Found by reading (llvmpipe's
    /// lp_state_derived.c) and by pixels: the first frame of a context differed by a level from the same frame later.
    func openFastRoad(_ target: Target) {
        guard !isFastRoadOpen else { return }
        isFastRoadOpen = true
        guard device.info.isSoftware else { return }
        settle()
        gl.glBindFramebuffer(GLenum(GL_DRAW_FRAMEBUFFER), scratchFramebuffer)
        gl.glEnable(GLenum(GL_RASTERIZER_DISCARD))
        gl.glDrawArrays(GLenum(GL_TRIANGLES), 0, 3)
        gl.glDisable(GLenum(GL_RASTERIZER_DISCARD))
        settle()
        gl.glBindFramebuffer(GLenum(GL_FRAMEBUFFER), target.framebuffer)
    }

    /// A small target, in BGRA order where it is wanted and the driver can draw into that: not all can.
    private static func makeScratch(
        _ gl: GraphicsTable, tryBGRA: Bool
    ) -> (order: PixelOrder, texture: GLuint, framebuffer: GLuint) {
        let framebuffer = gl.makeFramebuffer()
        gl.glBindFramebuffer(GLenum(GL_FRAMEBUFFER), framebuffer)
        func attach(_ order: PixelOrder) -> GLuint {
            let texture = gl.makeTexture(PixelSize(width: 16, height: 16), order)
            gl.glFramebufferTexture2D(
                GLenum(GL_FRAMEBUFFER), GLenum(GL_COLOR_ATTACHMENT0), GLenum(GL_TEXTURE_2D), texture, 0)
            return texture
        }
        if tryBGRA {
            let texture = attach(.bgra)
            if gl.glCheckFramebufferStatus(GLenum(GL_FRAMEBUFFER)) == GLenum(GL_FRAMEBUFFER_COMPLETE) {
                return (.bgra, texture, framebuffer)
            }
            gl.deleteTexture(texture)
        }
        return (.swapped, attach(.swapped), framebuffer)
    }
}
