import CLinux
import Glibc
import Synchronization

/// Ends the process with exit code 5 when its work is not done in time, whatever it hangs in.
final class Deadline: Sendable {
    private let isLifted = Atomic<Bool>(false)
    private let isWatched = Atomic<Bool>(false)
    private let seconds: Double
    private let what: String
    private let started = clinux_monotonic_nanoseconds()

    /// Seconds more for work that watches the time itself.
    private static let grace = 5.0

    /// - Parameters:
    ///   - seconds: From now.
    ///   - what: What is not there by then, for the message.
    init(seconds: Double, for what: String) {
        self.seconds = seconds
        self.what = what
        _ = clinux_thread(
            "rostrum-timeout", 1 << 18, { Unmanaged<Deadline>.fromOpaque($0!).takeRetainedValue().wait() },
            Unmanaged.passRetained(self).toOpaque())
    }

    /// Work from here on may take its time.
    func lift() { isLifted.store(true, ordering: .sequentiallyConsistent) }

    /// Work from here on looks at `isOver` and `check` itself and tidies up, and is only ended where it doesn't.
    func watch() { isWatched.store(true, ordering: .sequentiallyConsistent) }

    var isOver: Bool { Double(clinux_monotonic_nanoseconds() - started) / 1e9 >= seconds }

    /// - Throws: `CommandFailure` with code `timeout` when the time is over.
    func check() throws {
        if isOver { throw failure }
    }

    private var failure: CommandFailure {
        CommandFailure(
            .timeout, "no \(what) within \(seconds) s",
            help: "give it longer with --timeout, draw less, or find out what hangs")
    }

    private func wait() {
        Self.sleep(seconds)
        if isWatched.load(ordering: .sequentiallyConsistent) { Self.sleep(Self.grace) }
        guard !isLifted.load(ordering: .sequentiallyConsistent) else { return }
        Interruption.discardDraft()
        Console.say(failure.text)
        _exit(failure.code.rawValue)
    }

    private static func sleep(_ seconds: Double) {
        let whole = min(seconds.rounded(.down), 1e9)
        var rest = timespec(tv_sec: Int(whole), tv_nsec: Int((seconds - whole).clamped(to: 0...0.999_999_999) * 1e9))
        var left = rest
        while nanosleep(&rest, &left) != 0, errno == EINTR { rest = left }
    }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        min(max(self, range.lowerBound), range.upperBound)
    }
}
