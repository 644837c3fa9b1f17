// An image that is larger than the driver's textures is kept as several: a grid of tiles, each a texture of its own.
//
// Every texel belongs to one tile; a pixel is drawn from the tile that its center falls into. A tile's texture holds one
// texel more on the sides where there is a neighbor, so that a linear filter finds at a seam what it would find in one
// large texture. Only the smaller levels of a trilinear filter see the seam: they reach further.

import LayerModel

package struct ImageTiling: Equatable, Sendable {
    /// Tiles along one side of the image.
    struct Axis: Equatable, Sendable {
        /// Texels.
        var length: Int
        /// Texels that belong to a tile; the last one may have fewer.
        var step: Int
        var count: Int
        /// Texels on a side where there is a neighbor.
        static let margin = 1

        init(_ length: Int, limit: Int) {
            self.length = length
            let isWhole = length <= limit
            step = isWhole ? max(length, 1) : max(limit - 2 * Self.margin, 1)
            count = (max(length, 1) + step - 1) / step
        }

        /// What a tile's texture holds.
        func texels(_ tile: Int) -> Range<Int> {
            let start = tile * step
            return max(start - Self.margin, 0)..<min(start + step + Self.margin, length)
        }

        /// The parts of a length of a layer that are drawn from each tile, in no order; none twice, together all of it.
        ///
        /// - Parameters:
        ///   - from, to: The length, in the layer's space; `from < to`.
        ///   - source: The image's coordinate at `from`, in units of the whole image, and what it grows by until `to`.
        func parts(_ from: Double, _ to: Double, source: (start: Double, extent: Double)) -> [Part] {
            guard count > 1 else { return [Part(tile: 0, from: from, to: to)] }
            let isRising = source.extent > 0
            /// Where the tile before a seam ends.
            func place(_ seam: Int) -> Double {
                let coordinate = Double(seam * step) / Double(length)
                let place = from + (coordinate - source.start) / source.extent * (to - from)
                return place.isFinite ? min(max(place, from), to) : to
            }
            return (0..<count).compactMap { tile in
                let low = tile == 0 ? (isRising ? from : to) : place(tile)
                let high = tile == count - 1 ? (isRising ? to : from) : place(tile + 1)
                guard low != high else { return nil }
                return Part(tile: tile, from: min(low, high), to: max(low, high))
            }
        }
    }

    struct Part: Equatable {
        var tile: Int
        var from: Double
        var to: Double
    }

    let columns: Axis
    let rows: Axis

    /// - Parameter limit: Pixels along a side of the driver's textures.
    package init(_ size: PixelSize, limit: Int) {
        columns = Axis(size.width, limit: limit)
        rows = Axis(size.height, limit: limit)
    }

    package var isWhole: Bool { count == 1 }
    package var count: Int { columns.count * rows.count }

    /// What a tile's texture holds: texels of the image, with the margins. Tiles are numbered row by row.
    package func texels(of tile: Int) -> PixelRect {
        let (x, y) = (columns.texels(tile % columns.count), rows.texels(tile / columns.count))
        return PixelRect(minX: x.lowerBound, minY: y.lowerBound, maxX: x.upperBound, maxY: y.upperBound)
    }

    /// The tiles that a piece of contents shows, each with the part of the piece's destination that it fills.
    func tiles(of piece: ContentsPiece) -> [(tile: Int, destination: Rect)] {
        guard !isWhole else { return [(0, piece.destination)] }
        let (d, s) = (piece.destination, piece.source)
        let across = columns.parts(d.minX, d.maxX, source: (s.minX, s.width))
        return rows.parts(d.minY, d.maxY, source: (s.minY, s.height)).flatMap { row in
            across.map { column in
                (
                    row.tile * columns.count + column.tile,
                    Rect(minX: column.from, minY: row.from, maxX: column.to, maxY: row.to)
                )
            }
        }
    }
}

extension ContentsPiece {
    /// The same piece with its source in units of a part of the image.
    func measured(in texels: PixelRect, of size: PixelSize) -> ContentsPiece {
        let (width, height) = (Double(texels.width), Double(texels.height))
        return ContentsPiece(
            destination: destination,
            source: Rect(
                (source.minX * Double(size.width) - Double(texels.minX)) / width,
                (source.minY * Double(size.height) - Double(texels.minY)) / height,
                source.width * Double(size.width) / width, source.height * Double(size.height) / height))
    }
}
