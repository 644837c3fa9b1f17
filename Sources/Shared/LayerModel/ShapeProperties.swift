// What a shape layer draws. Source: semantic reference, §6.1.

/// A path, how it is filled and how a line is drawn along it. Lengths are points of the layer's own space.
package struct ShapeProperties: Hashable, Sendable {
    /// Nil draws nothing.
    package var path: VectorPath?
    /// Nil fills nothing. Open contours are closed for filling.
    package var fillColor: Color? = .black
    package var fillRule = FillRule.nonZero
    /// Nil draws no line.
    package var strokeColor: Color?
    package var stroke = StrokeStyle()

    package init() {}

    package static let defaults = ShapeProperties()

    /// Some pixel may be covered.
    package var draws: Bool { path != nil && (fills || strokes) }

    package var fills: Bool { (fillColor?.alpha ?? 0) > 0 }

    package var strokes: Bool { (strokeColor?.alpha ?? 0) > 0 && stroke.draws }

    /// A rectangle around all that is drawn, never too small; nil where nothing is.
    package var extent: Rect? {
        guard draws, let box = path?.controlBox else { return nil }
        guard strokes else { return box }
        let reach = stroke.reach
        return box.insetBy(dx: -reach, dy: -reach)
    }
}

extension LayerProperties {
    package var shape: ShapeProperties {
        get { rare?.value.shape?.value ?? .defaults }
        set {
            let isDefault = newValue == .defaults
            setRarely(isDefault: isDefault) { $0.shape = isDefault ? nil : Boxed(newValue) }
        }
    }

    /// A shape is drawn: asked of every layer.
    package var drawsShape: Bool { rare != nil && rare!.value.shape != nil && shape.draws }
}
