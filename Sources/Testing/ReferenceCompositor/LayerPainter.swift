// One layer's own drawing, part after part. What is open in the reference is settled so:
//
// - Every layer draws straight into the target of its group, through its own projection.
// - Inside a clipping layer's group what ends at the clip's outline is drawn as if it went on beyond it: background, outer
//   side of the border, and contents where they reach the bounds. Coverage at the rim counts once, for the whole group.
//   Sublayers keep their own edges: one that ends exactly at the clip's rim has both coverages multiplied.
// - Without a clip the background fills the outline by coverage, and the border's ring is laid over it with its own
//   (measured facts, C3).
// - doubleSided: the sign of the area in the plane the layer is flattened into; geometryFlipped does not turn a layer
//   around.

import LayerModel

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
    /// Only the alpha counts: no compositing mode, no backdrop.
    var isMask = false
    /// Nothing is behind it: a backdrop of its own has nothing to show.
    var isRoot = false

    var properties: LayerProperties { layer.properties }
}

/// Draws one scene, or the bitmap of one layer.
final class LayerPainter {
    /// The picture: what a backdrop can see.
    let picture: PixelRect
    /// Pixels that are drawn at most, for what a blur brings into the picture.
    let limits: PixelRect
    private let probe: (x: Int, y: Int)?
    private(set) var drawings: [ReferenceDrawing] = []
    /// False while a silhouette or a mask is drawn.
    var isRecording = true

    /// Blurs and shadows see this far beyond the picture, pixels. More would cost memory that no test needs.
    static let reach = 256

    init(_ picture: PixelRect, probe: (x: Int, y: Int)?) {
        self.picture = picture
        self.probe = probe
        limits = picture.inflated(by: Self.reach)
    }

    func paint(_ scene: ReferenceScene) -> Canvas {
        let canvas = Canvas(bounds: picture)
        canvas.fill(Ink(scene.display.background))
        if let root = scene.root {
            var space = SublayerSpace(
                plane: Plane(scene.display), matrix: .identity, opacity: 1,
                contentsAreFlipped: scene.display.isFlipped, isMirrored: false)
            space.isAroundRoot = true
            paintSiblings([root], in: space, canvas)
        }
        return canvas
    }

    /// The paint order inside a layer.
    func paintParts(of placed: PlacedLayer, opacity: Double, isClipped: Bool, into canvas: Canvas) {
        if placed.layer.dissolve != nil { return paintDissolve(of: placed, opacity: opacity, into: canvas) }
        paintBackground(of: placed, opacity: opacity, isClipped: isClipped, into: canvas)
        paintGradient(of: placed, opacity: opacity, isClipped: isClipped, into: canvas)
        paintContents(of: placed, opacity: opacity, isClipped: isClipped, into: canvas)
        paintShape(of: placed, opacity: opacity, into: canvas)
        paintSublayers(of: placed, opacity: opacity, into: canvas)
        paintBorder(of: placed, opacity: opacity, isClipped: isClipped, into: canvas)
        paintParticles(of: placed, opacity: opacity, into: canvas)
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
        let picture = placed.layer.shownPicture(placed.properties.contents)
        guard let fade = placed.properties.contentsFade else {
            return paint(picture, of: placed, opacity: opacity, isClipped: isClipped, into: canvas)
        }
        // Each image by itself, then both mixed.
        let before = Canvas(bounds: canvas.bounds)
        let after = Canvas(bounds: canvas.bounds)
        paint(placed.layer.shownPicture(fade.from), of: placed, opacity: 1, isClipped: isClipped, into: before)
        paint(picture, of: placed, opacity: 1, isClipped: isClipped, into: after)
        let mixed = Canvas.mixed(before, after, fade.progress)
        mixed.forEachTouched { x, y in
            canvas.blend(
                x: x, y: y, mixed.ink(x: x, y: y), weight: opacity, flags: mixed.flags(x: x, y: y))
        }
        canvas.touch(mixed.touched)
    }

    private func paint(
        _ picture: ReferencePicture?, of placed: PlacedLayer, opacity: Double, isClipped: Bool, into canvas: Canvas
    ) {
        let properties = placed.properties
        guard let picture, let mapping = ContentsMapping(properties, picture, isFlipped: placed.contentsAreFlipped)
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
        // Of a replicator one instance over the other.
        for (sublayers, matrix) in placed.layer.placedSublayers where !sublayers.isEmpty {
            let space = SublayerSpace(
                plane: placed.plane, matrix: matrix, opacity: opacity,
                contentsAreFlipped: placed.contentsAreFlipped, isMirrored: false)
            paintSiblings(sublayers, in: space, canvas)
        }
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

    // MARK: Coverage and color

    /// How the layer's sides are drawn: exact area, or the pixel's center where antialiasing is off.
    private func edgeKinds(of properties: LayerProperties) -> (EdgeMask) -> EdgeKind {
        let soft = properties.allowsEdgeAntialiasing ? properties.edgeAntialiasingMask : []
        return { soft.contains($0) ? .soft : .hard }
    }

    func coverage(of outline: Outline, _ placed: PlacedLayer, in limits: PixelRect) -> Coverage {
        let properties = placed.properties
        let (a, b, c, d) = outline.rect.corners
        let shape = outline.polygon(
            sides: edgeKinds(of: properties), corners: .soft,
            scale: placed.plane.largestScale(at: [a, b, c, d]))
        return Coverage(of: placed.plane.project(shape), in: limits)
    }

    func draw(
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
    func note(_ part: ReferenceDrawing.Part, of placed: PlacedLayer, _ coverage: Coverage, _ opacity: Double) -> Bool {
        guard !coverage.bounds.isEmpty, opacity > 0 else { return false }
        if let probe { record(part, of: placed, coverage.value(x: probe.x, y: probe.y), opacity) }
        return true
    }

    func noteGroup(of placed: PlacedLayer, _ area: PixelRect, _ cover: Cover) {
        guard let probe, area.contains(probe.x, probe.y), cover.opacity > 0 else { return }
        record(.group, of: placed, cover.value(x: probe.x, y: probe.y).share / cover.opacity, cover.opacity)
    }

    /// Records a draw whose coverage is known pixel by pixel.
    func notePart(
        _ part: ReferenceDrawing.Part, of placed: PlacedLayer, _ opacity: Double, _ coverage: (Int, Int) -> Double
    ) {
        if let probe { record(part, of: placed, coverage(probe.x, probe.y), opacity) }
    }

    private func record(_ part: ReferenceDrawing.Part, of placed: PlacedLayer, _ coverage: Double, _ opacity: Double) {
        guard isRecording, coverage > 0 else { return }
        drawings.append(
            ReferenceDrawing(
                layer: placed.layer.id, name: placed.properties.name, part: part, coverage: coverage,
                opacity: opacity))
    }
}
