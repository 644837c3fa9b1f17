import CGraphics
import Synchronization

/// A message of the driver (GL_KHR_debug).
package struct DebugMessage: Equatable, Sendable, CustomStringConvertible {
    /// The driver says that a call was wrong.
    package var isError: Bool
    package var text: String

    package var description: String { (isError ? "error: " : "") + text }
}

/// The driver's messages, as they arrive. The last few are kept, all errors are counted.
final class DebugLog: Sendable {
    private struct Record {
        var messages: [DebugMessage] = []
        var errors = 0
    }

    private static let capacity = 256
    private let record = Mutex(Record())

    var messages: [DebugMessage] { record.withLock { $0.messages } }
    var errorCount: Int { record.withLock { $0.errors } }

    func append(_ message: DebugMessage) {
        record.withLock { record in
            if message.isError { record.errors += 1 }
            if record.messages.count == Self.capacity { record.messages.removeFirst() }
            record.messages.append(message)
        }
    }

    /// Lets the current context write here. The log must outlive the context.
    func attach(_ gl: GraphicsTable) {
        guard let callback = gl.glDebugMessageCallbackKHR else { return }
        gl.glEnable(GLenum(GL_DEBUG_OUTPUT_KHR))
        gl.glEnable(GLenum(GL_DEBUG_OUTPUT_SYNCHRONOUS_KHR))
        callback(
            { _, type, _, severity, length, text, user in
                guard severity != GLenum(GL_DEBUG_SEVERITY_NOTIFICATION_KHR), let text, let user else { return }
                let bytes = UnsafeRawBufferPointer(start: text, count: max(0, Int(length)))
                let log = Unmanaged<DebugLog>.fromOpaque(user).takeUnretainedValue()
                log.append(
                    DebugMessage(
                        isError: type == GLenum(GL_DEBUG_TYPE_ERROR_KHR), text: String(decoding: bytes, as: UTF8.self)))
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}
