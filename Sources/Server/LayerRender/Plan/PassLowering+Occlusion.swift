// What need not be drawn: hidden drawings and rectangles, and contents that a copy serves as well.

import LayerModel

extension PassLowering {
    /// Quads that a later opaque rectangle covers whole.
    func hiddenQuads(_ quads: ContiguousArray<Quad>) -> [Bool] {
        var covers: [PixelRect] = []
        var hidden: [Bool] = []
        quads.withUnsafeBufferPointer { quads in
            var index = quads.count
            while index > 0 {
                index -= 1
                let quad = quads.baseAddress! + index
                let bounds = quad.pointee.bounds
                if quad.pointee.looksBelow {
                    // It may show what a later drawing hides beside it.
                    covers.removeAll()
                } else if !covers.isEmpty, covers.contains(where: { $0.contains(bounds) }) {
                    if hidden.isEmpty { hidden = [Bool](repeating: false, count: quads.count) }
                    hidden[index] = true
                } else if bounds.area >= 1_024, quad.pointee.isOpaque {
                    if covers.count < 8 {
                        covers.append(bounds)
                    } else if let smallest = covers.indices.min(by: { covers[$0].area < covers[$1].area }),
                        covers[smallest].area < bounds.area
                    {
                        covers[smallest] = bounds
                    }
                }
            }
        }
        return hidden
    }

    /// Rectangles that a later opaque one covers whole, such as the middle of a shadow under its card. Those that come
    /// soon after are looked at, and the largest.
    mutating func dropHiddenPieces(_ quads: ContiguousArray<Quad>) {
        guard pieces.count > 1 else { return }
        var recent = InlineArray<16, PixelRect>(repeating: .empty)
        var next = 0
        var count = 0
        var dropped = 0
        var position = pieces.count - 1
        while position >= 0 {
            let piece = pieces[position]
            let rect = PixelRect(
                minX: Int(piece.x0), minY: Int(piece.y0), maxX: Int(piece.x1), maxY: Int(piece.y1))
            var isHidden = false
            for index in 0..<count where recent[index].contains(rect) {
                isHidden = true
                break
            }
            if isHidden {
                open[Int(piece.batch)].count -= 1
                pieces[position].batch = -1
                dropped += 1
            } else if rect.area >= 256, open[Int(piece.batch)].isOpaque {
                recent[next] = rect
                next = (next + 1) % 16
                count = min(count + 1, 16)
            }
            position -= 1
        }
        if dropped > 0 { pieces.removeAll { $0.batch < 0 } }
    }

    /// Opaque unscaled contents at the bottom of a pass: a plain copy beats a textured quad by far.
    func copyBatch(_ quad: Quad, _ pass: RenderPass, _ frame: Frame) -> OpenBatch? {
        guard frame.switches.contains(.blitCopies), quad.isOpaque, quad.bounds.area * 4 >= pass.size.area,
            case .image(let key, let mapping, _, _) = quad.paint,
            let offset = frame.mappings[Int(mapping)].copyOffset
        else { return nil }
        let from = PixelPoint(x: quad.bounds.minX + offset.x, y: quad.bounds.minY + offset.y)
        // Rows and columns outside the image would be undefined; the quad's road extends the edge instead.
        let m = frame.mappings[Int(mapping)].toImage
        guard from.x >= 0, from.y >= 0, Double(from.x + quad.bounds.width) * m.a11 <= 1 + 1e-9,
            Double(from.y + quad.bounds.height) * m.a22 <= 1 + 1e-9
        else { return nil }
        let to = quad.bounds.offsetBy(x: -pass.origin.x, y: -pass.origin.y)
        var batch = BatchKey(.image, .copy)
        batch.texture = TextureSource.image(key).word
        return OpenBatch(key: batch, layer: quad.layer, copy: (from, to), count: 1, touched: to)
    }
}
