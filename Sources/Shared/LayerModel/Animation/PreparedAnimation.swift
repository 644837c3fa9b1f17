// Sampling: what an animation makes of a layer's values at a time. The client's presentation copies and the server's frames
// come from here. Source: semantic reference, §4.2, §4.6 and §5.

/// An animation with what can be computed once. Immutable.
package final class PreparedAnimation: Sendable {
    package let description: AnimationDescription
    private let content: Content

    private enum Content: Sendable {
        case basic(PropertyAnimation, MotionEnds)
        case spring(PropertyAnimation, MotionEnds, SpringCurve)
        case keyframes(PropertyAnimation, PreparedKeyframes)
        case group([PreparedAnimation])
        case transition(LayerTransition)
        /// Keyframes without a frame.
        case nothing
    }

    package init(_ description: AnimationDescription) {
        self.description = description
        switch description.content {
        case .group(let members): content = .group(members.map { PreparedAnimation($0) })
        case .transition(let transition): content = .transition(transition)
        case .property(let animation):
            switch animation.motion {
            case .basic(let ends): content = .basic(animation, ends)
            case .spring(let ends, let curve): content = .spring(animation, ends, curve)
            case .keyframes(let frames):
                content = PreparedKeyframes(frames).map { .keyframes(animation, $0) } ?? .nothing
            }
        }
    }

    /// True when the animation has ended and is not to stay.
    /// - Parameter time: Of the layer.
    package func isOver(at time: Double) -> Bool {
        description.isRemovedOnCompletion && description.timing.phase(at: time) == .after
    }

    /// True when its effect is the same at every time from `time` on until it begins, or for ever.
    package func isSteady(at time: Double) -> Bool {
        let timing = description.timing
        return timing.speed == 0 || timing.phase(at: time) != .active
    }

    /// Changes values to what they are at a time of the layer. Animations are applied in the order they were added.
    ///
    /// - Parameter isHeld: The group it is in holds its last moment.
    package func apply(to properties: inout LayerProperties, at time: Double, isHeld: Bool = false) {
        guard let moment = description.timing.moment(at: time, isHeld: isHeld) else { return }
        switch content {
        case .nothing, .transition: return
        case .group(let members):
            let groupTime = progress(moment) * description.timing.duration
            let isHeld =
                moment.elapsed >= description.timing.duration || description.timing.phase(at: time) == .after
            for member in members {
                member.apply(to: &properties, at: groupTime.isFinite ? groupTime : moment.elapsed, isHeld: isHeld)
            }
        case .basic(let animation, let ends):
            animate(&properties, animation, ends, progress(moment), moment.cycle)
        case .spring(let animation, let ends, let curve):
            // What the duration cuts off is no part of the cycle.
            animate(
                &properties, animation, ends, curve.progress(at: moment.elapsed), moment.cycle,
                cycleEnd: curve.progress(at: description.timing.duration))
        case .keyframes(let animation, let frames):
            animate(&properties, animation, frames, progress(moment), moment.cycle)
        }
    }

    /// How far a transition is; nil for other animations, and where it doesn't show.
    package func transitionProgress(at time: Double) -> (LayerTransition, Double)? {
        guard case .transition(let transition) = content, let moment = description.timing.moment(at: time) else {
            return nil
        }
        let (start, end) = (transition.startProgress, transition.endProgress)
        return (transition, min(max(start + (end - start) * progress(moment), 0), 1))
    }

    /// Every image that a value of the animation names.
    package var images: [ImageID] {
        if case .group(let members) = content { return members.flatMap(\.images) }
        guard case .property(let animation) = description.content else { return [] }
        return animation.motion.values.compactMap(\.image)
    }

    private func progress(_ moment: AnimationTiming.Moment) -> Double {
        let duration = description.timing.duration
        let fraction = duration > 0 && duration.isFinite ? moment.elapsed / duration : 0
        return description.curve?.value(at: fraction) ?? fraction
    }

    // MARK: Values

    /// - Parameter cycleEnd: The progress at the end of a cycle's forward motion, where that is not the end of the way.
    private func animate(
        _ properties: inout LayerProperties, _ animation: PropertyAnimation, _ ends: MotionEnds, _ u: Double,
        _ cycle: Double, cycleEnd: @autoclosure () -> Double? = nil
    ) {
        guard let below = properties.value(of: animation.target),
            let (from, to) = resolve(ends, animation, below)
        else { return }
        if case (.image(let a), .image(let b)) = (from, to) { return properties.fadeContents(a, b, u) }
        var value = PropertyValue.interpolate(from, to, u)
        if animation.isCumulative, cycle > 0 {
            let end = cycleEnd().map { .interpolate(from, to, $0) } ?? to
            value = .sum(value, .scaled(description.timing.autoreverses ? from : end, by: cycle))
        }
        put(value, into: &properties, animation, below)
    }

    private func animate(
        _ properties: inout LayerProperties, _ animation: PropertyAnimation, _ frames: PreparedKeyframes, _ u: Double,
        _ cycle: Double
    ) {
        guard let below = properties.value(of: animation.target) else { return }
        var value: PropertyValue
        switch frames.span(at: u) {
        case .hold(let held):
            if case .image(let image) = held { return properties.fadeContents(image, image, 1) }
            value = held
        case .between(let a, let b, let fraction):
            if case (.image(let a), .image(let b)) = (a, b) { return properties.fadeContents(a, b, fraction) }
            value = .interpolate(a, b, fraction)
        case .value(let made): value = made
        }
        if animation.isCumulative, cycle > 0 {
            let total = description.timing.autoreverses && !frames.isPath ? frames.first : frames.total
            if !(description.timing.autoreverses && frames.isPath) {
                value = .sum(value, .scaled(total, by: cycle))
            }
        }
        put(value, into: &properties, animation, below)
        if let angle = frames.angle(at: u), animation.target == .property(.position) {
            // Turned first, then the layer's own transform.
            properties.transform = Transform.rotation(angle, 0, 0, 1).concatenating(properties.transform)
        }
    }

    /// Both ends of a motion; nil where nothing is set, or for values of other kinds than the target's.
    private func resolve(
        _ ends: MotionEnds, _ animation: PropertyAnimation, _ below: PropertyValue
    ) -> (PropertyValue, PropertyValue)? {
        guard let some = ends.from ?? ends.to ?? ends.by else { return nil }
        // What stands for an end that is not set.
        let missing =
            animation.function?.neutral ?? (animation.isAdditive ? .zero(like: some) : below)
        let pair: (PropertyValue, PropertyValue) =
            switch (ends.from, ends.to, ends.by) {
            case (let from?, let to?, _): (from, to)
            case (let from?, nil, let by?): (from, .sum(from, by))
            case (nil, let to?, let by?): (.difference(to, by), to)
            case (let from?, nil, nil): (from, missing)
            case (nil, let to?, nil): (missing, to)
            case (nil, nil, let by?): (missing, .sum(missing, by))
            case (nil, nil, nil): (missing, missing)
            }
        return pair.0.kind == pair.1.kind ? pair : nil
    }

    private func put(
        _ value: PropertyValue, into properties: inout LayerProperties, _ animation: PropertyAnimation,
        _ below: PropertyValue
    ) {
        var value = value
        if let function = animation.function {
            guard let transform = function.transform(of: value) else { return }
            value = .transform(transform)
        }
        if animation.isAdditive { value = .sum(below, value) }
        properties.set(animation.target, to: value)
    }
}

extension PropertyAnimation.Motion {
    /// Every value that is named.
    package var values: [PropertyValue] {
        switch self {
        case .basic(let ends), .spring(let ends, _): [ends.from, ends.to, ends.by].compactMap { $0 }
        case .keyframes(let frames): frames.values
        }
    }
}

extension PropertyValue {
    fileprivate var image: ImageID? {
        if case .image(let image) = self, image != .none { return image }
        return nil
    }
}
