// What happened when, for Chrome's trace viewer and Perfetto: spans of the clients, the wire thread, the render thread and the
// passes; arrows from each commit to the frame that shows it first; counters.
//
// A trace keeps the last events only, so a server that runs for days can have one. Both threads write into it; an event is a
// few words and a lock.

import Synchronization

/// One event. Times are the machine's monotonic clock's, nanoseconds.
package struct TraceEvent: Sendable, Equatable {
    /// Where it is shown.
    package enum Track: Sendable, Hashable {
        /// What a client did for its commits, as it says.
        case client(session: UInt32)
        /// How long a client read image files: before, or beside, the rest of its commit.
        case decoding(session: UInt32)
        case wire
        case render
        case passes
    }

    package enum Kind: Sendable, Equatable {
        case span(until: UInt64)
        /// An arrow from the span around it.
        case flowStart(UInt64)
        case flowStep(UInt64)
        case flowEnd(UInt64)
        case counter([(String, Int)])

        package static func == (a: Kind, b: Kind) -> Bool {
            switch (a, b) {
            case (.span(let x), .span(let y)), (.flowStart(let x), .flowStart(let y)),
                (.flowStep(let x), .flowStep(let y)), (.flowEnd(let x), .flowEnd(let y)):
                x == y
            case (.counter(let x), .counter(let y)): x.elementsEqual(y) { $0 == $1 }
            default: false
            }
        }
    }

    package var kind: Kind
    package var track: Track
    package var name: String
    package var time: UInt64
    /// What a click on it shows.
    package var details: [Detail]

    package enum Detail: Sendable, Equatable {
        case number(String, Int)
        case text(String, String)
    }
}

/// The last events of a server.
package final class FrameTrace: Sendable {
    private struct Ring {
        var events: [TraceEvent] = []
        /// Where the oldest one lies once the ring is full.
        var oldest = 0
        var dropped = 0
    }

    private let limit: Int
    private let ring = Mutex(Ring())

    /// - Parameter limit: Events that are kept.
    package init(limit: Int = 1 << 17) {
        self.limit = max(limit, 1)
    }

    /// The events, oldest first, and how many older ones are gone.
    package var contents: (events: [TraceEvent], dropped: Int) {
        ring.withLock { ring in
            (Array(ring.events[ring.oldest...] + ring.events[..<ring.oldest]), ring.dropped)
        }
    }

    func add(_ event: TraceEvent) {
        ring.withLock { ring in
            if ring.events.count < limit {
                ring.events.append(event)
            } else {
                ring.events[ring.oldest] = event
                ring.oldest = (ring.oldest + 1) % limit
                ring.dropped += 1
            }
        }
    }

    func span(
        _ name: String, on track: TraceEvent.Track, from start: UInt64, to end: UInt64,
        _ details: [TraceEvent.Detail] = []
    ) {
        add(TraceEvent(kind: .span(until: max(start, end)), track: track, name: name, time: start, details: details))
    }

    func flow(_ kind: TraceEvent.Kind, on track: TraceEvent.Track, at time: UInt64) {
        add(TraceEvent(kind: kind, track: track, name: "commit", time: time, details: []))
    }

    func counters(_ name: String, _ values: [(String, Int)], at time: UInt64) {
        add(TraceEvent(kind: .counter(values), track: .render, name: name, time: time, details: []))
    }

    /// The number of a commit's arrow.
    static func flow(_ session: UInt32, _ serial: UInt32) -> UInt64 { UInt64(session) << 32 | UInt64(serial) }
}
