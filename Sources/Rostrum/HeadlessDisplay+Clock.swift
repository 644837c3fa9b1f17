// How a display's clock goes, and what happens on the way.
//
// A manual clock goes where it is told, through everything that lies before: the begin and the end of each animation and
// each tick of a display link, in order, with the clock standing at that time. What their callbacks change is committed
// with that time before the clock goes on. Between two events nothing is done: however many animations run, or cycles of
// one, going far costs what happens on the way.
//
// A live clock is the machine's monotonic one. Events happen on a queue when their time has come, and the implicit transaction
// of whoever changed something is committed there too.

import CoreAnimation
import Foundation
import LayerModel
import Synchronization

extension HeadlessDisplay {
    /// Where a display's time comes from.
    public enum Clock: Sendable {
        /// Goes where `snapshot(at:)` sends it; starts at 0.
        case manual
        /// Real time, seconds as `CACurrentMediaTime()` counts them. Callbacks of animations, completion blocks and display
        /// links run on the queue.
        case live(queue: DispatchQueue = .main)

        var queue: DispatchQueue? {
            if case .live(let queue) = self { return queue }
            return nil
        }

        var start: CFTimeInterval { queue == nil ? 0 : MediaClock.processTime() }

        /// Now; a live clock is read, and never goes back.
        func time(after last: inout CFTimeInterval) -> CFTimeInterval {
            if queue != nil { last = max(last, MediaClock.processTime()) }
            return last
        }
    }

    /// Events at one time of the clock, before what goes on without end is left for the next call.
    private static let roundsAtOnce = 10_000

    /// Moves the clock through everything that happens up to a time, and commits what is pending.
    ///
    /// - Parameter wanted: Seconds; nil stays where the clock is. A live clock is waited for.
    /// - Returns: Where the clock is now.
    func moveClock(to wanted: CFTimeInterval?) throws(DisplayError) -> CFTimeInterval {
        let start = currentTime
        let target = wanted ?? start
        // On a live clock a time that has just passed is now.
        guard target.isFinite, target >= start || clock.queue != nil && target >= start - 1 else {
            throw .timeWentBack(from: start, to: target)
        }
        if clock.queue != nil {
            if target > start { Thread.sleep(forTimeInterval: target - start) }
            sendChanges()
            context.displayAnimatedKeys()
            sendChanges()
            if let sendError { throw sendError }
            return currentTime
        }
        try runEvents(until: target)
        clockTime.withLock { $0 = max($0, target) }
        context.displayAnimatedKeys()
        sendChanges()
        if let sendError { throw sendError }
        guard !CATransaction.isOpen else { throw .openTransaction }
        return currentTime
    }

    /// The manual clock's way to a time.
    private func runEvents(until target: CFTimeInterval) throws(DisplayError) {
        var rounds = 0
        while true {
            sendChanges()
            if let sendError { throw sendError }
            guard let next = context.nextEventTime, next <= target else { return }
            let time = clockTime.withLock { time in
                if next > time { rounds = 0 }
                time = max(time, next)
                return time
            }
            rounds += 1
            guard rounds <= Self.roundsAtOnce else {
                throw .limit("callbacks at \(time) s did not come to an end after \(rounds - 1) rounds")
            }
            context.runEvents(at: time)
            displayBeforeCallbacks()
            if let sendError { throw sendError }
            runCallbacks()
        }
    }

    /// What callbacks change fades from what shows when they are called, however the clock came there.
    private func displayBeforeCallbacks() {
        guard context.mustDisplayBeforeCallbacks else { return }
        context.displayAnimatedKeys()
        sendChanges()
    }

    private func runCallbacks() {
        let blocks = context.takeCompletionBlocks()
        guard !blocks.isEmpty else { return }
        perform { for block in blocks { block() } }
    }

    // MARK: Live

    func startClock() {
        context.clock = { [unowned self] in currentTime }
        guard let callbackTimer else { return }
        callbackTimer.start { [weak self] in self?.runLiveEvents() }
        context.implicitChangeHandler = { [unowned callbackTimer] in callbackTimer.runSoon() }
    }

    func stopClock() {
        callbackTimer?.stop()
        context.implicitChangeHandler = nil
        context.clock = nil
    }

    /// A live clock's timer goes off when something happens next.
    func armTimer() {
        guard let callbackTimer else { return }
        let now = currentTime
        callbackTimer.arm(in: context.nextEventTime.map { max($0 - now, 0) })
    }

    private func runLiveEvents() {
        for _ in 0..<Self.roundsAtOnce {
            sendChanges()
            guard sendError == nil, let next = context.nextEventTime, next <= currentTime else { return }
            context.runEvents(at: currentTime)
            displayBeforeCallbacks()
            runCallbacks()
        }
    }

    // MARK: Display links

    /// A display link that ticks with this display until it is invalidated.
    @discardableResult
    public func displayLink(_ callback: @escaping (CADisplayLink) -> Void) -> CADisplayLink {
        let link = CADisplayLink(callback)
        link.add(to: self)
        return link
    }
}

extension CADisplayLink {
    /// Ticks with a display.
    public func add(to display: HeadlessDisplay) { add(to: display.context) }
}

/// Runs a live display's events on its queue.
final class CallbackTimer: @unchecked Sendable {
    private let queue: DispatchQueue
    private let timer: DispatchSourceTimer
    private let isWaiting = Atomic<Bool>(false)
    private var body: (@Sendable () -> Void)?

    init(queue: DispatchQueue) {
        self.queue = queue
        timer = DispatchSource.makeTimerSource(queue: queue)
    }

    func start(_ body: @escaping @Sendable () -> Void) {
        self.body = body
        timer.setEventHandler(handler: body)
        timer.schedule(deadline: .distantFuture)
        timer.resume()
    }

    func stop() {
        timer.setEventHandler(handler: nil)
        timer.cancel()
    }

    /// - Parameter delay: Seconds; nil is never.
    func arm(in delay: Double?) {
        guard let delay, delay < 1e8 else { return timer.schedule(deadline: .distantFuture) }
        timer.schedule(deadline: .now() + delay, leeway: .milliseconds(1))
    }

    /// At the end of what the queue does now.
    func runSoon() {
        guard !isWaiting.exchange(true, ordering: .acquiringAndReleasing), let body else { return }
        queue.async { [self] in
            isWaiting.store(false, ordering: .releasing)
            body()
        }
    }
}
