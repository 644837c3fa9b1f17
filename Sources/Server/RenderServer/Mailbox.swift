import CLinux
import Glibc
import Synchronization

/// Values from any thread to one, with a descriptor that becomes readable when some wait.
final class Mailbox<Element: Sendable>: Sendable {
    private let waiting = Mutex<[Element]>([])
    /// For `poll` and `epoll`.
    let descriptor: Int32

    init() throws(ServerError) {
        descriptor = clinux_eventfd()
        guard descriptor >= 0 else { throw ServerError("eventfd: \(String(cString: clinux_error_text(-descriptor)))") }
    }

    deinit { close(descriptor) }

    func put(_ element: sending Element) {
        let value = element
        let isFirst = waiting.withLock { elements in
            elements.append(value)
            return elements.count == 1
        }
        if isFirst { clinux_eventfd_signal(descriptor) }
    }

    /// Everything that waits, oldest first.
    func takeAll() -> [Element] {
        clinux_eventfd_clear(descriptor)
        return waiting.withLock { elements in
            defer { elements.removeAll() }
            return elements
        }
    }

    /// Blocks until something waits, then takes it all.
    func waitForAll() -> [Element] {
        while true {
            let elements = takeAll()
            if !elements.isEmpty { return elements }
            _ = clinux_poll(descriptor, CLINUX_READABLE, -1)
        }
    }
}

/// The server can't start: the environment's fault.
package struct ServerError: Error, Sendable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) {
        self.description = description
    }
}
