import Foundation
import LayerRender

/// A thread with the stack that planning a deep tree takes: the first thread of a process has less.
enum PlanningThread {
    private final class Work: @unchecked Sendable {
        var body: (() -> Void)?

        init(_ body: @escaping () -> Void) { self.body = body }
    }

    /// Runs `body` on one, and waits for its end. A graphics device that it opens belongs to that thread.
    static func run<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        var result: Result<Value, Failure>?
        withoutActuallyEscaping(body) { body in
            let work = Work { result = Result { () throws(Failure) in try body() } }
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
        return try result!.get()
    }
}
