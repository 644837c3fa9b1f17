/// Layers in the order in which they came, each once, that are not kept alive.
///
/// Adding takes constant time: those that are gone are looked for each time their number could have doubled.
struct WeakLayers<Layer: CALayer> {
    private struct Entry {
        weak var layer: Layer?
        var number: UInt64
    }

    /// An address may be that of a layer that is gone: the entry's layer decides.
    private var entries: [ObjectIdentifier: Entry] = [:]
    private var lastNumber: UInt64 = 0
    private var countAtNextLook = 64

    /// May be false where all are gone.
    var isEmpty: Bool { entries.isEmpty }

    /// A layer that is there already keeps its place.
    mutating func add(_ layer: Layer) {
        let id = ObjectIdentifier(layer)
        guard entries[id]?.layer !== layer else { return }
        if entries.count >= countAtNextLook {
            entries = entries.filter { $0.value.layer != nil }
            countAtNextLook = max(64, 2 * entries.count)
        }
        lastNumber += 1
        entries[id] = Entry(layer: layer, number: lastNumber)
    }

    mutating func remove(_ layer: Layer) { entries[ObjectIdentifier(layer)] = nil }

    func contains(where isWanted: (Layer) -> Bool) -> Bool {
        entries.values.contains { $0.layer.map(isWanted) ?? false }
    }

    /// Those for which something holds, in their order.
    func filter(_ isWanted: (Layer) -> Bool) -> [Layer] {
        var found: [(layer: Layer, number: UInt64)] = []
        for entry in entries.values {
            if let layer = entry.layer, isWanted(layer) { found.append((layer, entry.number)) }
        }
        return found.sorted { $0.number < $1.number }.map(\.layer)
    }
}
