import Glibc
import LayerModel
import Paths
import Testing

/// What the rasterizer must give, computed slowly: each pixel's square cut by the half planes of a convex polygon.
private func exactArea(_ polygon: [Point], x: Int, y: Int) -> Double {
    var cell = [
        Point(Double(x), Double(y)), Point(Double(x + 1), Double(y)), Point(Double(x + 1), Double(y + 1)),
        Point(Double(x), Double(y + 1)),
    ]
    var turn = 0.0
    for index in polygon.indices {
        let (a, b) = (polygon[index], polygon[(index + 1) % polygon.count])
        turn += a.x * b.y - b.x * a.y
    }
    for index in polygon.indices {
        let (a, b) = (polygon[index], polygon[(index + 1) % polygon.count])
        func side(_ p: Point) -> Double {
            ((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)) * (turn < 0 ? -1 : 1)
        }
        var kept: [Point] = []
        for corner in cell.indices {
            let (p, q) = (cell[corner], cell[(corner + 1) % cell.count])
            let (dp, dq) = (side(p), side(q))
            if dp >= 0 { kept.append(p) }
            if (dp >= 0) != (dq >= 0) {
                let t = dp / (dp - dq)
                kept.append(Point(p.x + (q.x - p.x) * t, p.y + (q.y - p.y) * t))
            }
        }
        cell = kept
        if cell.isEmpty { return 0 }
    }
    var area = 0.0
    for index in cell.indices {
        let (a, b) = (cell[index], cell[(index + 1) % cell.count])
        area += a.x * b.y - b.x * a.y
    }
    return abs(area) / 2
}

private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

@Suite("Exact-area coverage")
struct CoverageTests {
    private let screen = PixelRect(x: 0, y: 0, width: 200, height: 160)

    private func rasterize(_ shape: ShapeGeometry, _ plane: Homography = .identity) -> CoverageMask {
        var rasterizer = CoverageRasterizer()
        return rasterizer.rasterize(
            shape.outline(projectedBy: plane, clippedTo: screen), rule: .nonZero, clip: screen)
    }

    private func turned(_ degrees: Double, about x: Double, _ y: Double) -> Homography {
        let (c, s) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        return Homography.translation(-x, -y).concatenating(Homography(c, s, 0, -s, c, 0, 0, 0, 1))
            .concatenating(.translation(x, y))
    }

    @Test("Random convex polygons cover every pixel by its exact area", arguments: 0..<60)
    func convexPolygons(seed: UInt64) {
        var random = SeededGenerator(state: seed)
        let center = Point(.random(in: -10...210, using: &random), .random(in: -10...170, using: &random))
        let count = Int.random(in: 3...9, using: &random)
        let (rx, ry) = (Double.random(in: 0.3...120, using: &random), Double.random(in: 0.3...90, using: &random))
        let angles = (0..<count).map { _ in Double.random(in: 0...(2 * .pi), using: &random) }.sorted()
        let polygon = angles.map { Point(center.x + rx * cos($0), center.y + ry * sin($0)) }
        var rasterizer = CoverageRasterizer()
        let mask = rasterizer.rasterize(.polygon(polygon), rule: .nonZero, clip: screen)
        for y in 0..<screen.height {
            for x in 0..<screen.width {
                let expected = exactArea(polygon, x: x, y: y)
                let seen = Double(mask.coverage(x: x, y: y))
                if abs(expected - seen) > 0.5 / 255 + 1e-6 {
                    Issue.record("seed \(seed), pixel (\(x), \(y)): covered \(seen), should be \(expected)")
                    return
                }
            }
        }
    }

