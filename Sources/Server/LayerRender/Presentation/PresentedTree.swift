// The committed tree at a time, flattened: pre-order in paint order, each layer with the homography from its plane to
// device pixels. Hidden, fully transparent, back-facing and unusable layers are left out with all below them.
//
// Every plain layer flattens its sublayers into its own plane, so planes compose as 3×3 homographies and no target is
// needed for that. The sublayers of one layer share its 3D space until then: they are ordered by depth in it, and a
// transform layer passes its own sublayers through into the same space. Source: semantic reference, §1.2; decision 20.

import LayerModel

/// One layer as it is shown.
package struct PresentedLayer: Sendable {
    /// Index of the layer's record in the store.
    package var record: Int32
    /// Index just past the last layer of its subtree.
    package var subtreeEnd: Int32
    /// From the layer's space (points) to device pixels.
    package var toDevice: Homography
    /// The layer's own, clamped, times that of the transform layers it came through.
    package var opacity: Float
    /// True when the first row of contents lies at the layer's min y.
    package var contentsAreFlipped: Bool
}

/// The layers of one frame, back to front.
package struct PresentedTree: Sendable {
    package private(set) var layers: ContiguousArray<PresentedLayer> = []
    private var items: ContiguousArray<SpaceItem> = []

    package init() {}

    /// A layer among the ones that share a 3D space.
    private struct SpaceItem {
        var record: Int32
        /// From the layer's space to the space's, before the projection of that.
        var toSpace: Homography
        /// Depth of the middle of the bounds in the space, after its perspective; grows towards the viewer.
        var depth: Double
        var zPosition: Double
        var opacity: Float
        var order: Int32
        /// Odd number of flips among the transform layers in between.
        var isFlippedBetween: Bool
    }

    /// Flattens the tree as it is at a time. Nothing is animated yet: the committed values are shown at every time.
    /// - Complexity: O(layers), plus sorting where siblings differ in depth.
    package mutating func present(_ store: LayerStore, at time: Double, on display: DisplayGeometry) {
        layers.removeAll(keepingCapacity: true)
        items.removeAll(keepingCapacity: true)
        guard store.root >= 0 else { return }
        store.records.withUnsafeBufferPointer { records in
            collect(store.root, records, Transform.identity, isPlain: true, 1, false, order: 0)
            show(from: 0, records, display.toDevice, flipped: display.isFlipped)
        }
    }

    /// Adds a layer, or what a transform layer passes through, to the space being collected.
    private mutating func collect(
        _ index: Int32, _ records: UnsafeBufferPointer<LayerRecord>, _ outer: Transform, isPlain: Bool,
        _ opacityBetween: Float, _ flippedBetween: Bool, order: Int32
    ) {
        let record = records.baseAddress! + Int(index)
        let isHidden = record.pointee.properties.isHidden
        let ownOpacity = record.pointee.properties.opacity
        if isHidden || !(ownOpacity > 0) { return }
        let opacity = opacityBetween * Float(min(ownOpacity, 1))
        let local = layerToSuperlayer(record.pointee.properties)
        let toSpace = isPlain ? local : local.concatenating(outer)

        if record.pointee.layerClass == .transformLayer {
            let inner = sublayerSpace(of: record.pointee.properties).concatenating(toSpace)
            let flipped = flippedBetween != record.pointee.properties.isGeometryFlipped
            for (position, child) in record.pointee.sublayers.enumerated() {
                collect(
                    child, records, inner, isPlain: false, opacity, flipped, order: order &+ Int32(position))
            }
            return
        }
        let bounds = record.pointee.properties.bounds
        let (x, y) = (bounds.midX, bounds.midY)
        let w = x * toSpace.m14 + y * toSpace.m24 + toSpace.m44
        let z = x * toSpace.m13 + y * toSpace.m23 + toSpace.m43
        items.append(
            SpaceItem(
                record: index, toSpace: toSpace.planar, depth: w == 1 ? z : z / w,
                zPosition: record.pointee.properties.zPosition, opacity: opacity, order: order,
                isFlippedBetween: flippedBetween))
    }

    /// Orders the items from `start` on and shows them, each with its subtree; consumes them.
    private mutating func show(
        from start: Int, _ records: UnsafeBufferPointer<LayerRecord>, _ toDevice: Homography, flipped: Bool
    ) {
        sortItems(from: start)
        let end = items.count
        for position in start..<end {
            let item = items[position]
            let record = records.baseAddress! + Int(item.record)
            let plane = item.toSpace.concatenating(toDevice)
            guard plane.isFinite else { continue }
            let turnsOver = item.isFlippedBetween != record.pointee.properties.isGeometryFlipped
            if !record.pointee.properties.isDoubleSided,
                isBackFacing(item.toSpace, record.pointee.properties.bounds, turnsOver)
            {
                continue
            }
            let isFlipped = flipped != turnsOver
            let shown = layers.count
            layers.append(
                PresentedLayer(
                    record: item.record, subtreeEnd: 0, toDevice: plane, opacity: item.opacity,
                    contentsAreFlipped: isFlipped))
            if !record.pointee.sublayers.isEmpty {
                let first = items.count
                let space = record.pointee.properties.sublayerTransform
                let hasSpace = !space.isIdentity
                let inner = hasSpace ? sublayerSpace(of: record.pointee.properties) : .identity
                for (order, child) in record.pointee.sublayers.enumerated() {
                    collect(child, records, inner, isPlain: !hasSpace, 1, false, order: Int32(order))
                }
                show(from: first, records, plane, flipped: isFlipped)
            }
            layers[shown].subtreeEnd = Int32(layers.count)
        }
        items.removeLast(items.count - start)
    }

    /// Back to front: depth, then zPosition, then order. Most often nothing has to move.
    private mutating func sortItems(from start: Int) {
        func isBefore(_ a: SpaceItem, _ b: SpaceItem) -> Bool {
            if a.depth != b.depth { return a.depth < b.depth }
            if a.zPosition != b.zPosition { return a.zPosition < b.zPosition }
            return a.order < b.order
        }
        var isSorted = true
        var position = start + 1
        while position < items.count {
            if isBefore(items[position], items[position - 1]) {
                isSorted = false
                break
            }
            position += 1
        }
        if !isSorted { items[start...].sort(by: isBefore) }
    }

    /// True when the superlayer's space sees the layer from behind: its axes turn the other way there. A
    /// `geometryFlipped` turns them over too, without turning the layer. What lies above the superlayer doesn't count:
    /// the layer is flattened into that plane first.
    private func isBackFacing(_ toSpace: Homography, _ bounds: Rect, _ turnsOver: Bool) -> Bool {
        // The sign of the area of a small piece at the middle: det(H) / w³.
        let w = toSpace.homogeneous(Point(bounds.midX, bounds.midY)).w
        let orientation = toSpace.determinant * (w < 0 ? -1 : 1)
        return turnsOver ? orientation > 0 : orientation < 0
    }
}

