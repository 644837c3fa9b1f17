import LayerModel
import Testing

@testable import LayerRender

/// What a frame may cost: over a bound it is drawn in a simpler way, and a note says which.
@Suite("Bounds of a frame")
struct LimitTests {
    private func degradations(_ plan: FramePlan) -> [PlanNote.Kind] {
        plan.notes.filter(\.isDegradation).map(\.kind)
    }

    @Test("Modes that read what lies below them read so many pixels; the next one is drawn without its mode")
    func modes() throws {
        let scene = try SceneText(
            """
            layer 1 bounds 0 0 200 100 color green
              layer 2 frame 0 0 10 10 color red mode multiply
              layer 3 frame 0 0 20 10 color red mode screenBlendMode
              layer 4 frame 20 0 10 10 color red mode luminosity
            """)
        var limits = PlanLimits()
        limits.pixelsReadBelow = 199
        let plan = scene.plan(limits: limits)
        #expect(degradations(plan) == [.degraded(.blend, .pixelsReadBelow(199))])
        #expect(plan.passes.filter { $0.reason == .blend }.map(\.layer) == [LayerID(2)])
        limits.pixelsReadBelow = 200
        #expect(degradations(scene.plan(limits: limits)).isEmpty)
    }

    @Test("The copies for modes one after the other take one target")
    func copies() throws {
        var text = "layer 1 bounds 0 0 200 100 color green\n"
        for id in 2...30 { text += "  layer \(id) frame 10 10 50 50 color red mode multiply\n" }
        let plan = try SceneText(text).plan()
        #expect(plan.passes.filter { $0.reason == .blend }.count == 29)
        #expect(plan.slots.count <= 3)
    }

    @Test("No surface is larger than a texture")
    func side() throws {
        let scene = try SceneText(
            """
            layer 1 bounds 0 0 200 100
              layer 2 frame 0 0 150 50 color red opacity 0.5
                layer 3 frame 10 10 30 30 color blue
            """)
        var limits = PlanLimits()
        limits.textureSide = 149
        let plan = scene.plan(limits: limits)
        #expect(plan.passes.map(\.reason) == [.root])
        #expect(degradations(plan).contains(.degraded(.groupOpacity, .side(149))))
        limits.textureSide = 150
        #expect(scene.plan(limits: limits).passes.map(\.reason) == [.groupOpacity, .root])
    }

    @Test("Shadows in one another are drawn again so often, however deep they lie")
    func redraws() throws {
        var text = "layer 1 bounds 0 0 200 100\n"
        for depth in 1...40 {
            text += String(repeating: "  ", count: depth) + "layer \(depth + 1) frame 0 0 90 90 shadow 0.5 0.5\n"
        }
        text += String(repeating: "  ", count: 41) + "layer 50 frame 0 0 9 9 color red\n"
        var limits = PlanLimits()
        limits.redraws = 0
        #expect(degradations(try SceneText(text).plan(limits: limits)).contains(.degraded(.shadow, .redraws)))
    }

    @Test("Bitmaps in one another reach as far around as the display is large")
    func nestedBitmaps() throws {
        var text = "layer 1 bounds 0 0 200 100\n"
        for depth in 1...60 {
            text += String(repeating: "  ", count: depth) + "layer \(depth + 1) frame 0 0 90 90 color red bitmap\n"
        }
        let plan = try SceneText(text).plan()
        #expect(plan.passes.allSatisfy { $0.size.width <= 90 + 2 * 200 + 40 })
    }

    @Test("Shapes whose masks take more bytes than a session may have are left out and counted")
    func masks() throws {
        var text = "layer 1 bounds 0 0 200 100\n"
        for id in 2...40 { text += "  layer \(id) frame 10 10 60 60 color red rotate \(id)\n" }
        let scene = try SceneText(text)
        var planner = FramePlanner(session: 1)
        let coverage = CoverageCache(ceiling: 20_000)
        let plan = planner.plan(scene.store, at: 0, on: scene.display, coverage: coverage).plan
        #expect(coverage.leftOut > 0 && coverage.leftOut < 39)
        #expect(degradations(plan) == [.shapesLeftOut(coverage.leftOut, bytes: 20_000)])
    }

    @Test("More tilted siblings in one place than are parted are ordered by the depth of their middles")
    func siblings() throws {
        var text = "layer 1 bounds 0 0 200 100\n"
        for id in 2..<2 + DepthOrder.planeLimit + 1 {
            text += "  layer \(id) frame 10 10 60 60 color red tilt 0.\(id % 9 + 1) z \((id * 7_919) % 1_009)\n"
        }
        let scene = try SceneText(text)
        #expect(degradations(scene.plan()) == [.uncutCrossing])
        var tree = PresentedTree()
        tree.present(scene.store, at: 0, on: scene.display)
        let depths = tree.layers.dropFirst().map { scene.store.records[Int($0.record)].properties.zPosition }
        #expect(depths == depths.sorted())
    }

    @Test("What a surface on a copy is made of stays until it is drawn for the last part of a layer that is cut")
    func repeatedSurfaces() throws {
        // Both parts of layer 3 show what lies behind it and a group, faded together.
        let plan = try SceneText(
            """
            layer 1 bounds 0 0 200 100 color green
              layer 2 frame 60 20 60 60 color red tilt 0.6
              layer 3 frame 60 20 60 60 color glass tilt -0.5 behind 2 opacity 0.5
                layer 4 frame 10 10 40 40 color red opacity 0.5
                  layer 5 frame 20 20 40 40 color blue
              layer 6 frame 0 0 30 30 color red mode multiply
            """
        ).plan()
        let group = try #require(plan.passes.firstIndex { $0.layer == LayerID(4) })
        let slot = plan.passes[group].slot
        func reads(_ pass: RenderPass) -> Bool { pass.batches.contains { $0.texture == .slot(slot) } }
        let last = try #require(plan.passes.lastIndex(where: reads))
        #expect(plan.passes.filter(reads).count >= 2)
        #expect(!plan.passes[(group + 1)...last].contains { $0.slot == slot }, "\(plan.text.prefix(4_000))")
        for pass in plan.passes {
            #expect(!pass.batches.contains { $0.texture == .slot(pass.slot) })
        }
    }
}
