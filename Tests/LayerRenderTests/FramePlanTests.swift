import LayerModel
import Testing

@testable import LayerRender

@Suite("Frame plans")
struct FramePlanTests {
    @Test("A pixel-aligned rectangle needs one pass and one quad")
    func plainRect() throws {
        let plan = try SceneText("layer 1 bounds 0 0 200 100 color red").plan()
        #expect(
            plan.text == """
                frame 200x100 at 0 s: 1 pass, 1 target, 1 quad in 1 draw, 20000 pixels
                pass 1 root "layer 1" (layer 1): 200x100 at (0,0) into slot 0, discard
                  solid copy, 1 quad

                """)
    }

    @Test("Opacity on a layer whose sublayers overlap is applied once, to the group")
    func groupOpacityOverlap() throws {
        let plan = try SceneText(
            """
            layer 1 bounds 0 0 200 100
              layer 2 frame 0 0 40 40 opacity 0.5 name card
                layer 3 frame 0 0 30 30 color red
                layer 4 frame 10 10 30 30 color blue
            """
        ).plan()
        #expect(plan.passes.map(\.reason) == [.groupOpacity, .root])
        #expect(plan.passes[0].label == "card")
        #expect(plan.passes[0].size == PixelSize(width: 40, height: 40))
    }

    @Test("Opacity on a layer whose sublayers don't overlap needs no pass")
    func foldedOpacity() throws {
        let scene = try SceneText(
            """
            layer 1 bounds 0 0 200 100
              layer 2 frame 0 0 100 40 opacity 0.5
                layer 3 frame 0 0 30 30 color red
                layer 4 frame 40 0 30 30 color blue
            """)
        let plan = scene.plan()
        #expect(plan.passes.map(\.reason) == [.root])
        #expect(plan.notes == [PlanNote(layer: LayerID(2), kind: .foldedOpacity(quads: 2))])
        #expect(scene.plan(.all.subtracting(.foldedOpacity)).passes.map(\.reason) == [.groupOpacity, .root])
    }

    @Test("Without allowsGroupOpacity each drawing fades for itself")
    func separateOpacity() throws {
        let plan = try SceneText(
            """
            layer 1 bounds 0 0 200 100
              layer 2 frame 0 0 40 40 opacity 0.5 separate
                layer 3 frame 0 0 30 30 color red
                layer 4 frame 10 10 30 30 color blue
            """
        ).plan()
        #expect(plan.passes.map(\.reason) == [.root])
    }

    @Test("A rectangular clip on the pixel grid cuts quads, without a pass")
    func scissor() throws {
        let plan = try SceneText(
            """
            layer 1 bounds 0 0 200 100
              layer 2 frame 10 10 50 50 clips
                layer 3 frame -20 -20 100 100 color red
                layer 4 frame 5 5 100 100 color blue
            """
        ).plan()
        #expect(plan.passes.count == 1)
        #expect(plan.passes[0].pixelCount == 50 * 50 + 45 * 45)
    }

    @Test("A rounded clip over one drawing is multiplied in; over two that overlap at the rim it is a surface")
    func roundedClips() throws {
        let one = try SceneText(
            """
            layer 1 bounds 0 0 200 100
              layer 2 frame 10 10 50 50 radius 12 clips
                layer 3 frame 0 0 50 50 color red
            """
        ).plan()
        #expect(one.passes.map(\.reason) == [.root])
        #expect(one.notes == [PlanNote(layer: LayerID(2), kind: .fastClip(quads: 1))])
        let two = try SceneText(
            """
            layer 1 bounds 0 0 200 100
              layer 2 frame 10 10 50 50 radius 12 clips color blue
                layer 3 frame 0 0 50 50 color red
            """
        ).plan(.all.subtracting(.occlusion))
        #expect(two.passes.map(\.reason) == [.clip, .root])
        let inside = try SceneText(
            """
            layer 1 bounds 0 0 200 100
              layer 2 frame 10 10 50 50 radius 12 clips color blue
                layer 3 frame 15 15 20 20 color red
            """
        ).plan()
        #expect(inside.passes.map(\.reason) == [.root])
    }

    @Test("Drawings of a kind share a call when nothing lies between them")
    func batching() throws {
        var text = "layer 1 bounds 0 0 200 100\n"
        for card in 0..<10 {
            text += "  layer \(card * 2 + 2) frame \(card * 20) 0 18 40 color red radius 5\n"
            text += "  layer \(card * 2 + 3) frame \(card * 20) 50 18 40 color glass\n"
        }
        let scene = try SceneText(text)
        #expect(scene.plan().passes[0].batches.count <= 3)
        #expect(scene.plan(.all.subtracting(.batching)).passes[0].batches.count >= 20)
    }

    @Test("What an opaque rectangle hides is not drawn")
    func occlusion() throws {
        let scene = try SceneText(
            """
            layer 1 bounds 0 0 200 100 color blue
              layer 2 frame 20 20 60 60 color green
              layer 3 frame 0 0 200 100 color red
            """)
        #expect(scene.plan().passes[0].quadCount == 1)
        #expect(scene.plan(.all.subtracting(.occlusion)).passes[0].quadCount == 3)
    }

    @Test("Opaque unscaled contents at the bottom are copied")
    func copies() throws {
        let plan = try SceneText("layer 1 bounds 0 0 200 100 image 1 200 100").plan()
        #expect(
            plan.passes[0].batches.map(\.kind) == [
                .copy(from: PixelPoint(x: 0, y: 0), to: PixelRect(x: 0, y: 0, width: 200, height: 100))
            ])
        #expect(plan.passes[0].load == .discard)
    }

    @Test("An unchanged tree gives the same plan again")
    func reuse() throws {
        let scene = try SceneText("layer 1 bounds 0 0 200 100 color red radius 10")
        var planner = FramePlanner(session: 1)
        let cache = CoverageCache()
        let first = planner.plan(scene.store, at: 0, on: scene.display, coverage: cache)
        let second = planner.plan(scene.store, at: 1, on: scene.display, coverage: cache)
        #expect(!first.isUnchanged)
        #expect(second.isUnchanged)
        #expect(second.plan.time == 1)
        #expect(!first.plan.uploads.isEmpty)
        #expect(second.plan.uploads.isEmpty)
    }

    @Test("Too many groups inside one another degrade by name")
    func nestingLimit() throws {
        var text = "layer 1 bounds 0 0 200 100\n"
        for depth in 1...20 {
            let indent = String(repeating: "  ", count: depth)
            text += "\(indent)layer \(depth * 2) frame 0 0 100 90 color red opacity 0.9\n"
        }
        var limits = PlanLimits()
        limits.nesting = 8
        let plan = try SceneText(text).plan(limits: limits)
        #expect(plan.passes.filter { $0.reason == .groupOpacity }.count <= 8)
        #expect(plan.notes.contains { $0.isDegradation })
    }

    @Test("Depth decides the order, then zPosition, then the list")
    func order() throws {
        let scene = try SceneText(
            """
            layer 1 bounds 0 0 200 100
              layer 2 frame 0 0 10 10 color red z 5
              layer 3 frame 0 0 10 10 color blue
              layer 4 frame 0 0 10 10 color green z -1
            """)
        var tree = PresentedTree()
        tree.present(scene.store, at: 0, on: scene.display)
        let ids = tree.layers.map { scene.store.records[Int($0.record)].id.rawValue }
        #expect(ids == [1, 4, 3, 2])
    }
}
