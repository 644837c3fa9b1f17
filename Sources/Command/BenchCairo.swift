import CCairo
import Glibc
import LayerModel
import Quartz2D

/// The same scenes drawn with cairo into an image surface, as an app that uses cairo would draw them.
final class BenchCairo {
    /// What the app does by hand.
    enum Road {
        /// Everything is drawn in each frame.
        case full
        /// Only where something changes.
        case damage
        /// The panel is an image that is kept.
        case cached
    }

    let scene: BenchScene
    let road: Road
    private let stage: BenchStage
    private let canvas: CairoCanvas
    private let context: OpaquePointer
    /// Pictures as surfaces: the same bytes that layers get.
    private let photo: CairoPicture
    private let translucent: CairoPicture
    private let avatar: CairoPicture
    private let square: CairoPicture
    private let cardShadow: CairoShadow
    private let boxShadow: CairoShadow
    private let fade: OpaquePointer
    private let gradients: [OpaquePointer]
    /// The panel, of the road `cached`.
    private var panel: CairoCanvas?

    init(_ scene: BenchScene, _ pictures: BenchPictures, road: Road = .full, stage: BenchStage = .whole) throws {
        (self.scene, self.road, self.stage) = (scene, road, stage)
        photo = CairoPicture(pictures.photo)
        translucent = CairoPicture(pictures.translucent)
        avatar = CairoPicture(pictures.avatar)
        square = CairoPicture(pictures.square)
        let (card, box) = (BenchScene.cardSize, BenchScene.boxSize)
        cardShadow = CairoShadow(
            card.width, card.height, radius: card.radius, sigma: BenchScene.cardShadow.radius)
        boxShadow = CairoShadow(box.width, box.height, radius: box.radius, sigma: BenchScene.boxShadow.radius)
        fade = cairo_pattern_create_linear(0, 0, 0, BenchScene.pictureSide)
        cairo_pattern_add_color_stop_rgba(fade, 0, 0, 0, 0, BenchScene.fade.top)
        cairo_pattern_add_color_stop_rgba(fade, 1, 0, 0, 0, BenchScene.fade.bottom)
        gradients = BenchScene.boxes.map { place in
            let gradient = cairo_pattern_create_linear(0, place.y, 0, place.y + box.height)!
            cairo_pattern_add_color_stop_rgb(gradient, 0, place.top.red, place.top.green, place.top.blue)
            cairo_pattern_add_color_stop_rgb(gradient, 1, place.bottom.red, place.bottom.green, place.bottom.blue)
            return gradient
        }
        canvas = try CairoCanvas(stage.width, stage.height)
        context = canvas.context
        cairo_translate(context, -Double(stage.x), -Double(stage.y))
        if road == .cached {
            let size = BenchScene.panelSize
            let kept = try CairoCanvas(Int(size.width), Int(size.height))
            drawPanel(kept.context)
            panel = kept
        }
        if road == .damage {
            clear(context)
            drawCards(context)
        }
    }

    deinit {
        cairo_pattern_destroy(fade)
        for gradient in gradients { cairo_pattern_destroy(gradient) }
    }

    /// Draws a frame; its pixels are in memory when it returns. Cairo has no blur: the pane is its tint.
    func draw(_ frame: Int) {
        let offset = scene.offset(frame)
        cairo_save(context)
        switch scene {
        case .photo, .pane:
            cairo_set_source_surface(context, photo.surface, offset.x, offset.y)
            cairo_paint(context)
            if scene == .photo {
                cairo_set_source_surface(context, translucent.surface, 0, 0)
                cairo_paint(context)
            } else {
                let pane = BenchScene.paneFrame
                cairo_set_source_rgba(context, 1, 1, 1, BenchScene.paneTint)
                cairo_rectangle(context, pane.x, pane.y, pane.width, pane.height)
                cairo_fill(context)
            }
        case .cards:
            clear(context)
            cairo_translate(context, offset.x, offset.y)
            drawCards(context)
        case .spinner:
            let place = BenchScene.spinnerFrame
            if road == .damage {
                cairo_rectangle(context, place.x, place.y, place.side, place.side)
                cairo_clip(context)
            }
            clear(context)
            drawCards(context)
            BenchPictures.arc(
                context, place.x + place.side / 2, place.y + place.side / 2, BenchScene.spinnerAngle(frame))
        case .stars:
            clear(context)
            for corner in BenchScene.pictureCorners { drawStar(corner.x + offset.x, corner.y + offset.y) }
        case .panel:
            clear(context)
            cairo_translate(context, offset.x, offset.y)
            if let panel {
                cairo_set_source_surface(context, panel.surface, 0, 0)
                cairo_paint(context)
            } else {
                cairo_rectangle(context, 0, 0, BenchScene.panelSize.width, BenchScene.panelSize.height)
                cairo_clip(context)
                drawPanel(context)
            }
        }
        cairo_restore(context)
        cairo_surface_flush(canvas.surface)
    }

