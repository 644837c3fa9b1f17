import CoreAnimation
import Foundation
import LayerModel
import LayerRender
import Quartz2D
import ReferenceCompositor
import Rostrum
import Testing

/// Gradient layers through the whole road: client, socket, server, pixels.
@Suite("Gradient layers, drawn")
struct GradientTests {
    private func draw(
        _ width: Double, _ height: Double, scale: Double = 1, _ configure: @escaping (CAGradientLayer) -> Void
    ) throws -> Pixels {
        try ServedPicture.draw(
            Staging(width, height, scale: scale, background: nil) { root in
                let layer = CAGradientLayer()
                layer.frame = CGRect(x: 0, y: 0, width: width, height: height)
                configure(layer)
                root.addSublayer(layer)
            }
        ).pixels
    }

    private let red = CGColor(red: 1, green: 0, blue: 0, alpha: 1)
    private let green = CGColor(red: 0, green: 1, blue: 0, alpha: 1)
    private let blue = CGColor(red: 0, green: 0, blue: 1, alpha: 1)

    private func isNear(_ pixel: [Int], _ wanted: [Double], within tolerance: Double = 1) -> Bool {
        zip(pixel, wanted).allSatisfy { abs(Double($0) - $1) <= tolerance }
    }

    // MARK: Measured facts

    @Test("G1, G2: axial from top to bottom, mixed as encoded, by the middles of pixels", arguments: [40.0, 100, 256])
    func axial(height: Double) throws {
        let picture = try draw(20, height) { $0.colors = [self.red, self.blue] }
        for y in 0..<Int(height) {
            let t = (Double(y) + 0.5) / height
            #expect(isNear(picture.premultiplied(7, y), [255 * (1 - t), 0, 255 * t, 255], within: 0.51), "row \(y)")
        }
    }

