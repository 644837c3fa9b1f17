// Ticks in step with a display. Source: semantic reference, §6.11.

import LayerModel

/// Calls a block at each refresh of a display, with that display's clock standing at the refresh.
///
///     let link = display.displayLink { link in layer.position.x = 100 * link.timestamp }
///
/// Apple's `init(target:selector:)` needs the Objective-C runtime; this one takes a block. On a manual clock the ticks come
/// as the clock passes them, on a live one in real time, where late ones are left out.
public final class CADisplayLink: @unchecked Sendable {
    /// Seconds: the refresh that this tick belongs to. 0 before the first.
    public private(set) var timestamp: CFTimeInterval = 0
    /// Seconds between two refreshes of the display. 0 before the first tick.
    public private(set) var duration: CFTimeInterval = 0
    /// Seconds of the display's clock: when the next tick comes. 0 before the first.
    public private(set) var targetTimestamp: CFTimeInterval = 0

    /// True: no ticks come; false at first. After a pause they go on with the next refresh.
    public var isPaused = false {
        didSet { if oldValue, !isPaused { skip() } }
    }

    /// `preferred` ticks a second where that is not 0, as near as whole refreshes come. All 0 at first.
    public var preferredFrameRateRange = CAFrameRateRange.default
    /// Ticks a second, as near as whole refreshes come; 0, the default, is each refresh.
    public var preferredFramesPerSecond = 0

    private let callback: (CADisplayLink) -> Void
    private weak var context: LayerContext?
    /// The last refresh that was ticked or passed over, counted from the clock's 0.
    private var lastRefresh = 0.0

    /// A link that calls a block with itself at each tick, once it is added to a display.
    public init(_ callback: @escaping (CADisplayLink) -> Void) {
        self.callback = callback
    }

    /// Ticks with the display whose code runs (`display.perform { }` and every callback), else with the only one there is.
    public func add(to runloop: RunLoop, forMode mode: RunLoop.Mode) {
        let contexts = ContextRegistry.shared.contexts
        guard let context = MediaClock.current?.context ?? (contexts.count == 1 ? contexts[0] : nil) else {
            return ClientWarnings.shared.warnOnce(
                "a display link doesn't know its display: add it inside display.perform { }, or with add(to: display).")
        }
        add(to: context)
    }

    /// No tick comes any more, whatever the run loop and the mode.
    public func remove(from runloop: RunLoop, forMode mode: RunLoop.Mode) { invalidate() }

    /// No tick comes any more.
    public func invalidate() {
        guard let context else { return }
        context.withLock { context.links.removeAll { $0 === self } }
        self.context = nil
    }

    /// The first tick is the next refresh after now.
    package func add(to new: LayerContext) {
        guard new !== context else { return }
        invalidate()
        context = new
        new.withLock { new.links.append(self) }
        skip()
        new.implicitChangeHandler?()
    }

    // MARK: Ticking

    private func skip() {
        guard let context else { return }
        lastRefresh = CADisplayLink.refresh(at: context.now, rate: context.refreshRate)
    }

    /// The last refresh up to a time; one that rounding puts just behind counts.
    private static func refresh(at time: Double, rate: Double) -> Double { (time * rate + 1e-6).rounded(.down) }

    /// Refreshes from tick to tick.
    private func interval(rate: Double) -> Double {
        let range = Double(preferredFrameRateRange.preferred ?? 0)
        let wanted = range > 0 ? range : Double(preferredFramesPerSecond)
        guard wanted > 0, wanted < rate else { return 1 }
        return max((rate / wanted).rounded(), 1)
    }

    /// Seconds; nil while it is paused.
    func nextTick(rate: Double) -> Double? {
        guard !isPaused else { return nil }
        let interval = interval(rate: rate)
        return ((lastRefresh / interval).rounded(.down) + 1) * interval / rate
    }

    /// The call, where a tick is due.
    func tick(at time: Double, rate: Double) -> (() -> Void)? {
        guard let next = nextTick(rate: rate), next <= time else { return nil }
        let interval = interval(rate: rate)
        lastRefresh = CADisplayLink.refresh(at: time, rate: rate)
        let refresh = (lastRefresh / interval).rounded(.down) * interval
        return { [self] in
            guard context != nil, !isPaused else { return }
            timestamp = refresh / rate
            duration = 1 / rate
            targetTimestamp = (refresh + interval) / rate
            callback(self)
        }
    }
}
