// Animations as bytes. Source: docs/wire-protocol.md, "Animations".

import LayerModel

/// Never renumber, only append.
enum AnimationCode: UInt8 {
    case basic = 1
    case spring = 2
    case keyframes = 3
    case group = 4
    case transition = 5
}

extension ByteWriter {
    mutating func write(_ animation: AnimationDescription) {
        let timing = animation.timing
        for number in [
            timing.beginTime, timing.timeOffset, timing.speed, timing.duration, timing.repeatCount,
            timing.repeatDuration,
        ] { write(number) }
        write(timing.autoreverses)
        write(timing.fillMode.rawValue)
        write(animation.isRemovedOnCompletion)
        write(animation.curve != nil)
        if let curve = animation.curve { write(curve) }
        switch animation.content {
        case .property(let property): write(property)
        case .group(let members):
            write(AnimationCode.group.rawValue)
            write(UInt32(members.count))
            for member in members { write(member) }
        case .transition(let transition):
            write(AnimationCode.transition.rawValue)
            write(transition.kind.rawValue)
            write(transition.direction.rawValue)
            write(transition.startProgress)
            write(transition.endProgress)
        }
    }

    private mutating func write(_ animation: PropertyAnimation) {
        switch animation.motion {
        case .basic(let ends):
            write(AnimationCode.basic.rawValue)
            writeShared(animation)
            write(ends)
        case .spring(let ends, let curve):
            write(AnimationCode.spring.rawValue)
            writeShared(animation)
            write(ends)
            for number in [curve.mass, curve.stiffness, curve.damping, curve.initialVelocity] { write(number) }
            write(curve.allowsOverdamping)
        case .keyframes(let frames):
            write(AnimationCode.keyframes.rawValue)
            writeShared(animation)
            write(frames)
        }
    }

    private mutating func writeShared(_ animation: PropertyAnimation) {
        switch animation.target {
        case .property(let property):
            write(property.rawValue)
            write(UInt8(0))
        case .component(let property, let component):
            write(property.rawValue)
            write(component.rawValue)
        case .filter(let property, let name, let input):
            write(property.rawValue)
            write(UInt8.max)
            write(String?.some(name))
            write(input.rawValue)
        case .cell(let name, let number):
            write(LayerProperty.emitterCells.rawValue)
            write(ofCell)
            write(String?.some(name))
            write(number.rawValue)
        }
        write(animation.isAdditive)
        write(animation.isCumulative)
        write(animation.function?.rawValue ?? 0)
    }

    private mutating func write(_ ends: MotionEnds) {
        for end in [ends.from, ends.to, ends.by] {
            write(end != nil)
            if let end { write(end) }
        }
    }

    private mutating func write(_ frames: Keyframes) {
        write(frames.mode.rawValue)
        write(frames.rotation.rawValue)
        write(UInt32(frames.values.count))
        for value in frames.values { write(value) }
        write(frames.path != nil)
        if let path = frames.path { write(path) }
        write(UInt32(frames.curves.count))
        for curve in frames.curves { write(curve) }
        for numbers in [frames.keyTimes, frames.tensions, frames.continuities, frames.biases] { write(numbers) }
    }

    mutating func write(_ numbers: [Double]) {
        write(UInt32(numbers.count))
        for number in numbers { write(number) }
    }

    private mutating func write(_ curve: TimingCurve) {
        for number in [curve.c1.x, curve.c1.y, curve.c2.x, curve.c2.y] { write(number) }
    }
}

extension ByteReader {
    /// - Parameter depth: How many groups it lies in.
    mutating func readAnimation(depth: Int = 0) throws(ProtocolError) -> AnimationDescription {
        let start = offset
        var timing = AnimationTiming()
        timing.beginTime = try readDouble()
        timing.timeOffset = try readDouble()
        timing.speed = try readDouble()
        timing.duration = try readDouble()
        timing.repeatCount = try readDouble()
        timing.repeatDuration = try readDouble()
        guard timing.isSound else {
            throw ProtocolError(
                .badValue, offset: start,
                "an animation's begin, offset and speed are finite, its duration is above 0, its repeats are 0 or more")
        }
        timing.autoreverses = try readBool()
        timing.fillMode = try readCode()
        let isRemovedOnCompletion = try readBool()
        let curve = try readBool() ? try readCurve() : nil
        var animation = AnimationDescription(try readContent(depth), timing: timing, curve: curve)
        animation.isRemovedOnCompletion = isRemovedOnCompletion
        return animation
    }

    private mutating func readContent(_ depth: Int) throws(ProtocolError) -> AnimationDescription.Content {
        switch try readCode() as AnimationCode {
        case .basic:
            let (target, finish) = try readShared()
            return .property(finish(PropertyAnimation(target, .basic(try readEnds()))))
        case .spring:
            let (target, finish) = try readShared()
            let ends = try readEnds()
            return .property(finish(PropertyAnimation(target, .spring(ends, try readSpring()))))
        case .keyframes:
            let (target, finish) = try readShared()
            return .property(finish(PropertyAnimation(target, .keyframes(try readKeyframes()))))
        case .group:
            guard depth < AnimationDescription.maximumDepth else {
                throw ProtocolError(
                    .limit, offset: offset,
                    "animation groups lie at most \(AnimationDescription.maximumDepth) deep in one another")
            }
            let count = try readCount(ofAtLeast: 52)
            var members: [AnimationDescription] = []
            members.reserveCapacity(count)
            for _ in 0..<count { members.append(try readAnimation(depth: depth + 1)) }
            return .group(members)
        case .transition:
            var transition = LayerTransition(try readCode(), try readCode())
            let start = offset
            transition.startProgress = try readDouble()
            transition.endProgress = try readDouble()
            guard transition.startProgress.isFinite, transition.endProgress.isFinite else {
                throw ProtocolError(.badValue, offset: start, "a transition's progress is finite")
            }
            return .transition(transition)
        }
    }

