// Animations of a JSON scene: a list of objects with the names of CAML's attributes, and values as the layers have them. A
// value of the wrong type is an error; what can't be played, and a word that is none, is a warning. Source: docs/scene-json.md, "Animations".

import CoreAnimation
import Foundation
import LayerModel

extension SceneJSONReader {
    /// The animations of a layer; none for null.
    ///
    /// - Parameter layer: The layer's class, as the server knows it and by its name.
    func animations(
        _ value: Int, _ path: String, of layer: (kind: LayerClass, name: String), depth: Int = 0
    ) throws -> [SceneAnimation] {
        if json[value].kind == .null { return [] }
        guard case .array = json[value].kind else {
            throw error(value, "\(path) is \(json[value].kind.noun), not a list of animations")
        }
        var animations: [SceneAnimation] = []
        var keys: Set<String> = []
        for (position, child) in json.children(of: value).enumerated() {
            let place = "\(path)[\(position)]"
            guard let (animation, written) = try animation(child, place, of: layer, depth: depth) else { continue }
            var key = written ?? (animation as? CAPropertyAnimation)?.keyPath ?? ""
            if key.isEmpty || (written == nil && keys.contains(key)) { key = "\(position)" }
            keys.insert(key)
            animations.append(SceneAnimation(key: key, animation: animation))
        }
        return animations
    }

    /// Nil after a warning, for what can't be played.
    private func animation(
        _ value: Int, _ path: String, of layer: (kind: LayerClass, name: String), depth: Int
    ) throws -> (CAAnimation, key: String?)? {
        guard case .object = json[value].kind else {
            throw error(value, "\(path) is \(json[value].kind.noun), not an animation")
        }
        let members = members(of: value)
        func member(_ name: String) -> Int? { members.first { $0.key == name }?.value }
        guard let className = member("class") else {
            throw error(value, "\(path).class is missing: \(AnimationVocabulary.classes.joined(separator: ", "))")
        }
        let name = try string(className, "\(path).class")
        guard let animation = AnimationVocabulary.animation(ofClass: name) else {
            let hint = NameHint.near(name, among: AnimationVocabulary.classes)
            warn(
                json[className].offset,
                "\(path): \(name.prefix(60)) is no animation that is played\(hint); it is left out")
            return nil
        }
        guard depth < AnimationDescription.maximumDepth || !(animation is CAAnimationGroup) else {
            throw error(value, "\(path): groups lie at most \(AnimationDescription.maximumDepth) deep in one another")
        }
        if animation is CATransition, let keyPath = member("keyPath") {
            warn(json[keyPath].keyOffset, "\(path).keyPath is ignored: a CATransition has none")
        }
        var kind = SceneValueKind.number
        if let property = animation as? CAPropertyAnimation {
            guard let keyPath = member("keyPath") else { throw error(value, "\(path).keyPath is missing") }
            let text = try string(keyPath, "\(path).keyPath")
            guard !text.isEmpty else {
                warn(json[keyPath].offset, "\(path) is ignored: its keyPath is empty")
                return nil
            }
            property.keyPath = text
            if let function = member("valueFunction"), json[function].kind != .null {
                try set("valueFunction", function, of: animation, kind, "\(path).valueFunction")
            }
            guard let some = valueKind(of: property, layer, keyPath, path) else { return nil }
            kind = some
            if let target = AnimationTarget(keyPath: text), target.isNamedPart {
                namedParts.note(
                    NamedParts.Reference(
                        layer: -1, target: target, offset: json[keyPath].offset,
                        message: "\(path) shows nothing: \(text.prefix(80)): ", subject: "", animation: animation))
            }
        }
        var key: String?
        var followsSpring = false
        for (name, value) in members where !["class", "keyPath", "valueFunction"].contains(name) {
            let place = "\(path).\(name)"
            if json[value].kind == .null { continue }
            switch name {
            case "key": key = try string(value, place)
            case AnimationVocabulary.followsSpring where animation is CASpringAnimation:
                followsSpring = try flag(value, place)
            case "animations" where animation is CAAnimationGroup:
                let members = try animations(value, place, of: layer, depth: depth + 1)
                animation.setValue(members.map(\.animation), forKey: name)
            case _ where AnimationVocabulary.fields[name] != nil && AnimationVocabulary.has(name, animation):
                try set(name, value, of: animation, kind, place)
            case _ where AnimationVocabulary.hasNoEffect(name): break
            default: warnUnknown(value, place, NameHint.near(name, among: AnimationVocabulary.names(of: animation)))
            }
        }
        if followsSpring, let spring = animation as? CASpringAnimation { spring.duration = spring.settlingDuration }
        if let fault = AnimationVocabulary.fault(of: animation) {
            warn(json[value].offset, "\(path) \(fault)")
            animation.isFaultReported = true
        }
        return (animation, key)
    }