    @Test("Spans and tiles never overlap", arguments: 0..<40)
    func disjoint(seed: UInt64) {
        var random = SeededGenerator(state: seed &+ 99)
        let shape = ShapeGeometry(
            rect: Rect(
                .random(in: -20...100, using: &random), .random(in: -20...100, using: &random),
                .random(in: 1...150, using: &random), .random(in: 1...120, using: &random)),
            cornerRadius: .random(in: 0...60, using: &random), curve: seed % 2 == 0 ? .circular : .continuous,
            ringWidth: seed % 3 == 0 ? .random(in: 0.3...20, using: &random) : 0)
        let mask = rasterize(shape, turned(.random(in: 0...90, using: &random), about: 100, 80))
        let rects = mask.spans.map(\.rect) + mask.tiles.map(\.rect)
        for (index, a) in rects.enumerated() {
            for b in rects[(index + 1)...] { #expect(!a.intersects(b), "seed \(seed): \(a) and \(b)") }
            #expect(screen.contains(a))
        }
    }

    @Test("A border 5 wide on 80 x 60 covers 1300 square points")
    func borderArea() {
        let mask = rasterize(ShapeGeometry(rect: Rect(20, 30, 80, 60), ringWidth: 5))
        #expect(mask.area == 1_300)
    }

    @Test("A circle covers the area of a circle, and every pixel what an exact arc covers")
    func circle() {
        let mask = rasterize(ShapeGeometry(rect: Rect(20, 20, 100, 100), cornerRadius: 50))
        #expect(abs(mask.area - .pi * 2_500) < 1)
        // A many-sided polygon is the circle to 1e-5 pixel.
        let polygon = (0..<4_000).map {
            Point(70 + 50 * cos(Double($0) * .pi / 2_000), 70 + 50 * sin(Double($0) * .pi / 2_000))
        }
        for x in 20..<70 {
            let y = Int((70 - (2_500 - (70 - Double(x)) * (70 - Double(x))).squareRoot()).rounded(.down))
            let expected = exactArea(polygon, x: x, y: y)
            #expect(abs(Double(mask.coverage(x: x, y: y)) - expected) < 1.6 / 255, "pixel (\(x), \(y))")
        }
    }

    @Test("The continuous corner has the coverage measured from Core Animation")
    func continuousCorner() {
        let shape = ShapeGeometry(rect: Rect(0, 0, 180, 150), cornerRadius: 30, curve: .continuous)
        let mask = rasterize(shape)
        let percent = [8, 22, 37, 49, 58, 66, 74, 79, 84, 88, 92, 94, 96, 97, 98, 99, 99, 100]
        // The measured row starts 24 pixels from the picture's 263, where the corner's first row is pixel column 19.
        var best = 1.0
        for shift in 10...30 {
            let worst = percent.enumerated().map {
                abs(Double(mask.coverage(x: shift + $0.offset, y: 0)) - Double($0.element) / 100)
            }.max()!
            best = min(best, worst)
        }
        #expect(best <= 0.042)
    }

    @Test("A radius above half the shorter side counts as half of it")
    func radiusClamp() {
        let rect = Rect(10, 10, 120, 40)
        let isEqual =
            rasterize(ShapeGeometry(rect: rect, cornerRadius: 500))
            == rasterize(ShapeGeometry(rect: rect, cornerRadius: 20))
        #expect(isEqual)
    }

    @Test("A band as wide as half the shape fills it")
    func wideBand() {
        let rect = Rect(10, 10, 60, 40)
        #expect(rasterize(ShapeGeometry(rect: rect, ringWidth: 20)).area == 2_400)
    }

    @Test("Whole-pixel moves move the mask and change nothing else")
    func translation() {
        let shape = ShapeGeometry(rect: Rect(10.25, 12.75, 70.5, 50.875), cornerRadius: 11, curve: .continuous)
        let moved = ShapeGeometry(rect: Rect(53.25, 32.75, 70.5, 50.875), cornerRadius: 11, curve: .continuous)
        let isEqual = rasterize(shape).offsetBy(x: 43, y: 20) == rasterize(moved)
        #expect(isEqual)
    }

    @Test(
        "Hostile numbers give an empty or a bounded mask",
        arguments: [
            Rect(0, 0, 1e308, 1e308), Rect(-1e300, -1e300, 2e300, 2e300), Rect(0, 0, .nan, 1),
            Rect(0, 0, .leastNonzeroMagnitude, .leastNonzeroMagnitude), Rect(1e18, 0, 1, 1), Rect(0, 0, .infinity, 1),
        ])
    func hostileRects(rect: Rect) {
        for curve in CornerCurve.allCases {
            let shape = ShapeGeometry(rect: rect, cornerRadius: 1e30, curve: curve)
            let mask = rasterize(shape)
            #expect(mask.bounds.isEmpty || screen.contains(mask.bounds))
            let perspective = Homography(1, 0, 1e-3, 0, 1, -2e-3, 0, 0, 1)
            #expect(
                rasterize(shape, perspective).bounds.isEmpty || screen.contains(rasterize(shape, perspective).bounds))
        }
    }

    @Test("What lies behind the eye is cut off")
    func behindTheEye() {
        // w = 1 - x/50: at x = 50 and beyond there is nothing to see.
        let plane = Homography(1, 0, -1.0 / 50, 0, 1, 0, 0, 0, 1)
        let mask = rasterize(ShapeGeometry(rect: Rect(0, 0, 100, 40)), plane)
        #expect(mask.coverage(x: 30, y: 10) == 1)
        #expect(screen.contains(mask.bounds))
        let behind = rasterize(ShapeGeometry(rect: Rect(60, 0, 100, 40)), plane)
        #expect(behind.isEmpty)
    }

    @Test("A product has the product of the areas of each pixel", arguments: 0..<20)
    func products(seed: UInt64) {
        var random = SeededGenerator(state: seed &+ 7)
        let a = rasterize(
            ShapeGeometry(rect: Rect(20, 20, 120, 90), cornerRadius: .random(in: 0...45, using: &random)),
            turned(.random(in: 0...45, using: &random), about: 80, 65))
        let b = rasterize(
            ShapeGeometry(rect: Rect(50.4, 10.2, 90, 120), cornerRadius: .random(in: 0...45, using: &random)))
        let product = a.multiplied(by: b)
        for y in 0..<screen.height {
            for x in 0..<screen.width {
                let expected = a.coverage(x: x, y: y) * b.coverage(x: x, y: y)
                guard abs(product.coverage(x: x, y: y) - expected) <= 0.51 / 255 else {
                    Issue.record("seed \(seed), pixel (\(x), \(y))")
                    return
                }
            }
        }
    }

    @Test("Hard edges hold the pixels whose centers lie inside")
    func hardEdges() {
        var rasterizer = CoverageRasterizer()
        let plane = turned(30, about: 100, 80)
        let outline = ShapeGeometry(rect: Rect(60, 50, 80, 60)).outline(projectedBy: plane, clippedTo: screen)
        let mask = rasterizer.hardEdgedMask(of: outline, clip: screen)
        let inverse = plane.inverse!
        for y in 0..<screen.height {
            for x in 0..<screen.width {
                let p = inverse.apply(Point(Double(x) + 0.5, Double(y) + 0.5))
                let margin = min(abs(p.x - 60), abs(p.x - 140), abs(p.y - 50), abs(p.y - 110))
                guard margin > 1e-6 else { continue }
                #expect(mask.coverage(x: x, y: y) == (Rect(60, 50, 80, 60).contains(p) ? 1 : 0), "(\(x), \(y))")
            }
        }
    }
}
