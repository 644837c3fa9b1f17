// How much of a pixel each part of planes that cross takes.
//
// A pixel that a line of intersection runs through is seen as its pieces: in each the planes have one order, and each
// counts by its area (docs/layer-order.md, "Depth order"). The parts of the planes are drawn back to front, one after the
// other, each source-over with one weight for the pixel. Weights that are the areas of the parts would let what lies below
// shine through: of two opaque parts that cover half a pixel each, the second takes half and the first half of the
// other half. The right weight of a part is
//
//     the light that falls through all later parts onto this one's pieces
//     ÷ the light that falls through all later parts onto the whole pixel
//
// Light that falls through is a piece's area times (1 - alpha) for each plane whose part there is drawn later. So
// a part takes exactly the light that its pieces would, and leaves exactly what they would: added up from the front, each
// plane's share and the share of what lies below are the same as by pieces, for any number of planes and any alphas. No
// weight is above 1, since what falls onto some of the pieces is part of what falls onto all of them.
//
// Where one plane alone is cut, all other planes and their alphas cancel out. With f the area of a part, F that of the
// parts of the same plane that are drawn later, and a the plane's alpha, the weight is
//
//     f / (1 - F·a)
//
// 1 for the back part of an opaque plane: it is drawn whole, and what it crosses and its own front part lie over it.
// The front part has its area.

import LayerModel

enum SeamWeights {
    /// A part of a plane, as far as a pixel sees it.
    struct Part {
        /// Number of its plane; the same for all parts of it.
        var plane: Int
        /// Of the pixel, 0…1.
        var area: Double
        /// The plane's at this pixel, 0…1.
        var alpha: Double
        /// Convex; only where parts of several planes meet.
        var polygon: [Point]
    }

    /// More pieces of a pixel are not told apart: planes then count as if they were cut independently of each other.
    private static let pieceLimit = 64

    /// The weights of the parts that a pixel sees.
    /// - Parameter parts: In paint order.
    static func weights(_ parts: [Part], atX x: Int, y: Int) -> [Double] {
        guard let first = parts.first else { return [] }
        if parts.allSatisfy({ $0.plane == first.plane }) { return ofEachPlane(parts) }
        guard let pieces = pieces(of: parts, atX: x, y: y) else { return ofEachPlane(parts) }
        var light = pieces.map(\.area)
        var weights = [Double](repeating: 0, count: parts.count)
        for index in parts.indices.reversed() {
            var (onPart, onAll) = (0.0, 0.0)
            for (number, piece) in pieces.enumerated() {
                onAll += light[number]
                if piece.parts.contains(index) { onPart += light[number] }
            }
            // Where no light is left, it makes no difference.
            weights[index] = onAll > 1e-6 ? min(onPart / onAll, 1) : onPart > 0 || parts[index].area > 0 ? 1 : 0
            for (number, piece) in pieces.enumerated() where piece.parts.contains(index) {
                light[number] *= 1 - parts[index].alpha
            }
        }
        return weights
    }

    /// The areas of the parts of the same plane that are drawn later.
    static func areasInFront(_ parts: [Part]) -> [Double] {
        parts.indices.map { index in
            let later = parts[(index + 1)...].reduce(0) { $0 + ($1.plane == parts[index].plane ? $1.area : 0) }
            return min(later, 1)
        }
    }

    /// Each plane as if it alone were cut.
    private static func ofEachPlane(_ parts: [Part]) -> [Double] {
        let inFront = areasInFront(parts)
        return parts.indices.map { index in
            let part = parts[index]
            // The parts add up to the pixel; rounding must not leave a line.
            let isLast = !parts[..<index].contains { $0.plane == part.plane }
            let area = isLast ? 1 - inFront[index] : min(part.area, 1 - inFront[index])
            let left = 1 - inFront[index] * part.alpha
            return left > 1e-6 ? min(max(area / left, 0), 1) : 1
        }
    }

    // MARK: Pieces

    private struct Piece {
        var corners: [Point]
        var area: Double
        /// One of each plane.
        var parts: [Int]
    }

    /// The pixel cut along the sides of all parts; nil when there are too many pieces.
    private static func pieces(of parts: [Part], atX x: Int, y: Int) -> [Piece]? {
        // About the pixel's middle, so that little is lost to rounding.
        let middle = Point(Double(x) + 0.5, Double(y) + 0.5)
        var pieces = [
            Piece(
                corners: [Point(-0.5, -0.5), Point(0.5, -0.5), Point(0.5, 0.5), Point(-0.5, 0.5)], area: 1, parts: [])
        ]
        var planes: [Int] = []
        for part in parts where !planes.contains(part.plane) { planes.append(part.plane) }
        for plane in planes {
            var cut: [Piece] = []
            for piece in pieces {
                for (index, part) in parts.enumerated() where part.plane == plane {
                    let inside = clip(piece.corners, to: part.polygon, about: middle)
                    let area = abs(signedArea(inside))
                    if area > 1e-9 { cut.append(Piece(corners: inside, area: area, parts: piece.parts + [index])) }
                }
                if cut.count > pieceLimit { return nil }
            }
            pieces = cut
        }
        return pieces
    }

    /// What of a convex polygon lies in another, whose middle is `origin`.
    private static func clip(_ corners: [Point], to polygon: [Point], about origin: Point) -> [Point] {
        let turns = signedArea(polygon) < 0 ? -1.0 : 1.0
        var result = corners
        guard var from = polygon.last else { return [] }
        for to in polygon {
            let (dx, dy) = ((to.x - from.x) * turns, (to.y - from.y) * turns)
            let length = (dx * dx + dy * dy).squareRoot()
            if length > 0 {
                let side = HalfPlane(
                    a: -dy / length, b: dx / length,
                    c: ((from.x - origin.x) * dy - (from.y - origin.y) * dx) / length)
                result = LayerRender.clip(result, side)
            }
            from = to
        }
        return result
    }

    private static func signedArea(_ polygon: [Point]) -> Double {
        guard let first = polygon.first, var from = polygon.last else { return 0 }
        var sum = 0.0
        for to in polygon {
            sum += (from.x - first.x) * (to.y - first.y) - (to.x - first.x) * (from.y - first.y)
            from = to
        }
        return sum / 2
    }
}
