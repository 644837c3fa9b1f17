// The definition of right: the layer tree drawn by a plain walk on the CPU, one 8-bit draw after the other, with no
// planner, no cache and no fast path. Each step of a layer's paint order is one function; a new effect is one more.
//
// The order inside one layer (semantic reference, §1.6): background, contents, sublayers, border; then the clip of the
// whole, then opacity. What the reference leaves open is settled so:
//
// - Every layer draws straight into the target of its group, through its own projection. A layer is a group of its own
//   when it clips, or when it allows group opacity and its opacity is below 1. A group is drawn on transparent pixels
//   of the picture's own grid, then laid over its target once, times clip coverage times opacity.
// - Opacity that makes no group (allowsGroupOpacity false, a transform layer) multiplies into each drawing of the layer
//   itself and into the opacity of each of its sublayers. A sublayer that allows groups is then a group with the
//   product, so the multiplication ends there; one that does not passes it on.
// - Inside a clipping layer's group what ends at the clip's outline is drawn as if it went on beyond it: background, outer
//   side of the border, and contents where they reach the bounds. Coverage at the rim counts once, for the whole group.
//   Sublayers keep their own edges: one that ends exactly at the clip's rim has both coverages multiplied.
// - Without a clip the background fills the outline by coverage, and the border's ring is laid over it with its own
//   (measured facts, C3).
// - doubleSided: the sign of the area in the plane the layer is flattened into; geometryFlipped does not turn a layer
//   around.

import LayerModel

package enum ReferenceCompositor {
    /// The picture of a scene.
    ///
    /// - Complexity: A 160×120 scene with a dozen layers takes some milliseconds in a debug build.
    package static func render(_ scene: ReferenceScene) -> ReferenceImage {
        let canvas = LayerPainter(scene.display, probe: nil).paint(scene)
        return ReferenceImage(
            size: scene.display.pixelSize, pixels: canvas.bytes, isEdge: canvas.map(of: .edge),
            isDoubtful: canvas.map(of: .doubtful))
    }

    /// Everything that is drawn at a pixel, in drawing order, for a message to a person.
    package static func drawings(at x: Int, _ y: Int, in scene: ReferenceScene) -> [ReferenceDrawing] {
        let painter = LayerPainter(scene.display, probe: (x, y))
        _ = painter.paint(scene)
        return painter.drawings
    }
}

/// One draw that touches a pixel.
package struct ReferenceDrawing: Sendable, CustomStringConvertible {
    package enum Part: String, Sendable {
        case background, contents, border, group
    }

    package var layer: LayerID
    package var name: String?
    package var part: Part
    package var coverage: Double
    package var opacity: Double

    package var description: String {
        func short(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }
        return "\(part.rawValue) of \(layer)" + (name.map { " '\($0)'" } ?? "")
            + ", coverage \(short(coverage)), opacity \(short(opacity))"
    }
}

/// A layer at its place.
struct PlacedLayer {
    var layer: ReferenceLayer
    var plane: Plane
    /// Depth over the plane of the flattening ancestor: z = x·a + y·b + c.
    var depth: (a: Double, b: Double, c: Double)
    /// Its own, times what non-grouping ancestors hand down. 0…1.
    var opacity: Double
    /// An odd number of flips from here to the picture, the display's included: y runs down.
    var contentsAreFlipped: Bool

    var properties: LayerProperties { layer.properties }
}

/// Draws one scene.
final class LayerPainter {
    let display: ReferenceDisplay
    private let probe: (x: Int, y: Int)?
    private(set) var drawings: [ReferenceDrawing] = []

    init(_ display: ReferenceDisplay, probe: (x: Int, y: Int)?) {
        self.display = display
        self.probe = probe
    }

    func paint(_ scene: ReferenceScene) -> Canvas {
        let canvas = Canvas(bounds: display.bounds)
        canvas.fill(Ink(display.background))
        if let root = scene.root {
            let space = SublayerSpace(
                plane: Plane(display), matrix: .identity, opacity: 1, contentsAreFlipped: display.isFlipped,
                isMirrored: false)
            paintSiblings([root], in: space, canvas)
        }
        return canvas
    }

