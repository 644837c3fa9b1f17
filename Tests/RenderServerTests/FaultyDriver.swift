import CGraphics
import LayerGPU
import LayerModel
import LayerWire
import RenderServer
import Synchronization
import Testing

/// The system's driver, made to fail where a test says so. One server at a time uses it.
enum FaultyDriver {
    struct Plan: Sendable {
        /// How many contexts are still to be lost. A lost one says so until the next is made.
        var losses = 0
        /// The driver is asked this often before the first is lost.
        var answersBeforeLoss = 0
        var isLost = false
        /// Textures of this size can't be had, this often.
        var refusedTextures: [PixelSize: Int] = [:]
        /// Pixels can't be read, this often.
        var refusedReads = 0
        /// `glGetError` has this to say.
        var pending: [GLenum] = []
        /// Pixels along a side of a texture; nil for what the driver has.
        var textureLimit: GLint?
        /// No context can be made.
        var isMissing = false
    }

    static let plan = Mutex(Plan())

    private static let system = try! GraphicsLibrary.system().table

    /// A library that follows the plan, which begins empty.
    static func library(_ begin: Plan = Plan()) -> GraphicsLibrary {
        plan.withLock { $0 = begin }
        var library = try! GraphicsLibrary.system()
        library.table.glGetError = {
            let own = FaultyDriver.plan.withLock { plan -> GLenum? in
                if plan.losses > 0, !plan.isLost {
                    if plan.answersBeforeLoss > 0 {
                        plan.answersBeforeLoss -= 1
                    } else {
                        plan.losses -= 1
                        plan.isLost = true
                    }
                }
                if plan.isLost { return GLenum(GL_CONTEXT_LOST_KHR) }
                return plan.pending.isEmpty ? nil : plan.pending.removeFirst()
            }
            return own ?? FaultyDriver.system.glGetError()
        }
        library.table.glTexImage2D = { target, level, format, width, height, border, from, type, pixels in
            let refuses = FaultyDriver.plan.withLock { plan in
                let size = PixelSize(width: Int(width), height: Int(height))
                guard let left = plan.refusedTextures[size], left > 0 else { return false }
                plan.refusedTextures[size] = left - 1
                plan.pending.append(GLenum(GL_OUT_OF_MEMORY))
                return true
            }
            if refuses { return }
            FaultyDriver.system.glTexImage2D(target, level, format, width, height, border, from, type, pixels)
        }
        library.table.glGetIntegerv = { name, values in
            FaultyDriver.system.glGetIntegerv(name, values)
            if name == GLenum(GL_MAX_TEXTURE_SIZE), let limit = FaultyDriver.plan.withLock({ $0.textureLimit }) {
                values?.pointee = limit
            }
        }
        library.table.glReadPixels = { x, y, width, height, format, type, memory in
            FaultyDriver.plan.withLock { plan in
                guard plan.refusedReads > 0 else { return }
                plan.refusedReads -= 1
                plan.pending.append(GLenum(GL_INVALID_OPERATION))
            }
            FaultyDriver.system.glReadPixels(x, y, width, height, format, type, memory)
        }
        library.table.eglCreateContext = { display, config, shared, attributes in
            let isMissing = FaultyDriver.plan.withLock { plan in
                plan.isLost = false
                return plan.isMissing
            }
            return isMissing
                ? nil : FaultyDriver.system.eglCreateContext(display, config, shared, attributes)
        }
        return library
    }
}

extension LiveServer {
    /// A server whose driver follows `FaultyDriver.plan`.
    static func faulty(_ plan: FaultyDriver.Plan = .init()) throws -> LiveServer {
        var render = RenderConfiguration()
        render.library = FaultyDriver.library(plan)
        return try LiveServer(patience: 5, render: render)
    }
}
