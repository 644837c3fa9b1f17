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
        guard let object = layer.compositingFilter else { return }
        if let filter = object as? CAFilter, CompositingMode(filterName: filter.type) != nil {
            var child = WrittenElement("compositingFilter", [("type", "CAFilter"), ("filter", filter.type)])
            set(
                ObjectDescription(filter, of: layer, in: "compositingFilter", session: session).values, of: &child,
                layer)
            element.children.append(child)
        } else if let name = KeyedValue.string(object), let mode = CompositingMode(filterName: name) {
            element.set("compositingFilter", mode.filterName)
        } else {
            session.warn(layer, "compositingFilter is left out: it is none that is known")
        }
    }

    /// Nil after a warning.
    func filter(_ object: Any, of layer: CALayer, in key: String) -> WrittenElement? {
        guard let filter = object as? CAFilter else {
            session.warn(layer, "\(key): a \(type(of: object)) is left out")
            return nil
        }
        guard FilterVocabulary.isKnown(filter.type) else {
            session.warn(
                layer, "\(key): the filter \(WritingSession.clean(filter.type.prefix(64))) is not known; it is left out"
            )
            return nil
        }
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
        for cell in cells {
            guard depth <= EmitterCell.deepest else {
                session.warn(layer, "emitterCells: cells lie at most \(EmitterCell.deepest) deep in one another")
                break
            }
            let description = ObjectDescription(cell, of: layer, session: session)
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
        let animations = layer.addedAnimations
        var list = WrittenElement("animations")
        for ((key, animation), writtenKey) in zip(animations, animations.writtenKeys) {
            let name = key ?? writtenKey ?? (animation as? CAPropertyAnimation)?.keyPath ?? ""
            guard let motion = MotionDescription(animation, of: layer, key: name, session: session) else { continue }
            list.children.append(self.animation(motion, key: writtenKey, of: layer))
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
