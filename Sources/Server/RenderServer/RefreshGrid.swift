// When a server with a refresh rate refreshes: at whole multiples of the interval of the machine's monotonic clock. Where one
// was missed, because a frame took longer, the next one is the next multiple: late frames don't pile up. Where others wait while
// frames take longer than there is time, a refresh is left out for them.

struct RefreshGrid {
    /// Nanoseconds.
    let interval: UInt64
    /// The next refresh, nanoseconds of the monotonic clock; 0 before the first.
    private(set) var next: UInt64 = 0
    private var last: UInt64 = 0

    /// - Parameter rate: Refreshes a second, above 0.
    init(rate: Double) {
        interval = max(UInt64((1e9 / rate).rounded()), 1)
    }

    /// The refresh that is due, of which earlier ones are left out; nil where none is.
    mutating func take(at now: UInt64) -> UInt64? {
        guard now >= next else { return nil }
        last = now / interval * interval
        next = last + interval
        return last
    }

    /// Leaves half the time that the last refresh took for others.
    ///
    /// - Parameter end: When it was done.
    mutating func leaveRoom(after end: UInt64) {
        let free = end + (end - min(last, end)) / 2
        if free > next { next = (free / interval + 1) * interval }
    }
}
