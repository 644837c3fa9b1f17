// Collects bands of coverage into as few rectangles as it easily can: equal neighbors grow into one span, sideways
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

    private static let side = CoverageMask.tileSide

    private var bandY = 0
    /// Spans of the band before, which this band's may go on with.
    private var above: Range<Int> = 0..<0
    private var bandStart = 0
    /// Columns collected so far with the same runs, not yet in the mask.
    private var pendingX = 0
    private var pendingWidth = 0
    private var pendingRuns: [Run] = []
    /// Those of the columns at hand.
    private var runs: [Run] = []

    mutating func beginBand(y: Int) {
        bandY = y
        bandStart = mask.spans.count
        pendingWidth = 0
    }

    mutating func endBand() {
        flush()
        above = bandStart..<mask.spans.count
    }

    /// Columns in which every row has one value.
    @inline(__always)
    mutating func addUniform(x: Int, width: Int, rows: Int, value: (Int) -> UInt8) {
        runs.removeAll(keepingCapacity: true)
        var run = Run(from: 0, to: 1, value: value(0))
        for row in 1..<max(rows, 1) {
            let v = value(row)
            if v == run.value {
                run.to = row + 1
            } else {
                runs.append(run)
                run = Run(from: row, to: row + 1, value: v)
            }
        }
        runs.append(run)
        append(x: x, width: width)
    }

    /// More columns like the last, which were uniform.
    mutating func widen(by width: Int) {
        pendingWidth += width
    }

    /// Adds columns with the runs at hand.
    private mutating func append(x: Int, width: Int) {
        if pendingWidth > 0, pendingX + pendingWidth == x, runs == pendingRuns {
            pendingWidth += width
            return
        }
        flush()
        pendingX = x
        pendingWidth = width
        swap(&runs, &pendingRuns)
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

    /// A tile that an edge touches: rows of 32 bytes, of which the first `width` count.
    mutating func addTile(x: Int, width: Int, rows: Int, _ bytes: UnsafeMutablePointer<UInt8>) {
        if width < Self.side { clear(bytes, from: width, rows) }
        let first = Row(bytes)
        var columns = Row()
        var (differences, unevenness): (UInt64, UInt64) = (0, 0)
        var (top, bottom) = (rows, 0)
        for index in 0..<rows {
            let line = Row(bytes + index * Self.side)
            differences |= line.difference(to: first)
            unevenness |= line.unevenness(width)
            columns.formUnion(line)
            if !line.isEmpty {
                top = min(top, index)
                bottom = index + 1
            }
        }
        let (areEqual, areUniform) = (differences == 0, unevenness == 0)
        if areUniform {
            return addUniform(x: x, width: width, rows: rows) { bytes[$0 * Self.side] }
        }
        if areEqual {
            var column = 0
            while column < width {
                var end = column + 1
                while end < width, bytes[end] == bytes[column] { end += 1 }
                runs.removeAll(keepingCapacity: true)
                runs.append(Run(from: 0, to: rows, value: bytes[column]))
                append(x: x + column, width: end - column)
                column = end
            }
            return
        }
        flush()
        // Only what is covered at all.
        let (left, right) = columns.extent
        mask.tiles.append(
            CoverageMask.Tile(
                rect: PixelRect(minX: x + left, minY: bandY + top, maxX: x + right, maxY: bandY + bottom),
                offset: mask.bytes.count))
        let count = right - left
        if count < Self.side {
            for index in 0..<bottom - top {
                memmove(bytes + index * count, bytes + (top + index) * Self.side + left, count)
            }
            mask.bytes.append(contentsOf: UnsafeBufferPointer(start: bytes, count: (bottom - top) * count))
        } else {
            mask.bytes.append(
                contentsOf: UnsafeBufferPointer(start: bytes + top * Self.side, count: (bottom - top) * Self.side))
        }
    }

    /// What is written past the box's right side is not the mask's.
    private func clear(_ bytes: UnsafeMutablePointer<UInt8>, from width: Int, _ rows: Int) {
        for index in 0..<rows { memset(bytes + index * Self.side + width, 0, Self.side - width) }
    }

    /// The mask without the places that grown spans left behind, in memory of its own; the builder keeps what it has, for the
    /// next one.
    mutating func finish() -> CoverageMask {
        var result = CoverageMask()
        result.spans = mask.spans.filter { $0.coverage != 0 }
        result.tiles = mask.tiles.withUnsafeBufferPointer { Array($0) }
        result.bytes = mask.bytes.withUnsafeBufferPointer { Array($0) }
        mask.spans.removeAll(keepingCapacity: true)
        mask.tiles.removeAll(keepingCapacity: true)
        mask.bytes.removeAll(keepingCapacity: true)
        above = 0..<0
        return result
    }
}

/// 32 bytes.
private struct Row {
    private var a: UInt64 = 0
    private var b: UInt64 = 0
    private var c: UInt64 = 0
    private var d: UInt64 = 0

    init() {}

    @inline(__always)
    init(_ bytes: UnsafeMutablePointer<UInt8>) {
        let raw = UnsafeRawPointer(bytes)
        a = raw.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
        b = raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        c = raw.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
        d = raw.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
    }

    @inline(__always) var isEmpty: Bool { a | b | c | d == 0 }

    /// 0 where they are equal.
    @inline(__always)
    func difference(to other: Row) -> UInt64 { (a ^ other.a) | (b ^ other.b) | (c ^ other.c) | (d ^ other.d) }

    /// 0 where the first bytes are all the same and the others 0.
    @inline(__always)
    func unevenness(_ width: Int) -> UInt64 {
        let value = (a & 0xff) &* 0x0101_0101_0101_0101
        if width == 32 { return (a ^ value) | (b ^ value) | (c ^ value) | (d ^ value) }
        func part(_ first: Int) -> UInt64 {
            width <= first ? 0 : width >= first + 8 ? value : value & ((1 << UInt64((width - first) * 8)) - 1)
        }
        return (a ^ part(0)) | (b ^ part(8)) | (c ^ part(16)) | (d ^ part(24))
    }

    @inline(__always)
    mutating func formUnion(_ other: Row) {
        a |= other.a
        b |= other.b
        c |= other.c
        d |= other.d
    }

    /// Bytes from the first that is not 0 to just past the last; there must be one.
    var extent: (Int, Int) {
        let words = [a, b, c, d]
        let first = words.firstIndex { $0 != 0 } ?? 0
        let last = words.lastIndex { $0 != 0 } ?? 0
        return (first * 8 + words[first].trailingZeroBitCount / 8, last * 8 + 8 - words[last].leadingZeroBitCount / 8)
    }
}
