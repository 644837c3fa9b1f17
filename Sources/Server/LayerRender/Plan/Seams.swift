// The parts of the layers that cross in one space, and their weights at the seams. See FramePlanner+Seams.swift.

import LayerModel
import Paths

/// The parts of one space's layers, and their weights at the seams.
struct Seams {
    /// A part on its way to its masks.
    struct Cut {
        /// Place of its plane in `planes`.
        var plane: Int
        var polygon: [Point]
        var quads: Range<Int>
        /// Nil where nothing of the plane is.
        var area: MaskUse?
        /// At the seams, in reading order: weights, and what the program `seamImage` takes instead.
        var values: [SeamPixel] = []
        var shares: [SeamPixel] = []
        /// Pixels that take the program, but whose weights are no mask.
        var singles: [(x: Int, y: Int, weight: SeamWeights.Weight)] = []
    }

    /// Pixels of a space that may be drawn one by one.
    private static let singleLimit = 4_096

    /// A pixel in which several planes are cut, with a layer among them whose alpha is not known; or any that is cut, with a
    /// layer that looks at what lies below it.
    struct Junction {
        var x: Int
        var y: Int
        /// The pieces of the pixel: which parts are there, by number, and how much of the pixel it is.
        var pieces: [(cuts: [Int], area: Double)]
    }

    /// More of them in a space are not told apart.
    private static let junctionLimit = 4_096

    private(set) var junctions: [Junction] = []
    private var singles = 0
    private let planes: [CrossingPlane]
    /// In paint order.
    private(set) var cuts: [Cut]

    init(_ planes: [CrossingPlane], _ parts: [CutPart], _ coverage: CoverageCache) {
        self.planes = planes
        var numbered: [(number: Int, cut: Cut)] = []
        for (position, plane) in planes.enumerated() {
            for part in plane.parts {
                let polygon = parts[part.number].polygon
                let area = coverage.mask(of: polygon, clip: plane.bounds)
                numbered.append(
                    (
                        part.number,
                        Cut(plane: position, polygon: polygon, quads: part.quads, area: area)
                    ))
            }
        }
        cuts = numbered.sorted { $0.number < $1.number }.map(\.cut)
    }

    /// A part of a pixel: row, column, number of the cut, area in 1/255, as one number in that order.
    private struct PartialPixel {
        let word: UInt64

        init(x: Int, y: Int, cut: Int, area: UInt8) {
            word =
                UInt64(y + Self.origin) << 44 | UInt64(x + Self.origin) << 24 | UInt64(cut) << 8 | UInt64(area)
        }

        static let origin = 1 << 19
        /// Row and column.
        var place: UInt64 { word >> 24 }
        var x: Int { Int(word >> 24 & 0xF_FFFF) - Self.origin }
        var y: Int { Int(word >> 44) - Self.origin }
        var cut: Int { Int(word >> 8 & 0xFFFF) }
        var area: Double { Double(word & 0xFF) / 255 }
    }

    /// Finds the values of all parts at the pixels that are covered in part, and the junctions.
    /// - Parameters:
    ///   - orderLimit: So many orders of layers may be drawn for junctions; 0 for none of them.
    ///   - readers: Where drawings look at what lies below: there every pixel that is cut is a junction.
    mutating func weigh(_ coverage: CoverageCache, orderLimit: Int, readers: [PixelRect]) {
        let pixels = partialPixels(coverage)
        if orderLimit > 0, !readers.isEmpty || planes.contains(where: { !$0.readsBelow && !$0.isCertain }) {
            var found: [Junction] = []
            Self.forEachPixel(pixels) { part in
                guard found.count < Self.junctionLimit else { return }
                let group = parts(of: part, coverage)
                let pixel = PixelRect(x: group.x, y: group.y, width: 1, height: 1)
                let isRead = readers.contains { $0.contains(pixel) }
                if isRead || group.certain.contains(false), let junction = junction(group, ofOnePlane: isRead) {
                    found.append(junction)
                }
            }
            junctions = Self.choose(found, orderLimit)
        }
        var next = 0
        Self.forEachPixel(pixels) { part in
            let group = parts(of: part, coverage)
            if next < junctions.count, junctions[next].x == group.x, junctions[next].y == group.y {
                next += 1
                for number in group.numbers {
                    cuts[number].values.append(SeamPixel(x: group.x, y: group.y, value: 0))
                }
            } else {
                weigh(group)
            }
        }
    }

    /// As many junctions as the orders that may be drawn allow: first those that many pixels share.
    private static func choose(_ found: [Junction], _ orderLimit: Int) -> [Junction] {
        var counts: [[[Int]]: Int] = [:]
        func orders(_ junction: Junction) -> [[Int]] { junction.pieces.map(\.cuts) }
        for junction in found { counts[orders(junction), default: 0] += 1 }
        var kept = Set<[Int]>()
        var isKept = Set<[[Int]]>()
        // By number, and then by what they are, so that equal frames are equal.
        for (list, _) in counts.sorted(by: { a, b in
            a.value != b.value ? a.value > b.value : a.key.joined().lexicographicallyPrecedes(b.key.joined())
        }) {
            let with = kept.union(list)
            guard with.count <= orderLimit else { continue }
            kept = with
            isKept.insert(list)
        }
        return found.filter { isKept.contains(orders($0)) }
    }

