// States and the transitions between them as CAML. Source: the semantic reference, §6.13, §8.2 and §8.6.

import CoreAnimation
import Foundation
import LayerModel

extension CAMLWriter {
    mutating func addStates(of layer: CALayer, to element: inout WrittenElement, depth: Int) throws {
        guard let record = source.states?.record(of: layer), !record.states.isEmpty else { return }
        var states = WrittenElement("states")
        for state in record.states {
            var child = WrittenElement("LKState")
            set([("name", .text(state.name))], of: &child, layer)
            if let base = state.basedOn { set([("basedOn", .text(base))], of: &child, layer) }
            if state.isInitial { child.set("initial", "1") }
            var elements = WrittenElement("elements")
            for change in state.elements {
                if let change = try self.change(change, record, layer, depth: depth) {
                    elements.children.append(change)
                }
            }
            child.children.append(elements)
            states.children.append(child)
        }
        element.children.append(states)
        let transitions = record.transitions.map { transition($0, record, layer) }
        if !transitions.isEmpty { element.children.append(WrittenElement("stateTransitions", [], transitions)) }
    }

    /// Nil where it changes nothing, or after a warning.
    private mutating func change(
        _ element: SceneStateElement, _ record: StatefulLayer, _ owner: CALayer, depth: Int
    ) throws -> WrittenElement? {
        guard let target = record.layersByElement[element.target] else { return nil }
        let names = targetID(target, owner)
        switch element.change {
        case .set(let keyPath, let object):
            guard !record.layersByElement.isPlaced(target, keyPath) else { return nil }
            guard case .known(let kind, _) = SceneKeyPath(keyPath, in: target.layerClass),
                let value = WrittenValue(object, as: kind),
                let child = self.element("value", value, target, key: keyPath, kind: kind)
            else {
                session.warn(
                    target, "a state's \(WritingSession.clean(keyPath.prefix(80))) is left out: files can't say it")
                return nil
            }
            return WrittenElement("LKStateSetValue", names + [("keyPath", keyPath)], [child])
        case .addAnimation(let some):
            guard let motion = MotionDescription(some.animation, of: target, key: some.key, session: session) else {
                return nil
            }
            var result = WrittenElement("LKStateAddAnimation", names)
            set([("key", .text(some.key))], of: &result, target)
            result.children = [animation(motion, key: nil, of: target)]
            return result
        case .removeAnimation(let key):
            var result = WrittenElement("LKStateRemoveAnimation", names)
            set([("key", .text(key))], of: &result, target)
            return result
        case .addSublayer(let object, let before):
            guard let layer = record.layersByElement[object] else { return nil }
            var result = WrittenElement("LKStateAddElement", names + [("keyPath", "sublayers")])
            let isNew = ids.stand(layer)
            if !isNew, let id = ids[layer] { result.set("object", "#" + id) }
            if let before = before.flatMap({ record.layersByElement[$0] }), let id = ids[before] {
                result.set("beforeObject", "#" + id)
            }
            if isNew { result.children = [try self.layer(layer, depth: depth + 3)] }
            return result
        case .removeSublayer(let object):
            guard let layer = record.layersByElement[object], let id = ids[layer] else { return nil }
            return WrittenElement("LKStateRemoveElement", names + [("keyPath", "sublayers"), ("object", "#" + id)])
        case .addFilter(let keyPath, let filter, let before):
            guard let child = self.filter(filter, of: target, in: keyPath) else { return nil }
            var result = WrittenElement("LKStateAddElement", names + [("keyPath", keyPath)], [child])
            if let id = before.flatMap({ ids.id(ofFilter: $0, in: keyPath, of: target) }) {
                result.set("beforeObject", "#" + id)
            }
            return result
        case .removeFilter(let keyPath, let name):
            var filter = WrittenElement("CAFilter")
            set([("name", .text(name))], of: &filter, target)
            return WrittenElement("LKStateRemoveElement", names + [("keyPath", keyPath)], [filter])
        }
    }

    private func targetID(_ target: CALayer, _ owner: CALayer) -> [(name: String, value: String)] {
        guard let id = ids[target], target !== owner || ids[owner] != nil else { return [] }
        return [("targetId", id)]
    }

    private func transition(
        _ transition: SceneStateTransition, _ record: StatefulLayer, _ owner: CALayer
    ) -> WrittenElement {
        var result = WrittenElement("LKStateTransition")
        set([("fromState", .text(transition.from)), ("toState", .text(transition.to))], of: &result, owner)
        var elements = WrittenElement("elements")
        for element in transition.elements {
            guard let target = record.layersByElement[element.target],
                let motion = MotionDescription(
                    element.animation, of: target, key: element.keyPath, session: session)
            else { continue }
            var child = WrittenElement("LKStateTransitionElement", targetID(target, owner))
            set([("key", .text(element.keyPath))], of: &child, target)
            if element.delay != 0 { child.set("beginTime", NumberText.text(element.delay)) }
            child.children = [animation(motion, key: nil, of: target)]
            elements.children.append(child)
        }
        result.children.append(elements)
        return result
    }
}

extension SceneIDs {
    /// True the first time that a layer is asked about that doesn't hang in the tree: it is written where it is added.
    mutating func stand(_ layer: CALayer) -> Bool { standing.insert(ObjectIdentifier(layer)).inserted }
}
