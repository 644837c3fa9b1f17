import LayerModel
import Testing

@testable import LayerRender

// Semantic reference, §6.8.
@Suite("Emitters in a plan")
struct EmitterPlanTests {
    private let emitter = LayerID(2)

    private func image(_ side: Int) -> ImageContent {
        ImageContent(
            width: side, height: side, bytesPerRow: side * 4, isOpaque: true,
            pixels: PixelStorage([UInt8](repeating: 255, count: side * side * 4)))
    }

    private func cell(rate: Double, lifetime: Double) -> EmitterCell {
        var cell = EmitterCell()
        cell.birthRate = rate
        cell.lifetime = EmitterRange(lifetime)
        cell.contents = ImageID(1)
        return cell
    }

    /// A root of 100 by 100 points with an emitter of the same size, its emitter at (20, 30); and what else is said.
    private func store(_ cells: [EmitterCell], _ more: [TransactionOp] = []) throws -> LayerStore {
        var store = LayerStore()
        try store.apply(
            Transaction(
                time: 0,
                ops: [
                    .createLayer(LayerID(1), .layer), .createLayer(emitter, .emitterLayer),
                    .set(LayerID(1), .bounds, .rect(Rect(0, 0, 100, 100))),
                    .set(LayerID(1), .position, .point(Point(50, 50))),
                    .set(emitter, .bounds, .rect(Rect(0, 0, 100, 100))),
                    .set(emitter, .position, .point(Point(50, 50))),
                    .set(emitter, .emitterPosition, .point(Point(20, 30))),
                    .setSublayers(LayerID(1), [emitter]), .setRoot(LayerID(1)), .defineImage(ImageID(1), image(4)),
                    .set(emitter, .emitterCells, .cells(cells)),
                ] + more))
        return store
    }

    private let display = DisplayGeometry(size: PixelSize(width: 100, height: 100))

    private func plan(_ store: inout LayerStore, at time: Double) -> FramePlan {
        store.present(at: time)
        var planner = FramePlanner(session: 1)
        return planner.plan(store, at: time, on: display, coverage: CoverageCache()).plan
    }

    private func vertices(_ plan: FramePlan, of batch: DrawBatch) -> ArraySlice<PlanVertex> {
        guard case .quads(_, let first, let count) = batch.kind else { return [] }
        return plan.vertices[first..<first + 6 * count]
    }

    private func batches(_ plan: FramePlan) -> [DrawBatch] { plan.passes.flatMap(\.batches) }

    @Test("A particle is its picture around its place, in points of the picture")
    func place() throws {
        var still = cell(rate: 1, lifetime: 10)
        still.contentsScale = 2
        still.scale = EmitterRange(3)
        var store = try self.store([still])
        let plan = self.plan(&store, at: 1.5)
        let drawn = batches(plan)
        #expect(drawn.count == 1)
        guard let batch = drawn.first else { return }
        #expect(batch.blend == .sourceOver)
        let corners = vertices(plan, of: batch)
        #expect(corners.count == 6)
        // 4 pixels, 2 a point, 3 times as large: 6 points.
        #expect(corners.map(\.x) == [17, 23, 17, 17, 23, 23])
        #expect(corners.map(\.y) == [27, 27, 33, 33, 27, 33])
        #expect(corners.map(\.v) == [0, 0, 1, 1, 0, 1])
    }

    @Test("Additive particles are added to what is below")
    func additive() throws {
        var store = try self.store(
            [cell(rate: 4, lifetime: 1)],
            [.set(emitter, .renderMode, .code(EmitterRenderMode.additive.rawValue))])
        let drawn = batches(plan(&store, at: 2))
        #expect(drawn.map(\.blend) == [.plusLighter])
    }

    @Test("Particles of one picture are one batch")
    func batching() throws {
        var wide = cell(rate: 100, lifetime: 1)
        wide.velocity = EmitterRange(30, 20)
        wide.emissionRange = 6
        var store = try self.store([wide, wide])
        let plan = self.plan(&store, at: 0.5)
        #expect(batches(plan).count == 1)
        #expect(batches(plan).map { vertices(plan, of: $0).count } == [100 * 6])
    }

    @Test("A clip to the bounds cuts particles; without one they go on")
    func clipped() throws {
        var large = cell(rate: 1, lifetime: 10)
        large.scale = EmitterRange(5)
        let small: [TransactionOp] = [
            .set(emitter, .bounds, .rect(Rect(0, 0, 24, 100))), .set(emitter, .position, .point(Point(12, 50))),
        ]
        var free = try store([large], small)
        let whole = plan(&free, at: 1.5)
        #expect(whole.vertices.map(\.x).max() == 30)
        var clipping = try store([large], small + [.set(emitter, .masksToBounds, .bool(true))])
        let cut = plan(&clipping, at: 1.5)
        #expect(cut.vertices.map(\.x).max() == 24)
        #expect(cut.vertices.map(\.x).min() == 10)
        // The picture is cut, not squeezed: 14 of its 20 points.
        #expect(cut.vertices.map(\.u).max().map { abs($0 - 0.7) < 1e-5 } == true)
    }

