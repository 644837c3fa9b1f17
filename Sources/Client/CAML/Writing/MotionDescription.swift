// What an animation says, as attributes and values of scene files, for both formats: only what differs from the class's default.
// What a reader would refuse is a warning here, and the animation is left out.

import CoreAnimation
import Foundation
import LayerModel

/// One animation to write.
package struct MotionDescription {
    package var className: String
    /// What it animates, and what its values are; nil of groups and transitions.
    package var keyPath: String?
    package var kind = SceneValueKind.number
    package var values: [(key: String, value: WrittenValue)] = []
    /// Of a group.
    package var members: [MotionDescription] = []

    /// Nil after a warning.
    ///
    /// - Parameters:
    ///   - layer: Whose animation it is.
    ///   - key: Which it is, for messages.
    package init?(_ animation: CAAnimation, of layer: CALayer, key: String, session: WritingSession, depth: Int = 0) {
        let standard = animation.makeEmptyCopy()
        className = "\(type(of: standard))"
        let subject = "animation \"\(WritingSession.clean(key.prefix(64)))\""
        func fault(_ message: String) { session.warn(layer, "\(subject) is left out: \(message)") }
        guard AnimationVocabulary.classes.contains(className) else {
            fault("a \(type(of: animation)) shows nothing")
            return nil
        }
        if type(of: animation) != type(of: standard) {
            session.warn(
                layer, "\(subject): the class \(type(of: animation)) is the app's own; it is written as a \(className)")
        }
        guard depth < AnimationDescription.maximumDepth else {
            fault("groups lie at most \(AnimationDescription.maximumDepth) deep in one another")
            return nil
        }
        if let property = animation as? CAPropertyAnimation {
            guard let found = MotionDescription.target(of: property, layer, fault: fault) else { return nil }
            (keyPath, kind) = found
        }
        describeTiming(animation, standard) { session.warn(layer, "\(subject): \($0) is left out") }
        switch animation {
        case let basic as CABasicAnimation:
            for (key, end) in [("fromValue", basic.fromValue), ("toValue", basic.toValue), ("byValue", basic.byValue)] {
                guard let end else { continue }
                guard let value = WrittenValue(end, as: kind) else {
                    fault("its \(key) is no value of \(WritingSession.clean((keyPath ?? "").prefix(80)))")
                    return nil
                }
                values.append((key, value))
            }
            if let spring = animation as? CASpringAnimation { describe(spring) }
        case let frames as CAKeyframeAnimation:
            guard describe(frames, fault: fault) else { return nil }
        case let transition as CATransition: describe(transition)
        case let group as CAAnimationGroup:
            for (index, member) in (group.animations ?? []).enumerated() {
                let name = (member as? CAPropertyAnimation)?.keyPath ?? "\(index)"
                if let description = MotionDescription(
                    member, of: layer, key: "\(key), \(name)", session: session, depth: depth + 1)
                {
                    members.append(description)
                }
            }
        default: break
        }
        for own in animation.ownKeys {
            session.warn(
                layer, "\(subject): \(WritingSession.clean(own.prefix(64))) is left out: it is a key of the app's own")
        }
    }

    private static func target(
        of animation: CAPropertyAnimation, _ layer: CALayer, fault: (String) -> Void
    ) -> (String, SceneValueKind)? {
        let path = animation.keyPath ?? ""
        let name = WritingSession.clean(path.prefix(80))
        guard !path.isEmpty else {
            fault("it has no key path")
            return nil
        }
        guard MarkupText.replacingForbidden(path) == nil,
            case .known(let kind, isAnimatable: true) = SceneKeyPath(path, in: layer.layerClass)
        else {
            fault("files can't animate \(name)")
            return nil
        }
        guard let function = animation.valueFunction?.function else { return (path, kind) }
        guard kind == .transform else {
            fault("a valueFunction makes transforms, which \(name) is none of")
            return nil
        }
        return (path, SceneKeyPath.kind(for: function))
    }

    // MARK: What all have

    private mutating func add(_ key: String, _ number: Double, unless standard: Double, isSingle: Bool = false) {
        guard number != standard else { return }
        values.append((key, .number(NumberText.text(number, isSingle: isSingle))))
    }

    private mutating func add(_ key: String, _ flag: Bool, unless standard: Bool) {
        if flag != standard { values.append((key, .flag(flag))) }
    }

    /// - Parameter standard: One with the class's defaults.
    private mutating func describeTiming(
        _ animation: CAAnimation, _ standard: CAAnimation, fault: (String) -> Void
    ) {
        func describe(_ key: String, _ field: KeyPath<CAAnimation, Double>, mayBeEndless: Bool = false) {
            let number = animation[keyPath: field]
            guard mayBeEndless ? number > -.infinity : number.isFinite else { return fault(key) }
            add(key, number, unless: standard[keyPath: field])
        }
        func describe(_ key: String, _ field: KeyPath<CAAnimation, Float>, mayBeEndless: Bool = false) {
            let number = animation[keyPath: field]
            guard mayBeEndless ? number > -.infinity : number.isFinite else { return fault(key) }
            add(key, Double(number), unless: Double(standard[keyPath: field]), isSingle: true)
        }
        describe("beginTime", \.beginTime)
        describe("duration", \.duration, mayBeEndless: true)
        describe("speed", \.speed)
        describe("timeOffset", \.timeOffset)
        describe("repeatCount", \.repeatCount, mayBeEndless: true)
        describe("repeatDuration", \.repeatDuration, mayBeEndless: true)
        add("autoreverses", animation.autoreverses, unless: standard.autoreverses)
        if animation.fillMode != standard.fillMode { addWord("fillMode", animation.fillMode.rawValue, fault) }
        add("removedOnCompletion", animation.isRemovedOnCompletion, unless: standard.isRemovedOnCompletion)
        if let curve = animation.timingFunction { values.append(("timingFunction", .curve(curve))) }
        guard let property = animation as? CAPropertyAnimation, let standard = standard as? CAPropertyAnimation else {
            return
        }
        add("additive", property.isAdditive, unless: standard.isAdditive)
        add("cumulative", property.isCumulative, unless: standard.isCumulative)
        if let function = property.valueFunction { values.append(("valueFunction", .word(function.name.rawValue))) }
    }

    /// A word that readers know; any other makes no difference, and they would refuse it.
    private mutating func addWord(_ key: String, _ word: String, _ fault: (String) -> Void) {
        guard case .name(let words)? = AnimationVocabulary.fields[key], words.contains(word) else { return fault(key) }
        values.append((key, .word(word)))
    }

    // MARK: By class

    private mutating func describe(_ spring: CASpringAnimation) {
        let (curve, standard) = (spring.curve, SpringCurve())
        add("mass", curve.mass, unless: standard.mass)
        add("stiffness", curve.stiffness, unless: standard.stiffness)
        add("damping", curve.damping, unless: standard.damping)
        add("initialVelocity", curve.initialVelocity, unless: standard.initialVelocity)
        add("allowsOverdamping", curve.allowsOverdamping, unless: standard.allowsOverdamping)
    }

    private mutating func describe(_ transition: CATransition) {
        let standard = CATransition()
        // As it shows: an unknown type fades, an unknown side is the left.
        addWord("type", transition.type.rawValue) { _ in }
        if let subtype = transition.subtype { addWord("subtype", subtype.rawValue) { _ in } }
        if transition.startProgress.isFinite {
            add(
                "startProgress", Double(transition.startProgress), unless: Double(standard.startProgress),
                isSingle: true)
        }
        if transition.endProgress.isFinite {
            add("endProgress", Double(transition.endProgress), unless: Double(standard.endProgress), isSingle: true)
        }
    }

    /// False after a fault.
    private mutating func describe(_ frames: CAKeyframeAnimation, fault: (String) -> Void) -> Bool {
        add("calculationMode", frames.calculationMode.rawValue, unless: CAKeyframeAnimation().calculationMode.rawValue)
        if let mode = frames.rotationMode { add("rotationMode", mode.rawValue, unless: "") }
        if let path = frames.path {
            guard let value = WrittenValue(path, as: .path), path.vectorPath.verbs.count <= PathSyntax.verbLimit else {
                fault("its path is too long, or not finite")
                return false
            }
            values.append(("path", value))
        }
        if let list = frames.values {
            let written = list.compactMap { WrittenValue($0, as: kind) }
            guard written.count == list.count else {
                fault("one of its values is none of \(WritingSession.clean((keyPath ?? "").prefix(80)))")
                return false
            }
            values.append(("values", .list(written)))
        }
        let lists = [
            ("keyTimes", frames.keyTimes), ("tensionValues", frames.tensionValues),
            ("continuityValues", frames.continuityValues), ("biasValues", frames.biasValues),
        ]
        for (key, list) in lists {
            guard let list else { continue }
            guard list.allSatisfy(\.doubleValue.isFinite) else {
                fault("its \(key) are not finite")
                return false
            }
            values.append((key, .list(list.map { .number($0.doubleValue) })))
        }
        if let curves = frames.timingFunctions { values.append(("timingFunctions", .list(curves.map { .curve($0) }))) }
        return true
    }

    /// A word that is no other than the readers know; another has no effect.
    private mutating func add(_ key: String, _ word: String, unless standard: String) {
        guard word != standard, case .name(let words)? = AnimationVocabulary.fields[key], words.contains(word) else {
            return
        }
        values.append((key, .word(word)))
    }
}

extension CAMediaTimingFunction {
    /// One of the names; nil for a curve of its own.
    var sceneName: String? {
        switch curve {
        case .linear: "linear"
        case .easeIn: "easeIn"
        case .easeOut: "easeOut"
        case .easeInEaseOut: "easeInEaseOut"
        case .standard: "default"
        default: nil
        }
    }

    /// x and y of both inner control points.
    var scenePoints: [String] {
        [curve.c1.x, curve.c1.y, curve.c2.x, curve.c2.y].map { NumberText.text($0, isSingle: true) }
    }
}

extension [(key: String?, animation: CAAnimation)] {
    /// A key each: their own, else one that is not taken. Nil where a reader finds the same one by itself.
    var writtenKeys: [String?] {
        var taken = Set(compactMap(\.key))
        return map { key, animation in
            let path = (animation as? CAPropertyAnimation)?.keyPath
            if animation is CATransition { return nil }
            guard let key, !key.isEmpty else {
                var number = 1
                var candidate = path ?? "animation"
                while !taken.insert(candidate).inserted {
                    number += 1
                    candidate = "\(path ?? "animation")-\(number)"
                }
                return candidate == path ? nil : candidate
            }
            return key == path ? nil : key
        }
    }
}
