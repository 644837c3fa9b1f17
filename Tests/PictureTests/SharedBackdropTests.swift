import LayerModel
import LayerRender
import ReferenceCompositor
import Testing

/// Backdrops of one name whose filters are the same are blurred once.
@Suite("Shared backdrops")
struct SharedBackdropTests {
    /// A row of panes over stripes, 160x120.
    private struct Panes {
        let display = ReferenceDisplay(pixelSize: PixelSize(width: 160, height: 120), background: .white)
        var ops: [TransactionOp] = []
        static func pane(_ index: Int) -> LayerID { LayerID(UInt32(50 + index)) }

        init(names: [String?], radii: [Double], gap: Double = 4) {
            var children: [LayerID] = []
            func make(_ layer: LayerID, _ layerClass: LayerClass, _ frame: Rect) {
                ops.append(.createLayer(layer, layerClass))
                ops.append(.set(layer, .bounds, .rect(Rect(0, 0, frame.width, frame.height))))
                ops.append(.set(layer, .anchorPoint, .point(.zero)))
                ops.append(.set(layer, .position, .point(Point(frame.minX, frame.minY))))
                if layer != LayerID(1) { children.append(layer) }
            }
            make(LayerID(1), .layer, Rect(0, 0, 160, 120))
            ops.append(.set(LayerID(1), .backgroundColor, .color(.white)))
            for stripe in 0..<8 {
                let layer = LayerID(UInt32(10 + stripe))
                make(layer, .layer, Rect(Double(stripe) * 20, Double(stripe % 3) * 10, 11, 90))
                ops.append(.set(layer, .backgroundColor, .color(Color(Double(stripe) / 8, 0.2, 0.7))))
            }
            for (index, name) in names.enumerated() {
                let pane = Self.pane(index)
                make(pane, .backdropLayer, Rect(6 + Double(index) * (36 + gap), 20, 36, 70))
                ops.append(.set(pane, .cornerRadius, .number(8)))
                if let name { ops.append(.set(pane, .groupName, .string(name))) }
                ops.append(
                    .set(
                        pane, .filters,
                        .filters([
                            LayerFilter(.gaussianBlur, inputs: [.inputRadius: .number(radii[index])]),
                            LayerFilter(.colorSaturate, inputs: [.inputAmount: .number(1.5)]),
                        ])))
            }
            ops.append(.setSublayers(LayerID(1), children))
            ops.append(.setRoot(LayerID(1)))
        }
    }

    private func steps(_ picture: Picture) -> Int { picture.plan.passes.count { $0.reason == .filterStep } }

    private func draw(_ panes: Panes) throws -> Picture {
        let transactions = [Transaction(time: 0, ops: panes.ops)]
        let picture = try Drawing.shared.draw(transactions, on: panes.display)
        let scene = try ReferenceScene(transactions, display: panes.display)
        let difference = ImageDifference(
            picture.bytes, bytesPerRow: picture.size.width * 4, to: ReferenceCompositor.render(scene), scene: scene)
        #expect(difference.isWithinTolerance, "\(difference.description)\n\(picture.plan.text)")
        return picture
    }

    @Test("Panes of one name and one blur take the steps of one; others their own, and all look as the reference says")
    func steps() throws {
        let one = steps(try draw(Panes(names: ["g"], radii: [5])))
        #expect(one >= 2)
        #expect(steps(try draw(Panes(names: ["g", "g", "g"], radii: [5, 5, 5]))) == one)
        #expect(steps(try draw(Panes(names: ["g", "g", "g"], radii: [5, 5, 7]))) == 2 * one)
        #expect(steps(try draw(Panes(names: ["g", "h", "g"], radii: [5, 5, 5]))) >= 2 * one)
        #expect(steps(try draw(Panes(names: [nil, nil, nil], radii: [5, 5, 5]))) == 3 * one)
        // So far apart that one blur of all would be larger than both.
        #expect(steps(try draw(Panes(names: ["g", "g"], radii: [5, 5], gap: 70))) == 2 * one)
    }

    @Test("When a pane moves, or what lies behind one changes, the picture is that of a fresh session")
    func damage() throws {
        let panes = Panes(names: ["g", "g", "g"], radii: [5, 5, 5])
        var frames = [(transactions: [Transaction(time: 0, ops: panes.ops)], time: 0.0)]
        let changes: [TransactionOp] = [
            .set(Panes.pane(2), .position, .point(Point(90, 26))),
            .set(LayerID(10), .backgroundColor, .color(Color(0, 1, 0))),
            .set(Panes.pane(0), .position, .point(Point(6, 2))),
            .set(LayerID(16), .position, .point(Point(100, 50))),
        ]
        for (index, change) in changes.enumerated() {
            let time = Double(index + 1) / 60
            frames.append(([Transaction(time: time, ops: [change])], time))
        }
        let drawn = try Drawing.shared.draw(frames: frames, on: panes.display)
        for number in frames.indices.dropFirst() {
            let fresh = try Drawing.shared.draw(frames[...number].flatMap(\.transactions), on: panes.display)
            let isSame = drawn[number].bytes == fresh.bytes
            #expect(isSame, "frame \(number)\n\(drawn[number].plan.text)")
        }
    }
}
