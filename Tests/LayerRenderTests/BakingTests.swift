// What is carried about while it stays the same is drawn once. Plans only: nothing is drawn here.

import LayerModel
import Testing

@testable import LayerRender

@Suite("Baking plans")
struct BakingTests {
    /// A list of shadowed cards that scrolls, 480x270.
    private struct List {
        var store = LayerStore()
        var planner = FramePlanner(session: 1)
        let coverage = CoverageCache()
        let display = DisplayGeometry(size: PixelSize(width: 480, height: 270))
        static let list = LayerID(2)
        static let card = LayerID(10)
        private var time = 0.0
        private var place = Point.zero

        init() throws {
            var ops: [TransactionOp] = []
            func make(_ layer: LayerID, _ bounds: Rect) {
                ops.append(.createLayer(layer, .layer))
                ops.append(.set(layer, .bounds, .rect(bounds)))
                ops.append(.set(layer, .anchorPoint, .point(.zero)))
            }
            make(LayerID(1), Rect(0, 0, 480, 270))
            make(Self.list, Rect(0, 0, 480, 270))
            let cards = (0..<8).map { LayerID(UInt32(10 + $0)) }
            for (index, card) in cards.enumerated() {
                make(card, Rect(0, 0, 90, 100))
                let place = Point(Double(20 + index % 4 * 110), Double(15 + index / 4 * 125))
                ops.append(.set(card, .position, .point(place)))
                ops.append(.set(card, .backgroundColor, .color(.white)))
                ops.append(.set(card, .cornerRadius, .number(16)))
                ops.append(.set(card, .shadowOpacity, .number(0.3)))
                ops.append(.set(card, .shadowRadius, .number(8)))
            }
            ops.append(.setSublayers(Self.list, cards))
            ops.append(.setSublayers(LayerID(1), [Self.list]))
            ops.append(.setRoot(LayerID(1)))
            try store.apply(Transaction(time: 0, ops: ops))
        }

        mutating func plan(_ ops: [TransactionOp] = []) throws -> FramePlan {
            time += 1.0 / 60
            try store.apply(Transaction(time: time, ops: ops))
            return planner.plan(store, at: time, on: display, coverage: coverage).plan
        }

        mutating func scrolled(by x: Double, _ y: Double) -> TransactionOp {
            place = Point(place.x + x, place.y + y)
            return .set(Self.list, .position, .point(place))
        }

        mutating func scroll(by x: Double = 0, _ y: Double = -3) throws -> FramePlan {
            try plan([scrolled(by: x, y)])
        }
    }

    private func reasons(_ plan: FramePlan) -> [SurfaceReason] { plan.passes.map(\.reason) }

    @Test("A list that is moved twice is drawn once more, and then laid down by one rectangle a frame")
    func scrolling() throws {
        var list = try List()
        #expect(reasons(try list.plan()) == [.root])
        #expect(reasons(try list.scroll()) == [.root])
        let baked = try list.scroll()
        #expect(reasons(baked) == [.baked, .root])
        #expect(baked.passes.first?.layer == List.list)
        for _ in 0..<3 {
            let plan = try list.scroll()
            #expect(reasons(plan) == [.root])
            #expect(plan.passes.last?.quadCount == 1)
        }
    }

    @Test("Without the switch nothing is baked")
    func switchedOff() throws {
        var list = try List()
        list.planner.switches.remove(.baking)
        for _ in 0..<5 { #expect(reasons(try list.scroll()) == [.root]) }
    }

    @Test("Of cards in which something changes in every frame, what they draw themselves is drawn once")
    func decorations() throws {
        var list = try List()
        let badges = (0..<8).map { LayerID(UInt32(50 + $0)) }
        list.planner.limits.bakingGainPixels = 0
        var ops: [TransactionOp] = []
        for (index, badge) in badges.enumerated() {
            ops.append(.set(LayerID(UInt32(10 + index)), .shadowRadius, .number(4)))
            ops.append(.createLayer(badge, .layer))
            ops.append(.set(badge, .bounds, .rect(Rect(0, 0, 30, 20))))
            ops.append(.set(badge, .position, .point(Point(45, 50))))
            ops.append(.setSublayers(LayerID(UInt32(10 + index)), [badge]))
        }
        _ = try list.plan(ops)
        var count = 0
        func changed() -> [TransactionOp] {
            count += 1
            return badges.map { .set($0, .backgroundColor, .color(Color(Double(count % 7) / 7, 0.5, 0))) }
        }
        #expect(reasons(try list.plan([list.scrolled(by: 0, 1)] + changed())) == [.root])
        // All cards lie inside the display.
        #expect(
            reasons(try list.plan([list.scrolled(by: 0, 1)] + changed()))
                == [SurfaceReason](repeating: .baked, count: 8) + [.root])
        for _ in 0..<3 {
            let plan = try list.plan([list.scrolled(by: 1, 0)] + changed())
            #expect(reasons(plan) == [.root])
            #expect(plan.passes.last?.quadCount == 16)
        }
        // A card that is cut by the display's edge is drawn as it is, and only that: four of them.
        let cut = try list.plan([list.scrolled(by: 0, 25)] + changed())
        #expect(reasons(cut) == [.root])
        #expect(cut.passes.last!.quadCount > 16)
        let color = PropertyValue.color(Color(0, 0, 1))
        _ = try list.plan([list.scrolled(by: 0, -25), .set(List.card, .backgroundColor, color)] + changed())
        var waited = 1
        while waited < 20, try !reasons(list.plan([list.scrolled(by: 1, 0)] + changed())).contains(.baked) {
            waited += 1
        }
        #expect(waited >= 2 && waited < 20, "\(waited)")
    }

