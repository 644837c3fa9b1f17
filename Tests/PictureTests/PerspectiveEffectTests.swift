import CoreAnimation
import Foundation
import LayerModel
import Testing

/// Radii are lengths of a layer's own space: seen in perspective, what is near is blurred wider. Numbers by formula.
@Suite("Effects in perspective")
struct PerspectiveEffectTests {
    enum Kind: String, CaseIterable, Sendable { case shadowOfPath, shadowOfBounds, shadowOfSublayers, blur }

    private static let (radius, half, eye, angle) = (8.0, 60.0, 200.0, 0.8)

    /// 120 points square, turned about its horizontal axis, on a display of 200 by 200 pixels; only its soft part drawn.
    private func draw(_ kind: Kind) throws -> Pixels {
        try drawTree(200, 200) { root in
            root.sublayerTransform.m34 = CGFloat(-1 / Self.eye)
            let layer = CALayer()
            layer.bounds = CGRect(x: 0, y: 0, width: 2 * Self.half, height: 2 * Self.half)
            layer.position = CGPoint(x: 100, y: 100)
            layer.transform = CATransform3DMakeRotation(CGFloat(Self.angle), 1, 0, 0)
            layer.shadowOffset = .zero
            layer.shadowRadius = CGFloat(Self.radius)
            layer.shadowOpacity = kind == .blur ? 0 : 1
            switch kind {
            case .shadowOfPath: layer.shadowPath = CGPath(rect: layer.bounds, transform: nil)
            case .shadowOfBounds: layer.backgroundColor = .black
            case .shadowOfSublayers:
                for x in [0, Self.half] {
                    let part = CALayer()
                    part.frame = CGRect(x: x, y: 0, width: Self.half, height: 2 * Self.half)
                    part.backgroundColor = .black
                    layer.addSublayer(part)
                }
            case .blur:
                layer.backgroundColor = .black
                let filter = CAFilter(type: "gaussianBlur")
                filter.setValue(Self.radius, forKey: "inputRadius")
                layer.filters = [filter]
            }
            root.addSublayer(layer)
        }
    }

    @Test("A blur is as wide as its place is near: the plane's Gaussian, projected", arguments: Kind.allCases)
    func profile(kind: Kind) throws {
        let picture = try draw(kind)
        for row in [80, 90, 100, 115, 130] {
            // From the row to the plane: y = v · cos / w with w = 1 − v · sin / eye.
            let y = Double(row) + 0.5 - 100
            let v = y / (cos(Self.angle) + y * sin(Self.angle) / Self.eye)
            let w = 1 - v * sin(Self.angle) / Self.eye
            let edge = 100 + Self.half / w
            for x in stride(from: Int(edge) + 2, to: min(Int(edge + 3 * Self.radius / w), 200), by: 3) {
                let u = (Double(x) + 0.5 - 100) * w
                let along = 0.5 * erfc((u - Self.half) / (Self.radius * 2.0.squareRoot()))
                let across =
                    0.5 * erfc((-Self.half - v) / (Self.radius * 2.0.squareRoot()))
                    - 0.5 * erfc((Self.half - v) / (Self.radius * 2.0.squareRoot()))
                let alpha = 255 * along * across
                let found = picture.premultiplied(x, row)[3]
                #expect(abs(Double(found) - alpha) <= 4, "(\(x), \(row)): \(found), not \(alpha)")
            }
        }
    }

    @Test("The offset of a shadow is in the layer's own space")
    func offset() throws {
        func rows(_ offset: Double) throws -> ClosedRange<Int> {
            let picture = try drawTree(200, 200) { root in
                root.sublayerTransform.m34 = CGFloat(-1 / Self.eye)
                let layer = CALayer()
                layer.bounds = CGRect(x: 0, y: 0, width: 60, height: 40)
                layer.position = CGPoint(x: 100, y: 100)
                layer.transform = CATransform3DMakeRotation(CGFloat(Self.angle), 1, 0, 0)
                layer.shadowPath = CGPath(rect: layer.bounds, transform: nil)
                layer.shadowOffset = CGSize(width: 0, height: offset)
                layer.shadowRadius = 0
                layer.shadowOpacity = 1
                root.addSublayer(layer)
            }
            let covered = (0..<200).filter { picture.premultiplied(100, $0)[3] > 127 }
            return (covered.first ?? 0)...(covered.last ?? 0)
        }
        for offset in [0.0, 20, -30] {
            func place(_ v: Double) -> Double { 100 + v * cos(Self.angle) / (1 - v * sin(Self.angle) / Self.eye) }
            let found = try rows(offset)
            #expect(abs(Double(found.lowerBound) - place(offset - 20)) <= 1, "\(found), offset \(offset)")
            #expect(abs(Double(found.upperBound + 1) - place(offset + 20)) <= 1, "\(found), offset \(offset)")
        }
    }
}
