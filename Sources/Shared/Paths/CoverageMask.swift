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

    /// At most `tileSide` × `tileSide` pixels with a byte each, row by row without padding.
    package struct Tile: Sendable, Equatable {
        package var rect: PixelRect
        /// Where its bytes start in `bytes`; there are rect.width × rect.height of them.
        package var offset: Int

        package init(rect: PixelRect, offset: Int) {
            self.rect = rect
            self.offset = offset
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
