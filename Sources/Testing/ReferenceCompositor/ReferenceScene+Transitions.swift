// Transitions, the plain way: before a commit that adds one is applied, the layer is copied with all below it, as it shows
// then. While the transition is under way the layer is drawn as three: what stays outside of the picture, and in it the
// copy and the layer as it is. Rules: docs/layer-order.md, "Transitions".

import LayerModel

extension PreparedAnimation {
    var isTransition: Bool {
        if case .transition = description.content { true } else { false }
    }
}

extension ReferenceScene {
    /// What layers that get a transition look like before the commit.
    func oldPictures(for transaction: Transaction) -> [(LayerID, ReferenceLayer?)] {
        transaction.ops.compactMap { op in
            guard case .addAnimation(let id, _, _, let description) = op, case .transition = description.content else {
                return nil
            }
            guard let layer = layers[id], layer.isBelow(root) else { return (id, nil) }
            let picture = (layer.standIn ?? layer).copied()
            picture.wasFlipped = layer.properties.isGeometryFlipped
            picture.becomePicture()
            return (id, picture)
        }
    }
}

extension ReferenceLayer {
    /// The layer, or what stands in for it.
    var shown: ReferenceLayer { standIn ?? self }

    fileprivate func isBelow(_ root: ReferenceLayer?) -> Bool {
        guard let root else { return false }
        return self === root || superlayer?.isBelow(root) == true
    }

    /// The picture of an image that the layer shows.
    func shownPicture(_ image: ImageID) -> ReferencePicture? {
        if image == .none { return nil }
        return image == model.contents ? picture : animationPictures[image]
    }

    /// The same once more, with everything below it, as it shows now.
    func copied() -> ReferenceLayer {
        let copy = ReferenceLayer(id: id, layerClass: layerClass)
        copy.takeLooks(of: self)
        copy.sublayers = sublayers.map { $0.shown.copied() }
        copy.instances = instances?.map { $0.map { $0.shown.copied() } }
        copy.mask = mask?.shown.copied()
        if let dissolve {
            // The copies of its sublayers are the pictures.
            let hasOld = dissolve.old != nil
            copy.dissolve = (hasOld ? copy.sublayers[0] : nil, copy.sublayers[hasOld ? 1 : 0], dissolve.progress)
        }
        return copy
    }

    private func takeLooks(of layer: ReferenceLayer) {
        properties = layer.properties
        model = layer.properties
        model.contentsFade = nil
        picture = layer.shownPicture(layer.properties.contents)
        if let fade = layer.properties.contentsFade { animationPictures[fade.from] = layer.shownPicture(fade.from) }
        filterPictures = layer.filterPictures
        cellPictures = layer.cellPictures
        emitterTime = layer.emitterTime
        wasFlipped = layer.wasFlipped
    }

    /// Leaves out what stays outside of the picture.
    fileprivate func becomePicture() {
        if layerClass == .backdropLayer { properties.filters = [] }
        layerClass = .layer
        mask = nil
        properties.opacity = 1
        properties.transform = .identity
        properties.zPosition = 0
        properties.anchorPointZ = 0
        properties.isDoubleSided = true
        properties.compositingMode = .normal
        properties.shouldRasterize = false
        properties.backgroundFilters = []
    }

    /// Makes what stands in for the layer at a time of its own.
    func showTransition(at time: Double) {
        standIn = nil
        let shown = animations.compactMap { $0.animation.transitionProgress(at: time) }.first
        guard let (transition, p) = shown, p < 1, !passesThrough else { return }
        let size = properties.bounds.size
        let slides = transition.kind != .fade
        if slides, size.width == 0 || size.height == 0 { return }

        let new = ReferenceLayer(id: id, layerClass: layerClass)
        new.takeLooks(of: self)
        new.wasFlipped = properties.isGeometryFlipped
        new.sublayers = sublayers
        new.instances = instances
        new.becomePicture()

        let shell = ReferenceLayer(id: id, layerClass: layerClass)
        shell.properties = properties
        shell.filterPictures = filterPictures
        shell.mask = mask
        if layerClass != .backdropLayer { shell.properties.filters = [] }
        shell.properties.isHidden = false
        shell.properties.allowsGroupOpacity = true
        shell.properties.backgroundColor = nil
        shell.properties.contents = .none
        shell.properties.contentsFade = nil
        shell.properties.shape = .defaults
        shell.properties.gradient = .defaults
        shell.properties.replicator = .defaults
        shell.properties.borderWidth = 0
        shell.properties.shadowOpacity = 0
        shell.properties.sublayerTransform = .identity
        shell.properties.masksToBounds = slides
        if slides, !shell.showsBackdrop { shell.properties.cornerRadius = 0 }

        var from = Point.zero
        switch transition.direction {
        case .fromLeft: from.x = -size.width
        case .fromRight: from.x = size.width
        case .fromTop: from.y = size.height
        case .fromBottom: from.y = -size.height
        }
        let oldMoves = transition.kind == .push || transition.kind == .reveal
        let newMoves = transition.kind == .push || transition.kind == .moveIn
        oldPicture?.stand(in: properties, at: oldMoves ? Point(-from.x * p, -from.y * p) : .zero)
        new.stand(in: properties, at: newMoves ? Point(from.x * (1 - p), from.y * (1 - p)) : .zero)
        let pictures = [oldPicture, new].compactMap { $0 }
        shell.sublayers = transition.kind == .reveal ? pictures.reversed() : pictures
        if !slides { shell.dissolve = (oldPicture, new, p) }
        standIn = shell
    }

