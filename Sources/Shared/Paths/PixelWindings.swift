// How much of one pixel lies inside, from the pieces of edges in it and the winding number at its upper left corner.

import LayerModel

enum PixelWindings {
    typealias Piece = SharedCells.Piece

    /// Heights at which strips can end: two a piece, crossings, top and bottom.
    private static let mostHeights =
        2 * SharedCells.mostPieces + SharedCells.mostPieces * SharedCells.mostPieces / 2 + 2

    @inline(__always)
    private static func isInside(_ winding: Int32, _ mask: Int32) -> Bool { winding & mask != 0 }

    /// The area inside, 0…1. At most `SharedCells.mostPieces` pieces.
    /// - Parameter mask: The bits of a winding number that count: all for the non-zero rule, 1 for the even-odd one.
    static func area(of pieces: UnsafeBufferPointer<Piece>, corner: Int32, mask: Int32) -> Double {
        withUnsafeTemporaryAllocation(of: Double.self, capacity: mostHeights) { heights in
            let count = cut(pieces, heights)
            var sum = 0.0
            for index in 1..<count {
                let height = heights[index] - heights[index - 1]
                if height > 0 { sum += height * width(of: pieces, at: heights[index - 1] + height / 2, corner, mask) }
            }
            return min(max(sum, 0), 1)
        }
    }

    /// The heights of ends and crossings in order, with 0 and 1.
    @inline(__always)
    private static func cut(
        _ pieces: UnsafeBufferPointer<Piece>, _ heights: UnsafeMutableBufferPointer<Double>
    ) -> Int {
        heights[0] = 0
        heights[1] = 1
        var count = 2
        @inline(__always)
        func add(_ y: Double) {
            guard y > 0, y < 1, count < heights.count else { return }
            var place = count - 1
            while heights[place - 1] > y { place -= 1 }
            if heights[place - 1] == y { return }
            var index = count
            while index > place {
                heights[index] = heights[index - 1]
                index -= 1
            }
            heights[place] = y
            count += 1
        }
        for index in pieces.indices {
            let a = pieces[index]
            add(a.y0)
            add(a.y1)
            // What runs along the left border crosses nothing.
            if a.x0 == 0, a.x1 == 0 { continue }
            for other in 0..<index {
                let b = pieces[other]
                let (top, bottom) = (max(a.y0, b.y0), min(a.y1, b.y1))
                guard top < bottom else { continue }
                let (above, below) = (x(a, top) - x(b, top), x(a, bottom) - x(b, bottom))
                if above * below < 0 { add(top + (bottom - top) * (above / (above - below))) }
            }
        }
        return count
    }

    /// How much of a line through the pixel is inside.
    @inline(__always)
    private static func width(
        of pieces: UnsafeBufferPointer<Piece>, at y: Double, _ corner: Int32, _ mask: Int32
    ) -> Double {
        withUnsafeTemporaryAllocation(of: (x: Double, direction: Int32).self, capacity: SharedCells.mostPieces) {
            crossings in
            var count = 0
            for piece in pieces where piece.y0 < y && piece.y1 > y {
                let at = x(piece, y)
                var place = count
                while place > 0, crossings[place - 1].x > at {
                    crossings[place] = crossings[place - 1]
                    place -= 1
                }
                crossings[place] = (at, piece.direction)
                count += 1
            }
            var (winding, from, sum) = (corner, 0.0, 0.0)
            for index in 0..<count {
                let crossing = crossings[index]
                if isInside(winding, mask) { sum += crossing.x - from }
                winding &+= crossing.direction
                from = crossing.x
            }
            return isInside(winding, mask) ? sum + 1 - from : sum
        }
    }

    /// Where a piece is at a height, 0…1.
    @inline(__always)
    private static func x(_ piece: Piece, _ y: Double) -> Double {
        if piece.x0 == piece.x1 { return piece.x0 }
        let at = piece.x0 + (piece.x1 - piece.x0) * ((y - piece.y0) / (piece.y1 - piece.y0))
        return at > 0 ? (at < 1 ? at : 1) : 0
    }
}
