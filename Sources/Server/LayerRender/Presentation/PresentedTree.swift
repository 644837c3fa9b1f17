// The committed tree at a time, flattened: pre-order in paint order, each layer with the homography from its plane to
// device pixels. Hidden, fully transparent, back-facing and unusable layers are left out with all below them.
//
// Every plain layer flattens its sublayers into its own plane, so planes compose as 3×3 homographies and no target is
// needed for that. The sublayers of one layer share its 3D space until then: they are ordered by depth in it, cut where
// they cross (DepthOrder.swift), and a transform layer passes its own sublayers through into the same space. Source:
// semantic reference, §1.2.

import LayerModel

/// The layers of one frame, back to front.
package struct PresentedTree: Sendable {
    package internal(set) var layers: ContiguousArray<PresentedLayer> = []
    /// Of all layers that cross others; those of one space in paint order, but not all in a row.
    var parts: [CutPart] = []
    /// For each space that has any, which.
    private(set) var partsOfSpaces: [[Int]] = []
    /// Superlayers whose sublayers cross more often than they are cut.
    private(set) var uncut: [Int32] = []
    /// From the spaces of layers that are drawn to bitmaps to the pixels around them.
    var bitmapPlaces: [Homography] = []
    private var items: ContiguousArray<SpaceItem> = []
    /// Pixels of the largest bitmap.
    private(set) var bitmapLimit = 0
    /// Records of layers that asked for a larger one.
    private(set) var unrasterized: [Int32] = []
    private var images: [ImageID: ImageRecord] = [:]
    /// Transitions around what is being shown.
    private var pictureNesting = 0

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

    /// Flattens the tree with the values that the store shows.
    /// - Complexity: O(layers), plus sorting where siblings differ in depth.
    package mutating func present(_ store: LayerStore, at time: Double, on display: DisplayGeometry) {
        begin(on: display)
        guard store.root >= 0 else { return }
        images = store.images
        defer { images = [:] }
        store.records.withUnsafeBufferPointer { records in
            collect(store.root, records, Transform.identity, isPlain: true, 1, false)
            show(from: 0, records, display, display.toDevice, flipped: display.isFlipped, superlayer: -1)
        }
    }

    /// Forgets what was shown.
    mutating func begin(on display: DisplayGeometry) {
        layers.removeAll(keepingCapacity: true)
        items.removeAll(keepingCapacity: true)
        parts.removeAll()
        partsOfSpaces.removeAll()
        pictureNesting = 0
        uncut.removeAll()
        bitmapPlaces.removeAll()
        bitmapLimit = display.size.area * 5 / 2
        unrasterized.removeAll()
    }

    /// Shows a layer and what is below it once more, after what is there, as a sublayer of a layer whose sublayers all lie
    /// in its plane; false where it does so no more.
    mutating func show(
        _ record: Int32, below superlayer: PresentedLayer, of store: LayerStore, on display: DisplayGeometry
    ) -> Bool {
        images = store.images
        defer { images = [:] }
        return store.records.withUnsafeBufferPointer { records in
            if superlayer.order == .plain, records[Int(record)].isPlainlyPlaced {
                showPlain(
                    record, records, display, superlayer.toDevice, flipped: superlayer.contentsAreFlipped)
                return true
            }
            items.removeAll(keepingCapacity: true)
            collect(record, records, .identity, isPlain: true, 1, false)
            guard superlayer.order != .byDepth, areFlat(from: 0) else { return false }
            show(
                from: 0, records, display, superlayer.toDevice, flipped: superlayer.contentsAreFlipped,
                superlayer: superlayer.record)
            return true
        }
    }

    /// Some sublayer is shown in parts: the drawings of all of them are put right when the last part is there.
    func cutsSublayers(of layer: PresentedLayer) -> Bool {
        var index = Int(layer.firstSublayer)
        while index < Int(layer.subtreeEnd) {
            if layers[index].part >= 0 { return true }
            index = Int(layers[index].subtreeEnd)
        }
        return false
    }

    /// Adds a layer, or what a transform layer passes through, to the space being collected.
    private mutating func collect(
        _ index: Int32, _ records: UnsafeBufferPointer<LayerRecord>, _ outer: Transform, isPlain: Bool,
        _ opacityBetween: Float, _ flippedBetween: Bool
    ) {
        let index = standIn(of: index, records)
        let record = records.baseAddress! + Int(index)
        let isHidden = record.pointee.properties.isHidden
        let ownOpacity = record.pointee.properties.opacity
        if isHidden || !(ownOpacity > 0) { return }
        let opacity = opacityBetween * Float(min(ownOpacity, 1))
        let local = layerToSuperlayer(record)
        let toSpace = isPlain ? local : local.concatenating(outer)

        if record.pointee.passesThrough {
            let flipped = flippedBetween != record.pointee.properties.isGeometryFlipped
            forEachInstance(of: record) { sublayers, space in
                let inner = space.concatenating(toSpace)
                forEach(sublayers, records) { tree, child in
                    tree.collect(child, records, inner, isPlain: false, opacity, flipped)
                }
            }
            return
        }
        items.append(
            SpaceItem(
                record: index, toSpace: toSpace, depth: toSpace.m44 == 1 ? toSpace.m43 : toSpace.m43 / toSpace.m44,
                isTilted: toSpace.m13 != 0 || toSpace.m23 != 0 || toSpace.m14 != 0 || toSpace.m24 != 0,
                opacity: opacity, isFlippedBetween: flippedBetween))
    }

    /// The record that is shown for a layer: while a transition is under way, another one.
    private func standIn(of index: Int32, _ records: UnsafeBufferPointer<LayerRecord>) -> Int32 {
        let standIn = records[Int(index)].standIn
        return standIn >= 0 && pictureNesting < LayerStore.pictureNesting ? standIn : index
    }

    /// Visits sublayers by zPosition, then order: what coplanar ones are drawn in. Most often nothing has to move.
    private mutating func forEach(
        _ sublayers: [Int32], _ records: UnsafeBufferPointer<LayerRecord>,
        _ body: (inout PresentedTree, Int32) -> Void
    ) {
        var last = -Double.infinity
        var isSorted = true
        for child in sublayers {
            let z = (records.baseAddress! + Int(child)).pointee.properties.zPosition
            if z < last {
                isSorted = false
                break
            }
            last = z
        }
        if isSorted {
            for child in sublayers { body(&self, child) }
            return
        }
        var sorted: [(z: Double, child: Int32)] = sublayers.map { child in
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
                show(items[position], part: -1, records, display, toDevice, flipped: flipped)
            }
        }
        items.removeLast(items.count - start)
    }

    private mutating func show(
        _ item: SpaceItem, part: Int32, _ records: UnsafeBufferPointer<LayerRecord>, _ display: DisplayGeometry,
        _ toDevice: Homography, flipped: Bool
    ) {
        let record = records.baseAddress! + Int(item.record)
        let toSpace = item.toSpace.planar
        let plane = toSpace.concatenating(toDevice).straightened
        guard plane.isFinite else { return }
        guard facesViewer(item, records) else { return }
        let isFlipped = flipped != (item.isFlippedBetween != record.pointee.properties.isGeometryFlipped)
        let shown = layers.count
        layers.append(
            PresentedLayer(
                record: item.record, subtreeEnd: 0, firstSublayer: Int32(shown + 1), toDevice: plane,
                opacity: item.opacity, part: part,
                contentsAreFlipped: isFlipped))
        showBelow(shown, record, records, display, plane, flipped: isFlipped)
    }

    private mutating func showSublayers(
        of record: UnsafePointer<LayerRecord>, at shown: Int, _ records: UnsafeBufferPointer<LayerRecord>,
        _ display: DisplayGeometry, _ plane: Homography, flipped: Bool
    ) {
        if record.pointee.instances != nil {
            showInstances(of: record, at: shown, records, display, plane, flipped: flipped)
            return
        }
        if record.pointee.sublayers.isEmpty { return }
        let hasSpace = record.pointee.properties.rare != nil && !record.pointee.properties.sublayerTransform.isIdentity
        if !hasSpace, arePlainlyPlaced(record.pointee.sublayers, records) {
            layers[shown].order = .plain
            for child in record.pointee.sublayers { showPlain(child, records, display, plane, flipped: flipped) }
            return
        }
        let first = items.count
        let inner = hasSpace ? sublayerSpace(of: record) : .identity
        forEach(record.pointee.sublayers, records) { tree, child in
            tree.collect(child, records, inner, isPlain: !hasSpace, 1, false)
        }
        if !hasSpace, areFlat(from: first) { layers[shown].order = .flat }
        show(from: first, records, display, plane, flipped: flipped, superlayer: layers[shown].record)
    }

    /// The sublayers of a replicator, one instance over the other: layers of one share a space.
    private mutating func showInstances(
        of record: UnsafePointer<LayerRecord>, at shown: Int, _ records: UnsafeBufferPointer<LayerRecord>,
        _ display: DisplayGeometry, _ plane: Homography, flipped: Bool
    ) {
        forEachInstance(of: record) { sublayers, space in
            if space.isIdentity, arePlainlyPlaced(sublayers, records) {
                for child in sublayers { showPlain(child, records, display, plane, flipped: flipped) }
                return
            }
            let first = items.count
            forEach(sublayers, records) { tree, child in
                tree.collect(child, records, space, isPlain: false, 1, false)
            }
            show(from: first, records, display, plane, flipped: flipped, superlayer: layers[shown].record)
        }
    }

    private func areFlat(from first: Int) -> Bool {
        items[first...].allSatisfy { !$0.isTilted && $0.depth == 0 }
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
        let index = standIn(of: index, records)
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
                opacity: Float(min(opacity, 1)), part: -1,
                contentsAreFlipped: flipped))
        if record.pointee.showsNoOthers, !record.pointee.hasEffects { return }
        showBelow(shown, record, records, display, plane, flipped: flipped)
    }

    /// A shown layer's mask and sublayers, in the layer's plane or on its bitmap.
    private mutating func showBelow(
        _ shown: Int, _ record: UnsafePointer<LayerRecord>, _ records: UnsafeBufferPointer<LayerRecord>,
        _ display: DisplayGeometry, _ plane: Homography, flipped: Bool
    ) {
        var plane = plane
        let bitmap = record.pointee.hasEffects ? bitmapPlane(of: record, plane) : nil
        if let bitmap {
            layers[shown].space = Int32(bitmapPlaces.count)
            layers[shown].toDevice = bitmap
            bitmapPlaces.append(plane)
            plane = bitmap
        } else if record.pointee.hasEffects, record.pointee.properties.shouldRasterize, !record.pointee.showsBackdrop {
            unrasterized.append(layers[shown].record)
        }
        if record.pointee.mask >= 0 { showMask(of: record, shown, records, display, plane, flipped: flipped) }
        if record.pointee.newPicture >= 0 { pictureNesting += 1 }
        showSublayers(of: record, at: shown, records, display, plane, flipped: flipped)
        if record.pointee.newPicture >= 0 { pictureNesting -= 1 }
        layers[shown].subtreeEnd = Int32(layers.count)
    }

    /// From the space of a layer that asks for a bitmap to its pixels; nil for one that doesn't, that would need too
    /// large a one, or that shows what lies behind it. Filters that move pixels ask for one where there is perspective.
    private func bitmapPlane(of record: UnsafePointer<LayerRecord>, _ plane: Homography) -> Homography? {
        guard !record.pointee.showsBackdrop else { return nil }
        let bounds = record.pointee.properties.bounds
        if record.pointee.properties.shouldRasterize {
            let asked = record.pointee.properties.rasterizationScale
            let scale = asked > 0 ? asked : 1
            guard bounds.width * scale * bounds.height * scale <= Double(bitmapLimit),
                max(bounds.width, bounds.height) * scale <= 16_384
            else { return nil }
            let own = Homography.ownSpace(of: bounds, scale: scale)
            return own.isFinite ? own : nil
        }
        guard plane.isProjective(over: bounds), record.pointee.hasFiltersThatMovePixels else { return nil }
        let own = Homography.ownSpace(of: bounds, scale: plane.fittingScale(of: bounds))
        return own.isFinite ? own : nil
    }

    /// Shows items of which some are tilted against the superlayer's plane.
    private mutating func showTilted(
        from start: Int, _ records: UnsafeBufferPointer<LayerRecord>, _ display: DisplayGeometry,
        _ toDevice: Homography, flipped: Bool, _ superlayer: Int32
    ) {
        var shownItems: [SpaceItem] = []
        var planes: [SpacePlane] = []
        let extents = DrawnExtent(records: records, images: images)
        let visible = visibleSides(on: display, toDevice)
        for item in items[start...] where facesViewer(item, records) {
            guard let plane = SpacePlane(item.toSpace, extent: extents.of(item.record), within: visible) else {
                continue
            }
            shownItems.append(item)
            planes.append(plane)
        }
        // Smooth edges reach up to a pixel out of a polygon.
        let outlines = planes.map { $0.extent.map(toDevice.apply) }
        let areFinite = outlines.allSatisfy { $0.allSatisfy(\.isFinite) }
        var cutsLeft = DepthOrder.cutLimit
        var isUncut = false
        for group in areFinite ? overlapGroups(outlines, margin: 2) : [Array(planes.indices)] {
            let order = DepthOrder(group.map { planes[$0] }, cutLimit: cutsLeft)
            cutsLeft = order.cutsLeft
            if order.reachedLimit { isUncut = true }
            show(order, of: group.map { shownItems[$0] }, records, display, toDevice, flipped: flipped)
        }
        if isUncut { uncut.append(superlayer) }
    }

    /// Shows items in their order in depth, those that are cut part by part.
    private mutating func show(
        _ order: DepthOrder, of items: [SpaceItem], _ records: UnsafeBufferPointer<LayerRecord>,
        _ display: DisplayGeometry, _ toDevice: Homography, flipped: Bool
    ) {
        guard order.parts.contains(where: { !$0.cuts.isEmpty }) else {
            for part in order.parts {
                show(items[part.plane], part: -1, records, display, toDevice, flipped: flipped)
            }
            return
        }
        guard let toPlane = toDevice.inverse else { return }
        // Far beyond the display: blurs and shadows bring in what lies there.
        let reach = 16_384.0
        let area = Rect(
            -reach, -reach, Double(display.size.width) + 2 * reach, Double(display.size.height) + 2 * reach)
        let space = Int32(partsOfSpaces.count)
        partsOfSpaces.append([])
        /// Where each plane's first part is shown.
        var firsts = [Int](repeating: -1, count: items.count)
        var last = -1
        for part in order.parts {
            let item = items[part.plane]
            if part.cuts.isEmpty {
                show(item, part: -1, records, display, toDevice, flipped: flipped)
                continue
            }
            let (a, b, c, d) = area.corners
            var polygon = [a, b, c, d]
            for half in part.cuts { polygon = clip(polygon, half.seen(through: toPlane)) }
            guard polygon.count >= 3 else { continue }
            let shown = layers.count
            let number = parts.count
            let isFirst = firsts[part.plane] < 0
            parts.append(
                CutPart(space: space, plane: Int32(part.plane), polygon: polygon, isFirstOfPlane: isFirst))
            if isFirst {
                show(item, part: Int32(number), records, display, toDevice, flipped: flipped)
                guard layers.count > shown else {
                    parts.removeLast()
                    continue
                }
                firsts[part.plane] = shown
            } else {
                var again = layers[firsts[part.plane]]
                again.part = Int32(number)
                again.firstSublayer = Int32(shown + 1)
                again.subtreeEnd = Int32(shown + 1)
                layers.append(again)
            }
            partsOfSpaces[Int(space)].append(number)
            last = number
        }
        if last >= 0 { parts[last].isLastOfSpace = true }
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

    /// False when the layer shows its back, and has none: in the superlayer's space its axes turn the other way. A
    /// `geometryFlipped` turns them over too, without turning the layer. What lies above the superlayer doesn't count:
    /// the layer is flattened into that plane first.
    private func facesViewer(_ item: SpaceItem, _ records: UnsafeBufferPointer<LayerRecord>) -> Bool {
        let record = records.baseAddress! + Int(item.record)
        if record.pointee.properties.isDoubleSided { return true }
        // The sign of the area of a small piece at the middle: det(H) / w³.
        let toSpace = item.toSpace.planar
        let bounds = record.pointee.properties.bounds
        let w = toSpace.homogeneous(Point(bounds.midX, bounds.midY)).w
        let orientation = toSpace.determinant * (w < 0 ? -1 : 1)
        let turnsOver = item.isFlippedBetween != record.pointee.properties.isGeometryFlipped
        return turnsOver ? orientation <= 0 : orientation >= 0
    }

}
