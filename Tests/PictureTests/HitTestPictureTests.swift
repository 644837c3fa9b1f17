import CoreAnimation
import Foundation
import LayerModel
import Quartz2D
import ReferenceCompositor
import Testing

/// Hit tests and pictures follow the same rules of space: what is seen at a point is what is hit there.
@Suite("Hit tests, seen")
struct HitTestPictureTests {
    @Test("The layer that is seen at a point is the one that is hit", arguments: 0..<40)
    func seenIsHit(seed: UInt64) throws {
        let (width, height) = (120, 100)
        // The tree is built twice, once to be drawn.
        let pixels = try drawTree(Double(width), Double(height)) { root in Self.build(root, seed) }
        let root = CALayer()
        root.frame = CGRect(x: 0, y: 0, width: width, height: height)
        let layers = Self.build(root, seed)
        var compared = 0
        var wrong = 0
        var first = ""
        for y in stride(from: 2, to: height - 2, by: 3) {
            for x in stride(from: 2, to: width - 2, by: 3) {
                let seen = pixels.premultiplied(x, y)
                // Edges and seams have colors between.
                let around = (-1...1).flatMap { dy in (-1...1).map { dx in pixels.premultiplied(x + dx, y + dy) } }
                guard around.allSatisfy({ $0 == seen }) else { continue }
                compared += 1
                let hit = root.hitTest(CGPoint(x: Double(x) + 0.5, y: Double(y) + 0.5))
                let number = layers.firstIndex { $0 === hit }
                let expected = Self.levels(number ?? 0)
                if number == nil || seen[0] != expected.0 || seen[1] != expected.1 {
                    wrong += 1
                    if first.isEmpty { first = "at (\(x), \(y)) seen \(seen), hit \(hit?.name ?? "nothing")" }
                }
            }
        }
        #expect(compared > 300)
        #expect(wrong == 0, "seed \(seed): \(wrong) of \(compared) points, \(first)")
    }

    /// Red and green of a layer by its number.
    private static func levels(_ number: Int) -> (Int, Int) { (number % 5 * 50, number / 5 * 50 + 50) }

    /// Opaque layers, each of a color of its own; the root is the first.
    @discardableResult
    private static func build(_ root: CALayer, _ seed: UInt64) -> [CALayer] {
        var random = SplitMix64(seed: seed)
        var layers: [CALayer] = []
        func style(_ layer: CALayer) {
            let (red, green) = levels(layers.count)
            layer.backgroundColor = color(Double(red) / 255, Double(green) / 255, 0)
            layer.name = "layer \(layers.count)"
            layers.append(layer)
        }
        style(root)
        func fill(_ parent: CALayer, _ level: Int) {
            if random.chance(0.7) { parent.sublayerTransform.m34 = CGFloat(-1 / random.number(150, 400)) }
            for _ in 0..<random.integer(2...4) where layers.count < 14 {
                let isSpace = level < 3 && random.chance(0.25)
                let layer = isSpace ? CATransformLayer() : CALayer()
                let size = (random.number(30, 90), random.number(30, 80))
                layer.bounds = CGRect(x: random.number(-5, 5), y: 0, width: size.0, height: size.1)
                let middle = CGPoint(x: parent.bounds.midX, y: parent.bounds.midY)
                layer.position = CGPoint(
                    x: middle.x + CGFloat(random.number(-25, 25)), y: middle.y + CGFloat(random.number(-25, 25)))
                layer.zPosition = CGFloat(random.pick([0, 0, 5, random.number(-20, 20)]))
                if random.chance(0.2) { layer.isGeometryFlipped = true }
                if random.chance(0.25) { layer.isDoubleSided = false }
                if random.chance(0.75) {
                    let angle = CGFloat(random.number(-2.4, 2.4))
                    let axis = random.pick([(1.0, 0.0, 0.0), (0, 1, 0), (1, 1, 0), (0, 0, 1)])
                    layer.transform = CATransform3DMakeRotation(
                        angle, CGFloat(axis.0), CGFloat(axis.1), CGFloat(axis.2))
                }
                if !isSpace {
                    style(layer)
                    layer.masksToBounds = random.chance(0.2)
                }
                parent.addSublayer(layer)
                if level < 3, isSpace || random.chance(0.4) { fill(layer, level + 1) }
            }
        }
        fill(root, 1)
        return layers
    }
}
