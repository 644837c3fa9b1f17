// Key paths of animations and states into filters and emitter cells. A layer's filters may stand after its animations in a file, and a
// state may change another layer, so such paths are noted where they are read and looked up when every layer is there.

import CoreAnimation
import LayerModel

/// The key paths into filters and cells that were read so far.
final class NamedParts {
    struct Reference {
        /// The layer's element.
        var layer: Int
        var target: AnimationTarget
        /// Where a warning points.
        var offset: Int
        /// Before and behind what is missing.
        var message: String
        var subject: String
        var animation: CAAnimation?
    }

    private var references: [Reference] = []

    func note(_ reference: Reference) { references.append(reference) }

    /// What was noted since the last call.
    func take() -> [Reference] {
        defer { references = [] }
        return references
    }
}

/// The filters and cells of a layer that key paths can name, also while a state has added them.
struct NameableParts {
    private var filters: [LayerFilter] = []
    private var backgroundFilters: [LayerFilter] = []
    private var cells: [EmitterCell] = []
    /// Of a list: more than any layer may have.
    private static let mostFilters = 128

    init(_ node: SceneNode) {
        for filter in node.filters ?? [] { add(filter, to: LayerProperty.filters.key) }
        for filter in node.backgroundFilters ?? [] { add(filter, to: LayerProperty.backgroundFilters.key) }
        cells = Self.cells(node.emitterCells ?? [], depth: 0)
    }

    mutating func add(_ filter: CAFilter, to keyPath: String) {
        guard let kind = LayerFilter.Kind(typeName: filter.type) else { return }
        let value = LayerFilter(kind, name: filter.name)
        if keyPath == LayerProperty.backgroundFilters.key {
            if backgroundFilters.count < Self.mostFilters { backgroundFilters.append(value) }
        } else if filters.count < Self.mostFilters {
            filters.append(value)
        }
    }

    private static func cells(_ cells: [CAEmitterCell], depth: Int) -> [EmitterCell] {
        guard depth < EmitterCell.deepest else { return [] }
        return cells.prefix(EmitterCell.most).map { cell in
            var result = EmitterCell()
            result.name = cell.name
            result.cells = Self.cells(cell.emitterCells ?? [], depth: depth + 1)
            return result
        }
    }

    /// What is missing, for a message; nil where the target is there.
    func lack(of target: AnimationTarget) -> String? {
        target.lack(filters: filters, backgroundFilters: backgroundFilters, cells: cells)
    }
}

extension SceneTree {
    /// Warns of what was noted and is not there, and leaves out what states would set there.
    ///
    /// - Parameter warn: Called with a place and a message.
    mutating func lookUp(_ references: [NamedParts.Reference], warn: (Int, String) -> Void) {
        guard !references.isEmpty else { return }
        var nodesByElement: [Int: Int] = [:]
        for (index, node) in nodes.enumerated() where nodesByElement[node.element] == nil {
            nodesByElement[node.element] = index
        }
        var added: [Int: [(keyPath: String, filter: CAFilter)]] = [:]
        for element in nodes.lazy.flatMap(\.states).flatMap(\.elements) {
            guard case .addFilter(let keyPath, let filter, _) = element.change else { continue }
            added[element.target.element, default: []].append((keyPath, filter))
        }
        let layers = nodes
        var parts: [Int: NameableParts] = [:]
        func lack(of target: AnimationTarget, in element: Int) -> String? {
            guard let node = nodesByElement[element] else { return nil }
            if parts[element] == nil {
                var some = NameableParts(layers[node])
                for (keyPath, filter) in added[element] ?? [] { some.add(filter, to: keyPath) }
                parts[element] = some
            }
            return parts[element]?.lack(of: target)
        }
        for reference in references {
            guard let lack = lack(of: reference.target, in: reference.layer) else { continue }
            warn(reference.offset, "\(reference.message)\(lack)\(reference.subject)")
            reference.animation?.isFaultReported = true
        }
        for index in nodes.indices {
            for state in nodes[index].states.indices {
                nodes[index].states[state].elements.removeAll { element in
                    guard case .set(let keyPath, _) = element.change, let target = AnimationTarget(keyPath: keyPath),
                        target.isNamedPart
                    else { return false }
                    return lack(of: target, in: element.target.element) != nil
                }
            }
        }
    }
}
