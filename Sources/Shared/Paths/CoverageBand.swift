// 32 rows of pixels: what edges add to their cells.

import LayerModel

/// The buffers of the rows at hand, which `CoverageRasterizer` owns.
struct CoverageBand {
    typealias Edge = EdgeList.Edge
    static let side = CoverageRasterizer.side

    let cells: UnsafeMutablePointer<Double>
    /// A column of tiles each.
    let isTouched: UnsafeMutablePointer<Bool>
    let marks: UnsafeMutablePointer<UInt32>
    let passed: UnsafeMutablePointer<UInt32>
    let shared: UnsafeMutablePointer<UInt32>
    let running: UnsafeMutablePointer<Double>
    let bytes: UnsafeMutablePointer<UInt8>
    /// The box: where it begins in the picture, pixels, and columns of tiles.
    let originX: Int
    let width: Int
    let columns: Int

    var stride: Int { columns * Self.side + 2 }
    /// Of marks, a row.
    var words: Int { columns + 1 }

    /// Adds what edges cover of the rows.
    ///
    /// - Parameter active: Edges that reach into them, in the order of their contours.
    /// - Returns: Whether any cell is shared.
    func accumulate(
        _ edges: UnsafePointer<Edge>, _ active: UnsafeBufferPointer<Int32>, top: Int, rows: Int,
        _ sampling: CoverageRasterizer.Sampling
    ) -> Bool {
        switch sampling {
        case .area:
            addAreas(edges, active, top: top, rows: rows, sharing: false)
            return false
        case .areaAndSharing:
            guard !isCrowded(active.count) else {
                addAreas(edges, active, top: top, rows: rows, sharing: false)
                return false
            }
            return addAreas(edges, active, top: top, rows: rows, sharing: true)
        case .centers:
            addCenters(edges, active, top: top, rows: rows)
            return false
        }
    }

    /// Thousands of edges, more than two a column: as along a line with many points a pixel.
    private func isCrowded(_ edgeCount: Int) -> Bool { edgeCount > 3_072 && edgeCount > 2 * width }

    @inline(__always) @discardableResult
    private func addAreas(
        _ edges: UnsafePointer<Edge>, _ active: UnsafeBufferPointer<Int32>, top: Int, rows: Int, sharing: Bool
    ) -> Bool {
        let limit = Double(width)
        let (upper, lower) = (Double(top), Double(top + rows))
        let (stride, words) = (stride, words)
        var anyShared: UInt32 = 0
        var before = Point(.nan, .nan)
        /// The row of the last piece before.
        var lastRow = -1
        for index in active {
            let edge = edges[Int(index)]
            /// The row and cell where the edge before goes on as this one.
            var jointRow = -1
            var jointCell = 0
            if sharing {
                let start = edge.start
                if start.x == before.x, start.y == before.y {
                    jointRow = lastRow
                    jointCell = Int(min(max(start.x, -1), limit + 1).rounded(.down))
                }
                before = edge.end
                // Where it ends on the border of two rows, it has been in the one it comes from.
                lastRow =
                    edge.direction > 0 && edge.y0 < edge.y1
                    ? Int(before.y.rounded(.up)) - 1 - top : Int(before.y.rounded(.down)) - top
                if edge.y0 == edge.y1 {
                    let row = Int(edge.y0) - top
                    let (left, right) = edge.x0 < edge.x1 ? (edge.x0, edge.x1) : (edge.x1, edge.x0)
                    anyShared |= pass(left, right, limit, row * words, jointRow == row ? jointCell : -1)
                    continue
                }
            }
            var y = edge.y0 > upper ? edge.y0 : upper
            let end = edge.y1 < lower ? edge.y1 : lower
            let slope = edge.slope
            var x = y == edge.y0 ? edge.x0 : edge.x0 + (y - edge.y0) * slope
            var row = Int(y) - top
            while y < end {
                let bottom = Double(top + row + 1)
                let below = bottom < end ? bottom : end
                let nextX = below == edge.y1 ? edge.x1 : edge.x0 + (below - edge.y0) * slope
                let (left, right) = x < nextX ? (x, nextX) : (nextX, x)
                let line = cells + row * stride
                let dy = (below - y) * edge.direction
                if left >= 0, right <= limit {
                    add(left, right, dy, line, row * words)
                } else {
                    addClamped(left, right, dy, limit, line, row * words)
                }
                if sharing {
                    anyShared |= pass(left, right, limit, row * words, jointRow == row ? jointCell : -1)
                }
                x = nextX
                y = below
                row += 1
            }
        }
        return anyShared != 0
    }

    private func addCenters(
        _ edges: UnsafePointer<Edge>, _ active: UnsafeBufferPointer<Int32>, top: Int, rows: Int
    ) {
        let limit = Double(width)
        for index in active {
            let edge = edges[Int(index)]
            let slope = edge.slope
            var row = max(Int(edge.y0) - top, 0)
            while row < rows {
                let center = Double(top + row) + 0.5
                if center >= edge.y1 { break }
                if edge.y0 <= center {
                    let at = edge.x0 + (center - edge.y0) * slope
                    let column = Int(min(max((at - 0.5).rounded(.up), 0), limit))
                    cells[row * stride + column] += edge.direction
                    mark(column, row * words)
                }
                row += 1
            }
        }
    }

    /// Adds an edge's piece within one row. What lies left of the box covers the row from its start; what lies right of
    /// it covers nothing.
    private func addClamped(
        _ left: Double, _ right: Double, _ dy: Double, _ limit: Double, _ line: UnsafeMutablePointer<Double>,
        _ row: Int
    ) {
        if left >= limit { return }
        if right <= 0 {
            line[0] += dy
            mark(0, row)
            return
        }
        let perColumn = dy / (right - left)
        if left < 0 {
            line[0] += perColumn * -left
            mark(0, row)
        }
        let from = max(left, 0)
        let to = min(right, limit)
        add(from, to, perColumn * (to - from), line, row)
    }

