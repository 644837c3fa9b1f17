import LayerModel
import LayerWire
import Synchronization

/// Records every session of a server: the first into the file named, later ones into FILE.2, FILE.3, …
///
/// A file grows as its session goes on, and is whole up to its last capture even if the server is killed.
package final class SessionRecorder: Sendable {
    private struct State {
        var writers: [UInt32: RecordingWriter] = [:]
        var files: [String] = []
        var failures = 0
    }

    private let path: String
    private let log: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - path: Of the first session's file. Files that are there are replaced.
    ///   - log: Told once a session that can't be recorded any further: the disk is full.
    package init(path: String, log: @escaping @Sendable (String) -> Void) {
        self.path = path
        self.log = log
    }

    /// The files so far, in the order of their sessions.
    package var files: [String] { state.withLock { $0.files } }

    /// Sessions that could not be recorded, or not to their end.
    package var failures: Int { state.withLock { $0.failures } }

    /// For `ServerConfiguration.observe`.
    package func observe(session: UInt32, serial: UInt32, message: ClientMessage) {
        state.withLock { state in
            do throws(SystemError) {
                if case .hello = message {
                    let number = state.files.count + 1
                    let file = number == 1 ? path : "\(path).\(number)"
                    state.files.append(file)
                    state.writers[session] = try RecordingWriter(path: file, mode: .growing)
                }
                guard let writer = state.writers[session] else { return }
                try writer.append(message, serial: serial)
                switch message {
                case .hello, .capture: try writer.flush()
                case .goodbye:
                    try writer.finish()
                    state.writers[session] = nil
                default: break
                }
            } catch {
                state.writers[session] = nil
                state.failures += 1
                log("session \(session) is recorded no further: \(error)")
            }
        }
    }

    /// Ends every recording.
    package func finish() {
        state.withLock { state in
            for (session, writer) in state.writers.sorted(by: { $0.key < $1.key }) {
                do throws(SystemError) { try writer.finish() } catch {
                    state.failures += 1
                    log("session \(session) is not recorded to its end: \(error)")
                }
            }
            state.writers.removeAll()
        }
    }
}
