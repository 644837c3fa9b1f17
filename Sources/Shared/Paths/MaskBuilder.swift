// Collects bands of coverage into as few rectangles as it easily can: equal neighbours grow into one span, sideways
// within a band and downwards across bands; a tile that is uniform by rows or columns becomes spans.

import Glibc
import LayerModel

struct MaskBuilder {
    private(set) var mask = CoverageMask()

    /// A run of rows with the same coverage, from the band's top.
    private struct Run: Equatable {
        var from: Int
        var to: Int
        var value: UInt8
    }

    private var bandY = 0
    /// Spans of the band before, which this band's may go on with.
    private var above: Range<Int> = 0..<0
    private var bandStart = 0
    /// Columns collected so far with the same runs, not yet in the mask.
    private var pendingX = 0
    private var pendingWidth = 0
    private var pendingRuns: [Run] = []

    mutating func beginBand(y: Int, rows: Int) {
        bandY = y
        bandStart = mask.spans.count
        pendingWidth = 0
    }

    mutating func endBand() {
        flush()
        above = bandStart..<mask.spans.count
    }

    /// Columns in which every row has one value.
    mutating func addUniform(x: Int, width: Int, rows: Int, value: (Int) -> UInt8) {
        var runs: [Run] = []
        for row in 0..<rows {
            let v = value(row)
            if let last = runs.last, last.value == v {
                runs[runs.count - 1].to = row + 1
            } else {
                runs.append(Run(from: row, to: row + 1, value: v))
            }
        }
        append(x: x, width: width, runs)
    }

    /// More columns like the last, which were uniform.
    mutating func widen(by width: Int) {
        pendingWidth += width
    }

    private mutating func append(x: Int, width: Int, _ runs: [Run]) {
        if pendingWidth > 0, pendingX + pendingWidth == x, runs == pendingRuns {
            pendingWidth += width
            return
        }
        flush()
        pendingX = x
        pendingWidth = width
        pendingRuns = runs
    }

    private mutating func flush() {
        guard pendingWidth > 0 else { return }
        for run in pendingRuns where run.value > 0 {
            addSpan(
                PixelRect(
                    minX: pendingX, minY: bandY + run.from, maxX: pendingX + pendingWidth, maxY: bandY + run.to),
                run.value)
        }
        pendingWidth = 0
    }

    private mutating func addSpan(_ rect: PixelRect, _ value: UInt8) {
        let coverage = Float(value) / 255
        if rect.minY == bandY {
            for index in above {
                let span = mask.spans[index]
                if span.rect.maxY == bandY, span.rect.minX == rect.minX, span.rect.maxX == rect.maxX,
                    span.coverage == coverage
                {
                    // The grown span may be grown again by the next band: it takes the last place of this one.
                    mask.spans.append(
                        CoverageMask.Span(
                            rect: PixelRect(
                                minX: rect.minX, minY: span.rect.minY, maxX: rect.maxX, maxY: rect.maxY),
                            coverage: coverage))
                    mask.spans[index].coverage = 0
                    return
                }
            }
        }
        mask.spans.append(CoverageMask.Span(rect: rect, coverage: coverage))
    }

    /// A tile that an edge touches: `bytes` begins with width × rows values.
    mutating func addTile(x: Int, width: Int, rows: Int, _ bytes: UnsafeBufferPointer<UInt8>) {
        addTile(x: x, y: bandY, width: width, rows: rows, bytes)
    }

    private mutating func addTile(x: Int, y: Int, width: Int, rows: Int, _ bytes: UnsafeBufferPointer<UInt8>) {
        if areRowsUniform(width, rows, bytes) {
            addUniform(x: x, width: width, rows: rows) { bytes[$0 * width] }
            return
        }
        if areRowsEqual(width, rows, bytes) {
            var column = 0
            while column < width {
                var end = column + 1
                while end < width, bytes[end] == bytes[column] { end += 1 }
                append(x: x + column, width: end - column, [Run(from: 0, to: rows, value: bytes[column])])
                column = end
            }
            return
        }
        flush()
        // Only what is covered at all.
        var (left, right, top, bottom) = (width, 0, rows, 0)
        for row in 0..<rows {
            let line = bytes.baseAddress! + row * width
            let first = zeros(line, width)
            guard first < width else { continue }
            var last = width
            while last > right, line[last - 1] == 0 { last -= 1 }
            left = min(left, first)
            right = max(right, last)
            top = min(top, row)
            bottom = row + 1
        }
        mask.tiles.append(
            CoverageMask.Tile(
                rect: PixelRect(minX: x + left, minY: y + top, maxX: x + right, maxY: y + bottom),
                offset: mask.bytes.count))
        if left == 0, right == width {
            mask.bytes.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[top * width..<bottom * width]))
            return
        }
        for row in top..<bottom {
            mask.bytes.append(
                contentsOf: UnsafeBufferPointer(rebasing: bytes[row * width + left..<row * width + right]))
        }
    }

    /// How many of the bytes before the first other one are 0.
    @inline(__always)
    private func zeros(_ line: UnsafePointer<UInt8>, _ count: Int) -> Int {
        var first = 0
        while first + 8 <= count,
            UnsafeRawPointer(line + first).loadUnaligned(as: UInt64.self) == 0
        {
            first += 8
        }
        while first < count, line[first] == 0 { first += 1 }
        return first
    }

    private func areRowsUniform(_ width: Int, _ rows: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        for row in 0..<rows {
            let first = bytes[row * width]
            for column in 1..<max(width, 1) where bytes[row * width + column] != first { return false }
        }
        return true
    }

    private func areRowsEqual(_ width: Int, _ rows: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        rows < 2 || memcmp(bytes.baseAddress!, bytes.baseAddress! + width, (rows - 1) * width) == 0
    }

    /// The mask without the places that grown spans left behind.
    consuming func finished() -> CoverageMask {
        mask.spans.removeAll { $0.coverage == 0 }
        return mask
    }
}
