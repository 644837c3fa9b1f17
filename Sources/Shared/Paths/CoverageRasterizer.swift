// Exact-area coverage of polygons.
//
// Every edge leaves in each pixel row it crosses the signed area to its right: in the cells it passes a part, and from
// there on its whole height. Summing a row from the left gives the covered area of each pixel exactly, however many edges
// share it, folded by the fill rule. Rows are taken 32 at a time; columns of tiles that no edge touches have the same
// coverage all along a row and become spans without looking at pixels.
//
// What it does not do: where the outline crosses itself inside one pixel, the areas are added before they are folded, as
// in every accumulating rasteriser.

import Glibc
import LayerModel

/// Turns outlines into masks; keeps its buffers between calls.
package struct CoverageRasterizer {
    private struct Edge {
        var x0, y0, x1, y1: Double
        /// +1 when the contour runs downwards.
        var direction: Double
    }

    private static let side = CoverageMask.tileSide

    private var edges: ContiguousArray<Edge> = []
    private var active: ContiguousArray<Int> = []
    /// `side` rows of signed area, a little wider than the shape.
    private var cells: ContiguousArray<Double> = []
    private var isTouched: ContiguousArray<Bool> = []
    /// A bit for each cell that was added to: `columns + 1` words a row.
    private var marks: ContiguousArray<UInt32> = []
    /// Where the edges of each band of rows begin.
    private var bands: ContiguousArray<Int32> = []
    private var running = ContiguousArray<Double>(repeating: 0, count: CoverageMask.tileSide)
    private var bytes = ContiguousArray<UInt8>(
        repeating: 0, count: CoverageMask.tileSide * CoverageMask.tileSide)

    package init() {}

    /// The coverage of every pixel of `clip`: a byte a pixel, 255 times the area, rounded.
    /// - Complexity: O(edges · rows they cross + touched tiles).
    package mutating func rasterize(_ outline: Outline, rule: FillRule, clip: PixelRect) -> CoverageMask {
        mask(of: outline, rule, clip, samplesCentres: false)
    }

    /// All or nothing: the pixels whose centres lie inside.
    package mutating func hardEdgedMask(of outline: Outline, clip: PixelRect) -> CoverageMask {
        mask(of: outline, .nonZero, clip, samplesCentres: true)
    }

    private mutating func mask(
        of outline: Outline, _ rule: FillRule, _ clip: PixelRect, samplesCentres: Bool
    ) -> CoverageMask {
        let box = boundingBox(of: outline).intersection(clip)
        var builder = MaskBuilder()
        guard !box.isEmpty else { return CoverageMask() }
        collectEdges(of: outline, in: box)
        let columns = (box.width + Self.side - 1) / Self.side
        let stride = columns * Self.side + 2
        if cells.count < stride * Self.side {
            cells = ContiguousArray(repeating: 0, count: stride * Self.side)
        }
        if isTouched.count < columns + 1 {
            isTouched = ContiguousArray(repeating: false, count: columns + 1)
            marks = ContiguousArray(repeating: 0, count: (columns + 1) * Self.side)
        }
        active.removeAll(keepingCapacity: true)
        var next = 0
        var top = 0
        var band = 0
        while top < box.height {
            let rows = min(Self.side, box.height - top)
            band += 1
            while next < Int(bands[band]) {
                active.append(next)
                next += 1
            }
            accumulate(top: top, rows: rows, stride: stride, width: box.width, samplesCentres)
            emit(
                top: top, rows: rows, stride: stride, columns: columns, box, rule, into: &builder)
            let bottom = Double(top + rows)
            active.removeAll { edges[$0].y1 <= bottom }
            top += rows
        }
        return builder.finished()
    }

    private func boundingBox(of outline: Outline) -> PixelRect {
        guard let first = outline.points.first else { return .empty }
        let limit = 1e9
        var (minX, minY, maxX, maxY) = (first.x, first.y, first.x, first.y)
        for p in outline.points {
            // Also what is no number: nothing like it may become an index.
            guard abs(p.x) < limit, abs(p.y) < limit else { return .empty }
            minX = min(minX, p.x)
            minY = min(minY, p.y)
            maxX = max(maxX, p.x)
            maxY = max(maxY, p.y)
        }
        return PixelRect(
            minX: Int(minX.rounded(.down)), minY: Int(minY.rounded(.down)), maxX: Int(maxX.rounded(.up)),
            maxY: Int(maxY.rounded(.up)))
    }

    /// Edges relative to the box, cut to its rows, in the order of the bands they begin in.
    private mutating func collectEdges(of outline: Outline, in box: PixelRect) {
        let (ox, oy) = (Double(box.minX), Double(box.minY))
        let height = Double(box.height)
        let bandCount = (box.height + Self.side - 1) / Self.side
        bands.removeAll(keepingCapacity: true)
        bands.append(contentsOf: repeatElement(0, count: bandCount + 2))
        @inline(__always)
        func band(_ a: Point, _ b: Point) -> Int? {
            let (y0, y1) = (min(a.y, b.y) - oy, max(a.y, b.y) - oy)
            guard y0 < y1, y1 > 0, y0 < height else { return nil }
            return y0 > 0 ? Int(y0) / Self.side : 0
        }
        bands.withUnsafeMutableBufferPointer { bands in
            outline.forEachEdge { a, b in
                if let band = band(a, b) { bands[band + 2] += 1 }
            }
            for index in 2..<bands.count { bands[index] += bands[index - 1] }
        }
        let count = Int(bands[bandCount + 1])
        if edges.count < count {
            edges = ContiguousArray(repeating: Edge(x0: 0, y0: 0, x1: 0, y1: 0, direction: 0), count: count)
        }
        edges.withUnsafeMutableBufferPointer { edges in
            bands.withUnsafeMutableBufferPointer { bands in
                outline.forEachEdge { a, b in
                    guard let band = band(a, b) else { return }
                    let place = Int(bands[band + 1])
                    bands[band + 1] += 1
                    edges[place] =
                        a.y < b.y
                        ? Edge(x0: a.x - ox, y0: a.y - oy, x1: b.x - ox, y1: b.y - oy, direction: 1)
                        : Edge(x0: b.x - ox, y0: b.y - oy, x1: a.x - ox, y1: a.y - oy, direction: -1)
                }
            }
        }
    }
}

