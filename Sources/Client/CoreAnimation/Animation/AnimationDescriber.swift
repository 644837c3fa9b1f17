// From an animation that was added to a layer to what is committed. What can't be shown is said once, with the layer, the
// animation's key and the key path; the animation then shows nothing, but begins and ends as others do, so that nobody waits
// for it in vain. Source: semantic reference, §4 and §5.

import LayerModel
import LayerWire
import Quartz2D

/// Describes one animation of one layer.
struct AnimationDescriber {
    let layer: CALayer
    /// What the animation is added under.
    let key: String?
    /// What a duration of 0 stands for, seconds; above 0.
    let defaultDuration: Double
    /// Local ids are counted from here.
    let imageBase: UInt32

    private(set) var images: [CGImage] = []
    /// Animations of keys that are no properties.
    private(set) var custom: [CustomMotion] = []

    init(layer: CALayer, key: String?, defaultDuration: Double, imageBase: UInt32) {
        self.layer = layer
        self.key = key
        self.defaultDuration = defaultDuration
        self.imageBase = imageBase
    }

    /// - Parameter duration: What a duration of 0 stands for in a group.
    ///
    /// The timing is always sound. A content of an empty group shows nothing.
    mutating func describe(_ animation: CAAnimation, depth: Int = 0, duration: Double? = nil) -> AnimationDescription {
        var description = AnimationDescription(
            .group([]), timing: timing(of: animation, duration ?? defaultDuration),
            curve: animation.timingFunction?.curve)
        description.isRemovedOnCompletion = animation.isRemovedOnCompletion
        if let curve = description.curve, !(curve.c1.isFinite && curve.c2.isFinite) {
            refuse("timingFunction", "must have finite control points; it is linear")
            description.curve = nil
        }
        let firstCustom = custom.count
        switch animation {
        case let group as CAAnimationGroup:
            guard depth < AnimationDescription.maximumDepth else {
                refuse(nil, "groups lie at most \(AnimationDescription.maximumDepth) deep in one another")
                break
            }
            var members: [AnimationDescription] = []
            // A member that says nothing lasts as long as its group.
            let own = description.timing.duration
            for member in group.animations ?? [] {
                let described = describe(member, depth: depth + 1, duration: own.isFinite ? own : nil)
                if described.content != .group([]) { members.append(described) }
            }
            description.content = .group(members)
        case let transition as CATransition: description.content = content(of: transition)
        case let property as CAPropertyAnimation:
            if let content = content(of: property, like: description) { description.content = content }
        default: break
        }
        // What lies in a group runs in the group's time.
        if animation is CAAnimationGroup {
            for index in firstCustom..<custom.count {
                custom[index].description = AnimationDescription(
                    .group([custom[index].description]), timing: description.timing, curve: description.curve)
                custom[index].description.isRemovedOnCompletion = description.isRemovedOnCompletion
            }
        }
        return description
    }

    // MARK: Timing

    private func timing(of animation: CAAnimation, _ defaultDuration: Double) -> AnimationTiming {
        func sound(_ value: Double, _ name: String, _ fallback: Double, _ isSound: (Double) -> Bool) -> Double {
            if isSound(value) { return value }
            refuse(name, "can't be \(value); it counts as \(fallback)")
            return fallback
        }
        var timing = AnimationTiming()
        timing.beginTime = sound(animation.beginTime, "beginTime", 0) { $0.isFinite }
        timing.timeOffset = sound(animation.timeOffset, "timeOffset", 0) { $0.isFinite }
        timing.speed = sound(Double(animation.speed), "speed", 1) { $0.isFinite }
        let duration = sound(animation.duration, "duration", 0) { !$0.isNaN }
        timing.duration = duration > 0 ? duration : defaultDuration
        timing.repeatCount = sound(Double(animation.repeatCount), "repeatCount", 0) { $0 >= 0 }
        timing.repeatDuration = sound(animation.repeatDuration, "repeatDuration", 0) { $0 >= 0 }
        timing.autoreverses = animation.autoreverses
        timing.fillMode = animation.fillMode.mode
        return timing
    }

    // MARK: Transitions

