// The transactions of one thread.
//
// A thread has a stack of explicit transactions (begin … commit) above one implicit one, which is opened by the first change
// or setting outside of them and closed by whoever commits a display that it touched, on any thread. Only its completion
// blocks and the fact that it is closed are shared between threads; both are behind its lock.

import Synchronization

/// One transaction: its settings, the displays it touched, its completion blocks.
final class TransactionFrame: @unchecked Sendable {
    let isImplicit: Bool

    // Settings: the owning thread's alone. Nil means what the enclosing transaction says.
    var animationDuration: Double?
    var animationTimingFunction: CAMediaTimingFunction?
    var disableActions: Bool?
    var values: [String: Any] = [:]

    private let lock = NSLock()
    private let closed = Atomic<Bool>(false)
    private var blocks: [() -> Void] = []
    private var touched: [WeakContext] = []
    private var lastTouched: UInt64 = 0
    /// Blocks of nested transactions that were committed, each with the displays it waits for.
    private var nested: [Group] = []
    /// Animations that were added: the completion blocks wait for them.
    private var animations: [WeakAnimation] = []

    private struct Group {
        var blocks: [() -> Void]
        var contexts: [WeakContext]
        var animations: [WeakAnimation]
    }

    init(isImplicit: Bool) { self.isImplicit = isImplicit }

    var isClosed: Bool { closed.load(ordering: .acquiring) }

    /// Adds a display to those that the transaction commits. True when it is new.
    func touch(_ context: LayerContext) -> Bool {
        if lastTouched == context.number { return false }
        lastTouched = context.number
        return lock.withLock {
            if touched.contains(where: { $0.context === context }) { return false }
            touched.append(WeakContext(context: context))
            return true
        }
    }

    var touchedContexts: [LayerContext] { lock.withLock { touched.compactMap(\.context) } }

    /// False when the transaction was closed meanwhile, and the block belongs to the next one.
    func add(_ block: @escaping () -> Void) -> Bool {
        lock.withLock {
            guard !isClosed else { return false }
            blocks.append(block)
            return true
        }
    }

    /// Makes the completion blocks wait for an animation.
    func add(_ animation: LayerAnimation) {
        lock.withLock {
            // An implicit transaction that no display closes doesn't keep what nobody waits for.
            if isImplicit, touched.isEmpty, blocks.isEmpty { return }
            animations.append(WeakAnimation(animation: animation))
        }
    }

    /// All blocks as one; nil when there is none.
    var completionBlock: (() -> Void)? {
        let blocks = lock.withLock { self.blocks }
        guard blocks.count > 1 else { return blocks.first }
        return { for block in blocks { block() } }
    }

    /// Takes over what a nested transaction touched and the blocks it leaves.
    func absorb(_ inner: TransactionFrame) {
        let (innerTouched, innerNested, innerBlocks, innerAnimations) = inner.lock.withLock {
            (inner.touched, inner.nested, inner.blocks, inner.animations)
        }
        lock.withLock {
            for context in innerTouched where !touched.contains(where: { $0.context === context.context }) {
                touched.append(context)
            }
            nested.append(contentsOf: innerNested)
            animations.append(contentsOf: innerAnimations)
            if !innerBlocks.isEmpty {
                nested.append(Group(blocks: innerBlocks, contexts: innerTouched, animations: innerAnimations))
            }
        }
    }

    /// Ends the transaction: its blocks wait for the next commit of each display they are about.
    ///
    /// - Returns: The blocks that wait for nothing.
    @discardableResult
    func close() -> [() -> Void] {
        let groups = lock.withLock { () -> [Group] in
            guard !isClosed else { return [] }
            closed.store(true, ordering: .releasing)
            defer { (blocks, nested, animations) = ([], [], []) }
            return blocks.isEmpty
                ? nested : nested + [Group(blocks: blocks, contexts: touched, animations: animations)]
        }
        var free: [() -> Void] = []
        for group in groups {
            let contexts = group.contexts.compactMap(\.context)
            guard !contexts.isEmpty else {
                free.append(contentsOf: group.blocks)
                continue
            }
            // What is in no display does not run, and is not waited for.
            let running = group.animations.compactMap(\.animation).filter {
                !$0.isDone && $0.layer?.hosting.context != nil
            }
            let gate = CompletionGate(waitingFor: contexts.count + running.count, blocks: group.blocks)
            for animation in running { animation.gates.append(gate) }
            for context in contexts { context.wait(for: gate) }
        }
        return free
    }
}

struct WeakContext {
    weak var context: LayerContext?
}

struct WeakAnimation {
    weak var animation: LayerAnimation?
}

/// Completion blocks that run when the last of several displays has applied its commit, and the last animation that was added
/// in the transaction has ended.
package final class CompletionGate: @unchecked Sendable {
    private let lock = NSLock()
    private var remaining: Int
    private var blocks: [() -> Void]

    init(waitingFor count: Int, blocks: [() -> Void]) {
        remaining = count
        self.blocks = blocks
    }

    /// One of the things waited for is done. Returns the blocks when it was the last.
    func open() -> [() -> Void] {
        lock.withLock {
            remaining -= 1
            guard remaining == 0 else { return [] }
            defer { blocks = [] }
            return blocks
        }
    }
}

/// What a thread keeps: its transactions, and how deep it is in a hit test.
final class ThreadTransactions {
    /// Explicit transactions, the innermost last.
    private(set) var explicit: [TransactionFrame] = []
    private var implicit: TransactionFrame?
    var hitTestDepth = 0
    /// The last search for an action came to its end without one.
    var searchFoundNothing = false

    /// The innermost transaction; an implicit one is opened if there is none.
    var top: TransactionFrame { explicit.last ?? openImplicit }

    var openImplicit: TransactionFrame {
        if let implicit, !implicit.isClosed { return implicit }
        let frame = TransactionFrame(isImplicit: true)
        implicit = frame
        return frame
    }

    /// From the innermost outwards; the implicit one only if it is open.
    var frames: [TransactionFrame] {
        var frames = Array(explicit.reversed())
        if let implicit, !implicit.isClosed { frames.append(implicit) }
        return frames
    }

    /// True when property changes look for no action.
    var disablesActions: Bool {
        for frame in explicit.reversed() { if let setting = frame.disableActions { return setting } }
        guard let implicit, !implicit.isClosed else { return false }
        return implicit.disableActions ?? false
    }

    func begin() { explicit.append(TransactionFrame(isImplicit: false)) }

    func end() -> TransactionFrame? { explicit.popLast() }

    /// The open implicit transaction, which is then no longer this thread's.
    func takeImplicit() -> TransactionFrame? {
        defer { implicit = nil }
        guard let implicit, !implicit.isClosed else { return nil }
        return implicit
    }

    // MARK: One for each thread

    static var current: ThreadTransactions {
        if let raw = pthread_getspecific(key) {
            return Unmanaged<ThreadTransactions>.fromOpaque(raw).takeUnretainedValue()
        }
        let new = ThreadTransactions()
        pthread_setspecific(key, Unmanaged.passRetained(new).toOpaque())
        return new
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key) { raw in
            if let raw { Unmanaged<ThreadTransactions>.fromOpaque(raw).release() }
        }
        return key
    }()
}
