// Where a layer and its sublayers may draw: what the order in depth compares, and cuts.

import LayerModel

struct DrawnExtent {
    let records: UnsafeBufferPointer<LayerRecord>
    let images: [ImageID: ImageRecord]

    /// A rectangle around everything a layer draws, and around what it looks at below it, in the layer's space. Never too
    /// small.
    func of(_ index: Int32) -> Rect { of(index, depth: 0) }

    private func of(_ index: Int32, depth: Int) -> Rect {
        let record = records.baseAddress! + Int(index)
        let bounds = record.pointee.properties.bounds
        if record.pointee.properties.masksToBounds { return bounds }
        let huge = Rect(bounds.midX - 1e6, bounds.midY - 1e6, 2e6, 2e6)
        guard depth < 64, record.pointee.layerClass != .emitterLayer else { return huge }
        var extent = bounds
        if record.pointee.properties.contentsGravity != .resize {
            for id in [record.pointee.properties.contents, record.pointee.properties.contentsFade?.from ?? .none]
            where id != .none {
                guard let image = images[id] else { return huge }
                let frame = ContentsPlacement(of: record, imageSize: image.size, isFlipped: false).frame
                if !frame.isEmpty { extent = extent.union(frame) }
            }
        }
        if record.pointee.properties.drawsShape, let shape = record.pointee.properties.shape.extent {
            extent = extent.union(shape)
        }
        var isHuge = false
        forEachInstance(of: record) { sublayers, space in
            for child in sublayers where !isHuge {
                let local = layerToSuperlayer(records.baseAddress! + Int(child))
                let plane = (space.isIdentity ? local : local.concatenating(space)).planar
                guard let inner = box(of: of(child, depth: depth + 1), on: plane) else {
                    isHuge = true
                    return
                }
                extent = extent.union(inner)
            }
        }
        if isHuge { return huge }
        guard record.pointee.hasEffects else { return extent }
        return grown(extent, record)
    }

    /// With what filters and a shadow add around it.
    private func grown(_ rect: Rect, _ record: UnsafePointer<LayerRecord>) -> Rect {
        var extent = rect
        func add(offset: Point, radius: Double) {
            let reach = 3 * max(radius, 0) + 1
            extent = extent.union(
                Rect(
                    minX: extent.minX + offset.x - reach, minY: extent.minY + offset.y - reach,
                    maxX: extent.maxX + offset.x + reach, maxY: extent.maxY + offset.y + reach))
        }
        for filter in record.pointee.properties.filters + record.pointee.properties.backgroundFilters
        where filter.isEnabled {
            switch filter.kind {
            case .gaussianBlur, .variableBlur: add(offset: .zero, radius: filter.number(.inputRadius))
            case .dropShadow: add(offset: filter.offset, radius: filter.number(.inputRadius))
            case .pixellate: add(offset: .zero, radius: filter.number(.inputScale))
            default: break
            }
        }
        if record.pointee.properties.shadowOpacity > 0 {
            if let box = record.pointee.properties.shadowPath?.controlBox { extent = extent.union(box) }
            add(offset: record.pointee.properties.shadowOffset, radius: record.pointee.properties.shadowRadius)
        }
        return extent.minX.isFinite && extent.maxX.isFinite && extent.minY.isFinite && extent.maxY.isFinite
            ? extent : rect
    }

    /// Nil where some of the rectangle lies behind the eye.
    private func box(of rect: Rect, on plane: Homography) -> Rect? {
        let (a, b, c, d) = rect.corners
        var result: Rect?
        for corner in [a, b, c, d] {
            let (x, y, w) = plane.homogeneous(corner)
            guard w > 1e-5, x.isFinite, y.isFinite else { return nil }
            let point = Rect(x / w, y / w, 0, 0)
            result = result.map { $0.union(point) } ?? point
        }
        return result
    }
}

extension Rect {
    /// The smallest rectangle around both.
    fileprivate func union(_ other: Rect) -> Rect {
        Rect(
            minX: min(minX, other.minX), minY: min(minY, other.minY), maxX: max(maxX, other.maxX),
            maxY: max(maxY, other.maxY))
    }
}
