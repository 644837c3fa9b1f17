import CoreAnimation
import Quartz2D
import Rostrum

/// A scene as an app would build it: a tree of layers of which one moves.
struct BenchLayers {
    let scene: BenchScene
    let display: HeadlessDisplay
    private let moving: CALayer

    init(_ scene: BenchScene, _ pictures: BenchPictures) throws {
        self.scene = scene
        display = try HeadlessDisplay(
            width: CGFloat(BenchScene.width), height: CGFloat(BenchScene.height),
            background: BenchScene.ground.cgColor, server: .embedded)
        let root = display.rootLayer
        moving = CALayer()
        switch scene {
        case .photo:
            moving.contents = pictures.photo
            moving.bounds = CGRect(x: 0, y: 0, width: pictures.photo.width, height: pictures.photo.height)
            let above = CALayer()
            above.contents = pictures.translucent
            above.frame = root.bounds
            moving.anchorPoint = .zero
            root.addSublayer(moving)
            root.addSublayer(above)
        case .cards:
            moving.bounds = root.bounds
            moving.anchorPoint = .zero
            for corner in BenchScene.cardCorners {
                let card = Self.card(pictures.avatar)
                card.frame.origin = CGPoint(x: corner.x, y: corner.y)
                moving.addSublayer(card)
            }
            root.addSublayer(moving)
        }
    }

    private static func card(_ picture: CGImage) -> CALayer {
        let size = BenchScene.cardSize
        let card = CALayer()
        card.frame = CGRect(x: 0, y: 0, width: size.width, height: size.height)
        card.cornerRadius = size.radius
        card.backgroundColor = CGColor(red: 1, green: 1, blue: 1, alpha: 1)
        card.borderWidth = 1
        card.borderColor = CGColor(red: 0, green: 0, blue: 0, alpha: BenchScene.borderAlpha)
        card.shadowRadius = BenchScene.shadow.radius
        card.shadowOffset = CGSize(width: 0, height: BenchScene.shadow.down)
        card.shadowOpacity = Float(BenchScene.shadow.opacity)
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

    /// Moves what moves to where it is in a frame.
    func move(to frame: Int) {
        CATransaction.begin()
        CATransaction.setDisableActions(true)
        let offset = scene.offset(frame)
        moving.position = scene == .cards ? CGPoint(x: 0, y: offset) : CGPoint(x: offset, y: 0)
        CATransaction.commit()
    }

    /// Draws a frame; its pixels are in memory of this process when it returns.
    func draw(_ frame: Int) throws {
        move(to: frame)
        try display.withPixels { _, _ in }
    }
}