// MARK: - Accumulating

extension CoverageRasterizer {
    private mutating func accumulate(top: Int, rows: Int, stride: Int, width: Int, _ samplesCentres: Bool) {
        let limit = Double(width)
        let words = (width + Self.side - 1) / Self.side + 1
        cells.withUnsafeMutableBufferPointer { cells in
            isTouched.withUnsafeMutableBufferPointer { isTouched in
                marks.withUnsafeMutableBufferPointer { marks in
                    let all = Touched(isTouched: isTouched.baseAddress!, marks: marks.baseAddress!)
                    for index in active {
                        let edge = edges[index]
                        let slope = (edge.x1 - edge.x0) / (edge.y1 - edge.y0)
                        var y = max(edge.y0, Double(top))
                        let end = min(edge.y1, Double(top + rows))
                        var x = edge.x0 + (y - edge.y0) * slope
                        var row = Int(y) - top
                        while y < end, row < rows {
                            let below = min(Double(top + row + 1), end)
                            let nextX = below == edge.y1 ? edge.x1 : edge.x0 + (below - edge.y0) * slope
                            let line = cells.baseAddress! + row * stride
                            let touched = all.row(row * words)
                            if samplesCentres {
                                let centre = Double(top + row) + 0.5
                                if y <= centre, centre < below {
                                    let at = edge.x0 + (centre - edge.y0) * slope
                                    let column = Int(min(max((at - 0.5).rounded(.up), 0), limit))
                                    line[column] += edge.direction
                                    touched.set(column)
                                }
                            } else {
                                Self.addClamped(x, nextX, (below - y) * edge.direction, limit, line, touched)
                            }
                            x = nextX
                            y = below
                            row += 1
                        }
                    }
                }
            }
        }
    }

    /// Adds an edge's piece within one row. What lies left of the box covers the row from its start; what lies right of
    /// it covers nothing.
    @inline(__always)
    private static func addClamped(
        _ x0: Double, _ x1: Double, _ dy: Double, _ limit: Double, _ line: UnsafeMutablePointer<Double>,
        _ touched: Touched
    ) {
        let left = min(x0, x1)
        let right = max(x0, x1)
        if left >= 0, right <= limit {
            add(left, right, dy, line, touched)
            return
        }
        if left >= limit { return }
        if right <= 0 {
            line[0] += dy
            touched.set(0)
            return
        }
        let perColumn = dy / (right - left)
        if left < 0 {
            line[0] += perColumn * -left
            touched.set(0)
        }
        let from = max(left, 0)
        let to = min(right, limit)
        add(from, to, perColumn * (to - from), line, touched)
    }

    /// Adds an edge's piece within one row and the box: from `left` to `right` over the signed height `dy`.
    @inline(__always)
    private static func add(
        _ left: Double, _ right: Double, _ dy: Double, _ line: UnsafeMutablePointer<Double>,
        _ touched: Touched
    ) {
        let first = Int(left)
        let last = Int(right)
        if first == last {
            let inside = (left + right) / 2 - Double(first)
            line[first] += dy * (1 - inside)
            line[first + 1] += dy * inside
        } else {
            // The height per column; in each column half of the step lies left of the edge.
            let perColumn = dy / (right - left)
            let head = Double(first + 1) - left
            let tail = right - Double(last)
            let headArea = perColumn * head * head / 2
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
            let covered = dy - perColumn * tail * tail / 2
            line[last] += covered - sum
            line[last + 1] += dy - covered
        }
        touched.set(from: first, through: last + 1)
    }
}

