import LayerModel
import Paths

/// Paths that the tests share.
enum ShapeSamples {
    static func circle(_ x: Double, _ y: Double, _ radius: Double) -> VectorPath {
        let k = radius * 0.5522847498307936
        var path = VectorPath()
        path.move(to: Point(x + radius, y))
        path.cubic(to: Point(x, y + radius), Point(x + radius, y + k), Point(x + k, y + radius))
        path.cubic(to: Point(x - radius, y), Point(x - k, y + radius), Point(x - radius, y + k))
        path.cubic(to: Point(x, y - radius), Point(x - radius, y - k), Point(x - k, y - radius))
        path.cubic(to: Point(x + radius, y), Point(x + k, y - radius), Point(x + radius, y - k))
        path.close()
        return path
    }

    static func lines(_ points: [(Double, Double)], closed: Bool = false) -> VectorPath {
        var path = VectorPath()
        for (index, point) in points.enumerated() {
            if index == 0 {
                path.move(to: Point(point.0, point.1))
            } else {
                path.line(to: Point(point.0, point.1))
            }
        }
        if closed { path.close() }
        return path
    }

    /// Curves with corners between them, and an inflection.
    static var mixed: VectorPath {
        var path = VectorPath()
        path.move(to: Point(20, 100))
        path.cubic(to: Point(100, 60), Point(30, 10), Point(60, 130))
        path.line(to: Point(130, 100))
        path.quad(to: Point(180, 30), control: Point(170, 130))
        return path
    }

    static let triangle = lines([(30.3, 20.2), (170.1, 34.9), (80.7, 130.2)], closed: true)
}

/// Coverage as bytes, rows from the top.
struct CoveredPixels {
    var width: Int
    var height: Int
    var bytes: [UInt8]

    init(_ mask: CoverageMask, width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        bytes = [UInt8](repeating: 0, count: width * height)
        for span in mask.spans {
            for y in span.rect.minY..<span.rect.maxY {
                for x in span.rect.minX..<span.rect.maxX {
                    bytes[y * width + x] = UInt8(span.coverage * 255 + 0.5)
                }
            }
        }
        for tile in mask.tiles {
            for y in tile.rect.minY..<tile.rect.maxY {
                for x in tile.rect.minX..<tile.rect.maxX { bytes[y * width + x] = mask.bytes[tile.index(x, y)] }
            }
        }
    }

    init(_ values: [Double], width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        bytes = values.map { UInt8($0 * 255 + 0.5) }
    }

    init(bytes: [UInt8], width: Int, height: Int) {
        (self.width, self.height, self.bytes) = (width, height, bytes)
    }

    static func line(_ path: VectorPath, _ style: StrokeStyle, width: Int = 200, height: Int = 160) -> CoveredPixels {
        let clip = PixelRect(x: 0, y: 0, width: width, height: height)
        var rasterizer = CoverageRasterizer()
        return CoveredPixels(
            rasterizer.rasterize(
                path.strokeOutline(style, projectedBy: .identity, near: clip), rule: .nonZero, clip: clip),
            width: width, height: height)
    }

    static func inside(_ path: VectorPath, _ rule: FillRule, width: Int = 200, height: Int = 160) -> CoveredPixels {
        let clip = PixelRect(x: 0, y: 0, width: width, height: height)
        var rasterizer = CoverageRasterizer()
        return CoveredPixels(
            rasterizer.rasterize(path.outline(projectedBy: .identity, near: clip), rule: rule, clip: clip),
            width: width, height: height)
    }

    /// Pixels.
    var area: Double { Double(bytes.reduce(0) { $0 + Int($1) }) / 255 }

    func value(_ x: Int, _ y: Int) -> Int { Int(bytes[y * width + x]) }

    /// How far two pictures are apart, levels of 255.
    ///
    /// - Parameter ignored: Pixels that don't count.
    func difference(to other: CoveredPixels, ignoring ignored: (Int, Int) -> Bool = { _, _ in false }) -> Difference {
        var result = Difference()
        var sum = 0
        for index in bytes.indices where !ignored(index % width, index / width) {
            let off = abs(Int(bytes[index]) - Int(other.bytes[index]))
            sum += off
            if (1...254).contains(bytes[index]) || (1...254).contains(other.bytes[index]) { result.edges += 1 }
            if off > 24 { result.far += 1 }
            if off > result.worst { (result.worst, result.place) = (off, (index % width, index / width)) }
        }
        result.meanOfAll = Double(sum) / Double(bytes.count)
        result.meanOfEdges = Double(sum) / Double(max(result.edges, 1))
        return result
    }

    struct Difference: CustomStringConvertible {
        var worst = 0
        /// Pixels that are off by more than 24 levels.
        var far = 0
        var place = (0, 0)
        var edges = 0
        var meanOfAll = 0.0
        var meanOfEdges = 0.0

        var description: String {
            "worst \(worst) at \(place), \(far) far off, \(edges) edge pixels, mean \(meanOfEdges) of them, \(meanOfAll) of all"
        }
    }
}