    /// Adds an edge's piece within one row and the box: from `left` to `right` over the signed height `dy`.
    @inline(__always)
    private func add(
        _ left: Double, _ right: Double, _ dy: Double, _ line: UnsafeMutablePointer<Double>, _ row: Int
    ) {
        let first = Int(truncatingIfNeeded: Int32(left))
        let last = Int(truncatingIfNeeded: Int32(right))
        if first == last {
            let inside = (left + right) * 0.5 - Double(first)
            let rest = dy * inside
            line[first] += dy - rest
            line[first + 1] += rest
        } else {
            // The height per column; in each column half of the step lies left of the edge.
            let perColumn = dy / (right - left)
            let head = Double(first + 1) - left
            let tail = right - Double(last)
            let headArea = perColumn * head * head * 0.5
            line[first] += headArea
            var sum = headArea
            if first + 1 < last {
                // From here each column's coverage is known in closed form; store differences.
                var before = headArea
                var column = first + 1
                while column < last {
                    let covered = perColumn * (Double(column) + 0.5 - left)
                    line[column] += covered - before
                    before = covered
                    column += 1
                }
                sum = before
            }
            // The last column is covered by all of dy but for the triangle right of where the edge ends.
            let covered = dy - perColumn * tail * tail * 0.5
            line[last] += covered - sum
            line[last + 1] += dy - covered
        }
        let (tile, end) = (first >> 5, (last + 1) >> 5)
        isTouched[tile] = true
        if tile == end {
            marks[row + tile] |= Self.bits(first, last + 1)
        } else {
            isTouched[end] = true
            Self.forEachWord(first, last + 1) { word, bits in
                isTouched[word] = true
                marks[row + word] |= bits
            }
        }
    }

    @inline(__always)
    private func mark(_ cell: Int, _ row: Int) {
        isTouched[cell >> 5] = true
        marks[row + cell >> 5] |= 1 << UInt32(cell & 31)
    }

    /// Notes that an edge passes the cells from `left` to `right`.
    ///
    /// - Parameter joint: The cell in which it only goes on from the edge before; below 0 for none.
    /// - Returns: Not 0 where one of them is shared.
    @inline(__always)
    private func pass(_ left: Double, _ right: Double, _ limit: Double, _ row: Int, _ joint: Int) -> UInt32 {
        guard left < limit, right >= 0 else { return 0 }
        let first = Int(truncatingIfNeeded: Int32(left > 0 ? left : 0))
        let last = Int(truncatingIfNeeded: Int32(right < limit - 1 ? right : limit - 1))
        guard first <= last else { return 0 }
        var any: UInt32 = 0
        Self.forEachWord(first, last) { word, bits in
            // A level edge leaves no mark, and who passed must be forgotten.
            isTouched[word] = true
            var again = count(bits, passed + (row + word) * Self.planes)
            if again == 0 { return }
            if joint >> 5 == word { again &= ~(1 << UInt32(joint & 31)) }
            shared[row + word] |= again
            any |= again
        }
        return any
    }

    /// How many planes count what passes a cell: one up to 31 that stay there.
    static let planes = 5

    /// Adds one to the counts of cells.
    ///
    /// - Returns: Those that something passed before.
    @inline(__always)
    private func count(_ bits: UInt32, _ counts: UnsafeMutablePointer<UInt32>) -> UInt32 {
        let again = (counts[0] | counts[1] | counts[2] | counts[3] | counts[4]) & bits
        var carry = counts[0] & bits
        counts[0] ^= bits
        if carry == 0 { return again }
        var next = counts[1] & carry
        counts[1] ^= carry
        carry = next
        next = counts[2] & carry
        counts[2] ^= carry
        carry = next
        next = counts[3] & carry
        counts[3] ^= carry
        carry = next
        next = counts[4] & carry
        counts[4] ^= carry
        if next != 0 {
            for plane in 0..<Self.planes { counts[plane] |= next }
        }
        return again
    }

    /// Cells that at least 12 edges pass.
    @inline(__always)
    func crowded(_ word: Int) -> UInt32 {
        let counts = passed + word * Self.planes
        return counts[3] & counts[2] | counts[4]
    }

    /// Cells that at least 28 edges pass.
    @inline(__always)
    func overcrowded(_ word: Int) -> UInt32 {
        let counts = passed + word * Self.planes
        return counts[4] & counts[3] & counts[2]
    }

    /// Forgets who passed.
    @inline(__always)
    func clearPassed(_ word: Int) {
        for plane in 0..<Self.planes { passed[word * Self.planes + plane] = 0 }
    }

    @inline(__always)
    private static func bits(_ first: Int, _ last: Int) -> UInt32 {
        UInt32.max << UInt32(first & 31) & UInt32.max >> UInt32(31 - last & 31)
    }

    /// The bits of cells, word by word.
    @inline(__always)
    static func forEachWord(_ first: Int, _ last: Int, _ body: (Int, UInt32) -> Void) {
        var word = first >> 5
        let end = last >> 5
        var bits = UInt32.max << UInt32(first & 31)
        while word < end {
            body(word, bits)
            bits = .max
            word += 1
        }
        body(word, bits & (UInt32.max >> UInt32(31 - last & 31)))
    }
}

extension EdgeList.Edge {
    /// Columns a row; anything at all where an edge is too short to cross the border of two.
    @inline(__always)
    var slope: Double {
        let height = y1 - y0
        return height > 1e-100 ? (x1 - x0) / height : 0
    }
}
