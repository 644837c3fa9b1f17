// Filters, emitter cells and animations of a layer as CAML.

import CoreAnimation
import Foundation
import LayerModel

extension CAMLWriter {
    // MARK: Filters

    func addFilters(of layer: CALayer, to element: inout WrittenElement) {
        for (key, list) in [("filters", layer.filters), ("backgroundFilters", layer.backgroundFilters)] {
            let filters = (list ?? []).compactMap { filter($0, of: layer, in: key) }
            if !filters.isEmpty { element.children.append(WrittenElement(key, [], filters)) }
        }
        switch session.compositing(of: layer) {
        case .filter(let filter):
            var child = WrittenElement("compositingFilter", [("type", "CAFilter"), ("filter", filter.type)])
            set(
                ObjectDescription(filter, of: layer, in: "compositingFilter", session: session).values, of: &child,
                layer)
            element.children.append(child)
        case .name(let name): element.set("compositingFilter", name)
        case nil: break
        }
    }

    /// Nil after a warning.
    func filter(_ object: Any, of layer: CALayer, in key: String) -> WrittenElement? {
        guard let filter = session.filter(object, of: layer, in: key) else { return nil }
        var element = WrittenElement("CAFilter", [("filter", filter.type)])
        if let name = filter.name, let id = ids.id(ofFilter: name, in: key, of: layer) { element.set("id", id) }
        set(ObjectDescription(filter, of: layer, in: key, session: session).values, of: &element, layer)
        return element
    }

    // MARK: Emitter cells

    func addCells(of layer: CALayer, to element: inout WrittenElement) {
        guard let cells = (layer as? CAEmitterLayer)?.emitterCells, !cells.isEmpty else { return }
        element.children.append(self.cells(cells, of: layer, depth: 1))
    }

    private func cells(_ cells: [CAEmitterCell], of layer: CALayer, depth: Int) -> WrittenElement {
        var list = WrittenElement("emitterCells")
        for description in session.cells(cells, of: layer, depth: depth) {
            var element = WrittenElement("CAEmitterCell")
            set(description.values, of: &element, layer)
            if !description.cells.isEmpty {
                element.children.append(self.cells(description.cells, of: layer, depth: depth + 1))
            }
            list.children.append(element)
        }
        return list
    }

    // MARK: Animations

    func addAnimations(of layer: CALayer, to element: inout WrittenElement) {
        var list = WrittenElement("animations")
        for (key, motion) in session.motions(of: layer) {
            list.children.append(animation(motion, key: key, of: layer))
        }
        if !list.children.isEmpty { element.children.append(list) }
    }

    /// - Parameter key: Nil where the reader gives it the same.
    func animation(_ motion: MotionDescription, key: String?, of layer: CALayer) -> WrittenElement {
        var element = WrittenElement("animation", [("type", motion.className)])
        if let key { set([("key", .text(key))], of: &element, layer) }
        if let path = motion.keyPath { element.set("keyPath", path) }
        for (key, value) in motion.values {
            switch key {
            case "fromValue", "toValue", "byValue", "path":
                let kind = key == "path" ? .path : motion.kind
                if let child = self.element(key, value, layer, key: key, kind: kind) { element.children.append(child) }
            case "values":
                if let child = self.element(key, value, layer, key: key, kind: motion.kind, isNamed: true) {
                    element.children.append(child)
                }
            case _ where AnimationVocabulary.fields[key] == .numbers:
                if let child = self.element(key, value, layer, key: key, kind: .number, isNamed: true) {
                    element.children.append(child)
                }
            default: set([(key, value)], of: &element, layer)
            }
        }
        if !motion.members.isEmpty {
            let members = motion.members.map { animation($0, key: nil, of: layer) }
            element.children.append(WrittenElement("animations", [], members))
        }
        return element
    }
}