    /// Everything that is covered in part, in reading order.
    private func partialPixels(_ coverage: CoverageCache) -> [PartialPixel] {
        var pixels: [PartialPixel] = []
        let limit = PixelRect(
            minX: -PartialPixel.origin, minY: -PartialPixel.origin, maxX: PartialPixel.origin,
            maxY: PartialPixel.origin)
        for (number, cut) in cuts.prefix(1 << 16).enumerated() {
            guard let area = cut.area, limit.contains(planes[cut.plane].bounds) else { continue }
            coverage.withMask(area.entry) { mask, _ in
                mask.forEachPartialPixel { x, y, value in
                    pixels.append(PartialPixel(x: x + Int(area.x), y: y + Int(area.y), cut: number, area: value))
                }
            }
        }
        pixels.sort { $0.word < $1.word }
        return pixels
    }

    private static func forEachPixel(_ pixels: [PartialPixel], _ body: (ArraySlice<PartialPixel>) -> Void) {
        var start = 0
        while start < pixels.count {
            var end = start + 1
            while end < pixels.count, pixels[end].place == pixels[start].place { end += 1 }
            body(pixels[start..<end])
            start = end
        }
    }

    /// The parts that one pixel sees.
    private struct Group {
        var x: Int
        var y: Int
        var parts: [SeamWeights.Part] = []
        /// Of the cuts.
        var numbers: [Int] = []
        /// Whether the alpha is.
        var certain: [Bool] = []
    }

    private func parts(of pixels: ArraySlice<PartialPixel>, _ coverage: CoverageCache) -> Group {
        var group = Group(x: pixels[pixels.startIndex].x, y: pixels[pixels.startIndex].y)
        for pixel in pixels {
            let plane = cuts[pixel.cut].plane
            var (alpha, isCertain) = (0.0, true)
            if let same = group.parts.firstIndex(where: { $0.plane == plane }) {
                (alpha, isCertain) = (group.parts[same].alpha, group.certain[same])
            } else {
                (alpha, isCertain) = planes[plane].alpha(x: group.x, y: group.y, coverage)
            }
            if alpha == 0 { continue }
            group.parts.append(
                SeamWeights.Part(plane: plane, area: pixel.area, alpha: alpha, polygon: cuts[pixel.cut].polygon))
            group.numbers.append(pixel.cut)
            group.certain.append(isCertain)
        }
        return group
    }

    /// One pixel.
    private mutating func weigh(_ group: Group) {
        let (x, y, parts, certain) = (group.x, group.y, group.parts, group.certain)
        let weights = SeamWeights.weights(parts, atX: x, y: y)
        for (index, number) in group.numbers.enumerated() {
            let (part, weight) = (parts[index], weights[index])
            var value = UInt8(weight.value(alpha: part.alpha) * 255 + 0.5)
            if weight.inFront > 0, !certain[index], planes[part.plane].isSurface {
                if weight.takesRest {
                    let share = UInt8((1 - weight.inFront) * 255 + 0.5)
                    cuts[number].shares.append(SeamPixel(x: x, y: y, value: share))
                    value = 0
                } else if singles < Self.singleLimit {
                    cuts[number].singles.append((x, y, weight))
                    singles += 1
                    value = 0
                }
            }
            cuts[number].values.append(SeamPixel(x: x, y: y, value: value))
        }
    }

    /// The pieces of a pixel, if several planes are cut there; or one, where that is asked for.
    private func junction(_ group: Group, ofOnePlane: Bool) -> Junction? {
        let (x, y, parts) = (group.x, group.y, group.parts)
        guard let first = parts.first, ofOnePlane || parts.contains(where: { $0.plane != first.plane }),
            let pieces = SeamWeights.pieces(of: parts, atX: x, y: y)
        else { return nil }
        // Planes that are not cut in the pixel lie there with the part that its middle is in.
        let middle = Point(Double(x) + 0.5, Double(y) + 0.5)
        let pixel = PixelRect(x: x, y: y, width: 1, height: 1)
        let whole = cuts.indices.filter { number in
            let plane = cuts[number].plane
            return !parts.contains { $0.plane == plane } && planes[plane].bounds.contains(pixel)
                && contains(cuts[number].polygon, middle)
        }
        let all = pieces.reduce(0) { $0 + $1.area }
        guard all > 0.5 else { return nil }
        return Junction(
            x: x, y: y,
            pieces: pieces.map { piece in
                ((piece.parts.map { group.numbers[$0] } + whole).sorted(), piece.area / all)
            })
    }

    /// True when a point lies in a convex polygon.
    private func contains(_ polygon: [Point], _ point: Point) -> Bool {
        guard var from = polygon.last else { return false }
        var (isLeft, isRight) = (false, false)
        for to in polygon {
            let side = (to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x)
            if side > 0 { isLeft = true }
            if side < 0 { isRight = true }
            from = to
        }
        return !(isLeft && isRight)
    }
}
