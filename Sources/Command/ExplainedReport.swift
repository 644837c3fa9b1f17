import LayerModel
import LayerRender

/// What `rostrum explain` says of the frames it drew.
struct ExplainedReport {
    var frames: [ExplainedFrame]
    /// A scene a frame.
    var scenes: [String]
    /// False: only planned.
    var isDrawn: Bool

    /// Of the last frame that was drawn: one that shows the picture before it again has no passes.
    var account: FrameAccount { frames[explained].account }

    private var explained: Int { frames.lastIndex { !$0.work.isUnchanged } ?? frames.count - 1 }

    // MARK: Text

    var text: String {
        var text = account.text
        if explained < frames.count - 1 {
            text += "\nthe last frame shows this picture again; what is explained is frame \(explained + 1)\n"
        }
        guard frames.count > 1 else { return text }
        text += "\nfrom frame to frame:\n"
        for (index, frame) in frames.enumerated() {
            text += "  \(index + 1) \(scenes[index]): \(frame.work.text)\n"
        }
        for line in thrash { text += "  \(line)\n" }
        return text
    }

    /// What is made anew in each of the last frames.
    private var thrash: [String] {
        var lines: [String] = []
        let later = frames.dropFirst().filter { !$0.work.isUnchanged }
        let masked = inEveryFrame { plan in
            plan.drawings.filter { $0.cache == .miss && $0.paint != .surface }.map(\.layer)
        }
        if !masked.isEmpty {
            lines.append(
                "masks are made anew in every frame for \(list(masked)): a shape is kept as long as its size, corners, blur and place between pixels stay"
            )
        }
        let rasterized = inEveryFrame { plan in
            plan.passes.filter { $0.reason == .rasterize && plan.slots[$0.slot].sprite != nil }.map(\.layer)
        }
        if !rasterized.isEmpty {
            lines.append(
                "the bitmap is drawn anew in every frame for \(list(rasterized)): "
                    + "unset shouldRasterize on what changes all the time")
        }
        if !later.isEmpty, later.allSatisfy({ $0.work.imagePixelsUploaded > 0 }) {
            lines.append("contents are uploaded in every frame: a CGImage that is made once and kept is uploaded once")
        }
        if later.count > 1, later.dropFirst().allSatisfy({ $0.work.targetsMade > 0 }) {
            lines.append("targets are made in every frame: groups whose size changes can't share them")
        }
        return lines
    }

    /// Layers that `find` finds in each frame after the first, in the order of the second; none where a frame drew nothing.
    private func inEveryFrame(_ find: (FramePlan) -> [LayerID]) -> [LayerID] {
        guard frames.count > 1 else { return [] }
        var common: [LayerID]?
        for frame in frames.dropFirst() {
            guard !frame.work.isUnchanged else { return [] }
            let found = find(frame.plan)
            common = common.map { $0.filter(Set(found).contains) } ?? found
        }
        var seen: Set<LayerID> = []
        return (common ?? []).filter { seen.insert($0).inserted }
    }

    private func list(_ layers: [LayerID]) -> String {
        let more = layers.count - 8
        return layers.prefix(8).map { account.name(of: $0) }.joined(separator: ", ")
            + (more > 0 ? " and \(more) more" : "")
    }

    // MARK: JSON

    func json(_ breaches: [FrameBudget.Breach]) -> JSONText {
        let account = account
        return .object([
            ("time", .number(account.time)), ("width", .integer(account.size.width)),
            ("height", .integer(account.size.height)), ("drawn", .bool(isDrawn)),
            (
                "totals",
                .object(
                    FrameBudget.Measure.allCases.map {
                        ($0.rawValue.replacing("-", with: "_"), .integer(account.value(of: $0)))
                    }
                        + [("gpu_ns", .optional(account.nanoseconds))])
            ),
            ("effects", .array(account.effects.map(Self.json))),
            ("without_pass", .array(account.roads.map(Self.json))),
            ("passes", .array(account.passes.map(Self.json))),
            ("frames", .array(frames.enumerated().map { Self.json($0.element, scenes[$0.offset]) })),
            ("thrash", .array(thrash.map { .string($0) })),
            ("over_budget", .array(breaches.map(Self.json))),
        ])
    }

    private static func json(_ layer: AccountedLayer) -> [(key: String, value: JSONText)] {
        [
            ("layer", .integer(Int(layer.id.rawValue))), ("name", .optional(layer.name)),
            ("class", .string(layer.className)),
        ]
    }

    private static func json(_ effect: FrameAccount.Effect) -> JSONText {
        .object(
            json(effect.layer) + [
                ("property", .optional(effect.property?.key)), ("passes", .array(effect.passes.map { .integer($0) })),
                ("pixels", .integer(effect.pixels)), ("gpu_ns", .optional(effect.nanoseconds)),
                ("explanation", .string(effect.explanation)), ("advice", .array(effect.advice.map { .string($0) })),
            ])
    }

    private static func json(_ road: FrameAccount.Road) -> JSONText {
        .object(json(road.layer) + [("text", .string(road.text)), ("degraded", .bool(road.isDegradation))])
    }

    private static func json(_ pass: FrameAccount.Pass) -> JSONText {
        .object(
            [("pass", .integer(pass.number)), ("reason", .string(pass.reason.rawValue))] + json(pass.layer) + [
                ("property", .optional(pass.cause.property?.key)), ("x", .integer(pass.origin.x)),
                ("y", .integer(pass.origin.y)), ("width", .integer(pass.size.width)),
                ("height", .integer(pass.size.height)), ("quads", .integer(pass.quads)),
                ("draws", .integer(pass.draws)), ("pixels", .integer(pass.pixels)),
                ("gpu_ns", .optional(pass.nanoseconds)),
            ])
    }

    private static func json(_ frame: ExplainedFrame, _ scene: String) -> JSONText {
        let work = frame.work
        return .object([
            ("scene", .string(scene)), ("time", .number(frame.account.time)), ("unchanged", .bool(work.isUnchanged)),
            ("passes", .integer(work.isUnchanged ? 0 : frame.account.passes.count)),
            ("gpu_ns", .optional(frame.account.nanoseconds)), ("masks_found", .integer(work.masksFound)),
            ("masks_made", .integer(work.masksMade)), ("pictures_found", .integer(work.picturesFound)),
            ("pictures_made", .integer(work.picturesMade)), ("evictions", .integer(work.evictions)),
            ("targets_reused", .integer(work.targetsReused)), ("targets_made", .integer(work.targetsMade)),
            ("image_pixels_uploaded", .integer(work.imagePixelsUploaded)),
            ("mask_pixels_uploaded", .integer(work.coveragePixelsUploaded)),
            ("target_bytes", .integer(work.targetBytes)), ("image_bytes", .integer(work.imageBytes)),
        ])
    }

    private static func json(_ breach: FrameBudget.Breach) -> JSONText {
        .object([
            ("budget", .string(breach.measure.rawValue)), ("limit", .integer(breach.limit)),
            ("value", .integer(breach.value)), ("pass", breach.pass.map { .integer($0.number) } ?? .null),
            ("text", .string(breach.text)),
        ])
    }
}