    @Test("G1: an axis at any angle is a projection in the unit square, and the end colors go on")
    func slanted() throws {
        let (a, b) = (Point(0.2, 0.3), Point(0.7, 0.9))
        let picture = try draw(80, 50) {
            $0.colors = [self.red, self.blue]
            $0.startPoint = CGPoint(x: a.x, y: a.y)
            $0.endPoint = CGPoint(x: b.x, y: b.y)
        }
        for y in 0..<50 {
            for x in 0..<80 {
                let q = Point((Double(x) + 0.5) / 80 - a.x, (Double(y) + 0.5) / 50 - a.y)
                let d = Point(b.x - a.x, b.y - a.y)
                let t = min(max((q.x * d.x + q.y * d.y) / (d.x * d.x + d.y * d.y), 0), 1)
                #expect(
                    isNear(picture.premultiplied(x, y), [255 * (1 - t), 0, 255 * t, 255], within: 0.51), "(\(x), \(y))")
            }
        }
    }

    @Test("G4: radial is an ellipse around the start, with the last color beyond its end")
    func radial() throws {
        let picture = try draw(100, 100, scale: 3) {
            $0.type = .radial
            $0.startPoint = CGPoint(x: 0.5, y: 0.5)
            $0.endPoint = CGPoint(x: 0.85, y: 0.85)
            $0.colors = [self.red, self.green, self.blue]
            $0.locations = [0, 0.5, 1]
        }
        for x in 150..<300 {
            let distance = (Double(x) + 0.5 - 150) / 3
            let t = min(hypot(distance, 1.0 / 6) / 35, 1)
            let wanted =
                t < 0.5 ? [255 * (1 - 2 * t), 255 * 2 * t, 0, 255] : [0, 255 * (2 - 2 * t), 255 * (2 * t - 1), 255]
            #expect(isNear(picture.premultiplied(x, 150), wanted), "distance \(distance)")
        }
        // The middle stop lies at 17.5 points, the last from 35 on.
        #expect(
            picture.premultiplied(150 + 52, 150)[1] >= 252 && picture.premultiplied(150 + 106, 150) == [0, 0, 255, 255])
    }

    @Test("G5: radial with one radius of 0 draws nothing")
    func flatRadial() throws {
        let picture = try draw(40, 40) {
            $0.type = .radial
            $0.startPoint = CGPoint(x: 0.5, y: 0.5)
            $0.colors = [self.red, self.blue]
        }
        #expect(picture.coveredArea == 0)
    }

    @Test("G6: conic begins towards the end point and grows clockwise where y runs down")
    func conic() throws {
        let picture = try draw(101, 101) {
            $0.type = .conic
            $0.startPoint = CGPoint(x: 0.5, y: 0.5)
            $0.endPoint = CGPoint(x: 1, y: 0.5)
            $0.colors = [self.red, self.blue]
        }
        for (x, y) in [(50, 90), (10, 50), (50, 10), (80, 80), (20, 80), (20, 20), (80, 20)] {
            var t = atan2(Double(y) + 0.5 - 50.5, Double(x) + 0.5 - 50.5) / (2 * .pi)
            if t < 0 { t += 1 }
            #expect(isNear(picture.premultiplied(x, y), [255 * (1 - t), 0, 255 * t, 255]), "(\(x), \(y))")
        }
    }

    @Test("G7: fewer than two colors, or locations of another number, draw nothing", arguments: [0, 1, 2])
    func incomplete(what: Int) throws {
        let picture = try draw(20, 20) {
            switch what {
            case 0: $0.colors = [self.red]
            case 1: break
            default:
                $0.colors = [self.red, self.blue]
                $0.locations = [0, 0.5, 1]
            }
        }
        #expect(picture.coveredArea == 0)
    }

    @Test("G7: over the background, under the contents, in the rounded bounds without a clip")
    func order() throws {
        let picture = try draw(60, 60) {
            $0.backgroundColor = self.green
            $0.colors = [
                CGColor(red: 1, green: 0, blue: 0, alpha: 0.5), CGColor(red: 1, green: 0, blue: 0, alpha: 0.5),
            ]
            $0.cornerRadius = 20
        }
        #expect(picture.premultiplied(30, 30) == [128, 127, 0, 255])
        #expect(picture.premultiplied(0, 0) == [0, 0, 0, 0] && picture.premultiplied(2, 2) == [0, 0, 0, 0])
    }

    @Test("G8: thirteen colors without locations lie at even steps")
    func evenSteps() throws {
        let levels = (0..<13).map { Double($0 * 37 % 256) / 255 }
        let picture = try draw(1_125, 3) {
            $0.startPoint = CGPoint(x: 0, y: 0.5)
            $0.endPoint = CGPoint(x: 1, y: 0.5)
            $0.colors = levels.map { CGColor(red: $0, green: 0, blue: 0, alpha: 1) }
        }
        for x in stride(from: 0, to: 1_125, by: 3) {
            let t = (Double(x) + 0.5) / 1_125 * 12
            let k = min(Int(t), 11)
            let wanted = 255 * (levels[k] + (levels[k + 1] - levels[k]) * (t - Double(k)))
            #expect(isNear(picture.premultiplied(x, 1), [wanted, 0, 0, 255], within: 0.51), "column \(x)")
        }
    }

    @Test("Two stops at one place are a hard edge")
    func hardEdge() throws {
        let picture = try draw(100, 4) {
            $0.startPoint = CGPoint(x: 0, y: 0)
            $0.endPoint = CGPoint(x: 1, y: 0)
            $0.colors = [self.red, self.red, self.blue, self.blue]
            $0.locations = [0, 0.25, 0.25, 1]
        }
        #expect(picture.premultiplied(24, 2) == [255, 0, 0, 255] && picture.premultiplied(25, 2) == [0, 0, 255, 255])
    }

    @Test("Straight components are mixed, then premultiplied")
    func translucent() throws {
        let picture = try draw(2, 100) {
            $0.colors = [CGColor(red: 1, green: 0, blue: 0, alpha: 0), CGColor(red: 0, green: 0, blue: 1, alpha: 1)]
        }
        for y in 0..<100 {
            let t = (Double(y) + 0.5) / 100
            #expect(
                isNear(picture.premultiplied(0, y), [255 * (1 - t) * t, 0, 255 * t * t, 255 * t], within: 0.51),
                "row \(y)")
        }
    }

    // MARK: Roads

    @Test("An opaque gradient card casts the shadow of its bounds without a pass")
    func shadow() throws {
        let served = try ServedPicture.draw(
            Staging(120, 120, scale: 1, background: nil) { root in
                let layer = CAGradientLayer()
                layer.frame = CGRect(x: 20, y: 20, width: 60, height: 60)
                layer.colors = [self.red, self.blue]
                layer.cornerRadius = 10
                layer.shadowOpacity = 0.5
                layer.shadowRadius = 6
                root.addSublayer(layer)
            })
        #expect(served.plan.contains("passes 1") || served.plan.contains("1 pass"), "\(served.plan)")
    }

    /// What its shadow needs reaches a million pixels to the side.
    @Test("A gradient as wide as a country, with its shadow out of sight, takes no more memory than others")
    func endless() throws {
        let served = try ServedPicture.draw(
            Staging(60, 40, scale: 1, background: nil) { root in
                let layer = CAGradientLayer()
                layer.bounds = CGRect(x: 0, y: 0, width: 123_456_789, height: 100)
                layer.position = CGPoint(x: 30, y: 20)
                layer.transform = CATransform3DMakeRotation(-1.2, 0, 0, 1)
                layer.colors = [self.red, self.blue, self.green]
                layer.startPoint = CGPoint(x: 0.6, y: 0.4)
                layer.endPoint = CGPoint(x: -0.06, y: 0.3)
                layer.shadowOpacity = 0.5
                layer.shadowRadius = 7
                layer.shadowOffset = CGSize(width: 1e299, height: 2)
                root.addSublayer(layer)
            })
        #expect(served.plan.contains("degraded"), "\(served.plan)")
    }

    // MARK: Against the reference

    @Test("Random trees with gradients look as the reference says", arguments: 0..<40)
    func randomTrees(seed: UInt64) throws {
        try compare(
            seed &+ 70_000, RandomScene.Options.all.subtracting([.depth, .crossings, .hardEdges]).union(.gradients))
    }

    @Test("Random trees with gradients and effects look as the reference says", arguments: 0..<30)
    func randomEffects(seed: UInt64) throws {
        try compare(
            seed &+ 71_000,
            RandomScene.Options.all.subtracting([.depth, .crossings, .hardEdges]).union([
                .gradients, .shadows, .masks, .rasterization,
            ]))
    }

    @Test("Random trees with gradients in perspective look as the reference says", arguments: 0..<20)
    func randomDepth(seed: UInt64) throws {
        try compare(seed &+ 72_000, RandomScene.Options.all.subtracting(.hardEdges).union(.gradients))
    }

    private func compare(_ seed: UInt64, _ options: RandomScene.Options) throws {
        let random = RandomScene(seed: seed, options: options)
        let picture = try Drawing.shared.draw(random.transactions, on: random.display)
        guard let difference = picture.difference(from: try random.scene()) else { return }
        let path = picture.write("gradient-\(seed)")
        Issue.record("seed \(seed): \(difference.description)\n\(picture.plan.text)picture: \(path)")
    }
}
