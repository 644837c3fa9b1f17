import LayerModel

/// A layer with everything below it, as a value: how tests write trees down. `transaction` turns one into a commit.
package struct LayerTree: Sendable {
    package var layerClass: LayerClass
    package var properties: LayerProperties
    package var sublayers: [LayerTree]
    /// None or one; a value can't hold another of its own type directly.
    private var masks: [LayerTree] = []

    package init(
        _ layerClass: LayerClass = .layer, sublayers: [LayerTree] = [], mask: LayerTree? = nil,
        _ configure: (inout LayerProperties) -> Void = { _ in }
    ) {
        self.layerClass = layerClass
        self.sublayers = sublayers
        masks = mask.map { [$0] } ?? []
        properties = LayerProperties()
        configure(&properties)
    }

    package init(_ properties: LayerProperties) {
        layerClass = .layer
        self.properties = properties
        sublayers = []
    }

    /// What `properties.mask` is to name: the transaction gives it an id.
    package var mask: LayerTree? {
        get { masks.first }
        set { masks = newValue.map { [$0] } ?? [] }
    }

    /// The commit that makes this tree the one that is shown: images first, then layers in pre-order from id 1 (a
    /// mask before the sublayers), only the properties that are not the defaults.
    package func transaction(time: Double = 0, images: [(ImageID, ImageContent)] = []) -> Transaction {
        var ops = images.map { TransactionOp.defineImage($0.0, $0.1) }
        var next: UInt32 = 1
        let root = append(to: &ops, next: &next)
        ops.append(.setRoot(root))
        return Transaction(time: time, ops: ops)
    }

    private func append(to ops: inout [TransactionOp], next: inout UInt32) -> LayerID {
        let id = LayerID(next)
        next += 1
        ops.append(.createLayer(id, layerClass))
        let defaults = LayerProperties()
        for property in LayerProperty.allCases where property != .mask && properties[property] != defaults[property] {
            ops.append(.set(id, property, properties[property]))
        }
        if let mask { ops.append(.set(id, .mask, .layer(mask.append(to: &ops, next: &next)))) }
        var list: [LayerID] = []
        for sublayer in sublayers { list.append(sublayer.append(to: &ops, next: &next)) }
        if !list.isEmpty { ops.append(.setSublayers(id, list)) }
        return id
    }
}

extension LayerProperties {
    /// Places a layer so that its bounds, without a transform, cover a rectangle of the superlayer.
    package mutating func setFrame(_ frame: Rect) {
        bounds = Rect(origin: bounds.origin, size: frame.size)
        position = Point(
            frame.minX + anchorPoint.x * frame.width, frame.minY + anchorPoint.y * frame.height)
    }
}

extension ImageContent {
    /// An image from a function of column and row (from the top), straight colors.
    package static func drawn(width: Int, height: Int, _ color: (_ x: Int, _ y: Int) -> Color) -> ImageContent {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(width * height * 4)
        for y in 0..<height {
            for x in 0..<width {
                let ink = Ink(color(x, y))
                for value in [ink.blue, ink.green, ink.red, ink.alpha] { bytes.append(roundedByte(value)) }
            }
        }
        let isOpaque = stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 }
        return ImageContent(
            width: width, height: height, bytesPerRow: width * 4, isOpaque: isOpaque, pixels: PixelStorage(bytes))
    }
}