    private func valueKind(
        of animation: CAPropertyAnimation, _ layer: (kind: LayerClass, name: String), _ place: Int, _ path: String
    ) -> SceneValueKind? {
        let keyPath = animation.keyPath ?? ""
        let reason: String
        switch SceneKeyPath(keyPath, in: layer.kind) {
        case .known(let kind, let isAnimatable):
            if let owner = SceneKeyPath.clientOwner(of: keyPath, in: layer.kind), owner != layer.name {
                reason = "is a key that only a \(owner) has"
                break
            }
            guard isAnimatable else {
                reason = "can't be animated"
                break
            }
            guard let function = animation.valueFunction?.function else { return kind }
            if kind == .transform { return SceneKeyPath.kind(for: function) }
            reason = "is no transform, which a valueFunction makes"
        case .later(let feature): reason = "is not drawn yet (\(feature))"
        case .noEffect: reason = "makes no difference to the picture"
        case .elsewhere(let classes): reason = "is a key that only \(NameHint.only(classes))"
        case .unknown: reason = "is not known\(NameHint.keyPath(keyPath, in: layer.kind))"
        }
        warn(json[place].offset, "\(path) is ignored: \(keyPath.prefix(80)) \(reason)")
        return nil
    }

    private func set(
        _ name: String, _ value: Int, of animation: CAAnimation, _ kind: SceneValueKind, _ path: String
    ) throws {
        let object: Any?
        switch AnimationVocabulary.fields[name] {
        case .number, .endless:
            let isEndless = AnimationVocabulary.fields[name] == .endless && json[value].kind == .string("inf")
            let number = isEndless ? Double.infinity : try number(value, path)
            do throws(ScalarFault) { try AnimationVocabulary.checkRange(name, number) } catch {
                return warn(json[value].offset, "\(path) \(error.message); it is ignored")
            }
            object = number
        case .flag: object = try flag(value, path)
        case .name(let words):
            let word = try string(value, path)
            if AnimationVocabulary.saysNothing(word, of: name) { return }
            guard words.contains(word) else {
                let reason = "is not one of: \(words.joined(separator: " "))"
                return warn(json[value].offset, "\(path) \(reason); it is ignored")
            }
            object = word
        case .curve: object = try curve(value, path)
        case .curves: object = try list(value, path) { try curve($0, $1) }
        case .numbers: object = try list(value, path) { try number($0, $1) }
        case .path:
            guard kind.isMovedByPaths else {
                return warn(json[value].offset, "\(path) is ignored: a path moves points, and nothing else")
            }
            object = try motionValue(value, as: .path, path)
        case .value: object = try motionValue(value, as: kind, path)
        case .values: object = try list(value, path) { try motionValue($0, as: kind, $1) }
        case .animations, nil: object = nil
        }
        if let object { animation.setValue(object, forKey: name) }
    }

    private func list<T>(_ value: Int, _ path: String, _ read: (Int, String) throws -> T) throws -> [T] {
        guard case .array = json[value].kind else {
            throw error(value, "\(path) is \(json[value].kind.noun), not a list")
        }
        return try json.children(of: value).enumerated().map { try read($0.element, "\(path)[\($0.offset)]") }
    }

    /// Linear after a warning, for a word that names none.
    private func curve(_ value: Int, _ path: String) throws -> CAMediaTimingFunction {
        if case .string(let name) = json[value].kind {
            do throws(ScalarFault) { return try AnimationVocabulary.curve(name) } catch {
                warn(json[value].offset, "\(path) \(error.message); it is linear")
                return CAMediaTimingFunction(name: .linear)
            }
        }
        do throws(ScalarFault) {
            return try AnimationVocabulary.curve(json.numbers(of: value) ?? [])
        } catch {
            throw self.error(value, "\(path) \(error.message)")
        }
    }

    /// As key-value access takes it.
    private func motionValue(_ value: Int, as kind: SceneValueKind, _ path: String) throws -> Any {
        if kind.takesNull, json[value].kind == .null { return NSNull() }
        switch kind {
        case .flag: return try flag(value, path)
        case .number: return try number(value, path)
        case .point, .size: return kind.object(of: try numbers(value, count: 2, path))
        case .rect: return kind.object(of: try numbers(value, count: 4, path))
        case .numbers(let count): return kind.object(of: try numbers(value, count: count, path))
        case .transform:
            guard let transform = Transform(elements: try numbers(value, count: 16, path)), transform.isFinite else {
                throw error(value, "\(path) is too large")
            }
            return CATransform3D(transform)
        case .list(let property):
            guard let numbers = json.numbers(of: value), numbers.count <= property.mostValues else {
                throw error(
                    value, "\(path) is \(json[value].kind.noun), not a list of at most \(property.mostValues) numbers")
            }
            return numbers
        case .colors:
            let most = LayerProperty.colors.mostValues
            guard case .array(let count) = json[value].kind, count <= most else {
                throw error(value, "\(path) is \(json[value].kind.noun), not a list of at most \(most) colors")
            }
            return try list(value, path) { item, place in
                guard let color = try color(item, place) else { throw error(item, "\(place) is null, not a color") }
                return CGColor(color)
            }
        case .color: return try color(value, path).map { CGColor($0) } ?? NSNull()
        case .image: return try image(value, path, without: "nothing is drawn for it") ?? NSNull()
        case .path, .code, .string:
            do throws(ScalarFault) {
                return try kind.object(try text(value))
            } catch {
                throw self.error(value, "\(path) \(error.message)")
            }
        }
    }

    private func text(_ value: Int) throws(ScalarFault) -> String {
        guard case .string(let text) = json[value].kind else {
            throw ScalarFault("is \(json[value].kind.noun), not a string")
        }
        return text
    }
}