    /// Places a picture: where the layer itself would be if only its bounds, anchor point and flip were the picture's.
    /// - Parameter offset: In the layer's coordinates.
    private func stand(in layer: LayerProperties, at offset: Point) {
        func anchor(_ p: LayerProperties) -> Point {
            Point(p.bounds.minX + p.anchorPoint.x * p.bounds.width, p.bounds.minY + p.anchorPoint.y * p.bounds.height)
        }
        func mirrored(_ y: Double, _ bounds: Rect) -> Double { bounds.minY + bounds.maxY - y }
        let (mine, its) = (anchor(properties), anchor(layer))
        /// From the picture's coordinates to the layer's.
        func map(_ point: Point) -> Point {
            var y = wasFlipped ? mirrored(point.y, properties.bounds) : point.y
            y += its.y - mine.y
            if layer.isGeometryFlipped { y = mirrored(y, layer.bounds) }
            return Point(point.x + its.x - mine.x, y)
        }
        properties.isGeometryFlipped = wasFlipped != layer.isGeometryFlipped
        let place = map(Point(mine.x, properties.isGeometryFlipped ? mirrored(mine.y, properties.bounds) : mine.y))
        properties.position = Point(place.x + offset.x, place.y + offset.y)
    }
}

extension LayerPainter {
    /// The pictures of a fading layer, each drawn by itself, then mixed.
    func paintDissolve(of placed: PlacedLayer, opacity: Double, into canvas: Canvas) {
        guard let (old, new, progress) = placed.layer.dissolve else { return }
        let space = SublayerSpace(
            plane: placed.plane, matrix: .identity, opacity: 1, contentsAreFlipped: placed.contentsAreFlipped,
            isMirrored: false)
        let before = Canvas(bounds: canvas.bounds)
        let after = Canvas(bounds: canvas.bounds)
        if let old { paintSiblings([old], in: space, before) }
        paintSiblings([new], in: space, after)
        let mixed = Canvas.mixed(before, after, progress)
        mixed.forEachTouched { x, y in
            canvas.blend(
                x: x, y: y, mixed.ink(x: x, y: y), weight: opacity, flags: mixed.flags(x: x, y: y),
                slack: mixed.slack(x: x, y: y))
        }
        canvas.touch(mixed.touched)
    }
}

extension Canvas {
    /// One part of each in whole levels, the sum of both parts 1.
    static func mixed(_ a: Canvas, _ b: Canvas, _ progress: Double) -> Canvas {
        let share = (min(max(progress, 0), 1) * 255).rounded() / 255
        let result = Canvas(bounds: a.bounds)
        let area = a.touched.union(b.touched)
        for y in area.minY..<area.maxY {
            for x in area.minX..<area.maxX {
                result.replace(
                    x: x, y: y, with: a.ink(x: x, y: y) * (1 - share) + b.ink(x: x, y: y) * share,
                    flags: a.flags(x: x, y: y) | b.flags(x: x, y: y),
                    slack: a.slack(x: x, y: y) * (1 - share) + b.slack(x: x, y: y) * share)
            }
        }
        result.touch(area)
        return result
    }

    func forEachTouched(_ body: (_ x: Int, _ y: Int) -> Void) {
        for y in touched.minY..<touched.maxY {
            for x in touched.minX..<touched.maxX where isTouched(x: x, y: y) { body(x, y) }
        }
    }
}
