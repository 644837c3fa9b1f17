// What ties a tree of layers to a display.
//
// The display's side of the module: `HeadlessDisplay` makes a context, gives it a root layer, asks for a transaction when it
// commits, sends it, and calls the completion blocks once the server has applied it. A context knows no server; it can
// start again with another one.

import LayerModel
import LayerWire
import Quartz2D
import Synchronization

/// A tree of layers that something shows, with its uncommitted changes.
package final class LayerContext: @unchecked Sendable {
    /// Changes of the root or of what is below it belong to this context. A layer that is in another tree leaves it first.
    package var rootLayer: CALayer? {
        get { root }
        set { setRoot(newValue) }
    }

    /// True when the display counts y downwards: the picture's top is the root's min y. Counted by `contentsAreFlipped()`;
    /// the root's own `isGeometryFlipped` stays as it is.
    package var displayIsFlipped = false

    /// What the display shows, in points, in the coordinates that contain the root; nil: the root's frame.
    package var displayBounds: Rect?
    package var pixelsPerPoint = 1.0

    /// Called on the committing thread when a transaction that touched this context is committed, or by
    /// `CATransaction.flush()`: the display takes the transaction and sends it. Without one, changes wait.
    package var commitHandler: ((LayerContext) -> Void)?

    /// Called when an implicit transaction begins to touch this context: a live display commits it soon.
    package var implicitChangeHandler: (() -> Void)?

    /// Frames a second: where display links tick.
    package var refreshRate = 60.0
    var links: [CADisplayLink] = []

    /// The display's clock, seconds.
    package var clock: (@Sendable () -> Double)?

    /// Tells contexts apart, also when one is gone and another took its address.
    let number: UInt64
    private var root: CALayer?
    private(set) var recorder = TransactionRecorder()
    private var faults = FaultList(limit: 256)
    /// What the transactions since `takePhases` took.
    private var phases = CommitPhases()
    /// Implicit transactions that touched this context and are not closed.
    private var openFrames: [TransactionFrame] = []
    /// Completion blocks that wait for the next commit, and those of commits that were taken.
    private var waitingGates: [CompletionGate] = []
    var takenGates: [CompletionGate] = []
    var timeline = AnimationTimeline()
    /// The layers that animations of their own keys were committed for.
    var driven = WeakLayers<CALayer>()
    /// What is to be called, in order.
    var callbacks: [() -> Void] = []
    private(set) var lastCommitTime = 0.0
    private let ownLock = NSRecursiveLock()
    /// The Swift task that last began to change the tree; 0 for code outside of tasks.
    private let lastTask = Atomic<Int>(0)

    package init() {
        number = ContextRegistry.shared.nextNumber()
        ContextRegistry.shared.add(self)
    }

    deinit {
        ContextRegistry.shared.remove(number)
        root?.forEachInSubtree {
            $0.hosting.context = nil
            $0.animationList = []
        }
    }

    // MARK: Committing

    /// Keeps other threads from committing or capturing; taken together with `CATransaction.lock()`, always in the same
    /// order. Recursive.
    package func withLock<R>(_ body: () throws -> R) rethrows -> R {
        CATransaction.lock()
        ownLock.lock()
        defer {
            ownLock.unlock()
            CATransaction.unlock()
        }
        return try body()
    }

    /// True when `takeTransaction` has something to do: changes, layout, display or completion blocks.
    package var hasPendingChanges: Bool {
        withLock {
            !recorder.isEmpty || rootNeedsPasses || !openFrames.isEmpty || !waitingGates.isEmpty
        }
    }

    /// Lays out and displays what needs it, then hands out every change since the last call. Closes the implicit
    /// transactions that made them, on whichever thread.
    ///
    /// - Parameter time: The display's clock now, seconds; the transaction is stamped with it.
    /// - Returns: Nil when nothing changed. Call `takeCompletionBlocks()` after the changes are applied in either case.
    /// - Complexity: O(what changed).
    package func takeTransaction(time: Double) -> Transaction? {
        withLock {
            if time.isFinite { lastCommitTime = time }
            settle()
            for frame in openFrames { frame.close() }
            openFrames.removeAll()
            takenGates.append(contentsOf: waitingGates)
            waitingGates.removeAll()
            let started = MonotonicClock.now
            defer { phases.encode &+= MonotonicClock.now &- started }
            var ops = recordChanges(at: time)
            updateTiles(at: time, change: !ops.isEmpty)
            if !recorder.isEmpty { ops += recordChanges(at: time) }
            return ops.isEmpty ? nil : Transaction(time: time, ops: ops)
        }
    }

    /// What the transactions taken since the last call took: layout, display, and collecting the changes; and how long
    /// image files were read meanwhile.
    package func takePhases() -> CommitPhases {
        withLock {
            phases.decode = ImageDecoding.takeNanoseconds()
            defer { phases = CommitPhases() }
            return phases
        }
    }

    /// What is to be called now that everything taken so far is applied: what animations' delegates are told, in the order it
    /// happened, and the completion blocks that are due, in the order of their transactions.
    /// The caller runs them, on the thread or queue that is right for its clock.
    package func takeCompletionBlocks() -> [() -> Void] {
        withLock {
            defer { (takenGates, callbacks) = ([], []) }
            return callbacks + takenGates.flatMap { $0.open() }
        }
    }

    /// Forgets what was sent: the next transaction makes the whole tree again, for a new session with a server.
    package func restart() {
        withLock {
            recorder = TransactionRecorder()
            recorder.noteRootChange()
            root?.forEachInSubtree { recorder.noteArrival(of: $0) }
        }
    }

    /// What the server calls a layer; nil for one that was not committed in this session.
    package func id(of layer: CALayer) -> LayerID? {
        guard layer.hosting.session == recorder.session, layer.hosting.id != .none else { return nil }
        return layer.hosting.id
    }

    // MARK: Faults

    /// The faults since the last call, oldest first.
    package func takeFaults() -> [LayerFault] {
        withLock { faults.take() }
    }

    func record(_ fault: LayerFault) {
        withLock { faults.append(fault) }
    }

    // MARK: What layers report

    /// Called before a layer changes. Returns the thread's transaction, whose settings hold for the change.
    func noteChange(of layer: CALayer) -> ThreadTransactions {
        recorder.noteChange(of: layer)
        return currentTransactionTouches()
    }

    /// Makes this context one of those that the thread's transaction commits.
    func currentTransactionTouches() -> ThreadTransactions {
        let thread = ThreadTransactions.current
        let frame = thread.top
        if frame.touch(self) {
            lastTask.store(currentTask, ordering: .relaxed)
            if frame.isImplicit {
                openFrames.append(frame)
                implicitChangeHandler?()
            }
        }
        return thread
    }

    /// True when another task changed the tree last, and may be changing it now: it is not ours to commit.
    var belongsToAnotherTask: Bool {
        let last = lastTask.load(ordering: .relaxed)
        let current = currentTask
        return last != 0 && current != 0 && last != current
    }

    private var currentTask: Int { withUnsafeCurrentTask { $0?.hashValue ?? 0 } }

    func layerDidMove(_ layer: CALayer) {
        recorder.noteMove(of: layer)
    }

    func subtreeDidJoin(_ layer: CALayer) {
        _ = currentTransactionTouches()
        layer.forEachInSubtree { layer in
            layer.hosting.context = self
            recorder.noteArrival(of: layer)
            if let pending = layer.pendingFaults {
                faults.append(contentsOf: pending)
                layer.pendingFaults = nil
            }
        }
    }

    func subtreeDidLeave(_ layer: CALayer) {
        _ = currentTransactionTouches()
        layer.forEachInSubtree { layer in
            layer.dropAnimations(from: self)
            recorder.noteDeparture(of: layer)
            if layer.hosting.context === self { layer.hosting.context = nil }
        }
    }

    /// The root is about to become a sublayer of another layer, which tells what leaves and joins.
    func rootLayerIsTaken() {
        root = nil
        recorder.noteRootChange()
    }

    func wait(for gate: CompletionGate) {
        waitingGates.append(gate)
    }

    // MARK: Private

    private func recordChanges(at time: Double) -> [TransactionOp] {
        let recorded = recorder.record(for: self, root: root, at: time) { layer, message in
            record(LayerFault(layer: layer.label, key: "commit", message: message))
        }
        animationsWereCommitted(recorded.newAnimations, timingChanged: recorded.timingChanged, at: time)
        return recorded.ops
    }

    private func setRoot(_ new: CALayer?) {
        withLock {
            guard new !== root else { return }
            if let new {
                guard new.modelLayer == nil else {
                    return record(
                        LayerFault(layer: new.label, key: "rootLayer", message: "a presentation copy can't be shown"))
                }
                new.removeFromSuperlayer()
                if let other = new.hosting.context { other.rootLayer = nil }
            }
            if let old = root {
                root = nil
                subtreeDidLeave(old)
            }
            root = new
            recorder.noteRootChange()
            if let new { subtreeDidJoin(new) }
        }
    }

    private var rootNeedsPasses: Bool {
        guard let root else { return false }
        return root.isLayoutDirty || root.hasLayoutDirtyDescendant || root.isDisplayDirty
            || root.hasDisplayDirtyDescendant
    }

    /// Layout passes, then display, until nothing needs either. What never settles is left for the next commit.
    private func settle() {
        var passes = 0
        while let root, rootNeedsPasses {
            guard passes < 16 else {
                let message = "layout and display did not settle in 16 passes; something marks layers in each of them"
                return record(LayerFault(layer: root.label, key: "layout", message: message))
            }
            passes += 1
            let started = MonotonicClock.now
            root.layOutSubtreeOnce()
            let laidOut = MonotonicClock.now
            phases.layout &+= laidOut &- started
            if !root.isLayoutDirty, !root.hasLayoutDirtyDescendant {
                root.displaySubtreeOnce()
                phases.display &+= MonotonicClock.now &- laidOut
            }
        }
    }
}

/// Every context there is, for `CATransaction.flush()`.
final class ContextRegistry: @unchecked Sendable {
    static let shared = ContextRegistry()

    private let lock = NSLock()
    private var entries: [(number: UInt64, context: WeakContext)] = []
    private var lastNumber: UInt64 = 0

    /// In the order they were made.
    var contexts: [LayerContext] { lock.withLock { entries.compactMap(\.context.context) } }

    func nextNumber() -> UInt64 {
        lock.withLock {
            lastNumber += 1
            return lastNumber
        }
    }

    func add(_ context: LayerContext) {
        lock.withLock { entries.append((context.number, WeakContext(context: context))) }
    }

    func remove(_ number: UInt64) {
        lock.withLock { entries.removeAll { $0.number == number } }
    }
}
