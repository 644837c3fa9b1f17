// The animations of a CAML layer: `<animation type="CAKeyframeAnimation" keyPath="…" …>`, later ones also `<p …>`, with
// attributes, or elements of the same names for what is more than a word. Every attribute is set, known to make no
// difference, or reported where it stands. Source: the semantic reference, §8.2, §8.5 and §8.8.

import CoreAnimation
import Foundation
import LayerModel

extension CAMLReader {
    /// Animations that lie deeper in groups are left out.
    private static let maximumDepth = AnimationDescription.maximumDepth

    /// The animations in `<animations>`.
    func readAnimations(_ index: Int, of layerClass: LayerClass) -> [SceneAnimation] {
        readAnimations(index, of: layerClass, depth: 0)
    }

    private func readAnimations(_ index: Int, of layerClass: LayerClass, depth: Int) -> [SceneAnimation] {
        if tree[index].hasText { warn(index, "text in <\(tree[index].name)> is ignored") }
        var animations: [SceneAnimation] = []
        var keys: Set<String> = []
        for (position, child) in tree.children(of: index).enumerated() {
            guard let animation = readAnimation(child, of: layerClass, depth: depth) else { continue }
            // A key that was not written is the key path, or the place among the animations where that is taken.
            var key = tree[child].attribute("key")?.value ?? ""
            if key.isEmpty { key = (animation as? CAPropertyAnimation)?.keyPath ?? "" }
            if key.isEmpty || (tree[child].attribute("key") == nil && keys.contains(key)) { key = "\(position)" }
            keys.insert(key)
            animations.append(SceneAnimation(key: key, animation: animation))
        }
        return animations
    }

    /// Nil after a report, for what is no animation or can't be played.
    ///
    /// - Parameter keyPath: What it animates where it names nothing.
    func readAnimation(
        _ index: Int, of layerClass: LayerClass, keyPath: String? = nil, depth: Int = 0
    ) -> CAAnimation? {
        let element = tree[index]
        let key = (element.attribute("key") ?? element.attribute("keyPath"))?.value ?? keyPath ?? ""
        return subject.reading(key) { readWhole(index, of: layerClass, keyPath: keyPath, depth: depth) }
    }

    /// Animations read from now on are this layer's.
    func note(subjectLayer index: Int) {
        let element = tree[index]
        subject.layer = (element.attribute("name") ?? element.attribute("id"))?.value ?? element.name
        subject.className = className(ofReferred: index)
        subject.element = index
    }

    private func readWhole(_ index: Int, of layerClass: LayerClass, keyPath: String?, depth: Int) -> CAAnimation? {
        let place = index
        guard let index = followingReference(place, "the animation") else { return nil }
        let weight = index == place ? 1 : tree.subtree(of: index).count
        guard motionBudget.take(weight, report: { reportBudget(place) }) else { return nil }
        let element = tree[index]
        guard let animation = emptyAnimation(index) else { return nil }
        guard depth < CAMLReader.maximumDepth || !(animation is CAAnimationGroup) else {
            reportSkipped(index, "the animation is ignored: groups lie at most \(CAMLReader.maximumDepth) deep")
            return nil
        }
        guard isEnabled(element) else { return nil }
        var reading = AnimationReading(animation: animation, layerClass: layerClass, depth: depth)
        if let property = animation as? CAPropertyAnimation {
            let written = element.attribute("keyPath") ?? (keyPath == nil ? element.attribute("key") : nil)
            guard let path = written?.value ?? keyPath, !ScalarSyntax.trim(path).isEmpty else {
                reportSkipped(index, "the animation is ignored: it names no keyPath")
                return nil
            }
            property.keyPath = path
            // What the values are depends on it.
            if let function = element.attribute("valueFunction") {
                set(function, "valueFunction", function.value, &reading)
            }
            guard let kind = valueKind(index, of: property, layerClass) else { return nil }
            reading.kind = kind
            if let target = AnimationTarget(keyPath: path), target.isNamedPart {
                namedParts.note(
                    NamedParts.Reference(
                        layer: subject.element, target: target, offset: written?.offset ?? element.offset,
                        message: "the animation of \(path.prefix(80)) shows nothing: ", subject: subject.text,
                        animation: animation))
            }
        }
        if animation is CATransition, let path = element.attribute("keyPath") {
            warn(path, "a CATransition has no keyPath; it is ignored")
        }
        for attribute in element.attributes
        where !["keyPath", "key", "type", "enabled", "object", "valueFunction"].contains(attribute.name) {
            set(attribute, attribute.name, attribute.value, &reading)
        }
        if element.hasText { warn(index, "text in <\(element.name)> is ignored") }
        var fields: Set<String> = []
        for child in tree.children(of: index) {
            if !fields.insert(tree[child].name).inserted {
                warn(child, "the animation has a second <\(tree[child].name)>; the last one counts")
            }
            readField(child, &reading)
        }
        finish(index, reading)
        return animation
    }

