import CLinux
import LayerModel
import LayerWire
import RenderServer
import Testing

/// A session whose trees of effects cost what no app's do, and the witness beside it.
struct HostileEffects {
    let server = LiveServer.shared
    let witness: Witness

    init() throws { witness = try Witness(.shared) }

    /// What a frame of hostile layers came to.
    struct Outcome {
        var frame: FrameReply
        var faults: [Fault]
        /// Of the first frame, seconds.
        var time: Double

        /// What was left out, in the words of the frame's reply.
        var degradations: String { frame.degradations.joined(separator: "\n") }

        func expectDegraded(_ words: String, _ location: SourceLocation = #_sourceLocation) {
            #expect(
                frame.degradations.contains { $0.contains(words) }, "\(frame.degradations.prefix(3))",
                sourceLocation: location)
        }
    }

    /// Commits ops, draws them twice, the second time with the root moved, and looks at what that cost.
    ///
    /// - Parameter limit: Seconds of each frame.
    @discardableResult
    func draw(
        _ what: Comment, on size: (width: UInt32, height: UInt32) = (48, 32), within limit: Double = 20,
        megabytes: Int = 64, _ ops: [TransactionOp], _ location: SourceLocation = #_sourceLocation
    ) throws -> Outcome {
        let client = try RawClient(server)
        var hello = RawClient.hello
        (hello.width, hello.height) = size
        try client.greet(hello)
        let resident = clinux_resident_bytes()
        let targets = try #require(server.server.holdings()).graphics.targetBytesAlive
        var faults: [Fault] = []
        // A message holds so many ops.
        for start in stride(from: 0, to: ops.count, by: 4_000) {
            client.commit(Array(ops[start..<min(start + 4_000, ops.count)]))
        }
        var outcome: Outcome?
        for time in 0..<2 {
            if time > 0 { client.commit([.set(LayerID(1), .position, .point(Point(0.5, 0.25)))]) }
            var answer: (frame: FrameReply?, faults: [Fault])?
            let took = seconds { answer = client.capture(at: Double(time)) }
            faults += answer?.faults ?? []
            #expect(took < limit, "frame \(time) took \(took) s: \(what)", sourceLocation: location)
            let frame = try #require(answer?.frame, "\(faults) \(what)", sourceLocation: location)
            expectPremultiplied(client.pixels(of: frame), what, location)
            if time == 0 { outcome = Outcome(frame: frame, faults: faults, time: took) }
            client.release(frame)
        }
        let held = try #require(server.server.holdings(), sourceLocation: location)
        let moreTargets = held.graphics.targetBytesAlive - targets
        #expect(
            moreTargets < megabytes << 20, "\(moreTargets >> 20) MiB more of targets: \(what)", sourceLocation: location
        )
        let more = clinux_resident_bytes() - resident
        #expect(more < Int64(4 * megabytes) << 20, "\(more >> 20) MiB more: \(what)", sourceLocation: location)
        client.vanish()
        try witness.check(location)
        outcome?.faults = faults
        return outcome!
    }

    /// Sends a commit that has to be refused, whole: the session goes on and draws what it had.
    func refused(
        _ what: Comment, _ ops: [TransactionOp], _ location: SourceLocation = #_sourceLocation
    ) throws -> Fault {
        let client = try RawClient(server)
        try client.greet()
        client.commit([.createLayer(LayerID(1), .layer), .setRoot(LayerID(1))])
        client.commit(ops)
        let answer = client.capture()
        #expect(answer?.frame != nil, what, sourceLocation: location)
        let fault = try #require(answer?.faults.first, what, sourceLocation: location)
        client.vanish()
        try witness.check(location)
        return fault
    }

    /// Nothing is brighter than it is opaque.
    private func expectPremultiplied(_ pixels: [UInt8], _ what: Comment, _ location: SourceLocation) {
        for index in stride(from: 0, to: pixels.count, by: 4) {
            guard
                pixels[index] > pixels[index + 3] || pixels[index + 1] > pixels[index + 3]
                    || pixels[index + 2] > pixels[index + 3]
            else { continue }
            Issue.record("pixel \(index / 4) is \(pixels[index..<index + 4]): \(what)", sourceLocation: location)
            return
        }
    }
}

/// Layers one in another, or beside each other, each with what `body` sets.
struct HostileTree {
    var ops: [TransactionOp] = []
    private(set) var count: UInt32 = 0

    /// Creates a layer of 16 by 16 points in the middle of such a one, with a color.
    mutating func layer(
        _ layerClass: LayerClass = .layer, _ width: Double = 16, _ height: Double = 16,
        at position: Point = Point(8, 8),
        _ properties: [(LayerProperty, PropertyValue)] = []
    ) -> LayerID {
        count += 1
        let layer = LayerID(count)
        ops.append(.createLayer(layer, layerClass))
        ops += place(layer, width, height, at: position)
        let part = Double(count % 7) / 7
        ops.append(.set(layer, .backgroundColor, .color(Color(part, 1 - part, 0.5, count % 3 == 0 ? 0.5 : 1))))
        ops += properties.map { .set(layer, $0.0, $0.1) }
        return layer
    }

    /// A chain of `depth` layers, each with a leaf below the next one, all with the same properties.
    ///
    /// - Parameter isMask: Each is the mask of the one before, instead of its sublayer.
    static func chain(
        _ depth: Int, isMask: Bool = false, _ properties: [(LayerProperty, PropertyValue)]
    ) -> [TransactionOp] {
        var tree = HostileTree()
        let layers = (0..<depth).map { _ in tree.layer(properties) }
        // Leaves of a color: two drawings that overlap, so that nothing can be folded.
        let leaves = (0..<depth - 1).map { _ in tree.layer(.layer, 9.5, 9.5) }
        for index in (0..<depth - 1).reversed() {
            if isMask {
                tree.ops.append(.setSublayers(layers[index], [leaves[index]]))
                tree.ops.append(.set(layers[index], .mask, .layer(layers[index + 1])))
            } else {
                tree.ops.append(.setSublayers(layers[index], [leaves[index], layers[index + 1]]))
            }
        }
        return tree.ops + [.setRoot(layers[0])]
    }

    mutating func layer(_ properties: [(LayerProperty, PropertyValue)]) -> LayerID {
        layer(.layer, 16, 16, properties)
    }

    /// A root of 48 by 32 points with siblings.
    static func siblings(
        _ number: Int, _ layerClass: LayerClass = .layer,
        _ properties: (Int) -> [(LayerProperty, PropertyValue)]
    ) -> [TransactionOp] {
        var tree = HostileTree()
        let root = tree.layer(.layer, 48, 32, at: Point(24, 16))
        let layers = (0..<number).map { index in
            tree.layer(
                layerClass, 16, 16, at: Point(Double(index * 7 % 48), Double(index * 11 % 32)), properties(index))
        }
        return tree.ops + [.setSublayers(root, layers), .setRoot(root)]
    }
}