    @Test("What is moved by parts of pixels, or stands still, is drawn as it is")
    func phases() throws {
        var list = try List()
        for _ in 0..<5 { #expect(reasons(try list.scroll(by: 0.3)) == [.root]) }
        for _ in 0..<5 { #expect(!reasons(try list.plan()).contains(.baked)) }
    }

    @Test("When a card changes, the list is baked anew after two more moves, later each time it was for little")
    func patience() throws {
        var list = try List()
        func frames(until wanted: Int) throws -> Int {
            for frame in 1...200 where try reasons(list.scroll()).contains(.baked) { return frame }
            return -1
        }
        #expect(try frames(until: 200) == 2)
        var waits: [Int] = []
        for round in 0..<4 {
            let color = PropertyValue.color(Color(Double(round) / 4, 0, 0))
            _ = try list.plan([list.scrolled(by: 0, -1), .set(List.card, .backgroundColor, color)])
            waits.append(try frames(until: 200))
        }
        #expect(waits == waits.sorted() && waits.first! >= 2 && waits.last! >= 8, "\(waits)")
    }

    @Test("A list that is too long to be kept is baked card by card, those that are seen")
    func longList() throws {
        var list = try List()
        let far = LayerID(99)
        _ = try list.plan([
            .createLayer(far, .layer), .set(far, .bounds, .rect(Rect(0, 0, 90, 100))),
            .set(far, .position, .point(Point(100, 3_000))), .set(far, .backgroundColor, .color(.white)),
            .setSublayers(List.list, (0..<8).map { LayerID(UInt32(10 + $0)) } + [far]),
        ])
        list.planner.limits.bakingGainPixels = 0
        _ = try list.scroll(by: 0, -1)
        let plan = try list.scroll(by: 0, -1)
        #expect(plan.passes.filter { $0.reason == .baked }.map(\.layer) == (0..<8).map { LayerID(UInt32(10 + $0)) })
        #expect(reasons(try list.scroll(by: 0, -1)) == [.root])
    }

    @Test("What shows what lies behind it is not baked, nor is anything around it")
    func backdrops() throws {
        var list = try List()
        _ = try list.plan([.set(List.card, .compositingFilter, .code(CompositingMode.multiply.rawValue))])
        list.planner.limits.bakingGainPixels = 0
        for _ in 0..<4 {
            let plan = try list.scroll()
            #expect(!plan.passes.contains { $0.reason == .baked && [List.list, List.card].contains($0.layer) })
        }
    }

    @Test("The bitmap of shouldRasterize is planned once, whatever else happens around it")
    func bitmaps() throws {
        var list = try List()
        _ = try list.plan([.set(List.list, .shouldRasterize, .bool(true))])
        #expect(reasons(try list.scroll()) == [.root])
        let notes = try list.scroll().notes
        #expect(notes.isEmpty, "nothing in it is emitted: \(notes)")
        let changed = try list.plan([.set(List.card, .backgroundColor, .color(Color(1, 0, 0)))])
        #expect(reasons(changed) == [.rasterize, .root])
    }

    @Test("A refused commit leaves no trace in what is baked")
    func refused() throws {
        var (list, other) = (try List(), try List())
        for _ in 0..<3 {
            #expect(reasons(try list.scroll()) == reasons(try other.scroll()))
            let unknown = TransactionOp.set(LayerID(12_345), .opacity, .number(1))
            let change = TransactionOp.set(List.card, .cornerRadius, .number(3))
            #expect(throws: TransactionError.self) {
                try list.store.apply(Transaction(time: 1, ops: [change, unknown]))
            }
        }
        #expect(reasons(try list.scroll()) == reasons(try other.scroll()))
    }
}

// Subtrees that no commit touched are not walked again; what they draw stays in the plan.
extension BakingTests {
    @Test("What stands still beside what moves is drawn as ever, when it moves again too")
    func retained() throws {
        func frames(_ switches: Switches) throws -> [[PlannedDrawing]] {
            var list = try List()
            list.planner.switches = switches
            list.planner.recordsDrawings = true
            let spinner = LayerID(50)
            var drawings: [[PlannedDrawing]] = []
            _ = try list.plan([
                .createLayer(spinner, .layer), .set(spinner, .bounds, .rect(Rect(0, 0, 28, 28))),
                .set(spinner, .backgroundColor, .color(.white)), .setSublayers(LayerID(1), [List.list, spinner]),
            ])
            for frame in 0..<8 {
                var ops: [TransactionOp] = [.set(spinner, .position, .point(Point(Double(frame) * 1.3, 40)))]
                if frame == 4 { ops.append(.set(List.card, .cornerRadius, .number(4))) }
                if frame == 6 { ops.append(list.scrolled(by: 0.5, 0)) }
                drawings.append(try list.plan(ops).drawings)
            }
            return drawings.map {
                $0.map { drawing in
                    var drawing = drawing
                    drawing.cache = .none
                    return drawing
                }
            }
        }
        let kept = try frames(.all)
        let anew = try frames(.all.subtracting(.cacheReuse))
        #expect(kept.count == anew.count)
        for (frame, (a, b)) in zip(kept, anew).enumerated() { #expect(a == b, "frame \(frame)") }
    }
}
