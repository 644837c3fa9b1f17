// From committed layers to a frame's plan, without driver and socket: what a frame costs before anything is drawn. The
// layers are of every kind that plans differently: a group in a group, plain and rounded rectangles, pictures; a part of
// the groups fades as one. All lie on the screen.

import CoreAnimation
import LayerModel
import LayerRender
import Quartz2D

struct BenchPlan {
    /// What a plan of 10,000 layers may take, milliseconds.
    private static let limit = 5.0
    /// What it may take where one of them changed, milliseconds.
    private static let oneLimit = 0.3
    /// An unchanged frame's plan is the last one: milliseconds.
    private static let unchangedLimit = 0.1
    private static let counts = [1_000, 10_000, 40_000]
    private static let rounds = 31

    private struct Row {
        var layers: Int
        var quads: Int
        var passes: Int
        /// The first plan ever: coverage is rasterized, memory grows. Milliseconds, as all below.
        var first: Double
        /// Every layer shows something else; the masks are there.
        var all: Sample
        /// One layer moved.
        var one: Sample
        var unchanged: Double

        var nanosecondsPerLayer: Double { all.best * 1e6 / Double(layers) }
    }

    private struct Sample {
        var median: Double
        /// The least disturbed: the work is the same each time, what comes on top is the machine's.
        var best: Double

        init(_ times: [Double]) {
            median = times.median
            best = times.min() ?? 0
        }
    }

    static func measure() throws -> BenchReport {
        let rows = try counts.map(measure)
        let linearity = rows[2].nanosecondsPerLayer / rows[0].nanosecondsPerLayer
        let holds =
            rows[1].all.best <= limit && rows[1].one.best <= oneLimit
            && rows.allSatisfy { $0.unchanged <= unchangedLimit }
        var text = "plan: layers to plan, nothing drawn; processor time of one thread\n"
        for row in rows {
            text += "  \(row.layers) layers, \(row.quads) quads in \(row.passes) passes: first "
            text += "\(row.first.rounded(to: 2)) ms\n"
            text += "    all changed \(row.all.median.rounded(to: 2)), at best \(row.all.best.rounded(to: 2)) ms "
            text += "(\(row.nanosecondsPerLayer.rounded(to: 0)) ns a layer); one changed "
            text += "\(row.one.median.rounded(to: 3)), at best \(row.one.best.rounded(to: 3)) ms; unchanged "
            text += "\((row.unchanged * 1e3).rounded(to: 2)) µs\n"
        }
        text +=
            "  a layer of 40,000 costs \(linearity.rounded(to: 2)) times one of 1,000; 10,000 must take \(limit) ms at most, "
        text += "one of them \(oneLimit) ms, when undisturbed\(holds ? "" : "  TOO SLOW")\n"
        let json = JSONText.object([
            ("bench", .string("plan")),
            (
                "rows",
                .array(
                    rows.map { row in
                        .object([
                            ("layers", .integer(row.layers)), ("quads", .integer(row.quads)),
                            ("passes", .integer(row.passes)), ("first_ms", .number(row.first)),
                            ("all_ms", .number(row.all.median)), ("all_best_ms", .number(row.all.best)),
                            ("one_ms", .number(row.one.median)), ("one_best_ms", .number(row.one.best)),
                            ("unchanged_ms", .number(row.unchanged)),
                        ])
                    })
            ),
            ("linearity", .number(linearity)), ("holds", .bool(holds)),
        ])
        return BenchReport(text: text, json: json, holds: holds)
    }