    /// True also after a report, where it is not said clearly.
    func isEnabled(_ element: MarkupElement) -> Bool {
        guard let enabled = element.attribute("enabled") else { return true }
        do throws(ScalarFault) {
            return try ScalarSyntax.boolean(enabled.value)
        } catch {
            warn(
                enabled, "enabled=\"\(enabled.value.prefix(60))\" of <\(element.name)> \(error.message); it is ignored")
            return true
        }
    }

    func reportBudget(_ index: Int) {
        warn(index, "the file's animations hold too many values; what comes after is ignored")
    }

    /// Of the class that the element names.
    private func emptyAnimation(_ index: Int) -> CAAnimation? {
        let element = tree[index]
        var name = element.name
        if let type = element.attribute("type")?.value {
            name = type
        } else if name == "animation" || name == "p" {
            let children = tree.children(of: index).map { tree[$0].name }
            name = AnimationVocabulary.likelyClass { field in
                element.attribute(field) != nil || children.contains(field)
            }
            warn(index, "the animation names no class (type); it is read as a \(name)")
        }
        if let animation = AnimationVocabulary.animation(ofClass: name) { return animation }
        let path = element.attribute("keyPath") ?? element.attribute("key")
        let about = path.map { " of \($0.value.prefix(60))" } ?? ""
        if name == "CAMatchMoveAnimation" {
            reportSkipped(
                index, "the CAMatchMoveAnimation\(about) is ignored: following other layers is not played yet")
        } else {
            let hint = NameHint.near(name, among: AnimationVocabulary.classes)
            reportSkipped(
                index, "<\(element.name)> is ignored: \(name.prefix(60)) is no animation that is played\(hint)")
        }
        return nil
    }

    private func valueKind(_ index: Int, of animation: CAPropertyAnimation, _ layerClass: LayerClass) -> SceneValueKind?
    {
        let path = animation.keyPath ?? ""
        let name = path.prefix(80)
        switch SceneKeyPath(path, in: layerClass) {
        case .known(let kind, let isAnimatable):
            if let owner = SceneKeyPath.clientOwner(of: path, in: layerClass), owner != subject.className {
                reportSkipped(index, "the animation of \(name) is ignored: only a \(owner) has it")
                return nil
            }
            guard isAnimatable else {
                reportSkipped(index, "the animation of \(name) is ignored: \(name) can't be animated")
                return nil
            }
            guard let function = animation.valueFunction?.function else { return kind }
            guard kind == .transform else {
                reportSkipped(index, "the animation of \(name) is ignored: a valueFunction makes transforms")
                return nil
            }
            return SceneKeyPath.kind(for: function)
        case .later(let feature):
            reportSkipped(index, "the animation of \(name) is ignored: not drawn yet (\(feature))")
        case .noEffect:
            reportSkipped(index, "the animation of \(name) is ignored: it makes no difference to the picture")
        case .elsewhere(let classes):
            reportSkipped(index, "the animation of \(name) is ignored: only \(NameHint.only(classes)) it")
        case .unknown:
            let hint = NameHint.keyPath(path, in: layerClass)
            reportSkipped(index, "the animation of \(name) is ignored: the key path is not known\(hint)")
        }
        return nil
    }

    /// What has to be known of all attributes.
    private func finish(_ index: Int, _ reading: AnimationReading) {
        if reading.followsSpring, let spring = reading.animation as? CASpringAnimation {
            spring.duration = spring.settlingDuration
        }
        if let fault = AnimationVocabulary.fault(of: reading.animation) {
            let path = (reading.animation as? CAKeyframeAnimation)?.keyPath ?? ""
            warn(index, "the animation of \(path.prefix(80)) \(fault)")
            reading.animation.isFaultReported = true
        }
    }

    // MARK: Attributes

    /// An animation while its attributes are read.
    private struct AnimationReading {
        let animation: CAAnimation
        let layerClass: LayerClass
        let depth: Int
        /// Of a property animation.
        var kind = SceneValueKind.number
        var followsSpring = false

        mutating func set(_ name: String, _ value: Any) {
            if name == AnimationVocabulary.followsSpring {
                followsSpring = (value as? Bool) ?? false
            } else {
                animation.setValue(value, forKey: name)
            }
        }
    }

    /// The field that a name is in this class; nil after a report, or where it makes no difference.
    private func field(_ place: MarkupAttribute, _ reading: AnimationReading) -> AnimationField? {
        let name = place.name
        let field = AnimationVocabulary.fields[name]
        if let field, AnimationVocabulary.has(name, reading.animation) { return field }
        if AnimationVocabulary.hasNoEffect(name) || name == AnimationVocabulary.followsSpring { return nil }
        let kind = "\(type(of: reading.animation))"
        warn(
            place,
            field == nil
                ? "\(name.prefix(60)) of the \(kind) is not known\(hint(name, reading.animation)); it is ignored"
                : "a \(kind) has no \(name); it is ignored")
        return nil
    }

