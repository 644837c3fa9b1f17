import LayerModel
import LayerRender

/// What can go wrong between a plan and its pixels. None of it is a reason to end the process.
package enum GPUError: Error, Equatable, Sendable {
    /// A library or one of its functions is missing.
    /// - `symbol`: nil where the library itself is missing. `package`: the Debian package that brings it. `detail`: the
    ///   dynamic linker's words, may be empty.
    case libraryMissing(library: String, symbol: String?, package: String, detail: String)
    /// Not a device that `--device` understands.
    case badDeviceChoice(String)
    /// No candidate gave an OpenGL ES 3.0 context.
    case noDevice([DeviceRefusal])
    /// An EGL call failed.
    case egl(call: String, code: Int32)
    case shader(program: String, log: String)
    /// An image whose bytes don't hold its pixels.
    case imageMalformed(ImageKey, reason: String)
    /// A plan draws an image that was never defined, or was released.
    case imageUnknown(ImageKey, pass: String)
    /// A target larger than the driver's framebuffers. `limit`: pixels, width and height.
    case targetTooLarge(PixelSize, limit: Int)
    /// The driver can't draw into the target's format. `status`: of glCheckFramebufferStatus.
    case targetIncomplete(PixelSize, status: UInt32)
    /// The driver has no memory left. `during`: the pass's label, or what was made.
    case outOfMemory(during: String)
    /// OpenGL reported an error. `during`: the pass's label, or what was made.
    case gl(code: UInt32, during: String)
    /// The context is gone, with everything in it: open the device again and define all images anew.
    case contextLost(reason: String)
    /// A rectangle that isn't in the target, or rows too short for it.
    case badReadback(reason: String)
}

extension GPUError {
    /// Nothing can be done with the context any more: it is lost, or EGL does not hand it out.
    package var endsContext: Bool {
        switch self {
        case .contextLost, .egl: true
        default: false
        }
    }
}

extension GPUError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .libraryMissing(let library, let symbol, let package, let detail):
            let what = symbol.map { "\(library) has no \($0)" } ?? "\(library) is not installed"
            let why = detail.isEmpty ? "" : " (\(detail))"
            return "\(what)\(why); install it with: apt-get install \(package) libegl-mesa0 libgl1-mesa-dri"
        case .badDeviceChoice(let text):
            return "unknown device \"\(text)\"; use auto, device[:N], gbm[:/dev/dri/renderDN] or surfaceless"
        case .noDevice(let refusals):
            let list = refusals.map { "\n  \($0)" }.joined()
            return "no device gives an OpenGL ES 3.0 context:\(list)"
                + "\nfor drawing without a GPU: apt-get install libegl1 libgles2 libegl-mesa0 libgl1-mesa-dri"
        case .egl(let call, let code):
            return "\(call) failed: \(eglErrorName(code))"
        case .shader(let program, let log):
            return "the driver refused the program \(program): \(log)"
        case .imageMalformed(let key, let reason):
            return "\(key.image) of session \(key.session): \(reason)"
        case .imageUnknown(let key, let pass):
            return "pass \"\(pass)\" draws \(key.image) of session \(key.session), which is not defined"
        case .targetTooLarge(let size, let limit):
            return "a target of \(size) pixels is larger than this driver's limit of \(limit)x\(limit)"
        case .targetIncomplete(let size, let status):
            return "the driver can't draw into a target of \(size) pixels (framebuffer status 0x\(hex(status)))"
        case .outOfMemory(let during):
            return "the driver ran out of memory: \(during)"
        case .gl(let code, let during):
            return "OpenGL error \(glErrorName(code)): \(during)"
        case .contextLost(let reason):
            return "the graphics context was lost (\(reason))"
        case .badReadback(let reason):
            return "can't read pixels: \(reason)"
        }
    }
}

/// A device that was tried and not taken, for people.
package struct DeviceRefusal: Equatable, Sendable, CustomStringConvertible {
    /// As `--device` spells it.
    package var device: String
    package var reason: String

    package var description: String { "\(device): \(reason)" }
}

private func hex(_ value: UInt32) -> String { String(value, radix: 16) }

private func glErrorName(_ code: UInt32) -> String {
    switch code {
    case 0x0500: "GL_INVALID_ENUM"
    case 0x0501: "GL_INVALID_VALUE"
    case 0x0502: "GL_INVALID_OPERATION"
    case 0x0505: "GL_OUT_OF_MEMORY"
    case 0x0506: "GL_INVALID_FRAMEBUFFER_OPERATION"
    case 0x0507: "GL_CONTEXT_LOST"
    default: "0x\(hex(code))"
    }
}

func eglErrorName(_ code: Int32) -> String {
    switch code {
    case 0x3000: "EGL_SUCCESS"
    case 0x3001: "EGL_NOT_INITIALIZED"
    case 0x3002: "EGL_BAD_ACCESS"
    case 0x3003: "EGL_BAD_ALLOC"
    case 0x3004: "EGL_BAD_ATTRIBUTE"
    case 0x3005: "EGL_BAD_CONFIG"
    case 0x3006: "EGL_BAD_CONTEXT"
    case 0x3008: "EGL_BAD_DISPLAY"
    case 0x3009: "EGL_BAD_MATCH"
    case 0x300C: "EGL_BAD_PARAMETER"
    case 0x300D: "EGL_BAD_SURFACE"
    case 0x300E: "EGL_CONTEXT_LOST"
    default: "0x\(String(code, radix: 16))"
    }
}
