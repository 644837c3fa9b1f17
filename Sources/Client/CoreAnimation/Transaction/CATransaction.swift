// Source: semantic reference, §2.3, and measured facts, A7.

import LayerModel

/// The key of `animationDuration()`: a number, seconds.
public let kCATransactionAnimationDuration = "animationDuration"
/// The key of `disableActions()`: a Bool.
public let kCATransactionDisableActions = "disableActions"
/// The key of `animationTimingFunction()`: a `CAMediaTimingFunction`.
public let kCATransactionAnimationTimingFunction = "animationTimingFunction"
/// The key of `completionBlock()`: a `() -> Void`.
public let kCATransactionCompletionBlock = "completionBlock"

/// Groups changes of layers: those between `begin` and the outermost `commit` become visible together.
///
/// Settings and nesting are the thread's; the changes belong to the display whose tree they touch. Changes outside of
/// `begin … commit` are in an implicit transaction, which the display commits when it next draws, or `flush()` at once.
public final class CATransaction {
    private init() {}

    // MARK: Nesting

    /// Opens a transaction on this thread, inside the one that is open. It takes `commit()` to close it.
    public static func begin() { ThreadTransactions.current.begin() }

    /// Ends the innermost transaction. The outermost one commits the displays that it touched; a commit without a begin does
    /// nothing. Completion blocks that wait for no display run before this returns.
    public static func commit() {
        let thread = ThreadTransactions.current
        guard let frame = thread.end() else { return }
        if let outer = thread.explicit.last { return outer.absorb(frame) }
        finish(frame)
    }

    /// Commits everything pending, whichever thread changed it. Inside `begin … commit` it does nothing. Called in a task, it
    /// leaves alone the displays that another task changed last: tests run side by side.
    public static func flush() {
        let thread = ThreadTransactions.current
        guard thread.explicit.isEmpty else { return }
        for context in ContextRegistry.shared.contexts where !context.belongsToAnotherTask {
            if context.hasPendingChanges { context.commitHandler?(context) }
        }
        // A transaction that touched displays is theirs to close; this one touched none.
        if let frame = thread.takeImplicit(), frame.touchedContexts.isEmpty {
            for block in frame.close() { block() }
        }
    }

    /// Ends the innermost transaction while a display is at its own commit, outside of every other transaction: what it changed
    /// goes with that commit, or the next, and no implicit transaction is left open for it.
    static func endInsideCommit() {
        let thread = ThreadTransactions.current
        guard let frame = thread.end() else { return }
        if let outer = thread.explicit.last { return outer.absorb(frame) }
        for block in frame.close() { block() }
    }

    private static func finish(_ frame: TransactionFrame) {
        let contexts = frame.touchedContexts
        let free = frame.close()
        for context in contexts { context.commitHandler?(context) }
        for block in free { block() }
    }

    /// True inside `begin … commit` on this thread.
    package static var isOpen: Bool { !ThreadTransactions.current.explicit.isEmpty }

    /// Keeps other threads out of `lock … unlock` and from committing. Recursive.
    public static func lock() { globalLock.lock() }
    /// Ends the innermost `lock()` of this thread.
    public static func unlock() { globalLock.unlock() }
    private static let globalLock = NSRecursiveLock()

    // MARK: Settings

    /// Seconds; 0.25 unless set. Setters write the innermost transaction, getters look outwards.
    public static func animationDuration() -> CFTimeInterval { setting(\.animationDuration) ?? 0.25 }

    /// A duration that is negative or not finite is ignored.
    public static func setAnimationDuration(_ dur: CFTimeInterval) {
        guard dur >= 0, dur.isFinite else { return }
        ThreadTransactions.current.top.animationDuration = dur
    }

    /// Nil unless set: implied animations use the default curve.
    public static func animationTimingFunction() -> CAMediaTimingFunction? { setting(\.animationTimingFunction) }

    /// The curve of implied animations; nil takes it back.
    public static func setAnimationTimingFunction(_ function: CAMediaTimingFunction?) {
        ThreadTransactions.current.top.animationTimingFunction = function
    }

    /// True where property changes look for no action; false unless set.
    public static func disableActions() -> Bool { setting(\.disableActions) ?? false }

    /// True: property changes look for no action, so nothing is animated by itself. `add(_:forKey:)` works as before.
    public static func setDisableActions(_ flag: Bool) { ThreadTransactions.current.top.disableActions = flag }

    /// The block of the innermost transaction that has one; nil unless set.
    public static func completionBlock() -> (() -> Void)? {
        for frame in ThreadTransactions.current.frames { if let block = frame.completionBlock { return block } }
        return nil
    }

    /// Adds a block that runs when the transaction's changes are applied. A second block is added to the first; nil does not
    /// take back one that was set.
    public static func setCompletionBlock(_ block: (() -> Void)?) {
        guard let block else { return }
        // Another thread may close an implicit transaction between finding it and adding to it.
        while !ThreadTransactions.current.top.add(block) {}
    }

    // MARK: By key

    /// One of the settings, or what was kept under any other key; looks outwards, as the settings do.
    public static func value(forKey key: String) -> Any? {
        switch key {
        case kCATransactionAnimationDuration: return NSNumber(value: animationDuration())
        case kCATransactionDisableActions: return NSNumber(value: disableActions())
        case kCATransactionAnimationTimingFunction: return animationTimingFunction()
        case kCATransactionCompletionBlock: return completionBlock()
        default:
            for frame in ThreadTransactions.current.frames { if let value = frame.values[key] { return value } }
            return nil
        }
    }

    /// Sets one of the settings, or keeps a value under any other key. A value of the wrong type is ignored; nil takes a
    /// setting back from the innermost transaction.
    public static func setValue(_ anObject: Any?, forKey key: String) {
        let frame = ThreadTransactions.current.top
        let value = KeyedValue.given(anObject)
        switch key {
        case kCATransactionAnimationDuration:
            guard let value else { return frame.animationDuration = nil }
            if let duration = KeyedValue.number(value) { setAnimationDuration(duration) }
        case kCATransactionDisableActions:
            guard let value else { return frame.disableActions = nil }
            if let flag = KeyedValue.bool(value) { setDisableActions(flag) }
        case kCATransactionAnimationTimingFunction:
            guard let value else { return frame.animationTimingFunction = nil }
            if let function = value as? CAMediaTimingFunction { setAnimationTimingFunction(function) }
        case kCATransactionCompletionBlock:
            setCompletionBlock(value as? () -> Void)
        default:
            frame.values[key] = value
        }
    }

    private static func setting<V>(_ field: KeyPath<TransactionFrame, V?>) -> V? {
        for frame in ThreadTransactions.current.frames { if let value = frame[keyPath: field] { return value } }
        return nil
    }
}
