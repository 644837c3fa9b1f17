import LayerModel

// Where an image lands in a layer: contentsRect chooses the part, contentsGravity sizes and places it, contentsCenter
// cuts it in nine.
//
// Order and formulas: semantic reference, §1.5 (contentsRect first, then gravity sizing, then nine parts).

/// The rectangle that contents of a natural size fill, in the layer's space.
///
/// - Parameters:
///   - natural: Points: pixels × contentsRect ÷ contentsScale.
///   - bounds: The layer's bounds, standardized.
/// `top` is max y and `bottom` min y of the layer's own numbers, whichever way up they are shown.
package func contentsFrame(gravity: ContentsGravity, natural: Size, bounds: Rect) -> Rect {
    func place(_ size: Size, _ x: Double, _ y: Double) -> Rect {
        Rect(
            bounds.minX + (bounds.width - size.width) * x, bounds.minY + (bounds.height - size.height) * y,
            size.width, size.height)
    }
    func scaled(by factor: Double) -> Rect {
        place(Size(natural.width * factor, natural.height * factor), 0.5, 0.5)
    }
    switch gravity {
    case .resize: return bounds
    case .resizeAspect, .resizeAspectFill:
        guard natural.width > 0, natural.height > 0 else { return .zero }
        let x = bounds.width / natural.width
        let y = bounds.height / natural.height
        return scaled(by: gravity == .resizeAspect ? min(x, y) : max(x, y))
    case .center: return place(natural, 0.5, 0.5)
    case .top: return place(natural, 0.5, 1)
    case .bottom: return place(natural, 0.5, 0)
    case .left: return place(natural, 0, 0.5)
    case .right: return place(natural, 1, 0.5)
    case .topLeft: return place(natural, 0, 1)
    case .topRight: return place(natural, 1, 1)
    case .bottomLeft: return place(natural, 0, 0)
    case .bottomRight: return place(natural, 1, 0)
    }
}

/// One piece of contents: a rectangle of the image drawn into a rectangle of the layer.
struct ContentsPiece: Hashable {
    /// In the layer's space.
    var destination: Rect
    /// In units of the whole image, y down from the first row. May reach outside 0…1: edge pixels extend. Its height is
    /// negative where rows run against the layer's y.
    var source: Rect
}

/// The pieces of a layer's contents.
struct ContentsPlacement {
    /// What the pieces fill together, in the layer's space.
    var frame: Rect
    /// All of it; nil where it is in nine.
    var whole: ContentsPiece?
    /// Nine, row by row from min y.
    private var nine: [ContentsPiece] = []

    /// One or nine; none where nothing is drawn.
    var pieces: [ContentsPiece] { whole.map { [$0] } ?? nine }

    /// - Parameter isFlipped: The first row lies at the layer's min y.
    init(of record: UnsafePointer<LayerRecord>, imageSize: PixelSize, isFlipped: Bool) {
        // Most layers have nothing that is rare.
        let isRare = record.pointee.properties.rare != nil
        let part = isRare ? record.pointee.properties.contentsRect : .unit
        let scale = record.pointee.properties.contentsScale > 0 ? record.pointee.properties.contentsScale : 1
        let natural = Size(
            abs(part.width) * Double(imageSize.width) / scale, abs(part.height) * Double(imageSize.height) / scale)
        guard natural.width > 0, natural.height > 0 else {
            frame = .zero
            return
        }
        let frame = contentsFrame(
            gravity: record.pointee.properties.contentsGravity, natural: natural,
            bounds: record.pointee.properties.bounds)
        self.frame = frame
        /// From units of contentsRect, y in the layer's direction, to units of the image, y down.
        func source(_ r: Rect) -> Rect {
            let x = part.minX + r.minX * part.width
            let y = part.minY + r.minY * part.height
            let (width, height) = (r.width * part.width, r.height * part.height)
            return isFlipped ? Rect(x, y, width, height) : Rect(x, 1 - y, width, -height)
        }
        let center = isRare ? record.pointee.properties.contentsCenter : .unit
        let stretches: Bool
        switch record.pointee.properties.contentsGravity {
        case .resize, .resizeAspect, .resizeAspectFill: stretches = true
        default: stretches = false
        }
        guard stretches, center != .unit else {
            whole = ContentsPiece(destination: frame, source: source(.unit))
            return
        }
        let x = NineCuts(
            from: center.minX, length: center.width, pixels: abs(part.width) * Double(imageSize.width),
            natural: natural.width, start: frame.minX, extent: frame.width)
        let y = NineCuts(
            from: center.minY, length: center.height, pixels: abs(part.height) * Double(imageSize.height),
            natural: natural.height, start: frame.minY, extent: frame.height)
        nine.reserveCapacity(9)
        for row in 0..<3 {
            for column in 0..<3 {
                let cell = Rect(
                    minX: x.source[column], minY: y.source[row], maxX: x.source[column + 1], maxY: y.source[row + 1])
                nine.append(
                    ContentsPiece(
                        destination: Rect(
                            minX: x.destination[column], minY: y.destination[row], maxX: x.destination[column + 1],
                            maxY: y.destination[row + 1]),
                        source: source(cell)))
            }
        }
    }
}

/// Where one axis is cut for nine parts: outer parts keep their natural size, the middle takes the rest.
private struct NineCuts {
    /// Units of contentsRect.
    var source: [Double]
    /// The layer's space.
    var destination: [Double]

    init(from: Double, length: Double, pixels: Double, natural: Double, start: Double, extent: Double) {
        var low = min(max(from, 0), 1)
        var high = min(max(from + length, low), 1)
        if !(high > low) {
            // An empty middle stands for one pixel around it.
            let half = min(0.5 / max(pixels, 1), 0.5)
            let middle = min(max(low, half), 1 - half)
            low = middle - half
            high = middle + half
        }
        source = [0, low, high, 1]
        var first = low * natural
        var last = (1 - high) * natural
        if first + last > extent {
            let shrink = extent / (first + last)
            first *= shrink
            last *= shrink
        }
        destination = [start, start + first, start + extent - last, start + extent]
    }
}
