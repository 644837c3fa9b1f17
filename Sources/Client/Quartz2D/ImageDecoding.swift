import Glibc
import Synchronization

/// How long this process read image files: for the account of a frame, which tells decoding from drawing.
package enum ImageDecoding {
    private static let nanoseconds = Atomic<UInt64>(0)

    /// Nanoseconds since the last call, of all threads.
    package static func takeNanoseconds() -> UInt64 { nanoseconds.exchange(0, ordering: .relaxed) }

    static func measured<R>(_ body: () throws -> R) rethrows -> R {
        let started = now
        defer { nanoseconds.wrappingAdd(now &- started, ordering: .relaxed) }
        return try body()
    }

    private static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}
