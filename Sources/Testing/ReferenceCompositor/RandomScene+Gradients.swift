// What random gradient layers draw.

import LayerModel

extension SceneMaker {
    mutating func addGradient(to layer: inout LayerTree) {
        layer.layerClass = .gradientLayer
        var gradient = GradientProperties()
        gradient.kind = random.pick(GradientKind.allCases)
        gradient.colors = (0..<random.integer(2...5)).map { _ in color(opaque: 0.7) }
        if random.chance(0.5) {
            gradient.locations = gradient.colors.map { _ in random.number(-0.1, 1.1) }.sorted()
            if random.chance(0.4) { gradient.locations[1] = gradient.locations[0] }
        }
        switch random.integer(0...3) {
        case 0: break
        case 1: (gradient.start, gradient.end) = (Point(0, 0.5), Point(1, 0.5))
        case 2: (gradient.start, gradient.end) = (Point(0.5, 0.5), Point(1, 1))
        default:
            gradient.start = Point(random.number(-0.3, 0.6), random.number(-0.3, 0.6))
            gradient.end = Point(random.number(0.7, 1.4), random.number(0.7, 1.4))
        }
        layer.properties.gradient = gradient
        if random.chance(0.6) { layer.properties.backgroundColor = nil }
    }
}
