import LayerModel
import LayerWire
import RenderServer
import Testing

extension ServerTests {
    /// What is finite is drawn, or not, in bounded time: the session goes on and nobody else sees anything of it.
    @Suite("Values at the end of what numbers can say")
    struct ExtremeValueTests {
        let server = LiveServer.shared
        let witness: Witness

        init() throws { witness = try Witness(.shared) }

        /// Draws ops on a tree of three layers with contents; returns the pixels.
        @discardableResult
        private func drawn(
            _ what: Comment, within limit: Double = 3, _ ops: [TransactionOp],
            _ location: SourceLocation = #_sourceLocation
        ) throws -> [UInt8] {
            let client = try RawClient(server)
            try client.greet()
            let image = ImageContent(
                width: 4, height: 4, bytesPerRow: 16, isOpaque: false,
                pixels: PixelStorage([UInt8](repeating: 128, count: 64)))
            var tree: [TransactionOp] = (1...3).map { .createLayer(LayerID($0), .layer) }
            for id in 1...3 as ClosedRange<UInt32> {
                tree += place(LayerID(id), 16, 16, at: Point(8, 8))
                tree.append(.set(LayerID(id), .backgroundColor, .color(Color(0, 0, Double(id) / 3))))
            }
            tree += [
                .defineImage(ImageID(1), image), .set(LayerID(3), .contents, .image(ImageID(1))),
                .set(LayerID(2), .masksToBounds, .bool(true)), .set(LayerID(2), .opacity, .number(0.7)),
                .setSublayers(LayerID(2), [LayerID(3)]), .setSublayers(LayerID(1), [LayerID(2)]), .setRoot(LayerID(1)),
            ]
            client.commit(tree)
            client.commit(ops)
            var answer: (frame: FrameReply?, faults: [Fault])?
            let time = seconds { answer = client.capture() }
            #expect(time < limit, "\(time) s: \(what)", sourceLocation: location)
            #expect(answer?.faults.isEmpty == true, "\(answer?.faults ?? []) \(what)", sourceLocation: location)
            let frame = try #require(answer?.frame, what, sourceLocation: location)
            let pixels = client.pixels(of: frame)
            // Premultiplied: nothing is brighter than it is opaque.
            for index in stride(from: 0, to: pixels.count, by: 4) {
                let isValid = pixels[index..<index + 3].allSatisfy { $0 <= pixels[index + 3] }
                #expect(
                    isValid, "pixel \(index / 4) is \(pixels[index..<index + 4]): \(what)", sourceLocation: location)
                if !isValid { break }
            }
            client.vanish()
            try witness.check(location)
            return pixels
        }

        @Test("Every number property at every extreme", arguments: LayerProperty.allCases.filter { $0.kind == .number })
        func numbers(property: LayerProperty) throws {
            for number in extremeNumbers {
                try drawn("\(property.key) \(number)", (1...3).map { .set(LayerID($0), property, .number(number)) })
            }
        }

        @Test("Every point property at every extreme", arguments: LayerProperty.allCases.filter { $0.kind == .point })
        func points(property: LayerProperty) throws {
            for number in extremeNumbers {
                try drawn(
                    "\(property.key) \(number)",
                    (1...3).map { .set(LayerID($0), property, .point(Point(number, -number))) })
            }
        }

        @Test("Every rect property at every extreme", arguments: LayerProperty.allCases.filter { $0.kind == .rect })
        func rects(property: LayerProperty) throws {
            for number in extremeNumbers {
                for rect in [Rect(number, number, 10, 10), Rect(0, 0, number, number), Rect(-number, 1, number, 5)] {
                    try drawn(
                        "\(property.key) \(rect)", (1...3).map { .set(LayerID($0), property, .rect(rect)) })
                }
            }
        }

        @Test(
            "Bounds of no size, and of less",
            arguments: [(0, 0), (0, 10), (10, 0), (-10, 10), (-10, -10), (1e-300, 1e-300)])
        func sizes(size: (Double, Double)) throws {
            try drawn(
                "bounds \(size)",
                (1...3).flatMap { id -> [TransactionOp] in
                    [
                        .set(LayerID(id), .bounds, .rect(Rect(0, 0, size.0, size.1))),
                        .set(LayerID(id), .cornerRadius, .number(4)), .set(LayerID(id), .borderWidth, .number(2)),
                        .set(LayerID(id), .masksToBounds, .bool(true)),
                    ]
                })
        }

        @Test("Every color at every extreme")
        func colors() throws {
            for property: LayerProperty in [.backgroundColor, .borderColor] {
                for number in extremeNumbers {
                    let color = Color(number, -number, number, number)
                    guard color.isFinite else { continue }
                    try drawn(
                        "\(property.key) \(number)",
                        [.set(LayerID(2), property, .color(color)), .set(LayerID(2), .borderWidth, .number(2))])
                }
            }
        }

        @Test("Singular matrices, w = 0 and extreme elements, in both transforms", arguments: 0..<extremeMatrices.count)
        func matrices(index: Int) throws {
            let (name, matrix) = extremeMatrices[index]
            for property: LayerProperty in [.transform, .sublayerTransform] {
                try drawn(
                    "\(property.key) \(name)",
                    [.set(LayerID(2), property, .transform(matrix)), .set(LayerID(2), .cornerRadius, .number(3))])
            }
        }

