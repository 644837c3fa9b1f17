// The states of a CAML layer and the transitions between them. A target that is not there is reported and passed over, as is
// what a state changes that isn't drawn. Source: the semantic reference, §6.13, §8.2 and §8.6.

import CoreAnimation
import LayerModel

extension CAMLReader {
    // MARK: States

    /// - Parameters:
    ///   - owner: The element of the layer that has the states.
    ///   - detached: Gets the elements of layers that states add.
    func readStates(_ index: Int, of owner: Int, detached: inout [Int]) -> [SceneState] {
        var states: [SceneState] = []
        var names: Set<String> = []
        for child in tree.children(of: index) {
            let element = tree[child]
            guard element.name == "LKState" || element.name == "CAState" else {
                reportSkipped(child, "<\(element.name)> is ignored: it is not a state")
                continue
            }
            guard let name = element.attribute("name")?.value, !name.isEmpty else {
                reportSkipped(child, "the state is ignored: it has no name")
                continue
            }
            guard names.insert(name).inserted else {
                reportSkipped(child, "the state \(name.prefix(60)) is ignored: the layer has one of that name")
                continue
            }
            var state = SceneState(name: name)
            let isEnabled = self.isEnabled(element)
            for attribute in element.attributes {
                switch attribute.name {
                case "basedOn": state.basedOn = attribute.value.isEmpty ? nil : attribute.value
                // No state is chosen but by who asks for it.
                case "initial": state.isInitial = (try? ScalarSyntax.boolean(attribute.value)) ?? false
                case "name", "id", "locked", "enabled": break
                case "nextDelay", "previousDelay":
                    if !CAMLReader.isNeutral(attribute.value, among: ["0", ""]) {
                        warn(attribute, "\(attribute.name) is ignored: states don't follow by themselves")
                    }
                default: warnUnknownAttribute(attribute, of: element.name)
                }
            }
            for list in tree.children(of: child) {
                guard tree[list].name == "elements" else {
                    reportSkipped(list, "<\(tree[list].name)> in a state is not known; it is ignored")
                    continue
                }
                for change in tree.children(of: list) {
                    if let element = readStateElement(change, of: owner, detached: &detached) {
                        state.elements.append(element)
                    }
                }
            }
            if isEnabled { states.append(state) }
        }
        for state in states {
            guard let base = state.basedOn, !names.contains(base) else { continue }
            warn(index, "the state \(state.name.prefix(60)) is based on \(base.prefix(60)), which is not there")
        }
        return states
    }

    /// The prefix of private classes may be either.
    func stateWord(_ name: String) -> Substring? {
        for prefix in ["LKState", "CAState"] where name.hasPrefix(prefix) { return name.dropFirst(prefix.count) }
        return nil
    }

    private func readStateElement(_ index: Int, of owner: Int, detached: inout [Int]) -> SceneStateElement? {
        let element = tree[index]
        guard isEnabled(element) else { return nil }
        let word = stateWord(element.name)
        let known: Set<String> =
            switch word {
            case "SetValue": ["keyPath", "value", "type"]
            case "AddAnimation", "RemoveAnimation": ["key", "keyPath"]
            case "AddElement": ["keyPath", "object", "beforeObject"]
            case "RemoveElement": ["keyPath", "object"]
            default: []
            }
        guard !known.isEmpty else {
            let names = ["SetValue", "AddAnimation", "RemoveAnimation", "AddElement", "RemoveElement"]
            let hint = NameHint.near(element.name, among: names.map { "LKState" + $0 })
            reportSkipped(index, "<\(element.name)> in a state is not known\(hint); it is ignored")
            return nil
        }
        for attribute in element.attributes
        where !known.contains(attribute.name) && !["targetId", "final", "id", "enabled"].contains(attribute.name) {
            warnUnknownAttribute(attribute, of: element.name)
        }
        guard let target = stateTarget(index, of: owner) else { return nil }
        let change: SceneStateElement.Change?
        switch word {
        case "SetValue": change = readSetValue(index, target)
        case "AddAnimation": change = readAddAnimation(index, target)
        case "RemoveAnimation":
            change = (element.attribute("key") ?? element.attribute("keyPath")).map { .removeAnimation(key: $0.value) }
            if change == nil { warn(index, "<\(element.name)> names no key; it is ignored") }
        case "AddElement": change = readListElement(index, isAdded: true, detached: &detached)
        default: change = readListElement(index, isAdded: false, detached: &detached)
        }
        return change.map { SceneStateElement(target: target, change: $0) }
    }

    private func readSetValue(_ index: Int, _ target: SceneLayerReference) -> SceneStateElement.Change? {
        let element = tree[index]
        guard let keyPath = element.attribute("keyPath")?.value, !keyPath.isEmpty else {
            reportSkipped(index, "<\(element.name)> names no keyPath; it is ignored")
            return nil
        }
        let name = keyPath.prefix(80)
        switch SceneKeyPath(keyPath, in: plainClass(of: target.element)) {
        case .noEffect: return nil
        case .later(let feature):
            reportSkipped(index, "the state's \(name) is ignored: not drawn yet (\(feature))")
            return nil
        case .elsewhere(let classes):
            reportSkipped(index, "the state's \(name) is ignored: only \(NameHint.only(classes)) it")
            return nil
        case .unknown:
            let hint = NameHint.keyPath(keyPath, in: plainClass(of: target.element))
            reportSkipped(index, "the state's \(name) is ignored: the key path is not known\(hint)")
            return nil
        case .known(let kind, _):
            let owner = SceneKeyPath.clientOwner(of: keyPath, in: plainClass(of: target.element))
            if let owner, owner != className(ofReferred: target.element) {
                reportSkipped(index, "the state's \(name) is ignored: only a \(owner) has it")
                return nil
            }
            // The value is an element, or an attribute.
            let inner = tree.children(of: index).first { tree[$0].name == "value" }
            let place = inner ?? tree.children(of: index).first { _ in true }
            guard place != nil || element.attribute("value") != nil else {
                warn(index, "<\(element.name)> has no value; it is ignored")
                return nil
            }
            if let part = AnimationTarget(keyPath: keyPath), part.isNamedPart {
                let path = element.attribute("keyPath")
                namedParts.note(
                    NamedParts.Reference(
                        layer: target.element, target: part, offset: path?.offset ?? element.offset,
                        message: "the state's \(name) is ignored: ", subject: subject.text))
            }
            return readValue(place ?? index, as: kind).map { .set(keyPath: keyPath, value: $0) }
        }
    }