    private func content(of animation: CATransition) -> AnimationDescription.Content {
        let kind = LayerTransition.Kind.allCases.first { "\($0)" == animation.type.rawValue }
        let direction = animation.subtype.flatMap { subtype in
            LayerTransition.Direction.allCases.first { "\($0)" == subtype.rawValue }
        }
        if kind == nil { warn(nil, "there is no transition \"\(animation.type.rawValue)\"; it fades") }
        if let subtype = animation.subtype, direction == nil {
            warn(nil, "there is no subtype \"\(subtype.rawValue)\" of transitions; it comes from the left")
        }
        if let filter = animation.filter, !(filter is NSNull) {
            let shown = kind ?? .fade
            warn("filter", "transitions have no filters here; it shows as \"\(shown)\"")
        }
        var transition = LayerTransition(kind ?? .fade, direction ?? .fromLeft)
        if animation.startProgress.isFinite, animation.endProgress.isFinite {
            transition.startProgress = Double(animation.startProgress)
            transition.endProgress = Double(animation.endProgress)
        } else {
            refuse("startProgress", "and endProgress must be finite; they count as 0 and 1")
        }
        return .transition(transition)
    }

    // MARK: Property animations

    /// What an animation changes.
    private enum Target {
        case layer(AnimationTarget)
        case custom(String, PropertyValue.Kind)

        /// As the shared model has it: a property of the right kind stands in for an app's own.
        var modelTarget: AnimationTarget {
            switch self {
            case .layer(let target): target
            case .custom(_, let kind): .property(CustomMotion.standIn(for: kind))
            }
        }
    }

    /// Nil where there is nothing to show, or where it is the client that shows it.
    private mutating func content(
        of animation: CAPropertyAnimation, like description: AnimationDescription
    ) -> AnimationDescription.Content? {
        guard let keyPath = animation.keyPath, !keyPath.isEmpty else { return nil }
        guard let target = target(keyPath, animation) else {
            warn(keyPath, "there is nothing of that name that can be animated")
            return nil
        }
        let motion: PropertyAnimation.Motion
        do throws(AnimationValue.Problem) {
            guard let some = try self.motion(of: animation, target) else { return nil }
            motion = some
        } catch {
            if !animation.isFaultReported {
                refuse(keyPath, "takes \(error.wanted); the animation shows nothing")
            }
            return nil
        }
        var property = PropertyAnimation(target.modelTarget, motion)
        property.isAdditive = animation.isAdditive
        property.isCumulative = animation.isCumulative
        property.function = animation.valueFunction?.function
        if case .custom(let path, _) = target {
            var own = description
            own.content = .property(property)
            custom.append(CustomMotion(keyPath: path, description: own))
            return nil
        }
        return .property(property)
    }

    private func target(_ keyPath: String, _ animation: CAPropertyAnimation) -> Target? {
        guard keyPath.utf8.count <= WireLimits.nameBytes else { return nil }
        let first = String(keyPath.prefix { $0 != "." })
        if layer.property(forKey: first) != nil || first == "frame" {
            // The getter's name of a Bool stands for its key.
            let key = layer.property(forKey: first)?.key ?? first
            guard let target = AnimationTarget(keyPath: key + keyPath.dropFirst(first.count)) else { return nil }
            if animation.valueFunction != nil, target.kind != .transform { return nil }
            return .layer(target)
        }
        guard layer.hasOwnKey(first), let kind = values(of: animation).lazy.compactMap(AnimationValue.kind).first
        else { return nil }
        return .custom(keyPath, kind)
    }

    private func values(of animation: CAPropertyAnimation) -> [Any] {
        switch animation {
        case let basic as CABasicAnimation: [basic.fromValue, basic.toValue, basic.byValue].compactMap { $0 }
        case let frames as CAKeyframeAnimation: frames.path == nil ? frames.values ?? [] : [CGPoint.zero]
        default: []
        }
    }

    private mutating func value(
        _ any: Any?, _ animation: CAPropertyAnimation, _ target: Target
    ) throws(AnimationValue.Problem) -> PropertyValue? {
        guard let any else { return nil }
        if case .layer(.filter(_, _, let input)) = target { return try AnimationValue.value(of: any, for: input) }
        if let function = animation.valueFunction?.function {
            let value = try AnimationValue.value(of: any, as: function.neutral.kind) { _ in .none }
            if case .numbers(let numbers) = value, numbers.count != 3 { throw AnimationValue.Problem("three numbers") }
            return value
        }
        let kind: PropertyValue.Kind
        switch target {
        case .layer(let target): kind = target.kind ?? .number
        case .custom(_, let own): kind = own
        }
        return try AnimationValue.value(of: any, as: kind) { image in
            images.append(image)
            return ImageID(imageBase &+ UInt32(images.count))
        }
    }

