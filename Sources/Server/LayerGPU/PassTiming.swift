import CGraphics
import Glibc
import LayerModel
import LayerRender

/// How an executor measures passes.
package enum TimingMode: Sendable {
    /// Not at all; the frame is only submitted.
    case off
    /// By the driver's timer queries; waits for the frame's end.
    case queries
    /// Waits for the end of every pass. Slower, and true on every driver.
    case synchronous
}

/// What one pass cost.
package struct PassTiming: Equatable, Sendable {
    /// Index into the plan's passes.
    package var pass: Int
    package var label: String
    package var reason: SurfaceReason
    package var layer: LayerID
    /// Pixels of the pass.
    package var size: PixelSize
    package var quads: Int
    /// Calls that drew or copied.
    package var draws: Int
    /// Pixels that the pass's rectangles and copies touched; one drawn twice counts twice.
    package var pixels: Int
    /// Of the calling thread, while it issued the pass.
    package var cpuNanoseconds: UInt64
    /// nil where the driver can't tell: it has no queries, its clock was disturbed, or its answer can't be.
    /// With `TimingMode.synchronous`, the time from the pass's first command to its end.
    package var gpuNanoseconds: UInt64?
}

/// A clock's reading, nanoseconds.
func nanoseconds(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Timer queries, one a pass, kept between frames.
///
/// llvmpipe counts right only what lies between two changes of the framebuffer, so a query goes around all of a pass, and
/// the executor puts a change between passes that have none (docs/performance.md).
final class PassTimer {
    private let device: GraphicsDevice
    private var queries: [GLuint] = []

    init(_ device: GraphicsDevice) {
        self.device = device
    }

    /// Forgets earlier disturbances of the clock, and makes queries for `count` passes.
    func begin(_ count: Int) {
        let gl = device.gl
        if queries.count < count {
            var more = [GLuint](repeating: 0, count: count - queries.count)
            gl.glGenQueriesEXT?(GLsizei(more.count), &more)
            queries += more
        }
        _ = isDisturbed
    }

    func start(_ pass: Int) { device.gl.glBeginQueryEXT?(GLenum(GL_TIME_ELAPSED_EXT), queries[pass]) }
    func stop() { device.gl.glEndQueryEXT?(GLenum(GL_TIME_ELAPSED_EXT)) }

    /// Waits for the frame and reads what its passes took; nil where the clock was disturbed or the wait too long.
    func results(_ count: Int) -> [UInt64?] {
        guard waitForFrame(), let read = device.gl.glGetQueryObjectui64vEXT else {
            return [UInt64?](repeating: nil, count: count)
        }
        let times = queries.prefix(count).map { query -> UInt64? in
            var value: GLuint64 = 0
            read(query, GLenum(GL_QUERY_RESULT), &value)
            return UInt64(value)
        }
        return isDisturbed ? times.map { _ in nil } : times
    }

    private func waitForFrame() -> Bool {
        let gl = device.gl
        guard let fence = gl.glFenceSync(GLenum(GL_SYNC_GPU_COMMANDS_COMPLETE), 0) else { return false }
        defer { gl.glDeleteSync(fence) }
        let tenSeconds: GLuint64 = 10_000_000_000
        let state = gl.glClientWaitSync(fence, GLbitfield(GL_SYNC_FLUSH_COMMANDS_BIT), tenSeconds)
        return state == GLenum(GL_ALREADY_SIGNALED) || state == GLenum(GL_CONDITION_SATISFIED)
    }

    /// Reading it clears it.
    private var isDisturbed: Bool {
        var value: GLint = 0
        device.gl.glGetIntegerv(GLenum(GL_GPU_DISJOINT_EXT), &value)
        return value != 0
    }

    func removeAll() {
        guard !queries.isEmpty else { return }
        device.gl.glDeleteQueriesEXT?(GLsizei(queries.count), queries)
        queries = []
    }
}
