// Masks combined: multiplied, moved, measured.

import LayerModel

extension CoverageMask {
    /// A rectangle with one coverage; empty for none.
    package init(_ rect: PixelRect, coverage: Float = 1) {
        if !rect.isEmpty, coverage > 0 { spans = [Span(rect: rect, coverage: min(coverage, 1))] }
    }

    /// The smallest rectangle around everything covered.
    package var bounds: PixelRect {
        var box = PixelRect.empty
        for span in spans { box = box.union(span.rect) }
        for tile in tiles { box = box.union(tile.rect) }
        return box
    }

    /// One fully covered rectangle and nothing else.
    package var isOpaqueRect: Bool { tiles.isEmpty && spans.count == 1 && spans[0].coverage == 1 }

    /// The covered area, square pixels.
    package var area: Double {
        var sum = 0.0
        for span in spans { sum += Double(span.rect.area) * Double(span.coverage) }
        for tile in tiles {
            let pixels = tile.rect.area / max(tile.columns * tile.rows, 1)
            for byte in bytes[tile.offset..<tile.offset + tile.columns * tile.rows] {
                sum += Double(byte) / 255 * Double(pixels)
            }
        }
        return sum
    }

    /// The coverage of one pixel, 0…1. For tests and reports: looks at every rectangle.
    package func coverage(x: Int, y: Int) -> Float {
        let pixel = PixelRect(x: x, y: y, width: 1, height: 1)
        if let span = spans.first(where: { $0.rect.contains(pixel) }) { return span.coverage }
        guard let tile = tiles.first(where: { $0.rect.contains(pixel) }) else { return 0 }
        return Float(bytes[tile.index(x, y)]) / 255
    }

    package func offsetBy(x: Int, y: Int) -> CoverageMask {
        var moved = self
        for index in moved.spans.indices { moved.spans[index].rect = spans[index].rect.offsetBy(x: x, y: y) }
        for index in moved.tiles.indices { moved.tiles[index].rect = tiles[index].rect.offsetBy(x: x, y: y) }
        return moved
    }

    /// What two drawings of the mask, one over the other, cover: 1 - (1 - c)·(1 - c·alpha), rounded to 1/255.
    ///
    /// - Parameter alpha: Of the second one; the first is opaque.
    package func drawnTwice(alpha: Float = 1) -> CoverageMask {
        var result = self
        for index in spans.indices where spans[index].coverage < 1 {
            let rest = 1 - spans[index].coverage
            let second = 1 - spans[index].coverage * alpha
            result.spans[index].coverage = Float(255 - roundedProduct(rest, second)) / 255
        }
        let strength = UInt8((min(max(alpha, 0), 1) * 255).rounded())
        for index in bytes.indices {
            let second = 255 - multiply(bytes[index], strength)
            result.bytes[index] = 255 - multiply(255 - bytes[index], second)
        }
        return result
    }

    /// Each pixel's coverage in both, multiplied and rounded to 1/255.
    /// - Complexity: O(rectangles of both, multiplied), plus the bytes where tiles meet something.
    package func multiplied(by other: CoverageMask) -> CoverageMask {
        var product = CoverageMask()
        for a in spans {
            for b in other.spans {
                let rect = a.rect.intersection(b.rect)
                let coverage = Float(roundedProduct(a.coverage, b.coverage)) / 255
                if !rect.isEmpty, coverage > 0 { product.spans.append(Span(rect: rect, coverage: coverage)) }
            }
        }
        for tile in tiles {
            for span in other.spans { product.add(tile, of: self, times: span) }
        }
        for tile in other.tiles {
            for span in spans { product.add(tile, of: other, times: span) }
            for mine in tiles { product.add(mine, of: self, times: tile, of: other) }
        }
        return product
    }

    /// The mask with other bytes where a pixel is covered in part.
    /// - Parameter keepsWhole: Whole pixels stay; otherwise they go.
    package func replacingPartialPixels(
        keepsWhole: Bool, _ value: (_ x: Int, _ y: Int) -> UInt8
    ) -> CoverageMask {
        var result = CoverageMask()
        for span in spans {
            if span.coverage >= 1 {
                if keepsWhole { result.spans.append(span) }
            } else {
                result.addTile(span.rect, repeatsColumns: false, repeatsRows: false, value)
            }
        }
        for tile in tiles {
            result.addTile(tile.rect, repeatsColumns: false, repeatsRows: false) { x, y in
                let byte = bytes[tile.index(x, y)]
                return byte == 255 ? (keepsWhole ? 255 : 0) : byte == 0 ? 0 : value(x, y)
            }
        }
        return result
    }

