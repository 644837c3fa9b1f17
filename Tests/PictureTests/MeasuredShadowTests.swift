import CoreAnimation
import Foundation
import LayerModel
import Quartz2D
import Testing

/// Shadows of pictures that Core Animation made, by their names in the table of measured facts: drawn here by the server, by each
/// of the roads that a shadow may take.
@Suite("Measured shadows, drawn")
struct MeasuredShadowTests {
    enum Road: String, CaseIterable, Sendable, CustomTestStringConvertible {
        /// A background: the mask of a shape.
        case bounds
        /// A shadowPath: the mask of a path.
        case path
        /// Two sublayers side by side and no background: drawn, then blurred.
        case silhouette

        var testDescription: String { rawValue }

        /// A red layer that casts a shadow.
        func layer(_ frame: CGRect, radius: Double, offset: CGSize = .zero, opacity: Float = 1) -> CALayer {
            let layer = CALayer()
            layer.frame = frame
            layer.shadowOpacity = opacity
            layer.shadowRadius = radius
            layer.shadowOffset = offset
            switch self {
            case .bounds: layer.backgroundColor = color(1, 0, 0)
            case .path:
                layer.backgroundColor = color(1, 0, 0)
                layer.shadowPath = CGPath(rect: layer.bounds, transform: nil)
            case .silhouette:
                for x in [0, 0.5] {
                    let half = CALayer()
                    half.frame = CGRect(x: frame.width * x, y: 0, width: frame.width / 2, height: frame.height)
                    half.backgroundColor = color(1, 0, 0)
                    layer.addSublayer(half)
                }
            }
            return layer
        }
    }

    /// What an uncut Gaussian leaves of an edge's 255 levels at a distance outside of it; everything in pixels.
    private func gaussian(_ distance: Double, sigma: Double) -> Double {
        255 * 0.5 * erfc(distance / (sigma * 2.0.squareRoot()))
    }

    /// Alphas outside the right edge of a large square, 200 pixels in from the left, black on nothing.
    private func beside(_ road: Road, scale: Double, radius: Double, count: Int) throws -> [Int] {
        let side = 200 / scale
        let picture = try drawTree(side + Double(count + 4) / scale, side, scale: scale) { root in
            root.addSublayer(road.layer(CGRect(x: 0, y: 0, width: side, height: side), radius: radius))
        }
        return (0..<count).map { picture.premultiplied(200 + $0, 100)[3] }
    }

    /// Measured alphas from the edge on, pixel by pixel, where Core Graphics cuts the kernel at two sigma (S2).
    private static let profiles: [(fact: String, radius: Double, scale: Double, cut: [Int])] = [
        ("S3", 10, 1, [122, 112, 101, 91, 81, 72, 63, 55, 47, 40, 34, 28, 23, 18, 14, 11, 8, 5, 3, 1, 0]),
        (
            "S4", 5, 3,
            [
                124, 117, 110, 103, 96, 89, 83, 76, 70, 64, 59, 53, 48, 43, 39, 34, 30, 27, 23, 20, 17, 15, 12, 10, 8,
                6, 5, 3, 2, 1, 0,
            ]
        ),
        ("S5", 2, 2, [114, 89, 66, 46, 30, 18, 9, 4, 0]),
    ]

    @Test(
        "S1 to S5: shadowRadius is the sigma of a Gaussian in points, between one cut at two sigma and an uncut one, ±3",
        arguments: Road.allCases, profiles.indices)
    func straightEdge(road: Road, index: Int) throws {
        let fact = Self.profiles[index]
        let found = try beside(road, scale: fact.scale, radius: fact.radius, count: fact.cut.count)
        for (pixel, (alpha, cut)) in zip(found, fact.cut).enumerated() {
            let uncut = gaussian(Double(pixel) + 0.5, sigma: fact.radius * fact.scale)
            let range = Double(cut) - 3...max(uncut, Double(cut)) + 3
            #expect(range.contains(Double(alpha)), "\(fact.fact), pixel \(pixel): \(alpha), not in \(range)")
        }
    }

