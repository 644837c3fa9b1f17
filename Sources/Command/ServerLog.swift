import Foundation
import Synchronization

/// What a server says on stderr: a line an event, as text or as JSON, with the time in UTC.
final class ServerLog: Sendable {
    private let asJSON: Bool
    private let isQuiet: Bool

    init(asJSON: Bool, isQuiet: Bool) {
        self.asJSON = asJSON
        self.isQuiet = isQuiet
    }

    /// Called from any thread; one write a line, so lines stay whole.
    func write(_ message: String) {
        guard !isQuiet else { return }
        let now = Self.now()
        if asJSON {
            Console.say(JSONText.object([("time", .string(now)), ("message", .string(message))]).line + "\n")
        } else {
            // What a client sent may not begin a line of its own.
            Console.say("\(now) \(message.replacing("\n", with: " "))\n")
        }
    }

    /// `2026-01-31T12:00:00.123Z`
    private static func now() -> String {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        var parts = tm()
        gmtime_r(&time.tv_sec, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let milliseconds = String(1_000 + time.tv_nsec / 1_000_000).dropFirst()
        return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
            + "T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)).\(milliseconds)Z"
    }
}
