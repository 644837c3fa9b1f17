// What a plan makes of shape layers: drawings without passes, masks that are kept.

import LayerModel
import Testing

@testable import LayerRender

@Suite("Plans of shape layers")
struct ShapePlanTests {
    private struct Rings {
        var store = LayerStore()
        var planner = FramePlanner(session: 1)
        let coverage = CoverageCache()
        let display = DisplayGeometry(size: PixelSize(width: 800, height: 600))
        private var time = 0.0

        /// Twelve rings on a root; the ids 2 to 13.
        init() throws {
            var ops: [TransactionOp] = [
                .createLayer(LayerID(1), .layer), .set(LayerID(1), .bounds, .rect(Rect(0, 0, 800, 600))),
                .set(LayerID(1), .anchorPoint, .point(.zero)),
            ]
            for index in 0..<12 {
                let ring = LayerID(UInt32(index + 2))
                var path = VectorPath()
                let radius = 40 + Double(index)
                let k = radius * 0.5522847498
                path.move(to: Point(radius, 0))
                path.cubic(to: Point(0, radius), Point(radius, k), Point(k, radius))
                path.cubic(to: Point(-radius, 0), Point(-k, radius), Point(-radius, k))
                ops += [
                    .createLayer(ring, .shapeLayer), .set(ring, .path, .path(path)),
                    .set(ring, .fillColor, .color(nil)),
                    .set(ring, .strokeColor, .color(.black)), .set(ring, .lineWidth, .number(8)),
                    .set(ring, .lineCap, .code(1)),
                    .set(ring, .position, .point(Point(100 + Double(index % 4) * 190, 80 + Double(index / 4) * 180))),
                ]
            }
            ops += [.setSublayers(LayerID(1), (2..<14).map { LayerID(UInt32($0)) }), .setRoot(LayerID(1))]
            try store.apply(Transaction(time: 0, ops: ops))
        }

        mutating func plan(_ ops: [TransactionOp] = []) throws -> FramePlan {
            time += 1.0 / 60
            if !ops.isEmpty { try store.apply(Transaction(time: time, ops: ops)) }
            store.present(at: time)
            return planner.plan(store, at: time, on: display, coverage: coverage).plan
        }
    }

    @Test("Shapes need no pass of their own")
    func onePass() throws {
        var rings = try Rings()
        let plan = try rings.plan()
        #expect(plan.passes.count == 1 && rings.coverage.misses == 12, "\(plan.text)")
    }

    @Test("A ring that grows makes one mask a frame; its neighbors' are kept")
    func neighbors() throws {
        var rings = try Rings()
        _ = try rings.plan([
            .addAnimation(
                LayerID(5), AnimationID(1), key: "grow",
                AnimationDescription(
                    .property(
                        PropertyAnimation(
                            .property(.strokeEnd), .basic(.init(from: .number(0), to: .number(1))))),
                    timing: AnimationTiming(duration: 2)))
        ])
        var before = rings.coverage.misses
        for _ in 0..<30 {
            let plan = try rings.plan()
            #expect(rings.coverage.misses == before + 1)
            before = rings.coverage.misses
            let damage = try #require(plan.damage)
            // Ring 5 lies around (670, 80).
            #expect(damage.allSatisfy { PixelRect(x: 615, y: 25, width: 110, height: 110).contains($0) }, "\(damage)")
        }
    }

    @Test("A move by whole pixels keeps the mask")
    func moved() throws {
        var rings = try Rings()
        _ = try rings.plan()
        let before = rings.coverage.misses
        _ = try rings.plan([.set(LayerID(5), .position, .point(Point(400, 300)))])
        #expect(rings.coverage.misses == before)
    }

    @Test("A path without colors, an empty one, and a line without width draw nothing")
    func nothing() throws {
        var rings = try Rings()
        _ = try rings.plan()
        let plan = try rings.plan(
            (2..<14).map { .set(LayerID($0), .lineWidth, .number($0 % 2 == 0 ? 0 : -3)) }
                + [.set(LayerID(2), .path, .path(nil)), .set(LayerID(3), .path, .path(VectorPath()))])
        #expect(plan.passes.reduce(0) { $0 + $1.quadCount } <= 16, "only what is cleared: \(plan.text)")
        let again = try rings.plan([.set(LayerID(1), .zPosition, .number(1))])
        #expect(again.passes.isEmpty || again.damage?.isEmpty == true)
    }

    @Test("A pattern of more numbers than the limit is refused, with the layer")
    func longPattern() throws {
        var rings = try Rings()
        #expect {
            _ = try rings.plan([
                .set(LayerID(2), .lineDashPattern, .numbers([Double](repeating: 1, count: 1_025)))
            ])
        } throws: { error in
            (error as? TransactionError)?.description
                == "op 0, layer 2: layer 2: lineDashPattern takes at most 1024 values, not 1025"
        }
    }
}
