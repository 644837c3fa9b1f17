import Foundation
import LayerRender

/// A thread with the stack that planning a deep tree takes: the first thread of a process has less.
enum PlanningThread {
    private final class Work: @unchecked Sendable {
        var body: (() -> Void)?

        init(_ body: @escaping () -> Void) { self.body = body }
    }

    /// Runs `body` on one, and waits for its end.
    static func run<Result>(_ body: () -> Result) -> Result {
        var result: Result?
        withoutActuallyEscaping(body) { body in
            let work = Work { result = body() }
            let done = DispatchSemaphore(value: 0)
            let thread = Thread {
                work.body?()
                work.body = nil
                done.signal()
            }
            thread.stackSize = FramePlanner.stackBytes
            thread.start()
            done.wait()
        }
        return result!
    }
}
