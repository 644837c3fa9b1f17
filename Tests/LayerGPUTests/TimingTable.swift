import Glibc
import LayerModel
import LayerRender
import Testing

@testable import LayerGPU

extension LayerGPUTests {
    /// What each program costs for a frame of 1920x1080. Not a test: it prints a table, when ROSTRUM_TIMINGS is "all" or part of a row's name.
    @Suite("Timings", .enabled(if: getenv("ROSTRUM_TIMINGS") != nil)) struct Timings {}
}

extension LayerGPUTests.Timings {
    static let size = PixelSize(width: 1920, height: 1080)
    static let all = PixelRect(x: 0, y: 0, width: 1920, height: 1080)

    /// A bench whose plans have an image, and slots 1 and 2 that hold pictures of the root's size.
    struct Table {
        let bench: Bench
        let image: ImageKey
        var plan: FramePlan

        init() throws {
            bench = try Bench(size.width, size.height)
            image = try bench.define(1, Picture.random(size.width, size.height, seed: 1))
            plan = try LayerGPUTests.Masks.plan(
                bench,
                holding: [
                    Picture.random(size.width, size.height, seed: 2), Picture.random(size.width, size.height, seed: 3),
                ])
            let tile = Coverage(page: 0, x: 0, y: 0, width: 1024, height: 1024)
            plan.uploads = [tile.upload]
            plan.vertices = quad(
                all, .white * 0.9, image: { x, y in (x / 1920, y / 1080) }, tile: { x, y in (x / 1920, y / 1080) })
        }

        /// Prints the least time of a few rounds, and the first round's, which compiles. The processors' time, a half of
        /// it on each of two: on a shared machine it says more than the clock on the wall.
        func time(_ name: String, _ drawn: DrawBatch, rounds: Int = 3) throws {
            let wanted = getenv("ROSTRUM_TIMINGS").map { String(cString: $0) } ?? ""
            guard wanted == "all" || name.contains(wanted) else { return }
            var plan = plan
            let pass = bench.pass([drawn], load: .clear(color(0.2, 0.4, 0.6, 1)))
            func spent(_ passes: Int) throws -> Double {
                plan.passes = self.plan.passes + [RenderPass](repeating: pass, count: passes)
                let start = nanoseconds(CLOCK_PROCESS_CPUTIME_ID)
                _ = try bench.executor.execute(plan, into: bench.root, timing: .synchronous)
                return Double(nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - start) / 2e6
            }
            let first = try spent(1)
            // Without what the plan does before the pass.
            let times = try (0..<rounds).map { _ in try spent(2) - spent(1) }
            func text(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
            print("timing | \(name) | \(text(times.sorted()[rounds / 2])) | first \(text(first))")
        }
    }

    @Test("Products, masks and operators")
    func products() throws {
        let table = try Table()
        let here = PixelPoint(x: 0, y: 0)
        func masked(_ drawn: DrawBatch) -> DrawBatch {
            var drawn = drawn
            drawn.mask = AlignedSlot(slot: 2, offset: here)
            return drawn
        }
        try table.time("solid", batch(.solid))
        try table.time("covered image", batch(.coveredImage, .slot(1), coverage: 0))
        try table.time("covered image, no tile", batch(.coveredImage, .slot(1)))
        try table.time("covered image, no image", batch(.coveredImage, coverage: 0))
        try table.time("covered alpha", batch(.coveredAlpha, .slot(1), coverage: 0))
        try table.time("precise image", batch(.preciseImage, .slot(1), coverage: 0))
        try table.time("covered image, mask", masked(batch(.coveredImage, .slot(1), coverage: 0)))
        try table.time("covered image, mask, no tile", masked(batch(.coveredImage, .slot(1))))
        try table.time("mask alone", masked(batch(.coveredImage)))
        for blend in [DrawBlend.sourceIn, .sourceAtop, .plusLighter, .screen, .xor] {
            try table.time("image, \(blend)", batch(.image, .slot(1), blend: blend))
        }
    }

    @Test("Modes over a backdrop")
    func modes() throws {
        let table = try Table()
        func composite(_ operation: DrawComposite.Operation) -> DrawBatch {
            var drawn = batch(.coveredImage, .slot(1), blend: .copy)
            drawn.composite = DrawComposite(operation, backdrop: AlignedSlot(slot: 2, offset: PixelPoint(x: 0, y: 0)))
            return drawn
        }
        try table.time("covered image, copied", batch(.coveredImage, .slot(1), blend: .copy))
        try table.time("replace", composite(.replace))
        for mode in [CompositingMode.normal, .sourceIn, .multiply, .overlay, .colorDodge, .softLight, .hue] {
            try table.time("\(mode)", composite(.mode(mode)))
        }
    }

    @Test("Effects")
    func effects() throws {
        let table = try Table()
        func effect(_ kind: DrawEffect.Kind, _ edges: DrawEffect.Edges = .transparent, scale: Float = 1) -> DrawBatch {
            var drawn = batch(.effect, .slot(1), blend: .copy)
            drawn.effect = DrawEffect(
                kind, source: Self.all, edges: edges, scaleX: scale, scaleY: scale)
            return drawn
        }
        for edges in [DrawEffect.Edges.transparent, .nearest, .normalized] {
            for count in [2, 4, 8, 16, 32] {
                let weights = [Float](repeating: 1 / Float(count * 2 - 1), count: count)
                try table.time("across, \(count), \(edges)", effect(.taps(stepX: 1, stepY: 0, weights: weights), edges))
                if count == 8 {
                    try table.time(
                        "down, \(count), \(edges)", effect(.taps(stepX: 0, stepY: 1, weights: weights), edges))
                    try table.time(
                        "across by 1.5, \(count), \(edges)",
                        effect(.taps(stepX: 1.5, stepY: 0, weights: weights), edges))
                }
            }
        }
        let identity: [Float] = [1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0]
        try table.time("resample, whole", effect(.resample))
        try table.time("resample, doubled", effect(.resample, scale: 0.5))
        try table.time("average of 2x2", effect(.average(width: 2, height: 2), scale: 0.5))
        try table.time("average of 8x8", effect(.average(width: 8, height: 8), scale: 0.5))
        try table.time("color matrix", effect(.colorMatrix(identity)))
        try table.time("alpha threshold", effect(.alphaThreshold(0.5)))
        try table.time(
            "variable, 15",
            effect(
                .variableTaps(
                    stepX: 1, stepY: 0, sigma: 5, mask: table.image,
                    map: DrawEffect.PlaneMap(xx: 0.01, xy: 0, x0: 0, yx: 0, yy: 0.01, y0: 0))))
    }
}
