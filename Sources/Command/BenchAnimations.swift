// Sampling running animations, without driver and socket: what a frame costs before its plan is made. A third of the layers
// each fades, moves, and turns; then one of as many layers turns, while all others rest: that one is planned, too.

import LayerModel
import LayerRender

struct BenchAnimations {
    private static let count = 10_000
    /// What sampling 10,000 running animations may take, milliseconds.
    private static let limit = 3.0
    /// What sampling one of 10,000 layers and planning the frame may take, milliseconds.
    private static let oneLimit = 0.3
    private static let rounds = 61

    static func measure() throws -> BenchReport {
        let all = try times(animating: { _ in true })
        let one = try times(animating: { $0 == count / 2 }, planned: true)
        let resting = try times(animating: { _ in true }, paused: true)
        let holds = all.min()! <= limit && one.min()! <= oneLimit
        let text = """
            animations: \(count) layers, values sampled, nothing planned; processor time of one thread
              all running: \(all.median.rounded(to: 2)) ms a frame, at best \(all.min()!.rounded(to: 2)) ms \
            (\((all.min()! * 1e6 / Double(count)).rounded(to: 0)) ns each)
              all paused: \(resting.median.rounded(to: 2)) ms
              one running, the others without: sampled and planned in \(one.median.rounded(to: 3)) ms, at best \
            \(one.min()!.rounded(to: 3)) ms
              all must take \(limit) ms at most, one \(oneLimit) ms, when undisturbed\(holds ? "" : "  TOO SLOW")

            """
        let json = JSONText.object([
            ("bench", .string("animations")), ("layers", .integer(count)), ("all_ms", .number(all.median)),
            ("all_best_ms", .number(all.min()!)), ("paused_ms", .number(resting.median)),
            ("one_ms", .number(one.median)), ("one_best_ms", .number(one.min()!)),
            ("holds", .bool(holds)),
        ])
        return BenchReport(text: text, json: json, holds: holds)
    }

    private static func times(animating: (Int) -> Bool, paused: Bool = false, planned: Bool = false)
        throws -> [Double]
    {
        var store = LayerStore()
        try store.apply(Transaction(time: 0, ops: layers()))
        var ops: [TransactionOp] = []
        for index in 0..<count where animating(index) {
            let layer = LayerID(UInt32(index + 2))
            ops.append(.addAnimation(layer, AnimationID(1), key: "a", animation(index)))
        }
        if paused { ops.append(.set(LayerID(1), .speed, .number(0))) }
        try store.apply(Transaction(time: 0, ops: ops))
        store.present(at: 0)
        var planner = FramePlanner(session: 1)
        let coverage = CoverageCache()
        let display = DisplayGeometry(
            size: PixelSize(width: BenchScene.width, height: BenchScene.height), scale: 1, isFlipped: true,
            background: .clear)
        return (0...rounds).map { round in
            let time = Double(round) / 60
            let spent = BenchClock.threadMilliseconds {
                store.present(at: time)
                if planned { _ = planner.plan(store, at: time, on: display, coverage: coverage) }
            }
            store.beginChanges()
            return spent
        }.suffix(rounds)
    }

    private static func layers() -> [TransactionOp] {
        var ops: [TransactionOp] = [
            .createLayer(LayerID(1), .layer), .set(LayerID(1), .bounds, .rect(Rect(0, 0, 1_920, 1_080))),
            .set(LayerID(1), .anchorPoint, .point(.zero)),
        ]
        var list: [LayerID] = []
        for index in 0..<count {
            let layer = LayerID(UInt32(index + 2))
            list.append(layer)
            ops.append(.createLayer(layer, .layer))
            ops.append(.set(layer, .bounds, .rect(Rect(0, 0, 16, 9))))
            ops.append(.set(layer, .position, .point(Point(Double(index % 120) * 16, Double(index / 120) * 9))))
            ops.append(.set(layer, .backgroundColor, .color(Color(0.2, 0.4, 0.6))))
        }
        return ops + [.setSublayers(LayerID(1), list), .setRoot(LayerID(1))]
    }

    private static func animation(_ index: Int) -> AnimationDescription {
        let ends: (AnimationTarget, MotionEnds) =
            switch index % 3 {
            case 0: (.property(.opacity), MotionEnds(from: .number(0.2), to: .number(1)))
            case 1: (.property(.position), MotionEnds(from: .point(.zero), to: .point(Point(1_900, 1_000))))
            default: (.component(.transform, .rotationZ), MotionEnds(from: .number(0), to: .number(6)))
            }
        var timing = AnimationTiming(duration: 4)
        timing.repeatCount = .infinity
        timing.autoreverses = true
        return AnimationDescription(
            .property(PropertyAnimation(ends.0, .basic(ends.1))), timing: timing, curve: .easeInEaseOut)
    }
}
