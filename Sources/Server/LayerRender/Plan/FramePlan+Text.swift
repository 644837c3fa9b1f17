// A plan as text: for `rostrum plan`, for goldens, for people. Deterministic; one line a pass, a draw, a note.

import LayerModel

extension FramePlan {
    /// Lines that end in a newline each.
    ///
    ///     frame 200x100 at 0 s: 2 passes, 2 targets, 9 quads in 4 draws, 25600 pixels
    ///     pass 1 group-opacity "card" (layer 3): 60x40 at (10,10) into slot 1, clear 0 0 0 0
    ///       solid copy, 1 quad
    ///     pass 2 root "layer 1" (layer 1): 200x100 at (0,0) into slot 0, clear 1 1 1 1
    ///       tintedImage over, 1 quad, slot 1
    ///     note: layer 7: opacity folded into 2 quads that don't overlap
    package var text: String {
        let quads = passes.reduce(0) { $0 + $1.quadCount }
        let draws = passes.reduce(0) { $0 + $1.batches.count }
        let pixels = passes.reduce(0) { $0 + $1.pixelCount }
        var lines = [
            "frame \(size) at \(seconds(time)) s: \(counted(passes.count, "pass", "passes")), "
                + "\(counted(slots.count, "target")), \(counted(quads, "quad")) in \(counted(draws, "draw")), "
                + "\(counted(pixels, "pixel"))"
        ]
        if let damage {
            lines.append("damage: " + (damage.isEmpty ? "none" : damage.map(\.description).joined(separator: " ")))
        }
        for (index, pass) in passes.enumerated() {
            lines.append(
                "pass \(index + 1) \(pass.reason.rawValue) \"\(pass.label)\" (\(pass.layer)): \(pass.size) at "
                    + "(\(pass.origin.x),\(pass.origin.y)) into slot \(pass.slot), \(pass.load.text)"
                    + (slots[pass.slot].sprite == nil ? "" : ", kept")
                    + (pass.scissors.isEmpty ? "" : ", in the damage"))
            lines.append(contentsOf: pass.batches.map { "  " + $0.text })
        }
        lines.append(contentsOf: notes.map { "note: \($0.layer): \($0.kind.text)" })
        return lines.joined(separator: "\n") + "\n"
    }

    private func seconds(_ time: Double) -> String {
        time == time.rounded() && abs(time) < 1e15 ? String(Int(time)) : String(time)
    }
}

private func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String {
    "\(count) \(count == 1 ? one : many ?? one + "s")"
}

extension LoadAction {
    fileprivate var text: String {
        switch self {
        case .clear(let c): "clear \(short(c.red)) \(short(c.green)) \(short(c.blue)) \(short(c.alpha))"
        case .discard: "discard"
        case .keep: "keep"
        }
    }
}

private func short(_ value: Float) -> String {
    if value < 0 { return "-" + short(-value) }
    guard value < 1e12 else { return "\(value)" }
    let thousandths = Int((value * 1_000).rounded())
    if thousandths % 1_000 == 0 { return String(thousandths / 1_000) }
    var digits = String(thousandths % 1_000)
    digits = String(repeating: "0", count: 3 - digits.count) + digits
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(thousandths / 1_000).\(digits)"
}

extension DrawBatch {
    fileprivate var text: String {
        switch kind {
        case .copy(let from, let to): "copy \(texture?.text ?? "") from (\(from.x),\(from.y)) to \(to)"
        case .quads(let program, _, let quads):
            "\(effect?.kind.text ?? "\(program)") \(blend == .sourceOver ? "over" : "\(blend)"), "
                + counted(quads, "quad") + (texture.map { ", \($0.text)" } ?? "")
                + (sampling == .nearest ? "" : " \(sampling)")
                + (coverage.map { " × \($0.text)" } ?? "") + (mask.map { " masked by slot \($0.slot)" } ?? "")
                + (composite.map { " \($0.text)" } ?? "")
        }
    }
}

