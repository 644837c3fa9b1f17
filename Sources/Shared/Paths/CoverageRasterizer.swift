// Exact-area coverage of polygons.
//
// Every edge leaves in each pixel row it crosses the signed area to its right: in the cells it passes a part, and from
// there on its whole height. Summing a row from the left gives the windings of each pixel, weighted by area, however many
// edges share it; the fill rule folds them. Rows are taken 32 at a time; columns of tiles that no edge touches have the same
// coverage all along a row and become spans without looking at pixels.
//
// Folding the sum is exact where a pixel knows two windings at most, so wherever only one run of edges passes through.
// Pixels that more than one passes through are noted on the way, and their windings worked out one by one
// (SharedCells.swift). The contours of a convex shape are known to have none.

import LayerModel

/// Turns outlines into masks; keeps its buffers between calls.
package struct CoverageRasterizer {
    static let side = CoverageMask.tileSide

    private var list = EdgeList()
    private var active: ContiguousArray<Int32> = []
    /// `side` rows of signed area, a little wider than the shape.
    private var cells: ContiguousArray<Double> = []
    private var isTouched: ContiguousArray<Bool> = []
    /// A bit for each cell that was added to, and that is shared: `columns + 1` words a row.
    private var marks: ContiguousArray<UInt32> = []
    /// How many edges pass each cell, in planes of bits.
    private var passed: ContiguousArray<UInt32> = []
    private var shared: ContiguousArray<UInt32> = []
    private var running = ContiguousArray<Double>(repeating: 0, count: CoverageMask.tileSide)
    /// A tile, and room for what is written past the end of a row.
    private var bytes = ContiguousArray<UInt8>(
        repeating: 0, count: CoverageMask.tileSide * (CoverageMask.tileSide + 1))
    private var sharedCells = SharedCells()
    private var builder = MaskBuilder()

    package init() {}

    /// The coverage of every pixel of `clip`: a byte a pixel, 255 times the area, rounded.
    /// - Complexity: O(edges · rows they cross + touched tiles).
    package mutating func rasterize(_ outline: Outline, rule: FillRule, clip: PixelRect) -> CoverageMask {
        mask(of: outline, rule, clip, .area)
    }

    /// All or nothing: the pixels whose centers lie inside.
    package mutating func hardEdgedMask(of outline: Outline, clip: PixelRect) -> CoverageMask {
        mask(of: outline, .nonZero, clip, .centers)
    }

    /// What an edge adds to.
    enum Sampling {
        /// The areas of cells.
        case area
        /// The same, and notes which cells more than one run of edges passes through.
        case areaAndSharing
        /// The first cell whose center lies right of it.
        case centers
    }

    private mutating func mask(
        of outline: Outline, _ rule: FillRule, _ clip: PixelRect, _ wanted: Sampling
    ) -> CoverageMask {
        let box = EdgeList.boundingBox(of: outline).intersection(clip)
        guard !box.isEmpty else { return CoverageMask() }
        let sampling = wanted == .area && !outline.isConvex ? Sampling.areaAndSharing : wanted
        list.collect(outline, in: box, keepsLevel: sampling == .areaAndSharing)
        var builder = MaskBuilder()
        swap(&builder, &self.builder)
        let columns = (box.width + Self.side - 1) / Self.side
        grow(columns: columns, sharing: sampling == .areaAndSharing)
        withBand(box, columns) { band, active, edges, bands, sharedCells in
            var count = 0
            var next = 0
            var top = 0
            var index = 1
            while top < box.height {
                let rows = min(Self.side, box.height - top)
                while next < Int(bands[index]) {
                    active[count] = Int32(truncatingIfNeeded: next)
                    count += 1
                    next += 1
                }
                index += 1
                let now = UnsafeBufferPointer(start: active.baseAddress, count: count)
                let isShared =
                    band.accumulate(edges, now, top: top, rows: rows, sampling)
                    && sharedCells.workOut(band, edges, now, top: top, rows: rows, rule)
                band.emit(
                    y: box.minY + top, rows: rows, rule, isSharing: sampling == .areaAndSharing,
                    isShared ? sharedCells : nil, into: &builder)
                let bottom = Double(top + rows)
                var kept = 0
                for place in 0..<count where edges[Int(active[place])].y1 > bottom {
                    active[kept] = active[place]
                    kept += 1
                }
                count = kept
                top += rows
            }
        }
        let mask = builder.finish()
        swap(&builder, &self.builder)
        return mask
    }

    private mutating func grow(columns: Int, sharing: Bool) {
        let words = (columns + 1) * Self.side
        let count = (columns * Self.side + 2) * Self.side
        if cells.count < count { cells = ContiguousArray(repeating: 0, count: count) }
        if isTouched.count < columns + 1 { isTouched = ContiguousArray(repeating: false, count: columns + 1) }
        if marks.count < words { marks = ContiguousArray(repeating: 0, count: words) }
        if sharing, shared.count < words {
            passed = ContiguousArray(repeating: 0, count: words * CoverageBand.planes)
            shared = ContiguousArray(repeating: 0, count: words)
        }
        if active.count < list.edges.count {
            active = ContiguousArray(repeating: 0, count: list.edges.count)
        }
    }

    private mutating func withBand(
        _ box: PixelRect, _ columns: Int,
        _ body: (
            CoverageBand, UnsafeMutableBufferPointer<Int32>, UnsafePointer<EdgeList.Edge>, UnsafePointer<Int32>,
            inout SharedCells
        ) -> Void
    ) {
        cells.withUnsafeMutableBufferPointer { cells in
            isTouched.withUnsafeMutableBufferPointer { isTouched in
                marks.withUnsafeMutableBufferPointer { marks in
                    passed.withUnsafeMutableBufferPointer { passed in
                        shared.withUnsafeMutableBufferPointer { shared in
                            running.withUnsafeMutableBufferPointer { running in
                                bytes.withUnsafeMutableBufferPointer { bytes in
                                    active.withUnsafeMutableBufferPointer { active in
                                        let band = CoverageBand(
                                            cells: cells.baseAddress!, isTouched: isTouched.baseAddress!,
                                            marks: marks.baseAddress!,
                                            passed: passed.baseAddress ?? marks.baseAddress!,
                                            shared: shared.baseAddress ?? marks.baseAddress!,
                                            running: running.baseAddress!, bytes: bytes.baseAddress!,
                                            originX: box.minX, width: box.width, columns: columns)
                                        list.withPointers { body(band, active, $0, $1, &sharedCells) }
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
