import CLinux
import Glibc
import Synchronization

/// Values from any thread to one, with a descriptor that becomes readable when some wait.
final class Mailbox<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    /// For `poll` and `epoll`.
    let descriptor: Int32

    init() throws(ServerError) {
        descriptor = clinux_eventfd()
        guard descriptor >= 0 else { throw ServerError("eventfd: \(String(cString: clinux_error_text(-descriptor)))") }
    }

    deinit { Glibc.close(descriptor) }

    /// - Returns: False where nobody will take it: it is dropped.
    @discardableResult
    func put(_ element: sending Element) -> Bool {
        let value = element
        let (isTaken, isFirst) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.elements.append(value)
            return (true, state.elements.count == 1)
        }
        if isFirst { clinux_eventfd_signal(descriptor) }
        return isTaken
    }

    /// As `put` of each; who waits is woken once.
    func put(all elements: sending [Element]) {
        let values = elements
        guard !values.isEmpty else { return }
        let isFirst = state.withLock { state in
            guard !state.isClosed else { return false }
            state.elements += values
            return state.elements.count == values.count
        }
        if isFirst { clinux_eventfd_signal(descriptor) }
    }

    /// How many wait.
    var count: Int { state.withLock { $0.elements.count } }

    /// Everything that waits, oldest first.
    func takeAll() -> [Element] {
        clinux_eventfd_clear(descriptor)
        return state.withLock { state in
            defer { state.elements.removeAll() }
            return state.elements
        }
    }

    /// Everything that waits; nothing more is taken in.
    @discardableResult
    func close() -> [Element] {
        state.withLock { state in
            defer { state = State(isClosed: true) }
            return state.elements
        }
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Blocks until something waits, then takes it all.
    func waitForAll() -> [Element] {
        while true {
            let elements = takeAll()
            if !elements.isEmpty { return elements }
            _ = clinux_poll(descriptor, CLINUX_READABLE, -1)
        }
    }

    /// Blocks until something waits, or a time of the monotonic clock has come, nanoseconds; takes what there is.
    func takeAll(waitingUntil time: UInt64) -> [Element] {
        while true {
            let elements = takeAll()
            let now = clinux_monotonic_nanoseconds()
            guard elements.isEmpty, now < time else { return elements }
            _ = clinux_poll(descriptor, CLINUX_READABLE, Int32(clamping: (time - now + 999_999) / 1_000_000))
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
