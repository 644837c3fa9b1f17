// The tree of layers as the transactions describe it, in the plainest form: objects that hold their sublayers. It
// shares nothing with the server's table of layers, so that a fault there can't hide here.

import LayerModel

/// What the picture is: its pixels, how many of them a point has, which way its y runs, what lies behind the layers.
package struct ReferenceDisplay: Sendable {
    /// The whole picture, device pixels.
    package var pixelSize: PixelSize
    /// Pixels a point.
    package var scale: Double
    /// True: y runs down, the top left corner is (0, 0), as on a headless display. False: y runs up, the bottom left
    /// corner is (0, 0), as in a renderer on macOS and in a document without `geometryFlipped`.
    package var isFlipped: Bool
    package var background: Color

    package init(pixelSize: PixelSize, scale: Double = 1, isFlipped: Bool = true, background: Color = .clear) {
        self.pixelSize = pixelSize
        self.scale = scale
        self.isFlipped = isFlipped
        self.background = background
    }

    package var bounds: PixelRect { PixelRect(x: 0, y: 0, width: pixelSize.width, height: pixelSize.height) }

    /// From points of the display's space to pixels from the top left.
    var toPixels: Homography {
        isFlipped
            ? Homography.scale(scale, scale)
            : Homography(scale, 0, 0, 0, -scale, 0, 0, Double(pixelSize.height), 1)
    }
}

/// A layer.
package final class ReferenceLayer {
    package let id: LayerID
    package internal(set) var layerClass: LayerClass
    /// As committed.
    var model = LayerProperties()
    var animations: [(id: AnimationID, animation: PreparedAnimation)] = []
    /// As shown at the scene's time.
    package internal(set) var properties = LayerProperties()
    /// Back to front as the app ordered them; `zPosition` is not looked at.
    package internal(set) var sublayers: [ReferenceLayer] = []
    /// What covers the layer by its alpha. Its superlayer is this layer.
    package internal(set) var mask: ReferenceLayer?
    package internal(set) weak var superlayer: ReferenceLayer?
    /// What `properties.contents` named when it was set. Stays although the client releases the image.
    var picture: ReferencePicture?
    /// What the images of its animations named when they were added.
    var animationPictures: [ImageID: ReferencePicture] = [:]
    /// What the images of its emitter cells named when they were set.
    var cellPictures: [ImageID: ReferencePicture] = [:]
    /// Its own time at the scene's.
    var emitterTime = 0.0
    /// What a running transition keeps of the time before it; see ReferenceScene+Transitions.swift.
    var oldPicture: ReferenceLayer?
    /// Of a picture: `isGeometryFlipped` of the layer it was taken of.
    var wasFlipped = false
    /// What a replicator shows: see ReferenceScene+Replicators.swift.
    var instances: [[ReferenceLayer]]?
    /// What is shown instead while a transition is under way.
    var standIn: ReferenceLayer?
    /// Of what stands in for a fading layer: its pictures, and how much of the new one counts.
    var dissolve: (old: ReferenceLayer?, new: ReferenceLayer, progress: Double)?
    /// What the filters' images named when they were set, of `filters` and `backgroundFilters`.
    var filterPictures: [LayerProperty: [ImageID: ReferencePicture]] = [:]

    init(id: LayerID, layerClass: LayerClass) {
        self.id = id
        self.layerClass = layerClass
    }

    /// "layer 7 'card'".
    package var label: String { properties.name.map { "\(id) '\($0)'" } ?? "\(id)" }

    func localTime(at time: Double) -> Double {
        model.timing.localTime(ofParent: superlayer?.localTime(at: time) ?? time)
    }

    func removeFromSuperlayer() {
        superlayer?.sublayers.removeAll { $0 === self }
        if superlayer?.mask === self { superlayer?.dropMask() }
        superlayer = nil
    }

    func dropMask() {
        mask?.superlayer = nil
        mask = nil
        model.mask = .none
        properties.mask = .none
    }
}

