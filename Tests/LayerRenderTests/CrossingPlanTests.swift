import Glibc
import LayerModel
import Testing

@testable import LayerRender

@Suite("Planes that cross, planned")
struct CrossingPlanTests {
    @Test("Opaque layers that cross are drawn in the root's pass, each part once")
    func opaque() throws {
        let plan = try SceneText(
            """
            layer 1 bounds 0 0 200 100
              layer 2 frame 60 20 60 60 color red tilt 0.6
              layer 3 frame 60 20 60 60 color blue tilt -0.5
            """
        ).plan()
        #expect(plan.passes.map(\.reason) == [.root])
        #expect(plan.notes.map(\.kind) == [.fastCrossing(quads: 1)])
        #expect(plan.passes[0].batches.allSatisfy { $0.program != .seamImage })
    }

    @Test("Glass that crosses takes no surface either")
    func glass() throws {
        let plan = try SceneText(
            """
            layer 1 bounds 0 0 200 100
              layer 2 frame 60 20 60 60 color glass tilt 0.6
              layer 3 frame 60 20 60 60 color glass tilt -0.5
              layer 4 frame 60 20 60 60 color glass tilt 0.1
            """
        ).plan()
        #expect(plan.passes.map(\.reason) == [.root])
    }

    @Test("A layer of several drawings that overlap at the seam is drawn once, for both of its parts")
    func cards() throws {
        let text = """
            layer 1 bounds 0 0 200 100
              layer 2 frame 60 20 60 60 color red tilt 0.6
              layer 3 frame 60 20 60 60 color blue tilt -0.5
                layer 4 frame 10 10 40 40 color glass
            """
        let plan = try SceneText(text).plan()
        #expect(plan.passes.map(\.reason) == [.crossing, .root])
        #expect(plan.passes[0].label == "layer 3")
        // Its background is opaque, so the weights are masks.
        #expect(plan.passes[1].batches.allSatisfy { $0.program != .seamImage })
        #expect(
            plan.passes[1].batches.filter { $0.texture == .slot(plan.passes[0].slot) }.count >= 1)
    }

    @Test("A picture with alpha that crosses takes a surface, and the program that looks at it")
    func clearImages() throws {
        let plan = try SceneText(
            """
            layer 1 bounds 0 0 200 100
              layer 2 frame 60 35 61 30 color red tilt 0.6
              layer 3 frame 60 20 61 60 clearImage 1 16 16 tilt -0.5
            """
        ).plan()
        #expect(plan.passes.map(\.reason) == [.crossing, .root])
        #expect(plan.passes[1].batches.contains { $0.program == .seamImage })
    }

    @Test("Only where three cross in a pixel are the orders there drawn into surfaces of their own")
    func junctions() throws {
        // Three planes through one line: two orders.
        let fan = try SceneText(
            """
            layer 1 bounds 0 0 200 100
              layer 2 frame 60 20 61 60 color red tilt 0.6
              layer 3 frame 60 20 61 60 clearImage 1 16 16 tilt -0.5
              layer 4 frame 60 20 61 60 color blue tilt 0.2
            """
        ).plan()
        #expect(fan.passes.map(\.reason) == [.crossing, .crossing, .crossing, .root])
        #expect(fan.passes[1].size.width <= 2 && fan.passes[2].size.width <= 2)
    }

    @Test("What crosses too often goes whole to one side, with a note")
    func limit() throws {
        var text = "layer 1 bounds 0 0 200 100\n"
        for index in 0..<40 {
            text +=
                "  layer \(index + 2) frame \(30 + index * 11 % 40) 20 60 60 color red tilt \(Double(index) * 0.07 - 1.4)\n"
        }
        let plan = try SceneText(text).plan()
        #expect(plan.notes.contains { $0.kind == .uncutCrossing })
        #expect(plan.passes.map(\.reason) == [.root])
    }

    @Test("Tilted layers side by side are not cut by each other's planes")
    func sideBySide() throws {
        var text = "layer 1 bounds 0 0 200 100\n"
        for index in 0..<9 {
            text += "  layer \(index + 2) frame \(index * 22) 20 20 60 color red tilt \(0.9 - Double(index) * 0.2)\n"
        }
        let scene = try SceneText(text)
        var tree = PresentedTree()
        tree.present(scene.store, at: 0, on: scene.display)
        #expect(tree.parts.isEmpty)
        #expect(tree.layers.count == 10)
    }

    @Test("Polygons that come near each other are in one group, also by way of a third")
    func groups() {
        func box(_ x: Double, _ y: Double) -> [Point] {
            [Point(x, y), Point(x + 10, y), Point(x + 10, y + 10), Point(x, y + 10)]
        }
        /// Two triangles whose boxes overlap and which don't.
        let slanted = [[Point(0, 50), Point(40, 50), Point(0, 90)], [Point(41, 90), Point(41, 60), Point(11, 90)]]
        let polygons = [box(0, 0), box(100, 0), box(11, 0), box(22, 0), box(40, 0), []] + slanted
        #expect(overlapGroups(polygons, margin: 2) == [[0, 2, 3], [1], [4], [5], [6], [7]])
        #expect(overlapGroups(polygons, margin: 0) == [[0], [1], [2], [3], [4], [5], [6], [7]])
        #expect(overlapGroups([], margin: 1) == [])
    }

    @Test("An unchanged seam is no damage, and its masks are kept")
    func kept() throws {
        let scene = try SceneText(
            """
            layer 1 bounds 0 0 200 100
              layer 2 frame 60 20 60 60 color red tilt 0.6
              layer 3 frame 60 20 60 60 clearImage 1 16 16 tilt -0.5
              layer 4 frame 60 20 60 60 color blue tilt 0.2
              layer 5 frame 0 0 10 10 color green
            """)
        var planner = FramePlanner(session: 1)
        let cache = CoverageCache()
        _ = planner.plan(scene.store, at: 0, on: scene.display, coverage: cache)
        var store = scene.store
        try store.apply(
            Transaction(time: 1, ops: [.set(LayerID(5), .backgroundColor, .color(Color(1, 0, 0)))]))
        let second = planner.plan(store, at: 1, on: scene.display, coverage: cache).plan
        #expect(second.damage == [PixelRect(x: 0, y: 0, width: 10, height: 10)])
        #expect(second.uploads.isEmpty)
    }

    @Test("A layer whose back is hidden cuts nothing while it shows it")
    func hiddenBacks() throws {
        let plan = try SceneText(
            """
            layer 1 bounds 0 0 200 100
              layer 2 frame 60 20 60 60 color red tilt 0.6
              layer 3 frame 60 20 60 60 color blue tilt 2.6 oneSided
            """
        ).plan()
        #expect(plan.notes.isEmpty)
        #expect(plan.passes[0].pixelCount > 0)
    }

    @Test("Sorting forty planes that are cut to the limit is quick")
    func speed() {
        let planes = (0..<400).compactMap { index in
            let angle = Double(index) * 0.011 - 1.5
            let (c, s) = (cos(angle), sin(angle))
            return SpacePlane(
                Transform(c, 0, -s, 0, 0, 1, 0, 0, s, 0, c, 0, 0, 0, Double(index % 7), 1),
                extent: Rect(-50, -50, 100, 100))
        }
        let clock = ContinuousClock()
        var order: DepthOrder?
        let time = clock.measure { order = DepthOrder(planes) }
        #expect(order?.parts.count ?? 0 <= 400 + 128)
        #expect(order?.reachedLimit == true)
        #expect(time < .seconds(2), "\(time)")
    }
}

extension DrawBatch {
    fileprivate var program: DrawProgram? {
        if case .quads(let program, _, _) = kind { program } else { nil }
    }
}
