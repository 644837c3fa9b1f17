import LayerModel
import Testing

@testable import LayerRender

@Suite("Cross-fades of contents")
struct ContentsFadeTests {
    /// The plan of a layer of 20 × 20 pixels half-way from one image to another.
    private func plan(
        _ from: UInt32, _ to: UInt32, secondIsOpaque: Bool = true, configure: [TransactionOp] = []
    ) throws -> FramePlan {
        func image(_ isOpaque: Bool) -> ImageContent {
            ImageContent(
                width: 20, height: 20, bytesPerRow: 80, isOpaque: isOpaque,
                pixels: PixelStorage([UInt8](repeating: 255, count: 1_600)))
        }
        let fade = AnimationDescription(
            .property(
                PropertyAnimation(
                    .property(.contents),
                    .basic(MotionEnds(from: .image(ImageID(from)), to: .image(ImageID(to)))))),
            timing: AnimationTiming(duration: 1))
        var store = LayerStore()
        try store.apply(
            Transaction(
                time: 0,
                ops: [
                    .defineImage(ImageID(1), image(true)), .defineImage(ImageID(2), image(secondIsOpaque)),
                    .createLayer(LayerID(1), .layer), .set(LayerID(1), .bounds, .rect(Rect(0, 0, 20, 20))),
                    .set(LayerID(1), .anchorPoint, .point(.zero)), .setRoot(LayerID(1)),
                    .addAnimation(LayerID(1), AnimationID(1), key: "contents", fade),
                ] + configure))
        store.present(at: 0.5)
        var planner = FramePlanner(session: 1)
        let display = DisplayGeometry(size: PixelSize(width: 40, height: 40), scale: 1, background: .white)
        return planner.plan(store, at: 0.5, on: display, coverage: CoverageCache()).plan
    }

    @Test("Two opaque images of one shape need no surface")
    func opaque() throws {
        let plan = try plan(1, 2)
        #expect(plan.passes.map(\.reason) == [.root])
        #expect(plan.passes[0].quadCount == 2)
    }

    @Test("From and to nothing an image fades, without a surface", arguments: [(0, 1), (1, 0)])
    func nothing(from: UInt32, to: UInt32) throws {
        let plan = try plan(from, to)
        #expect(plan.passes.map(\.reason) == [.root])
        #expect(plan.passes[0].quadCount == 1)
    }

    @Test("An image with alpha, or another shape, takes a surface that says why")
    func surface() throws {
        let cases: [(Bool, [TransactionOp])] = [
            (false, []), (true, [.set(LayerID(1), .bounds, .rect(Rect(0, 0, 20, 19.5)))]),
        ]
        for (isOpaque, configure) in cases {
            let plan = try plan(1, 2, secondIsOpaque: isOpaque, configure: configure)
            #expect(plan.passes.map(\.reason) == [.contentsFade, .root])
            #expect(plan.passes[0].cause == SurfaceCause(.contentsFade, .twoPictures))
            #expect(plan.passes[0].cause.property == .contents)
        }
    }
}
