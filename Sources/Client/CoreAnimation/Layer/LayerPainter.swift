// render(in:): a tree of layers drawn by Quartz2D, as Core Animation does it on the CPU. Source: semantic reference, §1.6 and
// §1.13, measured facts S, C, O.
//
// The receiver is drawn in its own coordinates: its position, anchor and transform don't count, those of the layers below do,
// flattened into the plane. Left out is what the CPU leaves out: animations, filters, shadowPath (the layer's own alpha casts
// the shadow); a transform layer is drawn as a plain one. Layers are not displayed for it.

import LayerModel

struct LayerPainter {
    private let context: CGContext

    init(_ context: CGContext) { self.context = context }

    /// - Complexity: O(layers), and the pixels of each group: opacity, shadow, mask.
    func paint(_ layer: CALayer) {
        let p = layer.properties
        let opacity = min(max(p.opacity, 0), 1)
        guard !p.isHidden, opacity > 0 else { return }
        context.saveGState()
        defer { context.restoreGState() }
        let mode = p.compositingMode.blendMode
        let shadow = p.shadowColor.flatMap { color -> CGColor? in
            var color = color
            color.alpha *= min(max(p.shadowOpacity, 0), 1)
            return color.alpha > 0 ? CGColor(color) : nil
        }
        // A group where the parts must be one picture first.
        let isGroup = opacity < 1 || shadow != nil || mode != .normal
        if isGroup {
            context.setAlpha(CGFloat(opacity))
            context.setBlendMode(mode)
            context.setLayerShadow(
                offset: layer.shadowOffset, radius: CGFloat(max(p.shadowRadius, 0)), color: shadow)
            context.beginTransparencyLayer(auxiliaryInfo: nil)
        }
        // The clip of the whole, inside the group: a shadow is cast by what is left.
        if let mask = layer.storedMask {
            context.clip(toAlphaOf: { context in
                context.concatenate(mask.planarTransform)
                LayerPainter(context).paint(mask)
            })
        }
        if p.masksToBounds { clipToShape(of: layer) }
        paintParts(of: layer)
        if isGroup { context.endTransparencyLayer() }
    }

    private func paintParts(of layer: CALayer) {
        let p = layer.properties
        let shape = LayerOutline(p)
        if let color = p.backgroundColor, p.bounds.width > 0, p.bounds.height > 0 {
            context.setFillColor(CGColor(color))
            context.beginPath()
            context.addPath(shape.path)
            context.fillPath()
        }
        alone { layer.paintOwnBackground(in: context) }
        if let image = layer.storedContents { alone { paint(image, of: layer) } }
        alone { layer.paintOwnDrawing(in: context) }
        let children = layer.children.enumerated().sorted {
            ($0.element.properties.zPosition, $0.offset) < ($1.element.properties.zPosition, $1.offset)
        }
        for instance in layer.planarInstances {
            for (_, child) in children {
                alone {
                    context.concatenate(instance)
                    context.concatenate(child.planarTransform)
                    paint(child)
                }
            }
        }
        if p.borderWidth > 0, let color = p.borderColor, p.bounds.width > 0, p.bounds.height > 0 {
            context.setFillColor(CGColor(color))
            context.beginPath()
            context.addPath(shape.path)
            if let hole = shape.inset(by: p.borderWidth) { context.addPath(hole.path) }
            context.fillPath(using: .evenOdd)
        }
    }

    private func alone(_ body: () -> Void) {
        context.saveGState()
        body()
        context.restoreGState()
    }

    private func clipToShape(of layer: CALayer) {
        context.beginPath()
        context.addPath(LayerOutline(layer.properties).path)
        context.clip()
    }

