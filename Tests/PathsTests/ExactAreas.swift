// What a pixel is covered by, worked out in other ways than the rasteriser's: a polygon by cutting it to the row and to the
// pixel, a disc by integrals.

import Glibc
import LayerModel

/// Areas of every pixel of a picture, 0…1.
struct ExactAreas {
    let width: Int
    let height: Int
    private(set) var areas: [Double]

    /// Of a polygon that doesn't cross itself, either way round.
    init(polygon: [Point], width: Int = 200, height: Int = 160) {
        (self.width, self.height) = (width, height)
        areas = [Double](repeating: 0, count: width * height)
        for y in 0..<height {
            let row = Self.cut(Self.cut(polygon, \.y, atLeast: Double(y)), \.y, atMost: Double(y + 1))
            guard let left = row.map(\.x).min(), let right = row.map(\.x).max() else { continue }
            let (first, last) = (max(Int(left.rounded(.down)), 0), min(Int(right.rounded(.up)), width))
            guard first < last else { continue }
            var rest = row
            for x in first..<last {
                let cell = Self.cut(Self.cut(rest, \.x, atLeast: Double(x)), \.x, atMost: Double(x + 1))
                rest = Self.cut(rest, \.x, atLeast: Double(x + 1))
                areas[y * width + x] = min(abs(Self.area(cell)), 1)
            }
        }
    }

    /// Of a disc.
    init(center: Point, radius: Double, width: Int = 200, height: Int = 160) {
        (self.width, self.height) = (width, height)
        areas = (0..<width * height).map { index in
            let (x, y) = (Double(index % width) - center.x, Double(index / width) - center.y)
            return Self.disc(x + 1, y + 1, radius) - Self.disc(x, y + 1, radius) - Self.disc(x + 1, y, radius)
                + Self.disc(x, y, radius)
        }
    }

    /// What this covers and the other, which lies inside it, doesn't.
    func without(_ other: ExactAreas) -> ExactAreas {
        var result = self
        for index in areas.indices { result.areas[index] -= other.areas[index] }
        return result
    }

    /// The best that bytes can say.
    var bytes: [UInt8] { areas.map { UInt8(min(max(($0 * 255).rounded(), 0), 255)) } }

    /// How far bytes are from 255 times the areas; edge pixels are those the rim passes through.
    func distance(to other: CoveredPixels) -> Distance {
        var result = Distance()
        for index in areas.indices where areas[index] > 1e-9 && areas[index] < 1 - 1e-9 {
            let off = abs(Double(other.bytes[index]) - areas[index] * 255)
            result.edges += 1
            result.mean += off
            if off > result.worst { (result.worst, result.place) = (off, (index % width, index / width)) }
        }
        let edges = Double(max(result.edges, 1))
        result.mean /= edges
        for (index, byte) in bytes.enumerated() {
            if areas[index] > 1e-9 && areas[index] < 1 - 1e-9 {
                result.meanToBest += abs(Double(byte) - Double(other.bytes[index])) / edges
            } else if other.bytes[index] != byte {
                result.wrongElsewhere += 1
            }
        }
        return result
    }

    /// Levels of 255.
    struct Distance: CustomStringConvertible {
        var edges = 0
        var mean = 0.0
        /// From the areas, rounded.
        var meanToBest = 0.0
        var worst = 0.0
        var place = (0, 0)
        /// Pixels that are wholly inside or outside, and not said to be.
        var wrongElsewhere = 0

        var description: String {
            "mean \((mean * 1e3).rounded() / 1e3), \((meanToBest * 1e3).rounded() / 1e3) to the best bytes, worst \((worst * 1e3).rounded() / 1e3) at \(place), "
                + "\(edges) edge pixels, \(wrongElsewhere) wrong elsewhere"
        }
    }

    // MARK: Polygons

    private static func cut(_ polygon: [Point], _ axis: KeyPath<Point, Double>, atLeast limit: Double) -> [Point] {
        cut(polygon) { $0[keyPath: axis] - limit }
    }

    private static func cut(_ polygon: [Point], _ axis: KeyPath<Point, Double>, atMost limit: Double) -> [Point] {
        cut(polygon) { limit - $0[keyPath: axis] }
    }

    private static func cut(_ polygon: [Point], _ side: (Point) -> Double) -> [Point] {
        var kept: [Point] = []
        guard var p = polygon.last else { return [] }
        var dp = side(p)
        for q in polygon {
            let dq = side(q)
            if (dp >= 0) != (dq >= 0) {
                let t = dp / (dp - dq)
                kept.append(Point(p.x + (q.x - p.x) * t, p.y + (q.y - p.y) * t))
            }
            if dq >= 0 { kept.append(q) }
            (p, dp) = (q, dq)
        }
        return kept
    }

    private static func area(_ polygon: [Point]) -> Double {
        guard let origin = polygon.first else { return 0 }
        var sum = 0.0
        for index in polygon.indices {
            let (a, b) = (polygon[index], polygon[(index + 1) % polygon.count])
            sum += (a.x - origin.x) * (b.y - origin.y) - (b.x - origin.x) * (a.y - origin.y)
        }
        return sum / 2
    }

    // MARK: Discs

    /// How much of the disc around the origin lies left of x and above y.
    private static func disc(_ x: Double, _ y: Double, _ r: Double) -> Double {
        if x <= -r || y <= -r { return 0 }
        let (x, y) = (min(x, r), min(y, r))
        /// The integral of √(r² - t²) from -r to t.
        func half(_ t: Double) -> Double {
            let t = min(max(t, -r), r)
            return (t * max(r * r - t * t, 0).squareRoot() + r * r * asin(t / r) + r * r * .pi / 2) / 2
        }
        // At t the disc spans from -√(r² - t²) to √(r² - t²); of it what is above y: for |t| < w both, where y cuts it.
        let w = max(r * r - y * y, 0).squareRoot()
        let inner = min(max(x, -w), w)
        let cut = half(inner) - half(-w) + y * (inner + w)
        let outside = 2 * (half(min(x, -w)) + (x > w ? half(x) - half(w) : 0))
        return cut + (y >= 0 ? outside : 0)
    }
}
