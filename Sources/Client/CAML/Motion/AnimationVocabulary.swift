// Animations as scene files name them, one table for CAML and JSON: classes, and what each attribute looks like. An attribute
// is set by key on the animation, which knows its own. Source: the semantic reference, §5 and §8.5; docs/caml.md, "Animations".

import CoreAnimation
import LayerModel
import Quartz2D

/// What the value of an animation's attribute looks like in a file.
package enum AnimationField: Equatable {
    /// Finite.
    case number
    /// May be infinite.
    case endless
    case flag
    /// One of some words.
    case name([String])
    case curve
    case curves
    case numbers
    case path
    /// Of the kind that the key path has.
    case value
    case values
    case animations
}

/// An animation with the key that it is added under.
package struct SceneAnimation {
    package var key: String
    package var animation: CAAnimation

    package init(key: String, animation: CAAnimation) {
        self.key = key
        self.animation = animation
    }
}

package enum AnimationVocabulary {
    /// The classes that are played.
    package static let classes = [
        "CABasicAnimation", "CAKeyframeAnimation", "CASpringAnimation", "CAAnimationGroup", "CATransition",
    ]

    /// A new animation of a class; nil for a class that is not played.
    package static func animation(ofClass name: String) -> CAAnimation? {
        switch name {
        case "CABasicAnimation": CABasicAnimation()
        case "CAKeyframeAnimation": CAKeyframeAnimation()
        case "CASpringAnimation": CASpringAnimation()
        case "CAAnimationGroup": CAAnimationGroup()
        case "CATransition": CATransition()
        default: nil
        }
    }

    /// The class of an animation that names none, by what it has.
    package static func likelyClass(_ has: (String) -> Bool) -> String {
        if has("values") || has("path") || has("keyTimes") { return "CAKeyframeAnimation" }
        if has("stiffness") || has("damping") || has("mass") { return "CASpringAnimation" }
        if has("animations") { return "CAAnimationGroup" }
        if has("subtype") { return "CATransition" }
        return "CABasicAnimation"
    }

    /// Duration that follows the spring: an editor's own attribute.
    package static let followsSpring = "mica_autorecalculatesDuration"

    /// What else animations carry, without an effect on the picture.
    package static let unaffecting: Set<String> = [
        "id", "name", "delegate", "preferredFrameRateRange", "preferredFramesPerSecond", "frameInterval",
        "highFrameRateReason", "discretizesTime", "targetsSuperLayer", "targetsSuperlayer",
    ]

    package static func hasNoEffect(_ name: String) -> Bool {
        unaffecting.contains(name) || name.hasPrefix("caplay") || name.hasPrefix("xmlns")
            || (name.hasPrefix("mica_") && name != followsSpring)
    }

    package static let fields: [String: AnimationField] = [
        "beginTime": .number, "timeOffset": .number, "speed": .number, "duration": .endless,
        "repeatCount": .endless, "repeatDuration": .endless, "autoreverses": .flag, "removedOnCompletion": .flag,
        "fillMode": .name(["removed", "forwards", "backwards", "both"]), "timingFunction": .curve,
        "additive": .flag, "cumulative": .flag, "valueFunction": .name(ValueFunction.allCases.map(\.name)),
        "fromValue": .value, "toValue": .value, "byValue": .value,
        "values": .values, "path": .path, "keyTimes": .numbers, "timingFunctions": .curves,
        "calculationMode": .name(["linear", "discrete", "paced", "cubic", "cubicPaced"]),
        "rotationMode": .name(["auto", "autoReverse"]),
        "tensionValues": .numbers, "continuityValues": .numbers, "biasValues": .numbers,
        "mass": .number, "stiffness": .number, "damping": .endless, "velocity": .number, "initialVelocity": .number,
        "allowsOverdamping": .flag, followsSpring: .flag,
        "type": .name(["fade", "moveIn", "push", "reveal"]),
        "subtype": .name(["fromLeft", "fromRight", "fromTop", "fromBottom"]),
        "startProgress": .number, "endProgress": .number,
        "animations": .animations,
    ]

    package static let curveNames = ["linear", "easeIn", "easeOut", "easeInEaseOut", "default"]

    /// True for an attribute that an animation of this class has.
    package static func has(_ name: String, _ animation: CAAnimation) -> Bool {
        name == followsSpring ? animation is CASpringAnimation : animation.standardValue(forKey: name) != nil
    }

    /// What an animation of this class has, in the order of the alphabet.
    package static func names(of animation: CAAnimation) -> [String] {
        fields.keys.filter { has($0, animation) }.sorted() + ["key", "keyPath", "enabled"]
    }

    /// True for an empty word where having none is a value of its own.
    package static func saysNothing(_ word: String, of name: String) -> Bool {
        word.isEmpty && !["fillMode", "calculationMode"].contains(name)
    }

    /// Words of timing functions, with an older spelling.
    package static func curve(_ text: some StringProtocol) throws(ScalarFault) -> CAMediaTimingFunction {
        let name = String(ScalarSyntax.trim(text))
        if name == "easeInOut" { return CAMediaTimingFunction(name: .easeInEaseOut) }
        if curveNames.contains(name) { return CAMediaTimingFunction(name: CAMediaTimingFunctionName(rawValue: name)) }
        guard let n = try? ScalarSyntax.numbers(name, count: 4) else {
            throw ScalarFault("is not one of \(curveNames.joined(separator: " ")), nor four numbers")
        }
        return try curve(n)
    }

    /// x and y of both inner control points.
    package static func curve(_ n: [Double]) throws(ScalarFault) -> CAMediaTimingFunction {
        let points = n.map { Float($0) }
        guard n.count == 4, points.allSatisfy(\.isFinite) else { throw ScalarFault("is not four finite numbers") }
        return CAMediaTimingFunction(controlPoints: points[0], points[1], points[2], points[3])
    }

    /// - Throws: What is wrong with a number that the animation would not take as it is.
    package static func checkRange(_ name: String, _ number: Double) throws(ScalarFault) {
        switch name {
        case "mass", "stiffness": if !(number > 0) { throw ScalarFault("is not above 0") }
        case "damping", "duration", "repeatCount", "repeatDuration":
            if number < 0 { throw ScalarFault("is below 0") }
        case "speed", "startProgress", "endProgress":
            if !Float(number).isFinite { throw ScalarFault("is too large") }
        default: break
        }
    }

    /// What an animation of key frames lacks, for a warning; nil where its times fit its values.
    package static func fault(of animation: CAAnimation) -> String? {
        guard let frames = animation as? CAKeyframeAnimation else { return nil }
        let count = frames.values?.count ?? 0
        if frames.path == nil, count == 0 { return "has neither values nor a path; it shows nothing" }
        if let path = frames.path, path.vectorPath.verbs.allSatisfy({ $0 == .move }) {
            return "has a path without a segment; it shows nothing"
        }
        if frames.path == nil, count > Keyframes.mostValues {
            return "has more than \(Keyframes.mostValues) values; it shows nothing"
        }
        if frames.path == nil, [.linear, .cubic].contains(frames.calculationMode),
            let curves = frames.timingFunctions?.count, curves > 0, curves != count - 1
        {
            return "has \(curves) timingFunctions where \(count - 1) are expected"
        }
        let lists = [
            ("tensionValues", frames.tensionValues), ("continuityValues", frames.continuityValues),
            ("biasValues", frames.biasValues),
        ]
        for (name, list) in lists where frames.path == nil {
            guard let list, !list.isEmpty, list.count != count else { continue }
            return "has \(list.count) \(name) where \(count) are expected"
        }
        guard let times = frames.keyTimes, frames.path == nil else { return nil }
        switch frames.calculationMode {
        case .paced, .cubicPaced: return nil
        default: break
        }
        let wanted = frames.calculationMode == .discrete ? count + 1 : count
        guard times.count == wanted else {
            return "has \(times.count) keyTimes where \(wanted) are expected; its times are even"
        }
        for (time, next) in zip(times, times.dropFirst()) where next.doubleValue < time.doubleValue {
            return "has keyTimes that don't ascend; its times are even"
        }
        guard times.first?.doubleValue == 0, times.last?.doubleValue == 1 else {
            return "has keyTimes that don't run from 0 to 1; its times are even"
        }
        return nil
    }
}
