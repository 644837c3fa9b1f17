import CGraphics
import Glibc
import LayerModel

/// An OpenGL ES 3.0 context without a window.
///
/// A context belongs to the thread that opened the device: everything made from it is used and freed there. Several
/// devices may share a thread; whoever calls OpenGL calls `makeCurrent` first, which costs next to nothing when the
/// context already is.
package final class GraphicsDevice {
    package let info: GraphicsInfo
    /// What was tried before, and why it was not taken.
    package let refusals: [DeviceRefusal]
    /// A debug context was asked for.
    package let isDebug: Bool
    let gl: GraphicsTable
    private let display: EGLDisplay
    private let context: EGLContext
    private let surface: EGLSurface?
    private let thread = pthread_self()
    private let log: DebugLog
    private let resetStatus: PFNGLGETGRAPHICSRESETSTATUSKHRPROC?

    /// Messages of the driver, oldest first, at most the last 256. Errors are among them in debug contexts.
    package var debugMessages: [DebugMessage] { log.messages }
    /// How many messages were errors, since the device was opened.
    package var debugErrorCount: Int { log.errorCount }

    /// Opens the first device that gives an OpenGL ES 3.0 context, and makes it this thread's current one.
    ///
    /// - Parameters:
    ///   - debug: Asks for a debug context: the driver checks more and reports every error as a message. Tests use it.
    ///   - library: The loaded libraries; nil for the system's.
    /// - Throws: `GPUError.libraryMissing`; `GPUError.noDevice` with the reason of every candidate.
    package static func open(
        _ choice: DeviceChoice = .automatic, debug: Bool = false, library: GraphicsLibrary? = nil
    ) throws(GPUError) -> GraphicsDevice {
        let table: GraphicsTable
        if let library { table = library.table } else { table = try GraphicsLibrary.system().table }
        let platform = EGLPlatform(table: table)
        var (candidates, refusals) = platform.candidates(for: choice)
        for candidate in candidates {
            do {
                return try GraphicsDevice(candidate, platform: platform, debug: debug, refusals: refusals)
            } catch {
                refusals.append(DeviceRefusal(device: candidate.description, reason: error.description))
            }
        }
        throw .noDevice(refusals)
    }

    private init(
        _ candidate: DeviceCandidate, platform: EGLPlatform, debug: Bool, refusals: [DeviceRefusal]
    ) throws(Refusal) {
        let gl = platform.table
        let display = try platform.display(for: candidate)
        guard gl.eglBindAPI(EGLenum(EGL_OPENGL_ES_API)) == EGL_TRUE else { throw platform.eglRefusal("eglBindAPI") }

        let surfaceless = display.extensions.contains("EGL_KHR_surfaceless_context")
        let configless =
            display.extensions.contains("EGL_KHR_no_config_context")
            || display.extensions.contains("EGL_MESA_configless_context")
        let config: EGLConfig? = surfaceless && configless ? nil : try Self.chooseConfig(display.handle, platform)

        let context = try Self.createContext(display, config: config, platform, debug: debug)
        var surface: EGLSurface?
        if !surfaceless {
            let attributes: [EGLint] = [EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE]
            surface = gl.eglCreatePbufferSurface(display.handle, config, attributes)
        }
        guard surfaceless || surface != nil,
            gl.eglMakeCurrent(display.handle, surface, surface, context) == EGL_TRUE
        else {
            let refusal = platform.eglRefusal(
                surfaceless || surface != nil ? "eglMakeCurrent" : "eglCreatePbufferSurface")
            if let surface { _ = gl.eglDestroySurface(display.handle, surface) }
            _ = gl.eglDestroyContext(display.handle, context)
            throw refusal
        }

        let info = GraphicsInfo(reading: gl, display: display, candidate: candidate)
        guard info.isVersion3 else {
            _ = gl.eglMakeCurrent(display.handle, nil, nil, nil)
            if let surface { _ = gl.eglDestroySurface(display.handle, surface) }
            _ = gl.eglDestroyContext(display.handle, context)
            throw Refusal("it offers \(info.version), not OpenGL ES 3.0 or later")
        }

        self.gl = gl
        isDebug = debug
        self.info = info
        self.refusals = refusals
        self.display = display.handle
        self.context = context
        self.surface = surface
        resetStatus = info.hasResetStatus ? (gl.glGetGraphicsResetStatusKHR ?? gl.glGetGraphicsResetStatusEXT) : nil
        log = DebugLog()
        if info.hasDebugMessages { log.attach(gl) }
    }

    deinit {
        if gl.eglGetCurrentContext() == context {
            _ = gl.eglMakeCurrent(display, nil, nil, nil)
        }
        if let surface { _ = gl.eglDestroySurface(display, surface) }
        _ = gl.eglDestroyContext(display, context)
    }

    // MARK: Current

    /// The calling thread is the one that opened the device.
    var isOnItsThread: Bool { pthread_equal(thread, pthread_self()) != 0 }

    /// Makes the context the calling thread's current one, where it isn't already.
    ///
    /// - Throws: `GPUError.contextLost`, `GPUError.egl`.
    package func makeCurrent() throws(GPUError) {
        precondition(isOnItsThread, "a graphics device is used on the thread that opened it")
        guard gl.eglGetCurrentContext() != context else { return }
        guard gl.eglMakeCurrent(display, surface, surface, context) == EGL_TRUE else {
            let code = gl.eglGetError()
            throw code == EGL_CONTEXT_LOST
                ? .contextLost(reason: "EGL_CONTEXT_LOST") : .egl(call: "eglMakeCurrent", code: code)
        }
    }

    /// Reports a context that the driver has lost, where it can tell.
    func checkReset() throws(GPUError) {
        guard let resetStatus else { return }
        switch Int32(bitPattern: resetStatus()) {
        case 0: return
        case GL_GUILTY_CONTEXT_RESET_KHR: throw .contextLost(reason: "this context's own commands reset the GPU")
        case GL_INNOCENT_CONTEXT_RESET_KHR: throw .contextLost(reason: "another context's commands reset the GPU")
        default: throw .contextLost(reason: "the GPU was reset")
        }
    }

    /// Turns the first of OpenGL's pending errors into an error of ours, and clears the others.
    func checkErrors(_ during: @autoclosure () -> String) throws(GPUError) {
        let first = gl.glGetError()
        guard first != GLenum(GL_NO_ERROR) else { return }
        // Distributed implementations keep several flags; a lost context may report its error for ever.
        for _ in 0..<16 where gl.glGetError() == GLenum(GL_NO_ERROR) { break }
        switch Int32(bitPattern: first) {
        case GL_OUT_OF_MEMORY: throw .outOfMemory(during: during())
        case GL_CONTEXT_LOST_KHR: throw .contextLost(reason: "GL_CONTEXT_LOST in \(during())")
        default: throw .gl(code: first, during: during())
        }
    }

    // MARK: Making

    private static func chooseConfig(_ display: EGLDisplay, _ platform: EGLPlatform) throws(Refusal) -> EGLConfig {
        let attributes: [EGLint] = [
            EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_RED_SIZE, 8,
            EGL_GREEN_SIZE, 8, EGL_BLUE_SIZE, 8, EGL_ALPHA_SIZE, 8, EGL_NONE,
        ]
        var config: EGLConfig?
        var count: EGLint = 0
        guard platform.table.eglChooseConfig(display, attributes, &config, 1, &count) == EGL_TRUE else {
            throw platform.eglRefusal("eglChooseConfig")
        }
        guard count > 0, let config else { throw Refusal("EGL has no configuration for OpenGL ES 3 without a window") }
        return config
    }

    private static func createContext(
        _ display: EGLPlatform.Display, config: EGLConfig?, _ platform: EGLPlatform, debug: Bool
    ) throws(Refusal) -> EGLContext {
        let base: [EGLint] = [EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 0]
        var extra: [EGLint] = []
        if debug, display.extensions.contains("EGL_KHR_create_context") {
            extra += [EGL_CONTEXT_FLAGS_KHR, EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR]
        }
        if display.extensions.contains("EGL_EXT_create_context_robustness") {
            extra += [EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT, EGL_LOSE_CONTEXT_ON_RESET_EXT]
        }
        let create = platform.table.eglCreateContext
        if let context = create(display.handle, config, nil, base + extra + [EGL_NONE]) { return context }
        // Some drivers name extensions whose attributes they then refuse.
        if !extra.isEmpty, let context = create(display.handle, config, nil, base + [EGL_NONE]) { return context }
        throw platform.eglRefusal("eglCreateContext")
    }
}

