import CoreAnimation
import LayerWire
import Quartz2D
import Rostrum

/// A scene as an app would build it: a tree of layers of which one moves.
struct BenchLayers {
    let scene: BenchScene
    let display: HeadlessDisplay
    private let moving: CALayer

    /// - Parameter isTold: The app says what may be kept: `shouldRasterize`.
    init(
        _ scene: BenchScene, _ pictures: BenchPictures, isTold: Bool = false, stage: BenchStage = .whole,
        server: HeadlessDisplay.Server = .embedded, observer: @escaping ClientConnection.Observer = { _, _ in }
    ) throws {
        self.scene = scene
        display = try HeadlessDisplay(
            width: CGFloat(stage.width), height: CGFloat(stage.height), background: BenchScene.ground.cgColor,
            server: server, observer: observer)
        display.rootLayer.bounds.origin = CGPoint(x: stage.x, y: stage.y)
        moving = Self.build(scene, pictures, on: display.rootLayer)
        if isTold { moving.shouldRasterize = true }
    }

    /// Adds a scene's layers to a root; returns the one that moves.
    static func build(_ scene: BenchScene, _ pictures: BenchPictures, on root: CALayer) -> CALayer {
        let whole = CGRect(x: 0, y: 0, width: BenchScene.width, height: BenchScene.height)
        let moving = CALayer()
        moving.anchorPoint = .zero
        switch scene {
        case .photo:
            show(pictures.photo, in: moving)
            let above = CALayer()
            above.contents = pictures.translucent
            above.frame = whole
            root.addSublayer(moving)
            root.addSublayer(above)
            return moving
        case .pane:
            show(pictures.photo, in: moving)
            root.addSublayer(moving)
            root.addSublayer(pane())
            return moving
        case .cards, .spinner:
            moving.bounds = whole
            for corner in BenchScene.cardCorners {
                let card = card(pictures.avatar)
                card.frame.origin = CGPoint(x: corner.x, y: corner.y)
                moving.addSublayer(card)
            }
        case .stars:
            moving.bounds = whole
            for corner in BenchScene.pictureCorners {
                let picture = star(pictures)
                picture.frame.origin = CGPoint(x: corner.x, y: corner.y)
                moving.addSublayer(picture)
            }
        case .panel:
            moving.bounds = CGRect(x: 0, y: 0, width: BenchScene.panelSize.width, height: BenchScene.panelSize.height)
            moving.backgroundColor = CGColor(red: 1, green: 1, blue: 1, alpha: 1)
            moving.masksToBounds = true
            moving.position.y = BenchScene.panel.offset(0).y
            for (place, picture) in zip(BenchScene.boxes, pictures.boxes) {
                let box = box(picture)
                box.frame.origin = CGPoint(x: place.x, y: place.y)
                moving.addSublayer(box)
            }
        }
        root.addSublayer(moving)
        guard scene == .spinner else { return moving }
        let place = BenchScene.spinnerFrame
        let arc = CALayer()
        arc.contents = pictures.arc
        arc.frame = CGRect(x: place.x, y: place.y, width: place.side, height: place.side)
        root.addSublayer(arc)
        return arc
    }

    private static func show(_ picture: CGImage, in layer: CALayer) {
        layer.contents = picture
        layer.bounds = CGRect(x: 0, y: 0, width: picture.width, height: picture.height)
    }

    private static func cast(_ shadow: BenchShadow, from layer: CALayer) {
        layer.shadowRadius = shadow.radius
        layer.shadowOffset = CGSize(width: 0, height: shadow.down)
        layer.shadowOpacity = Float(shadow.opacity)
    }

    private static func card(_ picture: CGImage) -> CALayer {
        let size = BenchScene.cardSize
        let card = CALayer()
        card.frame = CGRect(x: 0, y: 0, width: size.width, height: size.height)
        card.cornerRadius = size.radius
        card.backgroundColor = CGColor(red: 1, green: 1, blue: 1, alpha: 1)
        card.borderWidth = 1
        card.borderColor = CGColor(red: 0, green: 0, blue: 0, alpha: BenchScene.borderAlpha)
        cast(BenchScene.cardShadow, from: card)
        let place = BenchScene.portrait
        let portrait = CALayer()
        portrait.frame = CGRect(x: place.x, y: place.y, width: place.side, height: place.side)
        portrait.contents = picture
        portrait.cornerRadius = place.side / 2
        portrait.masksToBounds = true
        card.addSublayer(portrait)
        for place in BenchScene.bars {
            let bar = CALayer()
            bar.frame = CGRect(x: place.x, y: place.y, width: place.width, height: BenchScene.barHeight)
            bar.cornerRadius = BenchScene.barHeight / 2
            bar.backgroundColor = BenchScene.bar.cgColor
            card.addSublayer(bar)
        }
        return card
    }

    /// A picture with a mask that has a mask: the star, and how it fades.
    private static func star(_ pictures: BenchPictures) -> CALayer {
        func layer(_ picture: CGImage) -> CALayer {
            let layer = CALayer()
            layer.frame = CGRect(x: 0, y: 0, width: BenchScene.pictureSide, height: BenchScene.pictureSide)
            layer.contents = picture
            return layer
        }
        let fade = layer(pictures.fade)
        fade.mask = layer(pictures.star)
        let picture = layer(pictures.square)
        picture.mask = fade
        return picture
    }

    /// A shadow, and on it what is cut to round corners.
    private static func box(_ gradient: CGImage) -> CALayer {
        let size = BenchScene.boxSize
        let bounds = CGRect(x: 0, y: 0, width: size.width, height: size.height)
        let box = CALayer()
        box.frame = bounds
        box.shadowPath = CGPath(
            roundedRect: bounds, cornerWidth: size.radius, cornerHeight: size.radius, transform: nil)
        cast(BenchScene.boxShadow, from: box)
        let face = CALayer()
        face.frame = bounds
        face.contents = gradient
        face.cornerRadius = size.radius
        face.masksToBounds = true
        face.borderWidth = 2
        face.borderColor = CGColor(red: 1, green: 1, blue: 1, alpha: BenchScene.boxBorderAlpha)
        box.addSublayer(face)
        return box
    }

    private static func pane() -> CALayer {
        let place = BenchScene.paneFrame
        let pane = CALayer()
        pane.frame = CGRect(x: place.x, y: place.y, width: place.width, height: place.height)
        let blur = CAFilter(type: "gaussianBlur")
        blur.setValue(BenchScene.paneBlur, forKey: "inputRadius")
        pane.backgroundFilters = [blur]
        pane.backgroundColor = CGColor(red: 1, green: 1, blue: 1, alpha: BenchScene.paneTint)
        return pane
    }

    /// Moves what moves to where it is in a frame.
    func move(to frame: Int) { Self.move(moving, of: scene, to: frame) }

    static func move(_ layer: CALayer, of scene: BenchScene, to frame: Int) {
        CATransaction.begin()
        CATransaction.setDisableActions(true)
        if scene == .spinner {
            layer.transform = CATransform3DMakeRotation(BenchScene.spinnerAngle(frame), 0, 0, 1)
        } else {
            let offset = scene.offset(frame)
            layer.position = CGPoint(x: offset.x, y: offset.y)
        }
        CATransaction.commit()
    }

    /// Draws a frame a sixtieth of a second after the last; its pixels are in memory of this process when it returns.
    func draw(_ frame: Int) throws {
        move(to: frame)
        try display.withPixels(at: display.currentTime + 1.0 / 60) { _, _ in }
    }
}
