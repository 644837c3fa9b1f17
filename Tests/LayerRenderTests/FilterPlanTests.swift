import LayerModel
import Testing

@testable import LayerRender

@Suite("Filters in plans")
struct FilterPlanTests {
    private static let filters: [LayerFilter] = [
        LayerFilter(.pixellate, inputs: [.inputScale: .number(8)]),
        LayerFilter(.pixellate, inputs: [.inputScale: .number(7.5)]),
        LayerFilter(.gaussianBlur, inputs: [.inputRadius: .number(6)]),
        LayerFilter(.gaussianBlur, inputs: [.inputRadius: .number(6), .inputNormalizeEdges: .flag(true)]),
        LayerFilter(.dropShadow, inputs: [.inputRadius: .number(2)]),
        LayerFilter(.colorInvert, inputs: [:]),
    ]

    /// Two filters, the first of which may bring something near enough for the second, on layers in and around the display.
    @Test("What filters bring nowhere near the display takes no target and no pass", arguments: 0..<6, 0..<6)
    func farAway(first: Int, second: Int) throws {
        for (property, layerClass) in [(LayerProperty.filters, LayerClass.layer), (.backgroundFilters, .backdropLayer)]
        {
            for y in [30.0, 96, 103, 118, 134, 180, 400] {
                var store = LayerStore()
                let (root, layer, inner) = (LayerID(1), LayerID(2), LayerID(3))
                try store.apply(
                    Transaction(
                        time: 0,
                        ops: [
                            .createLayer(root, .layer), .createLayer(layer, layerClass), .createLayer(inner, .layer),
                            .set(root, .bounds, .rect(Rect(0, 0, 120, 100))),
                            .set(root, .anchorPoint, .point(.zero)),
                            .set(layer, .bounds, .rect(Rect(0, 0, 40, 8))),
                            .set(layer, .position, .point(Point(60, y))),
                            .set(layer, .backgroundColor, .color(Color(1, 0, 0, 0.5))),
                            .set(inner, .bounds, .rect(Rect(0, 0, 20, 6))),
                            .set(inner, .backgroundColor, .color(Color(0, 1, 0, 0.5))),
                            .set(layer, property, .filters([Self.filters[first], Self.filters[second]])),
                            .setSublayers(layer, [inner]), .setSublayers(root, [layer]), .setRoot(root),
                        ]))
                var planner = FramePlanner(session: 1)
                let display = DisplayGeometry(size: PixelSize(width: 120, height: 100))
                store.present(at: 0)
                let plan = planner.plan(store, at: 0, on: display, coverage: CoverageCache()).plan
                #expect(!plan.slots.contains { $0.size.area == 0 }, "y \(y)\n\(plan.text)")
                if y == 400 { #expect(plan.passes.map(\.reason) == [.root], "\(plan.text)") }
            }
        }
    }
}
