// The committed tree at a time, flattened: pre-order in paint order, each layer with the homography from its plane to
// device pixels. Hidden, fully transparent, back-facing and unusable layers are left out with all below them.
//
// Every plain layer flattens its sublayers into its own plane, so planes compose as 3×3 homographies and no target is
// needed for that. The sublayers of one layer share its 3D space until then: they are ordered by depth in it, cut where
// they cross (DepthOrder.swift), and a transform layer passes its own sublayers through into the same space. Source:
// semantic reference, §1.2.

import LayerModel

/// One layer as it is shown.
package struct PresentedLayer: Sendable {
    /// Index of the layer's record in the store.
    package var record: Int32
    /// Index just past the last layer of its subtree.
    package var subtreeEnd: Int32
    /// Index of the first sublayer: just past the layer's mask with all below it, which comes first.
    package var firstSublayer: Int32
    /// From the layer's space (points) to device pixels.
    package var toDevice: Homography
    /// The layer's own, clamped, times that of the transform layers it came through.
    package var opacity: Float
    /// Where the layer's space is that of a bitmap (`toDevice` leads to its pixels): index of the bitmap's place, or -1.
    package var space: Int32 = -1
    /// Index of the polygon of device pixels that this showing of the layer is cut to, or -1.
    package var cut: Int32
    /// True when the first row of contents lies at the layer's min y.
    package var contentsAreFlipped: Bool
}

