import CLinux
import Glibc
import Synchronization

/// Ends the process with exit code 5 when its work is not done in time, whatever it hangs in.
final class Deadline: Sendable {
    private let isLifted = Atomic<Bool>(false)
    private let seconds: Double
    private let grace: Double
    private let what: String

    /// - Parameters:
    ///   - seconds: From now.
    ///   - grace: Seconds more for work that watches the time itself.
    ///   - what: What is not there by then, for the message.
    init(seconds: Double, grace: Double = 0, for what: String) {
        self.seconds = seconds
        self.grace = grace
        self.what = what
        _ = clinux_thread(
            "rostrum-timeout", 1 << 18, { Unmanaged<Deadline>.fromOpaque($0!).takeRetainedValue().wait() },
            Unmanaged.passRetained(self).toOpaque())
    }

    /// Work from here on may take its time.
    func lift() { isLifted.store(true, ordering: .sequentiallyConsistent) }

    private func wait() {
        let all = seconds + grace
        let whole = min(all.rounded(.down), 1e9)
        var rest = timespec(tv_sec: Int(whole), tv_nsec: Int((all - whole).clamped(to: 0...0.999_999_999) * 1e9))
        var left = rest
        while nanosleep(&rest, &left) != 0, errno == EINTR { rest = left }
        guard !isLifted.load(ordering: .sequentiallyConsistent) else { return }
        let failure = CommandFailure(
            .timeout, "no \(what) within \(seconds) s", help: "give it longer with --timeout, or find out what hangs")
        Interruption.discardDraft()
        Console.say(failure.text)
        _exit(failure.code.rawValue)
    }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        min(max(self, range.lowerBound), range.upperBound)
    }
}
