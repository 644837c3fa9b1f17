// Only what changed is drawn, and only where it can be seen.

import LayerModel
import Testing

@testable import LayerRender

@Suite("Damage")
struct DamageTests {
    /// Sixty shadowed cards and a small turning square on 1920x1080.
    private struct Cards {
        var store = LayerStore()
        var planner = FramePlanner(session: 1)
        let coverage = CoverageCache()
        let display = DisplayGeometry(size: PixelSize(width: 1_920, height: 1_080))
        static let spinner = LayerID(200)
        private var time = 0.0

        init() throws {
            var ops: [TransactionOp] = [.createLayer(LayerID(1), .layer)]
            func set(_ layer: LayerID, _ property: LayerProperty, _ value: PropertyValue) {
                ops.append(.set(layer, property, value))
            }
            set(LayerID(1), .bounds, .rect(Rect(0, 0, 1_920, 1_080)))
            set(LayerID(1), .anchorPoint, .point(.zero))
            set(LayerID(1), .backgroundColor, .color(Color(0.9, 0.95, 1)))
            for index in 0..<60 {
                let card = LayerID(UInt32(index + 2))
                ops.append(.createLayer(card, .layer))
                set(card, .bounds, .rect(Rect(0, 0, 170, 196)))
                set(card, .anchorPoint, .point(.zero))
                set(card, .position, .point(Point(Double(12 + index % 10 * 190), Double(10 + index / 10 * 216))))
                set(card, .backgroundColor, .color(.white))
                set(card, .cornerRadius, .number(16))
                set(card, .shadowOpacity, .number(0.3))
                set(card, .shadowRadius, .number(8))
                set(card, .shadowOffset, .point(Point(0, 4)))
            }
            ops.append(.createLayer(Self.spinner, .layer))
            set(Self.spinner, .bounds, .rect(Rect(0, 0, 28, 28)))
            set(Self.spinner, .position, .point(Point(960, 540)))
            set(Self.spinner, .backgroundColor, .color(Color(0.1, 0.4, 0.9)))
            ops.append(.setSublayers(LayerID(1), (0..<60).map { LayerID(UInt32($0 + 2)) } + [Self.spinner]))
            ops.append(.setRoot(LayerID(1)))
            try store.apply(Transaction(time: 0, ops: ops))
        }

        mutating func plan(_ ops: [TransactionOp] = []) throws -> (plan: FramePlan, isUnchanged: Bool) {
            time += 1.0 / 60
            try store.apply(Transaction(time: time, ops: ops))
            return planner.plan(store, at: time, on: display, coverage: coverage)
        }

        func turned(by angle: Double) -> TransactionOp {
            let (c, s) = (angle == 0 ? (1, 0) : (0.8, 0.6)) as (Double, Double)
            return .set(
                Self.spinner, .transform,
                .transform(Transform(c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)))
        }
    }

    @Test("A spinner of 40 by 40 among sixty shadowed cards draws and reads at most 2 % of a full frame's pixels")
    func spinner() throws {
        var cards = try Cards()
        let full = try cards.plan().plan
        #expect(full.damage == nil)
        let (plan, isUnchanged) = try cards.plan([cards.turned(by: 1)])
        let damage = try #require(plan.damage)
        #expect(!isUnchanged && !damage.isEmpty)
        let pixels = { (plan: FramePlan) in plan.passes.reduce(0) { $0 + $1.pixelCount } }
        #expect(pixels(plan) * 50 <= pixels(full), "\(pixels(plan)) of \(pixels(full)) drawn")
        #expect(damage.reduce(0) { $0 + $1.area } * 50 <= 1_920 * 1_080)
        let whole = PixelRect(x: 938, y: 518, width: 44, height: 44)
        #expect(damage.allSatisfy { whole.contains($0) }, "\(damage)")
    }

