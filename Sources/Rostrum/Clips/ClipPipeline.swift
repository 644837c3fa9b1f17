// Frames are drawn on one thread and encoded on others: while frame n is on its way into the file, frame n + 1 is drawn.
//
//     submit ──> waiting ──> prepare, several at once ──> append, one at a time, in order
//
// Between the first and the last step there are never more than `depth` frames; submit waits until there is room, so memory
// stays flat whatever is slower. There is no thread for appending: whoever finishes preparing appends what is next, if nobody
// does that already. The first error ends everything; submit and finish throw it. Bytes do not depend on the number of
// threads: what is prepared looks at its frame alone, and the order of appending is the order of the frames.

import CLinux
import Foundation
import Glibc
import Quartz2D

package final class ClipPipeline: @unchecked Sendable {
    private let writer: any ClipWriter
    private let depth: Int
    private let condition = NSCondition()

    // All under the condition's lock.
    private var waiting: [ClipFrame] = []
    /// Without a result: what the frame before had.
    private var prepared: [Int: (frame: ClipFrame, result: PreparedFrame?)] = [:]
    private var last = PreparedFrame()
    private var submitted = 0
    private var appended = 0
    private var isAppending = false
    /// When the frame that is being written must have been, nanoseconds.
    private var appendDeadline = UInt64.max
    private var isLast = false
    private var isFinished = false
    private var isAbandoned = false
    private var error: (any Error)?
    private var threads = 0
    private var firstTransparent: Int?

    /// How long one frame may take to be written: an encoder that takes longer hangs. Nanoseconds.
    private let patience: UInt64 = 300_000_000_000

    /// Threads where nobody says how many.
    package static var usualJobs: Int { min(max(ProcessInfo.processInfo.activeProcessorCount, 1), 4) }

    /// - Parameters:
    ///   - jobs: Threads.
    ///   - depth: Frames between being submitted and being written.
    package init(_ writer: any ClipWriter, jobs: Int, depth: Int) throws(ClipError) {
        self.writer = writer
        self.depth = max(depth, 1)
        for _ in 0..<max(jobs, 1) {
            let failure = clinux_thread(
                "rostrum-encode", 1 << 20, { Unmanaged<ClipPipeline>.fromOpaque($0!).takeRetainedValue().work() },
                Unmanaged.passRetained(self).toOpaque())
            if failure != 0 {
                Unmanaged.passUnretained(self).release()
                // With one thread the work is done, only slower.
                if threads > 0 { break }
                throw .unwritable(path: "a clip", "no thread for it: \(OutputFault.text(-failure))")
            }
            condition.withLock { threads += 1 }
        }
    }

    /// Frames that are in the file.
    package var written: Int { condition.withLock { appended } }

    /// The index of the first frame that is not opaque; nil where there is none, or where nobody looked.
    package var transparentFrame: Int? { condition.withLock { firstTransparent } }

    /// Hands a frame over; waits for room.
    ///
    /// - Parameter whileWaiting: Called several times a second meanwhile; what it throws gives the clip up.
    package func submit(_ frame: ClipFrame, whileWaiting: () throws -> Void) throws {
        try wait(whileWaiting) { submitted - appended < depth }
        condition.withLock {
            waiting.append(frame)
            submitted += 1
            condition.broadcast()
        }
    }

    /// Waits until everything is written and the clip is in its place.
    package func finish(whileWaiting: () throws -> Void) throws {
        condition.withLock {
            isLast = true
            condition.broadcast()
        }
        try wait(whileWaiting) { isFinished }
    }

    /// Gives the clip up and waits until nobody works on it.
    package func abandon() {
        condition.withLock { isAbandoned = true }
        writer.abandon()
        condition.lock()
        condition.broadcast()
        while threads > 0 { condition.wait() }
        waiting = []
        prepared = [:]
        condition.unlock()
        // What a thread was still making.
        writer.abandon()
    }

    private func wait(_ whileWaiting: () throws -> Void, until isReady: () -> Bool) throws {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let error { throw error }
            if isReady() { return }
            if isAppending, clinux_monotonic_nanoseconds() > appendDeadline {
                throw ClipError.encoderFailed(
                    "the encoder took no frame for \(patience / 1_000_000_000) s and was ended", log: "")
            }
            let isAwakened = condition.wait(until: Date(timeIntervalSinceNow: 0.1))
            guard !isAwakened else { continue }
            condition.unlock()
            defer { condition.lock() }
            try whileWaiting()
        }
    }

    // MARK: Threads

    private func work() {
        // A reader that has gone is an error of write, for this thread whatever the app does about the signal.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        condition.lock()
        while !isAbandoned, error == nil, !isFinished {
            if !waiting.isEmpty {
                prepareNext()
            } else if isLast, appended == submitted, !isAppending {
                complete()
            } else {
                condition.wait()
            }
        }
        threads -= 1
        condition.broadcast()
        condition.unlock()
    }

    /// Calls `body` without the lock; what it throws ends the pipeline.
    private func unlocked(_ body: () throws -> Void) {
        condition.unlock()
        var failure: (any Error)?
        do { try body() } catch { failure = error }
        condition.lock()
        guard let failure, error == nil else { return }
        error = failure
        condition.broadcast()
    }

    private func prepareNext() {
        let frame = waiting.removeFirst()
        var result: PreparedFrame?
        if !(frame.isRepeated && writer.repeatsAlike) {
            unlocked { result = try writer.prepare(frame) }
            guard let result else { return }
            if !result.isOpaque, firstTransparent.map({ frame.index < $0 }) ?? true { firstTransparent = frame.index }
        }
        prepared[frame.index] = (frame, result)
        while !isAppending, !isAbandoned, error == nil, let next = prepared.removeValue(forKey: appended) {
            isAppending = true
            appendDeadline = clinux_monotonic_nanoseconds() + patience
            let result = next.result ?? last
            if writer.repeatsAlike { last = result }
            unlocked { try writer.append(result, of: next.frame) }
            isAppending = false
            if error == nil { appended += 1 }
            condition.broadcast()
        }
    }

    private func complete() {
        isAppending = true
        appendDeadline = .max
        unlocked { try writer.finish() }
        isAppending = false
        if error == nil { isFinished = true }
        condition.broadcast()
    }
}
