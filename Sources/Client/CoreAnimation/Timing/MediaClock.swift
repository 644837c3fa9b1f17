/// The clock that `CACurrentMediaTime()` reads.
package enum MediaClock {
    /// The clock of the display whose code runs, where one is bound: seconds.
    @TaskLocal package static var current: (@Sendable () -> Double)?

    /// The machine's monotonic clock: seconds since some fixed point.
    package static func processTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}

/// Seconds on the clock of the display whose callback or `perform` block is running, else on the machine's monotonic clock.
public func CACurrentMediaTime() -> CFTimeInterval {
    MediaClock.current?() ?? MediaClock.processTime()
}
