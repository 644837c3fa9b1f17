// How often, where and in which colors random replicators show their sublayers.

import Glibc
import LayerModel

extension SceneMaker {
    mutating func addInstances(to layer: inout LayerTree) {
        layer.layerClass = .replicatorLayer
        var replicator = ReplicatorProperties()
        replicator.count = Double(random.integer(0...4))
        replicator.delay = random.pick([0, 0, 0.1, 0.35, -0.2])
        let (width, height) = (layer.properties.bounds.width, layer.properties.bounds.height)
        switch random.integer(0...3) {
        case 0:
            replicator.transform = .translation(
                (random.number(-0.4, 0.4) * width / pixel).rounded() * pixel,
                (random.number(-0.4, 0.4) * height / pixel).rounded() * pixel, 0)
        case 1: replicator.transform = .rotation(random.pick([.pi / 2, .pi / 3, random.number(-2, 2)]), 0, 0, 1)
        case 2 where options.contains(.planeTransforms): replicator.transform = .scale(0.8, random.pick([0.8, 1.1]), 1)
        default: replicator.transform = .translation(6, 5, 0)
        }
        if random.chance(0.4) {
            replicator.color = Color(random.unit(), random.unit(), random.unit(), random.pick([1, 1, 0.6]))
        }
        if random.chance(0.5) {
            replicator.redOffset = random.number(-0.4, 0.2)
            replicator.greenOffset = random.number(-0.4, 0.2)
            replicator.blueOffset = random.number(-0.4, 0.2)
        }
        if random.chance(0.25) { replicator.alphaOffset = random.number(-0.35, -0.1) }
        // Tilted sublayers of several instances would cross.
        replicator.preservesDepth =
            options.contains(.transformLayers) && !options.contains(.depth) && random.chance(0.15)
        layer.properties.replicator = replicator
    }
}
