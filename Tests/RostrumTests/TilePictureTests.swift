import CoreAnimation
import Foundation
import LayerModel
import Rostrum
import Testing

/// Paints each place of a large plane in a color of its own: red and green count steps of 8 points.
private final class Plane: CALayerDelegate {
    /// Tiles asked for.
    var count = 0

    func draw(_ layer: CALayer, in ctx: CGContext) {
        count += 1
        let clip = ctx.boundingBoxOfClipPath
        let (left, low) = (Int((clip.minX / 8).rounded(.down)), Int((clip.minY / 8).rounded(.down)))
        for row in low..<Int((clip.maxY / 8).rounded(.up)) {
            for column in left..<Int((clip.maxX / 8).rounded(.up)) {
                ctx.setFillColor(
                    CGColor(
                        red: CGFloat(Plane.level(column)) / 255, green: CGFloat(Plane.level(row)) / 255, blue: 0.2,
                        alpha: 1))
                ctx.fill(CGRect(x: column * 8, y: row * 8, width: 8, height: 8))
            }
        }
    }

    static func level(_ index: Int) -> Int { ((index * 37) % 256 + 256) % 256 }

    static func color(x: Double, y: Double) -> (Int, Int) {
        (level(Int((x / 8).rounded(.down))), level(Int((y / 8).rounded(.down))))
    }
}

// Semantic reference, §6.7, and docs/tiles.md.
@Suite("Tiled layers in pictures")
struct TilePictureTests {
    private struct Stage {
        let display: HeadlessDisplay
        let window = CAScrollLayer()
        let tiled = CATiledLayer()
        let plane = Plane()

        init(scale: CGFloat = 1, isFlipped: Bool = false, side: Double = 100_000) throws {
            display = try HeadlessDisplay(width: 96, height: 64, scale: scale, background: .black)
            window.frame = CGRect(x: 0, y: 0, width: 96, height: 64)
            window.isGeometryFlipped = isFlipped
            tiled.tileSize = CGSize(width: 40, height: 24)
            tiled.contentsScale = scale
            tiled.anchorPoint = .zero
            tiled.bounds = CGRect(x: 0, y: 0, width: side, height: side)
            tiled.delegate = plane
            tiled.setNeedsDisplay()
            window.addSublayer(tiled)
            display.rootLayer.addSublayer(window)
        }

        func withoutActions(_ body: () -> Void) {
            CATransaction.begin()
            CATransaction.setDisableActions(true)
            body()
            CATransaction.commit()
        }

        /// Pixels whose color is not that of their place, away from the borders of the 8-point squares.
        ///
        /// - Parameter place: The layer's point under a point of the display.
        func wrong(in image: CGImage, _ place: (Double, Double) -> (Double, Double)) -> [String] {
            var wrong: [String] = []
            let scale = Double(display.scale)
            for y in 0..<image.height {
                for x in 0..<image.width {
                    let (u, v) = place((Double(x) + 0.5) / scale, (Double(y) + 0.5) / scale)
                    guard abs(u / 8 - (u / 8).rounded()) > 0.2, abs(v / 8 - (v / 8).rounded()) > 0.2 else { continue }
                    let (red, green) = Plane.color(x: u, y: v)
                    let pixel = image.pixel(x: x, y: y)
                    if abs(Int(pixel.red) - red) > 2 || abs(Int(pixel.green) - green) > 2 {
                        wrong.append("(\(x), \(y)) is \(pixel), not \(red) \(green)")
                    }
                }
            }
            return wrong
        }
    }

    @Test("Tiles show what is drawn where it is drawn, wherever the plane is scrolled to", arguments: [1.0, 2])
    func scrolled(scale: Double) throws {
        let stage = try Stage(scale: CGFloat(scale))
        let first = stage.wrong(in: try stage.display.snapshot()) { ($0, $1) }
        #expect(first.isEmpty, "\(first.count): \(first.first ?? "")")
        stage.withoutActions { stage.window.scroll(to: CGPoint(x: 81_234, y: 55_555)) }
        let later = stage.wrong(in: try stage.display.snapshot(at: 1)) { (81_234 + $0, 55_555 + $1) }
        #expect(later.isEmpty, "\(later.count): \(later.first ?? "")")
    }

