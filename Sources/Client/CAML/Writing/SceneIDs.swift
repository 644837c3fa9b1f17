// What a file calls its layers: the ids that they were read with, and new ones for those that states mean.

import CoreAnimation

/// The ids of one file.
package struct SceneIDs {
    private var layers: [ObjectIdentifier: String]
    private var filters: [FilterPlace: String] = [:]
    private var taken: Set<String>
    /// Layers that hang in the tree, whatever state it is in.
    var standing: Set<ObjectIdentifier> = []

    private struct FilterPlace: Hashable {
        var layer: ObjectIdentifier
        var key: String
        var name: String
    }

    /// - Parameter source: In none of its states.
    init(_ source: SceneSource, _ session: WritingSession) {
        layers = source.ids.filter { MarkupText.replacingForbidden($0.value) == nil && !$0.value.isEmpty }
        taken = Set(layers.values)
        var pending = source.roots
        while let layer = pending.popLast() {
            guard standing.insert(ObjectIdentifier(layer)).inserted else { continue }
            pending += layer.sublayers ?? []
            if let mask = layer.mask { pending.append(mask) }
        }
        for owner in source.states?.layers ?? [] {
            guard let record = source.states?.record(of: owner) else { continue }
            for state in record.states {
                for element in state.elements { addIDs(element, record, owner) }
            }
            for element in record.transitions.flatMap(\.elements) {
                addID(record.layersByElement[element.target], unless: owner)
            }
        }
    }

    subscript(_ layer: CALayer) -> String? { layers[ObjectIdentifier(layer)] }

    /// The id of the first filter of a name, where a state puts others before it.
    func id(ofFilter name: String, in key: String, of layer: CALayer) -> String? {
        filters[FilterPlace(layer: ObjectIdentifier(layer), key: key, name: name)]
    }

    private mutating func addIDs(_ element: SceneStateElement, _ record: StatefulLayer, _ owner: CALayer) {
        let target = record.layersByElement[element.target]
        addID(target, unless: owner)
        switch element.change {
        case .addSublayer(let object, let before):
            addID(record.layersByElement[object])
            addID(before.flatMap { record.layersByElement[$0] })
        case .removeSublayer(let object): addID(record.layersByElement[object])
        case .addFilter(let key, _, let before?):
            guard let target else { break }
            let place = FilterPlace(layer: ObjectIdentifier(target), key: key, name: before)
            if filters[place] == nil { filters[place] = unused("filter") }
        case .set, .addAnimation, .removeAnimation, .addFilter, .removeFilter: break
        }
    }

    private mutating func addID(_ layer: CALayer?, unless owner: CALayer? = nil) {
        guard let layer, layer !== owner, layers[ObjectIdentifier(layer)] == nil else { return }
        layers[ObjectIdentifier(layer)] = unused("layer")
    }

    private mutating func unused(_ word: String) -> String {
        var number = 1
        while !taken.insert("\(word)-\(number)").inserted { number += 1 }
        return "\(word)-\(number)"
    }
}
