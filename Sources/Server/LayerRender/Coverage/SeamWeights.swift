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
// A plane's own alpha is in it by its own later parts alone, so that the weight is share / (1 - inFront · alpha), with two
// numbers in which only the other planes' alphas are. Where one plane alone is cut in a pixel the others cancel out: share is
// the area of the part, inFront that of the plane's later parts. Then the back part of an opaque plane has the weight 1: it
// is drawn whole, and what it crosses and its own front part lie over it. The front part has its area.

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

    /// What makes the weight of a part, with its plane's alpha.
    struct Weight {
        var share: Double
        var inFront: Double

        static let whole = Weight(share: 1, inFront: 0)

        /// 0…1.
        func value(alpha: Double) -> Double {
            let left = 1 - inFront * alpha
            // Where nothing is left, it makes no difference.
            return left > 1e-6 ? min(max(share / left, 0), 1) : 1
        }

        /// The part takes all that the plane's later parts leave.
        var takesRest: Bool { abs(share + inFront - 1) < 1.0 / 512 }
    }

    /// The weights of the parts that a pixel sees.
    /// - Parameter parts: In paint order.
    static func weights(_ parts: [Part], atX x: Int, y: Int) -> [Weight] {
        guard let first = parts.first else { return [] }
        if parts.allSatisfy({ $0.plane == first.plane }) { return ofEachPlane(parts) }
        guard let pieces = pieces(of: parts, atX: x, y: y) else { return ofEachPlane(parts) }
        return parts.indices.map { index in
            let plane = parts[index].plane
            var (onPart, inFront, onAll) = (0.0, 0.0, 0.0)
            for piece in pieces {
                var light = piece.area
                for other in piece.parts where other > index && parts[other].plane != plane {
                    light *= 1 - parts[other].alpha
                }
                onAll += light
                guard let own = piece.parts.first(where: { parts[$0].plane == plane }) else { continue }
                if own == index { onPart += light }
                if own > index { inFront += light }
            }
            return onAll > 1e-6 ? Weight(share: onPart / onAll, inFront: min(inFront / onAll, 1)) : .whole
        }
    }

    /// Each plane as if it alone were cut.
    private static func ofEachPlane(_ parts: [Part]) -> [Weight] {
        parts.indices.map { index in
            let part = parts[index]
            let later = parts[(index + 1)...].reduce(0) { $0 + ($1.plane == part.plane ? $1.area : 0) }
            let inFront = min(later, 1)
            // The parts add up to the pixel; rounding must not leave a line.
            let isLast = !parts[..<index].contains { $0.plane == part.plane }
            return Weight(share: isLast ? 1 - inFront : min(part.area, 1 - inFront), inFront: inFront)
        }
    }

    // MARK: Pieces

    struct Piece {
        var corners: [Point]
        var area: Double
        /// One of each plane, places in the list of parts.
        var parts: [Int]
    }

    /// The pixel cut along the sides of all parts; nil when there are too many pieces.
    static func pieces(of parts: [Part], atX x: Int, y: Int) -> [Piece]? {
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
