// When a server with a refresh rate refreshes: at whole multiples of a refresh on the machine's monotonic clock, as display links
// count them. Where one was missed, because a frame took longer, the next one is the next multiple: late frames don't pile up.
// Where others wait while frames take longer than there is time, a refresh is left out for them.

struct RefreshGrid {
    struct Refresh: Equatable {
        /// Of the monotonic clock.
        var nanoseconds: UInt64
        /// The same, seconds.
        var time: Double
    }

    /// Refreshes a second, above 0.
    let rate: Double
    /// The next refresh, nanoseconds of the monotonic clock; 0 before the first.
    private(set) var next: UInt64 = 0
    private var last: UInt64 = 0

    init(rate: Double) { self.rate = rate }

    /// The refresh that is due, of which earlier ones are left out; nil where none is.
    mutating func take(at now: UInt64) -> Refresh? {
        guard now >= next else { return nil }
        let number = number(at: now)
        last = nanoseconds(number)
        next = nanoseconds(number + 1)
        return Refresh(nanoseconds: last, time: number / rate)
    }

    /// Leaves half the time that the last refresh took for others.
    ///
    /// - Parameter end: When it was done.
    mutating func leaveRoom(after end: UInt64) {
        let free = end + (end - min(last, end)) / 2
        if free > next { next = nanoseconds(number(at: free) + 1) }
    }

    /// The last refresh up to a time; one that rounding puts just behind counts.
    private func number(at nanoseconds: UInt64) -> Double {
        (Double(nanoseconds) * 1e-9 * rate + 1e-6).rounded(.down)
    }

    private func nanoseconds(_ number: Double) -> UInt64 { UInt64((number / rate * 1e9).rounded()) }
}