// MARK: - Spans and tiles

extension CoverageRasterizer {
    /// Turns a band of rows into spans and tiles, and clears it.
    private mutating func emit(
        top: Int, rows: Int, stride: Int, columns: Int, _ box: PixelRect, _ rule: FillRule,
        into builder: inout MaskBuilder
    ) {
        builder.beginBand(y: box.minY + top, rows: rows)
        cells.withUnsafeMutableBufferPointer { cells in
            marks.withUnsafeMutableBufferPointer { marks in
                running.withUnsafeMutableBufferPointer { running in
                    bytes.withUnsafeMutableBufferPointer { bytes in
                        for row in 0..<rows { running[row] = 0 }
                        var isSameAsBefore = false
                        for column in 0..<columns {
                            let x = box.minX + column * Self.side
                            let width = min(Self.side, box.width - column * Self.side)
                            if !isTouched[column] {
                                if isSameAsBefore {
                                    builder.widen(by: width)
                                } else {
                                    builder.addUniform(x: x, width: width, rows: rows) { fold(running[$0], rule) }
                                }
                                isSameAsBefore = true
                                continue
                            }
                            isTouched[column] = false
                            isSameAsBefore = false
                            for row in 0..<rows {
                                let mark = marks.baseAddress! + row * (columns + 1) + column
                                Self.sum(
                                    cells.baseAddress! + row * stride + column * Self.side, mark.pointee,
                                    &running[row], rule, into: bytes.baseAddress! + row * width, width)
                                mark.pointee = 0
                            }
                            builder.addTile(x: x, width: width, rows: rows, UnsafeBufferPointer(bytes))
                        }
                        guard isTouched[columns] else { return }
                        isTouched[columns] = false
                        for row in 0..<rows {
                            marks[row * (columns + 1) + columns] = 0
                            cells[row * stride + columns * Self.side] = 0
                            cells[row * stride + columns * Self.side + 1] = 0
                        }
                    }
                }
            }
        }
        builder.endBand()
    }

    /// Sums a row of a tile from the left, only where something was added, and clears it.
    @inline(__always)
    private static func sum(
        _ line: UnsafeMutablePointer<Double>, _ marks: UInt32, _ running: inout Double, _ rule: FillRule,
        into target: UnsafeMutablePointer<UInt8>, _ width: Int
    ) {
        var value = running
        var rest = marks
        var from = 0
        var byte = fold(value, rule)
        while rest != 0 {
            let cell = rest.trailingZeroBitCount
            rest &= rest - 1
            value += line[cell]
            line[cell] = 0
            // What lies right of the box.
            if cell >= width { continue }
            if cell > from { memset(target + from, Int32(byte), cell - from) }
            byte = fold(value, rule)
            target[cell] = byte
            from = cell + 1
        }
        if width > from { memset(target + from, Int32(byte), width - from) }
        running = value
    }
}

/// Which cells of a row were added to.
private struct Touched {
    private let isTouched: UnsafeMutablePointer<Bool>
    private let marks: UnsafeMutablePointer<UInt32>

    @inline(__always)
    init(isTouched: UnsafeMutablePointer<Bool>, marks: UnsafeMutablePointer<UInt32>) {
        self.isTouched = isTouched
        self.marks = marks
    }

    @inline(__always)
    func row(_ offset: Int) -> Touched { Touched(isTouched: isTouched, marks: marks + offset) }

    @inline(__always)
    func set(_ cell: Int) {
        let tile = cell >> 5
        isTouched[tile] = true
        marks[tile] |= 1 << UInt32(cell & 31)
    }

    @inline(__always)
    func set(from first: Int, through last: Int) {
        let (tile, end) = (first >> 5, last >> 5)
        let (head, tail) = (UInt32.max << UInt32(first & 31), UInt32.max >> UInt32(31 - last & 31))
        isTouched[tile] = true
        if tile == end {
            marks[tile] |= head & tail
            return
        }
        marks[tile] |= head
        isTouched[end] = true
        marks[end] |= tail
        var between = tile + 1
        while between < end {
            isTouched[between] = true
            marks[between] = .max
            between += 1
        }
    }
}

@inline(__always)
private func fold(_ area: Double, _ rule: FillRule) -> UInt8 {
    var covered = abs(area)
    switch rule {
    case .nonZero: covered = min(covered, 1)
    case .evenOdd:
        covered -= 2 * (covered / 2).rounded(.down)
        if covered > 1 { covered = 2 - covered }
    }
    // What is half a level but for rounding goes up, whatever order the edges came in.
    return UInt8(covered * 255 + (0.5 + 1e-9))
}