    @Test("Opacity fades all particles as one group")
    func groupOpacity() throws {
        var store = try self.store([cell(rate: 10, lifetime: 1)], [.set(emitter, .opacity, .number(0.5))])
        let plan = self.plan(&store, at: 2)
        #expect(plan.passes.map(\.reason) == [.groupOpacity, .root])
    }

    @Test(
        "A frame that is jumped to has the particles of one that was stepped to, with commits and animations on the way"
    )
    func jumps() throws {
        var moving = cell(rate: 50, lifetime: 0.8)
        moving.velocity = EmitterRange(20, 10)
        moving.emissionRange = 1
        func run(at times: [Double]) throws -> FramePlan {
            var store = try self.store([moving])
            let ends = MotionEnds(from: .point(Point(10, 10)), to: .point(Point(90, 90)))
            let animation = AnimationDescription(
                .property(PropertyAnimation(.property(.emitterPosition), .basic(ends))),
                timing: AnimationTiming(beginTime: 0.25, duration: 1), curve: .linear)
            var commits: [(time: Double, ops: [TransactionOp])] = [
                (0.25, [.addAnimation(emitter, AnimationID(1), key: "a", animation)]),
                (0.7, [.set(emitter, .birthRate, .number(2))]),
                (1.5, [.set(emitter, .birthRate, .number(0))]),
            ]
            var planner = FramePlanner(session: 1)
            let coverage = CoverageCache()
            var last: FramePlan?
            for time in times {
                while let commit = commits.first, commit.time <= time {
                    try store.apply(Transaction(time: commit.time, ops: commit.ops))
                    commits.removeFirst()
                }
                store.present(at: time)
                last = planner.plan(store, at: time, on: display, coverage: coverage).plan
                store.beginChanges()
            }
            return try #require(last)
        }
        for end in [0.5, 1.0, 1.45, 1.8] {
            let jumped = try run(at: [end])
            let stepped = try run(at: (0..<Int(end * 60)).map { Double($0) / 60 } + [end])
            let isSame = jumped.vertices == stepped.vertices
            #expect(isSame, "at \(end): \(jumped.vertices.count) and \(stepped.vertices.count) vertices")
            #expect(jumped.vertices.count > 60)
        }
    }

    @Test("An emitter whose last particle is gone shows the same frame again")
    func quiet() throws {
        var store = try self.store([cell(rate: 10, lifetime: 0.5)])
        try store.apply(Transaction(time: 1, ops: [.set(emitter, .birthRate, .number(0))]))
        var planner = FramePlanner(session: 1)
        let coverage = CoverageCache()
        func isUnchanged(_ time: Double) -> Bool {
            store.present(at: time)
            defer { store.beginChanges() }
            return planner.plan(store, at: time, on: display, coverage: coverage).isUnchanged
        }
        _ = isUnchanged(1.2)
        #expect(!isUnchanged(1.4))
        _ = isUnchanged(1.7)
        #expect(isUnchanged(1.8))
    }

    @Test("Pictures of cells are used by the layer: unknown ones are refused, and let go of with the cells")
    func images() throws {
        var unknown = cell(rate: 1, lifetime: 1)
        unknown.contents = ImageID(7)
        #expect(throws: TransactionError.self) { _ = try self.store([unknown]) }
        var store = try self.store([cell(rate: 1, lifetime: 1)])
        try store.apply(Transaction(time: 1, ops: [.releaseImage(ImageID(1))]))
        #expect(store.takeForgottenImages().isEmpty)
        try store.apply(Transaction(time: 2, ops: [.set(emitter, .emitterCells, .cells([]))]))
        #expect(store.takeForgottenImages() == [ImageID(1)])
    }

    @Test("Too many cells, and cells too deep in one another, are refused")
    func limits() throws {
        let one = cell(rate: 1, lifetime: 1)
        #expect(throws: TransactionError.self) {
            _ = try self.store([EmitterCell](repeating: one, count: EmitterCell.most + 1))
        }
        var deep = one
        for _ in 0..<EmitterCell.deepest {
            var outer = one
            outer.cells = [deep]
            deep = outer
        }
        #expect(throws: TransactionError.self) { _ = try self.store([deep]) }
    }
}