    @Test("A layer set to what it shows already, or changed where nothing shows, changes no pixel")
    func invisible() throws {
        var cards = try Cards()
        _ = try cards.plan()
        let same = try cards.plan([
            .set(Cards.spinner, .cornerRadius, .number(0)), .set(Cards.spinner, .name, .string("s")),
        ])
        #expect(same.isUnchanged && same.plan.passes.isEmpty)
        let hidden = try cards.plan([
            .createLayer(LayerID(300), .layer), .set(LayerID(300), .bounds, .rect(Rect(0, 0, 10, 10))),
            .set(LayerID(300), .backgroundColor, .color(.black)),
            .set(LayerID(300), .position, .point(Point(-5_000, -50))),
            .setSublayers(Cards.spinner, [LayerID(300)]),
        ])
        #expect(hidden.isUnchanged)
    }

    @Test("A layer that goes leaves the place it had to be drawn")
    func removed() throws {
        var cards = try Cards()
        _ = try cards.plan()
        let (plan, _) = try cards.plan([.destroyLayer(Cards.spinner)])
        #expect(plan.damage == [PixelRect(x: 946, y: 526, width: 28, height: 28)])
    }

    @Test("Under a blurred backdrop all that it sees and shows is drawn anew")
    func backdrop() throws {
        var cards = try Cards()
        let glass = LayerID(400)
        let sublayers = (0..<60).map { LayerID(UInt32($0 + 2)) } + [Cards.spinner, glass]
        _ = try cards.plan([
            .createLayer(glass, .backdropLayer), .set(glass, .bounds, .rect(Rect(0, 0, 100, 100))),
            .set(glass, .position, .point(Point(960, 540))),
            .set(glass, .filters, .filters([LayerFilter(.gaussianBlur, inputs: [.inputRadius: .number(5)])])),
            .setSublayers(LayerID(1), sublayers),
        ])
        let (plan, _) = try cards.plan([cards.turned(by: 1)])
        // 100 by 100 and three deviations around.
        let seen = PixelRect(x: 895, y: 475, width: 130, height: 130)
        #expect(plan.damage?.contains { $0.contains(seen) } == true, "\(plan.damage ?? [])")
        #expect(plan.passes.contains { $0.reason == .backdrop })
    }

    @Test("What stays the same for a frame is kept, and drawn no more")
    func kept() throws {
        var cards = try Cards()
        let (group, front) = (LayerID(500), LayerID(501))
        let sublayers = (0..<60).map { LayerID(UInt32($0 + 2)) } + [Cards.spinner, group]
        _ = try cards.plan([
            .createLayer(group, .layer), .createLayer(front, .layer),
            .set(group, .bounds, .rect(Rect(0, 0, 90, 90))), .set(group, .position, .point(Point(960, 540))),
            .set(group, .backgroundColor, .color(.black)), .set(group, .opacity, .number(0.5)),
            .set(front, .bounds, .rect(Rect(0, 0, 50, 50))), .set(front, .position, .point(Point(40, 40))),
            .set(front, .backgroundColor, .color(.white)), .setSublayers(group, [front]),
            .setSublayers(LayerID(1), sublayers),
        ])
        let second = try cards.plan([cards.turned(by: 1)]).plan
        #expect(second.passes.map(\.reason) == [.groupOpacity, .root])
        #expect(second.slots[second.passes[0].slot].sprite != nil)
        let third = try cards.plan([cards.turned(by: 0)]).plan
        #expect(third.passes.map(\.reason) == [.root])
        let changed = try cards.plan([.set(front, .backgroundColor, .color(Color(1, 0, 0)))]).plan
        #expect(changed.passes.map(\.reason) == [.groupOpacity, .root])
    }

    @Test("Rectangles that cover others don't overlap, however many there are")
    func covering() {
        var random: UInt64 = 7
        func next(_ bound: Int) -> Int {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(random >> 33) % bound
        }
        for count in [1, 3, 9, 40] {
            let rects = (0..<count).map { _ in
                PixelRect(x: next(900), y: next(500), width: 1 + next(80), height: 1 + next(80))
            }
            let cover = PixelRect.covering(rects)
            #expect(cover.count <= 8)
            #expect(rects.allSatisfy { rect in cover.contains { $0.contains(rect) } })
            for (index, rect) in cover.enumerated() {
                #expect(!cover[(index + 1)...].contains { $0.intersects(rect) })
            }
        }
    }
}
