// The render server of this process: started at the first display, shared by all, gone with the process.

import Foundation
import LayerGPU
import LayerRender
import LayerWire
import RenderServer

package enum EmbeddedServer {
    /// How the server renders. Set before the first display; later changes do nothing.
    package static var configuration: RenderConfiguration {
        get { state.withLock { $0.configuration ?? fromEnvironment() } }
        set { state.withLock { $0.configuration = newValue } }
    }

    private struct State {
        var configuration: RenderConfiguration?
        var server: RenderServer?
    }

    private final class LockedState: @unchecked Sendable {
        private let lock = NSLock()
        private var value = State()

        func withLock<R>(_ body: (inout State) throws -> R) rethrows -> R {
            lock.lock()
            defer { lock.unlock() }
            return try body(&value)
        }
    }

    private static let state = LockedState()

    /// What `ROSTRUM_DEVICE` and `ROSTRUM_DISABLE` say. A device that can't be read is an error when it is opened.
    private static func fromEnvironment() -> RenderConfiguration {
        var configuration = RenderConfiguration()
        if let device = try? DeviceChoice.fromEnvironment() { configuration.device = device }
        if let list = ProcessInfo.processInfo.environment["ROSTRUM_DISABLE"] {
            configuration.switches = Switches.disabling(list).switches
        }
        if ProcessInfo.processInfo.environment["ROSTRUM_GL_DEBUG"] == "1" { configuration.debug = true }
        return configuration
    }

    /// The client's end of a new session.
    static func connect() throws(ServerError) -> Int32 {
        let server: Result<RenderServer, ServerError> = state.withLock { state in
            if let running = state.server { return .success(running) }
            do throws(ServerError) {
                let started = try RenderServer(
                    ServerConfiguration(render: state.configuration ?? fromEnvironment()))
                state.server = started
                return .success(started)
            } catch {
                return .failure(error)
            }
        }
        return try server.get().connect()
    }
}
