// What shape and gradient layers draw in `render(in:)`, and where a replicator does. Source: semantic reference, §6.1, §6.2
// and §6.4.

import LayerModel

extension CAShapeLayer {
    /// Fill, then the part of the line between start and end, in dashes.
    final func paintShape(in ctx: CGContext) {
        guard let path, !path.isEmpty else { return }
        let shape = properties.shape
        ctx.beginPath()
        if let fillColor {
            ctx.addPath(path)
            ctx.setFillColor(fillColor)
            ctx.fillPath(using: fillRule == .evenOdd ? .evenOdd : .winding)
        }
        let (start, end) = (min(max(shape.stroke.start, 0), 1), min(max(shape.stroke.end, 0), 1))
        guard let strokeColor, lineWidth > 0, start < end else { return }
        ctx.addPath(start > 0 || end < 1 ? path.trimmed(from: start, to: end) : path)
        ctx.setStrokeColor(strokeColor)
        ctx.setLineWidth(lineWidth)
        ctx.setLineCap(lineCap == .round ? .round : lineCap == .square ? .square : .butt)
        ctx.setLineJoin(lineJoin == .round ? .round : lineJoin == .bevel ? .bevel : .miter)
        ctx.setMiterLimit(miterLimit)
        ctx.setLineDash(phase: lineDashPhase, lengths: shape.stroke.dashes.map { CGFloat($0) })
        ctx.strokePath()
    }
}

extension CALayer {
    /// Where the sublayers are drawn in `render(in:)`: of a replicator once for each instance, about the origin of the layer's
    /// space and without its colors, unlike on a display. Source: semantic reference, §6.4.
    final var planarInstances: [CGAffineTransform] {
        guard self is CAReplicatorLayer, !children.isEmpty else { return [.identity] }
        let step = properties.replicator.transform
        var power = Transform.identity
        return (0..<min(properties.replicator.instances, 100_000)).map { _ in
            defer { power = power.concatenating(step) }
            return CGAffineTransform(power.m11, power.m12, power.m21, power.m22, power.m41, power.m42)
        }
    }
}

extension CAGradientLayer {
    /// In the unit square of the bounds, stretched: lines of one color are not at right angles to the axis in points.
    final func paintGradient(in ctx: CGContext) {
        let bounds = properties.bounds
        let colors = (self.colors ?? []).compactMap { $0 as? CGColor }
        let places = locations?.map { CGFloat($0.doubleValue) }
        guard bounds.width > 0, bounds.height > 0, colors.count >= 2, places.map({ $0.count == colors.count }) ?? true,
            let gradient = CGGradient(colorsSpace: nil, colors: colors, locations: places)
        else { return }
        ctx.beginPath()
        ctx.addPath(LayerOutline(properties).path)
        ctx.clip()
        ctx.translateBy(x: bounds.minX, y: bounds.minY)
        ctx.scaleBy(x: bounds.width, y: bounds.height)
        let (start, end) = (startPoint, endPoint)
        let (dx, dy) = (abs(end.x - start.x), abs(end.y - start.y))
        switch type {
        case .radial:
            guard dx > 0, dy > 0 else { return }
            ctx.translateBy(x: start.x, y: start.y)
            ctx.scaleBy(x: dx, y: dy)
            ctx.drawRadialGradient(
                gradient, startCenter: .zero, startRadius: 0, endCenter: .zero, endRadius: 1,
                options: [.drawsAfterEndLocation])
        case .conic:
            let angle = CGFloat(atan2(Double(end.y - start.y), Double(end.x - start.x)))
            ctx.drawConicGradient(gradient, center: start, angle: angle)
        default:
            ctx.drawLinearGradient(
                gradient, start: start, end: end, options: [.drawsBeforeStartLocation, .drawsAfterEndLocation])
        }
    }
}