    private func readAddAnimation(_ index: Int, _ target: SceneLayerReference) -> SceneStateElement.Change? {
        let element = tree[index]
        guard let child = tree.children(of: index).first(where: { _ in true }) else {
            warn(index, "<\(element.name)> holds no animation; it is ignored")
            return nil
        }
        let key = element.attribute("key")?.value ?? tree[child].attribute("key")?.value
        note(subjectLayer: target.element)
        guard let animation = readAnimation(child, of: plainClass(of: target.element)) else { return nil }
        return .addAnimation(
            SceneAnimation(
                key: key ?? (animation as? CAPropertyAnimation)?.keyPath ?? "animation", animation: animation))
    }

    private func readListElement(
        _ index: Int, isAdded: Bool, detached: inout [Int]
    ) -> SceneStateElement.Change? {
        let element = tree[index]
        let list = element.attribute("keyPath")?.value ?? "sublayers"
        // The object is named, or is the element in it, bare or in `<object>`.
        var object: Int?
        if let name = element.attribute("object") {
            object = self.element(withReference: name.value)
        } else if let child = tree.children(of: index).first(where: { tree[$0].name != "beforeObject" }) {
            object = followingReference(child, "the object")
            if let some = object, tree[some].name == "object", tree[some].attribute("type") == nil,
                let inner = tree.children(of: some).first(where: { _ in true })
            {
                object = inner
            }
        }
        guard let object else {
            warn(index, "<\(element.name)> names no object that is there; it is ignored")
            return nil
        }
        let before = element.attribute("beforeObject").flatMap { self.element(withReference: $0.value) }
        switch list {
        case "sublayers":
            guard isLayerElement(object) else { break }
            let reference = SceneLayerReference(object)
            guard isAdded else { return .removeSublayer(reference) }
            if tree.subtree(of: index).contains(object) { detached.append(object) }
            return .addSublayer(reference, before: before.map { SceneLayerReference($0) })
        case "filters", "backgroundFilters":
            guard isAdded else {
                guard let name = tree[object].attribute("name")?.value else { break }
                return .removeFilter(keyPath: list, name: name)
            }
            guard let filter = readFilterObject(object) else { return nil }
            return .addFilter(keyPath: list, filter, before: before.flatMap { tree[$0].attribute("name")?.value })
        default: break
        }
        reportSkipped(index, "<\(element.name)> of \(list.prefix(60)) is ignored: it is not known")
        return nil
    }

    // MARK: What elements mean

    /// The layer that `targetId` names, else the layer that has the states; nil after a report.
    func stateTarget(_ index: Int, of owner: Int) -> SceneLayerReference? {
        guard let id = tree[index].attribute("targetId") else { return SceneLayerReference(owner) }
        guard let element = element(withReference: id.value), isLayerElement(element) else {
            warn(id, "targetId=\"\(id.value.prefix(60))\" names no layer; the element is ignored")
            return nil
        }
        return SceneLayerReference(element)
    }

    private func isLayerElement(_ index: Int) -> Bool {
        let name = tree[index].name
        if CAMLVocabulary.isLayer(name) { return true }
        guard ["mask", "object"].contains(name), let type = tree[index].attribute("type")?.value else { return false }
        return CAMLVocabulary.isLayer(type)
    }

    /// As `layerClass(of:)`, without a word about it.
    func plainClass(of index: Int) -> LayerClass {
        let element = tree[index]
        let name = CAMLVocabulary.isLayer(element.name) ? element.name : element.attribute("type")?.value
        return name.flatMap { CAMLVocabulary.layerClass(named: $0) } ?? .layer
    }

    /// The class that an element names for its layer, whether it is drawn as that or not.
    func className(ofReferred index: Int) -> String {
        let element = tree[index]
        return CAMLVocabulary.isLayer(element.name) ? element.name : element.attribute("type")?.value ?? "CALayer"
    }

    func stateNumber(_ attribute: MarkupAttribute, of holder: String) -> Double? {
        do throws(ScalarFault) {
            return try ScalarSyntax.number(attribute.value)
        } catch {
            warn(
                attribute,
                "\(attribute.name)=\"\(attribute.value.prefix(60))\" of <\(holder)> \(error.message); it is ignored")
            return nil
        }
    }

    func warnUnknownAttribute(_ attribute: MarkupAttribute, of holder: String) {
        if AnimationVocabulary.hasNoEffect(attribute.name) { return }
        let names = [
            "name", "basedOn", "initial", "enabled", "fromState", "toState", "targetId", "key", "keyPath", "value",
            "object",
            "beforeObject", "beginTime", "duration",
        ]
        let hint = NameHint.near(attribute.name, among: names)
        warn(attribute, "the attribute \(attribute.name.prefix(60)) of <\(holder)> is not known\(hint); it is ignored")
    }
}
