import LayerModel

extension RandomMessages {
    mutating func animation(depth: Int = 0) -> AnimationDescription {
        var timing = AnimationTiming(beginTime: number(), duration: 0.25 + Double(below(40)))
        timing.timeOffset = number()
        timing.speed = number()
        timing.repeatCount = bool() ? .infinity : Double(below(3))
        timing.repeatDuration = bool() ? 1.5 : 0
        timing.autoreverses = bool()
        timing.fillMode = FillMode.allCases[below(4)]
        var animation = AnimationDescription(
            content(depth), timing: timing, curve: bool() ? TimingCurve(0.25, number(), 0.5, number()) : nil)
        animation.isRemovedOnCompletion = bool()
        return animation
    }

    private mutating func content(_ depth: Int) -> AnimationDescription.Content {
        switch below(5) {
        case 0 where depth < 3: return .group((0..<below(4)).map { _ in animation(depth: depth + 1) })
        case 1:
            var transition = LayerTransition(
                LayerTransition.Kind.allCases[below(4)], LayerTransition.Direction.allCases[below(4)])
            transition.startProgress = number()
            transition.endProgress = number()
            return .transition(transition)
        default:
            let target = target()
            var animation = PropertyAnimation(target, motion(of: target.kind ?? .number))
            animation.isAdditive = bool()
            animation.isCumulative = bool()
            animation.function = bool() ? ValueFunction.allCases[below(ValueFunction.allCases.count)] : nil
            return .property(animation)
        }
    }

    private mutating func target() -> AnimationTarget {
        let properties = LayerProperty.allCases.filter(\.isAnimatable)
        let property = properties[below(properties.count)]
        if below(20) == 0 {
            return .cell(name: text(), EmitterCell.Number.allCases[below(EmitterCell.numberCount)])
        }
        if property == .filters, bool() {
            return .filter(property, name: text(), LayerFilter.Input.allCases[below(LayerFilter.Input.allCases.count)])
        }
        let components = PropertyComponent.allCases.filter { $0.isPart(of: property.kind) }
        guard !components.isEmpty, bool() else { return .property(property) }
        return .component(property, components[below(components.count)])
    }

    private mutating func motion(of kind: PropertyValue.Kind) -> PropertyAnimation.Motion {
        let ends = MotionEnds(
            from: bool() ? value(of: kind) : nil, to: bool() ? value(of: kind) : nil,
            by: bool() ? value(of: kind) : nil)
        switch below(3) {
        case 0: return .basic(ends)
        case 1:
            var curve = SpringCurve()
            curve.mass = 1 + Double(below(3))
            curve.damping = Double(below(30))
            curve.initialVelocity = number()
            curve.allowsOverdamping = bool()
            return .spring(ends, curve)
        default:
            var frames = Keyframes((0..<below(5)).map { _ in value(of: kind) })
            frames.path = bool() ? path() : nil
            frames.keyTimes = (0..<below(4)).map { _ in number() }
            frames.curves = (0..<below(3)).map { _ in TimingCurve(0, number(), 1, number()) }
            frames.tensions = (0..<below(3)).map { _ in number() }
            frames.mode = Keyframes.Mode.allCases[below(5)]
            frames.rotation = Keyframes.Rotation.allCases[below(3)]
            return .keyframes(frames)
        }
    }
}