    // MARK: One layer

    func paint(_ placed: PlacedLayer, into canvas: Canvas) {
        let isFaded = placed.properties.allowsGroupOpacity && placed.opacity < 1
        guard placed.opacity > 0 else { return }
        guard placed.properties.masksToBounds || isFaded else {
            paintParts(of: placed, opacity: placed.opacity, isClipped: false, into: canvas)
            return
        }
        let clip = placed.properties.masksToBounds ? clipCoverage(of: placed, in: canvas.bounds) : nil
        let group = Canvas(bounds: clip?.bounds ?? canvas.bounds)
        guard !group.bounds.isEmpty else { return }
        paintParts(of: placed, opacity: isFaded ? 1 : placed.opacity, isClipped: clip != nil, into: group)
        lay(group, over: canvas, clip: clip, opacity: isFaded ? placed.opacity : 1, of: placed)
    }

    /// The paint order inside a layer.
    private func paintParts(of placed: PlacedLayer, opacity: Double, isClipped: Bool, into canvas: Canvas) {
        paintBackground(of: placed, opacity: opacity, isClipped: isClipped, into: canvas)
        paintContents(of: placed, opacity: opacity, isClipped: isClipped, into: canvas)
        paintSublayers(of: placed, opacity: opacity, into: canvas)
        paintBorder(of: placed, opacity: opacity, isClipped: isClipped, into: canvas)
    }

    // MARK: Background

    private func paintBackground(of placed: PlacedLayer, opacity: Double, isClipped: Bool, into canvas: Canvas) {
        guard let color = placed.properties.backgroundColor else { return }
        let coverage =
            isClipped
            ? Coverage(bounds: canvas.bounds, value: 1)
            : self.coverage(of: Outline(placed.properties), placed, in: canvas.bounds)
        draw(.background, of: placed, Ink(color), coverage, opacity, into: canvas)
    }

    // MARK: Contents

    private func paintContents(of placed: PlacedLayer, opacity: Double, isClipped: Bool, into canvas: Canvas) {
        let properties = placed.properties
        guard let picture = placed.layer.picture,
            let mapping = ContentsMapping(properties, picture, isFlipped: placed.contentsAreFlipped)
        else { return }
        let frame = mapping.frame
        let bounds = properties.bounds
        // A side is left open where the clip that follows ends the contents anyway.
        let nothing = 1e-9 * max(bounds.width, bounds.height)
        let outside: [(EdgeMask, Bool)] = [
            (.left, frame.minX <= bounds.minX + nothing), (.right, frame.maxX >= bounds.maxX - nothing),
            (.bottom, frame.minY <= bounds.minY + nothing), (.top, frame.maxY >= bounds.maxY - nothing),
        ]
        let kind = edgeKinds(of: properties)
        let shape = Outline(rect: frame, radius: 0).polygon(
            sides: { side in
                isClipped && outside.contains { $0.0 == side && $0.1 } ? .open : kind(side)
            }, corners: .soft, scale: 1)
        let coverage = Coverage(of: placed.plane.project(shape), in: canvas.bounds)
        guard note(.contents, of: placed, coverage, opacity) else { return }
        coverage.forEachPixel(in: canvas.bounds) { x, y, share, flags in
            let center = Point(Double(x) + 0.5, Double(y) + 0.5)
            let steps = placed.plane.steps(at: center)
            let (ink, isDoubtful) = mapping.color(
                at: placed.plane.point(at: center), right: steps.right, down: steps.down, properties)
            canvas.blend(
                x: x, y: y, ink, weight: share * opacity, flags: isDoubtful ? flags | .doubtful : flags)
        }
        canvas.touch(coverage.bounds)
    }

    // MARK: Sublayers

