/// The clock that `CACurrentMediaTime()` reads.
package enum MediaClock {
    /// The clock of a display.
    package struct DisplayClock: Sendable {
        /// Seconds.
        package let now: @Sendable () -> Double
        /// Whose it is.
        package let context: LayerContext?

        package init(_ now: @escaping @Sendable () -> Double, context: LayerContext? = nil) {
            self.now = now
            self.context = context
        }
    }

    /// The clock of the display whose code runs, where one is bound. In a struct: optimized builds bind a bare closure
    /// without its type, and crash.
    @TaskLocal package static var current: DisplayClock?

    /// The machine's monotonic clock: seconds since some fixed point.
    package static func processTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}

/// Seconds on the clock of the display whose callback or `perform` block is running, else on the machine's monotonic clock.
public func CACurrentMediaTime() -> CFTimeInterval {
    MediaClock.current?.now() ?? MediaClock.processTime()
}