    @Test("Where y runs up, tiles and what is in them stand upright")
    func flipped() throws {
        let stage = try Stage(isFlipped: true)
        let wrong = stage.wrong(in: try stage.display.snapshot()) { ($0, 64 - $1) }
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.first ?? "")")
    }

    @Test("Tiles that the bounds cut, and bounds that shrink, show what they did")
    func cut() throws {
        let stage = try Stage(side: 70)
        stage.tiled.bounds = CGRect(x: 13, y: 5, width: 70, height: 50)
        stage.tiled.position = CGPoint(x: 3, y: 2)
        let first = stage.wrong(in: try stage.display.snapshot().cropped(3, 2, 70, 50)) { ($0 + 13, $1 + 5) }
        #expect(first.isEmpty, "\(first.count): \(first.first ?? "")")
        stage.withoutActions { stage.tiled.bounds = CGRect(x: 20, y: 9, width: 50, height: 33) }
        let image = try stage.display.snapshot(at: 1)
        let wrong = stage.wrong(in: image.cropped(3, 2, 50, 33)) { ($0 + 20, $1 + 9) }
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.first ?? "")")
        #expect(image.pixel(x: 54, y: 20).red == 0 && image.pixel(x: 2, y: 20).blue == 0)
    }

    @Test("Turned tiles have no seams between them")
    func turned() throws {
        let stage = try Stage()
        stage.window.backgroundColor = CGColor(red: 0, green: 0, blue: 1, alpha: 1)
        stage.tiled.position = CGPoint(x: -200, y: -500)
        stage.tiled.transform = CATransform3DMakeRotation(0.3, 0, 0, 1)
        let image = try stage.display.snapshot()
        let (c, s) = (cos(0.3), sin(0.3))
        let wrong = stage.wrong(in: image) { x, y in
            let (dx, dy) = (x + 200, y + 500)
            return (dx * c + dy * s, dy * c - dx * s)
        }
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.first ?? "")")
        for y in 0..<64 { for x in 0..<96 { #expect(image.pixel(x: x, y: y).blue == 51, "(\(x), \(y))") } }
    }

    @Test("What the layer does to its sublayers it doesn't do to its tiles")
    func sublayerTransform() throws {
        let stage = try Stage()
        stage.tiled.bounds = CGRect(x: 0, y: 0, width: 96, height: 64)
        stage.tiled.sublayerTransform = CATransform3DMakeScale(0.5, 0.25, 1)
        stage.tiled.sublayerTransform.m41 = 10
        let wrong = stage.wrong(in: try stage.display.snapshot()) { ($0, $1) }
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.first ?? "")")
    }

    @Test("A zoom shows more points, drawn with fewer tiles than the full size would take")
    func zoomed() throws {
        let stage = try Stage()
        stage.tiled.levelsOfDetail = 4
        stage.tiled.transform = CATransform3DMakeScale(0.25, 0.25, 1)
        let image = try stage.display.snapshot()
        // 384 by 256 points in tiles of 160 by 96.
        #expect(stage.plane.count == 9)
        // A square of 8 points is 2 pixels: exact at this level.
        let wrong = stage.wrong(in: image) { ($0 * 4, $1 * 4) }
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.first ?? "")")
    }

    @Test("A tile that comes later is half there after half of the fade, and whole at its end")
    func fade() throws {
        let stage = try Stage()
        _ = try stage.display.snapshot(at: 1)
        stage.withoutActions { stage.window.scroll(to: CGPoint(x: 400, y: 0)) }
        let start = try stage.display.snapshot(at: 1)
        #expect(start.pixel(x: 20, y: 20).blue == 0)
        let middle = try stage.display.snapshot(at: 1.125)
        // Half of 51.
        #expect((24...27).contains(middle.pixel(x: 20, y: 20).blue), "\(middle.pixel(x: 20, y: 20))")
        let end = try stage.display.snapshot(at: 1.25)
        let wrong = stage.wrong(in: end) { ($0 + 400, $1) }
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.first ?? "")")
    }

    @Test("While a scroll is animated every picture is whole, and the same whether the clock jumped or walked")
    func animated() throws {
        func scroll() throws -> Stage {
            let stage = try Stage()
            _ = try stage.display.snapshot(at: 1)
            let animation = CABasicAnimation(keyPath: "bounds.origin.x")
            (animation.fromValue, animation.toValue) = (0, 800)
            animation.duration = 1
            stage.window.add(animation, forKey: "scroll")
            stage.withoutActions { stage.window.bounds.origin.x = 800 }
            return stage
        }
        let walk = try scroll()
        var last: CGImage?
        for step in 0...4 {
            let image = try walk.display.snapshot(at: 1 + Double(step) / 8)
            let wrong = walk.wrong(in: image) { ($0 + Double(step) * 100, $1) }
            #expect(wrong.isEmpty, "\(step): \(wrong.count): \(wrong.first ?? "")")
            last = image
        }
        let jumping = try scroll()
        let jump = try jumping.display.snapshot(at: 1.5)
        #expect(jumping.plane.count > 0)
        let different = try #require(last).differences(from: jump)
        #expect(different.isEmpty, "\(different.count): \(different.first ?? "")")
    }

    @Test("Sublayers lie over the tiles, the background below them, corners clip them")
    func order() throws {
        let stage = try Stage()
        stage.tiled.backgroundColor = CGColor(red: 0, green: 0, blue: 1, alpha: 1)
        let dot = CALayer()
        dot.frame = CGRect(x: 30, y: 20, width: 20, height: 10)
        dot.backgroundColor = .white
        stage.tiled.addSublayer(dot)
        stage.window.cornerRadius = 20
        let image = try stage.display.snapshot()
        #expect(image.pixel(x: 40, y: 25) == (255, 255, 255, 255))
        #expect(image.pixel(x: 60, y: 25).blue == 51)
        #expect(image.pixel(x: 1, y: 1) == (0, 0, 0, 255))
    }
}

extension CGImage {
    fileprivate func cropped(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> CGImage {
        cropping(to: CGRect(x: x, y: y, width: width, height: height))!
    }

    /// Of a picture of the same size.
    fileprivate func differences(from other: CGImage) -> [String] {
        var different: [String] = []
        for y in 0..<height {
            for x in 0..<width where pixel(x: x, y: y) != other.pixel(x: x, y: y) {
                different.append("(\(x), \(y)) is \(pixel(x: x, y: y)) and \(other.pixel(x: x, y: y))")
            }
        }
        return different
    }
}
