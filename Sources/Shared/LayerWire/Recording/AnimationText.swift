// Animations in the text form of a recording: one line, what differs from the defaults.

import LayerModel

extension RecordingText {
    static func text(_ animation: AnimationDescription) -> String {
        var words: [String] = []
        switch animation.content {
        case .property(let property): words += Self.words(of: property)
        case .group(let members): words.append("group (" + members.map(text).joined(separator: ", ") + ")")
        case .transition(let transition):
            words += ["transition", "\(transition.kind)"]
            if transition.kind != .fade { words.append("\(transition.direction)") }
            if transition.startProgress != 0 { words.append("start=\(number(transition.startProgress))") }
            if transition.endProgress != 1 { words.append("end=\(number(transition.endProgress))") }
        }
        let timing = animation.timing
        words.append("begin=\(number(timing.beginTime)) duration=\(number(timing.duration))")
        if timing.speed != 1 { words.append("speed=\(number(timing.speed))") }
        if timing.timeOffset != 0 { words.append("offset=\(number(timing.timeOffset))") }
        if timing.repeatCount != 0 { words.append("repeats=\(number(timing.repeatCount))") }
        if timing.repeatDuration != 0 { words.append("repeatDuration=\(number(timing.repeatDuration))") }
        if timing.autoreverses { words.append("autoreverses") }
        if timing.fillMode != .removed { words.append("fill=\(timing.fillMode.name)") }
        if !animation.isRemovedOnCompletion { words.append("stays") }
        if let curve = animation.curve { words.append("curve=\(text(curve))") }
        return words.joined(separator: " ")
    }

    private static func words(of animation: PropertyAnimation) -> [String] {
        var words: [String] = []
        switch animation.motion {
        case .basic(let ends):
            words = ["basic", RecordingText.escaped(animation.target.keyPath)] + Self.words(of: ends, animation.target)
        case .spring(let ends, let curve):
            words =
                ["spring", RecordingText.escaped(animation.target.keyPath)] + Self.words(of: ends, animation.target)
            words.append("mass=\(number(curve.mass)) stiffness=\(number(curve.stiffness))")
            words.append("damping=\(number(curve.damping))")
            if curve.initialVelocity != 0 { words.append("velocity=\(number(curve.initialVelocity))") }
            if curve.allowsOverdamping { words.append("overdamped") }
        case .keyframes(let frames):
            words = ["keyframes", RecordingText.escaped(animation.target.keyPath), "\(frames.mode)"]
            if let path = frames.path {
                words.append("path=\(text(path))")
            } else {
                let property = animation.target.property
                words.append("values=(" + frames.values.map { text($0, of: property) }.joined(separator: " ") + ")")
            }
            if !frames.keyTimes.isEmpty { words.append("times=\(list(frames.keyTimes))") }
            if !frames.curves.isEmpty {
                words.append("curves=(" + frames.curves.map(text).joined(separator: " ") + ")")
            }
            if !frames.tensions.isEmpty { words.append("tensions=\(list(frames.tensions))") }
            if !frames.continuities.isEmpty { words.append("continuities=\(list(frames.continuities))") }
            if !frames.biases.isEmpty { words.append("biases=\(list(frames.biases))") }
            if frames.rotation != .none { words.append("rotation=\(frames.rotation)") }
        }
        if animation.isAdditive { words.append("additive") }
        if animation.isCumulative { words.append("cumulative") }
        if let function = animation.function { words.append("function=\(function.name)") }
        return words
    }

    private static func words(of ends: MotionEnds, _ target: AnimationTarget) -> [String] {
        [("from", ends.from), ("to", ends.to), ("by", ends.by)].compactMap { name, value in
            value.map { "\(name)=\(text($0, of: target.property))" }
        }
    }

    private static func text(_ curve: TimingCurve) -> String { list([curve.c1.x, curve.c1.y, curve.c2.x, curve.c2.y]) }
}