/// L(C) of the reference: from a layer's space to its superlayer's, before the superlayer's sublayerTransform.
package func layerToSuperlayer(_ properties: LayerProperties) -> Transform {
    let bounds = properties.bounds
    let anchorX = bounds.minX + properties.anchorPoint.x * bounds.width
    let anchorY = bounds.minY + properties.anchorPoint.y * bounds.height
    var matrix: Transform
    if properties.transform.isIdentity {
        matrix = .translation(
            properties.position.x - anchorX, properties.position.y - anchorY,
            properties.zPosition - properties.anchorPointZ)
    } else {
        matrix = properties.transform
            .translatedBefore(-anchorX, -anchorY, -properties.anchorPointZ)
            .translatedAfter(properties.position.x, properties.position.y, properties.zPosition)
    }
    if properties.isGeometryFlipped {
        // y' = 2·min y + height - y, first.
        let mirror = bounds.minY + bounds.maxY
        matrix = matrix.translatedBefore(0, mirror, 0)
        matrix.m21 = -matrix.m21
        matrix.m22 = -matrix.m22
        matrix.m23 = -matrix.m23
        matrix.m24 = -matrix.m24
    }
    return matrix
}

/// S'(P) of the reference: the sublayerTransform about the layer's anchor point.
package func sublayerSpace(of properties: LayerProperties) -> Transform {
    guard !properties.sublayerTransform.isIdentity else { return .identity }
    let bounds = properties.bounds
    let x = bounds.minX + properties.anchorPoint.x * bounds.width
    let y = bounds.minY + properties.anchorPoint.y * bounds.height
    let z = properties.anchorPointZ
    return properties.sublayerTransform.translatedBefore(-x, -y, -z).translatedAfter(x, y, z)
}
