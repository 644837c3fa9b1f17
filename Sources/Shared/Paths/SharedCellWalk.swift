// The second way along a band's edges: what shared cells need to know.

/// The buffers of `SharedCells` while it goes along the edges of a band.
struct SharedCellWalk {
    typealias Edge = EdgeList.Edge
    typealias Piece = SharedCells.Piece

    let band: CoverageBand
    let top: Int
    let rows: Int
    /// Rows with shared cells, a bit each.
    let rowsWanted: UInt32
    let firstCells: UnsafePointer<Int32>
    let counts: UnsafeMutablePointer<Int32>
    let corners: UnsafeMutablePointer<Int32>
    let levels: UnsafeMutablePointer<UInt8>
    let places: UnsafeMutablePointer<Int32>
    let pieces: UnsafeMutablePointer<Piece>
    let steps: UnsafeMutablePointer<Int32>
    let stepMarks: UnsafeMutablePointer<UInt32>

    /// Counts pieces, and directions along the rows' upper borders; or puts the pieces in their places.
    func go(along edges: UnsafePointer<Edge>, _ active: UnsafeBufferPointer<Int32>, places: Bool) {
        let (upper, lower) = (Double(top), Double(top + rows))
        let limit = Double(band.width)
        for index in active {
            let edge = edges[Int(index)]
            let slope = edge.slope
            var y = edge.y0 > upper ? edge.y0 : upper
            let end = edge.y1 < lower ? edge.y1 : lower
            var x = y == edge.y0 ? edge.x0 : edge.x0 + (y - edge.y0) * slope
            var row = Int(y) - top
            // A level edge is in one row.
            repeat {
                if row >= rows { break }
                let bottom = Double(top + row + 1)
                let below = bottom < end ? bottom : end
                let nextX = below == edge.y1 ? edge.x1 : edge.x0 + (below - edge.y0) * slope
                let (left, right) = x < nextX ? (x, nextX) : (nextX, x)
                if rowsWanted >> UInt32(row) & 1 != 0, left < limit {
                    let above = Double(top + row)
                    if !places, y == above, edge.y0 < edge.y1 { step(row, x, edge) }
                    if right >= 0 {
                        let first = left > 0 ? Int(left) : 0
                        let last = right < limit ? Int(right) : band.width - 1
                        if places {
                            put(row, first, last, x, y - above, nextX, below - above, edge)
                        } else {
                            count(row, first, last, x, nextX)
                        }
                    }
                }
                x = nextX
                y = below
                row += 1
            } while y < end
        }
    }

    /// An edge that begins at or comes through a row's upper border: every corner right of it has one winding more.
    @inline(__always)
    private func step(_ row: Int, _ x: Double, _ edge: Edge) {
        let cell = x < 0 ? 0 : Int(x) + 1
        guard cell < band.width else { return }
        steps[row * band.stride + cell] &+= edge.direction > 0 ? 1 : -1
        stepMarks[row * band.words + cell >> 5] |= 1 << UInt32(cell & 31)
    }

    /// Calls `body` with the number and the left border of each shared cell.
    @inline(__always)
    private func forEachCell(_ row: Int, _ first: Int, _ last: Int, _ body: (Int, Double) -> Void) {
        let start = row * band.words
        CoverageBand.forEachWord(first, last) { word, bits in
            let shared = band.shared[start + word]
            var rest = shared & bits
            while rest != 0 {
                let bit = rest.trailingZeroBitCount
                rest &= rest &- 1
                let before = (shared & ((1 << UInt32(bit)) &- 1)).nonzeroBitCount
                body(Int(firstCells[start + word]) + before, Double(word << 5 + bit))
            }
        }
    }

    @inline(__always)
    private func count(_ row: Int, _ first: Int, _ last: Int, _ x: Double, _ nextX: Double) {
        forEachCell(row, first, last) { cell, border in
            counts[cell] &+= (x < border) != (nextX < border) ? 2 : 1
        }
    }

    /// Cuts a piece within a row to its shared cells.
    @inline(__always)
    private func put(
        _ row: Int, _ first: Int, _ last: Int, _ x: Double, _ y: Double, _ nextX: Double, _ nextY: Double, _ edge: Edge
    ) {
        let direction: Int32 = edge.direction > 0 ? 1 : -1
        forEachCell(row, first, last) { cell, border in
            let whole = Piece(x0: x - border, y0: y, x1: nextX - border, y1: nextY, direction: direction)
            var piece = whole
            if (x < border) != (nextX < border) {
                let at = Self.height(whole, 0)
                // Whoever leaves to the left counts from there on.
                add(Piece(x0: 0, y0: at, x1: 0, y1: 1, direction: x < border ? -direction : direction), to: cell)
                if x < border { (piece.x0, piece.y0) = (0, at) } else { (piece.x1, piece.y1) = (0, at) }
            }
            if (x < border + 1) != (nextX < border + 1) {
                let at = Self.height(whole, 1)
                if x < border + 1 { (piece.x1, piece.y1) = (1, at) } else { (piece.x0, piece.y0) = (1, at) }
            }
            add(piece, to: cell)
        }
    }

    /// Where a piece crosses a border: between its ends, whatever rounding says.
    @inline(__always)
    private static func height(_ piece: Piece, _ x: Double) -> Double {
        let at = piece.y0 + (piece.y1 - piece.y0) * ((x - piece.x0) / (piece.x1 - piece.x0))
        return at > piece.y0 ? (at < piece.y1 ? at : piece.y1) : piece.y0
    }

    @inline(__always)
    private func add(_ piece: Piece, to cell: Int) {
        pieces[Int(places[cell])] = piece
        places[cell] &+= 1
    }

    /// Sums up the directions along each row's upper border, and clears them.
    func sumCorners() {
        for row in 0..<rows where rowsWanted >> UInt32(row) & 1 != 0 {
            var winding: Int32 = 0
            for word in 0..<band.words {
                let shared = band.shared[row * band.words + word]
                let stepped = stepMarks[row * band.words + word]
                stepMarks[row * band.words + word] = 0
                var rest = shared | stepped
                guard rest != 0 else { continue }
                var cell = Int(firstCells[row * band.words + word])
                while rest != 0 {
                    let bit = rest.trailingZeroBitCount
                    rest &= rest &- 1
                    if stepped >> UInt32(bit) & 1 != 0 {
                        let place = row * band.stride + word << 5 + bit
                        winding &+= steps[place]
                        steps[place] = 0
                    }
                    if shared >> UInt32(bit) & 1 != 0 {
                        corners[cell] = winding
                        cell += 1
                    }
                }
            }
        }
    }
}