    @Test(
        "S1: the color's alpha and the opacity multiply, the offset moves, the layer lies over",
        arguments: Road.allCases)
    func tint(road: Road) throws {
        let picture = try drawTree(120, 120) { root in
            let layer = road.layer(
                CGRect(x: 20, y: 20, width: 40, height: 40), radius: 0, offset: CGSize(width: 30, height: 40),
                opacity: 0.5)
            layer.shadowColor = color(0, 0, 1, 0.6)
            root.addSublayer(layer)
        }
        // 0.5 · 0.6 · 255 = 76.5.
        #expect(near(picture.premultiplied(80, 90), [0, 0, 76.5, 76.5], 1), "\(picture.premultiplied(80, 90))")
        #expect(picture.premultiplied(55, 59) == [255, 0, 0, 255])
        #expect(picture.premultiplied(91, 90) == [0, 0, 0, 0] && picture.premultiplied(80, 101) == [0, 0, 0, 0])
        #expect(picture.premultiplied(49, 90) == [0, 0, 0, 0])
    }

    @Test("S6: scaled by 1.5 at 2x, a radius of 10 and an offset of 10 are 30 pixels each", arguments: Road.allCases)
    func scaledWithTheLayer(road: Road) throws {
        let picture = try drawTree(220, 240, scale: 2) { root in
            let layer = road.layer(
                CGRect(x: 60, y: 40, width: 100, height: 100), radius: 10, offset: CGSize(width: 0, height: 10))
            layer.transform = CATransform3DMakeScale(1.5, 1.5, 1)
            root.addSublayer(layer)
        }
        // The layer's lower edge: its middle at y = 90 points, 75 points farther down.
        let edge = 330
        let column = (edge..<480).map { Double(picture.premultiplied(220, $0)[3]) }
        // Where the alpha falls through a share of 255, pixels below the edge.
        func place(_ share: Double) throws -> Double {
            let after = try #require(column.firstIndex { $0 < share * 255 })
            let (above, below) = (column[after - 1], column[after])
            return Double(after) - 0.5 + (above - share * 255) / (above - below)
        }
        let (middle, low) = (try place(0.5), try place(0.158655))
        #expect(abs(middle - 30) <= 1, "the shadow is \(middle) pixels lower")
        #expect(abs(low - middle - 30) <= 1, "sigma is \(low - middle) pixels")
    }

