import LayerModel
import Testing

@testable import LayerRender

@Suite("The account of a frame")
struct AccountTests {
    private func account(_ text: String, _ switches: Switches = .all) throws -> FrameAccount {
        let scene = try SceneText(text)
        return FrameAccount(scene.plan(switches), scene.store)
    }

    private static let overlapping = """
        layer 1 bounds 0 0 200 100 color red
          layer 2 name fade frame 10 10 80 60 opacity 0.5
            layer 3 frame 0 0 40 40 color green
            layer 4 frame 20 20 40 40 color blue
        """

    @Test("A group says which layer overlaps which")
    func overlap() throws {
        let account = try account(Self.overlapping)
        let effect = try #require(account.effects.first { $0.property == .opacity })
        #expect(effect.layer.id == LayerID(2) && effect.layer.name == "fade")
        #expect(effect.obstacle == .overlap(LayerID(4), LayerID(3)))
        #expect(effect.explanation == "opacity of \"fade\" (layer 2) needs a group: layer 4 overlaps layer 3")
        #expect(effect.advice.first?.contains("allowsGroupOpacity = false") == true)
    }

    @Test("A road that is switched off is named, and nothing else is advised")
    func switchedOff() throws {
        let account = try account(
            """
            layer 1 bounds 0 0 200 100
              layer 2 frame 10 10 80 60 opacity 0.5
                layer 3 frame 0 0 30 30 color green
                layer 4 frame 40 20 30 30 color blue
            """, Switches.all.subtracting(.foldedOpacity))
        let effect = try #require(account.effects.first { $0.property == .opacity })
        #expect(effect.obstacle == .switchedOff(.foldedOpacity))
        #expect(effect.advice == ["leave folded-opacity out of --disable and ROSTRUM_DISABLE"])
    }

    @Test("More drawings than are searched are counted")
    func tooMany() throws {
        var text = "layer 1 bounds 0 0 200 100\n  layer 2 frame 0 0 200 100 opacity 0.5\n"
        for index in 0..<300 { text += "    layer \(index + 3) frame \(index % 200) \(index / 200) 1 1 color red\n" }
        let effect = try #require(try account(text).effects.first { $0.property == .opacity })
        #expect(effect.obstacle == .tooMany(drawings: 300))
    }

    @Test("A clip says how many drawings cross its rim, and which two overlap there")
    func rim() throws {
        let account = try account(
            """
            layer 1 bounds 0 0 200 100
              layer 2 frame 10 10 80 60 radius 10 clips color red
                layer 3 frame 0 0 40 40 color green
                layer 4 frame 20 20 20 20 color blue
            """)
        let effect = try #require(account.effects.first { $0.property == .masksToBounds })
        #expect(effect.obstacle == .rim(drawings: 2, LayerID(3), LayerID(2)))
        #expect(effect.explanation.contains("2 drawings cross the rounded rim"), "\(effect.explanation)")
    }

    @Test("Without times effects are ordered by pixels; with a time for each pass, by time")
    func order() throws {
        let scene = try SceneText(Self.overlapping)
        let plan = scene.plan()
        #expect(plan.passes.count == 2)
        #expect(FrameAccount(plan, scene.store).effects.map(\.property) == [nil, .opacity])
        let timed = FrameAccount(plan, scene.store, times: [5_000_000, 1_000_000])
        #expect(timed.effects.map(\.property) == [.opacity, nil])
        #expect(timed.nanoseconds == 6_000_000)
        let half = FrameAccount(plan, scene.store, times: [5_000_000, nil])
        #expect(half.effects.map(\.property) == [nil, .opacity])
        #expect(half.nanoseconds == nil && half.text.contains("? ms"))
    }

    @Test("A name that would break a line, or is very long, does not")
    func names() {
        let layer = AccountedLayer(
            id: LayerID(7), name: "a\nb\u{1B}[2J" + String(repeating: "x", count: 100), layerClass: .layer)
        #expect(!layer.text.contains("\n") && !layer.text.contains("\u{1B}"))
        #expect(layer.text.count < 80)
    }

    // MARK: Budgets

    @Test("Budgets are read with thousands, and what is none is named")
    func budgets() throws {
        let budget = try FrameBudget("passes=12,offscreen-pixels=2M,draws=1.5k")
        #expect(budget.limits.map(\.measure) == [.passes, .offscreenPixels, .draws])
        #expect(budget.limits.map(\.limit) == [12, 2_000_000, 1_500])
        #expect(throws: FrameBudget.Fault.unknown("pass")) { try FrameBudget("pass=1") }
        #expect(throws: FrameBudget.Fault.twice("passes")) { try FrameBudget("passes=1,passes=2") }
        for text in ["passes", "passes=", "passes=-1", "passes=nan", "passes=1e999", "passes=9999999999G"] {
            #expect(throws: FrameBudget.Fault.badNumber(text), "\(text)") { try FrameBudget(text) }
        }
    }

