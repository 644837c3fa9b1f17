// Pixels that more than one run of edges passes through: their windings, one by one.
//
// There the sum of areas may know three windings or more, and folding it is wrong: what two contours cover together would count
// twice. So the edges are gone through once more, for those pixels alone. What a pixel needs is local:
//
// - the winding number at its upper left corner, which is a sum of directions along the row's upper border;
// - for every edge the piece within the pixel;
// - and where edges cross the pixel's left border, since that changes the windings from there on. Such a crossing is the same as
//   a piece that runs down the border from there.
//
// Whether an edge's end lies left of a border is one comparison of the same numbers everywhere, so no winding gets lost by
// rounding. The pixel is cut at the heights of ends and crossings into strips, in which areas are widths times heights: exact.
//
// What it does not do: a pixel that 28 edges pass or more keeps its folded sum, and so do, where a band has more than 128
// pixels that 12 pass, all of these. Bands crowded with edges are not looked at (CoverageBand).

import LayerModel

/// Works them out for a band of rows; keeps its buffers.
struct SharedCells {
    typealias Edge = EdgeList.Edge

    /// An edge within a pixel, from its upper left corner, 0…1.
    struct Piece {
        var x0, y0, x1, y1: Double
        var direction: Int32
    }

    /// Of a cell: one for each edge, and where it comes in from the left.
    static let mostPieces = 54

    /// Cells of a band that 12 edges pass.
    static let mostCrowded = 128

    /// The first cell of each word, by number.
    private var firstCells: ContiguousArray<Int32> = []
    /// By number: how many pieces, the winding at the corner, and what comes out.
    private var counts: ContiguousArray<Int32> = []
    private var corners: ContiguousArray<Int32> = []
    private var levels: ContiguousArray<UInt8> = []
    /// Where the next piece of a cell belongs.
    private var places: ContiguousArray<Int32> = []
    private var pieces: ContiguousArray<Piece> = []
    /// Along the upper border of each row, what directions sum up to; and where it is not 0.
    private var steps: ContiguousArray<Int32> = []
    private var stepMarks: ContiguousArray<UInt32> = []

    /// Puts levels in their place in a row of a tile.
    @inline(__always)
    func write(_ word: Int, _ bits: UInt32, into line: UnsafeMutablePointer<UInt8>) {
        var rest = bits
        var cell = Int(firstCells[word])
        while rest != 0 {
            line[rest.trailingZeroBitCount] = levels[cell]
            rest &= rest &- 1
            cell += 1
        }
    }

    /// Works out every cell that the band says is shared, but for crowded ones.
    ///
    /// - Returns: Whether there is any.
    mutating func workOut(
        _ band: CoverageBand, _ edges: UnsafePointer<Edge>, _ active: UnsafeBufferPointer<Int32>, top: Int, rows: Int,
        _ rule: FillRule
    ) -> Bool {
        var rowsWanted: UInt32 = 0
        let count = number(band, rows, &rowsWanted)
        guard count > 0 else { return false }
        let mask: Int32 =
            switch rule {
            case .nonZero: -1
            case .evenOdd: 1
            }
        grow(band, count)
        withPointers(band, top, rows, rowsWanted) { walk in
            for cell in 0..<count { walk.counts[cell] = 0 }
            walk.go(along: edges, active, places: false)
            walk.sumCorners()
        }
        place(count)
        withPointers(band, top, rows, rowsWanted) { walk in
            walk.go(along: edges, active, places: true)
            for cell in 0..<count {
                let (own, end) = (Int(walk.counts[cell]), Int(walk.places[cell]))
                walk.levels[cell] = level(
                    PixelWindings.area(
                        of: UnsafeBufferPointer(start: walk.pieces + (end - own), count: own),
                        corner: walk.corners[cell], mask: mask))
            }
        }
        return true
    }

    /// Numbers the cells, row by row, without those that too much passes.
    private mutating func number(_ band: CoverageBand, _ rows: Int, _ rowsWanted: inout UInt32) -> Int {
        let words = band.words
        if firstCells.count < words * rows {
            firstCells = ContiguousArray(repeating: 0, count: words * CoverageBand.side)
        }
        var crowdedCount = 0
        for word in 0..<rows * words where band.shared[word] != 0 {
            crowdedCount += (band.shared[word] & band.crowded(word)).nonzeroBitCount
        }
        let skipsCrowded = crowdedCount > Self.mostCrowded
        var count = 0
        for row in 0..<rows {
            for word in row * words..<(row + 1) * words where band.shared[word] != 0 {
                band.shared[word] &= ~(skipsCrowded ? band.crowded(word) : band.overcrowded(word))
                firstCells[word] = Int32(truncatingIfNeeded: count)
                count += band.shared[word].nonzeroBitCount
                if band.shared[word] != 0 { rowsWanted |= 1 << UInt32(row) }
            }
        }
        return count
    }

    private mutating func grow(_ band: CoverageBand, _ count: Int) {
        if counts.count < count {
            let room = count * 3 / 2
            counts = ContiguousArray(repeating: 0, count: room)
            corners = ContiguousArray(repeating: 0, count: room)
            places = ContiguousArray(repeating: 0, count: room)
            levels = ContiguousArray(repeating: 0, count: room)
        }
        let cells = band.stride * CoverageBand.side
        if steps.count < cells { steps = ContiguousArray(repeating: 0, count: cells) }
        let words = band.words * CoverageBand.side
        if stepMarks.count < words { stepMarks = ContiguousArray(repeating: 0, count: words) }
        if pieces.isEmpty { pieces.append(Piece(x0: 0, y0: 0, x1: 0, y1: 0, direction: 0)) }
    }

    /// Makes room for the pieces of each cell.
    private mutating func place(_ count: Int) {
        var total = 0
        for cell in 0..<count {
            places[cell] = Int32(truncatingIfNeeded: total)
            total += Int(counts[cell])
        }
        if pieces.count < total {
            pieces = ContiguousArray(
                repeating: Piece(x0: 0, y0: 0, x1: 0, y1: 0, direction: 0), count: total * 3 / 2)
        }
    }

    private mutating func withPointers(
        _ band: CoverageBand, _ top: Int, _ rows: Int, _ rowsWanted: UInt32, _ body: (SharedCellWalk) -> Void
    ) {
        firstCells.withUnsafeBufferPointer { firstCells in
            counts.withUnsafeMutableBufferPointer { counts in
                corners.withUnsafeMutableBufferPointer { corners in
                    levels.withUnsafeMutableBufferPointer { levels in
                        places.withUnsafeMutableBufferPointer { places in
                            pieces.withUnsafeMutableBufferPointer { pieces in
                                steps.withUnsafeMutableBufferPointer { steps in
                                    stepMarks.withUnsafeMutableBufferPointer { stepMarks in
                                        body(
                                            SharedCellWalk(
                                                band: band, top: top, rows: rows, rowsWanted: rowsWanted,
                                                firstCells: firstCells.baseAddress!, counts: counts.baseAddress!,
                                                corners: corners.baseAddress!, levels: levels.baseAddress!,
                                                places: places.baseAddress!,
                                                pieces: pieces.baseAddress!, steps: steps.baseAddress!,
                                                stepMarks: stepMarks.baseAddress!))
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