    @Test("S7: a Gaussian of that sigma, with tails to 2.5 to 3 sigma", arguments: Road.allCases, [4.0, 10, 24])
    func tails(road: Road, radius: Double) throws {
        let found = try beside(road, scale: 1, radius: radius, count: Int(4 * radius))
        for (pixel, alpha) in found.enumerated() {
            let distance = Double(pixel) + 0.5
            let (tight, full) = (gaussian(distance, sigma: 0.95 * radius), gaussian(distance, sigma: radius))
            #expect((tight - 3...full + 3).contains(Double(alpha)), "pixel \(pixel): \(alpha), not \(tight)…\(full)")
            if distance < 2.4 * radius { #expect(alpha > 0, "pixel \(pixel)") }
            if distance > 3.2 * radius { #expect(alpha == 0, "pixel \(pixel): \(alpha)") }
        }
    }

    @Test("S8: four nested shadows around a circle, on the row through the middle", arguments: [(10.0, 10), (9.5, 5)])
    func nested(radius: Double, tolerance: Int) throws {
        let picture = try drawTree(200, 200) { root in
            var parent = root
            // Outermost first: Apple's innermost shadow is black.
            for shadow in [color(0, 0, 1), color(1, 0, 0), color(0, 1, 0), color(0, 0, 0)] {
                let wrapper = CALayer()
                wrapper.frame = root.bounds
                wrapper.shadowColor = shadow
                wrapper.shadowOpacity = 1
                wrapper.shadowRadius = radius
                wrapper.shadowOffset = .zero
                parent.addSublayer(wrapper)
                parent = wrapper
            }
            let circle = CALayer()
            circle.frame = CGRect(x: 50, y: 50, width: 100, height: 100)
            circle.cornerRadius = 50
            circle.backgroundColor = .black
            parent.addSublayer(circle)
        }
        // Apple's blur is 2.5 to 5 % tighter than its radius says (S7).
        for (x, alpha) in [(0, 1), (10, 9), (20, 37), (30, 112), (40, 212), (49, 251)] {
            let found = picture.premultiplied(x, 100)[3]
            #expect(abs(found - alpha) <= tolerance, "x = \(x): \(found), measured \(alpha)")
        }
    }

    @Test("S9: what draws nothing casts none, and a sublayer that sticks out by 20 points widens the shadow by 20")
    func whatCasts() throws {
        func shadowed(_ fill: CGColor?, _ part: CGRect?) throws -> Pixels {
            try drawTree(140, 120) { root in
                let layer = CALayer()
                layer.frame = CGRect(x: 20, y: 20, width: 40, height: 40)
                layer.backgroundColor = fill
                layer.shadowOpacity = 1
                layer.shadowRadius = 0
                layer.shadowOffset = CGSize(width: 0, height: 45)
                if let part {
                    let sublayer = CALayer()
                    sublayer.frame = part
                    sublayer.backgroundColor = color(0, 0, 1)
                    layer.addSublayer(sublayer)
                }
                root.addSublayer(layer)
            }
        }
        #expect(try shadowed(nil, nil).coveredArea == 0)
        let plain = try shadowed(color(1, 0, 0), nil)
        #expect(plain.coveredArea == 2 * 40 * 40)
        let wide = try shadowed(color(1, 0, 0), CGRect(x: 20, y: 10, width: 40, height: 20))
        // 20 points of 20 rows more, in the picture and in its shadow.
        #expect(wide.coveredArea == 2 * (40 * 40 + 20 * 20))
        #expect(wide.premultiplied(79, 85) == [0, 0, 0, 255] && wide.premultiplied(80, 85) == [0, 0, 0, 0])
        #expect(wide.premultiplied(79, 74) == [0, 0, 0, 0] && wide.premultiplied(59, 74) == [0, 0, 0, 255])
    }

    @Test(
        "S10: masksToBounds removes the layer's own shadow; wrapped in a layer that casts it, it is seen",
        arguments: Road.allCases)
    func clipped(road: Road) throws {
        func picture(isWrapped: Bool) throws -> Pixels {
            try drawTree(200, 200, background: .white) { root in
                let frame = CGRect(x: 50, y: 50, width: 100, height: 100)
                let layer = road.layer(frame, radius: 0, offset: CGSize(width: 30, height: 30))
                guard isWrapped else {
                    layer.masksToBounds = true
                    root.addSublayer(layer)
                    return
                }
                let inner = road.layer(layer.bounds, radius: 0)
                inner.shadowOpacity = 0
                inner.masksToBounds = true
                layer.sublayers = [inner]
                layer.backgroundColor = nil
                root.addSublayer(layer)
            }
        }
        let cut = try picture(isWrapped: false)
        for (x, y) in [(160, 160), (155, 100), (179, 179)] {
            #expect(cut.premultiplied(x, y) == [255, 255, 255, 255], "(\(x), \(y))")
        }
        #expect(cut.premultiplied(100, 100) == [255, 0, 0, 255])
        let wrapped = try picture(isWrapped: true)
        for (x, y) in [(160, 160), (155, 100), (179, 179)] {
            #expect(wrapped.premultiplied(x, y) == [0, 0, 0, 255], "(\(x), \(y))")
        }
    }

    @Test("S11: a translucent layer lets its shadow show through, an opaque one does not", arguments: [1.0, 0.5, 0.25])
    func seenThrough(alpha: Double) throws {
        let picture = try drawTree(60, 60) { root in
            let layer = CALayer()
            layer.frame = CGRect(x: 10, y: 10, width: 40, height: 40)
            layer.backgroundColor = color(1, 1, 1, alpha)
            layer.shadowOpacity = 0.33
            layer.shadowRadius = 0
            layer.shadowOffset = .zero
            root.addSublayer(layer)
        }
        // White over black of a third of the layer's own alpha.
        let white = 255 * alpha
        let expected = white + 255 * 0.33 * alpha * (1 - alpha)
        let found = picture.premultiplied(30, 30)
        #expect(near(found, [white, white, white, expected], 1), "\(found)")
    }
}

func near(_ found: [Int], _ expected: [Double], _ levels: Double) -> Bool {
    found.count == expected.count && zip(found, expected).allSatisfy { abs(Double($0) - $1) <= levels }
}
