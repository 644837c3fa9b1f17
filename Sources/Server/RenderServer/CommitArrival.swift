import LayerWire

/// How a message came to the render thread. Times are the machine's monotonic clock's, nanoseconds.
struct CommitArrival: Sendable {
    /// The message was whole.
    var received: UInt64 = 0
    /// It was decoded and checked.
    var decoded: UInt64 = 0
    /// Of the message.
    var bytes = 0
    /// What the client did for it; nil where it did not say.
    var phases: CommitPhases?
}
