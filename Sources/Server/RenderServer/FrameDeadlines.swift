// Frames that came too late: more than one refresh after they were asked for, or were due. Each is blamed on its longest phase,
// of the commits it shows first or of its own.

import LayerWire

/// A step on the way of a commit to the screen, or of a frame.
package enum FramePhase: String, Sendable, CaseIterable {
    case layout
    case display
    /// Reading image files.
    case decode
    case encode
    /// From being sent to being decoded by the server.
    case wire
    /// Waiting for the render thread.
    case latch
    case upload
    /// Changing the layers.
    case apply
    case plan
    /// From the first bind to the last fence.
    case draw
    /// Reading the pixels back.
    case read
}

package struct FrameDeadlines: Sendable {
    /// Nanoseconds from one refresh to the next.
    package let interval: UInt64
    package private(set) var missed = 0
    /// Of the missed ones, by their longest phase.
    package private(set) var byPhase: [FramePhase: Int] = [:]

    /// - Parameter refresh: Refreshes a second, above 0.
    package init(refresh: Double) {
        interval = UInt64((1e9 / refresh).rounded())
    }

    /// Notes a frame; returns its longest phase where it missed its deadline.
    ///
    /// - Parameters:
    ///   - nanoseconds: From being asked for to being answered.
    ///   - phases: What is known; of phases that are there twice, the longer one counts.
    package mutating func note(
        took nanoseconds: UInt64, _ phases: [(phase: FramePhase, nanoseconds: UInt64)]
    ) -> (phase: FramePhase, nanoseconds: UInt64)? {
        guard nanoseconds > interval else { return nil }
        missed += 1
        guard let longest = phases.max(by: { $0.nanoseconds < $1.nanoseconds }) else { return nil }
        byPhase[longest.phase, default: 0] += 1
        return longest
    }

    /// `missed 3 deadlines: 2 by draw, 1 by upload`; nil where none was missed.
    package var summary: String? {
        guard missed > 0 else { return nil }
        let parts = FramePhase.allCases.compactMap { phase in byPhase[phase].map { "\($0) by \(phase.rawValue)" } }
        return "missed \(missed) \(missed == 1 ? "deadline" : "deadlines"): " + parts.joined(separator: ", ")
    }
}

extension CommitRow {
    /// What is known of it, by phase.
    var phases: [(phase: FramePhase, nanoseconds: UInt64)] {
        let known: [(FramePhase, UInt64?)] = [
            (.layout, layout), (.display, display), (.decode, decode), (.encode, encode), (.wire, wire),
            (.latch, latch), (.upload, upload), (.apply, apply),
        ]
        return known.compactMap { phase, value in value.map { (phase, $0) } }
    }
}