extension DrawComposite {
    fileprivate var text: String {
        switch operation {
        case .mode(let mode): "\(mode.filterName) with slot \(backdrop.slot)"
        case .replace: "in place of slot \(backdrop.slot)"
        }
    }
}

extension DrawEffect.Kind {
    fileprivate var text: String {
        switch self {
        case .taps(let x, let y, let weights): "taps(\(2 * weights.count - 1) along \(short(x)) \(short(y)))"
        case .resample: "resample"
        case .average(let width, let height): "average(\(width)x\(height))"
        case .colorMatrix: "colorMatrix"
        case .premultipliedMatrix: "premultipliedMatrix"
        case .alphaThreshold(let threshold): "alphaThreshold(\(short(threshold)))"
        case .variableTaps(let x, let y, let sigma, _, _):
            "variableTaps(\(short(sigma)) along \(short(x)) \(short(y)))"
        case .variableDisc(let disc, _, _): "variableDisc(\(2 * disc.reachX + 1)x\(2 * disc.reachY + 1))"
        case .gridMeans: "gridMeans"
        case .gridSquares: "gridSquares"
        case .cut: "cut"
        case .divide: "divide"
        case .extend: "extend"
        }
    }
}

extension TextureSource {
    fileprivate var text: String {
        switch self {
        case .image(let key): "image \(key.image.rawValue)" + (key.tile == 0 ? "" : " tile \(key.tile)")
        case .slot(let slot): "slot \(slot)"
        case .coverage(let page): "coverage \(page)"
        }
    }
}

extension PlanNote.Kind {
    package var text: String {
        switch self {
        case .foldedOpacity(let quads):
            "opacity folded into \(counted(quads, "quad")) that don't overlap"
        case .fastClip(let quads):
            "clip multiplied into \(counted(quads, "quad")) at its rim"
        case .fastCrossing(let quads): "crosses a sibling: seams multiplied into \(counted(quads, "quad"))"
        case .maskAsClip: "mask is one shape: a clip"
        case .shadowOfPath: "shadow of its shadowPath, kept as a mask"
        case .shadowOfBounds: "shadow of its bounds, kept as a mask"
        case .shadowOfShape: "shadow of its path, kept as a mask"
        case .foldedFilters(let quads): "color filters folded into \(counted(quads, "quad"))"
        case .flattenedOpacity: "degraded: opacity applied to each drawing, not to the group"
        case .shapesLeftOut(let count, let bytes):
            "degraded: \(counted(count, "shape")) not drawn, the masks of a frame may take \(bytes) bytes"
        case .instancesLeftOut(let limit):
            "degraded: instances left out, a session has at most \(limit), the layers in them included"
        case .particlesLeftOut: "degraded: more particles are alive than are drawn"
        case .coarseGradient: "degraded: gradient at fewer pixels than it covers, the pictures of a frame take too much"
        case .uncutCrossing: "degraded: its sublayers cross in depth too often to cut them all"
        case .degraded(let reason, .nesting(let limit)):
            "degraded: no surface for \(reason.rawValue), \(limit) are inside one another already"
        case .degraded(let reason, .bytes(let limit)):
            "degraded: no surface for \(reason.rawValue), a frame's surfaces may take \(limit) bytes"
        case .degraded(let reason, .side(let limit)):
            "degraded: no surface for \(reason.rawValue), a target's sides are \(limit) pixels at most"
        case .degraded(_, .pixelsReadBelow(let limit)):
            "degraded: drawn without its blend mode, those of a frame may read \(limit) pixels of what lies below"
        case .degraded(_, .redraws):
            "degraded: shadow of the layer as it is drawn, too many are drawn once more where their shadows fall"
        case .degraded(let reason, .deviation(let limit)):
            "degraded: \(reason == .shadow ? "shadow" : "blur") of a deviation above \(limit) pixels, drawn with that"
        case .degraded(_, .bitmap(let limit)):
            "degraded: no bitmap, one has \(limit) pixels at most, 2.5 times the display's"
        }
    }
}
