// Exact-area coverage of a shape as rectangles: most of a shape is fully covered or not at all, so a mask is a short
// list of uniform rectangles and, along curved or slanted rims only, small tiles of bytes.

import LayerModel

/// How much of each pixel a shape covers. Spans and tiles never overlap; what none of them holds is not covered.
package struct CoverageMask: Sendable, Equatable {
    /// A rectangle with the same coverage in every pixel.
    package struct Span: Sendable, Equatable {
        package var rect: PixelRect
        /// 0 < coverage ≤ 1.
        package var coverage: Float

        package init(rect: PixelRect, coverage: Float) {
            self.rect = rect
            self.coverage = coverage
        }
    }

    /// At most `tileSide` × `tileSide` bytes, row by row without padding, one a pixel: or, where all columns or all rows
    /// are the same, one of them for as many pixels as the rectangle is wide or high.
    package struct Tile: Sendable, Equatable {
        package var rect: PixelRect
        /// Where its bytes start in `bytes`; there are columns × rows of them.
        package var offset: Int
        /// Bytes a row: the rectangle's width, or 1 where one column serves for all.
        package var columns: Int
        /// The rectangle's height, or 1 where one row serves for all.
        package var rows: Int

        package init(rect: PixelRect, offset: Int) {
            self.init(rect: rect, offset: offset, columns: rect.width, rows: rect.height)
        }

        package init(rect: PixelRect, offset: Int, columns: Int, rows: Int) {
            self.rect = rect
            self.offset = offset
            self.columns = columns
            self.rows = rows
        }

        /// Index into `bytes` of a pixel inside.
        @inline(__always)
        package func index(_ x: Int, _ y: Int) -> Int {
            offset + (rows == 1 ? 0 : (y - rect.minY) * columns) + (columns == 1 ? 0 : x - rect.minX)
        }
    }

    /// Pixels.
    package static let tileSide = 32

    package var spans: [Span] = []
    package var tiles: [Tile] = []
    package var bytes: [UInt8] = []

    package init() {}

    package var isEmpty: Bool { spans.isEmpty && tiles.isEmpty }
}