    private func paintSublayers(of placed: PlacedLayer, opacity: Double, into canvas: Canvas) {
        let sublayers = placed.layer.sublayers
        guard !sublayers.isEmpty else { return }
        let space = SublayerSpace(
            plane: placed.plane, matrix: placed.properties.aroundSublayers, opacity: opacity,
            contentsAreFlipped: placed.contentsAreFlipped, isMirrored: false)
        paintSiblings(sublayers, in: space, canvas)
    }

    // MARK: Border

    private func paintBorder(of placed: PlacedLayer, opacity: Double, isClipped: Bool, into canvas: Canvas) {
        let properties = placed.properties
        guard let color = properties.borderColor, properties.borderWidth > 0 else { return }
        let outline = Outline(properties)
        var coverage =
            isClipped
            ? Coverage(bounds: canvas.bounds, value: 1) : self.coverage(of: outline, placed, in: canvas.bounds)
        if let inner = outline.inset(by: properties.borderWidth) {
            coverage = coverage.subtracting(self.coverage(of: inner, placed, in: canvas.bounds))
        }
        draw(.border, of: placed, Ink(color), coverage, opacity, into: canvas)
    }

    // MARK: Clip and opacity of the whole

    private func clipCoverage(of placed: PlacedLayer, in limits: PixelRect) -> Coverage {
        coverage(of: Outline(placed.properties), placed, in: limits)
    }

    private func lay(_ group: Canvas, over canvas: Canvas, clip: Coverage?, opacity: Double, of placed: PlacedLayer) {
        let area = group.touched.intersection(canvas.bounds)
        let coverage = clip ?? Coverage(bounds: area, value: 1)
        guard note(.group, of: placed, coverage, opacity) else { return }
        coverage.forEachPixel(in: area) { x, y, share, flags in
            guard group.isTouched(x: x, y: y) else { return }
            let all = share > 0 ? flags | group.flags(x: x, y: y) : flags
            canvas.blend(x: x, y: y, group.ink(x: x, y: y), weight: share * opacity, flags: all)
        }
        canvas.touch(area)
    }

    // MARK: Coverage and color

    /// How the layer's sides are drawn: exact area, or the pixel's center where antialiasing is off.
    private func edgeKinds(of properties: LayerProperties) -> (EdgeMask) -> EdgeKind {
        let soft = properties.allowsEdgeAntialiasing ? properties.edgeAntialiasingMask : []
        return { soft.contains($0) ? .soft : .hard }
    }

    private func coverage(of outline: Outline, _ placed: PlacedLayer, in limits: PixelRect) -> Coverage {
        let properties = placed.properties
        let (a, b, c, d) = outline.rect.corners
        let shape = outline.polygon(
            sides: edgeKinds(of: properties), corners: .soft,
            scale: placed.plane.largestScale(at: [a, b, c, d]))
        return Coverage(of: placed.plane.project(shape), in: limits)
    }

    private func draw(
        _ part: ReferenceDrawing.Part, of placed: PlacedLayer, _ ink: Ink, _ coverage: Coverage, _ opacity: Double,
        into canvas: Canvas
    ) {
        guard ink.alpha > 0, note(part, of: placed, coverage, opacity) else { return }
        coverage.forEachPixel(in: canvas.bounds) { x, y, share, flags in
            canvas.blend(x: x, y: y, ink, weight: share * opacity, flags: flags)
        }
        canvas.touch(coverage.bounds)
    }

    /// Records the draw if it touches the pixel that is asked for. False when nothing is drawn anywhere.
    private func note(
        _ part: ReferenceDrawing.Part, of placed: PlacedLayer, _ coverage: Coverage, _ opacity: Double
    ) -> Bool {
        guard !coverage.bounds.isEmpty, opacity > 0 else { return false }
        if let probe, coverage.value(x: probe.x, y: probe.y) > 0 {
            drawings.append(
                ReferenceDrawing(
                    layer: placed.layer.id, name: placed.properties.name, part: part,
                    coverage: coverage.value(x: probe.x, y: probe.y), opacity: opacity))
        }
        return true
    }
}
