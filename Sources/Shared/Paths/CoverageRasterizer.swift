// Exact-area coverage of polygons.
//
// Every edge leaves in each pixel row it crosses the signed area to its right: in the cells it passes a part, and from
// there on its whole height. Summing a row from the left gives the covered area of each pixel exactly, however many edges
// share it, folded by the fill rule. Rows are taken 32 at a time; columns of tiles that no edge touches have the same
// coverage all along a row and become spans without looking at pixels.
//
// What it does not do: where the outline crosses itself inside one pixel, the areas are added before they are folded, as
// in every accumulating rasteriser.

import LayerModel

package enum FillRule: UInt8, Sendable {
    case nonZero
    case evenOdd
}

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
        if isTouched.count < columns + 1 { isTouched = ContiguousArray(repeating: false, count: columns + 1) }
        active.removeAll(keepingCapacity: true)
        var next = 0
        var top = 0
        while top < box.height {
            let rows = min(Self.side, box.height - top)
            while next < edges.count, edges[next].y0 < Double(top + rows) {
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

    /// Edges relative to the box, topmost first, cut to its rows.
    private mutating func collectEdges(of outline: Outline, in box: PixelRect) {
        edges.removeAll(keepingCapacity: true)
        let (ox, oy) = (Double(box.minX), Double(box.minY))
        let height = Double(box.height)
        outline.forEachEdge { a, b in
            guard a.y != b.y else { return }
            var edge = Edge(x0: a.x - ox, y0: a.y - oy, x1: b.x - ox, y1: b.y - oy, direction: 1)
            if edge.y0 > edge.y1 { edge = Edge(x0: edge.x1, y0: edge.y1, x1: edge.x0, y1: edge.y0, direction: -1) }
            guard edge.y1 > 0, edge.y0 < height else { return }
            edges.append(edge)
        }
        edges.sort { $0.y0 < $1.y0 }
    }
}

// MARK: - Accumulating

extension CoverageRasterizer {
    private mutating func accumulate(top: Int, rows: Int, stride: Int, width: Int, _ samplesCentres: Bool) {
        let limit = Double(width)
        cells.withUnsafeMutableBufferPointer { cells in
            isTouched.withUnsafeMutableBufferPointer { touched in
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
                        if samplesCentres {
                            let centre = Double(top + row) + 0.5
                            if y <= centre, centre < below {
                                let at = edge.x0 + (centre - edge.y0) * slope
                                let column = Int(min(max((at - 0.5).rounded(.up), 0), limit))
                                line[column] += edge.direction
                                touched[column / Self.side] = true
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

    /// Adds an edge's piece within one row. What lies left of the box covers the row from its start; what lies right of
    /// it covers nothing.
    @inline(__always)
    private static func addClamped(
        _ x0: Double, _ x1: Double, _ dy: Double, _ limit: Double, _ line: UnsafeMutablePointer<Double>,
        _ touched: UnsafeMutableBufferPointer<Bool>
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
            touched[0] = true
            return
        }
        let perColumn = dy / (right - left)
        if left < 0 {
            line[0] += perColumn * -left
            touched[0] = true
        }
        let from = max(left, 0)
        let to = min(right, limit)
        add(from, to, perColumn * (to - from), line, touched)
    }

    /// Adds an edge's piece within one row and the box: from `left` to `right` over the signed height `dy`.
    @inline(__always)
    private static func add(
        _ left: Double, _ right: Double, _ dy: Double, _ line: UnsafeMutablePointer<Double>,
        _ touched: UnsafeMutableBufferPointer<Bool>
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
        touched[first / side] = true
        touched[(last + 1) / side] = true
        var tile = first / side + 1
        while tile < (last + 1) / side {
            touched[tile] = true
            tile += 1
        }
    }
}

// MARK: - Spans and tiles

extension CoverageRasterizer {
    /// Turns a band of rows into spans and tiles, and clears it.
    private mutating func emit(
        top: Int, rows: Int, stride: Int, columns: Int, _ box: PixelRect, _ rule: FillRule,
        into builder: inout MaskBuilder
    ) {
        for row in 0..<rows { running[row] = 0 }
        let y = box.minY + top
        builder.beginBand(y: y, rows: rows)
        cells.withUnsafeMutableBufferPointer { cells in
            for column in 0..<columns {
                let x = box.minX + column * Self.side
                let width = min(Self.side, box.width - column * Self.side)
                guard isTouched[column] else {
                    builder.addUniform(x: x, width: width, rows: rows) { fold(running[$0], rule) }
                    continue
                }
                isTouched[column] = false
                bytes.withUnsafeMutableBufferPointer { bytes in
                    for row in 0..<rows {
                        let line = cells.baseAddress! + row * stride + column * Self.side
                        var value = running[row]
                        for cell in 0..<Self.side {
                            value += line[cell]
                            line[cell] = 0
                            if cell < width { bytes[row * width + cell] = fold(value, rule) }
                        }
                        running[row] = value
                    }
                }
                builder.addTile(x: x, width: width, rows: rows, bytes)
            }
            if isTouched[columns] {
                isTouched[columns] = false
                for row in 0..<rows {
                    cells[row * stride + columns * Self.side] = 0
                    cells[row * stride + columns * Self.side + 1] = 0
                }
            }
        }
        builder.endBand()
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
    return UInt8(covered * 255 + 0.5)
}