    /// Places the picture by gravity, after contentsRect; the middle stretches by contentsCenter.
    func paint(_ image: CGImage, of layer: CALayer) {
        let p = layer.properties
        let bounds = p.bounds
        let part = p.contentsRect.standardized
        guard bounds.width > 0, bounds.height > 0, part.width > 0, part.height > 0, p.contentsScale > 0 else { return }
        context.interpolationQuality = p.magnificationFilter == .nearest ? .none : .low
        let natural = Size(
            Double(image.width) * part.width / p.contentsScale, Double(image.height) * part.height / p.contentsScale)
        let place = p.contentsGravity.place(natural, in: bounds)
        let isFlipped = layer.contentsAreFlipped()
        func draw(_ source: Rect, _ target: Rect) {
            guard source.width > 0, source.height > 0, target.width > 0, target.height > 0 else { return }
            alone {
                context.clip(to: CGRect(target))
                // Where the whole picture lies when `source`, in units of it from its top, fills `target`.
                let width = target.width / source.width
                let height = target.height / source.height
                let x = target.minX - source.minX * width
                context.translateBy(
                    x: x, y: isFlipped ? target.minY - source.minY * height : target.maxY + source.minY * height)
                if isFlipped {
                    context.translateBy(x: 0, y: height)
                    context.scaleBy(x: 1, y: -1)
                    context.draw(image, in: CGRect(x: 0, y: 0, width: width, height: height))
                } else {
                    context.draw(image, in: CGRect(x: 0, y: -height, width: width, height: height))
                }
            }
        }
        let center = p.contentsCenter.standardized
        guard center != Rect(0, 0, 1, 1), p.contentsGravity == .resize else { return draw(part, place) }
        let columns = NinePart.cells(center.minX, center.width, natural.width, place.width)
        let rows = NinePart.cells(center.minY, center.height, natural.height, place.height)
        for row in rows {
            for column in columns {
                let source = Rect(
                    part.minX + column.source.lowerBound * part.width, part.minY + row.source.lowerBound * part.height,
                    (column.source.upperBound - column.source.lowerBound) * part.width,
                    (row.source.upperBound - row.source.lowerBound) * part.height)
                // Rows count from the picture's top, which is max y unless y points down.
                let y =
                    isFlipped ? place.minY + row.target.lowerBound : place.maxY - row.target.upperBound
                let target = Rect(
                    place.minX + column.target.lowerBound, y, column.target.upperBound - column.target.lowerBound,
                    row.target.upperBound - row.target.lowerBound)
                draw(source, target)
            }
        }
    }
}

/// One of three cells along an axis: the ends keep their size, the middle takes what is left.
private struct NinePart {
    /// In units of the picture, and in points from its start.
    var source: Range<Double>
    var target: Range<Double>

    static func cells(_ start: Double, _ length: Double, _ natural: Double, _ size: Double) -> [NinePart] {
        let first = min(max(start, 0), 1)
        let last = min(max(start + length, first), 1)
        var (before, after) = (first * natural, (1 - last) * natural)
        if before + after > size {
            let factor = size / (before + after)
            (before, after) = (before * factor, after * factor)
        }
        return [
            NinePart(source: 0..<first, target: 0..<before),
            NinePart(source: first..<last, target: before..<max(size - after, before)),
            NinePart(source: last..<1, target: max(size - after, before)..<max(size, before)),
        ]
    }
}

extension CALayer {
    /// To the superlayer's coordinates, without what leaves the plane.
    final var planarTransform: CGAffineTransform {
        let m = matrixToSuperlayer
        return CGAffineTransform(m.m11, m.m12, m.m21, m.m22, m.m41, m.m42)
    }
}

extension ContentsGravity {
    /// Where a picture of that size lies. Top is max y.
    fileprivate func place(_ size: Size, in bounds: Rect) -> Rect {
        switch self {
        case .resize: return bounds
        case .resizeAspect, .resizeAspectFill:
            let (x, y) = (bounds.width / size.width, bounds.height / size.height)
            let scale = self == .resizeAspect ? min(x, y) : max(x, y)
            let (width, height) = (size.width * scale, size.height * scale)
            return Rect(
                bounds.minX + (bounds.width - width) / 2, bounds.minY + (bounds.height - height) / 2, width, height)
        default: break
        }
        let x: Double
        switch self {
        case .left, .topLeft, .bottomLeft: x = 0
        case .right, .topRight, .bottomRight: x = 1
        default: x = 0.5
        }
        let y: Double
        switch self {
        case .bottom, .bottomLeft, .bottomRight: y = 0
        case .top, .topLeft, .topRight: y = 1
        default: y = 0.5
        }
        return Rect(
            bounds.minX + (bounds.width - size.width) * x, bounds.minY + (bounds.height - size.height) * y, size.width,
            size.height)
    }
}

extension CompositingMode {
    /// Normal for the modes that Core Graphics does not have.
    fileprivate var blendMode: CGBlendMode {
        switch self {
        case .multiply: .multiply
        case .screen: .screen
        case .overlay: .overlay
        case .darken: .darken
        case .lighten: .lighten
        case .colorDodge: .colorDodge
        case .colorBurn: .colorBurn
        case .softLight: .softLight
        case .hardLight: .hardLight
        case .difference: .difference
        case .exclusion: .exclusion
        case .hue: .hue
        case .saturation: .saturation
        case .color: .color
        case .luminosity: .luminosity
        case .copy: .copy
        case .clear: .clear
        case .destinationOver: .destinationOver
        case .sourceIn: .sourceIn
        case .destinationIn: .destinationIn
        case .sourceOut: .sourceOut
        case .destinationOut: .destinationOut
        case .sourceAtop: .sourceAtop
        case .destinationAtop: .destinationAtop
        case .xor: .xor
        case .plusLighter: .plusLighter
        case .plusDarker: .plusDarker
        default: .normal
        }
    }
}