    private mutating func motion(
        of animation: CAPropertyAnimation, _ target: Target
    ) throws(AnimationValue.Problem) -> PropertyAnimation.Motion? {
        switch animation {
        case let basic as CABasicAnimation:
            var ends = MotionEnds()
            ends.from = try value(basic.fromValue, animation, target)
            ends.to = try value(basic.toValue, animation, target)
            ends.by = try value(basic.byValue, animation, target)
            if ends == MotionEnds(), !animation.isAdditive, case .layer(let target) = target {
                ends.from = valueOnScreen(target)
            }
            if let spring = basic as? CASpringAnimation {
                // Damping without end: at rest from the first moment on.
                guard spring.curve.damping.isFinite else {
                    return .keyframes(Keyframes([ends.to ?? ends.from].compactMap { $0 }))
                }
                return .spring(ends, spring.curve)
            }
            return .basic(ends)
        case let frames as CAKeyframeAnimation:
            return try keyframes(frames, target).map { .keyframes($0) }
        default: return nil
        }
    }

    /// What shows now, where it is known: an animation without any end runs from there.
    private mutating func valueOnScreen(_ target: AnimationTarget) -> PropertyValue? {
        guard let shown = layer.valuesOnScreen() else { return nil }
        if target == .property(.contents) {
            guard let image = shown.contents else { return .image(.none) }
            images.append(image)
            return .image(ImageID(imageBase &+ UInt32(images.count)))
        }
        return shown.properties.value(of: target)
    }

    private mutating func keyframes(
        _ animation: CAKeyframeAnimation, _ target: Target
    ) throws(AnimationValue.Problem) -> Keyframes? {
        var frames = Keyframes()
        guard let mode = animation.calculationMode.mode else {
            warn(animation.keyPath, "there is no calculation mode \"\(animation.calculationMode.rawValue)\"")
            return nil
        }
        frames.mode = mode
        if let path = animation.path {
            guard target.modelTarget.kind == .point else { throw AnimationValue.Problem("values: a path moves points") }
            let shape = path.vectorPath
            guard shape.isFinite else { throw AnimationValue.Problem("a path of finite numbers") }
            guard shape.verbs.count <= WireLimits.pathVerbs else { throw AnimationValue.Problem("a shorter path") }
            frames.path = shape
        } else {
            let values = animation.values ?? []
            guard values.count <= Keyframes.mostValues else { throw AnimationValue.Problem("fewer values") }
            for value in values {
                if let value = try self.value(value, animation, target) { frames.values.append(value) }
            }
        }
        frames.keyTimes = try numbers(animation.keyTimes, "key times")
        frames.tensions = try numbers(animation.tensionValues, "tensions")
        frames.continuities = try numbers(animation.continuityValues, "continuities")
        frames.biases = try numbers(animation.biasValues, "biases")
        frames.curves = (animation.timingFunctions ?? []).map(\.curve)
        guard frames.curves.count <= Keyframes.mostValues,
            frames.curves.allSatisfy({ $0.c1.isFinite && $0.c2.isFinite })
        else { throw AnimationValue.Problem("timing functions of finite numbers") }
        switch animation.rotationMode {
        case .rotateAuto?: frames.rotation = .auto
        case .rotateAutoReverse?: frames.rotation = .autoReverse
        case let mode?: warn(animation.keyPath, "there is no rotation mode \"\(mode.rawValue)\"; nothing turns")
        case nil: break
        }
        return frames
    }

    private func numbers(_ list: [NSNumber]?, _ what: String) throws(AnimationValue.Problem) -> [Double] {
        let numbers = (list ?? []).map(\.doubleValue)
        guard numbers.count <= Keyframes.mostValues + 1 else { throw AnimationValue.Problem("fewer \(what)") }
        guard numbers.allSatisfy(\.isFinite) else { throw AnimationValue.Problem("finite \(what)") }
        return numbers
    }

    // MARK: What is wrong

    private func place(_ path: String?) -> String {
        let name = key.map { "animation \"\($0.prefix(64))\"" } ?? "animation"
        return path.map { "\(name) of \($0.prefix(128))" } ?? name
    }

    private func refuse(_ path: String?, _ message: String) {
        layer.recordFault(place(path), message)
    }

    private func warn(_ path: String?, _ message: String) {
        ClientWarnings.shared.warnOnce("\(layer.label), \(place(path)): \(message).")
    }
}