    private static func measure(_ count: Int) throws -> Row {
        let scene = try Scene(count)
        let context = LayerContext()
        context.displayIsFlipped = true
        context.rootLayer = scene.root
        var store = LayerStore()
        var planner = FramePlanner(session: 1)
        let coverage = CoverageCache()
        let display = DisplayGeometry(
            size: PixelSize(width: BenchScene.width, height: BenchScene.height), scale: 1, isFlipped: true,
            background: .clear)
        var time = 0.0
        // As in the server nobody holds a plan when the next one is made.
        var drawn = (quads: 0, passes: 0)

        func commit() throws {
            if let transaction = context.takeTransaction(time: time) { try store.apply(transaction) }
        }
        func next() -> Double {
            time += 1 / 60
            defer { store.beginChanges() }
            return BenchClock.threadMilliseconds {
                let passes = planner.plan(store, at: time, on: display, coverage: coverage).plan.passes
                drawn = (passes.reduce(0) { $0 + $1.quadCount }, passes.count)
            }
        }
        try commit()
        let first = next()
        // The plans after it draw only what changed.
        let (quads, passes) = drawn
        func change(_ body: () -> Void) throws -> Double {
            CATransaction.begin()
            CATransaction.setDisableActions(true)
            body()
            CATransaction.commit()
            try commit()
            return next()
        }
        var all: [Double] = []
        var one: [Double] = []
        var unchanged: [Double] = []
        for round in 0..<rounds { all.append(try change { scene.changeAll(round) }) }
        for round in 0..<rounds {
            one.append(try change { scene.moving.position.x += round % 2 == 0 ? 1 : -1 })
            unchanged.append(next())
        }
        return Row(
            layers: store.layerCount, quads: quads, passes: passes, first: first, all: Sample(all), one: Sample(one),
            unchanged: unchanged.median)
    }

    /// Groups of ten layers in cells of a grid.
    private struct Scene {
        let root = CALayer()
        /// A rectangle in the middle of the tree.
        let moving: CALayer
        private var solids: [CALayer] = []
        private var images: [CALayer] = []
        private let pictures: [CGImage]

        init(_ count: Int) throws {
            let (width, height) = (Double(BenchScene.width), Double(BenchScene.height))
            root.bounds = CGRect(x: 0, y: 0, width: width, height: height)
            root.position = CGPoint(x: width / 2, y: height / 2)
            pictures = try (1...4).map { try BenchPictures.waves(8 * $0, 8 * $0, scale: 0.1) { _ in 255 } }
            let groups = count / 10
            let columns = Int((Double(groups) * 16 / 9).squareRoot().rounded(.up))
            let rows = (groups + columns - 1) / columns
            let cell = (width: (width / Double(columns)).rounded(.down), height: (height / Double(rows)).rounded(.down))
            var middle = CALayer()
            for index in 0..<groups {
                let group = Self.group(index, cell.width, cell.height, pictures)
                for layer in group.sublayers ?? [] {
                    if let inner = layer.sublayers { images += inner } else { solids.append(layer) }
                }
                group.position = CGPoint(
                    x: Double(index % columns) * cell.width, y: Double(index / columns) * cell.height)
                root.addSublayer(group)
                if index == groups / 2, let solid = group.sublayers?.first { middle = solid }
            }
            moving = middle
        }

        /// Another color, or another picture, for each layer that draws.
        func changeAll(_ round: Int) {
            let shade = Double(round % 8) / 8
            for (index, layer) in solids.enumerated() {
                layer.backgroundColor = CGColor(
                    red: shade, green: Double(index % 6) / 6, blue: 0.5, alpha: index % 2 == 0 ? 1 : 0.7)
            }
            for (index, layer) in images.enumerated() { layer.contents = pictures[(index + round) % pictures.count] }
        }

        /// A group with three rectangles, three rounded ones and, in a group of their own, two pictures.
        private static func group(_ index: Int, _ width: Double, _ height: Double, _ pictures: [CGImage]) -> CALayer {
            let group = CALayer()
            group.anchorPoint = .zero
            group.bounds = CGRect(x: 0, y: 0, width: width, height: height)
            if index % 8 == 0 { group.opacity = 0.5 }
            let (column, row) = ((width / 4).rounded(.down), (height / 3).rounded(.down))
            for part in 0..<6 {
                let layer = CALayer()
                layer.frame = CGRect(
                    x: Double(part % 3) * column, y: Double(part / 3) * row, width: max(column - 1, 1),
                    height: max(row - 1, 1))
                layer.backgroundColor = CGColor(
                    red: Double(index % 7) / 7, green: Double(part) / 6, blue: 0.5, alpha: part % 2 == 0 ? 1 : 0.7)
                if part >= 3 { layer.cornerRadius = Double(2 + index % 3) }
                group.addSublayer(layer)
            }
            let inner = CALayer()
            inner.frame = CGRect(x: 0, y: 2 * row, width: width, height: row)
            for part in 0..<2 {
                let layer = CALayer()
                layer.contents = pictures[(index + part) % pictures.count]
                layer.frame = CGRect(x: Double(part) * column, y: 0, width: column, height: row)
                inner.addSublayer(layer)
            }
            group.addSublayer(inner)
            return group
        }
    }
}
