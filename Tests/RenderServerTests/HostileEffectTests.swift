import Foundation
import LayerModel
import LayerWire
import Testing

// Trees and what is demanded of their frames: HostileEffects.swift, ExtremeTree.swift.

extension ServerTests {
    /// Effects without measure: bounded time and memory, a named degradation or a located error, and nobody else sees any of
    /// it.
    @Suite("Effects without measure")
    struct HostileEffectTests {
        let effects: HostileEffects

        init() throws { effects = try HostileEffects() }

        // MARK: One in another

        @Test("A thousand masks of masks end at the limit of nesting, which is said")
        func nestedMasks() throws {
            let outcome = try effects.draw("masks", HostileTree.chain(1_000, isMask: true, []))
            outcome.expectDegraded("no surface for")
            #expect(outcome.frame.passesDrawn < 1_000)
        }

        @Test(
            "Hundreds of layers in one another, each with an effect",
            arguments: [
                ("mode", 1_000, [(.compositingFilter, .code(CompositingMode.multiply.rawValue))]),
                ("operator", 300, [(.compositingFilter, .code(CompositingMode.sourceIn.rawValue))]),
                (
                    "shadow", 80,
                    [
                        (.shadowOpacity, .number(1)), (.shadowOffset, .point(Point(0.5, 0.5))),
                        (.shadowRadius, .number(0)),
                    ]
                ),
                (
                    "blur", 200,
                    [(.filters, .filters([LayerFilter(.gaussianBlur, inputs: [.inputRadius: .number(1)])]))]
                ),
                ("backdrop", 1_000, [(.backgroundFilters, .filters([LayerFilter(.gaussianBlur)]))]),
                ("bitmap", 300, [(.shouldRasterize, .bool(true))]),
                (
                    "all of them", 40,
                    [
                        (.opacity, .number(0.99)), (.shadowOpacity, .number(0.5)), (.cornerRadius, .number(4)),
                        (.masksToBounds, .bool(true)), (.shadowOffset, .point(Point(0.5, 1.25))),
                        (.compositingFilter, .code(CompositingMode.hue.rawValue)),
                        (.backgroundFilters, .filters([LayerFilter(.colorInvert)])),
                        (.filters, .filters([LayerFilter(.pixellate)])),
                    ]
                ),
            ] as [(String, Int, [(LayerProperty, PropertyValue)])])
        func nested(effect: (name: String, depth: Int, properties: [(LayerProperty, PropertyValue)])) throws {
            let outcome = try effects.draw(
                "\(effect.name)", within: 40, HostileTree.chain(effect.depth, effect.properties))
            // Backdrops are drawn one after the other, in the same targets.
            if effect.name != "backdrop" { #expect(!outcome.frame.degradations.isEmpty, "\(effect.name)") }
        }

        // MARK: Many

        @Test("Five thousand backdrops, of names of their own and of one name, take the targets of a few")
        func backdrops() throws {
            let blur = LayerFilter(.gaussianBlur, inputs: [.inputRadius: .number(2)])
            try effects.draw(
                "backgroundFilters", within: 100,
                HostileTree.siblings(5_000) { _ in [(.backgroundFilters, .filters([blur]))] })
            try effects.draw(
                "one group", within: 100,
                HostileTree.siblings(2_000, .backdropLayer) { _ in
                    [(.filters, .filters([blur])), (.groupName, .string("all"))]
                })
        }

        @Test("Two thousand blend modes that read what lies below take the targets of a few")
        func modes() throws {
            let modes: [CompositingMode] = [.hue, .multiply, .softLight, .copy, .sourceIn, .plusDarker]
            try effects.draw(
                "modes", within: 60, megabytes: 24,
                HostileTree.siblings(2_000) { index in
                    [(.compositingFilter, .code(modes[index % modes.count].rawValue))]
                })
        }

        @Test("Twelve hundred tilted layers in one place are drawn in bounded time, and some not cut, which is said")
        func tilted() throws {
            let outcome = try effects.draw(
                "tilted", within: 100,
                HostileTree.siblings(1_200) { index in
                    [
                        (.transform, .transform(.rotation(Double(index) / 500, 0.3, 1, 0))),
                        (.position, .point(Point(24, 16))),
                    ]
                })
            outcome.expectDegraded("cross in depth too often")
        }

        @Test("Sixty-four filters of every kind, the limit, on one layer")
        func manyFilters() throws {
            let kinds = LayerFilter.Kind.allCases
            let filters = (0..<WireLimits.filters).map { LayerFilter(kinds[$0 % kinds.count]) }
            for property: LayerProperty in [.filters, .backgroundFilters] {
                try effects.draw(
                    "\(property.key)", megabytes: 160, HostileTree.siblings(3) { _ in [(property, .filters(filters))] })
            }
        }

        // MARK: Numbers

        @Test(
            "Blurs and shadows of a huge deviation are drawn with the widest one, which is said",
            arguments: [1e4, 1e9, 1e300, .greatestFiniteMagnitude])
        func wideBlurs(radius: Double) throws {
            let inputs: [LayerFilter.Input: LayerFilter.Value] = [.inputRadius: .number(radius)]
            for kind: LayerFilter.Kind in [.gaussianBlur, .dropShadow] {
                let outcome = try effects.draw(
                    "\(kind) \(radius)",
                    HostileTree.siblings(2) { _ in [(.filters, .filters([LayerFilter(kind, inputs: inputs)]))] })
                outcome.expectDegraded("deviation above 512 pixels")
            }
            let behind = try effects.draw(
                "backdrop \(radius)",
                HostileTree.siblings(2) { _ in
                    [(.backgroundFilters, .filters([LayerFilter(.gaussianBlur, inputs: inputs)]))]
                })
            behind.expectDegraded("deviation above 512 pixels")
            for path in [nil, VectorPath(rect: Rect(0, 0, 9, 9))] {
                let outcome = try effects.draw(
                    "shadow \(radius)",
                    HostileTree.siblings(2) { _ in
                        [
                            (.shadowOpacity, .number(1)), (.shadowRadius, .number(radius)),
                            (.shadowPath, .path(path)),
                        ]
                    })
                outcome.expectDegraded("deviation above 512 pixels")
            }
        }

        @Test("A bitmap of 100,000 by 100,000 points, or of a huge scale, is not made, which is said")
        func largeBitmaps() throws {
            let large = try effects.draw(
                "100k",
                HostileTree.siblings(2) { _ in
                    [(.shouldRasterize, .bool(true)), (.bounds, .rect(Rect(0, 0, 1e5, 1e5)))]
                })
            large.expectDegraded("no bitmap")
            for scale in [1e9, 1e300] {
                let outcome = try effects.draw(
                    "scale \(scale)",
                    HostileTree.siblings(2) { _ in
                        [(.shouldRasterize, .bool(true)), (.rasterizationScale, .number(scale))]
                    })
                outcome.expectDegraded("no bitmap")
            }
            for scale in [0, -1, 1e-9, -1e300, 1e-300] {
                try effects.draw(
                    "scale \(scale)",
                    HostileTree.siblings(2) { _ in
                        [(.shouldRasterize, .bool(true)), (.rasterizationScale, .number(scale))]
                    })
            }
        }

        @Test("Shadows that fall far away, and paths with far points")
        func farShadows() throws {
            for far in [1e5, 1e9, 1e300, -1e300] {
                for path in [
                    nil, VectorPath(rect: Rect(-far, -1, 2 * abs(far), 9)), VectorPath(rect: Rect(far, far, 9, 9)),
                ] {
                    try effects.draw(
                        "\(far)",
                        HostileTree.siblings(2) { index in
                            [
                                (.shadowOpacity, .number(1)), (.shadowOffset, .point(Point(far, index == 0 ? far : 1))),
                                (.shadowPath, .path(path)),
                            ]
                        })
                }
            }
        }

        @Test("A shadowPath of as many verbs as one may have; one more is a located error")
        func longPath() throws {
            var path = VectorPath()
            path.move(to: .zero)
            for index in 1..<WireLimits.pathVerbs {
                path.line(to: Point(Double(index * 7_919 % 1_000) / 60, Double(index * 104_729 % 1_000) / 60))
            }
            func ops(_ path: VectorPath) -> [TransactionOp] {
                HostileTree.siblings(1) { _ in [(.shadowOpacity, .number(1)), (.shadowPath, .path(path))] }
            }
            // Larger than a message; by a sealed file, as the library sends it.
            let client = try ClientConnection(path: effects.server.path, hello: RawClient.hello)
            try client.commit(Transaction(time: 0, ops: ops(path)))
            let time = try seconds { client.release(try #require(try client.capture(at: 0, .pixels).buffer)) }
            #expect(time < 8, "\(time) s")
            #expect(client.takeFaults().isEmpty)
            client.close()
            try effects.witness.check()
        }

        @Test("Numbers of every extreme in every input of every filter", arguments: LayerFilter.Kind.allCases)
        func filterInputs(kind: LayerFilter.Kind) throws {
            let numbers = [0, -1, 1e9, -1e300, 1e300]
            for property: LayerProperty in [.filters, .backgroundFilters] {
                let layers = numbers.map { number in
                    let color = Color(number, -number, 0, 1)
                    return LayerFilter(
                        kind,
                        inputs: [
                            .inputRadius: .number(number), .inputAmount: .number(number), .inputAngle: .number(number),
                            .inputBias: .number(number), .inputScale: .number(number),
                            .inputOffset: .point(Point(number, -number)), .inputColor: .color(color),
                            .inputColorMatrix: .numbers([Double](repeating: number, count: 20)),
                            .inputHardEdges: .flag(number < 0), .inputNormalizeEdges: .flag(number > 1e9),
                        ])
                }
                try effects.draw(
                    "\(kind)", megabytes: 320,
                    HostileTree.siblings(numbers.count) { [(property, .filters([layers[$0]]))] })
            }
        }

        // MARK: Depth

        @Test("Shadows, filters, masks and backdrops of layers before, at and behind the eye")
        func behindTheEye() throws {
            for depth in [-20, 5, 9.9, 10, 30, 1e9] {
                var tree = HostileTree()
                var perspective = Transform.identity
                perspective.m34 = -0.1
                let root = tree.layer(
                    .layer, 48, 32, at: Point(24, 16), [(.sublayerTransform, .transform(perspective))])
                let effects: [[(LayerProperty, PropertyValue)]] = [
                    [(.shadowOpacity, .number(1))], [(.shadowOpacity, .number(1)), (.opacity, .number(0.5))],
                    [(.filters, .filters([LayerFilter(.gaussianBlur), LayerFilter(.pixellate)]))],
                    [(.backgroundFilters, .filters([LayerFilter(.gaussianBlur)]))],
                    [(.compositingFilter, .code(CompositingMode.sourceIn.rawValue))],
                    [(.shouldRasterize, .bool(true))],
                    [(.cornerRadius, .number(4)), (.masksToBounds, .bool(true))],
                ]
                var layers: [LayerID] = []
                for (index, properties) in effects.enumerated() {
                    let turned = Transform.rotation(Double(index) * 0.4, 0.2, 1, 0)
                    let layer = tree.layer(
                        .layer, 16, 16, at: Point(24, 16),
                        properties + [(.zPosition, .number(depth)), (.transform, .transform(turned))])
                    let leaf = tree.layer(.layer, 9.5, 9.5)
                    let mask = tree.layer(.layer, 12, 12, [(.cornerRadius, .number(5))])
                    tree.ops += [.setSublayers(layer, [leaf]), .set(layer, .mask, .layer(mask))]
                    layers.append(layer)
                }
                tree.ops += [.setSublayers(root, layers), .setRoot(root)]
                try self.effects.draw("at \(depth)", within: 40, megabytes: 160, tree.ops)
            }
        }

        // MARK: Refusals

        @Test(
            "A layer as its own mask, an ancestor as a mask, and two layers that mask each other are refused with a place"
        )
        func cyclicMasks() throws {
            let create: [TransactionOp] = [2, 3, 4].map { .createLayer(LayerID($0), .layer) }
            let cases: [(String, [TransactionOp], op: UInt32, layer: UInt32)] = [
                ("itself", [.set(LayerID(2), .mask, .layer(LayerID(2)))], 3, 2),
                (
                    "an ancestor",
                    [
                        .setSublayers(LayerID(2), [LayerID(3)]), .setSublayers(LayerID(3), [LayerID(4)]),
                        .set(LayerID(4), .mask, .layer(LayerID(2))),
                    ], 5, 4
                ),
                (
                    "each other",
                    [
                        .set(LayerID(2), .mask, .layer(LayerID(3))), .set(LayerID(3), .mask, .layer(LayerID(2))),
                    ], 4, 3
                ),
            ]
            for (name, ops, op, layer) in cases {
                let fault = try effects.refused("\(name)", create + ops)
                #expect(fault.code == TransactionError.Code.cycle.rawValue + 100, "\(name): \(fault)")
                #expect(!fault.isFatal, "\(name)")
                #expect(fault.op == op && fault.layer == LayerID(layer), "\(name): \(fault)")
            }
        }

        // MARK: Everything at once

        /// `ROSTRUM_EXTREME_SEEDS` says how many besides.
        private static let seeds: [UInt64] =
            [0, 1, 2, 3, 102, 103, 106, 203]
            + Array(300..<300 + (UInt64(ProcessInfo.processInfo.environment["ROSTRUM_EXTREME_SEEDS"] ?? "") ?? 0))

        @Test("Random trees whose effects have numbers of every size", arguments: seeds)
        func randomExtremes(seed: UInt64) throws {
            var tree = ExtremeTree(seed: seed)
            try effects.draw("seed \(seed)", within: 60, megabytes: 320, tree.ops())
        }
    }
}