/// A tree of layers and the display that shows it.
package final class ReferenceScene {
    package let display: ReferenceDisplay
    package private(set) var root: ReferenceLayer?
    private(set) var layers: [LayerID: ReferenceLayer] = [:]
    private var pictures: [ImageID: ReferencePicture] = [:]

    /// An empty scene.
    package init(display: ReferenceDisplay) {
        self.display = display
    }

    /// The tree after all of the transactions.
    ///
    /// - Throws: The first op that makes no sense, by index in its transaction. What was applied before it stays.
    package convenience init(_ transactions: [Transaction], display: ReferenceDisplay) throws(TransactionError) {
        self.init(display: display)
        for transaction in transactions { try apply(transaction) }
    }

    package func layer(_ id: LayerID) -> ReferenceLayer? { layers[id] }

    package func apply(_ transaction: Transaction) throws(TransactionError) {
        present(at: transaction.time)
        let old = oldPictures(for: transaction)
        for (index, op) in transaction.ops.enumerated() { try apply(op, index) }
        for (layer, picture) in old { layers[layer]?.oldPicture = picture }
        present(at: transaction.time)
    }

    /// Moves the scene to a time: every layer to the values it has then.
    package func present(at time: Double) {
        for layer in layers.values {
            let local = layer.localTime(at: time)
            layer.emitterTime = local
            layer.animations.removeAll { $0.animation.isOver(at: local) }
            layer.properties = layer.model
            for (_, animation) in layer.animations { animation.apply(to: &layer.properties, at: local) }
        }
        for layer in layers.values { layer.makeInstances(at: layer.localTime(at: time)) }
        for layer in layers.values { layer.showTransition(at: layer.localTime(at: time)) }
    }

    private func apply(_ op: TransactionOp, _ index: Int) throws(TransactionError) {
        switch op {
        case .createLayer(let id, let layerClass):
            guard id != .none, layers[id] == nil else {
                throw TransactionError(.duplicateLayer, opIndex: index, layer: id, "this layer exists already")
            }
            layers[id] = ReferenceLayer(id: id, layerClass: layerClass)
        case .destroyLayer(let id):
            let layer = try known(id, index)
            layer.removeFromSuperlayer()
            for sublayer in layer.sublayers { sublayer.superlayer = nil }
            layer.dropMask()
            layers[id] = nil
            if root === layer { root = nil }
        case .set(let id, let property, let value):
            try set(property, to: value, of: known(id, index), index)
        case .setSublayers(let id, let list):
            try setSublayers(list, of: known(id, index), index)
        case .setRoot(let id):
            root = id == .none ? nil : try known(id, index)
        case .defineImage(let id, let content):
            guard id != .none, pictures[id] == nil else {
                throw TransactionError(.duplicateImage, opIndex: index, "\(id) exists already")
            }
            guard let picture = ReferencePicture(content) else {
                throw TransactionError(.badImage, opIndex: index, "\(id) has fewer bytes than its size needs")
            }
            pictures[id] = picture
        case .addAnimation(let id, let animation, _, let description):
            let layer = try known(id, index)
            let prepared = PreparedAnimation(description)
            for image in prepared.images { layer.animationPictures[image] = try known(image, of: layer, index) }
            if case .transition = description.content { layer.animations.removeAll { $0.animation.isTransition } }
            layer.animations.append((animation, prepared))
        case .removeAnimation(let id, let animation):
            try known(id, index).animations.removeAll { $0.id == animation }
        case .releaseImage(let id):
            guard pictures.removeValue(forKey: id) != nil else {
                throw TransactionError(.unknownImage, opIndex: index, "\(id) does not exist")
            }
        }
    }

    private func known(_ id: LayerID, _ index: Int) throws(TransactionError) -> ReferenceLayer {
        guard let layer = layers[id] else {
            throw TransactionError(.unknownLayer, opIndex: index, layer: id, "this layer does not exist")
        }
        return layer
    }

    private func set(
        _ property: LayerProperty, to value: PropertyValue, of layer: ReferenceLayer, _ index: Int
    ) throws(TransactionError) {
        do {
            try layer.model.set(property, to: value)
        } catch {
            throw TransactionError(.badValue, opIndex: index, layer: layer.id, error.description)
        }
        switch value {
        case .image(let image): layer.picture = try known(image, of: layer, index)
        case .filters(let filters):
            var named: [ImageID: ReferencePicture] = [:]
            for filter in filters { named[filter.maskImage] = try known(filter.maskImage, of: layer, index) }
            layer.filterPictures[property] = named
        case .cells(let cells):
            var images: [ImageID] = []
            for cell in cells { cell.forEachImage { images.append($0) } }
            layer.cellPictures = [:]
            for image in images { layer.cellPictures[image] = try known(image, of: layer, index) }
        case .layer(let mask): try setMask(mask, of: layer, index)
        default: break
        }
    }

    private func known(
        _ image: ImageID, of layer: ReferenceLayer, _ index: Int
    ) throws(TransactionError) -> ReferencePicture? {
        let picture = pictures[image]
        guard image == .none || picture != nil else {
            throw TransactionError(.unknownImage, opIndex: index, layer: layer.id, "\(image) does not exist")
        }
        return picture
    }

    /// A mask leaves the place it had, as a sublayer does.
    private func setMask(_ id: LayerID, of layer: ReferenceLayer, _ index: Int) throws(TransactionError) {
        let mask = id == .none ? nil : try known(id, index)
        if let mask { try checkCycle(mask, below: layer, index) }
        if layer.mask !== mask { layer.dropMask() }
        guard let mask else { return }
        mask.removeFromSuperlayer()
        layer.mask = mask
        layer.model.mask = id
        mask.superlayer = layer
    }

    private func checkCycle(
        _ layer: ReferenceLayer, below superlayer: ReferenceLayer, _ index: Int
    ) throws(TransactionError) {
        var ancestor: ReferenceLayer? = superlayer
        while let a = ancestor {
            guard a !== layer else {
                throw TransactionError(
                    .cycle, opIndex: index, layer: superlayer.id, "it would be its own ancestor")
            }
            ancestor = a.superlayer
        }
    }

    private func setSublayers(
        _ list: [LayerID], of layer: ReferenceLayer, _ index: Int
    ) throws(TransactionError) {
        var sublayers: [ReferenceLayer] = []
        for id in list {
            let sublayer = try known(id, index)
            guard !sublayers.contains(where: { $0 === sublayer }) else {
                throw TransactionError(.repeatedSublayer, opIndex: index, layer: id, "it is twice in the list")
            }
            try checkCycle(sublayer, below: layer, index)
            sublayers.append(sublayer)
        }
        for sublayer in layer.sublayers { sublayer.superlayer = nil }
        layer.sublayers = []
        for sublayer in sublayers {
            sublayer.removeFromSuperlayer()
            sublayer.superlayer = layer
        }
        layer.sublayers = sublayers
    }
}
