// Replicators, the plain way: for every instance the sublayers are copied with everything below them, at the instance's
// time, and colored: the color is one more filter on each of them, it is in their shadows' color, and its alpha in their
// opacity. Rules: docs/replicators.md.

import LayerModel

extension ReferenceLayer {
    /// It draws nothing itself, and its sublayers are in the space that it is in.
    var passesThrough: Bool {
        layerClass == .transformLayer || layerClass == .replicatorLayer && properties.replicator.preservesDepth
    }

    /// What is shown of the sublayers: of a replicator each instance, with the map to where it is.
    var placedSublayers: [(layers: [ReferenceLayer], space: Transform)] {
        guard let instances else { return [(sublayers, properties.aroundSublayers)] }
        var power = Transform.identity
        return instances.map { layers in
            defer { power = power.concatenating(properties.replicator.transform) }
            return (layers, properties.aroundAnchor(power).concatenating(properties.aroundSublayers))
        }
    }

    /// Copies the sublayers of a replicator.
    /// - Parameter time: Of the layer.
    func makeInstances(at time: Double) {
        instances = nil
        guard layerClass == .replicatorLayer else { return }
        let replicator = properties.replicator
        instances = (0..<min(replicator.instances, 1_000)).map { number in
            let color = replicator.tint(of: number)
            return sublayers.map { sublayer in
                let copy = sublayer.instance(at: time - Double(number) * replicator.delay)
                copy.tint(by: color)
                return copy
            }
        }
    }

    /// The layer with all below it as it is at a time of its superlayer.
    private func instance(at superlayerTime: Double) -> ReferenceLayer {
        let time = model.timing.localTime(ofParent: superlayerTime)
        let copy = ReferenceLayer(id: id, layerClass: layerClass)
        copy.model = model
        copy.animations = animations
        copy.picture = picture
        copy.animationPictures = animationPictures
        copy.filterPictures = filterPictures
        copy.cellPictures = cellPictures
        copy.emitterTime = time
        copy.properties = model
        for (_, animation) in animations where !animation.isOver(at: time) {
            animation.apply(to: &copy.properties, at: time)
        }
        copy.mask = mask?.instance(at: time)
        copy.sublayers = sublayers.map { $0.instance(at: time) }
        copy.oldPicture = oldPicture?.copied()
        copy.makeInstances(at: time)
        copy.showTransition(at: time)
        return copy
    }

    /// Multiplies a color into everything that the layer shows.
    private func tint(by color: Color) {
        let layer = shown
        layer.properties.opacity = min(max(layer.properties.opacity, 0), 1) * color.alpha
        let hue = Color(color.red, color.green, color.blue)
        guard hue != .white else { return }
        if layer.passesThrough {
            for (sublayers, _) in layer.placedSublayers { for sublayer in sublayers { sublayer.tint(by: hue) } }
            return
        }
        layer.properties.filters.append(LayerFilter(.multiplyColor, inputs: [.inputColor: .color(hue)]))
        if let shadow = layer.properties.shadowColor {
            layer.properties.shadowColor = Color(
                shadow.red * hue.red, shadow.green * hue.green, shadow.blue * hue.blue, shadow.alpha)
        }
    }
}
