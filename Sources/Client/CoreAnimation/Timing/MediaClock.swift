/// The clock that `CACurrentMediaTime()` reads.
package enum MediaClock {
    /// The clock of the display whose code runs, where one is bound.
    @TaskLocal package static var current: BoundClock?

    /// The machine's monotonic clock: seconds since some fixed point.
    package static func processTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}

/// A display's clock as its code sees it.
///
/// A type of its own: an optimised build can't find the type of a task local whose value is a bare function, and crashes
/// where it is bound (Swift 6.3).
package struct BoundClock: Sendable {
    /// Seconds.
    package let read: @Sendable () -> Double

    package init(_ read: @escaping @Sendable () -> Double) {
        self.read = read
    }
}

/// Seconds on the clock of the display whose callback or `perform` block is running, else on the machine's monotonic clock.
public func CACurrentMediaTime() -> CFTimeInterval {
    MediaClock.current?.read() ?? MediaClock.processTime()
}