    /// The mask of one rectangle, or of nothing, with other bytes in a part of it.
    package func replacing(_ part: PixelRect, _ value: (_ x: Int, _ y: Int) -> UInt8) -> CoverageMask {
        var result = CoverageMask()
        for span in spans {
            let rows = [
                PixelRect(minX: span.rect.minX, minY: span.rect.minY, maxX: span.rect.maxX, maxY: part.minY),
                PixelRect(minX: span.rect.minX, minY: part.minY, maxX: part.minX, maxY: part.maxY),
                PixelRect(minX: part.maxX, minY: part.minY, maxX: span.rect.maxX, maxY: part.maxY),
                PixelRect(minX: span.rect.minX, minY: part.maxY, maxX: span.rect.maxX, maxY: span.rect.maxY),
            ]
            for rect in rows where !rect.intersection(span.rect).isEmpty {
                result.spans.append(Span(rect: rect.intersection(span.rect), coverage: span.coverage))
            }
        }
        result.addTile(part, repeatsColumns: false, repeatsRows: false, value)
        return result
    }

    /// Calls `body` for every pixel that is covered in part, with its byte, rectangle by rectangle.
    package func forEachPartialPixel(_ body: (_ x: Int, _ y: Int, _ value: UInt8) -> Void) {
        for span in spans where span.coverage < 1 {
            let value = UInt8(span.coverage * 255 + 0.5)
            for y in span.rect.minY..<span.rect.maxY {
                for x in span.rect.minX..<span.rect.maxX { body(x, y, value) }
            }
        }
        for tile in tiles {
            for y in tile.rect.minY..<tile.rect.maxY {
                for x in tile.rect.minX..<tile.rect.maxX {
                    let value = bytes[tile.index(x, y)]
                    if value > 0, value < 255 { body(x, y, value) }
                }
            }
        }
    }

    private mutating func add(_ tile: Tile, of source: CoverageMask, times span: Span) {
        let rect = tile.rect.intersection(span.rect)
        guard !rect.isEmpty else { return }
        let factor = UInt8(span.coverage * 255 + 0.5)
        addTile(rect, repeatsColumns: tile.columns == 1, repeatsRows: tile.rows == 1) { x, y in
            multiply(source.bytes[tile.index(x, y)], factor)
        }
    }

    private mutating func add(_ a: Tile, of first: CoverageMask, times b: Tile, of second: CoverageMask) {
        let rect = a.rect.intersection(b.rect)
        guard !rect.isEmpty else { return }
        addTile(
            rect, repeatsColumns: a.columns == 1 && b.columns == 1, repeatsRows: a.rows == 1 && b.rows == 1
        ) { x, y in
            multiply(first.bytes[a.index(x, y)], second.bytes[b.index(x, y)])
        }
    }

    /// Adds a rectangle of bytes, cut to tiles; uniform ones become spans.
    /// - Parameters:
    ///   - repeatsColumns: All columns are the same; only the first is asked for.
    ///   - repeatsRows: All rows are the same; only the first is asked for.
    mutating func addTile(
        _ rect: PixelRect, repeatsColumns: Bool, repeatsRows: Bool, _ value: (Int, Int) -> UInt8
    ) {
        let side = CoverageMask.tileSide
        let stepX = repeatsColumns ? rect.width : side
        let stepY = repeatsRows ? rect.height : side
        for y in stride(from: rect.minY, to: rect.maxY, by: stepY) {
            for x in stride(from: rect.minX, to: rect.maxX, by: stepX) {
                let part = PixelRect(
                    minX: x, minY: y, maxX: min(x + stepX, rect.maxX), maxY: min(y + stepY, rect.maxY))
                addPart(part, columns: repeatsColumns ? 1 : part.width, rows: repeatsRows ? 1 : part.height, value)
            }
        }
    }

    private mutating func addPart(_ rect: PixelRect, columns: Int, rows: Int, _ value: (Int, Int) -> UInt8) {
        let offset = bytes.count
        var (least, most) = (UInt8.max, UInt8.min)
        for y in rect.minY..<rect.minY + rows {
            for x in rect.minX..<rect.minX + columns {
                let byte = value(x, y)
                least = min(least, byte)
                most = max(most, byte)
                bytes.append(byte)
            }
        }
        if least == most {
            bytes.removeLast(bytes.count - offset)
            if most > 0 { spans.append(Span(rect: rect, coverage: Float(most) / 255)) }
        } else {
            tiles.append(Tile(rect: rect, offset: offset, columns: columns, rows: rows))
        }
    }
}

/// a·b/255, rounded.
@inline(__always)
private func multiply(_ a: UInt8, _ b: UInt8) -> UInt8 {
    UInt8((UInt32(a) * UInt32(b) * 2 + 255) / 510)
}

private func roundedProduct(_ a: Float, _ b: Float) -> UInt8 { UInt8(a * b * 255 + 0.5) }
