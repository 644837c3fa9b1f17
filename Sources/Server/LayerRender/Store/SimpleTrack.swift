// The commonest animations as plain numbers: from one value to another, both given, of a number or a point, neither added nor
// cumulative. What they show is what `PreparedAnimation.apply` makes of them, to the last bit, without values of any kind on
// the way: ten thousand of them are sampled in a frame.

import LayerModel

/// An animation of one number, or of two.
struct SimpleTrack: Sendable {
    enum Field: UInt8, Sendable {
        case opacity
        case position
        case positionX
        case positionY
        case cornerRadius
        case borderWidth
        case rotationZ
    }

    let field: Field
    private let from: Point
    private let to: Point
    private let timing: AnimationTiming
    private let curve: TimingCurve?
    /// It runs forward from its begin on, in cycles that are finite.
    private let isPlain: Bool
    private let active: Double
    private let cycle: Double
    private let isRemovedOnCompletion: Bool

    /// Nil for any other animation.
    init?(_ description: AnimationDescription) {
        guard case .property(let animation) = description.content, case .basic(let ends) = animation.motion,
            !animation.isAdditive, !animation.isCumulative, animation.function == nil, ends.by == nil
        else { return nil }
        switch animation.target {
        case .property(.opacity): field = .opacity
        case .property(.position): field = .position
        case .property(.cornerRadius): field = .cornerRadius
        case .property(.borderWidth): field = .borderWidth
        case .component(.position, .x): field = .positionX
        case .component(.position, .y): field = .positionY
        case .component(.transform, .rotationZ): field = .rotationZ
        default: return nil
        }
        switch (ends.from, ends.to) {
        case (.number(let a)?, .number(let b)?) where field != .position: (from, to) = (Point(a, 0), Point(b, 0))
        case (.point(let a)?, .point(let b)?) where field == .position: (from, to) = (a, b)
        default: return nil
        }
        timing = description.timing
        curve = description.curve
        active = timing.activeDuration
        cycle = timing.cycle
        isPlain = timing.speed > 0 && timing.timeOffset == 0 && cycle.isFinite && cycle > 0
        isRemovedOnCompletion = description.isRemovedOnCompletion
    }

    /// What there is at a time.
    enum Moment {
        case value(Point)
        /// The committed value shows.
        case nothing
        case over
    }

    /// - Parameter time: Of the layer.
    func moment(at time: Double) -> Moment {
        var elapsed = 0.0
        if isPlain {
            // As `AnimationTiming` has it.
            let b = (time - timing.beginTime) * timing.speed
            if b >= active, isRemovedOnCompletion { return .over }
            if b < 0 || b >= active {
                guard let moment = timing.moment(at: time) else { return .nothing }
                elapsed = moment.elapsed
            } else {
                let k = (b / cycle).rounded(.down)
                let p = min(max(b - k * cycle, 0), cycle)
                elapsed = min(p > timing.duration ? max(cycle - p, 0) : p, timing.duration)
            }
        } else {
            if isRemovedOnCompletion, timing.phase(at: time) == .after { return .over }
            guard let moment = timing.moment(at: time) else { return .nothing }
            elapsed = moment.elapsed
        }
        let fraction = timing.duration > 0 && timing.duration.isFinite ? elapsed / timing.duration : 0
        let u = curve?.value(at: fraction) ?? fraction
        /// As `PropertyValue.interpolate`.
        func mix(_ a: Double, _ b: Double) -> Double { u == 1 ? b : a + (b - a) * u }
        let value = Point(mix(from.x, to.x), mix(from.y, to.y))
        return value.x.isFinite && value.y.isFinite ? .value(value) : .nothing
    }
}

extension SimpleTrack.Field {
    /// It says where a layer's picture is shown, and not what it is.
    var isOfPlaceAlone: Bool { self != .cornerRadius && self != .borderWidth }
}