extension GraphicsInfo {
    /// Asks the current context.
    fileprivate init(reading gl: GraphicsTable, display: EGLPlatform.Display, candidate: DeviceCandidate) {
        func text(_ name: Int32) -> String {
            gl.glGetString(GLenum(name)).map { String(cString: $0) } ?? ""
        }
        func number(_ name: Int32) -> Int {
            var value: GLint = 0
            gl.glGetIntegerv(GLenum(name), &value)
            return Int(value)
        }
        func eglText(_ name: Int32) -> String {
            gl.eglQueryString(display.handle, name).map { String(cString: $0) } ?? ""
        }
        let names = (0..<max(0, number(GL_NUM_EXTENSIONS))).compactMap { index in
            gl.glGetStringi(GLenum(GL_EXTENSIONS), GLuint(index)).map { String(cString: $0) }
        }
        let have = Set(names)
        var viewport: [GLint] = [0, 0]
        gl.glGetIntegerv(GLenum(GL_MAX_VIEWPORT_DIMS), &viewport)
        self.init(
            device: candidate.description, eglVendor: eglText(EGL_VENDOR), eglVersion: eglText(EGL_VERSION),
            vendor: text(GL_VENDOR), renderer: text(GL_RENDERER), version: text(GL_VERSION), extensions: names.sorted(),
            maxTextureSize: number(GL_MAX_TEXTURE_SIZE), maxRenderbufferSize: number(GL_MAX_RENDERBUFFER_SIZE),
            maxViewportWidth: Int(viewport[0]), maxViewportHeight: Int(viewport[1]),
            isSoftware: Self.isSoftwareRenderer(text(GL_RENDERER)),
            hasBGRA: have.contains("GL_EXT_texture_format_BGRA8888") && have.contains("GL_EXT_read_format_bgra"),
            hasTimerQueries: have.contains("GL_EXT_disjoint_timer_query") && gl.glBeginQueryEXT != nil,
            hasDebugMessages: have.contains("GL_KHR_debug") && gl.glDebugMessageCallbackKHR != nil,
            hasResetStatus: have.contains("GL_KHR_robustness") && gl.glGetGraphicsResetStatusKHR != nil
                || have.contains("GL_EXT_robustness") && gl.glGetGraphicsResetStatusEXT != nil)
    }

    /// The version string of OpenGL ES begins "OpenGL ES 3.2 ".
    private var numbers: [Int] {
        guard version.hasPrefix("OpenGL ES ") else { return [] }
        return version.dropFirst("OpenGL ES ".count).prefix { $0 != " " }.split(separator: ".").compactMap { Int($0) }
    }

    fileprivate var isVersion3: Bool { !numbers.lexicographicallyPrecedes([3, 0]) && !numbers.isEmpty }
    var isVersion31: Bool { !numbers.lexicographicallyPrecedes([3, 1]) && !numbers.isEmpty }
}