    private mutating func readShared() throws(ProtocolError) -> (
        AnimationTarget, (PropertyAnimation) -> PropertyAnimation
    ) {
        let start = offset
        let key = try read(UInt16.self)
        guard let property = LayerProperty(rawValue: key), property.isAnimatable || property == .emitterCells else {
            throw ProtocolError(.badValue, offset: start, "property \(key) can't be animated")
        }
        let target: AnimationTarget
        switch try read(UInt8.self) {
        case ofCell where property == .emitterCells:
            let name = try readName() ?? ""
            target = .cell(name: name, try readCode())
        case _ where property == .emitterCells:
            throw ProtocolError(.badValue, offset: start, "of \(property.key), numbers of one cell are animated")
        case 0: target = .property(property)
        case UInt8.max:
            let name = try readName() ?? ""
            let input: LayerFilter.Input = try readCode()
            guard property == .filters || property == .backgroundFilters else {
                throw ProtocolError(.badValue, offset: start, "\(property.key) has no filters")
            }
            target = .filter(property, name: name, input)
        case let code:
            guard let component = PropertyComponent(rawValue: code), component.isPart(of: property.kind) else {
                throw ProtocolError(.badValue, offset: offset - 1, "\(property.key) has no component \(code)")
            }
            target = .component(property, component)
        }
        let (isAdditive, isCumulative) = (try readBool(), try readBool())
        let number = try read(UInt8.self)
        let function = ValueFunction(rawValue: number)
        guard number == 0 || function != nil else {
            throw ProtocolError(.badValue, offset: offset - 1, "there is no value function \(number)")
        }
        return (
            target,
            { animation in
                var animation = animation
                animation.isAdditive = isAdditive
                animation.isCumulative = isCumulative
                animation.function = function
                return animation
            }
        )
    }

    private mutating func readEnds() throws(ProtocolError) -> MotionEnds {
        MotionEnds(from: try readEnd(), to: try readEnd(), by: try readEnd())
    }

    private mutating func readEnd() throws(ProtocolError) -> PropertyValue? {
        try readBool() ? try readFiniteValue() : nil
    }

    private mutating func readFiniteValue() throws(ProtocolError) -> PropertyValue {
        let start = offset
        let value = try readValue()
        guard value.isFinite else { throw ProtocolError(.badValue, offset: start, "values of animations are finite") }
        return value
    }

    private mutating func readSpring() throws(ProtocolError) -> SpringCurve {
        let start = offset
        var curve = SpringCurve()
        curve.mass = try readDouble()
        curve.stiffness = try readDouble()
        curve.damping = try readDouble()
        curve.initialVelocity = try readDouble()
        curve.allowsOverdamping = try readBool()
        guard curve.mass > 0, curve.stiffness > 0, curve.damping >= 0, curve.mass.isFinite, curve.stiffness.isFinite,
            curve.initialVelocity.isFinite
        else {
            throw ProtocolError(
                .badValue, offset: start, "a spring has mass and stiffness above 0, and damping of 0 or more")
        }
        return curve
    }

    private mutating func readKeyframes() throws(ProtocolError) -> Keyframes {
        var frames = Keyframes()
        frames.mode = try readCode()
        frames.rotation = try readCode()
        let count = try readCount(ofAtLeast: 2)
        frames.values.reserveCapacity(count)
        for _ in 0..<count { frames.values.append(try readFiniteValue()) }
        if try readBool() {
            let start = offset
            let path = try readPath()
            guard path.isFinite else { throw ProtocolError(.badValue, offset: start, "paths are finite") }
            frames.path = path
        }
        for _ in 0..<(try readCount(ofAtLeast: 32)) { frames.curves.append(try readCurve()) }
        frames.keyTimes = try readFiniteNumbers()
        frames.tensions = try readFiniteNumbers()
        frames.continuities = try readFiniteNumbers()
        frames.biases = try readFiniteNumbers()
        return frames
    }

    private mutating func readFiniteNumbers() throws(ProtocolError) -> [Double] {
        let start = offset
        let numbers = try readNumbers()
        guard numbers.allSatisfy(\.isFinite) else {
            throw ProtocolError(.badValue, offset: start, "numbers of keyframes are finite")
        }
        return numbers
    }

    mutating func readNumbers() throws(ProtocolError) -> [Double] {
        let count = try readCount(ofAtLeast: 8)
        var numbers: [Double] = []
        numbers.reserveCapacity(count)
        for _ in 0..<count { numbers.append(try readDouble()) }
        return numbers
    }

    private mutating func readCurve() throws(ProtocolError) -> TimingCurve {
        let start = offset
        let numbers = [try readDouble(), try readDouble(), try readDouble(), try readDouble()]
        guard numbers.allSatisfy(\.isFinite) else {
            throw ProtocolError(.badValue, offset: start, "control points are finite")
        }
        return TimingCurve(numbers[0], numbers[1], numbers[2], numbers[3])
    }

    private mutating func readCode<Code: RawRepresentable<UInt8>>() throws(ProtocolError) -> Code {
        let number = try read(UInt8.self)
        guard let code = Code(rawValue: number) else {
            throw ProtocolError(.badValue, offset: offset - 1, "there is no \(Code.self) \(number)")
        }
        return code
    }
}

/// In the place of a component: a number of an emitter cell.
private let ofCell: UInt8 = 254
