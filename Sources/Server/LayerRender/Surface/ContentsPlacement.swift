import LayerModel

// Where an image lands in a layer: contentsRect chooses the part, contentsGravity sizes and places it, contentsCenter
// cuts it in nine. //
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
