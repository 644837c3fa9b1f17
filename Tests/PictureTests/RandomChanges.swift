import Glibc
import LayerModel
import ReferenceCompositor

/// Commits that change a random scene here and there: each a few properties, or a list of sublayers.
struct RandomChanges {
    private var random: SplitMix64
    private let layers: [LayerID]
    private let root: LayerID
    private var properties: [LayerID: [LayerProperty: PropertyValue]] = [:]
    private var sublayers: [LayerID: [LayerID]] = [:]
    private var filters: [[LayerFilter]] = [[]]

    init(seed: UInt64, of scene: RandomScene) {
        random = SplitMix64(seed: seed)
        var layers: [LayerID] = []
        var root = LayerID.none
        for op in scene.transactions.flatMap(\.ops) {
            switch op {
            case .createLayer(let layer, _): layers.append(layer)
            case .setRoot(let layer): root = layer
            case .setSublayers(let layer, let list): sublayers[layer] = list
            case .set(let layer, let property, let value):
                properties[layer, default: [:]][property] = value
                if case .filters(let list) = value { filters.append(list) }
            default: break
            }
        }
        self.layers = layers
        self.root = root
    }

    /// - Returns: Nil for a scene without a layer but the root.
    mutating func next(at time: Double) -> Transaction? {
        let others = layers.filter { $0 != root }
        guard !others.isEmpty else { return nil }
        var transaction = Transaction(time: time)
        for _ in 0..<random.integer(1...3) {
            let layer = random.pick(others)
            if random.chance(0.1) {
                guard let (superlayer, list) = sublayers.sorted(by: { $0.key.rawValue < $1.key.rawValue }).first,
                    !list.isEmpty
                else { continue }
                var changed = list
                let moved = changed.remove(at: random.integer(0...changed.count - 1))
                if random.chance(0.7) { changed.insert(moved, at: random.integer(0...changed.count)) }
                sublayers[superlayer] = changed
                transaction.ops.append(.setSublayers(superlayer, changed))
                continue
            }
            let (property, value) = change(of: layer)
            properties[layer, default: [:]][property] = value
            transaction.ops.append(.set(layer, property, value))
        }
        return transaction
    }

    private mutating func change(of layer: LayerID) -> (LayerProperty, PropertyValue) {
        func now(_ property: LayerProperty) -> PropertyValue? { properties[layer]?[property] }
        switch random.integer(0...12) {
        case 0, 1, 2:
            var place = Point.zero
            if case .point(let point)? = now(.position) { place = point }
            let step = random.pick([1, 4, 0.25])
            return (
                .position,
                .point(
                    Point(
                        place.x + Double(random.integer(-3...3)) * step,
                        place.y + Double(random.integer(-3...3)) * step))
            )
        case 3: return (.opacity, .number(random.pick([1, 0.75, 0.5, 0])))
        case 4:
            return (
                .backgroundColor, .color(Color(random.unit(), random.unit(), random.unit(), random.pick([1, 0.5])))
            )
        case 5: return (.hidden, .bool(random.chance(0.5)))
        case 6:
            guard case .rect(let rect)? = now(.bounds) else { return (.hidden, .bool(false)) }
            return (
                .bounds,
                .rect(
                    Rect(
                        rect.minX, rect.minY, max(rect.width + Double(random.integer(-4...4)), 1),
                        max(rect.height + Double(random.integer(-4...4)), 1)))
            )
        case 7: return (.cornerRadius, .number(random.pick([0, 5, 12])))
        case 8: return (.shadowOffset, .point(Point(Double(random.integer(-5...5)), Double(random.integer(-5...5)))))
        case 9: return (.filters, .filters(random.pick(filters)))
        case 10: return (.masksToBounds, .bool(random.chance(0.5)))
        case 11: return (.shouldRasterize, .bool(random.chance(0.5)))
        default: return (.zPosition, .number(random.pick([0, 1, 2])))
        }
    }
}
