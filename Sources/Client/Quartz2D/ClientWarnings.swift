import Foundation

/// What an app may do but is worth a word, said once each to standard error. Nothing is thrown for it.
package final class ClientWarnings: @unchecked Sendable {
    package static let shared = ClientWarnings()

    /// More different warnings than that are not said: their texts may come from outside.
    private static let limit = 256

    private let lock = NSLock()
    private var said: Set<String> = []

    package func warnOnce(_ message: String) {
        let isNew = lock.withLock { said.count < ClientWarnings.limit && said.insert(message).inserted }
        guard isNew else { return }
        FileHandle.standardError.write(Data("Rostrum: \(message)\n".utf8))
    }

    /// Every warning that was said, in no order.
    package var messages: Set<String> { lock.withLock { said } }
}
