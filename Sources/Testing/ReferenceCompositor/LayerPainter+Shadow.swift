// The shadow behind a layer. Source: semantic reference, §1.8; measured facts S1 to S11.
//
// What casts it is the alpha of the layer with everything below it, after the layer's filters and before its mask and
// clip, or the filled shadowPath. It is drawn a second time where the offset puts it, so that a fraction of a pixel or
// a perspective is no question of sampling; blurred (Field.swift); tinted by the shadow's color times its opacity. What
// is open in the reference is settled so:
//
// - In perspective the shadow is made in the layer's own space, as the bitmap of a layer with filters
//   (LayerPainter+Rasterization.swift), and projected: radius and offset are lengths of that space.
// - The shadow is the first drawing of the layer. It makes no group: a mode inside the layer also sees the shadow. An
//   opacity that makes no group multiplies into it as into any drawing.
// - A backdrop casts none: it draws nothing of its own.

import LayerModel

extension PlacedLayer {
    /// How lengths of the layer's plane look on the picture, around the middle of its bounds.
    var linearMap: (x: Point, y: Point)? {
        plane.linearMap(at: Point(properties.bounds.midX, properties.bounds.midY))
    }
}

extension LayerPainter {
    func paintShadow(of placed: PlacedLayer, opacity: Double, into canvas: Canvas) {
        let properties = placed.properties
        guard properties.shadowOpacity > 0, let color = properties.shadowColor, color.alpha > 0 else { return }
        if placed.isInPerspective {
            let projected = projected(placed, scale: placed.fittingScale, in: canvas.bounds) { painter, inner, own in
                painter.paintShadow(of: inner, opacity: 1, into: own)
            }
            notePart(.shadow, of: placed, opacity) { x, y in projected.alpha(x: x, y: y) / 255 }
            projected.forEachTouched(in: canvas.bounds) { x, y in
                canvas.blend(
                    x: x, y: y, projected.ink(x: x, y: y), weight: opacity, flags: projected.flags(x: x, y: y),
                    slack: projected.slack(x: x, y: y))
            }
            canvas.touch(projected.touched)
            return
        }
        var caster = placed
        guard let plane = placed.plane.moved(by: properties.shadowOffset) else { return }
        caster.plane = plane
        let ink = Ink(color) * min(properties.shadowOpacity, 1)
        let spread = Spread(radius: properties.shadowRadius, placed.linearMap)
        let region = inputRegion(canvas.bounds, spread)
        let silhouette: Silhouette
        if let path = properties.shadowPath {
            silhouette = Silhouette(PathCoverage.of(path, plane, in: region))
        } else {
            let drawn = Canvas(bounds: region)
            let wasRecording = isRecording
            isRecording = false
            paintFiltered(caster, opacity: 1, isSilhouette: true, into: drawn)
            isRecording = wasRecording
            silhouette = Silhouette(drawn)
        }
        draw(silhouette, spread, ink, opacity, .shadow, of: placed, into: canvas)
    }

    /// What a blur needs to give the pixels of a rectangle.
    func inputRegion(_ output: PixelRect, _ spread: Spread?) -> PixelRect {
        guard let spread else { return output }
        return output.inflated(x: spread.reachX, y: spread.reachY).intersection(limits)
    }

    /// Draws a silhouette, blurred, in one color.
    func draw(
        _ silhouette: Silhouette, _ spread: Spread?, _ ink: Ink, _ opacity: Double, _ part: ReferenceDrawing.Part,
        of placed: PlacedLayer, into canvas: Canvas
    ) {
        let box = silhouette.box
        guard !box.isEmpty else { return }
        let area = spread.map { box.inflated(x: $0.reachX, y: $0.reachY) } ?? box
        let soft = silhouette.blurred(spread, in: area.intersection(canvas.bounds))
        notePart(part, of: placed, opacity) { x, y in soft.alpha.value(x: x, y: y) / 255 }
        let bounds = soft.alpha.bounds
        for y in bounds.minY..<bounds.maxY {
            for x in bounds.minX..<bounds.maxX {
                let alpha = soft.alpha.value(x: x, y: y)
                let slack = soft.slack.value(x: x, y: y)
                guard alpha > 0 || slack > 0 else { continue }
                canvas.blend(
                    x: x, y: y, ink, weight: alpha / 255 * opacity, flags: soft.flags(x: x, y: y),
                    slack: slack)
            }
        }
        canvas.touch(bounds)
    }
}

/// Something's alpha, in levels, with what is not sure about it.
struct Silhouette {
    var alpha: Field
    /// Levels by which the alpha may be off, where a yes or no decides it or a formula is steep.
    var slack: Field
    /// Pixels at which a coverage strictly between 0 and 1 took part, as 1.
    var edges: Field
    var isBlurred = false
    var box: PixelRect

    init(_ canvas: Canvas) {
        box = canvas.touched
        let canvasBox = box
        alpha = Field(box) { canvas.alpha(x: $0, y: $1) }
        let isSure = !canvas.contains(.doubtful) && !canvas.hasSlack
        slack = Field(isSure ? .empty : canvasBox) { x, y in
            canvas.flags(x: x, y: y).contains(.doubtful) ? 255 : canvas.slack(x: x, y: y)
        }
        edges = Field(box) { canvas.flags(x: $0, y: $1).contains(.edge) ? 1 : 0 }
        isBlurred = canvas.contains(.blurred)
    }

    init(_ coverage: Coverage) {
        box = coverage.bounds
        alpha = Field(box) { 255 * coverage.value(x: $0, y: $1) }
        slack = Field(.empty)
        edges = Field(box) { x, y in
            let value = coverage.value(x: x, y: y)
            return value > 0 && value < 1 ? 1 : 0
        }
    }

    private init(alpha: Field, slack: Field, edges: Field) {
        self.alpha = alpha
        self.slack = slack
        self.edges = edges
        box = alpha.bounds
    }

    /// Doubts become slack by their weight. Edges are none any more once the blur is a pixel wide.
    func blurred(_ spread: Spread?, in output: PixelRect) -> Silhouette {
        guard let spread else {
            var result = Silhouette(
                alpha: Field(output) { alpha.value(x: $0, y: $1) }, slack: Field(output) { slack.value(x: $0, y: $1) },
                edges: Field(output) { edges.value(x: $0, y: $1) })
            result.isBlurred = isBlurred
            return result
        }
        var result = Silhouette(
            alpha: alpha.blurred(spread, in: output), slack: slack.blurred(spread, in: output),
            edges: Field(spread.isSharp ? output : .empty) { x, y in
                edges.value(x: x, y: y) + edges.value(x: x - 1, y: y) + edges.value(x: x + 1, y: y)
                    + edges.value(x: x, y: y - 1) + edges.value(x: x, y: y + 1)
            })
        result.isBlurred = true
        return result
    }

    func flags(x: Int, y: Int) -> PixelFlags {
        let blur: PixelFlags = isBlurred ? .blurred : .none
        return edges.value(x: x, y: y) > 0 ? blur | .edge : blur
    }
}
