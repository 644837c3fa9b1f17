// Whether the times of passes can be believed: their sum against the time from the first bind to the last fence, by the
// driver's queries and by waiting for each pass. Of short frames nothing is demanded: there the waiting itself counts.

import CoreAnimation
import LayerGPU
import LayerModel
import LayerRender
import Quartz2D
import RenderServer

struct BenchPasses {
    /// Frames of this length and longer must add up, milliseconds.
    private static let longEnough = 10.0
    /// How far the sum may be from the whole, a part of it.
    private static let tolerance = 0.15
    private static let rounds = 7

    private struct Row {
        var name: String
        var passes: Int
        /// Milliseconds of a frame, the middle of the rounds.
        var frame: Double
        /// Of its passes; nil where one of them is not known.
        var sum: Double?

        var ratio: Double? { sum.map { $0 / frame } }

        var holds: Bool {
            guard frame >= BenchPasses.longEnough, let ratio else { return true }
            return abs(ratio - 1) <= BenchPasses.tolerance
        }
    }

    static func measure(_ device: DeviceChoice) throws -> BenchReport {
        let executor = try PassExecutor(GraphicsDevice.open(device))
        let plan = try plan(executor.device.info.maxTextureSize)
        let root = try executor.makeRootTarget(size: plan.size)
        let rows = [
            try measure("queries", .queries, plan, executor, root),
            try measure("sync-passes", .synchronous, plan, executor, root),
        ]
        let holds = rows.allSatisfy(\.holds)
        var text = "passes: the sum of the passes against the frame, \(executor.device.info.renderer)\n"
        for row in rows {
            text += "  \(row.name): \(row.passes) passes, frame \(row.frame.rounded(to: 2)) ms, passes "
            text += row.sum.map { "\($0.rounded(to: 2)) ms" } ?? "unknown"
            text += row.ratio.map { ", \(($0 * 100).rounded(to: 1)) %" } ?? ""
            text += row.holds ? "\n" : "  DON'T ADD UP\n"
        }
        text += "  frames of \(Int(longEnough)) ms and more must add up within \(Int(tolerance * 100)) %\n"
        let json = JSONText.object([
            ("bench", .string("passes")), ("renderer", .string(executor.device.info.renderer)),
            (
                "rows",
                .array(
                    rows.map { row in
                        .object([
                            ("timing", .string(row.name)), ("passes", .integer(row.passes)),
                            ("frame_ms", .number(row.frame)), ("passes_ms", row.sum.map { .number($0) } ?? .null),
                            ("holds", .bool(row.holds)),
                        ])
                    })
            ), ("holds", .bool(holds)),
        ])
        return BenchReport(text: text, json: json, holds: holds)
    }

    private static func measure(
        _ name: String, _ timing: TimingMode, _ plan: FramePlan, _ executor: PassExecutor, _ root: RootTarget
    ) throws -> Row {
        var plan = plan
        _ = try executor.execute(plan, into: root, timing: timing)
        plan.uploads = []
        var frames: [(frame: Double, sum: Double?)] = []
        for _ in 0..<rounds {
            var rows: [PassTiming] = []
            let frame = try BenchClock.milliseconds { rows = try executor.execute(plan, into: root, timing: timing) }
            let times = rows.map(\.gpuNanoseconds)
            let sum = times.contains(nil) ? nil : Double(times.compactMap { $0 }.reduce(0, +)) / 1e6
            frames.append((frame, sum))
        }
        let middle = frames.sorted { $0.frame < $1.frame }[rounds / 2]
        return Row(name: name, passes: plan.passes.count, frame: middle.frame, sum: middle.sum)
    }

    /// What the panels of the frame ask for: each takes passes of another kind.
    private static let effects: [@Sendable (CALayer) -> Void] = [
        { $0.opacity = 0.6 },
        {
            $0.cornerRadius = 40
            $0.masksToBounds = true
        },
        { $0.shadowOpacity = 0.5 },
        { $0.filters = [CAFilter(type: "gaussianBlur")] },
        { panel in
            // Two drawings: no clip could stand for it.
            let (mask, hole) = (CALayer(), CALayer())
            mask.frame = panel.bounds
            mask.cornerRadius = 60
            mask.backgroundColor = CGColor(red: 0, green: 0, blue: 0, alpha: 0.5)
            hole.frame = CGRect(x: 100, y: 100, width: 200, height: 250)
            hole.backgroundColor = CGColor(red: 0, green: 0, blue: 0, alpha: 1)
            mask.addSublayer(hole)
            panel.mask = mask
        },
        {
            $0.backgroundColor = CGColor(red: 1, green: 1, blue: 1, alpha: 0.3)
            $0.backgroundFilters = [CAFilter(type: "gaussianBlur"), CAFilter(type: "colorSaturate")]
        },
        { $0.compositingFilter = "luminosityBlendMode" },
        { $0.filters = [CAFilter(type: "pixellate"), CAFilter(type: "dropShadow")] },
    ]

    /// A frame of many kinds of passes: groups, rounded clips, silhouettes of shadows, blurs, masks, and what copies the
    /// pixels below it: a backdrop and a blend mode.
    private static func plan(_ textureSide: Int) throws -> FramePlan {
        let (width, height) = (Double(BenchScene.width), Double(BenchScene.height))
        let root = CALayer()
        root.bounds = CGRect(x: 0, y: 0, width: width, height: height)
        root.position = CGPoint(x: width / 2, y: height / 2)
        root.backgroundColor = BenchScene.ground.cgColor
        for index in effects.indices {
            let panel = CALayer()
            panel.frame = CGRect(
                x: Double(index % 4) * 470 + 20, y: Double(index / 4) * 530 + 20, width: 430, height: 480)
            panel.backgroundColor = CGColor(red: 0.3, green: Double(index) / 8, blue: 0.6, alpha: 1)
            let inner = CALayer()
            inner.frame = CGRect(x: -10, y: 60, width: 300, height: 300)
            inner.backgroundColor = CGColor(red: 0.9, green: 0.7, blue: Double(index) / 8, alpha: 0.8)
            panel.addSublayer(inner)
            effects[index](panel)
            root.addSublayer(panel)
        }
        let context = LayerContext()
        context.displayIsFlipped = true
        context.rootLayer = root
        var store = LayerStore()
        if let transaction = context.takeTransaction(time: 0) { try store.apply(transaction) }
        // Pixels that are kept from frame to frame would not be drawn again.
        var planner = FramePlanner(session: 1, switches: Switches.all.subtracting([.sprites, .damage]))
        planner.limits.textureSide = textureSide
        let display = DisplayGeometry(
            size: PixelSize(width: BenchScene.width, height: BenchScene.height), scale: 1, isFlipped: true,
            background: .white)
        return planner.plan(store, at: 0, on: display, coverage: CoverageCache()).plan
    }
}