    /// What a frame should look like. Where cairo can't draw it, the blur is computed here by its definition.
    func picture(_ frame: Int) throws -> CGImage {
        guard scene == .pane else {
            draw(frame)
            return try canvas.image()
        }
        let offset = scene.offset(frame)
        cairo_set_source_surface(context, photo.surface, offset.x, offset.y)
        cairo_paint(context)
        let place = BenchScene.paneFrame
        var pane = PixelRect(
            x: Int(place.x) - stage.x, y: Int(place.y) - stage.y, width: Int(place.width), height: Int(place.height))
        pane = pane.intersection(PixelRect(x: 0, y: 0, width: stage.width, height: stage.height))
        return try BenchBlur.blurred(canvas.image(), in: pane, sigma: BenchScene.paneBlur, tint: BenchScene.paneTint)
    }

    // MARK: Parts

    private func clear(_ context: OpaquePointer) {
        fill(context, BenchScene.ground)
        cairo_set_operator(context, CAIRO_OPERATOR_SOURCE)
        cairo_paint(context)
        cairo_set_operator(context, CAIRO_OPERATOR_OVER)
    }

    private func fill(_ context: OpaquePointer, _ color: BenchColor) {
        cairo_set_source_rgb(context, color.red, color.green, color.blue)
    }

    private func drawCards(_ context: OpaquePointer) {
        for corner in BenchScene.cardCorners { drawCard(context, corner.x, corner.y) }
    }

    private func drawCard(_ context: OpaquePointer, _ x: Double, _ y: Double) {
        let size = BenchScene.cardSize
        cast(context, BenchScene.cardShadow, cardShadow, x, y)
        cairoOutline(context, x, y, size.width, size.height, size.radius)
        cairo_set_source_rgb(context, 1, 1, 1)
        cairo_fill(context)

        let place = BenchScene.portrait
        let radius = place.side / 2
        cairo_set_source_surface(context, avatar.surface, x + place.x, y + place.y)
        cairo_arc(context, x + place.x + radius, y + place.y + radius, radius, 0, 2 * .pi)
        cairo_fill(context)

        fill(context, BenchScene.bar)
        for bar in BenchScene.bars {
            cairoOutline(context, x + bar.x, y + bar.y, bar.width, BenchScene.barHeight, BenchScene.barHeight / 2)
            cairo_fill(context)
        }

        cairoOutline(context, x + 0.5, y + 0.5, size.width - 1, size.height - 1, size.radius - 0.5)
        cairo_set_source_rgba(context, 0, 0, 0, BenchScene.borderAlpha)
        cairo_set_line_width(context, 1)
        cairo_stroke(context)
    }

    private func cast(
        _ context: OpaquePointer, _ shadow: BenchShadow, _ mask: CairoShadow, _ x: Double, _ y: Double
    ) {
        cairo_set_source_rgba(context, 0, 0, 0, shadow.opacity)
        cairo_mask_surface(context, mask.surface, x - Double(mask.margin), y + shadow.down - Double(mask.margin))
    }

    private func drawStar(_ x: Double, _ y: Double) {
        cairo_save(context)
        cairo_translate(context, x, y)
        cairo_new_path(context)
        for corner in BenchScene.star { cairo_line_to(context, corner.x, corner.y) }
        cairo_close_path(context)
        cairo_clip(context)
        cairo_set_source_surface(context, square.surface, 0, 0)
        cairo_mask(context, fade)
        cairo_restore(context)
    }

    private func drawPanel(_ context: OpaquePointer) {
        let (panel, size) = (BenchScene.panelSize, BenchScene.boxSize)
        cairo_set_source_rgb(context, 1, 1, 1)
        cairo_rectangle(context, 0, 0, panel.width, panel.height)
        cairo_fill(context)
        cairo_set_line_width(context, 2)
        for (place, gradient) in zip(BenchScene.boxes, gradients) {
            cast(context, BenchScene.boxShadow, boxShadow, place.x, place.y)
            cairoOutline(context, place.x, place.y, size.width, size.height, size.radius)
            cairo_set_source(context, gradient)
            cairo_fill(context)
            cairoOutline(
                context, place.x + 1, place.y + 1, size.width - 2, size.height - 2, size.radius - 1)
            cairo_set_source_rgba(context, 1, 1, 1, BenchScene.boxBorderAlpha)
            cairo_stroke(context)
        }
    }
}
