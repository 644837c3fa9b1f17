// The account of a frame: which layer and which of its properties asked for each pass, what that cost, which road without
// a pass was missed and by what, which were taken, and what would be cheaper.
//
// Passes of one property of one layer are one effect: the silhouette of a shadow and the steps of its blur stand or fall
// together. Effects are ordered by what they cost: by time where the time of every pass is known, by pixels otherwise.

import LayerModel

/// A layer as people know it.
package struct AccountedLayer: Sendable, Hashable {
    package var id: LayerID
    /// Nil where the app gave it none.
    package var name: String?
    package var layerClass: LayerClass

    /// `"card 3" (layer 7)`, or `layer 7`. What a name has that would break a line is left out.
    package var text: String {
        guard id != .none else { return "the display" }
        guard let name, !name.isEmpty else { return id.description }
        return "\"\(name.inOneLine)\" (\(id.description))"
    }

    /// Core Animation's name of the class.
    package var className: String {
        switch layerClass {
        case .layer: "CALayer"
        case .transformLayer: "CATransformLayer"
        case .backdropLayer: "CABackdropLayer"
        case .shapeLayer: "CAShapeLayer"
        case .gradientLayer: "CAGradientLayer"
        case .replicatorLayer: "CAReplicatorLayer"
        case .emitterLayer: "CAEmitterLayer"
        }
    }
}

extension String {
    /// Without characters that move a terminal's cursor, and not longer than a line.
    fileprivate var inOneLine: String {
        let shown = String(String.UnicodeScalarView(unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
        return shown.count > 60 ? shown.prefix(59) + "…" : shown
    }
}

/// What one frame cost, and why.
package struct FrameAccount: Sendable {
    /// One pass.
    package struct Pass: Sendable, Equatable {
        /// From 1, as in the plan.
        package var number: Int
        package var reason: SurfaceReason
        package var cause: SurfaceCause
        package var layer: AccountedLayer
        package var origin: PixelPoint
        package var size: PixelSize
        /// Pixels of its rectangles; one drawn twice counts twice.
        package var pixels: Int
        package var draws: Int
        package var quads: Int
        /// Nil where it can't be known, or was not measured.
        package var nanoseconds: UInt64?
    }

    /// What one property of one layer asked for.
    package struct Effect: Sendable, Equatable {
        package var layer: AccountedLayer
        /// Nil for the picture itself.
        package var property: LayerProperty?
        package var obstacle: SurfaceCause.Obstacle
        /// Numbers of its passes.
        package var passes: [Int]
        package var pixels: Int
        /// Nil unless it is known of every pass.
        package var nanoseconds: UInt64?
        /// One sentence: what needs the passes, and by what a road without them was missed.
        package var explanation: String
        /// What would be cheaper, the best first; empty where there is nothing to gain.
        package var advice: [String]
    }

    /// A road that was taken without a pass, or a degradation.
    package struct Road: Sendable, Equatable {
        package var layer: AccountedLayer
        package var text: String
        package var isDegradation: Bool
    }

    /// Seconds of the display's clock.
    package var time: Double
    package var size: PixelSize
    package var passes: [Pass] = []
    /// Dearest first; the picture's own passes stand among them.
    package var effects: [Effect] = []
    package var roads: [Road] = []
    package var targets: Int
    package var draws = 0
    /// Of all passes.
    package var pixels = 0
    /// Of all passes but the picture's own.
    package var offscreenPixels = 0
    /// Coverage tiles that had to be uploaded.
    package var uploads: Int
    /// Of all passes; nil unless it is known of every one.
    package var nanoseconds: UInt64?
    /// Of the layers that the plan's passes and drawings belong to.
    private var names: [LayerID: String] = [:]

    /// - Parameters:
    ///   - store: The layers that the plan shows.
    ///   - times: Nanoseconds of each pass of the plan, nil where unknown; empty where nothing was measured.
    package init(_ plan: FramePlan, _ store: LayerStore, times: [UInt64?] = []) {
        time = plan.time
        size = plan.size
        targets = plan.slots.count
        uploads = plan.uploads.count
        for (index, pass) in plan.passes.enumerated() {
            let row = Pass(
                number: index + 1, reason: pass.reason, cause: pass.cause,
                layer: AccountedLayer(pass.layer, store), origin: pass.origin, size: pass.size,
                pixels: pass.pixelCount, draws: pass.batches.count, quads: pass.quadCount,
                nanoseconds: index < times.count ? times[index] : nil)
            draws += row.draws
            pixels += row.pixels
            if pass.reason != .root { offscreenPixels += row.pixels }
            passes.append(row)
        }
        nanoseconds = Self.sum(passes.map(\.nanoseconds))
        for layer in plan.drawings.map(\.layer) + plan.passes.map(\.layer) where names[layer] == nil {
            names[layer] = AccountedLayer(layer, store).text
        }
        effects = Self.effects(of: passes, store)
        roads = plan.notes.map { note in
            Road(
                layer: AccountedLayer(note.layer, store), text: note.kind.text, isDegradation: note.isDegradation)
        }
    }

    /// A layer as the account calls it.
    package func name(of layer: LayerID) -> String { names[layer] ?? layer.description }

    private struct EffectKey: Hashable {
        var layer: LayerID
        var property: LayerProperty?
    }

    private static func effects(of passes: [Pass], _ store: LayerStore) -> [Effect] {
        var order: [EffectKey] = []
        var groups: [EffectKey: [Pass]] = [:]
        for pass in passes {
            let key = EffectKey(layer: pass.layer.id, property: pass.cause.property)
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(pass)
        }
        let effects = order.map { key in
            let passes = groups[key]!
            let obstacle = passes.map(\.cause.obstacle).first { $0 != .none } ?? .none
            let words = EffectWords(passes[0].layer, key.property, obstacle, store)
            return Effect(
                layer: passes[0].layer, property: key.property, obstacle: obstacle, passes: passes.map(\.number),
                pixels: passes.reduce(0) { $0 + $1.pixels }, nanoseconds: sum(passes.map(\.nanoseconds)),
                explanation: words.explanation, advice: words.advice)
        }
        let areTimed = effects.allSatisfy { $0.nanoseconds != nil }
        return effects.enumerated().sorted { a, b in
            if areTimed, a.element.nanoseconds != b.element.nanoseconds {
                return a.element.nanoseconds! > b.element.nanoseconds!
            }
            if a.element.pixels != b.element.pixels { return a.element.pixels > b.element.pixels }
            return a.offset < b.offset
        }.map(\.element)
    }

    private static func sum(_ times: [UInt64?]) -> UInt64? {
        guard !times.isEmpty else { return nil }
        var sum: UInt64 = 0
        for time in times {
            guard let time else { return nil }
            sum += time
        }
        return sum
    }
}

extension AccountedLayer {
    /// A layer of a store; one that is gone has only its number.
    package init(_ id: LayerID, _ store: LayerStore) {
        let record = store.index(of: id).map { store.records[Int($0)] }
        self.init(id: id, name: record?.properties.name, layerClass: record?.layerClass ?? .layer)
    }
}