    @Test("A broken budget names the pass that goes over it and what most is for")
    func breach() throws {
        let account = try account(Self.overlapping)
        #expect(try FrameBudget("passes=2,targets=2,uploads=0").breaches(of: account).isEmpty)
        let breach = try #require(try FrameBudget("passes=1").breaches(of: account).first)
        #expect(breach.value == 2 && breach.pass?.number == 2 && breach.dearest?.property == .opacity)
        let pixels = try #require(try FrameBudget("offscreen-pixels=100").breaches(of: account).first)
        #expect(pixels.pass?.number == 1 && pixels.value == account.offscreenPixels)
    }

    // MARK: Drawings and overlays

    /// A picture of one color with an overlay.
    private func tinted(_ overlay: FrameOverlay, _ plan: FramePlan, over level: UInt8 = 0) -> (Int, Int) -> [UInt8] {
        let row = plan.size.width * 4 + 8
        var bytes = [UInt8](repeating: level, count: row * plan.size.height)
        bytes.withUnsafeMutableBytes { overlay.tint($0, bytesPerRow: row, of: plan) }
        return { x, y in Array(bytes[y * row + x * 4..<y * row + x * 4 + 4]) }
    }

    private func recorded(_ text: String, frames: Int = 1) throws -> FramePlan {
        let scene = try SceneText(text)
        var planner = FramePlanner(session: 1)
        planner.recordsDrawings = true
        return planner.plan(scene.store, at: 0, on: scene.display, coverage: CoverageCache()).plan
    }

    @Test("A plan carries drawings only when they are asked for, without what is hidden")
    func drawings() throws {
        #expect(try SceneText(Self.overlapping).plan().drawings.isEmpty)
        let plan = try recorded(
            """
            layer 1 bounds 0 0 200 100 color red
              layer 2 frame 0 0 200 100 color green
            """)
        #expect(plan.drawings.map(\.layer) == [LayerID(2)])
    }

    @Test("Blended pixels are redder the more is mixed, opaque ones green, empty ones as they were")
    func blended() throws {
        let plan = try recorded(
            """
            layer 1 bounds 0 0 200 100
              layer 2 frame 0 0 50 50 color red
              layer 3 frame 40 0 20 50 color glass
              layer 4 frame 55 0 20 50 color glass
            """)
        let pixel = tinted(.blended, plan)
        #expect(pixel(10, 10) == [0, 96, 0, 96], "green with a weight of 96 of 256")
        #expect(pixel(45, 10) == [0, 0, 96, 96])
        #expect(pixel(57, 10)[2] > pixel(45, 10)[2], "two are mixed")
        #expect(pixel(150, 90) == [0, 0, 0, 0])
    }

    @Test("Contents of their size are plain, between pixels magenta, scaled yellow")
    func misaligned() throws {
        let plan = try recorded(
            """
            layer 1 bounds 0 0 200 100
              layer 2 frame 0 0 20 20 image 1 20 20
              layer 3 frame 40.5 0 20 20 image 2 20 20
              layer 4 frame 80 0 40 20 image 3 20 20
            """)
        #expect(plan.drawings.compactMap(\.fit) == [.exact, .misaligned, .stretched])
        let pixel = tinted(.misaligned, plan)
        #expect(pixel(10, 10) == [0, 0, 0, 0])
        #expect(pixel(50, 10) == [128, 0, 128, 128])
        #expect(pixel(100, 10) == [0, 128, 128, 128])
    }

    @Test("A mask is a miss when it is made and a hit when it is found")
    func cache() throws {
        let scene = try SceneText(
            """
            layer 1 bounds 0 0 200 100
              layer 2 frame 0 0 20 20 radius 5 color red
            """)
        var planner = FramePlanner(session: 1, switches: Switches.all.subtracting([.damage]))
        planner.recordsDrawings = true
        let coverage = CoverageCache()
        let first = planner.plan(scene.store, at: 0, on: scene.display, coverage: coverage).plan
        #expect(first.drawings.map(\.cache) == [.miss])
        var other = scene.display
        other.background = .black
        let second = planner.plan(scene.store, at: 1, on: other, coverage: coverage).plan
        #expect(second.drawings.map(\.cache) == [.hit])
    }
}