/// The layers of one frame, back to front.
package struct PresentedTree: Sendable {
    package private(set) var layers: ContiguousArray<PresentedLayer> = []
    /// Convex polygons, device pixels: parts of layers that cross others.
    private(set) var cuts: [[Point]] = []
    /// Superlayers whose sublayers cross more often than they are cut.
    private(set) var uncut: [Int32] = []
    /// From the spaces of layers that are drawn to bitmaps to the pixels around them.
    private(set) var bitmapPlaces: [Homography] = []
    private var items: ContiguousArray<SpaceItem> = []
    /// Bitmaps around what is being shown.
    private var bitmapDepth = 0
    /// Pixels of the largest bitmap.
    private var bitmapArea = 0.0

    package init() {}

    /// A layer among the ones that share a 3D space.
    private struct SpaceItem {
        var record: Int32
        /// From the layer's space to the shared one.
        var toSpace: Transform
        /// The same depth everywhere: what is compared where no plane in the space is tilted. Grows towards the viewer.
        var depth: Double
        var isTilted: Bool
        var opacity: Float
        /// Odd number of flips among the transform layers in between.
        var isFlippedBetween: Bool
    }

    /// Flattens the tree as it is at a time. Nothing is animated yet: the committed values are shown at every time.
    /// - Complexity: O(layers), plus sorting where siblings differ in depth.
    package mutating func present(_ store: LayerStore, at time: Double, on display: DisplayGeometry) {
        layers.removeAll(keepingCapacity: true)
        items.removeAll(keepingCapacity: true)
        cuts.removeAll()
        uncut.removeAll()
        bitmapPlaces.removeAll()
        bitmapArea = Double(display.size.area) * 2.5
        guard store.root >= 0 else { return }
        store.records.withUnsafeBufferPointer { records in
            collect(store.root, records, Transform.identity, isPlain: true, 1, false)
            show(from: 0, records, display, display.toDevice, flipped: display.isFlipped, superlayer: -1)
        }
    }

    /// Adds a layer, or what a transform layer passes through, to the space being collected.
    private mutating func collect(
        _ index: Int32, _ records: UnsafeBufferPointer<LayerRecord>, _ outer: Transform, isPlain: Bool,
        _ opacityBetween: Float, _ flippedBetween: Bool
    ) {
        let record = records.baseAddress! + Int(index)
        let isHidden = record.pointee.properties.isHidden
        let ownOpacity = record.pointee.properties.opacity
        if isHidden || !(ownOpacity > 0) { return }
        let opacity = opacityBetween * Float(min(ownOpacity, 1))
        let local = layerToSuperlayer(record)
        let toSpace = isPlain ? local : local.concatenating(outer)

        if record.pointee.layerClass == .transformLayer {
            let inner = sublayerSpace(of: record).concatenating(toSpace)
            let flipped = flippedBetween != record.pointee.properties.isGeometryFlipped
            forEachSublayer(of: record, records) { tree, child in
                tree.collect(child, records, inner, isPlain: false, opacity, flipped)
            }
            return
        }
        items.append(
            SpaceItem(
                record: index, toSpace: toSpace, depth: toSpace.m44 == 1 ? toSpace.m43 : toSpace.m43 / toSpace.m44,
                isTilted: toSpace.m13 != 0 || toSpace.m23 != 0 || toSpace.m14 != 0 || toSpace.m24 != 0,
                opacity: opacity, isFlippedBetween: flippedBetween))
    }

    /// Visits sublayers by zPosition, then order: what coplanar ones are drawn in. Most often nothing has to move.
    private mutating func forEachSublayer(
        of record: UnsafePointer<LayerRecord>, _ records: UnsafeBufferPointer<LayerRecord>,
        _ body: (inout PresentedTree, Int32) -> Void
    ) {
        var last = -Double.infinity
        var isSorted = true
        for child in record.pointee.sublayers {
            let z = (records.baseAddress! + Int(child)).pointee.properties.zPosition
            if z < last {
                isSorted = false
                break
            }
            last = z
        }
        if isSorted {
            for child in record.pointee.sublayers { body(&self, child) }
            return
        }
        var sorted: [(z: Double, child: Int32)] = record.pointee.sublayers.map { child in
            (z: (records.baseAddress! + Int(child)).pointee.properties.zPosition, child: child)
        }
        // Swift's sort is stable.
        sorted.sort { $0.z < $1.z }
        for (_, child) in sorted { body(&self, child) }
    }

    /// Orders the items from `start` on and shows them, each with its subtree; consumes them.
    private mutating func show(
        from start: Int, _ records: UnsafeBufferPointer<LayerRecord>, _ display: DisplayGeometry,
        _ toDevice: Homography, flipped: Bool, superlayer: Int32
    ) {
        let end = items.count
        var isTilted = false
        for position in start..<end where items[position].isTilted {
            isTilted = true
            break
        }
        if isTilted, end - start > 1 {
            showTilted(from: start, records, display, toDevice, flipped: flipped, superlayer)
        } else {
            sortItems(from: start)
            for position in start..<end {
                show(items[position], cut: -1, records, display, toDevice, flipped: flipped)
            }
        }
        items.removeLast(items.count - start)
    }

    private mutating func show(
        _ item: SpaceItem, cut: Int32, _ records: UnsafeBufferPointer<LayerRecord>, _ display: DisplayGeometry,
        _ toDevice: Homography, flipped: Bool
    ) {
        let record = records.baseAddress! + Int(item.record)
        let toSpace = item.toSpace.planar
        let plane = toSpace.concatenating(toDevice).straightened
        guard plane.isFinite else { return }
        let turnsOver = item.isFlippedBetween != record.pointee.properties.isGeometryFlipped
        if !record.pointee.properties.isDoubleSided, isBackFacing(toSpace, record.pointee.properties.bounds, turnsOver)
        {
            return
        }
        let isFlipped = flipped != turnsOver
        let shown = layers.count
        layers.append(
            PresentedLayer(
                record: item.record, subtreeEnd: 0, firstSublayer: Int32(shown + 1), toDevice: plane,
                opacity: item.opacity, cut: cut,
                contentsAreFlipped: isFlipped))
        showBelow(shown, record, records, display, plane, flipped: isFlipped)
    }

    private mutating func showSublayers(
        of record: UnsafePointer<LayerRecord>, at index: Int32, _ records: UnsafeBufferPointer<LayerRecord>,
        _ display: DisplayGeometry, _ plane: Homography, flipped: Bool
    ) {
        if record.pointee.sublayers.isEmpty { return }
        let hasSpace = record.pointee.properties.rare != nil && !record.pointee.properties.sublayerTransform.isIdentity
        if !hasSpace, arePlainlyPlaced(record.pointee.sublayers, records) {
            for child in record.pointee.sublayers { showPlain(child, records, display, plane, flipped: flipped) }
            return
        }
        let first = items.count
        let inner = hasSpace ? sublayerSpace(of: record) : .identity
        forEachSublayer(of: record, records) { tree, child in
            tree.collect(child, records, inner, isPlain: !hasSpace, 1, false)
        }
        show(from: first, records, display, plane, flipped: flipped, superlayer: index)
    }

    /// Shows a layer's mask where its first sublayer would be. The sublayerTransform does not move it.
    private mutating func showMask(
        of record: UnsafePointer<LayerRecord>, _ owner: Int, _ records: UnsafeBufferPointer<LayerRecord>,
        _ display: DisplayGeometry, _ plane: Homography, flipped: Bool
    ) {
        let first = items.count
        collect(record.pointee.mask, records, .identity, isPlain: true, 1, false)
        show(from: first, records, display, plane, flipped: flipped, superlayer: layers[owner].record)
        layers[owner].firstSublayer = Int32(layers.count)
    }

    private func arePlainlyPlaced(_ sublayers: [Int32], _ records: UnsafeBufferPointer<LayerRecord>) -> Bool {
        for child in sublayers where !(records.baseAddress! + Int(child)).pointee.isPlainlyPlaced { return false }
        return true
    }

    /// The short road for a layer that is only moved: no item, no sorting, the plane by its last row.
    private mutating func showPlain(
        _ index: Int32, _ records: UnsafeBufferPointer<LayerRecord>, _ display: DisplayGeometry, _ outer: Homography,
        flipped: Bool
    ) {
        let record = records.baseAddress! + Int(index)
        let opacity = record.pointee.properties.opacity
        if record.pointee.properties.isHidden || !(opacity > 0) { return }
        let bounds = record.pointee.properties.bounds
        let anchor = record.pointee.properties.anchorPoint
        let x = record.pointee.properties.position.x - (bounds.minX + anchor.x * bounds.width)
        let y = record.pointee.properties.position.y - (bounds.minY + anchor.y * bounds.height)
        var plane = outer
        plane.a31 += x * outer.a11 + y * outer.a21
        plane.a32 += x * outer.a12 + y * outer.a22
        plane.a33 += x * outer.a13 + y * outer.a23
        guard (plane.a31 + plane.a32 + plane.a33).isFinite else { return }
        let shown = layers.count
        layers.append(
            PresentedLayer(
                record: index, subtreeEnd: Int32(shown + 1), firstSublayer: Int32(shown + 1), toDevice: plane,
                opacity: Float(min(opacity, 1)), cut: -1,
                contentsAreFlipped: flipped))
        if record.pointee.sublayers.isEmpty, !record.pointee.hasEffects { return }
        showBelow(shown, record, records, display, plane, flipped: flipped)
    }

    /// A shown layer's mask and sublayers, in the layer's plane or on its bitmap.
    private mutating func showBelow(
        _ shown: Int, _ record: UnsafePointer<LayerRecord>, _ records: UnsafeBufferPointer<LayerRecord>,
        _ display: DisplayGeometry, _ plane: Homography, flipped: Bool
    ) {
        var plane = plane
        let bitmap = record.pointee.hasEffects ? bitmapPlane(of: record, records) : nil
        if let bitmap {
            layers[shown].space = Int32(bitmapPlaces.count)
            layers[shown].toDevice = bitmap
            bitmapPlaces.append(plane)
            plane = bitmap
            bitmapDepth += 1
        }
        if record.pointee.mask >= 0 { showMask(of: record, shown, records, display, plane, flipped: flipped) }
        showSublayers(of: record, at: layers[shown].record, records, display, plane, flipped: flipped)
        layers[shown].subtreeEnd = Int32(layers.count)
        if bitmap != nil { bitmapDepth -= 1 }
    }

    /// From the space of a layer that asks for a bitmap to its pixels; nil for one that doesn't, that would need too
    /// large a one, or that shows what lies behind it.
    private func bitmapPlane(
        of record: UnsafePointer<LayerRecord>, _ records: UnsafeBufferPointer<LayerRecord>
    ) -> Homography? {
        guard record.pointee.properties.shouldRasterize else { return nil }
        let asked = record.pointee.properties.rasterizationScale
        let scale = asked > 0 ? asked : 1
        let bounds = record.pointee.properties.bounds
        guard bounds.width * scale * bounds.height * scale <= bitmapArea,
            max(bounds.width, bounds.height) * scale <= 16_384, !record.pointee.showsBackdrop
        else { return nil }
        return Homography(scale, 0, 0, 0, scale, 0, -bounds.minX * scale, -bounds.minY * scale, 1)
    }

    /// Moves a layer with all below it by pixels of what it is drawn to. Returns how it was.
    mutating func move(_ layer: Int, by offset: Point) -> (layers: [PresentedLayer], places: [Homography]) {
        let end = Int(layers[layer].subtreeEnd)
        let saved = (layers: Array(layers[layer..<end]), places: bitmapPlaces)
        let shift = Homography.translation(offset.x, offset.y)
        var index = layer
        while index < end {
            let space = Int(layers[index].space)
            if space >= 0, index > layer {
                // A bitmap moves as a whole.
                bitmapPlaces[space] = bitmapPlaces[space].concatenating(shift)
                index = Int(layers[index].subtreeEnd)
            } else {
                layers[index].toDevice = layers[index].toDevice.concatenating(shift)
                index += 1
            }
        }
        return saved
    }

    mutating func put(back saved: (layers: [PresentedLayer], places: [Homography]), at first: Int) {
        for (index, layer) in saved.layers.enumerated() { layers[first + index] = layer }
        bitmapPlaces = saved.places
    }

    /// Shows items of which some are tilted against the superlayer's plane.
    private mutating func showTilted(
        from start: Int, _ records: UnsafeBufferPointer<LayerRecord>, _ display: DisplayGeometry,
        _ toDevice: Homography, flipped: Bool, _ superlayer: Int32
    ) {
        var shownItems: [SpaceItem] = []
        var planes: [SpacePlane] = []
        for item in items[start...] {
            let extent = drawnExtent(of: item.record, records, depth: 0)
            guard let plane = SpacePlane(item.toSpace, extent: extent) else { continue }
            shownItems.append(item)
            planes.append(plane)
        }
        let order = DepthOrder(planes)
        if order.reachedLimit { uncut.append(superlayer) }
        let screen =
            bitmapDepth > 0
            ? Rect(-16_384, -16_384, 49_152, 49_152)
            : Rect(-1, -1, Double(display.size.width) + 2, Double(display.size.height) + 2)
        for part in order.parts {
            var cut: Int32 = -1
            if !part.cuts.isEmpty {
                guard let toPlane = toDevice.inverse else { continue }
                let (a, b, c, d) = screen.corners
                var polygon = [a, b, c, d]
                for half in part.cuts { polygon = clip(polygon, half.seen(through: toPlane)) }
                guard polygon.count >= 3 else { continue }
                cut = Int32(cuts.count)
                cuts.append(polygon)
            }
            show(shownItems[part.plane], cut: cut, records, display, toDevice, flipped: flipped)
        }
    }

    /// A rectangle around what a layer and its sublayers draw, in the layer's space.
    private func drawnExtent(of index: Int32, _ records: UnsafeBufferPointer<LayerRecord>, depth: Int) -> Rect {
        let record = records.baseAddress! + Int(index)
        let bounds = record.pointee.properties.bounds
        let huge = Rect(bounds.midX - 1e6, bounds.midY - 1e6, 2e6, 2e6)
        if record.pointee.properties.masksToBounds { return bounds }
        // Contents that don't fill the bounds exactly may reach out of them, by at most their own size.
        if record.pointee.properties.contents != .none, record.pointee.properties.contentsGravity != .resize {
            return huge
        }
        var extent = bounds
        guard depth < 64 else { return huge }
        let space = sublayerSpace(of: record)
        for child in record.pointee.sublayers {
            let local = layerToSuperlayer(records.baseAddress! + Int(child))
            let plane = (record.pointee.properties.sublayerTransform.isIdentity ? local : local.concatenating(space))
                .planar
            let inner = drawnExtent(of: child, records, depth: depth + 1)
            let (a, b, c, d) = inner.corners
            for corner in [a, b, c, d] {
                let (x, y, w) = plane.homogeneous(corner)
                guard w > 1e-5, x.isFinite, y.isFinite else { return huge }
                let (px, py) = (x / w, y / w)
                extent = Rect(
                    minX: min(extent.minX, px), minY: min(extent.minY, py), maxX: max(extent.maxX, px),
                    maxY: max(extent.maxY, py))
            }
        }
        return extent
    }

    /// By depth; coplanar ones stay as collected. Most often nothing has to move.
    private mutating func sortItems(from start: Int) {
        var position = start + 1
        while position < items.count {
            if items[position].depth < items[position - 1].depth {
                // Swift's sort is stable.
                items[start...].sort { $0.depth < $1.depth }
                return
            }
            position += 1
        }
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

extension Homography {
    /// Without what rounding leaves of a quarter or half turn: sin π is not 0 in floating point.
    var straightened: Homography {
        guard isAffine else { return self }
        var h = self
        let size = 1e-12 * max(abs(a11), abs(a12), abs(a21), abs(a22))
        if abs(a11) < size { h.a11 = 0 }
        if abs(a12) < size { h.a12 = 0 }
        if abs(a21) < size { h.a21 = 0 }
        if abs(a22) < size { h.a22 = 0 }
        return h
    }
}

// These take records where they lie: copying all properties of a layer costs more than what is read of them.

/// L(C) of the reference: from a layer's space to its superlayer's, before the superlayer's sublayerTransform.
package func layerToSuperlayer(_ record: UnsafePointer<LayerRecord>) -> Transform {
    let bounds = record.pointee.properties.bounds
    let anchorX = bounds.minX + record.pointee.properties.anchorPoint.x * bounds.width
    let anchorY = bounds.minY + record.pointee.properties.anchorPoint.y * bounds.height
    var matrix: Transform
    if record.pointee.properties.transform.isIdentity {
        matrix = .translation(
            record.pointee.properties.position.x - anchorX, record.pointee.properties.position.y - anchorY,
            record.pointee.properties.zPosition - record.pointee.properties.anchorPointZ)
    } else {
        matrix = record.pointee.properties.transform
            .translatedBefore(-anchorX, -anchorY, -record.pointee.properties.anchorPointZ)
            .translatedAfter(
                record.pointee.properties.position.x, record.pointee.properties.position.y,
                record.pointee.properties.zPosition)
    }
    if record.pointee.properties.isGeometryFlipped {
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
package func sublayerSpace(of record: UnsafePointer<LayerRecord>) -> Transform {
    guard !record.pointee.properties.sublayerTransform.isIdentity else { return .identity }
    let bounds = record.pointee.properties.bounds
    let x = bounds.minX + record.pointee.properties.anchorPoint.x * bounds.width
    let y = bounds.minY + record.pointee.properties.anchorPoint.y * bounds.height
    let z = record.pointee.properties.anchorPointZ
    return record.pointee.properties.sublayerTransform.translatedBefore(-x, -y, -z).translatedAfter(x, y, z)
}
