import CoreAnimation
import LayerModel

/// A display without a server: commits a context's transactions and goes through its events, as a display with a manual clock
/// does.
final class ManualClock: @unchecked Sendable {
    let context = LayerContext()
    let root = CALayer()
    private(set) var time = 0.0
    /// Every op that was sent, in order.
    private(set) var ops: [TransactionOp] = []

    /// - Parameter start: The clock at the first commit.
    init(start: Double = 0) {
        time = start
        context.rootLayer = root
        context.clock = { [unowned self] in time }
        context.commitHandler = { [unowned self] _ in send() }
        CATransaction.flush()
        send()
        _ = context.takeCompletionBlocks()
        ops = []
    }

    deinit { context.commitHandler = nil }

    private func send() {
        if let transaction = context.takeTransaction(time: time) { ops += transaction.ops }
    }

    /// The ops since the last call.
    func takeOps() -> [TransactionOp] {
        send()
        defer { ops = [] }
        return ops
    }

    func go(to target: Double) {
        while true {
            send()
            guard let next = context.nextEventTime, next <= target else { break }
            time = max(time, next)
            context.runEvents(at: time)
            for block in context.takeCompletionBlocks() { block() }
        }
        time = target
        context.displayAnimatedKeys()
        send()
    }

    /// A committed sublayer of the root.
    func addLayer(name: String? = nil) -> CALayer {
        let layer = CALayer()
        layer.name = name
        root.addSublayer(layer)
        _ = takeOps()
        return layer
    }
}

/// Changes that imply no animation.
func withoutActions(_ body: () -> Void) {
    CATransaction.begin()
    CATransaction.setDisableActions(true)
    body()
    CATransaction.commit()
}

/// Notes when it hears of the begin and the end, with the clock's time.
final class AnimationJournal: CAAnimationDelegate {
    let name: String
    let journal: Journal
    let clock: () -> Double

    init(_ name: String, _ journal: Journal, _ clock: @escaping () -> Double) {
        self.name = name
        self.journal = journal
        self.clock = clock
    }

    func animationDidStart(_ anim: CAAnimation) { journal.note("\(name) start \(clock())") }
    func animationDidStop(_ anim: CAAnimation, finished flag: Bool) { journal.note("\(name) stop \(flag) \(clock())") }
}

/// From 0 to 100 along x.
func slide(_ duration: Double = 1, begin: Double = 0) -> CABasicAnimation {
    let animation = CABasicAnimation(keyPath: "position.x")
    animation.fromValue = 0
    animation.toValue = 100
    animation.duration = duration
    animation.beginTime = begin
    return animation
}

extension [TransactionOp] {
    var addedAnimations: [(key: String, description: AnimationDescription)] {
        compactMap { if case .addAnimation(_, _, let key, let description) = $0 { (key, description) } else { nil } }
    }

    var removedAnimations: [AnimationID] {
        compactMap { if case .removeAnimation(_, let id) = $0 { id } else { nil } }
    }
}
