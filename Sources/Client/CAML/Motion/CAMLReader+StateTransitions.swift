// The transitions between the states of a CAML layer: animations by the key paths of what changes. Source: the semantic
// reference, §6.13, §8.2 and §8.6.

import CoreAnimation
import LayerModel

extension CAMLReader {
    func readStateTransitions(_ index: Int, of owner: Int) -> [SceneStateTransition] {
        var transitions: [SceneStateTransition] = []
        for child in tree.children(of: index) {
            let element = tree[child]
            guard stateWord(element.name) == "Transition" else {
                reportSkipped(child, "<\(element.name)> is ignored: it is not a state transition")
                continue
            }
            var transition = SceneStateTransition(from: "*", to: "*")
            var duration: Double?
            for attribute in element.attributes {
                switch attribute.name {
                case "fromState": transition.from = attribute.value
                case "toState": transition.to = attribute.value
                case "duration": duration = stateNumber(attribute, of: element.name)
                case "id", "enabled": break
                default: warnUnknownAttribute(attribute, of: element.name)
                }
            }
            for list in tree.children(of: child) {
                guard tree[list].name == "elements" else {
                    reportSkipped(list, "<\(tree[list].name)> in a state transition is not known; it is ignored")
                    continue
                }
                for inner in tree.children(of: list) {
                    if let element = readTransitionElement(inner, of: owner, duration) {
                        transition.elements.append(element)
                    }
                }
            }
            transitions.append(transition)
        }
        return transitions
    }

    private func readTransitionElement(
        _ index: Int, of owner: Int, _ transitionDuration: Double?
    ) -> SceneStateTransition.Element? {
        let element = tree[index]
        guard stateWord(element.name) == "TransitionElement" else {
            reportSkipped(index, "<\(element.name)> in a state transition is not known; it is ignored")
            return nil
        }
        var duration = transitionDuration
        var delay = 0.0
        for attribute in element.attributes {
            switch attribute.name {
            case "beginTime":
                delay = stateNumber(attribute, of: element.name) ?? 0
                if delay < 0 {
                    warn(attribute, "beginTime of <\(element.name)> is below 0; it counts as 0")
                    delay = 0
                }
            case "duration": duration = stateNumber(attribute, of: element.name) ?? duration
            case "enabled", "targetId", "key", "keyPath", "final", "id": break
            default: warnUnknownAttribute(attribute, of: element.name)
            }
        }
        guard isEnabled(element) else { return nil }
        guard let keyPath = (element.attribute("key") ?? element.attribute("keyPath"))?.value, !keyPath.isEmpty else {
            reportSkipped(index, "<\(element.name)> names no key; it is ignored")
            return nil
        }
        guard let target = stateTarget(index, of: owner) else { return nil }
        guard let child = tree.children(of: index).first(where: { _ in true }) else {
            warn(index, "<\(element.name)> holds no animation; it is ignored")
            return nil
        }
        note(subjectLayer: target.element)
        guard let animation = readAnimation(child, of: plainClass(of: target.element), keyPath: keyPath) else {
            return nil
        }
        if let duration, duration > 0, !(animation.duration > 0) { animation.duration = duration }
        return SceneStateTransition.Element(target: target, keyPath: keyPath, animation: animation, delay: delay)
    }
}