        @Test("Extreme matrices one above the other overflow to what is not drawn")
        func stackedMatrices() throws {
            let huge = Transform(elements: [1e200, 0, 0, 0, 0, 1e200, 0, 0, 0, 0, 1, 0, 1e200, 1e200, 0, 1])!
            try drawn("1e200 three times", (1...3).map { .set(LayerID($0), .transform, .transform(huge)) })
        }

        @Test(
            "A thousand group opacities inside each other are drawn in bounded time and memory, or said to be left out")
        func nestedGroups() throws {
            let client = try RawClient(server)
            try client.greet()
            var ops: [TransactionOp] = []
            let count: UInt32 = 1_000
            for id in 1...count {
                ops += [.createLayer(LayerID(id), .layer), .createLayer(LayerID(id + 5_000), .layer)]
                ops += place(LayerID(id), 16, 16, at: Point(8, 8)) + place(LayerID(id + 5_000), 16, 16, at: Point(8, 8))
                ops.append(.set(LayerID(id + 5_000), .backgroundColor, .color(Color(1, 0, 0))))
                ops.append(.set(LayerID(id), .backgroundColor, .color(Color(0, 1, 0))))
                ops.append(.set(LayerID(id), .opacity, .number(0.99)))
                ops.append(.setSublayers(LayerID(id), id < count ? [LayerID(id + 5_000), LayerID(id + 1)] : []))
            }
            // From the bottom up, so that every list names layers that exist.
            ops.sort { rank($0) < rank($1) }
            ops.append(.setRoot(LayerID(1)))
            client.commit(ops)
            var answer: (frame: FrameReply?, faults: [Fault])?
            let time = seconds { answer = client.capture() }
            let frame = try #require(answer?.frame, "\(answer?.faults ?? [])")
            #expect(time < 5, "\(time) s")
            let held = try #require(server.server.holdings())
            #expect(held.graphics.targetBytesAlive < 64 << 20, "\(held.graphics.targetBytesAlive) bytes")
            // Source: the planner's limit of surfaces inside one another.
            #expect(frame.passesDrawn <= 65, "\(frame.passesDrawn) passes")
            #expect(!frame.degradations.isEmpty)
            client.vanish()
            try witness.check()
        }

        private func rank(_ op: TransactionOp) -> Int { if case .setSublayers = op { 1 } else { 0 } }

        @Test("Sixty thousand siblings are drawn")
        func siblings() throws {
            let client = try RawClient(server)
            try client.greet()
            for part in 0..<6 as Range<UInt32> {
                var ops: [TransactionOp] = part == 0 ? [.createLayer(LayerID(1), .layer)] : []
                for id in 2 + part * 10_000..<2 + (part + 1) * 10_000 { ops.append(.createLayer(LayerID(id), .layer)) }
                client.commit(ops)
            }
            client.commit([
                .setSublayers(LayerID(1), (2..<60_002).map { LayerID($0) }), .setRoot(LayerID(1)),
            ])
            #expect(client.capture()?.frame != nil)
            client.vanish()
            try witness.check()
        }
    }
}

private let extremeNumbers: [Double] = [
    -0.0, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .leastNormalMagnitude / 1_024, 1e38, -1e38, 1e154, 1e200,
    -1e200, .greatestFiniteMagnitude / 2, -.greatestFiniteMagnitude / 2, 16_777_217, 4e9, -4e9, 0x1p53, 1e-20,
]

/// Matrices that can't be inverted, or put points at infinity.
private let extremeMatrices: [(String, Transform)] = {
    var list: [(String, Transform)] = [
        ("all zero", Transform(elements: [Double](repeating: 0, count: 16))!),
        ("all one", Transform(elements: [Double](repeating: 1, count: 16))!),
    ]
    func change(_ name: String, _ body: (inout [Double]) -> Void) {
        var elements = Transform.identity.elements
        body(&elements)
        list.append((name, Transform(elements: elements)!))
    }
    change("flat in x") { $0[0] = 0 }
    change("flat in y") { $0[5] = 0 }
    change("rank one") { ($0[0], $0[1], $0[4], $0[5]) = (1, 1, 1, 1) }
    change("w is 0") { $0[15] = 0 }
    change("w is -1") { $0[15] = -1 }
    change("w runs through 0 along x") { $0[3] = -0.1 }
    change("w runs through 0 along x and y") { ($0[3], $0[7]) = (0.2, -0.2) }
    change("m34 with a depth at the eye") { ($0[11], $0[14]) = (-1, 1) }
    change("m34 behind the eye") { ($0[11], $0[14]) = (-1.0 / 10, 20) }
    for number in extremeNumbers {
        change("scaled by \(number)") { ($0[0], $0[5]) = (number, number) }
        change("moved by \(number)") { ($0[12], $0[13], $0[14]) = (number, -number, number) }
        change("m34 \(number)") { $0[11] = number }
        change("sheared by \(number)") { ($0[1], $0[4]) = (number, number) }
        change("w \(number)") { $0[15] = number }
    }
    return list
}()