    private func hint(_ name: String, _ animation: CAAnimation) -> String {
        NameHint.near(name, among: AnimationVocabulary.names(of: animation))
    }

    private func set(
        _ place: MarkupAttribute, _ name: String, _ text: String, _ reading: inout AnimationReading
    ) {
        guard let field = field(place, reading) else { return }
        do throws(ScalarFault) {
            switch field {
            case .number:
                let number = try ScalarSyntax.number(text)
                try AnimationVocabulary.checkRange(name, number)
                reading.set(name, number)
            case .endless:
                let number = try ScalarSyntax.anyNumber(text)
                // 1e400 is no word for endless.
                if number.isInfinite, text.contains(where: \.isNumber) { throw ScalarFault("is too large") }
                try AnimationVocabulary.checkRange(name, number)
                reading.set(name, number)
            case .flag: reading.set(name, try ScalarSyntax.boolean(text))
            case .name(let words):
                let word = String(ScalarSyntax.trim(text))
                if AnimationVocabulary.saysNothing(word, of: name) { break }
                guard words.contains(word) else { throw ScalarFault("is not one of: \(words.joined(separator: " "))") }
                reading.set(name, word)
            case .curve: reading.set(name, try AnimationVocabulary.curve(text))
            case .numbers: reading.set(name, try CAMLReader.numbers(text))
            case .path:
                guard reading.kind.isMovedByPaths else { throw ScalarFault("moves points, and nothing else") }
                reading.set(name, try SceneValueKind.path.object(text))
            case .value where reading.kind == .image:
                if let image = readPicture(place) { reading.set(name, image) }
            case .value: reading.set(name, try reading.kind.object(text))
            case .curves, .values, .animations: throw ScalarFault("is no element; one is expected")
            }
        } catch {
            warn(place, "\(name)=\"\(text.prefix(60))\" \(error.message); it is ignored")
        }
    }

    private static func numbers(_ text: String) throws(ScalarFault) -> [Double] {
        var numbers: [Double] = []
        for piece in text.split(whereSeparator: ScalarSyntax.isSeparator) {
            numbers.append(try ScalarSyntax.number(piece))
        }
        return numbers
    }

    private func readField(_ index: Int, _ reading: inout AnimationReading) {
        let element = tree[index]
        let name = element.name
        let place = MarkupAttribute(name: name, value: "", offset: element.offset)
        guard let field = field(place, reading) else { return }
        switch field {
        case .number, .endless, .flag, .name:
            guard let value = scalar(in: index) else { return }
            set(MarkupAttribute(name: name, value: "", offset: value.offset), name, value.value, &reading)
        case .curve:
            if let curve = readCurve(index) { reading.set(name, curve) }
        case .curves:
            let curves = tree.children(of: index).compactMap { readCurve($0) }
            reading.set(name, curves)
        case .numbers:
            if let value = element.attribute("value") {
                set(MarkupAttribute(name: name, value: "", offset: value.offset), name, value.value, &reading)
            } else {
                reading.set(name, tree.children(of: index).compactMap { readValue($0, as: .number) })
            }
        case .path:
            guard reading.kind.isMovedByPaths else {
                warn(index, "the path of the animation moves points, and nothing else; it is ignored")
                return
            }
            if let path = readValue(index, as: .path) { reading.set(name, path) }
        case .value:
            if let value = readValue(index, as: reading.kind) { reading.set(name, value) }
        case .values:
            reading.set(name, tree.children(of: index).compactMap { readValue($0, as: reading.kind) })
        case .animations:
            let members = readAnimations(index, of: reading.layerClass, depth: reading.depth + 1)
            reading.set(name, members.map(\.animation))
        }
    }

    /// `name`, `value` or `controlPoints` of an element, or of the one in it.
    private func readCurve(_ index: Int) -> CAMediaTimingFunction? {
        guard motionBudget.take(1, report: { reportBudget(index) }) else { return nil }
        var index = index
        for _ in 0..<4 {
            let element = tree[index]
            if let text = element.attribute("controlPoints") ?? element.attribute("value") ?? element.attribute("name")
            {
                do throws(ScalarFault) {
                    return try AnimationVocabulary.curve(text.value)
                } catch {
                    warn(text, "the timing function \"\(text.value.prefix(60))\" \(error.message); it is linear")
                    return CAMediaTimingFunction(name: .linear)
                }
            }
            guard let inner = tree.children(of: index).first(where: { _ in true }) else { break }
            index = inner
        }
        if tree[index].attribute("type")?.value != "null" {
            warn(index, "the timing function has neither a name nor controlPoints; it is linear")
        }
        return CAMediaTimingFunction(name: .linear)
    }
}
